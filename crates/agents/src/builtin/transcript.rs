//! Reading a conversation back: what it is about, what is settled, and what the agent asked last.
//! Nothing is stored between turns, so that a client that sends all messages is served as one whose
//! conversation is kept.

mod awaited;
mod cues;
mod goals;
mod holding;
mod leaving;

pub(super) use cues::{
    asks_attending, asks_cancelling, asks_fee, asks_orders, asks_status, asks_what_to_bring,
    cannot_come, defers, redeems,
};
pub(super) use holding::{Pick, picks};
pub(super) use leaving::ends_list;

use super::alarms::without_false_alarms;
use super::folded::{begins, folded, says};
use super::ordering::{APART, tells_allergy};
use super::person::{self, Expected};
use super::templates::Templates;
use crate::conversation::language;
use crate::desk::Setting;
use crate::supervisor::{Awaiting, Context, Supervisor, Understanding};
use crate::when::When;
use awaited::awaited;
use cues::{is_urgent, leading_yes};
use leaving::says_yes;
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use quipu_core::ports::{Speaker, Turn};
use quipu_core::urgency::assess;
use std::borrow::Cow;

/// How many of the last messages are read back.
const MOST_MESSAGES: usize = 60;

/// How much of one message is read, in characters: as much as WhatsApp carries. Rules look for
/// hundreds of phrases in every part of it, which must not take longer than a customer waits.
const LONGEST_READ: usize = 4_096;

/// What a conversation is on its way to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Booking,
    Reschedule,
    CancelAppointment,
    Order,
    CancelOrder,
    Redeem,
    Invoice,
}

impl Goal {
    pub(super) const fn intent(self) -> Intent {
        match self {
            Self::Booking | Self::Reschedule | Self::CancelAppointment => Intent::Booking,
            Self::Order | Self::CancelOrder => Intent::Ordering,
            Self::Redeem => Intent::Loyalty,
            Self::Invoice => Intent::Faq,
        }
    }
}

/// The sentences that lead to a goal.
const TOWARDS: &[(&[&str], Goal)] = &[
    (
        &["confirm.move", "ask.new_day", "which.moved", "other.moved"],
        Goal::Reschedule,
    ),
    (
        &["confirm.cancel", "which.appointment", "other.cancelled"],
        Goal::CancelAppointment,
    ),
    (&["confirm.cancel_order"], Goal::CancelOrder),
    (&["confirm.redeem", "ask.reward"], Goal::Redeem),
    (&["ask.invoice", "invoice.wrong"], Goal::Invoice),
    (
        &[
            "confirm.order",
            "ask.address",
            "ask.pickup_or_delivery",
            "ask.unclear",
            "ask.unclear_address",
            "ask.unclear_branch",
            "ask.payment",
            "ask.order_branch",
            "order.closed",
            "order.closed_again",
            "order.below",
            "delivery.not_served",
        ],
        Goal::Order,
    ),
    (
        &[
            "confirm.booking",
            "confirm.table",
            "offer.day",
            "offer.days",
            "ask.day",
            "ask.party",
            "ask.people_or_hour",
            "ask.service",
            "people.next",
            "not.here",
            "staff.elsewhere",
            "not.so_far",
            "consultation.first",
            "table.too_large",
        ],
        Goal::Booking,
    ),
];

/// The sentences that end a goal.
const DONE: &[(&str, Goal)] = &[
    ("done.booked", Goal::Booking),
    ("done.table", Goal::Booking),
    ("done.moved", Goal::Reschedule),
    ("done.cancelled", Goal::CancelAppointment),
    ("done.ordered", Goal::Order),
    ("done.ordered_for", Goal::Order),
    ("done.order_cancelled", Goal::CancelOrder),
    ("done.redeemed", Goal::Redeem),
    ("done.invoice", Goal::Invoice),
];

/// The sentences after which nothing is being settled any more.
const ENDING: &[&str] = &[
    "left",
    "done.lead",
    "escalated",
    "escalated.plain",
    "excluded",
    "invoice.elsewhere",
    "no.appointment",
    "no.table",
    "whose.none",
];

