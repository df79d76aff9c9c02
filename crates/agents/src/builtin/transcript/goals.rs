//! Which goal a message names, and whether it answers what was asked on the way to one.

use super::super::booking::{preferred, wants_somebody_else};
use super::super::folded::{begins, says};
use super::super::ordering::{APART, edits, tells_allergy};
use super::super::person::{self, Expected};
use super::cues::{
    asks, asks_about_booking, asks_attending, asks_besides, asks_cancelling, asks_fee, asks_status,
    cannot_come, defers, moves, moves_plainly, prefers, redeems, text_asks_how, wants_another,
};
use super::leaving::ends_list;
use super::{Goal, State};
use crate::supervisor::{Awaiting, SubIntent, Understanding};
use crate::when::{When, party};
use quipu_core::agent::Intent;

/// What says that something shall not be cancelled.
const KEEPING: &[&str] = &[
    "no canceles",
    "no cancelen",
    "no cancele",
    "no la canceles",
    "no lo canceles",
    "no me canceles",
    "no quiero cancelar",
    "sin cancelar",
    "don t cancel",
    "do not cancel",
];

/// The first word of a message that commands to cancel something.
const CANCELLING: &[&str] = &[
    "cancela",
    "cancelame",
    "cancelen",
    "cancelenme",
    "cancel",
    "anula",
    "anulame",
    "anulen",
];

/// What names another time beside the one that does not suit.
const OTHER: &[&str] = &[
    "mejor",
    "pero",
    "but",
    "instead",
    "rather",
    "puede ser",
    "podria ser",
    "seria",
    "se puede",
    "que tal",
    "could it be",
    "can it be",
    "can we do",
    "could we do",
    "what about",
    "how about",
];

impl State {
    /// The goal that a message names, if it names one.
    pub(super) fn wanted(
        &self,
        words: &str,
        when: &When,
        understood: &Understanding,
    ) -> Option<Goal> {
        let intent = understood.intent();
        if defers(words) {
            return None;
        }
        if self.goal.is_some()
            && self.awaiting == Some(Awaiting::Confirmation)
            && self.affirms.is_some()
        {
            return None;
        }
        // A time that is named for an order which has to wait is when the order is wanted.
        let waits = ["order.closed", "order.closed_again"];
        let waits = waits.iter().any(|key| self.said.contains(key));
        // And so is one that is better while the order is being settled: a table is called one.
        let apart = begins(words, &["mesa", "reserv", "table", "cita", "book", "agend"]);
        let prefers = intent == Intent::Booking && self.awaiting.is_some() && !apart;
        if self.goal == Some(Goal::Order) && (waits || prefers) && !when.is_empty() {
            return Some(Goal::Order);
        }
        if understood.sub == Some(SubIntent::Invoicing)
            || self.goal == Some(Goal::Invoice)
                && self.awaiting == Some(Awaiting::TaxData)
                && intent != Intent::Escalation
                && !asks_besides(understood)
        {
            return Some(Goal::Invoice);
        }
        let about = |wanted: Intent| intent == wanted || understood.certainty(wanted) >= 0.3;
        let order = begins(words, &["pedido", "orden", "order"]);
        let cancels = begins(words, &["cancel", "anul"])
            && !self.could_be_cancelled(words)
            && !says(words, KEEPING);
        // "Ya no voy a poder" is a no to nothing that was asked.
        let refuses = self.affirms == Some(false) && self.awaiting == Some(Awaiting::Confirmation);
        if cancels && !refuses {
            let booking = begins(words, &["cita", "reserv", "mesa", "turno", "appointment"]);
            // "Mejor cancélala" is about what was made last.
            let latest = self.completed.last().map(|goal| goal.intent());
            let ordered = latest == Some(Intent::Ordering);
            let booked = latest == Some(Intent::Booking) || self.goal == Some(Goal::Booking);
            if order || (!booking && !booked && (ordered || about(Intent::Ordering))) {
                return Some(Goal::CancelOrder);
            }
            // "Cancela los brackets" commands, whatever it is guessed to be about.
            let first = words.split(' ').next().unwrap_or_default();
            let commands = CANCELLING.contains(&first);
            if booking || booked || commands || about(Intent::Booking) {
                return Some(Goal::CancelAppointment);
            }
        }
        let after_points = self.last_intent == Some(Intent::Loyalty) && intent != Intent::Ordering;
        let plainly = begins(words, &["canje", "redeem", "redim"]) && !text_asks_how(words);
        if plainly || redeems(words) && (about(Intent::Loyalty) || after_points) {
            return match self.goal {
                Some(Goal::Order) => Some(Goal::Order),
                _ => Some(Goal::Redeem),
            };
        }
        if let Some(goal) = self.stays_away(words, when, intent) {
            return Some(goal);
        }
        if self.moves_booked(words, when, understood) {
            return Some(Goal::Reschedule);
        }
        let asked = self.said.contains(&"invite.book")
            || self.said.contains(&"urgent.slots")
            || self.said.contains(&"no.appointment")
            || self.said.contains(&"no.table");
        if asked && self.affirms == Some(true) {
            return Some(Goal::Booking);
        }
        let apart = self.said.contains(&"order.sent") && says(words, APART);
        if apart || self.said.contains(&"order.none") && self.affirms == Some(true) {
            return Some(Goal::Order);
        }
        let chosen = when.day.is_some() && when.time.is_some();
        let open = matches!(
            intent,
            Intent::Booking
                | Intent::Faq
                | Intent::General
                | Intent::Pricing
                | Intent::Hours
                | Intent::Greeting
        );
        let interest = matches!(
            self.last_intent,
            Some(Intent::Booking | Intent::Pricing | Intent::Faq | Intent::Urgent)
        );
        if chosen && open && (interest || intent == Intent::Booking) && self.goal.is_none() {
            return Some(Goal::Booking);
        }
        match intent {
            Intent::Booking
                if matches!(self.goal, Some(Goal::Reschedule | Goal::CancelAppointment)) =>
            {
                None
            }
            Intent::Booking if asks_about_booking(words) => None,
            Intent::Booking => Some(Goal::Booking),
            Intent::Ordering if asks_status(words) => None,
            Intent::Ordering if self.goal == Some(Goal::CancelOrder) => None,
            Intent::Ordering => Some(Goal::Order),
            _ => None,
        }
    }

