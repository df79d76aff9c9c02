//! Everything else about the business: its frequent questions, and what its documents say.

use super::catalogue::{Meant, naming_words};
use super::folded::{begins, field, folded, items, says};
use super::scene::{Draft, Scene};
use crate::conversation::search_text;
use crate::desk::Found;
use quipu_core::Result;
use quipu_core::business::{PolicyKind, rank};
use quipu_core::language::Language;
use quipu_core::ports::{ReplyPart, ReplyRequest};
use quipu_core::text::{preview, sentences};
use serde_json::json;

/// A frequent question that speaks of this much of what was asked answers it.
const SURELY: f64 = 0.7;
/// One that speaks of no more than half of it answers something else.
const PERHAPS: f64 = 0.55;
/// One that speaks of all of it leaves nothing out.
const WHOLLY: f64 = 0.9;
/// How many messages the quoting responder gets to see.
const HISTORY: usize = 8;
const LONGEST_ANSWER: usize = 600;
/// Words that begin with so many same letters are of one family: embarazo, embarazadas.
const SAME_BEGINNING: usize = 6;

/// The question in a message that says something else as well.
pub(super) fn asked_part(text: &str) -> Option<&str> {
    let mut parts = text.split_inclusive(['.', ',', ';', '?', '!', '\n']);
    let asked = parts.rfind(|part| part.ends_with('?'))?.trim();
    let enough = asked.split_whitespace().count() > 1;
    (enough && asked.len() < text.trim().len()).then_some(asked)
}

