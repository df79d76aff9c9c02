//! Checks of what people send. Problems are collected, not thrown one at a time, so that a form
//! can be corrected in one go, and each is phrased in the reader's language.

mod problem;
mod rfc;

pub use problem::Problem;
pub use rfc::RfcProblem;

use crate::language::Language;
use crate::password::GuessEffort;
use crate::text::visible;
use crate::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// A secret that programs share has at least so many characters.
const SHORTEST_SHARED_SECRET: usize = 16;

/// A text that stands alone, beside the field it is about.
fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let rest = letters.as_str().trim_end_matches('.');
    format!("{}{rest}.", first.unwrap_or_default())
}

fn breaks_a_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The name of a field inside another; of one that stands alone when that is nameless.
#[must_use]
pub fn under(field: &str, name: &str) -> String {
    if field.is_empty() {
        name.to_owned()
    } else {
        format!("{field}.{name}")
    }
}

/// Collects the problems of one request.
#[derive(Debug, Default)]
pub struct Checks {
    problems: Vec<(String, Problem)>,
}

impl Checks {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn problem(&mut self, field: &str, problem: Problem) -> &mut Self {
        self.problems.push((field.to_owned(), problem));
        self
    }

    /// A single line a person typed: trimmed, not empty, bounded, no control characters. What
    /// nobody sees is left out of it, such as marks that turn the text around.
    pub fn line(&mut self, field: &str, text: &str, max: usize) -> String {
        self.seen(field, text, max, |_| false)
    }

    /// The same over several lines, such as an address.
    pub fn lines(&mut self, field: &str, text: &str, max: usize) -> String {
        self.seen(field, text, max, |c| matches!(c, '\n' | '\r' | '\t'))
    }

    fn seen(&mut self, field: &str, text: &str, max: usize, may: fn(char) -> bool) -> String {
        let seen = visible(text);
        let text = seen.trim();
        if text.is_empty() {
            self.problem(field, Problem::Empty);
        } else if text.chars().count() > max {
            self.problem(field, Problem::TooLong { max });
        } else if text.chars().any(|c| breaks_a_line(c) && !may(c)) {
            self.problem(field, Problem::ControlCharacters);
        }
        text.to_owned()
    }

    pub fn optional_line(&mut self, field: &str, text: Option<&str>, max: usize) -> Option<String> {
        text.map(|text| self.line(field, text, max))
    }

    /// Free text over several lines. A NUL is refused because PostgreSQL cannot store it.
    pub fn text(&mut self, field: &str, text: &str, max: usize) {
        if text.trim().is_empty() {
            self.problem(field, Problem::Empty);
        } else if text.chars().count() > max {
            self.problem(field, Problem::TooLong { max });
        } else if text.contains('\0') {
            self.problem(field, Problem::ControlCharacters);
        }
    }

    /// The address of a server: bounded, and without anything in it that may be a key.
    pub fn server(&mut self, field: &str, address: &str, max: usize) {
        self.text(field, address, max);
        if crate::origin::ServerOrigin::of(address).is_none() {
            self.problem(field, Problem::NotAnAddress);
        } else if !crate::origin::holds_no_key(address) {
            self.problem(field, Problem::KeyInAddress);
        }
    }

    /// An e-mail address, lower-cased so that it is one identity however it is typed.
    pub fn email(&mut self, field: &str, text: &str) -> String {
        let text = text.trim().to_lowercase();
        let well_formed = text.len() <= 254
            && !text.chars().any(|c| c.is_whitespace() || c.is_control())
            && visible(&text) == text
            && matches!(text.split_once('@'), Some((local, domain))
                if !local.is_empty() && domain.contains('.') && !domain.contains('@')
                    && domain.split('.').all(|label| !label.is_empty()));
        if !well_formed {
            self.problem(field, Problem::NotAnEmail);
        }
        text
    }

    /// A telephone number in any of the ways people write them.
    pub fn phone(&mut self, field: &str, text: &str) {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let fits = |c: char| c.is_ascii_digit() || " +-().#*extEXT".contains(c);
        if !(4..=18).contains(&digits) || text.len() > 40 || !text.chars().all(fits) {
            self.problem(field, Problem::NotAPhone);
        }
    }

    pub fn slug(&mut self, field: &str, text: &str) {
        let well_formed = (1..=50).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-')
            && !text.contains("--")
            // A slug that reads as an id would be ambiguous in a path.
            && uuid::Uuid::try_parse(text).is_err();
        if !well_formed {
            self.problem(field, Problem::NotASlug);
        }
    }

    /// The name of a setting, such as a secret.
    pub fn name(&mut self, field: &str, text: &str) {
        let well_formed = (1..=64).contains(&text.len())
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            && text.starts_with(|c: char| c.is_ascii_lowercase());
        if !well_formed {
            self.problem(field, Problem::NotAName);
        }
    }

    /// Long, and not what everybody tries first. Composition rules only annoy.
    /// `about` is what somebody who guesses knows of whoever has it: names, addresses.
    pub fn password(&mut self, field: &str, text: &str, about: &[&str]) {
        self.hard_to_guess(field, text, (10, 200), (GuessEffort::Person, about));
    }

