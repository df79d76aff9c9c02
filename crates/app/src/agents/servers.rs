//! The servers that the models of an agent answer at, and who may name one.

use crate::Actor;
use quipu_core::Result;
use quipu_core::agent::AgentSettings;

/// Refuses a program that names an address of models which the agent has not: what customers say would go
/// there long after its key was taken back. The path counts as well, since some servers tell by it whose
/// account it is.
pub(super) fn may_name_servers(
    actor: &Actor,
    before: &AgentSettings,
    after: &AgentSettings,
) -> Result<()> {
    let known = addresses(before);
    if addresses(after)
        .iter()
        .all(|address| known.contains(address))
    {
        return Ok(());
    }
    actor.require_person()
}

/// Whether a model of the agent answers at a server that somebody of the tenant named.
pub(crate) fn names_servers(settings: &AgentSettings) -> bool {
    !addresses(settings).is_empty()
}

fn addresses(settings: &AgentSettings) -> Vec<String> {
    let mut settings = settings.clone();
    let addresses = settings
        .models_mut()
        .filter_map(|model| model.base_url.take());
    let addresses = addresses.map(|address| address.trim_end_matches('/').to_owned());
    addresses.collect()
}
