//! What a message asks, question by question, as the reader marked it. Where nobody but rules read it, what a question
//! is about is told by its words where they are of a closed class, and else by what the whole message is about.

use super::{HeardMessage, WordList, folded_words};
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, QuestionTopic, ReadQuestion, Reading};

/// How many questions of a message are answered.
const MOST_QUESTIONS: usize = 4;
/// From here on what the reader says of a question is so, whatever its words tell.
const SURELY: f32 = 0.8;

/// The topics that words tell, in the order in which they are looked for.
const TOLD_BY_WORDS: [(QuestionTopic, &str); 22] = [
    (QuestionTopic::Points, "asks_points"),
    (QuestionTopic::Minimum, "asks_minimum"),
    (QuestionTopic::DeliveryTime, "asks_delivery_time"),
    (QuestionTopic::DeliveryFee, "asks_delivery_fee"),
    (QuestionTopic::OrderSoFar, "asks_order_so_far"),
    (QuestionTopic::Total, "asks_total"),
    (QuestionTopic::OrderStatus, "asks_order_status"),
    (QuestionTopic::WhoSees, "asks_who_sees"),
    (QuestionTopic::OwnVisits, "asks_own_visits"),
    (QuestionTopic::Duration, "asks_duration"),
    (QuestionTopic::Promotions, "asks_promotions"),
    (QuestionTopic::Price, "asks_price"),
    (QuestionTopic::DeliveryZones, "asks_delivery_zones"),
    (QuestionTopic::Contact, "asks_contact"),
    (QuestionTopic::OpenNow, "asks_open_now"),
    (QuestionTopic::Hours, "asks_hours"),
    (QuestionTopic::Place, "asks_place"),
    (QuestionTopic::Payment, "asks_payment"),
    (QuestionTopic::Staff, "asks_staff"),
    (QuestionTopic::Services, "asks_services"),
    (QuestionTopic::Menu, "asks_menu"),
    (QuestionTopic::Diagnosis, "asks_diagnosis"),
];

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedQuestion {
    pub(crate) topic: QuestionTopic,
    /// Whether the question itself told the topic.
    pub(crate) told: bool,
    pub(crate) text: String,
}

/// The questions that the reader marked, with the clauses in which they stand: what it marks may be a part of what is
/// asked. Of several in one clause each goes on until the next.
pub(super) fn marked(text: &str, reading: &Reading) -> Vec<AskedQuestion> {
    let mut asked: Vec<AskedQuestion> = Vec::new();
    let mut from = 0;
    for clause in clauses(text) {
        let Some(begin) = text[from..].find(clause.trim()).map(|at| from + at) else {
            continue;
        };
        let place = begin..begin + clause.trim().len();
        from = place.end;
        let within = |question: &&ReadQuestion| place.contains(&question.range.start);
        let mut here: Vec<&ReadQuestion> = reading.questions.iter().filter(within).collect();
        here.dedup_by_key(|question| question.topic);
        let mut begins = place.start;
        for (at, question) in here.iter().enumerate() {
            let next = here.get(at + 1);
            let ends = next.map_or(place.end, |next| next.range.start).max(begins);
            let said = text.get(begins..ends).unwrap_or(clause.trim()).trim();
            begins = ends;
            if said.chars().any(char::is_alphanumeric) {
                asked.push(weighed(question, said));
            }
        }
    }
    if asked.is_empty() {
        let whole = reading.questions.iter();
        asked.extend(whole.map(|question| weighed(question, text.trim())));
    }
    asked.truncate(MOST_QUESTIONS);
    asked
}

/// A question about what the reader is sure of, or else about what its words tell.
fn weighed(question: &ReadQuestion, said: &str) -> AskedQuestion {
    let unsure = question.sure < SURELY || question.topic == QuestionTopic::Other;
    let told = told_by_words(&folded_words(said)).filter(|_| unsure);
    let topic = told.unwrap_or(question.topic);
    AskedQuestion {
        topic,
        told: topic != QuestionTopic::Other,
        text: said.to_owned(),
    }
}

