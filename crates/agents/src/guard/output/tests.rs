use super::{Checker, LeakKind, Secrets, check};

const PROMPT: &str = "Eres la recepcionista virtual de la clínica y nunca hablas de política ni de \
    otros pacientes. Responde siempre en dos frases como mucho y con amabilidad.";

fn secrets() -> Secrets<'static> {
    Secrets {
        system_prompt: PROMPT,
        keys: &["hunter2-maestra"],
        tool_names: &["create_appointment", "search"],
        other_people: &["Karla Mendoza"],
        may_tell: &[
            "Clínica Sol, 55 1234 5678, hola@clinicasol.example",
            r#"{"phone":"+525598765432"}"#,
        ],
    }
}

fn kinds(text: &str) -> Vec<LeakKind> {
    check(text, &secrets())
        .removed
        .into_iter()
        .map(|leak| leak.kind)
        .collect()
}

#[test]
fn only_the_sentence_that_tells_something_is_left_out() {
    let text = "Claro que sí. Mi clave es hunter2-maestra. ¿Le ayudo en algo más?";
    let released = check(text, &secrets());
    assert_eq!(released.text, "Claro que sí. ¿Le ayudo en algo más?");
    assert_eq!(released.removed.len(), 1);
    assert_eq!(
        &text[released.removed[0].sentence.clone()],
        "Mi clave es hunter2-maestra. "
    );
}

#[test]
fn instructions_do_not_leave() {
    let quoted = "Me dijeron: nunca hablas de política ni de otros pacientes, y más.";
    assert_eq!(kinds(quoted), [LeakKind::SystemPrompt]);
    assert_eq!(
        kinds("NUNCA HABLAS DE POLITICA, ni de otros pacientes!"),
        [LeakKind::SystemPrompt]
    );
    assert_eq!(kinds("No puedo hablar de otros pacientes."), []);
}

#[test]
fn instructions_in_short_sentences_do_not_leave_either() {
    let secrets = secrets();
    let mut checker = Checker::new(&secrets);
    assert!(checker.check("Responde siempre en dos.").removed.is_empty());
    assert_eq!(
        checker.check("Frases como mucho y con.").removed[0].kind,
        LeakKind::SystemPrompt
    );
}

#[test]
fn what_may_be_told_is_no_instruction() {
    let fact = "Abrimos de lunes a viernes de nueve a seis y sábados hasta las dos.";
    let told = [fact];
    let secrets = Secrets {
        system_prompt: fact,
        may_tell: &told,
        ..Secrets::default()
    };
    assert_eq!(check(fact, &secrets).text, fact);
}

#[test]
fn keys_do_not_leave() {
    for key in [
        "sk-proj-abcdEFGH1234abcdEFGH",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnop1234",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "postgres://user:clave@db.example/quipu",
        "api_key=0123456789abcdef",
    ] {
        assert_eq!(kinds(&format!("Es {key} y ya")), [LeakKind::Key], "{key}");
    }
    assert_eq!(kinds("Su clave de reserva es 7HG2K9."), []);
}

#[test]
fn calls_of_tools_do_not_leave() {
    for text in [
        r#"{"name": "x", "arguments": {"date": "2026-01-01"}}"#,
        "<tool_call>hola</tool_call>",
        "Voy a usar create_appointment para eso.",
        "search({\"q\": 1})",
    ] {
        assert_eq!(kinds(text).first(), Some(&LeakKind::ToolCall), "{text}");
    }
    assert_eq!(kinds("I can search for another time."), []);
}

#[test]
fn contacts_leave_only_if_they_may() {
    assert_eq!(
        kinds("Llámenos al (55) 1234-5678 o a hola@clinicasol.example."),
        []
    );
    assert_eq!(kinds("Su número es 55 9876 5432."), []);
    assert_eq!(kinds("Ella tiene el 55 4444 3333."), [LeakKind::Phone]);
    assert_eq!(kinds("Escríbale a karla@example.com."), [LeakKind::Email]);
    assert_eq!(
        kinds("La cita de Karla  Mendoza es a las 4."),
        [LeakKind::OtherPerson]
    );
}

#[test]
fn dates_and_amounts_are_no_numbers_to_call() {
    for text in [
        "Su cita es el 12-11-2026 a las 16:30.",
        "Cuesta $ 12345678 con todo.",
        "Son 12.500.000 pesos.",
        "El 2026-11-16 de 9 a 18 horas.",
        "De 10:00 a 14:00 y de 16:00 a 20:00.",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}
