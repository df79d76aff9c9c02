//! Appointments as a calendar that other programs follow.

use crate::{Actor, App, auth, catalogue};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_commerce::business::{Branch, Staff};
use quipu_commerce::calendar::{LONGEST_HORIZON_DAYS, Span};
use quipu_commerce::feed::{FeedEvent, FeedStatus, feed as write};
use quipu_core::access::Permission;
use quipu_core::tenancy::{TenantScope, TenantStatus};
use quipu_core::{
    ApiKeyId, BranchId, Error, ErrorCode, Result, StaffId, TenantId, Timestamp, UserId,
};
use quipu_store::tenant::AppointmentFilter;
use quipu_store::{PlatformTx, TenantTx};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// How far back and ahead a calendar goes.
const DAYS_BACK: i64 = 30;
const DAYS_AHEAD: i64 = LONGEST_HORIZON_DAYS as i64 + 1;
const MOST: u64 = 5_000;

/// Whose calendar it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feed {
    Branch(BranchId),
    Staff(StaffId),
}

/// Where a calendar can be followed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FeedLink {
    /// A path on this server: it is used with the scheme and host under which others reach it, such
    /// as `https://quipu.example.com`. Whoever has it sees the appointments, until the links are
    /// revoked, whoever made it may no longer see them or, for that of a person, the person is made
    /// inactive.
    #[schema(example = "/calendars/AZqw….ics")]
    pub path: String,
}

/// What a link is made of: calendars cannot sign in, so the link itself is the key.
#[derive(Serialize, Deserialize)]
struct Ticket {
    of: Feed,
    generation: u32,
    by: Maker,
    /// Since when its maker belongs to the tenant: who leaves and comes back makes new links. Older
    /// links do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    joined_at: Option<Timestamp>,
}

/// Who asked for a link. It shows what they may see, for as long as they may.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Maker {
    Person(UserId),
    Key(ApiKeyId),
    /// The product itself.
    House,
}

impl Maker {
    fn of(actor: &Actor) -> Self {
        match (actor.user_id(), actor.api_key_id()) {
            (Some(person), _) => Self::Person(person),
            (None, Some(key)) => Self::Key(key),
            (None, None) => Self::House,
        }
    }

    async fn joined_at(self, platform: &PlatformTx, tenant: TenantId) -> Result<Option<Timestamp>> {
        let Self::Person(person) = self else {
            return Ok(None);
        };
        let memberships = platform.tenants().of_user(person).await?;
        let membership = memberships.iter().find(|of| of.tenant_id == tenant);
        Ok(membership.map(|membership| membership.joined_at))
    }

    /// Whether they may still see appointments of the tenant.
    async fn may_see(self, platform: &PlatformTx, tenant: TenantId) -> Result<bool> {
        let rights = match self {
            Self::House => return Ok(true),
            Self::Person(person) => auth::rights_of_person(platform, person, tenant).await?,
            Self::Key(id) => match platform.credentials().find_live_key_by_id(id).await? {
                Some(holder) if holder.tenant == tenant => {
                    auth::rights_of_key(platform, &holder).await?
                }
                _ => return Ok(false),
            },
        };
        Ok(rights.contains(&Permission::CustomersRead))
    }
}

const NAME: &str = "calendar_feeds";

/// A link to the calendar of a branch or a person.
///
/// # Errors
/// `NOT_FOUND` when there is no such branch, or no such person who is active.
pub async fn link(app: &App, actor: &Actor, of: Feed) -> Result<FeedLink> {
    actor.require(Permission::CustomersRead)?;
    let by = Maker::of(actor);
    let platform = app.store.platform_read().await?;
    let joined_at = by.joined_at(&platform, actor.tenant_id()).await?;
    drop(platform);
    let tx = app.store.begin(actor.scope()).await?;
    name(&tx, of).await?;
    let generation = generation(&tx).await?;
    let ticket = Ticket {
        of,
        generation,
        by,
        joined_at,
    };
    let ticket = serde_json::to_string(&ticket).map_err(Error::internal)?;
    let target = match of {
        Feed::Branch(id) => format!("branch:{id}"),
        Feed::Staff(id) => format!("staff:{id}"),
    };
    actor
        .audit(&tx, "calendar_feed.link", target, json!({}))
        .await?;
    tx.commit().await?;
    let tenant = actor.tenant_id();
    let sealed = app.vault.seal(tenant, NAME, &ticket.into())?;
    let token = [tenant.uuid().as_bytes().as_slice(), &sealed].concat();
    let path = format!("/calendars/{}.ics", BASE64_URL_SAFE_NO_PAD.encode(token));
    Ok(FeedLink { path })
}

