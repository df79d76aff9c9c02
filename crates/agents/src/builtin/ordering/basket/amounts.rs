//! Things that are asked for by money: "$200 de pastor". How many that are is for the customer to say.

use super::super::super::folded::folded;
use super::super::changes::Change;
use super::Basket;
use quipu_core::ordering::{Line, Menu, QuantityProblem, read_order};

/// Money behind a number.
const MONEY: &[&str] = &[
    "pesos", "peso", "pesitos", "soles", "sol", "varos", "dolares", "dollars", "bucks",
];

impl Basket {
    /// Asks how many of what is asked for by money, and returns the text without it.
    pub(super) fn without_amounts(&mut self, text: &str, menu: &Menu) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut kept: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let Some(thing) = amount_at(&words[at..]) else {
                kept.push(words[at]);
                at += 1;
                continue;
            };
            let from = at + thing;
            let ends = |word: &&str| word.ends_with([',', '.', ';']);
            let joined = |word: &&str| matches!(folded(word).as_str(), "y" | "and");
            let rest = &words[from..];
            let until = rest.iter().position(ends).map_or(rest.len(), |end| end + 1);
            let until = rest
                .iter()
                .position(joined)
                .map_or(until, |end| end.min(until));
            let named = rest[..until].join(" ");
            let item = read_order(&named, menu)
                .into_iter()
                .find_map(|line| match line {
                    Line::Matched(line) => Some(line.item),
                    Line::MissingOption { item, .. } => Some(item),
                    _ => None,
                });
            if item.is_some() {
                let line = Line::WrongQuantity {
                    said: named,
                    item,
                    problem: QuantityProblem::NotWhole,
                };
                self.unclear.push((Change::Add, line));
                at = from + until;
            } else {
                at = from;
            }
        }
        if kept.len() == words.len() {
            return text.to_owned();
        }
        kept.join(" ")
    }
}

/// How many words an amount of money takes that they begin with, and the "de" behind it.
fn amount_at(words: &[&str]) -> Option<usize> {
    let digits = |word: &str| {
        let word = word.trim_start_matches('$');
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
    };
    let first = words.first()?;
    let money = words
        .get(1)
        .is_some_and(|word| MONEY.contains(&folded(word).as_str()));
    let length = match (first.starts_with('$'), money) {
        (_, true) if digits(first) => 2,
        (true, false) if digits(first) => 1,
        _ => return None,
    };
    let of = words.get(length)?;
    matches!(folded(of).as_str(), "de" | "of" | "worth").then_some(length + 1)
}
