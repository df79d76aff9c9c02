//! The cases of what a business offers and of appointments.

use super::cases::{Case, Kind, cases, everything, is_taken};
use crate::fixture_business::{appointment, branch, hour_from, tool_call};
use quipu_commerce::appointment::{AppointmentOrder, AppointmentStatus};
use quipu_commerce::business::{Branch, ItemKind, Staff, name_key};
use quipu_core::Timestamp;
use quipu_store::tenant::AppointmentFilter;
use serde_json::{Value, json};

pub(super) fn all() -> Vec<Case> {
    [catalogue(), appointments(), tool_calls()].concat()
}

fn catalogue() -> Vec<Case> {
    cases! {
        Write "catalogue.insert" => |tx, a| {
            is_taken(tx.catalogue().insert(&branch(&a.named("branch"))).await)
        };
        Read "catalogue.find" => |tx, a| {
            tx.catalogue().find::<Branch>(a.business.branch).await?.is_some()
        };
        Read "catalogue.some" => |tx, a| {
            !tx.catalogue().some::<Branch>(&[a.business.branch]).await?.is_empty()
        };
        Write "catalogue.count_told" => |tx, a| {
            let ids = [a.mind.instruction];
            tx.catalogue().count_told(ItemKind::Instruction, &ids).await? > 0
        };
        Read "catalogue.told" => |tx, a| {
            let told = tx.catalogue().told(ItemKind::Instruction).await?;
            told.iter().any(|told| told.id == a.mind.instruction)
        };
        Read "catalogue.find_by_name" => |tx, a| {
            tx.catalogue().find_by_name::<Branch>(&a.named("branch")).await?.is_some()
        };
        Read "catalogue.named" => |tx, a| {
            let keys = [name_key(&a.named("branch"))];
            !tx.catalogue().named::<Branch>(&keys).await?.is_empty()
        };
        Read "catalogue.list" => |tx, a| {
            let page = tx.catalogue().list::<Staff>(None, everything()).await?;
            page.data.iter().any(|row| row.id == a.business.staff)
        };
        Read "catalogue.all" => |tx, a| {
            tx.catalogue().all::<Staff>().await?.iter().any(|row| row.id == a.business.staff)
        };
        Read "catalogue.existing" => |tx, a| {
            let ids = [a.business.staff];
            !tx.catalogue().existing(ItemKind::Staff, &ids).await?.is_empty()
        };
        Read "catalogue.count" => |tx, _a| tx.catalogue().count(ItemKind::Branch).await? >= 2;
        Write "catalogue.update" => |tx, a| {
            tx.catalogue().update(a.business.branch, &branch("Robada")).await?
        };
        Write "catalogue.delete" => |tx, a| {
            tx.catalogue().delete(ItemKind::Branch, a.business.branch).await?
        };
        Write "catalogue.lock" => |tx, a| tx.catalogue().lock(&[a.business.staff]).await? == 1;
        Read "settings.get" => |tx, a| {
            let profile = tx.settings().get::<Value>("profile").await?;
            profile == Some(json!({ "slogan": a.named("slogan") }))
        };
        Add "settings.put" => |tx, _a| {
            tx.settings().put("profile", &json!({})).await?;
            false
        };
    }
}

fn appointments() -> Vec<Case> {
    cases! {
        Add "appointments.insert" => |tx, a| {
            let new = appointment(a.now, a.business.branch, a.business.staff, a.now);
            tx.appointments().insert(&new, hour_from(a.now)).await?;
            false
        };
        Read "appointments.find" => |tx, a| {
            tx.appointments().find(a.business.appointment).await?.is_some()
        };
        Write "appointments.lock" => |tx, a| {
            tx.appointments().lock(a.business.appointment).await?.is_some()
        };
        Write "appointments.save" => |tx, a| {
            let mut changed = appointment(a.now, a.business.branch, a.business.staff, a.now);
            changed.id = a.business.appointment;
            changed.status = AppointmentStatus::Cancelled;
            tx.appointments().save(&changed, hour_from(a.now)).await?
        };
        Read "appointments.list" => |tx, a| {
            let filter = AppointmentFilter::default();
            let page = tx.appointments().list(&filter, AppointmentOrder::Start, everything()).await?;
            page.data.iter().any(|row| row.id == a.business.appointment)
        };
        Read "appointments.agenda" => |tx, a| {
            let filter = AppointmentFilter {
                resource: Some(a.business.staff),
                ..AppointmentFilter::default()
            };
            !tx.appointments().agenda(&filter, 10).await?.is_empty()
        };
        Read "appointments.busy" => |tx, a| {
            let ids = [a.business.staff];
            !tx.appointments().busy(&ids, a.business.held, None).await?.is_empty()
        };
        Read "appointments.ahead" => |tx, a| tx.appointments().ahead(a.business.staff).await? > 0;
        Read "appointments.needing" => |tx, a| {
            !tx.appointments().needing(a.business.staff, 10).await?.is_empty()
        };
        Write "appointments.take" => |tx, a| {
            let new = appointment(a.now, a.business.branch, a.business.staff, a.now);
            tx.appointments().insert(&new, a.business.held).await?;
            // Another tenant's time is not in the way, whatever its id.
            tx.appointments().take(new.id, a.business.staff, 1, a.business.held).await.is_err()
        };
        Write "appointments.release" => |tx, a| {
            tx.appointments().release(a.business.appointment).await? > 0
        };
        Write "appointments.expire_holds" => |tx, a| {
            let expired = tx.appointments().expire_holds(&[a.business.staff]).await?;
            expired.contains(&a.business.expired)
        };
    }
}

fn tool_calls() -> Vec<Case> {
    cases! {
        Add "tool_calls.insert" => |tx, a| {
            let call = tool_call(a.agent().id, a.customers.conversation);
            tx.tool_calls().insert(&call).await?;
            false
        };
        Read "tool_calls.done_since" => |tx, a| {
            tx.tool_calls().done_since(a.customers.lead, Timestamp::UNIX_EPOCH).await? > 0
        };
        Read "tool_calls.done_for_nobody" => |tx, a| {
            let by = a.named("caller");
            tx.tool_calls().done_for_nobody(&by, Timestamp::UNIX_EPOCH).await? > 0
        };
        Read "tool_calls.list" => |tx, a| {
            let calls = tx.tool_calls().list(None, everything()).await?.data;
            calls.iter().any(|call| call.conversation_id == Some(a.customers.conversation))
        };
    }
}
