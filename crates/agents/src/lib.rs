//! One turn of a conversation with an agent: what to search for, and how an answer is checked,
//! cited and put into words. Pure over the ports of `quipu-core`.

mod citations;
mod conversation;
mod desk;
pub mod facts;
pub mod guard;
mod kind;
mod memo;
pub mod prompt;
mod readings;
pub mod sight;
pub mod specialist;
pub mod supervisor;
pub mod tokens;
pub mod tool;
mod turn;

pub use quipu_dialogue::OpeningWords;
pub use quipu_language::when;

pub use conversation::{SearchText, language, search_text};
pub use desk::{Desk, Found, Guidance, SentFile, Setting};
pub use kind::AgentKind;
pub use readings::MessageReadings;
pub use turn::{
    Answer, Limits, Listener, Prompt, Silence, TurnInput, answer, clean_passages, is_own_tool,
    question, without_marker,
};
