//! What a customer orders: from the words of a chat to lines with a price.
//!
//! Reading is tolerant of how people type, and careful with what they mean: where two things of
//! the menu fit equally well, where something is missing or where a number makes no sense, the
//! line says so and has the question to ask back. Nothing is guessed, and nothing that was said is
//! dropped without a trace.

mod alongside;
mod corrections;
mod drafts;
mod finish;
mod index;
mod line;
mod manners;
mod matching;
mod menu;
mod more;
mod negated;
mod options;
mod pieces;
mod quantity;
mod questions;
mod read;
mod shares;
#[cfg(test)]
mod tests;
mod tokens;
mod totals;
mod words;
mod zones;

pub use line::{ChosenOption, ItemReference, Line, OrderLine};
pub use manners::is_wish;
pub use menu::{Choice, HIGHEST_PRICE, Menu, MenuItem, OptionGroup, check_price};
pub use quantity::{MAX_QUANTITY, QuantityProblem};
pub use read::{AskedItem, match_item, match_items, read_order};
pub use totals::{Discount, Totals, total};
pub use zones::{Zone, ZoneMatch, zone_for};
