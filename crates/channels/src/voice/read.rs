//! Reading what Vapi says.

use super::fields::{
    LONGEST_TRANSCRIPT, MOST_ITEMS, amount, moment, refused, role, text, url, word, word_if_any,
    words,
};
use super::{VoiceCall, VoiceCallKind, VoiceMessage, VoiceReport, VoiceToolCall, VoiceWords};
use crate::inbound::RefusedItem;
use serde_json::Value;

/// Reads one message of Vapi.
///
/// # Errors
/// What it lacks, or that it is no message at all.
pub fn parse(body: &[u8]) -> Result<VoiceMessage, RefusedItem> {
    let body: Value =
        serde_json::from_slice(body).map_err(|_| refused("body", "it is not JSON"))?;
    let message = &body["message"];
    if !message.is_object() {
        return Err(refused("message", "it is not there"));
    }
    let kind = word(&message["type"], "message.type")?;
    match kind.as_str() {
        "assistant-request" => call(message).map(|call| VoiceMessage::AssistantRequest { call }),
        "tool-calls" => tool_calls(message),
        "transfer-destination-request" => {
            call(message).map(|call| VoiceMessage::TransferRequest { call })
        }
        "knowledge-base-request" => Ok(VoiceMessage::KnowledgeRequest {
            call: call_if_any(message)?,
            messages: conversation(message)?,
        }),
        "conversation-update" => Ok(VoiceMessage::ConversationUpdate {
            call: call_if_any(message)?,
            messages: conversation(message)?,
        }),
        "status-update" => Ok(VoiceMessage::StatusUpdate {
            call: call(message)?,
            status: word(&message["status"], "message.status")?,
            ended_reason: ended_reason(message)?,
        }),
        "end-of-call-report" => report(message),
        "transcript" | "transcript[transcriptType=\"final\"]" => transcript(message),
        _ => Ok(VoiceMessage::Other { kind }),
    }
}

/// Who calls, from what Vapi puts beside the words when it asks for the next ones. Nothing where it was
/// told to leave that out.
#[must_use]
pub fn caller(body: &Value) -> Option<VoiceCall> {
    call(body).ok()
}

/// The call, from an object that has it beside the customer, the assistant and the number.
fn call(holder: &Value) -> Result<VoiceCall, RefusedItem> {
    let call = &holder["call"];
    let id = word(&call["id"], "call.id")?;
    let first = |path: &str, values: [&Value; 3]| {
        let mut texts = values.into_iter().filter(|value| value.is_string());
        word_if_any(texts.next().unwrap_or(&Value::Null), path)
    };
    let numbers = [
        &call["customer"]["number"],
        &holder["customer"]["number"],
        &Value::Null,
    ];
    let assistants = [
        &call["assistantId"],
        &call["assistant"]["id"],
        &holder["assistant"]["id"],
    ];
    let called = [
        &call["phoneNumber"]["number"],
        &holder["phoneNumber"]["number"],
        &Value::Null,
    ];
    let phones = [
        &call["phoneNumberId"],
        &call["phoneNumber"]["id"],
        &holder["phoneNumber"]["id"],
    ];
    Ok(VoiceCall {
        id,
        customer_number: first("customer.number", numbers)?.filter(|number| is_number(number)),
        assistant_id: first("call.assistantId", assistants)?,
        phone_number_id: first("call.phoneNumberId", phones)?,
        business_number: first("phoneNumber.number", called)?.filter(|number| is_number(number)),
        kind: match call["type"].as_str() {
            Some("inboundPhoneCall") => VoiceCallKind::Inbound,
            Some("outboundPhoneCall") => VoiceCallKind::Outbound,
            Some("webCall" | "vapi.websocketCall") => VoiceCallKind::Web,
            _ => VoiceCallKind::Other,
        },
    })
}

/// The call, for what makes sense without it too.
fn call_if_any(message: &Value) -> Result<Option<VoiceCall>, RefusedItem> {
    if message["call"].is_null() {
        return Ok(None);
    }
    call(message).map(Some)
}

/// Whether it is a number that can be called. In its place stands `anonymous` where it is withheld.
fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (5..=15).contains(&digits) && text.chars().all(|sign| "+-() .0123456789".contains(sign))
}

/// What was said so far. The words come twice, and a few messages have only those for OpenAI.
fn conversation(message: &Value) -> Result<VoiceWords, RefusedItem> {
    for key in ["messages", "messagesOpenAIFormatted", "conversation"] {
        if message[key].is_array() {
            return words(&message[key], &format!("message.{key}"));
        }
    }
    Ok(Vec::new())
}

