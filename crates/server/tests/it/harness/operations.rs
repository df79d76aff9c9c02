//! What every operation of the API asks for. The suites that go through all of them share this
//! table, and an operation that is missing here fails them by its name.

use super::business::BusinessIds;
use super::mind::RehearsalIds;
use super::sales::SalesIds;
use super::{fresh, operations_channels, operations_events, operations_sales};
use quipu_core::access::Permission::{self, *};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// An operation as the OpenAPI document has it.
#[derive(Clone, Debug)]
pub(crate) struct Documented {
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) path: String,
}

impl Documented {
    /// The path with ids in the place of its parameters.
    pub(crate) fn path_to(&self, ids: &Ids) -> String {
        let filled = [
            ("{agent}", &ids.agent),
            ("{document_id}", &ids.document),
            ("{job_id}", &ids.job),
            ("{api_key_id}", &ids.api_key),
            ("{user_id}", &ids.user),
            ("{tenant_id}", &ids.tenant),
            ("{session_id}", &ids.session),
            ("{secret_name}", &ids.secret),
            ("{plan_slug}", &ids.plan),
            ("{kb_id}", &ids.knowledge_base),
            ("{chunk_id}", &ids.chunk),
            ("{website_id}", &ids.website),
            ("{lead_id}", &ids.lead),
            ("{conversation_id}", &ids.conversation),
            ("{attachment_id}", &ids.attachment),
            ("{turn_id}", &ids.turn),
            ("{learned_answer_id}", &ids.learned_answer),
            ("{script_id}", &ids.rehearsal.script),
            ("{rehearsal_id}", &ids.rehearsal.run),
            ("{result_id}", &ids.rehearsal.result),
            ("{order_id}", &ids.sales.order),
            ("{redemption_id}", &ids.sales.redemption),
            ("{invoice_request_id}", &ids.sales.invoice_request),
            ("{connection_id}", &ids.connection),
            ("{endpoint_id}", &ids.event_endpoint),
            ("{delivery_id}", &ids.event_delivery),
            ("{channel}", &"whatsapp".to_owned()),
            ("{version_number}", &"1".to_owned()),
            ("{tool_name}", &"get_business_info".to_owned()),
            ("{calendar_token}", &"no-such-calendar.ics".to_owned()),
        ]
        .into_iter()
        .fold(self.path.clone(), |path, (parameter, id)| {
            path.replace(parameter, id)
        });
        let filled = ids.business.0.iter().fold(filled, |path, (parameter, id)| {
            path.replace(&format!("{{{parameter}}}"), id)
        });
        assert!(!filled.contains('{'), "{filled}: name the parameter here");
        if ["follow_knowledge_base", "follow_changes"].contains(&self.id.as_str()) {
            // Nobody waits here for as long as it would stay open.
            return format!("{filled}?seconds=1");
        }
        if self.id == "remove_lead_identity" {
            return format!("{filled}?channel=web&external_id=nadie");
        }
        if self.id == "get_channel_cost" {
            return format!("{filled}?month=2026-11");
        }
        filled
    }
}

/// What stands in a path.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    pub(crate) tenant: String,
    pub(crate) agent: String,
    pub(crate) document: String,
    pub(crate) job: String,
    pub(crate) api_key: String,
    pub(crate) user: String,
    pub(crate) session: String,
    pub(crate) secret: String,
    pub(crate) plan: String,
    pub(crate) knowledge_base: String,
    pub(crate) chunk: String,
    pub(crate) website: String,
    pub(crate) lead: String,
    pub(crate) conversation: String,
    pub(crate) attachment: String,
    pub(crate) connection: String,
    pub(crate) event_endpoint: String,
    pub(crate) event_delivery: String,
    pub(crate) turn: String,
    pub(crate) learned_answer: String,
    pub(crate) rehearsal: RehearsalIds,
    pub(crate) sales: SalesIds,
    pub(crate) business: BusinessIds,
}

