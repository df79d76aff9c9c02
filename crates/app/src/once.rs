//! Creating requests that can be sent twice and happen once.

use crate::api_keys::CreatedApiKey;
use crate::members::InvitedMember;
use crate::{Actor, App};
use quipu_commerce::appointment::Appointment;
use quipu_commerce::business::Item;
use quipu_commerce::invoice::InvoiceRequest;
use quipu_commerce::loyalty::Redemption;
use quipu_commerce::order::Order;
use quipu_core::agent::Agent;
use quipu_core::conversation::Conversation;
use quipu_core::knowledge::{CountedKb, Document};
use quipu_core::lead::Lead;
use quipu_core::lead_merge::MergedLead;
use quipu_core::rehearsal::{RehearsalRun, RehearsalScript};
use quipu_core::website::Website;
use quipu_core::{Error, ErrorCode, LeadId, Result};
use quipu_store::TenantTx;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Deref;

/// Whether this is the first time, or an answer that was given before.
#[expect(
    clippy::large_enum_variant,
    reason = "it is taken apart where it is made, and never kept"
)]
pub(crate) enum Once<T> {
    First(OnceTx),
    Again(T),
}

/// The transaction of a creating request. Committing it keeps the answer under the request's
/// `Idempotency-Key`, in the same transaction as what was created.
pub(crate) struct OnceTx {
    tx: TenantTx,
    key: Option<(String, String)>,
}

impl Deref for OnceTx {
    type Target = TenantTx;
    fn deref(&self) -> &TenantTx {
        &self.tx
    }
}

impl OnceTx {
    pub(crate) async fn commit(self, answer: &impl Answer) -> Result<()> {
        let lead = answer.about();
        self.commit_about(lead, answer).await
    }

    /// The same for an answer that does not say itself whom it is about.
    pub(crate) async fn commit_about(
        self,
        lead: Option<LeadId>,
        answer: &impl Serialize,
    ) -> Result<()> {
        if let Some((actor, key)) = &self.key {
            let answer = serde_json::to_value(answer).map_err(Error::internal)?;
            self.tx
                .idempotency()
                .record(actor, key, answer, lead)
                .await?;
        }
        self.tx.commit().await
    }
}

/// What a creating request is answered with. Whatever is kept of a customer has to go with them, so
/// every answer says whether it is about one.
pub(crate) trait Answer: Serialize {
    fn about(&self) -> Option<LeadId>;
}

macro_rules! answers {
    ($($type:ty: |$answer:pat_param| $lead:expr;)+) => {$(
        impl Answer for $type {
            fn about(&self) -> Option<LeadId> {
                let $answer = self;
                $lead
            }
        }
    )+};
}

answers! {
    Lead: |lead| Some(lead.id);
    MergedLead: |merged| Some(merged.lead.id);
    Conversation: |conversation| Some(conversation.lead_id);
    Appointment: |appointment| appointment.lead_id;
    Order: |order| order.lead_id;
    InvoiceRequest: |request| request.lead_id;
    Redemption: |redemption| Some(redemption.lead_id);
    Agent: |_| None;
    CountedKb: |_| None;
    Document: |_| None;
    InvitedMember: |_| None;
    CreatedApiKey: |_| None;
    // Scripts are without what tells who somebody is, and a rehearsal says only how much it plays.
    RehearsalScript: |_| None;
    RehearsalRun: |_| None;
    Website: |_| None;
}

impl<T: Serialize> Answer for Item<T> {
    fn about(&self) -> Option<LeadId> {
        None
    }
}

/// Opens the transaction, unless the request's key was used before.
///
/// # Errors
/// `IDEMPOTENCY_MISMATCH` when the key was used for something else.
pub(crate) async fn begin<T: DeserializeOwned>(
    app: &App,
    actor: &Actor,
    operation: &'static str,
    request: &impl Serialize,
) -> Result<Once<T>> {
    let tx = app.store.begin(actor.scope()).await?;
    resume(tx, actor, operation, request).await
}

/// The same inside a transaction that is open already.
pub(crate) async fn resume<T: DeserializeOwned>(
    tx: TenantTx,
    actor: &Actor,
    operation: &'static str,
    request: &impl Serialize,
) -> Result<Once<T>> {
    let Some(key) = &actor.request().idempotency_key else {
        return Ok(Once::First(OnceTx { tx, key: None }));
    };
    let request = serde_json::to_string(request).map_err(Error::internal)?;
    let hash = crate::token::hash(&request);
    let name = actor.name();
    match tx.idempotency().claim(&name, key, operation, &hash).await? {
        None => Ok(Once::First(OnceTx {
            tx,
            key: Some((name, key.clone())),
        })),
        Some(before) if before.operation == operation && before.request_hash == hash => Ok(
            Once::Again(serde_json::from_value(before.response).map_err(Error::internal)?),
        ),
        Some(_) => Err(Error::new(ErrorCode::IdempotencyMismatch)),
    }
}
