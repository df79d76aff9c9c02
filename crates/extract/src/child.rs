//! What runs in the child: one file, one task, and then the end of the process.

use crate::collect::Collector;
use crate::embedded::Pictures;
use crate::limits::{self, ChildLimits};
use crate::pdf::PdfReader;
use crate::wire::{self, Message, Reading};
use crate::{ocr, office, outline, read, sandbox};
use quipu_core::extraction::Failure;
use quipu_core::format::Format;
use quipu_core::website::OutlineKind;
use rustix::process::{Signal, getpgrp, getpid, getppid, kill_current_process_group};
use std::ffi::OsString;
use std::fmt;
use std::io::{BufWriter, Read, Write};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The subcommand of our own binary that [`run`] stands behind.
pub const SUBCOMMAND: &str = "extract-child";

/// Recursion over a deep file ends at the depth limits of the readers, not at a small stack.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Little is called by whoever only watches, but the allocator makes itself at home on every thread.
const WATCHING_BYTES: usize = 512 * 1024;

const WATCH_EVERY: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Read the text of the whole file.
    Read(Format),
    /// Read a PDF with poppler, because our own reader broke on it.
    ReadWithPoppler,
    /// Recognise the text in the picture of one page of a PDF.
    RecognisePage(NonZeroU32),
    /// Recognise the text in a file that is a picture.
    RecognisePicture,
    /// Recognise the text in one of the pictures inside a document.
    RecogniseEmbedded(Format, usize),
    /// Read where a web page leads to, or what a sitemap lists.
    Outline(OutlineKind),
}

/// As it stands on the command line of a child.
impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(format) => write!(f, "read:{}", format.as_str()),
            Self::ReadWithPoppler => f.write_str("poppler"),
            Self::RecognisePage(page) => write!(f, "page:{page}"),
            Self::RecognisePicture => f.write_str("picture"),
            Self::RecogniseEmbedded(format, number) => {
                write!(f, "inside:{}:{number}", format.as_str())
            }
            Self::Outline(OutlineKind::Page) => f.write_str("links"),
            Self::Outline(OutlineKind::Sitemap) => f.write_str("sitemap"),
        }
    }
}

impl FromStr for Work {
    type Err = String;

