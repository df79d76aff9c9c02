//! Takes what a message says into the visits that are being booked or moved.

use super::PolicyRun;
use super::own::without_old_time;
use crate::facts::Known;
use crate::read::LinkedNames;
use crate::state::{Awaited, BookGoal, MoveGoal, VisitWish};
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, SpanKind};
use quipu_language::when::When;
use uuid::Uuid;

impl PolicyRun<'_> {
    pub(super) fn take_in_visits(&mut self, goal: &mut BookGoal) -> Known<bool> {
        let before = goal.clone();
        if goal.visits.is_empty() {
            goal.visits.push(VisitWish::default());
        }
        if self.only_asks() {
            // "¿Es con la doctora Ríos?" wants her.
            self.take_staff(goal)?;
            return Ok(*goal != before);
        }
        goal.in_turn |= self.heard.says("in_turn");
        goal.in_turn &= !self.heard.says("at_once") || self.heard.says("in_turn");
        self.keep_one(goal);
        self.add_person(goal);
        self.split_by_people(goal);
        self.take_services(goal)?;
        self.take_parties(goal);
        let heard = self.heard;
        self.take_staff(goal)?;
        let branch = match self.branch_named() {
            Some(branch) => Some(branch),
            None => self.branch_meant()?,
        };
        let parts = self.parts_of_visits(goal.visits.len());
        for (at, visit) in goal.visits.iter_mut().enumerate() {
            let own = parts.get(at).and_then(|part| self.branch_in(part));
            let branch = own.or(branch);
            if let Some(branch) = branch.filter(|branch| visit.branch != Some(*branch)) {
                visit.branch = Some(branch);
                visit.forget_times();
            }
        }
        self.take_times(goal);
        self.take_names(goal);
        if heard.says("for_nobody_else") {
            for visit in &mut goal.visits {
                visit.whose = None;
            }
        }
        Ok(*goal != before)
    }

    fn take_staff(&self, goal: &mut BookGoal) -> Known<()> {
        // Beside an hour that is chosen, "¿es con la pediatra?" asks and changes nothing.
        let chooses = self.heard.has(SpanKind::Time) || self.heard.does(Act::Choose);
        if chooses && self.heard.asks() && self.heard.says("is_it_with") {
            return Ok(());
        }
        if self.heard.says("anybody") {
            for visit in goal.visits.iter_mut().filter(|visit| visit.staff.is_some()) {
                visit.staff = None;
                visit.forget_times();
            }
            return Ok(());
        }
        let Some(staff) = self.staff_meant()? else {
            return Ok(());
        };
        for visit in &mut goal.visits {
            let chosen = visit.chosen.as_ref().and_then(|slot| slot.staff.as_deref());
            let same = self
                .business
                .person(staff)
                .is_some_and(|person| chosen == Some(person.name.as_str()));
            if visit.staff != Some(staff) && !same {
                visit.staff = Some(staff);
                visit.forget_times();
            }
        }
        Ok(())
    }

    /// Whether the message only asks, so that what it names is not meant for the goal under way.
    pub(super) fn only_asks(&self) -> bool {
        let does = [
            Act::Book,
            Act::Provide,
            Act::Choose,
            Act::Correct,
            Act::Affirm,
            Act::Order,
            Act::Add,
            Act::Remove,
            Act::Swap,
            Act::Reschedule,
            Act::Redeem,
        ];
        let settles = does.iter().any(|act| self.heard.does(*act));
        let about = self.heard.about(Intent::Booking) + self.heard.about(Intent::Ordering);
        self.heard.does(Act::Ask) && !settles && about < 0.5 && !self.answers_besides()
    }

    /// Whether the message answers what was asked, and asks something besides: "a las 4. ¿y cuánto cuesta?".
    fn answers_besides(&self) -> bool {
        let kinds: &[SpanKind] = match &self.before.awaited {
            Some(Awaited::Slot | Awaited::Day) => &[SpanKind::Time, SpanKind::Date],
            Some(Awaited::Name) => &[SpanKind::Name],
            Some(Awaited::Party) => &[SpanKind::Party],
            Some(Awaited::Branch) => &[SpanKind::Branch],
            Some(Awaited::Address) => &[SpanKind::Address],
            Some(Awaited::Payment) => &[SpanKind::Payment],
            _ => &[],
        };
        let questions = self.heard.questions();
        let mut spans = self
            .heard
            .spans
            .iter()
            .filter(|span| kinds.contains(&span.kind));
        spans.any(|span| {
            !questions
                .iter()
                .any(|asked| asked.text.contains(span.text.as_str()))
        })
    }

    /// Whether anything that is booked asks how many people come.
    pub(super) fn has_tables(&self) -> bool {
        let vertical = self.profile.vertical;
        let mut bookable = self.business.bookable();
        bookable.any(|service| service.counts_people(vertical))
    }

    /// Which branch is named.
    pub(super) fn branch_named(&self) -> Option<Uuid> {
        if self.business.branches.len() < 2 {
            return None;
        }
        let index = &self.business.names.branches;
        let language = self.heard.language;
        let kinds = [SpanKind::Branch, SpanKind::Address];
        let spans = self.heard.spans.iter();
        let mut linked = spans
            .filter(|span| kinds.contains(&span.kind))
            .filter_map(|span| index.link(&span.text, language).one());
        let named = linked.next();
        named
            .or_else(|| {
                let full = index.named_in_full(&self.heard.text);
                full.first().map(|named| named.id)
            })
            .or_else(|| {
                let asked = self.before.awaited == Some(Awaited::Branch);
                let whole = asked.then(|| index.link(&self.heard.text, language));
                whole.and_then(LinkedNames::one)
            })
    }

    /// Which branch a place that the message names means: "downtown" where there is a "Centro".
    fn branch_meant(&self) -> Known<Option<Uuid>> {
        let asked = self.before.awaited == Some(Awaited::Branch);
        let span = self.heard.of(SpanKind::Branch).next();
        let said = span
            .map(|span| &span.text)
            .or_else(|| asked.then_some(&self.heard.text));
        let Some(said) = said.filter(|_| self.business.branches.len() > 1) else {
            return Ok(None);
        };
        let branches = self.business.branches.iter();
        let branches = branches.map(|branch| (branch.id, branch.name.clone()));
        Ok(self.link_by_meaning(said, branches)?.one())
    }

    pub(super) fn take_in_move(&mut self, goal: &mut MoveGoal) -> Known<bool> {
        let before = goal.clone();
        self.choose_own_visit(&mut goal.visit, true)?;
        if self.only_asks() {
            return Ok(*goal != before);
        }
        if let Some(staff) = self.staff_meant()?.filter(|_| goal.visit.is_some()) {
            goal.staff = Some(staff);
            goal.offered.clear();
        }
        let said = self.heard.when(&self.profile.now, self.asked_when());
        let said = match &goal.visit {
            Some(visit) => without_old_time(said, visit),
            None => said,
        };
        let mut goal_when = goal.when;
        self.take_time(&mut goal_when, &mut goal.offered, &mut goal.chosen, said);
        goal.when = goal_when;
        Ok(*goal != before)
    }
}

impl VisitWish {
    pub(super) fn take_service(&mut self, service: Uuid) {
        if self.service != Some(service) {
            self.service = Some(service);
            self.forget_times();
        }
        self.unknown = None;
        self.among.clear();
    }

    /// Forgets the times on offer; when it is wanted stays.
    pub(super) fn forget_times(&mut self) {
        if let Some(chosen) = self.chosen.take() {
            self.when = self.when.then(When::at(chosen.date, chosen.minute));
        }
        self.offered.clear();
    }
}
