//! Calls.

use crate::business::{Business, rosa};
use quipu_simulator::{
    CustomerWrites, SimulatedCall, SimulatedChannel, VoiceEvent, VoiceToolCall, VoiceTurn,
};
use serde_json::json;

#[expect(
    clippy::too_many_lines,
    reason = "one call, from its ringing to its end"
)]
#[tokio::test]
async fn a_call_is_played_from_the_first_ring_to_the_report() {
    let business = Business::open(SimulatedChannel::Voice).await;
    let id = &business.account.account_id;
    let call = SimulatedCall::new(rosa());
    business.answers(200, r#"{"assistantId":"a1"}"#);
    let answer = business
        .simulator
        .play(id, &call, &VoiceEvent::AssistantRequest)
        .await
        .unwrap();
    assert_eq!(
        (answer.status, &answer.body["assistantId"]),
        (200, &json!("a1"))
    );
    let received = business.received().await.remove(0);
    assert_eq!(
        received.headers["x-vapi-secret"],
        business.account.app_secret.as_str()
    );
    assert_eq!(received.body["message"]["type"], "assistant-request");
    assert_eq!(received.body["message"]["call"]["id"], call.id);
    assert_eq!(
        received.body["message"]["call"]["customer"]["number"],
        "+51987654321"
    );

    business.answers(200, "no JSON");
    let tool = |as_function| VoiceToolCall {
        name: "book".to_owned(),
        arguments: json!({ "day": "lunes" }),
        as_function,
    };
    let calls = vec![tool(false), tool(true)];
    let answer = business
        .simulator
        .play(id, &call, &VoiceEvent::ToolCalls { calls })
        .await
        .unwrap();
    assert!(answer.body.is_null());
    let turns = vec![
        VoiceTurn {
            role: "assistant".to_owned(),
            text: "¿En qué le ayudo?".to_owned(),
        },
        VoiceTurn {
            role: "user".to_owned(),
            text: "Una cita".to_owned(),
        },
    ];
    let knowledge = VoiceEvent::KnowledgeBaseRequest {
        turns: turns.clone(),
    };
    let report = VoiceEvent::EndOfCallReport {
        reason: "customer-ended-call".to_owned(),
        turns,
        summary: Some("Pidió una cita".to_owned()),
        seconds: Some(42),
        cost: Some(0.05),
    };
    let status = VoiceEvent::StatusUpdate {
        status: "in-progress".to_owned(),
    };
    for event in [
        status,
        VoiceEvent::TransferDestinationRequest,
        knowledge,
        report,
    ] {
        business.simulator.play(id, &call, &event).await.unwrap();
    }
    let bodies = business.bodies().await;
    let messages: Vec<_> = bodies.iter().map(|body| &body["message"]).collect();
    let kinds: Vec<_> = messages
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "tool-calls",
            "status-update",
            "transfer-destination-request",
            "knowledge-base-request",
            "end-of-call-report"
        ]
    );
    assert_eq!(messages[0]["toolCallList"][0]["parameters"]["day"], "lunes");
    assert_eq!(
        messages[0]["toolCallList"][1]["function"]["arguments"],
        r#"{"day":"lunes"}"#
    );
    assert_eq!(
        messages[0]["toolWithToolCallList"][0]["toolCall"],
        messages[0]["toolCallList"][0]
    );
    assert_eq!(messages[3]["messages"][1]["content"], "Una cita");
    assert_eq!(messages[4]["endedReason"], "customer-ended-call");
    assert_eq!(
        messages[4]["artifact"]["transcript"],
        "AI: ¿En qué le ayudo?\nUser: Una cita"
    );
    assert_eq!(messages[4]["artifact"]["messages"][0]["role"], "bot");
    assert_eq!(messages[4]["analysis"]["summary"], "Pidió una cita");
    assert_eq!(messages[4]["durationSeconds"], 42);
    assert_eq!(messages[4]["cost"], 0.05);
}

#[tokio::test]
async fn nobody_writes_over_the_telephone_nor_calls_a_page() {
    let business = Business::open(SimulatedChannel::Voice).await;
    let id = &business.account.account_id;
    assert!(
        business
            .simulator
            .write(id, &rosa(), CustomerWrites::text("hola"))
            .await
            .is_err()
    );
    let page = Business::open(SimulatedChannel::Messenger).await;
    let call = SimulatedCall::new(rosa());
    let id = &page.account.account_id;
    assert!(
        page.simulator
            .play(id, &call, &VoiceEvent::AssistantRequest)
            .await
            .is_err()
    );
}
