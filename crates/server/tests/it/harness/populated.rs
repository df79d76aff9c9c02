use super::business::BusinessIds;
use super::channels::connect_account;
use super::events::add_endpoint;
use super::mind::RehearsalIds;
use super::sales::SalesIds;
use super::{
    CONVERSATIONS, Client, Ids, Tenant, TestApp, a_turn_with, assign, attach, eventually, fresh,
    id, kb_path, keep_lesson, keep_turn, make_agent, make_conversation, make_kb, make_lead, say,
    teach, teach_file,
};
use quipu_core::JobId;
use quipu_core::access::{Permission, Role};
use quipu_core::job::NewJob;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use uuid::Uuid;

/// The shared secret's name is the same in every tenant; its value is not.
const N8N_SECRET: &str = "n8n_shared_secret";

/// A tenant with some of everything a tenant can have. Every name, address and text in it carries
/// the tenant's slug, so that whatever leaks is recognised.
pub(crate) struct Populated {
    pub(crate) tenant: Tenant,
    /// A program that may do everything in the tenant.
    pub(crate) program: Client,
    /// A job that waits and one that was given up.
    pub(crate) queued_job: String,
    pub(crate) dead_job: String,
    pub(crate) agent: Value,
    /// With the agent's own knowledge base and the text in it.
    pub(crate) ids: Ids,
    /// The same with a knowledge base that the agent reads, and a file in it.
    pub(crate) file_ids: Ids,
}

impl Populated {
    #[expect(clippy::too_many_lines, reason = "one of each thing")]
    pub(crate) async fn new(app: &TestApp, slug: &str) -> Self {
        let tenant = app.tenant(slug).await;
        let admin = tenant.admin.client.clone();
        let agent = make_agent(&admin, &format!("Agente {slug}")).await;
        let agent_id = id(&agent);
        begin_draft(&admin, &agent_id, slug).await;
        let text = format!("La contraseña del wifi de la tienda es {slug}-9931.");
        let document = teach(&admin, &agent_id, &format!("Wifi {slug}"), &text).await;
        let kb = make_kb(&admin, &format!("Base {slug}")).await;
        let text = format!("La alarma de la tienda se apaga con {slug}-7204.\n");
        let file = teach_file(&admin, &kb, &format!("alarma-{slug}.txt"), text.as_bytes()).await;
        assign(&admin, &kb, &agent_id).await;
        let member = app.member(&tenant, Role::Member).await;
        let key = admin
            .post(
                "/api/v1/api-keys",
                json!({ "name": format!("clave {slug}"), "scopes": Permission::ALL }),
            )
            .await
            .ok(201);
        let secret = format!("{slug}_token");
        for (name, value) in [
            (&*secret, format!("valor privado de {slug}")),
            (N8N_SECRET, n8n_secret(slug)),
        ] {
            let path = format!("/api/v1/secrets/{name}");
            admin.put(&path, json!({ "value": value })).await.ok(200);
        }
        let root = app.super_admin().await.client;
        root.post(
            &format!("/api/v1/tenants/{}/credits", tenant.id),
            json!({ "amount": 77, "reference": format!("factura {slug} {}", fresh()) }),
        )
        .await
        .ok(200);
        let queued_job = add_job(app, &tenant, "process_document", Duration::from_hours(1)).await;
        let dead_job = add_job(app, &tenant, "unheard_of", Duration::ZERO).await;
        eventually("death of the job", async || {
            let job = admin.get(&format!("/api/v1/jobs/{dead_job}")).await.ok(200);
            (job["status"] == "dead").then_some(())
        })
        .await;
        let lead = make_lead(&admin, &format!("Clienta de {slug}")).await;
        let conversation = make_conversation(&admin, &lead).await;
        say(&admin, &conversation, "human", &format!("Hola de {slug}")).await;
        say(&admin, &conversation, "note", &format!("Nota de {slug}")).await;
        let attachment = attach(&admin, &conversation, &format!("foto-{slug}.png")).await;
        let turn = a_turn_with(app, &agent, &conversation);
        let turn = keep_turn(app, &tenant, &turn).await;
        let opinion = json!({ "helpful": true, "reason": format!("Gracias a {slug}") });
        let path = format!("/api/v1/turns/{turn}/feedback");
        admin.put(&path, opinion).await.ok(200);
        let sessions = admin.get("/api/v1/auth/sessions").await.ok(200);
        let (event_endpoint, event_delivery) = Box::pin(add_endpoint(app, &tenant)).await;
        let agents_kb = json!({ "id": agent["knowledge_base_id"] });
        let ids = Ids {
            tenant: tenant.id.to_string(),
            agent: agent_id,
            document: id(&document),
            job: queued_job.to_string(),
            api_key: id(&key),
            user: member.id.to_string(),
            session: id(&sessions[0]),
            secret,
            plan: super::OPEN_PLAN.to_owned(),
            knowledge_base: id(&agents_kb),
            chunk: first_chunk(&admin, &agents_kb, &document).await,
            website: add_website(&admin, &kb, slug).await,
            lead: id(&lead),
            conversation: id(&conversation),
            attachment: id(&attachment),
            connection: Box::pin(connect_account(app, &tenant, &conversation)).await,
            event_endpoint,
            event_delivery,
            turn,
            learned_answer: keep_lesson(app, &tenant, &conversation).await,
            rehearsal: Box::pin(RehearsalIds::made(&tenant, &agent)).await,
            sales: Box::pin(SalesIds::made(app, &tenant)).await,
            business: BusinessIds::made(&admin, slug).await,
        };
        // What the business says is made searchable behind its back; nothing moves after that.
        eventually("rest", async || {
            let jobs = admin.get("/api/v1/jobs?limit=200").await.ok(200);
            let moves = |job: &Value| {
                let waits = matches!(job["status"].as_str(), Some("queued" | "running"));
                let reminds = job["kind"] == "remind_appointment";
                waits && !reminds && job["id"] != json!(queued_job)
            };
            let jobs = jobs["data"].as_array().unwrap();
            (!jobs.iter().any(moves)).then_some(())
        })
        .await;
        Self {
            program: app.stranger().bearer(key["key"].as_str().unwrap()),
            file_ids: Ids {
                knowledge_base: id(&kb),
                document: id(&file),
                chunk: first_chunk(&admin, &kb, &file).await,
                ..ids.clone()
            },
            ids,
            queued_job: queued_job.to_string(),
            dead_job: dead_job.to_string(),
            agent,
            tenant,
        }
    }

