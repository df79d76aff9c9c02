//! Which part of the agent answers a question.

use super::faq::asked_part;
use super::folded::{begins, folded};
use super::ordering::names_street;
use super::person;
use super::scene::{Draft, Scene};
use super::transcript::{Goal, asks_orders, asks_status, asks_what_to_bring};
use crate::supervisor::{Awaiting, Context, Supervisor};
use quipu_core::Result;
use quipu_core::agent::{AssistantType, Intent, Vertical};
use quipu_core::ports::Speaker;
use quipu_core::reading::Act;

/// A second intent is answered as well when it is this certain.
const SECOND: f32 = 0.22;

/// And when a part of the message asks for nothing else this surely.
const SURELY: f32 = 0.6;
/// What a message does that is more than to answer or to ask.
pub(super) const WISHES: &[Act] = &[
    Act::Book,
    Act::Reschedule,
    Act::Cancel,
    Act::Order,
    Act::Add,
    Act::Remove,
    Act::Swap,
    Act::Redeem,
    Act::Invoice,
];
/// As many words as stand around a telephone that is all a message says.
const FEW: usize = 5;
/// How many parts of a message are looked at.
const MOST_PARTS: usize = 6;

/// Whether the tables answer it with a look.
const fn is_cheap(intent: Intent) -> bool {
    matches!(intent, Intent::Pricing | Intent::Location | Intent::Hours)
}

