//! The words with which an agent begins a conversation by itself, as on the telephone.

use crate::say::{Phrase, SpeakingVoice};
use quipu_core::agent::{Medium, ResponseStyle};
use quipu_core::language::Language;

/// Who greets whom, and how.
#[derive(Clone, Copy, Debug)]
pub struct OpeningWords<'a> {
    pub agent_name: &'a str,
    pub company_name: &'a str,
    /// What the customer is called, where that is known.
    pub customer_name: Option<&'a str>,
    pub style: ResponseStyle,
    pub language: Language,
    pub medium: Medium,
}

impl OpeningWords<'_> {
    /// The same words that answer a greeting.
    #[must_use]
    pub fn text(&self) -> String {
        let voice = SpeakingVoice {
            language: self.language,
            style: self.style,
            medium: self.medium,
        };
        let filling = [
            ("agent", self.agent_name),
            ("company", self.company_name),
            ("customer", self.customer_name.unwrap_or_default()),
        ];
        voice.say(Phrase::Greeting, &filling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_says_who_it_is_and_nothing_that_nobody_can_say() {
        let words = OpeningWords {
            agent_name: "Maya",
            company_name: "Sonrisa",
            customer_name: Some("Rosa"),
            style: ResponseStyle::Casual,
            language: Language::Es,
            medium: Medium::Voice,
        };
        let text = words.text();
        assert!(
            text.starts_with("¡Hola, Rosa!") && text.contains("Maya, de Sonrisa"),
            "{text}"
        );
        assert!(!text.contains('👋'), "{text}");
        let unknown = OpeningWords {
            customer_name: None,
            ..words
        };
        assert!(unknown.text().starts_with("¡Hola!"));
    }
}
