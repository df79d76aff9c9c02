//! What sounds like an alarm and is none: symptoms that are denied, ways of speaking, and names. Whatever is not
//! plainly one of these is left as it is, so that no alarm is missed.

use super::folded::folded;
use super::person::{self, Expected};
use crate::supervisor::Awaiting;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// How many words may stand where a way of speaking leaves a gap.
const GAP: usize = 3;
/// More words than this are no name.
const LONGEST_NAME: usize = 4;
/// Words that stand in sentences and in no name.
const OF_A_SENTENCE: &[&str] = &[
    "me", "no", "mi", "se", "le", "lo", "tengo", "esta", "estoy", "my", "is", "not", "im", "am",
    "cant",
];

#[derive(Default)]
struct Figures {
    sayings: Vec<Vec<&'static str>>,
    denies: Vec<&'static str>,
    small: Vec<&'static str>,
    symptoms: Vec<&'static str>,
    hurts: Vec<&'static str>,
    places: Vec<&'static str>,
}

static FIGURES: LazyLock<Figures> = LazyLock::new(|| {
    let mut known = Figures::default();
    let lines = include_str!("../../data/builtin/figures.txt").lines();
    for (kind, words) in lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
    {
        let words = words.split(", ").map(str::trim);
        match kind {
            "figures" => known
                .sayings
                .extend(words.map(|figure| figure.split(' ').collect::<Vec<_>>())),
            "denies" => known.denies.extend(words),
            "small" => known.small.extend(words),
            "symptom" => known.symptoms.extend(words),
            "hurts" => known.hurts.extend(words),
            _ => known.places.extend(words),
        }
    }
    known
});

/// A message without what only sounds like an alarm. `awaiting` is what was asked for: a name may sound like one.
pub(super) fn without_false_alarms(text: &str, awaiting: Option<Awaiting>) -> Cow<'_, str> {
    if awaiting == Some(Awaiting::Name) && is_written_name(text) {
        return Cow::Borrowed("");
    }
    let text = match person::name(text, Expected::No, &[]) {
        Some(_) => Cow::Owned(person::without_contacts(text)),
        None => Cow::Borrowed(text),
    };
    let said: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = said.iter().map(|word| folded(word)).collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut found = false;
    while at < said.len() {
        let length = figure_at(&words[at..]).or_else(|| denied_at(&words, &said, at));
        if let Some(length) = length {
            found = true;
            // "Me muero de hambre" is a way of speaking with its first word.
            if kept
                .last()
                .is_some_and(|word| matches!(folded(word).as_str(), "me" | "nos" | "im"))
            {
                kept.pop();
            }
            at += length;
            kept.push(",");
        } else {
            kept.push(said[at]);
            at += 1;
        }
    }
    if found {
        return Cow::Owned(kept.join(" "));
    }
    text
}

/// Whether a text is a name by how it is written: a few words, all of them with capitals.
fn is_written_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let written =
        |word: &&str| word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase);
    // Some write every word with a capital, and "Mi Papá No Respira" is nobody's name.
    let of_a_sentence = |word: &&str| OF_A_SENTENCE.contains(&folded(word).as_str());
    (2..=LONGEST_NAME).contains(&words.len())
        && words.iter().all(written)
        && !words.iter().any(of_a_sentence)
}

/// How many words a way of speaking takes that they begin with.
fn figure_at(words: &[String]) -> Option<usize> {
    let fits = |figure: &Vec<&str>| {
        let mut at = 0;
        let mut gap = 0;
        for wanted in figure {
            if *wanted == ".." {
                gap = GAP;
                continue;
            }
            let reach: Range<usize> = at..words.len().min(at + gap + 1);
            at = 1 + reach.into_iter().find(|at| is_word(&words[*at], wanted))?;
            gap = 0;
        }
        Some(at)
    };
    FIGURES.sayings.iter().filter_map(fits).max()
}

fn is_word(word: &str, wanted: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == wanted,
    }
}

/// How many words from here deny a symptom, with where it would be.
fn denied_at(words: &[String], said: &[&str], at: usize) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let ends = |at: usize| {
        said.get(at)
            .is_some_and(|it| it.ends_with([',', '.', ';', '?', '!']))
    };
    let denies = FIGURES.denies.iter().find_map(|denial| {
        let mut parts = denial.split(' ').enumerate();
        let all = parts.all(|(by, part)| word(at + by) == part);
        all.then(|| denial.split(' ').count())
    })?;
    let mut end = at + denies;
    // "No, tengo fiebre" denies nothing.
    while !ends(end - 1)
        && (FIGURES.small.contains(&word(end)) || FIGURES.denies.contains(&word(end)))
    {
        end += 1;
    }
    if ends(end - 1) {
        return None;
    }
    // "No chest pain".
    if FIGURES.places.contains(&word(end)) && FIGURES.symptoms.contains(&word(end + 1)) {
        return Some(end + 2 - at);
    }
    // "No me duele el pecho": without its place the verb would leave a chest behind that something is wrong with.
    if FIGURES.hurts.contains(&word(end)) && !ends(end) {
        let article = usize::from(matches!(word(end + 1), "el" | "la" | "los" | "las"));
        let place = end + 1 + article;
        return FIGURES
            .places
            .contains(&word(place))
            .then(|| place + 1 - at);
    }
    if !FIGURES.symptoms.contains(&word(end)) {
        return None;
    }
    end += 1;
    if !ends(end - 1) && matches!(word(end), "de" | "en" | "del" | "in") {
        let article = usize::from(matches!(
            word(end + 1),
            "el" | "la" | "los" | "las" | "my" | "the"
        ));
        if FIGURES.places.contains(&word(end + 1 + article)) {
            end += 2 + article;
        }
    }
    Some(end - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_sounds_like_an_alarm_is_taken_out() {
        for (text, left) in [
            (
                "no tengo ni dolor en el pecho ni fiebre, solo quiero un chequeo",
                ", , solo quiero un chequeo",
            ),
            ("sin fiebre ni dolor de cabeza", ", ,"),
            ("no chest pain, no fever", ", ,"),
            (
                "no me duele el pecho ni me ahogo, solo un control",
                ", , solo un control",
            ),
            ("dejen de ahogar la torta", "dejen de ,"),
            ("me ahogo en deudas", ","),
            ("prueba de embarazo en sangre", "prueba de ,"),
            ("me ahogo con la torta", "me ahogo con la torta"),
            ("no se tengo fiebre", "no se tengo fiebre"),
            ("no me duele, pero me ahogo", "no me duele, pero me ahogo"),
            ("me muero de hambre, 2 tacos", ", 2 tacos"),
            ("me mata ese precio", ","),
            ("sin aire acondicionado", ","),
            ("a nombre de Dolores Pecho", ", "),
            // What is not plainly denied stays.
            ("no aguanto el dolor", "no aguanto el dolor"),
            ("no, tengo fiebre", "no, tengo fiebre"),
            ("no se me quita la fiebre", "no se me quita la fiebre"),
            ("me quedé sin aire", "me quedé sin aire"),
            ("me muero del dolor", "me muero del dolor"),
            ("no puedo respirar", "no puedo respirar"),
        ] {
            assert_eq!(without_false_alarms(text, None), left, "{text}");
        }
        let asked = Some(Awaiting::Name);
        assert_eq!(without_false_alarms("Dolores Pecho", asked), "");
        assert_eq!(
            without_false_alarms("Mi Papá No Respira", asked),
            "Mi Papá No Respira"
        );
        assert_eq!(
            without_false_alarms("dolor de pecho", asked),
            "dolor de pecho"
        );
    }
}
