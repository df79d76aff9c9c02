//! Free times: looking them up, and choosing which of them to offer.

use super::PolicyRun;
use crate::facts::Known;
use crate::say::Phrase;
use crate::state::{SlotOffer, VisitWish};
use jiff::civil::Date;
use quipu_commerce::calendar::read_minute;
use quipu_language::Time;
use quipu_language::when::{Day, When, settle};
use serde_json::{Map, Value, json};

/// How many times are offered at once.
const MOST_OFFERED: usize = 4;
/// How many free times are looked at.
const MOST_LOOKED_AT: u16 = 50;
/// How far ahead a time is looked for where the day that was named has none.
const DAYS_AROUND: u16 = 14;

/// What is free.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeTimes {
    pub(super) slots: Vec<SlotOffer>,
    /// Why nothing is, as the tool says it.
    pub(super) reason: Option<String>,
}

impl PolicyRun<'_> {
    /// What is free for a visit on some days.
    pub(super) fn free_times(
        &mut self,
        visit: &VisitWish,
        days: Option<(Date, u16)>,
        urgent: bool,
    ) -> Known<FreeTimes> {
        let mut asked = Map::new();
        let mut put = |name: &str, value: Value| {
            asked.insert(name.to_owned(), value);
        };
        if let Some(service) = visit.service {
            put("service_id", json!(service));
        }
        if let Some(branch) = visit.branch {
            put("branch_id", json!(branch));
        }
        if let Some(staff) = visit.staff {
            put("staff_id", json!(staff));
        }
        if let Some(party) = visit.party {
            put("party_size", json!(party));
        }
        if let Some((date, days)) = days {
            put("date", json!(date));
            put("days", json!(days));
        }
        if urgent {
            put("urgent", json!(true));
        }
        // Of many times those are told that are nearest: at eight in the evening, not at noon.
        let day = visit.when.day.and_then(Day::single);
        let meant = visit.when.time.zip(day);
        let meant = meant.map(|(time, day)| self.minute_meant(time, visit, day));
        if let Some(minute) = visit.when.around().or(meant) {
            put("time", json!(clock(minute)));
        }
        put("limit", json!(MOST_LOOKED_AT));
        let told = self
            .facts
            .look("get_available_slots", Value::Object(asked))?;
        let told = match told {
            Ok(told) => told,
            Err(error) => {
                let error = std::sync::Arc::new(error.code());
                return Ok(FreeTimes {
                    slots: Vec::new(),
                    reason: Some(format!("{error:?}")),
                });
            }
        };
        let slots = told["slots"].as_array().into_iter().flatten();
        let mut slots: Vec<SlotOffer> = slots.filter_map(read_slot).collect();
        slots.sort_by_key(|slot| (slot.date, slot.minute));
        slots.dedup_by_key(|slot| (slot.date, slot.minute, slot.branch.clone()));
        Ok(FreeTimes {
            slots,
            reason: told["reason"].as_str().map(str::to_owned),
        })
    }

    /// Chooses a time for a visit, or says which there are. `true` once one is chosen.
    pub(super) fn settle_time(
        &mut self,
        visit: &mut VisitWish,
        what: &str,
        urgent: bool,
    ) -> Known<bool> {
        if visit.chosen.is_some() {
            return Ok(true);
        }
        let today = self.profile.now.date();
        let days = days_of(&visit.when, today);
        let day = visit.when.day.and_then(Day::single);
        if day.is_some_and(|day| day < today) {
            self.say(Phrase::Past, &[]);
            visit.when = When::default();
            return Ok(false);
        }
        let free = self.free_times(visit, days, urgent)?;
        if self.tell_refusal(visit, what, &free)? {
            return Ok(false);
        }
        let refused = visit.when.refused;
        let fitting: Vec<SlotOffer> = free
            .slots
            .iter()
            .filter(|slot| refused != Some(slot.date))
            .cloned()
            .collect();
        if let Some(chosen) = exactly(&fitting, &visit.when) {
            visit.chosen = Some(chosen);
            return Ok(true);
        }
        let allowed: Vec<SlotOffer> = fitting
            .iter()
            .filter(|slot| visit.when.allows(slot.minute))
            .cloned()
            .collect();
        match day {
            Some(day) => self.offer_on_day(visit, what, day, (&fitting, &allowed), urgent)?,
            None => self.offer_next(visit, what, &allowed, &fitting),
        }
        Ok(false)
    }

    /// Offers what is free on the day that was named, or else on the days after it.
    fn offer_on_day(
        &mut self,
        visit: &mut VisitWish,
        what: &str,
        day: Date,
        (fitting, allowed): (&[SlotOffer], &[SlotOffer]),
        urgent: bool,
    ) -> Known<()> {
        let told = self.voice.day(day);
        if let Some(time) = visit.when.time.filter(|_| !fitting.is_empty()) {
            let minute = self.minute_meant(time, visit, day);
            let at = self.voice.at(minute);
            self.say(Phrase::NotAt, &[("day", &told), ("time", &at)]);
            let near = nearest(fitting, minute);
            self.offer(visit, what, near);
            return Ok(());
        }
        if !allowed.is_empty() {
            let some = spread(allowed);
            self.offer(visit, what, some);
            return Ok(());
        }
        if !fitting.is_empty() {
            let within = self.part_of_day(&visit.when);
            self.say(Phrase::NotDay, &[("day", &told), ("within", within)]);
            let some = spread(fitting);
            self.offer(visit, what, some);
            return Ok(());
        }
        if !self.tell_closed(visit, day) {
            self.say(Phrase::NotDay, &[("day", &told)]);
        }
        let around = self.free_times(visit, Some((day, DAYS_AROUND)), urgent)?;
        let allowed: Vec<SlotOffer> = around
            .slots
            .iter()
            .filter(|slot| visit.when.allows(slot.minute))
            .cloned()
            .collect();
        let time = visit.when.time;
        let mut next = if allowed.is_empty() {
            around.slots
        } else {
            allowed
        };
        if let Some(time) = time {
            // The hour that was wished for stays wished for on another day.
            let there: Vec<u16> = next.iter().map(|slot| slot.minute).collect();
            let minute = settle(time, &there);
            let same: Vec<SlotOffer> = next
                .iter()
                .filter(|slot| slot.minute == minute)
                .cloned()
                .collect();
            if !same.is_empty() {
                next = same;
            }
        }
        self.offer_next(visit, what, &next, &[]);
        Ok(())
    }

    /// The minute that an hour means: in the half of the day in which somebody is there.
    fn minute_meant(&self, time: Time, visit: &VisitWish, day: Date) -> u16 {
        const HALF_DAY: u16 = 12 * 60;
        let minute = settle(time, &[]);
        let other = (minute + HALF_DAY) % (2 * HALF_DAY);
        let branches = self.business.branches.iter();
        let branches = branches.filter(|branch| visit.branch.is_none_or(|id| branch.id == id));
        let hours: Vec<_> = branches.flat_map(|branch| branch.on(day)).collect();
        let open = |minute| {
            hours
                .iter()
                .any(|it| (it.opens()..it.closes()).contains(&minute))
        };
        let fits = |minute| open(minute) && visit.when.allows(minute);
        if !time.certain && !fits(minute) && fits(other) {
            other
        } else {
            minute
        }
    }

    /// Says that the business is closed on a day, where that is why nothing is free.
    fn tell_closed(&mut self, visit: &VisitWish, day: Date) -> bool {
        let branches = self.business.branches.iter();
        let mut wanted = branches
            .filter(|branch| visit.branch.is_none_or(|id| branch.id == id))
            .peekable();
        let closed = wanted.peek().is_some() && wanted.all(|branch| branch.on(day).is_empty());
        if closed {
            let day = self.voice.day(day);
            self.say(Phrase::HoursDayClosed, &[("day", &day)]);
        }
        closed
    }

    fn part_of_day(&self, when: &When) -> &'static str {
        use quipu_language::when::PartOfDay as Part;
        match when.part {
            Some(Part::Morning) => self.voice.pick("en la mañana", "in the morning"),
            Some(Part::Afternoon) => self.voice.pick("en la tarde", "in the afternoon"),
            Some(Part::Evening) => self.voice.pick("en la noche", "in the evening"),
            None => self.voice.pick("a esa hora", "at that time"),
        }
    }

    /// Offers the next times, one or two of each day.
    fn offer_next(
        &mut self,
        visit: &mut VisitWish,
        what: &str,
        allowed: &[SlotOffer],
        others: &[SlotOffer],
    ) {
        let free = if allowed.is_empty() { others } else { allowed };
        if free.is_empty() {
            self.say(Phrase::NotAny, &[]);
            visit.when = When::default();
            self.state.awaited = Some(crate::state::Awaited::Day);
            return;
        }
        let first = free[0].date;
        let same_day: Vec<SlotOffer> = free
            .iter()
            .filter(|slot| slot.date == first)
            .cloned()
            .collect();
        if same_day.len() == free.len() {
            let some = spread(&same_day);
            self.offer(visit, what, some);
            return;
        }
        let mut some: Vec<SlotOffer> = Vec::new();
        for slot in free {
            let of_day = some.iter().filter(|known| known.date == slot.date).count();
            if of_day < 2 && some.len() < MOST_OFFERED {
                some.push(slot.clone());
            }
        }
        self.offer(visit, what, some);
    }

    /// Offers times, and remembers them.
    fn offer(&mut self, visit: &mut VisitWish, what: &str, slots: Vec<SlotOffer>) {
        let voice = self.voice;
        let what = crate::say::capital(what);
        let days: Vec<Date> = slots.iter().map(|slot| slot.date).collect();
        let one_day = days.iter().all(|day| Some(day) == days.first());
        let staff = visit.staff.and_then(|id| self.business.person(id));
        let staff = staff.map_or("", |person| person.name.as_str()).to_owned();
        let branches: Vec<&String> = slots
            .iter()
            .filter_map(|slot| slot.branch.as_ref())
            .collect();
        let several = self.business.branches.len() > 1;
        let branch = branches.first().filter(|first| {
            several && visit.branch.is_none() && branches.iter().all(|branch| branch == *first)
        });
        let branch = branch.map_or("", |branch| branch.as_str()).to_owned();
        match slots.as_slice() {
            [only] => {
                let (day, time) = (voice.day(only.date), voice.at(only.minute));
                let filling = [
                    ("service", what.as_str()),
                    ("day", &day),
                    ("time", &time),
                    ("staff", &staff),
                    ("branch", &branch),
                ];
                self.say(Phrase::OfferOnly, &filling);
            }
            _ if one_day => {
                let day = days.first().map(|day| voice.day(*day)).unwrap_or_default();
                let times: Vec<String> = slots.iter().map(|slot| voice.time(slot.minute)).collect();
                let times = voice.or(&times);
                let filling = [
                    ("service", what.as_str()),
                    ("day", &day),
                    ("times", &times),
                    ("staff", &staff),
                    ("branch", &branch),
                ];
                self.say(Phrase::OfferDay, &filling);
            }
            _ => {
                let options: Vec<String> = slots
                    .iter()
                    .map(|slot| format!("{} {}", voice.day(slot.date), voice.at(slot.minute)))
                    .collect();
                let options = voice.or(&options);
                let filling = [
                    ("service", what.as_str()),
                    ("staff", &staff),
                    ("options", &options),
                ];
                self.say(Phrase::OfferDays, &filling);
            }
        }
        visit.offered = slots;
        self.state.awaited = Some(crate::state::Awaited::Slot);
    }
}

