//! Whether a message says yes or no.

use super::phrase::Message;
use super::rules::{Found, Meaning};
use super::words::Pause;

/// A longer message that begins with "si" or "no" goes on to say something else, unless it pauses.
const SHORT: usize = 6;

/// Whether a message says yes (`true`) or no (`false`) before anything else. "Si" without its accent
/// also begins a condition, so it counts only where the message is short or pauses behind it.
pub(super) fn affirms(message: &Message<'_>, found: &[Found]) -> Option<bool> {
    let words = message.words.len();
    let asks = message.words.iter().any(|word| word.text == "?");
    let answer = |found: &&Found| match found.meaning {
        Meaning::Yes | Meaning::No => {
            let next = message.words.get(found.last + 1);
            let pauses = next.is_none_or(|next| next.pause > Pause::None);
            pauses || (words <= SHORT && !asks)
        }
        _ => false,
    };
    // Of two that begin at the same word the longer one is meant: "no hay problema" is no "no".
    let first = found.iter().filter(answer).map(|f| f.first).min()?;
    found
        .iter()
        .filter(|f| matches!(f.meaning, Meaning::Yes | Meaning::No) && f.first == first)
        .max_by_key(|f| f.last)
        .map(|f| f.meaning == Meaning::Yes && !is_taken_back(message, f.last))
}

/// "Claro que no", "ok, no": a no that ends what was begun with a yes.
fn is_taken_back(message: &Message<'_>, last: usize) -> bool {
    let word = |at: usize| message.words.get(at).map_or("", |word| word.text.as_str());
    let no = last + 1 + usize::from(matches!(word(last + 1), "que" | "pues" | "mejor"));
    let ends = message
        .words
        .get(no + 1)
        .is_none_or(|next| next.pause > Pause::None);
    matches!(word(no), "no" | "not" | "nel" | "nop" | "nope") && ends
}
