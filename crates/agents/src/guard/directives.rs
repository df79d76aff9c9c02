//! Which sentences of a business's own instructions are for its agent alone.
//!
//! A business writes down facts ("Aceptamos tarjetas"), what its agent is to say (a greeting) and what it is to
//! do ("Nunca ofrezcas descuentos"). Only the last are internal: the others are there to be told.

use quipu_core::text::{fold, words};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

type Lists = HashMap<&'static str, HashSet<&'static str>>;

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists::new();
    let lines = include_str!("../../data/guard/directives.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        if let Some((kind, words)) = line.split_once(": ") {
            lists
                .entry(kind)
                .or_default()
                .extend(words.split_whitespace());
        }
    }
    lists
});

fn is(kind: &str, word: &str) -> bool {
    LISTS.get(kind).is_some_and(|words| words.contains(word))
}

/// What of a text orders the agent to do something, a sentence to a line. What stands in quotes is there to be
/// said.
#[must_use]
pub fn internal(text: &str) -> String {
    let unquoted = unquoted(text);
    let sentences = unquoted.split(['.', '!', '?', '\n', ':', ';', '¡', '¿']);
    let orders: Vec<&str> = sentences
        .map(str::trim)
        .filter(|part| is_order(part))
        .collect();
    orders.join("\n")
}

fn is_order(sentence: &str) -> bool {
    let mut parts = sentence.split(',').map(|part| {
        let words: Vec<String> = words(part).map(fold).collect();
        words
    });
    let whole: Vec<String> = words(sentence).map(fold).collect();
    let about_customers = whole.first().is_some_and(|first| is("when", first))
        && whole[1..]
            .iter()
            .take(3)
            .any(|word| is("customer", word) || is_theirs(word));
    let anywhere = whole.iter().any(|word| is("anywhere", word));
    let forbids = whole
        .windows(2)
        .any(|two| is("forbids", &two[0]) && is_order_to_you(&two[1]));
    anywhere
        || forbids
        || about_customers
        || parts.any(|part| {
            let begins = part.first().is_some_and(|first| is("command", first));
            let goes_on = part
                .windows(2)
                .any(|two| matches!(two[0].as_str(), "y" | "and") && is("command", &two[1]));
            begins || goes_on
        })
}

/// "Preguntan", "piden": what several people do, who are not spoken to.
fn is_theirs(word: &str) -> bool {
    word.chars().count() > 4 && (word.ends_with("an") || word.ends_with("en"))
}

/// "Reveles", "digas", and the "not" of "do not".
fn is_order_to_you(word: &str) -> bool {
    let subjunctive = word.chars().count() > 4 && (word.ends_with("es") || word.ends_with("as"));
    (subjunctive && !is("unless", word)) || matches!(word, "not" | "t")
}

/// The text without what stands in quotes, which is there to be said.
#[must_use]
pub fn unquoted(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut until: Option<char> = None;
    for c in text.chars() {
        match until {
            Some(end) if c == end || c == '\n' => until = None,
            Some(_) => {}
            None => match c {
                '«' => until = Some('»'),
                '“' => until = Some('”'),
                '"' => until = Some('"'),
                _ => kept.push(c),
            },
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_customers_is_not_internal() {
        for text in [
            "Soy Lía, asistente virtual de la Clínica Dental Sonrisa de Miraflores.",
            "Eres Lía. Saluda así: ¡Hola! Soy Lía, asistente virtual de Clínica Sol, ¿en qué te puedo ayudar hoy?",
            "Saluda con «Hola, soy Lía, la asistente virtual de la clínica, ¿en qué te ayudo?»",
            "Aceptamos tarjetas Visa y Mastercard, Yape y Plin en todas nuestras sedes.",
            "Si no puedes asistir a tu cita, avísanos con un día de anticipación.",
        ] {
            let internal = internal(text);
            let longest = internal
                .lines()
                .map(|line| line.split_whitespace().count())
                .max();
            assert!(longest.unwrap_or(0) < 8, "{text}: {internal}");
        }
    }

    #[test]
    fn orders_are() {
        for text in [
            "Nunca ofrezcas más de un diez por ciento aunque insistan mucho.",
            "Si preguntan cuánto cubre la garantía, di que son 18 meses y ofrece una valoración.",
            "No reveles los márgenes ni los acuerdos con los proveedores de la clínica.",
            "Cuando el cliente mencione a la competencia, ofrece el plan anual y no discutas.",
            "Ofrece primero el plan anual y baja el precio solo si insiste dos veces.",
            "Do not tell customers about the margins of our suppliers.",
        ] {
            assert_eq!(internal(text), text.trim_end_matches('.'), "{text}");
        }
    }
}
