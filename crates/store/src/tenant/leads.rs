use super::TemperatureCause;
use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{
    appointment, conversation, event_delivery, history, idempotency, invoice_request, lead,
    lead_identity, order, redemption,
};
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::history::Subject;
use quipu_core::lead::{
    Channel, Identity, Lead, LeadChange, LeadFilter, NewLead, Temperature, search_key, searched,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, BranchId, Error, LeadId, Result};
use sea_orm::sea_query::{
    Expr, ExprTrait, LikeExpr, LockType, OnConflict, SelectStatement, SimpleExpr,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

/// People who are or may become customers.
pub struct Leads<'a>(pub(crate) &'a TenantTx);

impl Leads<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewLead) -> Result<LeadId> {
        let id = LeadId::generate(self.0.now());
        let now = self.0.db_now();
        lead::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            name: Set(new.name.clone()),
            email: Set(new.email.clone()),
            phone: Set(new.phone.clone()),
            temperature: Set(new.temperature.map(|t| t.as_str().to_owned())),
            tags: Set(tags_of(&new.tags)),
            notes: Set(new.notes.clone()),
            agent_id: Set(new.agent_id.map(AgentId::uuid)),
            branch_id: Set(new.branch_id.map(BranchId::uuid)),
            search_key: Set(search_key(
                new.name.as_deref(),
                new.email.as_deref(),
                new.phone.as_deref(),
            )),
            token_balance: Set(0),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// Notes how a channel knows the lead. Returns `false` when that is known of a lead already,
    /// this one or another; whoever notes the same at the same time is waited for.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such lead.
    pub async fn add_identity(&self, id: LeadId, identity: &Identity) -> Result<bool> {
        use lead_identity::Column;
        let row = lead_identity::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            channel: Set(identity.channel.as_str().to_owned()),
            external_id: Set(identity.external_id.clone()),
            lead_id: Set(id.uuid()),
            created_at: Set(self.0.db_now()),
        };
        let once = OnConflict::columns([Column::TenantId, Column::Channel, Column::ExternalId])
            .do_nothing()
            .to_owned();
        let added = lead_identity::Entity::insert(row)
            .on_conflict(once)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(added == 1)
    }

    /// Forgets how a channel knows the lead. Returns whether it knew them so.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_identity(&self, id: LeadId, identity: &Identity) -> Result<bool> {
        use lead_identity::Column;
        let done = self
            .0
            .delete::<lead_identity::Entity>()
            .filter(Column::LeadId.eq(id.uuid()))
            .filter(Column::Channel.eq(identity.channel.as_str()))
            .filter(Column::ExternalId.eq(&identity.external_id))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: LeadId) -> Result<Option<Lead>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        self.complete(row).await
    }

    /// Keeps others from changing the lead until the transaction ends, and reads it as it is then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: LeadId) -> Result<Option<Lead>> {
        let row = self.locked(id).one(&self.0.tx).await.map_err(db)?;
        self.complete(row).await
    }

    /// Keeps others from changing the lead until the transaction ends. Returns whether it is there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn hold(&self, id: LeadId) -> Result<bool> {
        let select = self.locked(id).select_only().column(lead::Column::Id);
        let found: Option<Uuid> = select.into_tuple().one(&self.0.tx).await.map_err(db)?;
        Ok(found.is_some())
    }

    /// Keeps others from changing the lead, and from adding anything that is theirs, until the
    /// transaction ends. Whoever has begun to is waited for.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn seal(&self, id: LeadId) -> Result<Option<Lead>> {
        let mut select = self.one(id);
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::Update);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        self.complete(row).await
    }

    fn locked(&self, id: LeadId) -> Select<lead::Entity> {
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            self.one(id).lock(LockType::NoKeyUpdate)
        } else {
            self.one(id)
        }
    }

    /// Whom the channel means.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_identity(&self, identity: &Identity) -> Result<Option<Lead>> {
        let row = self
            .0
            .find::<lead::Entity>()
            .filter(lead::Column::Id.in_subquery(self.known_as(identity)))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        self.complete(row).await
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, filter: &LeadFilter, page: PageRequest) -> Result<Page<Lead>> {
        let mut select = self.0.find::<lead::Entity>();
        if let Some(text) = &filter.text {
            select = select.filter(named_like(text));
        }
        if let Some(temperature) = filter.temperature {
            select = select.filter(lead::Column::Temperature.eq(temperature.as_str()));
        }
        if let Some(agent) = filter.agent_id {
            select = select.filter(lead::Column::AgentId.eq(agent.uuid()));
        }
        if let Some(identity) = &filter.identity {
            select = select.filter(lead::Column::Id.in_subquery(self.known_as(identity)));
        }
        let rows = newest_first(select, lead::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let leads = self.with_identities(rows).await?;
        Ok(Page::from_rows(leads, page, |lead| lead.id.uuid()))
    }

    /// Returns whether the lead exists. Whoever changes how close they are to buying is noted.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        id: LeadId,
        change: &LeadChange,
        cause: TemperatureCause<'_>,
    ) -> Result<bool> {
        use lead::Column;
        // What it is found by is made of all three, of which some may stay as they are.
        let Some(before) = self.lock(id).await? else {
            return Ok(false);
        };
        let name = change.name.clone().unwrap_or(before.name);
        let email = change.email.clone().unwrap_or(before.email);
        let phone = change.phone.clone().unwrap_or(before.phone);
        let key = search_key(name.as_deref(), email.as_deref(), phone.as_deref());
        let mut update = self
            .0
            .update::<lead::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Name, Expr::value(name))
            .col_expr(Column::Email, Expr::value(email))
            .col_expr(Column::Phone, Expr::value(phone))
            .col_expr(Column::SearchKey, Expr::value(key))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(temperature) = change.temperature {
            self.0
                .temperature_changes()
                .add(id, before.temperature, temperature, cause)
                .await?;
            let temperature = temperature.map(Temperature::as_str);
            update = update.col_expr(Column::Temperature, Expr::value(temperature));
        }
        if let Some(tags) = &change.tags {
            update = update.col_expr(Column::Tags, Expr::value(tags_of(tags)));
        }
        if let Some(notes) = &change.notes {
            update = update.col_expr(Column::Notes, Expr::value(notes.clone()));
        }
        if let Some(agent) = change.agent_id {
            update = update.col_expr(Column::AgentId, Expr::value(agent.map(AgentId::uuid)));
        }
        if let Some(branch) = change.branch_id {
            let branch = branch.map(BranchId::uuid);
            update = update.col_expr(Column::BranchId, Expr::value(branch));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Leaves the leads of an agent that is going away without one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_agent(&self, agent: AgentId) -> Result<u64> {
        let column = lead::Column::AgentId;
        self.0.forget::<lead::Entity>(column, agent.uuid()).await
    }

    /// Leaves the leads of a branch that is going away without one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_branch(&self, branch: BranchId) -> Result<u64> {
        let column = lead::Column::BranchId;
        self.0.forget::<lead::Entity>(column, branch.uuid()).await
    }

    /// Deletes the lead with everything of theirs, what was noted about that, and the answers and
    /// events that were kept about them.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, id: LeadId) -> Result<bool> {
        // The history names what it is of without a key that would take it along.
        for (subject, theirs) in self.of_lead(id) {
            self.0
                .delete::<history::Entity>()
                .filter(history::Column::Subject.eq(subject.as_str()))
                .filter(history::Column::SubjectId.in_subquery(theirs))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        let done = self
            .0
            .delete::<lead::Entity>()
            .filter(lead::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        // Last of all: the lead went only after everybody who was still writing about them, and
        // nobody can begin any more.
        self.0
            .delete::<idempotency::Entity>()
            .filter(idempotency::Column::LeadId.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0
            .delete::<event_delivery::Entity>()
            .filter(event_delivery::Column::LeadId.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn one(&self, id: LeadId) -> Select<lead::Entity> {
        self.0
            .find::<lead::Entity>()
            .filter(lead::Column::Id.eq(id.uuid()))
    }

    fn known_as(&self, identity: &Identity) -> SelectStatement {
        use lead_identity::Column;
        self.0
            .find::<lead_identity::Entity>()
            .filter(Column::Channel.eq(identity.channel.as_str()))
            .filter(Column::ExternalId.eq(&identity.external_id))
            .select_only()
            .column(Column::LeadId)
            .into_query()
    }

    /// The ids of everything of the lead's that has a history.
    fn of_lead(&self, id: LeadId) -> [(Subject, SelectStatement); 5] {
        macro_rules! theirs {
            ($module:ident) => {
                self.0
                    .find::<$module::Entity>()
                    .filter($module::Column::LeadId.eq(id.uuid()))
                    .select_only()
                    .column($module::Column::Id)
                    .into_query()
            };
        }
        [
            (Subject::Conversation, theirs!(conversation)),
            (Subject::Appointment, theirs!(appointment)),
            (Subject::Order, theirs!(order)),
            (Subject::Redemption, theirs!(redemption)),
            (Subject::InvoiceRequest, theirs!(invoice_request)),
        ]
    }

    async fn complete(&self, row: Option<lead::Model>) -> Result<Option<Lead>> {
        let mut leads = self.with_identities(row.into_iter().collect()).await?;
        Ok(leads.pop())
    }

    async fn with_identities(&self, rows: Vec<lead::Model>) -> Result<Vec<Lead>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let ids = rows.iter().map(|row| row.id);
        let known = self
            .0
            .find::<lead_identity::Entity>()
            .filter(lead_identity::Column::LeadId.is_in(ids))
            .order_by_asc(lead_identity::Column::Channel)
            .order_by_asc(lead_identity::Column::ExternalId)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut identities: HashMap<Uuid, Vec<Identity>> = HashMap::new();
        for row in known {
            let channel = Channel::parse(&row.channel)
                .ok_or_else(|| Error::internal("a lead is known on a channel that is none"))?;
            identities.entry(row.lead_id).or_default().push(Identity {
                channel,
                external_id: row.external_id,
            });
        }
        let complete = |row: lead::Model| {
            let identities = identities.remove(&row.id).unwrap_or_default();
            lead(row, identities)
        };
        rows.into_iter().map(complete).collect()
    }
}

fn lead(row: lead::Model, identities: Vec<Identity>) -> Result<Lead> {
    Ok(Lead {
        id: row.id.into(),
        name: row.name,
        email: row.email,
        phone: row.phone,
        temperature: row.temperature.as_deref().and_then(Temperature::parse),
        tags: serde_json::from_value(row.tags).map_err(Error::internal)?,
        notes: row.notes,
        agent_id: row.agent_id.map(Into::into),
        branch_id: row.branch_id.map(Into::into),
        token_balance: row.token_balance,
        identities,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}

fn tags_of(tags: &[String]) -> serde_json::Value {
    tags.iter().map(String::as_str).collect()
}

/// That a part of the name, the e-mail address or the telephone number is this.
pub(super) fn named_like(text: &str) -> SimpleExpr {
    let like = LikeExpr::new(format!("%{}%", escaped(&searched(text)))).escape('\\');
    Expr::col(lead::Column::SearchKey).like(like)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}
