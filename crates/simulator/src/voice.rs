//! Calls, as Vapi tells of them.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::SimulatedCustomer;
use crate::state::SimulatorState;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

/// A call that somebody makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedCall {
    pub id: String,
    pub from: SimulatedCustomer,
}

/// Something that happens in a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum VoiceEvent {
    /// The telephone rings: who answers?
    AssistantRequest,
    /// The assistant wants to know or to do something.
    ToolCalls { calls: Vec<VoiceToolCall> },
    /// The caller is to be put through: to whom?
    TransferDestinationRequest,
    /// What does the business know about this?
    KnowledgeBaseRequest {
        #[serde(default)]
        turns: Vec<VoiceTurn>,
    },
    /// `ringing`, `in-progress`, `forwarding`, `ended`.
    StatusUpdate { status: String },
    /// The call is over.
    EndOfCallReport {
        /// Such as `customer-ended-call`.
        reason: String,
        #[serde(default)]
        turns: Vec<VoiceTurn>,
        #[serde(default)]
        summary: Option<String>,
        #[serde(default)]
        seconds: Option<u32>,
        /// In dollars.
        #[serde(default)]
        cost: Option<f64>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VoiceToolCall {
    pub name: String,
    #[serde(default)]
    pub arguments: Value,
    /// In the shape of functions, with arguments as a text of JSON, which Vapi uses as well.
    #[serde(default)]
    pub as_function: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoiceTurn {
    /// `user` or `assistant`.
    pub role: String,
    pub text: String,
}

/// What a business answered.
#[derive(Clone, Debug, PartialEq)]
pub struct VoiceAnswer {
    pub status: u16,
    /// `null` where it is no JSON.
    pub body: Value,
}

impl SimulatedCall {
    #[must_use]
    pub fn new(from: SimulatedCustomer) -> Self {
        Self {
            id: Uuid::now_v7().to_string(),
            from,
        }
    }
}

impl SimulatorState {
    pub(crate) async fn play(
        &self,
        account_id: &str,
        call: &SimulatedCall,
        event: &VoiceEvent,
    ) -> Result<VoiceAnswer, String> {
        let account = self.account(account_id).ok_or("there is no such account")?;
        if account.channel != SimulatedChannel::Voice {
            return Err("calls come over accounts for voice alone".to_owned());
        }
        if let Some(fault) = call.from.fault(account.channel) {
            return Err(fault.to_owned());
        }
        self.edit(|records| records.meet(account_id, &call.from));
        let body = event_body(&account, call, event, self.clock.now());
        let answer = self.deliver(&account, &body, Some(&call.id)).await?;
        Ok(VoiceAnswer {
            status: answer.status,
            body: serde_json::from_slice(&answer.body).unwrap_or_default(),
        })
    }
}

fn event_body(
    account: &SimulatedAccount,
    call: &SimulatedCall,
    event: &VoiceEvent,
    now: i64,
) -> Value {
    let customer = json!({ "number": format!("+{}", call.from.id), "name": call.from.name });
    let mut message = json!({
        "timestamp": now,
        "call": {
            "id": call.id, "orgId": account.parent(), "type": "inboundPhoneCall",
            "phoneNumberId": account.account_id, "customer": customer, "status": "in-progress",
        },
        "phoneNumber": { "id": account.account_id, "number": format!("+{}", account.shown_phone()) },
        "customer": customer,
    });
    let kind = match event {
        VoiceEvent::AssistantRequest => {
            message["call"]["status"] = "ringing".into();
            "assistant-request"
        }
        VoiceEvent::ToolCalls { calls } => {
            put_tool_calls(&mut message, calls);
            "tool-calls"
        }
        VoiceEvent::TransferDestinationRequest => "transfer-destination-request",
        VoiceEvent::KnowledgeBaseRequest { turns } => {
            let messages = turns
                .iter()
                .map(|turn| json!({ "role": turn.role, "content": turn.text }));
            message["messages"] = messages.collect();
            "knowledge-base-request"
        }
        VoiceEvent::StatusUpdate { status } => {
            message["status"] = status.as_str().into();
            message["call"]["status"] = status.as_str().into();
            "status-update"
        }
        VoiceEvent::EndOfCallReport {
            reason,
            turns,
            summary,
            seconds,
            cost,
        } => {
            put_report(&mut message, reason, turns, summary.as_deref());
            for (key, value) in [
                ("durationSeconds", seconds.map(Value::from)),
                ("cost", cost.map(Value::from)),
            ] {
                if let Some(value) = value {
                    message[key] = value;
                }
            }
            "end-of-call-report"
        }
    };
    message["type"] = kind.into();
    json!({ "message": message })
}

fn put_tool_calls(message: &mut Value, calls: &[VoiceToolCall]) {
    let listed: Vec<Value> = calls
        .iter()
        .map(|call| {
            let id = format!("call_{}", Uuid::now_v7().simple());
            if call.as_function {
                let function =
                    json!({ "name": call.name, "arguments": call.arguments.to_string() });
                json!({ "id": id, "type": "function", "function": function })
            } else {
                json!({ "id": id, "name": call.name, "parameters": call.arguments })
            }
        })
        .collect();
    let with_tools = calls
        .iter()
        .zip(&listed)
        .map(|(call, listed)| json!({ "type": "function", "name": call.name, "toolCall": listed }));
    message["toolWithToolCallList"] = with_tools.collect();
    message["toolCallList"] = listed.into();
}

fn put_report(message: &mut Value, reason: &str, turns: &[VoiceTurn], summary: Option<&str>) {
    let lines = turns.iter().map(|turn| {
        let who = if turn.role == "assistant" {
            "AI"
        } else {
            "User"
        };
        format!("{who}: {}", turn.text)
    });
    let spoken = turns.iter().map(|turn| {
        let role = if turn.role == "assistant" {
            "bot"
        } else {
            &turn.role
        };
        json!({ "role": role, "message": turn.text })
    });
    message["call"]["status"] = "ended".into();
    message["endedReason"] = reason.into();
    message["artifact"] = json!({
        "transcript": lines.collect::<Vec<_>>().join("\n"), "messages": spoken.collect::<Value>(),
    });
    if let Some(summary) = summary {
        message["analysis"] = json!({ "summary": summary });
    }
}