    /// Who cannot come to what is booked cancels it, or names another time. On the way to a booking it is a time
    /// that does not suit.
    fn stays_away(&self, words: &str, when: &When, intent: Intent) -> Option<Goal> {
        let settling = self.goal.is_some() && self.awaiting.is_some();
        // "No puedo llegar, ¿dónde están?" asks for the way.
        let else_asked = matches!(
            intent,
            Intent::Ordering | Intent::Location | Intent::Urgent | Intent::Escalation
        );
        let ordered = self.completed.last() == Some(&Goal::Order);
        if !cannot_come(words) || settling || else_asked || ordered || asks_fee(words) {
            return None;
        }
        let other = says(words, OTHER) || moves(words);
        Some(if other && !when.is_empty() {
            Goal::Reschedule
        } else {
            Goal::CancelAppointment
        })
    }

    /// Whether it is only asked what calling off would cost, or whether it could be: what is not booked yet cannot be
    /// called off.
    fn could_be_cancelled(&self, words: &str) -> bool {
        let settling = self.goal == Some(Goal::Booking) && self.completed.is_empty();
        let could = says(words, &["puedo", "se puede", "podria", "can i", "could i"]);
        asks_fee(words) || settling && could
    }

    /// Whether a message moves what is booked.
    fn moves_booked(&self, words: &str, when: &When, understood: &Understanding) -> bool {
        let intent = understood.intent();
        if asks_fee(words) {
            return false;
        }
        let booking = intent == Intent::Booking || understood.certainty(Intent::Booking) >= 0.3;
        if moves(words) && booking {
            return true;
        }
        let elsewhere = matches!(
            intent,
            Intent::Ordering | Intent::Urgent | Intent::Escalation
        );
        let latest = self.completed.last();
        let ordered = latest == Some(&Goal::Order);
        let settling = matches!(self.goal, Some(Goal::Order | Goal::Booking));
        let open = !elsewhere && !ordered && !settling;
        if open && moves_plainly(words) && !when.is_empty() {
            return true;
        }
        // "Mejor el sábado a las 11" after a booking is about that booking.
        let booked = matches!(latest, Some(Goal::Booking | Goal::Reschedule));
        // A question about it in between sounds like a booking, and asks for nothing.
        let free = matches!(self.goal, None | Some(Goal::Booking)) && self.awaiting.is_none();
        // "A las 9 y seremos 6" speaks of a table that is kept already.
        let counts = party(words, false).is_some()
            && !begins(words, &["mesa", "reserv", "table", "book", "cita", "agend"]);
        let prefers = (prefers(words) || counts) && !wants_another(words);
        booked && free && !when.is_empty() && prefers
    }

    /// Whether a message answers what was asked on the way to the goal: by its form, whatever else
    /// it may seem to be about.
    pub(super) fn answers(
        &self,
        goal: Goal,
        text: &str,
        words: &str,
        when: &When,
        intent: Intent,
    ) -> bool {
        if asks_cancelling(words) || asks_attending(words) && text.contains('?') {
            return false;
        }
        // Whoever changes what was ordered goes on with the order, however that sounds.
        let changes = edits(text) && !text.contains('?') || tells_allergy(text);
        let orders = goal == Goal::Order && (ends_list(words) || changes);
        // Who is being booked and tells of an allergy goes on with the booking.
        let warns = goal == Goal::Booking && tells_allergy(text) && !text.contains('?');
        // "¿Puede ser con otra doctora?" asks for the booking otherwise, and "mejor 7" wants it so.
        let otherwise =
            goal == Goal::Booking && (wants_somebody_else(words) || preferred(text).is_some());
        if intent == goal.intent() || orders || warns || otherwise {
            return !defers(words);
        }
        let Some(awaiting) = self.awaiting else {
            return false;
        };
        let number = text.chars().any(|c| c.is_ascii_digit());
        let fits = match awaiting {
            Awaiting::Day | Awaiting::Time => !when.is_empty(),
            Awaiting::Confirmation => {
                // A few words that ask nothing add something to what is to be confirmed: "en efectivo".
                let few = words.split(' ').count() <= 4 && !text.contains('?');
                let adds = few && intent == Intent::General && !says(words, &["gracias", "thanks"]);
                let named = person::name(text, Expected::No, &[]).is_some();
                return self.affirms.is_some()
                    || named && !text.contains('?')
                    || adds
                    || !when.is_empty() && !asks(text, words, intent);
            }
            Awaiting::Name => {
                person::name(text, Expected::Asked, &[]).is_some() && !text.contains('?')
            }
            Awaiting::Phone => person::phone(text).is_some() || person::email(text).is_some(),
            Awaiting::Address | Awaiting::PartySize => number && !text.contains('?'),
            _ => false,
        };
        fits || !asks(text, words, intent) || self.affirms == Some(true)
    }
}
