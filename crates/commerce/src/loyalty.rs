//! Tokens that customers collect and spend.
//!
//! The balance is the sum of a ledger that only grows, so that it can always be explained. What is
//! written into the ledger is made by the functions here, which see to it that no sum falls below
//! zero and that nothing lapses twice.

mod ledger;
mod redemption;
mod rules;
#[cfg(test)]
mod tests;

pub use ledger::{
    Lapse, LedgerProblem, MAX_TOKENS, Transaction, TransactionKind, adjust, balance, earn, expire,
    give_back, next_lapse, redeem, spendable,
};
pub use redemption::{LedgerEntry, Redemption, RedemptionStatus, code_from, read_code};
pub use rules::{EarningRules, SpendRule};
