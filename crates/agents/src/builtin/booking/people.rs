//! Several people in one wish. They are booked one after the other, and the customer hears so.

use super::super::catalogue::Meant;
use super::super::kin::people_in;
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Goal;
use quipu_core::agent::Vertical;
use quipu_core::ports::Speaker;

/// A wish for several people.
struct Several {
    /// The place of the message among all.
    at: usize,
    people: u16,
}

impl Scene<'_> {
    /// Says that they are booked one by one, once.
    pub(super) fn tell_one_by_one(&self, draft: &mut Draft) {
        let Some(several) = self.several_people() else {
            return;
        };
        if self.said_since(several.at, &["people.one_by_one"]) == 0 {
            draft.say(self.voice, "people.one_by_one", &[]);
        }
    }

    /// Goes on with the next of them, now that one more is booked.
    pub(super) fn go_on_with_next(&self, draft: &mut Draft, service: &str) {
        let Some(several) = self.several_people() else {
            return;
        };
        let booked = self.said_since(several.at, &["done.booked"]) + 1;
        if booked < usize::from(several.people) {
            draft.say(self.voice, "people.next", &[("service", service)]);
        }
    }

    /// The service of whoever was booked before, which the next of them is booked for as well.
    pub(super) fn service_of_last(&self, names: &[String]) -> Option<usize> {
        let before = self.messages.get(self.state.since.checked_sub(1)?)?;
        let said = Templates::get().recognise(&before.text);
        let next = said.iter().any(|said| said.key == "people.next");
        match self.meant(&before.text, names) {
            Meant::One(at) if next => Some(at),
            _ => None,
        }
    }

    /// The last wish for several people, unless it was dropped. A table is for all of them.
    fn several_people(&self) -> Option<Several> {
        if self.setting.vertical == Vertical::Restaurant {
            return None;
        }
        let mut heard = self.state.heard.iter().rev();
        let several = heard.find_map(|heard| {
            let books = heard.goal == Some(Goal::Booking) && heard.goes_on;
            let text = &self.messages.get(heard.at).filter(|_| books)?.text;
            let people = people_in(text);
            (people > 1).then_some(Several {
                at: heard.at,
                people,
            })
        })?;
        let booked = self.said_since(several.at, &["done.booked"]);
        let open = booked < usize::from(several.people);
        let left = self.said_since(several.at, &["left"]) > 0;
        (open && !left).then_some(several)
    }

    /// How many messages of the agent say one of these since a message.
    pub(super) fn said_since(&self, at: usize, keys: &[&str]) -> usize {
        let since = self.messages.get(at..).unwrap_or_default().iter();
        let agent = since.filter(|turn| turn.speaker == Speaker::Agent);
        let says = agent.filter(|turn| {
            let said = Templates::get().recognise(&turn.text);
            said.iter().any(|said| keys.contains(&said.key))
        });
        says.count()
    }
}
