//! What the agent offered: taken up, or turned down.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::Consent;
use crate::say::Phrase;
use crate::state::{Awaited, BookGoal, Goal, OfferedGoal, VisitWish};
use quipu_core::reading::{Act, SpanKind};

/// More words than this say more than no.
const FEW_WORDS: usize = 6;

impl PolicyRun<'_> {
    /// Takes up or drops what the agent offered.
    pub(super) fn answer_offer(&mut self) -> Known<bool> {
        let Some(awaited) = self.before.awaited.clone() else {
            return Ok(false);
        };
        let offered = match awaited {
            Awaited::Person => {
                // "Va, entonces dos de pastor" goes on by itself.
                if self.consent == Consent::Yes && !self.goes_its_own_way() {
                    self.call_person(Phrase::EscalatedPlain)?;
                    return Ok(true);
                }
                if self.only_refuses() {
                    self.state.awaited = None;
                    self.say(Phrase::Left, &[]);
                    return Ok(true);
                }
                return Ok(false);
            }
            Awaited::Offer(offered) => offered,
            _ => return Ok(false),
        };
        if self.only_refuses() {
            self.state.awaited = None;
            // Whoever says that they were seen already is believed by a person, and not by a rule.
            if self.insists_on_service() && self.offer_person() {
                return Ok(true);
            }
            if self.state.goal.is_some() {
                self.state.end();
            }
            self.say(Phrase::Left, &[]);
            return Ok(true);
        }
        if self.consent != Consent::Yes {
            return Ok(false);
        }
        self.take_offer(offered);
        self.take_in()?;
        self.advance()?;
        let questions = self.open_questions(true, true);
        self.answer_all(&questions)?;
        Ok(true)
    }

    /// Whether the message says no and nothing else: "no no, pregunto si van a mi casa" goes on.
    fn only_refuses(&self) -> bool {
        let short = self.heard.words.len() <= FEW_WORDS || self.heard.says("leaves");
        let more = self.heard.says("says_it_asks") || self.heard.has(SpanKind::Service);
        self.consent == Consent::No && short && !more && !self.wants_more()
    }

    /// Whether the message names once more the service that somebody has to be seen for first.
    pub(super) fn insists_on_service(&self) -> bool {
        let Some(Goal::Book(goal)) = &self.state.goal else {
            return false;
        };
        let wanted = goal.visits.iter().filter_map(|visit| visit.service);
        let wanted: Vec<_> = wanted
            .filter_map(|id| self.business.service(id))
            .filter(|service| service.requires_consultation)
            .map(|service| service.id)
            .collect();
        let index = &self.business.names.services;
        let spans = self.heard.of(SpanKind::Service);
        let mut named = spans.filter_map(|span| index.link(&span.text, self.heard.language).one());
        named.any(|id| wanted.contains(&id))
    }

    /// Whether what sounds like a yes only opens a wish of its own, or a question.
    fn goes_its_own_way(&self) -> bool {
        let acts = [Act::Book, Act::Order, Act::Reschedule, Act::Redeem];
        let things = [SpanKind::Item, SpanKind::Quantity, SpanKind::Service];
        let wishes = acts.iter().any(|act| self.heard.does(*act))
            || things.iter().any(|kind| self.heard.has(*kind));
        wishes || self.heard.asks() && !self.heard.does(Act::Affirm)
    }

    /// Whether the message wants something of its own.
    pub(super) fn wants_more(&self) -> bool {
        let acts = [
            Act::Book,
            Act::Order,
            Act::Ask,
            Act::Check,
            Act::Provide,
            Act::Correct,
            Act::Reschedule,
            Act::Redeem,
        ];
        acts.iter().any(|act| self.heard.does(*act))
    }

    pub(super) fn take_offer(&mut self, offered: OfferedGoal) {
        self.state.awaited = None;
        match offered {
            OfferedGoal::Book { service } => match &mut self.state.goal {
                Some(Goal::Book(goal)) => {
                    if let Some(visit) = goal.visits.first_mut() {
                        visit.service = service.or(visit.service);
                    }
                }
                _ => self.state.begin(Goal::Book(BookGoal {
                    visits: vec![VisitWish {
                        service,
                        ..VisitWish::default()
                    }],
                    ..BookGoal::default()
                })),
            },
            OfferedGoal::Order => {
                self.state.begin(Goal::Order(Box::default()));
            }
            OfferedGoal::OrderLater { date, minute } => {
                if let Some(Goal::Order(goal)) = &mut self.state.goal {
                    goal.scheduled = Some((date, minute));
                }
            }
            OfferedGoal::Pickup => {
                if let Some(Goal::Order(goal)) = &mut self.state.goal {
                    goal.handing = Some(crate::state::Handing::Pickup);
                    goal.address = None;
                    goal.zone = None;
                }
            }
        }
    }
}
