//! Drinks with alcohol, which nobody gets who says that they are under age.

use super::super::folded::{folded, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::Order;
use super::age::is_under_age;
use quipu_core::ordering::Menu;
use quipu_core::ports::Speaker;

/// A beginning of fewer letters stands for the whole word only: "ron" is no beginning of "ronda".
const WHOLE: usize = 4;

impl Scene<'_> {
    /// Takes the drinks with alcohol out of the order of somebody who is under age, and tells them, unless
    /// they know it already.
    pub(super) fn without_alcohol(&self, draft: &mut Draft, order: &mut Order, menu: &Menu) {
        let customer = self.messages.iter();
        let mut customer = customer.filter(|turn| turn.speaker == Speaker::Customer);
        if !customer.any(|turn| is_under_age(&turn.text)) {
            return;
        }
        let taken = order.basket.take_out(|name| {
            let known = menu.items.iter().find(|item| item.name == name);
            let category = known.and_then(|item| item.category.as_deref());
            has_alcohol(name) || category.is_some_and(has_alcohol)
        });
        let since = self.messages.get(self.state.since..).unwrap_or_default();
        let told = since.iter().any(|turn| {
            let said = Templates::get().recognise(&turn.text);
            said.iter().any(|said| said.key == "order.no_alcohol")
        });
        if taken && (!told || has_alcohol(self.text)) {
            draft.say(self.voice, "order.no_alcohol", &[]);
        }
    }
}

pub(super) fn has_alcohol(name: &str) -> bool {
    let lines = include_str!("../../../data/builtin/alcohol.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut known = lines.flat_map(|line| line.split(", "));
    let name = folded(name);
    let without = says(
        &name,
        &["sin alcohol", "alcohol free", "non alcoholic", "virgen"],
    );
    let called = |start: &str, word: &str| {
        word.starts_with(start) && (start.len() >= WHOLE || word.len() <= start.len() + 1)
    };
    !without && known.any(|start| name.split(' ').any(|word| called(start, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drinks_are_told_by_their_names() {
        for name in [
            "Cerveza clara",
            "Michelada",
            "Ron",
            "Copa de vino",
            "Cervezas",
        ] {
            assert!(has_alcohol(name), "{name}");
        }
        for name in [
            "Cerveza sin alcohol",
            "Ronda de tacos",
            "Ginger ale",
            "Agua de horchata",
        ] {
            assert!(!has_alcohol(name), "{name}");
        }
    }
}