/// Makes all links that were given out useless.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn revoke(app: &App, actor: &Actor) -> Result<()> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    tx.profile().lock_plan().await?;
    let next = generation(&tx).await?.wrapping_add(1);
    tx.settings().put(NAME, &next).await?;
    let target = NAME.to_owned();
    actor
        .audit(&tx, "calendar_feed.revoke", target, json!({}))
        .await?;
    tx.commit().await
}

/// The calendar behind a link.
///
/// # Errors
/// `NOT_FOUND` when the link is none of ours, was revoked, or what it was for is gone.
pub async fn open(app: &App, token: &str) -> Result<String> {
    let unknown = || Error::not_found("calendar");
    let token = token.strip_suffix(".ics").unwrap_or(token);
    let bytes = BASE64_URL_SAFE_NO_PAD
        .decode(token)
        .map_err(|_| unknown())?;
    let (tenant, sealed) = bytes.split_first_chunk::<16>().ok_or_else(unknown)?;
    let tenant = TenantId::from_uuid(Uuid::from_bytes(*tenant));
    let ticket = app
        .vault
        .open(tenant, NAME, sealed)
        .map_err(|_| unknown())?;
    let ticket: Ticket = serde_json::from_str(ticket.expose_secret()).map_err(|_| unknown())?;
    let platform = app.store.platform_read().await?;
    let found = platform.tenants().find(tenant).await?.ok_or_else(unknown)?;
    if found.status == TenantStatus::Suspended {
        return Err(Error::new(ErrorCode::TenantSuspended));
    }
    if !ticket.by.may_see(&platform, tenant).await? {
        return Err(unknown());
    }
    if ticket.joined_at.is_some() {
        let joined_at = ticket.by.joined_at(&platform, tenant).await?;
        if joined_at != ticket.joined_at {
            return Err(unknown());
        }
    }
    drop(platform);
    let tx = app.store.read(TenantScope::of(tenant)).await?;
    if generation(&tx).await? != ticket.generation {
        return Err(unknown());
    }
    let name = name(&tx, ticket.of).await?;
    let mut filter = AppointmentFilter::default();
    match ticket.of {
        Feed::Branch(id) => filter.branch = Some(id),
        Feed::Staff(id) => filter.resource = Some(id.uuid()),
    }
    let now = tx.now();
    let today = Span {
        start: now,
        end: now,
    };
    let told = today.widened(24 * DAYS_BACK, 24 * DAYS_AHEAD);
    (filter.from, filter.to) = (Some(told.start), Some(told.end));
    let found = tx.appointments().agenda(&filter, MOST).await?;
    let events: Vec<FeedEvent> = found
        .iter()
        .filter_map(|appointment| {
            let status = match appointment.status_at(now) {
                AppointmentStatus::Held => FeedStatus::Tentative,
                AppointmentStatus::Cancelled => FeedStatus::Cancelled,
                AppointmentStatus::Expired => return None,
                _ => FeedStatus::Confirmed,
            };
            Some(event(appointment, status))
        })
        .collect();
    Ok(write(&name, now, &events))
}

async fn generation(tx: &TenantTx) -> Result<u32> {
    Ok(tx.settings().get(NAME).await?.unwrap_or_default())
}

async fn name(tx: &TenantTx, of: Feed) -> Result<String> {
    Ok(match of {
        Feed::Branch(id) => catalogue::load::<Branch>(tx, id.uuid()).await?.data.name,
        // Whoever no longer works there sees no customers any more.
        Feed::Staff(id) => {
            let staff = catalogue::load::<Staff>(tx, id.uuid()).await?.data;
            if !staff.active {
                return Err(Error::not_found("staff"));
            }
            staff.name
        }
    })
}

fn event(appointment: &Appointment, status: FeedStatus) -> FeedEvent {
    let customer = appointment.customer_name.as_deref();
    let with = [&appointment.staff_name, &appointment.table_name];
    let with = with.into_iter().flatten().map(String::as_str);
    let notes = appointment.notes.as_deref();
    let lines: Vec<&str> = with.chain(notes).collect();
    FeedEvent {
        uid: format!("{}@quipu", appointment.id),
        starts_at: appointment.starts_at,
        ends_at: appointment.ends_at,
        summary: match customer {
            Some(customer) => format!("{} · {customer}", appointment.service_name),
            None => appointment.service_name.clone(),
        },
        description: (!lines.is_empty()).then(|| lines.join("\n")),
        location: Some(appointment.branch_name.clone()),
        status,
        sequence: appointment.revision,
        updated_at: appointment.updated_at,
    }
}
