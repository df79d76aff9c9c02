use anyhow::Context;
use clap::Args;
use futures::StreamExt;
use quipu_core::Error;
use quipu_core::extraction::{Extracted, Failure};
use quipu_core::format::{Format, Sniffer};
use quipu_core::language::Language;
use quipu_core::ports::{ByteStream, Extractor};
use quipu_extract::{ChildExtractor, ChildLimits, ChildTask, ExtractSettings, Work};
use serde_json::json;
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How much of the file is in memory at a time.
const PIECE: usize = 64 * 1024;

/// This very program, even when its file has been replaced by a newer one meanwhile.
const THIS_PROGRAM: &str = "/proc/self/exe";

#[derive(Args)]
pub(super) struct Extract {
    /// The file to read.
    file: PathBuf,
    /// Print the format, what the document says of itself, and its segments with page and headings.
    #[arg(long)]
    json: bool,
}

/// Prints the text of a file, read as the server would read it.
pub(super) async fn run(command: Extract) -> anyhow::Result<ExitCode> {
    let name = command.file.to_string_lossy().into_owned();
    let mut file =
        std::fs::File::open(&command.file).with_context(|| format!("{name} cannot be opened"))?;
    let Some(format) = sniff(&mut file, &name).with_context(|| format!("{name} cannot be read"))?
    else {
        return Ok(refused(Failure::Unsupported));
    };
    if file.metadata()?.len() > format.max_bytes() {
        return Ok(refused(Failure::TooLarge));
    }
    let extractor = ChildExtractor::new(PathBuf::from(THIS_PROGRAM), ExtractSettings::default());
    let extracted = extractor.extract(stream(file), format, &|_| {}).await?;
    match extracted {
        Ok(extracted) => {
            print(format, &extracted, command.json)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(failure) => Ok(refused(failure)),
    }
}

fn sniff(file: &mut std::fs::File, name: &str) -> std::io::Result<Option<Format>> {
    let mut sniffer = Sniffer::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            read => sniffer.see(&piece[..read]),
        }
    }
    file.rewind()?;
    Ok(sniffer.finish(name))
}

fn stream(file: std::fs::File) -> ByteStream {
    let file = tokio::fs::File::from_std(file);
    let pieces = tokio_util::io::ReaderStream::with_capacity(file, PIECE);
    pieces.map(|piece| piece.map_err(Error::internal)).boxed()
}

fn print(format: Format, extracted: &Extracted, as_json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if as_json {
        let value = json!({
            "format": format,
            "info": extracted.info,
            "segments": extracted.segments,
        });
        serde_json::to_writer(&mut out, &value)?;
    } else {
        out.write_all(extracted.text().as_bytes())?;
    }
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

fn refused(failure: Failure) -> ExitCode {
    let spanish = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .is_some_and(|value| value.starts_with("es"));
    let language = if spanish { Language::Es } else { Language::En };
    eprintln!("{}: {}", failure.code(), failure.message(language));
    ExitCode::from(failure.exit_code())
}

/// Reads one file in a process of its own, which the server starts for every document.
#[derive(Args)]
pub(super) struct ExtractChild {
    #[arg(long)]
    work: Work,
    #[arg(long)]
    memory_bytes: u64,
    #[arg(long)]
    cpu_seconds: u64,
    #[arg(long)]
    parent: u32,
}

impl ExtractChild {
    /// Must be called before the process has other threads.
    pub(super) fn run(&self) -> ExitCode {
        ExitCode::from(quipu_extract::run_child(ChildTask {
            work: self.work,
            limits: ChildLimits {
                memory_bytes: self.memory_bytes,
                cpu: Duration::from_secs(self.cpu_seconds),
            },
            parent: self.parent,
        }))
    }
}
