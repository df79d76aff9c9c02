//! What a message says: the acts and parts that the taught reader marked, the values that exact readers find in
//! it, and whether it says yes.

mod consent;
mod contact;
mod link;
mod lists;
mod questions;
mod spans;

pub(crate) use consent::Consent;
pub(crate) use contact::{NameWish, as_name, find_email, find_phone};
pub(crate) use link::{CatalogueName, LinkedNames, NameIndex};
pub(crate) use lists::{WordList, folded_words};
pub(crate) use questions::AskedQuestion;

use contact::{NameContext, written_phone};
use jiff::Zoned;
use jiff::civil::Date;
use quipu_core::agent::Intent;
use quipu_core::language::Language;
use quipu_core::reading::{Act, QuestionTopic, Reading, SpanKind};
use quipu_language::when::{Asked, Day, When, party, settle};
use std::ops::Range;

/// How much of a message is read. Whoever writes more has said it by then.
const MOST_CHARS: usize = 4_096;
/// From here on a message does something.
const DOES: f32 = 0.5;
/// How many parts of one kind are looked at.
const MOST_SPANS: usize = 24;

/// What whoever drives the dialogue makes of a message besides: by rules, or by the reader where it is sure.
#[derive(Clone, Debug, Default)]
pub struct MessageGuess {
    pub intent: Option<Intent>,
    /// How surely it wants that.
    pub certainty: f32,
    /// Whether it says yes or no before anything else.
    pub affirms: Option<bool>,
    pub asks_human: bool,
    pub invoicing: bool,
}

/// A part of a message that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeardSpan {
    pub(crate) kind: SpanKind,
    pub(crate) text: String,
    pub(crate) range: Range<usize>,
}

/// A message of the customer, read.
#[derive(Clone, Debug)]
pub struct HeardMessage {
    pub(crate) text: String,
    /// Its words, folded.
    pub(crate) words: Vec<String>,
    pub(crate) language: Language,
    pub(crate) spans: Vec<HeardSpan>,
    /// What the reader takes for questions.
    marked: Vec<AskedQuestion>,
    pub(crate) guess: MessageGuess,
    /// None where nobody read the message but rules.
    acts: Option<Vec<(Act, f32)>>,
    intents: Vec<(Intent, f32)>,
}

impl HeardMessage {
    /// Reads a message with what the taught reader and the rules made of it.
    #[must_use]
    pub fn new(
        text: &str,
        language: Language,
        reading: Option<&Reading>,
        guess: MessageGuess,
    ) -> Self {
        let text = reading.map_or(text, |reading| &reading.text);
        let text: String = text.chars().take(MOST_CHARS).collect();
        let spans = reading.map(|reading| spans::spans(&text, reading));
        let marked = reading.map(|reading| questions::marked(&text, reading));
        Self {
            words: folded_words(&text),
            language,
            spans: spans.unwrap_or_default(),
            marked: marked.unwrap_or_default(),
            guess,
            acts: reading.map(|reading| reading.acts.clone()),
            intents: reading.map_or_else(Vec::new, |reading| reading.intents.clone()),
            text,
        }
    }

    /// Whether the message does this.
    pub(crate) fn does(&self, act: Act) -> bool {
        self.act(act) >= DOES
    }

    /// How surely the message does this. Without a reader, the rules' guess stands in for it.
    pub(crate) fn act(&self, act: Act) -> f32 {
        let Some(acts) = &self.acts else {
            return if self.guessed_acts().contains(&act) {
                1.0
            } else {
                0.0
            };
        };
        let found = acts.iter().find(|(known, _)| *known == act);
        found.map_or(0.0, |(_, sure)| *sure)
    }

