//! What happened in turns, what people made of it, and what it comes to.

use crate::harness::{
    Client, Tenant, TestApp, a_turn, a_turn_with, eventually, id, keep_turn, make_agent,
    make_conversation, make_lead,
};
use quipu_core::access::{Permission, Role};
use quipu_core::turn::{NewTurn, Step, Trace};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

fn turns(agent: &Value) -> String {
    format!("/api/v1/agents/{}/turns", id(agent))
}

fn feedback(turn: &str) -> String {
    format!("/api/v1/turns/{turn}/feedback")
}

async fn with_opinions(
    app: &TestApp,
    tenant: &Tenant,
    agent: &Value,
    variant: &str,
    good: u32,
    bad: u32,
) {
    for number in 0..good + bad {
        let new = a_turn(app, agent, "¿Abren hoy?");
        let new = NewTurn {
            variant: Some(variant.to_owned()),
            escalated: number % 4 == 0,
            trace: Trace {
                tool_calls: 2,
                elapsed_us: u64::from(number + 1) * 1_000,
                ..new.trace.clone()
            },
            ..new
        };
        let kept = keep_turn(app, tenant, &new).await;
        let opinion = json!({ "helpful": number < good });
        tenant
            .admin
            .client
            .put(&feedback(&kept), opinion)
            .await
            .ok(200);
    }
}

