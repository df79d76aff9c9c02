//! Looking up what the business does and sells.

use super::Turn;
use super::naming::{allowing, named};
use crate::{catalogue, profile};
use quipu_agents::tool::arguments::{MenuQuestion, ServiceCatalogue, ServiceInfo, ServiceList};
use quipu_commerce::business::{
    BookedWith, Dish, Item, MenuCategory, OtherNames, Service, Staff, name_key,
};
use quipu_commerce::money::Money;
use quipu_core::language::Language;
use quipu_core::{Error, Result, StaffId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

fn service_named<'a>(name: &str, all: &'a [Item<Service>]) -> Result<&'a Item<Service>> {
    let names = |service: &Service| OtherNames {
        aliases: service.aliases.clone(),
        category: service.category.clone(),
    };
    named(name, "service_name", all, names)
}

/// The service that is meant, by its id or its name; what is offered first to whoever cannot wait
/// and names none.
pub(super) async fn service_id(
    turn: &Turn<'_>,
    id: Option<Uuid>,
    name: Option<&str>,
    urgent: bool,
) -> Result<Option<Uuid>> {
    if id.is_some() || (name.is_none() && !urgent) {
        return Ok(id);
    }
    let all = catalogue::active::<Service>(turn.tx).await?;
    if let Some(name) = name {
        return Ok(Some(service_named(name, &all)?.id));
    }
    let fits = |service: &&Item<Service>| {
        service.data.urgent && service.data.books() != BookedWith::Nothing
    };
    Ok(all.iter().find(fits).map(|service| service.id))
}

pub(super) async fn one(turn: &Turn<'_>, asked: ServiceInfo) -> Result<Value> {
    let all = catalogue::active::<Service>(turn.tx).await?;
    let found = service_named(&asked.service_name, &all)?;
    Ok(tell(turn, found))
}

pub(super) async fn list(turn: &Turn<'_>, asked: ServiceList) -> Result<Value> {
    let services = of_category(turn, asked.category.as_deref()).await?;
    let told = services.iter().map(|service| {
        json!({
            "id": service.id,
            "name": service.data.name,
            "price_range": price(&service.data, turn.language()),
            "category": service.data.category,
        })
    });
    Ok(json!({ "services": told.collect::<Vec<_>>() }))
}

pub(super) async fn catalogue(turn: &Turn<'_>, asked: ServiceCatalogue) -> Result<Value> {
    let services = of_category(turn, asked.category.as_deref()).await?;
    let staff = catalogue::active::<Staff>(turn.tx).await?;
    let mut by_category: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for service in &services {
        let mut told = tell(turn, service);
        let does =
            |staff: &&Item<Staff>| service.data.staff.contains(&StaffId::from_uuid(staff.id));
        let names: Vec<&String> = staff
            .iter()
            .filter(does)
            .map(|staff| &staff.data.name)
            .collect();
        told["staff"] = json!(names);
        told["aliases"] = json!(service.data.aliases);
        told["booked_with"] = json!(service.data.books());
        told["urgent"] = json!(service.data.urgent);
        told["branch_ids"] = json!(service.data.branches);
        if let (false, Some(told)) = (asked.include_promotions, told.as_object_mut()) {
            told.retain(|field, _| !field.starts_with("promotion_"));
        }
        let category = service.data.category.clone().unwrap_or_default();
        by_category.entry(category).or_default().push(told);
    }
    let categories = by_category
        .into_iter()
        .map(|(category, services)| json!({ "category": category, "services": services }));
    Ok(json!({ "categories": categories.collect::<Vec<_>>() }))
}

async fn of_category(turn: &Turn<'_>, category: Option<&str>) -> Result<Vec<Item<Service>>> {
    let all = catalogue::active::<Service>(turn.tx).await?;
    let Some(category) = category else {
        return Ok(all);
    };
    let category_of = |service: &Item<Service>| service.data.category.clone();
    let known = known_category(category, all.iter().filter_map(category_of))?;
    let fits = |service: &Item<Service>| service.data.category.as_deref() == Some(&*known);
    Ok(all.into_iter().filter(fits).collect())
}

