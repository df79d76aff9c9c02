//! Asking a model for something else than an answer to a customer.

use super::models;
use super::record::Spent;
use crate::{App, prices};
use quipu_core::chat::{ChatAnswer, ChatError, ChatRequest, ModelConfig, gather};
use quipu_core::tenancy::TenantScope;
use std::time::Duration;
use tokio::time::timeout;

/// Asks the first of some models of a tenant that answers, and says what that took.
///
/// # Errors
/// When none of them answers in time.
pub(crate) async fn ask(
    app: &App,
    scope: TenantScope,
    configs: impl Iterator<Item = &ModelConfig>,
    request: &ChatRequest,
    deadline: Duration,
) -> Result<(ChatAnswer, Spent), ChatError> {
    let unreadable = |error| ChatError::transient(format!("the keys cannot be read: {error}"));
    let tx = app.store.read(scope).await.map_err(unreadable)?;
    let (model, _) = models::first_of(app, &tx, configs).await;
    let prices = prices::load(&tx).await.map_err(unreadable)?;
    drop(tx);
    // A key or an address that is missing now can be there for the next attempt.
    let model = model.ok_or_else(|| ChatError::transient("there is no model that can be used"))?;
    let asking = async { gather(model.chat(request).await?).await };
    let late = |_| ChatError::transient("the model took too long");
    let answer = timeout(deadline, asking).await.map_err(late)??;
    let name = answer.model.as_deref().unwrap_or(model.name());
    let spent = Spent::by(name, answer.usage, &prices);
    Ok((answer, spent))
}
