//! How the agent says things: in which language and style, and for the eye or the ear.

use super::phrase::Phrase;
use super::sentences::{fill, sentence};
use jiff::civil::{Date, DateTime, Time as Clock};
use quipu_commerce::calendar::describe_moment;
use quipu_core::agent::{Medium, ResponseStyle};
use quipu_core::language::Language;
use quipu_core::text::fold;

#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeakingVoice {
    pub(crate) language: Language,
    pub(crate) style: ResponseStyle,
    pub(crate) medium: Medium,
}

impl SpeakingVoice {
    /// A sentence of the data files, filled in.
    pub(crate) fn say(self, phrase: Phrase, filling: &[(&str, &str)]) -> String {
        let template = sentence(phrase, self.language, self.style);
        // "p. m." ends a sentence by itself.
        let text = fill(template, filling).replace(". m..", ". m.");
        match self.medium {
            Medium::Messaging => text,
            Medium::Voice => without_pictures(&text),
        }
    }

    pub(crate) const fn pick(self, es: &'static str, en: &'static str) -> &'static str {
        match self.language {
            Language::Es => es,
            Language::En => en,
        }
    }

    /// "9:00 a. m."; "9 de la mañana" where it is heard.
    pub(crate) fn time(self, minute: u16) -> String {
        let (hour, rest) = (minute / 60 % 24, minute % 60);
        let on_dial = if hour % 12 == 0 { 12 } else { hour % 12 };
        match (self.medium, self.language) {
            (Medium::Messaging, Language::Es) => {
                let half = if hour < 12 { "a. m." } else { "p. m." };
                format!("{on_dial}:{rest:02} {half}")
            }
            (Medium::Messaging, Language::En) => {
                let half = if hour < 12 { "am" } else { "pm" };
                format!("{on_dial}:{rest:02} {half}")
            }
            (Medium::Voice, Language::Es) if minute == 12 * 60 => "12 del mediodía".to_owned(),
            (Medium::Voice, Language::Es) => {
                let part = match hour {
                    0..12 => "de la mañana",
                    12..19 => "de la tarde",
                    _ => "de la noche",
                };
                let minutes = match rest {
                    0 => String::new(),
                    15 => " y cuarto".to_owned(),
                    30 => " y media".to_owned(),
                    other => format!(" y {other}"),
                };
                format!("{on_dial}{minutes} {part}")
            }
            (Medium::Voice, Language::En) => {
                let half = if hour < 12 { "am" } else { "pm" };
                if rest == 0 {
                    format!("{on_dial} {half}")
                } else {
                    format!("{on_dial}:{rest:02} {half}")
                }
            }
        }
    }

    /// "a las 9:00 a. m.", "a la 1:00 p. m.", "at 9:00 am".
    pub(crate) fn at(self, minute: u16) -> String {
        let time = self.time(minute);
        let one = minute / 60 % 12 == 1;
        match self.language {
            Language::Es if one => format!("a la {time}"),
            Language::Es => format!("a las {time}"),
            Language::En => format!("at {time}"),
        }
    }

    /// "miércoles 11 de marzo".
    pub(crate) fn day(self, date: Date) -> String {
        let said = describe_moment(DateTime::from_parts(date, Clock::midnight()), self.language);
        let end = match self.language {
            Language::Es => " a las ",
            Language::En => " at ",
        };
        said.split(end).next().unwrap_or_default().to_owned()
    }

    /// "A, B y C".
    pub(crate) fn and<S: AsRef<str>>(self, things: &[S]) -> String {
        joined(things, self.pick("y", "and"))
    }

    /// "A, B o C".
    pub(crate) fn or<S: AsRef<str>>(self, things: &[S]) -> String {
        joined(things, self.pick("o", "or"))
    }
}

/// Things with a word before the last of them.
fn joined<S: AsRef<str>>(things: &[S], word: &str) -> String {
    let Some((last, before)) = things.split_last() else {
        return String::new();
    };
    let last = last.as_ref();
    if before.is_empty() {
        return last.to_owned();
    }
    // Spanish changes the word before its own sound.
    let sound = fold(last);
    let word = match word {
        "y" if sound.starts_with('i') || (sound.starts_with("hi") && !sound.starts_with("hie")) => {
            "e"
        }
        "o" if sound.starts_with('o') || sound.starts_with("ho") => "u",
        other => other,
    };
    let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
    format!("{} {word} {last}", before.join(", "))
}

/// A text without emoji, which nobody can say aloud.
fn without_pictures(text: &str) -> String {
    let spoken = |c: &char| c.is_alphanumeric() || c.is_whitespace() || (*c as u32) < 0x2190;
    let text: String = text.chars().filter(spoken).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same text beginning with a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
