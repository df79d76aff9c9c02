//! How an agent sounds, and what listens to its callers. Vapi's own voice and ear are English.

use quipu_core::language::Language;
use serde_json::{Value, json};

/// A voice for each country, by what follows the language in a locale. The first is for all others.
const SPANISH: [(&str, &str); 21] = [
    ("MX", "DaliaNeural"),
    ("AR", "ElenaNeural"),
    ("BO", "SofiaNeural"),
    ("CL", "CatalinaNeural"),
    ("CO", "SalomeNeural"),
    ("CR", "MariaNeural"),
    ("CU", "BelkysNeural"),
    ("DO", "RamonaNeural"),
    ("EC", "AndreaNeural"),
    ("ES", "ElviraNeural"),
    ("GT", "MartaNeural"),
    ("HN", "KarlaNeural"),
    ("NI", "YolandaNeural"),
    ("PA", "MargaritaNeural"),
    ("PE", "CamilaNeural"),
    ("PR", "KarinaNeural"),
    ("PY", "TaniaNeural"),
    ("SV", "LorenaNeural"),
    ("US", "PalomaNeural"),
    ("UY", "ValentinaNeural"),
    ("VE", "PaolaNeural"),
];

/// The voice of an agent, as Vapi describes it. Nothing where Vapi's own is right.
#[must_use]
pub fn speaking(language: Language, locale: &str) -> Option<Value> {
    if language != Language::Es {
        return None;
    }
    let country = locale.split('-').nth(1).unwrap_or_default();
    let known = SPANISH.iter().find(|(of, _)| *of == country);
    let (country, voice) = known.unwrap_or(&SPANISH[0]);
    Some(json!({ "provider": "azure", "voiceId": format!("es-{country}-{voice}") }))
}

/// What listens to callers, as Vapi describes it. Nothing where Vapi's own is right.
#[must_use]
pub fn listening(language: Language) -> Option<Value> {
    let spanish = json!({ "provider": "deepgram", "model": "nova-2", "language": "es" });
    (language == Language::Es).then_some(spanish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_sounds_as_people_do_where_it_is() {
        let voice = |locale| speaking(Language::Es, locale).unwrap()["voiceId"].clone();
        assert_eq!(voice("es-PE"), "es-PE-CamilaNeural");
        assert_eq!(voice("es"), "es-MX-DaliaNeural");
        assert_eq!(voice("en-GB"), "es-MX-DaliaNeural");
        assert_eq!(speaking(Language::En, "es-PE"), None);
        assert_eq!(listening(Language::En), None);
        assert_eq!(listening(Language::Es).unwrap()["language"], "es");
    }
}
