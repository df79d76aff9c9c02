//! What is asked back when a line is not clear.

use super::line::{ItemReference, Line};
use super::quantity::{MAX_QUANTITY, QuantityProblem};
use quipu_core::language::Language;
use quipu_core::text;

impl Line {
    /// The sentence that asks for what is missing; none when the line is complete.
    #[must_use]
    pub fn question(&self, language: Language) -> Option<String> {
        let es = language == Language::Es;
        Some(match self {
            Self::Matched(_) => return None,
            Self::Ambiguous { candidates, .. } => {
                let named = names(candidates, language);
                match (candidates.len(), es) {
                    (1, true) => format!("¿Desea {named}?"),
                    (1, false) => format!("Would you like {named}?"),
                    (_, true) => format!("¿Cuál desea: {named}?"),
                    (_, false) => format!("Which one would you like: {named}?"),
                }
            }
            Self::Unavailable { item, .. } if es => {
                format!("Por ahora no tenemos {}. ¿Desea otra cosa?", item.name)
            }
            Self::Unavailable { item, .. } => {
                format!(
                    "We don't have {} right now. Would you like something else?",
                    item.name
                )
            }
            Self::Unknown { said, near, .. } => match (near.is_empty(), es) {
                (true, true) => format!("No encuentro «{said}» en la carta. ¿Qué desea pedir?"),
                (true, false) => {
                    format!("I can't find “{said}” on the menu. What would you like to order?")
                }
                (false, true) => format!(
                    "No encuentro «{said}» en la carta. ¿Quiso decir {}?",
                    names(near, language)
                ),
                (false, false) => format!(
                    "I can't find “{said}” on the menu. Did you mean {}?",
                    names(near, language)
                ),
            },
            Self::MissingOption {
                item,
                group,
                choices,
                at_most,
                ..
            } => {
                let choices = any_of(choices.iter().map(String::as_str), language);
                let (item, group) = (&item.name, group.to_lowercase());
                // That only one can be had goes without saying.
                let most = match (at_most, es) {
                    (0 | 1, _) => String::new(),
                    (most, true) => format!(" (como máximo {most})"),
                    (most, false) => format!(" (at most {most})"),
                };
                if es {
                    format!("{item}: ¿qué {group} desea{most}: {choices}?")
                } else {
                    format!("{item}: which {group} would you like{most}: {choices}?")
                }
            }
            Self::WrongQuantity {
                said,
                item,
                problem,
            } => wrong_quantity(item.as_ref().map_or(said, |item| &item.name), *problem, es),
        })
    }
}

fn wrong_quantity(name: &str, problem: QuantityProblem, es: bool) -> String {
    let why = match (problem, es) {
        (QuantityProblem::NotPositive, true) => "La cantidad debe ser al menos 1".to_owned(),
        (QuantityProblem::NotPositive, false) => "The quantity must be at least 1".to_owned(),
        (QuantityProblem::TooMany, true) => {
            format!("Puedo anotar como máximo {MAX_QUANTITY} por línea")
        }
        (QuantityProblem::TooMany, false) => {
            format!("I can take at most {MAX_QUANTITY} in one line")
        }
        (QuantityProblem::NotWhole, true) => "Solo puedo anotar unidades enteras".to_owned(),
        (QuantityProblem::NotWhole, false) => "I can only take whole numbers".to_owned(),
    };
    match (name.is_empty(), es) {
        (true, true) => format!("{why}. ¿Cuántos desea?"),
        (true, false) => format!("{why}. How many would you like?"),
        (false, true) => format!("{why}. ¿Cuántos desea de {name}?"),
        (false, false) => format!("{why}. How many {name} would you like?"),
    }
}

fn names(items: &[ItemReference], language: Language) -> String {
    any_of(items.iter().map(|item| item.name.as_str()), language)
}

/// "A, B o C". Spanish says "u" before the sound of o.
pub(super) fn any_of<'a>(
    names: impl DoubleEndedIterator<Item = &'a str>,
    language: Language,
) -> String {
    let mut names = names;
    let Some(last) = names.next_back() else {
        return String::new();
    };
    let before = names.collect::<Vec<_>>().join(", ");
    if before.is_empty() {
        return last.to_owned();
    }
    let folded = text::fold(last);
    let or = match language {
        Language::Es if folded.starts_with('o') || folded.starts_with("ho") => "u",
        Language::Es => "o",
        Language::En => "or",
    };
    format!("{before} {or} {last}")
}
