//! What a client may tell people about a tool before it is called.

use serde_json::{Value, json};

/// What a tool that changes something does to what is there.
pub(super) struct Change {
    pub(super) tool: &'static str,
    /// Whether something that was there is gone or other afterwards.
    destructive: bool,
    /// Whether the same call a second time changes nothing more.
    idempotent: bool,
}

const fn change(tool: &'static str, destructive: bool, idempotent: bool) -> Change {
    Change {
        tool,
        destructive,
        idempotent,
    }
}

/// Every tool that changes something.
pub(super) const CHANGES: &[Change] = &[
    change("create_appointment", false, false),
    change("reschedule_appointment", true, false),
    change("cancel_appointment", true, true),
    change("update_lead_info", true, true),
    change("create_order", false, false),
    change("cancel_order", true, true),
    change("award_loyalty_tokens", false, true),
    // Points are spent.
    change("redeem_reward", true, false),
    change("request_invoice", false, false),
    change("escalate_to_human", false, false),
];

/// The annotations of a tool. One that nobody described is said to do the worst it could.
pub(super) fn of(tool: &str, only_reads: bool) -> Value {
    let known = CHANGES.iter().find(|change| change.tool == tool);
    let (destructive, idempotent) = match known {
        _ if only_reads => (false, true),
        Some(change) => (change.destructive, change.idempotent),
        None => (true, false),
    };
    json!({
        "readOnlyHint": only_reads,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        // Everything a tool touches is the business's own.
        "openWorldHint": false,
    })
}
