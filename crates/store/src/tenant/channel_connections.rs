use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::channel_connection;
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::channel::{
    ChannelConnection, ConnectionChange, ConnectionFault, ConnectionStatus, NewConnection,
};
use quipu_core::lead::Channel;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, ConnectionId, Error, Result, Timestamp};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QuerySelect, Select,
    Set, TransactionTrait, UpdateMany,
};
use serde_json::json;

/// The accounts of a business at channels.
pub struct ChannelConnections<'a>(pub(crate) &'a TenantTx);

impl ChannelConnections<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when that account is connected already.
    pub async fn insert(&self, new: &NewConnection) -> Result<ConnectionId> {
        let now = self.0.db_now();
        let row = channel_connection::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            channel: Set(new.channel.as_str().to_owned()),
            name: Set(new.name.clone()),
            status: Set(ConnectionStatus::Active.as_str().to_owned()),
            agent_id: Set(new.agent_id.map(AgentId::uuid)),
            account_id: Set(new.account_id.clone()),
            parent_id: Set(new.parent_id.clone()),
            settings: Set(json!(new.settings)),
            sealed: Set(new.sealed.clone()),
            key_hint: Set(new.key_hint.clone()),
            fault_code: Set(None),
            fault_at: Set(None),
            last_received_at: Set(None),
            last_sent_at: Set(None),
            created_by: Set(new.created_by.clone()),
            created_at: Set(now),
            updated_at: Set(now),
        };
        // A savepoint, because PostgreSQL would end the whole transaction at the violation below.
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let columns = "channel_connections.tenant_id, channel_connections.channel, \
                       channel_connections.account_id";
        match row.insert(&attempt).await {
            Ok(_) => {
                attempt.commit().await.map_err(db)?;
                Ok(new.id)
            }
            Err(error) if violates(&error, "channel_connections_account_key", columns) => {
                attempt.rollback().await.map_err(db)?;
                Err(Error::already_exists("channel", "account_id"))
            }
            Err(error) => Err(db(error)),
        }
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: ConnectionId) -> Result<Option<ChannelConnection>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        row.map(connection).transpose()
    }

    /// The connection, which nobody else changes until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: ConnectionId) -> Result<Option<ChannelConnection>> {
        let mut select = self.one(id);
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        row.map(connection).transpose()
    }

    /// What opens the connection, sealed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sealed(&self, id: ConnectionId) -> Result<Option<Vec<u8>>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        Ok(row.map(|row| row.sealed))
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<ChannelConnection>> {
        let select = self.0.find::<channel_connection::Entity>();
        let rows = newest_first(select, channel_connection::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(connection);
        let found = found.collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// Returns whether the connection exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(&self, id: ConnectionId, change: &ConnectionChange) -> Result<bool> {
        use channel_connection::Column;
        let mut update = self.change(id);
        if let Some(name) = &change.name {
            update = update.col_expr(Column::Name, Expr::value(name.clone()));
        }
        if let Some(status) = change.status {
            update = update.col_expr(Column::Status, Expr::value(status.as_str()));
        }
        if let Some(agent) = change.agent_id {
            update = update.col_expr(Column::AgentId, Expr::value(agent.map(AgentId::uuid)));
        }
        if let Some(settings) = &change.settings {
            update = update.col_expr(Column::Settings, Expr::value(json!(settings)));
        }
        if let Some((sealed, hint)) = &change.key {
            update = update
                .col_expr(Column::Sealed, Expr::value(sealed.clone()))
                .col_expr(Column::KeyHint, Expr::value(hint.clone()));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Takes the connection away with everything that came and went through it. What was said stays in
    /// its conversations.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, id: ConnectionId) -> Result<bool> {
        let done = self
            .0
            .delete::<channel_connection::Entity>()
            .filter(channel_connection::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Leaves the connections of an agent that is going away to the tenant's active one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_agent(&self, agent: AgentId) -> Result<u64> {
        let (column, id) = (channel_connection::Column::AgentId, agent.uuid());
        self.0
            .forget::<channel_connection::Entity>(column, id)
            .await
    }

    /// Notes that something arrived just now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn received(&self, id: ConnectionId) -> Result<bool> {
        let column = channel_connection::Column::LastReceivedAt;
        self.touch(id, column).await
    }

    /// Notes that something was sent just now, so that nothing is wrong with the connection.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn sent(&self, id: ConnectionId) -> Result<bool> {
        self.set_fault(id, None).await?;
        let column = channel_connection::Column::LastSentAt;
        self.touch(id, column).await
    }

    /// Notes since when nothing goes out, and why, or that it does again. Says whether that is new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_fault(
        &self,
        id: ConnectionId,
        fault: Option<(Option<i64>, Timestamp)>,
    ) -> Result<bool> {
        use channel_connection::Column;
        let code = fault.and_then(|(code, _)| code);
        let at = fault.map(|(_, at)| to_db(at));
        let mut update = self
            .0
            .update::<channel_connection::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::FaultCode, Expr::value(code))
            .col_expr(Column::FaultAt, Expr::value(at));
        update = match fault {
            // Since when stays what it was.
            Some(_) => update.filter(Column::FaultAt.is_null()),
            None => update.filter(Column::FaultAt.is_not_null()),
        };
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    async fn touch(&self, id: ConnectionId, column: channel_connection::Column) -> Result<bool> {
        let done = self
            .0
            .update::<channel_connection::Entity>()
            .filter(channel_connection::Column::Id.eq(id.uuid()))
            .col_expr(column, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn one(&self, id: ConnectionId) -> Select<channel_connection::Entity> {
        self.0
            .find::<channel_connection::Entity>()
            .filter(channel_connection::Column::Id.eq(id.uuid()))
    }

    fn change(&self, id: ConnectionId) -> UpdateMany<channel_connection::Entity> {
        self.0
            .update::<channel_connection::Entity>()
            .filter(channel_connection::Column::Id.eq(id.uuid()))
            .col_expr(
                channel_connection::Column::UpdatedAt,
                Expr::value(self.0.db_now()),
            )
    }
}

fn connection(row: channel_connection::Model) -> Result<ChannelConnection> {
    let unknown = || Error::internal("a connection holds a word that is not known");
    Ok(ChannelConnection {
        id: row.id.into(),
        channel: Channel::parse(&row.channel).ok_or_else(unknown)?,
        name: row.name,
        status: ConnectionStatus::parse(&row.status).ok_or_else(unknown)?,
        agent_id: row.agent_id.map(Into::into),
        account_id: row.account_id,
        parent_id: row.parent_id,
        settings: serde_json::from_value(row.settings).map_err(Error::internal)?,
        key_hint: row.key_hint,
        fault: row.fault_at.map(|since| ConnectionFault {
            code: row.fault_code,
            since: from_db(since),
        }),
        last_received_at: row.last_received_at.map(from_db),
        last_sent_at: row.last_sent_at.map(from_db),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
