//! The menu as the tool tells it, with what its things are called in English.

use super::super::folded::{field, folded, items};
use super::super::scene::Scene;
use quipu_core::Result;
use quipu_core::money::{Currency, Money};
use quipu_core::ordering::{Menu, MenuItem, OptionGroup};
use serde_json::json;
use std::collections::HashMap;
use std::sync::LazyLock;

/// As many other names as a thing gets in English.
const MOST_NAMES: usize = 3;

/// Words of menus, and what they are called in English.
static DISHES: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/builtin/dishes.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let words = lines.filter_map(|line| line.split_once(": "));
    words
        .map(|(word, english)| (folded(word), english.split(", ").collect()))
        .collect()
});

impl Scene<'_> {
    pub(in super::super) async fn menu(&self) -> Result<Menu> {
        let told = self.office.call("get_menu", json!({})).await?;
        let mut currency = None;
        let dishes: Vec<MenuItem> = items(&told, "items")
            .iter()
            .filter_map(|item| {
                let price: Money = serde_json::from_value(item["price"].clone()).ok()?;
                currency = currency.or(Some(price.currency));
                let name = field(item, "name")?;
                let known: Vec<String> =
                    serde_json::from_value(item["aliases"].clone()).unwrap_or_default();
                let english = known.iter().map(String::as_str).chain([name]);
                let english: Vec<String> = english.flat_map(in_english).collect();
                let options = serde_json::from_value(item["options"].clone());
                Some(MenuItem {
                    id: field(item, "id")?.to_owned(),
                    name: name.to_owned(),
                    aliases: known.into_iter().chain(english).collect(),
                    category: field(item, "category").map(str::to_owned),
                    price,
                    available: item["available"].as_bool().unwrap_or(true),
                    options: chosen_in_english(options.unwrap_or_default()),
                })
            })
            .collect();
        Ok(Menu {
            currency: currency.unwrap_or(Currency::Usd),
            items: dishes,
        })
    }
}

fn chosen_in_english(mut options: Vec<OptionGroup>) -> Vec<OptionGroup> {
    for choice in options.iter_mut().flat_map(|group| &mut group.choices) {
        choice.aliases.extend(in_english(&choice.name));
    }
    options
}

/// What a name is in English: each word that is known put into it, as often as there are ways to.
fn in_english(name: &str) -> Vec<String> {
    let name = folded(name);
    let words: Vec<&str> = name.split(' ').collect();
    let known: Vec<Option<&Vec<&str>>> = words.iter().map(|word| english(word)).collect();
    let ways = known.iter().flatten().map(|english| english.len()).max();
    (0..ways.unwrap_or(0).min(MOST_NAMES))
        .map(|way| {
            let each = words
                .iter()
                .zip(&known)
                .map(|(word, english)| match english {
                    Some(english) => english[way.min(english.len() - 1)],
                    None => word,
                });
            each.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

fn english(word: &str) -> Option<&'static Vec<&'static str>> {
    let singular = word.strip_suffix("es").and_then(|word| DISHES.get(word));
    let word_alone = || DISHES.get(word);
    let without_s = || DISHES.get(word.strip_suffix('s')?);
    word_alone().or_else(without_s).or(singular)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_into_english() {
        assert_eq!(in_english("Quesadilla de queso"), ["quesadilla de cheese"]);
        assert_eq!(
            in_english("Tacos de bistec"),
            ["tacos de steak", "tacos de beef"]
        );
        assert_eq!(in_english("Camarones"), ["shrimp"]);
        assert!(in_english("Volcán").is_empty());
    }
}
