//! Services that nobody gets without having been seen first.

use super::PolicyRun;
use crate::business::{BusinessFacts, ServiceFact};
use crate::read::{WordList, folded_words};
use crate::say::Phrase;
use crate::state::{Awaited, Goal, OfferedGoal, VisitWish};
use uuid::Uuid;

impl<'a> PolicyRun<'a> {
    /// The visit in which somebody is looked at.
    pub(super) fn consultation(&self) -> Option<&'a ServiceFact> {
        self.consultation_before(None)
    }

    /// The visit in which somebody is looked at before a service: with those who do it, or else of its kind.
    pub(super) fn consultation_before(
        &self,
        service: Option<&ServiceFact>,
    ) -> Option<&'a ServiceFact> {
        let business: &'a BusinessFacts = self.business;
        let named = |name: &str| WordList::get("consultations").is_in(&folded_words(name));
        let seen = business
            .bookable()
            .filter(|it| !it.requires_consultation && !it.urgent && named(&it.name));
        // Of equals the one that the business names first.
        let near = |it: &&ServiceFact| {
            let shared = |of: &ServiceFact| it.staff.iter().any(|person| of.staff.contains(person));
            let alike = |of: &ServiceFact| it.category.is_some() && it.category == of.category;
            service.map_or(0, |of| 2 * u8::from(shared(of)) + u8::from(alike(of)))
        };
        let seen: Vec<&ServiceFact> = seen.collect();
        seen.into_iter().rev().max_by_key(near)
    }

    /// The one of the team who looks at somebody and does the service after it, where it is one.
    pub(super) fn who_does_both(&self, service: &ServiceFact, seen: &ServiceFact) -> Option<Uuid> {
        let does = |of: &ServiceFact, name: &String| of.staff.contains(name);
        let staff = self.business.staff.iter();
        let mut both = staff.filter(|it| does(service, &it.name) && does(seen, &it.name));
        let first = both.next()?;
        both.next().is_none().then_some(first.id)
    }

    /// Offers the visit in which somebody is looked at, before a service that needs it. `true` when the wish can go on.
    pub(super) fn settle_consultation(&mut self, visit: &mut VisitWish) -> bool {
        let service = visit.service.and_then(|id| self.business.service(id));
        let Some(service) = service.filter(|service| service.requires_consultation) else {
            return true;
        };
        let Some(consultation) = self.consultation_before(Some(service)) else {
            return true;
        };
        let offered = OfferedGoal::Book {
            service: Some(consultation.id),
        };
        if self.before.awaited == Some(Awaited::Offer(offered)) {
            // Who names a day, an hour or somebody takes it; who insists may have been seen already.
            let before = match &self.before.goal {
                Some(Goal::Book(goal)) => goal.visits.first().cloned().unwrap_or_default(),
                _ => VisitWish::default(),
            };
            let settles = visit.when != before.when
                || visit.staff != before.staff
                || visit.name != before.name;
            if settles {
                visit.staff = visit.staff.or(self.who_does_both(service, consultation));
                visit.service = Some(consultation.id);
                return true;
            }
            if self.offer_person() {
                return false;
            }
        }
        let price = consultation.price_range.clone().unwrap_or_default();
        let filling = [
            ("service", service.name.as_str()),
            ("consultation", &consultation.name),
            ("price", &price),
        ];
        let id = consultation.id;
        self.say(Phrase::ConsultationFirst, &filling);
        self.state.awaited = Some(Awaited::Offer(OfferedGoal::Book { service: Some(id) }));
        false
    }
}
