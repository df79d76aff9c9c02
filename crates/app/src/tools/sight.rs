//! The words on a picture, copied by a model that sees.

use super::Scene;
use crate::chat;
use quipu_agents::sight::{ticket_request, ticket_text};
use quipu_core::chat::{Image, ModelConfig};
use quipu_core::tenancy::TenantScope;
use quipu_core::{ConversationId, Result};
use std::time::Duration;

/// Whoever waits for a ticket to be read waits no longer. Text recognition takes as long at worst.
const DEADLINE: Duration = Duration::from_secs(20);

/// What stands on the picture of a ticket, in the words of a model of this agent that sees. `None`
/// where it has none, or none that answers: what text recognition found stands for itself then.
pub(super) async fn copy(
    scene: Scene<'_>,
    conversation: ConversationId,
    picture: Image,
) -> Option<String> {
    let settings = chat::settings_in(scene.agent, conversation);
    let models: Vec<&ModelConfig> = settings.seeing().collect();
    if models.is_empty() {
        return None;
    }
    let request = ticket_request(picture)?;
    let (app, scope) = (scene.app, scene.actor.scope());
    let asked = {
        // Whoever sent the picture waits for an answer, which has to be written afterwards.
        let deadline = DEADLINE.min(app.model_patience / 2);
        chat::ask(app, scope, models.into_iter(), &request, deadline).await
    };
    let tenant = scope.tenant_id();
    let (answer, spent) = match asked {
        Ok(asked) => asked,
        Err(error) => {
            tracing::warn!(tenant.id = %tenant, %error, "no model read the picture of a ticket");
            return None;
        }
    };
    let counted: Result<()> = async {
        // What a model took is paid, in a rehearsal too.
        let tx = app.store.begin(TenantScope::of(tenant)).await?;
        chat::spend(&tx, &spent).await?;
        tx.commit().await
    }
    .await;
    if let Err(error) = counted {
        tracing::warn!(tenant.id = %tenant, %error, "what a model took to read a ticket was not counted");
    }
    ticket_text(&answer).map(str::to_owned)
}
