//! The parent's side: which children run on a file, one after the other or side by side.

use crate::child::{ChildTask, Work};
use crate::embedded::{self, EmbeddedPicture, MOST_PICTURES};
use crate::limits::ChildLimits;
use crate::process::{self, Bounds};
use crate::spool::Spool;
use crate::wire::{Reading, ScannedPage};
use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use quipu_core::extraction::{Extracted, Failure, Segment};
use quipu_core::format::Format;
use quipu_core::ports::{ByteStream, Extractor};
use quipu_core::website::{OutlineKind, PageOutline};
use quipu_core::{Error, Result};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What the children of an extractor may use.
#[derive(Clone, Debug)]
pub struct ExtractSettings {
    /// Memory of one child.
    pub memory_bytes: u64,
    /// How long a file may be read, text recognition of further pages not counted.
    pub wall: Duration,
    /// Processor time of one child.
    pub cpu: Duration,
    /// What one child may say.
    pub output_bytes: usize,
    /// How many children may run at once, for all files together.
    pub at_once: usize,
    /// How many pages of one file are read by text recognition.
    pub ocr_max_pages: usize,
    /// Where a file lies while it is read. It has no name there.
    pub temp_dir: PathBuf,
}

impl Default for ExtractSettings {
    fn default() -> Self {
        Self {
            memory_bytes: 1024 * 1024 * 1024,
            wall: Duration::from_secs(50),
            cpu: Duration::from_mins(1),
            output_bytes: 32 * 1024 * 1024,
            at_once: std::thread::available_parallelism().map_or(2, usize::from),
            ocr_max_pages: 300,
            temp_dir: std::env::temp_dir(),
        }
    }
}

/// How long one page may be painted and recognised, or one picture recognised.
pub const PAGE_WALL: Duration = Duration::from_secs(40);
/// What the first page has even if all the time was used for reading.
const SHORTEST_PAGE_WALL: Duration = Duration::from_secs(8);
/// How long the pictures inside a document may be recognised, all together.
const PICTURES_WALL: Duration = Duration::from_mins(3);
/// Pages that may fail before the rest is not tried any more, and one more for so many good ones.
const MOST_BAD_PAGES: usize = 3;
const GOOD_PER_BAD_PAGE: usize = 10;
/// The share of the progress that is reading. Whether there are pages to recognise after it is
/// known only at its end.
const READING_SHARE: f32 = 0.5;

/// Reads files in children of a program that runs [`crate::run_child`] under [`crate::SUBCOMMAND`].
#[derive(Debug)]
pub struct ChildExtractor {
    program: PathBuf,
    settings: ExtractSettings,
    places: Semaphore,
}

impl ChildExtractor {
    #[must_use]
    pub fn new(program: PathBuf, settings: ExtractSettings) -> Self {
        let places = Semaphore::new(settings.at_once.max(1));
        Self {
            program,
            settings,
            places,
        }
    }

