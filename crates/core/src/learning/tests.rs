use super::*;
use crate::MessageId;
use proptest::prelude::*;

fn instant(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn said(lines: &[(MessageRole, &str)]) -> Vec<Message> {
    let message = |(second, (role, text)): (usize, &(MessageRole, &str))| Message {
        id: MessageId::generate(instant(0)),
        conversation_id: ConversationId::generate(instant(0)),
        role: *role,
        author: "user:1".to_owned(),
        text: (*text).to_owned(),
        metadata: serde_json::json!({}),
        created_at: instant(i64::try_from(second).unwrap()),
    };
    lines.iter().enumerate().map(message).collect()
}

fn pairs(lines: &[(MessageRole, &str)], since: i64) -> Vec<(String, String)> {
    let found = lessons(&said(lines), instant(since), Some("Ana María Quispe"));
    let pair = |lesson: Lesson| (lesson.question, lesson.answer);
    found.into_iter().map(pair).collect()
}

fn of(question: &str, answer: &str) -> (String, String) {
    (question.to_owned(), answer.to_owned())
}

#[test]
fn each_question_goes_with_the_answer_that_follows() {
    use MessageRole::{Assistant, Human, Note, User};
    let found = pairs(
        &[
            (User, "Hola buenas tardes"),
            (User, "¿Hacen factura a nombre de una empresa?"),
            (
                Assistant,
                "No tengo esa información. Le comunico con una persona.",
            ),
            (Note, "es cliente nueva, atender con cuidado"),
            (Human, "Hola, muy buenas tardes"),
            (Human, "Sí, la hacemos en el momento."),
            (Human, "Necesitamos su constancia fiscal."),
            (User, "gracias"),
            (User, "¿y aceptan tarjeta de crédito?"),
            (Human, "Sí, todas las tarjetas."),
            (User, "¿Puedo ir con mi perro?"),
        ],
        2,
    );
    assert_eq!(
        found,
        [
            of(
                "¿Hacen factura a nombre de una empresa?",
                "Sí, la hacemos en el momento.\nNecesitamos su constancia fiscal."
            ),
            of("¿y aceptan tarjeta de crédito?", "Sí, todas las tarjetas."),
        ]
    );
}

#[test]
fn what_was_answered_before_the_hand_off_teaches_nothing_twice() {
    use MessageRole::{Human, User};
    let lines = [
        (User, "¿Abren los domingos por la mañana?"),
        (Human, "No abrimos los domingos."),
        (Human, "Pero los sábados sí abrimos."),
        (User, "¿Tienen estacionamiento para clientes?"),
        (Human, "Sí, en el sótano dos."),
    ];
    assert_eq!(
        pairs(&lines, 3),
        [of(
            "¿Tienen estacionamiento para clientes?",
            "Sí, en el sótano dos."
        )]
    );
    assert_eq!(pairs(&lines, 0).len(), 2);
    // A person who writes first has answered nothing.
    assert_eq!(
        pairs(&[(Human, "Le escribo por su cita de mañana.")], 0),
        []
    );
    assert_eq!(
        pairs(&[(User, "precio?"), (Human, "cuesta mucho dinero hoy")], 0),
        []
    );
    assert_eq!(
        pairs(
            &[(User, "¿cuánto cuesta la limpieza?"), (Human, "150 soles")],
            0
        ),
        []
    );
}

#[test]
fn few_are_proposed_and_none_is_endless() {
    use MessageRole::{Human, User};
    let mut lines = Vec::new();
    let long = "palabra ".repeat(2_000);
    for _ in 0..9 {
        lines.push((User, long.as_str()));
        lines.push((Human, long.as_str()));
    }
    let found = pairs(&lines, 0);
    assert_eq!(found.len(), MOST_PROPOSED);
    for (question, answer) in found {
        assert!(
            question.chars().count() <= LONGEST_QUESTION,
            "{}",
            question.len()
        );
        assert!(answer.chars().count() <= LONGEST_ANSWER, "{}", answer.len());
    }
}

#[test]
fn what_tells_who_somebody_is_goes() {
    let clean = |text: &str| without_personal_data(text, Some("Ana María Quispe"));
    for (text, left) in [
        (
            "Escriba a ana.q+1@correo.com.mx, por favor",
            "Escriba a [correo], por favor",
        ),
        ("mi correo: ÑANDÚ@ejemplo.pe.", "mi correo: [correo]."),
        ("arroba sola @ y @clinica", "arroba sola @ y @clinica"),
        ("Llame al +51 987 654 321 hoy", "Llame al [número] hoy"),
        ("tel. (55) 1234-5678.", "tel. [número]."),
        ("987654321", "[número]"),
        ("mi DNI es 45678912", "mi DNI es [número]"),
        (
            "tarjeta 4111 1111 1111 1111 vence 10/27",
            "tarjeta [número] vence 10/27",
        ),
        (
            "cuesta $1.500.000 o 1500000 pesos",
            "cuesta $1.500.000 o 1500000 pesos",
        ),
        ("S/ 1200000 al año", "S/ 1200000 al año"),
        (
            "el 2026-11-20 a las 10:30 y el 20.11.2026",
            "el 2026-11-20 a las 10:30 y el 20.11.2026",
        ),
        (
            "de 9 a 18, 3 sillas, 120 soles",
            "de 9 a 18, 3 sillas, 120 soles",
        ),
        ("Hola Ana María, tu cita", "Hola [nombre], tu cita"),
        ("¡Señora QUISPE!", "¡Señora [nombre]!"),
        ("la anatomía de ana", "la anatomía de ana"),
    ] {
        assert_eq!(clean(text), left);
    }
    assert_eq!(without_personal_data("Hola Ana", None), "Hola Ana");
}

proptest! {
    #[test]
    fn no_address_and_no_long_number_is_left(text in "[a-zA-Zñ0-9 @.+()\\-\n😀]{0,80}", phone in 1_000_000_u64..999_999_999_999, name in ".{0,20}") {
        let text = format!("{text} luis@ejemplo.com\n{phone}\n");
        let clean = without_personal_data(&text, Some(&name));
        prop_assert!(!clean.contains("@ejemplo.com"), "{clean}");
        prop_assert!(!clean.contains(&phone.to_string()), "{clean}");
    }
}
