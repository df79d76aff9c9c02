//! Whether recorded deliveries of channels are read: each file becomes events, or is refused with a reason.

use crate::cli::told;
use anyhow::{Context, bail};
use quipu_channels::voice::{self, VoiceMessage};
use quipu_channels::{ChannelEvent, Delivery, pages, tiktok, whatsapp};
use quipu_core::lead::Channel;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folders that are read, each with what its files are from.
const FOLDERS: [(&str, Channel); 5] = [
    ("whatsapp", Channel::Whatsapp),
    ("messenger", Channel::Messenger),
    ("instagram", Channel::Instagram),
    ("tiktok", Channel::Tiktok),
    ("vapi", Channel::Voice),
];
const ENDINGS: [&str; 2] = ["json", "jsonc"];
/// How deep folders may lie in each other.
const DEEPEST: usize = 16;

/// What became of a file.
#[derive(Serialize)]
struct ReadFile {
    path: String,
    /// The kinds of what was read, in order.
    events: Vec<String>,
    /// What could not be read, each with where it stands and why.
    refused: Vec<String>,
    /// Why nothing is known of it: it could not be opened, or the reader ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    passed: bool,
    /// Files of which everything was read.
    read: usize,
    /// Files of which something was refused.
    refused: usize,
    /// Files of which nothing is known.
    failed: usize,
    /// How often each kind was read.
    kinds: BTreeMap<String, usize>,
    files: Vec<ReadFile>,
}

pub(super) fn run(folder: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let report = evaluate(folder)?;
    told::tell(&report, json, print)?;
    Ok(told::verdict(report.passed))
}

fn evaluate(folder: &Path) -> anyhow::Result<Report> {
    std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = Vec::new();
    for (name, channel) in FOLDERS {
        let below = folder.join(name);
        if !below.is_dir() {
            continue;
        }
        let mut found = FoundFiles::default();
        found.look_into(&below, DEEPEST);
        files.extend(found.closed.into_iter().map(|(path, why)| ReadFile {
            path: shown(folder, &path),
            events: Vec::new(),
            refused: Vec::new(),
            failure: Some(why),
        }));
        found.files.sort();
        let read = found.files.iter().map(|path| {
            let shown = shown(folder, path);
            read_file(channel, path, shown)
        });
        files.extend(read);
    }
    if files.is_empty() {
        let names = FOLDERS.map(|(name, _)| name).join(", ");
        bail!(
            "{} has no deliveries: there are to be .json files in folders called {names}",
            folder.display()
        );
    }
    Ok(sum(files))
}

/// Files that are to be read, and what could not be looked into.
#[derive(Default)]
struct FoundFiles {
    files: Vec<PathBuf>,
    closed: Vec<(PathBuf, String)>,
}

impl FoundFiles {
    fn look_into(&mut self, folder: &Path, deeper: usize) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) if deeper > 0 => entries,
            Ok(_) => return self.close(folder, "it lies too deep".to_owned()),
            Err(error) => return self.close(folder, error.to_string()),
        };
        for entry in entries {
            let path = match entry {
                Ok(entry) => entry.path(),
                Err(error) => {
                    self.close(folder, error.to_string());
                    continue;
                }
            };
            if path.is_dir() {
                self.look_into(&path, deeper - 1);
            } else if has_ending(&path) {
                self.files.push(path);
            }
        }
    }

    fn close(&mut self, path: &Path, why: String) {
        self.closed.push((path.to_owned(), why));
    }
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one)))
}

fn shown(folder: &Path, path: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.display().to_string()
}

fn read_file(channel: Channel, path: &Path, shown: String) -> ReadFile {
    let body = match std::fs::read(path) {
        Ok(body) => body,
        Err(error) => return ReadFile::failed(shown, format!("it cannot be opened: {error}")),
    };
    match catch_unwind(AssertUnwindSafe(|| read_body(channel, &body))) {
        Ok((events, refused)) => ReadFile {
            path: shown,
            events,
            refused,
            failure: None,
        },
        Err(_) => ReadFile::failed(shown, "its reader panicked".to_owned()),
    }
}

