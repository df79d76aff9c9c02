//! What a message says in numbers: how strong a pain is from 0 to 10, a temperature, an age.

use super::findings::Finding;
use super::table::Table;
use super::words::Word;

/// Up to this age a patient is a child.
const CHILD_YEARS: f32 = 12.0;
/// From so many days on, something has lasted for weeks.
const WEEKS_DAYS: f32 = 14.0;
/// How many words on a number may follow the word that says what it measures.
const REACH: usize = 4;

const SCALE_WORDS: &[&str] = &["escala", "nivel", "intensidad", "scale", "level"];
const OUT_OF: &[&str] = &["/", "de", "sobre", "of", "entre"];
const RANGE: &[&str] = &["a", "al", "to", "y", "hasta"];
const HEAT_BEFORE: &[&str] = &[
    "temperatura",
    "temp",
    "fiebre",
    "calentura",
    "fever",
    "temperature",
];
const HEAT_AFTER: &[&str] = &[
    "grados",
    "grado",
    "c",
    "centigrados",
    "celsius",
    "degrees",
    "f",
    "fahrenheit",
];
/// What a number is no strength of, when it stands before one of these.
const COUNTED: &[&str] = &[
    "dias", "horas", "semanas", "meses", "anos", "minutos", "veces", "muelas", "dientes", "piezas",
    "days", "hours", "weeks", "months", "years", "minutes", "times", "teeth",
];
const DAYS: &[&str] = &["dias", "days", "diitas"];
const YEARS: &[&str] = &["anos", "anitos", "ano", "anito", "years", "year", "yo"];
const MONTHS: &[&str] = &["meses", "months"];
const NUMBERS: &[(&str, f32)] = &[
    ("cero", 0.0),
    ("uno", 1.0),
    ("dos", 2.0),
    ("tres", 3.0),
    ("cuatro", 4.0),
    ("cinco", 5.0),
    ("seis", 6.0),
    ("siete", 7.0),
    ("ocho", 8.0),
    ("nueve", 9.0),
    ("diez", 10.0),
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
];

/// The findings that numbers stand for.
pub(super) fn read(words: &[Word], table: &Table) -> Vec<Finding> {
    let numbers: Vec<Option<f32>> = words.iter().map(|word| number(&word.text)).collect();
    let mut found = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let Some(number) = *number else { continue };
        let names: &[&str] = if let Some(strength) = strength(at, number, words, &numbers) {
            strength
        } else if is_fever(at, number, words) {
            &["fever"]
        } else if is_age_of_child(at, number, words) {
            &["child"]
        } else if number >= WEEKS_DAYS && DAYS.contains(&text(words, at + 1)) {
            &["weeks"]
        } else {
            continue;
        };
        let ids = names.iter().filter_map(|name| table.finding(name));
        found.extend(ids.map(|finding| Finding::new(finding, vec![at], table)));
    }
    found
}

fn number(word: &str) -> Option<f32> {
    if let Some((_, number)) = NUMBERS.iter().find(|(name, _)| *name == word) {
        return Some(*number);
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let plain = digits.len() <= 6 && digits.starts_with(|c: char| c.is_ascii_digit());
    plain
        .then(|| digits.replace(',', ".").parse().ok())
        .flatten()
}

/// A strength is a pain as well: nobody gives "8/10" to anything else here.
fn strength(
    at: usize,
    number: f32,
    words: &[Word],
    numbers: &[Option<f32>],
) -> Option<&'static [&'static str]> {
    if !(0.0..=10.0).contains(&number) || !is_score(at, words, numbers) {
        return None;
    }
    Some(match number {
        strong if strong >= 7.0 => &["pain", "severe"],
        middle if middle >= 4.0 => &["pain"],
        weak if weak > 0.0 => &["pain", "mild"],
        _ => &[],
    })
}

fn is_score(at: usize, words: &[Word], numbers: &[Option<f32>]) -> bool {
    let text = |at: usize| text(words, at);
    let is_ten = |at: usize| numbers.get(at).copied().flatten() == Some(10.0);
    let is_range = |at: usize| RANGE.contains(&text(at + 1)) && is_ten(at + 2);
    if OUT_OF.contains(&text(at + 1)) && is_ten(at + 2) {
        return true;
    }
    if text(at + 1) == "out" && text(at + 2) == "of" && is_ten(at + 3) {
        return true;
    }
    if is_range(at) || (at >= 2 && is_range(at - 2)) {
        return false;
    }
    let before = |reach: usize| at.saturating_sub(reach)..at;
    let counts_something = COUNTED.contains(&text(at + 1));
    let after_range = before(REACH + 2).any(is_range);
    let after_scale = before(REACH).any(|at| SCALE_WORDS.contains(&text(at)));
    after_range || (after_scale && !counts_something)
}

fn is_fever(at: usize, number: f32, words: &[Word]) -> bool {
    let hot = (37.8..=42.5).contains(&number) || (100.4..=108.0).contains(&number);
    let text = |at: usize| text(words, at);
    // One decimal in this range is given to a temperature and to nothing else here; prices have two.
    let decimal = text(at).split_once(['.', ',']).map_or(0, |(_, d)| d.len()) == 1;
    let unit = text(at).ends_with(['c', 'f']) || (decimal && number < 43.0);
    let before = at.saturating_sub(REACH)..at;
    hot && (unit
        || HEAT_AFTER.contains(&text(at + 1))
        || before.into_iter().any(|at| HEAT_BEFORE.contains(&text(at))))
}

/// "De 8 años", "tiene 6 años", "18 months old"; but "hace 8 años" is no age.
fn is_age_of_child(at: usize, number: f32, words: &[Word]) -> bool {
    let text = |at: usize| text(words, at);
    let before = at.checked_sub(1).map_or("", text);
    let unit = text(at + 1);
    let old = text(at + 2) == "old";
    let introduced = matches!(before, "de" | "tiene" | "is" | "con") || old;
    let months = MONTHS.contains(&unit) && old && number <= 36.0;
    (introduced && YEARS.contains(&unit) && number <= CHILD_YEARS) || months
}

/// The word at a place, or nothing behind the last.
fn text(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}
