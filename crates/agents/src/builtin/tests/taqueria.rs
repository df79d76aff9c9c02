//! What becomes of the words of an order: lines, choices, a branch, a question back.

use super::business::taqueria;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn what_stands_behind_how_it_is_handed_over_is_ordered_too() {
    let mut stage = at_taqueria();
    let said = stage
        .says("2 gringas de pastor para llevar Roma y un agua de horchata grande")
        .await;
    for told in [
        "2 Gringa (Pastor)",
        "1 Agua de horchata (Grande)",
        "en Roma",
        "$224",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["branch_name"], json!("Roma"));
    assert_eq!(placed["items"].as_array().unwrap().len(), 2);

    let mut stage = at_taqueria();
    let said = stage
        .says("3 tacos al pastor para recoger en la sucursal Centro con queso, y una coca")
        .await;
    for told in [
        "3 Taco al pastor (Queso)",
        "1 Refresco de cola",
        "en Centro",
        "$155",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let mut stage = at_taqueria();
    stage
        .says("I want a horchata to go from Roma and 3 tacos al pastor")
        .await;
    let said = stage.says("small").await;
    assert!(said.contains("1 Agua de horchata (Chica)"), "{said}");
    let mut stage = at_taqueria();
    let said = stage
        .says("hi, I'd like two gringas with bistec to go from Roma and a coca please")
        .await;
    assert!(
        said.contains("2 Gringa (Bistec)") && said.contains("1 Refresco de cola"),
        "{said}"
    );
}

#[tokio::test]
async fn what_an_order_comes_to_is_told_on_the_way() {
    let mut stage = at_taqueria();
    stage.says("quiero 3 tacos al pastor y una coca").await;
    for asked in ["¿cuánto es?", "¿cuánto llevo?", "¿qué pedí?"] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("Llevas: 3 Taco al pastor y 1 Refresco de cola; total $119"),
            "{asked}: {said}"
        );
        assert!(said.contains("¿Es para recoger"), "{asked}: {said}");
    }
    let said = stage.says("¿cuánto cuesta la gringa?").await;
    assert!(said.contains("$85") && !said.contains("Llevas"), "{said}");
}

#[tokio::test]
async fn what_would_refuse_an_order_is_said_before_a_yes_is_asked_for() {
    let mut stage = at_taqueria();
    let said = stage.says("un taco al pastor para llevar en Roma").await;
    assert!(
        said.contains("mínimo es de $80") && !said.contains("¿Lo confirmo?"),
        "{said}"
    );
    let said = stage.says("ponle 3 más").await;
    assert!(
        said.contains("4 Taco al pastor") && said.contains("¿Lo confirmo?"),
        "{said}"
    );
    // The branch where it is to be fetched is closed, and the other is not.
    let mut business = taqueria();
    business["branches"][0]["hours"] = json!({ "mon-sun": "18:00-23:00" });
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Soto");
    let said = stage.says("4 tacos al pastor para llevar en Roma").await;
    assert!(
        said.contains("cerrados") && said.contains("6:00 p. m."),
        "{said}"
    );
    let said = stage.says("4 tacos al pastor para llevar en Centro").await;
    assert!(!said.contains("cerrados"), "{said}");
}

#[tokio::test]
async fn a_change_is_read_back_before_it_is_placed() {
    let mut stage = at_taqueria();
    stage.says("4 tacos al pastor para llevar en Roma").await;
    for (asked, told) in [
        ("los de pastor cámbialos por tripa", "4 Taco de tripa"),
        ("quita uno", "3 Taco de tripa"),
        ("sí pero sin cilantro", "3 Taco de tripa (sin cilantro)"),
    ] {
        let said = stage.says(asked).await;
        assert!(
            said.contains(told) && said.contains("¿Lo confirmo?"),
            "{asked}: {said}"
        );
        assert!(stage.desk.called("create_order").is_empty(), "{asked}");
    }
    assert!(stage.says("sí").await.contains("quedó registrado"));
    let mut stage = at_taqueria();
    stage.says("2 gringas de pastor para llevar en Roma").await;
    let said = stage.says("las gringas cámbialas por bistec").await;
    assert!(said.contains("2 Gringa (Bistec)"), "{said}");
}

#[tokio::test]
async fn what_is_not_wanted_is_not_ordered() {
    let mut stage = at_taqueria();
    let said = stage.says("no quiero tacos, quiero una torta").await;
    assert!(
        said.contains("Torta de milanesa") && said.contains("Torta ahogada"),
        "{said}"
    );
    assert!(!said.contains("Taco"), "{said}");
    let said = at_taqueria()
        .says("I don't want tacos, I want a torta ahogada to go from Roma")
        .await;
    assert!(
        said.contains("1 Torta ahogada") && !said.contains("Taco"),
        "{said}"
    );
}

