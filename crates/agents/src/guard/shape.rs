//! Forms that ordinary messages do not have: templates of chats, blocks of policy, transcripts.

use super::verdict::{Hit, Kind, Reason};
use quipu_core::text::preview;
use regex::{Regex, RegexSet};
use std::sync::LazyLock;

/// How much of what matched is told.
const EXCERPT: usize = 80;
/// Lines that begin with a speaker: so many are a transcript, so many more an attempt to teach by it.
const TRANSCRIPT: usize = 3;
const MANY_SHOTS: usize = 6;
/// Where gibberish stands when it is to push a model, and how much of it there has to be.
const TAIL_WORDS: usize = 30;
const GIBBERISH: usize = 5;

static SPEAKER: LazyLock<Regex> = LazyLock::new(|| {
    let roles = "user|human|assistant|ai|bot|system|model|usuario|humano|asistente|ia|sistema|cliente|agente";
    Regex::new(&format!(r"(?m)^[\s>*#\-\[<(|]*(?:{roles})[\])>|*]*\s*:")).expect("it is tested")
});

#[derive(Debug)]
struct Form {
    name: String,
    kind: Kind,
    weight: u32,
    passages_only: bool,
}

/// The forms of the table.
#[derive(Debug)]
pub(super) struct Shapes {
    forms: Vec<Form>,
    set: RegexSet,
    each: Vec<Regex>,
}

impl Shapes {
    /// Reads "10 kind | name | regular expression".
    pub(super) fn read(source: &str) -> Result<Self, String> {
        let mut forms = Vec::new();
        let mut patterns = Vec::new();
        for (number, line) in source.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let told = |error: &str| format!("line {} of the shapes: {error}", number + 1);
            let mut fields = line.splitn(4, '|').map(str::trim);
            let mut field = || fields.next().ok_or_else(|| told("a field is missing"));
            let weight = field()?.parse().map_err(|_| told("there is no weight"))?;
            let heading = field()?;
            let in_passages = heading.strip_suffix(" in passages");
            let kind = Kind::parse(in_passages.unwrap_or(heading));
            let name = field()?.to_owned();
            // Boundaries of ASCII words are found in one pass over the text, those of Unicode are not.
            let ascii = field()?.replace(r"\b", r"(?-u:\b)");
            patterns.push(format!("(?m){ascii}"));
            forms.push(Form {
                name,
                kind: kind.ok_or_else(|| told("there is no such kind"))?,
                weight,
                passages_only: in_passages.is_some(),
            });
        }
        let told = |error: regex::Error| error.to_string();
        Ok(Self {
            forms,
            set: RegexSet::new(&patterns).map_err(told)?,
            each: patterns
                .iter()
                .map(|p| Regex::new(p).map_err(told))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The forms that a folded text has.
    pub(super) fn find(&'static self, text: &str, passage: bool, hits: &mut Vec<Hit>) {
        for number in self.set.matches(text) {
            let form = &self.forms[number];
            if passage || !form.passages_only {
                let found = self.each[number]
                    .find(text)
                    .map_or("", |found| found.as_str());
                push(hits, &form.name, form.kind, form.weight, found);
            }
        }
    }
}

/// The forms that are counted rather than matched.
pub(super) fn measure(text: &str, hits: &mut Vec<Hit>) {
    match SPEAKER.find_iter(text).take(MANY_SHOTS).count() {
        MANY_SHOTS => push(hits, "transcript of many turns", Kind::Structure, 6, text),
        TRANSCRIPT.. => push(hits, "transcript", Kind::Structure, 4, text),
        _ => {}
    }
    let tail: Vec<&str> = text.split_whitespace().rev().take(TAIL_WORDS).collect();
    let odd = tail.iter().filter(|token| is_gibberish(token)).count();
    if odd >= GIBBERISH {
        let tail: Vec<&str> = tail.into_iter().rev().collect();
        push(
            hits,
            "gibberish at the end",
            Kind::Structure,
            6,
            &tail.join(" "),
        );
    }
}

/// Whether signs stand inside a word, or in a heap, as nobody writes and no address has them.
fn is_gibberish(token: &str) -> bool {
    if token.contains("://") || token.contains('@') {
        return false;
    }
    let odd = |c: char| {
        matches!(
            c,
            '\\' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | '^' | '~' | '|' | '+' | ';'
        )
    };
    let inner = token.trim_matches(|c: char| c.is_ascii_punctuation());
    let signs = token.chars().filter(|c| odd(*c)).count();
    (inner.contains(odd) && inner.chars().any(char::is_alphabetic)) || signs >= 2
}

fn push(hits: &mut Vec<Hit>, rule: &'static str, kind: Kind, weight: u32, found: &str) {
    let reason = Reason {
        rule,
        kind,
        excerpt: preview(found.get(..EXCERPT * 4).unwrap_or(found), EXCERPT),
    };
    hits.push(Hit { weight, reason });
}
