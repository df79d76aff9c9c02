//! What an answer states that nobody may invent: prices, points, percentages, times, addresses, ways to reach
//! somebody, what was done, what is on offer and who works there. Each must be in what was looked up during the
//! turn, or have happened in it.
//!
//! The reading is strict with answers, where a number counts as a price only when it is told as
//! one, and generous with evidence, where a bare number in a table of prices is a price as well.

mod claims;
mod evidence;
mod prices;
mod read;
mod record;
#[cfg(test)]
mod tests;

pub use claims::{Deed, Doing, Thing};
pub use evidence::Evidence;
pub use quipu_language::Time;

pub(crate) use quipu_language::token;
use quipu_language::vocabulary as words;

/// Something stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// An amount of money, in hundredths.
    Money(i64),
    /// Points of a loyalty programme, in hundredths.
    Points(i64),
    /// A share, in hundredths of a percent.
    Percent(i64),
    Time(Time),
    /// The words of a street and its number, folded.
    Address(String),
    /// A telephone number, by its digits, or an e-mail or web address.
    Contact(String),
    /// Something was done.
    Deed(Deed),
    /// There is a discount, a promotion or something for nothing.
    Offer(String),
    /// A time can be had on a day.
    Slot,
    /// Somebody works there, by the words of their name.
    Person(String),
    /// A price of something else than it is told of.
    PriceOf(i64, String),
}

impl Fact {
    /// What a model is told that it must not say.
    #[must_use]
    pub fn describe(&self) -> String {
        let number = |hundredths: i64| {
            let (whole, rest) = (hundredths / 100, hundredths % 100);
            if rest == 0 {
                whole.to_string()
            } else {
                format!("{whole}.{rest:02}")
            }
        };
        match self {
            Self::Money(amount) => format!("price {}", number(*amount)),
            Self::Points(points) => format!("{} points", number(*points)),
            Self::Percent(percent) => format!("{} %", number(*percent)),
            Self::Time(time) => format!("time {:02}:{:02}", time.minute / 60, time.minute % 60),
            Self::Address(words) => format!("address {words:?}"),
            Self::Contact(contact) => format!("contact {contact:?}"),
            Self::Deed(deed) => {
                let (doing, thing) = (deed.doing.as_str(), deed.thing.as_str());
                format!("something done ({doing} {thing}) that no tool did")
            }
            Self::Offer(offer) => format!("offer of {offer}"),
            Self::Slot => "a free time that was not looked up".to_owned(),
            Self::Person(name) => format!("person {name:?}"),
            Self::PriceOf(amount, of) => format!("price {} for {of:?}", number(*amount)),
        }
    }
}