    pub(crate) fn admin(&self) -> &Client {
        &self.tenant.admin.client
    }

    pub(crate) fn n8n_secret(&self) -> String {
        n8n_secret(&self.tenant.slug)
    }

    /// Everything the tenant's admin can see, by path.
    pub(crate) async fn snapshot(&self) -> BTreeMap<String, Value> {
        let agent = &self.ids.agent;
        let lead = &self.ids.sales.lead;
        let kb = format!("/api/v1/knowledge-bases/{}", self.file_ids.knowledge_base);
        let conversation = format!("{CONVERSATIONS}/{}", self.ids.conversation);
        let channel = format!("/api/v1/channels/{}", self.ids.connection);
        let endpoint = format!("/api/v1/event-endpoints/{}", self.ids.event_endpoint);
        let mut seen = BTreeMap::new();
        for path in [
            "/api/v1/auth/me",
            "/api/v1/auth/sessions",
            "/api/v1/tenant",
            "/api/v1/members?limit=200",
            "/api/v1/api-keys?limit=200",
            "/api/v1/secrets",
            "/api/v1/usage",
            "/api/v1/usage/credits?limit=200",
            "/api/v1/audit-log?limit=200",
            "/api/v1/jobs?limit=200",
            "/api/v1/agents?limit=200",
            &format!("/api/v1/agents/{agent}/draft"),
            &format!("/api/v1/agents/{agent}/versions"),
            &format!("/api/v1/agents/{agent}/versions/1"),
            &format!("/api/v1/agents/{agent}/knowledge?limit=200"),
            &format!("/api/v1/agents/{agent}/knowledge/stats"),
            "/api/v1/knowledge-bases?limit=200",
            &kb,
            &format!("{kb}/stats"),
            &format!("{kb}/assignments"),
            &format!("{kb}/documents?limit=200"),
            &format!("{kb}/documents/{}/chunks", self.file_ids.document),
            &format!("{kb}/websites?limit=200"),
            &format!("/api/v1/websites/{}/pages", self.ids.website),
            "/api/v1/leads?limit=200",
            "/api/v1/conversations?limit=200",
            &format!("{conversation}/messages?include_notes=true"),
            &format!("{conversation}/history"),
            &format!("{conversation}/attachments"),
            &format!("{conversation}/channel"),
            "/api/v1/channels?limit=200",
            &channel,
            &format!("{channel}/webhook"),
            &format!("{channel}/cost?month=2026-03"),
            "/api/v1/channel-messages?limit=200",
            "/api/v1/event-endpoints?limit=200",
            &format!("{endpoint}/deliveries?limit=200"),
            "/api/v1/n8n",
            "/api/v1/loyalty/programme",
            &format!("/api/v1/leads/{lead}/loyalty"),
            &format!("/api/v1/leads/{lead}/loyalty/transactions"),
            &format!("/api/v1/leads/{lead}/loyalty/redemptions"),
            "/api/v1/orders?limit=200",
            "/api/v1/invoice-requests?limit=200",
            "/api/v1/business",
            "/api/v1/appointments?limit=200",
            "/api/v1/tool-calls?limit=200",
            &format!("/api/v1/agents/{agent}/turns?limit=200"),
            &format!("/api/v1/turns/{}", self.ids.turn),
            &format!("/api/v1/agents/{agent}/rehearsals?limit=200"),
            &format!("/api/v1/agents/{agent}/rehearsals/scripts?limit=200"),
            &format!(
                "/api/v1/agents/{agent}/rehearsals/{}/results",
                self.ids.rehearsal.run
            ),
            "/api/v1/learned-answers?limit=200",
            "/api/v1/instructions/statistics",
            "/api/v1/business/prompting",
        ] {
            seen.insert(path.to_owned(), self.admin().get(path).await.ok(200));
        }
        for (path, _) in super::KINDS {
            let all = self.admin().get(&format!("{path}?limit=200")).await;
            seen.insert(path.to_owned(), all.ok(200));
        }
        seen
    }

