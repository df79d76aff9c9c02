//! A clinic that also sells tacos, in memory, and a customer whose messages are marked by hand.

use crate::{
    AgentProfile, BusinessFacts, DialogueState, DialogueStep, HeardMessage, MessageGuess, Pending,
    QuotedText, Request, StepInput, TurnFacts, step,
};
use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};
use quipu_core::agent::{AssistantType, Intent, Medium, ResponseStyle, Vertical};
use quipu_core::language::Language;
use quipu_core::reading::{Act, QuestionTopic, ReadQuestion, ReadSpan, Reading, SpanKind};
use quipu_core::{Error, ErrorCode};
use serde_json::{Value, json};
use std::sync::LazyLock;
use uuid::Uuid;

/// Every tool that the policy may call.
const TOOLS: [&str; 19] = [
    "get_business_info",
    "get_branch_info",
    "get_staff_info",
    "get_service_catalog",
    "get_menu",
    "get_available_slots",
    "get_appointments",
    "get_faq",
    "get_policy",
    "get_loyalty_balance",
    "get_order_status",
    "create_appointment",
    "reschedule_appointment",
    "cancel_appointment",
    "update_lead_info",
    "create_order",
    "cancel_order",
    "redeem_reward",
    "escalate_to_human",
];

/// What a customer says: the text with its parts marked as `[limpieza](service)`, and what it does.
#[derive(Clone, Debug)]
pub(super) struct SaidMessage {
    pub(super) marked: String,
    /// What the reader takes for questions.
    pub(super) questions: Vec<(&'static str, QuestionTopic)>,
    pub(super) acts: Vec<Act>,
    pub(super) intent: Intent,
}

pub(super) fn said(marked: &str, acts: &[Act], intent: Intent) -> SaidMessage {
    SaidMessage {
        marked: marked.to_owned(),
        questions: Vec::new(),
        acts: acts.to_vec(),
        intent,
    }
}

impl SaidMessage {
    /// The same where the reader takes a part of it for a question about something.
    pub(super) fn asking(mut self, part: &'static str, topic: QuestionTopic) -> Self {
        self.questions.push((part, topic));
        self
    }
}

/// A conversation on its way.
pub(super) struct TestTalk {
    pub(super) state: DialogueState,
    pub(super) changes: Vec<(&'static str, Value)>,
    pub(super) profile: AgentProfile,
    business: &'static BusinessFacts,
    /// The visits that the customer has.
    visits: Vec<Value>,
    /// Which call of a tool fails, counted from the first one of the conversation.
    pub(super) fails: Option<(&'static str, usize)>,
    /// What was looked for in the documents of the business.
    pub(super) quoted: Vec<String>,
    /// The times that are taken.
    pub(super) taken: Vec<(Date, String)>,
}

/// The business, read once for all tests.
static BUSINESS: LazyLock<BusinessFacts> =
    LazyLock::new(|| BusinessFacts::read(&described(), Language::Es));

/// The same business where nobody wrote down how to reach it.
static UNREACHABLE: LazyLock<BusinessFacts> = LazyLock::new(|| {
    let mut described = described();
    if let Some(Some(Value::Object(info))) = described.first_mut() {
        info.remove("phone");
    }
    BusinessFacts::read(&described, Language::Es)
});

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Tuesday 10 March 2026 in Mexico, in the morning.
pub(super) fn now() -> Zoned {
    "2026-03-10T10:15[America/Mexico_City]".parse().unwrap()
}

fn described() -> [Option<Value>; 5] {
    let money = |amount: i64| json!({ "amount": amount * 100, "currency": "MXN" });
    let hours = json!([{ "from": "09:00", "to": "19:00" }]);
    let week = json!({
        "monday": hours, "tuesday": hours, "wednesday": hours, "thursday": hours, "friday": hours,
        "saturday": hours, "sunday": [],
    });
    let service = |number: u128, name: &str, price: i64| {
        json!({
            "id": id(number), "name": name, "price_min": money(price), "price_range": format!("${price} MXN"),
            "duration_minutes": 30, "bookable": true, "booked_with": "staff", "staff": ["Dra. Ana Soto"],
        })
    };
    let dish = |number: u128, name: &str, price: i64| {
        json!({
            "id": id(number), "name": name, "price": money(price), "price_text": format!("${price} MXN"),
            "available": true,
        })
    };
    [
        Some(json!({
            "phone": "+52 55 1234 5678", "payment_methods": ["Efectivo", "Tarjeta"], "currency": "MXN",
            "orders": { "pickup": true, "delivery": true, "preparation_minutes": 20 },
            "delivery_zones": [
                { "name": "Centro", "fee": "$25 MXN", "delivery_fee": money(25), "minutes": 45 },
                { "name": "La Paz", "fee": "$35 MXN", "delivery_fee": money(35), "minutes": 50 },
            ],
        })),
        Some(json!({ "branches": [{
            "id": id(1), "name": "Centro", "address": "Juárez 10", "operating_hours": week,
            "hours_text": "lunes a sábado de 9:00 a 19:00", "open_now": true,
        }] })),
        Some(
            json!({ "staff": [{ "id": id(2), "name": "Dra. Ana Soto", "branches": ["Centro"] }] }),
        ),
        Some(json!({ "categories": [{ "category": "", "services": [
            service(3, "Limpieza dental", 600),
            service(4, "Blanqueamiento", 2500),
        ] }] })),
        Some(json!({ "items": [
            dish(5, "Taco al pastor", 20), dish(6, "Taco árabe", 32), dish(7, "Refresco", 28),
        ] })),
    ]
}

impl TestTalk {
    pub(super) fn new() -> Self {
        Self {
            state: DialogueState::default(),
            changes: Vec::new(),
            profile: AgentProfile {
                agent_name: "Lía".to_owned(),
                company_name: "Casa Sol".to_owned(),
                vertical: Vertical::Dental,
                assistant_type: AssistantType::Full,
                style: ResponseStyle::ProfesionalCalido,
                medium: Medium::Messaging,
                language: Language::Es,
                written_in: Language::Es,
                now: now(),
                customer_name: None,
                has_customer: true,
                file: None,
                tools: TOOLS.to_vec(),
                only_reads: false,
            },
            business: &BUSINESS,
            visits: Vec::new(),
            fails: None,
            quoted: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// The same with a visit that the customer has on Thursday at four.
    pub(super) fn with_visit() -> Self {
        Self {
            visits: vec![json!({
                "appointment_id": id(9), "status": "booked", "service": "Limpieza dental",
                "date": "2026-03-12", "time": "16:00", "branch_name": "Centro",
                "staff_name": "Dra. Ana Soto",
            })],
            ..Self::new()
        }
    }

    /// The same with a business that says nowhere how to reach it.
    pub(super) fn unreachable() -> Self {
        Self {
            business: &UNREACHABLE,
            ..Self::new()
        }
    }

    /// Says something, and tells what was answered.
    pub(super) fn say(&mut self, message: &SaidMessage) -> DialogueStep {
        let reading = read(message);
        let guess = MessageGuess {
            intent: Some(message.intent),
            certainty: 0.9,
            affirms: None,
            ..MessageGuess::default()
        };
        let heard = HeardMessage::new(&reading.text, Language::Es, Some(&reading), guess);
        self.hear(&heard)
    }

    /// Says something that nobody but rules read.
    pub(super) fn say_unread(&mut self, text: &str, guess: MessageGuess) -> DialogueStep {
        let heard = HeardMessage::new(text, Language::Es, None, guess);
        self.hear(&heard)
    }

    fn hear(&mut self, heard: &HeardMessage) -> DialogueStep {
        let mut facts = TurnFacts::default();
        loop {
            assert!(facts.len() < 60, "the step never ends");
            let input = StepInput {
                profile: &self.profile,
                business: self.business,
                heard,
                state: &self.state,
                facts: &facts,
            };
            let request = match step(input) {
                Ok(step) => {
                    self.state = step.state.clone();
                    return step;
                }
                Err(Pending(request)) => request,
            };
            match request.clone() {
                Request::Look { tool, arguments } => {
                    let told = self.look(tool, &arguments);
                    facts.called(request, told);
                }
                Request::Change { tool, arguments } => {
                    self.changes.push((tool, arguments));
                    let calls = self.changes.iter().filter(|(of, _)| *of == tool).count();
                    if self.fails == Some((tool, calls)) {
                        facts.called(request, Err(Error::new(ErrorCode::Internal)));
                        continue;
                    }
                    let done = json!({
                        "success": true, "order_number": 7, "total_text": "$100 MXN", "code": "ABC", "balance": 3,
                        "estimated_minutes": 40, "delivery_fee": "$35 MXN",
                    });
                    facts.called(request, Ok(done));
                }
                Request::Quote { question } => {
                    self.quoted.push(question);
                    facts.quoted(request, QuotedText::default());
                }
                Request::Compare { .. } => facts.compared(request, Vec::new()),
            }
        }
    }

    fn look(&self, tool: &str, arguments: &Value) -> quipu_core::Result<Value> {
        match tool {
            "get_available_slots" => Ok(self.slots(arguments)),
            "get_appointments" => Ok(json!({ "appointments": self.visits })),
            "get_faq" => Ok(json!({ "faqs": [] })),
            "get_loyalty_balance" => Ok(json!({
                "spendable": 23, "token_name": "compas", "active": true,
                "rewards_within_reach": [{ "name": "Taco gratis", "tokens": 20 }],
                "rewards_further": [{ "name": "Limpieza gratis", "tokens": 100 }],
            })),
            _ => Err(Error::new(ErrorCode::NotFound)),
        }
    }

    /// A time every half hour of the opening hours, but for those that are taken.
    fn slots(&self, asked: &Value) -> Value {
        let today = self.profile.now.date();
        let first = asked["date"].as_str().and_then(|date| date.parse().ok());
        let days = asked["days"].as_i64().unwrap_or(7);
        let first: Date = first.unwrap_or(today);
        let mut slots = Vec::new();
        for day in 0..days {
            let date = first.saturating_add(day.days());
            let closed = date.weekday() == jiff::civil::Weekday::Sunday;
            for half in 18..38 {
                let time = format!("{:02}:{:02}", half / 2, half % 2 * 30);
                if closed || self.taken.contains(&(date, time.clone())) {
                    continue;
                }
                slots.push(json!({
                    "slot_id": format!("{date}T{time}"), "date": date, "time": time,
                    "branch_name": "Centro", "staff_name": "Dra. Ana Soto",
                }));
            }
        }
        slots.truncate(50);
        let reason = slots.is_empty().then_some("full");
        json!({ "slots": slots, "reason": reason })
    }

    /// What was changed but for what the customer said of themselves.
    pub(super) fn deeds(&self) -> Vec<&'static str> {
        let deeds = self.changes.iter().map(|(tool, _)| *tool);
        deeds.filter(|tool| *tool != "update_lead_info").collect()
    }
}

/// The answer as one text.
pub(super) fn text(step: &DialogueStep) -> String {
    let parts: Vec<&str> = step.parts.iter().map(|part| part.text.as_str()).collect();
    parts.join(" ")
}

/// Reads the marks of a message.
fn read(message: &SaidMessage) -> Reading {
    let mut text = String::new();
    let mut spans = Vec::new();
    let mut rest = message.marked.as_str();
    while let Some(at) = rest.find('[') {
        text.push_str(&rest[..at]);
        let (inside, behind) = rest[at + 1..].split_once("](").unwrap();
        let (kind, behind) = behind.split_once(')').unwrap();
        let start = text.len();
        text.push_str(inside);
        spans.push(ReadSpan {
            kind: SpanKind::parse(kind).unwrap_or_else(|| panic!("{kind} is no kind")),
            range: start..text.len(),
        });
        rest = behind;
    }
    text.push_str(rest);
    let questions = message.questions.iter().map(|(part, topic)| {
        let start = text
            .find(part)
            .unwrap_or_else(|| panic!("{part} is not said"));
        ReadQuestion {
            topic: *topic,
            sure: 0.95,
            range: start..start + part.len(),
        }
    });
    Reading {
        questions: questions.collect(),
        text,
        spans,
        acts: message.acts.iter().map(|act| (*act, 0.95)).collect(),
        intents: vec![(message.intent, 0.9)],
        attack: 0.01,
        whole: true,
    }
}
