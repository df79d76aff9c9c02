//! What the agent would do if it were not switched off.

use super::scene::{Draft, Scene};
use super::transcript::Goal;

impl Scene<'_> {
    /// Says that a goal cannot be reached here, and offers a person. `false` when it can.
    pub(super) async fn goes_without(&self, draft: &mut Draft, goal: Goal) -> bool {
        let (tool, key) = match goal {
            Goal::Booking => ("create_appointment", "cannot.book"),
            Goal::Reschedule => ("reschedule_appointment", "cannot.move"),
            Goal::CancelAppointment => ("cancel_appointment", "cannot.cancel"),
            Goal::Order => ("create_order", "cannot.order"),
            Goal::CancelOrder => ("cancel_order", "cannot.cancel_order"),
            Goal::Redeem => ("redeem_reward", "cannot.redeem"),
            Goal::Invoice => ("request_invoice", "cannot.invoice"),
        };
        if self.has_tool(tool) {
            return false;
        }
        self.say_with_contact(draft, key, &[]).await;
        if self.setting.has_customer && draft.awaiting.is_none() {
            draft.say(self.voice, "offer.team", &[]);
        }
        true
    }

    /// Whether a tool is not switched off.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        !self.setting.tools_off.has(name)
    }
}
