//! Playing conversations: each answer is checked against what the desk said.

use super::desk::Fake;
use crate::builtin::{Reply, context, reply};
use crate::desk::Setting;
use crate::facts::Fact;
use crate::supervisor::Supervisor;
use crate::tool::ToolsOff;
use async_trait::async_trait;
use jiff::Zoned;
use quipu_core::agent::{AssistantType, Grounding, Medium, ResponseStyle, Vertical};
use quipu_core::language::Language;
use quipu_core::ports::{
    Reply as Quoted, ReplyPart, ReplyRequest, Responder, ResponderError, Speaker, Turn,
};
use quipu_core::reading::Act;

/// Quotes the first passage whole.
struct Quoter;

#[async_trait]
impl Responder for Quoter {
    fn name(&self) -> &'static str {
        "quoter"
    }

    async fn reply(&self, request: &ReplyRequest) -> Result<Quoted, ResponderError> {
        let first = request.passages.first();
        let parts = first.map(|passage| ReplyPart {
            text: passage.content.clone(),
            source: Some((0, passage.content.clone())),
        });
        Ok(Quoted {
            parts: parts.into_iter().collect(),
        })
    }
}

/// The things of an order that is read back.
fn order_of(said: &str) -> &str {
    let things = said.split_once("sería: ").or(said.split_once("would be: "));
    let things = things.or(said.split_once("Va tu pedido: "));
    let things = things.or(said.split_once("Llevas: "));
    let things = things.or(said.split_once("Hasta ahora: "));
    let things = things.map_or("", |(_, things)| things);
    let end = [
        "; total",
        ", para recoger",
        ", a domicilio",
        ", for pickup",
        ", for delivery",
    ];
    let end = end.iter().filter_map(|end| things.find(end)).min();
    &things[..end.unwrap_or(things.len())]
}

pub(super) struct Stage {
    pub(super) desk: Fake,
    pub(super) setting: Setting,
    pub(super) messages: Vec<Turn>,
    pub(super) last: Option<Reply>,
}

impl Stage {
    pub(super) fn new(desk: Fake) -> Self {
        let business = desk.business.lock().unwrap().clone();
        let vertical = Vertical::parse(business["vertical"].as_str().unwrap()).unwrap();
        let now: Zoned = desk.now.clone();
        Self {
            setting: Setting {
                agent_name: "Sol".to_owned(),
                company_name: business["name"].as_str().unwrap().to_owned(),
                vertical,
                style: ResponseStyle::ProfesionalCalido,
                assistant_type: AssistantType::Full,
                tools_off: ToolsOff::default(),
                grounding: Grounding::Strict,
                medium: Medium::Messaging,
                default_language: Language::Es,
                now,
                customer_name: None,
                has_customer: desk.has_customer,
                files: Vec::new(),
            },
            desk,
            messages: Vec::new(),
            last: None,
        }
    }

    pub(super) fn known_as(mut self, name: &str) -> Self {
        self.setting.customer_name = Some(name.to_owned());
        self
    }

    pub(super) fn style(mut self, style: ResponseStyle) -> Self {
        self.setting.style = style;
        self
    }

    pub(super) fn kind(mut self, kind: AssistantType) -> Self {
        self.setting.assistant_type = kind;
        self
    }

    /// Goes without these tools.
    pub(super) fn without(mut self, names: &[&str]) -> Self {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        self.setting.tools_off = ToolsOff::named(&names);
        self
    }

    pub(super) fn voice(mut self) -> Self {
        self.setting.medium = Medium::Voice;
        self
    }

    /// The customer writes, and the agent answers.
    pub(super) async fn says(&mut self, text: &str) -> String {
        self.says_doing(text, &[]).await
    }

    /// The same, where a reader says what the message does.
    pub(super) async fn says_doing(&mut self, text: &str, acts: &[Act]) -> String {
        let turn = |speaker, text: &str| Turn {
            speaker,
            text: text.to_owned(),
        };
        self.messages.push(turn(Speaker::Customer, text));
        self.desk.evidence.lock().unwrap().customer(text);
        // A bare number may be the hour that was asked for, and is told back as one.
        if text.parse::<u8>().is_ok_and(|hour| hour < 24) {
            let hour = format!("a las {text}");
            self.desk.evidence.lock().unwrap().customer(&hour);
        }
        let context = context(&self.setting, &self.messages);
        let mut understood = Supervisor::compiled().understand(text, &context);
        understood.acts = acts.iter().map(|act| (*act, 0.9)).collect();
        let key = format!("turn-{}", self.messages.len());
        let answer = reply(
            &self.setting,
            &self.messages,
            &understood,
            &self.desk,
            &Quoter,
            &key,
        );
        let answer = answer.await.unwrap();
        let said = answer.text();
        let mut unsupported = self.desk.evidence.lock().unwrap().unsupported(&said);
        if said.contains(" total ") {
            let sums = self.desk.may_come_to(order_of(&said));
            unsupported.retain(|fact| !matches!(fact, Fact::Money(sum) if sums.contains(sum)));
        }
        assert_eq!(unsupported, [], "nobody looked that up: {said}");
        for sign in ['{', '}', '[', ']', '_'] {
            assert!(!said.contains(sign), "a template shows: {said}");
        }
        assert!(said.split_whitespace().count() <= 200, "too long: {said}");
        self.messages.push(turn(Speaker::Agent, &said));
        self.last = Some(answer);
        said
    }

    pub(super) fn reply(&self) -> &Reply {
        self.last.as_ref().unwrap()
    }
}