/// The tools to be used. They come in lists of three names, and each in shapes of its own.
fn tool_calls(message: &Value) -> Result<VoiceMessage, RefusedItem> {
    let call = call(message)?;
    let keys = ["toolCallList", "toolCalls", "toolWithToolCallList"];
    let mut lists = keys.iter().filter_map(|key| message[*key].as_array());
    let Some(listed) = lists.next() else {
        return Err(refused("message.toolCallList", "it is not there"));
    };
    if listed.len() > MOST_ITEMS {
        return Err(refused("message.toolCallList", "there are too many"));
    }
    let calls = listed.iter().enumerate();
    let calls: Result<Vec<_>, _> = calls.map(|(index, item)| tool_call(item, index)).collect();
    Ok(VoiceMessage::ToolCalls {
        call,
        calls: calls?,
    })
}

fn tool_call(item: &Value, index: usize) -> Result<VoiceToolCall, RefusedItem> {
    // Beside the description of its tool, the call stands in a field of its own.
    let inner = match &item["toolCall"] {
        Value::Null => item,
        inner => inner,
    };
    let function = &inner["function"];
    let path = format!("message.toolCallList[{index}]");
    let first = |values: &[&Value]| {
        let mut there = values.iter().filter(|value| !value.is_null());
        there.next().map_or(Value::Null, |value| (*value).clone())
    };
    let name = first(&[&function["name"], &inner["name"], &item["name"]]);
    let arguments = first(&[
        &function["arguments"],
        &inner["arguments"],
        &function["parameters"],
        &inner["parameters"],
    ]);
    Ok(VoiceToolCall {
        // Without it, nothing can be answered.
        id: word(&inner["id"], &format!("{path}.id"))?,
        name: word(&name, &format!("{path}.name"))?,
        arguments: object(arguments),
    })
}

/// What a tool is called with, which is sometimes a text with the object in it.
fn object(arguments: Value) -> Value {
    let arguments = match arguments {
        Value::String(text) if text.trim().is_empty() => Value::Object(serde_json::Map::new()),
        Value::String(text) => serde_json::from_str(&text).unwrap_or_default(),
        other => other,
    };
    if arguments.is_object() {
        arguments
    } else {
        Value::Null
    }
}

fn ended_reason(message: &Value) -> Result<Option<String>, RefusedItem> {
    let said = word_if_any(&message["endedReason"], "message.endedReason")?;
    match said {
        Some(said) => Ok(Some(said)),
        None => word_if_any(&message["call"]["endedReason"], "message.call.endedReason"),
    }
}

/// What the call was like. The same things stand in several places, and which are filled in differs.
fn report(message: &Value) -> Result<VoiceMessage, RefusedItem> {
    let (call_object, artifact) = (&message["call"], &message["artifact"]);
    let long = |values: [&Value; 2], path: &str| {
        let mut texts = values.into_iter().filter(|value| value.is_string());
        text(
            texts.next().unwrap_or(&Value::Null),
            path,
            LONGEST_TRANSCRIPT,
        )
    };
    let started_at = moment(&message["startedAt"]).or_else(|| moment(&call_object["startedAt"]));
    let ended_at = moment(&message["endedAt"]).or_else(|| moment(&call_object["endedAt"]));
    let between = started_at
        .zip(ended_at)
        .and_then(|(start, end)| amount(&Value::from(end.duration_since(start).as_secs_f64())));
    let messages = match words(&artifact["messages"], "message.artifact.messages")? {
        said if said.is_empty() => conversation(message)?,
        said => said,
    };
    Ok(VoiceMessage::EndOfCall(Box::new(VoiceReport {
        call: call(message)?,
        ended_reason: ended_reason(message)?,
        transcript: long(
            [&artifact["transcript"], &message["transcript"]],
            "message.artifact.transcript",
        )?,
        summary: long(
            [&message["analysis"]["summary"], &message["summary"]],
            "message.analysis.summary",
        )?,
        recording_url: recording_url(message),
        cost_usd: amount(&message["cost"]).or_else(|| amount(&call_object["cost"])),
        started_at,
        ended_at,
        duration_seconds: amount(&message["durationSeconds"]).or(between),
        messages,
    })))
}

/// Where the recording is. The addresses that expire are not taken.
fn recording_url(message: &Value) -> Option<String> {
    let artifact = &message["artifact"];
    let recording = &artifact["recording"];
    url(&artifact["recordingUrl"])
        .or_else(|| url(&message["recordingUrl"]))
        .or_else(|| url(&recording["mono"]["combinedUrl"]))
        .or_else(|| url(&recording["stereoUrl"]))
        .or_else(|| url(&artifact["stereoRecordingUrl"]))
}

fn transcript(message: &Value) -> Result<VoiceMessage, RefusedItem> {
    let path = "message.transcript";
    let said = text(&message["transcript"], path, LONGEST_TRANSCRIPT)?;
    Ok(VoiceMessage::Transcript {
        call: call_if_any(message)?,
        role: role(&message["role"])
            .ok_or_else(|| refused("message.role", "it is nobody who is known"))?,
        text: said.unwrap_or_default(),
        is_final: message["transcriptType"] == "final",
    })
}
