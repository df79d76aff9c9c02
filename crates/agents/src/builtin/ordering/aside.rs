//! What stands beside the things in the message of an order: when and where they are wanted.

use super::super::folded::folded;
use super::terms::time_in;
use crate::when::weekday;

const STREETS: &[&str] = &[
    "calle",
    "avenida",
    "av",
    "jiron",
    "jr",
    "carrera",
    "cra",
    "colonia",
    "col",
    "pasaje",
    "boulevard",
    "blvd",
    "street",
    "avenue",
    "road",
    "privada",
    "calzada",
    "paseo",
    "departamento",
    "depto",
    "dpto",
    "edificio",
    "manzana",
    "lote",
];
const DAYS: &[&str] = &["hoy", "mañana", "today", "tomorrow", "tonight"];

pub(super) fn is_street(word: &str) -> bool {
    STREETS.contains(&word)
}

/// Where the street of an address begins: a word for one, with a number behind it before the next
/// sign.
pub(super) fn street_at(text: &str) -> Option<usize> {
    let words = words(text);
    let numbered = |at: usize| {
        // The dot of "Av." ends nothing.
        let part = words[at + 1..].iter().map(|(_, word)| *word);
        let ended = part
            .clone()
            .position(|word| word.ends_with([',', ';', '.']));
        let mut part = part.take(ended.map_or(usize::MAX, |end| end + 1));
        part.any(begins_with_digit)
    };
    let named = |at: usize| is_street(&folded(words[at].1)) && numbered(at);
    let at = (0..words.len()).find(|at| named(*at) || names_number(&words[*at..]).is_some())?;
    let led = names_number(&words[at..]).filter(|_| !named(at));
    Some(words[at + usize::from(led.is_some())].0)
}

/// Whether these words lead to a street that only its name and number tell: "a Durango 120, …". A number
/// with something behind it may count that: "a Ana 2 gringas".
fn names_number(words: &[(usize, &str)]) -> Option<usize> {
    const DOORS: &[&str] = &[
        "int", "interior", "ext", "piso", "casa", "apt", "esq", "esquina",
    ];
    let word = |at: usize| words.get(at).map_or("", |(_, word)| *word);
    if !matches!(folded(word(0)).as_str(), "a" | "en" | "to" | "at") {
        return None;
    }
    let capital = |at: &usize| {
        word(*at).starts_with(char::is_uppercase) && !word(*at).ends_with([',', ';', '.'])
    };
    let names = (1..=3).take_while(capital).count();
    let number = word(1 + names);
    let bare = number.trim_end_matches([',', ';', '.']);
    let digits = (1..=5).contains(&bare.len()) && bare.chars().all(|c| c.is_ascii_digit());
    let next = folded(word(2 + names));
    let ends = bare.len() < number.len() || next.is_empty();
    let goes_on = ends || is_street(&next) || DOORS.contains(&next.as_str());
    (names > 0 && digits && goes_on).then_some(names)
}

/// A text whose words for streets are written without the dot that shortens them.
pub(super) fn without_dots(text: &str) -> String {
    let plain = |word: &str| {
        let bare = word.trim_end();
        let short = bare.strip_suffix('.').filter(|short| {
            let short = folded(short);
            is_street(&short) || matches!(short.as_str(), "int" | "ext" | "no" | "num" | "nro")
        });
        match short {
            Some(short) => format!("{short}{}", &word[bare.len()..]),
            None => word.to_owned(),
        }
    };
    text.split_inclusive(char::is_whitespace)
        .map(plain)
        .collect()
}

/// Whether a text names a street with its number.
pub(in super::super) fn names_street(text: &str) -> bool {
    street_at(text).is_some()
}

/// A text without the address in it, whose numbers count nothing and are no time: "Av. 9 de julio 1230".
fn without_street(text: &str) -> &str {
    street_at(text).map_or(text, |at| &text[..at])
}

/// The same with the hour that is told behind the address, which is no part of it.
pub(in super::super) fn timed_without_street(text: &str) -> String {
    let (before, behind) = text.split_at(without_street(text).len());
    match time_in(behind) {
        Some(time) => format!("{before} {time}"),
        None => before.to_owned(),
    }
}

/// An order without the address and the time it is wanted at.
pub(super) fn without_when_and_where(text: &str) -> String {
    let things = without_street(text);
    let lines: Vec<String> = things.lines().map(without_when).collect();
    let mut left = lines.join("\n");
    // What led to the address leads nowhere now.
    while let Some((before, last)) = left.rsplit_once(' ')
        && is_preposition(&folded(last))
    {
        left.truncate(before.len());
    }
    left
}

