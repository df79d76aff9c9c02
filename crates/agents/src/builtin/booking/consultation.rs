//! Services that nobody gets before somebody has looked at them: the consultation is offered first.

use super::super::catalogue::Service;
use super::super::folded::{begins, folded, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use quipu_core::Result;
use serde_json::json;

/// What the look is called that comes first.
const LOOKS: &[&str] = &["consult", "valora", "evalua", "revis", "diagnos"];

/// What a first look is called before all others, and what any look may be called.
const FIRST_LOOKS: &[&str] = &["valora", "evalua", "diagnos", "primera"];
const GENERAL: &[&str] = &["general", "dental", "odontolog", "inicial", "medic"];
/// How somebody says that it has been done. "Ya quiero mi consulta" says that it has not.
const HAVING_HAD: &[&str] = &[
    "tuve",
    "tuvimos",
    "hice",
    "hicieron",
    "hizo",
    "fui",
    "vine",
    "pase",
    "tengo",
    "tenia",
    "valoraron",
    "valoro",
    "revisaron",
    "reviso",
    "evaluaron",
    "evaluo",
    "vieron",
    "vio",
    "had",
    "have",
    "done",
    "did",
    "went",
];
/// So many letters of a word tell what it is about.
const STEM: usize = 6;

pub(super) fn is_look(service: &Service) -> bool {
    let name = folded(&service.name);
    begins(&name, LOOKS) && !begins(&name, &["urgen", "emerg"])
}

/// The looks of which one comes before a service: the one that is about it, else the first look of all. Several
/// where nothing tells them apart.
fn looks_before(services: &[Service], service: &str) -> Vec<Service> {
    let looks = services
        .iter()
        .filter(|look| is_look(look) && look.name != service);
    let looks: Vec<&Service> = looks.collect();
    let wanted = folded(service);
    let stems: Vec<String> = wanted
        .split(' ')
        .filter(|word| word.chars().count() >= STEM)
        .map(|word| word.chars().take(STEM).collect())
        .collect();
    let about = |look: &Service| {
        stems
            .iter()
            .any(|stem| begins(&folded(&look.name), &[stem]))
    };
    let first = |look: &Service| begins(&folded(&look.name), FIRST_LOOKS) && !of_something(look);
    let general = |look: &Service| begins(&folded(&look.name), GENERAL);
    let ways: [&dyn Fn(&Service) -> bool; 3] = [&about, &first, &general];
    for fits in ways {
        let found: Vec<&&Service> = looks.iter().filter(|look| fits(look)).collect();
        if let [only] = found.as_slice() {
            return vec![(**only).clone()];
        }
    }
    looks.into_iter().cloned().collect()
}

/// Whether a look is for one thing only: "valoración de ortodoncia".
fn of_something(look: &Service) -> bool {
    let name = folded(&look.name);
    let mut words = name.split(' ').skip_while(|word| *word != "de");
    words.nth(1).is_some_and(|word| !begins(word, GENERAL))
}

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
        let looks = looks_before(&services, service);
        let [first] = looks.as_slice() else {
            draft.say(self.voice, "price.consultation", &[]);
            // Where there are several, the customer says which; where there is none, it is said all the same.
            let names: Vec<&str> = looks.iter().map(|look| look.name.as_str()).collect();
            if !names.is_empty() {
                let list = self.voice.or(&names);
                draft.say(self.voice, "ask.service_choice", &[("list", &list)]);
            }
            return Ok(!names.is_empty());
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
        let offered = since.find_map(|heard| {
            let said = self.said_before(heard.at)?;
            let known = Templates::get().recognise(said);
            let first = known.iter().any(|said| said.key == "consultation.first");
            let accepted = first && heard.affirms != Some(false) && heard.goes_on;
            accepted.then_some(said)
        })?;
        let named = services.iter().filter(|service| is_look(service));
        let named = named.filter(|service| offered.contains(&service.name));
        let found = named.max_by_key(|service| service.name.len());
        found.filter(|_| !self.had_consultation()).cloned()
    }

    /// Whether the customer says that they were looked at already: "ya tuve mi valoración".
    pub(super) fn had_consultation(&self) -> bool {
        let since = self.state.heard.iter();
        let since = since.filter(|heard| heard.at >= self.state.since);
        let mut texts = since.filter_map(|heard| self.messages.get(heard.at));
        texts.any(|turn| {
            let words = folded(&turn.text);
            says(&words, &["ya", "already"]) && says(&words, HAVING_HAD) && begins(&words, LOOKS)
        })
    }
}
