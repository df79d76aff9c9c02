//! Everything of a tenant in one archive, to take away: a `tar.gz` with a file of JSON lines for each
//! table and the files that people sent.
//!
//! It is put together while it is sent, a few rows and a piece of a file at a time, each read in a
//! transaction of its own. What changes meanwhile is in it as it was when its turn came.

mod tar;

use crate::{Actor, App, auth};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::StreamExt;
use quipu_core::access::Permission;
use quipu_core::page::{MAX_LIMIT, PageRequest};
use quipu_core::ports::ByteStream;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::tenant::{ExportTable, ExportedFile};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use tokio::sync::mpsc;

/// What somebody must be allowed to read one by one to take all of it at once.
const NEEDED: [Permission; 9] = [
    Permission::TenantWrite,
    Permission::AgentsRead,
    Permission::KnowledgeRead,
    Permission::BusinessRead,
    Permission::CustomersRead,
    Permission::MembersRead,
    Permission::UsageRead,
    Permission::JobsRead,
    Permission::AuditRead,
];
/// A table that is larger has further files.
const PART_BYTES: usize = 4 * 1024 * 1024;
/// How much is compressed before it is sent.
const PIECE_BYTES: usize = 64 * 1024;
/// How many pieces wait for somebody with a slow line.
const PIECES_AHEAD: usize = 4;

/// Begins an archive. It goes on for as long as somebody reads it.
///
/// # Errors
/// `FORBIDDEN` without the permission to read any of it.
pub async fn begin(app: Arc<App>, actor: Actor) -> Result<ByteStream> {
    for permission in NEEDED {
        actor.require(permission)?;
    }
    let tx = app.store.begin(actor.scope()).await?;
    let target = format!("tenant:{}", actor.tenant_id());
    actor.audit(&tx, "tenant.export", target, json!({})).await?;
    tx.commit().await?;
    let (sender, receiver) = mpsc::channel(PIECES_AHEAD);
    tokio::spawn(async move {
        let tenant = actor.tenant_id();
        let mut archive = Archive::new(sender.clone());
        match Box::pin(write_all(&app, &actor, &mut archive)).await {
            Ok(()) => tracing::info!(tenant.id = %tenant, "tenant {tenant} was exported"),
            // Whoever reads must not take a part of it for all.
            Err(Stopped::Failed(error)) => {
                tracing::warn!(tenant.id = %tenant, %error, "the export of tenant {tenant} broke off");
                let _ = sender.send(Err(error)).await;
            }
            Err(Stopped::NobodyReads) => {}
        }
    });
    Ok(futures::stream::unfold(receiver, |mut receiver| async {
        let piece = receiver.recv().await?;
        Some((piece, receiver))
    })
    .boxed())
}

/// Why an archive ends early.
enum Stopped {
    Failed(Error),
    NobodyReads,
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

async fn write_all(app: &App, actor: &Actor, archive: &mut Archive) -> Result<(), Stopped> {
    let about = about(app, actor);
    archive.file("export.json", &about).await?;
    archive
        .file("members.jsonl", &members(app, actor).await?)
        .await?;
    for table in ExportTable::ALL {
        write_table(app, actor, archive, *table).await?;
    }
    write_files(app, actor, archive).await?;
    archive.finish().await
}

/// What the archive is, for whoever finds it in years.
fn about(app: &App, actor: &Actor) -> Vec<u8> {
    let tables = ExportTable::ALL.iter().map(|table| table.name());
    let about = json!({
        "tenant": actor.tenant(),
        "made_at": app.now(),
        "made_by": actor.name(),
        "format": "Each file .jsonl has one row a line. Large tables go on in files with a number. \
                   Files that people sent are below files/, in a folder named after their document \
                   or attachment.",
        "tables": tables.collect::<Vec<_>>(),
        "left_out": {
            "api_keys, secrets": "keys open doors, and are made anew where they are needed",
            "personal knowledge and private turns of others": "they belong to the person",
            "chunks, vectors, indexes, prompts": "they are made from what is here",
            "jobs, live events, idempotency records": "they are work under way",
        },
    });
    format!("{about:#}\n").into_bytes()
}

async fn members(app: &App, actor: &Actor) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    let mut page = PageRequest::parse(Some(MAX_LIMIT), None)?;
    loop {
        let tx = app.store.read(actor.scope()).await?;
        let listed = tx.members().list(page).await?;
        for member in &listed.data {
            line(
                &mut lines,
                &serde_json::to_value(member).map_err(Error::internal)?,
            );
        }
        let Some(cursor) = listed.next_cursor else {
            return Ok(lines);
        };
        page = PageRequest::parse(Some(MAX_LIMIT), Some(&cursor))?;
    }
}