impl Ids {
    /// Ids of nothing at all.
    pub(crate) fn of_nothing() -> Self {
        let nothing = || uuid::Uuid::now_v7().to_string();
        Self {
            tenant: nothing(),
            agent: nothing(),
            document: nothing(),
            job: nothing(),
            api_key: nothing(),
            user: nothing(),
            session: nothing(),
            secret: "no_such_secret".to_owned(),
            plan: "no-such-plan".to_owned(),
            knowledge_base: nothing(),
            chunk: nothing(),
            website: nothing(),
            lead: nothing(),
            conversation: nothing(),
            attachment: nothing(),
            connection: nothing(),
            event_endpoint: nothing(),
            event_delivery: nothing(),
            turn: nothing(),
            learned_answer: nothing(),
            rehearsal: RehearsalIds::of_nothing(),
            sales: SalesIds::of_nothing(),
            business: BusinessIds::of_nothing(),
        }
    }
}

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Needs {
    /// Everybody, without saying who they are.
    Nothing,
    /// Anybody the server knows, person or program.
    Credential,
    /// A person, for their own account.
    Person,
    /// Anybody of the tenant.
    Tenant,
    /// Whoever has the permission in the tenant.
    Permission(Permission),
    SuperAdmin,
    /// The tenant's n8n, by its secret.
    SharedSecret,
}

impl Needs {
    /// Whether the operation happens inside a tenant that `X-Quipu-Tenant` can name.
    pub(crate) fn is_in_tenant(self) -> bool {
        matches!(self, Self::Tenant | Self::Permission(_))
    }
}

#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) needs: Needs,
    /// A body that is right, where there is one.
    pub(crate) body: Content,
}

/// What a request carries.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Nothing,
    Json(Value),
    /// A form with one file that holds this text.
    File(String),
    /// A table.
    Csv(String),
}

impl Content {
    pub(crate) fn json(&self) -> Option<&Value> {
        match self {
            Self::Json(body) => Some(body),
            _ => None,
        }
    }
}

impl From<Option<Value>> for Content {
    fn from(body: Option<Value>) -> Self {
        body.map_or(Self::Nothing, Self::Json)
    }
}

/// What only people do, whatever a key may: what it stored or connected would stay when it is revoked.
pub(crate) const ONLY_PEOPLE: [&str; 8] = [
    "put_secret",
    "connect_channel",
    "update_channel",
    "disconnect_channel",
    "create_event_endpoint",
    "update_event_endpoint",
    "delete_event_endpoint",
    "put_n8n",
];

/// Every operation of the document.
pub(crate) fn documented() -> Vec<Documented> {
    let document = serde_json::to_value(quipu_server::http::document()).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push(Documented {
                id: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
            });
        }
    }
    found
}

