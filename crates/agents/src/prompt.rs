//! What a model is told before it answers.
//!
//! The stable part ([`compile`]) is the same for every message of an agent: who it is, how it speaks,
//! what it must never forget, which tools there are and what keeps people safe. It holds no price, no
//! hour and no name of a customer, so that a provider can keep it and nothing that changes in the
//! catalogue makes it anew. The dynamic part ([`dynamic`]) follows it and is made for one message.
//! [`legacy`] puts everything a business has said into one text instead.
//!
//! The texts lie in `data/prompts`. A style, a type and a medium are written each on their own, with the
//! few lines that only the two or three of them together need, and make 48 personalities.

mod dynamic;
mod legacy;
mod polish;
mod sections;
mod stable;
#[cfg(test)]
mod tests;
mod texts;
mod tool_groups;
mod wording;

pub use dynamic::{
    DynamicPart, LearnedAnswer, TurnContext, dynamic, dynamic_part, learned_with_room,
};
pub use legacy::{LEGACY_TOKENS, LegacyInput, LegacyPrompt, legacy};
pub use polish::{polish_request, take_polished};
pub use stable::{
    CRITICAL_COUNT, CRITICAL_TOKENS, IDENTITY_TOKENS, OWN_TOKENS, PERSONALITY_TOKENS,
    SAFETY_TOKENS, STABLE_TOKENS, TOOLS_TOKENS, compile, compile_polished,
};

use crate::AgentKind;
use crate::tool::ToolsOff;
use quipu_core::agent::{AssistantType, Grounding, Medium, ResponseStyle, Vertical};
use quipu_core::language::Language;
use quipu_core::turn::PromptSource;

/// How an agent is set up: all that the stable part depends on.
#[derive(Clone, Copy, Debug)]
pub struct PromptInput<'a> {
    pub language: Language,
    pub agent_name: &'a str,
    pub company_name: &'a str,
    pub vertical: Vertical,
    pub style: ResponseStyle,
    pub assistant_type: AssistantType,
    /// What the agent goes without.
    pub tools_off: ToolsOff,
    pub medium: Medium,
    pub grounding: Grounding,
    /// How long answers are, where the agent has its own measure.
    pub answer_length: Option<AnswerLength>,
    /// Whether the model is to say how close the customer is to buying.
    pub lead_temperature: bool,
    /// What the business wants its agent to know besides, in its own words.
    pub system_instructions: Option<&'a str>,
    /// What the agent must never forget.
    pub critical: &'a [CriticalInstruction<'a>],
}

impl PromptInput<'_> {
    const fn kind(&self) -> AgentKind {
        AgentKind {
            vertical: self.vertical,
            assistant_type: self.assistant_type,
            off: self.tools_off,
        }
    }
}

/// An instruction of the business that is in every message.
#[derive(Clone, Copy, Debug)]
pub struct CriticalInstruction<'a> {
    pub text: &'a str,
    /// From 1 to 10, the most important highest.
    pub priority: u8,
}

/// How long an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerLength {
    /// 1 to 12.
    pub sentences: u8,
    /// 20 to 200, which no answer goes over.
    pub words: u16,
}

/// A part of a prompt and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: &'static str,
    pub text: String,
    pub tokens: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledPrompt {
    pub source: PromptSource,
    pub stable: String,
    pub sections: Vec<Section>,
    pub tokens: usize,
    /// The SHA-256 of the text in hexadecimal digits. It changes when the configuration says something
    /// else to the model, or when the texts of the program do, and with nothing besides.
    pub hash: String,
    pub left_out: LeftOut,
    /// What of the text is for the model alone: how it is led, its tools and what keeps people safe. Who the
    /// agent is, how it sounds and what the business says about itself is there to be told.
    pub secret: String,
}

/// What had no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many critical instructions.
    pub critical: usize,
    /// Some or all of the business's own instructions.
    pub system_instructions: bool,
    /// How many pieces of what the business has said, in the legacy prompt.
    pub pieces: usize,
}
