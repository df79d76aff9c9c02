//! What a customer says of themselves, against what the business has written: who says that she is
//! pregnant is not booked for what is not done then, but hears what is written and is offered a person.

use super::super::catalogue::Meant;
use super::super::folded::{begins, field, folded, items, says};
use super::super::kin::names_kin;
use super::super::scene::{Draft, Scene};
use super::noted::is_for_children;
use crate::SearchText;
use quipu_core::Result;
use quipu_core::agent::{AssistantType, Vertical};
use quipu_core::business::PolicyKind;
use quipu_core::text::{preview, sentences};
use serde_json::json;
use std::sync::LazyLock;

/// Below this age somebody is a minor.
const OF_AGE: u32 = 18;
const LONGEST_QUOTE: usize = 400;
/// How many words before a condition may deny it: "no estoy embarazada".
const DENIAL_REACH: usize = 3;

/// Words that make a sentence exclude what it names.
const EXCLUDING: &[&str] = &[
    "no",
    "not",
    "nunca",
    "never",
    "evit*",
    "avoid*",
    "contraindic*",
    "prohib*",
    "excepto",
    "salvo",
    "except*",
    "cannot",
    "solo",
    "solamente",
    "unicamente",
    "exclusiv*",
    "only",
    "abstener*",
    "partir de",
];
/// Words that make a condition of it instead, which can be met.
const CONDITIONAL: &[&str] = &[
    "acompañad*",
    "autoriza*",
    "consentimiento",
    "permiso",
    "accompanied",
    "consent",
    "permission",
    "avis*",
    "inform*",
    "consult*",
    "let us know",
];

/// A condition and the words for it.
#[derive(Clone, Debug, Default)]
struct Condition {
    name: &'static str,
    said: Vec<&'static str>,
    written: Vec<&'static str>,
}

static CONDITIONS: LazyLock<Vec<Condition>> =
    LazyLock::new(|| read(include_str!("../../../data/builtin/conditions.txt")));

fn read(data: &'static str) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    for line in data.lines().map(str::trim) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            all.push(Condition {
                name,
                ..Condition::default()
            });
        }
        let Some((kind, words)) = line.split_once(": ").filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let Some(condition) = all.last_mut() else {
            continue;
        };
        let words = words.split(", ").collect();
        match kind {
            "said" => condition.said = words,
            _ => condition.written = words,
        }
    }
    all
}

/// Where words of the data stand in a folded text, if they do: as the number of words before them.
fn place_of(pattern: &str, text: &str) -> Option<usize> {
    let wanted: Vec<&str> = pattern.split(' ').collect();
    let words: Vec<&str> = text.split(' ').collect();
    let fits = |(word, wanted): (&&str, &&str)| match wanted.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => *word == *wanted,
    };
    words
        .windows(wanted.len())
        .position(|some| some.iter().zip(&wanted).all(fits))
}

fn has(patterns: &[&str], text: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| place_of(pattern, text).is_some())
}

/// Whether a message of the customer tells of a condition, and does not deny it.
fn tells(condition: &Condition, text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let told = condition.said.iter().any(|pattern| {
        place_of(pattern, text).is_some_and(|at| {
            let before = &words[at.saturating_sub(DENIAL_REACH)..at];
            !before
                .iter()
                .any(|word| matches!(*word, "no" | "not" | "ni" | "sin" | "nunca" | "never"))
        })
    });
    told || condition.name == "minor" && names_minor(&words)
}

/// Whether an age below that of grown-ups is told: "mi hija tiene 15 años", "she is 12 years old".
fn names_minor(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let age: Option<u32> = word.parse().ok();
        let next = words.get(at + 1).copied().unwrap_or_default();
        let years = matches!(
            next,
            "anos" | "años" | "anitos" | "añitos" | "years" | "yo" | "year"
        );
        let since = words[at.saturating_sub(2)..at].iter().any(|word| {
            matches!(
                *word,
                "hace" | "desde" | "for" | "durante" | "hacen" | "llevo"
            )
        });
        let ago = matches!(words.get(at + 2).copied(), Some("ago" | "de" | "atras"));
        // "Mi hija de 16".
        let of = at >= 2 && words[at - 1] == "de" && names_kin(words[at - 2]) && next != "de";
        age.is_some_and(|age| (1..OF_AGE).contains(&age)) && (years || of) && !since && !ago
    })
}

/// The sentence of a text that excludes whoever has a condition.
fn excluding<'a>(condition: &Condition, text: &'a str) -> Option<&'a str> {
    sentences(text).find(|sentence| {
        let folded = folded(sentence);
        has(&condition.written, &folded) && has(EXCLUDING, &folded) && !has(CONDITIONAL, &folded)
    })
}