sqlite_test! {
    async fn a_turn_tells_what_its_tools_told_to_whoever_could_ask(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let agent = make_agent(&tenant.admin.client, "Maya").await;
        let tool = |name: &str, arguments: Value| Step {
            name: "tool".to_owned(),
            at_us: 0,
            took_us: 1,
            details: json!({ "tool": name, "arguments": arguments, "result": { "told": "OCULTO" } }),
        };
        let new = a_turn(&app, &agent, "¿Son mejores?");
        let new = NewTurn {
            trace: Trace {
                steps: vec![
                    tool("get_competitor_strategy", json!({})),
                    tool("search_knowledge_base", json!({ "category": "templates" })),
                    tool("search_knowledge_base", json!({})),
                    tool("get_business_info", json!({})),
                ],
                ..new.trace.clone()
            },
            ..new
        };
        let turn = keep_turn(&app, &tenant, &new).await;
        for (rights, told) in [
            (vec![], [false, false, false, true]),
            (vec![Permission::KnowledgeRead], [false, false, true, true]),
            (vec![Permission::BusinessRead], [true, false, false, true]),
            (vec![Permission::BusinessRead, Permission::KnowledgeRead], [true; 4]),
        ] {
            let rights = [rights, vec![Permission::CustomersRead]].concat();
            let reader = app.program(&tenant, &rights).await;
            let read = reader.get(&format!("/api/v1/turns/{turn}")).await.ok(200);
            let steps = read["trace"]["steps"].as_array().unwrap();
            let results: Vec<bool> = steps.iter().map(|step| !step["details"]["result"].is_null()).collect();
            assert_eq!(results, told, "{rights:?}");
        }
    }

    async fn what_a_customer_searched_for_stands_in_their_turn_alone(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let path = format!("/api/agents/{}/chat", id(&agent));
        let said = |text: &str, user: Option<&str>| json!({
            "messages": [{ "role": "user", "content": text }], "stream": false, "user": user,
        });
        client.post(&path, said("¿Atienden a Ofelia Borrable?", Some("ofelia-1"))).await.ok(200);
        client.post(&path, said("¿Tienen estacionamiento?", None)).await.ok(200);
        quipu_app::retrievals::flush(&app.app).await.unwrap();
        let queries = async |client: &Client| {
            let log = client.get("/api/v1/retrievals").await.ok(200);
            let entries = log["data"].as_array().unwrap().iter();
            let mut queries: Vec<Value> = entries.map(|entry| entry["query"].clone()).collect();
            // An answer may take more than one search.
            queries.dedup();
            queries
        };
        assert_eq!(queries(client).await, [json!("¿Tienen estacionamiento?"), Value::Null]);
        let accountant = app.program(&tenant, &[Permission::UsageRead]).await;
        assert_eq!(queries(&accountant).await, [Value::Null]);
    }

    async fn turns_are_listed_filtered_and_read(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let conversation = make_conversation(client, &make_lead(client, "Ana").await).await;
        let plain = keep_turn(&app, &tenant, &a_turn(&app, &agent, "¿Tienen wifi?")).await;
        let degraded = NewTurn {
            degraded: true,
            responder: "openai/gpt-4.1-mini".to_owned(),
            variant: Some("corto".to_owned()),
            ..a_turn(&app, &agent, "¿Y estacionamiento?")
        };
        let degraded = keep_turn(&app, &tenant, &degraded).await;
        let customers = keep_turn(&app, &tenant, &a_turn_with(&app, &agent, &conversation)).await;
        let listed = async |client: &crate::harness::Client, query: &str| -> Vec<String> {
            let found = client.get(&format!("{}{query}", turns(&agent))).await.ok(200);
            found["data"].as_array().unwrap().iter().map(id).collect()
        };
        assert_eq!(listed(client, "").await, [customers.clone(), degraded.clone(), plain.clone()]);
        assert_eq!(listed(client, "?degraded=true").await, std::slice::from_ref(&degraded));
        assert_eq!(listed(client, "?degraded=false&responder=builtin").await, [customers.clone(), plain.clone()]);
        assert_eq!(listed(client, "?responder=openai/gpt-4.1-mini").await, std::slice::from_ref(&degraded));
        assert_eq!(listed(client, "?variant=corto").await, std::slice::from_ref(&degraded));
        let there = format!("?conversation_id={}", id(&conversation));
        assert_eq!(listed(client, &there).await, std::slice::from_ref(&customers));
        let first = client.get(&format!("{}?limit=1", turns(&agent))).await.ok(200);
        let next = format!("?limit=5&cursor={}", first["next_cursor"].as_str().unwrap());
        assert_eq!(listed(client, &next).await, [degraded, plain.clone()]);
        let read = client.get(&format!("/api/v1/turns/{customers}")).await.ok(200);
        assert_eq!((&read["question"], &read["trace"]["usage"]["input_tokens"]), (&json!("¿Atienden los domingos?"), &json!(80)));
        assert_eq!((&read["elapsed_ms"], &read["feedback"]), (&json!(2.0), &json!([])));
        // Whom nobody named has said who they are all the same: a key in a public page reads no turn.
        let program = app.program(&tenant, &[Permission::Chat, Permission::AgentsRead]).await;
        for path in [turns(&agent), format!("/api/v1/turns/{customers}"), format!("/api/v1/turns/{plain}")] {
            let error = program.get(&path).await.refused(403, "FORBIDDEN");
            assert_eq!(error["details"]["permission"], "customers:read");
        }
        // Nor does it rate what a customer was told; what it asked itself it may.
        let rate = async |turn: &str| program.put(&format!("/api/v1/turns/{turn}/feedback"), json!({ "helpful": false })).await;
        rate(&customers).await.refused(404, "NOT_FOUND");
        rate(&plain).await.ok(200);
        client.get(&format!("{}?degraded=maybe", turns(&agent))).await.refused(400, "INVALID_PARAMETER");
        client.get(&format!("/api/v1/turns/{}", Uuid::now_v7())).await.refused(404, "NOT_FOUND");
    }
}

