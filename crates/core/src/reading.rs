//! What a customer's message says, as a taught model marks it: an adviser, whom exact readers and the
//! tenant's catalogue overrule.

use crate::agent::Intent;
use crate::lead::words;
use serde::Serialize;
use std::ops::Range;

words! {
    /// What a part of a message names.
    SpanKind {
        Date = "date",
        Time = "time",
        Party = "party",
        Service = "service",
        Staff = "staff",
        Branch = "branch",
        Name = "name",
        /// Somebody other than who writes.
        Other = "other",
        Phone = "phone",
        Email = "email",
        Document = "doc",
        Address = "address",
        Item = "item",
        Quantity = "qty",
        /// How an item is wanted: without onion, well done.
        Change = "mod",
        Payment = "pay",
        /// How an order comes to the customer.
        Handover = "hand",
        Symptom = "symptom",
        Allergy = "allergy",
        Amount = "amount",
        Code = "code",
    }
}

words! {
    /// What a message does.
    Act {
        Greet = "greet",
        Thanks = "thanks",
        Bye = "bye",
        Affirm = "affirm",
        Deny = "deny",
        Doubt = "doubt",
        Choose = "choose",
        Provide = "provide",
        Ask = "ask",
        Book = "book",
        Reschedule = "reschedule",
        Cancel = "cancel",
        Check = "check",
        Order = "order",
        Add = "add",
        Remove = "remove",
        Swap = "swap",
        Redeem = "redeem",
        Invoice = "invoice",
        Human = "human",
        Complain = "complain",
        Urgent = "urgent",
        Correct = "correct",
        Wait = "wait",
        Other = "other",
    }
}

/// A part of a message that names something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadSpan {
    pub kind: SpanKind,
    /// In bytes of the text that was read.
    pub range: Range<usize>,
}

/// One message, read once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The message as it was read: letters and their accents are one character each.
    pub text: String,
    pub spans: Vec<ReadSpan>,
    /// How surely it does each of these, from 0 to 1. Several at once is usual.
    pub acts: Vec<(Act, f32)>,
    /// How likely it wants each of these, the likeliest first; together they are 1.
    pub intents: Vec<(Intent, f32)>,
    /// How surely it tries to turn the agent against whom it works for, from 0 to 1.
    pub attack: f32,
    /// Whether it was read to its end.
    pub whole: bool,
}

/// From here on a reading warns of an attack; below it speaks for the message.
const WARNS: f32 = 0.5;

impl Reading {
    /// The words of a part.
    #[must_use]
    pub fn words(&self, span: &ReadSpan) -> &str {
        self.text.get(span.range.clone()).unwrap_or_default()
    }

    /// How surely the message attacks, as far as that can be said: what was not read to its end is warned
    /// of and never spoken for.
    #[must_use]
    pub fn told_attack(&self) -> Option<f32> {
        Some(self.attack).filter(|_| self.whole || self.warns())
    }

    /// Whether it takes the message for an attack rather than not.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.attack >= WARNS
    }

    /// How surely the message does this.
    #[must_use]
    pub fn act(&self, act: Act) -> f32 {
        let found = self.acts.iter().find(|(known, _)| *known == act);
        found.map_or(0.0, |(_, sure)| *sure)
    }
}
