//! What a business offers, kind by kind.

use crate::harness::{KINDS, TestApp, ask, eventually, id, make_agent, sample};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

/// The field that holds the name of a kind.
fn name_field(path: &str) -> &'static str {
    match path {
        "/api/v1/policies" | "/api/v1/articles" | "/api/v1/instructions" => "title",
        "/api/v1/faqs" => "question",
        _ => "name",
    }
}

sqlite_test! {
    async fn every_kind_is_made_read_changed_and_deleted(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let branch = client.post("/api/v1/branches", sample("/api/v1/branches", "Sede")).await.ok(201);
        for (path, _) in KINDS {
            let name = "Añejo \"de la casa\" 🌮";
            let right = |name: &str| {
                let mut right = sample(path, name);
                if path == "/api/v1/tables" {
                    right["branch_id"] = branch["id"].clone();
                }
                right
            };
            let made = client.post(path, right(name)).await.ok(201);
            let field = name_field(path);
            assert_eq!(made[field], name, "{path}");
            let one = format!("{path}/{}", id(&made));
            assert_eq!(client.get(&one).await.ok(200), made, "{path}");
            // The same name in other letters is the same name.
            client.post(path, right("AÑEJO de la casa 🌮")).await.refused(409, "ALREADY_EXISTS");
            let changed = client.patch(&one, json!({ field: "Otro nombre" })).await.ok(200);
            assert_eq!(changed[field], "Otro nombre", "{path}");
            client.patch(&one, json!({ field: "" })).await.refused(422, "VALIDATION_FAILED");
            client.patch(&one, json!({ "no_such_field": 1 })).await.refused(400, "INVALID_JSON");
            client.patch(&one, json!({ "active": false })).await.ok(200);
            let active = client.get(&format!("{path}?active=true")).await.ok(200);
            let shown = active["data"].as_array().unwrap().iter().any(|item| item["id"] == made["id"]);
            assert!(!shown, "{path}");
            assert_eq!(client.delete(&one).await.status, 204, "{path}");
            client.get(&one).await.refused(404, "NOT_FOUND");
            client.delete(&one).await.refused(404, "NOT_FOUND");
        }
    }
}

db_test! {
    async fn what_refers_to_nothing_or_to_another_tenant_is_refused(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (own, other) = (app.tenant("uno").await.admin.client, app.tenant("dos").await.admin.client);
        let foreign = other.post("/api/v1/branches", sample("/api/v1/branches", "Ajena")).await.ok(201);
        let person = other.post("/api/v1/staff", sample("/api/v1/staff", "Ajena")).await.ok(201);
        for (path, field, value) in [
            ("/api/v1/staff", "branches", json!([foreign["id"]])),
            ("/api/v1/services", "branches", json!([foreign["id"]])),
            ("/api/v1/services", "staff", json!([person["id"]])),
            ("/api/v1/tables", "branch_id", foreign["id"].clone()),
            ("/api/v1/menu-items", "branches", json!([foreign["id"]])),
            ("/api/v1/instructions", "branch_id", foreign["id"].clone()),
        ] {
            let mut wrong = sample(path, "Prueba");
            wrong[field] = value;
            let error = own.post(path, wrong).await.refused(422, "VALIDATION_FAILED");
            let told = &error["details"]["fields"][0];
            assert_eq!((&told["field"], &told["problem"]), (&json!(field), &json!("not_found")));
        }
    }
}

