//! What holds for every message.

use super::*;
use proptest::prelude::*;

/// Whatever hints at these is never below 4, whatever else a message says.
const ALARMS: &[&str] = &[
    "no puedo respirar",
    "me cuesta respirar",
    "me falta el aire",
    "se me cierra la garganta",
    "no puedo tragar",
    "la hinchazón me baja al cuello",
    "tengo fiebre y la cara hinchada",
    "no para de sangrar",
    "se me salió el diente con el golpe",
    "perdió el conocimiento",
    "se desmayó",
    "can't breathe",
    "throat is closing",
    "can't swallow",
    "won't stop bleeding",
    "my tooth got knocked out",
    "he passed out",
    "fever and swollen gums",
    "the swelling is spreading to my eye",
    "short of breath",
];
const BESIDE: &[&str] = &[
    "hola buenas tardes",
    "quiero una limpieza",
    "no me duele nada",
    "se me quita con paracetamol",
    "poquito",
    "a veces",
    "sin fiebre",
    "¿cuánto cuesta el blanqueamiento?",
    "gracias",
    "I want braces",
    "no pain",
    "diente de leche",
    "al cepillarme",
    "solo un segundo",
    "ya estoy mejor",
];

proptest! {
    #[test]
    fn nothing_that_is_said_beside_it_hides_an_alarm(
        alarm in prop::sample::select(ALARMS),
        before in prop::collection::vec(prop::sample::select(BESIDE), 0..4),
        after in prop::collection::vec(prop::sample::select(BESIDE), 0..4),
        pause in prop::sample::select(&[". ", ", ", " ", "\n", "... ", " y ", " pero "]),
    ) {
        let text = [before, vec![alarm], after].concat().join(pause);
        prop_assert!(level(&text) >= 4, "{text}");
    }

    #[test]
    fn any_text_is_assessed(text in any::<String>()) {
        let assessment = assess(&text, Language::En);
        prop_assert_eq!(assessment.should_escalate, u8::from(assessment.level) >= 4);
        prop_assert!(!assessment.recommendation.is_empty());
    }

    #[test]
    fn the_order_of_symptoms_does_not_matter(
        symptoms in prop::collection::vec(
            prop::sample::select([ALARMS, BESIDE].concat()), 0..6
        ).prop_shuffle(),
    ) {
        let mut sorted = symptoms.clone();
        sorted.sort_unstable();
        prop_assert_eq!(
            assess_symptoms(&symptoms, Language::Es).level,
            assess_symptoms(&sorted, Language::Es).level
        );
    }
}
