//! What a tool refuses, as a sentence that a person can act on. No code ever reaches a customer.

use super::scene::{Draft, Scene};
use quipu_core::{Error, ErrorCode};

/// The names that a tool offers in the place of one it does not know.
pub(super) fn allowed(error: &Error) -> Vec<String> {
    let list = error
        .details()
        .get("allowed")
        .and_then(|list| list.as_array());
    let names = list.into_iter().flatten().filter_map(|name| name.as_str());
    names.take(20).map(str::to_owned).collect()
}

impl Scene<'_> {
    /// Says why something did not work.
    pub(super) async fn explain(&self, draft: &mut Draft, error: &Error) {
        match error.code() {
            // These sentences are written for customers.
            ErrorCode::SlotUnavailable
            | ErrorCode::OrderRefused
            | ErrorCode::OrderState
            | ErrorCode::AppointmentState => draft.add(error.message(self.voice.language)),
            ErrorCode::LeadRequired => draft.say(self.voice, "ask.contact", &[]),
            ErrorCode::LoyaltyInactive => {
                let company = self.setting.company_name.as_str();
                draft.say(self.voice, "loyalty.inactive", &[("company", company)]);
            }
            // What was switched off is not told here, and asking again does not help.
            ErrorCode::NotFound | ErrorCode::ToolDisabled => {
                self.say_with_contact(draft, "no_information", &[]).await;
            }
            _ => self.say_with_contact(draft, "apology", &[]).await,
        }
    }
}
