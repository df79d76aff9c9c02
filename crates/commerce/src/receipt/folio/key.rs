//! What two writings of one folio share.

use quipu_core::text;

/// How much of a folio counts when two are compared.
const MAX_CHARS: usize = 100;

/// What two writings of one folio share, so that a ticket that is handed in twice is recognised:
/// `A-00123`, `a 123` and `Folio: A123` are one.
///
/// Case, spaces, signs between letters and digits, zeros before a number and the word "folio" do
/// not count. A sign between two numbers does: `1-23` and `12-3` are two tickets.
#[must_use]
pub fn folio_key(folio: &str) -> String {
    let bounded: String = folio.chars().take(MAX_CHARS).collect();
    let upper = text::fold(&bounded).to_uppercase();
    let mut key = String::new();
    // Digits wait here until their number is over.
    let mut run = String::new();
    let mut sign = false;
    for character in without_label(&upper).chars() {
        if character.is_ascii_digit() {
            if sign && !run.is_empty() {
                push_number(&mut key, &mut run);
            }
            run.push(character);
            sign = false;
        } else if character.is_alphanumeric() {
            push_number(&mut key, &mut run);
            key.push(character);
            sign = false;
        } else if !character.is_whitespace() {
            sign = true;
        }
    }
    push_number(&mut key, &mut run);
    key
}

/// Ends a number: two numbers that follow each other are kept apart.
fn push_number(key: &mut String, run: &mut String) {
    if run.is_empty() {
        return;
    }
    if key.ends_with(|c: char| c.is_ascii_digit()) {
        key.push('-');
    }
    let number = run.trim_start_matches('0');
    key.push_str(if number.is_empty() { "0" } else { number });
    run.clear();
}

/// The folio without the words that people write before it.
fn without_label(upper: &str) -> &str {
    let mut rest = upper.trim_start_matches(|c: char| !c.is_alphanumeric());
    for label in ["FOLIO", "TICKET", "NOTA", "NUMERO", "NUM", "NRO", "NO"] {
        let Some(behind) = rest.strip_prefix(label) else {
            continue;
        };
        // Letters or digits right behind it make it a series, not a word.
        let separate =
            behind.starts_with(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '#'));
        if separate && behind.contains(|c: char| c.is_ascii_digit()) {
            rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
        }
    }
    rest
}
