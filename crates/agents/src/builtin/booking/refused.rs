//! Why something cannot be booked as it is wanted, and what can be done instead.

use super::super::folded::field;
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::voice::capital;
use super::slots::branches_of;
use super::{Plan, Slot, Sought};
use crate::when::When;
use quipu_core::Result;
use serde_json::Value;

/// Why there is nothing to offer, as the tool says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Refusal {
    /// Nobody does it there, or it cannot be booked.
    NotBookable,
    /// It is sold and takes no time.
    NoDuration,
    /// No table has so many seats.
    TooSmall,
    /// It lies further ahead than bookings are taken for.
    TooFar,
}

impl Refusal {
    pub(super) fn read(told: &Value) -> Option<Self> {
        match field(told, "reason")? {
            "not_bookable" => Some(Self::NotBookable),
            "no_duration" => Some(Self::NoDuration),
            "too_small" => Some(Self::TooSmall),
            "too_far" => Some(Self::TooFar),
            _ => None,
        }
    }
}

impl Scene<'_> {
    pub(super) async fn tell_refusal(
        &self,
        draft: &mut Draft,
        plan: &Plan,
        why: Refusal,
    ) -> Result<()> {
        match why {
            Refusal::NotBookable => self.tell_elsewhere(draft, plan).await,
            Refusal::NoDuration => {
                let what = capital(&plan.what);
                self.say_with_contact(draft, "not.timed", &[("service", &what)])
                    .await;
                Ok(())
            }
            Refusal::TooSmall => {
                let party = plan.sought.party.map(|party| self.people(party));
                let party = party.unwrap_or_default();
                draft.say(self.voice, "table.too_large", &[("party", &party)]);
                Ok(())
            }
            Refusal::TooFar => {
                draft.say(self.voice, "not.so_far", &[]);
                Ok(())
            }
        }
    }

    /// Says at which other branch it is done, where there is one.
    async fn tell_elsewhere(&self, draft: &mut Draft, plan: &Plan) -> Result<()> {
        let what = capital(&plan.what);
        if let Some(branch) = &plan.sought.branch {
            let anywhere = Sought {
                branch: None,
                ..plan.sought.clone()
            };
            let free = self.free(&anywhere, &When::default()).await?;
            if self.say_branches(draft, "not.here", (&what, branch), &free.slots) {
                return Ok(());
            }
        }
        self.say_with_contact(draft, "not.bookable", &[("service", &what)])
            .await;
        Ok(())
    }

    /// Says of something that is not to be had at a branch where it is. `false` when that is nowhere.
    pub(super) fn say_branches(
        &self,
        draft: &mut Draft,
        key: &'static str,
        (service, branch): (&str, &str),
        elsewhere: &[Slot],
    ) -> bool {
        let names = branches_of(elsewhere);
        if names.is_empty() {
            return false;
        }
        let list = self.voice.or(&names);
        let filling = [("service", service), ("branch", branch), ("list", &list)];
        draft.say(self.voice, key, &filling);
        true
    }

    /// Whether the customer had been told, before a message, that it is done at another branch.
    pub(super) fn told_elsewhere(&self, at: usize) -> bool {
        self.said_before(at).is_some_and(|said| {
            let said = Templates::get().recognise(said);
            said.iter()
                .any(|said| matches!(said.key, "not.here" | "staff.elsewhere"))
        })
    }
}
