//! The ways in which a text may have been meant to be read.

use super::decode::decode;
use super::fold::fold;
use super::vocabulary::Vocabulary;
use super::words::Word;

/// How much text all views together may have.
const MOST_DECODED: usize = 32 * 1024;
/// A long text is changed by stretches of so many bytes.
const STRETCH: usize = 400;
/// So many single letters in a row are a word that was pulled apart.
const PULLED_APART: usize = 4;
/// Fewer signs inside words are an address, or "e-mail".
const FEWEST_HYPHENS: usize = 3;
/// Longer runs of letters are several words.
const LONGEST_SINGLE: usize = 12;
/// So many words that are known backwards (or turned by thirteen letters), and as large a share.
const TURNED_WORDS: usize = 3;
const TURNED_SHARE: usize = 3;

/// A text as it reads in one way.
#[derive(Debug)]
pub(super) struct View {
    pub(super) text: String,
    /// What had to be undone; nothing for the text as it stands.
    pub(super) disguise: Option<&'static str>,
}

/// The views that the base view, which is folded already, and the text itself give rise to.
pub(super) fn disguised(
    raw: &str,
    base: &str,
    words: &[Word],
    tagged: &str,
    vocabulary: &Vocabulary,
) -> Vec<View> {
    let mut views = Vec::new();
    let mut decoded = Vec::new();
    if !tagged.is_empty() {
        decoded.push(tagged.to_owned());
    }
    decode(raw, MOST_DECODED, &mut decoded);
    // An encoding inside an encoding is opened once more.
    for index in 0..decoded.len() {
        let inner = std::mem::take(&mut decoded[index]);
        decode(&inner, MOST_DECODED, &mut decoded);
        decoded[index] = inner;
    }
    views.extend(decoded.iter().map(|text| View {
        text: fold(text).text,
        disguise: Some("encoded"),
    }));
    let mut push = |text: Option<String>, disguise| {
        views.extend(text.map(|text| View {
            text,
            disguise: Some(disguise),
        }));
    };
    push(locally(base, without_hyphens), "pulled apart");
    let joined = locally(base, |text| join(text, vocabulary));
    let plain = joined.as_deref().unwrap_or(base);
    for one in ['i', 'l'] {
        push(
            locally(plain, |text| without_digits(text, one)),
            "digits for letters",
        );
    }
    push(joined, "pulled apart");
    let mut turned = |turn: fn(&str) -> String, disguise| {
        if is_turned(base, words, vocabulary, turn) {
            views.push(View {
                text: turn(base),
                disguise: Some(disguise),
            });
            let each: Vec<String> = base.split(' ').map(turn).collect();
            views.push(View {
                text: each.join(" "),
                disguise: Some(disguise),
            });
        }
    };
    turned(backwards, "backwards");
    turned(thirteen_on, "rot13");
    views
}