db_test! {
    async fn what_is_private_is_seen_by_its_owner_alone(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let agent = make_agent(&tenant.admin.client, "Maya").await;
        let owner = app.member(&tenant, Role::Member).await;
        let new = NewTurn { owner: Some(owner.id), ..a_turn(&app, &agent, "¿Qué dice mi diario?") };
        let kept = keep_turn(&app, &tenant, &new).await;
        let path = format!("/api/v1/turns/{kept}");
        owner.client.get(&path).await.ok(200);
        assert_eq!(owner.client.get(&turns(&agent)).await.ok(200)["data"].as_array().unwrap().len(), 1);
        let opinion = json!({ "helpful": true });
        owner.client.put(&feedback(&kept), opinion.clone()).await.ok(200);
        let program = app.program(&tenant, Permission::ALL).await;
        for other in [&tenant.admin.client, &program] {
            other.get(&path).await.refused(404, "NOT_FOUND");
            assert_eq!(other.get(&turns(&agent)).await.ok(200)["data"], json!([]));
            other.put(&feedback(&kept), opinion.clone()).await.refused(404, "NOT_FOUND");
        }
    }
}

sqlite_test! {
    async fn people_programs_and_customers_say_whether_it_helped(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let (ana, eva) = (make_lead(client, "Ana").await, make_lead(client, "Eva").await);
        let conversation = make_conversation(client, &ana).await;
        let turn = keep_turn(&app, &tenant, &a_turn_with(&app, &agent, &conversation)).await;
        let program = app.program(&tenant, &[Permission::Chat, Permission::CustomersWrite]).await;
        let path = feedback(&turn);
        // A key in a public page speaks for no customer.
        let page = app.program(&tenant, &[Permission::Chat]).await;
        let theirs = json!({ "helpful": true, "lead_id": ana["id"] });
        page.put(&path, theirs).await.refused(404, "NOT_FOUND");
        client.put(&path, json!({ "helpful": true })).await.ok(200);
        let changed = client.put(&path, json!({ "helpful": false, "reason": " No era eso. " })).await.ok(200);
        assert_eq!((&changed["helpful"], &changed["reason"]), (&json!(false), &json!("No era eso.")));
        program.put(&path, json!({ "helpful": true })).await.ok(200);
        let theirs = program.put(&path, json!({ "helpful": true, "lead_id": ana["id"] })).await.ok(200);
        assert_eq!(theirs["author"], format!("lead:{}", id(&ana)));
        // Nobody speaks for somebody else's customer, and people speak for themselves.
        for (who, lead) in [(&program, &eva["id"]), (client, &ana["id"]), (&program, &json!(Uuid::now_v7()))] {
            who.put(&path, json!({ "helpful": true, "lead_id": lead })).await.refused(404, "NOT_FOUND");
        }
        let read = client.get(&format!("/api/v1/turns/{turn}")).await.ok(200);
        let authors = read["feedback"].as_array().unwrap();
        assert_eq!(authors.len(), 3, "{read}");
        let admin = json!(format!("user:{}", tenant.admin.id));
        assert!(authors.iter().any(|one| one["author"] == admin && one["helpful"] == false), "{read}");
        for wrong in [json!({ "helpful": true, "reason": " " }), json!({ "helpful": true, "reason": "x".repeat(1_001) })] {
            client.put(&path, wrong).await.refused(422, "VALIDATION_FAILED");
        }
        client.put(&path, json!({ "reason": "x" })).await.refused(400, "INVALID_JSON");
        let blind = app.program(&tenant, &[Permission::AgentsRead]).await;
        blind.put(&path, json!({ "helpful": true })).await.refused(403, "FORBIDDEN");
        // It all goes with the customer.
        client.delete(&format!("/api/v1/leads/{}", id(&ana))).await.ok(200);
        client.get(&format!("/api/v1/turns/{turn}")).await.refused(404, "NOT_FOUND");
        program.put(&path, json!({ "helpful": true })).await.refused(404, "NOT_FOUND");
    }

    async fn two_ways_are_compared_when_there_is_enough_to_tell(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let path = format!("/api/v1/agents/{}/comparison", id(&agent));
        let compared = async || {
            app.clock.advance(Duration::from_secs(1));
            client.get(&path).await.ok(200)
        };
        let nothing = compared().await;
        assert_eq!((&nothing["variants"], &nothing["verdict"]["better"]), (&json!([]), &Value::Null));
        with_opinions(&app, &tenant, &agent, "base", 2, 4).await;
        with_opinions(&app, &tenant, &agent, "corto", 6, 2).await;
        let few = compared().await;
        assert_eq!(few["verdict"]["better"], Value::Null, "{few}");
        assert!(few["verdict"]["es"].as_str().unwrap().starts_with("Todavía no se puede decir"), "{few}");
        with_opinions(&app, &tenant, &agent, "base", 2, 20).await;
        with_opinions(&app, &tenant, &agent, "corto", 20, 2).await;
        // A turn outside of any experiment is no part of it.
        keep_turn(&app, &tenant, &a_turn(&app, &agent, "x")).await;
        let told = compared().await;
        assert_eq!(told["verdict"]["better"], "corto", "{told}");
        let short = told["variants"].as_array().unwrap().iter().find(|one| one["variant"] == "corto").unwrap();
        assert_eq!((&short["turns"], &short["helpful"], &short["unhelpful"]), (&json!(30), &json!(26), &json!(4)));
        let share = &short["helpful_share"];
        assert!(share["low"].as_f64().unwrap() > 0.70 && share["high"].as_f64().unwrap() < 0.95, "{share}");
        assert_eq!((&short["mean_tokens"], &short["tools_per_turn"], &short["mean_cost_micros"]), (&json!(100.0), &json!(2.0), &json!(100.0)));
        // The thirty took eight times one to eight milliseconds, and twenty-two times one to twenty-two.
        assert_eq!((&short["p50_ms"], &short["p95_ms"]), (&json!(8.0), &json!(21.0)));
        assert_eq!(told["variants"].as_array().unwrap().len(), 2);
        // Elsewhere there is nothing to compare.
        let other = app.tenant("otra").await;
        let sol = make_agent(&other.admin.client, "Maya").await;
        let theirs = other.admin.client.get(&format!("/api/v1/agents/{}/comparison", id(&sol))).await.ok(200);
        assert_eq!(theirs["variants"], json!([]));
        for query in ["from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"] {
            client.get(&format!("{path}?{query}")).await.refused(422, "VALIDATION_FAILED");
        }
        client.get(&format!("{path}?from=ayer")).await.refused(400, "INVALID_PARAMETER");
        let early = client.get(&format!("{path}?from=2020-01-01T00:00:00Z&to=2020-06-01T00:00:00Z")).await.ok(200);
        assert_eq!(early["variants"], json!([]));
    }
}

