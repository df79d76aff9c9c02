//! The HTTP face of Quipu.

mod crowd;
mod docs;
mod error;
mod extract;
mod layers;
mod listen;
mod openapi;
mod routes;
mod session_cookie;
mod state;
mod streams;
mod web;
mod widget;

pub use error::ApiError;
pub use listen::{ConnectionLimits, serve};
pub use openapi::document;
pub use routes::router;
pub use state::{AppState, HttpSettings, UploadSettings};
