use super::*;
use crate::inbound::RefusedItem;
use proptest::prelude::{ProptestConfig, any, prop};
use serde_json::json;

fn message(fields: &Value) -> Value {
    let mut message = json!({
        "call": {
            "id": "call-1", "type": "inboundPhoneCall", "assistantId": "as-1", "phoneNumberId": "ph-1",
            "customer": { "number": "+525512345678" },
        },
    });
    let fields = fields.as_object().unwrap().clone();
    message.as_object_mut().unwrap().extend(fields);
    message
}

fn read(fields: &Value) -> Result<VoiceMessage, RefusedItem> {
    parse(json!({ "message": message(fields) }).to_string().as_bytes())
}

fn expected_call() -> VoiceCall {
    VoiceCall {
        id: "call-1".to_owned(),
        customer_number: Some("+525512345678".to_owned()),
        assistant_id: Some("as-1".to_owned()),
        phone_number_id: Some("ph-1".to_owned()),
        business_number: None,
        kind: VoiceCallKind::Inbound,
    }
}

fn said(role: VoiceRole, text: &str) -> (VoiceRole, String) {
    (role, text.to_owned())
}

#[test]
fn requests_that_wait_are_read() {
    let call = expected_call();
    assert_eq!(
        read(&json!({ "type": "assistant-request" })),
        Ok(VoiceMessage::AssistantRequest { call: call.clone() })
    );
    assert_eq!(
        read(&json!({ "type": "transfer-destination-request" })),
        Ok(VoiceMessage::TransferRequest { call: call.clone() })
    );
    let messages = json!([
        { "role": "system", "content": "be kind" },
        { "role": "user", "content": [{ "type": "text", "text": "¿Qué" }, { "type": "text", "text": "tienen?" }] },
        { "role": "assistant", "content": null, "tool_calls": [] },
        { "role": "tool", "content": "3" },
        { "role": "assistant", "content": "Pan" },
    ]);
    let fields = json!({ "type": "knowledge-base-request", "messagesOpenAIFormatted": messages });
    let messages = vec![
        said(VoiceRole::User, "¿Qué tienen?"),
        said(VoiceRole::Assistant, "Pan"),
    ];
    assert_eq!(
        read(&fields),
        Ok(VoiceMessage::KnowledgeRequest {
            call: Some(call),
            messages
        })
    );
}

#[test]
fn tools_are_read_in_every_shape() {
    let arguments = json!({ "day": "lunes" });
    let written = arguments.to_string();
    for list in ["toolCallList", "toolCalls", "toolWithToolCallList"] {
        for item in [
            json!({ "id": "t-1", "name": "book", "arguments": arguments }),
            json!({ "id": "t-1", "name": "book", "parameters": arguments }),
            json!({ "id": "t-1", "type": "function", "function": { "name": "book", "arguments": written } }),
            json!({ "name": "book", "parameters": { "type": "object" }, "toolCall": { "id": "t-1", "parameters": arguments } }),
            json!({ "type": "function", "toolCall": { "id": "t-1", "function": { "name": "book", "arguments": arguments } } }),
        ] {
            let read = read(&json!({ "type": "tool-calls", list: [item] })).unwrap();
            let (id, name) = ("t-1".to_owned(), "book".to_owned());
            let calls = vec![VoiceToolCall {
                id,
                name,
                arguments: arguments.clone(),
            }];
            let call = expected_call();
            assert_eq!(
                read,
                VoiceMessage::ToolCalls { call, calls },
                "{list} {item}"
            );
        }
    }
}

#[test]
fn arguments_are_an_object_or_nothing() {
    for (written, expected) in [
        (json!(""), json!({})),
        (json!("{"), Value::Null),
        (json!("[1]"), Value::Null),
        (json!([1]), Value::Null),
        (Value::Null, Value::Null),
    ] {
        let list = json!([{ "id": "t-1", "name": "book", "arguments": written }]);
        let read = read(&json!({ "type": "tool-calls", "toolCallList": list })).unwrap();
        let VoiceMessage::ToolCalls { calls, .. } = read else {
            panic!("{read:?}");
        };
        assert_eq!(calls[0].arguments, expected, "{written}");
    }
}

