//! Messages that ask for nothing: greetings, thanks, goodbyes.

use quipu_core::language::Language;
use quipu_core::ports::{ReplyRequest, Speaker};
use quipu_core::text;

const THANKS: &[&str] = &["gracias", "agradezco", "thanks", "thank", "thx"];
const GOODBYE: &[&str] = &["chau", "chao", "adios", "bye", "goodbye", "luego"];
const GREETING: &[&str] = &[
    "hola",
    "buenos",
    "buenas",
    "buen",
    "alo",
    "holi",
    "saludos",
    "hi",
    "hello",
    "hey",
    "morning",
    "afternoon",
    "evening",
];

/// A short human reply to a message without a question.
pub(super) fn answer(request: &ReplyRequest) -> String {
    let words: Vec<String> = text::words(&request.question)
        .take(50)
        .map(text::fold)
        .collect();
    // "Holaaa" is a greeting too, so a word counts when only its last letter is drawn out.
    let says = |list: &[&str]| {
        words.iter().any(|word| {
            list.iter().any(|known| {
                word.strip_prefix(known)
                    .is_some_and(|rest| rest.chars().all(|c| known.ends_with(c)))
            })
        })
    };
    let (name, company) = (&request.agent_name, &request.company_name);
    let met = request
        .history
        .iter()
        .any(|turn| turn.speaker == Speaker::Agent);
    let es = request.language == Language::Es;
    if says(THANKS) {
        return if es {
            format!("¡Con gusto! Si tienes otra pregunta sobre {company}, aquí estoy.")
        } else {
            format!("You're welcome! If you have another question about {company}, I'm here.")
        };
    }
    if says(GOODBYE) {
        return if es {
            format!("¡Hasta luego! Gracias por escribir a {company}.")
        } else {
            format!("Goodbye! Thanks for writing to {company}.")
        };
    }
    let hello = match (says(GREETING), es) {
        (true, true) => "¡Hola! ",
        (true, false) => "Hello! ",
        (false, _) => "",
    };
    match (met, es) {
        (true, true) => format!("{hello}¿En qué más te puedo ayudar?"),
        (true, false) => format!("{hello}What else can I help you with?"),
        (false, true) => format!("{hello}Soy {name}, de {company}. ¿En qué te puedo ayudar?"),
        (false, false) => format!("{hello}I'm {name}, from {company}. How can I help you?"),
    }
}
