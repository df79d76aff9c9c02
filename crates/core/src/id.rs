//! Typed identifiers. All of them are `UUIDv7`, so that sorting by id is sorting by creation and a
//! cursor needs nothing but the last id seen.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// One question to an agent and its answer.
    TurnId,
    /// Something a person answered that an agent may learn.
    LearnedAnswerId,
    /// A number, page or account of a business at a channel.
    ConnectionId,
    /// Somebody who writes to a connection.
    ContactId,
    InboundId,
    OutboundId,
    /// A telephone call.
    VoiceCallId,
    /// An address of a business that is told what happens.
    EventEndpointId,
    EventDeliveryId,
    /// Something that happened, whoever is told of it.
    EventId,
    SessionId,
    PasswordResetId,
    ApiKeyId,
    AgentId,
    /// One state of a draft: every change makes another.
    DraftRevisionId,
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
    /// A conversation that a business wrote to try its agents with.
    RehearsalScriptId,
    /// Conversations that were played again with an agent, without effects.
    RehearsalRunId,
    /// One answer of such a rehearsal.
    RehearsalResultId,
    WebsiteId,
    WebsitePageId,
}

/// What one process makes within a millisecond sorts in the order it was made in, too: a question
/// and its answer are written in one transaction, at one instant. Of the 74 bits that are otherwise
/// random the first 42 count; the rest stay random.
fn uuid_at(now: Timestamp) -> Uuid {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let millis = now.as_millisecond().max(0);
    let seconds = u64::try_from(millis / 1000).unwrap_or(0);
    let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
    let random = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos));
    let count = u128::from(MADE.fetch_add(1, Ordering::Relaxed) & ((1 << 42) - 1));
    // Twelve bits stand before the variant's two, and thirty behind them.
    let mask = (0xFFF << 64) | (0x3FFF_FFFF << 32);
    let counted = ((count >> 30) << 64) | ((count & 0x3FFF_FFFF) << 32);
    Uuid::from_u128((random.as_u128() & !mask) | counted)
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

    #[test]
    fn ids_of_one_instant_sort_in_the_order_they_were_made_in() {
        let now = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        let made: Vec<_> = (0..10_000).map(|_| AgentId::generate(now)).collect();
        assert!(made.windows(2).all(|two| two[0] < two[1]));
        for id in made {
            assert_eq!(id.uuid().get_version_num(), 7);
            assert_eq!(id.uuid().get_variant(), uuid::Variant::RFC4122);
            let (seconds, nanos) = id.uuid().get_timestamp().unwrap().to_unix();
            assert_eq!((seconds, nanos), (1_700_000_000, 0));
        }
    }
}
