//! The sentences of the agent without a model: data files, read once, and found again in what was
//! said before.

use super::folded::folded;
use crate::memo::Memo;
use crate::supervisor::Awaiting;
use aho_corasick::AhoCorasick;
use quipu_core::agent::ResponseStyle;
use quipu_core::language::Language;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as ValueError, StrDeserializer};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// A sentence with fewer fixed letters than this is not recognised: too many others look like it.
const SHORTEST_KNOWN: usize = 10;
/// How many texts are known again.
const MOST_RECOGNISED: usize = 10_000;

const FILES: [(Language, &str); 2] = [
    (Language::Es, include_str!("../../data/builtin/es.txt")),
    (Language::En, include_str!("../../data/builtin/en.txt")),
];

/// All sentences.
pub(super) struct Templates {
    sentences: BTreeMap<(&'static str, &'static str), Sentence>,
    /// Every fixed part there is, by its number, so that one look at a text tells which it has.
    parts: AhoCorasick,
    recognised: Memo<Vec<Said>>,
}

#[derive(Default)]
struct Sentence {
    awaits: Option<Awaiting>,
    /// What is said, by the name of the style or of several.
    variants: BTreeMap<&'static str, &'static str>,
    /// The fixed parts of each variant, by which it is recognised, with their numbers.
    fixed: Vec<Vec<(usize, String)>>,
}

/// A sentence that was said before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) key: &'static str,
    pub(super) awaits: Option<Awaiting>,
    /// Where its last fixed words stand.
    at: usize,
}

static TEMPLATES: LazyLock<Templates> = LazyLock::new(Templates::read);

impl Templates {
    pub(super) fn get() -> &'static Self {
        &TEMPLATES
    }

    fn read() -> Self {
        let mut sentences: BTreeMap<(&str, &str), Sentence> = BTreeMap::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut parts: Vec<String> = Vec::new();
        for (language, file) in FILES {
            let mut key = "";
            for line in file.lines().map(str::trim) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                    key = name;
                    continue;
                }
                let Some((style, text)) = line.split_once(": ") else {
                    continue;
                };
                let sentence = sentences.entry((language.as_str(), key)).or_default();
                if style == "awaits" {
                    let name: StrDeserializer<'_, ValueError> = text.into_deserializer();
                    sentence.awaits = Awaiting::deserialize(name).ok();
                } else {
                    let numbered = fixed_parts(text).into_iter().map(|part| {
                        let number = *numbers.entry(part.clone()).or_insert_with(|| {
                            parts.push(part.clone());
                            parts.len() - 1
                        });
                        (number, part)
                    });
                    sentence.fixed.push(numbered.collect());
                    sentence.variants.insert(style, text);
                }
            }
        }
        let parts = AhoCorasick::new(parts).expect("the files are part of the program");
        Self {
            sentences,
            parts,
            recognised: Memo::new(MOST_RECOGNISED),
        }
    }

    /// What is said in this language and style, before it is filled in.
    pub(super) fn text(&self, key: &str, language: Language, style: ResponseStyle) -> &'static str {
        let (name, address) = match style {
            ResponseStyle::Casual => ("casual", "tu"),
            ResponseStyle::ProfesionalCalido => ("profesional_calido", "tu"),
            ResponseStyle::Profesional => ("profesional", "usted"),
            ResponseStyle::MuyFormal => ("muy_formal", "usted"),
        };
        let found = self
            .sentences
            .iter()
            .find(|((of, known), _)| *of == language.as_str() && *known == key);
        let variants = found.map(|(_, sentence)| &sentence.variants);
        let text = variants.and_then(|variants| {
            let names = [name, address, "all"];
            names.iter().find_map(|name| variants.get(name))
        });
        text.copied().unwrap_or_default()
    }

    pub(super) fn awaits(&self, key: &str) -> Option<Awaiting> {
        let mut found = self
            .sentences
            .iter()
            .filter(|((_, known), _)| *known == key);
        found.find_map(|(_, sentence)| sentence.awaits)
    }

    /// The sentences that a text is made of, in its order. What an agent said is read again with every
    /// message that follows it.
    pub(super) fn recognise(&self, text: &str) -> Vec<Said> {
        self.recognised.of(text, |text| self.look_through(text))
    }

    fn look_through(&self, text: &str) -> Vec<Said> {
        let text = folded(text);
        let mut has = vec![false; self.parts.patterns_len()];
        for part in self.parts.find_overlapping_iter(&text) {
            has[part.pattern().as_usize()] = true;
        }
        let mut found: Vec<Said> = Vec::new();
        for ((_, key), sentence) in &self.sentences {
            let all = |parts: &&Vec<(usize, String)>| parts.iter().all(|(number, _)| has[*number]);
            let fixed = sentence.fixed.iter().filter(all);
            let best = fixed.filter_map(|parts| stands_at(parts, &text)).max();
            if let Some(at) = best {
                found.push(Said {
                    key,
                    awaits: sentence.awaits,
                    at,
                });
            }
        }
        found.sort_by_key(|said| said.at);
        found
    }

    #[cfg(test)]
    pub(super) fn keys(&self, language: Language) -> Vec<&'static str> {
        let of = self
            .sentences
            .keys()
            .filter(|(of, _)| *of == language.as_str());
        of.map(|(_, key)| *key).collect()
    }
}

/// Where the fixed parts of a sentence end in a text that has all of them in their order.
fn stands_at(parts: &[(usize, String)], text: &str) -> Option<usize> {
    let mut end = 0;
    let mut letters = 0;
    for (_, piece) in parts {
        let at = text[end..].find(piece.as_str())?;
        end += at + piece.len();
        letters += piece.chars().filter(|c| c.is_alphanumeric()).count();
    }
    (letters >= SHORTEST_KNOWN).then_some(end)
}

/// What stands outside of brackets and braces, folded; parts without a letter say nothing.
fn fixed_parts(variant: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut depth = 0_usize;
    for c in variant.chars() {
        match c {
            '{' | '[' => {
                if depth == 0 {
                    parts.push(std::mem::take(&mut part));
                }
                depth += 1;
            }
            '}' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => part.push(c),
            _ => {}
        }
    }
    parts.push(part);
    let parts = parts.iter().map(|part| folded(part));
    parts
        .filter(|part| part.chars().any(char::is_alphabetic))
        .collect()
}

/// Fills a sentence in. What stands in brackets is dropped when something in it has no filling.
pub(super) fn fill(template: &str, filling: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('[') {
        text.push_str(&rest[..at]);
        let Some(end) = rest[at..].find(']') else {
            break;
        };
        let inner = &rest[at + 1..at + end];
        if names(inner).all(|name| value(name, filling).is_some_and(|value| !value.is_empty())) {
            text.push_str(inner);
        }
        rest = &rest[at + end + 1..];
    }
    text.push_str(rest);
    insert(&text, filling)
}

fn insert(text: &str, filling: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        let Some(end) = rest[at..].find('}') else {
            break;
        };
        filled.push_str(value(&rest[at + 1..at + end], filling).unwrap_or_default());
        rest = &rest[at + end + 1..];
    }
    filled.push_str(rest);
    filled.trim().to_owned()
}

fn value<'a>(name: &str, filling: &[(&str, &'a str)]) -> Option<&'a str> {
    let found = filling.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let each = text.split('{').skip(1);
    each.filter_map(|piece| piece.split_once('}').map(|(name, _)| name))
}
