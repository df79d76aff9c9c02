use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    quipu_heap::settle();
    quipu_server::cli::run(quipu_server::cli::Cli::parse())
}
