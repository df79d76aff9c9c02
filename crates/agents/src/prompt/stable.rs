//! The stable part: its sections, what each may take, and its hash.

use super::sections::Writer;
use super::{CompiledPrompt, LeftOut, PromptInput, Section};
use crate::guard::{internal, unquoted};
use crate::tokens::count;
use quipu_core::turn::PromptSource;
use sha2::{Digest, Sha256};
use std::fmt::Write;

pub const IDENTITY_TOKENS: usize = 120;
pub const PERSONALITY_TOKENS: usize = 800;
/// What critical instructions may take together. Their heading and dashes come on top, so that whatever
/// was accepted when it was saved has room here.
pub const CRITICAL_TOKENS: usize = 300;
pub const CRITICAL_COUNT: usize = 5;
pub const TOOLS_TOKENS: usize = 130;
pub const SAFETY_TOKENS: usize = 150;
/// What these five may take together.
pub const STABLE_TOKENS: usize = 1_500;
/// What the business's own instructions may take beside them. More is refused when an agent is saved,
/// so that nothing that was accepted is left out.
pub const OWN_TOKENS: usize = 1_200;
/// What they take at most of an agent that was saved before there was a limit.
pub(super) const MOST_OWN_TOKENS: usize = 4_000;

/// Sections that stand one after another can take a token or two more than each by itself.
const SEAM_TOKENS: usize = 2;

/// Puts the stable part together.
///
/// The agent's own instructions are a section of their own beside the five others, with room for all that
/// can be saved: whatever else is set, no word of the business is cut off in silence.
#[must_use]
pub fn compile(input: &PromptInput<'_>) -> CompiledPrompt {
    put_together(input, None)
}

/// The same with what a model made of how the agent speaks.
#[must_use]
pub fn compile_polished(input: &PromptInput<'_>, polished: &str) -> CompiledPrompt {
    put_together(input, Some(polished))
}

fn put_together(input: &PromptInput<'_>, polished: Option<&str>) -> CompiledPrompt {
    let writer = Writer::new(input);
    let (critical, critical_left_out) = writer.critical(CRITICAL_COUNT, CRITICAL_TOKENS);
    let mut parts = Parts::default();
    parts.add("identity", writer.identity());
    let personality = match polished {
        Some(polished) => writer.polished(polished),
        None => writer.personality(),
    };
    parts.add("personality", personality);
    parts.keep_secret(writer.rules(polished));
    if let Some(critical) = critical {
        parts.keep_secret(unquoted(&critical));
        parts.add("critical_instructions", critical);
    }
    let (own, whole) = writer.own(MOST_OWN_TOKENS);
    if let Some(own) = own {
        parts.keep_secret(internal(&own));
        parts.add("own_instructions", own);
    }
    for (name, text) in [("tools", writer.tools()), ("safety", writer.safety())] {
        parts.keep_secret(text.clone());
        parts.add(name, text);
    }
    parts.finish(
        PromptSource::Minimal,
        LeftOut {
            critical: critical_left_out,
            system_instructions: !whole,
            pieces: 0,
        },
    )
}

/// The sections that are there already.
#[derive(Default)]
pub(super) struct Parts {
    sections: Vec<Section>,
    secrets: Vec<String>,
}

impl Parts {
    pub(super) fn add(&mut self, name: &'static str, text: String) {
        let tokens = count(&text);
        self.sections.push(Section { name, text, tokens });
    }

    /// Notes what of them is told to nobody.
    pub(super) fn keep_secret(&mut self, text: String) {
        self.secrets.push(text);
    }

    /// What they take, with the seams between them.
    pub(super) fn tokens(&self) -> usize {
        let sections = self.sections.iter();
        sections.map(|section| section.tokens + SEAM_TOKENS).sum()
    }

    pub(super) fn finish(self, source: PromptSource, left_out: LeftOut) -> CompiledPrompt {
        let texts: Vec<&str> = self.sections.iter().map(|part| &*part.text).collect();
        let stable = texts.join("\n\n");
        CompiledPrompt {
            source,
            tokens: count(&stable),
            hash: hash(&stable),
            stable,
            sections: self.sections,
            left_out,
            secret: self.secrets.join("\n\n"),
        }
    }
}

fn hash(text: &str) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
