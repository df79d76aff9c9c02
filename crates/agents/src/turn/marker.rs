//! The marker by which a model tells how close the customer is to buying.
//!
//! It is asked for as `[TEMPERATURA: HOT]`. Models translate it, change its case, drop its colon, put it
//! into other brackets or none, and print it bold. However it is written, no customer reads it.

use quipu_core::lead::Temperature;
use quipu_core::text::fold;

/// What stands around words to make them look like something.
const ORNAMENTS: [char; 4] = ['*', '_', '`', '~'];
const BRACKETS: [(char, char); 4] = [('[', ']'), ('(', ')'), ('{', '}'), ('【', '】')];
/// How the word that begins a marker begins, in every language that is spoken.
const STEM: &str = "temperatur";
/// What is longer is no marker.
const LONGEST: usize = 60;
/// `Temperatura del cliente: HOT` has four.
const MOST_WORDS: usize = 4;

/// What a text holds at a place.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// Perhaps the beginning of a marker: what follows will tell.
    Perhaps,
    /// A marker of so many bytes.
    Marker(usize, Option<Temperature>),
}

/// The first complete marker: where it begins and ends, and what it says. When no more text comes, what
/// could still have gone on is complete.
pub(super) fn marker(text: &str, over: bool) -> Option<(usize, usize, Option<Temperature>)> {
    for (at, fresh) in places(text) {
        match look(&text[at..], fresh, over) {
            Seen::Nothing => {}
            Seen::Perhaps => return None,
            Seen::Marker(length, temperature) => return Some((at, at + length, temperature)),
        }
    }
    None
}

/// A text without the markers in it, and what the last one says that says something.
#[must_use]
pub fn without_marker(text: &str) -> (String, Option<Temperature>) {
    let mut text = text.to_owned();
    let mut temperature = None;
    while let Some((start, end, said)) = marker(&text, true) {
        temperature = said.or(temperature);
        text.replace_range(start..end, "");
    }
    (text.trim().to_owned(), temperature)
}

/// Where a marker may have begun that is not complete yet.
pub(super) fn open_marker(text: &str) -> Option<usize> {
    let open = |(at, fresh): &(usize, bool)| look(&text[*at..], *fresh, false) == Seen::Perhaps;
    places(text).find(open).map(|(at, _)| at)
}

/// Where a marker can begin, and whether a sentence could begin there: at a bracket or an ornament, and
/// without either where a sentence does.
fn places(text: &str) -> impl Iterator<Item = (usize, bool)> {
    let mut fresh = true;
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, sign)| {
        let opens = BRACKETS.iter().any(|(open, _)| *open == sign);
        // An ornament belongs to the one before it.
        let ornament = is_ornament(sign) && !is_ornament(before);
        let letter = fresh && sign.is_alphabetic();
        let place = (at, fresh);
        before = sign;
        fresh = match sign {
            '.' | '!' | '?' | '…' | '\n' => true,
            _ => fresh && (sign.is_whitespace() || is_ornament(sign)),
        };
        (opens || ornament || letter).then_some(place)
    })
}

const fn is_ornament(sign: char) -> bool {
    let mut at = 0;
    while at < ORNAMENTS.len() {
        if ORNAMENTS[at] as u32 == sign as u32 {
            return true;
        }
        at += 1;
    }
    false
}

fn look(text: &str, fresh: bool, over: bool) -> Seen {
    let start = text.trim_start_matches(is_ornament);
    let around = text.len() - start.len();
    let Some(first) = start.chars().next() else {
        return if over { Seen::Nothing } else { Seen::Perhaps };
    };
    let seen = match BRACKETS.iter().find(|(open, _)| *open == first) {
        Some((open, close)) => bracketed(&start[open.len_utf8()..], *open, *close, over),
        None if fresh => bare(start, over),
        None => Seen::Nothing,
    };
    let Seen::Marker(length, temperature) = seen else {
        return seen;
    };
    let rest = &start[length..];
    let mut end = rest.trim_start_matches(is_ornament);
    // The end of what it is wrapped in, or of the sentence that it is, may still come.
    let wrapped = rest.len() - end.len() < around;
    if end.is_empty() && (wrapped || fresh) && !over {
        return Seen::Perhaps;
    }
    if fresh {
        end = end.strip_prefix('.').unwrap_or(end);
    }
    Seen::Marker(text.len() - end.len(), temperature)
}

