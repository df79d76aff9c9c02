//! When a visit is wanted: a time that is named, or one of those on offer.

use super::PolicyRun;
use crate::read::{Consent, HeardMessage, HeardSpan};
use crate::state::{Awaited, DialogueState, Goal, OfferedGoal, SlotOffer};
use jiff::civil::Date;
use quipu_core::reading::{Act, SpanKind};
use quipu_language::when::{Asked, Day, When, party, settle};
use std::borrow::Cow;

/// The message as an answer to what was asked: a bare number that is one of the hours on offer is that hour, whatever
/// the reader takes it for.
pub(super) fn as_answer<'a>(
    heard: &'a HeardMessage,
    state: &DialogueState,
) -> Cow<'a, HeardMessage> {
    let offered: Vec<u16> = match (&state.goal, &state.awaited) {
        (Some(Goal::Book(goal)), Some(Awaited::Slot)) => {
            let slots = goal.visits.iter().flat_map(|visit| &visit.offered);
            slots.map(|slot| slot.minute).collect()
        }
        (Some(Goal::Move(goal)), Some(Awaited::Slot)) => {
            goal.offered.iter().map(|slot| slot.minute).collect()
        }
        _ => Vec::new(),
    };
    let is_hour = |span: &HeardSpan| {
        let hour = span.text.parse::<u16>().ok().filter(|hour| *hour <= 24);
        let minute = hour.map(|hour| hour % 12 * 60);
        span.kind == SpanKind::Party
            && minute.is_some_and(|minute| offered.iter().any(|at| at % (12 * 60) == minute))
            && party(&heard.text, false).is_none()
    };
    if !heard.spans.iter().any(is_hour) {
        return Cow::Borrowed(heard);
    }
    let mut answer = heard.clone();
    for span in &mut answer.spans {
        if is_hour(span) {
            span.kind = SpanKind::Time;
        }
    }
    Cow::Owned(answer)
}

impl PolicyRun<'_> {
    pub(super) fn asked_when(&self) -> Option<Asked> {
        match &self.before.awaited {
            Some(Awaited::Day) => Some(Asked::Day),
            Some(Awaited::Slot | Awaited::Offer(OfferedGoal::Book { .. })) => Some(Asked::Time),
            _ => None,
        }
    }

    /// Takes in what is said of when, or which of the times on offer is chosen.
    pub(super) fn take_time(
        &self,
        wanted: &mut When,
        offered: &mut Vec<SlotOffer>,
        chosen: &mut Option<SlotOffer>,
        said: When,
    ) {
        let choosing = self.before.awaited == Some(Awaited::Slot) && !offered.is_empty();
        if said.is_empty() {
            if choosing {
                let picked = self.picked(offered);
                if let Some(slot) = picked {
                    *wanted = When::at(slot.date, slot.minute);
                    *chosen = Some(slot);
                } else if let Some(limit) = self.shifted(offered) {
                    *wanted = wanted.then(limit);
                    offered.clear();
                }
            } else if let (Some(slot), Some(limit)) = (
                chosen.clone(),
                chosen
                    .as_ref()
                    .and_then(|slot| self.shifted(std::slice::from_ref(slot))),
            ) {
                *wanted = When::at(slot.date, slot.minute).then(limit);
                *chosen = None;
                offered.clear();
            }
            return;
        }
        if let Some(slot) = on_offer(offered, &said, wanted) {
            *wanted = When::at(slot.date, slot.minute);
            *chosen = Some(slot);
            return;
        }
        let base = match chosen {
            Some(slot) => When::at(slot.date, slot.minute),
            None => *wanted,
        };
        let merged = base.then(said);
        let same = chosen.as_ref().is_some_and(|slot| {
            let day = merged.day.and_then(Day::single) == Some(slot.date);
            let time = merged
                .time
                .is_none_or(|time| settle(time, &[slot.minute]) == slot.minute);
            day && time && merged.allows(slot.minute)
        });
        if !same {
            *wanted = merged;
            *chosen = None;
            offered.clear();
        }
    }

    /// Which of the times on offer the message picks without naming it.
    pub(super) fn picked(&self, offered: &[SlotOffer]) -> Option<SlotOffer> {
        let heard = self.heard;
        if self.consent == Consent::No {
            return None;
        }
        let place = [("first_one", 0), ("second_one", 1), ("third_one", 2)];
        let named = place.iter().find(|(list, _)| heard.says(list));
        if let Some((_, at)) = named {
            return offered.get(*at).cloned();
        }
        if heard.says("last_one") {
            return offered.last().cloned();
        }
        let only = offered.len() == 1;
        let agrees =
            self.consent == Consent::Yes || heard.says("this_one") || heard.does(Act::Choose);
        if only && agrees || heard.says("any_will_do") {
            return offered.first().cloned();
        }
        None
    }

    /// What "más tarde" and "más temprano" mean beside the times on offer.
    pub(super) fn shifted(&self, offered: &[SlotOffer]) -> Option<When> {
        let minutes = || offered.iter().map(|slot| slot.minute);
        let at = |minute| {
            Some(quipu_language::Time {
                minute,
                certain: true,
            })
        };
        let day = offered.first().map(|slot| Day::On(slot.date));
        if self.heard.says("later_hour") {
            return Some(When {
                day,
                after: at(minutes().max()? + 1),
                ..When::default()
            });
        }
        if self.heard.says("earlier_hour") {
            return Some(When {
                day,
                before: at(minutes().min()?.saturating_sub(1)),
                ..When::default()
            });
        }
        None
    }
}

/// The time on offer that is meant by what was said.
pub(super) fn on_offer(offered: &[SlotOffer], said: &When, wanted: &When) -> Option<SlotOffer> {
    let time = said.time?;
    let day: Option<Date> = said.within(wanted).day.and_then(Day::single);
    let fitting: Vec<&SlotOffer> = offered
        .iter()
        .filter(|slot| day.is_none_or(|day| slot.date == day))
        .collect();
    let there: Vec<u16> = fitting.iter().map(|slot| slot.minute).collect();
    let minute = settle(time, &there);
    let mut meant = fitting.iter().filter(|slot| slot.minute == minute);
    meant.next().map(|slot| (*slot).clone())
}
