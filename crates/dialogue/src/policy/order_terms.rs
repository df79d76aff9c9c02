//! What a message says of how an order is handed over, when and how it is paid.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{CatalogueName, Consent, LinkedNames, NameIndex, WordList, folded_words};
use crate::state::{Awaited, Handing, OrderGoal};
use jiff::civil::Date;
use quipu_commerce::calendar::Interval;
use quipu_commerce::ordering::{ZoneMatch, read_order, zone_for};
use quipu_core::reading::SpanKind;
use quipu_core::text::preview;
use quipu_language::when::{Day, settle};

const LONGEST_ADDRESS: usize = 300;
const LONGEST_PAYMENT: usize = 80;

impl PolicyRun<'_> {
    pub(super) fn take_in_order(&self, goal: &mut OrderGoal) -> Known<bool> {
        let before = goal.clone();
        let only_asks = self.only_asks();
        if !only_asks {
            self.take_items(goal)?;
            self.take_handing(goal);
            self.take_schedule(goal);
        }
        self.take_payment(goal);
        self.take_reward_of_order(goal)?;
        if let Some(branch) = self.branch_named().filter(|_| goal.zone.is_none()) {
            goal.branch = Some(branch);
        }
        if let [name] = self.names_given().as_slice() {
            goal.name = Some(name.clone());
        }
        if let Some(allergy) = self.heard.of(SpanKind::Allergy).next() {
            let note = self.voice.pick("Alergia", "Allergy");
            let note = format!("{note}: {}", preview(&allergy.text, LONGEST_PAYMENT));
            if !goal.notes.contains(&note) && goal.notes.len() < 3 {
                goal.notes.push(note);
            }
        }
        Ok(*goal != before)
    }

    /// How and where the order comes to the customer.
    pub(super) fn take_handing(&self, goal: &mut OrderGoal) {
        let heard = self.heard;
        let handed: Vec<String> = heard
            .of(SpanKind::Handover)
            .flat_map(|span| folded_words(&span.text))
            .collect();
        // "Para llevar" is carried away by whoever orders it.
        let away = WordList::get("carried_away").is_in(&handed);
        let brings = heard.says("brings") || !away && WordList::get("bring_words").is_in(&handed);
        let fetches = away || heard.says("fetches") || WordList::get("fetch_words").is_in(&handed);
        let address = self.address_given();
        // "La Roma" may be a branch and a part of the town: where nothing is brought, it is the branch.
        let known =
            goal.handing == Some(Handing::Pickup) || self.before.awaited == Some(Awaited::Branch);
        let branch = known && !brings && address.is_none() && self.branch_named().is_some();
        let zone = self.zone_named().filter(|_| !branch);
        if fetches && !brings || fetches && zone.is_none() && address.is_none() {
            goal.handing = Some(Handing::Pickup);
            goal.address = None;
            goal.zone = None;
            return;
        }
        let sells_delivery = self.business.contact.orders.delivery;
        if brings || (zone.is_some() || address.is_some()) && sells_delivery {
            goal.handing = Some(Handing::Delivery);
        }
        if goal.handing != Some(Handing::Delivery) {
            return;
        }
        if let Some(zone) = zone {
            goal.zone = Some(zone);
        }
        if let Some(address) = address {
            goal.address = Some(address);
        }
    }

    /// The zone that the message names.
    pub(super) fn zone_named(&self) -> Option<String> {
        let text = self.heard.without(&[SpanKind::Name, SpanKind::Payment]);
        if let ZoneMatch::Found(zone) = zone_for(&text, &self.business.zones) {
            return Some(zone.name.clone());
        }
        let named = self.business.names.zones.named_in_full(&text);
        let zone = named
            .last()
            .and_then(|named| self.business.zones.get(named.id));
        zone.map(|zone| zone.name.clone())
    }

    /// The street and number that the message gives.
    pub(super) fn address_given(&self) -> Option<String> {
        let names = self.names_given();
        let index = &self.business.names.zones;
        let is_end = |c: char| matches!(c, ',' | '.' | ';') || c.is_whitespace();
        let without_names = |text: &str| {
            let text = names.iter().fold(text.to_owned(), |text, name| {
                text.replace(name.as_str(), "")
            });
            text.trim_matches(is_end).to_owned()
        };
        let is_place = |text: &str| !text.is_empty() && !index.is_name(text);
        let spans = self.heard.of(SpanKind::Address);
        let parts: Vec<String> = spans
            .map(|span| without_names(&span.text))
            .filter(|part| is_place(part))
            .collect();
        let awaited = self.before.awaited.as_ref();
        let asked = matches!(awaited, Some(Awaited::Address | Awaited::Handing));
        let numbered = |part: &str| part.chars().any(|c| c.is_ascii_digit());
        if parts.iter().any(|part| numbered(part)) {
            return Some(bounded(&parts.join(", ")));
        }
        let part = (!parts.is_empty()).then(|| bounded(&parts.join(", ")));
        if !asked || self.consent == Consent::No {
            return None;
        }
        let others = [
            SpanKind::Name,
            SpanKind::Payment,
            SpanKind::Phone,
            SpanKind::Item,
            SpanKind::Quantity,
            SpanKind::Handover,
            SpanKind::Time,
            SpanKind::Date,
        ];
        let text = self.heard.without(&others);
        let clauses = text.split([';', ',', '?']).map(|clause| {
            let sentence = clause.split(". ").next().unwrap_or_default();
            without_names(sentence)
        });
        let mut clauses = clauses.filter(|clause| is_place(clause));
        let street = |clause: &String| {
            let ordered = self.business.menu.as_ref().is_some_and(|menu| {
                let lines = read_order(clause, menu);
                lines.iter().any(|line| line.matched().is_some())
            });
            !ordered && (numbered(clause) || WordList::get("streets").is_in(&folded_words(clause)))
        };
        let street = clauses.find(street).map(|clause| bounded(&clause));
        street.or(part)
    }

    pub(super) fn take_schedule(&self, goal: &mut OrderGoal) {
        let timed = self.heard.has(SpanKind::Time) || self.heard.has(SpanKind::Date);
        if !timed {
            return;
        }
        let when = self.heard.when(&self.profile.now, None);
        let today = self.profile.now.date();
        let date = when.day.and_then(Day::single).unwrap_or(today);
        if let Some(time) = when.time {
            goal.scheduled = Some((date, settle(time, &[])));
        } else if date > today
            && let Some((_, minute)) = self.opening_on(date)
        {
            goal.scheduled = Some((date, minute));
        }
    }

    pub(super) fn opening_on(&self, date: Date) -> Option<(Date, u16)> {
        let opens = self
            .business
            .branches
            .iter()
            .flat_map(|branch| branch.on(date));
        let first = opens.map(Interval::opens).min()?;
        Some((date, first))
    }

    pub(super) fn take_payment(&self, goal: &mut OrderGoal) {
        let methods = &self.business.contact.payment_methods;
        let called = methods.iter().map(|method| CatalogueName {
            id: method.clone(),
            names: vec![method.clone()],
        });
        let index = NameIndex::new(called, self.profile.written_in, |_| false);
        let language = self.heard.language;
        let spans = self.heard.of(SpanKind::Payment);
        let mut marked = spans.map(|span| (&span.text, index.link(&span.text, language)));
        if let Some((said, method)) = marked.next() {
            if self.only_asks() {
                return;
            }
            let again = self.before.awaited == Some(Awaited::Payment);
            match method {
                LinkedNames::One(method) => goal.payment = Some(method),
                // Whoever says "tarjeta" once more has no wish which.
                LinkedNames::Several(among) if again => goal.payment = among.first().cloned(),
                LinkedNames::Several(among) => goal.payment_among = among,
                // Only where nothing is said of how to pay is it whatever is named.
                LinkedNames::None if methods.is_empty() => {
                    goal.payment = Some(preview(said, LONGEST_PAYMENT));
                }
                LinkedNames::None => {}
            }
            return;
        }
        if self.before.awaited == Some(Awaited::Payment) || !self.heard.is_read() {
            let named = index.named_in_full(&self.heard.text);
            if let Some(named) = named.first() {
                goal.payment = Some(named.id.clone());
            }
        }
    }
}

pub(super) fn bounded(text: &str) -> String {
    preview(text.trim(), LONGEST_ADDRESS)
}
