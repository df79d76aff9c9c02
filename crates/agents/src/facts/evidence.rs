//! What was looked up during a turn, and whether an answer states more than that.

use super::read::{Reading, facts};
use super::token::{Kind, Token, cut};
use super::{Fact, Time};
use crate::memo::Memo;
use quipu_core::money::Money;
use quipu_core::text::fold;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// How deep into a tool's result is looked.
const DEEPEST: usize = 12;
/// Texts that are kept as they were read.
const MOST_READ: usize = 2_000;
/// Digits of the shortest and the longest telephone number.
const TELEPHONE: std::ops::RangeInclusive<usize> = 7..=15;

/// Everything that a turn's tools and passages say.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    facts: Vec<Fact>,
    /// Times that the customer named. Repeating them promises nothing.
    echoed: Vec<Time>,
    /// Every text, folded, as words with one space between them.
    words: String,
    /// The same of what the customer said, whose own address may be repeated to them.
    echoed_words: String,
    /// Every text, folded, as it is.
    text: String,
    digits: Vec<String>,
}

/// What a text of the business says.
struct Read {
    facts: Vec<Fact>,
    words: String,
    text: String,
    digits: Vec<String>,
}

impl Read {
    fn of(text: &str) -> Self {
        let tokens = cut(text);
        Self {
            facts: facts(&tokens, Reading::Evidence),
            words: words(&tokens),
            text: fold(text),
            digits: telephones(text),
        }
    }

    fn kept(text: &str) -> Arc<Self> {
        static READ: LazyLock<Memo<Arc<Read>>> = LazyLock::new(|| Memo::new(MOST_READ));
        READ.of(text, |text| Arc::new(Self::of(text)))
    }
}

impl Evidence {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a passage, or anything else that the business itself has written and that comes again.
    pub fn passage(&mut self, text: &str) {
        self.add(&Read::kept(text));
    }

    /// Adds anything else. What a tool says may be about a customer, and nothing of it is kept.
    pub fn text(&mut self, text: &str) {
        self.add(&Read::of(text));
    }

    fn add(&mut self, read: &Read) {
        self.facts.extend_from_slice(&read.facts);
        self.words.push_str(&read.words);
        self.text.push('\n');
        self.text.push_str(&read.text);
        self.digits.extend_from_slice(&read.digits);
    }

    /// Adds what a tool answered.
    pub fn tool(&mut self, result: &Value) {
        self.walk(result, "", 0);
    }

    /// Adds what the customer said, which an answer may repeat where it promises nothing.
    pub fn customer(&mut self, text: &str) {
        let tokens = cut(text);
        let stated = facts(&tokens, Reading::Evidence);
        self.echoed_words.push_str(&words(&tokens));
        self.echoed
            .extend(stated.iter().filter_map(|fact| match fact {
                Fact::Time(time) => Some(*time),
                _ => None,
            }));
        self.digits.extend(telephones(text));
        self.text.push('\n');
        self.text.push_str(&fold(text));
    }

    fn walk(&mut self, value: &Value, key: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::String(text) => self.text(text),
            Value::Number(number) => {
                if let Some(number) = number.as_f64()
                    && number.abs() < 1e12
                {
                    #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
                    let hundredths = (number * 100.0).round() as i64;
                    self.number(hundredths, key);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.walk(item, key, depth + 1);
                }
            }
            Value::Object(fields) => {
                if let Ok(money) = serde_json::from_value::<Money>(value.clone()) {
                    self.text(&money.plain());
                    return;
                }
                for (key, value) in fields {
                    self.walk(value, key, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// A bare number of a tool's result is what its name says.
    fn number(&mut self, hundredths: i64, key: &str) {
        let about = |words: &[&str]| words.iter().any(|word| key.contains(word));
        if about(&[
            "minutes", "hours", "days", "count", "version", "index", "score",
        ]) {
            return;
        }
        if about(&["percent"]) {
            self.facts.push(Fact::Percent(hundredths));
        } else if about(&["balance", "points", "tokens", "cost"]) {
            self.facts.push(Fact::Points(hundredths));
        } else if about(&["price", "total", "fee", "amount", "discount"]) {
            self.facts.push(Fact::Money(hundredths));
        }
    }

    /// What a text states that is nowhere in the evidence.
    #[must_use]
    pub fn unsupported(&self, text: &str) -> Vec<Fact> {
        let mut stated = facts(&cut(text), Reading::Answer);
        stated.extend(telephones(text).into_iter().map(Fact::Contact));
        stated.extend(links(text).map(Fact::Contact));
        stated.retain(|fact| !self.supports(fact));
        stated.dedup();
        stated
    }

    fn supports(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Money(amount) => self.facts.contains(&Fact::Money(*amount)),
            // Points and shares are written as plain numbers in prose and tables alike.
            Fact::Points(number) | Fact::Percent(number) => {
                let plain = [
                    Fact::Money(*number),
                    Fact::Points(*number),
                    Fact::Percent(*number),
                ];
                plain.iter().any(|fact| self.facts.contains(fact))
            }
            Fact::Time(time) => {
                let known = self.facts.iter().filter_map(|fact| match fact {
                    Fact::Time(known) => Some(known),
                    _ => None,
                });
                known
                    .chain(&self.echoed)
                    .any(|known| known.agrees_with(*time))
            }
            Fact::Address(address) => {
                let address = format!(" {address} ");
                self.words.contains(&address) || self.echoed_words.contains(&address)
            }
            Fact::Contact(contact) if contact.bytes().all(|b| b.is_ascii_digit()) => {
                let same =
                    |known: &String| known.ends_with(contact) || contact.ends_with(known.as_str());
                self.digits.iter().any(same)
            }
            Fact::Contact(contact) => self.text.contains(contact.as_str()),
        }
    }
}

/// The words and whole numbers of a text, with one space around each of them.
fn words(tokens: &[Token]) -> String {
    let mut words = " ".to_owned();
    for token in tokens {
        match &token.kind {
            Kind::Word(word) if !is_number_sign(word) => words.push_str(word),
            Kind::Number(number) => words.push_str(&(number / 100).to_string()),
            _ => continue,
        }
        words.push(' ');
    }
    words
}

fn is_number_sign(word: &str) -> bool {
    matches!(word, "no" | "nro" | "num" | "numero" | "n" | "number")
}

/// Runs of digits that can be telephone numbers, without what is written between them.
fn telephones(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut digits = String::new();
    let mut gap = 0;
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            gap = 0;
        } else if matches!(c, ' ' | '-' | '(' | ')' | '\u{a0}') && !digits.is_empty() && gap < 2 {
            gap += 1;
        } else {
            if TELEPHONE.contains(&digits.len()) {
                found.push(std::mem::take(&mut digits));
            }
            digits.clear();
            gap = 0;
        }
    }
    found
}

/// E-mail and web addresses, folded.
fn links(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().filter_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mail = word.contains('@') && word.contains('.');
        let web = word.contains("://") || word.starts_with("www.");
        (mail || web).then(|| fold(word.trim_end_matches('/')))
    })
}
