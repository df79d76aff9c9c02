//! Greeting, thanking, and what is none of the business's.

use super::answers::WISHES;
use super::folded::{begins, folded, says};
use super::person::{self, Expected};
use super::scene::{Draft, Scene};
use super::transcript::defers;
use quipu_core::agent::{AssistantType, Intent};
use quipu_core::reading::Act;

/// The sentences that offer a person.
const OFFERS_PERSON: &[&str] = &[
    "excluded",
    "order.sent",
    "offer.person",
    "offer.team",
    "table.too_large",
];

/// A guess of this certainty is as good as a rule.
const SURELY: f32 = 0.6;
/// A word of no more weight than this is said of many things: "se llama Salomé" asks for no call.
const WEAK: f32 = 1.0;
/// What somebody is spoken of with who is not asked for: who it is for, or who takes it at the door.
const SPOKEN_OF: &[&str] = &[
    "se llama",
    "se llaman",
    "su nombre es",
    "is called",
    "name is",
    "con el portero",
    "con la portera",
    "con el vigilante",
    "con el guardia",
    "con el conserje",
    "en recepcion",
    "en la recepcion",
    "en porteria",
    "en la porteria",
    "en la caseta",
    "with the doorman",
    "at the front desk",
];
/// What somebody does with an order who hands it over.
const HANDING: &[&str] = &["dejar", "dejal", "dejen", "dejas", "entreg", "leave"];