impl Scene<'_> {
    /// Answers a question that came along with a wish, where that is cheap.
    pub(super) async fn second(&self, draft: &mut Draft, first: Intent) -> Result<()> {
        // An address or a name that was asked for is no question about a place.
        let told = matches!(
            self.state.awaiting,
            Some(Awaiting::Address | Awaiting::Name | Awaiting::Phone | Awaiting::TaxData)
        );
        let brought = first == Intent::Ordering && names_street(self.text);
        if (told || brought) && !self.text.contains('?') {
            return Ok(());
        }
        let ranked = self.understood.ranked.iter().take(3);
        let mut sure =
            ranked.filter(|(intent, certainty)| *intent != first && *certainty >= SECOND);
        let second = sure
            .find(|(intent, _)| is_cheap(*intent))
            .map(|(intent, _)| *intent);
        let second = second.or_else(|| self.asked_besides(first));
        let prices = [
            "cuant", "cuest", "precio", "cost", "sale", "vale", "much", "price", "esta",
        ];
        match second {
            Some(Intent::Pricing) if begins(&self.words, &prices) => {
                self.tell_price(draft).await?;
            }
            Some(Intent::Location) => self.tell_location(draft).await?,
            Some(Intent::Hours)
                if begins(
                    &self.words,
                    &["abre", "abren", "cierra", "horario", "open", "close"],
                ) =>
            {
                self.tell_hours(draft).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Answers from what is written down what a message asks beside what it was asked for: "a nombre de
    /// Ana, ¿hay estacionamiento?". What is settled goes on all the same.
    pub(super) async fn answer_aside(&self, draft: &mut Draft) -> Result<()> {
        let wishes = WISHES.iter().any(|act| self.understood.does(*act));
        let priced = self.understood.certainty(Intent::Pricing) >= SECOND;
        if !self.understood.does(Act::Ask) || wishes || priced || !self.is_settling() {
            return Ok(());
        }
        let aside = self.aside(asked_part(self.text).unwrap_or(self.text));
        aside.tell_knowledge(draft).await.map(drop)
    }

    /// What another part of the message asks: "¿cuánto cuesta, y a qué hora abren?".
    fn asked_besides(&self, first: Intent) -> Option<Intent> {
        let text = self.text.replace(" and ", "?").replace(" y ", "?");
        let parts: Vec<&str> = text.split(['?', '.', ',', ';', '\n']).collect();
        let context = Context {
            vertical: self.setting.vertical,
            language: self.voice.language,
            ..Context::default()
        };
        let parts = parts.iter().take(MOST_PARTS);
        let parts = parts.filter(|part| part.split_whitespace().count() > 2);
        let mut intents = parts.filter_map(|part| {
            let understood = Supervisor::compiled().understand(part, &context);
            let intent = understood.intent();
            (understood.certainty(intent) >= SURELY).then_some(intent)
        });
        intents.find(|intent| *intent != first && is_cheap(*intent))
    }

    /// Answers a question.
    pub(super) async fn inform(&self, draft: &mut Draft, intent: Intent) -> Result<Intent> {
        // A telephone or an address of mail and little else asks nothing, whatever it is guessed to.
        let few = self.words.split(' ').count() <= FEW;
        let given = person::phone(self.text).is_some() || person::email(self.text).is_some();
        if few && given && !self.text.contains('?') && !self.is_settling() {
            if !self.capture(draft) {
                self.thank_for_contacts(draft);
            }
            return Ok(Intent::General);
        }
        if let Some(kind) = self.policy_asked()
            && (self.tell_policy(draft, kind).await || self.tell_policy_sentence(draft, kind).await)
        {
            return Ok(Intent::Faq);
        }
        if self.tell_ingredients(draft).await? {
            return Ok(Intent::Faq);
        }
        if self.asks_owner() {
            self.tell_anything(draft).await?;
            return Ok(Intent::Faq);
        }
        if self.tell_attending(draft).await? {
            return Ok(Intent::Faq);
        }
        if self.tell_staff_hours(draft).await? {
            return Ok(Intent::Hours);
        }
        let waits = begins(&self.words, &["tarda", "demora", "falta", "llega", "long"]);
        if waits && self.state.completed.last() == Some(&Goal::Order) {
            self.order_status(draft).await?;
            return Ok(Intent::Ordering);
        }
        if self.tell_duration(draft).await? {
            return Ok(Intent::Faq);
        }
        if self.tell_promotions(draft).await? {
            return Ok(Intent::Faq);
        }
        if self.asks_menu() && self.tell_whole_menu(draft).await? {
            return Ok(Intent::Faq);
        }
        match intent {
            _ if asks_orders(&self.words) => self.order_status(draft).await?,
            _ if asks_what_to_bring(&self.words) => self.tell_anything(draft).await?,
            Intent::Ordering if asks_status(&self.words) => self.order_status(draft).await?,
            Intent::Pricing => {
                if self.tell_price(draft).await? {
                    self.second(draft, Intent::Pricing).await?;
                    self.invite(draft);
                } else if !self.tell_knowledge(draft).await? {
                    self.say_with_contact(draft, "no_information", &[]).await;
                }
            }
            // Parking is a question about a place that only the business can answer.
            Intent::Location if !self.asks_place() && self.tell_knowledge(draft).await? => {}
            Intent::Location => {
                self.tell_location(draft).await?;
                self.second(draft, Intent::Location).await?;
            }
            Intent::Hours => {
                self.tell_hours(draft).await?;
                self.second(draft, Intent::Hours).await?;
            }
            Intent::Loyalty => self.tell_balance(draft).await?,
            Intent::Greeting => {
                self.greet(draft);
                if self.setting.assistant_type == AssistantType::LeadCapture {
                    self.capture(draft);
                }
            }
            Intent::Faq if self.asks_staff() => self.tell_staff(draft).await?,
            Intent::Faq => self.tell_anything(draft).await?,
            _ => self.chat(draft).await?,
        }
        Ok(intent)
    }

    /// A question about anything: what the business wrote, else what it offers, else the truth.
    async fn tell_anything(&self, draft: &mut Draft) -> Result<()> {
        if self.tell_knowledge(draft).await? {
            return Ok(());
        }
        // "Do you have a free evaluation?" asks for a service.
        if begins(
            &self.words,
            &[
                "tien", "hacen", "hay", "ofrec", "manej", "atiend", "have", "offer", "realiz",
            ],
        ) && self.tell_price(draft).await?
        {
            self.invite(draft);
            return Ok(());
        }
        self.say_with_contact(draft, "no_information", &[]).await;
        Ok(())
    }

    /// What is neither a question nor a wish.
    async fn chat(&self, draft: &mut Draft) -> Result<()> {
        if self.capture(draft) || self.thank_for_contacts(draft) || self.small_talk(draft) {
            return Ok(());
        }
        // Points were spoken of a moment ago.
        let before = self
            .state
            .heard
            .iter()
            .rev()
            .nth(1)
            .map(|heard| heard.intent);
        let counts = begins(&self.words, &["cuant", "quedan", "quedaron", "left"]);
        if counts
            && (before == Some(Intent::Loyalty)
                || self.state.completed.last() == Some(&Goal::Redeem))
        {
            return self.tell_balance(draft).await;
        }
        if self.tell_knowledge(draft).await? {
            return Ok(());
        }
        let asks = self.text.contains('?');
        if asks {
            self.say_with_contact(draft, "no_information", &[]).await;
        } else {
            let company = self.setting.company_name.as_str();
            let key = if self.words.split(' ').count() > 3 {
                "off_topic"
            } else {
                "not_understood"
            };
            draft.say(self.voice, key, &[("company", company)]);
        }
        Ok(())
    }

    /// Offers to look for a time, unless the customer said that they want none.
    pub(super) fn invite(&self, draft: &mut Draft) {
        let books = matches!(
            self.setting.assistant_type,
            AssistantType::Full | AssistantType::AppointmentsOnly | AssistantType::PersonalBrand
        );
        let books = books && self.has_tool("create_appointment");
        let place = self.setting.vertical != Vertical::Restaurant;
        let told = self
            .messages
            .iter()
            .filter(|turn| turn.speaker == Speaker::Customer)
            .any(|turn| {
                let words = folded(&turn.text);
                words.contains("no quiero agendar")
                    || words.contains("sin agendar")
                    || words.contains("solo saber")
                    || words.contains("solo quiero saber")
                    || words.contains("just want to know")
            });
        if books && place && !told && self.state.goal.is_none() && self.state.completed.is_empty() {
            draft.say(self.voice, "invite.book", &[]);
        }
    }
}
