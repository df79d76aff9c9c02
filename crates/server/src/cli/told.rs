//! How a command tells what it measured.

use serde::Serialize;
use std::process::ExitCode;

/// As JSON for programs, or as `print` writes it for people.
pub(super) fn tell<R: Serialize>(
    report: &R,
    json: bool,
    print: impl FnOnce(&R),
) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        print(report);
    }
    Ok(())
}

/// What a script that called the command sees of it.
pub(super) fn verdict(passed: bool) -> ExitCode {
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
