//! Things recognised in a text by their shape: an amount of money answers "¿a cómo?" although the
//! word "precio" is nowhere near it.

use crate::text;

pub(super) const MONEY: &str = "#dinero";
pub(super) const TIME: &str = "#hora";
pub(super) const DURATION: &str = "#duracion";
pub(super) const PHONE: &str = "#telefono";
pub(super) const EMAIL: &str = "#correo";

const CURRENCIES: &[&str] = &[
    "sol",
    "soles",
    "peso",
    "pesos",
    "dolar",
    "dolares",
    "euro",
    "euros",
    "dollar",
    "dollars",
    "bucks",
    "usd",
    "mxn",
    "pen",
    "cop",
    "clp",
    "ars",
    "quetzales",
    "bolivianos",
    "guaranies",
];

/// Numbers that hours and short spans of time are written with.
const NUMBER_WORDS: &[&str] = &[
    "un", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
    "once", "doce", "quince", "veinte", "treinta", "cuarenta", "one", "two", "three", "four",
    "five", "six", "seven", "eight", "nine", "ten", "twelve",
];

const SPANS: &[&str] = &[
    "minuto", "minutos", "min", "mins", "hora", "horas", "dia", "día", "dias", "días", "semana",
    "semanas", "mes", "meses", "año", "años", "minute", "minutes", "hour", "hours", "day", "days",
    "week", "weeks", "month", "months", "year", "years",
];

/// The shortest run of digits that is taken for a telephone number.
const PHONE_DIGITS: usize = 7;

/// The markers of the things a text contains, each at most once.
pub(super) fn markers(text: &str) -> Vec<&'static str> {
    // A unit only means something after a number, so no other word is looked at.
    let words = near_numbers(text);
    let all: Vec<&str> = text::words(text).collect();
    let mut found = Vec::new();
    if has_currency_sign(text) || has_currency_word(&words) {
        found.push(MONEY);
    }
    if has_clock(text) || has_am_pm(&words) || has_spoken_hour(&all) {
        found.push(TIME);
    }
    if has_span(&all) {
        found.push(DURATION);
    }
    if has_phone(text) {
        found.push(PHONE);
    }
    if has_email(text) {
        found.push(EMAIL);
    }
    found
}

/// The numbers of a text, each followed by its next two words, folded.
fn near_numbers(text: &str) -> Vec<String> {
    let mut following = 0_u8;
    text::words(text)
        .filter(|word| {
            let keep = is_number(word) || following > 0;
            following = if is_number(word) {
                2
            } else {
                following.saturating_sub(1)
            };
            keep
        })
        .map(text::fold)
        .collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// `S/ 120`, `S/.120`, `$50`, `€ 9`.
fn has_currency_sign(text: &str) -> bool {
    let amount_follows = |rest: &str| is_number(rest.trim_start_matches(['.', ' ', '\u{a0}']));
    text.match_indices(['$', '€'])
        .any(|(i, sign)| amount_follows(&text[i + sign.len()..]))
        || text
            .match_indices("S/")
            .any(|(i, sign)| amount_follows(&text[i + sign.len()..]))
}

/// `120 soles`.
fn has_currency_word(words: &[String]) -> bool {
    words
        .windows(2)
        .any(|pair| is_number(&pair[0]) && CURRENCIES.contains(&pair[1].as_str()))
}

/// `9:00`.
fn has_clock(text: &str) -> bool {
    text.as_bytes()
        .windows(4)
        .any(|w| w[0].is_ascii_digit() && w[1] == b':' && w[2..].iter().all(u8::is_ascii_digit))
}

/// `9 am`, `9am`, `9 a. m.`, `18h`.
fn has_am_pm(words: &[String]) -> bool {
    let joined = words.iter().any(|word| {
        is_number(word)
            && matches!(
                word.trim_start_matches(|c: char| c.is_ascii_digit()),
                "am" | "pm" | "h" | "hs" | "hrs"
            )
    });
    joined
        || words.windows(2).any(|w| {
            is_number(&w[0]) && matches!(w[1].as_str(), "am" | "pm" | "a.m" | "p.m" | "hs" | "hrs")
        })
        || words
            .windows(3)
            .any(|w| is_number(&w[0]) && matches!(w[1].as_str(), "a" | "p") && w[2] == "m")
}

/// `a las nueve`, `hasta las 9`, `ocho de la noche`, `al mediodía`; not `a las seis semanas`.
fn has_spoken_hour(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(i, word)| {
        if is_any(
            word,
            &["mediodía", "mediodia", "medianoche", "noon", "midnight"],
        ) {
            return true;
        }
        let before = i.checked_sub(1).map_or("", |i| words[i]);
        let after = words.get(i + 1).copied().unwrap_or_default();
        if is_any(word, &["las"]) && is_any(before, &["a", "desde", "hasta", "entre", "sobre"]) {
            let next = &words[(i + 2).min(words.len())..(i + 5).min(words.len())];
            return is_count(after) && !next.iter().any(|word| is_any(word, SPANS));
        }
        is_any(word, &["la"])
            && is_any(before, &["de"])
            && is_any(after, &["mañana", "tarde", "noche", "madrugada"])
            && i >= 2
            && is_count(words[i - 2])
    })
}

