use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{appointment, booked_tick};
use crate::error::{db, violates};
use crate::tenant::one;
use crate::tx::newest_first;
use quipu_commerce::appointment::{Appointment, AppointmentOrder, AppointmentStatus};
use quipu_commerce::calendar::{Span, Unavailable, covering_ticks};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AppointmentId, BranchId, ConversationId, Error, LeadId, Result, Timestamp};
use sea_orm::sea_query::{Cond, Condition, Expr, ExprTrait, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Select, Set,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Appointments, and the time they take.
pub struct Appointments<'a>(pub(crate) &'a TenantTx);

/// Which appointments are wanted.
#[derive(Clone, Debug, Default)]
pub struct AppointmentFilter {
    pub status: Option<AppointmentStatus>,
    pub branch: Option<BranchId>,
    /// The person or table.
    pub resource: Option<Uuid>,
    pub lead: Option<LeadId>,
    pub conversation: Option<ConversationId>,
    /// Those that begin at this instant or later.
    pub from: Option<Timestamp>,
    /// Those that begin before this instant.
    pub to: Option<Timestamp>,
}

impl Appointments<'_> {
    /// Keeps the row. Its time is taken by [`take`](Self::take), in the same transaction.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &Appointment, held: Span) -> Result<()> {
        row(self.0, new, held)?
            .insert(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: AppointmentId) -> Result<Option<Appointment>> {
        let row = self
            .0
            .find::<appointment::Entity>()
            .filter(appointment::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(into_appointment).transpose()
    }

    /// The same, kept from others until the transaction ends, with all the time it takes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: AppointmentId) -> Result<Option<(Appointment, Span)>> {
        let mut select = self
            .0
            .find::<appointment::Entity>()
            .filter(appointment::Column::Id.eq(id.uuid()));
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let Some(row) = select.one(&self.0.tx).await.map_err(db)? else {
            return Ok(None);
        };
        let held = held(&row);
        Ok(Some((into_appointment(row)?, held)))
    }

    /// Writes an appointment over what it was.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn save(&self, changed: &Appointment, held: Span) -> Result<bool> {
        let done = self
            .0
            .update::<appointment::Entity>()
            .set(row(self.0, changed, held)?)
            .filter(appointment::Column::Id.eq(changed.id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Newest first, or in the order of time.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        filter: &AppointmentFilter,
        order: AppointmentOrder,
        page: PageRequest,
    ) -> Result<Page<Appointment>> {
        let select = self
            .0
            .find::<appointment::Entity>()
            .filter(condition(filter));
        let select = match order {
            AppointmentOrder::Newest => newest_first(select, appointment::Column::Id, page),
            AppointmentOrder::Start => self.earliest_first(select, page),
        };
        let rows = select.all(&self.0.tx).await.map_err(db)?;
        let found = rows
            .into_iter()
            .map(into_appointment)
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    fn earliest_first(
        &self,
        select: Select<appointment::Entity>,
        page: PageRequest,
    ) -> Select<appointment::Entity> {
        use appointment::Column;
        let select = match page.after {
            Some(after) => {
                let of_last = self
                    .0
                    .find::<appointment::Entity>()
                    .filter(Column::Id.eq(after))
                    .select_only()
                    .column(Column::StartsAt);
                let place = Expr::tuple([Expr::col(Column::StartsAt), Expr::col(Column::Id)]);
                select.filter(place.gt(Expr::tuple([one(of_last), Expr::value(after)])))
            }
            None => select,
        };
        select
            .order_by_asc(Column::StartsAt)
            .order_by_asc(Column::Id)
            .limit(page.limit + 1)
    }

    /// In the order of time, so many at most.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn agenda(&self, filter: &AppointmentFilter, most: u64) -> Result<Vec<Appointment>> {
        let rows = self
            .0
            .find::<appointment::Entity>()
            .filter(condition(filter))
            .order_by_asc(appointment::Column::StartsAt)
            .order_by_asc(appointment::Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(into_appointment).collect()
    }

    /// What is taken of these between two instants, buffers included. A hold that has expired takes
    /// nothing, and neither does the one that is left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn busy(
        &self,
        resources: &[Uuid],
        between: Span,
        except: Option<AppointmentId>,
    ) -> Result<HashMap<Uuid, Vec<Span>>> {
        use appointment::Column;
        let rows: Vec<(
            Uuid,
            chrono::DateTime<chrono::Utc>,
            chrono::DateTime<chrono::Utc>,
        )> = self
            .0
            .find::<appointment::Entity>()
            .filter(Column::ResourceId.is_in(resources.iter().copied()))
            .filter(Column::HeldFrom.lt(to_db(between.end)))
            .filter(Column::HeldTo.gt(to_db(between.start)))
            .filter(takes_time(self.0))
            .filter(Cond::all().add_option(except.map(|id| Column::Id.ne(id.uuid()))))
            .select_only()
            .columns([Column::ResourceId, Column::HeldFrom, Column::HeldTo])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut busy: HashMap<Uuid, Vec<Span>> = HashMap::new();
        for (resource, from, to) in rows {
            busy.entry(resource).or_default().push(Span {
                start: from_db(from),
                end: from_db(to),
            });
        }
        Ok(busy)
    }

    /// How many that are still to come need a person, a table, a branch or a service.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ahead(&self, id: Uuid) -> Result<u64> {
        self.still_needing(id).count(&self.0.tx).await.map_err(db)
    }

    /// The same, the next ones first, so many at most.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn needing(&self, id: Uuid, most: u64) -> Result<Vec<Appointment>> {
        let rows = self
            .still_needing(id)
            .order_by_asc(appointment::Column::StartsAt)
            .order_by_asc(appointment::Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(into_appointment).collect()
    }

    fn still_needing(&self, id: Uuid) -> Select<appointment::Entity> {
        use appointment::Column;
        let needs = [Column::ResourceId, Column::BranchId, Column::ServiceId];
        let needs = needs.into_iter().map(|column| column.eq(id));
        self.0
            .find::<appointment::Entity>()
            .filter(needs.fold(Cond::any(), Condition::add))
            .filter(Column::EndsAt.gt(self.0.db_now()))
            .filter(keeps_time(self.0))
    }

    /// Takes the time of a person, table or branch for an appointment: in each five minutes the
    /// first place that is free. Whoever calls it has locked that thing, so that nobody else is
    /// choosing; the primary key of the ticks is what makes it certain.
    ///
    /// # Errors
    /// `SLOT_UNAVAILABLE` when there is no place left.
    pub async fn take(
        &self,
        id: AppointmentId,
        resource: Uuid,
        places: u16,
        held: Span,
    ) -> Result<()> {
        let ticks: Vec<i64> = covering_ticks(held).collect();
        let (Some(first), Some(last)) = (ticks.first(), ticks.last()) else {
            return Err(Error::internal("an appointment that takes no time"));
        };
        let taken: HashSet<(i64, i32)> = self
            .0
            .find::<booked_tick::Entity>()
            .filter(booked_tick::Column::ResourceId.eq(resource))
            .filter(booked_tick::Column::Tick.between(*first, *last))
            .select_only()
            .columns([booked_tick::Column::Tick, booked_tick::Column::Place])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .collect();
        let mut rows = Vec::with_capacity(ticks.len());
        for tick in ticks {
            let mut free = (0..i32::from(places)).filter(|place| !taken.contains(&(tick, *place)));
            let place = free.next().ok_or(Unavailable::Taken)?;
            rows.push(booked_tick::ActiveModel {
                tenant_id: Set(self.0.uuid()),
                resource_id: Set(resource),
                tick: Set(tick),
                place: Set(place),
                appointment_id: Set(id.uuid()),
            });
        }
        booked_tick::Entity::insert_many(rows)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(|error| {
                let columns = "booked_ticks.tenant_id, booked_ticks.resource_id";
                if violates(&error, "booked_ticks_pkey", columns) {
                    return Unavailable::Taken.into();
                }
                db(error)
            })?;
        Ok(())
    }

    /// Gives the time of an appointment back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, id: AppointmentId) -> Result<u64> {
        let done = self
            .0
            .delete::<booked_tick::Entity>()
            .filter(booked_tick::Column::AppointmentId.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Lets go of the holds on these that nobody confirmed in time, and returns them.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn expire_holds(&self, resources: &[Uuid]) -> Result<Vec<AppointmentId>> {
        use appointment::Column;
        let mut select = self
            .0
            .find::<appointment::Entity>()
            .filter(Column::ResourceId.is_in(resources.iter().copied()))
            .filter(Column::Status.eq(AppointmentStatus::Held.as_str()))
            .filter(Column::HoldExpiresAt.lte(self.0.db_now()))
            .order_by_asc(Column::Id);
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let rows = select.all(&self.0.tx).await.map_err(db)?;
        let mut expired = Vec::with_capacity(rows.len());
        for row in rows {
            let held = held(&row);
            let mut over = into_appointment(row)?;
            over.status = AppointmentStatus::Expired;
            over.updated_at = self.0.now();
            self.save(&over, held).await?;
            self.release(over.id).await?;
            expired.push(over.id);
        }
        Ok(expired)
    }
}

