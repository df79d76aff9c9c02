//! Connecting accounts of a business, and how they behave.

use super::keys::ConnectionKeys;
use crate::documents::present;
use crate::vault::mask;
use crate::{Actor, App, agents, token};
use quipu_core::access::Permission;
use quipu_core::channel::{
    ChannelConnection, ConnectionChange, ConnectionSettings, ConnectionStatus, NewConnection,
};
use quipu_core::lead::Channel;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AgentId, ConnectionId, Error, Result};
use quipu_store::TenantTx;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 100;
const MAX_ACCOUNT_CHARS: usize = 200;
const MAX_KEY_CHARS: usize = 10_000;
/// What verifies an address, before chance makes it unique.
const VERIFY_PREFIX: &str = "qv_";
/// The same of what the sessions of visitors are signed with.
const SITE_PREFIX: &str = "qw_";

#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectChannel {
    pub channel: Channel,
    #[schema(
        min_length = 1,
        max_length = 100,
        example = "WhatsApp de la sede Miraflores"
    )]
    pub name: String,
    /// The agent that answers, by id or slug; the tenant's active one when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 50)]
    pub agent: Option<String>,
    /// The number, page or account as the channel calls it, such as the phone number id of WhatsApp. Of the
    /// web, any name of the site.
    #[schema(min_length = 1, max_length = 200, example = "106540352242922")]
    pub account_id: String,
    /// The account that holds it: of WhatsApp the WhatsApp Business Account.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "102290129340398")]
    pub parent_id: Option<String>,
    /// What messages are sent with. The web alone needs none.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 10_000)]
    pub token: Option<SecretString>,
    /// What deliveries are signed with: the app secret, or the secret that Vapi sends along. The web alone
    /// needs none.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 10_000)]
    pub app_secret: Option<SecretString>,
    #[serde(default)]
    pub settings: ConnectionSettings,
}

/// What is left out stays as it is.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateChannel {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default)]
    pub status: Option<ConnectionStatus>,
    /// The agent that answers, by id or slug; with `null` the tenant's active one.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub agent: Option<Option<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 10_000)]
    pub token: Option<SecretString>,
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 10_000)]
    pub app_secret: Option<SecretString>,
    #[serde(default)]
    pub settings: Option<ConnectionSettings>,
}

/// Where a channel delivers to, to be copied into its settings.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebhookAddress {
    /// A path on this server: it is used with the scheme and host under which the channel reaches it. Of
    /// the web, where the chat of the site finds what it needs.
    #[schema(example = "/api/webhooks/whatsapp/0190b0f4-6c1e-7c4a-9a57-1f0e8b1c2d3e")]
    pub path: String,
    /// The word by which the channel verifies the address.
    pub verify_token: String,
}

/// A connection, and where its channel delivers to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConnectedChannel {
    #[serde(flatten)]
    pub connection: ChannelConnection,
    pub webhook: WebhookAddress,
}

/// Connects an account. Its key is sealed, and shown to nobody again.
///
/// # Errors
/// `PERSON_REQUIRED` for a program, `VALIDATION_FAILED`, `NOT_FOUND` for the agent, or `ALREADY_EXISTS` when
/// the account is connected already.
pub async fn connect(app: &App, actor: &Actor, input: ConnectChannel) -> Result<ConnectedChannel> {
    actor.require(Permission::SecretsWrite)?;
    // What a key of the API connected would stay when it is revoked: somebody else's account, in which
    // they read what customers say.
    actor.require_person()?;
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, MAX_NAME_CHARS);
    let account_id = checks.line("account_id", &input.account_id, MAX_ACCOUNT_CHARS);
    let parent_id =
        checks.optional_line("parent_id", input.parent_id.as_deref(), MAX_ACCOUNT_CHARS);
    let keys = new_keys(&mut checks, &input)?;
    input.settings.check(&mut checks);
    check_site(&mut checks, input.channel, &input.settings);
    checks.finish()?;
    let id = ConnectionId::generate(app.now());
    let tx = app.store.begin(actor.scope()).await?;
    let agent_id = agent(&tx, input.agent.as_deref()).await?;
    let new = NewConnection {
        id,
        channel: input.channel,
        name,
        agent_id,
        account_id,
        parent_id,
        settings: input.settings,
        sealed: keys.seal(app, actor.tenant_id(), id)?,
        key_hint: mask(keys.token.expose_secret()),
        created_by: actor.name(),
    };
    tx.channel_connections().insert(&new).await?;
    let details = json!({ "channel": new.channel, "account_id": new.account_id });
    actor
        .audit(&tx, "channel.connect", target(id), details)
        .await?;
    let connection = find(&tx, id).await?;
    tx.commit().await?;
    Ok(ConnectedChannel {
        webhook: address(&connection, &keys),
        connection,
    })
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such connection.
pub async fn get(app: &App, actor: &Actor, id: ConnectionId) -> Result<ChannelConnection> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await
}

/// Newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<ChannelConnection>> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.channel_connections().list(page).await
}