    /// A secret that two programs share. Nobody has to remember it, so that it can be long.
    pub fn shared_secret(&mut self, field: &str, text: &str, about: &[&str]) {
        let length = (SHORTEST_SHARED_SECRET, 10_000);
        self.hard_to_guess(field, text, length, (GuessEffort::Program, about));
    }

    fn hard_to_guess(
        &mut self,
        field: &str,
        text: &str,
        (min, max): (usize, usize),
        (effort, about): (GuessEffort, &[&str]),
    ) {
        let length = text.chars().count();
        if length < min {
            self.problem(field, Problem::TooShort { min });
        } else if length > max {
            self.problem(field, Problem::TooLong { max });
        } else if crate::password::is_guessable(text, effort, about) {
            self.problem(field, Problem::Guessable);
        }
    }

    pub fn range(&mut self, field: &str, value: i64, min: i64, max: i64) {
        if !(min..=max).contains(&value) {
            self.problem(field, Problem::Range { min, max });
        }
    }

    pub fn time_zone(&mut self, field: &str, text: &str) {
        if jiff::tz::TimeZone::get(text).is_err() {
            self.problem(field, Problem::NotATimeZone);
        }
    }

    pub fn locale(&mut self, field: &str, text: &str) {
        let well_formed = match text.split_once('-') {
            None => text.len() == 2 && text.bytes().all(|b| b.is_ascii_lowercase()),
            Some((language, region)) => {
                language.len() == 2
                    && language.bytes().all(|b| b.is_ascii_lowercase())
                    && region.len() == 2
                    && region.bytes().all(|b| b.is_ascii_uppercase())
            }
        };
        if !well_formed {
            self.problem(field, Problem::NotALocale);
        }
    }

    /// # Errors
    /// `VALIDATION_FAILED` listing every problem found.
    pub fn finish(self) -> Result<()> {
        if self.problems.is_empty() {
            return Ok(());
        }
        let list = |language| {
            self.problems
                .iter()
                .map(|(field, problem)| format!("{field} {}", problem.text(language)))
                .collect::<Vec<_>>()
                .join("; ")
        };
        let each = self.problems.iter().map(|(_, problem)| problem);
        let told = each.map(|problem| {
            let sentence = |language| as_sentence(&problem.text(language));
            (sentence(Language::Es), sentence(Language::En))
        });
        let told = told.collect();
        let fields: Vec<Value> = self
            .problems
            .iter()
            .map(|(field, problem)| json!({ "field": field, "problem": problem.code() }))
            .collect();
        Err(Error::new(ErrorCode::ValidationFailed)
            .with_texts("problems", list(Language::Es), list(Language::En))
            .with("fields", fields)
            .with_field_texts(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_reported_in_both_languages() {
        let mut checks = Checks::new();
        checks.line("name", "  ", 100);
        checks.email("email", "no@way");
        checks.slug("slug", "Ab--c");
        checks.password("password", "corta", &[]);
        let error = checks.finish().unwrap_err();
        assert_eq!(error.code(), ErrorCode::ValidationFailed);
        let es = error.message(Language::Es);
        assert!(
            es.contains("name no puede estar vacío") && es.contains("correo"),
            "{es}"
        );
        let en = error.message(Language::En);
        assert!(en.contains("password needs at least 10 characters"), "{en}");
        assert_eq!(error.details()["fields"].as_array().unwrap().len(), 4);
        let told = |language| error.told_details(language)["fields"][0].clone();
        assert_eq!(told(Language::Es)["message"], "No puede estar vacío.");
        assert_eq!(told(Language::En)["message"], "Must not be empty.");
        assert_eq!(told(Language::En)["field"], "name");
    }

    #[test]
    fn what_turns_a_text_around_is_left_out_or_refused() {
        let mut checks = Checks::new();
        assert_eq!(
            checks.line("name", " Ana\u{202e} Ruiz\u{2066} ", 100),
            "Ana Ruiz"
        );
        let address = "Calle 5\r\n\u{202b}Centro";
        assert_eq!(checks.lines("address", address, 100), "Calle 5\r\nCentro");
        assert!(checks.finish().is_ok());
        for text in ["a\nb", "a\u{7}b", "a\u{2028}b", "\u{202e}"] {
            let mut checks = Checks::new();
            checks.line("name", text, 100);
            assert!(checks.finish().is_err(), "{text:?}");
        }
        let mut checks = Checks::new();
        checks.lines("address", "a\u{1b}b", 100);
        assert!(checks.finish().is_err());
        let mut checks = Checks::new();
        checks.email("email", "ana\u{202e}@ejemplo.mx");
        assert!(checks.finish().is_err());
    }

    #[test]
    fn slugs_never_read_as_ids() {
        let mut checks = Checks::new();
        checks.slug("slug", "0190c0de-0000-7000-8000-000000000000");
        assert!(checks.finish().is_err());
        let mut checks = Checks::new();
        checks.slug("slug", "maya-2");
        checks.name("name", "n8n_shared_secret");
        checks.time_zone("tz", "America/Lima");
        checks.locale("locale", "es-PE");
        assert!(checks.finish().is_ok());
    }
}