    /// What the rules' guess comes to as acts.
    fn guessed_acts(&self) -> Vec<Act> {
        let guess = &self.guess;
        let mut acts = Vec::new();
        match guess.affirms {
            Some(true) => acts.push(Act::Affirm),
            Some(false) => acts.push(Act::Deny),
            None => {}
        }
        if guess.asks_human {
            acts.push(Act::Human);
        }
        if guess.invoicing {
            acts.push(Act::Invoice);
        }
        let edits = [
            ("cancels", Act::Cancel),
            ("moves", Act::Reschedule),
            ("checks", Act::Check),
            ("redeems", Act::Redeem),
            ("thanks", Act::Thanks),
            ("goodbye", Act::Bye),
            ("waits", Act::Wait),
        ];
        for (list, act) in edits {
            if WordList::get(list).is_in(&self.words) {
                acts.push(act);
            }
        }
        let asks = self.text.contains('?');
        match guess.intent {
            Some(Intent::Greeting) => acts.push(Act::Greet),
            Some(Intent::Urgent) => acts.push(Act::Urgent),
            Some(Intent::Booking) if acts.is_empty() => acts.push(Act::Book),
            Some(Intent::Ordering) if acts.is_empty() => acts.push(Act::Order),
            Some(Intent::Pricing | Intent::Hours | Intent::Location | Intent::Faq) => {
                acts.push(Act::Ask);
            }
            _ => {}
        }
        if asks {
            acts.push(Act::Ask);
        }
        acts
    }

    /// What the message is about.
    pub(crate) fn intent(&self) -> Intent {
        self.guess.intent.unwrap_or(Intent::General)
    }

    /// What a question without telling words is about: the reader's word where it has one.
    pub(crate) fn asked_intent(&self) -> Intent {
        let read = self.intents.first().filter(|(_, sure)| *sure >= DOES);
        read.map_or_else(|| self.intent(), |(intent, _)| *intent)
    }

    /// How surely the reader takes it to be about this.
    pub(crate) fn about(&self, intent: Intent) -> f32 {
        let read = self.intents.iter().find(|(known, _)| *known == intent);
        let guessed = (self.guess.intent == Some(intent)).then_some(self.guess.certainty);
        let read = read.map(|(_, sure)| *sure);
        read.unwrap_or(0.0).max(guessed.unwrap_or(0.0))
    }

    /// Whether it says yes or no, and nothing else.
    pub(crate) fn consent_is_all(&self) -> bool {
        self.consent() != Consent::Open && self.spans.is_empty() && self.words.len() <= 4
    }

    /// Whether anybody but rules read it.
    pub(crate) fn is_read(&self) -> bool {
        self.acts.is_some()
    }

    /// Whether it asks for something to be told.
    pub(crate) fn asks(&self) -> bool {
        self.does(Act::Ask) || !self.marked.is_empty() || self.text.contains('?')
    }

    pub(crate) fn consent(&self) -> Consent {
        consent::read(self)
    }

    /// The parts of a kind.
    pub(crate) fn of(&self, kind: SpanKind) -> impl Iterator<Item = &HeardSpan> {
        let spans = self.spans.iter().filter(move |span| span.kind == kind);
        spans.take(MOST_SPANS)
    }

    pub(crate) fn has(&self, kind: SpanKind) -> bool {
        self.of(kind).next().is_some()
    }

    pub(crate) fn says(&self, list: &str) -> bool {
        WordList::get(list).is_in(&self.words)
    }

    /// The message without the parts of these kinds, so that an exact reader does not take them for its own.
    pub(crate) fn without(&self, kinds: &[SpanKind]) -> String {
        let mut text = String::new();
        let mut from = 0;
        for span in &self.spans {
            if kinds.contains(&span.kind) && span.range.start >= from {
                text.push_str(&self.text[from..span.range.start]);
                text.push_str(" ; ");
                from = span.range.end;
            }
        }
        text.push_str(&self.text[from..]);
        text
    }

    /// The message with spaces for the parts of these kinds, so that every place in it stays where it was.
    pub(crate) fn blanked(&self, kinds: &[SpanKind]) -> String {
        let mut text = self.text.clone();
        for span in self.spans.iter().filter(|span| kinds.contains(&span.kind)) {
            text.replace_range(span.range.clone(), &" ".repeat(span.range.len()));
        }
        text
    }

