//! Reading what a tool answered: every text and figure of it, and what is told by its name.

use super::{Evidence, Offer, Priced};
use crate::facts::Fact;
use crate::facts::token::cut;
use quipu_commerce::money::Money;
use serde_json::{Map, Value};

/// How deep into a tool's result is looked.
const DEEPEST: usize = 12;
/// The names under which a tool tells what something is called.
const NAMES: &[&str] = &[
    "name",
    "service",
    "service_name",
    "item",
    "reward",
    "product",
];

/// A text of a tool's result with so many terms may name something else than what it stands in.
const FEWEST_NAMES: usize = 4;

impl Evidence {
    pub(super) fn walk(&mut self, value: &Value, key: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::String(text) => {
                self.text(text);
                if is_offer(key) && !text.trim().is_empty() {
                    self.offers.push(Offer::told(&cut(text)));
                }
            }
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
                let (stated, priced) = (self.facts.len(), self.priced.len());
                for (key, value) in fields {
                    self.walk(value, key, depth + 1);
                }
                self.price(fields, stated, priced);
            }
            Value::Bool(true) if is_offer(key) => self.offers.push(Offer::told(&[])),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Notes what a thing costs that a tool told by its name: what was stated since, unless its parts have names
    /// of their own.
    fn price(&mut self, fields: &Map<String, Value>, stated: usize, priced: usize) {
        let called = NAMES.iter().find_map(|name| fields.get(*name)?.as_str());
        let Some(called) = called else {
            return;
        };
        let amounts = self.facts[stated..].iter().filter_map(|fact| match fact {
            Fact::Money(amount) => Some(*amount),
            _ => None,
        });
        let amounts: Vec<i64> = amounts.collect();
        // A short text inside of it, such as "desde S/ 120", prices nothing by itself.
        let parts = self.priced.split_off(priced);
        let own = |part: &Priced| part.named || part.names.len() >= FEWEST_NAMES;
        self.priced.extend(parts.into_iter().filter(own));
        self.priced.push(Priced::named(called, amounts));
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
            self.offers.push(Offer {
                percents: vec![hundredths],
                named: true,
                ..Offer::default()
            });
        } else if about(&["balance", "points", "tokens", "cost"]) {
            self.facts.push(Fact::Points(hundredths));
        } else if about(&["price", "total", "fee", "amount", "discount"]) {
            self.facts.push(Fact::Money(hundredths));
        }
    }
}

/// Whether a tool tells an offer under this name.
fn is_offer(key: &str) -> bool {
    key.contains("promotion") || key.contains("discount")
}
