//! The word lists under `data/`: what says nothing, what chat abbreviations mean, and which words
//! customers and businesses use for the same thing.

use super::stem::stem;
use crate::language::Language;
use crate::quick::{QuickMap, QuickSet};
use crate::text;
use std::sync::LazyLock;

/// The longest phrase the lists may hold, in words.
pub(super) const MAX_PHRASE: usize = 5;

const PRONOUNS: &[&str] = &[
    "me", "te", "se", "nos", "les", "le", "los", "las", "lo", "la",
];

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    lexicon.read_stop_words(include_str!("../../data/stopwords.es.txt"));
    lexicon.read_stop_words(include_str!("../../data/stopwords.en.txt"));
    lexicon.read_irregular(include_str!("../../data/irregular.txt"));
    lexicon.read_chat(include_str!("../../data/chat.txt"));
    lexicon.read_synonyms(include_str!("../../data/synonyms.txt"));
    lexicon
});

/// Words that mean the same, or that lead from one to another.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// What to look for in documents of each language: the stems of single words, and markers.
    targets: [Vec<String>; 2],
    /// Every word of the group means the same, so that two of them in a question are one idea.
    pub(super) same: bool,
}

impl Group {
    pub(super) fn targets(&self, language: Language) -> &[String] {
        let [spanish, english] = &self.targets;
        match language {
            Language::Es => spanish,
            Language::En => english,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Lexicon {
    stop: QuickSet<String>,
    stop_phrases: QuickSet<Vec<String>>,
    chat: QuickMap<String, String>,
    irregular: QuickMap<String, String>,
    groups: Vec<Group>,
    /// Phrases and words as they are typed, to the groups they open.
    by_surface: QuickMap<Vec<String>, Vec<usize>>,
    /// Single words by their stem in each language.
    by_stem: QuickMap<(Language, String), Vec<usize>>,
}

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        &LEXICON
    }

    /// Folds a word as it was typed, shortens "holaaaa", takes the pronoun off "hacerme" and spells
    /// out abbreviations. `None` when nothing is left.
    pub(super) fn normalise(&self, word: &str) -> Option<String> {
        let mut plain = text::fold(word);
        if !is_plain(&plain) {
            plain = shortened(&plain);
        }
        // "holaa": a doubled last letter is only taken off where that makes a known small word.
        if let Some((last, _)) = plain.char_indices().next_back()
            && plain[..last].ends_with(&plain[last..])
            && self.is_stop(&plain[..last])
        {
            plain.truncate(last);
        }
        if let Some(verb) = without_pronoun(&plain) {
            plain.truncate(verb.len());
        }
        match self.chat.get(&plain) {
            Some(long) if long.is_empty() => None,
            Some(long) => Some(long.clone()),
            None => Some(plain),
        }
    }

    /// What an abbreviation stands for.
    pub(super) fn long_form(&self, word: &str) -> Option<&str> {
        self.chat.get(&text::fold(word)).map(String::as_str)
    }

    /// Whether a word says nothing about what is being asked.
    pub(super) fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// The stem of a normalised word, by way of its regular form if it is irregular.
    pub(super) fn stem(&self, word: &str, language: Language) -> String {
        stem(
            self.irregular.get(word).map_or(word, String::as_str),
            language,
        )
    }

    pub(super) fn is_stop_phrase(&self, words: &[String]) -> bool {
        self.stop_phrases.contains(words)
    }

    /// The groups a phrase or word opens exactly as it is typed.
    pub(super) fn surface(&self, words: &[String]) -> &[usize] {
        self.by_surface.get(words).map_or(&[], Vec::as_slice)
    }

    /// The groups a word opens by its stem.
    pub(super) fn stemmed(&self, word: &str, language: Language) -> &[usize] {
        self.by_stem
            .get(&(language, self.stem(word, language)))
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn group(&self, index: usize) -> &Group {
        &self.groups[index]
    }

    fn read_stop_words(&mut self, data: &str) {
        for line in entries(data) {
            if let Some(phrase) = line.strip_prefix('"').and_then(|l| l.strip_suffix('"')) {
                self.stop_phrases.insert(phrase_words(phrase));
            } else {
                self.stop.extend(line.split_whitespace().map(text::fold));
            }
        }
    }

    fn read_irregular(&mut self, data: &str) {
        for line in entries(data) {
            if let Some((forms, word)) = line.split_once('=') {
                let forms = forms.split_whitespace().map(text::fold);
                self.irregular
                    .extend(forms.map(|form| (form, text::fold(word.trim()))));
            }
        }
    }

    fn read_chat(&mut self, data: &str) {
        for line in entries(data) {
            if let Some((short, long)) = line.split_once('=') {
                self.chat
                    .insert(text::fold(short.trim()), text::fold(long.trim()));
            }
        }
    }

    fn read_synonyms(&mut self, data: &str) {
        for line in entries(data) {
            let (keys, targets) = line.split_once("->").unwrap_or((line, line));
            let index = self.groups.len();
            let targets_in = |language: Language| {
                let words = members(targets).filter(|word| !word.contains(' '));
                let stems = words.map(|word| {
                    if word.starts_with('#') {
                        word
                    } else {
                        self.stem(&word, language)
                    }
                });
                stems.collect()
            };
            let targets = [targets_in(Language::Es), targets_in(Language::En)];
            self.groups.push(Group {
                targets,
                same: !line.contains("->"),
            });
            for key in members(keys).filter(|m| !m.starts_with('#')) {
                let words = phrase_words(&key);
                if let [word] = words.as_slice() {
                    for language in [Language::Es, Language::En] {
                        let by_stem = (language, self.stem(word, language));
                        push_new(self.by_stem.entry(by_stem).or_default(), index);
                    }
                }
                push_new(self.by_surface.entry(words).or_default(), index);
            }
        }
    }
}

/// Whether a folded word is as most are: without an apostrophe, and no letter stands in it three times
/// in a row.
fn is_plain(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.is_ascii()
        && !bytes.contains(&b'\'')
        && !bytes
            .windows(3)
            .any(|three| three[0] == three[1] && three[1] == three[2])
}

/// The word without apostrophes, and with one letter where there were three or more.
fn shortened(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut run = 0;
    for c in word.chars().filter(|c| !matches!(c, '\'' | '’')) {
        run = if plain.ends_with(c) { run + 1 } else { 1 };
        if run > 2 && c.is_alphabetic() {
            plain.truncate(plain.trim_end_matches(c).len() + c.len_utf8());
            continue;
        }
        plain.push(c);
    }
    plain
}

/// The infinitive of a word like "sacarme" or "pagarselo", if it is one. Short ones are left
/// alone, since "charla" is no verb.
fn without_pronoun(word: &str) -> Option<&str> {
    // Five letters of a verb and two of a pronoun.
    if word.len() < 7 {
        return None;
    }
    let shorter = |word| {
        PRONOUNS
            .iter()
            .filter_map(move |p| str::strip_suffix(word, p))
    };
    let infinitive = |verb: &&str| {
        verb.chars().count() >= 5 && ["ar", "er", "ir"].iter().any(|end| verb.ends_with(end))
    };
    let once = shorter(word).find(infinitive);
    once.or_else(|| shorter(word).flat_map(shorter).find(infinitive))
}

fn push_new(list: &mut Vec<usize>, index: usize) {
    if !list.contains(&index) {
        list.push(index);
    }
}

/// The lines of a data file that are neither empty nor a comment.
fn entries(data: &str) -> impl Iterator<Item = &str> {
    data.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("# ") && *line != "#")
}

fn members(list: &str) -> impl Iterator<Item = String> {
    list.split(',')
        .map(|m| text::fold(m.trim()))
        .filter(|m| !m.is_empty())
}

fn phrase_words(phrase: &str) -> Vec<String> {
    text::words(phrase).map(text::fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::markers;

    #[test]
    fn what_people_type_is_spelled_out() {
        let lexicon = Lexicon::get();
        let normal = |word| lexicon.normalise(word);
        assert_eq!(normal("Q").as_deref(), Some("que"));
        assert_eq!(normal("xq").as_deref(), Some("porque"));
        assert_eq!(normal("graciasss").as_deref(), Some("gracias"));
        assert_eq!(normal("holaa").as_deref(), Some("hola"));
        assert_eq!(normal("free").as_deref(), Some("free"));
        assert_eq!(normal("pizza").as_deref(), Some("pizza"));
        assert_eq!(normal("1000").as_deref(), Some("1000"));
        assert_eq!(normal("What’s").as_deref(), Some("whats"));
        assert_eq!(normal("xfa"), None);
    }

    #[test]
    fn pronouns_come_off_infinitives_only() {
        let normal = |word| Lexicon::get().normalise(word).unwrap();
        assert_eq!(normal("sacarme"), "sacar");
        assert_eq!(normal("decirles"), "decir");
        assert_eq!(normal("aclarármelos"), "aclarar");
        for word in ["informe", "charla", "enorme", "firme"] {
            assert_eq!(normal(word), word);
        }
    }

    #[test]
    fn irregular_forms_share_a_stem() {
        let stem = |word| Lexicon::get().stem(word, Language::Es);
        assert_eq!(stem("atienden"), stem("atendemos"));
        assert_eq!(stem("cierran"), stem("cerrado"));
        assert_eq!(stem("cuesta"), stem("costar"));
    }

    #[test]
    fn synonyms_are_found_by_form_and_by_stem() {
        let lexicon = Lexicon::get();
        let precio = lexicon.stemmed("precios", Language::Es)[0];
        assert!(
            lexicon
                .surface(&["a".into(), "como".into()])
                .contains(&precio)
        );
        assert!(lexicon.stemmed("prices", Language::En).contains(&precio));
        assert!(
            lexicon
                .group(precio)
                .targets(Language::Es)
                .iter()
                .any(|t| t == markers::MONEY)
        );
    }

    #[test]
    fn every_line_of_the_table_leads_somewhere() {
        let lexicon = Lexicon::get();
        for group in &lexicon.groups {
            assert!(!group.targets(Language::Es).is_empty(), "{group:?}");
            for marker in group
                .targets(Language::Es)
                .iter()
                .filter(|t| t.starts_with('#'))
            {
                let known = [
                    markers::MONEY,
                    markers::TIME,
                    markers::DURATION,
                    markers::PHONE,
                    markers::EMAIL,
                ];
                assert!(
                    known.contains(&marker.as_str()),
                    "{marker} is never recognised"
                );
            }
        }
        assert!(
            lexicon
                .by_surface
                .keys()
                .all(|words| (1..=MAX_PHRASE).contains(&words.len()))
        );
    }
}
