//! The last steps of a booking: the name, the yes, and the words for what was done.

use super::super::consent::is_doubtful;
use super::super::contacts::Customer;
use super::super::folded::{begins, field, says};
use super::super::scene::{Draft, Scene};
use super::super::transcript::Goal;
use super::others::wants_somebody_else;
use super::own::Own;
use super::{Plan, Slot};
use crate::supervisor::Awaiting;
use crate::when::{When, offers, settle};
use quipu_core::lead::Temperature;
use quipu_core::{ErrorCode, Result};
use serde_json::{Value, json};

impl Scene<'_> {
    /// The time is settled: the name, the yes, and the booking.
    pub(super) async fn close(&self, draft: &mut Draft, plan: &Plan, slot: &Slot) -> Result<()> {
        draft.temperature = Some(Temperature::Hot);
        let mut known = vec![plan.what.clone(), slot.branch.clone()];
        known.extend(slot.staff.clone());
        known.extend(self.branch_names().await);
        let customer = self.customer(&known);
        if !self.has_contacts(draft, &customer) {
            return Ok(());
        }
        if self.has_already(plan, slot).await? {
            let (day, time) = (self.voice.day(slot.date), self.voice.at(slot.minute));
            let filling = [
                ("service", plan.what.as_str()),
                ("day", &day),
                ("time", &time),
            ];
            draft.say(self.voice, "already.booked", &filling);
            return Ok(());
        }
        let agreed = self.offered(self.messages.len() - 1);
        let same = agreed
            .iter()
            .any(|(date, time)| *date == slot.date && settle(*time, &[]) == slot.minute);
        let explicit = self.may_change
            && (self.orders_booking() || self.confirmed() && same)
            && !wants_somebody_else(&self.words);
        if !explicit {
            self.ask_to_confirm(draft, plan, slot, &customer);
            return Ok(());
        }
        let name = customer.name.unwrap_or_default();
        let mut asked = json!({ "slot_id": slot.id, "customer_name": name });
        if let Some(party) = plan.sought.party {
            asked["party_size"] = json!(party);
        }
        if plan.sought.urgent {
            asked["urgent"] = json!(true);
        }
        if let Some(note) = self.booking_note(plan) {
            asked["notes"] = json!(note);
        }
        match self.office.call("create_appointment", asked).await {
            Ok(made) => {
                self.say_booked(draft, plan, slot, &made, &name).await;
                if !self.go_on_with_next_service(draft).await? {
                    self.go_on_with_next(draft, &plan.what);
                }
                self.keep_name(&name).await;
                Ok(())
            }
            Err(error) if error.code() == ErrorCode::SlotUnavailable => {
                let free = self
                    .free(&plan.sought, &When::at(slot.date, slot.minute))
                    .await?;
                let others: Vec<Slot> = free
                    .slots
                    .into_iter()
                    .filter(|other| other.minute != slot.minute)
                    .collect();
                if others.is_empty() {
                    return self.offer_later(draft, plan).await;
                }
                self.offer_instead(draft, plan, &others, slot.minute);
                Ok(())
            }
            Err(error) => {
                self.explain(draft, &error).await;
                Ok(())
            }
        }
    }

    /// Whether the customer booked the very same a while ago, and names nobody else whom this is for: who asks again
    /// wants to be sure, and not to be there twice.
    async fn has_already(&self, plan: &Plan, slot: &Slot) -> Result<bool> {
        let again = self.state.completed.contains(&Goal::Booking)
            && plan.sought.party.is_none()
            && self.booking_note(plan).is_none();
        if !again {
            return Ok(false);
        }
        let own = self.own_ahead().await?.unwrap_or_default();
        let same = |own: &Own| {
            own.service == plan.what && own.date == slot.date && own.minute == slot.minute
        };
        Ok(own.iter().any(same))
    }

    /// Whether it is known who books. Asks otherwise.
    pub(in super::super) fn has_contacts(&self, draft: &mut Draft, customer: &Customer) -> bool {
        let name = customer.name.as_deref();
        if self.setting.has_customer {
            if name.is_none() {
                draft.say(self.voice, "ask.name", &[]);
            }
            return name.is_some();
        }
        let reachable = customer.phone.is_some() || customer.email.is_some();
        match (name, reachable) {
            (Some(_), true) => true,
            (Some(name), false) => {
                draft.say(self.voice, "ask.phone", &[("customer", name)]);
                false
            }
            (None, true) => {
                draft.say(self.voice, "ask.name", &[]);
                false
            }
            (None, false) => {
                draft.say(self.voice, "ask.contact", &[]);
                false
            }
        }
    }

    /// Whether the message itself orders the booking, so that nothing is left to confirm.
    fn orders_booking(&self) -> bool {
        let orders = [
            "confirm", "agendam", "reservam", "apartam", "anotam", "apuntam", "separam", "agendal",
            "reserval", "apartal",
        ];
        let ordered = begins(&self.words, &orders)
            || says(
                &self.words,
                &["book me", "book it", "go ahead", "put me down"],
            );
        let unsure = self.text.contains('?') && self.state.awaiting != Some(Awaiting::Confirmation);
        let sure = !unsure && self.state.affirms != Some(false) && !is_doubtful(self.text);
        ordered && sure && self.said_when()
    }

    /// Whether the customer named the moment, in this message or by choosing among those offered.
    fn said_when(&self) -> bool {
        let when = When::read(self.text, self.voice.language, &self.setting.now, None);
        when.time.is_some()
            || matches!(
                self.state.awaiting,
                Some(Awaiting::Confirmation | Awaiting::Name)
            )
    }

    fn ask_to_confirm(&self, draft: &mut Draft, plan: &Plan, slot: &Slot, customer: &Customer) {
        let voice = self.voice;
        let (day, time) = (voice.day(slot.date), voice.at(slot.minute));
        let party = plan.sought.party.map(|party| self.people(party));
        let key = if party.is_some() {
            "confirm.table"
        } else {
            "confirm.booking"
        };
        if let Some((promotion, price)) = &plan.promotion {
            let price = price.as_deref().unwrap_or_default();
            let filling = [("promotion", promotion.as_str()), ("price", price)];
            draft.say(voice, "confirm.promotion", &filling);
        }
        let (person, people) = self.told_for(plan);
        let filling = [
            ("person", person),
            ("people", &people),
            ("service", plan.what.as_str()),
            ("party", party.as_deref().unwrap_or_default()),
            ("day", &day),
            ("time", &time),
            ("branch", if plan.branches { &slot.branch } else { "" }),
            ("staff", slot.staff.as_deref().unwrap_or_default()),
            ("price", plan.told_price()),
            ("customer", customer.name.as_deref().unwrap_or_default()),
        ];
        draft.say(voice, key, &filling);
    }

    /// What is on offer for a service now. A text that names hours is left out, since those would be
    /// taken for the hours of the visit.
    pub(super) async fn promotion_of(&self, service: &str) -> Option<(String, Option<String>)> {
        let asked = json!({ "service_name": service });
        let info = self.office.call("get_service_info", asked).await.ok()?;
        let text = field(&info, "promotion_text")?.trim_end_matches('.');
        let hours = offers(text, self.voice.language, &self.setting.now);
        let price = field(&info, "promotion_price").map(str::to_owned);
        hours.is_empty().then(|| (text.to_owned(), price))
    }

    pub(super) fn people(&self, party: u16) -> String {
        match party {
            1 => self.voice.pick("1 persona", "1 person").to_owned(),
            more => format!("{more} {}", self.voice.pick("personas", "people")),
        }
    }

    async fn say_booked(
        &self,
        draft: &mut Draft,
        plan: &Plan,
        slot: &Slot,
        made: &Value,
        name: &str,
    ) {
        let voice = self.voice;
        let (day, time) = self
            .moment_of(made)
            .unwrap_or((voice.day(slot.date), voice.at(slot.minute)));
        let branch = field(made, "branch_name").unwrap_or(&slot.branch);
        let address = self.address_of(branch).await;
        let party = plan.sought.party.map(|party| self.people(party));
        let key = if party.is_some() {
            "done.table"
        } else {
            "done.booked"
        };
        let (person, people) = self.told_for(plan);
        let filling = [
            ("person", person),
            ("people", &people),
            ("service", field(made, "service").unwrap_or(&plan.what)),
            ("party", party.as_deref().unwrap_or_default()),
            ("day", &day),
            ("time", &time),
            ("branch", if plan.branches { branch } else { "" }),
            ("staff", field(made, "staff_name").unwrap_or_default()),
            ("customer", name),
            ("price", plan.told_price()),
            ("address", &address),
        ];
        draft.say(voice, key, &filling);
        draft.awaiting = None;
        draft.temperature = Some(Temperature::Hot);
    }

    /// The day and time that a tool says it has booked.
    pub(super) fn moment_of(&self, made: &Value) -> Option<(String, String)> {
        let date: jiff::civil::Date = field(made, "date")?.parse().ok()?;
        let time: jiff::civil::Time = field(made, "time")?.parse().ok()?;
        let minute = u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).ok()?;
        Some((self.voice.day(date), self.voice.at(minute)))
    }

    async fn address_of(&self, branch: &str) -> String {
        let branches = self.branches().await.unwrap_or_default();
        let named = branches
            .iter()
            .find(|known| field(known, "name") == Some(branch));
        named
            .and_then(|known| field(known, "address"))
            .unwrap_or_default()
            .to_owned()
    }
}