#[test]
fn the_end_of_a_call_is_reported() {
    let fields = json!({
        "type": "end-of-call-report", "endedReason": "customer-ended-call", "cost": 0.25,
        "startedAt": "2026-11-02T15:00:00.000Z", "endedAt": "2026-11-02T15:01:30.500Z",
        "analysis": { "summary": "Pidió pan." },
        "artifact": {
            "recordingUrl": "https://storage.example/a.wav", "transcript": "AI: Hola\nUser: Pan",
            "messages": [
                { "role": "system", "message": "be kind" },
                { "role": "bot", "message": "Hola", "secondsFromStart": 1.2 },
                { "role": "user", "message": "Pan" },
                { "role": "tool_calls", "message": "", "toolCalls": [] },
            ],
        },
    });
    let VoiceMessage::EndOfCall(report) = read(&fields).unwrap() else {
        panic!();
    };
    assert_eq!(report.call, expected_call());
    assert_eq!(report.ended_reason.as_deref(), Some("customer-ended-call"));
    assert_eq!(report.transcript.as_deref(), Some("AI: Hola\nUser: Pan"));
    assert_eq!(report.summary.as_deref(), Some("Pidió pan."));
    assert_eq!(
        report.recording_url.as_deref(),
        Some("https://storage.example/a.wav")
    );
    assert_eq!(
        (report.cost_usd, report.duration_seconds),
        (Some(0.25), Some(90.5))
    );
    assert_eq!(report.started_at, "2026-11-02T15:00:00Z".parse().ok());
    assert_eq!(
        report.messages,
        [
            said(VoiceRole::Assistant, "Hola"),
            said(VoiceRole::User, "Pan")
        ]
    );
}

#[test]
fn a_report_takes_what_stands_elsewhere() {
    let fields = json!({
        "type": "end-of-call-report", "transcript": "User: Pan", "summary": "Pan.", "cost": -1,
        "recordingUrl": "ftp://storage.example/a", "durationSeconds": 12.5,
        "artifact": { "recording": { "mono": { "combinedUrl": "https://storage.example/m" } } },
        "messages": [{ "role": "user", "message": "Pan" }],
    });
    let VoiceMessage::EndOfCall(report) = read(&fields).unwrap() else {
        panic!();
    };
    assert_eq!(report.transcript.as_deref(), Some("User: Pan"));
    assert_eq!(report.summary.as_deref(), Some("Pan."));
    assert_eq!(
        report.recording_url.as_deref(),
        Some("https://storage.example/m")
    );
    assert_eq!(
        (report.cost_usd, report.duration_seconds),
        (None, Some(12.5))
    );
    assert_eq!(report.messages, [said(VoiceRole::User, "Pan")]);
    assert_eq!(report.ended_reason, None);
}

