//! What the settings of an agent are refused for that only its prompt and its tools can tell.

use quipu_agents::prompt::OWN_TOKENS;
use quipu_agents::{tokens, tool};
use quipu_core::agent::AgentSettings;
use quipu_core::validate::{Checks, Problem};

/// What a business says to its agents in its own words stands in every prompt, all of it or not at all.
pub(super) fn check_room(
    before: Option<&AgentSettings>,
    settings: &AgentSettings,
    checks: &mut Checks,
) {
    let tried = |settings: &AgentSettings| {
        let experiment = settings.experiment.as_ref();
        experiment.and_then(|experiment| experiment.system_instructions.clone())
    };
    let texts = [
        (
            "settings.system_instructions",
            before.and_then(|before| before.system_instructions.clone()),
            settings.system_instructions.clone(),
        ),
        (
            "settings.experiment.system_instructions",
            before.and_then(tried),
            tried(settings),
        ),
    ];
    for (field, before, text) in texts {
        // What was accepted once is not refused because something else is changed.
        if let Some(text) = text
            && before.as_ref() != Some(&text)
        {
            let count = tokens::count(text.trim());
            if count > OWN_TOKENS {
                let max = OWN_TOKENS;
                checks.problem(field, Problem::TooManyTokens { max, count });
            }
        }
    }
}

/// Refuses to switch off what is no tool, and what no agent goes without.
pub(super) fn check_tools(
    before: Option<&AgentSettings>,
    settings: &AgentSettings,
    checks: &mut Checks,
) {
    let field = "settings.disabled_tools";
    // What was accepted once is not refused because something else is changed.
    let known = |name: &&String| before.is_some_and(|old| old.disabled_tools.contains(*name));
    for name in settings.disabled_tools.iter().filter(|name| !known(name)) {
        if tool::is_essential(name) {
            checks.problem(field, Problem::Essential { name: name.clone() });
        } else if tool::find(name).is_none() {
            checks.problem(field, Problem::NotFound);
        }
    }
}
