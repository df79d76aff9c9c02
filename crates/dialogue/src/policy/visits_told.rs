//! Visits in words: what is read back before they are booked, and what is told of them afterwards.

use super::PolicyRun;
use crate::business::ServiceFact;
use crate::say::{Phrase, capital};
use crate::state::{AgreedVisit, OwnKind};
use quipu_commerce::money::Money;
use quipu_core::lead::Temperature;

impl PolicyRun<'_> {
    pub(super) fn read_back_visits(&mut self, agreed: &[AgreedVisit]) {
        let several = agreed.len() > 1;
        if several {
            let list: Vec<String> = agreed.iter().map(|visit| self.in_a_list(visit)).collect();
            let list = self.voice.and(&list);
            let total = self.total_of(agreed).unwrap_or_default();
            self.say(Phrase::ConfirmVisits, &[("list", &list), ("total", &total)]);
            return;
        }
        if let Some(visit) = agreed.first() {
            self.say_visit(visit, Phrase::ConfirmBooking, Phrase::ConfirmTable);
        }
    }

    /// A visit as one of several: "Corte clásico el sábado 25 de abril a las 4:00 p. m., a nombre de Ana".
    pub(super) fn in_a_list(&self, visit: &AgreedVisit) -> String {
        let service = visit.service.and_then(|id| self.business.service(id));
        let what = service.map_or_else(String::new, |service| service.name.clone());
        let day = self.voice.day(visit.slot.date);
        let on = self.voice.pick("el ", "on ");
        let mut text = format!("{what} {on}{day} {}", self.voice.at(visit.slot.minute));
        if let Some(name) = &visit.name {
            let of = self.voice.pick("a nombre de", "for");
            text = format!("{text}, {of} {name}");
        }
        text.trim().to_owned()
    }

    pub(super) fn say_visit(&mut self, visit: &AgreedVisit, phrase: Phrase, table: Phrase) {
        let service = visit.service.and_then(|id| self.business.service(id));
        let voice = self.voice;
        let (day, time) = (voice.day(visit.slot.date), voice.at(visit.slot.minute));
        let several = self.business.branches.len() > 1;
        let branch = visit
            .slot
            .branch
            .clone()
            .filter(|_| several)
            .unwrap_or_default();
        let customer = visit.name.clone().unwrap_or_default();
        let people = visit
            .party
            .map(|party| self.people(party))
            .unwrap_or_default();
        if service.is_some_and(ServiceFact::with_table) {
            let filling = [
                ("party", people.as_str()),
                ("day", &day),
                ("time", &time),
                ("branch", &branch),
                ("customer", &customer),
            ];
            self.say(table, &filling);
            return;
        }
        let what = service.map_or_else(
            || voice.pick("tu cita", "your appointment").to_owned(),
            |service| service.name.clone(),
        );
        let price = service.filter(|service| !service.is_free());
        let price = price
            .and_then(|service| service.price_range.clone())
            .unwrap_or_default();
        let place = visit.slot.branch.as_deref();
        let place = self
            .business
            .branches
            .iter()
            .find(|it| Some(it.name.as_str()) == place);
        let afar = service.is_some_and(ServiceFact::is_from_afar);
        let address = place
            .and_then(|branch| branch.address.clone())
            .filter(|_| !afar)
            .unwrap_or_default();
        let branch = if afar { String::new() } else { branch };
        let what = capital(&what);
        let filling = [
            ("service", what.as_str()),
            ("day", &day),
            ("time", &time),
            ("branch", &branch),
            ("staff", visit.slot.staff.as_deref().unwrap_or_default()),
            ("price", &price),
            ("person", visit.whose.as_deref().unwrap_or_default()),
            ("people", &people),
            ("customer", &customer),
            ("address", &address),
        ];
        self.say(phrase, &filling);
        if let Some(service) = service.filter(|_| phrase == Phrase::ConfirmBooking)
            && let Some(promotion) = &service.promotion_text
        {
            let price = service.promotion_price.clone().unwrap_or_default();
            self.say(
                Phrase::ConfirmPromotion,
                &[("promotion", promotion), ("price", &price)],
            );
        }
    }

    pub(super) fn people(&self, party: u16) -> String {
        match (party, self.voice.language) {
            (1, quipu_core::language::Language::Es) => "1 persona".to_owned(),
            (1, quipu_core::language::Language::En) => "1 person".to_owned(),
            (_, quipu_core::language::Language::Es) => format!("{party} personas"),
            (_, quipu_core::language::Language::En) => format!("{party} people"),
        }
    }

    /// What several visits cost together, where every one has one price.
    pub(super) fn total_of(&self, agreed: &[AgreedVisit]) -> Option<String> {
        let prices = agreed.iter().map(|visit| {
            let service = self.business.service(visit.service?)?;
            let one = service.price_max.is_none() || service.price_max == service.price_min;
            service.price_min.filter(|_| one)
        });
        let prices: Option<Vec<Money>> = prices.collect();
        let prices = prices?;
        let mut sums = prices.into_iter();
        let first = sums.next()?;
        let total = sums.try_fold(first, Money::plus).ok()?;
        (!total.is_zero()).then(|| total.format(self.voice.language))
    }

    pub(super) fn tell_booked(&mut self, made: &[AgreedVisit]) {
        let [first, others @ ..] = made else { return };
        self.state.warm(Temperature::Hot);
        self.state.topic.own = Some(OwnKind::Visit);
        if others.is_empty() {
            self.say_visit(first, Phrase::DoneBooked, Phrase::DoneTable);
            return;
        }
        let list: Vec<String> = made.iter().map(|visit| self.in_a_list(visit)).collect();
        let list = self.voice.and(&list);
        let total = self.total_of(made).unwrap_or_default();
        self.say(Phrase::DoneVisits, &[("list", &list), ("total", &total)]);
    }
}
