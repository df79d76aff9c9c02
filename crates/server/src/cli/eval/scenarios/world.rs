//! The product as it runs, on a clock that a scenario sets.

use crate::cli::own_product::OwnProduct;
use quipu_core::{Clock, Timestamp};
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// A clock that stands where it is put.
pub(super) struct SetClock(Mutex<Timestamp>);

impl SetClock {
    pub(super) fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct World {
    product: OwnProduct,
    pub(super) clock: Arc<SetClock>,
}

impl World {
    pub(super) async fn build(now: Timestamp, model_hosts: Vec<String>) -> anyhow::Result<Self> {
        let clock = Arc::new(SetClock(Mutex::new(now)));
        let product = OwnProduct::build("scenario", clock.clone(), model_hosts).await?;
        Ok(Self { product, clock })
    }

    pub(super) async fn end(self) -> anyhow::Result<()> {
        self.product.end().await
    }
}

impl Deref for World {
    type Target = OwnProduct;

    fn deref(&self) -> &OwnProduct {
        &self.product
    }
}