    async fn run(
        &self,
        file: &Spool,
        work: Work,
        wall: Duration,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<Ran> {
        // The time begins when there is a place.
        let _place = self.places.acquire().await.map_err(Error::internal)?;
        let task = ChildTask {
            work,
            limits: ChildLimits {
                memory_bytes: self.settings.memory_bytes,
                cpu: self.settings.cpu,
            },
            parent: std::process::id(),
        };
        let bounds = Bounds {
            wall,
            output_bytes: self.settings.output_bytes,
        };
        let began = Instant::now();
        let ended = process::run(&self.program, task, file, &bounds, progress).await?;
        Ok(Ran {
            ended,
            took: began.elapsed(),
        })
    }

    /// Reads the text of a file. A PDF gets a second reader when the first one breaks on it.
    async fn read(
        &self,
        file: &Spool,
        format: Format,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<Ran> {
        let wall = self.settings.wall;
        if format != Format::Pdf {
            return self.run(file, Work::Read(format), wall, progress).await;
        }
        let first = wall * 3 / 5;
        let read = self.run(file, Work::Read(format), first, progress).await?;
        let Err(broke @ (Failure::Crashed | Failure::TimedOut | Failure::OutOfMemory)) = read.ended
        else {
            return Ok(read);
        };
        let rest = wall.saturating_sub(first);
        let work = Work::ReadWithPoppler;
        let mut again = self.run(file, work, rest, progress).await?;
        again.took += read.took;
        // Where poppler is missing or does no better, the first failure says more.
        if let Err(Failure::Damaged | Failure::NoText) = again.ended {
            again.ended = Err(broke);
        }
        Ok(again)
    }

    async fn recognise_page(
        &self,
        file: &Spool,
        page: ScannedPage,
        wall: Duration,
    ) -> Result<Result<Reading, Failure>> {
        let work = Work::RecognisePage(page.page);
        let ran = self.run(file, work, wall, &|_| {}).await?;
        Ok(ran.ended.map(|mut reading| {
            // A child that recognises a page knows nothing of the bookmarks.
            for segment in &mut reading.segments {
                segment.headings.clone_from(&page.headings);
            }
            reading
        }))
    }

    /// Recognises the text of the pages that are pictures, several at a time.
    async fn recognise_pages(
        &self,
        file: &Spool,
        pages: &[ScannedPage],
        time_used: Duration,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<Recognised> {
        let mut recognised = Recognised::default();
        let Some((first, others)) = pages.split_first() else {
            return Ok(recognised);
        };
        // The first page goes alone, so that a file nobody can paint does not outlive its time.
        let wall = self.settings.wall.saturating_sub(time_used);
        let wall = wall.clamp(SHORTEST_PAGE_WALL, PAGE_WALL);
        recognised.add(self.recognise_page(file, first.clone(), wall).await?);
        let mut results = futures::stream::iter(others.to_vec())
            .map(|page| self.recognise_page(file, page, PAGE_WALL))
            .buffer_unordered(self.settings.at_once.max(1));
        let mut done = 1;
        while !recognised.is_hopeless() {
            progress(READING_SHARE + (1.0 - READING_SHARE) * ratio(done, pages.len()));
            let Some(result) = results.next().await else {
                break;
            };
            recognised.add(result?);
            done += 1;
        }
        Ok(recognised)
    }

    async fn recognise_inside(
        &self,
        file: &Spool,
        format: Format,
        picture: EmbeddedPicture,
        until: Instant,
    ) -> Result<(EmbeddedPicture, Ran)> {
        let left = until.saturating_duration_since(Instant::now());
        let work = Work::RecogniseEmbedded(format, picture.number);
        let ran = self.run(file, work, left.min(PAGE_WALL), &|_| {}).await?;
        Ok((picture, ran))
    }

    /// Recognises the text of the pictures inside a document, several at a time, as far as one comes
    /// in the time that all of them have.
    async fn recognise_pictures(
        &self,
        file: &Spool,
        format: Format,
        pictures: Vec<EmbeddedPicture>,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<PictureTexts> {
        let (count, until) = (pictures.len(), Instant::now() + PICTURES_WALL);
        let mut results = futures::stream::iter(pictures)
            .map(|picture| self.recognise_inside(file, format, picture, until))
            .buffer_unordered(self.settings.at_once.max(1));
        let mut texts = Vec::new();
        let mut recognised = Recognised::default();
        let mut done = 0;
        while !recognised.is_hopeless() && Instant::now() < until {
            let Some(result) = results.next().await else {
                break;
            };
            let (picture, ran) = result?;
            done += 1;
            progress(READING_SHARE + (1.0 - READING_SHARE) * ratio(done, count));
            let ended = ran.ended;
            if let Ok(reading) = &ended
                && let Some(segment) = reading.segments.first()
            {
                texts.push((picture, segment.text.clone()));
            }
            recognised.add(ended);
        }
        Ok((texts, recognised.failure))
    }
}

/// The texts of pictures, and why others have none.
type PictureTexts = (Vec<(EmbeddedPicture, String)>, Option<Failure>);

/// How one child ended, and how long it had lived.
struct Ran {
    ended: Result<Reading, Failure>,
    took: Duration,
}

#[derive(Debug, Default)]
struct Recognised {
    segments: Vec<Segment>,
    good: usize,
    bad: usize,
    failure: Option<Failure>,
}

impl Recognised {
    fn add(&mut self, page: Result<Reading, Failure>) {
        match page {
            Ok(reading) => {
                self.good += 1;
                self.segments.extend(reading.segments);
            }
            Err(failure) => {
                self.bad += 1;
                self.failure = Some(failure);
            }
        }
    }

    /// Puts the recognised pages in their places, each instead of the little its page had.
    fn merge(&mut self, mut segments: Vec<Segment>) -> Vec<Segment> {
        let found = std::mem::take(&mut self.segments);
        let length =
            |segment: &Segment| segment.text.chars().filter(|c| c.is_alphanumeric()).count();
        let longer = |segment: &Segment, than: &Segment| length(segment) > length(than);
        let mut kept = Vec::new();
        for page in found {
            let at = segments
                .iter()
                .position(|segment| segment.page == page.page);
            match at {
                Some(at) if longer(&page, &segments[at]) => segments[at] = page,
                Some(_) => {}
                None => kept.push(page),
            }
        }
        segments.append(&mut kept);
        segments.sort_by_key(|segment| segment.page);
        segments
    }

    /// Whether the pages that are left are not worth the time.
    fn is_hopeless(&self) -> bool {
        match self.failure {
            None => false,
            Some(Failure::OcrUnavailable) => true,
            Some(Failure::TimedOut | Failure::OutOfMemory) if self.good == 0 => true,
            Some(_) => self.bad >= MOST_BAD_PAGES + self.good / GOOD_PER_BAD_PAGE,
        }
    }
}

#[async_trait]
impl Extractor for ChildExtractor {
    async fn extract(
        &self,
        original: ByteStream,
        format: Format,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<Result<Extracted, Failure>> {
        let folder = &self.settings.temp_dir;
        let Some(file) = Spool::fill(original, folder, Format::LARGEST).await? else {
            return Ok(Err(Failure::TooLarge));
        };
        let reading = |done: f32| progress(READING_SHARE * done);
        let read = self.read(&file, format, &reading).await?;
        let reading = match read.ended {
            Ok(reading) => reading,
            Err(failure) => return Ok(Err(failure)),
        };
        let Reading {
            info,
            mut segments,
            scanned,
            mut pictures,
            outline: _,
        } = reading;
        if scanned.len() > self.settings.ocr_max_pages {
            return Ok(Err(Failure::TooLong));
        }
        let mut failure = None;
        if !scanned.is_empty() {
            let mut recognised = self
                .recognise_pages(&file, &scanned, read.took, progress)
                .await?;
            segments = recognised.merge(segments);
            let unread = scanned.len() - recognised.good;
            failure = recognised.failure.filter(|failure| match failure {
                // Whoever runs the server decided to do without.
                Failure::OcrUnavailable => segments.is_empty(),
                // A document of which the greater part is missing would pass for a short one.
                _ => unread > segments.len(),
            });
        }
        if let Some(failure) = failure {
            return Ok(Err(failure));
        }
        pictures.truncate(self.settings.ocr_max_pages.min(MOST_PICTURES));
        if !pictures.is_empty() {
            let (read, unread) = self
                .recognise_pictures(&file, format, pictures, progress)
                .await?;
            segments = embedded::merge(segments, read);
            // What is written beside a picture that nobody could read is worth having.
            failure = unread.filter(|_| segments.is_empty());
        }
        if segments.is_empty() {
            return Ok(Err(failure.unwrap_or(Failure::NoText)));
        }
        progress(1.0);
        Ok(Ok(Extracted { info, segments }))
    }

    async fn recognise(&self, picture: ByteStream) -> Result<Result<String, Failure>> {
        let folder = &self.settings.temp_dir;
        let Some(file) = Spool::fill(picture, folder, Format::LARGEST).await? else {
            return Ok(Err(Failure::TooLarge));
        };
        let wall = self.settings.wall.min(PAGE_WALL);
        let work = Work::RecognisePicture;
        let ran = self.run(&file, work, wall, &|_| {}).await?;
        Ok(ran.ended.and_then(|reading| {
            let text = reading.segments.into_iter().next();
            text.map(|segment| segment.text).ok_or(Failure::NoText)
        }))
    }

    async fn outline(
        &self,
        file: Bytes,
        kind: OutlineKind,
    ) -> Result<Result<PageOutline, Failure>> {
        let folder = &self.settings.temp_dir;
        let whole = futures::stream::once(async { Ok(file) }).boxed();
        let Some(file) = Spool::fill(whole, folder, Format::LARGEST).await? else {
            return Ok(Err(Failure::TooLarge));
        };
        let work = Work::Outline(kind);
        let ran = self.run(&file, work, self.settings.wall, &|_| {}).await?;
        Ok(ran.ended.map(|reading| reading.outline))
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "it is shown to people, in percent"
)]
fn ratio(done: usize, of: usize) -> f32 {
    done as f32 / of.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(page: u32, text: &str) -> Segment {
        Segment {
            text: text.to_owned(),
            page: Some(page),
            ..Segment::default()
        }
    }

    #[test]
    fn a_recognised_page_stands_in_its_place_instead_of_its_stamp() {
        let mut recognised = Recognised {
            segments: vec![
                segment(4, "cuatro"),
                segment(2, "dos y más"),
                segment(3, "x"),
            ],
            ..Recognised::default()
        };
        let read = vec![segment(1, "uno"), segment(2, "sello"), segment(3, "tres")];
        assert_eq!(
            recognised.merge(read),
            [
                segment(1, "uno"),
                segment(2, "dos y más"),
                segment(3, "tres"),
                segment(4, "cuatro")
            ]
        );
    }

    #[test]
    fn pages_are_given_up_when_the_rest_will_not_do_better() {
        let with = |failures: &[Failure], good: usize| {
            let mut recognised = Recognised::default();
            for _ in 0..good {
                recognised.add(Ok(Reading::default()));
            }
            for failure in failures {
                recognised.add(Err(*failure));
            }
            recognised.is_hopeless()
        };
        assert!(with(&[Failure::OcrUnavailable], 9));
        assert!(with(&[Failure::TimedOut], 0));
        assert!(!with(&[Failure::TimedOut], 1));
        assert!(!with(&[Failure::Damaged], 0));
        assert!(with(&[Failure::Damaged; 3], 9));
        assert!(!with(&[Failure::Damaged; 3], 10));
        assert!(!with(&[], 0));
    }
}
