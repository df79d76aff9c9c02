//! What is free, and what to offer of it.

use super::super::folded::{field, items};
use super::super::scene::{Draft, Scene};
use super::refused::Refusal;
use crate::when::When;
use jiff::ToSpan as _;
use jiff::civil::Date;
use quipu_core::Result;
use serde_json::{Map, Value, json};

/// How many times are offered at once.
pub(in super::super) const MOST_OFFERED: usize = 4;
const MOST_SOONEST: usize = 3;
/// As many as the tool gives.
const MOST_SLOTS: u16 = 50;
/// How many days are looked through when the wanted ones are full.
const DAYS_AFTER: u16 = 21;
const MOST_DAYS: u16 = 60;
/// How many days the tool looks through when none is named.
const DAYS_AHEAD: u16 = 7;

/// A time that can be booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Slot {
    pub(in super::super) id: String,
    pub(in super::super) date: Date,
    pub(in super::super) minute: u16,
    pub(in super::super) branch: String,
    pub(in super::super) staff: Option<String>,
}

/// What is to be booked.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Sought {
    pub(in super::super) service: Option<String>,
    pub(in super::super) branch: Option<String>,
    pub(in super::super) staff: Option<String>,
    pub(in super::super) party: Option<u16>,
    pub(in super::super) urgent: bool,
    /// Who shall not attend.
    pub(in super::super) without: Vec<String>,
    /// Whether a woman is asked for in their place, where there is one.
    pub(in super::super) woman: bool,
}

/// What there is.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Free {
    pub(in super::super) slots: Vec<Slot>,
    /// Why there are none, where it is not that all are taken.
    pub(in super::super) refusal: Option<Refusal>,
}

impl Scene<'_> {
    /// What is free then; in the next week when no days are named.
    pub(in super::super) async fn free(&self, sought: &Sought, when: &When) -> Result<Free> {
        let today = self.setting.now.date();
        // What is free today would take up all the room that the answer has.
        let later = (when.refused == Some(today)).then(|| (day_after(today), DAYS_AHEAD));
        let days = when.day.map(|day| {
            let first = day.first().max(today);
            let last = day.last();
            let span = first.until(last).map_or(0, |span| span.get_days());
            let count = u16::try_from(span + 1).unwrap_or(1).clamp(1, MOST_DAYS);
            (first, count)
        });
        let mut free = self.ask_free(sought, days.or(later), when.around()).await?;
        free.slots.retain(|slot| when.refused != Some(slot.date));
        Ok(free)
    }

    /// What is free, by day and time. There may be more than the tool gives: then it is what lies
    /// around the minute, where one is known.
    async fn ask_free(
        &self,
        sought: &Sought,
        days: Option<(Date, u16)>,
        around: Option<u16>,
    ) -> Result<Free> {
        let mut asked = Map::new();
        let texts = [
            ("service_name", &sought.service),
            ("branch_name", &sought.branch),
            ("staff_name", &sought.staff),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                asked.insert(name.to_owned(), json!(value));
            }
        }
        if let Some(party) = sought.party {
            asked.insert("party_size".to_owned(), json!(party));
        }
        if let Some((first, count)) = days {
            asked.insert("date".to_owned(), json!(first.to_string()));
            asked.insert("days".to_owned(), json!(count));
        }
        if let Some(minute) = around {
            let time = format!("{:02}:{:02}", minute / 60, minute % 60);
            asked.insert("time".to_owned(), json!(time));
        }
        asked.insert("urgent".to_owned(), json!(sought.urgent));
        asked.insert("limit".to_owned(), json!(MOST_SLOTS));
        let told = self
            .office
            .call("get_available_slots", Value::Object(asked))
            .await?;
        let slots = items(&told, "slots").iter().filter_map(read_slot);
        let attends = |slot: &Slot| {
            let staff = slot.staff.as_ref();
            staff.is_none_or(|staff| !sought.without.contains(staff))
        };
        let mut slots: Vec<Slot> = slots.filter(attends).collect();
        slots.sort_by_key(|slot| (slot.date, slot.minute));
        Ok(Free {
            slots,
            refusal: Refusal::read(&told),
        })
    }

    /// What is free from a day on, for whoever found the day full.
    pub(in super::super) async fn free_after(
        &self,
        sought: &Sought,
        when: &When,
        day: Date,
    ) -> Result<Free> {
        let first = day.max(self.setting.now.date());
        let days = Some((first, DAYS_AFTER));
        self.ask_free(sought, days, when.around()).await
    }

    /// Offers times: a few of one day, or the first of several.
    pub(in super::super) fn offer(
        &self,
        draft: &mut Draft,
        what: &str,
        slots: &[Slot],
        day: Option<Date>,
        branches: bool,
    ) {
        let voice = self.voice;
        if let Some(date) = day {
            let minutes = spread(&minutes(slots));
            let times: Vec<String> = minutes.iter().map(|minute| voice.time(*minute)).collect();
            let branch = only_branch(slots).filter(|_| branches);
            let filling = [
                ("service", what),
                ("day", &voice.day(date)),
                ("times", &voice.or(&times)),
                ("branch", branch.unwrap_or_default()),
            ];
            draft.say(voice, "offer.day", &filling);
            return;
        }
        let staff = slots.first().and_then(|slot| slot.staff.as_deref());
        let same = |slot: &Slot| slot.staff.as_deref() == staff;
        let staff = staff.filter(|_| slots.iter().take(MOST_SOONEST).all(same));
        let filling = [
            ("service", what),
            ("staff", staff.unwrap_or_default()),
            ("options", &self.moments(slots)),
        ];
        draft.say(voice, "offer.days", &filling);
    }

    /// The first few moments, each with its day.
    pub(in super::super) fn moments(&self, slots: &[Slot]) -> String {
        let voice = self.voice;
        let mut moments: Vec<(Date, u16)> =
            slots.iter().map(|slot| (slot.date, slot.minute)).collect();
        moments.dedup();
        moments.truncate(MOST_SOONEST);
        let told: Vec<String> = moments
            .chunk_by(|one, next| one.0 == next.0)
            .map(|same| {
                let times: Vec<String> = same.iter().map(|(_, minute)| voice.at(*minute)).collect();
                let day = voice.day(same[0].0);
                format!("{}{day} {}", voice.pick("el ", ""), voice.or(&times))
            })
            .collect();
        voice.or(&told)
    }
}

