//! Rehearsals: scripts and conversations played again, what is expected of them, and what they hold up.

use crate::harness::{
    Client, Options, Reply, TestApp, eventually, id, make_agent, make_conversation, make_lead,
    rehearsed, say, teach,
};
use quipu_core::access::{Permission, Role};
use quipu_testkit::model::{Asked, Dialect, ScriptedModel, Step};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;

/// An agent without a model, which knows one thing.
struct Stage {
    app: TestApp,
    tenant: crate::harness::Tenant,
    client: Client,
    agent: String,
    path: String,
}

impl Stage {
    async fn open(db: quipu_testkit::TestDatabase) -> Self {
        let stage = Self::bare(db, |_| {}).await;
        stage.teach().await;
        stage
    }

    /// One whose agent knows nothing yet.
    async fn bare(db: quipu_testkit::TestDatabase, change: impl FnOnce(&mut Options)) -> Self {
        let app = TestApp::start_with(db, change).await;
        let tenant = app.tenant("sonrisa").await;
        let client = tenant.admin.client.clone();
        let agent = id(&make_agent(&client, "Maya").await);
        Self {
            path: format!("/api/v1/agents/{agent}/rehearsals"),
            app,
            tenant,
            client,
            agent,
        }
    }

    async fn teach(&self) {
        let text = "El estacionamiento cuesta 10 soles por hora.";
        teach(&self.client, &self.agent, "Estacionamiento", text).await;
    }

    /// One whose agent asks a model. The clock is turned by hours in all, and nobody loses a job by that.
    async fn open_before(db: quipu_testkit::TestDatabase, model: &ScriptedModel) -> Self {
        let stage = Self::bare(db, |options| {
            options.config.models.allow_hosts = vec![model.host()];
            options.config.jobs.lease_seconds = 3600;
        })
        .await;
        stage.teach().await;
        let config = json!({
            "provider": "openai_compatible", "model": "modelo", "base_url": model.base(Dialect::Openai),
        });
        let body = json!({ "settings": { "model": config } });
        let agent = format!("/api/v1/agents/{}", stage.agent);
        stage.client.patch(&agent, body).await.ok(200);
        stage
    }

    /// An answer that takes the model this long.
    fn answered_after(&self, time: Duration) -> Step {
        let clock = self.app.clock.clone();
        let take = move |_: &Asked| {
            clock.advance(time);
            true
        };
        Step::says("Con gusto le explica una persona.")
            .when(take)
            .always()
    }

    async fn rehearsal_jobs(&self) -> usize {
        let path = "/api/v1/jobs?status=succeeded&limit=200";
        let jobs = self.client.get(path).await.ok(200);
        let jobs = jobs["data"].as_array().unwrap().iter();
        jobs.filter(|job| job["kind"] == "rehearse").count()
    }

    async fn rewrite(&self, script: &Value, steps: Value) {
        self.app.clock.advance(Duration::from_secs(1));
        let path = format!("{}/scripts/{}", self.path, id(script));
        let body = json!({ "name": "Otro", "steps": steps });
        self.client.put(&path, body).await.ok(200);
    }

    /// Has drafts rehearsed, and begins one.
    async fn gate(&self) {
        let agent = format!("/api/v1/agents/{}", self.agent);
        let gated = json!({ "settings": { "rehearse_before_publishing": true } });
        self.client.patch(&agent, gated).await.ok(200);
        let draft = json!({ "company_name": "Sonrisa Nueva" });
        self.client
            .put(&format!("{agent}/draft"), draft)
            .await
            .ok(200);
    }

    async fn publish(&self) -> Reply {
        let path = format!("/api/v1/agents/{}/draft/publish", self.agent);
        self.client.post(&path, json!({})).await
    }

    async fn script(&self, steps: Value) -> Value {
        let body = json!({ "name": "Estacionamiento", "steps": steps });
        self.client
            .post(&format!("{}/scripts", self.path), body)
            .await
            .ok(201)
    }

    async fn play(&self, body: Value) -> (Value, Vec<Value>) {
        let run = rehearsed(&self.client, &self.path, body).await;
        let path = format!("{}/{}/results", self.path, id(&run));
        let results = self.client.get(&path).await.ok(200);
        (run, results["data"].as_array().unwrap().clone())
    }