/// Still to come or past, its time is not free: all but what was cancelled, missed or expired.
fn takes_time(tx: &TenantTx) -> Condition {
    let completed = AppointmentStatus::Completed.as_str();
    keeps_time(tx).add(appointment::Column::Status.eq(completed))
}

/// Confirmed, or held and not expired yet.
fn keeps_time(tx: &TenantTx) -> Condition {
    use appointment::Column;
    let held = Cond::all()
        .add(Column::Status.eq(AppointmentStatus::Held.as_str()))
        .add(Column::HoldExpiresAt.gt(tx.db_now()));
    Cond::any()
        .add(Column::Status.eq(AppointmentStatus::Confirmed.as_str()))
        .add(held)
}

fn condition(filter: &AppointmentFilter) -> Condition {
    use appointment::Column;
    Cond::all()
        .add_option(
            filter
                .status
                .map(|status| Column::Status.eq(status.as_str())),
        )
        .add_option(filter.branch.map(|id| Column::BranchId.eq(id.uuid())))
        .add_option(filter.resource.map(|id| Column::ResourceId.eq(id)))
        .add_option(filter.lead.map(|id| Column::LeadId.eq(id.uuid())))
        .add_option(
            filter
                .conversation
                .map(|id| Column::ConversationId.eq(id.uuid())),
        )
        .add_option(filter.from.map(|from| Column::StartsAt.gte(to_db(from))))
        .add_option(filter.to.map(|to| Column::StartsAt.lt(to_db(to))))
}

