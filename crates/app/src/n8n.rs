//! A business whose own n8n answers: whether it does, and what it says.
//!
//! What customers write goes to n8n in [`crate::channels`], and its answers come back here. It says who it is
//! with the secret that it shares with the tenant, which permits exactly these operations.

mod replies;

pub use replies::{N8nMessage, N8nReplied, N8nReply, respond, send};

use crate::auth::N8N_SECRET;
use crate::events::check_hook;
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const NAME: &str = "n8n";
const SHORTEST_SECONDS: u32 = 3;
const LONGEST_SECONDS: u32 = 60;

/// Whether the business's own n8n answers on channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct N8nSettings {
    pub enabled: bool,
    /// The address of the Webhook node that what customers write is posted to.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 2_000,
        example = "https://n8n.example/webhook/quipu"
    )]
    pub webhook_url: Option<String>,
    /// How long n8n has to answer.
    #[serde(default = "usual_seconds")]
    #[schema(minimum = 3, maximum = 60, default = 20)]
    pub timeout_seconds: u32,
    /// Whether the agent answers where n8n has not in that time.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub fallback: bool,
}

impl Default for N8nSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            webhook_url: None,
            timeout_seconds: usual_seconds(),
            fallback: yes(),
        }
    }
}

const fn usual_seconds() -> u32 {
    20
}

const fn yes() -> bool {
    true
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn get(app: &App, actor: &Actor) -> Result<N8nSettings> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    load(&tx).await
}

/// # Errors
/// `PERSON_REQUIRED` for a program, `VALIDATION_FAILED`, or `N8N_SECRET_REQUIRED` where n8n could not say who
/// it is.
pub async fn put(app: &App, actor: &Actor, mut input: N8nSettings) -> Result<N8nSettings> {
    actor.require(Permission::SecretsWrite)?;
    // What customers write would go on going where a key of the API had it go.
    actor.require_person()?;
    let mut checks = Checks::new();
    if let Some(url) = &input.webhook_url {
        let url = check_hook(app, &mut checks, "webhook_url", url);
        input.webhook_url = Some(url);
    } else if input.enabled {
        checks.problem("webhook_url", Problem::Empty);
    }
    checks.range(
        "timeout_seconds",
        input.timeout_seconds.into(),
        SHORTEST_SECONDS.into(),
        LONGEST_SECONDS.into(),
    );
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    if input.enabled && tx.secrets().find_sealed(N8N_SECRET).await?.is_none() {
        return Err(Error::new(ErrorCode::N8nSecretRequired));
    }
    tx.settings().put(NAME, &input).await?;
    // Without the address, in which there may be a key.
    let details = json!({ "enabled": input.enabled, "fallback": input.fallback });
    let target = NAME.to_owned();
    actor.audit(&tx, "n8n.update", target, details).await?;
    tx.commit().await?;
    Ok(input)
}

pub(crate) async fn load(tx: &TenantTx) -> Result<N8nSettings> {
    Ok(tx.settings().get(NAME).await?.unwrap_or_default())
}
