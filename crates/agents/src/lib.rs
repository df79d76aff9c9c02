//! One turn of a conversation with an agent: what to search for, and how an answer is checked,
//! cited and put into words. Pure over the ports of `quipu-core`.

mod citations;
mod conversation;
pub mod tool;
mod turn;

pub use conversation::{SearchText, language, search_text};
pub use turn::{Answer, TurnInput, answer};
