//! Looking up what the business is, where, and who works there.

use super::Turn;
use super::naming::{allowing, named};
use crate::{catalogue, profile};
use quipu_agents::tool::arguments::{BranchInfo, CompetitorQuestion, PolicyQuestion, StaffInfo};
use quipu_commerce::business::{
    Branch, BusinessProfile, Competitor, DeliveryZone, Item, OtherNames, Policy, Staff, rank,
};
use quipu_core::{BranchId, Error, Result, StaffId};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

pub(super) async fn info(turn: &Turn<'_>) -> Result<Value> {
    let profile = profile::load(turn.tx).await?;
    let branches = catalogue::active::<Branch>(turn.tx).await?;
    let zones = zones(turn, &profile).await?;
    let tenant = turn.scene.actor.tenant();
    let now = turn.tx.now();
    let local = now.to_zoned(profile::time_zone(turn.scene.actor));
    Ok(json!({
        "name": turn.scene.agent.company_name,
        "vertical": turn.scene.agent.vertical,
        "description": profile.description,
        "slogan": profile.slogan,
        "phone": profile.phone,
        "whatsapp": profile.whatsapp,
        "email": profile.email,
        "website": profile.website,
        "social": profile.social,
        "payment_methods": profile.payment_methods,
        "currency": profile.currency(&tenant.locale),
        "time_zone": tenant.time_zone,
        "now": local.strftime("%Y-%m-%dT%H:%M").to_string(),
        "branches": branches.iter().map(|branch| json!({
            "id": branch.id,
            "name": branch.data.name,
            "city": branch.data.city,
        })).collect::<Vec<_>>(),
        "orders": profile.orders,
        "delivery_zones": (!zones.is_empty()).then_some(zones),
    }))
}

/// Where orders are brought: for how much, from which amount on, and how long that takes.
async fn zones(turn: &Turn<'_>, profile: &BusinessProfile) -> Result<Vec<Value>> {
    if !profile.orders.delivery {
        return Ok(Vec::new());
    }
    let language = turn.language();
    let zones = catalogue::active::<DeliveryZone>(turn.tx).await?;
    let told = zones.iter().map(|zone| {
        let zone = &zone.data;
        let minimum = zone.minimum.or(profile.orders.minimum);
        let ready = profile.orders.preparation_minutes;
        json!({
            "name": zone.name,
            "aliases": zone.aliases,
            "fee": zone.fee.format(language),
            "delivery_fee": zone.fee,
            "minimum": minimum.map(|minimum| minimum.format(language)),
            "minimum_amount": minimum,
            "minutes": zone.minutes.map(|minutes| minutes.saturating_add(ready)),
        })
    });
    Ok(told.collect())
}

pub(super) async fn branches(turn: &Turn<'_>, asked: BranchInfo) -> Result<Value> {
    let all = catalogue::active::<Branch>(turn.tx).await?;
    let chosen: Vec<&Item<Branch>> = match (asked.branch_id, &asked.branch_name) {
        (Some(id), _) => {
            let found = all.iter().find(|branch| branch.id == id);
            vec![found.ok_or_else(|| Error::not_found("branch"))?]
        }
        (None, Some(name)) => vec![branch_named(name, &all)?],
        (None, None) => all.iter().collect(),
    };
    let told: Vec<Value> = chosen.iter().map(|branch| tell(turn, branch)).collect();
    Ok(json!({ "branches": told }))
}

fn tell(turn: &Turn<'_>, branch: &Item<Branch>) -> Value {
    let data = &branch.data;
    let zone = data.zone(&profile::time_zone(turn.scene.actor));
    let schedule = data.schedule();
    let now = turn.tx.now();
    let open = schedule.is_open(now, &zone);
    let opens = (!open).then(|| schedule.next_opening(now, &zone)).flatten();
    let local = |at: quipu_core::Timestamp| {
        let local = at.to_zoned(zone.clone());
        local.strftime("%Y-%m-%dT%H:%M").to_string()
    };
    let today = now.to_zoned(zone.clone()).date();
    json!({
        "id": branch.id,
        "name": data.name,
        "address": data.address,
        "city": data.city,
        "phone": data.phones.first(),
        "phones": data.phones,
        "whatsapp": data.whatsapp,
        "email": data.email,
        "google_maps_url": data.maps_url,
        "directions": data.directions,
        "operating_hours": data.hours.weekly,
        "exceptions": data.hours.exceptions,
        "hours_text": schedule.describe(turn.language(), today),
        "open_now": open,
        "opens_at": opens.map(local),
        "time_zone": zone.iana_name(),
    })
}

fn branch_named<'a>(name: &str, all: &'a [Item<Branch>]) -> Result<&'a Item<Branch>> {
    let names = |branch: &Branch| OtherNames {
        aliases: branch.city.iter().chain(&branch.address).cloned().collect(),
        category: None,
    };
    named(name, "branch_name", all, names)
}

