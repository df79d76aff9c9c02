//! Who writes the answers. The built-in responder quotes the passages and needs nothing else; any
//! other is put behind a guard, because a provider across the network will fail one day.

mod breaker;
mod builtin;
mod guarded;

pub use breaker::{BreakerSettings, BreakerState};
pub use builtin::BuiltinResponder;
pub use guarded::GuardedResponder;
