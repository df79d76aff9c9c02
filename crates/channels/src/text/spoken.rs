//! What is said aloud: words alone.

use super::block::{Line, LineKind};
use super::inline::{Run, RunKind};

/// What is said where a text had nothing but an address.
const NOTHING_ELSE: &str = "En nuestra página.";

pub(super) fn text(lines: &[Line]) -> String {
    let spoken: Vec<(LineKind, String)> = lines
        .iter()
        .filter(|line| !matches!(line.kind, LineKind::Blank | LineKind::Fence))
        .map(|line| (line.kind, words(line)))
        .filter(|(_, words)| words.chars().any(char::is_alphanumeric))
        .collect();
    let last = spoken.len().saturating_sub(1);
    let sentences = spoken.iter().enumerate().map(|(at, (kind, words))| {
        // The last words of a text need no end of a sentence; whatever is listed is one.
        if at < last || *kind != LineKind::Words {
            sentence(words)
        } else {
            words.clone()
        }
    });
    let text = sentences.collect::<Vec<_>>().join("\n");
    let has_address = |line: &Line| line.runs.iter().any(|run| run.kind == RunKind::Address);
    if text.is_empty() && lines.iter().any(has_address) {
        return NOTHING_ELSE.to_owned();
    }
    text
}

fn words(line: &Line) -> String {
    let lead = match line.kind {
        LineKind::Numbered | LineKind::Code => line.lead.trim_start(),
        _ => "",
    };
    let mut text = lead.to_owned();
    let mut had_address = false;
    for run in &line.runs {
        had_address |= run.kind == RunKind::Address;
        if is_said(run) {
            text.push_str(&run.text);
        }
    }
    tidied(&text, had_address)
}

/// Addresses are not read out, and what is struck out is not meant.
fn is_said(run: &Run) -> bool {
    !run.style.struck && matches!(run.kind, RunKind::Words | RunKind::Code)
}

/// Without signs that nobody says, and without what they leave behind.
fn tidied(text: &str, had_address: bool) -> String {
    let signs: Vec<char> = text.chars().collect();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| signs.get(at))
            .is_some_and(|c| c.is_alphanumeric())
    };
    let mut said = String::with_capacity(text.len());
    for (at, sign) in signs.iter().enumerate() {
        let within_word = is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
        match sign {
            '`' => {}
            '*' | '_' if !within_word => {}
            sign if is_pictured(*sign) => said.push(' '),
            sign if is_joining(*sign) => {}
            sign => said.push(*sign),
        }
    }
    let mut said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for (left, right) in [
        ("( )", ""),
        ("()", ""),
        (" )", ")"),
        ("( ", "("),
        (" .", "."),
        (" ,", ","),
    ] {
        said = said.replace(left, right);
    }
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    if had_address {
        said.trim_end_matches([':', ' ', '-', '→', '(']).to_owned()
    } else {
        said
    }
}

fn sentence(words: &str) -> String {
    let words = words.trim_end_matches([';', ',', ' ']);
    if words.ends_with(['.', '!', '?', '…', ':']) {
        words.to_owned()
    } else {
        format!("{words}.")
    }
}

/// A picture among the letters.
fn is_pictured(c: char) -> bool {
    matches!(
        c,
        '\u{1f000}'..='\u{1faff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{25a0}'..='\u{25ff}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2934}'..='\u{2935}'
            | '\u{24c2}'
            | '\u{2022}'
            | '\u{3030}'
            | '\u{303d}'
            | '\u{3297}'
            | '\u{3299}'
    )
}

/// What belongs to the picture before it.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{20e3}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}')
}
