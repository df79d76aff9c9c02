//! The agent without a model: what the supervisor understood, the tools, and sentences from data
//! files. It asks for one thing at a time, changes nothing without a yes or a complete request, and
//! says that it does not know what nobody wrote down.

mod alarms;
mod answers;
mod booking;
mod catalogue;
mod complaints;
mod consent;
mod contacts;
mod faq;
mod folded;
mod forgone;
mod information;
mod invoice;
mod kin;
mod lists;
mod loyalty;
mod office;
mod ordering;
mod person;
mod reachable;
mod refusals;
mod scene;
mod talk;
mod templates;
#[cfg(test)]
mod tests;
mod transcript;
mod urgent;
mod voice;
mod warning;

pub use transcript::context;

use crate::conversation::language;
use crate::desk::{Desk, Setting};
use crate::supervisor::{Awaiting, Understanding};
use folded::{begins, folded};
use office::Office;
use quipu_core::Result;
use quipu_core::agent::{AssistantType, Intent};
use quipu_core::language::Language;
use quipu_core::lead::Temperature;
use quipu_core::phrases;
use quipu_core::ports::{ReplyPart, Responder, Speaker, Turn};
use quipu_core::retrieval::Passage;
use quipu_core::validate::{Checks, Problem};
use scene::{Draft, Scene};
use transcript::Goal;
use voice::Voice;

/// What the agent answers.
#[derive(Clone, Debug)]
pub struct Reply {
    pub parts: Vec<ReplyPart>,
    /// What the sources of the parts point into.
    pub passages: Vec<Passage>,
    pub temperature: Temperature,
    /// What the customer was asked for.
    pub awaiting: Option<Awaiting>,
    /// What was answered.
    pub intent: Intent,
    pub language: Language,
    /// It had to say that it does not know.
    pub ignorant: bool,
    /// Whoever quotes documents failed, so that more may be known than was said.
    pub degraded: bool,
}

impl Reply {
    /// The answer as one text.
    #[must_use]
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        parts.join(" ")
    }
}

/// Answers the last message of a conversation. A tool that fails is no error: the customer gets a
/// sentence to act on.
///
/// # Errors
/// `VALIDATION_FAILED` when the conversation does not end with a message of the customer.
pub async fn reply(
    setting: &Setting,
    messages: &[Turn],
    understood: &Understanding,
    desk: &dyn Desk,
    quoter: &dyn Responder,
    key: &str,
) -> Result<Reply> {
    let messages = &*transcript::legible(messages);
    let last = messages
        .last()
        .filter(|turn| turn.speaker == Speaker::Customer);
    let Some(last) = last else {
        let mut checks = Checks::new();
        checks.problem("messages", Problem::Empty);
        return Err(checks.finish().expect_err("a problem was added"));
    };
    let language = language(messages, setting.default_language);
    let mut plain = transcript::understood_plainly(setting, messages, understood);
    if let Some(plain) = &mut plain {
        plain.acts.clone_from(&understood.acts);
    }
    let understood = plain.as_ref().unwrap_or(understood);
    let scene = Scene {
        setting,
        messages,
        understood,
        state: transcript::read(setting, messages, Some(understood)),
        voice: Voice {
            language,
            style: setting.style,
            medium: setting.medium,
        },
        office: Office::new(desk, setting.tools_off, key),
        quoter,
        text: &last.text,
        words: folded(&last.text),
        may_change: true,
    };
    let mut draft = Draft::default();
    let intent = match scene.answer(&mut draft).await {
        Ok(intent) => intent,
        Err(error) => {
            scene.explain(&mut draft, &error).await;
            understood.intent()
        }
    };
    if draft.failed && (draft.is_empty() || draft.ignorant) {
        // Not knowing and not being able to look are two things.
        draft.parts.clear();
        draft.add(phrases::apology(&setting.company_name, language));
    } else if draft.is_empty() {
        scene
            .say_with_contact(&mut draft, "no_information", &[])
            .await;
    }
    Ok(Reply {
        temperature: warmest(scene.state.temperature, draft.temperature),
        parts: draft.parts,
        passages: draft.passages,
        awaiting: draft.awaiting,
        ignorant: draft.ignorant,
        degraded: draft.failed,
        intent,
        language,
    })
}

