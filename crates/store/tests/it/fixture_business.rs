//! What the business of a tenant offers, and an appointment there.

use crate::fixture::named;
use crate::fixture_customers::Customers;
use crate::material::ACTOR;
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_commerce::business::{Branch, Staff};
use quipu_commerce::calendar::Span;
use quipu_core::history::Subject;
use quipu_core::lead::LeadChange;
use quipu_core::tool_call::NewToolCall;
use quipu_core::{AgentId, AppointmentId, BranchId, ConversationId, StaffId, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::TemperatureCause;
use serde_json::json;
use uuid::Uuid;

pub(crate) struct Business {
    pub(crate) branch: Uuid,
    pub(crate) staff: Uuid,
    /// With the staff member, tomorrow at noon.
    pub(crate) appointment: AppointmentId,
    /// Held and expired, the hour after.
    pub(crate) expired: AppointmentId,
    pub(crate) held: Span,
}

pub(crate) fn branch(name: &str) -> Branch {
    serde_json::from_value(json!({ "name": name })).unwrap()
}

pub(crate) fn tool_call(agent: AgentId, conversation: ConversationId) -> NewToolCall {
    NewToolCall {
        agent_id: agent,
        conversation_id: Some(conversation),
        lead_id: None,
        actor: ACTOR.to_owned(),
        tool: "create_appointment".to_owned(),
        arguments: json!({}),
        error_code: None,
        elapsed: std::time::Duration::ZERO,
    }
}

pub(crate) async fn add(
    tx: &TenantTx,
    slug: &str,
    agent: AgentId,
    customers: &Customers,
) -> Business {
    let branch_id = tx
        .catalogue()
        .insert(&branch(&named(slug, "branch")))
        .await
        .unwrap();
    let staff: Staff = serde_json::from_value(json!({
        "name": named(slug, "staff"),
        "branches": [branch_id],
    }))
    .unwrap();
    let staff_id = tx.catalogue().insert(&staff).await.unwrap();
    let profile = json!({ "slogan": named(slug, "slogan") });
    tx.settings().put("profile", &profile).await.unwrap();
    let start = tx.now() + std::time::Duration::from_hours(24);
    let held = hour_from(start);
    let booked = appointment(tx.now(), branch_id, staff_id, start);
    tx.appointments().insert(&booked, held).await.unwrap();
    take(tx, &booked, held).await;
    let mut expired = appointment(tx.now(), branch_id, staff_id, held.end);
    expired.status = AppointmentStatus::Held;
    expired.hold_expires_at = Some(tx.now());
    let after = hour_from(held.end);
    tx.appointments().insert(&expired, after).await.unwrap();
    take(tx, &expired, after).await;
    tx.tool_calls()
        .insert(&NewToolCall {
            lead_id: Some(customers.lead),
            ..tool_call(agent, customers.conversation)
        })
        .await
        .unwrap();
    tx.tool_calls()
        .insert(&NewToolCall {
            actor: named(slug, "caller"),
            ..tool_call(agent, customers.conversation)
        })
        .await
        .unwrap();
    let at_branch = LeadChange {
        branch_id: Some(Some(branch_id.into())),
        ..LeadChange::default()
    };
    tx.leads()
        .update(customers.lead, &at_branch, TemperatureCause::by(ACTOR))
        .await
        .unwrap();
    tx.history()
        .add(
            Subject::Appointment,
            booked.id.uuid(),
            "confirmed",
            ACTOR,
            json!({ "note": named(slug, "note") }),
        )
        .await
        .unwrap();
    Business {
        branch: branch_id,
        staff: staff_id,
        appointment: booked.id,
        expired: expired.id,
        held,
    }
}

async fn take(tx: &TenantTx, booked: &Appointment, held: Span) {
    let appointments = tx.appointments();
    let taken = appointments.take(booked.id, booked.resource(), 1, held);
    taken.await.unwrap();
}

pub(crate) fn hour_from(start: Timestamp) -> Span {
    Span {
        start,
        end: start + std::time::Duration::from_hours(1),
    }
}

pub(crate) fn appointment(
    now: Timestamp,
    branch: Uuid,
    staff: Uuid,
    start: Timestamp,
) -> Appointment {
    Appointment {
        id: AppointmentId::generate(now),
        status: AppointmentStatus::Confirmed,
        service_id: None,
        service_name: "Limpieza".to_owned(),
        branch_id: BranchId::from_uuid(branch),
        branch_name: "Centro".to_owned(),
        staff_id: Some(StaffId::from_uuid(staff)),
        staff_name: Some("Ana".to_owned()),
        table_id: None,
        table_name: None,
        party: 1,
        starts_at: start,
        ends_at: hour_from(start).end,
        time_zone: "America/Lima".to_owned(),
        local_start: String::new(),
        price_min: None,
        price_max: None,
        lead_id: None,
        customer_name: None,
        conversation_id: None,
        agent_id: None,
        notes: None,
        hold_expires_at: None,
        revision: 0,
        created_at: now,
        updated_at: now,
    }
}