pub(super) fn read(heard: &HeardMessage) -> Vec<AskedQuestion> {
    if !heard.marked.is_empty() {
        return heard.marked.clone();
    }
    let clauses = clauses(&heard.text);
    let asks = heard.does(Act::Ask) || heard.does(Act::Check);
    let asking: Vec<&String> = clauses
        .iter()
        .filter(|clause| (asks || !heard.is_read()) && is_question(clause))
        .collect();
    if asking.is_empty() {
        if !asks {
            // "Recétame una crema" asks for what nobody may tell here, mark or no mark.
            let diagnosis = WordList::get("asks_diagnosis").is_in(&heard.words);
            let announced = heard.says("says_it_asks");
            return if diagnosis || announced {
                vec![question(heard, &heard.text, true)]
            } else {
                Vec::new()
            };
        }
        return together(heard, &heard.text, true);
    }
    let only = asking.len() == 1;
    let mut asked: Vec<AskedQuestion> = Vec::new();
    for clause in asking {
        let mut several = together(heard, clause, only);
        if several.len() > 1 {
            asked.append(&mut several);
            continue;
        }
        let next = several.remove(0);
        // "¿Cuántas horas?" alone goes on with the question before it.
        let short = folded_words(clause).len() <= 2 && !next.told;
        match asked.last_mut().filter(|_| short) {
            Some(before) => before.text = format!("{} {clause}", before.text),
            None => asked.push(next),
        }
    }
    asked.truncate(MOST_QUESTIONS);
    asked
}

/// Topics that are asked for in one breath: "¿dirección, horario y teléfono?".
const TOGETHER: [QuestionTopic; 4] = [
    QuestionTopic::Place,
    QuestionTopic::Hours,
    QuestionTopic::Contact,
    QuestionTopic::Payment,
];
/// Below this the reader contradicts words that tell of points.
const HARDLY: f32 = 0.3;

/// The questions of a clause: mostly one, or several that its words name side by side.
fn together(heard: &HeardMessage, text: &str, only: bool) -> Vec<AskedQuestion> {
    let words = folded_words(text);
    let named = TOLD_BY_WORDS
        .iter()
        .filter(|(topic, list)| TOGETHER.contains(topic) && WordList::get(list).is_in(&words));
    let topics: Vec<QuestionTopic> = named.map(|(topic, _)| *topic).collect();
    if topics.len() < 2 {
        return vec![question(heard, text, only)];
    }
    let each = topics.into_iter().map(|topic| AskedQuestion {
        topic,
        told: true,
        text: text.trim().to_owned(),
    });
    each.collect()
}

/// What the reader alone tells: whoever checks asks about what is theirs.
fn checked(heard: &HeardMessage) -> Option<QuestionTopic> {
    if !heard.is_read() || !heard.does(Act::Check) {
        return None;
    }
    let about = |intent| heard.about(intent);
    let visits = about(Intent::Booking).max(about(Intent::Hours));
    let (orders, points) = (about(Intent::Ordering), about(Intent::Loyalty));
    if points > visits.max(orders) {
        return Some(QuestionTopic::Points);
    }
    let own = if orders > visits {
        QuestionTopic::OrderStatus
    } else {
        QuestionTopic::OwnVisits
    };
    (orders.max(visits) >= HARDLY).then_some(own)
}

/// What the words of a question tell that it is about.
fn told_by_words(words: &[String]) -> Option<QuestionTopic> {
    let says = |list: &str| WordList::get(list).is_in(words);
    let unlikely = |topic: QuestionTopic| {
        // "¿Cuántas reservas tengo?" counts no points.
        topic == QuestionTopic::Points && (says("names_visit") || says("names_order")) && !says("points")
            // "El menú con precios" is the menu.
            || topic == QuestionTopic::Price && says("asks_menu")
    };
    let told = TOLD_BY_WORDS
        .iter()
        .find(|(topic, list)| says(list) && !unlikely(*topic));
    told.map(|(topic, _)| *topic)
}

