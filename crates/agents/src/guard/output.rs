//! What must not leave in an answer: instructions, keys, calls of tools, and how to reach people.
//!
//! An answer is checked sentence by sentence, so that it can be sent while it is made; a sentence that
//! tells something is left out whole, because what remains of it would only invite a guess.

mod contact;
#[cfg(test)]
mod tests;

use crate::memo::Memo;
use contact::Contacts;
use quipu_core::text::{fold, words};
use regex::RegexSet;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, LazyLock};
use unicode_segmentation::UnicodeSegmentation;

/// So many words in a row of the instructions are told on purpose.
const SHINGLE: usize = 8;
/// Instructions whose words are kept at hand.
const MOST_INSTRUCTIONS: usize = 500;
/// Shorter keys and names would stand in ordinary sentences.
const SHORTEST_KEY: usize = 6;

/// Strings that look like keys, whoever issued them.
static KEYS: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new([
        r"\b(?:sk|pk|rk|qk)[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9]{12,}",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{12,}",
        r"\bAIza[0-9A-Za-z_-]{20,}",
        r"\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|hf|ya29)[-_.][0-9A-Za-z_-]{12,}",
        r"\beyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{5,}",
        r"(?i)\bbearer\s+[0-9a-z._~+/-]{16,}",
        r"-----BEGIN [A-Z ]*KEY",
        r"(?i)\b[a-z]+://[^\s/:@]+:[^\s/@]+@",
        r"(?i)\b(?:api[_ -]?key|secret|token|password|contraseña)\s*[:=]\s*\S{8,}",
    ])
    .expect("it is tested")
});

/// The forms of a call of a tool, as models write them.
static CALLS: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new([
        r#"(?i)"?(?:tool_calls?|function_call|tool_use|tool_call_id)"?\s*[:>]"#,
        r"(?i)</?(?:tool|function)[_-]?(?:calls?|results?|response|use)\b",
        r#"(?i)"(?:arguments|parameters)"\s*:\s*["{]"#,
        r"<\|[a-z_]+\|>",
    ])
    .expect("it is tested")
});

/// What an answer must not tell, and what it may.
#[derive(Clone, Copy, Debug, Default)]
pub struct Secrets<'a> {
    /// The instructions of the agent, without the facts about the business.
    pub system_prompt: &'a str,
    /// Keys and passwords, as they stand.
    pub keys: &'a [&'a str],
    pub tool_names: &'a [&'a str],
    /// Names of people other than the customer, as they stand in the tenant's records.
    pub other_people: &'a [&'a str],
    /// Texts whose addresses and numbers may be told: what the tools of this turn returned, the
    /// customer's own contact and that of the business.
    pub may_tell: &'a [&'a str],
}

/// What a sentence told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeakKind {
    SystemPrompt,
    Key,
    ToolCall,
    Email,
    Phone,
    OtherPerson,
}

/// A sentence that was left out. What it said is not repeated here, so that no log tells it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Leak {
    pub kind: LeakKind,
    /// Where the sentence stood in what was checked, in bytes.
    pub sentence: Range<usize>,
}

/// What may be sent of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Released {
    pub text: String,
    pub removed: Vec<Leak>,
}

/// Checks a whole answer.
#[must_use]
pub fn check(text: &str, secrets: &Secrets<'_>) -> Released {
    Checker::new(secrets).check(text)
}

/// Checks an answer while it is made. It remembers the last words, so that instructions which are
/// told over several short sentences are noticed too.
#[derive(Debug)]
pub struct Checker {
    /// Of the instructions.
    shingles: Arc<HashSet<u64>>,
    /// Of what may be told all the same.
    may_tell: HashSet<u64>,
    keys: Vec<String>,
    tool_names: Vec<String>,
    other_people: Vec<Vec<String>>,
    contacts: Contacts,
    last_words: Vec<String>,
}

