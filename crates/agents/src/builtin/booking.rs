//! Booking: a service or a table, a day, a time that is really free, a name, a yes.

mod changes;
mod close;
mod conditions;
mod consultation;
mod follow;
mod noted;
mod number;
mod others;
mod own;
mod people;
mod refused;
mod service;
mod several;
mod slots;
mod whose;
mod wish;

pub(super) use number::preferred;
pub(super) use others::wants_somebody_else;
pub(super) use service::Found;
pub(super) use slots::{Slot, Sought};

use super::catalogue::Service;
use super::folded::{begins, says};
use super::scene::{Draft, Scene};
use super::transcript::{Goal, Pick, asks_fee, picks};
use super::voice::Voice;
use crate::supervisor::Awaiting;
use crate::when::{Day, When};
use quipu_core::Result;
use quipu_core::agent::Vertical;
use quipu_core::lead::Temperature;
use slots::{branches_of, day_after, fitting, minutes, nearest};

/// What is booked, as far as it is settled.
struct Plan {
    sought: Sought,
    /// How the service is called in an answer.
    what: String,
    price: Option<String>,
    /// What is on offer for the service now, and what it costs by that.
    promotion: Option<(String, Option<String>)>,
    /// Whether there are several branches, so that the one has to be named.
    branches: bool,
    when: When,
    /// How many people come to what is no table.
    people: Option<u16>,
}

impl Plan {
    fn new(voice: Voice) -> Self {
        Self {
            sought: Sought::default(),
            what: voice.pick("tu cita", "your appointment").to_owned(),
            price: None,
            promotion: None,
            branches: false,
            when: When::default(),
            people: None,
        }
    }

    /// What it costs now.
    fn told_price(&self) -> &str {
        let on_offer = self
            .promotion
            .as_ref()
            .and_then(|(_, price)| price.as_deref());
        on_offer.or(self.price.as_deref()).unwrap_or_default()
    }
}

