//! A question without its frame: greetings and thanks around it, and "quisiera saber si" before it. A
//! model of meaning reads all of that as part of what is asked.

use super::lexicon::Lexicon;
use super::question::{is_small_number, phrase_at};
use crate::text;

/// The verbs by which somebody says that a question follows, normalised.
const ASKING: &[&str] = &[
    "saber",
    "decir",
    "indicar",
    "informar",
    "consultar",
    "preguntar",
    "confirmar",
    "explicar",
    "averiguar",
    "know",
    "tell",
    "ask",
    "confirm",
];
/// What may stand between such a verb and its question.
const LINKS: &[&str] = &[
    "si", "por", "favor", "porfavor", "if", "whether", "please", "me", "you",
];

struct Clause<'a> {
    /// Where its words stand in the message, and the words normalised.
    words: Vec<(usize, &'a str, String)>,
}

/// The message without clauses at either end that ask for nothing, and without what only announces a
/// question. The whole message, where nothing in it asks for anything.
#[must_use]
pub fn without_frame(message: &str) -> &str {
    let lexicon = Lexicon::get();
    let clauses: Vec<Clause<'_>> = clauses(message, lexicon);
    let asks = |clause: &Clause<'_>| idea_at(&clause.words).is_some();
    let (Some(first), Some(last)) = (
        clauses.iter().position(asks),
        clauses.iter().rposition(asks),
    ) else {
        return message;
    };
    let opening = &clauses[first].words;
    // Where nothing goes, nothing else does either: not even a question mark.
    let start = match after_announcement(opening) {
        0 if first == 0 => 0,
        word => opening[word].0,
    };
    let end = match clauses[last].words.last() {
        Some((at, word, _)) if last + 1 < clauses.len() => at + word.len(),
        _ => message.len(),
    };
    &message[start..end]
}

fn clauses<'a>(message: &'a str, lexicon: &Lexicon) -> Vec<Clause<'a>> {
    let mut clauses: Vec<Clause<'a>> = Vec::new();
    let mut end = 0;
    for (at, word) in text::word_positions(message) {
        let apart = message[end..at].contains([',', '.', ';', '!', '?', '\n']);
        if clauses.is_empty() || apart {
            clauses.push(Clause { words: Vec::new() });
        }
        end = at + word.len();
        if let (Some(clause), Some(normal)) = (clauses.last_mut(), lexicon.normalise(word)) {
            clause.words.push((at, word, normal));
        }
    }
    clauses.retain(|clause| !clause.words.is_empty());
    clauses
}

/// The first word of a clause that asks for something.
fn idea_at(words: &[(usize, &str, String)]) -> Option<usize> {
    let lexicon = Lexicon::get();
    let normal: Vec<String> = words.iter().map(|(.., normal)| normal.clone()).collect();
    let mut at = 0;
    while at < normal.len() {
        let phrase = phrase_at(lexicon, &normal[at..]);
        let (length, asks) = phrase.map_or_else(
            || (1, says_something(&normal[at])),
            |(length, groups)| (length, !groups.is_empty()),
        );
        if asks {
            return Some(at);
        }
        at += length;
    }
    None
}

fn says_something(word: &str) -> bool {
    let lexicon = Lexicon::get();
    let stop = lexicon.is_stop(word) || is_small_number(word);
    !stop || !lexicon.surface(&[word.to_owned()]).is_empty()
}

/// Where the question begins in a clause that may announce it first.
fn after_announcement(words: &[(usize, &str, String)]) -> usize {
    let idea = idea_at(words).unwrap_or(0);
    // The verb itself may be no small word: "consultar" can be what is asked for.
    let reach = (idea + 1).min(words.len());
    let Some(verb) = words[..reach]
        .iter()
        .rposition(|(.., normal)| ASKING.contains(&normal.as_str()))
    else {
        return 0;
    };
    let mut start = verb + 1;
    while start < words.len() && LINKS.contains(&words[start].2.as_str()) {
        start += 1;
    }
    // What ends with the verb announces nothing.
    if start < words.len() && idea_at(&words[start..]).is_some() {
        start
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_a_question_is_not_part_of_it() {
        for (message, question) in [
            (
                "Hola, buenas tardes, quisiera saber si tienen estacionamiento para clientes, muchas gracias!",
                "tienen estacionamiento para clientes",
            ),
            (
                "¿Me podrían decir cuánto cuesta la limpieza?",
                "cuánto cuesta la limpieza?",
            ),
            (
                "Disculpe. ¿Hacen envíos a Lanús? Gracias",
                "Hacen envíos a Lanús",
            ),
            (
                "Hi! Could you tell me if you ship to Lima?",
                "ship to Lima?",
            ),
            ("limpieza dental", "limpieza dental"),
            (
                "me quedó doliendo, ¿es normal?",
                "me quedó doliendo, ¿es normal?",
            ),
            ("hola, muchas gracias", "hola, muchas gracias"),
            ("quiero consultar mi saldo", "mi saldo"),
            ("", ""),
            ("¿?", "¿?"),
        ] {
            assert_eq!(without_frame(message), question, "{message}");
        }
    }
}
