//! When a yes is one. What is stored or called off waits for it, so that a yes in doubt counts as none and is asked for
//! again.

use super::folded::{folded, says};
use super::lists::{Words, list};
use std::sync::LazyLock;

const DATA: &str = include_str!("../../data/builtin/consent.txt");
static PLAIN: Words = LazyLock::new(|| list(DATA, "plain"));
static DOUBTS: Words = LazyLock::new(|| list(DATA, "doubts"));
static GOES_ON: Words = LazyLock::new(|| list(DATA, "goes_on"));

/// Whether a message that begins like a yes goes on to take it back, to put it off, to tie it to something, to change
/// what it is about, or to ask.
pub(super) fn is_doubtful(text: &str) -> bool {
    asks_instead(text) || {
        let words = without_plain(&folded(text));
        says(&words, &DOUBTS) || sets_condition(&words)
    }
}

/// "¿Y si llueve?" asks, where "sí, ¿cuánto tarda?" agrees and asks besides.
fn asks_instead(text: &str) -> bool {
    let Some(asked) = text.find('?') else {
        return false;
    };
    let pauses = [',', '.', '!', ';', '¿', '\n'];
    let before = text[..asked].trim_start_matches('¿');
    !before.contains(pauses)
}

fn without_plain(words: &str) -> String {
    let mut words = format!(" {words} ");
    for plain in PLAIN.iter() {
        words = words.replace(&format!(" {plain} "), " ");
    }
    words.trim().to_owned()
}

/// A "si" further behind is an "if", unless it is one of several: "claro que sí", "sí, sí".
fn sets_condition(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    let mut pairs = words.iter().zip(words.iter().skip(1)).skip(1);
    pairs.any(|(word, next)| *word == "si" && !GOES_ON.contains(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_in_doubt_is_told_from_a_plain_one() {
        for text in [
            "si",
            "sí, sí",
            "claro que sí, gracias",
            "si por favor",
            "si no hay problema",
            "sí. ¿cuánto se tarda?",
            "ok nada más eso",
            "yes, no problem",
        ] {
            assert!(!is_doubtful(text), "{text}");
        }
        for text in [
            "claro que no",
            "y si llueve?",
            "¿y si llego tarde?",
            "sí, si me hacen descuento",
            "ok pero espera",
            "si quiero cambiar la hora",
            "si, mañana no",
            "of course not",
        ] {
            assert!(is_doubtful(text), "{text}");
        }
    }
}
