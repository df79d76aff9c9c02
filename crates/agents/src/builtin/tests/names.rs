//! Who an order or an appointment is for, and where an order is brought.

use super::business::{clinic, kitchen, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    let mut business = taqueria();
    let alambre = json!({ "id": "t11", "name": "Alambre", "price": 120 });
    business["menu"].as_array_mut().unwrap().push(alambre);
    Stage::new(Fake::new(business, NOW, 0))
}

#[tokio::test]
async fn a_name_is_completed_by_what_comes_later() {
    for more in [
        "soy Elsa Prado",
        "soy elsa prado",
        "me apellido Prado",
        "Elsa Prado",
    ] {
        let now = "2026-06-09T10:15[America/Mexico_City]";
        let mut stage = Stage::new(Fake::new(clinic(), now, 0));
        stage.says("quiero una limpieza mañana a las 11").await;
        stage.says("Elsa").await;
        let said = stage.says(more).await;
        assert!(
            said.contains("a nombre de Elsa Prado") && said.contains("¿La confirmo?"),
            "{more}: {said}"
        );
        let kept = stage.desk.called("update_lead_info");
        assert_eq!(kept.last().unwrap()["name"], json!("Elsa Prado"), "{more}");
    }
}

#[tokio::test]
async fn a_name_is_no_dish_and_a_telephone_counts_nothing() {
    for (asked, phone) in [
        ("a nombre de Leo", false),
        ("a nombre de leo", false),
        ("Leo, 5512345678", true),
        ("leo 55 1234 5678", true),
        ("soy Leo, mi cel es 5512345678", true),
        ("the name is Leo", false),
    ] {
        let mut stage = at_taqueria();
        stage.says("4 tacos al pastor para llevar en Roma").await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("4 Taco al pastor,") && said.contains("Leo;") && said.contains("$112"),
            "{asked}: {said}"
        );
        let kept = stage.desk.called("update_lead_info");
        let kept = kept.last().unwrap();
        assert_eq!(kept["name"], json!("Leo"), "{asked}");
        assert_eq!(kept["phone"].is_string(), phone, "{asked}");
        stage.says("sí").await;
        let placed = &stage.desk.called("create_order")[0];
        assert_eq!(placed["items"].as_array().unwrap().len(), 1, "{asked}");
        assert_eq!(placed["customer_name"], json!("Leo"), "{asked}");
    }
    for asked in [
        "4 tacos al pastor, a nombre de leo, para recoger en Roma",
        "4 tacos al pastor, soy Leo, mi cel 5512345678, paso por ellos en Roma",
        "4 tacos al pastor para recoger en Roma, Leo 5512345678",
    ] {
        let said = at_taqueria().says(asked).await;
        assert!(
            said.contains("4 Taco al pastor, para recoger") && said.contains("a nombre de Leo"),
            "{asked}: {said}"
        );
    }
}

#[tokio::test]
async fn who_it_is_for_is_no_part_of_the_address() {
    for asked in [
        "a Durango 120 int 3 col Roma Norte, a nombre de Leo",
        "Durango 120 int 3 col Roma Norte a nombre de leo",
        "Durango 120 int 3 col Roma Norte, soy Leo, 5512345678",
    ] {
        let mut stage = at_taqueria();
        stage.says("4 tacos al pastor a domicilio").await;
        stage.says(asked).await;
        let said = stage.says("efectivo").await;
        assert!(
            said.contains("a domicilio a Durango 120 int 3 col Roma Norte, en unos"),
            "{asked}: {said}"
        );
        assert!(said.contains("a nombre de Leo;"), "{asked}: {said}");
    }
    let said = at_taqueria()
        .says("4 tacos al pastor a Durango 120 int 3 col Roma Norte, a nombre de Leo, en efectivo")
        .await;
    assert!(
        said.contains("4 Taco al pastor, a domicilio a Durango 120 int 3 col Roma Norte, en unos"),
        "{said}"
    );
}

