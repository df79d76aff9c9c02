//! Several services or several people in one wish, and wishes for somebody else: nothing of them is lost.

use super::business::{clinic, taqueria};
use super::clinic::medical;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn two_services_are_booked_one_after_the_other() {
    for (asked, yes) in [
        (
            "limpieza el lunes a las 10 y blanqueamiento el martes a las 4",
            "sí",
        ),
        (
            "I want a cleaning monday at 10 and a whitening tuesday at 4",
            "yes",
        ),
    ] {
        let mut stage = at(clinic());
        let said = stage.says(asked).await;
        assert!(
            said.contains("Limpieza dental") && said.contains("15"),
            "{said}"
        );
        let said = stage.says(yes).await;
        assert!(
            said.contains("Blanqueamiento") && said.contains("16"),
            "{said}"
        );
        assert_eq!(stage.desk.called("create_appointment").len(), 1);
        stage.says(yes).await;
        let made = stage.desk.called("create_appointment");
        let slots = made.iter().filter_map(|made| made["slot_id"].as_str());
        let slots: Vec<&str> = slots.collect();
        assert_eq!(
            slots,
            [
                "2026-06-15|600|norte|a|Limpieza dental",
                "2026-06-16|960|norte|a|Blanqueamiento"
            ],
            "{asked}"
        );
    }
}

#[tokio::test]
async fn each_service_keeps_the_branch_that_was_named_for_it() {
    let mut stage = at(clinic());
    stage
        .says("limpieza el lunes a las 10, valoración en Jardines el martes a las 4")
        .await;
    stage.says("sí").await;
    stage.says("sí").await;
    let made = stage.desk.called("create_appointment");
    assert_eq!(
        made[0]["slot_id"],
        json!("2026-06-15|600|norte|a|Limpieza dental")
    );
    assert_eq!(
        made[1]["slot_id"],
        json!("2026-06-16|960|jardines|c|Valoración")
    );
}