#[tokio::test]
async fn what_is_no_number_of_things_is_asked_back() {
    for asked in [
        "$50 de pastor para llevar en Roma",
        "dame 200 pesos de pastor, para llevar en Roma",
    ] {
        let mut stage = at_taqueria();
        let said = stage.says(asked).await;
        assert!(
            said.contains("¿Cuántos desea de Taco al pastor?"),
            "{asked}: {said}"
        );
        let said = stage.says("5").await;
        assert!(said.contains("5 Taco al pastor"), "{asked}: {said}");
    }
    let said = at_taqueria().says("kilo y medio de pastor").await;
    assert!(said.contains("¿Cuántos"), "{said}");
}

#[tokio::test]
async fn two_kinds_of_a_thing_are_two_lines() {
    let mut stage = at_taqueria();
    let said = stage
        .says("dos gringas, una de pastor y una de bistec, para llevar en Roma")
        .await;
    assert!(
        said.contains("1 Gringa (Pastor) y 1 Gringa (Bistec)") && said.contains("$170"),
        "{said}"
    );
    let said = at_taqueria()
        .says("tres gringas, dos de pastor, para llevar en Roma")
        .await;
    assert!(
        said.contains("2 Gringa (Pastor)") && said.contains("qué carne"),
        "one is left to be chosen: {said}"
    );
}

#[tokio::test]
async fn minors_get_no_beer() {
    let mut stage = at_taqueria();
    let said = stage.says("tengo 16, quiero 2 cervezas").await;
    assert!(said.contains("menores de edad"), "{said}");
    let mut stage = at_taqueria();
    let said = stage
        .says("tengo 16 años, dame 2 cervezas y 4 tacos al pastor para llevar en Roma")
        .await;
    assert!(
        said.contains("menores de edad") && said.contains("4 Taco al pastor"),
        "{said}"
    );
    assert!(!said.contains("Cerveza") && !said.contains("«"), "{said}");
    let said = stage.says("sí").await;
    assert!(!said.contains("menores"), "once is enough: {said}");
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["items"].as_array().unwrap().len(), 1);
    let mut stage = at_taqueria();
    let said = stage
        .says("i'm 17 can i get a beer and 4 tacos al pastor for pickup at roma")
        .await;
    assert!(
        said.contains("under age") || said.contains("minors"),
        "{said}"
    );
    assert!(
        said.contains("4 Taco al pastor") && !said.contains("17"),
        "{said}"
    );
    let said = at_taqueria().says("quiero 2 cervezas").await;
    assert!(said.contains("2 Cerveza clara"), "{said}");
}

#[tokio::test]
async fn a_name_or_a_telephone_alone_is_noted() {
    let mut stage = at_taqueria();
    stage.says("4 tacos al pastor para llevar en Roma").await;
    for asked in ["Marcos Peña", "55 1234 5678"] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("lo anoto") && said.contains("4 Taco al pastor"),
            "{asked}: {said}"
        );
    }
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["customer_name"], json!("Marcos Peña"));
}

#[tokio::test]
async fn what_nobody_wrote_of_gluten_is_not_known() {
    let said = at_taqueria().says("soy celíaca, ¿qué puedo comer?").await;
    assert!(
        said.contains("No tengo esa información") && said.contains("55 5555 0404"),
        "{said}"
    );
    let said = at_taqueria().says("¿la torta ahogada tiene gluten?").await;
    assert!(said.contains("contiene gluten"), "{said}");
}

#[tokio::test]
async fn who_has_no_points_hears_how_they_are_earned() {
    let said = at_taqueria().says("¿cuántas lunas tengo?").await;
    assert!(
        said.contains("Tienes 0 lunas") && said.contains("con cada compra"),
        "{said}"
    );
}

#[tokio::test]
async fn who_must_not_eat_everything_hears_what_is_in_it() {
    let mut business = taqueria();
    let dishes = business["menu"].as_array_mut().unwrap();
    let dish = dishes.iter_mut().find(|dish| dish["name"] == "Gringa");
    dish.unwrap()["allergens"] = json!(["gluten", "lácteos"]);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Soto");
    stage.says("soy celiaca").await;
    let said = stage.says("2 gringas de pastor para llevar en Roma").await;
    assert!(said.contains("Gringa contiene gluten y lácteos"), "{said}");
    let said = stage.says("y 1 taco al pastor").await;
    assert!(!said.contains("contiene"), "once is enough: {said}");
}
