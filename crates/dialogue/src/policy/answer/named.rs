//! What a question names: services and dishes of the catalogue.

use super::super::PolicyRun;
use crate::facts::Known;
use crate::read::{LinkedNames, WordList, folded_words};
use quipu_core::reading::SpanKind;
use uuid::Uuid;

/// A shorter word names nothing by itself.
const TELLING_LETTERS: usize = 4;

impl PolicyRun<'_> {
    /// The dishes that a question names, or means by what it names.
    pub(in super::super) fn dishes_asked(&self, question: &str) -> Known<Vec<Uuid>> {
        let named = self.dishes_named(question);
        let items = self.heard.of(SpanKind::Item);
        let mut items = items.filter(|span| question.contains(span.text.as_str()));
        let Some(item) = items.next().filter(|_| named.is_empty()) else {
            return Ok(named);
        };
        Ok(match self.dishes_meant(&item.text)? {
            LinkedNames::One(id) => vec![id],
            LinkedNames::Several(ids) => ids,
            LinkedNames::None => Vec::new(),
        })
    }

    /// Whether a text names something that is offered.
    pub(super) fn names_service_or_dish(&self, text: &str) -> bool {
        let language = self.heard.language;
        let names = &self.business.names;
        names.services.link(text, language) != LinkedNames::None
            || names.dishes.link(text, language) != LinkedNames::None
    }

    /// The dishes that a question names.
    pub(in super::super) fn dishes_named(&self, question: &str) -> Vec<Uuid> {
        let index = &self.business.names.dishes;
        let kinds = [SpanKind::Item, SpanKind::Service];
        let spans = self.heard.spans.iter();
        let marked = spans
            .filter(|span| kinds.contains(&span.kind) && question.contains(span.text.as_str()))
            .map(|span| index.link(&span.text, self.heard.language));
        let mut found: Vec<Uuid> = Vec::new();
        for linked in marked {
            match linked {
                LinkedNames::One(id) => found.push(id),
                LinkedNames::Several(ids) => found.extend(ids),
                LinkedNames::None => {}
            }
        }
        if found.is_empty() {
            found.extend(
                index
                    .named_in_full(question)
                    .into_iter()
                    .map(|named| named.id),
            );
        }
        if found.is_empty() {
            let words = folded_words(question);
            let long = words.iter().filter(|word| {
                word.chars().count() >= TELLING_LETTERS && !WordList::get("small_words").has(word)
            });
            found.extend(long.filter_map(|word| index.link_exactly(word, self.heard.language)));
        }
        found.dedup();
        found
    }

    /// Whether words name something of the menu better than any service.
    fn is_rather_a_dish(&self, said: &str) -> bool {
        let language = self.heard.language;
        let names = &self.business.names;
        let dish = names.dishes.link(said, language) != LinkedNames::None;
        let better = names.dishes.fit(said, language) > names.services.fit(said, language);
        better || dish && names.services.named_in_full(said).is_empty()
    }

    /// The services that a question names.
    pub(in super::super) fn services_asked(&self, question: &str) -> LinkedNames<Uuid> {
        let index = &self.business.names.services;
        let full = index.named_in_full(question);
        let longest = full.iter().max_by_key(|named| named.words);
        if let Some(longest) = longest.filter(|named| named.words > 1) {
            // "Muelas del juicio" says more than "sacarme las muelas".
            return LinkedNames::One(longest.id);
        }
        let mut full: Vec<Uuid> = full.iter().map(|named| named.id).collect();
        full.sort_unstable();
        full.dedup();
        let kinds = [SpanKind::Service, SpanKind::Item];
        let spans = self.heard.spans.iter();
        let marked: Vec<&str> = spans
            .filter(|span| kinds.contains(&span.kind) && question.contains(span.text.as_str()))
            .filter(|span| !self.is_turned_down(span.range.start, &span.text))
            .filter(|span| !self.is_rather_a_dish(&span.text))
            .filter(|span| full.is_empty() || !index.says_nothing(&span.text))
            .map(|span| span.text.as_str())
            .collect();
        let language = self.heard.language;
        let together = index.link(&marked.join(" "), language);
        if matches!(together, LinkedNames::One(_)) {
            return together;
        }
        for span in &marked {
            let linked = index.link(span, language);
            if let LinkedNames::Several(_) = &linked {
                // What the rest of the message names may tell which of them is meant.
                let all = self
                    .heard
                    .of(SpanKind::Service)
                    .map(|span| span.text.as_str());
                let all = index.link(&all.collect::<Vec<_>>().join(" "), language);
                if matches!(all, LinkedNames::One(_)) {
                    return all;
                }
            }
            if linked != LinkedNames::None {
                return linked;
            }
        }
        match full.as_slice() {
            [] => {}
            [one] => return LinkedNames::One(*one),
            _ => return LinkedNames::Several(full),
        }
        if marked.is_empty() && !self.heard.is_read() {
            return index.link(question, language);
        }
        self.named_by_a_word(question)
    }

    /// The service that one word of a question tells, where no other word tells another: "¿y el patio?".
    fn named_by_a_word(&self, question: &str) -> LinkedNames<Uuid> {
        let language = self.heard.language;
        let names = &self.business.names;
        let asks = WordList::get("asks_price").taken_out(&folded_words(question));
        let telling = asks.iter().filter(|word| {
            word.chars().count() >= TELLING_LETTERS && !WordList::get("small_words").has(word)
        });
        let mut linked = telling.filter_map(|word| {
            let plain = names.services.says_nothing(word) || self.is_rather_a_dish(word);
            names
                .services
                .link_exactly(word, language)
                .filter(|_| !plain)
        });
        let first = linked.next();
        match first {
            Some(id) if linked.all(|other| other == id) => LinkedNames::One(id),
            _ => LinkedNames::None,
        }
    }
}
