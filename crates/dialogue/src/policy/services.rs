//! What a message names as services.

use super::PolicyRun;
use super::several::LONGEST_NAME;
use super::several::{MOST_VISITS, clauses};
use crate::facts::Known;
use crate::read::{Consent, HeardSpan, LinkedNames, folded_words};
use crate::state::{Awaited, BookGoal, Goal, VisitWish};
use quipu_core::reading::{Act, SpanKind};
use quipu_core::text::preview;
use uuid::Uuid;

/// A clause of more words names nothing by what it means.
const MOST_CLAUSE_WORDS: usize = 6;
/// An answer of more words is no name of a service.
const MOST_NAME_WORDS: usize = 5;
/// How many services are asked about at once.
const MOST_AMONG: usize = 20;

impl PolicyRun<'_> {
    pub(super) fn take_services(&mut self, goal: &mut BookGoal) -> Known<()> {
        let goes_on = matches!(self.before.goal, Some(Goal::Book(_)));
        let wishes = self.heard.does(Act::Book) || self.heard.does(Act::Correct);
        if goes_on && self.heard.does(Act::Ask) && !wishes {
            return Ok(());
        }
        let mentions = self.services_named(goal)?;
        let mut ids: Vec<Uuid> = Vec::new();
        for mention in &mentions {
            if let LinkedNames::One(id) = &mention.linked
                && !ids.contains(id)
            {
                ids.push(*id);
            }
        }
        self.prefer_consultations(&mut ids, goal);
        let many = goal.visits.len() > 1;
        if many && ids.len() == goal.visits.len() {
            for (visit, id) in goal.visits.iter_mut().zip(&ids) {
                visit.take_service(*id);
            }
            return Ok(());
        }
        let Some(first) = ids.first().copied() else {
            let Some(visit) = goal.visits.iter_mut().find(|visit| visit.service.is_none()) else {
                return Ok(());
            };
            for mention in mentions {
                match mention.linked {
                    LinkedNames::Several(mut among) => {
                        among.truncate(MOST_AMONG);
                        visit.among = among;
                    }
                    LinkedNames::None => visit.unknown = Some(preview(&mention.said, LONGEST_NAME)),
                    LinkedNames::One(_) => {}
                }
            }
            return Ok(());
        };
        if many {
            let open = goal
                .visits
                .iter_mut()
                .filter(|visit| visit.service.is_none());
            for (visit, id) in open.zip(ids.iter().cycle()) {
                visit.take_service(*id);
            }
            return Ok(());
        }
        let Some(visit) = goal.visits.first_mut() else {
            return Ok(());
        };
        let instead = self.heard.does(Act::Correct) || self.consent == Consent::No;
        let besides = self.heard.says("another_visit") || self.heard.does(Act::Add) && !instead;
        let seen_first = visit
            .service
            .is_some_and(|known| self.comes_before(first, known));
        let other = visit.service.is_some_and(|known| known != first) && !seen_first;
        if other && besides && ids.len() == 1 {
            let branch = visit.branch;
            goal.visits.push(VisitWish {
                service: Some(first),
                branch,
                ..VisitWish::default()
            });
            return Ok(());
        }
        visit.take_service(first);
        for id in ids.into_iter().skip(1).take(MOST_VISITS - 1) {
            let first = goal.visits[0].clone();
            goal.visits.push(VisitWish {
                service: Some(id),
                offered: Vec::new(),
                chosen: None,
                ..first
            });
        }
        Ok(())
    }

    /// Of a service and the visit in which somebody is seen before it, the visit is what can be booked now.
    fn prefer_consultations(&self, ids: &mut Vec<Uuid>, goal: &mut BookGoal) {
        let named = ids.clone();
        let service = |id: &Uuid| self.business.service(*id);
        let pairs = named
            .iter()
            .flat_map(|seen| named.iter().map(move |id| (seen, id)));
        for (seen, id) in pairs.filter(|(seen, id)| self.comes_before(**seen, **id)) {
            // Whoever is looked at for braces is looked at by whoever puts them in.
            if let (Some(seen), Some(other), [visit]) =
                (service(seen), service(id), goal.visits.as_mut_slice())
            {
                visit.staff = visit.staff.or(self.who_does_both(other, seen));
            }
        }
        ids.retain(|id| {
            !named
                .iter()
                .any(|other| other != id && self.comes_before(*other, *id))
        });
        // A visit that was settled already is named again, and not wanted twice.
        let wanted = |id: &Uuid| goal.visits.iter().any(|visit| visit.service == Some(*id));
        if ids.len() > 1 && goal.visits.len() == 1 && self.heard.says("only_one") {
            let keep = ids.iter().find(|id| wanted(id)).or(ids.first()).copied();
            ids.retain(|id| Some(*id) == keep);
        }
    }

    /// Whether somebody is seen in the one before they get the other.
    fn comes_before(&self, consultation: Uuid, service: Uuid) -> bool {
        let service = self.business.service(service);
        let service = service.filter(|service| service.requires_consultation);
        let before = service.and_then(|service| self.consultation_before(Some(service)));
        before.is_some_and(|before| before.id == consultation)
    }

    /// What the message names as services, in its order.
    pub(super) fn services_named(&self, goal: &BookGoal) -> Known<Vec<ServiceMention>> {
        let index = &self.business.names.services;
        let language = self.heard.language;
        let mut mentions: Vec<ServiceMention> = Vec::new();
        let spans: Vec<&HeardSpan> = self.heard.of(SpanKind::Service).collect();
        let mut at = 0;
        while let Some(span) = spans.get(at) {
            // "Corte y" and "barba" side by side may be one service.
            let joined = spans.get(at + 1).and_then(|next| {
                let gap = self.heard.text.get(span.range.end..next.range.start)?;
                let part = self.heard.text.get(span.range.start..next.range.end)?;
                let linked = index.link(part, language);
                (gap.split_whitespace().count() <= 1 && matches!(linked, LinkedNames::One(_)))
                    .then(|| (part.to_owned(), linked))
            });
            let (said, linked) = match joined {
                Some(joined) => {
                    at += 1;
                    joined
                }
                None => (span.text.clone(), self.link_among(goal, &span.text)),
            };
            mentions.push(ServiceMention {
                at: span.range.start,
                said,
                linked,
            });
            at += 1;
        }
        // "Inglés … clase de prueba" together may name what neither names alone.
        let one = |mention: &ServiceMention| matches!(mention.linked, LinkedNames::One(_));
        if mentions.len() > 1 && !mentions.iter().any(one) {
            let said: Vec<&str> = mentions
                .iter()
                .map(|mention| mention.said.as_str())
                .collect();
            let said = said.join(" ");
            let linked = index.link(&said, language);
            if matches!(linked, LinkedNames::One(_)) {
                mentions = vec![ServiceMention {
                    at: 0,
                    said,
                    linked,
                }];
            }
        }
        let turned_down = |mention: &ServiceMention| self.is_turned_down(mention.at, &mention.said);
        let refused = mentions
            .iter()
            .position(turned_down)
            .map(|at| mentions.remove(at));
        mentions.retain(|mention| !turned_down(mention));
        if let Some(refused) = refused.filter(|_| mentions.is_empty()) {
            // "No es simple, es la del juicio" names the other one by less than a name.
            let rest = heard_behind(&self.heard.text, refused.at + refused.said.len());
            let linked = index.link(rest, language);
            mentions.push(ServiceMention {
                at: refused.at + refused.said.len(),
                said: rest.to_owned(),
                linked,
            });
        }
        for named in index.named_in_full(&self.heard.text) {
            if self.is_turned_down(named.range.start, &self.heard.text[named.range.clone()]) {
                continue;
            }
            let known = mentions
                .iter()
                .any(|mention| mention.linked == LinkedNames::One(named.id));
            let covers = |it: &ServiceMention| {
                it.at < named.range.end && named.range.start < it.at + it.said.len()
            };
            let inside =
                |it: &ServiceMention| covers(it) && matches!(it.linked, LinkedNames::One(_));
            if !known && !mentions.iter().any(inside) {
                // A name in full says more than the part of it that was marked.
                mentions.retain(|it| !covers(it));
                mentions.push(ServiceMention {
                    at: named.range.start,
                    said: self.heard.text[named.range.clone()].to_owned(),
                    linked: LinkedNames::One(named.id),
                });
            }
        }
        let open = goal.visits.iter().any(|visit| visit.service.is_none());
        let one = |mention: &ServiceMention| matches!(mention.linked, LinkedNames::One(_));
        if open && !mentions.iter().any(one) {
            self.add_whole_message(goal, &mut mentions)?;
        }
        if let Some(role) = self.role_wanted() {
            // "El doctor que pone implantes" is somebody, and no implant.
            mentions.retain(|mention| !role.contains(&mention.at));
        }
        let linked_any = mentions
            .iter()
            .any(|mention| matches!(mention.linked, LinkedNames::One(_)));
        if open && !linked_any && !index.is_empty() {
            for mention in &mut mentions {
                if mention.linked == LinkedNames::None {
                    mention.linked = self.services_meant(&mention.said)?;
                }
            }
        }
        mentions.sort_by_key(|mention| mention.at);
        Ok(mentions)
    }

    /// Whether a name stands beside the "no" that turns it down: "prioritaria no, con el pediatra".
    pub(super) fn is_turned_down(&self, at: usize, said: &str) -> bool {
        let text = self.heard.text.as_str();
        let behind = text.get(at + said.len()..).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        let pause = behind.find([',', '.', ';', '!']).unwrap_or(behind.len());
        let after = folded_words(&behind[..pause]);
        let mut words = folded_words(before);
        // "No es simple" turns it down as well.
        words.pop_if(|word| word == "es" || word == "era");
        let last = words.pop();
        let pause_before = before.trim_end().ends_with([',', '.', ';', '!']);
        after == ["no"] || last.is_some_and(|word| word == "no") && !pause_before
    }

    /// Looks for a service in the message as a whole, where none of its marked parts names one.
    pub(super) fn add_whole_message(
        &self,
        goal: &BookGoal,
        mentions: &mut Vec<ServiceMention>,
    ) -> Known<()> {
        let heard = self.heard;
        let said = heard.without(&[SpanKind::Name, SpanKind::Staff, SpanKind::Branch]);
        let asked = self.before.awaited == Some(Awaited::Service);
        let linked = if asked {
            self.link_among(goal, &said)
        } else {
            self.business
                .names
                .services
                .link_firmly(&said, heard.language)
        };
        if linked != LinkedNames::None {
            let said = heard.text.clone();
            mentions.push(ServiceMention {
                at: 0,
                said,
                linked,
            });
            return Ok(());
        }
        let bookable = || {
            let services = self.business.bookable();
            services.map(|service| (service.id, service.name.clone()))
        };
        let vertical = self.profile.vertical;
        let tables = self
            .business
            .bookable()
            .all(|it| it.counts_people(vertical));
        for clause in clauses(&said) {
            let few = (1..=MOST_CLAUSE_WORDS).contains(&clause.split_whitespace().count());
            if !few || !(asked || tables) {
                continue;
            }
            let linked = self.link_by_meaning(&clause, bookable())?;
            if let LinkedNames::One(_) = linked {
                mentions.push(ServiceMention {
                    at: 0,
                    said: clause,
                    linked,
                });
                return Ok(());
            }
        }
        let short = heard.words.len() <= MOST_NAME_WORDS && self.consent == Consent::Open;
        let named = heard.has(SpanKind::Name)
            || heard.has(SpanKind::Date)
            || heard.has(SpanKind::Time)
            || self.branch_named().is_some();
        if asked && short && !named && mentions.is_empty() {
            mentions.push(ServiceMention {
                at: 0,
                said: heard.text.clone(),
                linked: LinkedNames::None,
            });
        }
        Ok(())
    }

    /// What a text names, first among the services that were asked about.
    pub(super) fn link_among(&self, goal: &BookGoal, text: &str) -> LinkedNames<Uuid> {
        let linked = self.business.names.services.link(text, self.heard.language);
        let among: Vec<Uuid> = goal
            .visits
            .iter()
            .flat_map(|visit| visit.among.clone())
            .collect();
        match linked {
            LinkedNames::Several(ids) => {
                let fitting: Vec<Uuid> = ids
                    .iter()
                    .copied()
                    .filter(|id| among.contains(id))
                    .collect();
                match fitting.as_slice() {
                    [one] => LinkedNames::One(*one),
                    _ => LinkedNames::Several(ids),
                }
            }
            other => other,
        }
    }
}

/// What stands behind a place, up to the end of the sentence.
fn heard_behind(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.find(['.', ';', '!', '?', '\n']).unwrap_or(rest.len());
    &rest[..end]
}

/// What a message names as a service.
pub(super) struct ServiceMention {
    at: usize,
    said: String,
    linked: LinkedNames<Uuid>,
}