fn without_when(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let length = time_at(&words[at..]);
        if length == 0 {
            kept.push(words[at].to_owned());
            at += 1;
            continue;
        }
        at += length;
        // The sign behind a time still parts what stands on both sides of it.
        if let Some(before) = kept.last_mut()
            && ends_a_part(words[at - 1])
            && !ends_a_part(before)
        {
            before.push(',');
        }
    }
    kept.join(" ")
}

/// The words of a text, each with the byte that it begins at.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut from = 0;
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let start = text[from..].find(word).map_or(from, |at| from + at);
        words.push((start, word));
        from = start + word.len();
    }
    words
}

fn begins_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_preposition(word: &str) -> bool {
    matches!(word, "a" | "al" | "en" | "para" | "to" | "at" | "in")
}

pub(super) fn ends_a_part(word: &str) -> bool {
    word.ends_with([',', '.', ';'])
}

/// How many of the words from here say when something is wanted.
fn time_at(words: &[&str]) -> usize {
    let plain: Vec<String> = words.iter().take(12).map(|word| folded(word)).collect();
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    let led = usize::from(matches!(word(0), "para" | "for" | "el" | "on"));
    let led = led + usize::from(led == 1 && word(1) == "el");
    if DAYS.contains(&word(led)) || weekday(word(led)).is_some() {
        return led + 1;
    }
    if (word(led), word(led + 1)) == ("pasado", "mañana") {
        return led + 2;
    }
    let led = usize::from(matches!(word(0), "para" | "como"));
    let hour = match (word(led), word(led + 1)) {
        ("a", "las" | "la") => led + 2,
        ("las", _) if led == 1 => led + 1,
        ("at", _) => led + 1,
        // "8 pm" and "8pm" need nothing before them.
        (hour, half) if begins_with_digit(hour) && is_half(hour, half) => led,
        _ => return 0,
    };
    if !begins_with_digit(word(hour)) && !is_hour(word(hour)) {
        return 0;
    }
    let mut end = hour + 1;
    while !ends_a_part(words[end - 1]) {
        end += match (word(end), word(end + 1), word(end + 2)) {
            ("de" | "en" | "por", "la", "mañana" | "tarde" | "noche") => 3,
            ("y", "media" | "cuarto", _) | ("en", "punto", _) => 2,
            ("am" | "pm" | "a m" | "p m" | "hrs" | "hr" | "horas" | "h", _, _) => 1,
            _ => break,
        };
    }
    end
}

/// Whether an hour says of itself which half of the day it is of, or the word behind it does.
fn is_half(hour: &str, behind: &str) -> bool {
    let joined = hour.ends_with("am") || hour.ends_with("pm");
    joined || matches!(behind, "am" | "pm" | "a m" | "p m" | "hrs")
}

fn is_hour(word: &str) -> bool {
    matches!(
        word,
        "una"
            | "dos"
            | "tres"
            | "cuatro"
            | "cinco"
            | "seis"
            | "siete"
            | "ocho"
            | "nueve"
            | "diez"
            | "once"
            | "doce"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_things_are_left_of_an_order() {
        for (text, left) in [
            ("2 quesadillas a Calle Homero 100, Polanco", "2 quesadillas"),
            ("5 tacos para mañana a las 3 de la tarde", "5 tacos"),
            ("para mañana a las 3, 5 tacos", "5 tacos"),
            (
                "para el sábado a las 2:30 pm 4 tacos y una coca",
                "4 tacos y una coca",
            ),
            (
                "5 tacos, hoy a las ocho y media, y una coca",
                "5 tacos, y una coca",
            ),
            ("two tacos for tomorrow at 3 pm", "two tacos"),
            (
                "2 tacos\n3 cocas a la 1:30 p.m. a domicilio",
                "2 tacos\n3 cocas, a domicilio",
            ),
            ("4 tacos 8 pm", "4 tacos"),
            ("4 tacos para 8pm y una coca", "4 tacos y una coca"),
            ("3 tacos de la casa", "3 tacos de la casa"),
            ("huevos a la mexicana", "huevos a la mexicana"),
            (
                "un huevo pasado por agua pasado mañana",
                "un huevo pasado por agua",
            ),
            ("calle Hidalgo 512, Obispado", ""),
            ("4 tacos a Durango 120 int 3 col Roma Norte", "4 tacos"),
            ("4 tacos a Ana 2 gringas", "4 tacos a Ana 2 gringas"),
            ("6 tacos, Av. Juárez 200 int. 5, Centro", "6 tacos,"),
        ] {
            assert_eq!(without_when_and_where(text), left, "{text}");
        }
        assert_eq!(street_at("2 tacos en la calle"), None);
    }
}
