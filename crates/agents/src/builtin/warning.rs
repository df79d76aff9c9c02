//! What stays true after an emergency was spoken of: the warning, and the number that the business wrote.

use super::folded::{begins, field, folded, items};
use super::scene::{Draft, Scene};
use serde_json::json;

/// What a text says that tells whom to call.
const CALLING: &[&str] = &[
    "emergenc",
    "urgenc",
    "ambulanc",
    "samu",
    "bombero",
    "emergency",
];

impl Scene<'_> {
    /// Repeats in one sentence what matters more than the booking that is asked for now, and does so once.
    pub(super) fn repeat_warning(&self, draft: &mut Draft) {
        let warned = self.was_told("emergency.now") && !self.was_told("emergency.again");
        if warned && self.may_change {
            draft.say(self.voice, "emergency.again", &[]);
        }
    }

    /// Tells the number for emergencies in the words of the business, where it wrote one down. Numbers
    /// differ from country to country, and none is guessed.
    pub(super) async fn tell_emergency_number(&self, draft: &mut Draft) {
        let question = self
            .voice
            .pick("número de emergencias", "emergency number emergencias");
        let asked = json!({ "question": question });
        let Ok(told) = self.office.call("get_faq", asked).await else {
            return;
        };
        let answers = items(&told, "faqs").iter();
        let mut answers = answers.filter_map(|faq| field(faq, "answer"));
        let tells = |answer: &&str| {
            let words = folded(answer);
            let mut numbers = words.split(' ');
            // Such a number has three digits wherever there is one.
            let number = numbers.any(|word| word.len() == 3 && word.parse::<u16>().is_ok());
            number && begins(&words, CALLING)
        };
        if let Some(answer) = answers.find(tells) {
            self.repeat(draft, quipu_core::text::preview(answer, 300));
        }
    }
}