/// The branch that is meant, by its id or its name; none when neither was said.
pub(super) async fn branch_id(
    turn: &Turn<'_>,
    id: Option<Uuid>,
    name: Option<&str>,
) -> Result<Option<BranchId>> {
    if let Some(id) = id {
        return Ok(Some(id.into()));
    }
    let Some(name) = name else { return Ok(None) };
    let all = catalogue::active::<Branch>(turn.tx).await?;
    Ok(Some(branch_named(name, &all)?.id.into()))
}

/// The person who is meant, by their id or their name; nobody when neither was said.
pub(super) async fn staff_id(
    turn: &Turn<'_>,
    id: Option<Uuid>,
    name: Option<&str>,
) -> Result<Option<StaffId>> {
    if let Some(id) = id {
        return Ok(Some(id.into()));
    }
    let Some(name) = name else { return Ok(None) };
    let all = catalogue::active::<Staff>(turn.tx).await?;
    Ok(Some(staff_named(name, &all)?.id.into()))
}

fn staff_named<'a>(name: &str, all: &'a [Item<Staff>]) -> Result<&'a Item<Staff>> {
    let names = |staff: &Staff| OtherNames {
        aliases: staff.specialty.iter().chain(&staff.role).cloned().collect(),
        category: None,
    };
    named(name, "staff_name", all, names)
}

pub(super) async fn staff(turn: &Turn<'_>, asked: StaffInfo) -> Result<Value> {
    let all = catalogue::active::<Staff>(turn.tx).await?;
    let branches = catalogue::active::<Branch>(turn.tx).await?;
    let at = match &asked.branch_name {
        Some(name) => Some(BranchId::from_uuid(branch_named(name, &branches)?.id)),
        None => None,
    };
    let mut chosen: Vec<&Item<Staff>> = match &asked.staff_name {
        Some(name) => vec![staff_named(name, &all)?],
        None => all.iter().collect(),
    };
    if let Some(at) = at {
        chosen.retain(|staff| staff.data.branches.contains(&at));
    }
    if let Some(specialty) = &asked.specialty {
        let texts: Vec<String> = chosen
            .iter()
            .map(|staff| what_they_do(&staff.data))
            .collect();
        let found = rank(specialty, &texts, turn.language());
        let is_in = |place: usize| found.iter().any(|(at, _)| *at == place);
        let mut place = 0;
        chosen.retain(|_| {
            place += 1;
            is_in(place - 1)
        });
    }
    let told: Vec<Value> = chosen
        .iter()
        .map(|staff| {
            let at = |branch: &&Item<Branch>| {
                let id = BranchId::from_uuid(branch.id);
                staff.data.branches.contains(&id)
            };
            let places = branches.iter().filter(at).map(|branch| &branch.data.name);
            json!({
                "id": staff.id,
                "name": staff.data.name,
                "role": staff.data.role,
                "specialty": staff.data.specialty,
                "about": staff.data.about,
                "branches": places.collect::<Vec<_>>(),
                "operating_hours": staff.data.hours.as_ref().map(|hours| &hours.weekly),
            })
        })
        .collect();
    Ok(json!({ "staff": told }))
}

fn what_they_do(staff: &Staff) -> String {
    let parts = [&staff.specialty, &staff.role, &staff.about];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    parts.join(". ")
}

pub(super) async fn policy(turn: &Turn<'_>, asked: PolicyQuestion) -> Result<Value> {
    let all = catalogue::active::<Policy>(turn.tx).await?;
    let found: Vec<&Item<Policy>> = all
        .iter()
        .filter(|policy| policy.data.kind == asked.policy_type)
        .collect();
    if found.is_empty() {
        let kinds = all.iter().map(|policy| policy.data.kind.as_str());
        let kinds: BTreeSet<String> = kinds.map(str::to_owned).collect();
        let error = Error::not_found("policy").with("field", "policy_type");
        return Err(allowing(error, kinds.into_iter().collect())
            .with("hint", "say that you do not have that information"));
    }
    let told: Vec<Value> = found
        .iter()
        .map(|policy| {
            json!({
                "type": policy.data.kind,
                "title": policy.data.title,
                "policy": policy.data.policy,
                "short_version": policy.data.short_version,
            })
        })
        .collect();
    Ok(json!({ "policies": told }))
}

pub(super) async fn competitor(turn: &Turn<'_>, asked: CompetitorQuestion) -> Result<Value> {
    let all = catalogue::active::<Competitor>(turn.tx).await?;
    let names = |competitor: &Competitor| OtherNames {
        aliases: competitor.aliases.clone(),
        category: None,
    };
    let found = named(&asked.competitor_name, "competitor_name", &all, names)?;
    Ok(json!({
        "name": found.data.name,
        "strategy": found.data.strategy,
        "strengths": found.data.strengths,
    }))
}
