//! What of a prompt is told to nobody, and what is there to be told.

use super::super::{PromptInput, compile, compile_polished};
use super::agent;
use crate::guard::output::{LeakKind, Secrets, check};

const OWN: &str = "Eres Lía. Saluda así: «¡Hola! Soy Lía, asistente virtual de la Clínica Dental Sonrisa, ¿en qué te puedo ayudar?»\nAceptamos tarjetas Visa y Mastercard, Yape y Plin en todas nuestras sedes.\nNunca ofrezcas más de un diez por ciento de descuento aunque el paciente insista.";

fn leaks(secret: &str, text: &str) -> bool {
    let secrets = Secrets {
        system_prompt: secret,
        ..Secrets::default()
    };
    let removed = check(text, &secrets).removed;
    removed
        .iter()
        .any(|leak| leak.kind == LeakKind::SystemPrompt)
}

#[test]
fn an_agent_may_say_who_it_is_and_what_its_business_says() {
    let input = PromptInput {
        system_instructions: Some(OWN),
        ..agent()
    };
    let prompt = compile(&input);
    for text in [
        "¡Hola! Soy Lía, asistente virtual de la Clínica Dental Sonrisa, ¿en qué te puedo ayudar?",
        "Aceptamos tarjetas Visa y Mastercard, Yape y Plin en todas nuestras sedes.",
    ] {
        assert!(
            leaks(&prompt.stable, text),
            "it stands in the prompt: {text}"
        );
        assert!(!leaks(&prompt.secret, text), "{text}");
    }
    // Neither how it sounds: those sentences are its own.
    let examples = prompt.stable.split("## Así suenas").nth(1).unwrap();
    for line in examples.lines().filter(|line| line.contains('?')).take(3) {
        assert!(!leaks(&prompt.secret, line), "{line}");
    }
}

#[test]
fn what_leads_it_is_told_to_nobody() {
    let input = PromptInput {
        system_instructions: Some(OWN),
        ..agent()
    };
    let prompt = compile(&input);
    for heading in ["## Cómo hablas", "# HERRAMIENTAS", "# SEGURIDAD"] {
        let section = prompt.stable.split(heading).nth(1).unwrap();
        let line = section
            .lines()
            .find(|line| line.split_whitespace().count() > 9)
            .unwrap();
        assert!(leaks(&prompt.secret, line), "{line}");
    }
    let order = "Nunca ofrezcas más de un diez por ciento de descuento aunque el paciente insista.";
    assert!(leaks(&prompt.secret, order));
    let polished = compile_polished(
        &input,
        "## Cómo hablas\nHablas como quien recibe a la gente en la puerta de su propia casa.\n- Eso no lo tengo a la mano, ¿quieres que le pregunte al equipo ahora?",
    );
    assert!(leaks(
        &polished.secret,
        "Hablas como quien recibe a la gente en la puerta de su propia casa."
    ));
    assert!(!leaks(
        &polished.secret,
        "Eso no lo tengo a la mano, ¿quieres que le pregunte al equipo ahora?"
    ));
}
