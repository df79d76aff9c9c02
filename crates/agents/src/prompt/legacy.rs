//! The prompt that holds everything a business has said, for tenants that want it so.

use super::sections::Writer;
use super::stable::{MOST_OWN_TOKENS, Parts};
use super::wording::visible;
use super::{CompiledPrompt, LeftOut, PromptInput};
use crate::guard::{Guard, internal, unquoted};
use crate::tokens::{count, cut_at_sentence};
use quipu_core::turn::PromptSource;
use std::borrow::Cow;

/// What it may take. What has no room is left out, from the end.
pub const LEGACY_TOKENS: usize = 24_000;
/// A piece is taken to have at least a token for so many bytes, so that a huge one is not counted.
const TOKEN_BYTES: usize = 24;

/// What is told to nobody.
const INTERNAL: &str = "competitors";

/// What the business writes to the assistant. All else is to be told, and orders in it are nobody's.
const FOR_ASSISTANT: [&str; 3] = ["instructions", "templates", INTERNAL];

/// Everything there is to say, each piece as a text of its own.
#[derive(Clone, Copy, Debug)]
pub struct LegacyInput<'a> {
    /// Whose critical instructions are not used here: they are among the instructions.
    pub agent: PromptInput<'a>,
    /// All active ones, the most important first.
    pub instructions: &'a [String],
    pub services: &'a [String],
    pub menu: &'a [String],
    /// Where orders are brought to.
    pub zones: &'a [String],
    pub branches: &'a [String],
    pub staff: &'a [String],
    pub policies: &'a [String],
    pub faqs: &'a [String],
    pub templates: &'a [String],
    /// How to speak of others. It is for whoever answers, and told to nobody.
    pub competitors: &'a [String],
    pub articles: &'a [String],
    /// Of others than the business as well: what they say is data.
    pub documents: &'a [String],
    /// How many documents more there are.
    pub unread: usize,
}

/// A prompt that holds everything.
#[derive(Clone, Debug)]
pub struct LegacyPrompt {
    pub compiled: CompiledPrompt,
    /// What of it an answer may rest on.
    pub own_words: String,
}

/// Puts everything into one text. Its hash changes with everything, which is what the minimal prompt is
/// there to avoid.
#[must_use]
pub fn legacy(input: &LegacyInput<'_>) -> LegacyPrompt {
    let writer = Writer::new(&input.agent);
    let mut parts = Parts::default();
    parts.add("identity", writer.identity());
    parts.add("personality", writer.personality());
    parts.keep_secret(writer.rules(None));
    let (own, whole) = writer.own(MOST_OWN_TOKENS);
    let mut own_words = own.clone().unwrap_or_default();
    if let Some(own) = own {
        parts.keep_secret(internal(&own));
        parts.add("own_instructions", own);
    }
    for (name, text) in [("tools", writer.tools()), ("safety", writer.safety())] {
        parts.keep_secret(text.clone());
        parts.add(name, text);
    }
    for instruction in input.instructions {
        parts.keep_secret(unquoted(instruction));
    }
    let headings = &writer.texts.common.legacy;
    let groups = [
        ("instructions", &headings.instructions, input.instructions),
        ("services", &headings.services, input.services),
        ("menu", &headings.menu, input.menu),
        ("zones", &headings.zones, input.zones),
        ("branches", &headings.branches, input.branches),
        ("staff", &headings.staff, input.staff),
        ("policies", &headings.policies, input.policies),
        ("faqs", &headings.faqs, input.faqs),
        ("templates", &headings.templates, input.templates),
        (INTERNAL, &headings.competitors, input.competitors),
        ("articles", &headings.articles, input.articles),
    ];
    let mut left_out = input.unread;
    for (name, heading, pieces) in groups {
        let room = LEGACY_TOKENS.saturating_sub(parts.tokens());
        let pieces: Vec<Cow<'_, str>> = if FOR_ASSISTANT.contains(&name) {
            pieces.iter().map(Cow::from).collect()
        } else {
            let cleaned = pieces.iter().map(|piece| Guard::compiled().cleaned(piece));
            cleaned.filter(|piece| !piece.trim().is_empty()).collect()
        };
        let (text, without_room) = group(heading, &pieces, room);
        left_out += without_room;
        if let Some(text) = text {
            if name == INTERNAL {
                parts.keep_secret(text.clone());
            } else {
                own_words.push('\n');
                own_words.push_str(&text);
            }
            parts.add(name, text);
        }
    }
    let room = LEGACY_TOKENS.saturating_sub(parts.tokens());
    let rule = &writer.texts.common.turn.passages_rule;
    let heading = format!("{}\n{rule}", headings.documents);
    let (text, without_room) = documents(&heading, input.documents, room);
    left_out += without_room;
    if let Some(text) = text {
        own_words.push('\n');
        own_words.push_str(&text);
        parts.add("documents", text);
    }
    let left_out = LeftOut {
        critical: 0,
        system_instructions: !whole,
        pieces: left_out,
    };
    LegacyPrompt {
        compiled: parts.finish(PromptSource::Legacy, left_out),
        own_words,
    }
}

/// The documents that have room, without what in them speaks to the assistant, and how many have none
/// or not for all of them.
fn documents(heading: &str, documents: &[String], room: usize) -> (Option<String>, usize) {
    let mut room = room.saturating_sub(count(heading) + 4);
    let (mut told, mut left_out) = (Vec::new(), 0);
    for document in documents {
        let text = visible(document);
        let text = Guard::compiled().cleaned(&text);
        if text.trim().is_empty() {
            continue;
        }
        let shown = cut_at_sentence(&text, room.saturating_sub(4));
        if shown.len() < text.trim().len() {
            left_out += 1;
        }
        if !shown.is_empty() {
            let piece = format!("- {shown}\n");
            room = room.saturating_sub(count(&piece));
            told.push(piece);
        }
    }
    let text = (!told.is_empty()).then(|| format!("{heading}\n{}", told.concat().trim_end()));
    (text, left_out)
}

/// The pieces of a group that have room, and how many have none.
fn group(heading: &str, pieces: &[Cow<'_, str>], room: usize) -> (Option<String>, usize) {
    // The blank line to the next section takes a few tokens as well.
    let mut room = room.saturating_sub(count(heading) + 4);
    let (mut told, mut left_out) = (Vec::new(), 0);
    for piece in pieces {
        let small = piece.len() <= room.saturating_mul(TOKEN_BYTES);
        let text = if small { visible(piece) } else { String::new() };
        if small && text.is_empty() {
            continue;
        }
        let line = format!("- {text}\n");
        let size = if small { count(&line) } else { usize::MAX };
        if size <= room {
            room -= size;
            told.push(line);
        } else {
            left_out += 1;
        }
    }
    let text = (!told.is_empty()).then(|| format!("{heading}\n{}", told.concat().trim_end()));
    (text, left_out)
}
