//! What may be wrong with a field, in the words of the reader.

use super::RfcProblem;
use crate::language::Language;

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
    /// An address that leads where nobody may be asked to go.
    NotPublic,
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
    pub(super) fn code(&self) -> &'static str {
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
            Self::NotPublic => "not_public",
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
    pub(super) fn text(&self, language: Language) -> String {
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
            Self::NotPublic if es => {
                "no es una dirección http o https de la red pública; quien administra la instalación puede permitir otras redes (fetch.allow_networks)"
                    .into()
            }
            Self::NotPublic => {
                "is no http or https address of the public network; whoever runs the installation can allow other networks (fetch.allow_networks)"
                    .into()
            }
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
