//! Agents as models of OpenAI's protocol.

use super::Talk;
use crate::harness::{Client, TestApp, make_agent};
use quipu_core::access::Permission;
use quipu_testkit::model::Step;
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};

const PATH: &str = "/v1/chat/completions";

fn question(text: &str) -> Value {
    json!({ "model": "maya", "messages": [{ "role": "user", "content": text }] })
}

fn with(mut body: Value, more: &Value) -> Value {
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

fn transfer() -> Value {
    json!([{
        "type": "function",
        "function": {
            "name": "transferCall",
            "description": "Pasa la llamada a otro número.",
            "parameters": { "type": "object", "properties": { "to": { "type": "string" } } },
        },
    }])
}

/// The chunks of a stream, and whether it ended as it should.
async fn chunks(client: &Client, body: Value) -> (Vec<Value>, bool) {
    let request = client.request(reqwest::Method::POST, PATH).json(&body);
    let text = request.send().await.unwrap().text().await.unwrap();
    let mut lines: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .collect();
    let ended = lines.pop() == Some("[DONE]");
    let chunks = lines
        .into_iter()
        .map(|line| serde_json::from_str(line).unwrap());
    (chunks.collect(), ended)
}

sqlite_test! {
    async fn an_agent_answers_as_a_model(db) {
        let talk = Talk::open(db, [Step::says("¡Hola! Soy Maya.").using(900, 800, 6).always()]).await;
        // What the agent decides itself, and what is not known yet, is passed over.
        let more = json!({ "temperature": 2, "max_tokens": 1, "top_p": 0, "stop": ["H"], "seed": 7, "of_tomorrow": {} });
        let answer = talk.client.post(PATH, with(question("hola"), &more)).await.ok(200);
        assert_eq!(answer["object"], "chat.completion");
        assert_eq!(answer["model"], "maya");
        assert_eq!(answer["choices"][0]["message"], json!({ "role": "assistant", "content": "¡Hola! Soy Maya." }));
        assert_eq!(answer["choices"][0]["finish_reason"], "stop");
        let usage = json!({
            "prompt_tokens": 900, "completion_tokens": 6, "total_tokens": 906,
            "prompt_tokens_details": { "cached_tokens": 800 },
        });
        assert_eq!(answer["usage"], usage);
        assert_eq!(answer["quipu"]["conversation_id"], Value::Null);
        let sent = &talk.model.requests()[0].body;
        assert!(sent["temperature"].is_null() && sent["stop"].is_null(), "{sent}");

        let streaming = json!({ "stream": true, "stream_options": { "include_usage": true } });
        let (events, ended) = chunks(&talk.client, with(question("hola"), &streaming)).await;
        assert!(ended);
        let text: String = events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(text, "¡Hola! Soy Maya.");
        assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
        let [.., last, took] = &events[..] else { panic!("{events:?}") };
        assert_eq!(last["choices"][0]["finish_reason"], "stop");
        assert_eq!((&took["choices"], &took["usage"]), (&json!([]), &usage));
        assert!(events.iter().all(|event| event["id"] == events[0]["id"] && event["object"] == "chat.completion.chunk"));
    }

    async fn a_client_calls_its_own_tools(db) {
        let script = [
            Step::says_and_calls(&["Un momento."], &[("transferCall", r#"{"to":"recepción"}"#)]),
            Step::says("Listo, te comunico."),
        ];
        let talk = Talk::open(db, script).await;
        let more = json!({ "tools": transfer(), "user": "visitante-1" });
        let asked = with(question("pásame con recepción porfa"), &more);
        let answer = talk.client.post(PATH, asked.clone()).await.ok(200);
        let choice = &answer["choices"][0];
        assert_eq!(choice["finish_reason"], "tool_calls", "{answer}");
        let call = &choice["message"]["tool_calls"][0];
        assert_eq!(call["type"], "function");
        assert_eq!(call["function"], json!({ "name": "transferCall", "arguments": r#"{"to":"recepción"}"# }));
        let offered = talk.model.requests()[0].body["tools"].to_string();
        assert!(offered.contains("transferCall") && offered.contains("get_business_info"), "{offered}");

        let mut messages = asked["messages"].as_array().unwrap().clone();
        messages.push(choice["message"].clone());
        messages.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": "transferida" }));
        let further = with(asked, &json!({ "messages": messages }));
        let answer = talk.client.post(PATH, further).await.ok(200);
        assert_eq!(answer["choices"][0]["message"]["content"], "Listo, te comunico.");
        let shown = talk.model.requests()[1].body["messages"].to_string();
        assert!(shown.contains("transferida") && shown.contains(call["id"].as_str().unwrap()), "{shown}");
        // The customer asked once.
        let path = format!("/api/v1/conversations/{}/messages", answer["quipu"]["conversation_id"].as_str().unwrap());
        let kept = talk.admin.get(&path).await.ok(200);
        let from = |role: &str| kept["data"].as_array().unwrap().iter().filter(|message| message["role"] == role).count();
        assert_eq!((from("user"), from("assistant")), (1, 2), "{kept}");

        talk.model.add([Step::calls(&[("transferCall", "{}")])]);
        let chosen = json!({
            "tools": transfer(), "stream": true,
            "tool_choice": { "type": "function", "function": { "name": "transferCall" } },
        });
        let (events, _) = chunks(&talk.client, with(question("pásame"), &chosen)).await;
        assert_eq!(talk.model.requests()[2].body["tool_choice"]["function"]["name"], "transferCall");
        let [.., calls, last] = &events[..] else { panic!("{events:?}") };
        let delta = &calls["choices"][0]["delta"]["tool_calls"][0];
        assert_eq!((&delta["index"], &delta["function"]["name"]), (&json!(0), &json!("transferCall")));
        assert_eq!(last["choices"][0]["finish_reason"], "tool_calls");

        talk.model.add([Step::says("No puedo.")]);
        let none = json!({ "tools": transfer(), "tool_choice": "none" });
        talk.client.post(PATH, with(question("pásame"), &none)).await.ok(200);
        let offered = talk.model.requests()[3].body["tools"].to_string();
        assert!(!offered.contains("transferCall"), "{offered}");
    }

    async fn a_call_is_answered_as_by_voice_and_for_whoever_calls(db) {
        let talk = Talk::open(db, [Step::says("Dígame.").always()]).await;
        let call = json!({
            "call": { "id": "c-1", "type": "inboundPhoneCall" },
            "customer": { "number": "+51987654321" },
            "phoneNumber": { "number": "+5112223333" },
        });
        let system = json!({ "messages": [
            { "role": "system", "content": "Habla despacio." },
            { "role": "assistant", "content": "Clínica Sonrisa, buenas tardes." },
            { "role": "user", "content": [{ "type": "text", "text": "¿aló?" }] },
        ] });
        let asked = with(with(question(""), &call), &system);
        let answer = talk.client.post(PATH, asked.clone()).await.ok(200);
        let again = talk.client.post(PATH, asked).await.ok(200);
        let conversation = answer["quipu"]["conversation_id"].as_str().unwrap();
        assert_eq!(again["quipu"]["conversation_id"], conversation);
        let kept = talk.admin.get(&format!("/api/v1/conversations/{conversation}")).await.ok(200);
        assert_eq!(kept["channel"], "voice");
        let heard = talk.model.requests();
        let spoken = heard[0].system();
        assert!(spoken.contains("Habla despacio."), "{spoken}");
        talk.client.post(PATH, question("¿aló?")).await.ok(200);
        assert_ne!(talk.model.requests()[2].system(), spoken, "written and spoken are told apart");
    }

    async fn what_cannot_be_answered_is_told(db) {
        let talk = Talk::open(db, []).await;
        let message = |message: Value| json!({ "model": "maya", "messages": [message] });
        let user = |content: Value| message(json!({ "role": "user", "content": content }));
        let named = |name: &str| json!({ "tools": [{ "type": "function", "function": { "name": name } }] });
        let hi = || question("hola");
        for (body, field) in [
            (with(hi(), &json!({ "n": 2 })), "n"),
            (with(hi(), &json!({ "response_format": { "type": "json_schema", "json_schema": {} } })), "response_format.type"),
            (with(hi(), &json!({ "tool_choice": "always" })), "tool_choice"),
            (with(hi(), &json!({ "tool_choice": { "function": { "name": "x" } } })), "tool_choice.function.name"),
            (with(hi(), &named("get_faq")), "tools[0].function.name"),
            (with(hi(), &named("con espacio")), "tools[0].function.name"),
            (with(hi(), &named(&"x".repeat(65))), "tools[0].function.name"),
            (with(hi(), &json!({ "user": "" })), "user"),
            (with(hi(), &json!({ "messages": [] })), "messages"),
            (user(json!([{ "type": "input_audio" }])), "messages[0].content[0].type"),
            (user(json!([{ "type": "image_url", "image_url": { "url": "https://example.com/a.png" } }])), "messages[0].content[0].image_url.url"),
            (user(json!("x".repeat(20_001))), "messages[0].content"),
            (message(json!({ "role": "tool", "tool_call_id": "nobody", "content": "x" })), "messages[0].role"),
            (message(json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "1", "function": { "name": "x", "arguments": "{}" } }] })), "messages[0].tool_calls[0].id"),
        ] {
            let error = talk.client.post(PATH, body.clone()).await.refused(422, "VALIDATION_FAILED");
            let fields = error["details"]["fields"].as_array().unwrap();
            assert!(fields.iter().any(|wrong| wrong["field"] == field), "{body}: {error}");
            assert!(!error["message"].as_str().unwrap().contains(": ."), "a list without values: {error}");
        }
        talk.client.post(PATH, with(hi(), &json!({ "model": "nobody" }))).await.refused(404, "NOT_FOUND");
        talk.client.post(PATH, json!({ "model": "maya" })).await.refused(400, "INVALID_JSON");
        assert!(talk.model.requests().is_empty(), "no model was asked");
    }

    async fn more_than_is_read_is_trimmed_and_served(db) {
        let talk = Talk::open(db, [Step::says("Aquí estoy.").always()]).await;
        let ask = async |more: Value| talk.client.post(PATH, with(question("hola"), &more)).await.ok(200);
        let heard = || talk.model.requests().pop().unwrap();
        // A long talk: the end of it is read, and no result without its call.
        let mut messages = vec![
            json!({ "role": "user", "content": "abre" }),
            json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c1", "type": "function", "function": { "name": "open_door", "arguments": "{}" } }] }),
            json!({ "role": "tool", "tool_call_id": "c1", "content": "abierta" }),
        ];
        for number in 0..99 {
            let role = if number % 2 == 0 { "assistant" } else { "user" };
            messages.push(json!({ "role": role, "content": format!("mensaje {number}") }));
        }
        messages.push(json!({ "role": "user", "content": "¿sigues ahí?" }));
        let answer = ask(json!({ "messages": messages })).await;
        assert_eq!(answer["choices"][0]["message"]["content"], "Aquí estoy.");
        assert!(heard().body["messages"].to_string().contains("¿sigues ahí?"));
        // Much text: what is oldest goes first, and what was said long ago is shortened.
        let mut messages = vec![json!({ "role": "user", "content": "x".repeat(20_000) }); 11];
        messages.push(json!({ "role": "assistant", "content": "y".repeat(30_000) }));
        messages.push(json!({ "role": "user", "content": "¿sigues ahí?" }));
        ask(json!({ "messages": messages })).await;
        // What a client adds to the instructions is heeded as far as it has room, which it is told.
        let system = format!("Habla despacio. {}", "No hables de política. ".repeat(200));
        let told = json!([{ "role": "system", "content": system }, { "role": "user", "content": "hola" }]);
        let answer = ask(json!({ "messages": told })).await;
        assert_eq!(answer["quipu"]["trimmed"], json!(["instructions"]), "{answer}");
        let heeded = heard().system();
        assert!(heeded.contains("Habla despacio.") && heeded.matches("No hables de política.").count() > 20, "{heeded}");
        assert_eq!(ask(json!({})).await["quipu"]["trimmed"], json!([]));
        // Nothing was said while a person answered; clients send that back as they got it.
        let silent = json!([
            { "role": "user", "content": "hola" }, { "role": "assistant", "content": "" }, { "role": "user", "content": "¿sigues ahí?" },
        ]);
        ask(json!({ "messages": silent })).await;
        for silence in [json!({ "role": "assistant", "content": "" }), json!({ "role": "assistant", "parts": [] }), json!({ "role": "assistant", "content": " ", "parts": [{ "type": "step-start" }] })] {
            let messages = json!([{ "role": "user", "content": "hola" }, silence, { "role": "user", "content": "¿sigues ahí?" }]);
            let answer = talk.client.post("/api/agents/maya/chat", json!({ "messages": messages, "stream": false })).await.ok(200);
            assert_eq!(answer["message"]["content"], "Aquí estoy.");
        }
        // The question itself is never cut.
        let long = json!({ "messages": [{ "role": "user", "content": "x".repeat(20_001) }] });
        talk.client.post(PATH, with(question("hola"), &long)).await.refused(422, "VALIDATION_FAILED");
    }

    async fn tools_of_every_kind_are_taken(db) {
        let talk = Talk::open(db, [Step::calls(&[("end_call", "{}")]), Step::says("Listo.").always()]).await;
        // Those without a function, which a service runs itself, are none that could be called back.
        let tools = json!([
            { "type": "function", "name": "end_call", "description": "Cuelga.", "parameters": { "type": "object", "properties": {} } },
            { "type": "web_search" },
            { "type": "custom", "custom": { "name": "grep" } },
            { "type": "function", "function": { "name": "transferCall" } },
        ]);
        let answer = talk.client.post(PATH, with(question("cuelga"), &json!({ "tools": tools }))).await.ok(200);
        let call = &answer["choices"][0]["message"]["tool_calls"][0];
        assert_eq!(call["function"]["name"], "end_call", "{answer}");
        let offered = talk.model.requests()[0].body["tools"].to_string();
        assert!(offered.contains("end_call") && offered.contains("transferCall") && offered.contains("Cuelga."), "{offered}");
        assert!(!offered.contains("web_search") && !offered.contains("grep"), "{offered}");
    }

    async fn an_answer_is_an_object_where_that_is_wanted(db) {
        let talk = Talk::open(db, [Step::says("Cuesta \"poco\". ¿Te agendo?").always()]).await;
        let wanted = json!({ "response_format": { "type": "json_object" } });
        let answer = talk.client.post(PATH, with(question("hola"), &wanted)).await.ok(200);
        let content = answer["choices"][0]["message"]["content"].as_str().unwrap();
        let read: Value = serde_json::from_str(content).unwrap();
        assert_eq!(read, json!({ "answer": "Cuesta \"poco\". ¿Te agendo?" }));
        let (events, ended) = chunks(&talk.client, with(with(question("hola"), &wanted), &json!({ "stream": true }))).await;
        assert!(ended);
        let text: String = events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), read);
    }

    async fn models_are_the_agents_of_the_tenant(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (one, other) = (app.tenant("uno").await, app.tenant("otro").await);
        make_agent(&one.admin.client, "Maya").await;
        make_agent(&one.admin.client, "Leo").await;
        make_agent(&other.admin.client, "Nina").await;
        one.admin.client.patch("/api/v1/agents/leo", json!({ "enabled": false })).await.ok(200);
        let talker = app.program(&one, &[Permission::Chat]).await;
        let listed = talker.get("/v1/models").await.ok(200);
        let ids: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
        assert_eq!(ids, ["maya"], "{listed}");
        let model = talker.get("/v1/models/maya").await.ok(200);
        assert_eq!(model, listed["data"][0]);
        assert_eq!((&model["object"], &model["owned_by"]), (&json!("model"), &json!("uno")));
        for gone in ["leo", "nina", "nadie"] {
            talker.get(&format!("/v1/models/{gone}")).await.refused(404, "NOT_FOUND");
            let body = with(question("hola"), &json!({ "model": gone }));
            let reply = talker.post(PATH, body).await;
            assert!(["NOT_FOUND", "AGENT_DISABLED"].contains(&&*reply.code()), "{}", reply.text);
        }
    }
}