/// The days that are asked about: the first, and how many.
pub(super) fn days_of(when: &When, today: Date) -> Option<(Date, u16)> {
    match when.day? {
        Day::On(date) => Some((date, 1)),
        Day::Between(from, to) => {
            let from = from.max(today);
            let days = from.until(to).map_or(0, |span| span.get_days()) + 1;
            Some((from, u16::try_from(days).unwrap_or(1).clamp(1, 60)))
        }
    }
}

/// The slot at just the time that is wanted.
pub(super) fn exactly(slots: &[SlotOffer], when: &When) -> Option<SlotOffer> {
    let time = when.time?;
    let day = when.day.and_then(Day::single);
    let of_day = || {
        slots
            .iter()
            .filter(|slot| day.is_none_or(|day| slot.date == day))
    };
    let there: Vec<u16> = of_day().map(|slot| slot.minute).collect();
    let minute = settle(time, &there);
    let found = of_day().find(|slot| slot.minute == minute).cloned();
    // Without a day, a time is one of several days' and has to be offered.
    found.filter(|_| day.is_some())
}

/// Some of the slots, from early to late.
fn spread(slots: &[SlotOffer]) -> Vec<SlotOffer> {
    if slots.len() <= MOST_OFFERED {
        return slots.to_vec();
    }
    let last = slots.len() - 1;
    let places = (0..MOST_OFFERED).map(|at| at * last / (MOST_OFFERED - 1));
    places.map(|at| slots[at].clone()).collect()
}

/// The slots nearest to a minute, in their order.
fn nearest(slots: &[SlotOffer], minute: u16) -> Vec<SlotOffer> {
    let mut near = slots.to_vec();
    near.sort_by_key(|slot| slot.minute.abs_diff(minute));
    near.truncate(MOST_OFFERED);
    near.sort_by_key(|slot| (slot.date, slot.minute));
    near
}

fn read_slot(told: &Value) -> Option<SlotOffer> {
    let text = |name: &str| told[name].as_str().map(str::to_owned);
    Some(SlotOffer {
        slot_id: text("slot_id")?,
        date: told["date"].as_str()?.parse().ok()?,
        minute: read_minute(told["time"].as_str()?)?,
        branch: text("branch_name"),
        staff: text("staff_name"),
    })
}

pub(super) fn clock(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60 % 24, minute % 60)
}