/// The category that is meant, among those there are.
fn known_category(wanted: &str, all: impl Iterator<Item = String>) -> Result<String> {
    let mut known: Vec<String> = all.collect();
    known.sort();
    known.dedup();
    let key = name_key(wanted);
    let stem = key.trim_end_matches('s').to_owned();
    let fits = |name: &&String| {
        let name = name_key(name);
        name == key || name.trim_end_matches('s') == stem || name.contains(&stem)
    };
    if let Some(found) = known.iter().find(fits) {
        return Ok(found.clone());
    }
    let error = Error::not_found("category").with("field", "category");
    let hint = "use one of the allowed categories, or none";
    Err(allowing(error, known).with("hint", hint))
}

fn tell(turn: &Turn<'_>, service: &Item<Service>) -> Value {
    let data = &service.data;
    let zone = profile::time_zone(turn.scene.actor);
    let today = turn.tx.now().to_zoned(zone).date();
    let promotion = data
        .promotion
        .as_ref()
        .filter(|promotion| promotion.is_on(today));
    let language = turn.language();
    json!({
        "id": service.id,
        "name": data.name,
        "category": data.category,
        "description": data.description,
        "price_min": data.price_min,
        "price_max": data.price_max,
        "price_range": price(data, language),
        "price_note": data.price_note,
        "duration_minutes": data.duration_minutes,
        "requires_consultation": data.requires_consultation,
        "bookable": data.books() != BookedWith::Nothing
            && !service.warnings.iter().any(|warning| warning.code == "no_staff"),
        "promotion_active": promotion.is_some(),
        "promotion_text": promotion.map(|promotion| &promotion.text),
        "promotion_price": promotion
            .and_then(|promotion| promotion.price)
            .map(|price| price.format(language)),
    })
}

/// The price as a customer reads it. What costs nothing says so.
fn price(service: &Service, language: Language) -> Option<String> {
    let free = |money: Option<Money>| money.is_none_or(Money::is_zero);
    let priced = service.price_min.is_some() || service.price_max.is_some();
    if priced && free(service.price_min) && free(service.price_max) {
        let text = match language {
            Language::Es => "sin costo",
            Language::En => "free of charge",
        };
        return Some(text.to_owned());
    }
    service.price_range(language)
}

pub(super) async fn menu(turn: &Turn<'_>, asked: MenuQuestion) -> Result<Value> {
    let language = turn.language();
    let all = catalogue::active::<Dish>(turn.tx).await?;
    let categories = catalogue::active::<MenuCategory>(turn.tx).await?;
    let chosen: Vec<&Item<Dish>> = match (&asked.item_name, &asked.category) {
        (Some(name), _) => {
            let names = |dish: &Dish| OtherNames {
                aliases: dish.aliases.clone(),
                category: dish.category.clone(),
            };
            vec![named(name, "item_name", &all, names)?]
        }
        (None, Some(category)) => {
            let category_of = |dish: &Item<Dish>| dish.data.category.clone();
            let known = known_category(category, all.iter().filter_map(category_of))?;
            let fits = |dish: &&Item<Dish>| dish.data.category.as_deref() == Some(&*known);
            all.iter().filter(fits).collect()
        }
        (None, None) => all.iter().collect(),
    };
    let in_detail = chosen.len() <= 60;
    let place = |dish: &Item<Dish>| {
        let category = dish.data.category.as_deref().map(name_key);
        let is = |known: &Item<MenuCategory>| Some(name_key(&known.data.name)) == category;
        categories.iter().position(is).unwrap_or(usize::MAX)
    };
    let mut chosen = chosen;
    chosen.sort_by_key(|dish| place(dish));
    let items: Vec<Value> = chosen
        .iter()
        .map(|dish| {
            let mut told = json!({
                "id": dish.id,
                "name": dish.data.name,
                "price": dish.data.price,
                "price_text": dish.data.price.format(language),
                "category": dish.data.category,
                "available": dish.data.available,
            });
            if !dish.data.branches.is_empty() {
                told["branch_ids"] = json!(dish.data.branches);
            }
            if in_detail {
                told["description"] = json!(dish.data.description);
                told["options"] = json!(dish.data.options);
                told["allergens"] = json!(dish.data.allergens);
                told["tags"] = json!(dish.data.tags);
                told["aliases"] = json!(dish.data.aliases);
            }
            told
        })
        .collect();
    let categories: Vec<Value> = categories
        .iter()
        .map(|category| {
            json!({ "name": category.data.name, "description": category.data.description })
        })
        .collect();
    Ok(json!({ "categories": categories, "items": items }))
}
