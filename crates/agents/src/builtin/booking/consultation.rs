//! Services that nobody gets before somebody has looked at them: the consultation is offered first.

use super::super::catalogue::Service;
use super::super::folded::{begins, folded};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::service::only_first_visit;
use quipu_core::Result;
use serde_json::json;

/// What the look is called that comes first.
const LOOKS: &[&str] = &["consult", "valora", "evalua", "revis", "diagnos"];

impl Scene<'_> {
    /// Says that a consultation comes before the service, and offers it. `false` when none is needed, or
    /// the customer had it.
    pub(super) async fn tell_consultation(&self, draft: &mut Draft, service: &str) -> Result<bool> {
        let asked = json!({ "service_name": service });
        let Ok(info) = self.office.call("get_service_info", asked).await else {
            return Ok(false);
        };
        if info["requires_consultation"] != json!(true) || self.had_consultation() {
            return Ok(false);
        }
        let services = self.services().await?;
        let first = only_first_visit(&services).filter(|first| first.name != service);
        let Some(first) = first else {
            // There is none to book, and it is said all the same.
            draft.say(self.voice, "price.consultation", &[]);
            return Ok(false);
        };
        let filling = [
            ("service", service),
            ("consultation", &first.name),
            ("price", first.price.as_deref().unwrap_or_default()),
        ];
        draft.say(self.voice, "consultation.first", &filling);
        Ok(true)
    }

    /// The consultation that was offered and is wanted.
    pub(super) fn consultation_wanted(&self, services: &[Service]) -> Option<Service> {
        let since = self.state.heard.iter();
        let mut since = since.filter(|heard| heard.at >= self.state.since);
        let accepted = since.any(|heard| {
            heard.affirms != Some(false)
                && heard.goes_on
                && self.said_before(heard.at).is_some_and(|said| {
                    let said = Templates::get().recognise(said);
                    said.iter().any(|said| said.key == "consultation.first")
                })
        });
        only_first_visit(services).filter(|_| accepted && !self.had_consultation())
    }

    /// Whether the customer says that they were looked at already: "ya tuve mi valoración".
    fn had_consultation(&self) -> bool {
        let since = self.state.heard.iter();
        let since = since.filter(|heard| heard.at >= self.state.since);
        let mut texts = since.filter_map(|heard| self.messages.get(heard.at));
        texts.any(|turn| {
            let words = folded(&turn.text);
            let had = ["ya", "already"];
            words.split(' ').any(|word| had.contains(&word)) && begins(&words, LOOKS)
        })
    }
}
