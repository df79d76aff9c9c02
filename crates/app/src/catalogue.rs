//! What a business offers and has to say. Every kind of thing is made, read, changed and deleted the
//! same way; what is different about each is in `quipu_commerce::business`.

mod affected;
mod prompt_places;
mod table;

pub use prompt_places::{InstructionStatistics, ProposedForPrompt, statistics};
pub(crate) use table::harmless;
pub use table::{Column, ImportProblem, ImportReport, Tabular, export, import};

use crate::business::{self, BusinessContent};
use crate::once::{self, Once};
use crate::{Actor, App, merge, profile};
use quipu_commerce::business::{
    Branch, CatalogueItem, Dish, Item, ItemKind, Premises, Searchable, Service, Staff, Table,
};
use quipu_commerce::money::Currency;
use quipu_core::access::Permission;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// # Errors
/// `VALIDATION_FAILED`, `ALREADY_EXISTS` when the name is taken, `TOO_MANY_ITEMS`; `PROMPT_FULL` or
/// `PROMPT_TOKENS_EXCEEDED` when it is to stand in every prompt and there is no room.
pub async fn create<T: CatalogueItem>(app: &App, actor: &Actor, input: T) -> Result<Item<T>> {
    actor.require(Permission::BusinessWrite)?;
    let tx = match once::begin(app, actor, operation(T::KIND), &input).await? {
        Once::Again(item) => return Ok(item),
        Once::First(tx) => tx,
    };
    room_for(&tx, T::KIND, 1).await?;
    let currency = profile::currency(&tx).await?;
    let id = insert(app, &tx, currency, input).await?;
    let target = format!("{}:{id}", T::KIND.as_str());
    actor
        .audit(&tx, "catalogue.create", target, json!({}))
        .await?;
    let item = load::<T>(&tx, id).await?;
    tx.commit(&item).await?;
    app.new_work.notify_one();
    Ok(item)
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such thing.
pub async fn get<T: CatalogueItem>(app: &App, actor: &Actor, id: Uuid) -> Result<Item<T>> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut item = load::<T>(&tx, id).await?;
    affected::warn(&tx, actor, &mut item).await?;
    Ok(item)
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list<T: CatalogueItem>(
    app: &App,
    actor: &Actor,
    active: Option<bool>,
    page: PageRequest,
) -> Result<Page<Item<T>>> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.catalogue().list(active, page).await
}

/// Changes what the patch names and leaves the rest: a JSON merge patch, in which `null` takes a
/// field back to what it is when left out, unless it says something by itself. Appointments ahead that no longer fit are told in the
/// warnings.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `ALREADY_EXISTS` when the new name is taken, or `PROMPT_FULL` or
/// `PROMPT_TOKENS_EXCEEDED` when it is to stand in every prompt and there is no room.
pub async fn update<T: CatalogueItem>(
    app: &App,
    actor: &Actor,
    id: Uuid,
    patch: Map<String, Value>,
) -> Result<Item<T>> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    tx.catalogue().lock(&[id]).await?;
    let before: Item<T> = load(&tx, id).await?;
    let patch = Value::Object(patch);
    let changed = merge::patched_with_nulls(&before.data, patch, T::NULLABLE)?;
    let currency = profile::currency(&tx).await?;
    save(app, &tx, currency, id, changed).await?;
    let target = format!("{}:{id}", T::KIND.as_str());
    actor
        .audit(&tx, "catalogue.update", target, json!({}))
        .await?;
    let mut item = load::<T>(&tx, id).await?;
    affected::warn(&tx, actor, &mut item).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(item)
}

/// Deletes it, and every mention of it in other things.
///
/// # Errors
/// `NOT_FOUND`, or `IN_USE` when appointments that are still to come need it.
pub async fn delete<T: CatalogueItem>(app: &App, actor: &Actor, id: Uuid) -> Result<()> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    // Whoever books takes the same lock, so that nothing is booked between the look and the deed.
    tx.catalogue().lock(&[id]).await?;
    load::<T>(&tx, id).await?;
    if affected::is_booked(T::KIND) {
        let ahead = tx.appointments().ahead(id).await?;
        if ahead > 0 {
            let (es, en) = affected::appointments(ahead);
            let error = Error::new(ErrorCode::InUse).with("count", ahead);
            return Err(error.with_texts("appointments", es, en));
        }
    }
    if T::KIND == ItemKind::Branch {
        tx.leads().forget_branch(id.into()).await?;
        forget::<Staff>(&tx, id).await?;
        forget::<Dish>(&tx, id).await?;
        prompt_places::rest(app, &tx, id).await?;
        for table in tx.catalogue().all::<Table>().await? {
            if table.data.branch_id.uuid() == id {
                tx.catalogue().delete(ItemKind::Table, table.id).await?;
            }
        }
    }
    if matches!(T::KIND, ItemKind::Branch | ItemKind::Staff) {
        forget::<Service>(&tx, id).await?;
    }
    tx.catalogue().delete(T::KIND, id).await?;
    business::forget(app, &tx, T::KIND.as_str(), &id.to_string()).await?;
    let target = format!("{}:{id}", T::KIND.as_str());
    actor
        .audit(&tx, "catalogue.delete", target, json!({}))
        .await?;
    tx.commit().await
}

