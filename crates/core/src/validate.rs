//! Checks of what people send. Problems are collected, not thrown one at a time, so that a form
//! can be corrected in one go, and each is phrased in the reader's language.

mod rfc;

pub use rfc::RfcProblem;

use crate::language::Language;
use crate::password::GuessEffort;
use crate::text::visible;
use crate::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// A secret that programs share has at least so many characters.
const SHORTEST_SHARED_SECRET: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    Empty,
    TooLong {
        max: usize,
    },
    /// As models count.
    TooManyTokens {
        max: usize,
        count: usize,
    },
    TooShort {
        min: usize,
    },
    Range {
        min: i64,
        max: i64,
    },
    ControlCharacters,
    /// A sequence, a repetition or a word that everybody takes.
    Guessable,
    NotAnEmail,
    NotASlug,
    NotATimeZone,
    NotALocale,
    NotAName,
    NotARegex,
    Duplicate,
    Unknown {
        allowed: String,
    },
    InThePast,
    InTheFuture,
    /// Longer ago than so many years.
    TooOld {
        years: i64,
    },
    /// More than so many days ahead.
    TooFarAhead {
        days: i64,
    },
    /// The end comes before the beginning.
    Order,
    SameAsBefore,
    NotATime,
    /// It cannot be switched off.
    Essential {
        name: String,
    },
    TooMany {
        max: usize,
    },
    TooManyDays {
        max: i64,
    },
    NotAMultiple {
        of: i64,
    },
    /// Two stretches of time share some of it.
    Overlap,
    /// A night lasts into the hours of the day after it.
    OverlapsNextDay,
    NotAnAddress,
    /// An address with a user or parameters, where a key could be.
    KeyInAddress,
    /// A page that only its address opens.
    PrivatePage,
    NotAPhone,
    NotATemplate,
    NotAStart,
    BelowMinimum,
    NotFound,
    /// Neither a date and time nor an instant.
    NotADateTime,
    NotAnRfc(RfcProblem),
    NotAPostalCode,
    /// It says otherwise than another field that says the same thing.
    Contradicts {
        field: &'static str,
    },
    Zero,
    /// More than there is room for beside what is there.
    NoRoom {
        room: i64,
    },
    /// Known, and yet not possible beside something else that was said.
    NotTogether {
        with: String,
        allowed: String,
    },
    /// Two things that exclude each other, or neither of them.
    OneOf {
        fields: String,
    },
}