/// Where a conversation stands before its last message is answered.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that the last message does or does not do, and they are combined freely"
)]
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) goal: Option<Goal>,
    /// The first message of the present matter; what was said before belongs to one that is done.
    pub(super) since: usize,
    pub(super) awaiting: Option<Awaiting>,
    /// The sentences of the agent's last message.
    pub(super) said: Vec<&'static str>,
    pub(super) last_intent: Option<Intent>,
    /// What was brought to an end, the latest last.
    pub(super) completed: Vec<Goal>,
    /// Whether the customer's last message says yes or no to what was asked.
    pub(super) affirms: Option<bool>,
    /// Whether the customer's last message begins or goes on with the goal.
    pub(super) goes_on: bool,
    /// Whether it does so by its form alone, such as a name that was asked for.
    pub(super) settles: bool,
    /// What the customer's last message dropped, if it was being settled.
    pub(super) left: Option<Goal>,
    /// How close the customer has come so far.
    pub(super) temperature: Temperature,
    pub(super) urgent: bool,
    /// Whether the customer's last message names something that cannot wait.
    pub(super) urgent_now: bool,
    /// The customer's messages, the last one included.
    pub(super) heard: Vec<Heard>,
}

/// A message of the customer, and what it answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    /// Its place among all messages.
    pub(super) at: usize,
    pub(super) awaiting: Option<Awaiting>,
    pub(super) affirms: Option<bool>,
    pub(super) intent: Intent,
    /// Whether it went on with the goal of its time, and which that was.
    pub(super) goes_on: bool,
    pub(super) goal: Option<Goal>,
}

/// What the supervisor should know before it reads the last message.
#[must_use]
pub fn context(setting: &Setting, messages: &[Turn]) -> Context {
    let messages = &*legible(messages);
    let before = messages.len() - usize::from(ends_with_customer(messages));
    let state = read(setting, &messages[..before], None);
    Context {
        vertical: setting.vertical,
        language: language(messages, setting.default_language),
        last_intent: state.last_intent,
        awaiting: state.awaiting,
    }
}

/// What the supervisor makes of the last message without what only sounds like an alarm in it. `None` where
/// nothing of it does, so that what it made of the whole stands.
pub(super) fn understood_plainly(
    setting: &Setting,
    messages: &[Turn],
    understood: &Understanding,
) -> Option<Understanding> {
    let last = messages.last()?;
    let mut reasons = understood.reasons.iter();
    let named = reasons.any(|reason| reason.intent == Intent::Urgent);
    if !named && understood.intent() != Intent::Urgent {
        return None;
    }
    let context = context(setting, messages);
    let text = without_false_alarms(&last.text, context.awaiting);
    (text != last.text).then(|| Supervisor::compiled().understand(&text, &context))
}

/// The last messages, each as far as it is read.
pub(super) fn legible(messages: &[Turn]) -> Cow<'_, [Turn]> {
    let end = |turn: &Turn| turn.text.char_indices().nth(LONGEST_READ).map(|(at, _)| at);
    if messages.iter().all(|turn| end(turn).is_none()) {
        return Cow::Borrowed(messages);
    }
    let cut = |turn: &Turn| Turn {
        speaker: turn.speaker,
        text: turn.text[..end(turn).unwrap_or(turn.text.len())].to_owned(),
    };
    messages.iter().map(cut).collect()
}

fn ends_with_customer(messages: &[Turn]) -> bool {
    let last = messages.last();
    last.is_some_and(|turn| turn.speaker == Speaker::Customer)
}

/// Reads a conversation. What the supervisor makes of the last message is given, the rest is read
/// again.
pub(super) fn read(
    setting: &Setting,
    messages: &[Turn],
    understood: Option<&Understanding>,
) -> State {
    let first = messages.len().saturating_sub(MOST_MESSAGES);
    let mut state = State {
        goal: None,
        since: first,
        awaiting: None,
        said: Vec::new(),
        last_intent: None,
        completed: Vec::new(),
        affirms: None,
        goes_on: false,
        settles: false,
        left: None,
        temperature: Temperature::Cold,
        urgent: false,
        urgent_now: false,
        heard: Vec::new(),
    };
    for (at, turn) in messages.iter().enumerate().skip(first) {
        match turn.speaker {
            Speaker::Agent => state.hear_agent(&turn.text, at),
            Speaker::Customer => {
                let last = at + 1 == messages.len();
                let context = Context {
                    vertical: setting.vertical,
                    language: language(&messages[..=at], setting.default_language),
                    last_intent: state.last_intent,
                    awaiting: state.awaiting,
                };
                let fresh;
                let understood = if let Some(understood) = understood.filter(|_| last) {
                    understood
                } else {
                    let text = without_false_alarms(&turn.text, context.awaiting);
                    fresh = Supervisor::compiled().understand(&text, &context);
                    &fresh
                };
                state.hear_customer(setting, &turn.text, understood, context, at);
                state.heard.push(Heard {
                    at,
                    awaiting: context.awaiting,
                    affirms: state.affirms,
                    intent: understood.intent(),
                    goes_on: state.goes_on,
                    goal: state.goal,
                });
            }
        }
    }
    state
}

