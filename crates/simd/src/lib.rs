//! The arithmetic that search and the bundled encoder spend their time in.
//!
//! Every operation is written once in plain Rust, compiled for several processors, and the best one
//! that this processor understands is chosen when the program runs. Where the compiler does not find
//! the instructions by itself, they are named; the plain version stays, and tests hold the others
//! against it.
//!
//! This is the only room where `unsafe` may stand. All that it offers is safe to call.

mod dot;
mod kernel;
mod linear;
mod matmul;
mod rows;

pub use dot::{dot, scan_i8, signed};
pub use kernel::Kernel;
pub use linear::{Codes, Linear};
pub use matmul::{Table, TableMut};
