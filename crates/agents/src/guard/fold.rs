//! Letters as they are meant: what looks like a Latin letter becomes one, and what nobody sees goes.

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The letters of other alphabets that are drawn like ours.
static CONFUSABLES: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    include_str!("../../data/guard/confusables.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(meant, drawn)| {
            let meant = meant.trim().chars().next();
            let drawn = drawn.chars().filter(|c| !c.is_whitespace());
            drawn.filter_map(move |c| Some((c, meant?)))
        })
        .collect()
});

/// So many equal letters in a row stand for one.
const STRETCHED: usize = 3;

/// A text with its disguise taken off, in lower case and without accents.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// Characters that nobody sees, between two letters.
    pub(super) hidden: usize,
    /// Words that mix our letters with those of an alphabet that looks alike.
    pub(super) mixed: usize,
    /// What was written in the invisible letters of Unicode's tag block.
    pub(super) tagged: String,
}

/// Folds a text. Apostrophes inside words go ("don't"), since half of all writers leave them out.
pub(super) fn fold(text: &str) -> Folded {
    let mut out = Folded {
        text: String::with_capacity(text.len()),
        ..Folded::default()
    };
    let mut writer = Writer::default();
    let mut chars = text.chars().peekable();
    let mut unseen = false;
    while let Some(c) = chars.next() {
        if c.is_ascii() {
            let inside = matches!(c, '\'' | '`')
                && writer.last.is_some_and(char::is_alphabetic)
                && chars.peek().is_some_and(|next| next.is_alphabetic());
            if !inside {
                out.hidden += usize::from(unseen && writer.in_word() && c.is_ascii_alphabetic());
                writer.push(c.to_ascii_lowercase(), false, &mut out);
            }
            unseen = false;
        } else if let Some(tag) = tag_letter(c) {
            out.tagged.push(tag);
        } else if is_invisible(c) {
            unseen = true;
        } else {
            fold_other(c, &mut writer, &mut out);
            unseen = false;
        }
    }
    writer.end_word(&mut out);
    out
}

fn fold_other(c: char, writer: &mut Writer, out: &mut Folded) {
    if let Some(&meant) = CONFUSABLES.get(&c) {
        writer.push(meant, c.is_alphabetic(), out);
        return;
    }
    for part in std::iter::once(c).nfkd() {
        if is_combining_mark(part) {
            continue;
        }
        for lower in part.to_lowercase() {
            match CONFUSABLES.get(&lower) {
                Some(&meant) => writer.push(meant, lower.is_alphabetic(), out),
                None => writer.push(lower, false, out),
            }
        }
    }
}

/// What is known of the word that is being written.
#[derive(Default)]
struct Writer {
    last: Option<char>,
    run: usize,
    ours: bool,
    foreign: bool,
}

impl Writer {
    fn push(&mut self, c: char, foreign: bool, out: &mut Folded) {
        if c.is_alphabetic() {
            self.run = if self.last == Some(c) {
                self.run + 1
            } else {
                1
            };
            if self.run >= STRETCHED {
                if self.run == STRETCHED {
                    out.text.pop();
                }
                return;
            }
            self.ours |= !foreign && c.is_ascii();
            self.foreign |= foreign;
        } else {
            self.end_word(out);
        }
        self.last = Some(c);
        out.text.push(c);
    }

    fn in_word(&self) -> bool {
        self.last.is_some_and(char::is_alphabetic)
    }

    fn end_word(&mut self, out: &mut Folded) {
        out.mixed += usize::from(self.ours && self.foreign);
        (self.ours, self.foreign, self.run) = (false, false, 0);
    }
}

/// The letter that a character of the tag block stands for.
fn tag_letter(c: char) -> Option<char> {
    let offset = u32::from(c).checked_sub(0xE_0000)?;
    (0x20..0x7F)
        .contains(&offset)
        .then(|| char::from_u32(offset))?
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