fn read_slot(slot: &Value) -> Option<Slot> {
    let time: jiff::civil::Time = field(slot, "time")?.parse().ok()?;
    let minute = u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).ok()?;
    Some(Slot {
        id: field(slot, "slot_id")?.to_owned(),
        date: field(slot, "date")?.parse().ok()?,
        minute,
        branch: field(slot, "branch_name").unwrap_or_default().to_owned(),
        staff: field(slot, "staff_name").map(str::to_owned),
    })
}

/// The branch, where all are of one.
pub(in super::super) fn only_branch(slots: &[Slot]) -> Option<&str> {
    let first = slots.first()?.branch.as_str();
    slots
        .iter()
        .all(|slot| slot.branch == first)
        .then_some(first)
}

/// The branches of some slots, each once.
pub(in super::super) fn branches_of(slots: &[Slot]) -> Vec<String> {
    let mut names: Vec<String> = slots.iter().map(|slot| slot.branch.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// The minutes at which something is free, each once.
pub(in super::super) fn minutes(slots: &[Slot]) -> Vec<u16> {
    let mut minutes: Vec<u16> = slots.iter().map(|slot| slot.minute).collect();
    minutes.sort_unstable();
    minutes.dedup();
    minutes
}

/// A few of many, from the first to the last, so that a customer sees the whole day.
fn spread(minutes: &[u16]) -> Vec<u16> {
    let count = minutes.len();
    if count <= MOST_OFFERED {
        return minutes.to_vec();
    }
    let at = |place: usize| minutes[place * (count - 1) / (MOST_OFFERED - 1)];
    (0..MOST_OFFERED).map(at).collect()
}

/// Those nearest to a minute, in the order of the clock.
pub(in super::super) fn nearest(slots: &[Slot], minute: u16) -> Vec<Slot> {
    let mut times = minutes(slots);
    times.sort_by_key(|time| time.abs_diff(minute));
    times.truncate(MOST_SOONEST);
    let near = slots.iter().filter(|slot| times.contains(&slot.minute));
    near.cloned().collect()
}

/// The day after, for looking on.
pub(in super::super) fn day_after(date: Date) -> Date {
    date.saturating_add(1.day())
}

/// Those that fit what was said of the time.
pub(in super::super) fn fitting(slots: &[Slot], when: &When) -> Vec<Slot> {
    let fits = |slot: &&Slot| when.allows(slot.minute);
    slots.iter().filter(fits).cloned().collect()
}
