//! `pdftotext`, where it is installed: a second opinion on files that our own reader does not read.

use crate::tool::{self, Tool};
use quipu_core::extraction::Failure;

pub(super) struct Read {
    /// The text of each page.
    pub(super) pages: Vec<String>,
}

/// The text of all pages, or of those from the first to the last number given.
///
/// # Errors
/// `Encrypted` when poppler is not let in, and `Damaged` when it cannot read the file or is not
/// installed: then nobody can.
pub(super) fn text(bytes: &[u8], pages: Option<(usize, usize)>) -> Result<Read, Failure> {
    let mut tool = Tool::new("pdftotext");
    tool.args(["-q", "-enc", "UTF-8"]);
    if let Some((first, last)) = pages {
        tool.args(["-f", &first.to_string(), "-l", &last.to_string()]);
    }
    tool.args(["-", "-"]);
    let output = match tool.run(bytes) {
        Ok(output) => output,
        Err(tool::Problem::Missing) => return Err(Failure::Damaged),
        Err(tool::Problem::Failed(failure)) => return Err(failure),
    };
    // The complaint is asked for again, because being quiet hides this one too.
    if !output.succeeded {
        return Err(if asks_for_password(bytes) {
            Failure::Encrypted
        } else {
            Failure::Damaged
        });
    }
    let text = String::from_utf8_lossy(&output.bytes);
    // A form feed ends every page.
    let mut pages: Vec<String> = text.split('\u{c}').map(str::to_owned).collect();
    pages.pop();
    Ok(Read { pages })
}

fn asks_for_password(bytes: &[u8]) -> bool {
    let mut tool = Tool::new("pdftotext");
    tool.args(["-l", "1", "-", "-"]);
    tool.run(bytes)
        .is_ok_and(|output| output.complaint.contains("password"))
}
