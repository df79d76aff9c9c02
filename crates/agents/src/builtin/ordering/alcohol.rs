//! Drinks with alcohol, which nobody gets who says that they are under age.

use super::super::folded::{folded, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::Order;
use quipu_core::ordering::Menu;
use quipu_core::ports::Speaker;

/// The age of grown-ups.
const OF_AGE: u32 = 18;
/// A beginning of fewer letters stands for the whole word only: "ron" is no beginning of "ronda".
const WHOLE: usize = 4;

impl Scene<'_> {
    /// Takes the drinks with alcohol out of the order of somebody who is under age, and tells them, unless
    /// they know it already.
    pub(super) fn without_alcohol(&self, draft: &mut Draft, order: &mut Order, menu: &Menu) {
        let customer = self.messages.iter();
        let mut customer = customer.filter(|turn| turn.speaker == Speaker::Customer);
        if !customer.any(|turn| under_age(&turn.text)) {
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

fn has_alcohol(name: &str) -> bool {
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

/// Whether the customers say of themselves that they are under age: "tengo 16", "soy menor de edad".
fn under_age(text: &str) -> bool {
    if says(
        &folded(text),
        &[
            "soy menor",
            "somos menores",
            "i m a minor",
            "i am a minor",
            "i m underage",
        ],
    ) {
        return true;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| folded(word)).collect();
    (1..words.len()).any(|at| {
        let age: Option<u32> = plain[at].parse().ok();
        let mine = matches!(
            plain[at - 1].as_str(),
            "tengo" | "cumpli" | "i m" | "am" | "im"
        );
        let next = plain.get(at + 1).map_or("", String::as_str);
        // "Tengo 2 hijos" counts something else.
        let counts_years = matches!(
            next,
            "" | "años" | "anos" | "añitos" | "years" | "y" | "and"
        ) || words[at].ends_with([',', '.', ';', '!']);
        mine && counts_years && age.is_some_and(|age| (5..OF_AGE).contains(&age))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_under_age_says_so_of_themselves() {
        for text in [
            "tengo 16, quiero 2 cervezas",
            "tengo 17 años",
            "I'm 16",
            "soy menor de edad",
        ] {
            assert!(under_age(text), "{text}");
        }
        for text in [
            "tengo 2 hijos",
            "tengo 21 años",
            "una para mi hija de 12 años",
            "somos 6",
        ] {
            assert!(!under_age(text), "{text}");
        }
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