#[test]
fn what_is_only_told_is_read() {
    let fields =
        json!({ "type": "status-update", "status": "ended", "endedReason": "silence-timed-out" });
    let VoiceMessage::StatusUpdate {
        status,
        ended_reason,
        ..
    } = read(&fields).unwrap()
    else {
        panic!();
    };
    assert_eq!(
        (status.as_str(), ended_reason.as_deref()),
        ("ended", Some("silence-timed-out"))
    );
    let fields = json!({ "type": "transcript", "role": "user", "transcriptType": "final", "transcript": "Pan" });
    let (call, role, text) = (Some(expected_call()), VoiceRole::User, "Pan".to_owned());
    let expected = VoiceMessage::Transcript {
        call,
        role,
        text,
        is_final: true,
    };
    assert_eq!(read(&fields), Ok(expected));
    let fields = json!({ "type": "conversation-update", "messages": [{ "role": "bot", "message": "Hola" }] });
    let messages = vec![said(VoiceRole::Assistant, "Hola")];
    let call = expected_call();
    assert_eq!(
        read(&fields),
        Ok(VoiceMessage::ConversationUpdate {
            call: Some(call),
            messages
        })
    );
    let bare = json!({ "message": { "type": "transcript", "role": "bot", "transcript": "Hola" } });
    let expected = VoiceMessage::Transcript {
        call: None,
        role: VoiceRole::Assistant,
        text: "Hola".to_owned(),
        is_final: false,
    };
    assert_eq!(parse(bare.to_string().as_bytes()), Ok(expected));
    for kind in ["hang", "speech-update", "session.created", "something-new"] {
        let other = parse(
            json!({ "message": { "type": kind } })
                .to_string()
                .as_bytes(),
        );
        assert_eq!(
            other,
            Ok(VoiceMessage::Other {
                kind: kind.to_owned()
            })
        );
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let path = |body: &str| parse(body.as_bytes()).unwrap_err().path;
    assert_eq!(path("{ /* no */ }"), "body");
    assert_eq!(path("[]"), "message");
    assert_eq!(path(r#"{"type":"word-progress"}"#), "message");
    assert_eq!(path(r#"{"message":{}}"#), "message.type");
    assert_eq!(
        path(r#"{"message":{"type":"assistant-request"}}"#),
        "call.id"
    );
    assert_eq!(
        path(r#"{"message":{"type":"tool-calls","call":{"id":"c"}}}"#),
        "message.toolCallList"
    );
    let nameless = json!({ "type": "tool-calls", "toolCalls": [{ "name": "book" }] });
    assert_eq!(
        read(&nameless).unwrap_err().path,
        "message.toolCallList[0].id"
    );
    let long = json!({ "type": "conversation-update", "messages": [{ "role": "user", "message": "x".repeat(20_001) }] });
    assert_eq!(read(&long).unwrap_err().path, "message.messages[0]");
    let many = json!({ "type": "conversation-update", "messages": vec![json!({}); 5_001] });
    assert_eq!(read(&many).unwrap_err().path, "message.messages");
}

#[test]
fn a_caller_is_known_by_what_stands_beside_the_words() {
    let body = json!({
        "model": "m", "messages": [], "call": { "id": "call-1", "type": "webCall" },
        "customer": { "number": "+573001234567" },
        "phoneNumber": { "id": "ph-2", "number": "+576015550000" },
    });
    let call = caller(&body).unwrap();
    assert_eq!(call.customer_number.as_deref(), Some("+573001234567"));
    assert_eq!(call.phone_number_id.as_deref(), Some("ph-2"));
    assert_eq!(call.business_number.as_deref(), Some("+576015550000"));
    assert_eq!((call.assistant_id, call.kind), (None, VoiceCallKind::Web));
    assert_eq!(caller(&json!({ "messages": [] })), None);
    for withheld in ["anonymous", "", "sip:ana@example.com", "+1"] {
        let body = json!({ "call": { "id": "c", "customer": { "number": withheld } } });
        assert_eq!(caller(&body).unwrap().customer_number, None, "{withheld}");
    }
}

#[test]
fn a_secret_comes_in_one_of_two_headers() {
    let secret = SecretString::from("s3cret");
    let is = |own, bearer| is_authentic(&secret, (own, bearer));
    assert!(is(Some("s3cret"), None));
    assert!(is(None, Some("Bearer s3cret")));
    assert!(is(Some("wrong"), Some("bearer  s3cret")));
    assert!(!is(None, None));
    assert!(!is(Some("s3cre"), Some("Basic s3cret")));
    assert!(!is(Some("Bearer s3cret"), Some("s3cret")));
    let empty = SecretString::from("");
    assert!(!is_authentic(&empty, (Some(""), Some("Bearer "))));
}

#[test]
fn results_stand_on_one_line() {
    let results = [
        ("t-1".to_owned(), Ok("lunes\n  9:00".to_owned())),
        ("t-2".to_owned(), Err("no\r\nhay".to_owned())),
    ];
    let expected = json!({ "results": [
        { "toolCallId": "t-1", "result": "lunes 9:00" },
        { "toolCallId": "t-2", "error": "no hay" },
    ]});
    assert_eq!(tool_results(&results), expected);
}

fn setup() -> VoiceSetup {
    VoiceSetup {
        name: "Panadería".to_owned(),
        first_message: "Hola".to_owned(),
        farewell: "Gracias por llamar".to_owned(),
        model_url: "https://quipu.example/voice/a".to_owned(),
        model: "quipu".to_owned(),
        server_url: "https://quipu.example/voice/events".to_owned(),
        secret: SecretString::from("s3cret"),
        voice: None,
        transcriber: Some(json!({ "provider": "deepgram", "language": "es" })),
        may_transfer: true,
        records: false,
        longest_seconds: Some(600),
        metadata: json!({ "agent": "a" }),
    }
}

#[test]
fn an_assistant_is_described_as_vapi_asks() {
    let assistant = VoiceAssistant::Ours(Box::new(setup()));
    let answer = assistant_answer(&assistant);
    let described = &answer["assistant"];
    assert_eq!(described["firstMessage"], "Hola");
    assert_eq!(described["endCallMessage"], "Gracias por llamar");
    assert_eq!(described["model"]["provider"], "custom-llm");
    assert_eq!(described["model"]["url"], "https://quipu.example/voice/a");
    assert_eq!(
        described["model"]["tools"],
        json!([{ "type": "transferCall" }])
    );
    for holder in [&described["model"], &described["server"]] {
        assert_eq!(holder["headers"], json!({ "x-vapi-secret": "s3cret" }));
    }
    assert_eq!(described["transcriber"]["language"], "es");
    assert_eq!(described["maxDurationSeconds"], 600);
    assert_eq!(described["artifactPlan"]["recordingEnabled"], false);
    assert!(described.get("voice").is_none());
    assert!(!format!("{assistant:?}").contains("s3cret"));
    let saved = VoiceAssistant::Saved {
        assistant_id: "as-1".to_owned(),
    };
    assert_eq!(assistant_answer(&saved), json!({ "assistantId": "as-1" }));
    let refused = VoiceAssistant::Refused {
        spoken: "Hoy no".to_owned(),
    };
    assert_eq!(assistant_answer(&refused), json!({ "error": "Hoy no" }));
}

#[test]
fn the_other_answers_have_their_shapes() {
    let number = json!({ "type": "number", "number": "+525512345678", "message": "Un momento" });
    assert_eq!(
        transfer_answer("+525512345678", "Un momento"),
        json!({ "destination": number })
    );
    let documents = [
        ("Pan".to_owned(), 0.5),
        ("Té".to_owned(), f64::NAN),
        ("Sal".to_owned(), 7.0),
    ];
    let expected = json!({ "documents": [
        { "content": "Pan", "similarity": 0.5 },
        { "content": "Té", "similarity": 0.0 },
        { "content": "Sal", "similarity": 1.0 },
    ]});
    assert_eq!(knowledge_answer(&documents), expected);
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// One field of a right message becomes something else.
    #[test]
    fn nothing_that_is_said_breaks_the_reader(
        kind in prop::sample::select(vec!["assistant-request", "tool-calls", "end-of-call-report", "transcript", "status-update", "conversation-update"]),
        field in prop::sample::select(vec!["type", "call", "artifact", "messages", "toolCallList", "startedAt", "endedAt", "cost", "role"]),
        other in prop::sample::select(vec![json!(null), json!([]), json!([{}]), json!([[1]]), json!({}), json!(-1), json!(1e300), json!("-9999-01-01T00:00:00Z"), json!({ "id": 1, "messages": [{ "role": "user", "message": {} }] })]),
        bytes in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut fields = json!({
            "type": kind, "status": "ended", "role": "user", "transcript": "a", "toolCallList": [],
            "endedAt": "9999-01-01T00:00:00Z",
        });
        fields[field] = other.clone();
        if let Err(refused) = read(&fields) {
            assert!(!refused.path.is_empty() && !refused.reason.is_empty());
        }
        let _ = parse(&bytes);
        let _ = parse(other.to_string().as_bytes());
        let _ = caller(&other);
    }
}
