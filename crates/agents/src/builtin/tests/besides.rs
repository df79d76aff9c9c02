//! Questions in the middle of something, which is kept while they are answered.

use super::business::{kitchen, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;

const AFTERNOON: &str = "2026-06-12T15:30[America/Mexico_City]";
const NIGHT: &str = "2026-06-12T23:30[America/Mexico_City]";

#[tokio::test]
async fn the_smallest_order_is_told_and_the_order_is_kept() {
    let mut stage = Stage::new(Fake::new(taqueria(), AFTERNOON, 0)).known_as("Inés");
    stage.says("2 tacos de bistec y una coca a domicilio").await;
    let said = stage.says("cual es el pedido minimo?").await;
    assert!(
        said.contains("$80") && said.contains("2 Taco de bistec") && said.contains("dirección"),
        "{said}"
    );
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Address), "{said}");
    stage.says("Calle Olmo 12, Condesa").await;
    stage.says("tarjeta").await;
    let said = stage.says("¿y cuánto es el mínimo?").await;
    assert!(said.contains("$80") && said.contains("$133"), "{said}");
    assert!(stage.desk.called("create_order").is_empty(), "{said}");
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_order").len(), 1);
}

#[tokio::test]
async fn the_smallest_order_is_told_while_it_is_closed() {
    let mut stage = Stage::new(Fake::new(taqueria(), NIGHT, 0)).known_as("Inés");
    stage.says("2 tacos de bistec y una coca a domicilio").await;
    let said = stage.says("cual es el pedido minimo?").await;
    assert!(
        said.contains("$80") && said.contains("2 Taco de bistec") && said.contains("programo"),
        "{said}"
    );
    let said = stage.says("sí, prográmalo").await;
    assert!(said.contains("dirección"), "{said}");
    let mut stage = Stage::new(Fake::new(kitchen(), NIGHT, 0)).known_as("Inés");
    stage.says("2 quesadillas para recoger en la Roma").await;
    stage.says("what is the minimum order?").await;
    let said = stage.says("sí").await;
    assert!(said.contains("$90") && said.contains("sábado 13"), "{said}");
}
