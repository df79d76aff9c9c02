//! What was saved of an agent and will not work as it is.

use crate::{Actor, App, chat};
use quipu_core::agent::Agent;
use quipu_core::{Error, Result};

/// Something that was saved and will not work as it is.
#[derive(Debug)]
pub struct SettingWarning {
    pub field: String,
    pub error: Error,
}

/// What of an agent's settings will not work as it is: models whose key is missing or whose address is
/// refused. Nobody is asked for that, so that a model can still fail for other reasons. Whoever was
/// given the agent is told what is wrong with it: it takes no right of its own.
///
/// # Errors
/// When the database cannot be read.
pub async fn warnings(app: &App, actor: &Actor, agent: &Agent) -> Result<Vec<SettingWarning>> {
    let tx = app.store.read(actor.scope()).await?;
    let settings = &agent.settings;
    let tried = settings.experiment.as_ref();
    let models = [
        ("settings.model", Some(&settings.model)),
        ("settings.voice_model", settings.voice_model.as_ref()),
        ("settings.fallback_model", settings.fallback_model.as_ref()),
        (
            "settings.experiment.model",
            tried.and_then(|tried| tried.model.as_ref()),
        ),
    ];
    let mut warnings = Vec::new();
    for (field, model) in models {
        if let Some(model) = model
            && let Some(error) = chat::model_problem(app, &tx, model).await
        {
            let field = field.to_owned();
            warnings.push(SettingWarning { field, error });
        }
    }
    Ok(warnings)
}
