//! Agents in the Responses API of OpenAI's protocol.

use super::Talk;
use quipu_testkit::db_test;
use quipu_testkit::model::Step;
use serde_json::{Value, json};

const PATH: &str = "/v1/responses";

db_test! {
    async fn a_response_is_remembered_by_its_customer_and_not_by_its_id(db) {
        let talk = Talk::open(db, [Step::says("¡Hola! Soy Maya.").using(900, 800, 6).always()]).await;
        let asked = json!({ "model": "maya", "input": "hola", "user": "visitante-1", "metadata": { "a": "b" }, "reasoning": { "effort": "low" } });
        let first = talk.client.post(PATH, asked.clone()).await.ok(200);
        assert_eq!((&first["object"], &first["status"]), (&json!("response"), &json!("completed")));
        assert_eq!(first["output"][0]["content"][0]["text"], "¡Hola! Soy Maya.");
        assert_eq!((&first["usage"]["input_tokens"], &first["usage"]["input_tokens_details"]["cached_tokens"]), (&json!(900), &json!(800)));
        let again = talk.client.post(PATH, asked.clone()).await.ok(200);
        assert_eq!(first["quipu"]["conversation_id"], again["quipu"]["conversation_id"]);
        for field in ["previous_response_id", "conversation"] {
            let mut wrong = asked.clone();
            wrong[field] = first["id"].clone();
            let error = talk.client.post(PATH, wrong).await.refused(422, "RESPONSE_NOT_KEPT");
            assert_eq!(error["details"]["field"], field);
        }
    }

    async fn what_is_wrong_with_a_request_is_named_as_it_is_called(db) {
        let talk = Talk::open(db, [Step::says("Cuesta \"poco\".").always()]).await;
        for (more, field) in [
            (json!({ "input": [] }), "input"),
            (json!({ "input": [{ "role": "user", "content": [{ "type": "input_file", "file_id": "f" }] }] }), "input[0].content[0].type"),
            (json!({ "input": [{ "type": "item_reference", "id": "msg_1" }] }), "input[0].type"),
            (json!({ "input": [{ "type": "function_call_output", "call_id": "x", "output": "" }] }), "input[0].role"),
            (json!({ "text": { "format": { "type": "json_schema", "name": "x", "schema": {} } } }), "text.format.type"),
            (json!({ "tool_choice": "always" }), "tool_choice"),
            (json!({ "user": "" }), "user"),
        ] {
            let mut body = json!({ "model": "maya", "input": "hola" });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let error = talk.client.post(PATH, body.clone()).await.refused(422, "VALIDATION_FAILED");
            let fields = error["details"]["fields"].as_array().unwrap();
            assert!(fields.iter().any(|wrong| wrong["field"] == field), "{body}: {error}");
        }
        assert!(talk.model.requests().is_empty(), "no model was asked");
        let wanted = json!({ "model": "maya", "input": "hola", "text": { "format": { "type": "json_object" } } });
        let answer = talk.client.post(PATH, wanted).await.ok(200);
        let text = answer["output"][0]["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), json!({ "answer": "Cuesta \"poco\"." }));
    }
}