impl Checker {
    #[must_use]
    pub fn new(secrets: &Secrets<'_>) -> Self {
        static INSTRUCTIONS: LazyLock<Memo<Arc<HashSet<u64>>>> =
            LazyLock::new(|| Memo::new(MOST_INSTRUCTIONS));
        let shingles = |text: &str| shingles(&folded(text));
        let may_tell = secrets.may_tell.iter().flat_map(|text| shingles(text));
        let keys = secrets.keys.iter().filter(|key| key.len() >= SHORTEST_KEY);
        let people = secrets.other_people.iter().map(|name| folded(name));
        Self {
            shingles: INSTRUCTIONS.of(secrets.system_prompt, |text| Arc::new(shingles(text))),
            may_tell: may_tell.collect(),
            keys: keys.map(|key| (*key).to_owned()).collect(),
            tool_names: secrets
                .tool_names
                .iter()
                .map(|name| name.to_lowercase())
                .collect(),
            other_people: people.filter(|name| !name.is_empty()).collect(),
            contacts: Contacts::in_texts(secrets.may_tell),
            last_words: Vec::new(),
        }
    }

    /// Adds something that must not be told, such as a tool returned for the agent alone.
    pub fn keep_secret(&mut self, text: &str) {
        let more = shingles(&folded(text));
        Arc::make_mut(&mut self.shingles).extend(more);
    }

    /// What may be sent of the next piece, which is one sentence or several, and never a part of one.
    #[must_use]
    pub fn check(&mut self, text: &str) -> Released {
        let mut released = Released::default();
        let mut at = 0;
        let sentences = text
            .split_inclusive('\n')
            .flat_map(str::split_sentence_bounds);
        for sentence in sentences {
            let range = at..at + sentence.len();
            at = range.end;
            match self.leak(sentence) {
                Some(kind) => released.removed.push(Leak {
                    kind,
                    sentence: range,
                }),
                None => released.text.push_str(sentence),
            }
        }
        released
    }

    fn leak(&mut self, sentence: &str) -> Option<LeakKind> {
        let said = folded(sentence);
        if self.tells_instructions(&said) {
            return Some(LeakKind::SystemPrompt);
        }
        if KEYS.is_match(sentence) || self.keys.iter().any(|key| sentence.contains(key.as_str())) {
            return Some(LeakKind::Key);
        }
        if CALLS.is_match(sentence) || self.calls_a_tool(sentence) {
            return Some(LeakKind::ToolCall);
        }
        if self.names_somebody(&said) {
            return Some(LeakKind::OtherPerson);
        }
        self.contacts.foreign(sentence)
    }

    /// Whether the words, together with those said before, hold eight in a row of the instructions.
    fn tells_instructions(&mut self, said: &[String]) -> bool {
        let before = self.last_words.len();
        self.last_words.extend_from_slice(said);
        let told = self
            .last_words
            .windows(SHINGLE)
            .map(hash)
            .any(|run| self.shingles.contains(&run) && !self.may_tell.contains(&run));
        let keep = if told { before } else { self.last_words.len() };
        self.last_words.truncate(keep);
        let old = self.last_words.len().saturating_sub(SHINGLE - 1);
        self.last_words.drain(..old);
        told
    }

    /// A name with an underscore is said by nobody, however it is written; another one only when it is called.
    fn calls_a_tool(&self, sentence: &str) -> bool {
        let sentence = sentence.to_lowercase();
        let plain: String = sentence.chars().filter(|c| !"\\`*".contains(*c)).collect();
        let plain = plain.replace('-', "_");
        let words: HashSet<&str> = words(&plain).collect();
        self.tool_names.iter().any(|name| {
            if name.contains('_') {
                return plain.contains(name.as_str())
                    || words.contains(name.replace('_', "").as_str());
            }
            sentence.match_indices(name.as_str()).any(|(at, _)| {
                let after = sentence[at + name.len()..].trim_start();
                after.starts_with(['(', '{'])
            })
        })
    }

    fn names_somebody(&self, said: &[String]) -> bool {
        let names = self.other_people.iter();
        names
            .into_iter()
            .any(|name| said.windows(name.len()).any(|window| window == name))
    }
}

fn folded(text: &str) -> Vec<String> {
    words(text).map(fold).collect()
}

fn shingles(words: &[String]) -> HashSet<u64> {
    words.windows(SHINGLE).map(hash).collect()
}

fn hash(words: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}
