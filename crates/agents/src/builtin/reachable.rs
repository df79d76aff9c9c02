//! How to reach somebody: the business tells its own telephone, and never that of its people.

use super::folded::{begins, says};
use super::lists::{Words, list};
use super::person;
use super::scene::{Draft, Scene};
use crate::supervisor::Awaiting;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../data/builtin/reachable.txt");
static WAYS: Words = LazyLock::new(|| list(DATA, "ways"));
/// What stands before the way that is asked for. "Por WhatsApp" is how something is done.
static BEFORE: Words = LazyLock::new(|| list(DATA, "before"));
static ASKING: Words = LazyLock::new(|| list(DATA, "asking"));
/// What people of the team are called, besides by their names.
static TEAM: Words = LazyLock::new(|| list(DATA, "team"));
const LONGEST: usize = 16;

impl Scene<'_> {
    /// Tells how to reach the business, where that is asked. `false` when nothing of the kind is.
    pub(super) async fn tell_contact(&self, draft: &mut Draft) -> bool {
        if !self.asks_contact() {
            return false;
        }
        let titled = self.words.split(' ').any(|word| TEAM.contains(&word));
        let person = titled || self.staff_in(&format!("con {}", self.text)).await.is_some();
        if person {
            self.say_with_contact(draft, "contact.private", &[]).await;
            return true;
        }
        let contact = self.contact().await;
        if !contact.is_empty() {
            self.say_with_contact(draft, "contact.own", &[]).await;
        }
        !contact.is_empty()
    }

    fn asks_contact(&self) -> bool {
        let words: Vec<&str> = self.words.split(' ').collect();
        let mut pairs = words.windows(2);
        let named = pairs.any(|pair| BEFORE.contains(&pair[0]) && WAYS.contains(&pair[1]))
            || says(&self.words, &["phone number", "numero de la", "numero del"]);
        let mine = says(
            &self.words,
            &[
                "mi telefono",
                "mi celular",
                "mi correo",
                "my phone",
                "my cell",
                "my email",
            ],
        );
        let asks = self.text.contains('?') || begins(&self.words, &ASKING);
        let told = matches!(
            self.state.awaiting,
            Some(Awaiting::Phone | Awaiting::TaxData)
        );
        let answers = told && !self.text.contains('?');
        let order = says(&self.words, &["pedido", "orden", "order", "folio"]);
        named
            && asks
            && !mine
            && !order
            && !answers
            && words.len() <= LONGEST
            && person::phone(self.text).is_none()
            && person::email(self.text).is_none()
    }
}
