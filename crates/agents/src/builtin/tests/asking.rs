//! Questions, urgency, people, and what nobody knows.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use crate::desk::SentFile;
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use serde_json::json;
use uuid::Uuid;

const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

struct Silent;
#[async_trait::async_trait]
impl quipu_core::ports::Responder for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }
    async fn reply(
        &self,
        _: &quipu_core::ports::ReplyRequest,
    ) -> Result<quipu_core::ports::Reply, quipu_core::ports::ResponderError> {
        Err(quipu_core::ports::ResponderError::Permanent(String::new()))
    }
}

fn at_clinic() -> Stage {
    Stage::new(Fake::new(clinic(), NOW, 12))
}

#[tokio::test]
async fn tables_answer_what_they_know() {
    for (asked, told) in [
        ("¿cuánto cuesta el blanqueamiento?", &["$2,900"][..]),
        ("¿qué precio tiene la valoracion?", &["no tiene costo"]),
        (
            "¿dónde están ubicados?",
            &["Av. Tecnológico 210", "Calle Fresno 45"],
        ),
        (
            "¿cuál es la dirección de la sucursal jardines?",
            &["Calle Fresno 45"],
        ),
        ("¿a qué hora abren los sábados?", &["sábado", "9:00 a. m."]),
        ("¿están abiertos ahorita?", &["abiertos"]),
        ("¿hay estacionamiento?", &["diez lugares"]),
        ("¿aceptan tarjeta?", &["Visa"]),
        ("¿quién atiende?", &["Dra. Lucía Ferrer"]),
        ("¿cuántos puntos tengo?", &["12 puntos"]),
        ("how much is a cleaning?", &["$650", "costs"]),
    ] {
        let said = at_clinic().says(asked).await;
        for told in told {
            assert!(said.contains(told), "{asked} {told}: {said}");
        }
    }
}

#[tokio::test]
async fn what_nobody_wrote_down_is_not_known() {
    let said = at_clinic()
        .says("¿tienen cajero automático para dólares?")
        .await;
    assert!(
        said.contains("No tengo esa información") && said.contains("442 555 0101"),
        "{said}"
    );
}

#[tokio::test]
async fn what_cannot_wait_goes_to_a_person() {
    let mut stage = at_clinic().known_as("Raúl");
    let said = stage
        .says("tengo la cara muy hinchada y fiebre, me duele muchísimo la muela")
        .await;
    assert!(
        said.contains("urgencias") && said.contains("Ya avisé al equipo"),
        "{said}"
    );
    assert!(said.contains("¿Te lo aparto?"), "{said}");
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
    assert_eq!(stage.reply().temperature, Temperature::Hot);
    let said = stage.says("¿qué hago mientras?").await;
    assert!(said.contains("urgencias"), "{said}");
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}

#[tokio::test]
async fn who_is_in_danger_is_told_to_call_for_help_and_offered_nothing() {
    for vertical in ["medical", "dental", "restaurant", "general"] {
        for danger in [
            "creo que a mi abuelo le está dando un infarto",
            "no puedo respirar, se me cierra la garganta",
            "mi mamá se desmayó y no responde",
            "my son collapsed and isn't breathing",
        ] {
            let mut business = clinic();
            business["vertical"] = json!(vertical);
            let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Raúl");
            let said = stage.says(danger).await;
            let helps = [
                "emergencias de tu localidad",
                "emergency number",
                "urgencias",
                "hospital",
            ];
            assert!(
                helps.iter().any(|help| said.contains(help)),
                "{vertical} {danger}: {said}"
            );
            assert!(
                !said.contains("Si es grave") && !said.contains("If it is serious"),
                "{said}"
            );
            assert!(
                !said.contains("aparto") && !said.contains("put you down"),
                "{said}"
            );
            assert_eq!(stage.desk.called("escalate_to_human").len(), 1, "{danger}");
        }
    }
    for danger in [
        "me corté las venas",
        "me tomé un frasco de pastillas",
        "me tomé 40 pastillas para dormir",
        "mi bebé de dos meses tiene 39 de fiebre",
        "my kid has a high fever and a stiff neck",
    ] {
        let mut business = clinic();
        business["vertical"] = json!("medical");
        let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Raúl");
        let said = stage.says(danger).await;
        assert!(
            said.contains("No esperes") || said.contains("Do not wait"),
            "{danger}: {said}"
        );
        assert_eq!(stage.desk.called("escalate_to_human").len(), 1, "{danger}");
    }
}

