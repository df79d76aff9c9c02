//! The words of `data/words.txt`, looked up once for each word of a text.

use std::collections::HashMap;
use std::sync::LazyLock;

pub const CURRENCY: u16 = 1;
pub const PRICE: u16 = 1 << 1;
pub const ENDS_AS_PRICE: u16 = 1 << 2;
pub const UNIT: u16 = 1 << 3;
pub const NOT_HOURS: u16 = 1 << 4;
pub const POINTS: u16 = 1 << 5;
pub const OPENING: u16 = 1 << 6;
pub const STREET: u16 = 1 << 7;
pub const PLACE: u16 = 1 << 8;
pub const PROMOTION: u16 = 1 << 9;
pub const FREE: u16 = 1 << 10;
pub const GENERIC: u16 = 1 << 11;

const KINDS: &[(&str, u16)] = &[
    ("currency", CURRENCY),
    ("price", PRICE),
    ("ends_as_price", ENDS_AS_PRICE),
    ("unit", UNIT),
    ("not_hours", NOT_HOURS),
    ("points", POINTS),
    ("opening", OPENING),
    ("street", STREET),
    ("place", PLACE),
    ("promotion", PROMOTION),
    ("free", FREE),
    ("generic", GENERIC),
];

/// What is known of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordKinds {
    pub(crate) kinds: u16,
    number: Option<i64>,
}

impl WordKinds {
    /// The number that it is, when it is added to others: "veinte".
    pub(crate) fn small(self) -> Option<i64> {
        self.number.filter(|number| *number < 1_000)
    }

    /// The number that it is, when others are multiplied by it: "mil".
    pub(crate) fn scale(self) -> Option<i64> {
        self.number.filter(|number| *number >= 1_000)
    }
}

static WORDS: LazyLock<HashMap<&'static str, WordKinds>> = LazyLock::new(|| {
    let mut words: HashMap<&str, WordKinds> = HashMap::new();
    for (key, of_kind) in lines(include_str!("../data/words.txt")) {
        let kind = KINDS.iter().find(|(name, _)| *name == key);
        let number = key.strip_prefix('=').and_then(|number| number.parse().ok());
        for word in of_kind.split_whitespace() {
            let known = words.entry(word).or_default();
            known.kinds |= kind.map_or(0, |(_, kind)| *kind);
            known.number = known.number.or(number);
        }
    }
    words
});

fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let told = text.lines().filter(|line| !line.starts_with('#'));
    told.filter_map(|line| line.split_once(": "))
}

/// What is known of a folded word.
pub(crate) fn look_up(word: &str) -> WordKinds {
    WORDS.get(word).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_is_understood() {
        for (key, words) in lines(include_str!("../data/words.txt")) {
            let kind = KINDS.iter().any(|(name, _)| *name == key);
            let number = key
                .strip_prefix('=')
                .is_some_and(|n| n.parse::<i64>().is_ok());
            assert!(kind || number, "{key} is no kind of word");
            for word in words.split_whitespace() {
                assert_eq!(
                    word,
                    quipu_core::text::fold(word),
                    "words are written folded"
                );
            }
        }
    }
}