impl ReadFile {
    fn failed(path: String, why: String) -> Self {
        Self {
            path,
            events: Vec::new(),
            refused: Vec::new(),
            failure: Some(why),
        }
    }
}

/// The kinds of what stands in a body, and what of it cannot be read.
fn read_body(channel: Channel, body: &[u8]) -> (Vec<String>, Vec<String>) {
    let delivery = match channel {
        Channel::Voice => {
            return match voice::parse(body) {
                Ok(message) => (vec![voice_kind(&message)], Vec::new()),
                Err(refused) => (
                    Vec::new(),
                    vec![format!("{}: {}", refused.path, refused.reason)],
                ),
            };
        }
        Channel::Messenger | Channel::Instagram => read_pages(channel, body),
        Channel::Tiktok => tiktok::parse(body),
        _ => whatsapp::parse(body),
    };
    let events = delivery.events.iter().map(ChannelEvent::kind);
    let refused = delivery.refused.iter();
    let refused = refused.map(|item| format!("{}: {}", item.path, item.reason));
    (events.collect(), refused.collect())
}

/// A whole body, or a single item of one: that is how items are recorded.
fn read_pages(channel: Channel, body: &[u8]) -> Delivery {
    match serde_json::from_slice::<Value>(body) {
        Ok(item) if item.is_object() && item.get("entry").is_none() => {
            let mut delivery = Delivery::default();
            pages::parse_item(channel, &item, "item", &mut delivery);
            delivery
        }
        _ => pages::parse(channel, body),
    }
}

/// The name of the kind of something that Vapi says.
fn voice_kind(message: &VoiceMessage) -> String {
    let kind = match message {
        VoiceMessage::AssistantRequest { .. } => "assistant_request",
        VoiceMessage::ToolCalls { .. } => "tool_calls",
        VoiceMessage::TransferRequest { .. } => "transfer_request",
        VoiceMessage::KnowledgeRequest { .. } => "knowledge_request",
        VoiceMessage::ConversationUpdate { .. } => "conversation_update",
        VoiceMessage::StatusUpdate { .. } => "status_update",
        VoiceMessage::EndOfCall(_) => "end_of_call",
        VoiceMessage::Transcript { .. } => "transcript",
        VoiceMessage::Other { kind } => return format!("voice.other.{kind}"),
    };
    format!("voice.{kind}")
}

fn sum(files: Vec<ReadFile>) -> Report {
    let (mut read, mut refused, mut failed) = (0, 0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        if file.failure.is_some() {
            failed += 1;
        } else if file.refused.is_empty() {
            read += 1;
        } else {
            refused += 1;
        }
        for kind in &file.events {
            *kinds.entry(kind.clone()).or_default() += 1;
        }
    }
    Report {
        version: env!("CARGO_PKG_VERSION"),
        passed: failed == 0,
        read,
        refused,
        failed,
        kinds,
        files,
    }
}

fn print(report: &Report) {
    let widest = report.files.iter().map(|file| file.path.chars().count());
    let width = widest.max().unwrap_or(0);
    println!("{:<width$}  read", "file");
    for file in &report.files {
        println!("{:<width$}  {}", file.path, outcome(file));
    }
    println!();
    for (kind, times) in &report.kinds {
        println!("{times:>5}  {kind}");
    }
    println!(
        "\n{} files: {} read, {} refused, {} failed",
        report.files.len(),
        report.read,
        report.refused,
        report.failed
    );
    println!("{}", if report.passed { "passed" } else { "FAILED" });
}

fn outcome(file: &ReadFile) -> String {
    if let Some(failure) = &file.failure {
        return format!("FAILED: {failure}");
    }
    let mut parts = Vec::new();
    if !file.events.is_empty() {
        parts.push(file.events.join(", "));
    }
    if !file.refused.is_empty() {
        parts.push(format!("refused: {}", file.refused.join("; ")));
    }
    if parts.is_empty() {
        return "nothing".to_owned();
    }
    parts.join("; ")
}