#[tokio::test]
async fn a_day_with_other_hours_is_told_by_those() {
    let mut business = clinic();
    business["branches"] = json!([{
        "id": "norte", "name": "Norte", "address": "Av. Tecnológico 210, Querétaro",
        "hours": { "mon-fri": "09:00-19:00", "sat": "09:00-14:00", "sun": "closed" },
        "exceptions": [
            { "from": "2026-06-10", "label": "Aniversario", "intervals": [] },
            { "from": "2026-06-11", "to": "2026-06-12", "label": "Obras", "intervals": [{ "from": "12:00", "to": "15:00" }] },
        ],
    }]);
    for (asked, told) in [
        ("¿abren mañana?", "está cerrado"),
        ("¿abren el 11 de junio?", "de 12:00 p. m. a 3:00 p. m."),
        (
            "¿a qué hora abren el viernes?",
            "de 12:00 p. m. a 3:00 p. m.",
        ),
        ("¿abren el 15 de junio?", "de 9:00 a. m. a 7:00 p. m."),
    ] {
        let mut stage = Stage::new(Fake::new(business.clone(), NOW, 0));
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
}

#[tokio::test]
async fn nothing_is_diagnosed() {
    let mut business = clinic();
    business["vertical"] = json!("medical");
    let mut stage = Stage::new(Fake::new(business, NOW, 0));
    let said = stage.says("recétame algo para el acné porfa").await;
    assert!(said.contains("No puedo dar diagnósticos"), "{said}");
}

#[tokio::test]
async fn what_the_policies_forbid_is_said_to_whom_it_concerns() {
    let mut business = clinic();
    business["vertical"] = json!("medical");
    let mut stage = Stage::new(Fake::new(business, NOW, 0));
    stage.says("¿cuánto cuesta el blanqueamiento?").await;
    let said = stage.says("es que estoy embarazada").await;
    assert!(said.contains("durante el embarazo"), "{said}");
}

#[tokio::test]
async fn who_asks_for_a_person_gets_one() {
    let mut stage = at_clinic();
    let said = stage
        .says("quiero hablar con una persona, esto es una vergüenza")
        .await;
    assert!(
        said.contains("Lamento") && said.contains("una persona seguirá"),
        "{said}"
    );
    let reason = &stage.desk.called("escalate_to_human")[0]["reason"];
    assert!(reason.as_str().unwrap().contains("vergüenza"));
    assert_eq!(stage.reply().intent, Intent::Escalation);
}

#[tokio::test]
async fn manners() {
    let mut stage = at_clinic();
    assert!(
        stage
            .says("hola")
            .await
            .contains("Soy Sol, de Dental Aurora")
    );
    assert_eq!(stage.reply().temperature, Temperature::Cold);
    assert!(stage.says("muchas gracias").await.contains("Con gusto"));
    stage.says("¿cuánto cuesta la limpieza?").await;
    assert_eq!(stage.reply().temperature, Temperature::Warm);
    let said = stage.says("ok, lo pienso, gracias").await;
    assert!(said.contains("hasta pronto"), "{said}");
    assert_eq!(stage.reply().temperature, Temperature::Warm);
}

#[tokio::test]
async fn nobody_is_pushed_who_only_wants_a_price() {
    let mut stage = at_clinic();
    let said = stage
        .says("no quiero agendar, solo saber cuánto cuesta la limpieza")
        .await;
    assert!(said.contains("$650") && !said.contains("horario"), "{said}");
    let said = at_clinic().says("¿cuánto cuesta la limpieza?").await;
    assert!(
        said.contains("¿Quieres que te busque un horario?"),
        "{said}"
    );
}

#[tokio::test]
async fn an_invoice_takes_the_folio_of_the_ticket_that_was_sent() {
    let mut stage = at_clinic();
    stage.setting.files = vec![SentFile {
        id: Uuid::nil(),
        name: "ticket.jpg".to_owned(),
        kind: "jpg".to_owned(),
    }];
    let said = stage.says("necesito factura de este ticket").await;
    assert!(said.contains("leo el folio F-77"), "{said}");
    assert!(
        said.contains("RFC") && !said.contains("el folio del ticket"),
        "{said}"
    );
    assert_eq!(
        stage.desk.called("extract_receipt")[0]["attachment_id"],
        json!(Uuid::nil())
    );
}

#[tokio::test]
async fn an_invoice_gathers_its_data() {
    let mut stage = at_clinic();
    let said = stage
        .says("necesito factura de mi ticket folio A-2041")
        .await;
    assert!(said.contains("RFC") && !said.contains("folio"), "{said}");
    let said = stage
        .says("mi RFC es VECJ880326XK4, razón social Juana Vega Cruz, régimen 612")
        .await;
    assert!(
        said.contains("uso del CFDI") && said.contains("correo") && !said.contains("RFC"),
        "{said}"
    );
    let said = stage.says("G03, juana@vega.mx").await;
    assert!(
        said.contains("quedó solicitada") && said.contains("A-2041"),
        "{said}"
    );
    let asked = &stage.desk.called("request_invoice")[0];
    assert_eq!(
        (
            &asked["rfc"],
            &asked["tax_regime"],
            &asked["cfdi_use"],
            &asked["name"]
        ),
        (
            &json!("VECJ880326XK4"),
            &json!("612"),
            &json!("G03"),
            &json!("Juana Vega Cruz")
        )
    );
}

#[tokio::test]
async fn a_quote_names_its_passage() {
    let mut business = clinic();
    business["faqs"] = json!([]);
    business["policies"] =
        json!([{ "kind": "payment", "text": "Aceptamos transferencia bancaria sin comisión." }]);
    let mut stage = Stage::new(Fake::new(business, NOW, 0));
    let said = stage.says("¿aceptan transferencia bancaria?").await;
    assert!(said.contains("sin comisión"), "{said}");
    let reply = stage.reply();
    let (index, quote) = reply
        .parts
        .iter()
        .find_map(|part| part.source.clone())
        .unwrap();
    assert!(reply.passages[index].content.contains(&quote));
}

#[tokio::test]
async fn a_conversation_must_end_with_the_customer() {
    let stage = at_clinic();
    let understood = crate::supervisor::Supervisor::compiled()
        .understand("", &crate::supervisor::Context::default());
    let error =
        crate::builtin::reply(&stage.setting, &[], &understood, &stage.desk, &Silent, "k").await;
    assert_eq!(
        error.unwrap_err().code(),
        quipu_core::ErrorCode::ValidationFailed
    );
}

#[tokio::test]
async fn who_cannot_be_written_to_is_told_by_the_agent() {
    let mut business = clinic();
    business.as_object_mut().unwrap().remove("phone");
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz");
    let said = stage.says("¿tienen cajero automático para dólares?").await;
    assert!(said.contains("No tengo esa información"), "{said}");
    assert!(
        said.ends_with("¿Quieres que le avise a una persona del equipo?"),
        "{said}"
    );
    assert!(stage.desk.called("escalate_to_human").is_empty());
    stage.says("sí, por favor").await;
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}