sqlite_test! {
    async fn what_will_not_work_is_saved_with_a_warning(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let service = client.post("/api/v1/services", json!({ "name": "Limpieza" })).await.ok(201);
        let codes: Vec<&str> = service["warnings"].as_array().unwrap().iter()
            .map(|warning| warning["code"].as_str().unwrap()).collect();
        assert_eq!(codes, ["no_staff", "no_price"]);
        let found = client.get(&format!("/api/v1/availability?service_id={}", id(&service))).await.ok(200);
        assert_eq!((&found["slots"], &found["reason"]), (&json!([]), &json!("not_bookable")));
        let wrong = json!({ "name": "Centro", "hours": { "weekly": { "monday": [
            { "from": "09:00", "to": "13:00" }, { "from": "12:00", "to": "18:00" },
        ], "tuesday": [{ "from": "25:00", "to": "26:00" }] } } });
        let error = client.post("/api/v1/branches", wrong).await.refused(422, "VALIDATION_FAILED");
        assert_eq!(error["details"]["fields"].as_array().unwrap().len(), 3, "{error}");
    }

    async fn prices_are_of_one_currency(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let profile = client.get("/api/v1/business").await.ok(200);
        assert_eq!(profile["currency"], "PEN");
        let pesos = json!({ "name": "Taco", "price": { "amount": 100, "currency": "MXN" } });
        client.post("/api/v1/menu-items", pesos.clone()).await.refused(422, "VALIDATION_FAILED");
        client.put("/api/v1/business", json!({ "currency": "MXN" })).await.ok(200);
        let taco = client.post("/api/v1/menu-items", pesos).await.ok(201);
        client.put("/api/v1/business", json!({ "currency": "PEN" })).await.refused(409, "CURRENCY_IN_USE");
        client.put("/api/v1/business", json!({ "currency": "MXN", "hold_minutes": 0 })).await.refused(422, "VALIDATION_FAILED");
        assert_eq!(client.delete(&format!("/api/v1/menu-items/{}", id(&taco))).await.status, 204);
        client.put("/api/v1/business", json!({ "currency": "PEN" })).await.ok(200);
    }
}

db_test! {
    async fn what_is_saved_is_found_and_what_is_deleted_is_not(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = id(&make_agent(&client, "Maya").await);
        let found = async |question: &str| -> Vec<Value> {
            let path = format!("/api/v1/agents/{agent}/search");
            let body = json!({ "query": question, "similarity_threshold": 0.3 });
            client.post(&path, body).await.ok(200)["chunks"].as_array().unwrap().clone()
        };
        let faq = json!({
            "question": "¿Tienen estacionamiento?", "answer": "Sí, gratis en el sótano dos.", "tags": ["llegada"],
        });
        let faq = client.post("/api/v1/faqs", faq).await.ok(201);
        let policy = json!({
            "kind": "cancellation", "title": "Cancelaciones",
            "policy": "Cancela con veinticuatro horas de anticipación sin cargo alguno.",
        });
        client.post("/api/v1/policies", policy).await.ok(201);
        let says = async |question: &str, words: &str| {
            found(question).await.iter().any(|hit| hit["content"].as_str().unwrap().contains(words))
        };
        eventually("the answer", async || says("¿hay estacionamiento?", "sótano dos").await.then_some(())).await;
        eventually("the policy", async || says("¿puedo cancelar sin cargo?", "veinticuatro horas").await.then_some(())).await;
        let one = format!("/api/v1/faqs/{}", id(&faq));
        client.patch(&one, json!({ "answer": "Sí, en la azotea." })).await.ok(200);
        eventually("the new answer", async || says("¿hay estacionamiento?", "azotea").await.then_some(())).await;
        assert_eq!(client.delete(&one).await.status, 204);
        eventually("its end", async || (!says("¿hay estacionamiento?", "azotea").await).then_some(())).await;
    }
}

sqlite_test! {
    async fn what_is_for_the_agent_alone_is_not_quoted(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = id(&make_agent(&client, "Maya").await);
        let competitor = json!({
            "name": "Dental Rayo",
            "strategy": "Di que nuestra corona de zirconia dura veinte años y la de ellos solo diez.",
        });
        client.post("/api/v1/competitors", competitor).await.ok(201);
        let question = "¿cuánto dura la corona de zirconia?";
        // Who may read it finds it; a customer is not told in those words.
        let path = format!("/api/v1/agents/{agent}/search");
        eventually("the strategy", async || {
            let found = client.post(&path, json!({ "query": question })).await.ok(200);
            found.to_string().contains("veinte años").then_some(())
        })
        .await;
        let answer = ask(&client, &agent, question).await;
        assert!(!answer.to_string().contains("veinte"), "{answer}");
    }
}
