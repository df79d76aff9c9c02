//! What is done next: a message and the state before it give the state after it and what is said.
//!
//! Its laws: nothing is stored or called off that the customer has not asked for in full or said yes to in full;
//! no message loses what was given before; a correction changes what it names and nothing else; a question in the
//! middle is answered, and then what was awaited is asked again, once; a danger to life breaks into anything; and
//! three turns that came no further offer a person.

mod answer;
mod basket;
mod basket_edit;
mod basket_parts;
mod book;
mod consult;
mod danger;
mod invoice;
mod meaning;
mod offered;
mod order;
mod order_terms;
mod order_told;
mod own;
mod person;
mod placed;
mod refusals;
mod reward;
mod services;
mod several;
mod slots;
mod staff_meant;
mod talk;
mod times;
mod unclear;
mod visit_asked;
mod visit_names;
mod visits;
mod visits_told;
mod wishes;

use crate::business::BusinessFacts;
use crate::facts::{Known, TurnFacts};
use crate::profile::AgentProfile;
use crate::read::{Consent, HeardMessage, NameWish};
use crate::say::{Phrase, SpeakingVoice, TurnSpeech};
use crate::state::{Awaited, BookGoal, DialogueState, Goal};
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use quipu_core::ports::ReplyPart;
use quipu_core::reading::{Act, SpanKind};
use quipu_core::retrieval::Passage;
use quipu_core::{Error, ErrorCode};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// After so many turns in a row that came no further, a person is offered.
const STUCK: u8 = 3;

/// Everything that a step starts from.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    pub profile: &'a AgentProfile,
    pub business: &'a BusinessFacts,
    pub heard: &'a HeardMessage,
    pub state: &'a DialogueState,
    pub facts: &'a TurnFacts,
}

/// What a step came to.
#[derive(Clone, Debug)]
pub struct DialogueStep {
    pub state: DialogueState,
    pub parts: Vec<ReplyPart>,
    /// What the sources of the parts point into.
    pub passages: Vec<Passage>,
    pub temperature: Temperature,
    /// What was answered.
    pub intent: Intent,
    /// Something that the business knows was told.
    pub informed: bool,
    /// It had to say that it does not know.
    pub ignorant: bool,
    /// Something could not be looked up, so that more may be known than was said.
    pub failed: bool,
}

/// Takes one message in.
///
/// # Errors
/// What has to be known before the step can go on. Once the facts have it, the step is taken again.
pub fn step(input: StepInput<'_>) -> Known<DialogueStep> {
    let heard = times::as_answer(input.heard, input.state);
    let mut run = PolicyRun::new(StepInput {
        heard: &heard,
        ..input
    });
    run.take_turn()?;
    run.notice_standstill();
    Ok(run.finish())
}

/// One step on its way.
struct PolicyRun<'a> {
    profile: &'a AgentProfile,
    business: &'a BusinessFacts,
    heard: &'a HeardMessage,
    before: &'a DialogueState,
    facts: &'a TurnFacts,
    voice: SpeakingVoice,
    state: DialogueState,
    speech: TurnSpeech,
    consent: Consent,
    intent: Intent,
    /// Something was told or done.
    informed: bool,
    ignorant: bool,
    failed: bool,
}

impl<'a> PolicyRun<'a> {
    fn new(input: StepInput<'a>) -> Self {
        let StepInput {
            profile,
            business,
            heard,
            state,
            facts,
        } = input;
        Self {
            profile,
            business,
            heard,
            before: state,
            facts,
            voice: SpeakingVoice {
                language: profile.language,
                style: profile.style,
                medium: profile.medium,
            },
            state: state.clone(),
            speech: TurnSpeech::default(),
            consent: heard.consent(),
            intent: heard.intent(),
            informed: false,
            ignorant: false,
            failed: false,
        }
    }

    fn finish(mut self) -> DialogueStep {
        if self.failed && self.ignorant {
            // Not knowing and not being able to look are two things.
            self.speech = TurnSpeech::default();
            self.say_with_contact(Phrase::Apology, &[]);
        }
        if self.speech.is_empty() {
            self.say_with_contact(Phrase::NoInformation, &[]);
            self.ignorant = true;
        }
        let temperature = self.state.temperature.unwrap_or(Temperature::Cold);
        self.state.intent = Some(self.intent);
        DialogueStep {
            informed: self.informed,
            state: self.state,
            parts: self.speech.parts,
            passages: self.speech.passages,
            temperature,
            intent: self.intent,
            ignorant: self.ignorant,
            failed: self.failed,
        }
    }

