//! Which service is meant.

use super::super::catalogue::{Meant, Service, naming_words};
use super::super::complaints::{complains, without_complaints};
use super::super::folded::{begins, field, folded};
use super::super::refusals;
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Heard;
use super::super::voice::MOST_TOLD;
use super::consultation::is_look;
use crate::supervisor::Awaiting;
use quipu_core::agent::Intent;
use quipu_core::{ErrorCode, Result};
use serde_json::json;

/// Words of whoever names what they want to be booked for.
const BOOKS: &[&str] = &["cita", "agend", "reserv", "turno", "appointment", "book"];

/// What came of looking for the service.
#[derive(Clone, Debug)]
pub(in super::super) enum Found {
    One(Service),
    /// The business names no services; it is booked without one.
    NoneNeeded,
    /// The customer has to be asked, which the draft does.
    Asked,
}

/// What a message wishes for beside telling what is felt: "tengo dolor de muela, quiero cita" names no service.
fn wishes_in(text: &str) -> String {
    let mut clauses = vec![text];
    for separator in [
        ",",
        ".",
        ";",
        "!",
        "\n",
        " porque ",
        " xq ",
        " pq ",
        " ya que ",
        " es que ",
        " because ",
    ] {
        clauses = clauses
            .iter()
            .flat_map(|clause| clause.split(separator))
            .collect();
    }
    let wish = |clause: &&str| begins(&folded(clause), BOOKS);
    clauses
        .into_iter()
        .filter(wish)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Scene<'_> {
    /// The service that the customer means, from what was said last about it.
    pub(in super::super) async fn service_wanted(&self, draft: &mut Draft) -> Result<Found> {
        let mut services = self.services().await?;
        if services.is_empty() {
            return Ok(Found::NoneNeeded);
        }
        // Who has been looked at already names the look without wanting another.
        if self.had_consultation() && !services.iter().all(is_look) {
            services.retain(|service| !is_look(service));
        }
        if let Some(first) = self.consultation_wanted(&services) {
            return Ok(Found::One(first));
        }
        let names: Vec<String> = services
            .iter()
            .map(|service| service.name.clone())
            .collect();
        // Of several that one message asked for, it is the one whose turn it is, until another is named.
        let part = self.part_now(&names);
        let from = part.as_ref().map_or(0, |part| part.at + 1);
        let counts = |heard: &Heard| heard.at >= from && !self.tells_symptoms(heard);
        let meant = match (self.service_in(&names, counts), part) {
            (Meant::Nothing, Some(part)) => Meant::One(part.service),
            (meant, _) => meant,
        };
        match self.for_whom(meant, &names) {
            Meant::One(at) => return Ok(Found::One(services[at].clone())),
            Meant::Several(some) => {
                if let Some(at) = self.known_as(&names, &some).await {
                    return Ok(Found::One(services[at].clone()));
                }
                let some: Vec<&String> =
                    some.iter().take(MOST_TOLD).map(|at| &names[*at]).collect();
                let list = self.voice.or(&some);
                draft.say(self.voice, "ask.service_choice", &[("list", &list)]);
                return Ok(Found::Asked);
            }
            Meant::Nothing => {}
        }
        if let [only] = services.as_slice() {
            return Ok(Found::One(only.clone()));
        }
        if let Some(at) = self.service_of_last(&names) {
            return Ok(Found::One(services[at].clone()));
        }
        if let Some(service) = self.urgent_visit(&services).await {
            return Ok(Found::One(service));
        }
        if let Some(service) = self.first_visit(&services) {
            return Ok(Found::One(service));
        }
        self.service_by_other_name(draft, &services).await
    }

    /// The one of several that was called by a name which only the tool knows.
    pub(in super::super) async fn known_as(
        &self,
        names: &[String],
        some: &[usize],
    ) -> Option<usize> {
        let heard = self.state.heard.iter().rev();
        for heard in heard.filter(|heard| heard.at >= self.state.since) {
            let text = &self.messages.get(heard.at)?.text;
            let said = naming_words(text, self.voice.language);
            let said: String = said.chars().take(120).collect();
            if said.split_whitespace().count() < 2 {
                continue;
            }
            let asked = json!({ "service_name": said });
            let Ok(info) = self.office.call("get_service_info", asked).await else {
                continue;
            };
            let name = field(&info, "name").unwrap_or_default();
            let found = some.iter().copied().find(|at| names[*at] == name);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether one of the services was named, which a restaurant may have beside its tables.
    pub(super) async fn names_service(&self) -> bool {
        let services = self.services().await.unwrap_or_default();
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        // A table is for so many people, and is asked for as one whatever the list calls it.
        let table = |name: &str| begins(&folded(name), &["mesa", "table"]);
        matches!(self.service_named(&names), Meant::One(at) if !table(&names[at]))
    }

    /// The last mention on the way to the goal, else the last before it.
    pub(in super::super) fn service_named(&self, names: &[String]) -> Meant {
        self.service_in(names, |_| true)
    }

    /// The same in some of the messages.
    fn service_in(&self, names: &[String], counts: impl Fn(&Heard) -> bool) -> Meant {
        let mut aside = Meant::Nothing;
        let heard = self.state.heard.iter().rev();
        for heard in heard.filter(|heard| heard.at >= self.state.since && counts(heard)) {
            // Who says yes to a booking may ask about something else in the same breath.
            let settled =
                heard.awaiting == Some(Awaiting::Confirmation) && heard.affirms == Some(true);
            let Some(turn) = self.messages.get(heard.at).filter(|_| !settled) else {
                continue;
            };
            if let Some(chosen) = self.chosen_of_those_told(heard.at, &turn.text, names) {
                return Meant::One(chosen);
            }
            let meant = if self.state.urgent && heard.intent == Intent::Urgent {
                self.meant(&wishes_in(&turn.text), names)
            } else {
                self.meant(&turn.text, names)
            };
            if meant == Meant::Nothing {
                continue;
            }
            // "¿Cuál de los dos?" is answered by one that was named before.
            if heard.goes_on {
                return meant;
            }
            if aside == Meant::Nothing {
                aside = meant;
            }
        }
        aside
    }

    /// The one of the services that were just told as a choice which alone has all the words of the answer: "consulta"
    /// picks between a consultation and a teleconsultation, whatever else is called one.
    fn chosen_of_those_told(&self, at: usize, text: &str, names: &[String]) -> Option<usize> {
        let told = self.said_before(at)?;
        let known = Templates::get().recognise(told);
        if !known.iter().any(|said| said.key == "ask.service_choice") {
            return None;
        }
        let (told, answer) = (folded(told), folded(text));
        let fits = |name: &String| {
            let name = folded(name);
            let has = |word: &str| name.split(' ').any(|known| known == word);
            told.contains(&name) && answer.split(' ').all(has)
        };
        let mut fitting = names.iter().enumerate().filter(|(_, name)| fits(name));
        let (only, _) = fitting.next()?;
        fitting.next().is_none().then_some(only)
    }

    /// Whether a message told what is felt. Its words name no service, whatever they sound like: who
    /// has a fever wants no vaccine against yellow fever.
    fn tells_symptoms(&self, heard: &Heard) -> bool {
        let turn = self.messages.get(heard.at);
        let wishes = |text: &str| begins(&folded(text), BOOKS);
        self.state.urgent
            && heard.intent == Intent::Urgent
            && turn.is_some_and(|turn| !wishes(&turn.text))
    }

    /// Who cannot wait is booked for what was offered to them: what there is for that.
    async fn urgent_visit(&self, services: &[Service]) -> Option<Service> {
        if !self.state.urgent {
            return None;
        }
        let asked = json!({ "urgent": true, "limit": 1 });
        let told = self.office.call("get_available_slots", asked).await.ok()?;
        let name = field(&told, "service_name")?;
        let found = services.iter().find(|service| service.name == name);
        found.cloned()
    }

    /// Who wants to be seen and names nothing wants the first visit, where there is one such service.
    fn first_visit(&self, services: &[Service]) -> Option<Service> {
        let heard = self.state.heard.iter();
        let mut heard = heard.filter(|heard| heard.at >= self.state.since);
        let seen = heard.any(|heard| {
            let turn = self.messages.get(heard.at);
            turn.is_some_and(|turn| {
                let words = folded(&turn.text);
                wants_to_be_seen(&words) || complains(&words)
            })
        });
        if !seen && !self.state.urgent {
            return None;
        }
        only_first_visit(services)
    }

    /// The first visit, when the last message names it in words of its own.
    pub(in super::super) fn first_visit_named(&self, services: &[Service]) -> Option<Service> {
        let named = begins(&self.words, &["consult", "revis", "evalu", "checkup"]);
        named.then(|| only_first_visit(services)).flatten()
    }

    /// The tool knows names that the list does not tell.
    async fn service_by_other_name(
        &self,
        draft: &mut Draft,
        services: &[Service],
    ) -> Result<Found> {
        // What somebody has is no name of what they are booked for.
        let said = naming_words(&without_complaints(self.text), self.voice.language);
        let said: String = said.chars().take(120).collect();
        let asks = |draft: &mut Draft| {
            let names = services.iter().take(MOST_TOLD).map(|s| s.name.as_str());
            let mut names: Vec<&str> = names.collect();
            if services.len() > MOST_TOLD {
                names.push(self.voice.pick("otros más", "others"));
            }
            let list = self.voice.and(&names);
            draft.say(self.voice, "ask.service", &[("list", &list)]);
        };
        let few = (1..=4).contains(&said.split_whitespace().count());
        if !few {
            asks(draft);
            return Ok(Found::Asked);
        }
        let told = self
            .office
            .call("get_service_info", json!({ "service_name": said }))
            .await;
        match told {
            Ok(info) => {
                let name = info["name"].as_str().unwrap_or(&said).to_owned();
                let price = info["price_range"].as_str().map(|price| self.price(price));
                Ok(Found::One(Service { name, price }))
            }
            Err(error) => {
                let near = refusals::allowed(&error);
                let answered = self.state.awaiting == Some(Awaiting::Service);
                match error.code() {
                    ErrorCode::InvalidArguments if !near.is_empty() => {
                        let list = self.voice.or(&near);
                        draft.say(self.voice, "ask.service_choice", &[("list", &list)]);
                    }
                    ErrorCode::NotFound if answered && !near.is_empty() => {
                        let near: Vec<&String> = near.iter().take(MOST_TOLD).collect();
                        let list = self.voice.and(&near);
                        let filling = [("said", said.as_str()), ("list", &list)];
                        draft.say(self.voice, "unknown.service", &filling);
                    }
                    ErrorCode::NotFound | ErrorCode::InvalidArguments => asks(draft),
                    _ => return Err(error),
                }
                Ok(Found::Asked)
            }
        }
    }
}

fn wants_to_be_seen(words: &str) -> bool {
    const SEEING: [&str; 7] = ["ver", "vea", "vean", "see", "seen", "atienda", "atiendan"];
    let starts = [
        "doctor", "dr", "dra", "consult", "revis", "chec", "valor", "evalu",
    ];
    begins(words, &starts) || words.split(' ').any(|word| SEEING.contains(&word))
}

/// The service of a first visit, where there is only one.
pub(super) fn only_first_visit(services: &[Service]) -> Option<Service> {
    let starts = [
        "consult", "valorac", "evaluac", "revisi", "diagnos", "primera", "checkup", "exam",
    ];
    let mut general = services.iter().filter(|service| {
        let name = folded(&service.name);
        begins(&name, &starts) && !begins(&name, &["urgen", "emerg"])
    });
    let only = general.next()?;
    general.next().is_none().then(|| only.clone())
}