#[tokio::test]
async fn the_second_service_is_asked_for_where_nothing_says_when() {
    for first in [
        &["limpieza y blanqueamiento el lunes a las 10"][..],
        &[
            "quiero cita para limpieza y también blanqueamiento",
            "el lunes a las 10",
        ],
    ] {
        let mut stage = at(clinic());
        for message in first {
            stage.says(message).await;
        }
        let said = stage.says("sí").await;
        assert!(
            said.contains("quedó agendada: Limpieza") && said.contains("para Blanqueamiento?"),
            "{said}"
        );
        stage.says("el martes a las 4").await;
        let said = stage.says("sí").await;
        assert!(said.contains("quedó agendada: Blanqueamiento"), "{said}");
    }
    // Who does not want the other one is not asked for it again.
    let mut stage = at(clinic());
    stage
        .says("limpieza y blanqueamiento el lunes a las 10")
        .await;
    stage.says("sí").await;
    stage.says("no gracias, olvídalo").await;
    let said = stage
        .says("quiero una valoración en Norte el jueves a las 4")
        .await;
    assert!(said.contains("Valoración"), "{said}");
    let said = stage.says("sí").await;
    assert!(!said.contains("Blanqueamiento"), "{said}");
    // One of two is one.
    for asked in [
        "quiero limpieza, no blanqueamiento, el lunes a las 10",
        "limpieza o blanqueamiento",
    ] {
        let mut stage = at(clinic());
        stage.says(asked).await;
        let said = stage.says("sí").await;
        assert!(!said.contains("tu otra cita"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn how_many_come_is_noted_or_booked_one_by_one() {
    let mut business = taqueria();
    business["services"] = json!([
        { "id": "taller", "name": "Taller de salsas", "price": 300, "minutes": 90, "staff": [] },
    ]);
    for messages in [
        &["quiero el taller de salsas para 4 mañana a las 5 de la tarde en Roma"][..],
        &[
            "quiero el taller de salsas mañana a las 5 de la tarde en Roma",
            "seremos 4",
        ],
    ] {
        let mut stage = at(business.clone());
        let mut said = String::new();
        for message in messages {
            said = stage.says(message).await;
        }
        assert!(said.contains("4 personas"), "{said}");
        stage.says("sí").await;
        let made = &stage.desk.called("create_appointment")[0];
        assert_eq!(made["notes"], json!("Para 4 personas"));
    }
    for asked in [
        "limpieza para mi y mis 2 hijos el jueves a las 4",
        "limpieza para los dos el jueves a las 4",
        "limpieza para 3 el jueves a las 4",
        "somos 3, queremos limpieza el jueves a las 4",
        "a cleaning for both of us on thursday at 4",
    ] {
        let said = at(clinic()).says(asked).await;
        let told = said.contains("de una en una") || said.contains("one at a time");
        assert!(told, "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_child_gets_what_is_for_children_and_is_noted() {
    for (messages, note) in [
        (
            &["cita para mi hija de 4 años con el pediatra el jueves a las 4"][..],
            "Para su hija (4 años)",
        ),
        (
            &["quiero cita para mi bebé el jueves a las 4"],
            "Para su bebé",
        ),
        (
            &["quiero una consulta para mi hijo Leo el jueves a las 4"],
            "Para su hijo Leo",
        ),
        (
            &[
                "quiero una consulta de pediatría el jueves a las 4",
                "es para mi nieta",
            ],
            "Para su nieta",
        ),
        (
            &["an appointment for my son on thursday at 4"],
            "For their son",
        ),
    ] {
        let mut stage = at(medical());
        for message in messages {
            stage.says(message).await;
        }
        let english = note.starts_with("For");
        stage.says(if english { "yes" } else { "sí" }).await;
        let made = &stage.desk.called("create_appointment")[0];
        let slot = made["slot_id"].as_str().unwrap();
        assert!(slot.ends_with("pediatría"), "{messages:?}: {slot}");
        assert_eq!(made["notes"], json!(note), "{messages:?}");
    }
    // What was named is what is booked, and grown-ups are no children.
    let mut stage = at(medical());
    let said = stage
        .says("una vacuna de influenza para mi hijo el jueves a las 4")
        .await;
    assert!(
        said.contains("influenza") && said.contains("tu hijo"),
        "{said}"
    );
    let said = at(medical())
        .says("quiero cita para mi hijo de 25 años el jueves a las 4")
        .await;
    assert!(said.contains("¿Para qué servicio"), "{said}");
}

/// Several looks at a patient are told apart by what they are about.
#[tokio::test]
async fn the_look_that_comes_first_is_the_one_about_it() {
    let mut business = clinic();
    let services = business["services"].as_array_mut().unwrap();
    for (id, name, first) in [
        ("imp", "Implante dental", true),
        ("ort", "Ortodoncia", true),
        ("vor", "Valoración de ortodoncia", false),
        ("con", "Consulta general", false),
    ] {
        services.push(json!({ "id": id, "name": name, "price": 900, "minutes": 30, "staff": ["a"], "consultation": first }));
    }
    for (asked, look) in [
        (
            "quiero un implante el jueves a las 4",
            "primero va Valoración,",
        ),
        (
            "agéndame ortodoncia el jueves a las 4",
            "primero va Valoración de ortodoncia",
        ),
        ("I want an implant on thursday at 4", "Valoración"),
    ] {
        let mut stage = at(business.clone());
        let said = stage.says(asked).await;
        assert!(said.contains(look), "{asked}: {said}");
        assert!(stage.desk.called("create_appointment").is_empty());
        stage.says("sí, en Norte").await;
        stage.says("sí").await;
        let made = stage.desk.called("create_appointment");
        let slot = made[0]["slot_id"].as_str().unwrap();
        assert!(
            slot.contains("|960|") && slot.contains("Valoración"),
            "{slot}"
        );
    }
    // Who was looked at already wants no second look.
    let mut stage = at(business);
    let said = stage
        .says("ya tuve mi valoración, quiero el implante el jueves a las 4")
        .await;
    assert!(said.contains("Sería Implante dental"), "{said}");
}