/// What each operation asks for. Names in the bodies are new with each call, so that an operation
/// can be called again.
#[expect(clippy::too_many_lines, reason = "a line for each operation")]
#[rustfmt::skip]
pub(crate) fn operations() -> BTreeMap<&'static str, Operation> {
    use Needs::{Credential, Nothing, Person, SharedSecret, SuperAdmin, Tenant};
    let may = Needs::Permission;
    let name = format!("nuevo-{}", fresh());
    let email = format!("{name}@quipu.test");
    let password = super::PASSWORD;
    let messages = json!([{ "role": "user", "content": "hola" }]);
    let table: Vec<(&str, Needs, Option<Value>)> = vec![
        ("login", Nothing, Some(json!({ "email": email, "password": password }))),
        ("reset_password", Nothing, Some(json!({ "reset_token": "qr_x", "password": password }))),
        ("healthz", Nothing, None),
        ("readyz", Nothing, None),
        ("metrics", Nothing, None),
        ("rag_search_health", Nothing, None),
        ("rag_search", SharedSecret, Some(json!({ "agentId": name, "projectId": name, "query": "hola" }))),

        ("logout", Person, None),
        ("me", Person, None),
        ("update_me", Person, Some(json!({ "language": "en" }))),
        ("change_password", Person, Some(json!({ "current_password": password, "new_password": "una frase distinta" }))),
        ("list_sessions", Person, None),
        ("end_session", Person, None),
        ("list_plans", Credential, None),

        ("list_tenants", SuperAdmin, None),
        ("create_tenant", SuperAdmin, Some(json!({ "name": name }))),
        ("get_tenant", SuperAdmin, None),
        ("delete_tenant", SuperAdmin, None),
        ("update_tenant", SuperAdmin, Some(json!({ "status": "suspended" }))),
        ("grant_credits", SuperAdmin, Some(json!({ "amount": 5, "reference": name }))),
        ("list_users", SuperAdmin, None),
        ("get_user", SuperAdmin, None),
        ("update_user", SuperAdmin, Some(json!({ "status": "suspended" }))),
        ("issue_user_reset_token", SuperAdmin, None),
        ("put_plan", SuperAdmin, Some(json!({ "name": name, "limits": {
            "ai_agents_enabled": false, "max_agents": 0, "max_members": 0,
            "max_knowledge_bases": 0, "max_documents_per_kb": 0, "max_kb_bytes": 0,
            "max_storage_bytes": 0, "monthly_credits": 0, "requests_per_minute": 1,
        }}))),
        ("delete_plan", SuperAdmin, None),
        ("list_deletion_receipts", SuperAdmin, None),

        ("get_current_tenant", Tenant, None),
        ("follow_changes", Tenant, None),
        ("export_tenant", may(TenantWrite), None),
        ("preview_tenant_deletion", may(TenantWrite), None),
        ("delete_current_tenant", may(TenantWrite), Some(json!({ "name": "otro nombre" }))),
        ("update_current_tenant", may(TenantWrite), Some(json!({ "time_zone": "America/Bogota" }))),
        ("list_members", may(MembersRead), None),
        ("invite_member", may(MembersWrite), Some(json!({ "email": email, "name": name, "role": "member" }))),
        ("get_member", may(MembersRead), None),
        ("remove_member", may(MembersWrite), None),
        ("update_member", may(MembersWrite), Some(json!({ "status": "suspended" }))),
        ("issue_member_reset_token", may(MembersWrite), None),
        ("list_api_keys", may(KeysRead), None),
        ("create_api_key", may(KeysWrite), Some(json!({ "name": name, "scopes": ["keys:write"] }))),
        ("get_api_key", may(KeysRead), None),
        ("revoke_api_key", may(KeysWrite), None),
        ("list_secrets", may(SecretsRead), None),
        ("put_secret", may(SecretsWrite), Some(json!({ "value": "un valor cualquiera" }))),
        ("delete_secret", may(SecretsWrite), None),
        ("get_usage", may(UsageRead), None),
        ("list_credits", may(UsageRead), None),
        ("get_prices", may(UsageRead), None),
        ("put_prices", may(TenantWrite), Some(json!({ "prices": [{ "provider": "openai", "model": "gpt-4o", "input": 1, "output": 2 }] }))),
        ("list_audit_log", may(AuditRead), None),
        ("list_retrievals", may(UsageRead), None),
        ("list_jobs", may(JobsRead), None),
        ("get_job", may(JobsRead), None),
        ("cancel_job", may(JobsWrite), None),
        ("retry_job", may(JobsWrite), None),
        ("list_agents", may(AgentsRead), None),
        ("create_agent", may(AgentsWrite), Some(json!({ "name": name }))),
        ("get_agent", may(AgentsRead), None),
        ("update_agent", may(AgentsWrite), Some(json!({ "name": name }))),
        ("delete_agent", may(AgentsWrite), None),
        ("activate_agent", may(AgentsWrite), None),
        ("search_agent", may(KnowledgeRead), Some(json!({ "query": "hola" }))),
        ("create_embeddings", may(KnowledgeRead), Some(json!({ "model": "quipu-es-en/static", "input": name }))),
        ("list_agent_knowledge", may(KnowledgeRead), None),
        ("add_agent_knowledge", may(KnowledgeWrite), Some(json!({ "content": name }))),
        ("get_agent_knowledge_stats", may(KnowledgeRead), None),
        ("get_agent_document", may(KnowledgeRead), None),
        ("delete_agent_document", may(KnowledgeWrite), None),
        ("chat", may(Chat), Some(json!({ "messages": messages, "stream": false }))),
        ("create_chat_completion", may(Chat), Some(json!({ "model": "agente", "messages": messages }))),
        ("create_response", may(Chat), Some(json!({ "model": "agente", "input": "hola" }))),
        ("list_models", may(Chat), None),
        ("get_model", may(Chat), None),
    ];
    let files = ["upload_documents", "upload_corpus_documents", "replace_document_file"];
    let files = files.map(|id| (id, Operation {
        needs: may(KnowledgeWrite),
        body: Content::File(format!("Un texto de {name}.")),
    }));
    table
        .into_iter()
        .chain(knowledge(&name))
        .chain(operations_sales::table(&name))
        .chain(operations_channels::table(&name))
        .chain(operations_events::table(&name))
        .map(|(id, needs, body)| (id, Operation { needs, body: body.into() }))
        .chain(files)
        .chain(super::operations_customers::customers(&name))
        .chain(super::operations_business::business(&name))
        .chain(super::operations_mind::mind(&name))
        .chain(super::operations_mcp::mcp())
        .collect()
}

