//! The sentences of the data files, read once.

use super::phrase::Phrase;
use quipu_core::agent::ResponseStyle;
use quipu_core::language::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

const FILES: [(Language, &str); 2] = [
    (Language::Es, include_str!("../../data/es.txt")),
    (Language::En, include_str!("../../data/en.txt")),
];

/// What is said, by its key and the name of the style, or of several.
type Variants = HashMap<(&'static str, &'static str), &'static str>;

static SENTENCES: LazyLock<[(Language, Variants); 2]> =
    LazyLock::new(|| FILES.map(|(language, file)| (language, read(file))));

fn read(file: &'static str) -> Variants {
    let mut variants = Variants::new();
    let mut key = "";
    for line in file.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            key = name;
        } else if let Some((style, text)) = line.split_once(": ") {
            variants.insert((key, style), text);
        }
    }
    variants
}

/// The sentence for a phrase, before it is filled in.
pub(super) fn sentence(phrase: Phrase, language: Language, style: ResponseStyle) -> &'static str {
    let (name, address) = match style {
        ResponseStyle::Casual => ("casual", "tu"),
        ResponseStyle::ProfesionalCalido => ("profesional_calido", "tu"),
        ResponseStyle::Profesional => ("profesional", "usted"),
        ResponseStyle::MuyFormal => ("muy_formal", "usted"),
    };
    let mut known = SENTENCES.iter();
    let variants = known.find_map(|(of, variants)| (*of == language).then_some(variants));
    let text = variants.and_then(|variants| {
        let names = [name, address, "all"];
        let mut fitting = names
            .iter()
            .filter_map(|name| variants.get(&(phrase.key(), *name)));
        fitting.next().copied()
    });
    text.unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn keys(language: Language) -> BTreeSet<&'static str> {
        let mut known = SENTENCES.iter();
        let (_, variants) = known.find(|(of, _)| *of == language).unwrap();
        variants.keys().map(|(key, _)| *key).collect()
    }

    #[test]
    fn both_languages_have_every_phrase_and_no_other() {
        let phrases: BTreeSet<&str> = Phrase::ALL.iter().map(|phrase| phrase.key()).collect();
        assert_eq!(keys(Language::Es), phrases);
        assert_eq!(keys(Language::En), phrases);
    }

    #[test]
    fn every_style_has_every_phrase() {
        use ResponseStyle as Style;
        let styles = [
            Style::Casual,
            Style::ProfesionalCalido,
            Style::Profesional,
            Style::MuyFormal,
        ];
        for phrase in Phrase::ALL {
            for style in styles {
                for language in [Language::Es, Language::En] {
                    let said = sentence(*phrase, language, style);
                    assert!(!said.is_empty(), "{} {language:?} {style:?}", phrase.key());
                }
            }
        }
    }

    #[test]
    fn both_languages_fill_the_same_names_in() {
        for phrase in Phrase::ALL {
            let of = |language| {
                let said = sentence(*phrase, language, ResponseStyle::ProfesionalCalido);
                names(said).collect::<BTreeSet<_>>()
            };
            assert_eq!(of(Language::Es), of(Language::En), "{}", phrase.key());
        }
    }

    #[test]
    fn what_has_no_filling_is_left_out() {
        let template = "Es {what}[ en {place}][ a las {time}].";
        assert_eq!(
            fill(template, &[("what", "hoy"), ("time", "9")]),
            "Es hoy a las 9."
        );
        assert_eq!(fill(template, &[("what", "hoy"), ("place", "")]), "Es hoy.");
    }
}
