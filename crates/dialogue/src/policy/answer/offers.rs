//! What is offered: services, dishes, their prices, who does them.

use super::super::PolicyRun;
use super::says_nothing_else;
use crate::business::{DishFact, ServiceFact};
use crate::facts::Known;
use crate::read::LinkedNames;
use crate::say::{Phrase, capital};
use crate::state::Goal;
use quipu_core::reading::SpanKind;
use serde_json::json;
use uuid::Uuid;

/// How many things are told at once.
const MOST_TOLD: usize = 8;

impl<'a> PolicyRun<'a> {
    pub(super) fn tell_price(&mut self, question: &str) -> Known<()> {
        if self.is_about_order(question) && self.tell_order_so_far() {
            return Ok(());
        }
        if self.tell_price_of_named(question)? {
            return Ok(());
        }
        let nothing_else = says_nothing_else(question, "asks_price");
        if nothing_else {
            if let Some(Goal::Order(_)) = &self.state.goal
                && self.tell_order_so_far()
            {
                return Ok(());
            }
            if self.tell_price_of_topic()? {
                return Ok(());
            }
            // "¿Y cuánto cuesta?" leans on the question before it.
            let leans = self.before.topic.question.is_some();
            if leans && self.tell_knowledge_of(question)? {
                return Ok(());
            }
        } else if self.tell_knowledge_of(question)? || self.tell_terms(question)? {
            return Ok(());
        }
        if nothing_else {
            self.tell_price_list();
        } else if !self.tell_price_meant(question)? {
            self.say_with_contact(Phrase::NoInformation, &[]);
            self.ignorant = true;
        }
        Ok(())
    }

    /// Whether a price is asked of the order under way: the question names nothing else.
    fn is_about_order(&self, question: &str) -> bool {
        let Some(Goal::Order(goal)) = &self.state.goal else {
            return false;
        };
        let ordered = |id: &Uuid| goal.lines.iter().any(|line| line.item == id.to_string());
        !goal.lines.is_empty()
            && self.dishes_named(question).iter().all(ordered)
            && !self.heard.has(SpanKind::Service)
    }

    /// Tells the price of what a question names.
    pub(super) fn tell_price_of_named(&mut self, question: &str) -> Known<bool> {
        let several = self.services_named_apart(question);
        if several.len() > 1 {
            for service in several {
                self.say_service_price(service)?;
            }
            return Ok(true);
        }
        match self.services_asked(question) {
            LinkedNames::One(id) => {
                if let Some(service) = self.business.service(id) {
                    self.say_service_price(service)?;
                    return Ok(true);
                }
            }
            LinkedNames::Several(ids) => {
                self.say_price_choice(&ids);
                return Ok(true);
            }
            LinkedNames::None => {}
        }
        let dishes = self.dishes_named(question);
        let dishes: Vec<&DishFact> = dishes
            .iter()
            .filter_map(|id| self.business.dish(*id))
            .take(MOST_TOLD)
            .collect();
        for dish in &dishes {
            self.say_dish_price(dish);
        }
        Ok(!dishes.is_empty())
    }

