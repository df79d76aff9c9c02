//! The ledger of a customer's tokens.

use quipu_core::Timestamp;
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most that one line or a whole balance may come to.
pub const MAX_TOKENS: i64 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransactionKind {
    /// For a purchase or an appointment.
    Earn,
    /// Exchanged for a reward.
    Redeem,
    /// Lapsed because they were not used in time.
    Expire,
    /// Put right by a person, up or down.
    Adjust,
}

impl TransactionKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Earn => "earn",
            Self::Redeem => "redeem",
            Self::Expire => "expire",
            Self::Adjust => "adjust",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Earn, Self::Redeem, Self::Expire, Self::Adjust]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// One line of a ledger. The balance is the sum of the tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Transaction {
    pub kind: TransactionKind,
    /// Positive for what comes in, negative for what goes out.
    pub tokens: i64,
    pub at: Timestamp,
    /// When tokens that came in lapse; never when absent.
    pub lapses_at: Option<Timestamp>,
}

/// Tokens that lapse together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lapse {
    pub at: Timestamp,
    pub tokens: i64,
}

/// Why a line cannot be added to a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerProblem {
    /// Nothing, less than nothing, or more than a ledger holds.
    Amount,
    /// Fewer tokens are there than are asked for.
    NotEnough { missing: i64 },
}

impl LedgerProblem {
    /// The sentence for a person.
    #[must_use]
    pub fn text(self, language: Language) -> String {
        match (self, language) {
            (Self::Amount, Language::Es) => {
                format!("La cantidad debe estar entre 1 y {MAX_TOKENS}.")
            }
            (Self::Amount, Language::En) => {
                format!("The amount must be between 1 and {MAX_TOKENS}.")
            }
            (Self::NotEnough { missing }, Language::Es) => format!("Faltan {missing} puntos."),
            (Self::NotEnough { missing }, Language::En) => {
                format!("{missing} more points are needed.")
            }
        }
    }
}

/// The sum of a ledger.
#[must_use]
pub fn balance(ledger: &[Transaction]) -> i64 {
    let tokens = ledger.iter().map(|line| line.tokens);
    tokens.fold(0, i64::saturating_add)
}

/// What can be spent now: the balance without what has lapsed, whether or not that was written
/// down already.
#[must_use]
pub fn spendable(ledger: &[Transaction], now: Timestamp) -> i64 {
    balance(ledger).saturating_sub(lapsed(ledger, now)).max(0)
}

/// What lapses next, unless it is spent before.
#[must_use]
pub fn next_lapse(ledger: &[Transaction], now: Timestamp) -> Option<Lapse> {
    let ahead = |lot: Lot| Some((lot.lapses_at.filter(|end| *end > now)?, lot.left));
    let mut lots = lots(ledger).into_iter().filter_map(ahead);
    // Those that lapse first come first.
    let (at, first) = lots.next()?;
    let same = lots.take_while(|(end, _)| *end == at);
    let tokens = same.map(|(_, left)| left).fold(first, i64::saturating_add);
    Some(Lapse { at, tokens })
}

/// The line for tokens that come in.
///
/// # Errors
/// When the number is not positive or the balance would come to more than a ledger holds.
pub fn earn(
    ledger: &[Transaction],
    tokens: i64,
    now: Timestamp,
    lapses_at: Option<Timestamp>,
) -> Result<Transaction, LedgerProblem> {
    incoming(ledger, TransactionKind::Earn, tokens, now, lapses_at)
}

/// The line for tokens that are exchanged for a reward.
///
/// # Errors
/// When the number is not positive or fewer can be spent now.
pub fn redeem(
    ledger: &[Transaction],
    tokens: i64,
    now: Timestamp,
) -> Result<Transaction, LedgerProblem> {
    outgoing(ledger, TransactionKind::Redeem, tokens, now)
}

/// The line by which a person puts a balance right. What is added does not lapse.
///
/// # Errors
/// When it changes nothing, or the balance would fall below zero or grow beyond what a ledger
/// holds.
pub fn adjust(
    ledger: &[Transaction],
    tokens: i64,
    now: Timestamp,
) -> Result<Transaction, LedgerProblem> {
    if tokens > 0 {
        return incoming(ledger, TransactionKind::Adjust, tokens, now, None);
    }
    let taken = tokens.checked_neg().ok_or(LedgerProblem::Amount)?;
    outgoing(ledger, TransactionKind::Adjust, taken, now)
}

