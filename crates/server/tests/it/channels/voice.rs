//! Telephone calls through Vapi, as callers have them.

use super::{ChannelLine, PUBLIC_URL, connect, rosa};
use crate::harness::{Client, Reply};
use quipu_simulator::{
    SimulatedCall, SimulatedChannel, SimulatedCustomer, VoiceEvent, VoiceToolCall, VoiceTurn,
};
use quipu_testkit::db_test;
use reqwest::Method;
use serde_json::{Value, json};

/// A call at the clinic, as Vapi holds it: it has the words that were spoken, and asks for the next ones.
struct Telephone<'a> {
    line: &'a ChannelLine,
    call: SimulatedCall,
    /// Where words are asked for.
    path: String,
    vapi: Client,
    greeting: String,
    messages: Vec<Value>,
}

/// What a caller hears.
struct Heard {
    text: String,
    /// Whether the call is passed on.
    passed_on: bool,
}

impl<'a> Telephone<'a> {
    /// Calls, and is greeted.
    async fn ring(line: &'a ChannelLine, from: SimulatedCustomer) -> Self {
        let call = SimulatedCall::new(from);
        let answer = play(line, &call, &VoiceEvent::AssistantRequest).await;
        let assistant = &answer["assistant"];
        let model = &assistant["model"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let greeting = text(&assistant["firstMessage"]);
        let url = text(&model["url"]);
        let secret = text(&model["headers"]["x-vapi-secret"]);
        assert_eq!(secret, line.account.app_secret, "{answer}");
        let path = url.strip_prefix(PUBLIC_URL).expect("an address of ours");
        Self {
            path: format!("{path}/chat/completions"),
            vapi: line.app.stranger().with("x-vapi-secret", &secret),
            messages: vec![json!({ "role": "assistant", "content": greeting })],
            greeting,
            call,
            line,
        }
    }

    async fn say(&mut self, text: &str) -> Heard {
        let said = json!({ "role": "user", "content": text });
        self.messages.push(said);
        let heard = self.hear().await;
        let answer = json!({ "role": "assistant", "content": heard.text });
        self.messages.push(answer);
        heard
    }

    /// Asks for the next words, which are streamed.
    async fn hear(&self) -> Heard {
        let request = self.vapi.request(Method::POST, &self.path);
        let reply = Reply::of(request.json(&self.body(true))).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let lines = reply.text.lines();
        let mut lines: Vec<&str> = lines.filter_map(|one| one.strip_prefix("data: ")).collect();
        assert_eq!(lines.pop(), Some("[DONE]"), "{}", reply.text);
        let mut heard = Heard {
            text: String::new(),
            passed_on: false,
        };
        for line in lines {
            let chunk: Value = serde_json::from_str(line).unwrap();
            let delta = &chunk["choices"][0]["delta"];
            heard.text += delta["content"].as_str().unwrap_or_default();
            heard.passed_on |= delta["tool_calls"][0]["function"]["name"] == "transferCall";
        }
        heard
    }

    fn body(&self, stream: bool) -> Value {
        let number = format!("+{}", self.call.from.id);
        json!({
            "model": "maya",
            "stream": stream,
            "messages": self.messages,
            "tools": [{ "type": "function", "function": { "name": "transferCall" } }],
            "call": { "id": self.call.id, "type": "inboundPhoneCall" },
            "customer": { "number": number },
            "phoneNumber": { "id": self.line.account.account_id },
        })
    }

    async fn play(&self, event: &VoiceEvent) -> Value {
        play(self.line, &self.call, event).await
    }

    /// Hangs up, and returns what Vapi tells of the call.
    fn end(&self) -> VoiceEvent {
        let turns = self.messages.iter().map(|message| VoiceTurn {
            role: message["role"].as_str().unwrap().to_owned(),
            text: message["content"].as_str().unwrap().to_owned(),
        });
        VoiceEvent::EndOfCallReport {
            reason: "customer-ended-call".to_owned(),
            turns: turns.collect(),
            summary: Some("Preguntó por una limpieza.".to_owned()),
            seconds: Some(90),
            cost: Some(0.0421),
        }
    }
}

async fn open(db: quipu_testkit::TestDatabase) -> ChannelLine {
    ChannelLine::open_on(db, SimulatedChannel::Voice).await
}

async fn play(line: &ChannelLine, call: &SimulatedCall, event: &VoiceEvent) -> Value {
    let account = &line.account.account_id;
    let answer = line.simulator.play(account, call, event).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn calls(client: &Client) -> Vec<Value> {
    let listed = client.get("/api/v1/voice-calls").await.ok(200);
    listed["data"].as_array().unwrap().clone()
}

async fn messages(line: &ChannelLine) -> Vec<Value> {
    let conversation = line.conversation().await;
    let id = conversation["id"].as_str().unwrap();
    let path = format!("/api/v1/conversations/{id}/messages?include_notes=true");
    let mut listed = line.admin.get(&path).await.ok(200)["data"].clone();
    let listed = listed.as_array_mut().unwrap();
    listed.reverse();
    listed.clone()
}

/// What is the same however its parts are put together.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Gives the clinic the number that its calls are passed on to.
async fn set_phone(line: &ChannelLine, phone: &str) {
    let mut business = line.admin.get("/api/v1/business").await.ok(200);
    business["phone"] = json!(phone);
    line.admin.put("/api/v1/business", business).await.ok(200);
}

db_test! {
    async fn a_caller_asks_a_price_and_books(db) {
        let line = open(db).await;
        let mut call = Telephone::ring(&line, rosa()).await;
        assert!(call.greeting.contains("Maya"), "{}", call.greeting);
        let price = call.say("cuánto cuesta la limpieza dental?").await.text;
        assert!(price.contains("120") && !price.contains(['*', '[']), "{price}");
        let offer = call.say("quiero una cita para limpieza dental mañana en Miraflores").await.text;
        // As one says it, and not as one writes it.
        assert!(offer.contains("9 de la mañana"), "{offer}");
        let mut answer = call.say("a las 9 de la mañana").await.text;
        let mut booked = Vec::new();
        for _ in 0..5 {
            let appointments = line.admin.get("/api/v1/appointments").await.ok(200);
            booked.clone_from(appointments["data"].as_array().unwrap());
            if !booked.is_empty() {
                break;
            }
            let reply = if answer.contains("nombre de quién") { "Rosa Quispe" } else { "sí" };
            answer = call.say(reply).await.text;
        }
        assert_eq!(booked.len(), 1, "{answer}");
        let conversation = line.conversation().await;
        assert_eq!(conversation["channel"], "voice");
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        assert_eq!(leads["data"][0]["phone"], "+51 987 654 321");
        let said = messages(&line).await;
        assert_eq!((&said[0]["role"], &said[0]["text"]), (&json!("assistant"), &json!(call.greeting)));
        assert_eq!(said[1]["text"], "cuánto cuesta la limpieza dental?");
    }

    async fn words_that_are_asked_for_again_are_answered_as_before(db) {
        let line = open(db).await;
        let mut call = Telephone::ring(&line, rosa()).await;
        call.messages.push(json!({ "role": "user", "content": "a qué hora abren?" }));
        let first = call.hear().await.text;
        let kept = messages(&line).await.len();
        let again = call.hear().await.text;
        assert_eq!(letters(&first), letters(&again));
        assert_eq!(messages(&line).await.len(), kept, "the same words were stored twice");
        // As one answer, with the secret in the other header.
        let vapi = line.app.stranger().bearer(&line.account.app_secret);
        let whole = vapi.post(&call.path, call.body(false)).await.ok(200);
        assert_eq!(whole["object"], "chat.completion");
        let text = whole["choices"][0]["message"]["content"].as_str().unwrap();
        assert_eq!(letters(text), letters(&first));
        // Somebody who is interrupted says more.
        call.messages.pop();
        let more = call.say("a qué hora abren los sábados?").await.text;
        assert!(!more.is_empty());
        assert_eq!(messages(&line).await.len(), kept + 2);
    }

    async fn whoever_wants_a_person_is_put_through(db) {
        let line = open(db).await;
        set_phone(&line, "+51 987 111 222").await;
        let mut call = Telephone::ring(&line, rosa()).await;
        let heard = call.say("quiero hablar con una persona por favor").await;
        assert!(heard.passed_on, "{}", heard.text);
        // The same once more, as when Vapi asks again.
        call.messages.pop();
        assert!(call.hear().await.passed_on);
        let answer = call.play(&VoiceEvent::TransferDestinationRequest).await;
        assert_eq!(answer["destination"]["number"], "+51987111222", "{answer}");
        let conversation = line.conversation().await;
        assert_eq!(conversation["handoff"]["mode"], "pending_human");
        assert!(conversation["handoff"]["reason"].is_string(), "{conversation}");
        // What came of passing the call on is no question.
        let before = messages(&line).await.len();
        call.messages.push(json!({ "role": "tool", "tool_call_id": "t-1", "content": "ok" }));
        assert_eq!(call.hear().await.text, "");
        assert_eq!(messages(&line).await.len(), before);
    }

    async fn nobody_else_speaks_for_vapi(db) {
        let line = open(db).await;
        let stranger = line.app.stranger();
        let hook = format!("/api/webhooks/voice/{}", line.connection);
        let words = format!("/api/voice/{}/chat/completions", line.connection);
        let wrong = stranger.with("x-vapi-secret", "otro");
        let body = json!({ "message": { "type": "status-update" } });
        for client in [&stranger, &wrong] {
            client.post(&hook, body.clone()).await.refused(401, "CHANNEL_UNSIGNED");
            client.post(&words, body.clone()).await.refused(401, "CHANNEL_UNSIGNED");
        }
        let vapi = stranger.with("x-vapi-secret", &line.account.app_secret);
        vapi.post(&words, json!({ "messages": [] })).await.refused(422, "VALIDATION_FAILED");
        // What cannot be read is no reason to end a call.
        vapi.post(&hook, json!({ "message": {} })).await.ok(200);
        let nobody = format!("/api/voice/{}/chat/completions", uuid::Uuid::now_v7());
        vapi.post(&nobody, body.clone()).await.refused(404, "NOT_FOUND");
        let other = format!("/api/webhooks/whatsapp/{}", line.connection);
        vapi.post(&other, body).await.refused(404, "NOT_FOUND");
    }

    async fn nobody_is_greeted_while_calls_are_not_taken(db) {
        let line = open(db).await;
        let path = format!("/api/v1/channels/{}", line.connection);
        line.admin.patch(&path, json!({ "status": "paused" })).await.ok(200);
        let call = SimulatedCall::new(rosa());
        let ring = VoiceEvent::AssistantRequest;
        let answer = play(&line, &call, &ring).await;
        assert!(answer["error"].is_string() && answer["assistant"].is_null(), "{answer}");
        line.admin.patch(&path, json!({ "status": "active" })).await.ok(200);
        assert!(play(&line, &call, &ring).await["assistant"].is_object());
        let tenant = line.admin.get("/api/v1/tenant").await.ok(200);
        let tenant = format!("/api/v1/tenants/{}", tenant["id"].as_str().unwrap());
        let root = line.app.super_admin().await.client;
        root.patch(&tenant, json!({ "status": "suspended" })).await.ok(200);
        let answer = play(&line, &call, &ring).await;
        assert!(answer["error"].is_string() && answer["assistant"].is_null(), "{answer}");
    }

    async fn a_call_that_has_ended_is_stored_once_with_its_cost(db) {
        let line = open(db).await;
        let mut call = Telephone::ring(&line, rosa()).await;
        call.say("cuánto cuesta la limpieza dental?").await;
        let end = call.end();
        for _ in 0..2 {
            assert_eq!(call.play(&end).await, json!({}));
        }
        let stored = calls(&line.admin).await;
        assert_eq!(stored.len(), 1);
        let stored = &stored[0];
        assert_eq!((&stored["cost_micros"], &stored["duration_seconds"]), (&json!(42_100), &json!(90)));
        assert_eq!(stored["external_id"], json!(call.call.id));
        assert!(stored["transcript"].as_str().unwrap().contains("limpieza dental"), "{stored}");
        let conversation = line.conversation().await;
        assert_eq!(stored["conversation_id"], conversation["id"]);
        let said = messages(&line).await;
        let notes: Vec<&Value> = said.iter().filter(|one| one["role"] == "note").collect();
        assert_eq!(notes.len(), 1, "{said:?}");
        assert_eq!(notes[0]["text"], "Llamada de 1 min 30 s. Preguntó por una limpieza.");
        let month = line.app.now().strftime("%Y-%m").to_string();
        let path = format!("/api/v1/channels/{}/cost?month={month}", line.connection);
        let cost = line.admin.get(&path).await.ok(200);
        assert_eq!((&cost["cost"]["messages"], &cost["cost"]["cost_micros"]), (&json!(1), &json!(42_100)));
        // Whoever goes takes their calls along, and no report brings them back.
        let lead = conversation["lead_id"].as_str().unwrap();
        let removed = line.admin.delete(&format!("/api/v1/leads/{lead}")).await;
        assert!(removed.status < 300, "{}", removed.text);
        call.play(&end).await;
        assert!(calls(&line.admin).await.is_empty());
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert!(leads["data"].as_array().unwrap().is_empty(), "{leads}");
    }

    async fn whoever_hangs_up_without_a_word_is_nobody_new(db) {
        let line = open(db).await;
        let call = Telephone::ring(&line, rosa()).await;
        call.play(&VoiceEvent::StatusUpdate { status: "ringing".to_owned() }).await;
        let end = VoiceEvent::EndOfCallReport {
            reason: "customer-ended-call".to_owned(),
            turns: Vec::new(),
            summary: None,
            seconds: None,
            cost: None,
        };
        call.play(&end).await;
        let stored = calls(&line.admin).await;
        assert_eq!(stored.len(), 1);
        assert!(stored[0]["contact_id"].is_null() && stored[0]["cost_micros"].is_null(), "{stored:?}");
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert!(leads["data"].as_array().unwrap().is_empty(), "{leads}");
    }

    async fn an_assistant_uses_tools_for_the_caller_and_each_once(db) {
        let line = open(db).await;
        let call = Telephone::ring(&line, rosa()).await;
        let tool = |name: &str, as_function| VoiceToolCall {
            name: name.to_owned(),
            arguments: json!({}),
            as_function,
        };
        let wanted = vec![tool("get_business_info", true), tool("no_such_tool", false)];
        let answer = call.play(&VoiceEvent::ToolCalls { calls: wanted }).await;
        let results = answer["results"].as_array().unwrap();
        assert!(results[0]["result"].as_str().unwrap().contains("Sonrisa"), "{answer}");
        assert!(results[1]["error"].is_string(), "{answer}");
        let hook = format!("/api/webhooks/voice/{}", line.connection);
        let asked = json!({ "message": {
            "type": "tool-calls",
            "call": { "id": call.call.id, "customer": { "number": "+51987654321" } },
            "toolCallList": [{
                "id": "call_1", "name": "update_lead_info", "parameters": { "name": "Rosa Quispe" },
            }],
        } });
        for _ in 0..2 {
            let answer = call.vapi.post(&hook, asked.clone()).await.ok(200);
            assert!(answer["results"][0]["result"].is_string(), "{answer}");
        }
        let done = line.admin.get("/api/v1/tool-calls").await.ok(200);
        let done = done["data"].as_array().unwrap();
        let done = done.iter().filter(|one| one["tool"] == "update_lead_info");
        assert_eq!(done.count(), 1);
        assert_eq!(line.conversation().await["lead_name"], "Rosa Quispe");
        let turns = vec![VoiceTurn { role: "user".to_owned(), text: "¿Qué formas de pago aceptan?".to_owned() }];
        let known = call.play(&VoiceEvent::KnowledgeBaseRequest { turns }).await;
        assert!(known["documents"].is_array(), "{known}");
    }

    async fn the_same_number_is_another_caller_of_another_business(db) {
        let line = open(db).await;
        let other = line.app.tenant("otra").await.admin.client;
        let (connection, account) =
            connect(&line.app, &other, &line.simulator, SimulatedChannel::Voice, "ph-otra").await;
        let mut call = Telephone::ring(&line, rosa()).await;
        call.say("a qué hora abren?").await;
        call.play(&call.end()).await;
        // Nobody answers there, and there is nobody to whom a call could go.
        let theirs = SimulatedCall::new(rosa());
        let told = async |event: &VoiceEvent| {
            line.simulator.play(&account.account_id, &theirs, event).await.unwrap()
        };
        assert!(told(&VoiceEvent::AssistantRequest).await.body["error"].is_string());
        assert!(told(&VoiceEvent::TransferDestinationRequest).await.body["error"].is_string());
        told(&call.end()).await;
        let (ours, theirs) = (calls(&line.admin).await, calls(&other).await);
        assert_eq!((ours.len(), theirs.len()), (1, 1));
        assert_ne!(ours[0]["contact_id"], theirs[0]["contact_id"]);
        let path = format!("/api/v1/voice-calls?connection_id={connection}");
        line.admin.get(&path).await.refused(404, "NOT_FOUND");
        assert_eq!(other.get(&path).await.ok(200)["data"].as_array().unwrap().len(), 1);
        let conversation = ours[0]["conversation_id"].as_str().unwrap();
        let path = format!("/api/v1/voice-calls?conversation_id={conversation}");
        other.get(&path).await.refused(404, "NOT_FOUND");
        // The secret of one opens nothing of the other.
        let words = format!("/api/voice/{connection}/chat/completions");
        call.vapi.post(&words, call.body(false)).await.refused(401, "CHANNEL_UNSIGNED");
    }
}
