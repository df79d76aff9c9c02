//! An appointment of somebody near to the customer: "cancela la de mi mamá". Nobody's is changed for
//! it before it is clear which one is meant.

use super::super::kin::kin_named;
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::own::Own;

/// The sentences that ask which one is theirs.
const ASKING: &[&str] = &["whose.one", "whose.several"];

impl Scene<'_> {
    /// Asks which appointment is that of the person who was named, unless that was asked. `true` when
    /// the turn is answered by it.
    pub(super) async fn asks_whose(&self, draft: &mut Draft, own: &[Own]) -> bool {
        let since = self.state.heard.iter().rev();
        let since = since.filter(|heard| heard.at >= self.state.since);
        let named = since.filter_map(|heard| {
            let text = &self.messages.get(heard.at)?.text;
            Some((heard.at, kin_named(text)?))
        });
        let Some((at, person)) = named.into_iter().next() else {
            return false;
        };
        if self.said_whose() && self.state.affirms == Some(false) {
            self.say_with_contact(draft, "whose.none", &[]).await;
            return true;
        }
        let mut since = self.messages[at..].iter();
        let asked = since.any(|turn| asks_whose(&turn.text));
        if asked {
            return false;
        }
        let told: Vec<String> = own.iter().take(5).map(|one| self.told(one)).collect();
        let list = self.voice.and(&told);
        let key = if own.len() == 1 {
            "whose.one"
        } else {
            "whose.several"
        };
        draft.say(self.voice, key, &[("list", &list), ("person", person)]);
        true
    }

    /// Whether it was just asked whose appointment is meant.
    pub(super) fn said_whose(&self) -> bool {
        let mut said = self.state.said.iter();
        said.any(|key| ASKING.contains(key))
    }
}

/// Whether the agent asks whose appointment is meant.
pub(super) fn asks_whose(text: &str) -> bool {
    let said = Templates::get().recognise(text);
    said.iter().any(|said| ASKING.contains(&said.key))
}
