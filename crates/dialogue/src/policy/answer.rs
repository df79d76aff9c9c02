//! Questions: each is answered from what the business is, or from what it wrote.

mod hours;
mod knowledge;
mod offers;
mod places;

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{AskedQuestion, LinkedNames, QuestionTopic, WordList, folded_words};
use crate::say::Phrase;
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, SpanKind};
use uuid::Uuid;

/// A question with no more words than these leans on the one before.
const ELLIPTIC: usize = 4;
/// From here on a question may be about a price, whatever else it is about.
const PERHAPS: f32 = 0.5;
/// A shorter word names nothing by itself.
const TELLING_LETTERS: usize = 4;
/// From here on a question is about visits.
const LIKELY: f32 = 0.8;

/// What is asked about the terms of every business, by the words that tell it: the same questions in the words in
/// which terms are written.
const TERMS: [(&str, Phrase); 4] = [
    ("moves", Phrase::TermsMoving),
    ("cancels", Phrase::TermsCancelling),
    ("comes_late", Phrase::TermsKeeping),
    ("comes_late", Phrase::TermsLateness),
];

impl PolicyRun<'_> {
    /// The questions of the message that want an answer: what only words the wish is none.
    pub(super) fn open_questions(&self, begun: bool, taken: bool) -> Vec<AskedQuestion> {
        let heard = self.heard;
        let mut asked = heard.questions();
        if begun || taken {
            let several = asked.len() > 1;
            asked.retain(|question| {
                let own = matches!(
                    question.topic,
                    QuestionTopic::OwnVisits | QuestionTopic::OrderStatus
                );
                let wishes = self.speaks_of_wish(&question.text);
                !own && (question.told || several && !wishes || heard.does(Act::Ask) && !wishes)
            });
        }
        asked
    }

    /// Whether a question is about the wish itself: it names a time, a service or a number of people.
    fn speaks_of_wish(&self, question: &str) -> bool {
        let kinds = [
            SpanKind::Date,
            SpanKind::Time,
            SpanKind::Service,
            SpanKind::Party,
            SpanKind::Item,
            SpanKind::Quantity,
            SpanKind::Staff,
        ];
        let spans = self
            .heard
            .spans
            .iter()
            .filter(|span| kinds.contains(&span.kind));
        let mut spans = spans.filter(|span| question.contains(span.text.as_str()));
        spans.next().is_some()
    }

    /// The questions whose topic their own words tell.
    pub(super) fn told_questions(&self) -> Vec<AskedQuestion> {
        if !self.heard.asks() {
            return Vec::new();
        }
        let mut asked = self.heard.questions();
        asked.retain(|question| question.told && question.topic != QuestionTopic::Contact);
        asked
    }

    pub(super) fn answer_all(&mut self, questions: &[AskedQuestion]) -> Known<()> {
        if let [first, ..] = questions
            && first.text.len() < self.heard.text.trim().len()
            && let LinkedNames::One(service) = self.services_asked(&self.heard.text)
        {
            // "Quiero ir al taller. ¿Cuánto cuesta?" asks about what was named before.
            self.state.topic.service = Some(service);
        }
        for question in questions {
            self.answer(question)?;
            self.informed |= !self.ignorant;
            self.state.topic.question = Some(quipu_core::text::preview(&question.text, 300));
            self.state.topic.asked = Some(self.topic_of(question));
        }
        Ok(())
    }

    /// The topic of a question, which a short one takes from the one before: "¿y el guacamole?".
    fn topic_of(&self, question: &AskedQuestion) -> QuestionTopic {
        let before = self.before.topic.asked;
        let short = folded_words(&question.text).len() <= ELLIPTIC && !question.told;
        let names = self.names_service_or_dish(&question.text);
        match before {
            Some(before) if short && names => before,
            // "¿Y el 24?" goes on with the hours.
            Some(QuestionTopic::Hours)
                if short
                    && !self
                        .heard
                        .days_in(&question.text, &self.profile.now)
                        .is_empty() =>
            {
                QuestionTopic::Hours
            }
            // "¿Y cómo se juntan?" goes on with the points.
            Some(QuestionTopic::Points)
                if WordList::get("asks_how_earned").is_in(&folded_words(&question.text)) =>
            {
                QuestionTopic::Points
            }
            _ if !question.told && self.speaks_of_what_was_booked() => QuestionTopic::OwnVisits,
            _ if self.asks_contents(question) => QuestionTopic::Allergens,
            _ if self.is_of_orders(question.topic) => QuestionTopic::Knowledge,
            // "¿Me llevan unos tacos a la Narvarte?" names where.
            _ if !question.told && self.asks_whither(question) => QuestionTopic::DeliveryZones,
            _ => question.topic,
        }
    }

    /// Whether a question asks if something is brought to a place that it names.
    fn asks_whither(&self, question: &AskedQuestion) -> bool {
        let words = folded_words(&question.text);
        let zones = &self.business.names.zones;
        let place =
            self.heard.has(SpanKind::Address) || !zones.named_in_full(&question.text).is_empty();
        let delivers = self.business.contact.orders.delivery && !self.business.dishes.is_empty();
        delivers && place && WordList::get("bring_words").is_in(&words)
    }

    /// Whether a topic is one of orders where nothing is sold: "¿qué llevo?" asks a clinic what to bring.
    fn is_of_orders(&self, topic: QuestionTopic) -> bool {
        use QuestionTopic as Topic;
        let of_orders = matches!(
            topic,
            Topic::OrderSoFar | Topic::OrderStatus | Topic::Minimum | Topic::DeliveryTime
        );
        of_orders && self.business.dishes.is_empty()
    }

    /// Whether a question asks what is in something of the menu.
    fn asks_contents(&self, question: &AskedQuestion) -> bool {
        let words = folded_words(&question.text);
        let contents = WordList::get("asks_contents").is_in(&words);
        let allergy = self.heard.has(SpanKind::Allergy);
        let unsaid = !question.told || question.topic == QuestionTopic::Menu;
        !self.business.dishes.is_empty()
            && unsaid
            && (contents || allergy)
            && (!self.dishes_named(&question.text).is_empty() || self.heard.has(SpanKind::Item))
    }

    /// The dishes that a question names, or means by what it names.
    pub(super) fn dishes_asked(&self, question: &str) -> Known<Vec<Uuid>> {
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

    fn names_service_or_dish(&self, text: &str) -> bool {
        let language = self.heard.language;
        let names = &self.business.names;
        names.services.link(text, language) != LinkedNames::None
            || names.dishes.link(text, language) != LinkedNames::None
    }

    /// The dishes that a question names.
    pub(super) fn dishes_named(&self, question: &str) -> Vec<Uuid> {
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

    /// Says that something is not on the menu, where a question asks for it. `false` where it names nothing so.
    fn tell_not_on_menu(&mut self, question: &str) -> Known<bool> {
        let asks = WordList::get("asks_if_sold").is_in(&folded_words(question));
        let items = self.heard.of(SpanKind::Item);
        let items: Vec<String> = items
            .filter(|span| question.contains(span.text.as_str()))
            .map(|span| span.text.clone())
            .collect();
        if !asks || items.is_empty() || self.business.dishes.is_empty() {
            return Ok(false);
        }
        if !self.dishes_asked(question)?.is_empty() {
            return Ok(false);
        }
        let list = self.voice.and(&items);
        self.say(Phrase::OrderMissed, &[("list", &list)]);
        Ok(true)
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
    pub(super) fn services_asked(&self, question: &str) -> LinkedNames<Uuid> {
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

    fn answer(&mut self, question: &AskedQuestion) -> Known<()> {
        use QuestionTopic as Topic;
        let text = question.text.as_str();
        if self.state.handed_over && WordList::get("asks_when_answered").is_in(&folded_words(text))
        {
            self.say(Phrase::EscalatedAgain, &[]);
            return Ok(());
        }
        match self.topic_of(question) {
            Topic::Price => self.tell_price(text),
            Topic::Total => self.tell_total(text),
            Topic::Duration => self.tell_duration(text),
            Topic::Promotions => self.tell_promotions(text),
            Topic::Services => self.tell_services(text),
            Topic::Menu => self.tell_menu(text),
            Topic::Allergens => self.tell_allergens(text),
            Topic::Staff => self.tell_staff(text),
            Topic::WhoSees => self.tell_who_sees(text),
            // A question that names no points may be about whatever else the business has.
            // And "¿a qué hora toca llegar?" asks for something else than when they are open.
            Topic::Points | Topic::Hours
                if !question.told
                    && !WordList::get("asks_how_earned").is_in(&folded_words(text))
                    && self.tell_knowledge_of(text)? =>
            {
                Ok(())
            }
            Topic::Points => self.tell_points(),
            Topic::OwnVisits => self.tell_visits_asked(text),
            Topic::OrderStatus => self.tell_order_status(),
            Topic::OrderSoFar => {
                if self.tell_order_so_far() {
                    return Ok(());
                }
                self.tell_order_status()
            }
            Topic::Hours => self.tell_hours(text, false),
            Topic::OpenNow => self.tell_hours(text, true),
            Topic::Place => self.tell_place(text),
            Topic::Payment => self.tell_payment(text),
            Topic::Minimum => self.tell_minimum(text),
            Topic::DeliveryFee | Topic::DeliveryZones => self.tell_delivery(text),
            Topic::DeliveryTime => self.tell_delivery_time(text),
            Topic::Contact => {
                self.tell_contact();
                Ok(())
            }
            Topic::Diagnosis => self.tell_no_diagnosis(text),
            Topic::Knowledge => self.tell_known(text),
        }
    }

    /// Tells the customer's own visits; those of somebody else are not told.
    fn tell_visits_asked(&mut self, question: &str) -> Known<()> {
        // "¿Cuánto se demoran mis resultados?" asks for something of theirs that is no visit.
        let named =
            self.heard.says("names_visit") || self.before.last_done("create_appointment").is_some();
        if !named
            && self.own_visits()?.is_some_and(|visits| visits.is_empty())
            && self.tell_knowledge_of(question)?
        {
            return Ok(());
        }
        let own = quipu_core::text::fold(&self.customer_name().unwrap_or_default());
        let other = self.heard.of(SpanKind::Other).find(|span| {
            let mut words = span.text.split_whitespace();
            words.any(|word| {
                let name = word.starts_with(char::is_uppercase);
                name && !own.contains(&quipu_core::text::fold(word))
            })
        });
        if other.is_some() {
            self.say_with_contact(Phrase::OthersPrivate, &[]);
            return Ok(());
        }
        self.tell_own_visits()
    }

    /// Says that nobody is diagnosed here, where that is asked of a clinic.
    fn tell_no_diagnosis(&mut self, question: &str) -> Known<()> {
        if !self.profile.is_clinic() || self.heard.about(Intent::Pricing) > 0.5 {
            return self.tell_known(question);
        }
        self.say(Phrase::NoDiagnosis, &[]);
        self.invite();
        Ok(())
    }

    /// Answers a question about the usual terms, asked again in the words of terms: "¿me cobran por moverla?".
    pub(super) fn tell_terms(&mut self, question: &str) -> Known<bool> {
        let words = folded_words(question);
        for (list, question) in TERMS {
            if !WordList::get(list).is_in(&words) {
                continue;
            }
            let terms = self.voice.say(question, &[]);
            if self.tell_knowledge_of(&terms)? || self.tell_policy_like(&terms)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Answers from what the business wrote, or says that it is not known.
    fn tell_known(&mut self, question: &str) -> Known<()> {
        if self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let priced = !self.heard.is_read() || self.heard.about(Intent::Pricing) >= PERHAPS;
        if self.tell_terms(question)? || priced && self.tell_price_of_named(question)? {
            return Ok(());
        }
        if self.tell_of_branches(question)? || self.tell_not_on_menu(question)? {
            return Ok(());
        }
        // "¿Quedó o no quedó?" asks for what was booked a moment ago.
        let booked =
            self.state.last_done("create_appointment").is_some() && self.state.goal.is_none();
        if booked && self.heard.about(Intent::Booking) >= LIKELY {
            return self.tell_own_visits();
        }
        if self.before.handed_over {
            // Whoever was called will know.
            self.say(Phrase::EscalatedAgain, &[]);
            return Ok(());
        }
        self.say_with_contact(Phrase::NoInformation, &[]);
        self.ignorant = true;
        Ok(())
    }
}

/// Whether a question has nothing but the words that ask, so that it is about what was spoken of.
pub(super) fn says_nothing_else(question: &str, list: &str) -> bool {
    let words = folded_words(question);
    let rest = WordList::get(list).taken_out(&words);
    let telling: Vec<&String> = rest
        .iter()
        .filter(|word| !WordList::get("small_words").has(word))
        .collect();
    telling.is_empty()
}
