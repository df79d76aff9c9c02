//! What is in things, and what there is without something.

use super::super::PolicyRun;
use crate::business::DishFact;
use crate::facts::Known;
use crate::read::{WordList, folded_words};
use crate::say::Phrase;
use quipu_core::reading::SpanKind;
use quipu_core::text::fold;

/// How many things are told at once.
const MOST_TOLD: usize = 8;

impl PolicyRun<'_> {
    /// What there is without something that some dishes have: "¿qué tienen sin gluten?". `false` where none has it.
    pub(super) fn tell_dishes_without(&mut self) -> bool {
        let kinds = [SpanKind::Allergy, SpanKind::Change];
        let told = self.heard.spans.iter();
        let told = told.filter(|span| kinds.contains(&span.kind));
        let told: Vec<String> = told.map(|span| fold(&span.text)).collect();
        let has = |dish: &DishFact| {
            let mut allergens = dish.allergens.iter();
            allergens.any(|allergen| alike(&fold(allergen), &told))
        };
        let dishes = self.business.dishes.iter().filter(|dish| dish.available);
        let (with, free): (Vec<&DishFact>, Vec<&DishFact>) = dishes.partition(|dish| has(dish));
        if with.is_empty() || free.is_empty() {
            return false;
        }
        let free = free.iter().map(|dish| dish.name.as_str());
        let list = self
            .voice
            .and(&free.take(2 * MOST_TOLD).collect::<Vec<_>>());
        self.say(Phrase::MenuWithout, &[("list", &list)]);
        self.say_with_contact(Phrase::OrderAllergy, &[]);
        true
    }

    /// What is in the dishes that a question names, and which of them go without what somebody is allergic to.
    pub(super) fn tell_allergens(&mut self, question: &str) -> Known<()> {
        let dishes: Vec<&DishFact> = self
            .dishes_asked(question)?
            .into_iter()
            .filter_map(|id| self.business.dish(id))
            .collect();
        let told: Vec<String> = self
            .heard
            .of(SpanKind::Allergy)
            .map(|span| fold(&span.text))
            .collect();
        if dishes.is_empty() {
            return self.tell_known(question);
        }
        if let [one] = dishes.as_slice() {
            self.state.topic.dish = Some(one.id);
        }
        if dishes.len() > 1 && !told.is_empty() {
            let has = |dish: &&&DishFact| {
                dish.allergens
                    .iter()
                    .any(|allergen| alike(&fold(allergen), &told))
            };
            let free: Vec<&str> = dishes
                .iter()
                .filter(|dish| !has(dish))
                .map(|dish| dish.name.as_str())
                .collect();
            if !free.is_empty() {
                let list = self.voice.and(&free);
                self.say(Phrase::MenuWithout, &[("list", &list)]);
            }
        }
        for dish in dishes.iter().take(MOST_TOLD) {
            if dish.allergens.is_empty() {
                self.say(Phrase::MenuNoAllergens, &[("item", &dish.name)]);
            } else {
                let list = self.voice.and(&dish.allergens);
                self.say(
                    Phrase::MenuAllergens,
                    &[("item", &dish.name), ("allergens", &list)],
                );
            }
        }
        if !told.is_empty() {
            self.say_with_contact(Phrase::OrderAllergy, &[]);
        }
        Ok(())
    }
}

/// Whether an allergen is one of those that were told, by the beginnings of their words.
fn alike(allergen: &str, told: &[String]) -> bool {
    const SAME_BEGINNING: usize = 5;
    let beginning = |word: &str| word.chars().take(SAME_BEGINNING).collect::<String>();
    let allergen = folded_words(allergen);
    let told = told.iter().flat_map(|text| folded_words(text));
    let mut told = told.filter(|word| !WordList::get("small_words").has(word));
    told.any(|word| {
        allergen
            .iter()
            .any(|known| beginning(known) == beginning(&word))
    })
}