/// `40 minutos`, `dos semanas`, `24 hours`.
fn has_span(words: &[&str]) -> bool {
    words
        .windows(2)
        .any(|pair| is_count(pair[0]) && is_any(pair[1], SPANS))
}

fn is_count(word: &str) -> bool {
    is_number(word) || is_any(word, NUMBER_WORDS)
}

/// Whether a word is one of these, whatever its capitals. Nothing is folded for it, because this
/// is asked of every word of every text.
fn is_any(word: &str, list: &[&str]) -> bool {
    list.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Digits with nothing but spaces, hyphens and brackets between them.
fn has_phone(text: &str) -> bool {
    let mut digits = 0;
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits += 1;
        } else if !matches!(c, ' ' | '-' | '(' | ')' | '\u{a0}') {
            digits = 0;
        }
        if digits >= PHONE_DIGITS {
            return true;
        }
    }
    false
}

fn has_email(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        word.split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_recognised_by_sign_or_word() {
        for text in [
            "Limpieza: S/ 120",
            "S/.120",
            "cuesta 80 soles",
            "$45 MXN",
            "9 € la copa",
        ] {
            let expected = text != "9 € la copa";
            assert_eq!(markers(text).contains(&MONEY), expected, "{text}");
        }
        assert!(!markers("120 minutos").contains(&MONEY));
    }

    #[test]
    fn times_are_recognised_however_they_are_written() {
        for text in [
            "de 9:00 a 20:00",
            "a las 9 am",
            "9am",
            "9 a. m.",
            "9 a.m.",
            "hasta las 18h",
            "Abrimos a las nueve",
            "de ocho de la noche a siete de la mañana",
            "al mediodía",
        ] {
            assert!(markers(text).contains(&TIME), "{text}");
        }
        for text in [
            "dura 40 minutos",
            "piso 9 a la derecha",
            "escala 1:5",
            "a las seis semanas",
            "a las nueve y doce semanas",
            "por la noche",
            "hasta las",
        ] {
            assert!(!markers(text).contains(&TIME), "{text}");
        }
    }

    #[test]
    fn spans_of_time_are_recognised_in_digits_and_words() {
        for text in ["dura 40 minutos", "Dos semanas", "within 24 hours"] {
            assert_eq!(markers(text), [DURATION], "{text}");
        }
        assert!(markers("unos minutos, la semana").is_empty());
    }

    #[test]
    fn numbers_to_call_and_addresses_to_write_to() {
        assert_eq!(markers("WhatsApp: +51 900 000 123"), [PHONE]);
        assert_eq!(markers("hola@ejemplo.pe"), [EMAIL]);
        assert!(markers("3 pisos, 24 sillas, 2 doctores").is_empty());
    }
}
