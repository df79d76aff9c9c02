//! What things cost.

use super::super::catalogue::{Meant, Service, naming_words};
use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::voice::{MOST_TOLD, capital};
use super::money;
use quipu_core::Result;
use quipu_core::agent::Vertical;
use serde_json::{Value, json};

impl Scene<'_> {
    /// Tells what something costs. `false` when the tables do not know.
    pub(in super::super) async fn tell_price(&self, draft: &mut Draft) -> Result<bool> {
        let services = self.services().await?;
        let names: Vec<String> = services
            .iter()
            .map(|service| service.name.clone())
            .collect();
        let menu = self
            .office
            .call("get_menu", json!({}))
            .await
            .unwrap_or_default();
        let dishes: Vec<&Value> = items(&menu, "items").iter().collect();
        let dish_names: Vec<String> = dishes
            .iter()
            .filter_map(|dish| field(dish, "name").map(str::to_owned))
            .collect();
        let each = self.priced_each(&names);
        if each.len() > 1 {
            for at in each.into_iter().take(MOST_TOLD) {
                self.tell_service(draft, &services[at]).await?;
            }
            return Ok(true);
        }
        let mut found = self.meant(self.text, &names);
        let mut dish = self.meant(self.text, &dish_names);
        let each = self.priced_each(&dish_names);
        if found == Meant::Nothing && each.len() > 1 {
            for at in each.into_iter().take(MOST_TOLD) {
                self.tell_dish(draft, dishes[at]);
            }
            return Ok(true);
        }
        if found == Meant::Nothing
            && dish == Meant::Nothing
            && naming_words(self.text, self.voice.language).is_empty()
        {
            // "¿Y cuánto cuesta?" is about what was spoken of before.
            found = self.service_named(&names);
            if found == Meant::Nothing {
                dish = self.dish_before(&dish_names);
            }
        }
        match (found, dish) {
            (Meant::One(at), _) => self.tell_service(draft, &services[at]).await,
            (Meant::Several(some), _) => {
                if let Some(at) = self.known_as(&names, &some).await {
                    return self.tell_service(draft, &services[at]).await;
                }
                let some: Vec<&Service> = some
                    .iter()
                    .take(MOST_TOLD)
                    .map(|at| &services[*at])
                    .collect();
                draft.say(
                    self.voice,
                    "price.several",
                    &[("list", &self.priced(&some))],
                );
                Ok(true)
            }
            (Meant::Nothing, Meant::One(at)) => {
                self.tell_dish(draft, dishes[at]);
                Ok(true)
            }
            (Meant::Nothing, Meant::Several(some)) => {
                let told: Vec<String> = some
                    .iter()
                    .take(MOST_TOLD)
                    .filter_map(|at| self.dish_price(dishes[*at]))
                    .collect();
                draft.say(
                    self.voice,
                    "price.several",
                    &[("list", &self.voice.and(&told))],
                );
                Ok(true)
            }
            (Meant::Nothing, Meant::Nothing) => match self.first_visit_named(&services) {
                Some(service) => self.tell_service(draft, &service).await,
                None => self.tell_other_price(draft, &services, &dishes).await,
            },
        }
    }

    /// The things that different parts of the message name: "¿cuánto la limpieza y el blanqueamiento?". One
    /// whose own name has such a word in it is one thing.
    fn priced_each(&self, names: &[String]) -> Vec<usize> {
        const BETWEEN: &[&str] = &[
            " y ", " e ", " and ", " o ", " or ", ",", ";", "?", "+", "/",
        ];
        let whole = names.iter().position(|name| {
            let joined = BETWEEN.iter().any(|word| name.contains(word));
            joined && says(&self.words, &[&folded(name)])
        });
        if whole.is_some() {
            return Vec::new();
        }
        let mut text = self.text.to_owned();
        for word in BETWEEN {
            text = text.replace(word, "\n");
        }
        let mut each = Vec::new();
        for part in text.lines() {
            if let Meant::One(at) = self.meant(part, names)
                && !each.contains(&at)
            {
                each.push(at);
            }
        }
        each
    }

    fn dish_before(&self, names: &[String]) -> Meant {
        let heard = self
            .state
            .heard
            .iter()
            .rev()
            .filter(|heard| heard.at >= self.state.since);
        let texts = heard.filter_map(|heard| self.messages.get(heard.at));
        let found = texts
            .map(|turn| self.meant(&turn.text, names))
            .find(|meant| *meant != Meant::Nothing);
        found.unwrap_or(Meant::Nothing)
    }

    async fn tell_service(&self, draft: &mut Draft, service: &Service) -> Result<bool> {
        let asked = json!({ "service_name": service.name });
        let Ok(info) = self.office.call("get_service_info", asked).await else {
            return Ok(self.tell_listed(draft, service).await);
        };
        self.tell_info(draft, &info).await;
        Ok(true)
    }

    async fn tell_listed(&self, draft: &mut Draft, service: &Service) -> bool {
        let name = capital(&service.name);
        match service.price.as_deref() {
            Some(price) => draft.say(
                self.voice,
                "price.one",
                &[("service", &name), ("price", price)],
            ),
            None => {
                self.say_with_contact(draft, "price.unknown", &[("service", &name)])
                    .await;
            }
        }
        true
    }

    async fn tell_info(&self, draft: &mut Draft, info: &Value) {
        let voice = self.voice;
        let name = capital(field(info, "name").unwrap_or_default());
        let note = field(info, "price_note").unwrap_or_default();
        let note = capital(note.trim_end_matches('.'));
        let free = money(&info["price_min"]).is_some_and(quipu_core::money::Money::is_zero)
            && money(&info["price_max"]).is_none_or(quipu_core::money::Money::is_zero);
        match field(info, "price_range") {
            _ if free => draft.say(voice, "price.free", &[("service", &name)]),
            Some(price) => {
                let filling = [
                    ("service", name.as_str()),
                    ("price", price),
                    ("note", &note),
                ];
                draft.say(voice, "price.one", &filling);
            }
            None => {
                self.say_with_contact(draft, "price.unknown", &[("service", &name)])
                    .await;
            }
        }
        if let Some(text) = field(info, "promotion_text") {
            let price = field(info, "promotion_price").unwrap_or_default();
            let filling = [("promotion", text.trim_end_matches('.')), ("price", price)];
            draft.say(voice, "price.promotion", &filling);
        }
        if info["requires_consultation"] == json!(true) {
            draft.say(voice, "price.consultation", &[]);
        }
        let long = begins(&self.words, &["dura", "tarda", "demora", "long", "tiempo"]);
        if let Some(minutes) = info["duration_minutes"].as_u64().filter(|_| long) {
            draft.say(
                voice,
                "price.duration",
                &[("minutes", &minutes.to_string())],
            );
        }
    }

    fn dish_price(&self, dish: &Value) -> Option<String> {
        let price = money(&dish["price"]).map(|price| price.format(self.voice.language));
        let price = price.or_else(|| field(dish, "price_text").map(str::to_owned))?;
        Some(format!("{} {price}", field(dish, "name")?))
    }

    fn tell_dish(&self, draft: &mut Draft, dish: &Value) {
        let name = field(dish, "name").unwrap_or_default();
        let allergic = begins(
            &self.words,
            &[
                "alerg",
                "gluten",
                "contiene",
                "lacte",
                "lleva",
                "ingredient",
                "allerg",
                "celiac",
            ],
        );
        if allergic {
            let told: Vec<&str> = items(dish, "allergens")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let allergens = self.voice.and(&told);
            let key = if told.is_empty() {
                "menu.no_allergens"
            } else {
                "menu.allergens"
            };
            draft.say(
                self.voice,
                key,
                &[("item", name), ("allergens", &allergens)],
            );
        } else {
            let price = money(&dish["price"]).map(|price| price.format(self.voice.language));
            let price = price.unwrap_or_default();
            draft.say(
                self.voice,
                "price.one",
                &[("service", name), ("price", &price)],
            );
        }
        if dish["available"] == json!(false) {
            draft.say(self.voice, "menu.unavailable", &[("item", name)]);
        }
    }

    /// Whether a question about a dish is about what is in it.
    pub(in super::super) async fn tell_ingredients(&self, draft: &mut Draft) -> Result<bool> {
        let asks = begins(
            &self.words,
            &["alerg", "gluten", "contiene", "lacte", "allerg", "celiac"],
        );
        if !asks {
            return Ok(false);
        }
        let menu = self.office.call("get_menu", json!({})).await?;
        let dishes = items(&menu, "items");
        let names: Vec<String> = dishes
            .iter()
            .filter_map(|dish| field(dish, "name").map(str::to_owned))
            .collect();
        let Meant::One(at) = self.meant(self.text, &names) else {
            return Ok(false);
        };
        self.tell_dish(draft, &dishes[at]);
        Ok(true)
    }

    fn priced(&self, services: &[&Service]) -> String {
        let told: Vec<String> = services
            .iter()
            .map(|service| match &service.price {
                Some(price) => format!("{} {price}", service.name),
                None => service.name.clone(),
            })
            .collect();
        self.voice.and(&told)
    }

    /// Nothing on the lists was named: another name that only the tool knows, or all there is.
    async fn tell_other_price(
        &self,
        draft: &mut Draft,
        services: &[Service],
        dishes: &[&Value],
    ) -> Result<bool> {
        let said: String = naming_words(self.text, self.voice.language)
            .chars()
            .take(120)
            .collect();
        if (1..=4).contains(&said.split_whitespace().count()) {
            let info = self
                .office
                .call("get_service_info", json!({ "service_name": said }))
                .await;
            if let Ok(info) = info {
                self.tell_info(draft, &info).await;
                return Ok(true);
            }
            let found = self
                .office
                .call("get_menu", json!({ "item_name": said }))
                .await;
            if let Some(dish) = found
                .ok()
                .as_ref()
                .and_then(|found| items(found, "items").first())
            {
                self.tell_dish(draft, dish);
                return Ok(true);
            }
            return Ok(false);
        }
        if !said.is_empty() {
            return Ok(false);
        }
        let some: Vec<&Service> = services.iter().take(MOST_TOLD).collect();
        if !some.is_empty() && self.setting.vertical != Vertical::Restaurant {
            draft.say(self.voice, "price.list", &[("list", &self.priced(&some))]);
            return Ok(true);
        }
        self.tell_menu(draft, dishes);
        Ok(!dishes.is_empty())
    }

    /// Whether the message asks what there is to eat or buy.
    pub(in super::super) fn asks_menu(&self) -> bool {
        let eats = self.setting.vertical == Vertical::Restaurant;
        let all = [
            "que tienen de comer",
            "que hay de comer",
            "que tienen hoy",
            "que venden",
            "what do you have",
        ];
        eats && (begins(&self.words, &["menu", "carta"]) || says(&self.words, &all))
    }

    pub(in super::super) async fn tell_whole_menu(&self, draft: &mut Draft) -> Result<bool> {
        let menu = self.office.call("get_menu", json!({})).await?;
        let dishes: Vec<&Value> = items(&menu, "items").iter().collect();
        self.tell_menu(draft, &dishes);
        Ok(!dishes.is_empty())
    }

    /// What there is on the menu.
    pub(in super::super) fn tell_menu(&self, draft: &mut Draft, dishes: &[&Value]) {
        let there = dishes
            .iter()
            .filter(|dish| dish["available"] != json!(false));
        let told: Vec<String> = there
            .take(MOST_TOLD + 2)
            .filter_map(|dish| self.dish_price(dish))
            .collect();
        if !told.is_empty() {
            draft.say(self.voice, "menu.list", &[("list", &self.voice.and(&told))]);
        }
    }
}