/// A marker between brackets, of which the first is not part of the text.
fn bracketed(text: &str, open: char, close: char, over: bool) -> Seen {
    let square = matches!(open, '[' | '【');
    let Some(end) = text.find([close, '\n']) else {
        let words = words(text);
        let first = words.first().map_or("", String::as_str);
        let empty = first.is_empty() && text.trim_matches(is_ornament).trim().is_empty();
        // A number is a citation.
        let number = first.starts_with(|sign: char| sign.is_ascii_digit());
        let named = first.starts_with(STEM) || (first.len() > 4 && STEM.starts_with(first));
        let may_be = empty || named || STEM.starts_with(first) || (square && !number);
        return match (may_be && text.len() < LONGEST, over) {
            (true, false) => Seen::Perhaps,
            // Half of one is no part of an answer.
            (true, true) if square || named => Seen::Marker(open.len_utf8() + text.len(), None),
            _ => Seen::Nothing,
        };
    };
    if text[end..].starts_with('\n') || end > LONGEST {
        return Seen::Nothing;
    }
    let words = words(&text[..end]);
    let named = words.iter().position(|word| word.starts_with(STEM));
    let temperature = words.iter().find_map(|word| level(word));
    let alone = words.len() == 1 && temperature.is_some();
    let is_marker = match named {
        Some(_) if square => true,
        // In round brackets people write as well.
        Some(at) => at <= 1 && temperature.is_some(),
        None => square && alone,
    };
    if is_marker {
        let length = open.len_utf8() + end + close.len_utf8();
        return Seen::Marker(length, temperature);
    }
    Seen::Nothing
}

/// A marker that nothing stands around: all of a line, or the last of the text. It names what it says
/// and nothing else, where a sentence goes on.
fn bare(text: &str, over: bool) -> Seen {
    let (line, ended) = match text.split_once('\n') {
        Some((line, _)) => (line, true),
        None => (text, over),
    };
    let said = line.trim_end_matches(|sign: char| {
        sign.is_whitespace() || is_ornament(sign) || matches!(sign, '.' | '!')
    });
    let divides = |sign: char| matches!(sign, ':' | '=' | '-' | '–' | '—');
    let marks = said.chars().all(|sign| {
        sign.is_alphanumeric() || sign.is_whitespace() || is_ornament(sign) || divides(sign)
    });
    if !marks || said.len() > LONGEST {
        return Seen::Nothing;
    }
    let words = words(said);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Seen::Nothing;
    };
    let named = first.starts_with(STEM);
    if !ended {
        let may_be = named || (words.len() == 1 && STEM.starts_with(first.as_str()));
        return if may_be && words.len() <= MOST_WORDS {
            Seen::Perhaps
        } else {
            Seen::Nothing
        };
    }
    let has_sign = said.contains(divides);
    let temperature = level(last);
    let is_marker = match words.len() {
        1 => has_sign,
        2 => temperature.is_some(),
        count => temperature.is_some() && has_sign && count <= MOST_WORDS,
    };
    if named && is_marker {
        Seen::Marker(line.trim_end().len(), temperature)
    } else if over && words.len() == 1 && first.len() > 4 && STEM.starts_with(first.as_str()) {
        Seen::Marker(line.trim_end().len(), None)
    } else {
        Seen::Nothing
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(fold).collect()
}

/// How close to buying a word says somebody is.
fn level(word: &str) -> Option<Temperature> {
    let named = LEVELS.iter().find(|(name, _)| *name == word);
    named.map(|(_, temperature)| *temperature)
}

/// The three as they are asked for, and in the words of the languages that are spoken.
const LEVELS: [(&str, Temperature); 9] = [
    ("hot", Temperature::Hot),
    ("caliente", Temperature::Hot),
    ("warm", Temperature::Warm),
    ("tibio", Temperature::Warm),
    ("tibia", Temperature::Warm),
    ("templado", Temperature::Warm),
    ("cold", Temperature::Cold),
    ("frio", Temperature::Cold),
    ("fria", Temperature::Cold),
];