/// Where the channel delivers to, with the word that verifies it.
///
/// # Errors
/// `FORBIDDEN`, or `NOT_FOUND` when the tenant has no such connection.
pub async fn webhook_address(app: &App, actor: &Actor, id: ConnectionId) -> Result<WebhookAddress> {
    actor.require(Permission::SecretsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let connection = find(&tx, id).await?;
    let keys = ConnectionKeys::open(app, &tx, id).await?;
    let keys = keys.ok_or_else(|| Error::not_found("channel"))?;
    Ok(address(&connection, &keys))
}

/// # Errors
/// `PERSON_REQUIRED` for a program, `NOT_FOUND` for the connection or the agent, or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: ConnectionId,
    input: UpdateChannel,
) -> Result<ChannelConnection> {
    actor.require(Permission::SecretsWrite)?;
    actor.require_person()?;
    let mut checks = Checks::new();
    let name = checks.optional_line("name", input.name.as_deref(), MAX_NAME_CHARS);
    let token = input.token.map(|text| key(&mut checks, "token", &text));
    let app_secret = input.app_secret;
    let app_secret = app_secret.map(|text| key(&mut checks, "app_secret", &text));
    if let Some(settings) = &input.settings {
        settings.check(&mut checks);
    }
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let connection = tx.channel_connections().lock(id).await?;
    let connection = connection.ok_or_else(|| Error::not_found("channel"))?;
    let mut checks = Checks::new();
    if let Some(settings) = &input.settings {
        check_site(&mut checks, connection.channel, settings);
    }
    if connection.channel == Channel::Web {
        refuse_keys(&mut checks, token.as_ref(), app_secret.as_ref());
    }
    checks.finish()?;
    let agent_id = match &input.agent {
        None => None,
        Some(named) => Some(agent(&tx, named.as_deref()).await?),
    };
    let mut key = None;
    if token.is_some() || app_secret.is_some() {
        let keys = ConnectionKeys::open(app, &tx, id).await?;
        let mut keys = keys.ok_or_else(|| Error::not_found("channel"))?;
        keys.token = token.unwrap_or(keys.token);
        keys.app_secret = app_secret.unwrap_or(keys.app_secret);
        let sealed = keys.seal(app, actor.tenant_id(), id)?;
        key = Some((sealed, mask(keys.token.expose_secret())));
        // Whether the new one is good shows when it is used.
        tx.channel_connections().set_fault(id, None).await?;
    }
    let details = json!({ "key": key.is_some(), "status": input.status });
    let change = ConnectionChange {
        name,
        status: input.status,
        agent_id,
        settings: input.settings,
        key,
    };
    tx.channel_connections().update(id, &change).await?;
    actor
        .audit(&tx, "channel.update", target(id), details)
        .await?;
    let connection = find(&tx, id).await?;
    tx.commit().await?;
    Ok(connection)
}

/// Takes a connection away. Its conversations stay; nothing is sent through it any more.
///
/// # Errors
/// `PERSON_REQUIRED` for a program, or `NOT_FOUND` when the tenant has no such connection.
pub async fn disconnect(app: &App, actor: &Actor, id: ConnectionId) -> Result<()> {
    actor.require(Permission::SecretsWrite)?;
    actor.require_person()?;
    let tx = app.store.begin(actor.scope()).await?;
    if !tx.channel_connections().delete(id).await? {
        return Err(Error::not_found("channel"));
    }
    actor
        .audit(&tx, "channel.disconnect", target(id), json!({}))
        .await?;
    tx.commit().await
}

pub(super) async fn find(tx: &TenantTx, id: ConnectionId) -> Result<ChannelConnection> {
    let found = tx.channel_connections().find(id).await?;
    found.ok_or_else(|| Error::not_found("channel"))
}

fn target(id: ConnectionId) -> String {
    format!("channel:{id}")
}

fn key(checks: &mut Checks, field: &str, text: &SecretString) -> SecretString {
    let trimmed = text.expose_secret().trim();
    checks.text(field, trimmed, MAX_KEY_CHARS);
    trimmed.to_owned().into()
}

/// The keys of a new connection. What the sessions of visitors are signed with is made here: nobody has to
/// know it, and nobody chooses one that can be guessed.
fn new_keys(checks: &mut Checks, input: &ConnectChannel) -> Result<ConnectionKeys> {
    let verify_token = token::generate(VERIFY_PREFIX)?.into();
    let (token, app_secret) = (input.token.as_ref(), input.app_secret.as_ref());
    if input.channel == Channel::Web {
        refuse_keys(checks, token, app_secret);
        return Ok(ConnectionKeys {
            token: String::new().into(),
            app_secret: token::generate(SITE_PREFIX)?.into(),
            verify_token,
        });
    }
    let mut needed = |field: &str, text: Option<&SecretString>| {
        let none = SecretString::from(String::new());
        key(checks, field, text.unwrap_or(&none))
    };
    Ok(ConnectionKeys {
        token: needed("token", token),
        app_secret: needed("app_secret", app_secret),
        verify_token,
    })
}

/// The web has no account elsewhere that a key would open.
fn refuse_keys(
    checks: &mut Checks,
    token: Option<&SecretString>,
    app_secret: Option<&SecretString>,
) {
    for (field, given) in [("token", token), ("app_secret", app_secret)] {
        if given.is_some() {
            let allowed = String::new();
            checks.problem(field, Problem::Unknown { allowed });
        }
    }
}

/// Sees to it that the web has the settings of its chat, and that no other channel has some.
fn check_site(checks: &mut Checks, channel: Channel, settings: &ConnectionSettings) {
    let is_site = channel == Channel::Web;
    if is_site && settings.web.is_none() {
        checks.problem("settings.web", Problem::Empty);
    } else if !is_site && settings.web.is_some() {
        let allowed = String::new();
        checks.problem("settings.web", Problem::Unknown { allowed });
    }
}

async fn agent(tx: &TenantTx, named: Option<&str>) -> Result<Option<AgentId>> {
    match named {
        Some(named) => Ok(Some(agents::find(tx, named).await?.id)),
        None => Ok(None),
    }
}

fn address(connection: &ChannelConnection, keys: &ConnectionKeys) -> WebhookAddress {
    let ChannelConnection { channel, id, .. } = connection;
    let path = match channel {
        Channel::Web => format!("/api/web-chat/{id}"),
        _ => format!("/api/webhooks/{}/{id}", channel.as_str()),
    };
    WebhookAddress {
        path,
        verify_token: keys.verify_token.expose_secret().to_owned(),
    }
}