    /// A conversation of a customer who says this, and whom a person answers.
    async fn conversation(&self, text: &str) -> (Value, Value) {
        let lead = make_lead(&self.client, "Ana Quispe").await;
        let conversation = make_conversation(&self.client, &lead).await;
        // What a customer says, a program passes on.
        let program = self.app.api_key(&self.tenant, Permission::ALL).await;
        let program = self.app.stranger().bearer(&program);
        say(&program, &conversation, "user", text).await;
        say(&self.client, &conversation, "human", "Es gratis.").await;
        (lead, conversation)
    }
}

sqlite_test! {
    async fn a_script_says_what_it_expects_and_why_that_is_not_so(db) {
        let stage = Stage::open(db).await;
        let script = stage.script(json!([
            { "message": "¿cuánto cuesta el estacionamiento?", "expect": { "must_contain": ["10 SOLES"], "must_cite": true, "must_not_write": true } },
            { "message": "¿tienen wifi?", "expect": { "must_contain": ["wifi gratis"], "must_hand_over": true, "must_not_know": true } },
        ])).await;
        let (run, results) = stage.play(json!({ "script_ids": [script["id"]] })).await;
        assert_eq!((&run["state"], &run["answers"], &run["failed"], &run["changed"]), (&json!("done"), &json!(2), &json!(1), &json!(0)), "{run} {results:#?}");
        assert_eq!(results[0]["failed"], json!([]), "{results:#?}");
        assert_eq!(results[0]["before"], Value::Null);
        assert_eq!(results[0]["verdict"], "same");
        let kinds: Vec<&str> = results[1]["failed"].as_array().unwrap().iter().map(|failed| failed["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["must_contain", "must_hand_over"], "{results:#?}");

        // The next time there is something to compare with, and only what differs is changed.
        let update = json!({ "name": "Otro", "steps": [{ "message": "¿cuánto cuesta el estacionamiento?" }] });
        stage.client.put(&format!("{}/scripts/{}", stage.path, id(&script)), update).await.ok(200);
        let (run, results) = stage.play(json!({ "all_scripts": true })).await;
        assert_eq!((&run["changed"], &run["failed"]), (&json!(0), &json!(0)), "{results:#?}");
        assert_eq!(results[0]["before"]["text"], results[0]["after"]["text"], "{results:#?}");
        let path = format!("{}/{}/results/{}", stage.path, id(&run), id(&results[0]));
        let judged = stage.client.patch(&path, json!({ "verdict": "better" })).await.ok(200);
        assert_eq!(judged["verdict"], "better");

        // What expects a tool that there is not, or says nothing, is no script.
        let path = format!("{}/scripts", stage.path);
        for steps in [json!([]), json!([{ "message": " " }]), json!([{ "message": "hola", "expect": { "must_call": ["fly"] } }])] {
            let body = json!({ "name": "Mal", "steps": steps });
            stage.client.post(&path, body).await.refused(422, "VALIDATION_FAILED");
        }
        stage.client.delete(&format!("{path}/{}", id(&script))).await.ok(204);
        stage.client.post(&stage.path, json!({ "all_scripts": true })).await.refused(422, "REHEARSAL_EMPTY");
        let kept = stage.client.get(&format!("{}?limit=1", stage.path)).await.ok(200);
        assert!(kept["next_cursor"].is_string(), "{kept}");
        stage.client.delete(&format!("{}/{}", stage.path, id(&run))).await.ok(204);
        stage.client.get(&format!("{}/{}", stage.path, id(&run))).await.refused(404, "NOT_FOUND");
    }

    async fn one_rehearsal_at_a_time_and_it_can_be_stopped(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("sonrisa").await;
        let client = &tenant.admin.client;
        let agent = id(&make_agent(client, "Maya").await);
        let path = format!("/api/v1/agents/{agent}/rehearsals");
        let script = json!({ "name": "Hola", "steps": [{ "message": "hola" }] });
        client.post(&format!("{path}/scripts"), script).await.ok(201);
        let everything = json!({ "all_scripts": true });
        let run = client.post(&path, everything.clone()).await.ok(202);
        assert_eq!(run["state"], "queued", "{run}");
        client.post(&path, everything.clone()).await.refused(409, "REHEARSAL_RUNNING");
        client.delete(&format!("{path}/{}", id(&run))).await.refused(409, "REHEARSAL_RUNNING");
        let stopped = client.post(&format!("{path}/{}/stop", id(&run)), json!({})).await.ok(200);
        assert_eq!(stopped["state"], "stopped", "{stopped}");
        let jobs = client.get("/api/v1/jobs?status=cancelled").await.ok(200);
        let job = &jobs["data"][0];
        assert_eq!(job["kind"], "rehearse", "{jobs}");
        // Its job can be retried, as long as no other one runs.
        let retry = format!("/api/v1/jobs/{}/retry", id(job));
        client.post(&retry, json!({})).await.ok(200);
        client.post(&path, everything).await.refused(409, "REHEARSAL_RUNNING");
        app.start_workers();
        eventually("the rehearsal", async || {
            let run = client.get(&format!("{path}/{}", id(&run))).await.ok(200);
            (run["state"] == "done").then_some(())
        })
        .await;
    }

    async fn a_script_is_played_as_long_as_others_can_wait(db) {
        let model = ScriptedModel::start([]).await;
        let stage = Stage::open_before(db, &model).await;
        model.add([stage.answered_after(Duration::from_secs(61))]);
        let steps: Vec<Value> = (0..20).map(|_| json!({ "message": "¿cuánto cuesta el estacionamiento?", "expect": { "must_contain": ["una persona"] } })).collect();
        stage.script(json!(steps)).await;
        stage.gate().await;
        // The live agent is asked as well, so that each message takes two minutes.
        let (run, results) = stage.play(json!({ "target": "draft", "all_scripts": true })).await;
        assert_eq!((&run["state"], &run["failed"], results.len()), (&json!("done"), &json!(0), 5), "{run}");
        // What was left out is not known to be as expected.
        stage.publish().await.refused(409, "REHEARSAL_REQUIRED");
    }

    async fn who_may_not_see_customers_sees_no_answers(db) {
        let stage = Stage::open(db).await;
        let (_, conversation) = stage.conversation("¿cuánto cuesta el estacionamiento?").await;
        let from = stage.app.now() - Duration::from_hours(1);
        let (run, _) = stage.play(json!({ "from": from, "to": stage.app.now() + Duration::from_secs(1) })).await;
        let rights = [Permission::AgentsRead, Permission::AgentsWrite];
        let key = stage.app.stranger().bearer(&stage.app.api_key(&stage.tenant, &rights).await);
        let results = format!("{}/{}/results", stage.path, id(&run));
        key.get(&format!("{}/{}", stage.path, id(&run))).await.ok(200);
        key.get(&results).await.refused(403, "FORBIDDEN");
        key.post(&stage.path, json!({ "from": from })).await.refused(403, "FORBIDDEN");
        let made = json!({ "conversation_id": conversation["id"] });
        key.post(&format!("{}/scripts/from-conversation", stage.path), made).await.refused(403, "FORBIDDEN");
    }

    async fn a_script_of_a_conversation_does_not_say_whose_it_was(db) {
        let stage = Stage::open(db).await;
        let (lead, conversation) = stage.conversation("Soy Ana Quispe, mi correo es ana@ejemplo.pe. ¿Cuánto cuesta el estacionamiento?").await;
        let path = format!("{}/scripts/from-conversation", stage.path);
        let script = stage.client.post(&path, json!({ "conversation_id": conversation["id"] })).await.ok(201);
        let text = script.to_string();
        assert!(text.contains("estacionamiento"), "{text}");
        assert!(!text.contains("ana@") && !text.contains("Quispe"), "{text}");
        // It is what a customer said all the same: not for everybody, and gone with them.
        let key = stage.app.program(&stage.tenant, &[Permission::Chat, Permission::AgentsRead]).await;
        let scripts = format!("{}/scripts", stage.path);
        for path in [scripts.clone(), format!("{scripts}/{}", id(&script))] {
            key.get(&path).await.refused(403, "FORBIDDEN");
        }
        stage.script(json!([{ "message": "hola" }])).await;
        stage.play(json!({ "script_ids": [script["id"]] })).await;
        let receipt = stage.client.delete(&format!("/api/v1/leads/{}", id(&lead))).await.ok(200);
        let rows = &receipt["removed"]["rows"];
        assert_eq!((&rows["rehearsal_scripts"], &rows["rehearsal_results"]), (&json!(1), &json!(1)), "{receipt}");
        assert_eq!(receipt["complete"], true, "{receipt}");
        let left = stage.client.get(&scripts).await.ok(200);
        assert_eq!(left["data"].as_array().unwrap().len(), 1, "{left}");
    }

    async fn what_a_key_has_rehearsed_ends_with_it(db) {
        let stage = Stage::open(db).await;
        let steps: Vec<Value> = (0..20).map(|at| json!({ "message": format!("¿cuánto cuesta el estacionamiento {at} horas?") })).collect();
        for _ in 0..20 {
            stage.script(json!(steps)).await;
        }
        let made = json!({ "name": "clave", "scopes": Permission::ALL });
        let made = stage.client.post("/api/v1/api-keys", made).await.ok(201);
        let program = stage.app.stranger().bearer(made["key"].as_str().unwrap());
        let run = program.post(&stage.path, json!({ "all_scripts": true })).await.ok(202);
        stage.client.delete(&format!("/api/v1/api-keys/{}", id(&made))).await.ok(204);
        let run = stage.client.get(&format!("{}/{}", stage.path, id(&run))).await.ok(200);
        assert_eq!(run["state"], "stopped", "{run}");
    }

    async fn what_a_key_has_rehearsed_ends_with_the_rights_of_its_maker(db) {
        let stage = Stage::bare(db, |options| options.workers = false).await;
        stage.script(json!([{ "message": "hola" }])).await;
        let maker = stage.app.member(&stage.tenant, Role::Admin).await;
        let made = json!({ "name": "clave", "scopes": Permission::ALL });
        let made = maker.client.post("/api/v1/api-keys", made).await.ok(201);
        let program = stage.app.stranger().bearer(made["key"].as_str().unwrap());
        let run = program.post(&stage.path, json!({ "all_scripts": true })).await.ok(202);
        // The key lives on, and may order none any more.
        let path = format!("/api/v1/members/{}", maker.id);
        stage.client.patch(&path, json!({ "role": "member" })).await.ok(200);
        stage.app.start_workers();
        let ended = eventually("the rehearsal", async || {
            let run = stage.client.get(&format!("{}/{}", stage.path, id(&run))).await.ok(200);
            (run["state"] != "queued" && run["state"] != "running").then_some(run)
        }).await;
        assert_eq!((&ended["state"], &ended["answers"]), (&json!("stopped"), &json!(0)), "{ended}");
    }

    async fn a_draft_is_published_after_it_was_rehearsed_and_answers_as_expected(db) {
        let stage = Stage::open(db).await;
        let agent = format!("/api/v1/agents/{}", stage.agent);
        let draft = format!("{agent}/draft");
        let publish = format!("{agent}/draft/publish");
        let gated = json!({ "settings": { "rehearse_before_publishing": true } });
        stage.client.patch(&agent, gated).await.ok(200);
        // Without a draft nothing goes live. What changes no answer does, and so does going without rehearsals.
        stage.client.patch(&agent, json!({ "company_name": "Sonrisa Nueva" })).await.refused(409, "REHEARSAL_REQUIRED");
        stage.client.patch(&agent, json!({ "enabled": true })).await.ok(200);
        for gate in [false, true] {
            let gate = json!({ "settings": { "rehearse_before_publishing": gate } });
            stage.client.patch(&agent, gate).await.ok(200);
        }
        // With anything else it is more than going without.
        let both = json!({ "company_name": "Sonrisa Nueva", "settings": { "rehearse_before_publishing": false } });
        stage.client.patch(&agent, both).await.refused(409, "REHEARSAL_REQUIRED");
        let live = stage.client.get(&agent).await.ok(200);
        assert_eq!(live["settings"]["rehearse_before_publishing"], true, "{live}");
        stage.client.put(&draft, json!({ "company_name": "Sonrisa Nueva" })).await.ok(200);
        stage.client.post(&publish, json!({})).await.refused(409, "REHEARSAL_REQUIRED");
        let steps = json!([{ "message": "¿tienen wifi?", "expect": { "must_contain": ["Sonrisa Nueva"] } }]);
        stage.script(steps).await;
        // The live agent was rehearsed, and that is another one.
        let (run, _) = stage.play(json!({ "all_scripts": true })).await;
        assert_eq!(run["failed"], 1, "{run}");
        stage.client.post(&publish, json!({})).await.refused(409, "REHEARSAL_REQUIRED");
        let (run, results) = stage.play(json!({ "target": "draft", "all_scripts": true })).await;
        assert_eq!((&run["failed"], &run["changed"]), (&json!(0), &json!(1)), "{results:#?}");
        assert!(!results[0]["before"]["text"].as_str().unwrap().contains("Nueva"), "{results:#?}");
        // A draft that was changed since is another one, and one that answers otherwise is refused.
        stage.client.put(&draft, json!({ "company_name": "Otra" })).await.ok(200);
        stage.client.post(&publish, json!({})).await.refused(409, "REHEARSAL_REQUIRED");
        stage.play(json!({ "target": "draft", "all_scripts": true })).await;
        let refused = stage.client.post(&publish, json!({})).await.refused(409, "REHEARSAL_FAILED");
        assert!(refused.to_string().contains('1'), "{refused}");
        stage.client.put(&draft, json!({ "company_name": "Sonrisa Nueva" })).await.ok(200);
        stage.client.post(&publish, json!({})).await.ok(201);
        let live = stage.client.get(&agent).await.ok(200);
        assert_eq!(live["company_name"], "Sonrisa Nueva");
        stage.client.post(&stage.path, json!({ "target": "draft", "all_scripts": true })).await.refused(404, "NOT_FOUND");
        stage.play(json!({ "target": "version", "version": 1, "all_scripts": true })).await;
        stage.client.post(&stage.path, json!({ "target": "version", "all_scripts": true })).await.refused(422, "VALIDATION_FAILED");
    }
}

db_test! {
    async fn a_slow_rehearsal_lets_others_have_their_turn(db) {
        let model = ScriptedModel::start([]).await;
        let stage = Stage::open_before(db, &model).await;
        for _ in 0..3 {
            stage.script(json!([{ "message": "¿cuánto cuesta el estacionamiento?" }])).await;
        }
        let everything = json!({ "all_scripts": true });
        model.add([Step::says("Con gusto.").times(3), stage.answered_after(Duration::from_secs(61))]);
        let (run, _) = stage.play(everything.clone()).await;
        assert_eq!((&run["state"], &run["played"], stage.rehearsal_jobs().await), (&json!("done"), &json!(3), 1), "{run}");
        // With a minute for each script, each is a job of its own.
        let (run, results) = stage.play(everything).await;
        assert_eq!((&run["state"], &run["played"], results.len()), (&json!("done"), &json!(3), 3), "{run}");
        assert_eq!(stage.rehearsal_jobs().await, 1 + 3);
    }

    async fn a_model_that_does_not_answer_keeps_no_other_tenant_waiting(db) {
        let model = ScriptedModel::start([Step::hangs().always()]).await;
        let stage = Stage::open_before(db, &model).await;
        let steps: Vec<Value> = (0..20).map(|_| json!({ "message": "hola" })).collect();
        stage.script(json!(steps)).await;
        let slow = stage.client.post(&stage.path, json!({ "all_scripts": true })).await.ok(202);
        eventually("the model to be asked", async || (!model.requests().is_empty()).then_some(())).await;
        let client = stage.app.tenant("otra").await.admin.client;
        let path = format!("/api/v1/agents/{}/rehearsals", id(&make_agent(&client, "Maya").await));
        let script = json!({ "name": "Hola", "steps": [{ "message": "hola" }] });
        client.post(&format!("{path}/scripts"), script).await.ok(201);
        let run = rehearsed(&client, &path, json!({ "all_scripts": true })).await;
        assert_eq!(run["state"], "done", "{run}");
        let slow = stage.client.get(&format!("{}/{}", stage.path, id(&slow))).await.ok(200);
        assert_eq!(slow["state"], "running", "{slow}");
    }

    async fn a_draft_is_held_up_by_all_that_is_expected_of_it(db) {
        let stage = Stage::open(db).await;
        stage.conversation("¿cuánto cuesta el estacionamiento?").await;
        stage.gate().await;
        let expecting = |text: &str| json!([{ "message": "hola" }, { "message": "¿tienen wifi?", "expect": { "must_contain": [text] } }]);
        let kept = stage.script(expecting("Sonrisa Nueva")).await;
        let missed = stage.script(expecting("wifi gratis")).await;
        let idle = stage.script(json!([{ "message": "hola" }])).await;
        let everything = json!({ "target": "draft", "all_scripts": true });
        let one = |script: &Value| json!({ "target": "draft", "script_ids": [script["id"]] });
        let from = stage.app.now() - Duration::from_hours(1);
        let talked = json!({ "target": "draft", "from": from, "to": stage.app.now() + Duration::from_secs(1) });
        // Neither what expects nothing nor a part of what is expected will do.
        for part in [one(&idle), talked, one(&kept)] {
            let (run, _) = stage.play(part).await;
            assert_eq!((&run["state"], &run["failed"]), (&json!("done"), &json!(0)), "{run}");
            assert_ne!(run["answers"], 0, "{run}");
            stage.publish().await.refused(409, "REHEARSAL_REQUIRED");
        }
        stage.play(everything.clone()).await;
        stage.publish().await.refused(409, "REHEARSAL_FAILED");
        // What was not as expected is not made up for by something else.
        stage.play(one(&kept)).await;
        stage.publish().await.refused(409, "REHEARSAL_FAILED");
        // What is expected otherwise since then was not rehearsed.
        stage.rewrite(&missed, expecting("Nueva")).await;
        stage.publish().await.refused(409, "REHEARSAL_REQUIRED");
        let (run, results) = stage.play(everything).await;
        assert_eq!(run["failed"], 0, "{results:#?}");
        stage.rewrite(&missed, expecting("wifi gratis")).await;
        stage.publish().await.refused(409, "REHEARSAL_REQUIRED");
        stage.play(one(&missed)).await;
        stage.publish().await.refused(409, "REHEARSAL_FAILED");
        // What expects nothing any more holds nothing up, and looking at something else takes nothing back.
        stage.rewrite(&missed, json!([{ "message": "hola" }])).await;
        stage.play(one(&idle)).await;
        stage.publish().await.ok(201);
    }

    async fn a_rehearsal_without_an_answer_says_nothing(db) {
        let stage = Stage::bare(db, |options| options.workers = false).await;
        stage.gate().await;
        let gone = stage.script(json!([{ "message": "hola", "expect": { "must_cite": true } }])).await;
        let everything = json!({ "target": "draft", "all_scripts": true });
        let run = stage.client.post(&stage.path, everything.clone()).await.ok(202);
        stage.client.delete(&format!("{}/scripts/{}", stage.path, id(&gone))).await.ok(204);
        stage.app.start_workers();
        let path = format!("{}/{}", stage.path, id(&run));
        eventually("the end of the rehearsal", async || {
            let run = stage.client.get(&path).await.ok(200);
            (run["state"] == "done" && run["answers"] == 0).then_some(())
        }).await;
        stage.publish().await.refused(409, "REHEARSAL_REQUIRED");
        // With nothing to hold it against, it is enough to have heard it.
        stage.script(json!([{ "message": "hola" }])).await;
        stage.play(everything).await;
        stage.publish().await.ok(201);
    }

    async fn a_conversation_is_played_beside_what_was_said_and_goes_with_its_customer(db) {
        let stage = Stage::open(db).await;
        let (lead, conversation) = stage.conversation("¿cuánto cuesta el estacionamiento?").await;
        let from = stage.app.now() - Duration::from_hours(1);
        let to = stage.app.now() + Duration::from_secs(1);
        let (run, results) = stage.play(json!({ "from": from, "to": to })).await;
        assert_eq!((&run["conversations"], &run["answers"], &run["changed"]), (&json!(1), &json!(1), &json!(1)), "{run} {results:#?}");
        let result = &results[0];
        assert_eq!(result["conversation_id"], conversation["id"]);
        assert_eq!((&result["before"]["text"], &result["before"]["by_person"]), (&json!("Es gratis."), &json!(true)), "{result:#}");
        assert!(result["after"]["text"].as_str().unwrap().contains("10 soles"), "{result:#}");
        let path = format!("{}/{}/results", stage.path, id(&run));
        for (only, count) in [("changed", 1), ("failed", 0)] {
            let listed = stage.client.get(&format!("{path}?only={only}")).await.ok(200);
            assert_eq!(listed["data"].as_array().unwrap().len(), count, "{only}");
        }
        // Nobody spoke before that.
        let early = json!({ "from": from - Duration::from_hours(1), "to": from });
        stage.client.post(&stage.path, early).await.refused(422, "REHEARSAL_EMPTY");
        let receipt = stage.client.delete(&format!("/api/v1/leads/{}", id(&lead))).await.ok(200);
        assert_eq!(receipt["removed"]["rows"]["rehearsal_results"], 1, "{receipt}");
        assert_eq!(receipt["complete"], true, "{receipt}");
        assert_eq!(stage.client.get(&path).await.ok(200)["data"], json!([]));
        // The agent takes its scripts and rehearsals with it.
        stage.script(json!([{ "message": "hola" }])).await;
        stage.client.delete(&format!("/api/v1/agents/{}", stage.agent)).await.ok(200);
        assert!(stage.app.db.contents().await["rehearsal_runs"].is_empty());
        assert!(stage.app.db.contents().await["rehearsal_scripts"].is_empty());
    }
}