/// Those of knowledge bases and their documents that carry JSON or nothing.
#[rustfmt::skip]
fn knowledge(name: &str) -> Vec<(&'static str, Needs, Option<Value>)> {
    let may = Needs::Permission;
    let nothing = uuid::Uuid::now_v7();
    vec![
        ("list_knowledge_bases", may(KnowledgeRead), None),
        ("create_knowledge_base", may(KnowledgeWrite), Some(json!({ "name": name }))),
        ("get_knowledge_base", may(KnowledgeRead), None),
        ("update_knowledge_base", may(KnowledgeWrite), Some(json!({ "name": name }))),
        ("delete_knowledge_base", may(KnowledgeWrite), None),
        ("get_knowledge_base_stats", may(KnowledgeRead), None),
        ("list_knowledge_base_assignments", may(KnowledgeRead), None),
        ("assign_knowledge_base", may(KnowledgeWrite), Some(json!({ "agent": name }))),
        ("unassign_knowledge_base", may(KnowledgeWrite), None),
        ("search_knowledge_base", may(KnowledgeRead), Some(json!({ "query": "hola" }))),
        ("follow_knowledge_base", may(KnowledgeRead), None),
        ("list_documents", may(KnowledgeRead), None),
        ("add_text_document", may(KnowledgeWrite), Some(json!({ "content": name }))),
        ("add_url_document", may(KnowledgeWrite), Some(json!({ "url": format!("https://example.com/{name}") }))),
        ("export_documents", may(KnowledgeRead), None),
        ("list_document_ids", may(KnowledgeRead), None),
        ("preview_chunks", may(KnowledgeWrite), Some(json!({ "text": name }))),
        ("delete_documents", may(KnowledgeWrite), Some(json!({ "document_ids": [nothing] }))),
        ("reprocess_documents", may(KnowledgeWrite), Some(json!({ "document_ids": [nothing] }))),
        ("get_document", may(KnowledgeRead), None),
        ("update_document", may(KnowledgeWrite), Some(json!({ "title": name }))),
        ("delete_document", may(KnowledgeWrite), None),
        ("get_document_status", may(KnowledgeRead), None),
        ("reprocess_document", may(KnowledgeWrite), None),
        ("cancel_document", may(KnowledgeWrite), None),
        ("get_document_text", may(KnowledgeRead), None),
        ("replace_document_text", may(KnowledgeWrite), Some(json!({ "content": name }))),
        ("list_document_chunks", may(KnowledgeRead), None),
        ("get_document_chunk", may(KnowledgeRead), None),
        ("download_document", may(KnowledgeRead), None),
        ("list_websites", may(KnowledgeRead), None),
        // Nobody may go there, so that nothing is asked of anybody.
        ("create_website", may(KnowledgeWrite), Some(json!({ "address": format!("http://127.0.0.1/{name}") }))),
        ("preview_website", may(KnowledgeWrite), Some(json!({ "address": "http://127.0.0.1/" }))),
        ("get_website", may(KnowledgeRead), None),
        ("update_website", may(KnowledgeWrite), Some(json!({ "depth": 1 }))),
        ("delete_website", may(KnowledgeWrite), None),
        ("read_website", may(KnowledgeWrite), None),
        ("stop_website", may(KnowledgeWrite), None),
        ("list_website_pages", may(KnowledgeRead), None),
    ]
}

#[test]
fn the_table_and_the_document_name_the_same_operations() {
    let documented: BTreeSet<String> = documented().into_iter().map(|found| found.id).collect();
    let known: BTreeSet<String> = operations().keys().map(ToString::to_string).collect();
    let without_case: Vec<_> = documented.difference(&known).collect();
    let without_operation: Vec<_> = known.difference(&documented).collect();
    assert!(without_case.is_empty(), "add a case for {without_case:?}");
    assert!(
        without_operation.is_empty(),
        "there is no {without_operation:?}"
    );
}
