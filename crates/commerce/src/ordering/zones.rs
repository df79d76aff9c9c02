//! Where an order is brought, and what that costs.

use super::menu::{check_price, count};
use super::negated::denied;
use super::tokens::{Kind, Token, tokens};
use super::words::{ENDING, Word, is_small};
use crate::money::{Currency, Money, MoneyProblem};
use quipu_core::language::Language;
use quipu_core::validate::{Checks, under};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const LONGEST_NAME: usize = 120;
const MOST_ALIASES: usize = 20;
/// How much of an address is read.
const MAX_CHARS: usize = 500;
/// A text of more words is an address, in which a zone is named in full.
const NAME_WORDS: usize = 4;
const MOST_CANDIDATES: usize = 5;
/// A day.
const MOST_MINUTES: i64 = 1_440;

/// A part of the town that orders are brought to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// Other names of it, and of the districts and neighbourhoods inside it.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub aliases: Vec<String>,
    pub fee: Money,
    /// What the things ordered must come to.
    #[serde(default)]
    pub minimum: Option<Money>,
    /// How long it takes.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1440)]
    pub minutes: Option<u16>,
}

impl Zone {
    pub fn check(&self, field: &str, currency: Currency, checks: &mut Checks) {
        checks.line(&under(field, "name"), &self.name, LONGEST_NAME);
        count(
            checks,
            &under(field, "aliases"),
            self.aliases.len(),
            0,
            MOST_ALIASES,
        );
        for (at, alias) in self.aliases.iter().take(MOST_ALIASES).enumerate() {
            checks.line(
                &under(field, &format!("aliases[{at}]")),
                alias,
                LONGEST_NAME,
            );
        }
        check_price(checks, &under(field, "fee"), self.fee, currency);
        if let Some(minimum) = self.minimum {
            check_price(checks, &under(field, "minimum"), minimum, currency);
        }
        if let Some(minutes) = self.minutes {
            checks.range(&under(field, "minutes"), minutes.into(), 1, MOST_MINUTES);
        }
    }

    /// What is still missing for an order to be brought here, if anything.
    ///
    /// # Errors
    /// When the order is in another currency.
    pub fn missing(&self, subtotal: Money) -> Result<Option<Money>, MoneyProblem> {
        let Some(minimum) = self.minimum else {
            return Ok(None);
        };
        let missing = minimum.minus(subtotal)?;
        Ok((missing.minor > 0).then_some(missing))
    }
}

/// Which zone an address is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneMatch<'z> {
    Found(&'z Zone),
    /// Several are named, or one that may only be the name of a street; best first, at most five.
    Ambiguous(Vec<&'z Zone>),
    Unknown,
}

impl ZoneMatch<'_> {
    /// The sentence that asks for what is missing; none when the zone is known.
    #[must_use]
    pub fn question(&self, language: Language) -> Option<String> {
        let es = language == Language::Es;
        match self {
            Self::Found(_) => None,
            Self::Ambiguous(zones) => {
                let names = zones.iter().map(|zone| zone.name.as_str());
                let names = super::questions::any_of(names, language);
                Some(if es {
                    format!("¿La entrega es en {names}?")
                } else {
                    format!("Is the delivery in {names}?")
                })
            }
            Self::Unknown if es => Some("¿En qué zona o distrito es la entrega?".into()),
            Self::Unknown => Some("Which area is the delivery in?".into()),
        }
    }
}

/// Where a zone is named in a text.
struct Mention {
    zone: usize,
    start: usize,
    end: usize,
    distance: u8,
    /// Behind "calle" or the like, where it is the name of a street.
    street: bool,
}

