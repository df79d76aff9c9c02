//! Calling tools on behalf of one turn.

use crate::desk::Desk;
use crate::tool::{self, ToolsOff};
use quipu_core::{Error, ErrorCode, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

pub(super) struct Office<'a> {
    pub(super) desk: &'a dyn Desk,
    /// What the agent goes without.
    off: ToolsOff,
    key: &'a str,
    /// How often each tool that changes something was called.
    changes: Mutex<BTreeMap<&'static str, usize>>,
}

impl<'a> Office<'a> {
    pub(super) fn new(desk: &'a dyn Desk, off: ToolsOff, key: &'a str) -> Self {
        Self {
            desk,
            off,
            key,
            changes: Mutex::default(),
        }
    }

    /// Calls a tool. Each call of a turn has a key of its own, and the same one when the turn is
    /// played again, even if another tool has nothing left to do then.
    pub(super) async fn call(&self, name: &str, arguments: Value) -> Result<Value> {
        let tool = tool::find(name).ok_or_else(|| Error::new(ErrorCode::UnknownTool))?;
        if self.off.has(name) {
            return Err(Error::new(ErrorCode::ToolDisabled));
        }
        let key = match tool.access {
            tool::Access::Read => self.key.to_owned(),
            tool::Access::Write => {
                let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
                let number = changes.entry(tool.name).or_default();
                *number += 1;
                format!("{}:{name}:{number}", self.key)
            }
        };
        self.desk.call(tool, &arguments, &key).await
    }
}
