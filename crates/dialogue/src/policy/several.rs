//! Several visits in one wish: how many there are, and what of the message belongs to which.

use super::PolicyRun;
use crate::business::StaffFact;
use crate::facts::Known;
use crate::read::{Consent, HeardSpan, WordList, as_name};
use crate::state::{Awaited, BookGoal, Goal, SlotOffer, VisitWish};
use quipu_core::reading::{Act, SpanKind};
use quipu_core::text::preview;
use quipu_language::when::{Day, When, party};
use std::ops::Range;
use uuid::Uuid;

pub(super) const LONGEST_NAME: usize = 80;
/// How many visits are booked at once.
pub(super) const MOST_VISITS: usize = 4;
/// How many others of the team are looked at for the same hour.
const MOST_OTHERS: usize = 4;
/// How many minutes somebody who attends one after the other may need between them.
const PAUSE: u16 = 15;
/// What stands in numbers and says nothing of when.
const NOT_TIMES: [SpanKind; 8] = [
    SpanKind::Address,
    SpanKind::Phone,
    SpanKind::Document,
    SpanKind::Amount,
    SpanKind::Code,
    SpanKind::Quantity,
    SpanKind::Party,
    SpanKind::Name,
];
/// What may stand in a message once for each visit, in the order in which it is looked at.
const ONE_EACH: [SpanKind; 6] = [
    SpanKind::Branch,
    SpanKind::Party,
    SpanKind::Date,
    SpanKind::Time,
    SpanKind::Other,
    SpanKind::Service,
];

