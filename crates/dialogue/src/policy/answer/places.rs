//! Where the business is, and where it brings orders.

use super::super::PolicyRun;
use super::says_nothing_else;
use crate::business::{BusinessFacts, ZoneFact};
use crate::facts::Known;
use crate::say::Phrase;
use crate::state::{Goal, SlotOffer};
use quipu_core::analysis::terms;
use quipu_core::reading::SpanKind;
use quipu_core::text;

/// How many places are told at once.
const MOST_TOLD: usize = 6;
/// From here on a sentence about a place is about what is asked.
const ALIKE: f32 = 0.3;
/// How many sentences about places are compared.
const MOST_SENTENCES: usize = 100;

impl<'a> PolicyRun<'a> {
    pub(super) fn tell_place(&mut self, question: &str) -> Known<()> {
        let several = self.business.branches.len() > 1;
        let named = self.branch_named();
        if several && named.is_none() && self.tell_place_of_visit() {
            return Ok(());
        }
        // What is asked besides where it is, such as where to park, is written elsewhere.
        if !says_nothing_else(question, "asks_place") && self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let branches = self.business.branches.iter();
        let wanted = branches.filter(|branch| named.is_none_or(|id| branch.id == id));
        let mut told = false;
        for branch in wanted.take(MOST_TOLD) {
            let Some(address) = &branch.address else {
                continue;
            };
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let (directions, map) = (text(&branch.directions), text(&branch.google_maps_url));
            let city = branch
                .city
                .clone()
                .filter(|city| !address.contains(city.as_str()));
            let city = city.unwrap_or_default();
            let filling = [
                ("branch", branch.name.as_str()),
                ("address", address.trim_end_matches('.')),
                ("city", &city),
                ("directions", directions.trim_end_matches('.')),
                ("map", &map),
            ];
            let phrase = if several {
                Phrase::LocationBranch
            } else {
                Phrase::LocationOne
            };
            self.say(phrase, &filling);
            told = true;
        }
        if told {
            Ok(())
        } else {
            self.tell_known(question)
        }
    }

    /// Tells where the visit is that is being settled. `false` where that is not known.
    fn tell_place_of_visit(&mut self) -> bool {
        let slots: Vec<SlotOffer> = match &self.state.goal {
            Some(Goal::Book(goal)) => goal
                .visits
                .iter()
                .flat_map(|visit| visit.chosen.iter().chain(&visit.offered).cloned())
                .collect(),
            Some(Goal::Move(goal)) => goal.chosen.clone().into_iter().collect(),
            _ => Vec::new(),
        };
        let first = slots.first().and_then(|slot| slot.branch.clone());
        let one = slots.iter().all(|slot| slot.branch == first);
        let Some(name) = first.filter(|_| one) else {
            return false;
        };
        let mut branches = self.business.branches.iter();
        let address = branches
            .find(|branch| branch.name == name)
            .and_then(|branch| branch.address.clone())
            .unwrap_or_default();
        let address = address.trim_end_matches('.');
        self.say(
            Phrase::PlaceOfVisit,
            &[("branch", &name), ("address", address)],
        );
        true
    }

    /// Tells what the business wrote of how a place is reached, where it is about what is asked: "¿tienen rampa?".
    pub(super) fn tell_of_branches(&mut self, question: &str) -> Known<bool> {
        let named = self.branch_named();
        let branches = self.business.branches.iter();
        let branches = branches.filter(|branch| named.is_none_or(|id| branch.id == id));
        let asked = terms(question, self.profile.written_in);
        let mut told: Vec<(String, String)> = Vec::new();
        for branch in branches.take(MOST_TOLD) {
            let text = branch.directions.as_deref().unwrap_or_default();
            let about = text::sentences(text).filter(|sentence| {
                let has = terms(sentence, self.profile.written_in);
                has.iter()
                    .any(|term| asked.contains(term) && !is_named(&branch.name, term))
            });
            told.extend(about.map(|it| (branch.name.clone(), it.trim().to_owned())));
        }
        told.truncate(MOST_SENTENCES);
        if told.is_empty() {
            return Ok(false);
        }
        let texts: Vec<String> = told.iter().map(|(_, text)| text.clone()).collect();
        let likeness = self.facts.compare(question, texts)?;
        let alike: Vec<(String, String)> = told
            .iter()
            .zip(likeness)
            .filter(|(_, likeness)| **likeness >= ALIKE)
            .map(|(it, _)| it.clone())
            .collect();
        let several = self.business.branches.len() > 1;
        for (branch, sentence) in &alike {
            let text = if several {
                format!("{branch}: {sentence}")
            } else {
                sentence.clone()
            };
            self.repeat(text);
        }
        Ok(!alike.is_empty())
    }

