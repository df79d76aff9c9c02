use clap::Parser;
// Only linked: it brings the memory allocator.
use quipu_heap as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    quipu_server::cli::run(quipu_server::cli::Cli::parse())
}
