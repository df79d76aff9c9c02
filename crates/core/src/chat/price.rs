//! What an answer cost, as far as it can be known.

use super::config::ModelProvider;
use super::event::Usage;
use crate::embedding::EmbeddingProvider;
use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::LazyLock;
use utoipa::ToSchema;

static PUBLISHED: LazyLock<PriceTable> =
    LazyLock::new(|| PriceTable::parse(include_str!("../../data/prices.txt")).unwrap_or_default());

/// The parts of a dollar that costs are counted in, and the tokens that prices are for.
const MILLION: u64 = 1_000_000;
/// No model costs more dollars for a million tokens; what does is a slip of the hand.
const MOST_DOLLARS: u64 = 100_000;

/// Whoever is paid for tokens: those whose models write, and those whose models make vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PricedProvider {
    Builtin,
    Openai,
    Anthropic,
    Gemini,
    Cohere,
    Ollama,
    /// Any server that speaks a protocol of OpenAI, the `custom` one of vectors included.
    OpenaiCompatible,
}

impl From<ModelProvider> for PricedProvider {
    fn from(provider: ModelProvider) -> Self {
        match provider {
            ModelProvider::Builtin => Self::Builtin,
            ModelProvider::Openai => Self::Openai,
            ModelProvider::Anthropic => Self::Anthropic,
            ModelProvider::Gemini => Self::Gemini,
            ModelProvider::Ollama => Self::Ollama,
            ModelProvider::OpenaiCompatible => Self::OpenaiCompatible,
        }
    }
}

impl From<EmbeddingProvider> for PricedProvider {
    fn from(provider: EmbeddingProvider) -> Self {
        match provider {
            EmbeddingProvider::Builtin | EmbeddingProvider::Local => Self::Builtin,
            EmbeddingProvider::Openai => Self::Openai,
            EmbeddingProvider::Cohere => Self::Cohere,
            EmbeddingProvider::Custom => Self::OpenaiCompatible,
        }
    }
}

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    pub input: u64,
    pub cached_input: u64,
    pub cache_write: u64,
    pub output: u64,
    /// Above so many tokens of input another price holds, which is not known.
    pub up_to: Option<u64>,
}

impl Price {
    /// What that costs, in millionths of a US dollar.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<i64> {
        if self.up_to.is_some_and(|most| usage.input_tokens > most) {
            return None;
        }
        // A part is never more than the whole, whatever a provider counted.
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
        let fresh = usage.input_tokens - cached - written;
        let total: u128 = [
            (fresh, self.input),
            (cached, self.cached_input),
            (written, self.cache_write),
            (usage.output_tokens, self.output),
        ]
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .sum();
        let million = u128::from(MILLION);
        Some(i64::try_from((total + million / 2) / million).unwrap_or(i64::MAX))
    }
}

/// A price that a tenant agreed with its provider, or knows of a model that nobody publishes one
/// for. In millionths of a US dollar for a million tokens, so that no fraction is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnPrice {
    pub provider: PricedProvider,
    #[schema(min_length = 1, max_length = 200, example = "text-embedding-3-small")]
    pub model: String,
    #[schema(maximum = 100_000_000_000_i64, example = 20_000)]
    pub input: u64,
    /// What `input` says unless it is given.
    #[serde(default)]
    #[schema(maximum = 100_000_000_000_i64)]
    pub cached_input: Option<u64>,
    #[serde(default)]
    #[schema(maximum = 100_000_000_000_i64)]
    pub cache_write: Option<u64>,
    /// Nothing for models that make vectors.
    #[serde(default)]
    #[schema(maximum = 100_000_000_000_i64)]
    pub output: u64,
}

/// The prices that a tenant knows better than the published table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OwnPrices {
    #[schema(max_items = 200)]
    pub prices: Vec<OwnPrice>,
    /// What a US dollar costs, in millionths of a unit of the business's currency. Costs are shown in
    /// dollars without it.
    #[schema(minimum = 1, maximum = 100_000_000_000_i64, example = 3_750_000)]
    pub dollar: Option<u64>,
}

impl OwnPrices {
    const MOST: usize = 200;
    const LONGEST_MODEL: usize = 200;
    /// A hundred thousand units, in millionths.
    const DEAREST_DOLLAR: i64 = 100_000_000_000;

