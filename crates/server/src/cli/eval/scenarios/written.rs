//! Reading what files of scenarios write for people: days, hours, how long things take and what
//! earns tokens.

use anyhow::{Context, bail};
use quipu_commerce::loyalty::SpendRule;
use quipu_commerce::money::{Currency, Money};
use quipu_core::text::fold;
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeMap;

const DAYS: [(&str, &str); 7] = [
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("fri", "friday"),
    ("sat", "saturday"),
    ("sun", "sunday"),
];
/// A zone takes a day at most.
const LONGEST_MINUTES: u32 = 1_440;

/// The days that `mon-fri`, `tue,thu` or `daily` names, as numbers from Monday on.
pub(super) fn days(text: &str) -> anyhow::Result<Vec<usize>> {
    let text = fold(text);
    if matches!(text.trim(), "daily" | "all" | "every day") {
        return Ok((0..DAYS.len()).collect());
    }
    let place = |name: &str| {
        let name = name.trim();
        let found = DAYS.iter().position(|(short, _)| name.starts_with(short));
        found.with_context(|| format!("`{name}` is no day such as mon or sat"))
    };
    let mut found = Vec::new();
    for part in text.split([',', ';']) {
        match part.split_once('-') {
            None => found.push(place(part)?),
            Some((from, to)) => {
                let (from, to) = (place(from)?, place(to)?);
                let mut at = from;
                while at != to {
                    found.push(at);
                    at = (at + 1) % DAYS.len();
                }
                found.push(to);
            }
        }
    }
    Ok(found)
}

/// Weekly hours out of days and stretches of time.
pub(super) fn hours(written: &BTreeMap<String, String>) -> anyhow::Result<Value> {
    let mut weekly = Map::new();
    for (named, stretches) in written {
        let mut intervals = Vec::new();
        if !matches!(fold(stretches.trim()).as_str(), "closed" | "cerrado" | "") {
            for stretch in stretches.split([',', ';']) {
                let Some((from, to)) = stretch.split_once('-') else {
                    bail!("`{stretch}` are no hours such as 09:00-19:00");
                };
                intervals.push(json!({ "from": from.trim(), "to": to.trim() }));
            }
        }
        for day in days(named)? {
            weekly.insert(DAYS[day].1.to_owned(), json!(intervals));
        }
    }
    Ok(json!({ "weekly": weekly }))
}

/// Whole days, inside whatever hours the branch has.
pub(super) fn whole_days(text: &str) -> anyhow::Result<Value> {
    let mut weekly = Map::new();
    for day in days(text)? {
        let all_day = json!([{ "from": "00:00", "to": "24:00" }]);
        weekly.insert(DAYS[day].1.to_owned(), all_day);
    }
    Ok(json!({ "weekly": weekly }))
}

/// How long something takes at most: `35-50` minutes, `24 h`, or a number of minutes.
pub(super) fn longest_minutes(written: &Value) -> Option<u16> {
    let text = match written {
        Value::Number(number) => number.to_string(),
        Value::String(text) => fold(text),
        _ => return None,
    };
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let largest: u32 = numbers.filter_map(|number| number.parse().ok()).max()?;
    let mut words = text.split(|c: char| !c.is_alphabetic());
    let hours = words.any(|word| matches!(word, "h" | "hr" | "hrs") || word.starts_with("hora"));
    let minutes = if hours {
        largest.checked_mul(60)?
    } else {
        largest
    };
    u16::try_from(minutes.clamp(1, LONGEST_MINUTES)).ok()
}

/// The rule that `1 por cada $100` or `5 % del consumo` says.
pub(super) fn earning(text: &str, currency: Currency) -> Option<SpendRule> {
    let folded = fold(text);
    if let Some((percent, _)) = folded.split_once('%') {
        let percent = percent.trim().parse().ok()?;
        let every = amount(&Number::from(100), currency).ok()?;
        return Some(rule(percent, every));
    }
    let (tokens, every) = ["por cada", "for every", "per", "por", "cada"]
        .iter()
        .find_map(|between| folded.split_once(between))?;
    let tokens = tokens.split(|c: char| !c.is_ascii_digit());
    let tokens = tokens.into_iter().find_map(|number| number.parse().ok())?;
    let every = Money::parse(every.trim(), currency).ok()?;
    Some(rule(tokens, every))
}

const fn rule(tokens: u32, every: Money) -> SpendRule {
    SpendRule {
        tokens,
        every,
        minimum: None,
    }
}

/// An amount that a file writes as a number of whole units.
pub(super) fn amount(number: &Number, currency: Currency) -> anyhow::Result<Money> {
    let read = || {
        let (whole, parts) = number.to_string().split_once('.').map_or_else(
            || (number.to_string(), String::new()),
            |(whole, parts)| (whole.to_owned(), parts.trim_end_matches('0').to_owned()),
        );
        let decimals = usize::try_from(currency.decimals()).ok()?;
        if parts.len() > decimals {
            return None;
        }
        let minor: i64 = format!("{whole}{parts:0<decimals$}").parse().ok()?;
        (minor >= 0).then(|| Money::new(minor, currency))
    };
    read().with_context(|| format!("{number} is no amount of {}", currency.as_str()))
}

#[cfg(test)]
mod tests;
