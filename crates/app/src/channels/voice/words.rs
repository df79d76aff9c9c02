//! What callers hear that no agent says.

use quipu_core::language::Language;

/// Nobody takes the call.
pub(super) const fn closed(language: Language) -> &'static str {
    match language {
        Language::Es => {
            "En este momento no podemos atender su llamada. Por favor, intente más tarde."
        }
        Language::En => "We cannot take your call at the moment. Please try again later.",
    }
}

/// The end of a call that nobody goes on with.
pub(super) const fn farewell(language: Language) -> &'static str {
    match language {
        Language::Es => "Gracias por llamar. ¡Hasta pronto!",
        Language::En => "Thank you for calling. Goodbye!",
    }
}

/// The call is passed on.
pub(super) const fn connecting(language: Language) -> &'static str {
    match language {
        Language::Es => "Un momento, le comunico con el equipo.",
        Language::En => "One moment, I am putting you through to the team.",
    }
}

/// There is nobody to whom the call could be passed on.
pub(super) const fn nobody(language: Language) -> &'static str {
    match language {
        Language::Es => {
            "Ahora no puedo pasar la llamada. Ya avisé al equipo para que se comunique con usted."
        }
        Language::En => {
            "I cannot put you through right now. I have let the team know, so that they get in touch with you."
        }
    }
}

/// A person answers in the conversation.
pub(super) const fn by_person(language: Language) -> &'static str {
    match language {
        Language::Es => "Una persona del equipo está viendo su caso y se comunicará con usted.",
        Language::En => "Somebody of the team is looking into it and will get in touch with you.",
    }
}

/// Why a person was asked for, as the inbox shows it.
pub(super) const fn wants_person(language: Language) -> &'static str {
    match language {
        Language::Es => "Pidió hablar con una persona durante una llamada.",
        Language::En => "Asked to speak with a person during a call.",
    }
}

/// How long a call was and what it was about, for the business.
pub(super) fn report(seconds: Option<i64>, summary: Option<&str>, language: Language) -> String {
    let length = seconds.map(|seconds| match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    });
    let ended = match (language, length) {
        (Language::Es, Some(length)) => format!("Llamada de {length}."),
        (Language::Es, None) => "Llamada terminada.".to_owned(),
        (Language::En, Some(length)) => format!("Call of {length}."),
        (Language::En, None) => "The call has ended.".to_owned(),
    };
    match summary {
        Some(summary) => format!("{ended} {summary}"),
        None => ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_how_long_it_took() {
        let es = |seconds, summary| report(seconds, summary, Language::Es);
        assert_eq!(
            es(Some(90), Some("Pidió pan.")),
            "Llamada de 1 min 30 s. Pidió pan."
        );
        assert_eq!(es(Some(120), None), "Llamada de 2 min.");
        assert_eq!(es(Some(7), None), "Llamada de 7 s.");
        assert_eq!(es(None, None), "Llamada terminada.");
        assert_eq!(report(Some(60), None, Language::En), "Call of 1 min.");
    }
}
