//! The files that evaluations read: one entry on each line, as JSON.

use anyhow::{Context, bail};
use clap::ValueEnum;
use quipu_core::ports::MessageReader;
use quipu_core::reading::Reading;
use quipu_providers::BuiltinReader;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The parts of a file that taught the bundled models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DatasetPart {
    /// The bundled models learned from it: they look better there than they are.
    Train,
    /// For fitting and for looking at errors.
    Dev,
    /// For a look at the end.
    Test,
}

impl DatasetPart {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Dev => "dev",
            Self::Test => "test",
        }
    }
}

/// Which rows of the files are taken, and whether the bundled reader reads them first.
pub(super) struct ReadRows {
    split: Option<DatasetPart>,
    reader: Option<BuiltinReader>,
}

impl ReadRows {
    pub(super) fn new(split: Option<DatasetPart>, rules_alone: bool) -> Self {
        Self {
            split,
            reader: (!rules_alone).then(BuiltinReader::default),
        }
    }

    /// Leaves out the rows of other parts.
    ///
    /// # Errors
    /// When no row is left.
    pub(super) fn keep<T>(
        &self,
        rows: &mut Vec<T>,
        split: impl Fn(&T) -> Option<DatasetPart>,
    ) -> anyhow::Result<()> {
        rows.retain(|row| self.split.is_none() || split(row) == self.split);
        if rows.is_empty() {
            bail!("there is no message in that part");
        }
        Ok(())
    }

    /// What an agent would be told of a message that nothing came before.
    pub(super) async fn read(&self, message: &str) -> anyhow::Result<Option<Reading>> {
        match &self.reader {
            Some(reader) => Ok(Some(reader.read("", message).await?)),
            None => Ok(None),
        }
    }
}

/// The entries of a file; `flaw` says what is wrong with one that can be read and means nothing.
pub(super) fn read<T: DeserializeOwned>(
    file: &Path,
    flaw: impl Fn(&T) -> Option<&'static str>,
) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let entries: Vec<T> = lines
        .enumerate()
        .map(|(at, line)| {
            let entry: T = serde_json::from_str(line)
                .with_context(|| format!("{}: entry {} is wrong", file.display(), at + 1))?;
            if let Some(flaw) = flaw(&entry) {
                bail!("{}: entry {} {flaw}", file.display(), at + 1);
            }
            Ok(entry)
        })
        .collect::<anyhow::Result<_>>()?;
    if entries.is_empty() {
        bail!("{} is empty", file.display());
    }
    Ok(entries)
}
