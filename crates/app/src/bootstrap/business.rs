//! What a demo business is and offers. Things name each other by name; here they get their ids.

use crate::{Actor, App, catalogue, loyalty, profile};
use quipu_commerce::business::{
    Article, Branch, BusinessProfile, CatalogueItem, Competitor, DeliveryZone, Dish, Faq,
    LoyaltyProgramme, MenuCategory, Policy, ResponseTemplate, Reward, Service, Staff, Table,
};
use quipu_commerce::money::Currency;
use quipu_core::agent::Vertical;
use quipu_core::language::Language;
use quipu_core::{Error, Result};
use quipu_store::TenantTx;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

#[derive(Deserialize)]
pub(super) struct DemoTenant {
    pub(super) locale: String,
    pub(super) time_zone: String,
}

#[derive(Deserialize)]
pub(super) struct DemoAgent {
    pub(super) vertical: Vertical,
    pub(super) language: Language,
}

#[derive(Deserialize)]
pub(super) struct DemoBusiness {
    pub(super) tenant: DemoTenant,
    pub(super) agent: DemoAgent,
    profile: BusinessProfile,
    loyalty: LoyaltyProgramme,
    branches: Vec<Value>,
    staff: Vec<Value>,
    #[serde(default)]
    tables: Vec<Value>,
    services: Vec<Value>,
    menu_categories: Vec<Value>,
    menu_items: Vec<Value>,
    delivery_zones: Vec<Value>,
    policies: Vec<Value>,
    faqs: Vec<Value>,
    articles: Vec<Value>,
    response_templates: Vec<Value>,
    competitors: Vec<Value>,
    rewards: Vec<Value>,
}

impl DemoBusiness {
    pub(super) fn read(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(Error::internal)
    }

    /// Fills the catalogue of a tenant that has none yet, all of it or nothing.
    pub(super) async fn load(self, app: &App, actor: &Actor) -> Result<()> {
        let tx = app.store.begin(actor.scope()).await?;
        if tx.catalogue().count(Branch::KIND).await? > 0 {
            return Ok(());
        }
        let currency = self.profile.currency(&self.tenant.locale);
        profile::store(&tx, &self.profile).await?;
        loyalty::store_programme(&tx, &self.loyalty).await?;
        let mut names = Names::default();
        let loader = Loader {
            app,
            tx: &tx,
            currency,
        };
        loader.add::<Branch>(self.branches, &mut names).await?;
        loader.add::<Staff>(self.staff, &mut names).await?;
        loader.add::<Table>(self.tables, &mut names).await?;
        loader.add::<Service>(self.services, &mut names).await?;
        loader
            .add::<MenuCategory>(self.menu_categories, &mut names)
            .await?;
        loader.add::<Dish>(self.menu_items, &mut names).await?;
        loader
            .add::<DeliveryZone>(self.delivery_zones, &mut names)
            .await?;
        loader.add::<Policy>(self.policies, &mut names).await?;
        loader.add::<Faq>(self.faqs, &mut names).await?;
        loader.add::<Article>(self.articles, &mut names).await?;
        loader
            .add::<ResponseTemplate>(self.response_templates, &mut names)
            .await?;
        loader
            .add::<Competitor>(self.competitors, &mut names)
            .await?;
        loader.add::<Reward>(self.rewards, &mut names).await?;
        tx.commit().await?;
        app.new_work.notify_one();
        Ok(())
    }
}

/// The ids of what other things name.
type Names = HashMap<String, Uuid>;

struct Loader<'a> {
    app: &'a App,
    tx: &'a TenantTx,
    currency: Currency,
}

impl Loader<'_> {
    async fn add<T: CatalogueItem>(&self, values: Vec<Value>, names: &mut Names) -> Result<()> {
        for mut value in values {
            for field in ["branches", "staff", "branch_id"] {
                if let Some(named) = value.get_mut(field) {
                    resolve(named, names)?;
                }
            }
            let item: T = serde_json::from_value(value).map_err(Error::internal)?;
            let name = item.name().to_owned();
            let id = catalogue::insert(self.app, self.tx, self.currency, item).await?;
            names.insert(name, id);
        }
        Ok(())
    }
}

fn resolve(mention: &mut Value, names: &Names) -> Result<()> {
    match mention {
        Value::Array(all) => all.iter_mut().try_for_each(|one| resolve(one, names)),
        Value::String(name) => {
            let id = names.get(name.as_str());
            let id = id.ok_or_else(|| Error::internal(format!("nothing is called {name}")))?;
            *mention = json!(id);
            Ok(())
        }
        _ => Ok(()),
    }
}
