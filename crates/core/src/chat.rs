//! Conversations with a model that writes: what it is asked, what it answers piece by piece, how
//! it fails, and what that costs. Plain data; who speaks with which provider is told elsewhere.

mod answer;
mod config;
mod event;
mod price;
mod request;
mod trial;

pub use answer::{ChatAnswer, gather};
pub use config::{ModelConfig, ModelProvider};
pub use event::{ChatError, ChatEvent, FinishReason, RefusalKind, Skipped, ToolCall, Usage};
pub use price::{OwnPrice, OwnPrices, Price, PriceTable, PricedProvider, cost};
pub use request::{ChatMessage, ChatRequest, Image, ImageType, ToolChoice, ToolSpec};
pub use trial::TrialOutcome;
