//! Agents whose answers a model writes: a real server of ours, and a stand-in for the provider that
//! does what its script says.

mod completions;
mod customers;
mod drill;
mod misbehaviour;
mod pictures;
mod responses;
mod settings;
mod told;
mod tools;
mod trials;
mod waiting;

use crate::harness::{Client, Options, TestApp};
use quipu_app::bootstrap;
use quipu_server::demo::DEMO;
use quipu_testkit::TestDatabase;
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use serde_json::{Value, json};

/// The dental clinic of the demo, with a model for its agent.
pub(crate) struct Talk {
    pub(crate) app: TestApp,
    pub(crate) model: ScriptedModel,
    /// Whoever runs the clinic.
    pub(crate) admin: Client,
    /// A program that may do what the demo's key may.
    pub(crate) client: Client,
}

impl Talk {
    pub(crate) async fn open(db: TestDatabase, script: impl IntoIterator<Item = Step>) -> Self {
        Self::open_with(db, script, |_, _| {}).await
    }

    pub(crate) async fn open_with(
        db: TestDatabase,
        script: impl IntoIterator<Item = Step>,
        change: impl FnOnce(&mut Options, &ScriptedModel),
    ) -> Self {
        let model = ScriptedModel::start(script).await;
        let app = TestApp::start_with(db, |options| {
            options.config.models.allow_hosts = vec![model.host()];
            change(options, &model);
        })
        .await;
        let key = bootstrap::load_demo(&app.app, &DEMO).await.unwrap();
        let admin = app.super_admin().await.client.in_tenant(DEMO.slug);
        let this = Self {
            client: app.stranger().bearer(&key),
            model,
            admin,
            app,
        };
        this.set(json!({ "model": this.config("modelo") })).await;
        this
    }

    /// A model of this name at the stand-in.
    pub(crate) fn config(&self, name: &str) -> Value {
        json!({
            "provider": "openai_compatible",
            "model": name,
            "base_url": self.model.base(Dialect::Openai),
        })
    }

    pub(crate) async fn set(&self, settings: Value) {
        let body = json!({ "settings": settings });
        self.admin.patch("/api/v1/agents/maya", body).await.ok(200);
    }

    /// What the agent answers a customer who says this.
    pub(crate) async fn ask(&self, text: &str) -> Value {
        let body = json!({
            "messages": [{ "role": "user", "content": text }],
            "stream": false,
            "user": "visitante",
        });
        let reply = self.client.post("/api/agents/maya/chat", body).await;
        reply.ok(200)
    }

    /// What happened in the turn that gave an answer.
    pub(crate) async fn trace(&self, answer: &Value) -> Value {
        let path = format!("/api/v1/turns/{}", answer["turn_id"].as_str().unwrap());
        self.admin.get(&path).await.ok(200)
    }
}

pub(crate) fn said(answer: &Value) -> &str {
    answer["message"]["content"].as_str().unwrap()
}

/// The steps of this name in a trace.
pub(crate) fn steps<'a>(turn: &'a Value, name: &str) -> Vec<&'a Value> {
    let steps = turn["trace"]["steps"].as_array().unwrap().iter();
    steps.filter(|step| step["name"] == name).collect()
}