    /// When something is wanted. What the reader marked as something else says nothing of it.
    pub(crate) fn when(&self, now: &Zoned, asked: Option<Asked>) -> When {
        use SpanKind as Kind;
        let others = [
            Kind::Address,
            Kind::Phone,
            Kind::Document,
            Kind::Amount,
            Kind::Code,
            Kind::Quantity,
            Kind::Party,
            Kind::Item,
            Kind::Name,
            Kind::Email,
        ];
        let text = self.without(&others);
        let text = without_both(&text);
        let phone = written_phone(&text, &[]);
        let text = phone.map_or(text.clone(), |phone| text.replace(&phone, " ; "));
        let read = When::read(&text, self.language, now, asked);
        // Of two days that a message names, the one that the reader marked is the one that is wanted.
        let marked = |kind| {
            let spans = self.of(kind);
            spans.map(|span| When::read(&span.text, self.language, now, None))
        };
        // A weekday that is marked without the number behind it says less than the text.
        let less = |when: &When| {
            let single = |when: &When| when.day.and_then(Day::single).map(Date::weekday);
            when.weekday && single(when) == single(&read)
        };
        let marked_day = marked(Kind::Date).filter(|when| when.day.is_some()).last();
        let day = marked_day
            .filter(|when| !less(when))
            .and_then(|when| when.day);
        let time = marked(Kind::Time).filter_map(|when| when.time).last();
        // So is one that is written as a clock shows it.
        let clock = self
            .of(Kind::Time)
            .filter(|span| span.text.contains(':'))
            .last();
        let clock = clock
            .and_then(|span| When::read(&span.text, self.language, now, Some(Asked::Time)).time);
        let time = time.filter(|time| time.certain).or(clock);
        When {
            day: day.filter(|_| read.day.is_some()).or(read.day),
            time: time.filter(|_| read.time.is_some()).or(read.time),
            ..read
        }
    }

    /// The hours that the message names, in minutes.
    pub(crate) fn minutes(&self, now: &Zoned) -> Vec<u16> {
        let times = self.of(SpanKind::Time).filter_map(|span| {
            let when = When::read(&span.text, self.language, now, Some(Asked::Time));
            when.time.map(|time| settle(time, &[]))
        });
        times.collect()
    }

    /// The days that the message names, in its order.
    pub(crate) fn days(&self, now: &Zoned) -> Vec<Date> {
        self.days_in(&self.text, now)
    }

    /// The days that a part of the message names, in its order. Of "el 24 y 25 de diciembre" both are days of the month
    /// that the second one names.
    pub(crate) fn days_in(&self, part: &str, now: &Zoned) -> Vec<Date> {
        let marked = self
            .of(SpanKind::Date)
            .filter(|span| part.contains(span.text.as_str()));
        let read = |text: &str| {
            let when = When::read(text, self.language, now, None);
            when.day.and_then(Day::single)
        };
        let mut named: Vec<Date> = Vec::new();
        for span in marked {
            let parts: Vec<&str> = span
                .text
                .split([',', '/'])
                .flat_map(|part| part.split(" y "))
                .collect();
            let month = parts
                .last()
                .and_then(|last| last.split_once(" de "))
                .map(|(_, month)| month);
            for part in &parts {
                let bare = part.trim().chars().all(|c| c.is_ascii_digit() || c == ' ');
                let day = match month.filter(|_| bare && parts.len() > 1) {
                    Some(month) => read(&format!("{part} de {month}")),
                    None => read(part),
                };
                if let Some(day) = day.filter(|day| !named.contains(day)) {
                    named.push(day);
                }
            }
        }
        named
    }

