//! Who of the team is meant: by their name, by a part of it, or by what they do.

use super::PolicyRun;
use crate::business::ServiceFact;
use crate::facts::Known;
use crate::read::{LinkedNames, WordList, folded_words};
use crate::say::Phrase;
use crate::state::{Awaited, VisitWish};
use quipu_core::reading::SpanKind;
use std::ops::Range;
use uuid::Uuid;

/// A shorter word is no name by itself.
const SHORTEST_NAME: usize = 4;
/// So many letters at the beginning make a profession of what is done: "ortodoncista" of "ortodoncia".
const SAME_BEGINNING: usize = 6;
/// How many words say what somebody does.
const MOST_ROLE_WORDS: usize = 6;
/// How the names of professions end.
const PROFESSIONS: [&str; 7] = [
    "ista", "ologo", "ologa", "iatra", "atologo", "ologist", "ontist",
];

impl PolicyRun<'_> {
    /// Who of the staff is named.
    pub(super) fn staff_named(&self) -> Option<Uuid> {
        let titles = WordList::get("titles");
        let by_title = self
            .heard
            .words
            .iter()
            .any(|word| titles.has(word) || word == "con");
        if self.before.awaited == Some(Awaited::Name) && !by_title {
            // Whoever is asked for their name may be called as one of the team is.
            return None;
        }
        let index = &self.business.names.staff;
        let language = self.heard.language;
        let spans = self.heard.of(SpanKind::Staff);
        let mut linked = spans.filter_map(|span| index.link(&span.text, language).one());
        let named = linked.next();
        let full = || {
            let full = index.named_in_full(&self.heard.text);
            full.first().map(|named| named.id)
        };
        named.or_else(full).or_else(|| self.staff_called())
    }

    /// Who is called by a part of their name behind what leads to a person: "con la carla", "el dr benites".
    fn staff_called(&self) -> Option<Uuid> {
        let titles = WordList::get("titles");
        let words = &self.heard.words;
        let mut pairs = words.windows(2).enumerate();
        pairs.find_map(|(at, pair)| {
            if at
                .checked_sub(1)
                .is_some_and(|before| words[before] == "ningun")
            {
                return None;
            }
            let leads = titles.has(&pair[0]) || matches!(pair[0].as_str(), "la" | "el" | "con");
            let word = pair[1].as_str();
            let long = word.chars().count() >= SHORTEST_NAME && !titles.has(word);
            let own = |it: &&crate::business::StaffFact| {
                folded_words(&it.name).iter().any(|part| part == word)
            };
            let mut called = self.business.staff.iter().filter(own);
            let one = called.next().filter(|_| called.next().is_none());
            one.filter(|_| leads && long).map(|person| person.id)
        })
    }

    /// Who of the staff is named, or meant by what they do: "con el doctor que pone implantes".
    pub(super) fn staff_meant(&self) -> Known<Option<Uuid>> {
        if let Some(named) = self.staff_named() {
            return Ok(Some(named));
        }
        let Some(role) = self.role_wanted() else {
            return Ok(None);
        };
        let said = &self.heard.text[role];
        let words = folded_words(said);
        let beginning = |word: &str| word.chars().take(SAME_BEGINNING).collect::<String>();
        let does = |text: &str| {
            let known = folded_words(text);
            let long = |word: &&String| word.chars().count() >= SAME_BEGINNING;
            let mut said = words.iter().filter(long);
            said.any(|word| known.iter().any(|it| beginning(it) == beginning(word)))
        };
        let staff = &self.business.staff;
        let of = |it: &crate::business::StaffFact| -> Vec<String> {
            it.specialty.iter().chain(&it.role).cloned().collect()
        };
        let mut fitting = staff
            .iter()
            .filter(|it| of(it).iter().any(|text| does(text)));
        if let (Some(one), None) = (fitting.next(), fitting.next()) {
            return Ok(Some(one.id));
        }
        let roles = staff
            .iter()
            .filter_map(|it| Some((it.id, of(it).first()?.clone())));
        let titles = WordList::get("titles");
        let telling = words.iter().filter(|word| !titles.has(word));
        let telling: Vec<&str> = telling.map(String::as_str).collect();
        Ok(match self.link_by_meaning(&telling.join(" "), roles)? {
            LinkedNames::One(id) => Some(id),
            _ => None,
        })
    }

    /// The part of the message that says what the person does who is wanted.
    pub(super) fn role_wanted(&self) -> Option<Range<usize>> {
        if self.staff_named().is_some() {
            return None;
        }
        let text = self.heard.text.as_str();
        // Of the same length, so that places in the one are places in the other.
        let folded = text.to_ascii_lowercase();
        let titles = WordList::get("titles");
        let starts = folded
            .match_indices("con ")
            .chain(folded.match_indices("with "));
        let mut starts = starts.filter(|(at, _)| *at == 0 || folded[..*at].ends_with(' '));
        starts.find_map(|(at, lead)| {
            let from = at + lead.len();
            let rest = text.get(from..)?;
            let clause = rest
                .find([',', '.', ';', '!', '?', '\n'])
                .unwrap_or(rest.len());
            let words = rest[..clause].split_inclusive(' ').take(MOST_ROLE_WORDS);
            let to = from + words.map(str::len).sum::<usize>();
            let said = folded_words(text.get(from..to)?);
            let telling: Vec<&String> = said
                .iter()
                .filter(|word| !WordList::get("small_words").has(word))
                .collect();
            let profession = |word: &&&String| PROFESSIONS.iter().any(|end| word.ends_with(end));
            let who = matches!(said.first().map(String::as_str), Some("el" | "la"));
            let which = matches!(said.get(1).map(String::as_str), Some("de" | "que"));
            let by_role = who && which && telling.len() == 1
                || telling.len() > 1 && telling.first().is_some_and(|word| titles.has(word));
            (by_role || telling.first().as_ref().is_some_and(profession)).then_some(from..to)
        })
    }

    /// Looks whether somebody who is wanted does what is wanted, and says what they do where they do not. `true` when
    /// the wish can go on.
    pub(super) fn settle_person(&mut self, visit: &mut VisitWish) -> bool {
        let person = visit.staff.and_then(|id| self.business.person(id));
        let service = visit.service.and_then(|id| self.business.service(id));
        let (Some(person), Some(service)) = (person, service) else {
            return true;
        };
        if service.is_done_by(person) {
            return true;
        }
        let theirs = self
            .business
            .bookable()
            .filter(|it| it.staff.contains(&person.name) && !it.urgent);
        let theirs: Vec<&ServiceFact> = theirs.collect();
        let consultation =
            |it: &ServiceFact| WordList::get("consultations").is_in(&folded_words(&it.name));
        // Whoever wants to be looked at by somebody is looked at as they do it.
        let mut looks = theirs.iter().filter(|it| consultation(it));
        if let (true, Some(one), None) = (consultation(service), looks.next(), looks.next()) {
            visit.take_service(one.id);
            return true;
        }
        let names: Vec<&str> = theirs.iter().map(|it| it.name.as_str()).collect();
        let list = self.voice.and(&names);
        let filling = [
            ("staff", person.name.as_str()),
            ("service", &service.name),
            ("list", &list),
        ];
        self.say(Phrase::StaffDoesOther, &filling);
        if theirs.is_empty() {
            visit.staff = None;
            return true;
        }
        visit.among = theirs.iter().map(|it| it.id).collect();
        visit.service = None;
        visit.forget_times();
        self.state.awaited = Some(Awaited::Service);
        false
    }
}
