//! The people of whom a customer speaks besides themselves, and for how many something is wanted.

use super::folded::folded;
use super::lists::{Words, list};
use std::sync::LazyLock;

/// Somebody near to the customer, and what several of them are called.
struct Kin {
    one: &'static str,
    folded: String,
    several: Option<String>,
    child: bool,
}

/// Somebody for whom something is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Whom {
    pub(super) person: &'static str,
    pub(super) child: bool,
    /// The same with the name and the age, as far as they were said: "hija Sofía (4 años)".
    pub(super) told: String,
}

static KIN: LazyLock<Vec<Kin>> = LazyLock::new(|| {
    let lines = include_str!("../../data/builtin/kin.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut parts = line.split(" / ");
        let one = parts.next().unwrap_or_default();
        Kin {
            one,
            folded: folded(one),
            several: parts.next().map(folded),
            child: parts.next() == Some("child"),
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
const DATA: &str = include_str!("../../data/builtin/people.txt");
/// What is booked, one for each.
static BOOKED: Words = LazyLock::new(|| list(DATA, "booked"));
/// Words between "para" and whom it is for: "para mí y otra para mis dos hijos".
static OF_MINE: Words = LazyLock::new(|| list(DATA, "of_mine"));
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

/// What stands before "mi hija" where something is wanted for her, and what stands behind where she is spoken of.
static FOR: Words = LazyLock::new(|| list(DATA, "for"));
static NEEDING: Words = LazyLock::new(|| list(DATA, "needing"));
/// How far behind somebody their age may stand.
const AGE_REACH: usize = 7;
/// The age of grown-ups.
const OF_AGE: u32 = 18;

/// For whom of theirs the customer wants something: "cita para mi hija de 4 años". Somebody who only
/// recommended it is nobody it is for.
pub(super) fn whom(text: &str) -> Option<Whom> {
    // Several are booked one by one, and nobody can tell which of them comes now.
    if people_in(text) > 1 {
        return None;
    }
    let said: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = said.iter().map(|word| folded(word)).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let wanted = |at: &usize| {
        let mine = matches!(word(*at), "mi" | "my" | "nuestro" | "nuestra" | "our");
        let led = at
            .checked_sub(1)
            .is_some_and(|before| FOR.contains(&word(before)));
        let other = at
            .checked_sub(1)
            .is_some_and(|before| joins(Some(word(before))));
        mine && !other && (led || NEEDING.contains(&word(at + 2)))
    };
    (0..words.len()).filter(wanted).find_map(|at| {
        let kin = KIN.iter().find(|kin| kin.folded == word(at + 1))?;
        // "Para mi hija y para mí" is for several, who are booked one by one.
        if joins(Some(word(at + 2))) {
            return None;
        }
        let name = said.get(at + 2).filter(|name| {
            let ended = said[at + 1].ends_with([',', '.', ';']);
            name.starts_with(char::is_uppercase) && !ended
        });
        let name = name.map(|name| name.trim_matches(|c: char| !c.is_alphanumeric()));
        let age = age_in(&words[at + 1..words.len().min(at + 1 + AGE_REACH)]);
        let mut told = kin.one.to_owned();
        if let Some(name) = name {
            told = format!("{told} {name}");
        }
        if let Some((number, unit)) = &age {
            told = format!("{told} ({number} {unit})");
        }
        let grown = age.is_some_and(|(number, unit)| number >= OF_AGE && is_years(&unit));
        Some(Whom {
            person: kin.one,
            child: kin.child && !grown,
            told,
        })
    })
}

fn is_years(word: &str) -> bool {
    matches!(word, "anos" | "años" | "añitos" | "year" | "years" | "yo")
}

/// The first age that folded words tell, with its unit.
fn age_in(words: &[String]) -> Option<(u32, String)> {
    // "Mi hija de 16".
    if let [of, number, rest @ ..] = words
        && of == "de"
        && rest
            .first()
            .is_none_or(|next| !matches!(next.as_str(), "de" | "mes" | "meses"))
        && let Some(number) = number
            .parse()
            .ok()
            .filter(|number| (1..110).contains(number))
    {
        return Some((number, "años".to_owned()));
    }
    words.windows(2).find_map(|pair| {
        let months = matches!(pair[1].as_str(), "mes" | "meses" | "month" | "months");
        let number = pair[0].parse().ok()?;
        (is_years(&pair[1]) || months).then(|| (number, pair[1].clone()))
    })
}

/// Whether a folded word names somebody of the family.
pub(super) fn names_kin(word: &str) -> bool {
    KIN.iter().any(|kin| kin.folded == word)
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
        let several = |word: &str| KIN.iter().any(|kin| kin.several.as_deref() == Some(word));
        let me = word == "mi" && !names_kin(behind) && !several(behind) || word == "me";
        if led && (me || names_kin(word)) || word == "yo" && (joins(before) || behind == "y") {
            people += 1;
        } else if led && several(word) {
            people += number.unwrap_or(2);
        } else if BOOKED.contains(&word) {
            counted = number.unwrap_or(counted);
        }
        // "Mi esposo y yo" begins with whom it is for.
        let with_me = words.get(at + 1..at + 3) == Some(&["y", "yo"])
            || words.get(at + 1..at + 3) == Some(&["and", "i"]);
        if names_kin(word) && !led && with_me {
            people += 1 + u16::from(words[at + 2] == "i");
        }
    }
    people
        .max(counted)
        .max(together(&words))
        .clamp(1, NO_MORE_PEOPLE)
}

/// How many a text speaks of without naming them: "para los dos", "somos 3", "for both of us".
fn together(words: &[&str]) -> u16 {
    let number = |word: &str| {
        let known = NUMBERS.iter().find(|(name, _)| *name == word);
        let said = known
            .map(|(_, number)| *number)
            .or_else(|| word.parse().ok());
        said.filter(|said| (2..=NO_MORE_PEOPLE).contains(said))
    };
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let all = (0..words.len()).filter_map(|at| match (word(at), word(at + 1), word(at + 2)) {
        ("para" | "for", "ambos" | "ambas" | "both", _) => Some(2),
        ("para", "los", count) => number(count).filter(|_| is_last(word(at + 3))),
        ("for", "the", count) => number(count).filter(|_| word(at + 3) == "of"),
        ("somos" | "seremos" | "iremos", count, _) => number(count),
        ("there", "are", count) => number(count).filter(|_| word(at + 3) == "of"),
        ("para" | "for", count, next) => number(count).filter(|_| is_last(next)),
        _ => None,
    });
    all.max().unwrap_or(1)
}

/// Whether a number of people may be followed by this: nothing that it counts, and no month or half of a day.
fn is_last(word: &str) -> bool {
    const BEHIND: &[&str] = &[
        "", "el", "este", "mañana", "hoy", "pasado", "en", "con", "porfa", "por", "y", "on",
        "tomorrow", "today", "next", "please", "this", "in", "with", "people", "personas",
    ];
    BEHIND.contains(&word)
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
            ("limpieza para mi y mis 2 hijos", 3),
            ("chequeo para los dos", 2),
            ("limpieza para 3 el jueves", 3),
            ("somos 3, queremos limpieza", 3),
            ("a checkup for both of us", 2),
            ("una cita para las 4", 1),
            ("una cita para las 2 de la tarde", 1),
            ("resina para 2 muelas", 1),
            ("cita para 4 de julio", 1),
        ] {
            assert_eq!(people_in(text), people, "{text}");
        }
        assert_eq!(kin_named("cancela la de mi mamá"), Some("mamá"));
        assert_eq!(kin_named("cancel my son's appointment"), Some("son"));
        assert_eq!(kin_named("cancela mi cita"), None);
    }

    #[test]
    fn whom_something_is_for_is_told_with_name_and_age() {
        for (text, told, child) in [
            (
                "cita para mi hija de 4 años con el pediatra",
                Some("hija (4 años)"),
                true,
            ),
            ("es para mi bebé", Some("bebé"), true),
            ("mi hijo Leo tiene tos, quiero cita", None, false),
            (
                "cita para mi hijo Leo, tiene 9 años",
                Some("hijo Leo (9 años)"),
                true,
            ),
            ("para mi hijo de 25 años", Some("hijo (25 años)"), false),
            ("an appointment for my daughter", Some("daughter"), true),
            ("una limpieza para mi mamá", Some("mamá"), false),
            ("mi hija me recomendó la limpieza", None, false),
            ("para mi hija y para mí", None, false),
            ("una limpieza", None, false),
        ] {
            let found = whom(text);
            assert_eq!(found.as_ref().map(|it| it.told.as_str()), told, "{text}");
            assert_eq!(found.is_some_and(|it| it.child), child, "{text}");
        }
    }
}
