//! When two words are the same word.

use quipu_core::analysis::{one_letter_apart, plain_forms, sounds_like};

/// How far a word is from another. Less is closer.
pub(super) type Distance = u8;

pub(super) const SAME: Distance = 0;
/// Singular and plural, or two ways of writing a unit.
pub(super) const ENDING: Distance = 1;
/// The plain word for its diminutive, or one that sounds alike.
pub(super) const SOUND: Distance = 3;
/// A slip of the finger.
pub(super) const LETTER: Distance = 4;

/// What is left of a word without its ending must be a word by itself.
const ROOT_LETTERS: usize = 3;

/// No ending that is looked through is longer: "cafecitos" for "café".
const ENDING_BYTES: usize = 6;

/// Words that join others and say nothing by themselves.
const SMALL: &[&str] = &[
    "a", "al", "an", "and", "con", "de", "del", "e", "el", "en", "la", "las", "los", "of", "the",
    "with", "y",
];

pub(super) fn is_small(word: &str) -> bool {
    SMALL.contains(&word)
}

/// A folded word with the words it may be a plural of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) folded: String,
    singulars: Vec<String>,
    plain: Vec<String>,
}

impl Word {
    pub(super) fn new(folded: &str) -> Self {
        let singulars = singulars(folded);
        Self {
            plain: plain_forms(folded),
            singulars,
            folded: folded.to_owned(),
        }
    }

    /// How far this word, which somebody said, is from those that the menu has; `None` when they
    /// are different words. It is asked of whole menus, so what can be is reckoned once.
    pub(super) fn distances(&self) -> impl Fn(&Self) -> Option<Distance> {
        let heard = sounds_like(self.shortest());
        // The number on a bottle is another one when it differs at all.
        let is_number = |word: &Self| word.folded.starts_with(|c: char| c.is_ascii_digit());
        move |known| {
            if self.folded == known.folded {
                return Some(SAME);
            }
            let differs = self.folded.len().abs_diff(known.folded.len()) > ENDING_BYTES;
            if differs || is_number(self) || is_number(known) {
                return None;
            }
            let units = unit(&self.folded).zip(unit(&known.folded));
            if units.is_some_and(|(said, known)| said == known)
                || self.forms().any(|form| known.has_form(form))
            {
                return Some(ENDING);
            }
            if self.plain.iter().any(|form| known.has_form(form)) || heard(known.shortest()) {
                return Some(SOUND);
            }
            one_letter_apart(self.shortest(), known.shortest()).then_some(LETTER)
        }
    }

    fn has_form(&self, form: &str) -> bool {
        self.forms().any(|own| own == form)
    }

    fn forms(&self) -> impl Iterator<Item = &str> {
        let singulars = self.singulars.iter().map(String::as_str);
        std::iter::once(self.folded.as_str()).chain(singulars)
    }

    /// The word without its plural, so that a slip elsewhere in it is still one letter.
    fn shortest(&self) -> &str {
        self.singulars.first().map_or(&self.folded, String::as_str)
    }
}

/// The sign of a unit of measure, however it is written.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "l" | "lt" | "lts" | "litro" | "litros" | "liter" | "liters" => "l",
        "ml" | "mililitros" => "ml",
        "cc" => "cc",
        "cl" => "cl",
        "g" | "gr" | "grs" | "gramo" | "gramos" | "gram" | "grams" => "g",
        "mg" => "mg",
        "k" | "kg" | "kgs" | "kilo" | "kilos" => "kg",
        "lb" | "lbs" | "libra" | "libras" => "lb",
        "oz" | "onza" | "onzas" => "oz",
        "cm" => "cm",
        "mm" => "mm",
        _ => return None,
    })
}

/// What a word is the plural of, if it is one: "tacos" of "taco", "tamales" of "tamal" or "tamale",
/// "nueces" of "nuez", "fries" of "fry".
fn singulars(folded: &str) -> Vec<String> {
    let long_enough = |root: &&str| root.chars().count() >= ROOT_LETTERS;
    let mut singulars = Vec::new();
    let Some(without_s) = folded.strip_suffix('s').filter(long_enough) else {
        return singulars;
    };
    singulars.push(without_s.to_owned());
    if let Some(without_es) = without_s.strip_suffix('e').filter(long_enough) {
        singulars.push(without_es.to_owned());
    }
    if let Some(root) = without_s.strip_suffix("ce") {
        singulars.push(format!("{root}z"));
    }
    if let Some(root) = without_s.strip_suffix("ie") {
        singulars.push(format!("{root}y"));
    }
    singulars
}

/// How alike two texts are, from 0 to 1, by the pairs of letters that they share. It finds what may
/// have been meant when no word is right.
pub(super) fn likeness(a: &str, b: &str) -> f32 {
    let pairs = |text: &str| -> Vec<(char, char)> {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let (a, mut b) = (pairs(a), pairs(b));
    let total = a.len() + b.len();
    if total == 0 {
        return 0.0;
    }
    let mut shared = 0_u16;
    for pair in &a {
        if let Some(at) = b.iter().position(|other| other == pair) {
            b.swap_remove(at);
            shared = shared.saturating_add(1);
        }
    }
    let total = u16::try_from(total).unwrap_or(u16::MAX);
    2.0 * f32::from(shared) / f32::from(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(said: &str, known: &str) -> Option<Distance> {
        Word::new(said).distances()(&Word::new(known))
    }

    #[test]
    fn words_are_the_same_in_spite_of_endings_and_slips() {
        for (said, known, far) in [
            ("taco", "taco", Some(SAME)),
            ("tacos", "taco", Some(ENDING)),
            ("taco", "tacos", Some(ENDING)),
            ("tamal", "tamales", Some(ENDING)),
            ("nuez", "nueces", Some(ENDING)),
            ("taquitos", "taco", Some(SOUND)),
            ("keso", "queso", Some(SOUND)),
            ("orchata", "horchata", Some(SOUND)),
            ("suadeor", "suadero", Some(LETTER)),
            ("quesadilas", "quesadilla", Some(LETTER)),
            ("litros", "l", Some(ENDING)),
            ("gr", "gramos", Some(ENDING)),
            ("ml", "l", None),
            ("res", "re", None),
            ("coca", "cosa", None),
            ("600", "601", None),
            ("2", "2s", None),
        ] {
            assert_eq!(distance(said, known), far, "{said} and {known}");
        }
    }

    #[test]
    fn likeness_is_between_nothing_and_all() {
        assert!(likeness("suadero", "suaderoo") > 0.8);
        assert!(likeness("pizza", "taco") < 0.1);
        assert!((likeness("", "taco") - 0.0).abs() < f32::EPSILON);
    }
}
