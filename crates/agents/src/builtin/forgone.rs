//! What the agent would do if it were not switched off.

use super::scene::{Draft, Scene};
use super::transcript::Goal;
use quipu_core::agent::Vertical;

impl Scene<'_> {
    /// Says that a goal cannot be reached here, and offers a person. `false` when it can.
    pub(super) async fn goes_without(&self, draft: &mut Draft, goal: Goal) -> bool {
        if self.has_tool_for(goal) {
            return false;
        }
        let key = match goal {
            Goal::Booking => "cannot.book",
            Goal::Reschedule => "cannot.move",
            Goal::CancelAppointment => "cannot.cancel",
            Goal::Order => "cannot.order",
            Goal::CancelOrder => "cannot.cancel_order",
            Goal::Redeem => "cannot.redeem",
            Goal::Invoice => "cannot.invoice",
        };
        self.say_with_contact(draft, key, &[]).await;
        if self.setting.has_customer && draft.awaiting.is_none() {
            draft.say(self.voice, "offer.team", &[]);
        }
        true
    }

    /// Whether the tool that reaches a goal is not switched off.
    pub(super) fn has_tool_for(&self, goal: Goal) -> bool {
        self.has_tool(match goal {
            Goal::Booking => "create_appointment",
            Goal::Reschedule => "reschedule_appointment",
            Goal::CancelAppointment => "cancel_appointment",
            Goal::Order => "create_order",
            Goal::CancelOrder => "cancel_order",
            Goal::Redeem => "redeem_reward",
            Goal::Invoice => "request_invoice",
        })
    }

    /// Whether nobody could reach this goal with this business: it has no menu to order from, no service
    /// to book, or nobody is known whose appointment it could be.
    pub(super) async fn has_nothing_for(&self, goal: Goal) -> bool {
        match goal {
            Goal::Order => self.menu().await.is_ok_and(|menu| menu.items.is_empty()),
            Goal::Booking => {
                // A restaurant books tables.
                self.setting.vertical != Vertical::Restaurant
                    && self.services().await.is_ok_and(|known| known.is_empty())
            }
            Goal::Reschedule | Goal::CancelAppointment | Goal::CancelOrder => {
                !self.setting.has_customer
            }
            Goal::Redeem | Goal::Invoice => false,
        }
    }

    /// Whether a tool is not switched off.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        !self.setting.tools_off.has(name)
    }
}
