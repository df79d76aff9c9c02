//! Somebody who must not eat everything hears what the menu says is in the things they order.

use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::Order;
use super::changes::number;
use quipu_core::ports::Speaker;
use serde_json::{Value, json};

/// How the words begin of somebody who must not eat everything.
pub(super) const ALLERGIES: &[&str] = &["alergi", "celiac", "intoleran", "allerg", "coeliac"];
/// What somebody does not eat without calling it an allergy.
const NOT_EATEN: &[&str] = &[
    "no puedo comer",
    "no puede comer",
    "no podemos comer",
    "no pueden comer",
    "no debe comer",
    "no debo comer",
    "can t eat",
    "cant eat",
    "cannot eat",
];
/// How many words before an allergy may deny it: "no soy alérgico a nada".
const DENIAL_REACH: usize = 4;
/// What leads to what is told, and is no part of it: "anoten que soy alérgica".
const LEADING: &[&str] = &["que", "q", "porque", "pq", "that", "because"];
/// What goes on with what must not be eaten: "a la nuez, al cacahuate ni a la soya".
const GOES_ON: &[&str] = &["a", "al", "y", "e", "o", "u", "ni", "and", "or", "to"];
/// As much of a message as a note of the kitchen takes.
const LONGEST_TOLD: usize = 300;

/// Whether somebody says of an allergy that they have it. That is no reaction which is happening.
pub(in super::super) fn tells_allergy(text: &str) -> bool {
    told_in(text).is_some()
}

/// The part of a text that tells of an allergy, in the customer's own words. Nothing is told by a question
/// or a denial.
fn told_in(text: &str) -> Option<String> {
    let sentences = text.split_inclusive(['.', ';', '!', '?', '\n']);
    let told = sentences.filter(|sentence| !sentence.ends_with('?'));
    let mut told = told.filter_map(|sentence| {
        let parts: Vec<&str> = sentence.split(',').collect();
        let first = parts.iter().position(|part| names_allergy(&folded(part)))?;
        let behind = parts[first + 1..].iter().take_while(|part| {
            let words = folded(part);
            let next = words.split(' ').next().unwrap_or_default();
            names_allergy(&words) || GOES_ON.contains(&next) && !counts_things(&words)
        });
        let mut kept = vec![without_leading(parts[first]).to_owned()];
        kept.extend(behind.map(|part| part.trim().to_owned()));
        let kept = kept.join(", ");
        let kept = kept.trim_end_matches(|c: char| !c.is_alphanumeric());
        Some(kept.chars().take(LONGEST_TOLD).collect())
    });
    told.next()
}

/// A text without what somebody must not eat, which orders nothing: of "soy alérgico al pescado: 3 tacos" the tacos
/// are ordered. The word for the allergy stays, so that nobody takes the rest of it for a thing.
pub(super) fn without_allergies(text: &str) -> String {
    let told: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let plain: Vec<String> = told.iter().map(|word| folded(word)).collect();
    let mut kept = String::new();
    let mut dropping = false;
    for (at, word) in told.iter().enumerate() {
        let ordered = number(&plain[at]).is_some_and(|count| count > 1)
            || begins(
                &plain[at],
                &["quier", "quisier", "dame", "want", "pon", "pido"],
            );
        if dropping && ordered {
            dropping = false;
            kept.push_str(", ");
        }
        if !dropping {
            kept.push_str(word);
        }
        dropping |= begins(&plain[at], ALLERGIES);
        let sign = word.trim_end();
        let next = plain.get(at + 1).map_or("", String::as_str);
        let ends = sign.ends_with(['.', ':', ';', '!', '?'])
            || word.contains('\n')
            || sign.ends_with(',') && !GOES_ON.contains(&next);
        if dropping && ends {
            dropping = false;
            kept.push_str(", ");
        }
    }
    kept
}

/// Whether folded words count what is ordered. "A la nuez" has the article of English in it.
fn counts_things(words: &str) -> bool {
    words
        .split(' ')
        .any(|word| number(word).is_some_and(|count| count > 1))
}

/// Whether folded words name an allergy that nothing denies.
fn names_allergy(words: &str) -> bool {
    if says(words, NOT_EATEN) {
        return true;
    }
    let words: Vec<&str> = words.split(' ').collect();
    let named = words.iter().position(|word| begins(word, ALLERGIES));
    named.is_some_and(|at| {
        let before = &words[at.saturating_sub(DENIAL_REACH)..at];
        !before
            .iter()
            .any(|word| matches!(*word, "no" | "not" | "sin" | "ninguna" | "without" | "don"))
    })
}

/// A part of a sentence from where somebody begins to speak of the allergy.
fn without_leading(part: &str) -> &str {
    let mut from = 0;
    for (at, _) in part.match_indices(' ') {
        let before = part[..at].rsplit(' ').next().unwrap_or_default();
        let rest = &part[at..];
        if LEADING.contains(&folded(before).as_str()) && begins(&folded(rest), ALLERGIES) {
            from = at;
        }
    }
    part[from..].trim()
}

impl Scene<'_> {
    /// What the customer said that must not be eaten or given to them, for whoever cooks or treats. It is told
    /// once and holds for the whole conversation.
    pub(in super::super) fn allergies_told(&self) -> Option<String> {
        let customer = self.messages.iter();
        let customer = customer.filter(|turn| turn.speaker == Speaker::Customer);
        let mut told: Vec<String> = customer.filter_map(|turn| told_in(&turn.text)).collect();
        told.dedup();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// Asks for care with an allergy that is told, and says of each thing in the order what it contains,
    /// once.
    pub(super) async fn heed_allergies(&self, draft: &mut Draft, order: &Order) {
        if self.may_change && begins(&self.words, ALLERGIES) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allergies_are_told_in_the_words_of_the_customer() {
        for (text, told) in [
            (
                "2 tacos, soy alérgico al cilantro",
                Some("soy alérgico al cilantro"),
            ),
            (
                "mi hija es alérgica a la nuez, al cacahuate y a la soya, 2 tacos",
                Some("mi hija es alérgica a la nuez, al cacahuate y a la soya"),
            ),
            (
                "anoten en la orden que soy intolerante a la lactosa",
                Some("soy intolerante a la lactosa"),
            ),
            (
                "I'm allergic to shellfish!",
                Some("I'm allergic to shellfish"),
            ),
            (
                "ojo, mi esposo no puede comer gluten",
                Some("mi esposo no puede comer gluten"),
            ),
            ("no soy alérgico a nada", None),
            ("¿sirve para alérgicos?", None),
            ("2 tacos sin cilantro", None),
        ] {
            assert_eq!(told_in(text).as_deref(), told, "{text}");
        }
    }
}
