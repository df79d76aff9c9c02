use crate::PlatformTx;
use crate::convert::{from_db, to_db};
use crate::entity::{session, user};
use crate::error::db;
use crate::platform::users::into_user;
use quipu_core::access::{Session, User};
use quipu_core::{Result, SessionId, Timestamp, UserId};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

pub struct Sessions<'a>(pub(crate) &'a PlatformTx);

#[derive(Clone, Debug)]
pub struct NewSession {
    pub user: UserId,
    pub token_hash: String,
    pub user_agent: Option<String>,
    pub expires_at: Timestamp,
}

/// A live session and the person it belongs to.
#[derive(Clone, Debug)]
pub struct SessionHolder {
    pub session: SessionId,
    pub user: User,
}

impl Sessions<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewSession) -> Result<SessionId> {
        let id = SessionId::generate(self.0.now());
        session::ActiveModel {
            id: Set(id.uuid()),
            user_id: Set(new.user.uuid()),
            token_hash: Set(new.token_hash.clone()),
            user_agent: Set(new.user_agent.clone()),
            created_at: Set(self.0.db_now()),
            expires_at: Set(to_db(new.expires_at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// Who holds this token, unless it has expired.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_live(&self, token_hash: &str) -> Result<Option<SessionHolder>> {
        let Some(row) = session::Entity::find()
            .filter(session::Column::TokenHash.eq(token_hash))
            .filter(session::Column::ExpiresAt.gt(self.0.db_now()))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(None);
        };
        let person = user::Entity::find_by_id(row.user_id)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(person.map(|person| SessionHolder {
            session: row.id.into(),
            user: into_user(person),
        }))
    }

    /// The person's live sessions, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_user(&self, user: UserId, current: SessionId) -> Result<Vec<Session>> {
        let rows = session::Entity::find()
            .filter(session::Column::UserId.eq(user.uuid()))
            .filter(session::Column::ExpiresAt.gt(self.0.db_now()))
            .order_by_desc(session::Column::Id)
            .limit(200)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|row| Session {
                id: row.id.into(),
                created_at: from_db(row.created_at),
                expires_at: from_db(row.expires_at),
                user_agent: row.user_agent,
                current: row.id == current.uuid(),
            })
            .collect())
    }

    /// Ends one of the person's sessions.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, user: UserId, id: SessionId) -> Result<bool> {
        let done = session::Entity::delete_many()
            .filter(session::Column::UserId.eq(user.uuid()))
            .filter(session::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Ends all of the person's sessions, but perhaps the one they are using.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete_all(&self, user: UserId, except: Option<SessionId>) -> Result<()> {
        let mut delete =
            session::Entity::delete_many().filter(session::Column::UserId.eq(user.uuid()));
        if let Some(kept) = except {
            delete = delete.filter(session::Column::Id.ne(kept.uuid()));
        }
        delete.exec(&self.0.tx).await.map_err(db)?;
        Ok(())
    }
}
