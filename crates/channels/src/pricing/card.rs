//! The lists of rates, as they are written in the file.

use super::{ChannelRates, DEFAULT};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quipu_core::Timestamp;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Rates are written with so many decimals at most.
const DECIMALS: usize = 6;
/// No message costs a thousand dollars: whoever writes that meant another currency.
const MOST_WHOLE_DIGITS: usize = 3;
const CURRENCY: &str = "USD";
/// What is written where no rate is known.
const UNKNOWN: &str = "-";

/// The rates from one time on.
#[derive(Clone, Debug)]
pub(super) struct RateCard {
    /// Categories that cost nothing for somebody who wrote less than a day ago.
    pub(super) free_in_window: BTreeSet<String>,
    free_per_month: BTreeMap<String, u64>,
    /// Millionths of a dollar by market and category.
    rows: BTreeMap<String, BTreeMap<String, i64>>,
}

impl RateCard {
    pub(super) fn row(&self, market: &str) -> Option<&BTreeMap<String, i64>> {
        self.rows.get(market)
    }

    pub(super) fn free_per_month(&self, category: &str) -> u64 {
        self.free_per_month.get(category).copied().unwrap_or(0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RateFile {
    whatsapp: ChannelSection,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelSection {
    currency: String,
    #[serde(default)]
    free: BTreeSet<String>,
    #[serde(default)]
    same_as: BTreeMap<String, String>,
    #[serde(default)]
    regions: BTreeMap<String, Vec<String>>,
    card: Vec<CardSection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardSection {
    valid_from: String,
    #[serde(default)]
    free_in_window: BTreeSet<String>,
    #[serde(default)]
    free_per_month: BTreeMap<String, u64>,
    columns: Vec<String>,
    rows: BTreeMap<String, String>,
}

impl RateFile {
    pub(super) fn checked(self) -> Result<ChannelRates, String> {
        let section = self.whatsapp;
        if section.currency != CURRENCY {
            return Err(format!(
                "rates are in {CURRENCY}, not in {}",
                section.currency
            ));
        }
        let mut regions = BTreeMap::new();
        for (region, countries) in &section.regions {
            for country in countries {
                let known = regions.insert(country.clone(), region.clone());
                if !is_country(country) || known.is_some() {
                    return Err(format!(
                        "regions.{region}: {country} is no country or is there twice"
                    ));
                }
            }
        }
        let mut cards = BTreeMap::new();
        for card in section.card {
            let name = card.valid_from.clone();
            let at = midnight(&name)?;
            let card = card.checked(&section.regions)?;
            if cards.insert(at, card).is_some() {
                return Err(format!("there are two cards of {name}"));
            }
        }
        Ok(ChannelRates {
            free: section.free,
            same_as: section.same_as,
            regions,
            cards,
        })
    }
}

impl CardSection {
    fn checked(self, regions: &BTreeMap<String, Vec<String>>) -> Result<RateCard, String> {
        let mut rows = BTreeMap::new();
        for (market, text) in self.rows {
            let place = format!("card of {}, {market}", self.valid_from);
            if !is_country(&market) && !regions.contains_key(&market) && market != DEFAULT {
                return Err(format!(
                    "{place}: neither a country of two letters nor a region"
                ));
            }
            let rates: Vec<&str> = text.split_whitespace().collect();
            if rates.len() != self.columns.len() {
                return Err(format!("{place}: {} rates are needed", self.columns.len()));
            }
            let mut row = BTreeMap::new();
            for (category, rate) in self.columns.iter().zip(rates) {
                if rate == UNKNOWN {
                    continue;
                }
                let micros = micros(rate).ok_or_else(|| format!("{place}: {rate} is no rate"))?;
                row.insert(category.clone(), micros);
            }
            rows.insert(market, row);
        }
        Ok(RateCard {
            free_in_window: self.free_in_window,
            free_per_month: self.free_per_month,
            rows,
        })
    }
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

fn midnight(text: &str) -> Result<Timestamp, String> {
    let date: Date = text.parse().map_err(|_| format!("{text} is no date"))?;
    let zoned = date.to_zoned(TimeZone::UTC);
    zoned
        .map(|zoned| zoned.timestamp())
        .map_err(|_| format!("{text} is no date"))
}

/// `0.0305` as 30 500 millionths, without a detour over binary fractions.
fn micros(text: &str) -> Option<i64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
    };
    if !digits(whole, MOST_WHOLE_DIGITS) || !digits(decimals, DECIMALS) {
        return None;
    }
    format!("{whole}{decimals:0<DECIMALS$}").parse().ok()
}
