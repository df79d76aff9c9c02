//! Calling tools on behalf of one turn.

use crate::desk::Desk;
use crate::tool;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) struct Office<'a> {
    pub(super) desk: &'a dyn Desk,
    key: &'a str,
    changes: AtomicUsize,
}

impl<'a> Office<'a> {
    pub(super) fn new(desk: &'a dyn Desk, key: &'a str) -> Self {
        Self {
            desk,
            key,
            changes: AtomicUsize::new(0),
        }
    }

    /// Calls a tool. Each call of a turn has a key of its own, and the same one when the turn is
    /// played again.
    pub(super) async fn call(&self, name: &str, arguments: Value) -> Result<Value> {
        let tool = tool::find(name).ok_or_else(|| Error::new(ErrorCode::UnknownTool))?;
        let key = match tool.access {
            tool::Access::Read => self.key.to_owned(),
            tool::Access::Write => {
                let number = self.changes.fetch_add(1, Ordering::Relaxed);
                format!("{}:{name}:{number}", self.key)
            }
        };
        self.desk.call(tool, &arguments, &key).await
    }
}
