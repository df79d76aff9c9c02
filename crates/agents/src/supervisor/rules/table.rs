//! Reading the files of rules. `data/supervisor/lists.txt` explains how they are written.

use super::{Meaning, Rule, Rules};
use crate::supervisor::phrase::{Phrase, Place};
use crate::supervisor::vocabulary::WordId;
use quipu_core::agent::{Intent, Vertical};
use quipu_core::language::Language;

/// What the lines under a heading are.
enum Section {
    List(String),
    Rules {
        meaning: Meaning,
        weight: f32,
        verticals: Vec<Vertical>,
        language: Option<Language>,
    },
}

pub(super) fn read(table: &'static str, rules: &mut Rules) {
    let mut section = None;
    for line in table.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = read_heading(heading);
            if section.is_none() {
                rules.problems.push(format!("no such heading: {heading}"));
            }
            continue;
        }
        match &section {
            None => rules.problems.push(format!("under no heading: {line}")),
            Some(Section::List(name)) => {
                for word in line.split_whitespace() {
                    match rules.vocabulary.add(word) {
                        Some(id) => rules.named.entry(name.clone()).or_default().push(id),
                        None => rules.problems.push(format!("no word of a list: {word}")),
                    }
                }
            }
            Some(Section::Rules {
                meaning,
                weight,
                verticals,
                language,
            }) => {
                for written in line.split(',').map(str::trim).filter(|p| !p.is_empty()) {
                    match read_phrase(written, rules) {
                        Some(phrase) => rules.all.push(Rule {
                            phrase,
                            written,
                            meaning: *meaning,
                            weight: *weight,
                            verticals: verticals.clone(),
                            language: *language,
                        }),
                        None => rules.problems.push(format!("no phrase: {written}")),
                    }
                }
            }
        }
    }
}

fn read_heading(heading: &str) -> Option<Section> {
    let mut parts = heading.split_whitespace();
    let first = parts.next()?;
    if first == "list" {
        let name = parts.next()?.to_owned();
        return parts.next().is_none().then_some(Section::List(name));
    }
    let meaning = match first {
        "yes" => Meaning::Yes,
        "no" => Meaning::No,
        "refusal" => Meaning::Refusal,
        "when" => Meaning::When,
        "invoicing" => Meaning::Invoicing,
        intent => Meaning::Intent(Intent::parse(intent)?),
    };
    let weight = match meaning {
        Meaning::Intent(_) => parts.next()?.parse().ok()?,
        _ => 1.0,
    };
    let (mut verticals, mut language) = (Vec::new(), None);
    for condition in parts {
        match (condition, Vertical::parse(condition)) {
            (_, Some(vertical)) => verticals.push(vertical),
            ("es", None) => language = Some(Language::Es),
            ("en", None) => language = Some(Language::En),
            _ => return None,
        }
    }
    Some(Section::Rules {
        meaning,
        weight,
        verticals,
        language,
    })
}

fn read_phrase(written: &str, rules: &mut Rules) -> Option<Phrase> {
    let mut phrase = Phrase {
        places: Vec::new(),
        opens: false,
        closes: false,
    };
    let mut after_gap = false;
    for part in written.split_whitespace() {
        match part {
            _ if phrase.closes => return None,
            "^" if phrase.places.is_empty() => phrase.opens = true,
            "$" if !phrase.places.is_empty() => phrase.closes = true,
            ".." if !phrase.places.is_empty() => after_gap = true,
            "^" | ".." | "$" => return None,
            words => {
                let mut any_of = Vec::new();
                for word in words.split('/') {
                    any_of.extend(read_word(word, rules)?);
                }
                any_of.sort_unstable();
                any_of.dedup();
                phrase.places.push(Place { any_of, after_gap });
                after_gap = false;
            }
        }
    }
    (!phrase.places.is_empty() && !after_gap).then_some(phrase)
}

fn read_word(word: &str, rules: &mut Rules) -> Option<Vec<WordId>> {
    let name = word.strip_prefix('{').and_then(|w| w.strip_suffix('}'));
    match name {
        Some(name) if !matches!(name, "num" | "clock") => {
            let list = rules.list(name).to_vec();
            (!list.is_empty()).then_some(list)
        }
        _ => Some(vec![rules.vocabulary.add(word)?]),
    }
}
