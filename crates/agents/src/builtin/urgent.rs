//! What cannot wait: advice, a person, and the soonest times. Nothing here diagnoses.

use super::alarms::without_false_alarms;
use super::booking::Sought;
use super::folded::{begins, field, says};
use super::scene::{Draft, Scene};
use super::templates::Templates;
use crate::supervisor::Awaiting;
use crate::when::When;
use quipu_core::agent::{AssistantType, Intent, Vertical};
use quipu_core::lead::Temperature;
use quipu_core::ports::Speaker;
use quipu_core::urgency::{Assessment, Level, assess_symptoms};
use quipu_core::{ErrorCode, Result};
use serde_json::json;
use std::borrow::Cow;

/// From this level on a person takes over.
const TAKES_OVER: u64 = 4;
/// How many of the last messages describe what is felt.
const MOST_SYMPTOMS: usize = 6;

/// A question about the price alone has no more words than this.
const FEW: usize = 5;
/// What somebody asks who does not know what to do.
const WHAT_TO_DO: &[&str] = &[
    "que hago",
    "que puedo hacer",
    "que debo hacer",
    "what do i do",
    "what should i do",
    "what can i do",
];

impl Scene<'_> {
    /// Answers somebody who cannot wait, and what they ask with it.
    pub(super) async fn urgent_and_asked(
        &self,
        draft: &mut Draft,
        asked: Intent,
    ) -> Result<Intent> {
        if asked == Intent::Hours {
            self.tell_hours(draft).await?;
        }
        let answered = self.urgent(draft).await?;
        if asked == Intent::Pricing {
            self.tell_urgent_price(draft).await?;
        }
        Ok(answered)
    }

    /// Answers somebody who cannot wait.
    pub(super) async fn urgent(&self, draft: &mut Draft) -> Result<Intent> {
        let named = self.state.urgent;
        let dental = self.setting.vertical == Vertical::Dental;
        // Where nothing urgent was named, what the business wrote may be all that is asked for.
        let danger = self.in_danger();
        let related = !named && !dental && !danger && !self.asks_diagnosis();
        if related && (self.tell_related_policy(draft).await || self.tell_knowledge(draft).await?) {
            return Ok(Intent::Faq);
        }
        draft.temperature = Some(Temperature::Hot);
        // Who was told once needs the next step, and not the same again.
        let told_before = self.was_told("escalated.urgent");
        let mut serious = named || danger;
        if dental {
            let asked = json!({ "symptoms": self.symptoms() });
            let told = self.office.call("check_dental_urgency", asked).await?;
            // The tool speaks the language of the agent, and the customer may speak another.
            let translated = assess_symptoms(&self.symptoms(), self.voice.language).recommendation;
            let own = self.voice.language == self.setting.default_language;
            let advice = field(&told, "recommendation").filter(|_| own);
            let advice = advice.unwrap_or(&translated);
            let repeated = self.messages.iter().any(|turn| turn.text.contains(advice));
            if repeated {
                let key = if danger { "emergency.now" } else { "emergency" };
                draft.say(self.voice, key, &[]);
            } else {
                draft.add(advice.to_owned());
            }
            serious = told["urgency_level"].as_u64().unwrap_or(TAKES_OVER) >= TAKES_OVER;
        } else if danger {
            draft.say(self.voice, "emergency.now", &[]);
        } else {
            if self.setting.vertical == Vertical::Medical {
                draft.say(self.voice, "no_diagnosis", &[]);
            }
            draft.say(self.voice, "emergency", &[]);
        }
        if serious && !told_before {
            self.hand_over(
                draft,
                "escalated.urgent",
                self.voice.pick("Urgencia", "Urgent"),
            )
            .await;
        }
        // Who should be on the way to a hospital is not kept with times to choose from.
        if danger {
            self.tell_emergency_number(draft).await;
            return Ok(Intent::Urgent);
        }
        if !told_before {
            self.offer_soonest(draft).await;
        }
        // "¿Atienden emergencias?" is a question too, and for somebody unknown the only one to answer.
        if !self.setting.has_customer && self.text.contains('?') {
            self.tell_knowledge(draft).await?;
        }
        Ok(Intent::Urgent)
    }

    /// Whether somebody's life may be in danger, by what is said now and was said just before. A tooth
    /// that may still be saved is for the clinic, and not for an ambulance.
    pub(super) fn in_danger(&self) -> bool {
        const OF_THE_CLINIC: &[&str] = &["tooth knocked out", "jaw out of its joint"];
        let dangerous = |told: Assessment| {
            told.reasons.iter().any(|reason| {
                reason.level == Level::Emergency && !OF_THE_CLINIC.contains(&reason.rule.as_str())
            })
        };
        // What is said now counts by itself too: it may seem to be about something else.
        dangerous(assess_symptoms(&self.symptoms(), self.voice.language))
            || dangerous(assess_symptoms(&[self.plainly()], self.voice.language))
    }

    /// The last message without what only sounds like an alarm.
    fn plainly(&self) -> Cow<'_, str> {
        without_false_alarms(self.text, self.state.awaiting)
    }

    /// Whether a tooth was lost just now, which may be saved if somebody comes at once, whatever is asked with it.
    pub(super) fn names_lost_tooth(&self) -> bool {
        let said = assess_symptoms(&[self.plainly()], self.voice.language);
        let dental = self.setting.vertical == Vertical::Dental;
        dental && !self.state.settles && said.level == Level::Emergency
    }

    /// Tells what the visit costs that somebody who cannot wait is offered, and offers it again: what it costs is
    /// asked by whoever means to come.
    pub(super) async fn tell_urgent_price(&self, draft: &mut Draft) -> Result<()> {
        let asked = json!({ "urgent": true, "limit": 1 });
        let told = self.office.call("get_available_slots", asked).await;
        let told = told.unwrap_or_default();
        if let Some(service) = field(&told, "service_name") {
            let text = format!("¿cuánto cuesta {service}?");
            self.aside(&text).tell_price(draft).await?;
        }
        if !self.in_danger() && draft.awaiting.is_none() {
            self.offer_soonest(draft).await;
        }
        Ok(())
    }

    /// The same of the last message, whatever else it seems to be about. Where nobody is treated, only what is
    /// no way of speaking of food counts by itself; for the rest the supervisor has to have heard it too.
    pub(super) fn names_danger(&self) -> bool {
        const ANYWHERE: &[&str] = &[
            "danger to life",
            "violence",
            "blood from inside",
            "loss of consciousness",
            "grave otherwise",
            "poisoning",
            "choking",
            "pregnancy in danger",
            "face droops",
        ];
        let clinic = matches!(self.setting.vertical, Vertical::Dental | Vertical::Medical);
        let said = assess_symptoms(&[self.plainly()], self.voice.language);
        let heard = self.hears_urgency() || self.understood.intent() == Intent::Urgent;
        let named = said.reasons.iter().any(|reason| {
            let known = clinic || heard || ANYWHERE.contains(&reason.rule.as_str());
            reason.level == Level::Emergency && known
        });
        named && self.in_danger()
    }

    /// Whether some rule of the supervisor speaks of what cannot wait, and not its guess alone.
    fn hears_urgency(&self) -> bool {
        let mut reasons = self.understood.reasons.iter();
        reasons.any(|reason| reason.intent == Intent::Urgent && reason.weight > 0.0)
    }

    /// Whether the message is taken for urgent. Where nobody is treated a mere guess is none: "pido 2 y me
    /// despido" is an order.
    pub(super) fn seems_urgent(&self) -> bool {
        let clinic = matches!(self.setting.vertical, Vertical::Dental | Vertical::Medical);
        self.understood.intent() == Intent::Urgent && (clinic || self.hears_urgency())
    }

    /// Whether the agent has said a sentence in this matter.
    pub(super) fn was_told(&self, key: &str) -> bool {
        let said = self
            .messages
            .iter()
            .filter(|turn| turn.speaker == Speaker::Agent);
        let mut known = said.flat_map(|turn| Templates::get().recognise(&turn.text));
        known.any(|said| said.key == key)
    }

    /// What the customer said that they feel, the oldest first.
    fn symptoms(&self) -> Vec<String> {
        let heard: Vec<_> = self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
            .collect();
        let first = heard.len().saturating_sub(MOST_SYMPTOMS);
        let texts = heard[first..].iter().filter_map(|heard| {
            let text = &self.messages.get(heard.at)?.text;
            Some(without_false_alarms(text, heard.awaiting))
        });
        let mut texts: Vec<String> = texts
            .map(|text| text.chars().take(1_000).collect())
            .collect();
        texts.retain(|text: &String| !text.trim().is_empty());
        texts
    }

    async fn offer_soonest(&self, draft: &mut Draft) {
        let books = matches!(
            self.setting.assistant_type,
            AssistantType::Full | AssistantType::AppointmentsOnly
        );
        let books = books && self.has_tool("create_appointment");
        let clinic = matches!(self.setting.vertical, Vertical::Dental | Vertical::Medical);
        if !books || !clinic {
            return;
        }
        let sought = Sought {
            urgent: true,
            ..Sought::default()
        };
        let Ok(free) = self.free(&sought, &When::default()).await else {
            return;
        };
        if !free.slots.is_empty() {
            let options = self.moments(&free.slots[..free.slots.len().min(2)]);
            draft.say(self.voice, "urgent.slots", &[("options", &options)]);
        }
    }

    /// Asks for a person, and says so. Where nobody can take over, says how to reach the team.
    pub(super) async fn hand_over(&self, draft: &mut Draft, key: &str, why: &str) {
        // A bare yes to the offer of a person tells them nothing.
        let said = if self.offered_person() {
            let heard = self.state.heard.iter().rev().take(3).rev();
            let texts = heard.filter_map(|heard| self.messages.get(heard.at));
            let texts: Vec<&str> = texts.map(|turn| turn.text.as_str()).collect();
            texts.join(" / ")
        } else {
            self.text.to_owned()
        };
        let said: String = said.chars().take(400).collect();
        let reason = format!("{why}: {said}");
        let asked = json!({ "reason": reason });
        match self.office.call("escalate_to_human", asked).await {
            Ok(_) => draft.say(self.voice, key, &[]),
            // Somebody was asked for already.
            Err(error) if error.code() == ErrorCode::HandoffState => {
                draft.say(self.voice, key, &[]);
            }
            Err(_) => self.say_with_contact(draft, "escalation.apart", &[]).await,
        }
    }

    /// Whether the message goes on with something urgent: "¿qué hago?", "ya cerraron, ¿verdad?".
    pub(super) fn still_urgent(&self) -> bool {
        let intent = self.understood.intent();
        let asks = matches!(
            intent,
            Intent::Faq | Intent::General | Intent::Hours | Intent::Urgent
        );
        let answers = self
            .state
            .awaiting
            .is_some_and(|awaiting| awaiting == Awaiting::Time)
            && self.state.affirms.is_some();
        let helpless = says(&self.words, WHAT_TO_DO);
        // What it costs to be seen at once is asked in a few words, which name nothing else.
        let price = intent == Intent::Pricing
            && self.words.split(' ').count() <= FEW
            && self.state.completed.is_empty();
        self.state.urgent && (asks || helpless || price) && !answers && !self.says_thanks()
    }

    /// Whether a medicine or how much of it is asked about, which nobody but a professional may answer.
    fn asks_about_medicine(&self) -> bool {
        const MEDICINES: &[&str] = &[
            "ibuprofen",
            "paracetamol",
            "acetaminof",
            "amoxicil",
            "aspirin",
            "naproxen",
            "ketorolac",
            "diclofenac",
            "metamizol",
            "tramadol",
            "penicilin",
            "clindamicin",
            "prednison",
            "omeprazol",
            "loratadin",
            "isotretinoin",
            "tylenol",
            "advil",
            "jarabe",
            "analgesic",
            "antiinflam",
            "painkiller",
        ];
        const TAKING: &[&str] = &[
            "tom", "dosis", "dose", "mg", "miligram", "cuant", "cada", "puedo", "take", "much",
            "often", "pued", "debo", "should", "can", "sirve",
        ];
        begins(&self.words, MEDICINES) && begins(&self.words, TAKING) && self.text.contains('?')
    }

    /// Whether a diagnosis or a prescription is asked for.
    pub(super) fn asks_diagnosis(&self) -> bool {
        let clinic = matches!(self.setting.vertical, Vertical::Dental | Vertical::Medical);
        let asks = begins(
            &self.words,
            &[
                "recet",
                "diagnos",
                "prescri",
                "medicament",
                "antibiot",
                "pastilla",
                "cancer",
            ],
        ) || self.asks_about_medicine()
            || says(
                &self.words,
                &[
                    "que tengo",
                    "que puedo tomar",
                    "que me tomo",
                    "que me pongo",
                    "que sera",
                    "sera grave",
                    "es grave",
                    "what do i have",
                    "what should i take",
                    "is it serious",
                ],
            );
        clinic && asks
    }
}
