//! What came of asking a model for a word, to see whether it can be used.

use super::event::{ChatError, RefusalKind};
use crate::language::Language;
use crate::lead::words;

words! {
    /// Whether a model can be used, and what is wrong with it otherwise.
    TrialOutcome {
        /// It answered.
        Answered = "answered",
        /// The product itself answers, which needs nobody.
        Builtin = "builtin",
        /// It cannot be asked as it is set, such as without a key.
        Misconfigured = "misconfigured",
        Unreachable = "unreachable",
        TooSlow = "too_slow",
        /// It failed so often lately that it is not asked for a moment.
        Resting = "resting",
        RateLimited = "rate_limited",
        /// The provider has trouble of its own.
        ProviderFailed = "provider_failed",
        BadKey = "bad_key",
        NoCredit = "no_credit",
        UnknownModel = "unknown_model",
        BadRequest = "bad_request",
        /// It answered something that is no answer.
        BadAnswer = "bad_answer",
    }
}

impl TrialOutcome {
    #[must_use]
    pub const fn works(self) -> bool {
        matches!(self, Self::Answered | Self::Builtin)
    }

    /// What to do about it, for people.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        let (es, en) = match self {
            Self::Answered => ("Responde.", "It answers."),
            Self::Builtin => (
                "Responde el propio producto: no necesita clave ni servidor.",
                "The product itself answers: it needs no key and no server.",
            ),
            Self::Misconfigured => (
                "Falta algo en la configuración del modelo.",
                "Something is missing in the configuration of the model.",
            ),
            Self::Unreachable => (
                "No se pudo llegar al servidor. Revisa la dirección y que el servidor esté encendido.",
                "The server could not be reached. Check the address and that the server is up.",
            ),
            Self::TooSlow => (
                "No respondió a tiempo. Puede estar cargando el modelo: inténtalo otra vez en un minuto.",
                "It did not answer in time. It may be loading the model: try again in a minute.",
            ),
            Self::Resting => (
                "Falló varias veces seguidas y se le da un descanso. Inténtalo otra vez en un minuto.",
                "It failed several times in a row and is given a rest. Try again in a minute.",
            ),
            Self::RateLimited => (
                "El proveedor dice que se le pregunta demasiado. Espera un poco o sube el límite de tu cuenta con él.",
                "The provider says that it is asked too often. Wait a little or raise the limit of your account there.",
            ),
            Self::ProviderFailed => (
                "El proveedor tuvo un fallo propio. Inténtalo otra vez más tarde.",
                "The provider had a failure of its own. Try again later.",
            ),
            Self::BadKey => (
                "El proveedor no acepta la clave. Revisa que esté completa, vigente y tenga permiso para este modelo.",
                "The provider does not accept the key. Check that it is whole, valid and allowed to use this model.",
            ),
            Self::NoCredit => (
                "La cuenta con el proveedor no tiene saldo. Recárgala y prueba de nuevo.",
                "The account at the provider has no credit. Top it up and try again.",
            ),
            Self::UnknownModel => (
                "El proveedor no conoce ese modelo, o no hay nada en esa dirección. Revisa el nombre y la dirección.",
                "The provider does not know that model, or there is nothing at that address. Check the name and the address.",
            ),
            Self::BadRequest => (
                "El proveedor no acepta la petición con estos ajustes. Revisa el nombre del modelo y sus límites.",
                "The provider does not take the request with these settings. Check the name of the model and its limits.",
            ),
            Self::BadAnswer => (
                "Lo que llegó no es la respuesta de un modelo. Revisa la dirección.",
                "What came is no answer of a model. Check the address.",
            ),
        };
        match language {
            Language::Es => es,
            Language::En => en,
        }
    }
}

impl From<&ChatError> for TrialOutcome {
    fn from(error: &ChatError) -> Self {
        match error {
            ChatError::Permanent { kind, .. } => match kind {
                RefusalKind::BadKey => Self::BadKey,
                RefusalKind::NoCredit => Self::NoCredit,
                RefusalKind::UnknownModel => Self::UnknownModel,
                RefusalKind::BadRequest | RefusalKind::TooLong | RefusalKind::Refused => {
                    Self::BadRequest
                }
                RefusalKind::BadAnswer => Self::BadAnswer,
            },
            ChatError::Transient { why, .. } => match status(why) {
                Some(408 | 504) => Self::TooSlow,
                Some(429) => Self::RateLimited,
                Some(_) => Self::ProviderFailed,
                None if why.ends_with("is resting") => Self::Resting,
                None if why.starts_with("no answer within") => Self::TooSlow,
                None => Self::Unreachable,
            },
        }
    }
}

/// The status that a provider refused with, which is what its refusal begins with.
fn status(why: &str) -> Option<u16> {
    let told = why.strip_prefix("status ")?;
    let digits = told.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_apart() {
        for (why, outcome) in [
            ("status 429, rate_limit_exceeded", TrialOutcome::RateLimited),
            ("status 503", TrialOutcome::ProviderFailed),
            ("status 504", TrialOutcome::TooSlow),
            ("model/openai is resting", TrialOutcome::Resting),
            ("no answer within 10s", TrialOutcome::TooSlow),
            ("connection refused", TrialOutcome::Unreachable),
        ] {
            let error = ChatError::transient(why);
            assert_eq!(TrialOutcome::from(&error), outcome, "{why}");
        }
        let refused = ChatError::permanent(RefusalKind::BadKey, "status 401");
        assert_eq!(TrialOutcome::from(&refused), TrialOutcome::BadKey);
        assert!(!TrialOutcome::BadKey.works() && TrialOutcome::Answered.works());
    }

    #[test]
    fn every_outcome_says_something_in_both_languages() {
        for outcome in TrialOutcome::ALL {
            let (es, en) = (outcome.text(Language::Es), outcome.text(Language::En));
            assert!(es.ends_with('.') && en.ends_with('.') && es != en, "{es}");
        }
    }
}
