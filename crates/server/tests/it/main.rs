//! The server as its users meet it: a real one on a port of its own.

mod architecture;
mod demo_answers;
