//! Reading what a document says: from a page of the web, from its file, or as somebody typed it.

use super::{Step, Stop, Walk};
use crate::documents;
use quipu_core::extraction::{Extracted, Failure, Segment};
use quipu_core::format::{Format, sniff};
use quipu_core::knowledge::Stage;
use quipu_core::ports::Fetched;
use quipu_core::{Error, ErrorCode};
use quipu_store::Originals;
use quipu_store::tenant::IngestItem;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

impl Walk<'_> {
    /// Reads the page and keeps it as the document's original. Returns the one before it.
    pub(super) async fn fetch(&self, item: &mut IngestItem) -> Step<Option<String>> {
        let url = item.source_url.clone().unwrap_or_default();
        self.report(item.id, Stage::Fetching, 1).await?;
        let page = match self.app.fetcher.fetch(&url).await {
            Ok(page) => page,
            Err(error) if error.transient && self.job.attempts < self.job.max_attempts.min(4) => {
                return Err(Error::new(ErrorCode::Internal).caused_by(error.why).into());
            }
            Err(error) => {
                tracing::info!(document.id = %item.id, why = %error.why, "a page was not read");
                return Err(error.failure.into());
            }
        };
        let format = page_format(&page)?;
        let version = if item.storage_path.is_some() {
            item.storage_version + 1
        } else {
            item.storage_version
        };
        let path = Originals::path(item.kb.id, item.id, version, &page.filename);
        let tx = self.begin().await?;
        documents::guard(self.app, &tx, &item.kb, item.id, &path).await?;
        tx.commit().await?;
        let mut writer = self.app.originals.writer(self.scope, &path).await?;
        let size = i64::try_from(page.body.len()).unwrap_or(i64::MAX);
        writer.write(page.body).await?;
        writer.finish().await?;

        let tx = self.begin().await?;
        let known = tx
            .ingest()
            .fetched(item.id, &path, &page.filename, format, size)
            .await?;
        if !known {
            return Err(Stop::Gone);
        }
        tx.jobs().withdraw(documents::SWEEP_UPLOAD, &path).await?;
        if let Some(before) = &item.storage_path {
            // Publishing removes it; should this run fail, the order does.
            documents::guard(self.app, &tx, &item.kb, item.id, before).await?;
        }
        tx.commit().await?;
        item.file_type = Some(format);
        item.filename = Some(page.filename);
        Ok(item.storage_path.replace(path))
    }

    pub(super) async fn parse(&self, item: &IngestItem) -> Step<Extracted> {
        if let Some(text) = &item.text {
            return Ok(plain(text));
        }
        self.report(item.id, Stage::Parsing, 5).await?;
        let path = item
            .storage_path
            .as_deref()
            .ok_or(Failure::OriginalMissing)?;
        let format = item.file_type.ok_or(Failure::Unsupported)?;
        let original = self.app.originals.read(self.scope, path).await?;
        let original = original.ok_or(Failure::OriginalMissing)?.bytes;

        // The extractor tells its progress between two awaits; it is written down beside it.
        let percent = AtomicU32::new(0);
        let tell = |part: f32| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            percent.store((part.clamp(0.0, 1.0) * 45.0) as u32, Ordering::Relaxed);
        };
        let extraction = self.app.extractor.extract(original, format, &tell);
        tokio::pin!(extraction);
        let mut told = 0;
        let mut beat = tokio::time::interval(Duration::from_secs(1));
        beat.tick().await;
        loop {
            tokio::select! {
                extracted = &mut extraction => return Ok(extracted??),
                _ = beat.tick() => {
                    let now = percent.load(Ordering::Relaxed);
                    if now > told {
                        told = now;
                        let shown = 5 + i32::try_from(now).unwrap_or(0);
                        self.report(item.id, Stage::Parsing, shown).await?;
                    }
                }
            }
        }
    }
}

/// What a page is, by its content.
///
/// # Errors
/// When it is nothing that is read, or too large for what it is.
pub(crate) fn page_format(page: &Fetched) -> std::result::Result<Format, Failure> {
    let html = page
        .content_type
        .as_deref()
        .is_some_and(|kind| kind.contains("html"));
    let format = match sniff(&page.body, &page.filename) {
        Some(Format::Txt) if html => Format::Html,
        Some(format) => format,
        None => return Err(Failure::UrlContentType),
    };
    if page.body.len() as u64 > format.max_bytes() {
        return Err(Failure::UrlTooLarge);
    }
    Ok(format)
}

/// A text that somebody typed is its own extraction.
fn plain(text: &str) -> Extracted {
    Extracted {
        segments: vec![Segment {
            text: text.to_owned(),
            ..Segment::default()
        }],
        ..Extracted::default()
    }
}