impl Scene<'_> {
    /// Answers whoever tells of a condition with what is written against the service that is spoken of.
    /// `false` when nothing is.
    pub(in super::super) async fn tell_condition(&self, draft: &mut Draft) -> Result<bool> {
        let books = matches!(
            self.setting.assistant_type,
            AssistantType::Full | AssistantType::AppointmentsOnly | AssistantType::PersonalBrand
        );
        let books = books && self.has_tool("create_appointment");
        let told = CONDITIONS
            .iter()
            .any(|condition| tells(condition, &self.words));
        if !books || !told || self.setting.vertical == Vertical::Restaurant {
            return Ok(false);
        }
        let services = self.services().await?;
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        match self.service_named(&names) {
            Meant::One(at) => self.tell_excluded(draft, &names[at]).await,
            _ => Ok(false),
        }
    }

    /// Says what the business has written against booking a service for whoever told of a condition.
    /// `false` when nothing stands against it.
    pub(super) async fn tell_excluded(&self, draft: &mut Draft, service: &str) -> Result<bool> {
        let told: Vec<&Condition> = CONDITIONS
            .iter()
            // What is for children is for minors, whatever is written of something else.
            .filter(|condition| condition.name != "minor" || !is_for_children(service))
            .filter(|condition| {
                self.state.heard.iter().any(|heard| {
                    let turn = self.messages.get(heard.at);
                    turn.is_some_and(|turn| tells(condition, &folded(&turn.text)))
                })
            })
            .collect();
        if told.is_empty() || service.is_empty() {
            return Ok(false);
        }
        let Some(quote) = self.excluding_text(&told, service).await? else {
            return Ok(false);
        };
        let quote = preview(&quote, LONGEST_QUOTE);
        let company = self.setting.company_name.as_str();
        draft.say(
            self.voice,
            "excluded",
            &[("quote", &quote), ("company", company)],
        );
        Ok(true)
    }

    async fn excluding_text(&self, told: &[&Condition], service: &str) -> Result<Option<String>> {
        let asked = json!({ "service_name": service });
        let info = self.office.call("get_service_info", asked).await;
        let info = info.unwrap_or_default();
        for text in [field(&info, "description"), field(&info, "price_note")] {
            let found = told
                .iter()
                .find_map(|condition| excluding(condition, text.unwrap_or_default()));
            if let Some(sentence) = found {
                return Ok(Some(sentence.to_owned()));
            }
        }
        let services = self.services().await?;
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let concerns = |text: &str| match self.meant(text, &names) {
            Meant::One(at) => names.get(at).is_some_and(|name| name == service),
            Meant::Several(some) => some.iter().any(|at| names[*at] == service),
            Meant::Nothing => true,
        };
        let mut texts = self.policy_texts().await;
        texts.extend(self.passages_about(told, service).await);
        for text in &texts {
            let found = told.iter().find_map(|condition| {
                excluding(condition, text).filter(|sentence| concerns(sentence))
            });
            if let Some(sentence) = found {
                return Ok(Some(sentence.to_owned()));
            }
        }
        Ok(None)
    }

    async fn policy_texts(&self) -> Vec<String> {
        let asked = json!({ "policy_type": PolicyKind::General.as_str() });
        let told = self.office.call("get_policy", asked).await;
        let told = told.unwrap_or_default();
        let texts = items(&told, "policies")
            .iter()
            .filter_map(|policy| field(policy, "policy"));
        texts.map(str::to_owned).collect()
    }

    /// What the documents say of the service and the condition together. A passage that does not speak of
    /// the service says nothing of it.
    async fn passages_about(&self, told: &[&Condition], service: &str) -> Vec<String> {
        let said: Vec<&str> = told
            .iter()
            .filter_map(|condition| condition.said.first().copied())
            .map(|word| word.trim_end_matches('*'))
            .collect();
        let asked = SearchText {
            text: format!("{service} {}", said.join(" ")),
            context: None,
            language: self.setting.default_language,
        };
        let found = self.office.desk.search(&asked).await.unwrap_or_default();
        let name = folded(service);
        let first = name.split(' ').next().unwrap_or_default();
        let stem: String = first.chars().take(6).collect();
        let passages = found.passages.into_iter().map(|passage| passage.content);
        passages
            .filter(|text| begins(&folded(text), &[&stem]) || says(&folded(text), &[&name]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<&'static str> {
        let found = CONDITIONS.iter().filter(|c| tells(c, &folded(text)));
        found.map(|condition| condition.name).collect()
    }

    fn excludes(name: &str, text: &str) -> bool {
        let condition = CONDITIONS.iter().find(|c| c.name == name).unwrap();
        excluding(condition, text).is_some()
    }

    #[test]
    fn customers_tell_of_conditions() {
        for (text, names) in [
            ("estoy embarazada de 5 meses", &["pregnancy"][..]),
            ("I'm pregnant", &["pregnancy"]),
            ("no estoy embarazada", &[]),
            ("es para mi hija de 15 años", &["minor"]),
            ("blanqueamiento para mi hija de 16 el viernes", &["minor"]),
            ("my son is 12 years old", &["minor"]),
            ("es para mi hija de 25", &[]),
            ("la cita de mi hija de 3 de mayo", &[]),
            ("tengo 34 años", &[]),
            ("me lo hice hace 5 años", &[]),
            (
                "soy alérgica a la lidocaína y uso marcapasos",
                &["allergy", "pacemaker"],
            ),
            ("quiero una cita el 15", &[]),
        ] {
            assert_eq!(told(text), names, "{text}");
        }
    }

    #[test]
    fn texts_exclude_conditions_or_ask_for_something() {
        for (name, text, excluded) in [
            ("pregnancy", "No se realiza durante el embarazo.", true),
            ("pregnancy", "Contraindicado en gestantes.", true),
            ("pregnancy", "Masaje relajante para embarazadas.", false),
            ("minor", "Solo para mayores de 18 años.", true),
            (
                "minor",
                "Los menores vienen solo acompañados de un adulto.",
                false,
            ),
            ("allergy", "Not for people with allergies to latex.", true),
            ("pregnancy", "Dura una hora. No duele.", false),
        ] {
            assert_eq!(excludes(name, text), excluded, "{text}");
        }
    }
}