fn question(heard: &HeardMessage, text: &str, only: bool) -> AskedQuestion {
    let told = told_by_words(&folded_words(text));
    let told = told.or_else(|| checked(heard).filter(|_| only));
    let by_intent = || match heard.asked_intent() {
        Intent::Pricing => QuestionTopic::Price,
        Intent::Hours => QuestionTopic::Hours,
        Intent::Location => QuestionTopic::Place,
        Intent::Loyalty => QuestionTopic::Points,
        Intent::Ordering if heard.does(Act::Check) => QuestionTopic::OrderStatus,
        Intent::Booking if heard.does(Act::Check) => QuestionTopic::OwnVisits,
        _ => QuestionTopic::Other,
    };
    AskedQuestion {
        topic: told.unwrap_or_else(|| {
            if only {
                by_intent()
            } else {
                QuestionTopic::Other
            }
        }),
        told: told.is_some(),
        text: text.trim().to_owned(),
    }
}

/// Whether a clause asks: it says so with its mark, or begins like a question.
fn is_question(clause: &str) -> bool {
    let words = folded_words(clause);
    let small = WordList::get("opens_message");
    let opening = words.iter().take_while(|word| small.has(word)).count();
    clause.contains('?') || WordList::get("begins_question").is_in(&words[opening..])
}

/// The text cut where a sentence ends, and before an "y" that begins another question.
fn clauses(text: &str) -> Vec<String> {
    let mut clauses: Vec<String> = Vec::new();
    for sentence in text.split_inclusive(['?', '!', '.', ';', '\n']) {
        let mut clause = String::new();
        let said: Vec<&str> = sentence.split_whitespace().collect();
        for (at, word) in said.iter().enumerate() {
            let folded = folded_words(word);
            let and = folded
                .first()
                .is_some_and(|word| word == "y" || word == "and");
            let begins = |from: usize| {
                let words = folded_words(&said[from..said.len().min(from + 3)].join(" "));
                let found = WordList::get("begins_question").find(&words);
                found.is_some_and(|(at, _)| at == 0)
            };
            // "¿Qué incluye, cuánto cuesta y hay descuento?" asks three things.
            let lists = clause.ends_with(',')
                && sentence.trim_end().ends_with('?')
                && is_question(&clause)
                && begins(at);
            if !clause.is_empty() && (and && begins(at + 1) || lists) {
                clauses.push(std::mem::take(&mut clause));
            }
            if !clause.is_empty() {
                clause.push(' ');
            }
            clause.push_str(word);
        }
        if clause.chars().any(char::is_alphanumeric) {
            clauses.push(clause);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::super::MessageGuess;
    use super::*;
    use quipu_core::language::Language;

    fn topics(text: &str) -> Vec<QuestionTopic> {
        let guess = MessageGuess {
            intent: Some(Intent::Faq),
            certainty: 0.9,
            ..MessageGuess::default()
        };
        let heard = HeardMessage::new(text, Language::Es, None, guess);
        heard
            .questions()
            .into_iter()
            .map(|asked| asked.topic)
            .collect()
    }

    #[test]
    fn every_question_of_a_message_is_heard() {
        use QuestionTopic as Topic;
        assert_eq!(
            topics("cuanto sale? y atienden x fonasa?"),
            [Topic::Price, Topic::Other]
        );
        assert_eq!(
            topics("¿dónde están y a qué hora abren?"),
            [Topic::Place, Topic::Hours]
        );
        assert_eq!(
            topics("¿qué incluye, cuánto cuesta y hay descuento por empresa?"),
            [Topic::Other, Topic::Price, Topic::Promotions]
        );
        assert_eq!(topics("en cuánto llega?"), [Topic::DeliveryTime]);
        assert_eq!(topics("y cuántas horas antes?"), [Topic::Other]);
        assert_eq!(topics("how much is a cleaning?"), [Topic::Price]);
    }
}
