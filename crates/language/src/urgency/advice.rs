//! What to do now: short, kind, and without a diagnosis.

use super::{Level, Reason};
use quipu_core::language::Language;

/// First aid that everybody may give, after the rules that ask for it. The first that fits is enough:
/// who is in a hurry reads one.
pub(super) const FIRST_AID: &[(&[&str], &str, &str)] = &[
    (
        &["airway", "swallowing", "anaphylaxis"],
        "Mantén a la persona sentada e inclinada hacia delante, y no le des nada de comer ni de beber.",
        "Keep the person sitting up and leaning forward, and give nothing to eat or drink.",
    ),
    (
        &["tooth knocked out"],
        "Toma el diente por la corona, sin tocar la raíz; guárdalo en leche o en saliva, no en agua ni \
         en una servilleta, y ven de inmediato: cada minuto cuenta.",
        "Hold the tooth by the crown without touching the root; keep it in milk or saliva, not in water \
         or a napkin, and come at once: every minute counts.",
    ),
    (
        &[
            "uncontrolled bleeding",
            "bleeding for hours after an extraction",
            "bleeding after an extraction",
            "heavy bleeding",
            "bleeding that goes on",
        ],
        "Mientras tanto, siéntate con la cabeza en alto y presiona con una gasa o un paño limpio, sin \
         enjuagarte.",
        "Meanwhile sit with your head up and press on it with gauze or a clean cloth, without rinsing.",
    ),
    (
        &["injury", "broken jaw"],
        "Mientras tanto, pon frío por fuera, envuelto en un paño, y guarda cualquier pedazo de diente.",
        "Meanwhile put something cold on the outside, wrapped in a cloth, and keep any piece of tooth.",
    ),
    (
        &["swollen face", "swelling with fever", "swelling that grows"],
        "Mientras tanto, no pongas calor ni aprietes la zona. Si te cuesta respirar o tragar, o la \
         hinchazón avanza, ve a urgencias.",
        "Meanwhile do not put heat on it or squeeze it. If breathing or swallowing gets hard, or the \
         swelling spreads, go to an emergency room.",
    ),
];

/// The sentence for a level, with first aid where something urgent asks for it.
pub(super) fn recommendation(level: Level, reasons: &[Reason], language: Language) -> String {
    let general = general(level, language);
    let aid = FIRST_AID
        .iter()
        .filter(|_| level.should_escalate())
        .find(|(rules, _, _)| reasons.iter().any(|r| rules.contains(&r.rule.as_str())));
    match (aid, language) {
        (Some((_, es, _)), Language::Es) => format!("{general} {es}"),
        (Some((_, _, en)), Language::En) => format!("{general} {en}"),
        (None, _) => general.to_owned(),
    }
}

fn general(level: Level, language: Language) -> &'static str {
    match (level, language) {
        (Level::Routine, Language::Es) => {
            "No parece urgente. Con gusto te damos una cita cuando mejor te venga."
        }
        (Level::Routine, Language::En) => {
            "This does not seem urgent. We are happy to give you an appointment whenever it suits you."
        }
        (Level::Minor, Language::Es) => {
            "No parece urgente, pero conviene revisarlo en las próximas semanas. Si aparece dolor, \
             hinchazón o fiebre, avísanos antes."
        }
        (Level::Minor, Language::En) => {
            "This does not seem urgent, but it is worth having it looked at in the next weeks. If pain, \
             swelling or fever appears, tell us sooner."
        }
        (Level::Moderate, Language::Es) => {
            "Conviene que te vean en uno a tres días. Si el dolor aumenta o aparece hinchazón o \
             fiebre, avísanos enseguida."
        }
        (Level::Moderate, Language::En) => {
            "It is best to be seen within one to three days. If the pain grows, or swelling or fever \
             appears, tell us right away."
        }
        (Level::Urgent, Language::Es) => {
            "Sentimos que estés pasando por esto. Conviene que te vean hoy mismo. Si empeora o no \
             consigues que te vean, ve a urgencias."
        }
        (Level::Urgent, Language::En) => {
            "We are sorry you are going through this. It is best to be seen today. If it gets worse, or \
             nobody can see you, go to an emergency room."
        }
        (Level::Emergency, Language::Es) => {
            "Esto puede ser una emergencia: ve ahora mismo a urgencias o llama al número de emergencias \
             de tu localidad. No esperes una cita."
        }
        (Level::Emergency, Language::En) => {
            "This may be an emergency: go to an emergency room or call your local emergency number now. \
             Do not wait for an appointment."
        }
    }
}
