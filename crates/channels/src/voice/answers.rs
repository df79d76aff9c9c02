//! What Vapi is answered.

use super::{SECRET_HEADER, TRANSFER_TOOL};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

/// The messages that this server wants. Without a list, Vapi sends each word as it is spoken.
const WANTED: [&str; 4] = [
    "status-update",
    "end-of-call-report",
    "tool-calls",
    "transfer-destination-request",
];

/// Who speaks with somebody that calls.
#[derive(Clone, Debug)]
pub enum VoiceAssistant {
    /// One that was set up at Vapi.
    Saved { assistant_id: String },
    /// An agent of this server.
    Ours(Box<VoiceSetup>),
    /// Nobody: these words are spoken, and the call ends.
    Refused { spoken: String },
}

/// An agent of this server that speaks through Vapi for the length of a call.
#[derive(Clone, Debug)]
pub struct VoiceSetup {
    pub name: String,
    pub first_message: String,
    /// What is said before Vapi ends the call itself, as after a long silence.
    pub farewell: String,
    /// Where words are asked for: the address before `/chat/completions`.
    pub model_url: String,
    /// What the model is called there.
    pub model: String,
    /// Where everything else is sent.
    pub server_url: String,
    /// What Vapi shows to both of them.
    pub secret: SecretString,
    /// The voice as Vapi describes it. Its own is an English one.
    pub voice: Option<Value>,
    /// What listens, as Vapi describes it. Its own understands English.
    pub transcriber: Option<Value>,
    /// Whether the call may be passed on to a person. To whom is asked for then.
    pub may_transfer: bool,
    pub records: bool,
    pub longest_seconds: Option<u32>,
    /// Comes back with every request for words.
    pub metadata: Value,
}

/// What each tool gave, by the id of its call. Vapi reads nothing after the end of a line.
#[must_use]
pub fn tool_results(results: &[(String, Result<String, String>)]) -> Value {
    let results = results.iter().map(|(id, result)| match result {
        Ok(result) => json!({ "toolCallId": id, "result": one_line(result) }),
        Err(error) => json!({ "toolCallId": id, "error": one_line(error) }),
    });
    json!({ "results": results.collect::<Vec<_>>() })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Who speaks with the caller.
#[must_use]
pub fn assistant_answer(assistant: &VoiceAssistant) -> Value {
    match assistant {
        VoiceAssistant::Saved { assistant_id } => json!({ "assistantId": assistant_id }),
        VoiceAssistant::Ours(setup) => json!({ "assistant": described(setup) }),
        VoiceAssistant::Refused { spoken } => refusal_answer(spoken),
    }
}

fn described(setup: &VoiceSetup) -> Value {
    // Neither is written anywhere else: Vapi hands them on with each request.
    let headers = json!({ SECRET_HEADER: setup.secret.expose_secret() });
    let mut model = json!({
        "provider": "custom-llm",
        "url": setup.model_url,
        "model": setup.model,
        "headers": headers,
        // Without it, nothing tells which call the words are for.
        "metadataSendMode": "variable",
    });
    if setup.may_transfer {
        // Without a destination, it is asked for when it is needed.
        model["tools"] = json!([{ "type": TRANSFER_TOOL }]);
    }
    let mut assistant = json!({
        "name": setup.name,
        "firstMessage": setup.first_message,
        "endCallMessage": setup.farewell,
        "model": model,
        "server": { "url": setup.server_url, "headers": headers },
        "serverMessages": WANTED,
        "artifactPlan": { "recordingEnabled": setup.records },
        "metadata": setup.metadata,
    });
    let longest = setup.longest_seconds.map(Value::from);
    for (key, value) in [
        ("voice", setup.voice.clone()),
        ("transcriber", setup.transcriber.clone()),
        ("maxDurationSeconds", longest),
    ] {
        if let Some(value) = value {
            assistant[key] = value;
        }
    }
    assistant
}

/// Why something is not done. Vapi speaks it where it asked for an assistant.
#[must_use]
pub fn refusal_answer(spoken: &str) -> Value {
    json!({ "error": one_line(spoken) })
}

/// To whom the call goes on, and what is said before.
#[must_use]
pub fn transfer_answer(number_e164: &str, message: &str) -> Value {
    json!({ "destination": { "type": "number", "number": number_e164, "message": message } })
}

/// What the model should know, with how close each is to what was said, from 0 to 1.
#[must_use]
pub fn knowledge_answer(documents: &[(String, f64)]) -> Value {
    let documents = documents.iter().map(|(content, similarity)| {
        // What is no number has no place in JSON.
        let similarity = if similarity.is_nan() {
            0.0
        } else {
            similarity.clamp(0.0, 1.0)
        };
        json!({ "content": content, "similarity": similarity })
    });
    json!({ "documents": documents.collect::<Vec<_>>() })
}