impl Scene<'_> {
    /// Answers from what the business has written. `false` when it has written nothing of it.
    pub(super) async fn tell_knowledge(&self, draft: &mut Draft) -> Result<bool> {
        if self.tell_known(draft).await? {
            return Ok(true);
        }
        // A question among other words is found by itself.
        let Some(asked) = asked_part(self.text) else {
            return Ok(false);
        };
        self.aside(asked).tell_known(draft).await
    }

    async fn tell_known(&self, draft: &mut Draft) -> Result<bool> {
        let question: String = self.text.chars().take(500).collect();
        let told = self
            .office
            .call("get_faq", json!({ "question": question }))
            .await;
        let mut told = told.unwrap_or_default();
        let core = naming_words(self.text, self.voice.language);
        let core: String = core.chars().take(500).collect();
        if items(&told, "faqs").is_empty() && !core.is_empty() {
            // What is asked about, without the words that ask.
            let asked = json!({ "question": core });
            told = self.office.call("get_faq", asked).await.unwrap_or_default();
        }
        let best = items(&told, "faqs").first();
        let services = self.services().await.unwrap_or_default();
        let services: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let best = best.filter(|faq| {
            let (asked, told) = (field(faq, "question"), field(faq, "answer"));
            let text = format!("{} {}", asked.unwrap_or_default(), told.unwrap_or_default());
            !self.is_of_another(&services, &text)
        });
        let score = best.and_then(|faq| faq["relevance_score"].as_f64());
        let answer = best
            .filter(|_| score.is_some_and(|score| score >= PERHAPS))
            .and_then(|faq| field(faq, "answer"))
            .map(|answer| preview(answer, LONGEST_ANSWER));
        let sure = score.is_some_and(|score| score >= SURELY);
        let mut found = self.search().await;
        found
            .passages
            .retain(|passage| !self.is_of_another(&services, &passage.content));
        if let Some(answer) = answer.as_ref().filter(|_| sure) {
            self.repeat(draft, answer.clone());
            return Ok(true);
        }
        if self.quote(draft, found).await {
            return Ok(true);
        }
        if let Some(answer) = answer {
            self.repeat(draft, answer);
            return Ok(true);
        }
        Ok(self.tell_related_policy(draft).await)
    }

    /// Answers from what speaks of everything that the message names, and from nothing else. `false` when
    /// nothing does.
    pub(super) async fn tell_all_of_it(&self, draft: &mut Draft) -> Result<bool> {
        let asked = json!({ "question": self.text });
        let told = self.office.call("get_faq", asked).await.unwrap_or_default();
        let faqs = items(&told, "faqs").iter();
        let best = faqs
            .filter(|faq| {
                faq["relevance_score"]
                    .as_f64()
                    .is_some_and(|it| it >= WHOLLY)
            })
            .find_map(|faq| field(faq, "answer"));
        if let Some(answer) = best {
            self.repeat(draft, preview(answer, LONGEST_ANSWER));
            return Ok(true);
        }
        let mut found = self.search().await;
        let language = self.setting.default_language;
        found.passages.retain(|passage| {
            let ranked = rank(self.text, std::slice::from_ref(&passage.content), language);
            ranked.iter().any(|(_, share)| f64::from(*share) >= WHOLLY)
        });
        Ok(self.quote(draft, found).await)
    }

    /// Whether a text of the business is about something else than the message: about another service than
    /// the one that is spoken of, or without the insurer that is asked for.
    fn is_of_another(&self, services: &[String], text: &str) -> bool {
        let told = folded(text);
        let unknown = |name: &String| !begins(&told, &[name]);
        if self.insurers_asked().iter().any(unknown) {
            return true;
        }
        let stands = |name: &&String| {
            let name = folded(name);
            let first = name.split(' ').next().unwrap_or_default();
            says(&told, &[&name]) || first.chars().count() > SAME_BEGINNING && says(&told, &[first])
        };
        let spoken_of = match self.meant(self.text, services) {
            Meant::Nothing => self.service_named(services),
            meant => meant,
        };
        let Meant::One(spoken_of) = spoken_of else {
            return false;
        };
        let mut named = services.iter().filter(stands).peekable();
        named.peek().is_some() && named.all(|name| *name != services[spoken_of])
    }

    /// The names that a question about insurers asks for, folded: one that nobody wrote down is not taken
    /// by being an insurer.
    fn insurers_asked(&self) -> Vec<String> {
        const INSURING: &[&str] = &[
            "seguro",
            "seguros",
            "aseguradora",
            "aseguradoras",
            "eps",
            "insurance",
            "insurer",
            "convenio",
            "poliza",
        ];
        const PLAIN: &[&str] = &[
            "de",
            "del",
            "con",
            "la",
            "el",
            "los",
            "las",
            "medico",
            "medicos",
            "dental",
            "dentales",
            "y",
            "o",
            "from",
            "with",
            "the",
            "social",
            "particular",
            "particulares",
            "privado",
            "privados",
            "por",
            "para",
            "plans",
            "plan",
            "health",
            "gastos",
            "medica",
            "salud",
            "vida",
            "a",
            "en",
            "que",
            "mi",
            "aceptan",
            "cubre",
            "empresa",
            "for",
            "and",
            "my",
        ];
        let words: Vec<&str> = self.words.split(' ').collect();
        let mut names = Vec::new();
        for (at, _) in words
            .iter()
            .enumerate()
            .filter(|(_, word)| INSURING.contains(word))
        {
            let behind = words[at + 1..].iter();
            let name = behind.take(3).find(|word| !PLAIN.contains(word));
            names.extend(name.map(|name| (*name).to_owned()));
        }
        names.retain(|name| !INSURING.contains(&name.as_str()) && name.chars().count() > 2);
        names
    }

    /// Adds words of the business, and says so where they are in another language than the customer's.
    pub(super) fn repeat(&self, draft: &mut Draft, text: String) {
        if Language::guess(&text).is_some_and(|language| language != self.voice.language) {
            let company = self.setting.company_name.as_str();
            draft.say(self.voice, "other_language", &[("company", company)]);
        }
        draft.add(text);
    }

    /// A search that fails finds nothing: the other sources may still answer.
    async fn search(&self) -> Found {
        let setting = self.setting;
        let text = search_text(
            self.messages,
            &setting.agent_name,
            &setting.company_name,
            self.voice.language,
        );
        self.office.desk.search(&text).await.unwrap_or_default()
    }

    /// Quotes the passages that answer, with where each quote stands.
    async fn quote(&self, draft: &mut Draft, found: Found) -> bool {
        if found.passages.is_empty() {
            return false;
        }
        let before = self.messages.len().saturating_sub(1);
        let request = ReplyRequest {
            agent_name: self.setting.agent_name.clone(),
            company_name: self.setting.company_name.clone(),
            language: self.voice.language,
            question: self.text.to_owned(),
            history: self.messages[before.saturating_sub(HISTORY)..before].to_vec(),
            passages: found.passages,
        };
        let Ok(reply) = self.quoter.reply(&request).await else {
            draft.failed = true;
            return false;
        };
        let grounded = |part: &ReplyPart| {
            let (index, quote) = part.source.as_ref()?;
            let passage = request.passages.get(*index)?;
            (!quote.trim().is_empty() && passage.content.contains(quote.as_str())).then_some(())
        };
        let honest = reply
            .parts
            .iter()
            .all(|part| part.source.is_none() || grounded(part).is_some());
        if !honest || !reply.parts.iter().any(|part| part.source.is_some()) {
            return false;
        }
        draft.parts.extend(reply.parts);
        draft.passages = request.passages;
        true
    }

    /// A sentence of the policies that shares a telling word with the message: who says that she is
    /// pregnant should hear what is not done then, whether or not she asked.
    pub(super) async fn tell_related_policy(&self, draft: &mut Draft) -> bool {
        // That a service is named says nothing of what is asked about it.
        let services = self.services().await.unwrap_or_default();
        let names: Vec<String> = services
            .iter()
            .map(|service| folded(&service.name))
            .collect();
        let telling: Vec<String> = self
            .words
            .split(' ')
            .filter(|word| word.chars().count() > SAME_BEGINNING)
            .filter(|word| !names.iter().any(|name| says(name, &[word])))
            .map(|word| word.chars().take(SAME_BEGINNING).collect())
            .collect();
        let starts: Vec<&str> = telling.iter().map(String::as_str).collect();
        self.tell_policy_with(draft, &starts).await
    }

    /// The sentence about something in the policies that are of no kind.
    pub(super) async fn tell_policy_sentence(&self, draft: &mut Draft, kind: PolicyKind) -> bool {
        let starts: &[&str] = match kind {
            PolicyKind::Cancellation => &["cancel", "anula"],
            PolicyKind::Rescheduling => &["reprogram", "reagend", "cambio", "reschedul"],
            PolicyKind::Warranty => &["garanti", "warrant"],
            PolicyKind::Refunds => &["devoluc", "reembols", "refund"],
            PolicyKind::Privacy => &["privaci", "privacy"],
            PolicyKind::Payment | PolicyKind::General => return false,
        };
        self.tell_policy_with(draft, starts).await
    }

    async fn tell_policy_with(&self, draft: &mut Draft, starts: &[&str]) -> bool {
        let asked = json!({ "policy_type": PolicyKind::General.as_str() });
        let Ok(told) = self.office.call("get_policy", asked).await else {
            return false;
        };
        let before = draft.parts.len();
        for policy in items(&told, "policies") {
            let text = field(policy, "policy").unwrap_or_default();
            let related = sentences(text).find(|sentence| begins(&folded(sentence), starts));
            if let Some(sentence) = related {
                self.repeat(draft, preview(sentence, LONGEST_ANSWER));
                break;
            }
        }
        draft.parts.len() > before
    }
}