/// The line for what has lapsed by now and was not written down yet, if anything. Once it is in
/// the ledger, there is none for the same instant.
#[must_use]
pub fn expire(ledger: &[Transaction], now: Timestamp) -> Option<Transaction> {
    let tokens = lapsed(ledger, now).min(balance(ledger));
    (tokens > 0).then(|| Transaction {
        kind: TransactionKind::Expire,
        tokens: -tokens,
        at: now,
        lapses_at: None,
    })
}

/// The lines that give back what the line at a place took, each part lapsing when it would have:
/// an exchange that is taken back makes no tokens last for longer, or for less long.
///
/// # Errors
/// When the line took nothing, or the balance would come to more than a ledger holds.
pub fn give_back(
    ledger: &[Transaction],
    place: usize,
    now: Timestamp,
) -> Result<Vec<Transaction>, LedgerProblem> {
    let mut lines: Vec<Transaction> = Vec::new();
    let upto = ledger.get(..=place).ok_or(LedgerProblem::Amount)?;
    replay(upto, |at, lot, tokens| {
        if at != place || tokens == 0 {
            return;
        }
        match lines.last_mut() {
            Some(last) if last.lapses_at == lot.lapses_at => last.tokens += tokens,
            _ => lines.push(Transaction {
                kind: TransactionKind::Adjust,
                tokens,
                at: now,
                lapses_at: lot.lapses_at,
            }),
        }
    });
    let given = balance(&lines);
    incoming(ledger, TransactionKind::Adjust, given, now, None)?;
    Ok(lines)
}

fn incoming(
    ledger: &[Transaction],
    kind: TransactionKind,
    tokens: i64,
    at: Timestamp,
    lapses_at: Option<Timestamp>,
) -> Result<Transaction, LedgerProblem> {
    let room = MAX_TOKENS.saturating_sub(balance(ledger));
    if !(1..=room).contains(&tokens) {
        return Err(LedgerProblem::Amount);
    }
    Ok(Transaction {
        kind,
        tokens,
        at,
        lapses_at,
    })
}

fn outgoing(
    ledger: &[Transaction],
    kind: TransactionKind,
    tokens: i64,
    at: Timestamp,
) -> Result<Transaction, LedgerProblem> {
    if !(1..=MAX_TOKENS).contains(&tokens) {
        return Err(LedgerProblem::Amount);
    }
    let there = spendable(ledger, at);
    if there < tokens {
        let missing = tokens - there;
        return Err(LedgerProblem::NotEnough { missing });
    }
    Ok(Transaction {
        kind,
        tokens: -tokens,
        at,
        lapses_at: None,
    })
}

/// What is left of tokens that came in together.
struct Lot {
    left: i64,
    lapses_at: Option<Timestamp>,
}

impl Lot {
    fn has_lapsed(&self, at: Timestamp) -> bool {
        self.lapses_at.is_some_and(|end| end <= at)
    }
}

/// How many tokens have lapsed by now and still count in the sum.
fn lapsed(ledger: &[Transaction], now: Timestamp) -> i64 {
    let lots = lots(ledger);
    let gone = lots.iter().filter(|lot| lot.has_lapsed(now));
    gone.map(|lot| lot.left).fold(0, i64::saturating_add)
}

/// What is left of everything that came in.
fn lots(ledger: &[Transaction]) -> Vec<Lot> {
    replay(ledger, |_, _, _| {})
}

/// Replays a ledger, telling how much the line at each place takes of what. What goes out is taken
/// from those tokens that lapse first, which are the oldest, since a customer would do the same; what
/// had lapsed by then was not there to be spent.
fn replay(ledger: &[Transaction], mut tell: impl FnMut(usize, &Lot, i64)) -> Vec<Lot> {
    let mut lots: Vec<Lot> = Vec::new();
    for (at, line) in ledger.iter().enumerate() {
        if line.tokens > 0 {
            let lot = Lot {
                left: line.tokens,
                lapses_at: line.lapses_at,
            };
            // Those that never lapse come last; among equals the oldest comes first.
            let later = |known: &Lot| match (known.lapses_at, lot.lapses_at) {
                (Some(known), Some(new)) => known > new,
                (None, Some(_)) => true,
                (_, None) => false,
            };
            let place = lots.iter().position(later).unwrap_or(lots.len());
            lots.insert(place, lot);
            continue;
        }
        let mut wanted = line.tokens.saturating_neg();
        let expired = line.kind == TransactionKind::Expire;
        let (first, second): (Vec<_>, Vec<_>) = lots
            .iter_mut()
            .partition(|lot| lot.has_lapsed(line.at) == expired);
        for lot in first.into_iter().chain(second) {
            let taken = wanted.min(lot.left);
            lot.left -= taken;
            tell(at, lot, taken);
            wanted -= taken;
        }
        lots.retain(|lot| lot.left > 0);
    }
    lots
}