/// Changes a text where there is something to change. Of a long one only those stretches are kept, each
/// with the one before and after it, since the others read as they did.
fn locally(text: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    if text.len() <= 2 * STRETCH {
        return change(text);
    }
    let mut stretches = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let bound = rest.ceil_char_boundary(STRETCH);
        let space = rest[bound..].find(char::is_whitespace);
        let (stretch, after) = rest.split_at(space.map_or(rest.len(), |space| bound + space));
        stretches.push((stretch, change(stretch)));
        rest = after;
    }
    let changed = |at: usize| {
        stretches
            .get(at)
            .is_some_and(|(_, changed)| changed.is_some())
    };
    let mut out = String::new();
    for (at, (stretch, other)) in stretches.iter().enumerate() {
        if changed(at) || changed(at + 1) || at.checked_sub(1).is_some_and(changed) {
            out.push_str(other.as_deref().unwrap_or(stretch));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Puts letters together that stand alone, one after the other: "i g n o r a", "i.g.n.o.r.a".
fn join(text: &str, vocabulary: &Vocabulary) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    let mut gap = String::new();
    let mut pieces = Vec::new();
    let mut found = false;
    let mut flush = |run: &mut String, pieces: &mut Vec<String>, out: &mut String| {
        pieces.push(std::mem::take(run));
        let letters: usize = pieces.iter().map(|piece| piece.chars().count()).sum();
        let together = letters >= PULLED_APART;
        for (at, piece) in pieces.drain(..).enumerate() {
            if at > 0 {
                out.push(' ');
            }
            if together && piece.chars().count() > LONGEST_SINGLE {
                vocabulary.segment(&piece, out);
            } else if together {
                out.push_str(&piece);
            } else {
                for (at, c) in piece.chars().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    out.push(c);
                }
            }
        }
        found |= together;
    };
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        let between = after.find(is_part).unwrap_or(after.len());
        let (between, after) = after.split_at(between);
        rest = after;
        if word.chars().count() == 1 {
            // A wider gap than between the letters is one between words.
            if !run.is_empty() && gap.chars().count() > 1 {
                pieces.push(std::mem::take(&mut run));
            }
            run.push_str(word);
            gap.clear();
            gap.push_str(between);
            continue;
        }
        if !run.is_empty() {
            flush(&mut run, &mut pieces, &mut out);
            out.push_str(&gap);
        }
        if word.len() > LONGEST_SINGLE + 4 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            vocabulary.segment(word, &mut out);
        } else {
            out.push_str(word);
        }
        out.push_str(between);
    }
    if !run.is_empty() {
        flush(&mut run, &mut pieces, &mut out);
    }
    (found || out.len() > text.len()).then_some(out)
}

/// Takes out the signs between the pieces of a word: "ig-no-ra", "ig.no.ra".
fn without_hyphens(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut taken_out = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let between = matches!(c, '-' | '.' | '_' | '*' | '~' | '|' | '+' | '/')
            && out.ends_with(char::is_alphabetic)
            && chars.peek().is_some_and(|next| next.is_alphabetic());
        if between {
            taken_out += 1;
        } else {
            out.push(c);
        }
    }
    (taken_out >= FEWEST_HYPHENS).then_some(out)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '@' | '$')
}

/// Reads digits and signs inside words as the letters they resemble.
fn without_digits(text: &str, one: char) -> Option<String> {
    let mut changed = false;
    let mut out = String::with_capacity(text.len());
    for token in text.split_inclusive(char::is_whitespace) {
        let letters = token.chars().filter(char::is_ascii_alphabetic).count();
        if letters == 0
            || !token
                .trim_end_matches(['!', '.', ',', '?'])
                .contains(is_sign)
        {
            out.push_str(token);
            continue;
        }
        let end = token
            .trim_end()
            .trim_end_matches(['!', '.', ',', '?', ':'])
            .len();
        for (at, c) in token.char_indices() {
            let letter = if at < end { letter_of(c, one) } else { c };
            changed |= letter != c;
            out.push(letter);
        }
    }
    let ambiguous = one == 'i' || text.contains(['1', '|', '!']);
    (changed && ambiguous).then_some(out)
}

fn is_sign(c: char) -> bool {
    letter_of(c, 'i') != c
}

fn letter_of(c: char, one: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' | '|' => one,
        '3' | '€' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '6' | '9' => 'g',
        '7' | '+' => 't',
        '8' => 'b',
        other => other,
    }
}

/// Whether enough words are known only once they are turned.
fn is_turned(
    text: &str,
    words: &[Word],
    vocabulary: &Vocabulary,
    turn: fn(&str) -> String,
) -> bool {
    let (mut known, mut all) = (0, 0);
    for word in words {
        let word = &text[word.range.clone()];
        if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) || vocabulary.knows(word)
        {
            continue;
        }
        all += 1;
        known += usize::from(vocabulary.knows(&turn(word)));
    }
    known >= TURNED_WORDS && known * TURNED_SHARE >= all
}

fn backwards(text: &str) -> String {
    text.chars().rev().collect()
}

fn thirteen_on(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='m' => char::from(c as u8 + 13),
            'n'..='z' => char::from(c as u8 - 13),
            other => other,
        })
        .collect()
}
