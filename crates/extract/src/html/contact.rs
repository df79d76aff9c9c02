//! Telephone numbers and addresses for mail, which are often behind words such as "write to us".

use super::elements::{Attributes, attribute};
use crate::text::one_line;

const LONGEST: usize = 100;

/// A link to write or to call, and the words it is behind.
pub(super) struct Contact {
    address: String,
    words: String,
}

impl Contact {
    pub(super) fn of(attributes: &Attributes) -> Option<Self> {
        let (scheme, rest) = attribute(attributes, "href")?.split_once(':')?;
        if !scheme.eq_ignore_ascii_case("mailto") && !scheme.eq_ignore_ascii_case("tel") {
            return None;
        }
        let address = one_line(rest.split('?').next()?, LONGEST)?;
        Some(Self {
            address,
            words: String::new(),
        })
    }

    pub(super) fn see(&mut self, words: &str) {
        self.words.push_str(words);
    }

    /// The address, unless the words already say it.
    pub(super) fn unseen(self) -> Option<String> {
        let (address, words) = (essence(&self.address), essence(&self.words));
        // The country's code may be missing from one of them.
        let is_shown = words.contains(&address)
            || (words.len() > 5 && !words.contains('@') && address.ends_with(&words));
        (!is_shown).then_some(self.address)
    }
}

/// Without the marks that people put into numbers as they like.
fn essence(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric() || *c == '@')
        .flat_map(char::to_lowercase)
        .collect()
}