impl Scene<'_> {
    pub(super) fn greet(&self, draft: &mut Draft) {
        let known = self.setting.customer_name.as_deref().unwrap_or_default();
        let first_name = known.split_whitespace().next().unwrap_or_default();
        let filling = [
            ("agent", self.setting.agent_name.as_str()),
            ("company", &self.setting.company_name),
            ("customer", first_name),
        ];
        draft.say(self.voice, "greeting", &filling);
    }

    pub(super) fn says_thanks(&self) -> bool {
        begins(&self.words, &["gracias", "agradezc", "thank", "thanks"])
    }

    /// Thanks for a name or a way to answer that was given without being asked for.
    pub(super) fn thank_for_contacts(&self, draft: &mut Draft) -> bool {
        let name = person::name(self.text, Expected::No, &[]);
        let given = person::email(self.text).is_some() || person::phone(self.text).is_some();
        if name.is_none() && !given {
            return false;
        }
        if self.is_settling() {
            draft.say(self.voice, "noted.aside", &[]);
            return true;
        }
        let name = name.unwrap_or_default();
        let first_name = name.split_whitespace().next().unwrap_or_default();
        draft.say(self.voice, "noted", &[("customer", first_name)]);
        true
    }

    /// Whether something is on its way, and the customer was asked for the next thing.
    pub(super) fn is_settling(&self) -> bool {
        self.state.goal.is_some() && self.state.awaiting.is_some()
    }

    /// Whether the number of a document is given, which nobody has to be asked about again.
    pub(super) fn gives_document(&self) -> bool {
        let document = begins(
            &self.words,
            &["dni", "cedula", "curp", "documento", "passport"],
        );
        let number = self.text.contains(|c: char| c.is_ascii_digit());
        document && number && self.words.split(' ').count() <= 6 && !self.text.contains('?')
    }

    /// Whether it is asked who or what is speaking: "¿eres un robot?", "am I talking to a person?".
    pub(super) fn asks_if_machine(&self) -> bool {
        const ADDRESSING: &[&str] = &[
            "eres",
            "sos",
            "es usted",
            "es esto",
            "are you",
            "is this",
            "hablo con",
            "hablando con",
            "chateando con",
            "escribiendo con",
            "talking to",
            "talking with",
            "speaking to",
            "speaking with",
            "chatting with",
            "me atiende",
            "me responde",
            "contesta",
        ];
        const WHAT: &[&str] = &[
            "robot",
            "robots",
            "bot",
            "maquina",
            "ia",
            "inteligencia artificial",
            "chatbot",
            "humano",
            "humana",
            "human",
            "persona",
            "person",
            "real",
            "machine",
            "ai",
            "programa",
            "automatico",
            "contestador",
        ];
        let asks = self.text.contains('?')
            || begins(&self.words, &["eres", "sos", "are"]) && self.words.split(' ').count() <= 6;
        let wants = begins(
            &self.words,
            &["quier", "necesit", "pued", "want", "need", "can", "could"],
        );
        asks && !wants && says(&self.words, ADDRESSING) && says(&self.words, WHAT)
    }

    /// Whether it is asked who owns or runs the business, which is no complaint.
    pub(super) fn asks_owner(&self) -> bool {
        let who = says(&self.words, &["quien", "quienes", "who", "como se llama"]);
        let owns = begins(
            &self.words,
            &[
                "duen",
                "dueñ",
                "propietari",
                "owner",
                "owns",
                "gerente",
                "manager",
                "jefe",
                "fundador",
            ],
        );
        who && owns
    }

    /// Whether a person is wanted: asked for, or accepted when one was offered.
    pub(super) fn wants_person(&self) -> bool {
        // "Va, entonces dos de pastor" says yes to something else than a person.
        let wishes = WISHES.iter().any(|act| self.understood.does(*act));
        let more = wishes || self.understood.does(Act::Ask);
        if self.offered_person() && self.state.affirms == Some(true) && !more {
            return true;
        }
        // Nobody is called on a guess: some rule has to speak for it, or the guess be a certain one.
        let understood = self.understood;
        let mut reasons = understood.reasons.iter();
        let ruled =
            reasons.any(|reason| reason.intent == Intent::Escalation && reason.weight > WEAK);
        let handed = begins(&self.words, HANDING) && self.words.contains(" con ");
        let spoken_of = handed || says(&self.words, SPOKEN_OF);
        let guessed = understood.certainty(Intent::Escalation) >= SURELY && !spoken_of;
        let asked = understood.asks_human
            || understood.intent() == Intent::Escalation && (ruled || guessed);
        // A bare yes answers what was asked, whatever was spoken of before.
        let short = self.words.split(' ').count() <= 3;
        let agrees = short && self.state.awaiting.is_some() && self.state.affirms == Some(true);
        asked && !agrees && !self.state.settles && !self.asks_owner()
    }

    /// Whether a person was offered right before the message.
    pub(super) fn offered_person(&self) -> bool {
        let mut said = self.state.said.iter();
        said.any(|key| OFFERS_PERSON.contains(key))
    }

    /// Notes who the customer is who answers the offer of a person with that, and offers it again. The
    /// yes that follows is a yes to it.
    pub(super) fn repeat_offer(&self, draft: &mut Draft) -> bool {
        let contact = folded(&person::without_contacts(self.text)).is_empty()
            || person::name(self.text, Expected::Perhaps, &[])
                .is_some_and(|name| folded(&name) == self.words);
        if !self.offered_person() || !contact || self.state.affirms.is_some() {
            return false;
        }
        draft.say(self.voice, "noted.aside", &[]);
        draft.say(self.voice, "offer.person", &[]);
        true
    }

    /// Tells the team, and the customer that the team knows.
    pub(super) async fn call_person(&self, draft: &mut Draft) -> Intent {
        let told = ["escalated", "escalated.plain", "escalated.again"];
        if self.state.said.iter().any(|key| told.contains(key)) {
            draft.say(self.voice, "escalated.again", &[]);
            return Intent::Escalation;
        }
        // Regret is for whoever has something to complain about.
        let key = if self.asks_plainly() {
            "escalated.plain"
        } else {
            "escalated"
        };
        let why = self.voice.pick(
            "El cliente pide una persona",
            "The customer asks for a person",
        );
        self.hand_over(draft, key, why).await;
        Intent::Escalation
    }

    /// Whether a person is asked for without a complaint.
    fn asks_plainly(&self) -> bool {
        const PERSON: &[&str] = &[
            "persona",
            "humano",
            "humana",
            "asesor",
            "agente",
            "alguien",
            "person",
            "human",
            "somebody",
            "someone",
            "agent",
            "representante",
            "encargad",
            "recepcion",
            "ejecutiv",
        ];
        const REGRET: &[&str] = &[
            "queja",
            "reclam",
            "verguenza",
            "pesim",
            "mal",
            "molest",
            "enoj",
            "horrible",
            "terrible",
            "fatal",
            "estafa",
            "nadie",
            "denunci",
            "complain",
            "angry",
            "worst",
            "awful",
            "bad",
            "rude",
            "furios",
            "decepcion",
            "inaceptable",
            "unacceptable",
            "harto",
            "harta",
            "ridicul",
            "problema",
        ];
        self.offered_person() || begins(&self.words, PERSON) && !begins(&self.words, REGRET)
    }

    /// Small talk. `false` when the message is none.
    pub(super) fn small_talk(&self, draft: &mut Draft) -> bool {
        let short = self.words.split(' ').count() <= 8;
        let leaves = defers(&self.words)
            || begins(&self.words, &["adios", "chao", "bye"])
            || says(
                &self.words,
                &[
                    "hasta luego",
                    "nos vemos",
                    "lo pienso",
                    "les escribo",
                    "te escribo",
                    "luego te",
                    "despues les",
                    "see you",
                ],
            );
        if leaves && short {
            draft.say(self.voice, "goodbye", &[]);
            return true;
        }
        if self.says_thanks() && short {
            draft.say(self.voice, "thanks", &[]);
            return true;
        }
        let accepts = self.state.affirms == Some(true)
            || begins(
                &self.words,
                &["ok", "perfecto", "listo", "bueno", "vale", "great"],
            );
        let refuses = self.state.affirms == Some(false);
        if (accepts || refuses) && self.words.split(' ').count() <= 4 {
            draft.say(
                self.voice,
                if refuses { "left" } else { "acknowledged" },
                &[],
            );
            return true;
        }
        false
    }

    /// Asks for a name and a way to answer, and keeps them. `true` when the turn is answered by it.
    pub(super) fn capture(&self, draft: &mut Draft) -> bool {
        if self.setting.assistant_type != AssistantType::LeadCapture {
            return false;
        }
        let customer = self.customer(&[]);
        let reachable = customer.phone.is_some() || customer.email.is_some();
        if self.state.completed.is_empty() && customer.name.is_some() && reachable {
            if self.thanked_for_contacts() {
                return false;
            }
            let name = customer.name.unwrap_or_default();
            draft.say(self.voice, "done.lead", &[("customer", &name)]);
            return true;
        }
        if reachable {
            draft.say(self.voice, "ask.name", &[]);
        } else if let Some(name) = customer
            .name
            .filter(|_| self.state.said.contains(&"ask.lead"))
        {
            draft.say(self.voice, "ask.phone", &[("customer", &name)]);
        } else {
            draft.say(self.voice, "ask.lead", &[]);
        }
        true
    }

    fn thanked_for_contacts(&self) -> bool {
        self.messages.iter().any(|turn| {
            let said = super::templates::Templates::get().recognise(&turn.text);
            turn.speaker == quipu_core::ports::Speaker::Agent
                && said.iter().any(|said| said.key == "done.lead")
        })
    }
}
