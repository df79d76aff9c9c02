//! An appointment of somebody near to the customer: "cancela la de mi mamá". Nobody's is changed for
//! it before it is clear which one is meant.

use super::super::folded::{folded, says};
use super::super::kin::kin_named;
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::own::{MOST_TOLD, Own};

/// The sentences that ask which one is theirs.
const ASKING: &[&str] = &["whose.one", "whose.several"];
/// What says that an appointment is the customer's own.
const MINE: &[&str] = &[
    "mi cita",
    "mi turno",
    "mi reserva",
    "mi hora",
    "mi consulta",
    "my appointment",
    "my booking",
];

impl Scene<'_> {
    /// Asks which appointment is that of the person who was named, unless that was asked. `true` when
    /// the turn is answered by it.
    pub(super) async fn asks_whose(&self, draft: &mut Draft, own: &[Own]) -> bool {
        let since = self.state.heard.iter().rev();
        let since = since.filter(|heard| heard.at >= self.state.since);
        let mut named = since.filter_map(|heard| {
            let text = &self.messages.get(heard.at)?.text;
            // "Mueve mi cita, mi hijo está enfermo" says why, and whose it is.
            let mine = says(&folded(text), MINE);
            Some((heard.at, kin_named(text).filter(|_| !mine)?))
        });
        let Some((at, person)) = named.next() else {
            return false;
        };
        let mine = says(&self.words, &["la mia", "mia", "el mio", "mine"]);
        if self.said_whose() && self.state.affirms == Some(false) && !mine {
            self.say_with_contact(draft, "whose.none", &[]).await;
            return true;
        }
        // A question in between leaves it open.
        let mut since = self.state.heard.iter().filter(|heard| heard.at > at);
        let answered = since.any(|heard| {
            let asked = self.said_before(heard.at).is_some_and(asks_whose);
            asked && heard.goes_on && (own.len() > 1 || heard.affirms == Some(true) || mine)
        });
        if answered {
            return false;
        }
        let told = own.iter().take(MOST_TOLD).map(|one| self.told(one));
        let told: Vec<String> = told.collect();
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