    fn take_turn(&mut self) -> Known<()> {
        self.keep_contact()?;
        // What was asked for is asked for again by whoever still needs it.
        self.state.awaited = None;
        if self.answer_danger()? || self.tell_machine()? || self.answer_person()? {
            return Ok(());
        }
        if self.answer_offer()? || self.leave()? || self.moves_placed_order() {
            return Ok(());
        }
        if self.agrees_and_wants_another() || self.agrees_and_wishes()? {
            // What was agreed on is done first, and what could not be done is settled first.
            self.advance()?;
            if self.did_nothing() {
                return Ok(());
            }
            if self.agrees_and_wants_another() {
                self.state.begin(Goal::Book(BookGoal::default()));
                self.take_in()?;
                return self.advance();
            }
        }
        let begun = self.begin_wish()?;
        let taken = self.take_in()?;
        self.go_on(begun, taken)
    }

    /// Counts the turns that leave everything as it was and ask the same again, and offers a person after some.
    fn notice_standstill(&mut self) {
        let told = self.informed && !self.ignorant;
        let same = self.state.goal.is_some()
            && self.state.awaited.is_some()
            && self.state.goal == self.before.goal
            && self.state.awaited == self.before.awaited
            && self.did_nothing();
        if !same || told {
            return;
        }
        self.state.stuck = self.before.stuck.saturating_add(1);
        if self.state.stuck >= STUCK && !self.state.handed_over {
            self.speech = TurnSpeech::default();
            if !self.offer_person() {
                // Nobody can be called, so that it waits until it is wanted again.
                self.say(Phrase::Left, &[]);
                self.state.lay_aside();
            }
        }
    }

    /// Whether the message says yes to the visit that was read back and asks for one of something else besides.
    fn agrees_and_wants_another(&self) -> bool {
        let Some(Goal::Book(goal)) = &self.before.goal else {
            return false;
        };
        let index = &self.business.names.services;
        let spans = self.heard.of(SpanKind::Service);
        let mut named = spans.filter_map(|span| index.link(&span.text, self.heard.language).one());
        let known = |id: Uuid| goal.visits.iter().any(|visit| visit.service == Some(id));
        let waits = self.before.awaited == Some(Awaited::Consent) && self.consent == Consent::Yes;
        waits
            && self.heard.does(Act::Book)
            && !self.heard.does(Act::Correct)
            && named.any(|id| !known(id))
    }

    /// Whether the message says yes to what was read back and wants something of another kind besides: "sí, cámbiela. ¿me
    /// hace factura?".
    fn agrees_and_wishes(&self) -> Known<bool> {
        let waits = self.before.awaited == Some(Awaited::Consent) && self.consent == Consent::Yes;
        let Some(active) = self.state.goal.as_ref().map(Goal::kind).filter(|_| waits) else {
            return Ok(false);
        };
        Ok(self.wished()?.is_some_and(|kind| kind != active))
    }

    /// Answers what was asked and takes the next step towards the goal, in the order that makes sense.
    fn go_on(&mut self, begun: bool, taken: bool) -> Known<()> {
        let questions = self.open_questions(begun, taken);
        let settles = self.state.goal.is_some() && self.agrees_or_refuses();
        if self.state.goal.is_none() && !begun {
            return self.answer_or_talk(&questions);
        }
        let moves = begun || taken || settles;
        if moves && self.consent == Consent::Yes && !begun && !taken {
            // Whoever says yes and asks besides has it done first.
            self.state.stuck = 0;
            self.advance()?;
            return self.answer_all(&questions);
        }
        self.answer_all(&questions)?;
        if moves {
            self.state.stuck = 0;
            return self.advance();
        }
        if !questions.is_empty() {
            return self.ask_again();
        }
        self.come_no_further()
    }

    /// Whether the message answers a question for yes or no that the goal under way waits for.
    fn agrees_or_refuses(&self) -> bool {
        matches!(self.consent, Consent::Yes | Consent::No)
            && matches!(
                self.before.awaited,
                Some(Awaited::Consent | Awaited::Slot | Awaited::Offer(_))
            )
            || self.repeats_wish()
    }

    /// Says the next thing that the goal under way needs.
    fn advance(&mut self) -> Known<()> {
        let Some(goal) = self.state.goal.clone() else {
            return Ok(());
        };
        self.state.awaited = None;
        match goal {
            Goal::Book(goal) => self.advance_booking(goal)?,
            Goal::Move(goal) => self.advance_move(*goal)?,
            Goal::CancelVisit(goal) => self.advance_cancel_visit(goal)?,
            Goal::Order(goal) => self.advance_order(*goal)?,
            Goal::CancelOrder(goal) => self.advance_cancel_order(goal)?,
            Goal::Redeem(goal) => self.advance_redeem(goal)?,
            Goal::Invoice(goal) => self.advance_invoice(goal)?,
            Goal::Contact => self.advance_contact(),
        }
        Ok(())
    }

    /// Asks again for what was awaited, after something else was answered.
    fn ask_again(&mut self) -> Known<()> {
        if self.before.awaited == Some(Awaited::Consent) && self.state.goal == self.before.goal {
            self.say(Phrase::ConfirmAgain, &[]);
            self.state.awaited = Some(Awaited::Consent);
            return Ok(());
        }
        self.advance()
    }