    fn from_str(words: &str) -> Result<Self, String> {
        let work = match words.split_once(':') {
            Some(("read", format)) => Format::parse(format).map(Self::Read),
            Some(("page", page)) => page.parse().ok().map(Self::RecognisePage),
            Some(("inside", place)) => place.split_once(':').and_then(|(format, number)| {
                let format = Format::parse(format)?;
                Some(Self::RecogniseEmbedded(format, number.parse().ok()?))
            }),
            None if words == "poppler" => Some(Self::ReadWithPoppler),
            None if words == "picture" => Some(Self::RecognisePicture),
            None if words == "links" => Some(Self::Outline(OutlineKind::Page)),
            None if words == "sitemap" => Some(Self::Outline(OutlineKind::Sitemap)),
            _ => None,
        };
        work.ok_or_else(|| format!("there is no work {words}"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildTask {
    pub work: Work,
    pub limits: ChildLimits,
    /// The process that listens. The child does not outlive it.
    pub parent: u32,
}

impl ChildTask {
    /// The command line of a child with this task.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let arguments = [
            SUBCOMMAND.to_owned(),
            format!("--work={}", self.work),
            format!("--memory-bytes={}", self.limits.memory_bytes),
            format!("--cpu-seconds={}", self.limits.cpu.as_secs()),
            format!("--parent={}", self.parent),
        ];
        arguments.into_iter().map(OsString::from).collect()
    }
}

/// Reads the file on standard input, writes what it holds to standard output, and returns the
/// exit code of the process. Call it before anything else happens in the process.
#[must_use]
pub fn run(task: ChildTask) -> u8 {
    if let Err(reason) = limits::set(task.limits) {
        eprintln!("the limits could not be set: {reason}");
        return Failure::GaveUp.exit_code();
    }
    sandbox::enter();
    watch_parent(task.parent);
    // A thread of our own: only its stack can be given a size.
    let worker = std::thread::Builder::new()
        .name("extract".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || perform(task));
    let failure = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => return 0,
        Ok(Ok(Err(failure))) => failure,
        // The panic has said what it was on standard error.
        Ok(Err(_)) => Failure::Crashed,
        Err(error) => {
            eprintln!("no thread: {error}");
            Failure::OutOfMemory
        }
    };
    eprintln!("{failure}");
    failure.exit_code()
}

/// Ends this process and all that it started as soon as its parent is gone. The kernel could send
/// a signal instead, but only to this process, and already when the parent's thread is gone.
fn watch_parent(parent: u32) {
    let watch = std::thread::Builder::new()
        .name("watch".to_owned())
        .stack_size(WATCHING_BYTES);
    let watching = watch.spawn(move || {
        loop {
            let now = getppid().map(|id| id.as_raw_pid().unsigned_abs());
            if now != Some(parent) {
                // A child started by hand is not at the head of its group, and others in the
                // group are none of its business.
                if getpgrp() == getpid() {
                    let _ = kill_current_process_group(Signal::KILL);
                }
                std::process::exit(i32::from(Failure::GaveUp.exit_code()));
            }
            std::thread::sleep(WATCH_EVERY);
        }
    });
    if let Err(error) = watching {
        eprintln!("debug: nobody watches the parent: {error}");
    }
}

fn perform(task: ChildTask) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let reading = match task.work {
        Work::Read(format) => read_file(format, PdfReader::Own, &mut out)?,
        Work::ReadWithPoppler => read_file(Format::Pdf, PdfReader::Poppler, &mut out)?,
        Work::RecognisePage(page) => Reading {
            segments: ocr::recognise_page(page)?.into_iter().collect(),
            ..Reading::default()
        },
        Work::RecognisePicture => Reading {
            segments: vec![ocr::recognise_picture(&input()?)?],
            ..Reading::default()
        },
        Work::RecogniseEmbedded(format, number) => {
            let picture = office::picture(&input()?, format, number)?;
            Reading {
                segments: ocr::recognise_embedded(&picture)?.into_iter().collect(),
                ..Reading::default()
            }
        }
        Work::Outline(kind) => Reading {
            outline: outline::of(&input()?, kind)?,
            ..Reading::default()
        },
    };
    wire::write(&mut out, reading).map_err(|_| Failure::Crashed)
}

fn read_file(format: Format, reader: PdfReader, to: &mut impl Write) -> Result<Reading, Failure> {
    let out = Collector::with(Pictures::all());
    read(&input()?, format, reader, out, &mut |done| {
        // A parent that no longer listens ends the child soon enough.
        let _ = wire::line(to, &Message::Progress(done));
        let _ = to.flush();
    })
}

fn input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(Format::LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|_| Failure::Crashed)?;
    if bytes.len() as u64 > Format::LARGEST {
        return Err(Failure::TooLarge);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_work_is_understood_on_the_other_side() {
        let reading = Format::ALL.iter().copied().map(Work::Read);
        let others = [
            Work::ReadWithPoppler,
            Work::RecognisePage(NonZeroU32::MAX),
            Work::RecognisePicture,
            Work::RecogniseEmbedded(Format::Docx, 0),
            Work::RecogniseEmbedded(Format::Pptx, 49),
            Work::Outline(OutlineKind::Page),
            Work::Outline(OutlineKind::Sitemap),
        ];
        for work in reading.chain(others) {
            assert_eq!(work.to_string().parse(), Ok(work));
        }
        for words in [
            "",
            "read",
            "read:",
            "read:exe",
            "page:0",
            "page:-1",
            "picture:1",
            "inside:docx",
            "inside:exe:1",
            "inside:docx:-1",
        ] {
            assert!(words.parse::<Work>().is_err(), "{words}");
        }
    }
}