db_test! {
    async fn an_agents_turns_are_added_up(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let path = format!("/api/v1/agents/{}/statistics", id(&agent));
        let empty = client.get(&path).await.ok(200);
        assert_eq!((&empty["turns"], &empty["mean_tokens"], &empty["p95_ms"]), (&json!(0), &Value::Null, &Value::Null));
        for number in 0..10_u32 {
            let new = a_turn(&app, &agent, "x");
            let new = NewTurn {
                grounded: number < 7,
                degraded: number == 0,
                escalated: number < 2,
                cost: (number < 5).then_some(20),
                trace: Trace { tool_calls: u32::from(number < 4) * 3, ..new.trace.clone() },
                ..new
            };
            keep_turn(&app, &tenant, &new).await;
        }
        app.clock.advance(Duration::from_secs(1));
        let told = client.get(&path).await.ok(200);
        for (name, value) in [
            ("turns", json!(10)), ("mean_tokens", json!(100.0)), ("tool_use_rate", json!(0.4)),
            ("escalation_rate", json!(0.2)), ("grounded_rate", json!(0.7)), ("degraded_rate", json!(0.1)),
            ("cost_micros", json!(100)), ("priced_turns", json!(5)), ("prompt_regenerations", json!(0)), ("p50_ms", json!(2.0)),
        ] {
            assert_eq!(told[name], value, "{name}: {told}");
        }
        let member = app.member(&tenant, Role::Member).await;
        member.client.get(&path).await.refused(403, "FORBIDDEN");
    }

    async fn turns_are_added_up_day_by_day(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let (maya, sol) = (make_agent(client, "Maya").await, make_agent(client, "Sol").await);
        let neighbour = app.tenant("otra").await;
        let theirs = make_agent(&neighbour.admin.client, "Luz").await;
        let start = app.now();
        for (tenant, agent) in [(&tenant, &maya), (&tenant, &sol), (&neighbour, &theirs)] {
            keep_turn(&app, tenant, &a_turn(&app, agent, "x")).await;
        }
        app.clock.advance(Duration::from_hours(24));
        keep_turn(&app, &tenant, &a_turn(&app, &maya, "y")).await;
        app.clock.advance(Duration::from_hours(1));
        let series = async |query: &str| {
            let to = app.now();
            let path = format!("/api/v1/statistics/series?to={to}&{query}");
            client.get(&path).await
        };
        let from = format!("from={start}");
        let all = series(&from).await.ok(200);
        let turns = |told: &Value| -> Vec<i64> {
            let points = told["points"].as_array().unwrap().iter();
            points.map(|point| point["turns"].as_i64().unwrap()).collect()
        };
        assert_eq!((turns(&all), &all["total"]["turns"]), (vec![2, 1], &json!(3)));
        assert_eq!(all["before"]["turns"], 0);
        let of_sol = series(&format!("{from}&agent={}", id(&sol))).await.ok(200);
        assert_eq!(turns(&of_sol), [1, 0]);
        let later = series(&format!("from={}&every=hour", start + Duration::from_mins(750))).await.ok(200);
        assert_eq!((later["before"]["turns"].clone(), turns(&later).len()), (json!(2), 13));
        series(&format!("{from}&agent={}", id(&theirs))).await.refused(404, "NOT_FOUND");
        series("every=hour").await.refused(422, "VALIDATION_FAILED");
        let member = app.member(&tenant, Role::Member).await;
        member.client.get("/api/v1/statistics/series").await.refused(403, "FORBIDDEN");
    }

    async fn turns_are_kept_for_ninety_days(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let old = keep_turn(&app, &tenant, &a_turn(&app, &agent, "vieja")).await;
        client.put(&feedback(&old), json!({ "helpful": true })).await.ok(200);
        app.clock.advance(Duration::from_hours(24 * 30));
        let young = keep_turn(&app, &tenant, &a_turn(&app, &agent, "joven")).await;
        app.clock.advance(Duration::from_hours(24 * 61));
        let client = app.sign_in(tenant.admin.id).await;
        let workers = app.start_some_workers();
        eventually("the end of the old turn", async || {
            (client.get(&format!("/api/v1/turns/{old}")).await.status == 404).then_some(())
        })
        .await;
        client.get(&format!("/api/v1/turns/{young}")).await.ok(200);
        workers.stop().await;
    }

    async fn an_opinion_on_an_answer_to_nobody_is_taken_at_once(db) {
        // Nobody writes down what waits, as in the first moments after an answer.
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let body = json!({ "messages": [{ "role": "user", "content": "hola" }], "stream": false });
        let answer = client.post("/api/agents/maya/chat", body.clone()).await.ok(200);
        let turn = answer["turn_id"].as_str().unwrap();
        let opinion = json!({ "helpful": true });
        client.put(&feedback(turn), opinion.clone()).await.ok(200);
        client.get(&format!("/api/v1/turns/{turn}")).await.ok(200);
        // What has just been said is there to be read, too.
        let answer = client.post("/api/agents/maya/chat", body).await.ok(200);
        let turn = answer["turn_id"].as_str().unwrap();
        client.get(&format!("/api/v1/turns/{turn}")).await.ok(200);
        // It is nobody else's.
        let stranger = app.tenant("otra").await.admin.client;
        stranger.put(&feedback(turn), opinion.clone()).await.refused(404, "NOT_FOUND");
        client.put(&feedback(&Uuid::now_v7().to_string()), opinion).await.refused(404, "NOT_FOUND");
    }
}
