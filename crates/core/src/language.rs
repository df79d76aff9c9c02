//! The two languages Quipu speaks to people.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Es,
    En,
}

impl Language {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Es => "es",
            Self::En => "en",
        }
    }

    /// Reads a stored value; anything unknown is Spanish, the product's first language.
    #[must_use]
    pub fn parse_or_default(text: &str) -> Self {
        if text.eq_ignore_ascii_case("en") {
            Self::En
        } else {
            Self::Es
        }
    }

    /// Picks from an `Accept-Language` header by weight. Without one, Spanish.
    #[must_use]
    pub fn from_accept_language(header: Option<&str>) -> Self {
        header.and_then(Self::accepted).unwrap_or(Self::Es)
    }

    /// The language of ours that a header `Accept-Language` names, if it names one.
    #[must_use]
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for part in header.split(',').take(16) {
            let mut fields = part.split(';');
            let tag = fields
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            let language = match tag.split('-').next() {
                Some("es") => Self::Es,
                Some("en") => Self::En,
                _ => continue,
            };
            let weight = fields
                .find_map(|f| f.trim().strip_prefix("q="))
                .map_or(1.0, |q| q.parse::<f32>().unwrap_or(0.0));
            if weight > best.map_or(0.0, |(most, _)| most) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }

    /// Guesses the language of a short text from its function words and letters. `None` when the
    /// text gives no hint ("ok", "123"), so that the caller can keep the conversation's language.
    #[must_use]
    pub fn guess(text: &str) -> Option<Self> {
        const ES: &[&str] = &[
            "a", "al", "aceptan", "con", "como", "cual", "cuando", "cuanto", "cuesta", "de", "del",
            "donde", "el", "en", "es", "esta", "hay", "hola", "la", "las", "lo", "los", "me", "mi",
            "para", "por", "precio", "puedo", "que", "quiero", "se", "si", "son", "su", "tiene",
            "tienen", "un", "una", "y", "ustedes", "gracias",
        ];
        const EN: &[&str] = &[
            "a", "about", "an", "and", "are", "at", "can", "cost", "do", "does", "for", "have",
            "hello", "hi", "how", "i", "in", "is", "it", "like", "much", "my", "need", "next",
            "of", "on", "or", "please", "price", "thanks", "the", "there", "to", "today",
            "tomorrow", "want", "what", "when", "where", "which", "with", "would", "you", "your",
        ];
        if text.contains(['¿', '¡', 'ñ', 'Ñ']) {
            return Some(Self::Es);
        }
        let (mut es, mut en) = (0_u32, 0_u32);
        for word in crate::text::words(text) {
            let word = crate::text::fold(word);
            es += u32::from(ES.contains(&word.as_str()));
            en += u32::from(EN.contains(&word.as_str()));
        }
        match es.cmp(&en) {
            std::cmp::Ordering::Greater => Some(Self::Es),
            std::cmp::Ordering::Less => Some(Self::En),
            std::cmp::Ordering::Equal => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_language_is_read_by_weight() {
        let pick = |h| Language::from_accept_language(h);
        assert_eq!(pick(None), Language::Es);
        assert_eq!(pick(Some("en-US,en;q=0.9,es;q=0.8")), Language::En);
        assert_eq!(pick(Some("fr, es;q=0.7, en;q=0.3")), Language::Es);
        assert_eq!(pick(Some("fr,de")), Language::Es);
        assert_eq!(pick(Some(";;q=,,\u{0}")), Language::Es);
    }

    #[test]
    fn questions_are_told_apart() {
        assert_eq!(Language::guess("¿a cómo la limpieza?"), Some(Language::Es));
        assert_eq!(
            Language::guess("cuanto cuesta una limpieza"),
            Some(Language::Es)
        );
        assert_eq!(
            Language::guess("how much is a cleaning?"),
            Some(Language::En)
        );
        assert_eq!(Language::guess("ok 123"), None);
    }
}
