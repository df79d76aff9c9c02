//! How long something takes, and what else is asked of it in the same breath.

use super::super::catalogue::Meant;
use super::super::folded::{begins, field, folded, says};
use super::super::scene::{Draft, Scene};
use super::super::voice::capital;
use quipu_core::Result;
use serde_json::json;

const LONG: &[&str] = &["dura", "tarda", "demora", "long", "tiempo"];

impl Scene<'_> {
    /// Tells how long a service takes that is named and asked that of. What else is asked of it is
    /// answered by what was written about it, and by nothing else. `false` when no such thing is asked.
    pub(in super::super) async fn tell_duration(&self, draft: &mut Draft) -> Result<bool> {
        let asks =
            begins(&self.words, LONG) && !begins(&self.words, &["precio", "cuesta", "price"]);
        if !asks || says(&self.words, &["envio", "pedido", "delivery", "order"]) {
            return Ok(false);
        }
        let services = self.services().await?;
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let Meant::One(at) = self.meant(self.text, &names) else {
            return Ok(false);
        };
        let asked = json!({ "service_name": names[at] });
        let Ok(info) = self.office.call("get_service_info", asked).await else {
            return Ok(false);
        };
        let Some(minutes) = info["duration_minutes"].as_u64() else {
            return Ok(false);
        };
        let name = capital(field(&info, "name").unwrap_or(&names[at]));
        let filling = [
            ("service", name.as_str()),
            ("minutes", &minutes.to_string()),
        ];
        draft.say(self.voice, "service.duration", &filling);
        self.tell_besides(draft, &names[at]).await?;
        Ok(true)
    }

    /// Answers the other questions of the message, as far as something is written of that service.
    async fn tell_besides(&self, draft: &mut Draft, service: &str) -> Result<()> {
        let parts = self.text.split(['?', '¿']);
        let besides: Vec<&str> = parts
            .map(str::trim)
            .filter(|part| !folded(part).is_empty() && !begins(&folded(part), LONG))
            .collect();
        if besides.is_empty() {
            return Ok(());
        }
        let service = folded(service);
        let service = service.split(' ').next().unwrap_or_default();
        let text = format!("¿{} {service}?", besides.join(" "));
        let aside = self.aside(&text);
        if !aside.tell_all_of_it(draft).await? {
            self.say_with_contact(draft, "no_information.rest", &[])
                .await;
        }
        Ok(())
    }
}