fn row(tx: &TenantTx, of: &Appointment, held: Span) -> Result<appointment::ActiveModel> {
    Ok(appointment::ActiveModel {
        id: Set(of.id.uuid()),
        tenant_id: Set(tx.uuid()),
        status: Set(of.status.as_str().to_owned()),
        branch_id: Set(of.branch_id.uuid()),
        resource_id: Set(of.resource()),
        service_id: Set(of.service_id),
        lead_id: Set(of.lead_id.map(LeadId::uuid)),
        conversation_id: Set(of.conversation_id.map(ConversationId::uuid)),
        starts_at: Set(to_db(of.starts_at)),
        ends_at: Set(to_db(of.ends_at)),
        held_from: Set(to_db(held.start)),
        held_to: Set(to_db(held.end)),
        hold_expires_at: Set(of.hold_expires_at.map(to_db)),
        data: Set(serde_json::to_value(of).map_err(Error::internal)?),
        created_at: Set(to_db(of.created_at)),
        updated_at: Set(to_db(of.updated_at)),
    })
}

fn held(row: &appointment::Model) -> Span {
    Span {
        start: from_db(row.held_from),
        end: from_db(row.held_to),
    }
}

fn into_appointment(row: appointment::Model) -> Result<Appointment> {
    serde_json::from_value(row.data).map_err(Error::internal)
}
