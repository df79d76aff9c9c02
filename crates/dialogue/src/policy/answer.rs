//! Questions: each is answered from what the business is, or from what it wrote.

mod contents;
mod hours;
mod knowledge;
mod named;
mod offers;
mod places;

use super::PolicyRun;
use crate::business::DishFact;
use crate::facts::Known;
use crate::read::{AskedQuestion, LinkedNames, WordList, folded_words};
use crate::say::Phrase;
use crate::state::Goal;
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, QuestionTopic, SpanKind};

/// A question with no more words than these leans on the one before.
const ELLIPTIC: usize = 4;
/// From here on a question may be about a price, whatever else it is about.
const PERHAPS: f32 = 0.5;
/// How many things of the menu are told at once.
const MOST_DISHES: usize = 8;
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
                // What is asked of the wish is answered by going on with it.
                let own = matches!(
                    question.topic,
                    QuestionTopic::OwnVisits
                        | QuestionTopic::OrderStatus
                        | QuestionTopic::Availability
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
            _ if self.asks_contents(question) => QuestionTopic::Contents,
            _ if self.is_of_orders(question.topic) => QuestionTopic::Other,
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
        // "¿Y el guacamole?" goes on.
        let before = self.before.topic.asked == Some(QuestionTopic::Contents);
        // Whoever may not eat something asks what is in it, whatever the question looks like; and words alone do not tell
        // whether "tienen" asks what is sold or what is in it.
        let unsaid = !question.told
            || question.topic == QuestionTopic::Contents
            || question.topic == QuestionTopic::Menu
                && (!self.heard.is_marked() || allergy || before);
        !self.business.dishes.is_empty()
            && unsaid
            && (contents || allergy || before)
            && (!self.dishes_named(&question.text).is_empty() || self.heard.has(SpanKind::Item))
    }

    /// Says that something is not on the menu, where a question asks for it. `false` where it names nothing so.
    fn tell_not_on_menu(&mut self, question: &str) -> Known<bool> {
        let asks = self.heard.asks_about(QuestionTopic::Menu, "asks_if_sold");
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

    fn answer(&mut self, question: &AskedQuestion) -> Known<()> {
        use QuestionTopic as Topic;
        let text = question.text.as_str();
        let topic = self.topic_of(question);
        let answered = topic == Topic::Answered
            || !question.told && WordList::get("asks_when_answered").is_in(&folded_words(text));
        if self.state.handed_over && answered {
            self.say(Phrase::EscalatedAgain, &[]);
            return Ok(());
        }
        if self.tell_terms_of_deed(question)? {
            return Ok(());
        }
        match topic {
            Topic::Price => self.tell_price(text),
            Topic::Total => self.tell_total(text),
            Topic::Duration => self.tell_duration(text),
            Topic::Promotions => self.tell_promotions(text),
            Topic::Services if self.names_something(text) => self.tell_offered(text),
            Topic::Services => self.tell_services(text),
            Topic::Menu if self.names_something(text) => self.tell_sold(text),
            Topic::Menu => self.tell_menu(text),
            Topic::Contents if self.asks_contents(question) => self.tell_allergens(text),
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
            Topic::Points | Topic::Earning => self.tell_points(),
            // The times are told by whoever settles the visit.
            Topic::Availability
                if matches!(self.state.goal, Some(Goal::Book(_) | Goal::Move(_))) =>
            {
                Ok(())
            }
            Topic::Terms if self.tell_knowledge_of(text)? || self.tell_policy_like(text)? => Ok(()),
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
            Topic::Contents
            | Topic::Availability
            | Topic::Terms
            | Topic::Machine
            | Topic::Answered
            | Topic::Other => self.tell_known(text),
        }
    }

    /// Whether a question names a thing: a service, a dish, or what the customer takes for one.
    fn names_something(&self, question: &str) -> bool {
        let kinds = [SpanKind::Service, SpanKind::Item];
        let mut spans = self.heard.spans.iter();
        spans.any(|span| kinds.contains(&span.kind) && question.contains(span.text.as_str()))
            || self.names_service_or_dish(question)
    }

    /// Tells what is known of a service that a question asks for, and what it costs.
    pub(super) fn tell_offered(&mut self, question: &str) -> Known<()> {
        if self.tell_knowledge_of(question)? || self.tell_price_of_named(question)? {
            return Ok(());
        }
        self.tell_known(question)
    }

    /// Tells what a thing of the menu costs that a question asks for, or that there is none.
    fn tell_sold(&mut self, question: &str) -> Known<()> {
        let dishes = self.dishes_asked(question)?;
        let dishes = dishes.iter().filter_map(|id| self.business.dish(*id));
        let dishes: Vec<&DishFact> = dishes.take(MOST_DISHES).collect();
        for dish in &dishes {
            self.say_dish_price(dish);
        }
        if dishes.is_empty() && !self.tell_not_on_menu(question)? {
            return self.tell_known(question);
        }
        Ok(())
    }

    /// Tells the customer's own visits; those of somebody else are not told.
    fn tell_visits_asked(&mut self, question: &str) -> Known<()> {
        // "¿Cuánto se demoran mis resultados?" asks for something of theirs that is no visit.
        let named =
            self.heard.says("names_visit") || self.before.last_done("create_appointment").is_some();
        let nothing = self.own_visits()?.is_none_or(|visits| visits.is_empty());
        if !named && nothing && self.tell_knowledge_of(question)? {
            return Ok(());
        }
        if self.names_somebody_else() {
            self.say_with_contact(Phrase::OthersPrivate, &[]);
            return Ok(());
        }
        self.tell_own_visits()
    }

    /// Whether the message names somebody who is neither the customer nor one of the team.
    fn names_somebody_else(&self) -> bool {
        let own = quipu_core::text::fold(&self.customer_name().unwrap_or_default());
        let kinds = [SpanKind::Other, SpanKind::Name];
        let people = self.heard.spans.iter();
        let mut people = people.filter(|span| kinds.contains(&span.kind));
        people.any(|span| {
            let capital = |word: &&str| word.starts_with(char::is_uppercase);
            let marked = span.text.split_whitespace().count();
            let whole = span.text.split_whitespace().any(|word| capital(&word));
            // The name may stand behind what is marked: "doña" of "doña Inés Bermúdez".
            let many = if whole { marked } else { marked + 1 };
            let words = self.heard.text[span.range.start..].split_whitespace();
            let said: Vec<&str> = words.take(many).collect();
            let language = self.heard.language;
            let team = self.business.names.staff.link(&said.join(" "), language);
            let mut names = said.iter().copied().filter(capital);
            team == LinkedNames::None
                && names.any(|word| {
                    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
                    !own.contains(&quipu_core::text::fold(letters))
                })
        })
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

    /// Answers what is asked of the price behind a visit that is moved or called off, or was a moment ago: "¿me cobran
    /// algo?" asks for the terms of that.
    fn tell_terms_of_deed(&mut self, question: &AskedQuestion) -> Known<bool> {
        let asked = matches!(question.topic, QuestionTopic::Price | QuestionTopic::Terms);
        if !asked || self.names_something(&question.text) {
            return Ok(false);
        }
        let last = self.state.done.last().map(|deed| deed.tool.as_str());
        let terms = match (&self.state.goal, last) {
            (Some(Goal::Move(_)), _) | (None, Some("reschedule_appointment")) => {
                Phrase::TermsMoving
            }
            (Some(Goal::CancelVisit(_)), _) | (None, Some("cancel_appointment")) => {
                Phrase::TermsCancelling
            }
            _ => return Ok(false),
        };
        let terms = self.voice.say(terms, &[]);
        Ok(self.tell_knowledge_of(&terms)? || self.tell_policy_like(&terms)?)
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