impl State {
    fn hear_agent(&mut self, text: &str, at: usize) {
        let said = Templates::get().recognise(text);
        self.said = said.iter().map(|said| said.key).collect();
        self.awaiting = awaited(&said, text);
        // The agent's own sentences say what it was about.
        let told = TOWARDS
            .iter()
            .find(|(keys, _)| self.said.iter().any(|key| keys.contains(key)));
        if let Some((_, goal)) = told {
            let moved = *goal == Goal::Booking && self.goal == Some(Goal::Reschedule);
            self.goal = Some(if moved { Goal::Reschedule } else { *goal });
        }
        let done = DONE.iter().filter(|(key, _)| self.said.contains(key));
        for (_, goal) in done {
            self.completed.push(*goal);
            self.temperature = Temperature::Hot;
            // A reward that is redeemed on the way to an order does not end the order.
            if self.goal == Some(*goal) || self.goal != Some(Goal::Order) {
                self.goal = None;
                self.since = at + 1;
            }
        }
        // One of several people or services is booked, and the next one is on the way.
        let next = ["people.next", "service.next"];
        if next.iter().any(|key| self.said.contains(key)) {
            self.goal = Some(Goal::Booking);
        }
        if self.said.contains(&"order.sent") {
            self.goal = None;
        }
        // What was answered as an emergency was one, whatever the supervisor made of it.
        self.urgent |= self.said.contains(&"escalated.urgent");
        if self.said.iter().any(|key| ENDING.contains(key)) {
            self.goal = None;
            self.since = at + 1;
        }
    }

    fn hear_customer(
        &mut self,
        setting: &Setting,
        text: &str,
        understood: &Understanding,
        context: Context,
        at: usize,
    ) {
        let words = folded(text);
        // What was to be changed of an order that is sent is no part of the next one, unless it is
        // said to be.
        if self.said.contains(&"order.sent") && !says(&words, APART) {
            self.since = at;
        }
        let when = When::read(text, context.language, &setting.now, None);
        let intent = understood.intent();
        // A name that was given in answer may look like a symptom.
        let named = self.awaiting.is_some() && person::name(text, Expected::No, &[]).is_some();
        self.settles = self.holds(text, &words, &when, understood);
        // Who tells of an allergy beforehand has no reaction to anything yet.
        let beforehand = tells_allergy(text) && !assess(text, context.language).should_escalate;
        self.urgent_now = is_urgent(understood) && !named && !self.settles && !beforehand;
        self.left = self
            .goal
            .filter(|_| !self.urgent_now && self.leaves(&words));
        if self.left.is_some() {
            self.goal = None;
            self.since = at + 1;
            self.goes_on = false;
            self.affirms = None;
            self.last_intent = Some(intent);
            return;
        }
        let affirms = understood.affirms;
        let affirms = affirms.or_else(|| leading_yes(&words, self.awaiting));
        // Who is offered the soonest time and gives their name takes it.
        let takes = self.said.contains(&"urgent.slots")
            && !text.contains('?')
            && (named || begins(&words, &["separ", "apart", "agend", "reserv"]));
        let affirms = affirms.or(takes.then_some(true));
        // That nothing more comes is no answer to whether it shall be placed.
        let ends = ends_list(&words) && self.goal == Some(Goal::Order);
        let affirms = if ends {
            says_yes(&words).then_some(true)
        } else {
            affirms
        };
        self.affirms = affirms.filter(|_| !defers(&words));
        let wanted = self
            .wanted(&words, &when, understood)
            .filter(|wanted| !self.settles && !self.only_guesses(*wanted, understood))
            .filter(|wanted| self.may_want(setting.vertical, *wanted, &words, understood));
        self.goes_on = match (wanted, self.goal) {
            (Some(wanted), _) => {
                self.goal = Some(wanted);
                true
            }
            (None, Some(goal)) => {
                // What only seems urgent is no reason to leave what is being settled.
                let seems = intent == Intent::Urgent && !self.urgent_now;
                let intent = if seems { Intent::General } else { intent };
                self.settles || self.answers(goal, text, &words, &when, intent)
            }
            (None, None) => false,
        };
        let concrete = !matches!(intent, Intent::Greeting | Intent::General);
        if self.goal.is_some()
            && self.awaiting == Some(Awaiting::Confirmation)
            && self.affirms == Some(true)
            || self.urgent_now
        {
            self.temperature = Temperature::Hot;
        } else if concrete && self.temperature == Temperature::Cold {
            self.temperature = Temperature::Warm;
        }
        self.urgent |= self.urgent_now;
        self.last_intent = match self.goal.filter(|_| self.goes_on) {
            Some(goal) => Some(goal.intent()),
            None => Some(intent),
        };
    }
}
