//! Typed identifiers. All of them are `UUIDv7`, so that sorting by id is sorting by creation and a
//! cursor needs nothing but the last id seen.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
        )]
        #[serde(transparent)]
        #[schema(value_type = Uuid)]
        pub struct $name(Uuid);

        impl $name {
            /// Makes a new id whose time part is `now`.
            #[must_use]
            pub fn generate(now: Timestamp) -> Self {
                Self(uuid_at(now))
            }

            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

ids! {
    /// A business that lives on the installation, sealed from the others.
    TenantId,
    /// A person who signs in. One person may belong to several tenants.
    UserId,
    SessionId,
    PasswordResetId,
    ApiKeyId,
    AgentId,
    KnowledgeBaseId,
    AssignmentId,
    DocumentId,
    ChunkId,
    JobId,
    AuditId,
    CreditId,
    RetrievalId,
    /// A place where a business receives people.
    BranchId,
    /// Somebody who attends customers, with or without an account.
    StaffId,
    TableId,
    /// Somebody who is or may become a customer.
    LeadId,
    ConversationId,
    MessageId,
    AttachmentId,
    AppointmentId,
    OrderId,
    RedemptionId,
    InvoiceRequestId,
    ToolCallId,
}

fn uuid_at(now: Timestamp) -> Uuid {
    let millis = now.as_millisecond().max(0);
    let seconds = u64::try_from(millis / 1000).unwrap_or(0);
    let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        let early = AgentId::generate(Timestamp::from_millisecond(1_700_000_000_000).unwrap());
        let late = AgentId::generate(Timestamp::from_millisecond(1_700_000_000_001).unwrap());
        assert!(early < late);
        assert_eq!(early.uuid().get_version_num(), 7);
    }
}
