//! Puts the business of a scenario into the product, through the use cases that the API has.

use super::file::{self, Scenario, Tenant};
use super::world::World;
use super::written::{amount, earning, hours, longest_minutes, whole_days};
use anyhow::{Context, bail};
use quipu_app::agents::{self, CreateAgent};
use quipu_app::tenants::{self, CreateTenant};
use quipu_app::{Actor, RequestInfo, catalogue, loyalty, profile, prompting};
use quipu_commerce::business::{
    Branch, BusinessProfile, CatalogueItem, DeliveryZone, Dish, Faq, LoyaltyProgramme, OrderTerms,
    Policy, Prompting, Reward, Service, Staff,
};
use quipu_commerce::loyalty::EarningRules;
use quipu_commerce::money::{Currency, Money};
use quipu_core::access::Principal;
use quipu_core::agent::{Agent, AgentSettings, Vertical};
use quipu_core::chat::ModelConfig;
use quipu_core::language::Language;
use quipu_core::text::fold;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

const SLUG: &str = "scenario";
/// How much of a policy is its title.
const TITLE_CHARS: usize = 80;

/// The business in the product, with the ids that the file calls its things by.
pub(super) struct Business {
    pub(super) actor: Actor,
    pub(super) agent: Agent,
    pub(super) branches: Ids,
    pub(super) staff: Ids,
    pub(super) services: Ids,
    pub(super) dishes: Ids,
    /// The rewards that are a thing of the menu.
    pub(super) given_things: Vec<String>,
    /// What could not be read out of the file.
    pub(super) not_loaded: Vec<String>,
}

/// From what the file calls something to its id.
#[derive(Default)]
pub(super) struct Ids(BTreeMap<String, Uuid>);

impl Ids {
    pub(super) fn id(&self, named: &str) -> anyhow::Result<Uuid> {
        let found = self.0.get(named).copied();
        found.with_context(|| format!("nothing is called `{named}`"))
    }

    /// What the file calls the thing with an id.
    pub(super) fn name_of(&self, id: Uuid) -> Option<&str> {
        let found = self.0.iter().find(|(_, known)| **known == id);
        found.map(|(name, _)| name.as_str())
    }

    fn add(&mut self, name: &str, id: Uuid) -> anyhow::Result<()> {
        if self.0.insert(name.to_owned(), id).is_some() {
            bail!("two things are called `{name}`");
        }
        Ok(())
    }
}

/// How the agent of the business is set.
pub(super) struct Manner {
    pub(super) model: ModelConfig,
    pub(super) legacy_prompt: bool,
}

pub(super) async fn load(
    world: &World,
    scenario: &Scenario,
    manner: &Manner,
) -> anyhow::Result<Business> {
    let tenant = &scenario.tenant;
    let app = &world.app;
    let currency = Currency::parse(&tenant.currency)
        .with_context(|| format!("`{}` is no currency", tenant.currency))?;
    let system = Principal::System;
    let language = language(tenant);
    let country = tenant.country.as_deref().unwrap_or("MX").to_uppercase();
    let input = CreateTenant {
        name: tenant.name.clone(),
        slug: Some(SLUG.to_owned()),
        plan: "enterprise".to_owned(),
        locale: format!("{}-{country}", language.as_str()),
        time_zone: tenant.timezone.clone(),
    };
    tenants::create(app, &system, input, &RequestInfo::default()).await?;
    let actor = Actor::enter(app, system, Some(SLUG), RequestInfo::default()).await?;
    let input = CreateAgent {
        name: "Quipu".to_owned(),
        slug: None,
        company_name: None,
        vertical: Vertical::parse(&tenant.vertical).unwrap_or(Vertical::General),
        language,
        allows_personal_corpus: false,
        settings: AgentSettings {
            model: manner.model.clone(),
            ..AgentSettings::default()
        },
    };
    let agent = agents::create(app, &actor, input).await?;
    let flag = Prompting {
        legacy_prompt: manner.legacy_prompt,
    };
    prompting::put(app, &actor, flag).await?;
    let mut business = Business {
        actor,
        agent,
        branches: Ids::default(),
        staff: Ids::default(),
        services: Ids::default(),
        dishes: Ids::default(),
        given_things: Vec::new(),
        not_loaded: scenario.not_loaded(),
    };
    let loader = Loader {
        world,
        tenant,
        currency,
    };
    loader.profile(&business).await?;
    loader.people(&mut business, &scenario.busy).await?;
    loader.menu(&mut business).await?;
    loader.texts(&business).await?;
    loader.loyalty(&mut business).await?;
    world.settled(&business.actor).await?;
    Ok(business)
}

