//! What a customer of a clinic complains of: somebody has to see it, and it names no service.

use super::folded::{begins, folded, says};
use super::scene::{Draft, Scene};
use quipu_core::agent::{Intent, Vertical};

/// More words than this tell more than a complaint.
const FEW: usize = 7;

/// The words of complaints, and whether each stands for all that begin like it.
fn complaints() -> impl Iterator<Item = (&'static str, bool)> {
    let lines = include_str!("../../data/builtin/complaints.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split(", "));
    let words = words.filter(|word| !word.trim().is_empty());
    words.map(|word| match word.strip_suffix('*') {
        Some(start) => (start, true),
        None => (word, false),
    })
}

/// Whether a folded text names a complaint.
pub(super) fn complains(words: &str) -> bool {
    complaints().any(|(known, beginning)| {
        if beginning {
            begins(words, &[known])
        } else {
            says(words, &[known])
        }
    })
}

/// A text without the words for what somebody has.
pub(super) fn without_complaints(text: &str) -> String {
    let kept = text
        .split_whitespace()
        .filter(|word| !complains(&folded(word)));
    kept.collect::<Vec<_>>().join(" ")
}

impl Scene<'_> {
    /// Says that somebody should see what the customer has, where the message says nothing else. What
    /// is written of it is about other things, such as who may be vaccinated.
    pub(super) fn hear_complaint(&self, draft: &mut Draft) -> bool {
        let clinic = matches!(self.setting.vertical, Vertical::Dental | Vertical::Medical);
        let wishes = matches!(
            self.understood.intent(),
            Intent::Booking | Intent::Pricing | Intent::Ordering | Intent::Hours | Intent::Location
        );
        let few = self.words.split(' ').count() <= FEW;
        let told = clinic && few && !wishes && !self.text.contains('?');
        if !told || !complains(&self.words) || self.state.goal.is_some() {
            return false;
        }
        draft.say(self.voice, "no_diagnosis", &[]);
        self.invite(draft);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_from_wishes() {
        for text in [
            "tengo gripa",
            "ando con resfriado",
            "i have the flu",
            "me dio tos",
        ] {
            assert!(complains(text), "{text}");
        }
        for text in ["quiero una limpieza", "tengo una duda", "tosta"] {
            assert!(!complains(text), "{text}");
        }
        assert_eq!(without_complaints("cita por gripa"), "cita por");
    }
}