    /// The services that different parts of a question name.
    fn services_named_apart(&self, question: &str) -> Vec<&'a ServiceFact> {
        let business = self.business;
        let index = &business.names.services;
        let mut named: Vec<&ServiceFact> = Vec::new();
        for span in self.heard.of(SpanKind::Service) {
            let asked = question.contains(span.text.as_str());
            let linked = index.link(&span.text, self.heard.language).one();
            let service = linked.filter(|_| asked).and_then(|id| business.service(id));
            if let Some(service) = service
                && !named.iter().any(|known| known.id == service.id)
            {
                named.push(service);
            }
        }
        named.truncate(MOST_TOLD);
        named
    }

    /// Tells the price of what is nearest in meaning to what the question names.
    fn tell_price_meant(&mut self, question: &str) -> Known<bool> {
        let span = self.heard.of(SpanKind::Service).next();
        let Some(span) = span.filter(|span| question.contains(span.text.as_str())) else {
            return Ok(false);
        };
        match self.services_meant(&span.text)? {
            LinkedNames::One(id) => {
                let service = self.business.service(id);
                if let Some(service) = service {
                    self.say_service_price(service)?;
                }
                Ok(service.is_some())
            }
            LinkedNames::Several(ids) => {
                self.say_price_choice(&ids);
                Ok(true)
            }
            LinkedNames::None => Ok(false),
        }
    }

    fn tell_price_of_topic(&mut self) -> Known<bool> {
        let wanted = match &self.state.goal {
            Some(Goal::Book(goal)) => goal.visits.first().and_then(|visit| visit.service),
            _ => None,
        };
        let service = wanted.or(self.state.topic.service);
        if let Some(service) = service.and_then(|id| self.business.service(id)) {
            self.say_service_price(service)?;
            return Ok(true);
        }
        if let Some(dish) = self.state.topic.dish.and_then(|id| self.business.dish(id)) {
            self.say_dish_price(dish);
            return Ok(true);
        }
        Ok(false)
    }

    fn say_service_price(&mut self, service: &ServiceFact) -> Known<()> {
        if self.profile.has("get_service_info") {
            // What a price is told from stands in the trace of the turn.
            let _ = self
                .facts
                .look("get_service_info", json!({ "service_name": service.name }))?;
        }
        self.state.topic.service = Some(service.id);
        self.state.topic.service_told = true;
        self.state.topic.among.clear();
        let name = capital(&service.name);
        if service.is_free() && service.price_range.is_some() {
            self.say(Phrase::PriceFree, &[("service", &name)]);
        } else if let Some(price) = &service.price_range {
            let note = service
                .price_note
                .as_deref()
                .map_or_else(String::new, joined);
            let filling = [
                ("service", name.as_str()),
                ("price", price),
                ("note", &note),
            ];
            self.say(Phrase::PriceOne, &filling);
        } else {
            self.say_with_contact(Phrase::PriceUnknown, &[("service", &name)]);
        }
        if let Some(promotion) = &service.promotion_text {
            let price = service.promotion_price.clone().unwrap_or_default();
            let promotion = promotion.trim_end_matches('.');
            self.say(
                Phrase::PricePromotion,
                &[("promotion", promotion), ("price", &price)],
            );
        }
        if service.requires_consultation {
            self.say(Phrase::PriceConsultation, &[]);
        }
        Ok(())
    }

    pub(super) fn say_dish_price(&mut self, dish: &DishFact) {
        self.state.topic.dish = Some(dish.id);
        if !dish.available {
            self.say(Phrase::MenuUnavailable, &[("item", &dish.name)]);
            return;
        }
        let filling = [
            ("service", dish.name.as_str()),
            ("price", &dish.price_text),
            ("note", ""),
        ];
        self.say(Phrase::PriceOne, &filling);
        let mut counts = self.heard.of(SpanKind::Quantity);
        if let (Some(one), None) = (counts.next(), counts.next())
            && let Some(many) = quipu_language::token::cut(&one.text)
                .first()
                .and_then(|token| u32::try_from(token.number()? / 100).ok())
                .filter(|many| *many > 1)
            && let Ok(total) = dish.price.times(many)
        {
            let (many, total) = (many.to_string(), total.format(self.voice.language));
            self.say(Phrase::PriceMany, &[("many", &many), ("total", &total)]);
        }
    }

    fn say_price_choice(&mut self, ids: &[Uuid]) {
        self.state.topic.among = ids.iter().copied().take(MOST_TOLD).collect();
        self.state.topic.service_told = true;
        let services = ids.iter().filter_map(|id| self.business.service(*id));
        let list: Vec<String> = services.take(MOST_TOLD).map(priced).collect();
        let list = list.join("; ");
        self.say(Phrase::PriceSeveral, &[("list", &list)]);
    }

    fn tell_price_list(&mut self) {
        let services = &self.business.services;
        let list: Vec<String> = if services.is_empty() {
            let dishes = self.business.dishes.iter().filter(|dish| dish.available);
            let dishes = dishes.map(|dish| format!("{}, {}", dish.name, dish.price_text));
            dishes.take(MOST_TOLD).collect()
        } else {
            services.iter().take(MOST_TOLD).map(priced).collect()
        };
        if list.is_empty() {
            self.say_with_contact(Phrase::NoInformation, &[]);
            self.ignorant = true;
            return;
        }
        let list = list.join("; ");
        self.say(Phrase::PriceList, &[("list", &list)]);
    }

    /// What everything comes to: the order under way, what was done last, or else a price.
    pub(super) fn tell_total(&mut self, question: &str) -> Known<()> {
        if self.tell_order_so_far() {
            return Ok(());
        }
        let total = self.state.done.last().and_then(|deed| deed.total.clone());
        if let Some(total) = total {
            self.say(Phrase::TotalSum, &[("total", &total)]);
            return Ok(());
        }
        if self.state.goal.is_none() && self.tell_order_total()? {
            return Ok(());
        }
        self.tell_price(question)
    }

    pub(super) fn tell_duration(&mut self, question: &str) -> Known<()> {
        // How long the effect lasts is not how long the visit takes. The hour that is chosen beside it says nothing.
        let times = [SpanKind::Time, SpanKind::Date, SpanKind::Name];
        let times = self
            .heard
            .spans
            .iter()
            .filter(|span| times.contains(&span.kind));
        let plain = times.fold(question.to_owned(), |text, span| {
            text.replace(&span.text, " ")
        });
        let service = self.heard.of(SpanKind::Service);
        let plain = service.fold(plain, |text, span| text.replace(&span.text, " "));
        if !says_nothing_else(&plain, "asks_duration") && self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let service = match self.services_asked(question) {
            LinkedNames::One(id) => Some(id),
            _ => self.state.topic.service,
        };
        let service = service.and_then(|id| self.business.service(id));
        if let Some((service, minutes)) = service.and_then(|it| Some((it, it.duration_minutes?))) {
            let (name, minutes) = (capital(&service.name), minutes.to_string());
            self.state.topic.service = Some(service.id);
            self.state.topic.service_told = true;
            self.say(
                Phrase::ServiceDuration,
                &[("service", &name), ("minutes", &minutes)],
            );
            return Ok(());
        }
        self.tell_known(question)
    }

    pub(super) fn tell_promotions(&mut self, question: &str) -> Known<()> {
        let services = self.business.services.iter();
        let list: Vec<String> = services
            .filter_map(|service| {
                let text = service.promotion_text.as_ref()?;
                let text = text.trim_end_matches('.');
                Some(format!("{}: {text}", service.name))
            })
            .take(MOST_TOLD)
            .collect();
        if list.is_empty() {
            return self.tell_offered(question);
        }
        let list = list.join("; ");
        self.say(Phrase::PromotionList, &[("list", &list)]);
        Ok(())
    }

    pub(super) fn tell_services(&mut self, question: &str) -> Known<()> {
        let names: Vec<&str> = self
            .business
            .services
            .iter()
            .map(|service| service.name.as_str())
            .take(MOST_TOLD * 2)
            .collect();
        if names.is_empty() {
            return self.tell_known(question);
        }
        let list = self.voice.and(&names);
        self.say(Phrase::ServiceList, &[("list", &list)]);
        Ok(())
    }

    pub(super) fn tell_menu(&mut self, question: &str) -> Known<()> {
        if self.business.dishes.is_empty() {
            return self.tell_known(question);
        }
        if self.tell_dishes_without() {
            return Ok(());
        }
        if self.heard.words.len() > 4 && self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let dishes = self.business.dishes.iter().filter(|dish| dish.available);
        let list: Vec<String> = dishes
            .map(|dish| format!("{} ({})", dish.name, dish.price_text))
            .take(MOST_TOLD * 2)
            .collect();
        let list = self.voice.and(&list);
        self.say(Phrase::MenuList, &[("list", &list)]);
        Ok(())
    }

    pub(in super::super) fn tell_staff(&mut self, question: &str) -> Known<()> {
        let asked = match self.services_asked(question) {
            LinkedNames::One(id) => Some(id),
            _ => match &self.state.goal {
                Some(Goal::Book(goal)) => goal.visits.first().and_then(|visit| visit.service),
                _ => None,
            },
        };
        let service = asked.and_then(|id| self.business.service(id));
        let people: Vec<String> = self
            .business
            .staff
            .iter()
            .filter(|person| service.is_none_or(|service| service.staff.contains(&person.name)))
            .map(|person| {
                let does = person.specialty.as_ref().or(person.role.as_ref());
                does.map_or(person.name.clone(), |does| {
                    format!("{} ({does})", person.name)
                })
            })
            .take(MOST_TOLD)
            .collect();
        if people.is_empty() {
            return self.tell_known(question);
        }
        let list = self.voice.and(&people);
        self.say(Phrase::StaffList, &[("list", &list)]);
        Ok(())
    }

    pub(super) fn tell_payment(&mut self, question: &str) -> Known<()> {
        if self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let methods = &self.business.contact.payment_methods;
        if methods.is_empty() {
            self.say_with_contact(Phrase::NoInformation, &[]);
            self.ignorant = true;
            return Ok(());
        }
        let list = self.voice.and(methods);
        self.say(Phrase::PaymentWays, &[("list", &list)]);
        Ok(())
    }
}

/// A note behind a price: a sentence of its own, or the end of the one with the price.
fn joined(note: &str) -> String {
    let note = note.trim().trim_end_matches('.');
    let own = note.starts_with(char::is_uppercase);
    let before = if own { ". " } else { ", " };
    if note.is_empty() {
        return String::new();
    }
    format!("{before}{note}")
}

/// A service with its price: "Limpieza dental, $600".
fn priced(service: &ServiceFact) -> String {
    match &service.price_range {
        Some(price) => format!("{}, {price}", service.name),
        None => service.name.clone(),
    }
}
