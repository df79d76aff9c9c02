//! A chat message as customers write it: names to address us by, and several questions at once.

use super::lexicon::Lexicon;
use super::question::Question;
use crate::language::Language;
use crate::text;

/// How many questions of one message are looked at.
const MAX_QUESTIONS: usize = 3;

/// The questions of a message: what lies between question marks and line breaks and asks for
/// something. A message that asks for nothing has none.
#[must_use]
pub fn questions(message: &str, language: Language) -> Vec<&str> {
    message
        .split(['?', '\n'])
        .filter(|piece| !Question::read(piece, language, language).is_empty())
        .take(MAX_QUESTIONS)
        .collect()
}

/// A message with its abbreviations written out: "q horario tienen xfa" as whoever knows none of them reads it.
#[must_use]
pub fn written_out(message: &str) -> String {
    let lexicon = Lexicon::get();
    let mut written = String::with_capacity(message.len());
    let mut from = 0;
    for (at, word) in text::word_positions(message) {
        if let Some(long) = lexicon.long_form(word) {
            written.push_str(&message[from..at]);
            written.push_str(long);
            from = at + word.len();
        }
    }
    written.push_str(&message[from..]);
    written
}

/// Takes out how the customer addresses the agent and the business: any word of the agent's name,
/// and the business's name where it is written in full. Words of a business's name are otherwise
/// kept, since "El Pastor" also sells tacos al pastor.
#[must_use]
pub fn without_names(message: &str, agent: &str, company: &str) -> String {
    let agent: Vec<String> = text::words(agent).map(text::fold).collect();
    let company: Vec<String> = text::words(company).map(text::fold).collect();
    let words: Vec<(usize, &str)> = text::word_positions(message).collect();
    let folded: Vec<String> = words.iter().map(|(_, word)| text::fold(word)).collect();
    let mut kept = String::with_capacity(message.len());
    let (mut from, mut at) = (0, 0);
    while at < words.len() {
        let length = if !company.is_empty() && folded[at..].starts_with(&company) {
            company.len()
        } else {
            usize::from(agent.contains(&folded[at]))
        };
        if length > 0 {
            kept.push_str(&message[from..words[at].0]);
            let (start, last) = words[at + length - 1];
            from = start + last.len();
        }
        at += length.max(1);
    }
    kept.push_str(&message[from..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_written_out() {
        assert_eq!(written_out("q horario tienen"), "que horario tienen");
        assert_eq!(written_out("¿Dnd quedan?"), "¿donde quedan?");
        assert_eq!(written_out("¿Cuánto sale?"), "¿Cuánto sale?");
    }

    #[test]
    fn a_message_is_cut_into_its_questions() {
        let found = questions(
            "Hola! ¿A cómo la limpieza? ¿Aceptan Yape?\ngracias",
            Language::Es,
        );
        assert_eq!(found, ["Hola! ¿A cómo la limpieza", " ¿Aceptan Yape"]);
        assert!(questions("hola, buenas tardes", Language::Es).is_empty());
        assert_eq!(
            questions(&"¿precio? ".repeat(9), Language::Es).len(),
            MAX_QUESTIONS
        );
    }

    #[test]
    fn names_are_not_part_of_the_question() {
        let plain = |message| without_names(message, "Maya", "Taquería El Pastor");
        assert_eq!(plain("hola MAYA, ¿abren hoy?"), "hola , ¿abren hoy?");
        assert_eq!(
            plain("¿dónde está la taqueria el pastor?"),
            "¿dónde está la ?"
        );
        assert_eq!(plain("¿tacos al pastor?"), "¿tacos al pastor?");
        assert_eq!(without_names("hola", "", ""), "hola");
    }
}
