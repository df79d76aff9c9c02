//! What messages cost at the channel.

mod card;
#[cfg(test)]
mod tests;

use card::{RateCard, RateFile};
use quipu_core::Timestamp;
use quipu_core::lead::Channel;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The row of everybody who has none.
const DEFAULT: &str = "default";

static BUNDLED: LazyLock<ChannelRates> = LazyLock::new(|| {
    ChannelRates::parse(include_str!("../data/rates.toml"))
        .expect("a test reads the file, which is a part of the program")
});

/// The rates of the channels at each time. Only WhatsApp charges anything.
#[derive(Clone, Debug)]
pub struct ChannelRates {
    /// Categories that are never charged.
    free: BTreeSet<String>,
    /// Categories that cost what another one costs.
    same_as: BTreeMap<String, String>,
    /// The region of a country that has no row of its own.
    regions: BTreeMap<String, String>,
    /// By the time from which they are valid.
    cards: BTreeMap<Timestamp, RateCard>,
}

/// A message that was sent, as far as its price depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageCharge<'a> {
    pub channel: Channel,
    /// As the channel calls it: `service`, `utility`, `marketing`, `authentication` …
    pub category: &'a str,
    /// The country of the customer, as two letters.
    pub market: Option<&'a str>,
    pub at: Timestamp,
    /// The customer wrote less than a day before.
    pub in_window: bool,
    /// The customer came from an advertisement, and nothing is charged yet.
    pub from_advertisement: bool,
    /// How many of the category were delivered from the same number in the month before this one.
    pub delivered_this_month: u64,
}

impl ChannelRates {
    /// The rates that the program comes with.
    #[must_use]
    pub fn bundled() -> Self {
        BUNDLED.clone()
    }

    /// Reads the rates of an installation.
    ///
    /// # Errors
    /// What is wrong with them, and where, for whoever wrote them.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: RateFile = toml::from_str(text).map_err(|error| error.to_string())?;
        file.checked()
    }

    /// What one message costs, in millionths of a dollar, as the list of the channel says. `None` where no
    /// rate is known: for a customer whose country nobody knows, a category that is not listed, or a time
    /// before the first list.
    #[must_use]
    pub fn cost_micros(&self, category: &str, market: Option<&str>, at: Timestamp) -> Option<i64> {
        if self.free.contains(category) {
            return Some(0);
        }
        let category = self.same_as.get(category).map_or(category, String::as_str);
        let market = market?.trim().to_ascii_uppercase();
        if market.len() != 2 || !market.bytes().all(|b| b.is_ascii_uppercase()) {
            return None;
        }
        let card = self.card(at)?;
        let region = self.regions.get(&market).map(String::as_str);
        let row = card
            .row(&market)
            .or_else(|| card.row(region.unwrap_or(DEFAULT)))?;
        row.get(category).copied()
    }

    /// What a message is charged, in millionths of a dollar: nothing where it is free, what
    /// [`cost_micros`](Self::cost_micros) says otherwise.
    #[must_use]
    pub fn charge_micros(&self, message: &MessageCharge<'_>) -> Option<i64> {
        if message.channel != Channel::Whatsapp || message.from_advertisement {
            return Some(0);
        }
        let card = self.card(message.at);
        let free = card.is_some_and(|card| {
            let answers = message.in_window && card.free_in_window.contains(message.category);
            answers || message.delivered_this_month < card.free_per_month(message.category)
        });
        if free {
            return Some(0);
        }
        self.cost_micros(message.category, message.market, message.at)
    }

    /// How many messages of a category cost nothing in a month, for each number of the business.
    #[must_use]
    pub fn free_per_month(&self, category: &str, at: Timestamp) -> u64 {
        self.card(at)
            .map_or(0, |card| card.free_per_month(category))
    }

    fn card(&self, at: Timestamp) -> Option<&RateCard> {
        self.cards.range(..=at).next_back().map(|(_, card)| card)
    }
}
