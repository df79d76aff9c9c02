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

words! {
    /// What a question is about.
    QuestionTopic {
        Price = "price",
        /// What an order or everything together comes to.
        Total = "total",
        Promotions = "promotions",
        Duration = "duration",
        /// The customer's own points, and what there is for them.
        Points = "points",
        /// How points are earned.
        Earning = "earning",
        OwnVisits = "own_visits",
        OrderStatus = "order_status",
        /// What the order under way has.
        OrderSoFar = "order_so_far",
        OpenNow = "open_now",
        Hours = "hours",
        Place = "place",
        DeliveryFee = "delivery_fee",
        DeliveryTime = "delivery_time",
        DeliveryZones = "delivery_zones",
        Minimum = "minimum",
        Payment = "payment",
        Contact = "contact",
        Staff = "staff",
        /// Who attends the visit that is being settled or was booked.
        WhoSees = "who_sees",
        Services = "services",
        Menu = "menu",
        /// What is in a dish or product.
        Contents = "contents",
        /// When something is free.
        Availability = "availability",
        /// What only somebody who learned it may say: what an illness is, a medicine.
        Diagnosis = "diagnosis",
        /// The rules of cancelling, moving, being late, returning.
        Terms = "terms",
        /// Whether a person answers.
        Machine = "machine",
        /// When whoever was called will answer.
        Answered = "answered",
        /// Whatever else the business may have written down.
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

/// A part of a message that asks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadQuestion {
    pub topic: QuestionTopic,
    /// How surely it is about that, from 0 to 1.
    pub sure: f32,
    /// In bytes of the text that was read.
    pub range: Range<usize>,
}

/// One message, read once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The message as it was read: letters and their accents are one character each.
    pub text: String,
    pub spans: Vec<ReadSpan>,
    /// What it asks, in its order.
    pub questions: Vec<ReadQuestion>,
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