impl PolicyRun<'_> {
    /// Several people who each want something make several visits, unless they share a table.
    pub(super) fn split_by_people(&self, goal: &mut BookGoal) {
        let [visit] = goal.visits.as_slice() else {
            return;
        };
        let service = visit.service.and_then(|id| self.business.service(id));
        let tables = self.has_tables();
        let vertical = self.profile.vertical;
        let table = service.map_or(tables, |it| it.counts_people(vertical));
        let counted = self.counted_visits();
        let people = counted.or_else(|| self.people_named().filter(|_| !table));
        let Some(people) = people else { return };
        let settled = visit.chosen.is_some() && counted.is_none();
        if !(2..=MOST_VISITS).contains(&people) || settled {
            return;
        }
        // Each of them comes alone, unless they share a table.
        let one = VisitWish {
            party: visit.party.filter(|_| table),
            ..visit.clone()
        };
        let mut visits = vec![one; people];
        for visit in visits.iter_mut().skip(1) {
            visit.chosen = None;
            visit.offered.clear();
            visit.name = None;
        }
        let others: Vec<String> = self
            .heard
            .of(SpanKind::Other)
            .map(|span| preview(&span.text, LONGEST_NAME))
            .collect();
        // The first of them is the customer's own, unless everybody who comes was named.
        let own = usize::from(others.len() < people);
        for (visit, whose) in visits.iter_mut().skip(own).zip(others) {
            let called = Some(&whose).filter(|whose| whose.starts_with(char::is_uppercase));
            visit.name = called.and_then(|whose| as_name(whose));
            visit.whose = Some(whose);
        }
        goal.visits = visits;
    }

    /// How many people the message speaks of who each want something: "mis dos hijos", "para mí y para mi esposo".
    fn people_named(&self) -> Option<usize> {
        let counted = party(&self.heard.text, false).map(usize::from);
        let number = |text: &str| {
            let tokens = quipu_language::token::cut(text);
            let number = tokens.first()?.number()? / 100;
            usize::try_from(number).ok().filter(|number| *number > 1)
        };
        let others: Vec<&HeardSpan> = self.heard.of(SpanKind::Other).collect();
        let of_others = others.iter().find_map(|other| {
            let before = self.heard.text[..other.range.start].trim_end();
            let before = before.rsplit(' ').next().unwrap_or_default();
            number(&other.text).or_else(|| number(before))
        });
        let me = self.heard.says("me_too");
        let both = (me && !others.is_empty()).then_some(others.len() + 1);
        counted.or(of_others).or(both)
    }

    /// Another person who comes as well makes a second visit like the one under way: "y mi esposo también".
    pub(super) fn add_person(&self, goal: &mut BookGoal) {
        let [visit] = goal.visits.as_slice() else {
            return;
        };
        let service = visit.service.and_then(|id| self.business.service(id));
        let vertical = self.profile.vertical;
        let alone = service.is_some_and(|it| !it.counts_people(vertical));
        let under_way = matches!(self.before.goal, Some(Goal::Book(_)));
        let also = self.heard.says("another_visit") && !self.heard.has(SpanKind::Service);
        let other = self.heard.of(SpanKind::Other).next();
        let Some(other) = other.filter(|_| alone && under_way && also && visit.whose.is_none())
        else {
            return;
        };
        let mut names = self.heard.of(SpanKind::Name);
        let name = names.find(|name| name.range.start > other.range.end);
        goal.visits.push(VisitWish {
            service: visit.service,
            branch: visit.branch,
            whose: Some(preview(&other.text, LONGEST_NAME)),
            name: name.and_then(|name| as_name(&name.text)),
            when: When {
                day: visit.when.day,
                ..When::default()
            },
            ..VisitWish::default()
        });
    }

    /// Leaves one of several visits where the message wants only one: the one whose hour or service it names.
    pub(super) fn keep_one(&self, goal: &mut BookGoal) {
        let several = self.heard.of(SpanKind::Time).nth(1).is_some();
        if goal.visits.len() < 2 || several || !self.heard.says("only_one") {
            return;
        }
        let index = &self.business.names.services;
        let spans = self.heard.of(SpanKind::Service);
        let named: Vec<Uuid> = spans
            .filter_map(|span| index.link(&span.text, self.heard.language).one())
            .collect();
        let times = self.heard.minutes(&self.profile.now);
        let fits = |visit: &VisitWish| {
            let at = visit
                .chosen
                .as_ref()
                .is_some_and(|slot| times.contains(&slot.minute));
            let service = visit.service.is_some_and(|id| named.contains(&id));
            2 * u8::from(at) + u8::from(service)
        };
        let best = goal
            .visits
            .iter()
            .rev()
            .max_by_key(|visit| fits(visit))
            .cloned();
        goal.visits = best.into_iter().collect();
    }

    /// How many visits the message asks for by their number: "dos turnos".
    fn counted_visits(&self) -> Option<usize> {
        let tokens = quipu_language::token::cut(&self.heard.text);
        let visits = WordList::get("names_visit");
        let pairs = tokens.windows(2);
        let mut counted = pairs.filter_map(|pair| {
            let number = pair[0].number()? / 100;
            let named = pair[1].word().is_some_and(|word| visits.has(word));
            usize::try_from(number).ok().filter(|_| named)
        });
        counted.next()
    }

    /// How many people come: to each visit as its part of the message says it, or to the first that lacks it.
    pub(super) fn take_parties(&self, goal: &mut BookGoal) {
        let asked = self.before.awaited == Some(Awaited::Party);
        if goal.visits.len() > 1 {
            self.take_party_of_each(goal, asked);
            return;
        }
        let tables = self.has_tables();
        let Some(visit) = goal.visits.first_mut().filter(|_| tables || asked) else {
            return;
        };
        if let Some(party) = self.heard.party(asked)
            && visit.party != Some(party)
        {
            visit.party = Some(party);
            // A time at hand stays wanted; whether a table of that size is free then is looked up again.
            if let Some(chosen) = visit.chosen.take() {
                visit.when = visit.when.then(When::at(chosen.date, chosen.minute));
            }
            visit.offered.clear();
        }
    }

    fn take_party_of_each(&self, goal: &mut BookGoal, asked: bool) {
        if !self.has_tables() && !asked {
            return;
        }
        let parts = self.parts_of_visits(goal.visits.len());
        let mut taken = false;
        for (visit, part) in goal.visits.iter_mut().zip(&parts) {
            let people = self.heard.party_in(part);
            taken |= people.is_some();
            if people.is_some() && people != visit.party {
                visit.party = people;
                visit.forget_times();
            }
        }
        let open = goal.visits.iter_mut().find(|visit| visit.party.is_none());
        let people = self.heard.party(asked).filter(|_| !taken);
        if let (Some(visit), Some(people)) = (open, people) {
            visit.party = Some(people);
        }
    }

    /// Puts a visit behind the one before where the same person, or the same one of the team, would be in both at once.
    pub(super) fn put_behind(
        &mut self,
        visit: &mut VisitWish,
        before: &VisitWish,
        in_turn: bool,
    ) -> Known<()> {
        let Some(first) = &before.chosen else {
            return Ok(());
        };
        let own = |of: &VisitWish| (of.whose.clone(), of.name.clone());
        let service = before.service.and_then(|id| self.business.service(id));
        let takes = service.and_then(|it| it.duration_minutes).unwrap_or(0);
        let (from, to) = (first.minute, first.minute.saturating_add(takes.max(1)));
        let moves = match &visit.chosen {
            Some(slot) => {
                let shared = in_turn
                    || own(visit) == own(before)
                    || first.staff.is_some() && first.staff == slot.staff;
                shared && slot.date == first.date && (from..to).contains(&slot.minute)
            }
            None => in_turn && visit.when.time.is_none(),
        };
        if !moves {
            let soon = visit.chosen.as_ref().is_some_and(|slot| {
                let same = first.staff.is_some() && first.staff == slot.staff;
                same && slot.date == first.date && (to..to + PAUSE).contains(&slot.minute)
            });
            if soon {
                // Whoever attends both may need a moment between them.
                self.take_somebody_else(visit, first)?;
            }
            return Ok(());
        }
        if !in_turn && self.take_somebody_else(visit, first)? {
            return Ok(());
        }
        let date = first.date;
        let wanted = VisitWish {
            when: When::default(),
            ..visit.clone()
        };
        let free = self.free_times(&wanted, Some((date, 1)), false)?;
        let later = free
            .slots
            .into_iter()
            .filter(|slot| slot.date == date && slot.minute >= to);
        let rested = |slot: &SlotOffer| slot.staff != first.staff || slot.minute >= to + PAUSE;
        let later: Vec<SlotOffer> = later.collect();
        let next = later.iter().find(|slot| rested(slot)).or(later.first());
        if let Some(slot) = next.cloned() {
            visit.when = When::at(slot.date, slot.minute);
            visit.chosen = Some(slot);
        }
        Ok(())
    }

    /// Finds another one of the team for a visit at the very time of the one before. `false` where nobody else is free.
    fn take_somebody_else(&mut self, visit: &mut VisitWish, first: &SlotOffer) -> Known<bool> {
        let Some(slot) = visit.chosen.clone().filter(|_| visit.staff.is_none()) else {
            return Ok(false);
        };
        let service = visit.service.and_then(|id| self.business.service(id));
        let able = |person: &&StaffFact| service.is_some_and(|it| it.staff.contains(&person.name));
        let business = self.business;
        let others = business.staff.iter().filter(able);
        let others = others.filter(|person| first.staff.as_ref() != Some(&person.name));
        for person in others.take(MOST_OTHERS) {
            let wanted = VisitWish {
                staff: Some(person.id),
                when: When::default(),
                ..visit.clone()
            };
            let free = self.free_times(&wanted, Some((slot.date, 1)), false)?;
            let mut same = free.slots.into_iter().filter(|it| it.minute == slot.minute);
            if let Some(same) = same.next() {
                visit.chosen = Some(same);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The branch that a part of the message names.
    pub(super) fn branch_in(&self, part: &Range<usize>) -> Option<Uuid> {
        let text = self.heard.text.get(part.clone())?;
        let index = &self.business.names.branches;
        let full = index.named_in_full(text);
        full.first().map(|named| named.id)
    }

    /// The parts of the message that speak of one visit each, where it can be told: something stands there once for
    /// each of them, and they are set apart.
    pub(super) fn parts_of_visits(&self, visits: usize) -> Vec<Range<usize>> {
        let text = self.heard.text.as_str();
        let parts = |kind: SpanKind| {
            let mut spans: Vec<&HeardSpan> = self.heard.of(kind).collect();
            if kind == SpanKind::Time && spans.len() > visits {
                // "La de 5" is how old she is, where the hours are written as such.
                spans.retain(|span| span.text.contains(':'));
            }
            let spans: Vec<Range<usize>> = spans.iter().map(|span| span.range.clone()).collect();
            if spans.len() != visits {
                return None;
            }
            let mut from = 0;
            let mut parts = Vec::new();
            for pair in spans.windows(2) {
                let between = text.get(pair[0].end..pair[1].start)?;
                let marks = [" y ", " and ", ",", ";", "."].into_iter();
                let at = marks.filter_map(|mark| between.rfind(mark)).max()?;
                parts.push(from..pair[0].end + at);
                from = pair[0].end + at;
            }
            parts.push(from..text.len());
            Some(parts)
        };
        if visits < 2 {
            return Vec::new();
        }
        ONE_EACH.into_iter().find_map(parts).unwrap_or_default()
    }

    pub(super) fn take_times(&self, goal: &mut BookGoal) {
        let asked = self.asked_when();
        let now = &self.profile.now;
        // Beside a yes an hour is told for some other reason: "sí, salgo a las 11:30".
        let yes = matches!(self.consent, Consent::Yes | Consent::Doubtful);
        let agreed = self.before.awaited == Some(Awaited::Consent) && yes;
        if agreed && !self.heard.does(Act::Correct) && !self.heard.does(Act::Book) {
            return;
        }
        if goal.visits.len() > 1 {
            let text = self.heard.blanked(&NOT_TIMES);
            let read = |part: &str| When::read(part, self.heard.language, now, asked);
            let parts = self.parts_of_visits(goal.visits.len());
            // What is marked as the hour of a part is it, whatever else is counted there.
            let hour = |part: &Range<usize>| {
                let mut marked = self.heard.of(SpanKind::Time);
                let marked = marked.find(|span| part.contains(&span.range.start));
                marked.and_then(|span| read(&span.text).time)
            };
            let mut each: Vec<When> = parts
                .iter()
                .map(|part| {
                    let when = read(&text[part.clone()]);
                    When {
                        time: hour(part).or(when.time),
                        ..when
                    }
                })
                .collect();
            if each.is_empty() {
                each = clauses(&self.heard.text)
                    .iter()
                    .map(|clause| read(clause))
                    .collect();
            }
            each.retain(|when| when.time.is_some() || when.day.is_some());
            if each.len() == goal.visits.len() {
                let all = self.heard.when(now, asked);
                for (visit, mut when) in goal.visits.iter_mut().zip(each) {
                    when.day = when.day.or(all.day.filter(|_| visit.when.day.is_none()));
                    self.take_time(&mut visit.when, &mut visit.offered, &mut visit.chosen, when);
                }
                return;
            }
        }
        let mut when = self.heard.when(now, asked);
        if let [visit] = goal.visits.as_slice()
            && let Some(minute) = self.hour_at_hand(visit)
        {
            when.time = Some(quipu_language::Time {
                minute,
                certain: true,
            });
        }
        let days = self.heard.days(now);
        let in_turn = goal.in_turn;
        for (at, visit) in goal.visits.iter_mut().enumerate() {
            let mut when = when;
            if at > 0 && in_turn {
                // Those behind the first come when it is over.
                when.time = None;
            }
            let known = visit.chosen.as_ref().map(|slot| slot.date);
            let known = known.or(visit.when.day.and_then(Day::single));
            // Of the days that are named beside the one at hand, the other one is wanted instead of it.
            let mut others = days.iter().filter(|day| Some(**day) != known);
            if days.len() > 1
                && let (Some(other), None) = (others.next(), others.next())
            {
                when.day = Some(Day::On(*other));
            }
            self.take_time(&mut visit.when, &mut visit.offered, &mut visit.chosen, when);
        }
    }

    /// Of several hours in a message the one that is on offer or was chosen: the others say why. Whoever puts right the
    /// hour that was chosen names it to say that it will not do.
    fn hour_at_hand(&self, visit: &VisitWish) -> Option<u16> {
        let named = self.heard.minutes(&self.profile.now);
        let offered = visit.offered.iter().chain(&visit.chosen);
        let there: Vec<u16> = offered.map(|slot| slot.minute).collect();
        let several = named.len() > 1;
        let corrects = self.heard.does(Act::Correct) || self.consent == Consent::No;
        let chosen = visit.chosen.as_ref().map(|slot| slot.minute);
        let chosen = chosen.filter(|minute| named.contains(minute));
        let meant = match chosen.filter(|_| corrects) {
            Some(wrong) => named.into_iter().find(|minute| *minute != wrong),
            None => named.into_iter().find(|minute| there.contains(minute)),
        };
        meant.filter(|_| several)
    }
}

/// The parts of a message that may each speak of another visit.
pub(super) fn clauses(text: &str) -> Vec<String> {
    let text = text.replace(" y ", ",").replace(" and ", ",");
    text.split([',', ';', '.', '\n'])
        .map(str::to_owned)
        .collect()
}