    /// Goes on where a message said nothing that helps.
    fn come_no_further(&mut self) -> Known<()> {
        if self.small_talk() {
            return self.ask_again();
        }
        self.state.stuck = self.state.stuck.saturating_add(1);
        if self.state.stuck >= STUCK && self.offer_person() {
            return Ok(());
        }
        // What sounds like nothing may be about something that the business wrote down.
        let words = self.heard.words.len();
        if words > 2 && self.consent == Consent::Open && self.tell_knowledge_of(&self.heard.text)? {
            return self.ask_again();
        }
        self.advance()
    }

    // --- Saying ---------------------------------------------------------------------------------------------------

    fn say(&mut self, phrase: Phrase, filling: &[(&str, &str)]) {
        self.speech.add(self.voice.say(phrase, filling));
    }

    /// A sentence with how to reach the business.
    fn say_with_contact(&mut self, phrase: Phrase, filling: &[(&str, &str)]) {
        let mut filling = filling.to_vec();
        let company = self.profile.company_name.as_str();
        filling.push(("company", company));
        let reach = self.business.reach();
        filling.push(("contact", reach.unwrap_or_default()));
        self.say(phrase, &filling);
        let asks = self.state.goal.is_some() || self.state.awaited.is_some();
        if reach.is_none()
            && !asks
            && phrase != Phrase::EscalationApart
            && self.profile.has_customer
        {
            // Nobody can be written to, but somebody can be told.
            self.offer_person();
        }
    }

    /// Says why something did not work. No code ever reaches a customer.
    fn explain(&mut self, error: &Error) {
        match error.code() {
            // These sentences are written for customers.
            ErrorCode::SlotUnavailable
            | ErrorCode::OrderRefused
            | ErrorCode::OrderState
            | ErrorCode::AppointmentState => {
                let text = error.message(self.voice.language);
                self.speech.add(text);
            }
            ErrorCode::LeadRequired => self.say(Phrase::AskContact, &[]),
            ErrorCode::LoyaltyInactive => {
                let company = self.profile.company_name.as_str();
                self.say(Phrase::LoyaltyInactive, &[("company", company)]);
            }
            // What was switched off is not told here, and asking again does not help.
            ErrorCode::NotFound | ErrorCode::ToolDisabled => {
                self.say_with_contact(Phrase::NoInformation, &[]);
                self.ignorant = true;
            }
            _ => {
                self.say_with_contact(Phrase::Apology, &[]);
                self.failed = true;
            }
        }
    }

    // --- The customer ---------------------------------------------------------------------------------------------

    /// What the customer is called, as they said it or as it is known.
    fn customer_name(&self) -> Option<String> {
        let said = self.state.customer.name.clone();
        said.or_else(|| self.profile.customer_name.clone())
    }

    /// The names that the message gives.
    fn names_given(&self) -> Vec<String> {
        let wish = match (&self.before.awaited, &self.state.goal) {
            (Some(Awaited::Name | Awaited::Phone), _) => NameWish::Asked,
            (_, Some(_)) => NameWish::Wanted,
            (None, None) if self.before.handed_over => NameWish::Wanted,
            _ => NameWish::Unasked,
        };
        let business = self.business;
        let company = quipu_core::text::fold(&self.profile.company_name);
        let known = |text: &str| {
            business.is_known_name(text)
                || business.is_one_of_team(text)
                || quipu_core::text::fold(text) == company
        };
        self.heard.names(wish, &known)
    }

    /// Keeps what the customer says of themselves, as soon as it is said.
    fn keep_contact(&mut self) -> Known<()> {
        let invoicing = matches!(self.before.goal, Some(Goal::Invoice(_)));
        let names = self.names_given();
        let mut told = Map::new();
        // Of several names it is not known which one is the customer's.
        let theirs = match names.as_slice() {
            [one] if !invoicing && !self.gives_name_of_another() => Some(one.clone()),
            _ => None,
        };
        let customer = &mut self.state.customer;
        let mut keep = |slot: &mut Option<String>, field: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| slot.as_ref() != Some(value)) {
                told.insert(field.to_owned(), json!(value));
                *slot = Some(value);
            }
        };
        keep(&mut customer.name, "name", theirs);
        keep(&mut customer.phone, "phone", self.heard.phone());
        keep(&mut customer.email, "email", self.heard.email());
        let worth = self.profile.has_customer && self.profile.has("update_lead_info");
        if !told.is_empty() && worth && !self.profile.only_reads {
            // What cannot be kept is no reason to stop; the words are in the conversation.
            let _ = self.facts.change("update_lead_info", Value::Object(told))?;
        }
        Ok(())
    }

    /// Whether the visit that is being booked is for somebody else, whose name is given.
    fn gives_name_of_another(&self) -> bool {
        let Some(Goal::Book(goal)) = &self.before.goal else {
            return false;
        };
        goal.visits.iter().any(|visit| visit.whose.is_some())
    }
}