    /// What must not be found in anything another tenant is told: the word that is in all the
    /// tenant's names, and every id it owns.
    pub(crate) fn markers(&self, snapshot: &BTreeMap<String, Value>) -> BTreeSet<String> {
        let text = json!(snapshot).to_string();
        let ids = text
            .split(|c: char| !(c.is_ascii_hexdigit() || c == '-'))
            .filter(|word| word.len() == 36 && Uuid::try_parse(word).is_ok())
            .map(str::to_owned);
        let mut markers: BTreeSet<String> = ids.collect();
        let keys = &snapshot["/api/v1/api-keys?limit=200"]["data"];
        for key in keys.as_array().unwrap() {
            markers.insert(key["prefix"].as_str().unwrap().to_owned());
        }
        assert!(markers.len() > 20, "{markers:?}");
        markers.insert(self.tenant.slug.clone());
        markers
    }
}

async fn begin_draft(client: &Client, agent: &str, slug: &str) {
    let draft = json!({ "company_name": format!("Borrador de {slug}") });
    let path = format!("/api/v1/agents/{agent}/draft");
    client.put(&path, draft).await.ok(200);
}

/// A website where nobody may go, so that its reading ends at once.
pub(crate) async fn add_website(client: &Client, kb: &Value, slug: &str) -> String {
    let site = json!({ "address": format!("http://127.0.0.1/{slug}") });
    let added = client
        .post(&format!("{}/websites", kb_path(kb)), site)
        .await;
    id(&added.ok(202))
}

async fn first_chunk(client: &Client, kb: &Value, document: &Value) -> String {
    let path = format!("{}/documents/{}/chunks", kb_path(kb), id(document));
    id(&client.get(&path).await.ok(200)["data"][0])
}

fn n8n_secret(slug: &str) -> String {
    format!("{slug} 7f3c91e0b5d84a26")
}

async fn add_job(app: &TestApp, tenant: &Tenant, kind: &'static str, after: Duration) -> JobId {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let id = tx
        .jobs()
        .enqueue(&NewJob {
            kind,
            payload: json!({ "note": tenant.slug }),
            dedup_key: None,
            run_at: app.later(after),
            max_attempts: 1,
            owner: None,
        })
        .await
        .unwrap();
    tx.commit().await.unwrap();
    app.app.new_work.notify_one();
    id.unwrap()
}