    /// How many people come.
    pub(crate) fn party(&self, asked: bool) -> Option<u16> {
        use SpanKind as Kind;
        let spans: Vec<u16> = self
            .of(SpanKind::Party)
            .filter_map(|span| party(&span.text, true))
            .collect();
        if let [one] = spans.as_slice() {
            return Some(*one);
        }
        let others = [
            Kind::Date,
            Kind::Time,
            Kind::Phone,
            Kind::Address,
            Kind::Document,
            Kind::Amount,
            Kind::Item,
            Kind::Quantity,
        ];
        if asked && self.says("only_me") && spans.is_empty() {
            return Some(1);
        }
        let text = if asked {
            self.without(&others[..6])
        } else {
            self.without(&others)
        };
        party(&text, asked)
    }

    /// How many people come, as a part of the message says it.
    pub(crate) fn party_in(&self, part: &Range<usize>) -> Option<u16> {
        let mut spans = self.of(SpanKind::Party);
        let span = spans.find(|span| part.contains(&span.range.start))?;
        party(&span.text, true)
    }

    /// The names that the customer gives. `known` tells what names something else.
    pub(crate) fn names(&self, wish: NameWish, known: &dyn Fn(&str) -> bool) -> Vec<String> {
        contact::names(self, &NameContext { wish, known })
    }

    pub(crate) fn phone(&self) -> Option<String> {
        find_phone(&self.text, &self.spans)
    }

    pub(crate) fn email(&self) -> Option<String> {
        find_email(&self.text)
    }

    /// Whether the reader took a part of it for a question.
    pub(crate) fn is_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    /// Whether it asks about this, as the reader tells; where nobody marked a question, as words do.
    pub(crate) fn asks_about(&self, topic: QuestionTopic, list: &str) -> bool {
        if self.marked.is_empty() {
            return self.says(list);
        }
        self.marked.iter().any(|asked| asked.topic == topic)
    }

    /// What it asks, question by question.
    pub(crate) fn questions(&self) -> Vec<AskedQuestion> {
        questions::read(self)
    }
}

/// A text without "las dos" where it means both: an hour is "a las dos".
fn without_both(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let folded: Vec<String> = words
        .iter()
        .map(|word| folded_words(word).concat())
        .collect();
    let Some((at, length)) = WordList::get("both").find(&folded) else {
        return text.to_owned();
    };
    let before = at
        .checked_sub(1)
        .map_or("", |before| folded[before].as_str());
    if matches!(before, "a" | "at" | "de" | "tipo") {
        return text.to_owned();
    }
    [&words[..at], &words[at + length..]].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::reading::ReadSpan;

    #[test]
    fn marked_parts_are_whole_words() {
        let text = "soy Dilan Caicedo, gracias";
        let reading = Reading {
            text: text.to_owned(),
            spans: vec![ReadSpan {
                kind: SpanKind::Name,
                range: 4..8,
            }],
            questions: Vec::new(),
            acts: Vec::new(),
            intents: Vec::new(),
            attack: 0.0,
            whole: true,
        };
        let heard = HeardMessage::new(text, Language::Es, Some(&reading), MessageGuess::default());
        assert_eq!(heard.spans[0].text, "Dilan Caicedo");
    }

    #[test]
    fn a_number_of_something_else_is_no_hour() {
        let text = "av juárez 10 depto 4, mañana";
        let reading = Reading {
            text: text.to_owned(),
            spans: vec![ReadSpan {
                kind: SpanKind::Address,
                range: 0..text.find(',').unwrap(),
            }],
            questions: Vec::new(),
            acts: Vec::new(),
            intents: Vec::new(),
            attack: 0.0,
            whole: true,
        };
        let heard = HeardMessage::new(text, Language::Es, Some(&reading), MessageGuess::default());
        let now: Zoned = "2026-03-10T10:15[America/Mexico_City]".parse().unwrap();
        let when = heard.when(&now, None);
        assert!(when.day.is_some() && when.time.is_none(), "{when:?}");
    }
}
