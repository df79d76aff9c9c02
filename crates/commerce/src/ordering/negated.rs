//! Where somebody says that they are not: "no vivo en la Condesa, vivo en Polanco".

use super::manners::is_and;
use super::tokens::{Kind, Token};

/// What "no" denies when it stands before one of these. Before anything else it may be short for
/// "número", as in an address.
const DENIED: &[&str] = &[
    "a", "cerca", "en", "era", "es", "esta", "estaba", "estamos", "estan", "estoy", "in", "la",
    "live", "lo", "manden", "para", "queda", "quiero", "sea", "somos", "soy", "to", "vive",
    "viven", "vivimos", "vivo", "voy", "ya",
];

/// Which of the words are denied: those behind a "no" up to the next sign, or up to a word that
/// begins another thought.
pub(super) fn denied(tokens: &[Token]) -> Vec<bool> {
    let mut all = Vec::with_capacity(tokens.len());
    let mut denies = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", |next| next.word.as_str());
        denies = match token.word.as_str() {
            _ if token.kind != Kind::Word => false,
            "no" => DENIED.contains(&next),
            "not" | "don" | "isn" | "tampoco" | "ni" => true,
            "sino" | "pero" | "but" => false,
            word if is_and(word) => false,
            _ => denies,
        };
        all.push(denies);
    }
    all
}