/// Finds the zone that an address or a name of a zone is in. A zone that is named in full counts;
/// of a short text, a part of the name is enough when no other zone has it.
#[must_use]
pub fn zone_for<'z>(text: &str, zones: &'z [Zone]) -> ZoneMatch<'z> {
    let start: String = text.chars().take(MAX_CHARS).collect();
    let tokens = tokens(&start);
    let denied = denied(&tokens);
    let counts = |token: &Token| token.kind == Kind::Word && !is_small(&token.word);
    let (denied, words): (Vec<bool>, Vec<Word>) = tokens
        .iter()
        .zip(denied)
        .filter(|(token, _)| counts(token))
        .map(|(token, denied)| (denied, Word::new(&token.word)))
        .unzip();
    let mut mentions = Vec::new();
    for (zone, known) in zones.iter().enumerate() {
        let names = std::iter::once(&known.name).chain(&known.aliases);
        mentions.extend(names.flat_map(|name| mentions_of(zone, &name_of(name), &words)));
    }
    mentions.retain(|mention| !denied[mention.start]);
    if mentions.iter().any(|mention| mention.distance <= ENDING) {
        mentions.retain(|mention| mention.distance <= ENDING);
    }
    // "San Isidro Norte" names no "San Isidro".
    let spans: Vec<_> = mentions.iter().map(|m| (m.start, m.end)).collect();
    mentions.retain(|mention| {
        let inside = |(start, end): &(usize, usize)| {
            *start <= mention.start
                && mention.end <= *end
                && end - start > mention.end - mention.start
        };
        !spans.iter().any(inside)
    });
    let only_streets = mentions.iter().all(|mention| mention.street);
    mentions.retain(|mention| only_streets || !mention.street);
    // An address goes from the street to the town, so that the last one is the likeliest.
    mentions.sort_by_key(|mention| std::cmp::Reverse(mention.start));
    let mut named: Vec<usize> = Vec::new();
    for mention in &mentions {
        if !named.contains(&mention.zone) {
            named.push(mention.zone);
        }
    }
    if named.is_empty() && words.len() <= NAME_WORDS {
        return decided(zones, partly_named(zones, &words), false);
    }
    decided(zones, named, only_streets)
}

fn decided(zones: &[Zone], named: Vec<usize>, doubtful: bool) -> ZoneMatch<'_> {
    let mut found = named.into_iter().filter_map(|at| zones.get(at));
    match (found.next(), found.next()) {
        (None, _) => ZoneMatch::Unknown,
        (Some(zone), None) if !doubtful => ZoneMatch::Found(zone),
        (first, second) => {
            let zones = first.into_iter().chain(second).chain(found);
            ZoneMatch::Ambiguous(zones.take(MOST_CANDIDATES).collect())
        }
    }
}

/// The words of a name that count.
fn name_of(name: &str) -> Vec<Word> {
    let words = super::tokens::name_words(name);
    let words = words.iter().filter(|word| !is_small(word));
    words.map(|word| Word::new(word)).collect()
}

fn mentions_of(zone: usize, name: &[Word], words: &[Word]) -> Vec<Mention> {
    if name.is_empty() {
        return Vec::new();
    }
    let windows = words.windows(name.len()).enumerate();
    let mentions = windows.filter_map(|(start, window)| {
        let distances = window.iter().zip(name).map(|(said, known)| {
            // "Calle" is no slip of "Valle".
            let other = is_street(&said.folded) && said.folded != known.folded;
            said.distances()(known).filter(|_| !other)
        });
        let distances = distances.collect::<Option<Vec<_>>>()?;
        let before = start.checked_sub(1).and_then(|before| words.get(before));
        Some(Mention {
            zone,
            start,
            end: start + name.len(),
            distance: distances.into_iter().max().unwrap_or(0),
            street: before.is_some_and(|word| is_street(&word.folded)),
        })
    });
    mentions.collect()
}

/// The zones that have all of the words in one of their names.
fn partly_named(zones: &[Zone], words: &[Word]) -> Vec<usize> {
    if words.is_empty() {
        return Vec::new();
    }
    let has_all = |name: &String| {
        let name = name_of(name);
        words
            .iter()
            .all(|word| name.iter().any(|known| word.distances()(known).is_some()))
    };
    let zones = zones.iter().enumerate();
    let named = zones.filter(|(_, zone)| has_all(&zone.name) || zone.aliases.iter().any(has_all));
    named.map(|(at, _)| at).collect()
}

fn is_street(word: &str) -> bool {
    matches!(
        word,
        "av" | "avda"
            | "ave"
            | "avenida"
            | "avenue"
            | "blvd"
            | "boulevard"
            | "bulevar"
            | "c"
            | "calle"
            | "calz"
            | "calzada"
            | "camino"
            | "carr"
            | "carretera"
            | "cl"
            | "jiron"
            | "jr"
            | "paseo"
            | "pasaje"
            | "pje"
            | "prolongacion"
            | "psje"
            | "street"
    )
}