impl Problem {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong { .. } => "too_long",
            Self::TooManyTokens { .. } => "too_many_tokens",
            Self::TooShort { .. } => "too_short",
            Self::Range { .. } => "out_of_range",
            Self::ControlCharacters => "control_characters",
            Self::Guessable => "guessable",
            Self::NotAnEmail => "not_an_email",
            Self::NotASlug => "not_a_slug",
            Self::NotATimeZone => "not_a_time_zone",
            Self::NotALocale => "not_a_locale",
            Self::NotAName => "not_a_name",
            Self::NotARegex => "not_a_regex",
            Self::Duplicate => "duplicate",
            Self::Unknown { .. } => "unknown",
            Self::InThePast => "in_the_past",
            Self::InTheFuture => "in_the_future",
            Self::TooOld { .. } => "too_old",
            Self::TooFarAhead { .. } => "too_far_ahead",
            Self::Order => "wrong_order",
            Self::SameAsBefore => "same_as_before",
            Self::NotATime => "not_a_time",
            Self::Essential { .. } => "essential",
            Self::TooMany { .. } => "too_many",
            Self::TooManyDays { .. } => "too_many_days",
            Self::NotAMultiple { .. } => "not_a_multiple",
            Self::Overlap => "overlap",
            Self::OverlapsNextDay => "overlaps_next_day",
            Self::NotAnAddress => "not_an_address",
            Self::KeyInAddress => "key_in_address",
            Self::PrivatePage => "private_page",
            Self::NotAPhone => "not_a_phone",
            Self::NotATemplate => "not_a_template",
            Self::NotAStart => "not_a_start",
            Self::BelowMinimum => "below_minimum",
            Self::NotFound => "not_found",
            Self::NotADateTime => "not_a_date_time",
            Self::NotAnRfc(_) => "not_an_rfc",
            Self::NotAPostalCode => "not_a_postal_code",
            Self::Contradicts { .. } => "contradicts",
            Self::Zero => "zero",
            Self::NoRoom { .. } => "no_room",
            Self::NotTogether { .. } => "not_together",
            Self::OneOf { .. } => "one_of",
        }
    }

    #[expect(
        clippy::too_many_lines,
        reason = "a table: each problem in both languages"
    )]
    fn text(&self, language: Language) -> String {
        let es = language == Language::Es;
        match self {
            Self::Empty if es => "no puede estar vacío".into(),
            Self::Empty => "must not be empty".into(),
            Self::TooLong { max } if es => format!("admite como máximo {max} caracteres"),
            Self::TooLong { max } => format!("takes at most {max} characters"),
            Self::TooManyTokens { max, count } if es => {
                format!("admite como máximo {max} tokens y tiene {count}; acórtalo")
            }
            Self::TooManyTokens { max, count } => {
                format!("takes at most {max} tokens and has {count}; shorten it")
            }
            Self::TooShort { min } if es => format!("necesita al menos {min} caracteres"),
            Self::TooShort { min } => format!("needs at least {min} characters"),
            Self::Range { min, max } if es => format!("debe estar entre {min} y {max}"),
            Self::Range { min, max } => format!("must be between {min} and {max}"),
            Self::ControlCharacters if es => "contiene caracteres de control".into(),
            Self::ControlCharacters => "contains control characters".into(),
            Self::Guessable if es => {
                "es fácil de adivinar: evita secuencias, repeticiones y palabras comunes".into()
            }
            Self::Guessable => {
                "is easy to guess: avoid sequences, repetitions and common words".into()
            }
            Self::NotAnEmail if es => "no es un correo electrónico válido".into(),
            Self::NotAnEmail => "is not a valid e-mail address".into(),
            Self::NotASlug if es => {
                "solo admite minúsculas, dígitos y guiones simples, sin empezar ni acabar en guion"
                    .into()
            }
            Self::NotASlug => {
                "takes lower-case letters, digits and single hyphens, not at either end".into()
            }
            Self::NotATimeZone if es => "no es una zona horaria IANA, como America/Lima".into(),
            Self::NotATimeZone => "is not an IANA time zone such as America/Lima".into(),
            Self::NotALocale if es => "no es una configuración regional, como es-PE".into(),
            Self::NotALocale => "is not a locale such as es-PE".into(),
            Self::NotAName if es => {
                "solo admite minúsculas, dígitos y guiones bajos, y empieza por una letra".into()
            }
            Self::NotAName => {
                "takes lower-case letters, digits and underscores, starting with a letter".into()
            }
            Self::NotARegex if es => {
                "no es una expresión regular válida, o es demasiado grande o no separa nada".into()
            }
            Self::NotARegex => {
                "is not a valid regular expression, or is too large or separates nothing".into()
            }
            Self::Order if es => "termina antes de empezar".into(),
            Self::Order => "ends before it begins".into(),
            Self::Duplicate if es => "está repetido".into(),
            Self::Duplicate => "is repeated".into(),
            // Where there is nothing to choose from, no list is announced.
            Self::Unknown { allowed } if allowed.is_empty() && es => "no se reconoce".into(),
            Self::Unknown { allowed } if allowed.is_empty() => "is not known".into(),
            Self::Unknown { allowed } if es => {
                format!("no se reconoce; valores admitidos: {allowed}")
            }
            Self::Unknown { allowed } => format!("is not known; allowed values: {allowed}"),
            Self::InThePast if es => "está en el pasado".into(),
            Self::InThePast => "is in the past".into(),
            Self::InTheFuture if es => "está en el futuro".into(),
            Self::InTheFuture => "is in the future".into(),
            Self::TooOld { years } if es => format!("tiene más de {years} años"),
            Self::TooOld { years } => format!("is more than {years} years old"),
            Self::TooFarAhead { days } if es => {
                format!("está demasiado lejos: se admite con {days} días de anticipación como máximo")
            }
            Self::TooFarAhead { days } => {
                format!("is too far ahead: at most {days} days are taken")
            }
            Self::SameAsBefore if es => "debe ser distinta de la actual".into(),
            Self::SameAsBefore => "must differ from the current one".into(),
            Self::NotATime if es => "no es una hora, como 09:00".into(),
            Self::NotATime => "is not a time such as 09:00".into(),
            Self::Essential { name } if es => {
                format!("no puede incluir {name}: ningún agente puede quedarse sin eso")
            }
            Self::Essential { name } => {
                format!("must not have {name}: no agent can be without it")
            }
            Self::TooMany { max } if es => format!("admite como máximo {max} elementos"),
            Self::TooMany { max } => format!("takes at most {max} items"),
            Self::TooManyDays { max } if es => format!("abarca más de {max} días"),
            Self::TooManyDays { max } => format!("spans more than {max} days"),
            Self::NotAMultiple { of } if es => format!("debe ser múltiplo de {of}"),
            Self::NotAMultiple { of } => format!("must be a multiple of {of}"),
            Self::Overlap if es => "se cruza con otro intervalo del mismo día".into(),
            Self::Overlap => "overlaps another interval of the same day".into(),
            Self::OverlapsNextDay if es => "se cruza con el horario del día siguiente".into(),
            Self::OverlapsNextDay => "overlaps the hours of the next day".into(),
            Self::NotAnAddress if es => "no es una dirección web, como https://ejemplo.com".into(),
            Self::NotAnAddress => "is not a web address such as https://example.com".into(),
            Self::KeyInAddress if es => {
                "lleva un usuario o parámetros, donde podría ir una clave; las claves se guardan en los secretos"
                    .into()
            }
            Self::KeyInAddress => {
                "has a user or parameters, where a key could be; keys belong among the secrets".into()
            }
            Self::PrivatePage if es => {
                "lleva una clave en la dirección, y las fuentes se muestran con la suya; descarga la página y súbela como archivo"
                    .into()
            }
            Self::PrivatePage => {
                "carries a key, and sources are shown with their address; download the page and upload it as a file"
                    .into()
            }
            Self::NotAPhone if es => "no es un teléfono, como +51 987 654 321".into(),
            Self::NotAPhone => "is not a telephone number such as +51 987 654 321".into(),
            Self::NotATemplate if es => {
                "tiene una variable mal escrita; se escriben {{nombre}}".into()
            }
            Self::NotATemplate => "has a variable that is not written {{name}}".into(),
            Self::NotAStart if es => {
                "no es un horario ofrecido ni una fecha y hora que exista, como 2026-11-20T10:30".into()
            }
            Self::NotAStart => {
                "is neither an offered slot nor a date and time that exists, such as 2026-11-20T10:30"
                    .into()
            }
            Self::BelowMinimum if es => "es menor que el mínimo".into(),
            Self::BelowMinimum => "is less than the minimum".into(),
            Self::NotFound if es => "nombra algo que no existe".into(),
            Self::NotFound => "names something that does not exist".into(),
            Self::NotADateTime if es => "no es una fecha con hora, como 2026-07-28T19:30".into(),
            Self::NotADateTime => "is not a date and time such as 2026-07-28T19:30".into(),
            Self::NotAnRfc(problem) => {
                let name = if es { "no es un RFC" } else { "is not an RFC" };
                let why = problem.text(language);
                format!("{name}: {}", why.trim_end_matches('.'))
            }
            Self::NotAPostalCode if es => "no es un código postal de 5 dígitos".into(),
            Self::NotAPostalCode => "is not a postal code of 5 digits".into(),
            Self::Contradicts { field } if es => format!("contradice lo que dice {field}"),
            Self::Contradicts { field } => format!("contradicts {field}"),
            Self::Zero if es => "no puede ser cero".into(),
            Self::Zero => "must not be zero".into(),
            Self::NoRoom { room } if es => format!("es demasiado: con el saldo actual caben {room} más"),
            Self::NoRoom { room } => {
                format!("is too much: beside the present balance there is room for {room}")
            }
            Self::NotTogether { with, allowed } if es => {
                format!("no corresponde a {with}; valores admitidos: {allowed}")
            }
            Self::NotTogether { with, allowed } => {
                format!("does not go with {with}; allowed values: {allowed}")
            }
            Self::OneOf { fields } if es => format!("debe indicarse exactamente uno de {fields}"),
            Self::OneOf { fields } => format!("takes exactly one of {fields}"),
        }
    }
}

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