async fn write_table(
    app: &App,
    actor: &Actor,
    archive: &mut Archive,
    table: ExportTable,
) -> Result<(), Stopped> {
    let name = table.name();
    let mut part = Vec::new();
    let mut parts = 0;
    let mut after = None;
    loop {
        check(app, actor).await?;
        let tx = app.store.read(actor.scope()).await?;
        let found = tx.export().rows(table, after.as_ref()).await?;
        drop(tx);
        for row in &found.rows {
            line(&mut part, row);
        }
        after = found.next;
        if after.is_some() && part.len() < PART_BYTES {
            continue;
        }
        parts += 1;
        let file = match parts {
            1 => format!("{name}.jsonl"),
            more => format!("{name}-{more}.jsonl"),
        };
        archive.file(&file, &part).await?;
        part.clear();
        if after.is_none() {
            return Ok(());
        }
    }
}

async fn write_files(app: &App, actor: &Actor, archive: &mut Archive) -> Result<(), Stopped> {
    let mut after: Option<ExportedFile> = None;
    loop {
        let tx = app.store.read(actor.scope()).await?;
        let files = tx.export().files(after.take()).await?;
        drop(tx);
        let Some(last) = files.last() else {
            return Ok(());
        };
        after = Some(last.clone());
        for file in files {
            check(app, actor).await?;
            // One that was deleted since the list was read is not missed.
            let Some(stored) = app.originals.read(actor.scope(), &file.path).await? else {
                continue;
            };
            let folder = if file.of_document {
                "documents"
            } else {
                "attachments"
            };
            let folder = format!("files/{folder}/{}", file.id);
            archive
                .begin(&folder, &tar::plain(&file.filename), stored.size)
                .await?;
            let mut left = stored.size;
            let mut bytes = stored.bytes;
            while let Some(piece) = bytes.next().await {
                let piece = piece?;
                left = left.checked_sub(piece.len() as u64).ok_or_else(changed)?;
                archive.write(&piece).await?;
            }
            if left > 0 {
                return Err(changed().into());
            }
            archive.pad(stored.size).await?;
        }
    }
}

/// Whoever reads slowly gets nothing of what they may no longer see.
async fn check(app: &App, actor: &Actor) -> Result<()> {
    if auth::may_still(app, actor, &NEEDED).await? {
        return Ok(());
    }
    Err(Error::new(ErrorCode::Forbidden))
}

fn changed() -> Error {
    Error::internal("a file changed its size while it was exported")
}

fn line(lines: &mut Vec<u8>, row: &Value) {
    lines.extend_from_slice(row.to_string().as_bytes());
    lines.push(b'\n');
}

/// An archive on its way to whoever reads it.
struct Archive {
    /// `None` once it is finished.
    gzip: Option<GzEncoder<Vec<u8>>>,
    sender: mpsc::Sender<Result<Bytes>>,
}

impl Archive {
    fn new(sender: mpsc::Sender<Result<Bytes>>) -> Self {
        Self {
            gzip: Some(GzEncoder::new(Vec::new(), Compression::fast())),
            sender,
        }
    }

    async fn file(&mut self, name: &str, content: &[u8]) -> Result<(), Stopped> {
        let size = content.len() as u64;
        self.begin("", name, size).await?;
        for piece in content.chunks(PIECE_BYTES) {
            self.write(piece).await?;
        }
        self.pad(size).await
    }

    async fn begin(&mut self, folder: &str, name: &str, size: u64) -> Result<(), Stopped> {
        let header = tar::header(folder, name, size);
        self.write(&header).await
    }

    async fn pad(&mut self, size: u64) -> Result<(), Stopped> {
        self.write(tar::padding(size)).await
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        let Some(gzip) = &mut self.gzip else {
            return Ok(());
        };
        gzip.write_all(bytes).map_err(Error::internal)?;
        let ready = gzip.get_mut();
        if ready.len() < PIECE_BYTES {
            return Ok(());
        }
        let piece = std::mem::take(ready);
        self.send(piece).await
    }

    async fn finish(&mut self) -> Result<(), Stopped> {
        self.write(&tar::END).await?;
        let Some(gzip) = self.gzip.take() else {
            return Ok(());
        };
        let rest = gzip.finish().map_err(Error::internal)?;
        self.send(rest).await
    }

    async fn send(&self, piece: Vec<u8>) -> Result<(), Stopped> {
        let sent = self.sender.send(Ok(Bytes::from(piece))).await;
        sent.map_err(|_| Stopped::NobodyReads)
    }
}
