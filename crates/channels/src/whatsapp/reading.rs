//! What has been read of a delivery so far.

use super::fields::Reason;
use crate::inbound::{ChannelEvent, Delivery};
use serde_json::Value;

/// Meta delivers up to 1,000 updates at once.
const MOST_ITEMS: usize = 1_000;

#[derive(Default)]
pub(super) struct Reading {
    delivery: Delivery,
    left_out: usize,
}

impl Reading {
    pub(super) fn add(&mut self, event: ChannelEvent) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.delivery.events.push(event);
        }
    }

    pub(super) fn other(&mut self, kind: impl Into<String>) {
        self.add(ChannelEvent::Other { kind: kind.into() });
    }

    pub(super) fn refuse(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.delivery.refuse(path, reason);
        }
    }

    /// Reads every item of a list, each by itself, so that a bad one takes none with it.
    pub(super) fn each(
        &mut self,
        value: &Value,
        list: &str,
        path: &str,
        read: impl Fn(&Value) -> Result<ChannelEvent, Reason>,
    ) {
        match value.get(list) {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    match read(item) {
                        Ok(event) => self.add(event),
                        Err(reason) => self.refuse(format!("{path}.{list}[{index}]"), reason),
                    }
                }
            }
            Some(_) => self.refuse(format!("{path}.{list}"), "it is not a list"),
        }
    }

    /// How much has been read or refused.
    pub(super) const fn len(&self) -> usize {
        self.delivery.events.len() + self.delivery.refused.len() + self.left_out
    }

    pub(super) fn finish(self) -> Delivery {
        let mut delivery = self.delivery;
        if self.left_out > 0 {
            let reason = format!("{} more than {MOST_ITEMS} were left out", self.left_out);
            delivery.refuse("entry", reason);
        }
        delivery
    }

    const fn is_full(&self) -> bool {
        self.delivery.events.len() + self.delivery.refused.len() >= MOST_ITEMS
    }
}