/// The language that most customers of the country write.
fn language(tenant: &Tenant) -> Language {
    match tenant.country.as_deref() {
        Some("US" | "GB" | "IE" | "CA" | "AU" | "NZ") => Language::En,
        _ => Language::Es,
    }
}

struct Loader<'a> {
    world: &'a World,
    tenant: &'a Tenant,
    currency: Currency,
}

impl Loader<'_> {
    async fn add<T: CatalogueItem>(
        &self,
        business: &Business,
        name: &str,
        value: Value,
    ) -> anyhow::Result<Uuid> {
        let item: T = serde_json::from_value(value)
            .with_context(|| format!("{name} cannot be a {}", T::KIND.as_str()))?;
        let made = catalogue::create(&self.world.app, &business.actor, item).await;
        Ok(made.with_context(|| format!("{name} is refused"))?.id)
    }

    fn amount(&self, number: &serde_json::Number) -> anyhow::Result<Money> {
        amount(number, self.currency)
    }

    async fn profile(&self, business: &Business) -> anyhow::Result<()> {
        let sells = !self.tenant.menu.is_empty();
        let brings = self.tenant.delivery.is_some();
        let profile = BusinessProfile {
            currency: Some(self.currency),
            orders: OrderTerms {
                pickup: sells,
                delivery: sells && brings,
                // What the file says of times is from the order to the door.
                preparation_minutes: if brings { 0 } else { 30 },
                minimum: None,
            },
            ..BusinessProfile::default()
        };
        profile::put(&self.world.app, &business.actor, profile).await?;
        Ok(())
    }

    async fn people(&self, business: &mut Business, busy: &[file::Busy]) -> anyhow::Result<()> {
        for branch in &self.tenant.branches {
            let value = json!({
                "name": branch.name, "address": branch.address, "hours": hours(&branch.hours)?,
            });
            let id = self.add::<Branch>(business, &branch.name, value).await?;
            business.branches.add(&branch.id, id)?;
        }
        for staff in &self.tenant.staff {
            let branches: Vec<Uuid> = match &staff.branch {
                Some(branch) => vec![business.branches.id(branch)?],
                None => business.branches.0.values().copied().collect(),
            };
            let off: Vec<Value> = busy
                .iter()
                .filter(|busy| busy.staff == staff.id)
                .map(|busy| json!({ "from": busy.start, "to": busy.end }))
                .collect();
            let days = staff.days.as_deref().map(whole_days).transpose()?;
            let value = json!({
                "name": staff.name, "role": staff.role, "branches": branches,
                "hours": days, "time_off": off,
            });
            let id = self.add::<Staff>(business, &staff.name, value).await?;
            business.staff.add(&staff.id, id)?;
        }
        for busy in busy {
            business.staff.id(&busy.staff).context("busy.staff")?;
        }
        for service in &self.tenant.services {
            let staff: Vec<Uuid> = service
                .staff
                .iter()
                .map(|staff| business.staff.id(staff))
                .collect::<anyhow::Result<_>>()?;
            let price = service.price.as_ref().map(|price| self.amount(price));
            let value = json!({
                "name": service.name, "price_min": price.transpose()?, "staff": staff,
                "duration_minutes": service.minutes.unwrap_or(30),
                "urgent": is_urgent(&service.name),
            });
            let id = self.add::<Service>(business, &service.name, value).await?;
            business.services.add(&service.id, id)?;
        }
        Ok(())
    }

    async fn menu(&self, business: &mut Business) -> anyhow::Result<()> {
        for dish in &self.tenant.menu {
            let value = json!({
                "name": dish.name, "price": self.amount(&dish.price)?,
                "allergens": dish.allergens, "tags": dish.tags,
            });
            let id = self.add::<Dish>(business, &dish.name, value).await?;
            business.dishes.add(&dish.id, id)?;
        }
        let Some(delivery) = &self.tenant.delivery else {
            return Ok(());
        };
        let minutes = delivery.eta_min.as_ref().and_then(longest_minutes);
        if delivery.eta_min.is_some() && minutes.is_none() {
            business
                .not_loaded
                .push("tenant.delivery.eta_min".to_owned());
        }
        let least = delivery.min_order.as_ref().map(|least| self.amount(least));
        let least = least.transpose()?.filter(|least| !least.is_zero());
        for (name, fee) in &delivery.zones {
            let value = json!({
                "name": name, "fee": self.amount(fee)?, "minimum": least, "minutes": minutes,
            });
            self.add::<DeliveryZone>(business, name, value).await?;
        }
        Ok(())
    }

    async fn texts(&self, business: &Business) -> anyhow::Result<()> {
        for text in &self.tenant.policies {
            let value = json!({ "kind": policy_kind(text), "title": title(text), "policy": text });
            self.add::<Policy>(business, text, value).await?;
        }
        for faq in &self.tenant.faqs {
            let value = json!({ "question": faq.q, "answer": faq.a });
            self.add::<Faq>(business, &faq.q, value).await?;
        }
        Ok(())
    }

    async fn loyalty(&self, business: &mut Business) -> anyhow::Result<()> {
        let Some(written) = &self.tenant.loyalty else {
            return Ok(());
        };
        let spend = written
            .earn
            .as_deref()
            .and_then(|earn| earning(earn, self.currency));
        if written.earn.is_some() && spend.is_none() {
            business.not_loaded.push("tenant.loyalty.earn".to_owned());
        }
        let programme = LoyaltyProgramme {
            name: self.tenant.name.clone(),
            token_name: written.unit.clone(),
            earning: EarningRules {
                spend,
                ..EarningRules::default()
            },
            active: true,
        };
        loyalty::put_programme(&self.world.app, &business.actor, programme).await?;
        for reward in &written.rewards {
            let discount = self.discount(&reward.name)?;
            if discount["kind"] == "amount" {
                business.given_things.push(reward.name.clone());
            }
            let value =
                json!({ "name": reward.name, "tokens": reward.points, "discount": discount });
            self.add::<Reward>(business, &reward.name, value).await?;
        }
        Ok(())
    }

    /// What a reward takes off an order: the price of the thing that it names, or a share.
    fn discount(&self, reward: &str) -> anyhow::Result<Value> {
        let words = fold(reward);
        if let Some((before, _)) = words.split_once('%') {
            let percent = before.split_whitespace().next_back().unwrap_or_default();
            if let Ok(percent) = percent.parse::<u32>() {
                return Ok(json!({ "kind": "percent", "percent": percent }));
            }
        }
        let named = self.tenant.menu.iter();
        let named = named.filter(|dish| words.contains(&fold(&dish.name)));
        let Some(thing) = named.max_by_key(|dish| dish.name.len()) else {
            return Ok(json!({ "kind": "none" }));
        };
        Ok(json!({ "kind": "amount", "amount": self.amount(&thing.price)? }))
    }
}

fn is_urgent(service: &str) -> bool {
    let words = fold(service);
    let mut words = words.split_whitespace();
    words.any(|word| word.starts_with("urgen") || word.starts_with("emergen"))
}

/// What somebody who types a policy in would choose for it.
fn policy_kind(text: &str) -> &'static str {
    const KINDS: &[(&str, &[&str])] = &[
        ("rescheduling", &["reprogram", "reagend", "reschedul"]),
        ("cancellation", &["cancel", "anula"]),
        ("refunds", &["devoluc", "reembols", "refund"]),
        ("warranty", &["garanti", "warrant"]),
        ("privacy", &["privacidad", "datos personales", "privacy"]),
        ("payment", &["pago", "pagar", "anticipo", "payment"]),
    ];
    let words = fold(text);
    let found = KINDS
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)));
    found.map_or("general", |(kind, _)| kind)
}

/// The beginning of a text, up to where a word ends.
fn title(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    if line.chars().count() <= TITLE_CHARS {
        return line.trim_end_matches('.').to_owned();
    }
    let cut: String = line.chars().take(TITLE_CHARS).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    cut[..end].to_owned()
}
