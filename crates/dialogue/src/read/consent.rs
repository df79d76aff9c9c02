//! Whether a message says yes. What is stored or called off waits for a plain yes, so that a yes in doubt
//! counts as none and is asked for again.

use super::{HeardMessage, WordList, folded_words};
use quipu_core::reading::Act;

/// What a message answers to a question for yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    Yes,
    No,
    /// It begins like a yes and takes it back, puts it off or ties it to something.
    Doubtful,
    /// It says neither.
    Open,
}

/// Below this the reader takes a message for no yes, whatever its first word.
const UNLIKELY: f32 = 0.2;

pub(super) fn read(heard: &HeardMessage) -> Consent {
    let affirms = heard.does(Act::Affirm);
    let denies = heard.does(Act::Deny);
    let begins = heard.guess.affirms;
    let yes = affirms || begins == Some(true) && heard.act(Act::Affirm) >= UNLIKELY;
    let no = denies || begins == Some(false) && !affirms;
    match (yes, no) {
        (true, false) if is_doubtful(heard) => Consent::Doubtful,
        (true, false) => Consent::Yes,
        (false, true) => Consent::No,
        (true, true) => Consent::Doubtful,
        (false, false) => Consent::Open,
    }
}

fn is_doubtful(heard: &HeardMessage) -> bool {
    if heard.does(Act::Doubt) && !heard.does(Act::Ask)
        || heard.does(Act::Wait)
        || asks_instead(heard)
    {
        return true;
    }
    // "Sí, confirmo. ¿Y si no puedo ir?" agrees first and asks then.
    let said = agreed_part(&heard.text);
    let words = WordList::get("harmless").taken_out(&folded_words(said));
    WordList::get("doubts").is_in(&words) || sets_condition(&words)
}

/// The part of a message in which it agrees: without the question behind it that begins with a sentence of its own.
fn agreed_part(text: &str) -> &str {
    let first = text.find(['.', '!', ';', '\n']).map(|at| at + 1);
    let Some(at) = first.filter(|at| text[*at..].trim_end().ends_with('?')) else {
        return text;
    };
    let rest = folded_words(&text[at..]);
    let takes_back = rest
        .first()
        .is_some_and(|word| word == "pero" || word == "but");
    let confirms = WordList::get("confirms").is_in(&folded_words(&text[..at]));
    if takes_back && !confirms {
        text
    } else {
        &text[..at]
    }
}

/// "¿Y si llueve?" asks, where "sí, ¿cuánto tarda?" agrees and asks besides.
fn asks_instead(heard: &HeardMessage) -> bool {
    let Some(asked) = heard.text.find('?') else {
        return false;
    };
    let pauses = [',', '.', '!', ';', '¿', '\n'];
    let before = heard.text[..asked].trim_start_matches('¿');
    !before.contains(pauses)
}

/// A "si" further behind is an "if", unless it is one of several: "claro que sí", "sí, sí".
fn sets_condition(words: &[String]) -> bool {
    let pairs = words.windows(2).skip(1);
    let mut conditions = pairs.filter(|pair| pair[0] == "si");
    conditions.any(|pair| !WordList::get("agrees_on").has(&pair[1]))
}

#[cfg(test)]
mod tests {
    use super::super::MessageGuess;
    use super::*;
    use quipu_core::language::Language;

    fn consent(text: &str) -> Consent {
        let guess = MessageGuess {
            affirms: Some(true),
            ..MessageGuess::default()
        };
        HeardMessage::new(text, Language::Es, None, guess).consent()
    }

    #[test]
    fn a_yes_in_doubt_is_told_from_a_plain_one() {
        for text in [
            "si",
            "sí, sí",
            "claro que sí, gracias",
            "si por favor",
            "si no hay problema",
            "sí. ¿cuánto se tarda?",
            "ok nada más eso",
            "yes, no problem",
            "si confirmo. y si no puedo ir hasta cuando puedo cancelar?",
            "sí, confírmala. pero me atienden estando fuera?",
        ] {
            assert_eq!(consent(text), Consent::Yes, "{text}");
        }
        for text in [
            "claro que no",
            "y si llueve?",
            "¿y si llego tarde?",
            "sí, si me hacen descuento",
            "ok pero espera",
            "si quiero cambiar la hora",
            "si, mañana no",
            "si. pero es con la doctora?",
            "of course not",
        ] {
            assert_eq!(consent(text), Consent::Doubtful, "{text}");
        }
    }
}