/// What the catalogue says about where and with whom.
pub(crate) async fn premises(tx: &TenantTx) -> Result<Premises> {
    let catalogue = tx.catalogue();
    Ok(Premises {
        branches: catalogue.all::<Branch>().await?,
        staff: catalogue.all::<Staff>().await?,
        tables: catalogue.all::<Table>().await?,
    })
}

/// All active ones of a kind, in their order.
pub(crate) async fn active<T: CatalogueItem>(tx: &TenantTx) -> Result<Vec<Item<T>>> {
    let mut items = tx.catalogue().all::<T>().await?;
    items.retain(|item| item.data.active());
    Ok(items)
}

pub(crate) async fn load<T: CatalogueItem>(tx: &TenantTx, id: Uuid) -> Result<Item<T>> {
    tx.catalogue()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found(T::KIND.as_str()))
}

/// Refuses what would be more of a kind than a tenant may have.
pub(crate) async fn room_for(tx: &TenantTx, kind: ItemKind, more: u64) -> Result<()> {
    // Two at once must not both take the last place.
    tx.profile().lock_plan().await?;
    if tx.catalogue().count(kind).await? + more > kind.most() {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", kind.most()));
    }
    Ok(())
}

/// Adds a thing and makes it searchable.
pub(crate) async fn insert<T: CatalogueItem>(
    app: &App,
    tx: &TenantTx,
    currency: Currency,
    mut item: T,
) -> Result<Uuid> {
    check(tx, currency, &mut item).await?;
    let id = tx.catalogue().insert(&item).await?;
    prompt_places::keep(tx, id, &item).await?;
    make_searchable(app, tx, id, &item).await?;
    Ok(id)
}

/// Puts another thing in the place of one, which whoever calls it holds.
pub(crate) async fn save<T: CatalogueItem>(
    app: &App,
    tx: &TenantTx,
    currency: Currency,
    id: Uuid,
    mut item: T,
) -> Result<()> {
    check(tx, currency, &mut item).await?;
    tx.catalogue().update(id, &item).await?;
    prompt_places::keep(tx, id, &item).await?;
    make_searchable(app, tx, id, &item).await
}

async fn check<T: CatalogueItem>(tx: &TenantTx, currency: Currency, item: &mut T) -> Result<()> {
    let mut checks = Checks::new();
    item.check(currency, &mut checks);
    for reference in item.references() {
        let there = tx
            .catalogue()
            .existing(reference.kind, &reference.ids)
            .await?;
        if !reference.ids.iter().all(|id| there.contains(id)) {
            checks.problem(reference.field, Problem::NotFound);
        }
    }
    checks.finish()
}

async fn make_searchable<T: CatalogueItem>(
    app: &App,
    tx: &TenantTx,
    id: Uuid,
    item: &T,
) -> Result<()> {
    match item.searchable().filter(|_| item.active()) {
        Some(found) => {
            business::index(app, tx, &content::<T>(id, found)).await?;
        }
        None => {
            business::forget(app, tx, T::KIND.as_str(), &id.to_string()).await?;
        }
    }
    Ok(())
}

fn content<T: CatalogueItem>(id: Uuid, found: Searchable) -> BusinessContent {
    BusinessContent {
        kind: T::KIND.as_str(),
        source_id: id.to_string(),
        title: found.title,
        text: found.text,
        category: found.category,
        tags: found.tags,
    }
}

/// Drops every mention of something in the things of a kind.
async fn forget<T: CatalogueItem>(tx: &TenantTx, id: Uuid) -> Result<()> {
    for mut item in tx.catalogue().all::<T>().await? {
        if item.data.forget(id) {
            tx.catalogue().update(item.id, &item.data).await?;
        }
    }
    Ok(())
}

const fn operation(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Branch => "branch.create",
        ItemKind::Staff => "staff.create",
        ItemKind::Table => "table.create",
        ItemKind::Service => "service.create",
        ItemKind::MenuCategory => "menu_category.create",
        ItemKind::Dish => "menu_item.create",
        ItemKind::DeliveryZone => "delivery_zone.create",
        ItemKind::Policy => "policy.create",
        ItemKind::Faq => "faq.create",
        ItemKind::Article => "article.create",
        ItemKind::ResponseTemplate => "response_template.create",
        ItemKind::Competitor => "competitor.create",
        ItemKind::Reward => "reward.create",
        ItemKind::Instruction => "instruction.create",
    }
}
