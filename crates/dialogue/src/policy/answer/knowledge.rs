//! What the business wrote: its frequent questions, its documents and its policies.

use super::super::PolicyRun;
use super::ELLIPTIC;
use crate::business::ServiceFact;
use crate::facts::{Known, QuotedText};
use crate::read::{LinkedNames, folded_words};
use crate::say::Phrase;
use crate::state::Goal;
use quipu_commerce::business::PolicyKind;
use quipu_core::analysis::Question;
use quipu_core::language::Language;
use quipu_core::text::preview;
use serde_json::json;

/// A frequent question that speaks of this much of what was asked answers it.
const SURELY: f64 = 0.7;
/// From here on a sentence of the policies is about the same.
const ALIKE: f32 = 0.4;
/// How many sentences of the policies are compared.
const MOST_SENTENCES: usize = 200;
const LONGEST_QUESTION: usize = 500;
const LONGEST_ANSWER: usize = 600;

impl PolicyRun<'_> {
    /// Answers a question from what the business wrote. `false` when it wrote nothing of it.
    pub(in super::super) fn tell_knowledge_of(&mut self, question: &str) -> Known<bool> {
        let question = preview(question, LONGEST_QUESTION);
        if self.tell_written_of(&question)? {
            return Ok(true);
        }
        match self.with_context(&question) {
            Some(asked) => self.tell_written_of(&asked),
            None => Ok(false),
        }
    }

    /// A question that names no service, with the one that is being settled or was spoken of: "¿y duele?".
    fn about_service(&self, question: &str) -> Option<String> {
        let service = self.service_at_hand()?;
        let named = self.services_asked(question) != LinkedNames::None;
        (!named).then(|| format!("{}: {question}", service.name))
    }

    fn service_at_hand(&self) -> Option<&ServiceFact> {
        let settled = match &self.before.goal {
            Some(Goal::Book(goal)) => goal.visits.iter().find_map(|visit| visit.service),
            _ => None,
        };
        let service = settled.or(self.before.topic.service)?;
        self.business.service(service)
    }

    /// Whether what was quoted stands under the name of another service than the one at hand.
    fn is_about_another(&self, quoted: &QuotedText) -> bool {
        let hand = self.service_at_hand().map(|service| service.id);
        let index = &self.business.names.services;
        let sources = quoted.parts.iter().filter_map(|part| part.source.as_ref());
        let titles = sources.filter_map(|(at, _)| quoted.passages.get(*at)?.title.as_deref());
        let mut named = titles.filter_map(|title| index.link(title, self.profile.written_in).one());
        named.any(|named| Some(named) != hand)
    }

    fn tell_written_of(&mut self, asked: &str) -> Known<bool> {
        // A quote says where it stands, so that it comes before the same words without their source.
        let mut quoted = self.facts.quote(asked)?;
        if let Some(about) = self.about_service(asked)
            && self.is_about_another(quoted)
        {
            quoted = self.facts.quote(&about)?;
        }
        self.failed |= quoted.failed;
        if quoted.parts.iter().any(|part| part.source.is_some()) {
            self.speech.quote(&quoted.parts, &quoted.passages);
            return Ok(true);
        }
        // What was just written may not be found yet; a frequent question is known by its words at once.
        if let Some(answer) = self.best_faq(asked)? {
            self.repeat(answer);
            return Ok(true);
        }
        Ok(false)
    }

    /// A short question with the one that it leans on.
    fn with_context(&self, question: &str) -> Option<String> {
        let language = self.heard.language;
        // Only what goes on or names next to nothing leans: "¿y los sábados?".
        let words = folded_words(question);
        let goes_on = words
            .first()
            .is_some_and(|word| matches!(word.as_str(), "y" | "and" | "pero" | "o"));
        let short = (goes_on || words.len() <= ELLIPTIC)
            && Question::read_once(question, language, language).is_short();
        let before = self.before.topic.question.as_ref();
        let before = before.filter(|before| short && *before != question)?;
        Some(format!("{before} {question}"))
    }

    /// The answer to the frequent question that surely is this one.
    pub(in super::super) fn best_faq(&self, question: &str) -> Known<Option<String>> {
        if !self.profile.has("get_faq") {
            return Ok(None);
        }
        let question = preview(question, LONGEST_QUESTION);
        let told = self
            .facts
            .look("get_faq", json!({ "question": question }))?;
        let Ok(told) = told else { return Ok(None) };
        let best = told["faqs"].as_array().and_then(|faqs| faqs.first());
        let score = best
            .and_then(|faq| faq["relevance_score"].as_f64())
            .unwrap_or(0.0);
        let answer = best.and_then(|faq| faq["answer"].as_str());
        let answer = answer.filter(|_| score >= SURELY);
        Ok(answer.map(|answer| preview(answer, LONGEST_ANSWER)))
    }

    /// Tells the sentence of the policies that is most like these words, where one is.
    pub(super) fn tell_policy_like(&mut self, terms: &str) -> Known<bool> {
        let kinds = [
            PolicyKind::Rescheduling,
            PolicyKind::Cancellation,
            PolicyKind::General,
        ];
        let mut sentences: Vec<String> = Vec::new();
        for kind in kinds.iter().filter(|_| self.profile.has("get_policy")) {
            let told = self
                .facts
                .look("get_policy", json!({ "policy_type": kind.as_str() }))?;
            let Ok(told) = told else { continue };
            let policies = told["policies"].as_array().into_iter().flatten();
            let texts = policies.filter_map(|policy| policy["policy"].as_str());
            let each = texts.flat_map(quipu_core::text::sentences);
            sentences.extend(each.map(|sentence| sentence.trim().to_owned()));
        }
        sentences.truncate(MOST_SENTENCES);
        if sentences.is_empty() {
            return Ok(false);
        }
        let likeness = self.facts.compare(terms, sentences.clone())?;
        let best = likeness
            .iter()
            .zip(&sentences)
            .max_by(|a, b| a.0.total_cmp(b.0));
        let Some((_, sentence)) = best.filter(|(likeness, _)| **likeness >= ALIKE) else {
            return Ok(false);
        };
        self.repeat(preview(sentence, LONGEST_ANSWER));
        Ok(true)
    }

    /// Adds words of the business, and says so where they are in another language than the customer's.
    pub(in super::super) fn repeat(&mut self, text: String) {
        if Language::guess(&text).is_some_and(|language| language != self.voice.language) {
            let company = self.profile.company_name.as_str();
            self.say(Phrase::OtherLanguage, &[("company", company)]);
        }
        self.speech.add(text);
    }
}
