//! What an agent writes, in the marks of each channel and in bubbles that each channel takes.
//!
//! Agents write light Markdown. It is read once, into lines of runs, and written for each channel from
//! there.

mod block;
mod choice;
mod grapheme;
mod held;
mod inline;
mod mark;
mod split;
mod spoken;
#[cfg(test)]
mod tests;
mod token;

pub use choice::{chosen, numbered};
pub use split::{SplitText, split};

use block::{Line, LineKind};
use quipu_core::lead::Channel;

/// The text as the channel shows it best.
///
/// `WhatsApp` has marks of its own. Messenger, Instagram and `TikTok` have none. What is spoken has no
/// marks, no emojis and no addresses. The web shows Markdown itself.
#[must_use]
pub fn for_channel(text: &str, channel: Channel) -> String {
    match channel {
        Channel::Web => text.to_owned(),
        Channel::Whatsapp => joined(block::lines(text).iter().map(mark::line)),
        Channel::Messenger | Channel::Instagram | Channel::Tiktok => {
            let lines = block::lines(text);
            let lines = lines.iter().filter(|line| line.kind != LineKind::Fence);
            joined(lines.map(plain))
        }
        Channel::Voice => spoken::text(&block::lines(text)),
    }
}

/// The lines below each other, with one empty one at most between two.
fn joined(lines: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut gap = false;
    for line in lines {
        if line.trim().is_empty() {
            gap = !text.is_empty();
            continue;
        }
        if !text.is_empty() {
            text.push_str(if gap { "\n\n" } else { "\n" });
        }
        text.push_str(line.trim_end());
        gap = false;
    }
    text
}

fn plain(line: &Line) -> String {
    let words: String = line.runs.iter().map(|run| run.text.as_str()).collect();
    format!("{}{words}", line.lead)
}
