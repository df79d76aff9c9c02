//! What opens a connection: sealed in the database, and in clear only while it is used.

use crate::App;
use quipu_channels::ChannelAccount;
use quipu_core::channel::ChannelConnection;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ConnectionId, Error, Result, TenantId};
use quipu_store::TenantTx;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

/// The keys of a connection.
#[derive(Clone)]
pub(super) struct ConnectionKeys {
    pub(super) token: SecretString,
    /// What deliveries are signed with, or the secret that comes with them.
    pub(super) app_secret: SecretString,
    /// The word by which the channel verifies the address that it delivers to.
    pub(super) verify_token: SecretString,
}

/// The keys as they are sealed.
#[derive(Serialize, Deserialize)]
struct StoredKeys {
    token: String,
    app_secret: String,
    verify_token: String,
}

impl ConnectionKeys {
    pub(super) fn seal(&self, app: &App, tenant: TenantId, id: ConnectionId) -> Result<Vec<u8>> {
        let stored = StoredKeys {
            token: self.token.expose_secret().to_owned(),
            app_secret: self.app_secret.expose_secret().to_owned(),
            verify_token: self.verify_token.expose_secret().to_owned(),
        };
        let text = serde_json::to_string(&stored).map_err(Error::internal)?;
        app.vault.seal(tenant, &name(id), &text.into())
    }

    /// The keys of a connection, where it is there.
    pub(super) async fn open(app: &App, tx: &TenantTx, id: ConnectionId) -> Result<Option<Self>> {
        let Some(sealed) = tx.channel_connections().sealed(id).await? else {
            return Ok(None);
        };
        let text = app.vault.open(tx.tenant_id(), &name(id), &sealed)?;
        let stored: StoredKeys =
            serde_json::from_str(text.expose_secret()).map_err(Error::internal)?;
        Ok(Some(Self {
            token: stored.token.into(),
            app_secret: stored.app_secret.into(),
            verify_token: stored.verify_token.into(),
        }))
    }

    /// The account that they open.
    pub(super) fn account(&self, connection: &ChannelConnection) -> ChannelAccount {
        let has_secret = !self.app_secret.expose_secret().is_empty();
        ChannelAccount {
            channel: connection.channel,
            account_id: connection.account_id.clone(),
            parent_id: connection.parent_id.clone(),
            token: self.token.clone(),
            app_secret: has_secret.then(|| self.app_secret.clone()),
        }
    }
}

/// The account that a connection speaks through.
pub(super) async fn account(
    app: &App,
    scope: TenantScope,
    connection: &ChannelConnection,
) -> Result<ChannelAccount> {
    let tx = app.store.read(scope).await?;
    let keys = ConnectionKeys::open(app, &tx, connection.id).await?;
    let keys = keys.ok_or_else(|| Error::not_found("channel"))?;
    Ok(keys.account(connection))
}

/// What the keys of a connection are sealed under, so that those of another do not open in its place.
fn name(id: ConnectionId) -> String {
    format!("channel:{id}")
}