    /// Whether orders are brought to a place, and for how much.
    pub(super) fn tell_delivery(&mut self, question: &str) -> Known<()> {
        let zones = &self.business.told_zones;
        if zones.is_empty() || !self.business.contact.orders.delivery {
            return self.tell_known(question);
        }
        if let Some(zone) = self.zone_asked(question) {
            self.say_zone(zone);
            return Ok(());
        }
        let place = self.heard.of(SpanKind::Address).next();
        let names: Vec<&str> = zones.iter().map(|zone| zone.name.as_str()).collect();
        let list = self.voice.and(&names);
        if let Some(place) = place {
            let filling = [("place", place.text.as_str()), ("list", &list)];
            self.say(Phrase::DeliveryNotServed, &filling);
            return Ok(());
        }
        let fees = zones
            .iter()
            .map(|zone| format!("{} ({})", zone.name, zone.fee));
        let list = self.voice.and(&fees.collect::<Vec<_>>());
        self.say(Phrase::DeliveryZones, &[("list", &list)]);
        Ok(())
    }

    fn zone_asked(&self, question: &str) -> Option<&'a ZoneFact> {
        let index = &self.business.names.zones;
        let full = index.named_in_full(question);
        let named = full.first().map(|named| named.id);
        let spans = self.heard.of(SpanKind::Address);
        let mut linked = spans.filter_map(|span| index.link(&span.text, self.heard.language).one());
        let named = named.or_else(|| linked.next())?;
        let business: &'a BusinessFacts = self.business;
        business.told_zones.get(named)
    }

    fn say_zone(&mut self, zone: &ZoneFact) {
        let minutes = zone
            .minutes
            .map(|minutes| minutes.to_string())
            .unwrap_or_default();
        let filling = [
            ("zone", zone.name.as_str()),
            ("fee", &zone.fee),
            ("minimum", zone.minimum.as_deref().unwrap_or_default()),
            ("minutes", &minutes),
        ];
        self.say(Phrase::DeliveryZone, &filling);
    }

    /// How long an order takes: the one that was placed, or any.
    pub(super) fn tell_delivery_time(&mut self, question: &str) -> Known<()> {
        if self.tell_order_time()? || self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let zone = self.zone_asked(question).or_else(|| {
            let zones = self.business.told_zones.iter();
            zones.max_by_key(|zone| zone.minutes)
        });
        if let Some(minutes) = zone.and_then(|zone| zone.minutes) {
            let minutes = minutes.to_string();
            self.say(Phrase::OrderMinutes, &[("minutes", &minutes)]);
            return Ok(());
        }
        self.tell_known(question)
    }

    pub(super) fn tell_minimum(&mut self, question: &str) -> Known<()> {
        let zone = self
            .zone_asked(question)
            .and_then(|zone| zone.minimum.clone());
        let language = self.voice.language;
        let whole = self
            .business
            .contact
            .orders
            .minimum
            .map(|minimum| minimum.format(language));
        let zones = self.business.told_zones.iter();
        let mut least: Vec<String> = zones.filter_map(|zone| zone.minimum.clone()).collect();
        least.dedup();
        let any = Some(least)
            .filter(|least| least.len() == 1)
            .and_then(|mut least| least.pop());
        match zone.or(whole).or(any) {
            Some(minimum) => {
                self.say(Phrase::OrderMinimum, &[("minimum", &minimum)]);
                Ok(())
            }
            None if self.tell_knowledge_of(question)? => Ok(()),
            None => {
                self.say(Phrase::OrderNoMinimum, &[]);
                Ok(())
            }
        }
    }
}

/// Whether a term is one of a name.
fn is_named(name: &str, term: &str) -> bool {
    terms(name, quipu_core::language::Language::Es)
        .iter()
        .any(|it| it == term)
}
