//! Somebody who must not eat everything hears what the menu says is in the things they order.

use super::super::folded::{begins, field, folded, items};
use super::super::scene::{Draft, Scene};
use super::Order;
use quipu_core::ports::Speaker;
use serde_json::{Value, json};

/// How the words begin of somebody who must not eat everything.
pub(super) const ALLERGIES: &[&str] = &["alergi", "celiac", "intoleran", "allerg", "coeliac"];

impl Scene<'_> {
    /// Asks for care with an allergy that is told, and says of each thing in the order what it contains,
    /// once.
    pub(super) async fn heed_allergies(&self, draft: &mut Draft, order: &Order) {
        if begins(&self.words, ALLERGIES) {
            self.say_with_contact(draft, "order.allergy", &[]).await;
        }
        let mut customer = self.messages.iter();
        let told = customer.any(|turn| {
            turn.speaker == Speaker::Customer && begins(&folded(&turn.text), ALLERGIES)
        });
        if !told {
            return;
        }
        let menu = self.office.call("get_menu", json!({})).await;
        let menu = menu.unwrap_or_default();
        for item in &order.basket.items {
            let mut dishes = items(&menu, "items").iter();
            let dish = dishes.find(|dish| field(dish, "name") == Some(&item.name));
            let Some(dish) = dish else { continue };
            let contains = items(dish, "allergens").iter().filter_map(Value::as_str);
            let contains: Vec<&str> = contains.collect();
            let allergens = self.voice.and(&contains);
            let filling = [("item", item.name.as_str()), ("allergens", &allergens)];
            if !contains.is_empty() && !self.has_said(&filling) {
                draft.say(self.voice, "menu.allergens", &filling);
            }
        }
    }

    /// Whether the agent has named all of this together.
    fn has_said(&self, filling: &[(&str, &str)]) -> bool {
        let mut agent = self.messages.iter();
        agent.any(|turn| {
            let names = |(_, value): &(&str, &str)| turn.text.contains(value);
            turn.speaker == Speaker::Agent && filling.iter().all(names)
        })
    }
}
