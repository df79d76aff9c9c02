//! Slots as texts.

use quipu_core::{BranchId, Timestamp};
use std::fmt;
use uuid::Uuid;

/// What a slot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotId {
    pub(crate) start: Timestamp,
    pub(crate) branch: BranchId,
    /// The person, table or branch.
    pub(crate) resource: Uuid,
    pub(crate) service: Option<Uuid>,
}

/// A slot as a text that a model can hand back. It promises nothing: what it names is looked up
/// and checked like everything else that is asked for.
impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (branch, resource) = (self.branch.uuid().simple(), self.resource.simple());
        write!(f, "{}.{branch}.{resource}", self.start.as_second())?;
        match self.service {
            Some(service) => write!(f, ".{}", service.simple()),
            None => Ok(()),
        }
    }
}

impl SlotId {
    /// `None` when the text is no slot.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.');
        let start = Timestamp::from_second(parts.next()?.parse().ok()?).ok()?;
        let mut id = || parts.next().map(Uuid::try_parse);
        let read = Self {
            start,
            branch: id()?.ok()?.into(),
            resource: id()?.ok()?,
            service: id().transpose().ok()?,
        };
        parts.next().is_none().then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_ids_are_read_back_and_made_up_ones_are_not() {
        let start = Timestamp::from_second(1_800_000_000).unwrap();
        for service in [None, Some(Uuid::from_u128(7))] {
            let slot = SlotId {
                start,
                branch: BranchId::generate(start),
                resource: Uuid::from_u128(5),
                service,
            };
            assert_eq!(SlotId::read(&slot.to_string()), Some(slot));
            assert_eq!(SlotId::read(&format!("{slot}.more.and.more")), None);
        }
        for made_up in ["", "slot_1", "2026-11-20T10:00", "1.2.3", "1800000000.x.y"] {
            assert_eq!(SlotId::read(made_up), None, "{made_up}");
        }
    }
}