    /// Notes what is wrong with them.
    pub fn check(&self, checks: &mut Checks) {
        if self.prices.len() > Self::MOST {
            checks.problem("prices", Problem::TooMany { max: Self::MOST });
        }
        if let Some(dollar) = self.dollar {
            let dollar = i64::try_from(dollar).unwrap_or(i64::MAX);
            checks.range("dollar", dollar, 1, Self::DEAREST_DOLLAR);
        }
        let mut named = HashSet::new();
        for (at, price) in self.prices.iter().enumerate().take(Self::MOST) {
            let field = |name: &str| format!("prices[{at}].{name}");
            checks.line(&field("model"), &price.model, Self::LONGEST_MODEL);
            if !named.insert((price.provider, price.model.trim())) {
                checks.problem(&field("model"), Problem::Duplicate);
            }
            for (name, value) in [
                ("input", Some(price.input)),
                ("cached_input", price.cached_input),
                ("cache_write", price.cache_write),
                ("output", Some(price.output)),
            ] {
                let value = i64::try_from(value.unwrap_or(0)).unwrap_or(i64::MAX);
                let max = i64::try_from(MOST_DOLLARS * MILLION).unwrap_or(i64::MAX);
                checks.range(&field(name), value, 0, max);
            }
        }
    }

    /// What tokens cost by these prices, or else by the published ones, in millionths of a US
    /// dollar; `None` where nobody can say.
    #[must_use]
    pub fn cost(
        &self,
        provider: impl Into<PricedProvider>,
        model: &str,
        usage: &Usage,
    ) -> Option<i64> {
        let published = PriceTable::published();
        if self.prices.is_empty() {
            return published.cost(provider, model, usage);
        }
        published
            .with_own(&self.prices)
            .cost(provider, model, usage)
    }
}

#[derive(Clone, Debug)]
struct Line {
    provider: PricedProvider,
    model: String,
    price: Price,
}

/// The prices of the models that have one. Later lines count more than earlier ones.
#[derive(Clone, Debug, Default)]
pub struct PriceTable {
    lines: Vec<Line>,
}

impl PriceTable {
    /// What providers publish.
    #[must_use]
    pub fn published() -> &'static Self {
        &PUBLISHED
    }

    /// The same with prices of a tenant's own before those.
    #[must_use]
    pub fn with_own(&self, own: &[OwnPrice]) -> Self {
        let mut table = self.clone();
        table.lines.extend(own.iter().map(|own| Line {
            provider: own.provider,
            model: own.model.trim().to_owned(),
            price: Price {
                input: own.input,
                cached_input: own.cached_input.unwrap_or(own.input),
                cache_write: own.cache_write.unwrap_or(own.input),
                output: own.output,
                up_to: None,
            },
        }));
        table
    }

    /// The price of a model, if it is known.
    #[must_use]
    pub fn price(&self, provider: impl Into<PricedProvider>, model: &str) -> Option<Price> {
        let provider = provider.into();
        let name = model.trim();
        let name = name.strip_prefix("models/").unwrap_or(name);
        let of_provider = || self.lines.iter().rev().filter(|l| l.provider == provider);
        of_provider()
            .find(|line| line.model == name)
            .or_else(|| of_provider().find(|line| is_version(&line.model, name)))
            .or_else(|| of_provider().find(|line| line.model == "*"))
            .map(|line| line.price)
    }

    /// What an answer cost, in millionths of a US dollar; `None` where nobody can say.
    #[must_use]
    pub fn cost(
        &self,
        provider: impl Into<PricedProvider>,
        model: &str,
        usage: &Usage,
    ) -> Option<i64> {
        self.price(provider, model)?.cost(usage)
    }

    fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines = lines.map(parse_line).collect::<Option<_>>()?;
        Some(Self { lines })
    }
}

/// What an answer cost by the published prices, in millionths of a US dollar; `None` where nobody
/// can say.
#[must_use]
pub fn cost(provider: impl Into<PricedProvider>, model: &str, usage: &Usage) -> Option<i64> {
    PriceTable::published().cost(provider, model, usage)
}

fn parse_line(line: &str) -> Option<Line> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [
        provider,
        model,
        input,
        cached_input,
        cache_write,
        output,
        up_to,
        _read_on,
        _source,
    ] = cells[..]
    else {
        return None;
    };
    let or_input = |cell: &str| match cell {
        "-" => dollars(input),
        price => dollars(price),
    };
    Some(Line {
        provider: serde_json::from_value(provider.into()).ok()?,
        model: model.to_owned(),
        price: Price {
            input: dollars(input)?,
            cached_input: or_input(cached_input)?,
            cache_write: or_input(cache_write)?,
            output: dollars(output)?,
            up_to: match up_to {
                "-" => None,
                tokens => Some(tokens.parse().ok()?),
            },
        },
    })
}

/// Dollars with up to six decimals, in millionths.
fn dollars(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || fraction.len() > 6 {
        return None;
    }
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok().filter(|whole| *whole <= MOST_DOLLARS)?;
    let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
    Some(whole * MILLION + fraction)
}

/// Whether a name is that of the model with nothing but a version behind it.
fn is_version(model: &str, name: &str) -> bool {
    let Some(version) = name
        .strip_prefix(model)
        .and_then(|rest| rest.strip_prefix('-'))
    else {
        return false;
    };
    let shape: String = version
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    matches!(shape.as_str(), "latest" | "000" | "00000000" | "0000-00-00")
}

#[cfg(test)]
mod tests;