fn warmest(before: Temperature, now: Option<Temperature>) -> Temperature {
    let rank = |temperature: Temperature| match temperature {
        Temperature::Hot => 2,
        Temperature::Warm => 1,
        Temperature::Cold => 0,
    };
    now.filter(|now| rank(*now) > rank(before))
        .unwrap_or(before)
}

impl Scene<'_> {
    /// Answers, and says what was answered.
    async fn answer(&self, draft: &mut Draft) -> Result<Intent> {
        let intent = self.understood.intent();
        self.keep_contacts().await;
        // Help comes before whatever is under way or asked for besides.
        if self.names_danger() {
            return self.urgent_and_asked(draft, intent).await;
        }
        if self.asks_if_machine() {
            let filling = [
                ("agent", self.setting.agent_name.as_str()),
                ("company", &self.setting.company_name),
            ];
            draft.say(self.voice, "machine", &filling);
            self.return_to_goal(draft).await?;
            return Ok(Intent::General);
        }
        if self.wants_person() {
            return Ok(self.call_person(draft).await);
        }
        if self.repeat_offer(draft) {
            return Ok(Intent::General);
        }
        if self.tell_contact(draft).await {
            self.return_to_goal(draft).await?;
            return Ok(Intent::Faq);
        }
        if self.gives_document() && self.is_settling() {
            draft.say(self.voice, "noted.aside", &[]);
            self.return_to_goal(draft).await?;
            return Ok(self.state.goal.map_or(Intent::General, Goal::intent));
        }
        let chooses = self.state.goes_on
            && self.state.goal == Some(Goal::Booking)
            && self.state.awaiting.is_some();
        let settling = self.state.goes_on && self.state.awaiting.is_some();
        let urgent =
            self.state.urgent_now || (self.seems_urgent() && !settling) || self.names_lost_tooth();
        // A cold may sound urgent, and is no reason to call anybody.
        if !self.state.urgent_now && self.hear_complaint(draft) {
            return Ok(Intent::Faq);
        }
        // Who is being booked already is not sent back to the beginning.
        let visiting = self.state.goal == Some(Goal::Booking)
            && self.is_settling()
            && !self.text.contains('?');
        if urgent || (self.still_urgent() && !chooses && !visiting) {
            return self.urgent_and_asked(draft, intent).await;
        }
        if self.state.left.is_some() {
            draft.say(self.voice, "left", &[]);
            return Ok(Intent::General);
        }
        if self.follow_order(draft).await? || self.change_sent(draft).await? {
            return Ok(Intent::Ordering);
        }
        if self.follow_booking(draft).await? {
            return Ok(Intent::Booking);
        }
        if self.tell_so_far(draft).await? {
            self.return_to_goal(draft).await?;
            return Ok(Intent::Ordering);
        }
        let books = begins(
            &self.words,
            &["cita", "agend", "reserv", "turno", "appointment"],
        );
        if self.asks_diagnosis() && !books {
            draft.say(self.voice, "no_diagnosis", &[]);
            self.invite(draft);
            return Ok(Intent::Faq);
        }
        if self.tell_condition(draft).await? || self.changes_party(draft).await {
            return Ok(Intent::Booking);
        }
        if self.asks_own() {
            return self.tell_own(draft).await;
        }
        if self.tell_minimum(draft).await? {
            self.return_to_goal(draft).await?;
            return Ok(Intent::Faq);
        }
        if self.tell_delivery(draft).await? {
            self.return_to_goal(draft).await?;
            return Ok(Intent::Faq);
        }
        if let Some(tokens) = self.speaks_of_tokens().await {
            return self.tokens(draft, &tokens).await;
        }
        if self.asks_about_goal() && self.tell_knowledge(draft).await? {
            return Ok(Intent::Faq);
        }
        if let Some(goal) = self.state.goal.filter(|_| self.state.goes_on) {
            self.second(draft, goal.intent()).await?;
            if draft.is_empty() {
                self.answer_aside(draft).await?;
            }
            self.go_on(draft, goal).await?;
            return Ok(goal.intent());
        }
        let intent = self.inform(draft, intent).await?;
        self.return_to_goal(draft).await?;
        Ok(intent)
    }

    /// Whether the message asks about a thing that it could also be a wish for: "¿dan factura?",
    /// "¿cómo agendo?". The second is a wish wherever the agent can fulfil it.
    fn asks_about_goal(&self) -> bool {
        let first = self.words.split(' ').next().unwrap_or_default();
        let asks = self.text.contains('?') && self.state.awaiting.is_none();
        asks && match self.state.goal {
            Some(Goal::Invoice) => {
                matches!(
                    first,
                    "dan" | "hacen" | "emiten" | "entregan" | "dais" | "do"
                )
            }
            Some(Goal::Booking) => !self.setting.has_customer && matches!(first, "como" | "how"),
            _ => false,
        }
    }

    /// The name of the points, when the message is about them by a name that only this business has.
    async fn speaks_of_tokens(&self) -> Option<String> {
        let intent = self.understood.intent();
        let open = matches!(
            intent,
            Intent::General | Intent::Faq | Intent::Pricing | Intent::Ordering | Intent::Booking
        );
        let busy = matches!(
            self.state.awaiting,
            Some(Awaiting::Address | Awaiting::Name | Awaiting::TaxData)
        );
        if !open || busy {
            return None;
        }
        self.names_tokens().await
    }

    async fn tokens(&self, draft: &mut Draft, tokens: &str) -> Result<Intent> {
        let wanted = transcript::redeems(&self.words) && !self.asks_for_more(tokens);
        let ordering = self.state.goal == Some(Goal::Order) && self.state.awaiting.is_some();
        if wanted && ordering {
            self.go_on(draft, Goal::Order).await?;
        } else if wanted {
            self.redeem(draft).await?;
        } else {
            self.tell_balance(draft).await?;
        }
        Ok(Intent::Loyalty)
    }

    /// Takes the next step towards a goal, as far as this kind of assistant goes.
    async fn go_on(&self, draft: &mut Draft, goal: Goal) -> Result<()> {
        let kind = self.setting.assistant_type;
        let books = matches!(
            kind,
            AssistantType::Full | AssistantType::AppointmentsOnly | AssistantType::PersonalBrand
        );
        let orders = matches!(
            kind,
            AssistantType::Full | AssistantType::OrdersOnly | AssistantType::PersonalBrand
        );
        // What sounds like a wish may ask for what the business wrote down: "¿recogen en Surco?".
        let nothing = self.has_nothing_for(goal).await;
        let asks = self.text.contains('?');
        let able = self.has_tool_for(goal)
            && match goal.intent() {
                Intent::Booking => books,
                Intent::Ordering => orders,
                _ => true,
            };
        if (nothing || asks && !able) && self.tell_knowledge(draft).await? {
            return Ok(());
        }
        match goal {
            Goal::Order if nothing => {
                let key = if asks {
                    "no_information"
                } else {
                    "cannot.order"
                };
                self.say_with_contact(draft, key, &[]).await;
                Ok(())
            }
            Goal::Booking | Goal::Reschedule | Goal::CancelAppointment if !books => {
                if !self.capture(draft) {
                    self.say_with_contact(draft, "cannot.book", &[]).await;
                }
                Ok(())
            }
            Goal::Order | Goal::CancelOrder if !orders => {
                if !self.capture(draft) {
                    self.say_with_contact(draft, "cannot.order", &[]).await;
                }
                Ok(())
            }
            goal if self.goes_without(draft, goal).await => Ok(()),
            Goal::Booking if self.means_booked().await => self.reschedule(draft).await,
            Goal::Booking => {
                self.repeat_warning(draft);
                self.book(draft).await
            }
            Goal::Reschedule => self.reschedule(draft).await,
            Goal::CancelAppointment => self.cancel_appointment(draft).await,
            Goal::Order => {
                self.note_reward(draft).await;
                self.order(draft).await
            }
            Goal::CancelOrder => self.cancel_order(draft).await,
            Goal::Redeem => self.redeem(draft).await,
            Goal::Invoice => self.invoice(draft).await,
        }
    }

    /// Goes back to what was being settled before the question.
    async fn return_to_goal(&self, draft: &mut Draft) -> Result<()> {
        let Some(goal) = self.state.goal.filter(|_| self.state.awaiting.is_some()) else {
            return Ok(());
        };
        if self.says_thanks() || draft.awaiting.is_some() {
            return Ok(());
        }
        let aside = self.aside(self.text);
        Box::pin(aside.go_on(draft, goal)).await
    }
}
