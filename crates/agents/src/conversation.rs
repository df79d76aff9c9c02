//! Reading a conversation: which language it is in and what its last question searches for.

use quipu_core::analysis::{Question, without_names};
use quipu_core::language::Language;
use quipu_core::ports::{Speaker, Turn};

/// What to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText {
    pub text: String,
    /// The customer's message before, when the last one is too short to stand alone.
    pub context: Option<String>,
    pub language: Language,
}

/// The language to answer in: that of the question, else of the customer's latest message that
/// gives a hint, else the agent's own.
#[must_use]
pub fn language(messages: &[Turn], default: Language) -> Language {
    from_customer(messages)
        .find_map(Language::guess)
        .unwrap_or(default)
}

/// What the last question searches for. "¿Y los sábados?" only means something after "¿a qué
/// hora atienden?", so a short question takes the one before it along as context.
#[must_use]
pub fn search_text(
    messages: &[Turn],
    agent_name: &str,
    company_name: &str,
    default: Language,
) -> SearchText {
    let language = language(messages, default);
    let mut customer =
        from_customer(messages).map(|text| without_names(text, agent_name, company_name));
    let text = customer.next().unwrap_or_default();
    let short = Question::read_once(&text, language, language).is_short();
    let asks = |text: &String| !Question::read_once(text, language, language).is_empty();
    let context = if short { customer.find(asks) } else { None };
    SearchText {
        text,
        context,
        language,
    }
}

/// What the customer wrote, the latest first.
fn from_customer(messages: &[Turn]) -> impl Iterator<Item = &str> {
    messages
        .iter()
        .rev()
        .filter(|turn| turn.speaker == Speaker::Customer)
        .map(|turn| turn.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &[&str]) -> Vec<Turn> {
        // Customer and agent take turns, and the customer speaks last.
        let speaker = |i: usize| match (lines.len() - i) % 2 {
            1 => Speaker::Customer,
            _ => Speaker::Agent,
        };
        lines
            .iter()
            .enumerate()
            .map(|(i, text)| Turn {
                speaker: speaker(i),
                text: (*text).to_owned(),
            })
            .collect()
    }

    fn search(lines: &[&str]) -> SearchText {
        search_text(&talk(lines), "Maya", "Clínica Sol", Language::Es)
    }

    #[test]
    fn the_language_is_that_of_the_latest_hint() {
        let spoken = |lines: &[&str]| language(&talk(lines), Language::Es);
        assert_eq!(spoken(&["how much is a cleaning?"]), Language::En);
        assert_eq!(
            spoken(&["how much is a cleaning?", "S/ 120", "ok 123"]),
            Language::En
        );
        assert_eq!(
            spoken(&["where is it?", "En Lima", "¿a cómo la limpieza?"]),
            Language::Es
        );
        assert_eq!(language(&talk(&["ok"]), Language::En), Language::En);
        assert_eq!(language(&[], Language::En), Language::En);
    }

    #[test]
    fn a_short_question_takes_the_one_before_along() {
        let found = search(&["¿a qué hora atienden?", "De 9 a 6.", "¿y los sábados?"]);
        assert_eq!(found.text, "¿y los sábados?");
        assert_eq!(found.context.as_deref(), Some("¿a qué hora atienden?"));
        let thanked = search(&[
            "¿hacen coronas?",
            "Sí.",
            "gracias",
            "De nada.",
            "y cuánto cuesta?",
        ]);
        assert_eq!(thanked.context.as_deref(), Some("¿hacen coronas?"));
    }

    #[test]
    fn a_question_that_stands_alone_is_left_alone() {
        let found = search(&[
            "¿hacen coronas?",
            "Sí.",
            "¿puedo pagar la limpieza con tarjeta en cuotas?",
        ]);
        assert_eq!(found.context, None);
        assert_eq!(search(&["¿hacen coronas?", "Sí.", "gracias"]).context, None);
        assert_eq!(search(&["y los sábados?"]).context, None);
    }

    #[test]
    fn the_agents_name_is_not_searched_for() {
        assert_eq!(
            search(&["hola Maya, ¿tienen estacionamiento?"]).text,
            "hola , ¿tienen estacionamiento?"
        );
    }
}