impl Scene<'_> {
    /// Takes the next step of a booking.
    pub(super) async fn book(&self, draft: &mut Draft) -> Result<()> {
        if self.refused() && self.gives_up() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        self.tell_one_by_one(draft);
        let Some(mut plan) = self.plan(draft).await? else {
            return Ok(());
        };
        if self.tell_nobody_else(draft, &mut plan).await? {
            return Ok(());
        }
        if self.refused() && plan.when.time.is_none() && self.says_no_time() {
            draft.say(self.voice, "declined", &[]);
            return Ok(());
        }
        self.settle_plan(draft, &plan).await
    }

    /// Takes the next step towards what is planned: whether it may be, when, where, and a yes.
    async fn settle_plan(&self, draft: &mut Draft, plan: &Plan) -> Result<()> {
        if let Some(service) = plan.sought.service.as_deref()
            && self.tell_excluded(draft, service).await?
        {
            return Ok(());
        }
        if let Some(service) = plan.sought.service.as_deref()
            && !plan.sought.urgent
            && self.tell_consultation(draft, service).await?
        {
            return Ok(());
        }
        draft.temperature = Some(Temperature::Warm);
        let when = &plan.when;
        let any =
            self.state.awaiting == Some(Awaiting::Day) && picks(&self.words) == Some(Pick::Any);
        let soonest = when.soonest || any || self.asks_what_is_free();
        if when.day.is_none() && !soonest {
            draft.say(self.voice, "ask.day", &[("service", &plan.what)]);
            return Ok(());
        }
        if when
            .day
            .is_some_and(|day| day.last() < self.setting.now.date())
        {
            draft.say(self.voice, "past", &[]);
            return Ok(());
        }
        let free = self.free(&plan.sought, when).await?;
        if let Some(why) = free.refusal {
            return self.tell_refusal(draft, plan, why).await;
        }
        if free.slots.is_empty() {
            return self.offer_later(draft, plan).await;
        }
        if let Some(minute) = when.settle(&minutes(&free.slots)) {
            return self.at_time(draft, plan, &free.slots, minute).await;
        }
        self.offer_some(draft, plan, &free.slots);
        Ok(())
    }

    /// What is to be booked. `None` when the customer is asked first.
    async fn plan(&self, draft: &mut Draft) -> Result<Option<Plan>> {
        let table = self.setting.vertical == Vertical::Restaurant && !self.names_service().await;
        let services = self.services().await?;
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let part = self.part_now(&names).filter(|_| !table);
        let wish = self.wish_of(part.as_ref());
        let mut plan = Plan::new(self.voice);
        plan.when = wish.when;
        if table {
            plan.what = self.voice.pick("una mesa", "a table").to_owned();
            plan.sought.party = wish.party;
            if wish.party.is_none() {
                draft.say(self.voice, "ask.party", &[]);
                return Ok(None);
            }
            if let Some(number) = wish.unclear {
                let party = self.people(number);
                draft.say(self.voice, "ask.people_or_hour", &[("party", &party)]);
                return Ok(None);
            }
        } else {
            match self.service_wanted(draft).await? {
                Found::One(service) => {
                    plan.sought.urgent = self.state.urgent;
                    // At a clinic each of several people is booked apart.
                    let together = self.setting.vertical == Vertical::Restaurant;
                    plan.people = wish.party.filter(|party| together && *party > 1);
                    self.plan_service(&mut plan, service).await;
                }
                Found::NoneNeeded => {}
                Found::Asked => return Ok(None),
            }
        }
        let branches = self.branches().await?;
        plan.branches = branches.len() > 1;
        plan.when = self.while_open(plan.when, &branches);
        if let Some(part) = part.as_ref().filter(|_| plan.branches) {
            plan.sought.branch = self.branch_in(&part.text, &branches);
        }
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            // Of a message that asks for several services only the part of this one counts.
            let own = part.as_ref().filter(|part| part.at == heard.at);
            let whole = self.messages.get(heard.at).map(|turn| &turn.text);
            let Some(text) = own.map(|part| &part.text).or(whole) else {
                continue;
            };
            if branches.len() > 1 {
                // Who says yes to another branch wants the first one no more.
                let elsewhere = heard.affirms == Some(true) && self.told_elsewhere(heard.at);
                let before = plan.sought.branch.take().filter(|_| !elsewhere);
                plan.sought.branch = self.branch_in(text, &branches).or(before);
            }
            // Somebody who is only asked about on the way is not who shall attend.
            let aside = heard.goal == Some(Goal::Booking) && !heard.goes_on;
            if !table && !aside {
                self.add_staff(&mut plan.sought, text, heard.at).await;
            }
        }
        Ok(Some(plan))
    }

    async fn plan_service(&self, plan: &mut Plan, service: Service) {
        plan.promotion = self.promotion_of(&service.name).await;
        plan.what = service.name.clone();
        plan.sought.service = Some(service.name);
        plan.price = service.price;
    }

    /// Whether it is asked what is free, rather than for a day.
    fn asks_what_is_free(&self) -> bool {
        if asks_fee(&self.words) {
            return false;
        }
        begins(
            &self.words,
            &["disponib", "cuando", "availab", "when", "espacio", "lugar"],
        ) || says(
            &self.words,
            &["que horarios", "que horas", "a que hora", "what times"],
        )
    }

    fn gives_up(&self) -> bool {
        begins(
            &self.words,
            &[
                "deja", "olvid", "nada", "despues", "luego", "forget", "never",
            ],
        ) || says(
            &self.words,
            &["ya no", "no gracias", "no thanks", "no thank you"],
        )
    }

    pub(super) fn says_no_time(&self) -> bool {
        let said = When::read(self.text, self.voice.language, &self.setting.now, None);
        said.is_empty()
    }

    /// The customer named a time.
    async fn at_time(
        &self,
        draft: &mut Draft,
        plan: &Plan,
        slots: &[Slot],
        minute: u16,
    ) -> Result<()> {
        let there: Vec<Slot> = slots
            .iter()
            .filter(|slot| slot.minute == minute)
            .cloned()
            .collect();
        let Some(slot) = there.first() else {
            self.offer_instead(draft, plan, slots, minute);
            return Ok(());
        };
        let names = branches_of(&there);
        // Who cannot wait is not asked where: the first that is free is read back to them.
        if names.len() > 1 && !plan.sought.urgent {
            draft.say(
                self.voice,
                "ask.branch",
                &[("list", &self.voice.or(&names))],
            );
            return Ok(());
        }
        self.close(draft, plan, slot).await
    }

    /// The wanted time is not free: says so, and offers what is near.
    fn offer_instead(&self, draft: &mut Draft, plan: &Plan, slots: &[Slot], minute: u16) {
        let near = nearest(slots, minute);
        let day = plan.when.day.and_then(Day::single);
        if let Some(date) = day {
            let filling = [
                ("day", self.voice.day(date)),
                ("time", self.voice.at(minute)),
            ];
            let filling: Vec<(&str, &str)> =
                filling.iter().map(|(k, v)| (*k, v.as_str())).collect();
            draft.say(self.voice, "not.at", &filling);
        }
        self.offer(draft, &plan.what, &near, day, plan.branches);
    }

    /// Days without a time: offers a few, in the part of the day that was named.
    fn offer_some(&self, draft: &mut Draft, plan: &Plan, slots: &[Slot]) {
        let fitting = fitting(slots, &plan.when);
        let names = branches_of(if fitting.is_empty() { slots } else { &fitting });
        if names.len() > 1 && plan.when.day.is_some() {
            draft.say(
                self.voice,
                "ask.branch",
                &[("list", &self.voice.or(&names))],
            );
            return;
        }
        let day = plan.when.day.and_then(Day::single);
        if fitting.is_empty() {
            let within = self.voice.pick("a esa hora", "at that time");
            if let Some(date) = day {
                let filling = [("day", &*self.voice.day(date)), ("within", within)];
                draft.say(self.voice, "not.day", &filling);
            }
            self.offer(draft, &plan.what, slots, day, plan.branches);
            return;
        }
        self.offer(draft, &plan.what, &fitting, day, plan.branches);
    }

    /// Nothing is free on those days: offers what comes next.
    async fn offer_later(&self, draft: &mut Draft, plan: &Plan) -> Result<()> {
        let today = self.setting.now.date();
        let last = plan.when.day.map_or(today, Day::last);
        let free = self
            .free_after(&plan.sought, &plan.when, day_after(last))
            .await?;
        if let Some(date) = plan.when.day.and_then(Day::single) {
            draft.say(self.voice, "not.day", &[("day", &self.voice.day(date))]);
        }
        let fitting = fitting(&free.slots, &plan.when);
        let some = if fitting.is_empty() {
            free.slots
        } else {
            fitting
        };
        if some.is_empty() {
            draft.say(self.voice, "not.any", &[]);
        } else {
            self.offer(draft, &plan.what, &some, None, plan.branches);
        }
        Ok(())
    }
}
