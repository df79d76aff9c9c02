//! What an answer says can be had: a time, a discount, something for nothing.

use super::clause::{Clauses, Spoken};
use crate::facts::token::{Kind, Token};
use crate::facts::words::{FREE, PROMOTION};

/// How far the word for room may stand behind the one for having it.
const NEAR: usize = 4;

/// An offer: what is taken off a price, or given for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Offer {
    /// Shares, in hundredths of a percent.
    pub(in super::super) percents: Vec<i64>,
    /// "2x1", as so many for the price of so many.
    pub(in super::super) deals: Vec<(i64, i64)>,
    /// It is called a discount or a promotion.
    pub(in super::super) named: bool,
    /// Something costs nothing.
    pub(in super::super) free: bool,
}

impl Offer {
    /// What an answer tells as an offer.
    pub(super) fn claimed(clauses: &Clauses<'_>) -> Option<Self> {
        let mut offer = Self::default();
        for (at, word) in clauses.words.iter().enumerate() {
            let speaks = word.token.is_a(PROMOTION | FREE);
            if !speaks || !clauses.is_stated(at) || clauses.is_denied(word.clause) {
                continue;
            }
            offer.named |= word.token.is_a(PROMOTION);
            offer.free |= word.token.is_a(FREE);
        }
        let stated = clauses
            .words
            .iter()
            .position(|word| word.token.number().is_some());
        let stated = stated.is_some_and(|at| {
            clauses.is_stated(at) && !clauses.is_denied(clauses.words[at].clause)
        });
        if stated {
            offer.deals = deals(clauses.tokens);
        }
        if offer.named {
            offer.percents = percents(clauses.tokens);
        }
        (offer.named || offer.free || !offer.deals.is_empty()).then_some(offer)
    }

    /// What a text of the business offers, a sentence at a time. Whoever says that there is none offers nothing.
    pub(in super::super) fn of_business(tokens: &[Token]) -> Vec<Self> {
        let ends = |token: &Token| matches!(token.kind, Kind::Sign('.' | '!' | '?') | Kind::Break);
        let sentences = tokens.split(|token| ends(token));
        let offers = sentences.filter_map(|sentence| {
            let deals = deals(sentence);
            let named = sentence.iter().any(|token| token.is_a(PROMOTION));
            let free = sentence.iter().any(|token| token.is_a(FREE));
            let denied = sentence.iter().any(|token| {
                token.is_one_of(&["no", "ningun", "ninguna", "not", "never", "nunca"])
            });
            let offers = !denied && (named || free || !deals.is_empty());
            offers.then(|| Self {
                percents: percents(sentence),
                deals,
                named,
                free,
            })
        });
        offers.collect()
    }

    /// What the business calls an offer, whatever the words are.
    pub(in super::super) fn told(tokens: &[Token]) -> Self {
        Self {
            percents: percents(tokens),
            deals: deals(tokens),
            named: true,
            free: tokens.iter().any(|token| token.is_a(FREE)),
        }
    }

    /// Whether this offer of the business is the one that is claimed.
    pub(in super::super) fn covers(&self, claimed: &Self) -> bool {
        let percents = claimed
            .percents
            .iter()
            .all(|percent| self.percents.contains(percent));
        let deals = claimed.deals.iter().all(|deal| self.deals.contains(deal));
        let named = !claimed.named || self.named || !self.deals.is_empty() || self.free;
        let free = !claimed.free || self.free || self.named;
        percents && deals && named && free
    }

    pub(in super::super) fn describe(&self) -> String {
        let percents = self
            .percents
            .iter()
            .map(|percent| format!("{} %", percent / 100));
        let deals = self.deals.iter().map(|(get, pay)| format!("{get}x{pay}"));
        let mut told: Vec<String> = percents.chain(deals).collect();
        if told.is_empty() {
            told.push(
                if self.free {
                    "something free"
                } else {
                    "a promotion"
                }
                .to_owned(),
            );
        }
        told.join(", ")
    }
}

fn percents(tokens: &[Token]) -> Vec<i64> {
    let at = (0..tokens.len()).filter(|at| {
        let next = |by: usize| tokens.get(at + by);
        let sign = next(1).is_some_and(|token| token.is_sign('%'));
        let word = next(1).is_some_and(|token| token.is_one_of(&["percent"]));
        let words = next(1).is_some_and(|token| token.is_one_of(&["por"]))
            && next(2).is_some_and(|token| {
                token.is_one_of(&["ciento"]) || token.number() == Some(10_000)
            });
        sign || word || words
    });
    at.filter_map(|at| tokens[at].number()).collect()
}

/// "2x1", "2 x 1", "dos por uno", "two for one".
fn deals(tokens: &[Token]) -> Vec<(i64, i64)> {
    let whole = |token: &Token| {
        let number = match token.word() {
            Some("uno" | "one") => Some(100),
            _ => token.number(),
        };
        number
            .filter(|number| number % 100 == 0)
            .map(|number| number / 100)
    };
    let windows = tokens.windows(3).filter_map(|three| {
        let between = three[1].is_one_of(&["x", "por", "for"]) || three[1].is_sign('×');
        let (get, pay) = (whole(&three[0])?, whole(&three[2])?);
        (between && (2..10).contains(&get) && (1..get).contains(&pay)).then_some((get, pay))
    });
    windows.collect()
}

/// Whether a clause says that a time can be had on a day: "mañana tenemos espacio".
pub(super) fn promises_time(clauses: &Clauses<'_>) -> bool {
    // "Los martes" and "de mañana" are what is done every week or day.
    let mut words = clauses.words.iter().enumerate();
    let has_day = words.any(|(at, word)| {
        let before = clauses.before(at).next().map(Spoken::word);
        let clock = matches!(word.token.kind, Kind::Clock { .. });
        let hour = word.token.number().is_some() && matches!(before, Some("las" | "at"));
        let every = matches!(before, Some("los" | "de" | "la"));
        clock || hour || (word.is("day") && !every)
    });
    if !has_day {
        return false;
    }
    let words = clauses.words.iter().enumerate();
    let mut promises = words.filter(|(at, word)| {
        if word.is("free_time") {
            return true;
        }
        let behind = clauses.words[at + 1..].iter().take(NEAR);
        let mut behind = behind.take_while(|next| next.clause == word.clause);
        word.is("have") && behind.any(|next| next.is("space"))
    });
    promises.any(|(at, word)| clauses.is_stated(at) && !clauses.is_denied(word.clause))
}
