//! What the platform itself does, before or beside any tenant.

mod channel_doors;
mod credentials;
mod live_events;
mod password_resets;
mod plans;
mod queue;
mod receipts;
mod sessions;
mod sign_in_failures;
mod tenants;
mod upkeep;
mod users;

pub use channel_doors::ChannelDoors;
pub use credentials::{Credentials, KeyHolder};
pub use live_events::LiveEvents;
pub use password_resets::PasswordResets;
pub use plans::Plans;
pub(crate) use plans::into_plan;
pub use queue::{BesideKinds, LeaseState, Queue, QueueDepth};
pub use receipts::Receipts;
pub use sessions::{NewSession, SessionHolder, Sessions};
pub use sign_in_failures::{SignInFailures, SignInState};
pub(crate) use tenants::into_tenant;
pub use tenants::{NewTenant, PlatformTenantChange, Tenants};
pub use upkeep::Upkeep;
pub use users::{NewUser, Users};

use crate::PlatformTx;

macro_rules! repositories {
    ($($method:ident: $name:ident),+ $(,)?) => {
        impl PlatformTx {
            $(#[must_use]
            pub fn $method(&self) -> $name<'_> {
                $name(self)
            })+
        }
    };
}

repositories! {
    channel_doors: ChannelDoors,
    credentials: Credentials,
    live_events: LiveEvents,
    password_resets: PasswordResets,
    plans: Plans,
    queue: Queue,
    receipts: Receipts,
    sessions: Sessions,
    sign_in_failures: SignInFailures,
    tenants: Tenants,
    upkeep: Upkeep,
    users: Users,
}
