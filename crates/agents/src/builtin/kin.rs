//! The people of whom a customer speaks besides themselves, and for how many something is wanted.

use super::folded::folded;
use std::sync::LazyLock;

/// Somebody near to the customer, and what several of them are called.
struct Kin {
    one: &'static str,
    folded: String,
    several: Option<String>,
}

static KIN: LazyLock<Vec<Kin>> = LazyLock::new(|| {
    let lines = include_str!("../../data/builtin/kin.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let (one, several) = match line.split_once(" / ") {
            Some((one, several)) => (one, Some(folded(several))),
            None => (line, None),
        };
        Kin {
            one,
            folded: folded(one),
            several,
        }
    };
    lines.map(read).collect()
});

const NUMBERS: &[(&str, u16)] = &[
    ("dos", 2),
    ("two", 2),
    ("tres", 3),
    ("three", 3),
    ("cuatro", 4),
    ("four", 4),
    ("cinco", 5),
    ("five", 5),
];
/// What is booked, one for each.
const BOOKED: &[&str] = &[
    "citas",
    "turnos",
    "consultas",
    "appointments",
    "personas",
    "people",
];
/// Words between "para" and whom it is for: "para mí y otra para mis dos hijos".
const OF_MINE: &[&str] = &[
    "mi", "mis", "my", "el", "la", "los", "las", "un", "una", "otra", "otro", "one", "another",
    "nuestro", "nuestra", "nuestros", "nuestras", "our", "tambien", "also",
];
const NO_MORE_PEOPLE: u16 = 9;

/// Whom of theirs the customer names: "la cita de mi mamá".
pub(super) fn kin_named(text: &str) -> Option<&'static str> {
    let words = folded(text);
    let words: Vec<&str> = words.split(' ').collect();
    let pairs = words.windows(2);
    let mine = pairs.filter(|pair| matches!(pair[0], "mi" | "my" | "nuestro" | "nuestra" | "our"));
    let mut found = mine.filter_map(|pair| KIN.iter().find(|kin| kin.folded == pair[1]));
    found.next().map(|kin| kin.one)
}

/// For how many people a text asks for something: "una para mí y una para mi esposo", "para mis dos
/// hijos", "dos citas". One where nothing is said of it.
pub(super) fn people_in(text: &str) -> u16 {
    let words = folded(text);
    let words: Vec<&str> = words.split(' ').collect();
    let mut people = 0;
    let mut counted = 0;
    for at in 0..words.len() {
        let (before, number) = led_by(&words, at);
        let led = matches!(before, Some("para" | "for")) || people > 0 && joins(before);
        let word = words[at];
        let behind = words.get(at + 1).copied().unwrap_or_default();
        let is_kin = |word: &str| KIN.iter().any(|kin| kin.folded == word);
        let several = |word: &str| KIN.iter().any(|kin| kin.several.as_deref() == Some(word));
        let me = word == "mi" && !is_kin(behind) && !several(behind) || word == "me";
        if led && (me || is_kin(word)) || word == "yo" && (joins(before) || behind == "y") {
            people += 1;
        } else if led && several(word) {
            people += number.unwrap_or(2);
        } else if BOOKED.contains(&word) {
            counted = number.unwrap_or(counted);
        }
        // "Mi esposo y yo" begins with whom it is for.
        let with_me = words.get(at + 1..at + 3) == Some(&["y", "yo"])
            || words.get(at + 1..at + 3) == Some(&["and", "i"]);
        if is_kin(word) && !led && with_me {
            people += 1 + u16::from(words[at + 2] == "i");
        }
    }
    people.max(counted).clamp(1, NO_MORE_PEOPLE)
}

fn joins(word: Option<&str>) -> bool {
    matches!(word, Some("y" | "e" | "and"))
}

/// The word before whom it is for, and the number between them.
fn led_by<'t>(words: &[&'t str], at: usize) -> (Option<&'t str>, Option<u16>) {
    let mut number = None;
    for word in words[..at].iter().rev() {
        let known = NUMBERS.iter().find(|(name, _)| name == word);
        let said = known
            .map(|(_, number)| *number)
            .or_else(|| word.parse().ok());
        match said {
            Some(said) if number.is_none() && said > 1 => number = Some(said),
            _ if OF_MINE.contains(word) => {}
            _ => return (Some(word), number),
        }
    }
    (None, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_as_they_are_named() {
        for (text, people) in [
            ("una limpieza para mí y una para mi esposo", 2),
            ("cita para mis dos hijos", 2),
            ("cita para mis 3 hijos y para mí", 4),
            ("quiero agendar para mis hijos", 2),
            ("una consulta para mi esposa y mi hija", 2),
            ("mi esposo y yo queremos una limpieza", 2),
            ("dos citas el jueves", 2),
            ("a cleaning for me and one for my husband", 2),
            ("appointments for my two kids", 2),
            ("my wife and I need a checkup", 2),
            ("una cita para mi hijo", 1),
            ("para mí, el jueves a las 2", 1),
            ("mi mamá me recomendó una limpieza", 1),
            ("una limpieza", 1),
        ] {
            assert_eq!(people_in(text), people, "{text}");
        }
        assert_eq!(kin_named("cancela la de mi mamá"), Some("mamá"));
        assert_eq!(kin_named("cancel my son's appointment"), Some("son"));
        assert_eq!(kin_named("cancela mi cita"), None);
    }
}