#[tokio::test]
async fn the_branch_of_a_delivery_is_known_before_the_yes() {
    // The part of town decides it.
    let mut stage = at_taqueria();
    stage
        .says("4 tacos al pastor a domicilio, Calle Durango 120, Roma Norte, efectivo")
        .await;
    let said = stage.says("sí").await;
    assert!(said.contains("quedó registrado"), "{said}");
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["branch_name"], json!("Roma"));
    // Where nothing decides it, it is asked before and not after.
    let mut stage = at_taqueria();
    let said = stage
        .says("4 tacos al pastor a domicilio, Calle Durango 120, Condesa, efectivo")
        .await;
    assert!(said.contains("¿De qué sucursal"), "{said}");
    let said = stage.says("Centro").await;
    assert!(said.contains("¿Lo confirmo?"), "{said}");
    let said = stage.says("sí").await;
    assert!(said.contains("quedó registrado"), "{said}");
    // Only one is open.
    let mut business = taqueria();
    business["branches"][0]["hours"] = json!({ "mon-sun": "18:00-23:00" });
    let mut stage = Stage::new(Fake::new(business, NOW, 0));
    stage
        .says("4 tacos al pastor a domicilio, Calle Durango 120, Condesa, efectivo")
        .await;
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["branch_name"], json!("Centro"));
}

/// A name is no complaint because it sounds like a word of one.
#[test]
fn a_name_is_not_put_right_into_another_word() {
    let understood = crate::supervisor::Supervisor::compiled()
        .understand("soy Nadia Pérez", &crate::supervisor::Context::default());
    assert_ne!(understood.intent(), quipu_core::agent::Intent::Escalation);
}

#[tokio::test]
async fn a_sentence_is_no_name() {
    let now = "2026-06-09T10:15[America/Mexico_City]";
    for asked in [
        "a nombre de quien quedo?",
        "a nombre de quien lo dejo",
        "can you make it 4 instead",
        "cc",
        "ok",
        "dale",
        "que pena",
        "quien atiende?",
        "do you take card?",
        "espera un momento",
    ] {
        let mut stage = Stage::new(Fake::new(clinic(), now, 0));
        stage.says("quiero una limpieza el jueves a las 4").await;
        stage.says(asked).await;
        let kept = stage.desk.called("update_lead_info");
        assert!(kept.is_empty(), "{asked}: {kept:?}");
        // The name is still wanted, and taken when it comes.
        let said = stage.says("Rosa Lima").await;
        assert!(said.contains("Rosa Lima"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_name_at_the_end_of_an_order_is_who_it_is_for() {
    for asked in [
        "4 de pastor para llevar en Roma, Marta Ruiz",
        "4 de pastor, Marta Ruiz, para llevar en Roma",
        "4 de pastor para llevar en Roma a nombre Marta Ruiz",
        "4 de pastor para llevar en Roma a nombre de marta ruiz",
        "4 al pastor to go from Roma, Marta Ruiz",
    ] {
        let mut stage = at_taqueria();
        let said = stage.says(asked).await;
        assert!(said.contains("Marta Ruiz"), "{asked}: {said}");
        stage.says("sí").await;
        let placed = &stage.desk.called("create_order")[0];
        assert_eq!(placed["customer_name"], json!("Marta Ruiz"), "{asked}");
        assert_eq!(placed["items"].as_array().unwrap().len(), 1, "{asked}");
    }
    // What is eaten and where it is fetched are no names.
    let mut stage = at_taqueria();
    stage
        .says("4 de pastor para llevar, Taco Bistec, Roma Norte")
        .await;
    stage.says("en Roma").await;
    stage.says("sí").await;
    for placed in stage.desk.called("create_order") {
        assert_eq!(placed["customer_name"], json!(null));
    }
}

#[tokio::test]
async fn a_first_name_is_the_name_of_an_order() {
    const FIRST: &str = "2 tacos de bistec y una coca para recoger en la Roma";
    // Asked for it, whoever writes one word has told it.
    for name in ["Ana", "rosa", "Socorro"] {
        let mut desk = Fake::new(kitchen(), NOW, 0);
        desk.has_customer = false;
        let mut stage = Stage::new(desk);
        stage.says(&format!("{FIRST}, 55 1234 5678")).await;
        let said = stage.says(name).await;
        let name = name.to_lowercase();
        assert!(
            said.to_lowercase().contains(&format!("a nombre de {name}")),
            "{said}"
        );
    }
    // Read back without one, a name is noted, and any other word is none.
    let mut stage = Stage::new(Fake::new(kitchen(), NOW, 0));
    let said = stage.says(FIRST).await;
    assert!(!said.contains("a nombre de"), "{said}");
    for word in ["Salsa", "Picante", "Condesa"] {
        let said = stage.says(word).await;
        assert!(!said.contains("a nombre de"), "{word}: {said}");
    }
    let said = stage.says("Ana").await;
    assert!(
        said.contains("a nombre de Ana") && said.contains("¿Lo confirmo?"),
        "{said}"
    );
    stage.says("sí").await;
    let placed = stage.desk.called("create_order");
    assert_eq!(placed[0]["customer_name"], json!("Ana"));
}
