//! What an agent says when it has nothing to quote. Several rooms need these sentences, and a
//! customer should not hear the same thing in two ways.

use crate::language::Language;

/// The honest answer to a question the knowledge does not cover. It promises nothing: whoever
/// hears it may be on a channel that no person watches.
#[must_use]
pub fn no_information(company: &str, language: Language) -> String {
    match language {
        Language::Es => format!(
            "No tengo esa información de {company}. Para saberlo con seguridad, pregunta \
             directamente al equipo."
        ),
        Language::En => format!(
            "I don't have that information about {company}. To be sure, please ask the team \
             directly."
        ),
    }
}

/// The honest answer when the answering itself failed.
#[must_use]
pub fn apology(company: &str, language: Language) -> String {
    match language {
        Language::Es => format!(
            "Disculpa, ahora mismo no puedo responderte. Inténtalo de nuevo en unos minutos o \
             escribe directamente a {company}."
        ),
        Language::En => format!(
            "Sorry, I can't answer you right now. Please try again in a few minutes or contact \
             {company} directly."
        ),
    }
}

/// What somebody hears who tried to make an agent something it is not. It says neither what was
/// noticed nor how.
#[must_use]
pub fn refusal(company: &str, language: Language) -> String {
    match language {
        Language::Es => format!(
            "Con eso no puedo ayudarte. Si tienes una consulta sobre {company}, con gusto te \
             respondo."
        ),
        Language::En => format!(
            "I can't help with that. If you have a question about {company}, I'll gladly answer \
             it."
        ),
    }
}

/// The end of an answer that could not be finished: after something was done, or said, or neither.
#[must_use]
pub fn honest_end(done: bool, empty: bool, language: Language) -> String {
    match (done, empty, language) {
        (true, true, Language::Es) => {
            "Listo, quedó registrado. Si quieres, te confirmo los detalles."
        }
        (true, true, Language::En) => {
            "Done, it is registered. I can confirm the details if you like."
        }
        (_, _, Language::Es) => "El resto prefiero confirmarlo antes de decirte algo inexacto.",
        (_, _, Language::En) => "I would rather confirm the rest than tell you something inexact.",
    }
    .to_owned()
}

/// What somebody hears who sent what no agent can read.
#[must_use]
pub const fn unreadable(is_recording: bool, language: Language) -> &'static str {
    match (is_recording, language) {
        (true, Language::Es) => "Por ahora no puedo escuchar audios. ¿Me lo escribes, por favor?",
        (true, Language::En) => "I can't listen to recordings yet. Could you write it, please?",
        (false, Language::Es) => "No puedo abrir lo que enviaste. ¿Me lo escribes, por favor?",
        (false, Language::En) => "I can't open what you sent. Could you write it, please?",
    }
}

/// Reminds of an appointment.
#[must_use]
pub fn reminder(service: &str, date: &str, time: &str, branch: &str, language: Language) -> String {
    let what = match (service, language) {
        ("", Language::Es) => "tu cita".to_owned(),
        ("", Language::En) => "your appointment".to_owned(),
        (service, Language::Es) => format!("tu cita de {service}"),
        (service, Language::En) => format!("your appointment ({service})"),
    };
    match language {
        Language::Es => format!("Te recordamos {what}: {date} a las {time}, {branch}."),
        Language::En => format!("A reminder of {what}: {date} at {time}, {branch}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_name_the_company() {
        for language in [Language::Es, Language::En] {
            assert!(no_information("Sonrisa", language).contains("Sonrisa"));
            assert!(apology("Sonrisa", language).contains("Sonrisa"));
            assert!(refusal("Sonrisa", language).contains("Sonrisa"));
        }
        assert!(no_information("Sonrisa", Language::Es).starts_with("No tengo esa información"));
        assert!(
            no_information("Sonrisa", Language::En).starts_with("I don't have that information")
        );
    }
}
