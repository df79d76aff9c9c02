//! How the documents of a knowledge base are cut, and what may be asked for.

use crate::validate::{Checks, Problem};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// Sizes for a configuration that counts in tokens.
pub const TOKEN_CHUNK_SIZE: u32 = 800;
pub const TOKEN_CHUNK_OVERLAP: u32 = 100;
/// Products, opening hours and the like are short and looked for one by one, so that smaller
/// chunks find them better.
pub const BUSINESS_CHUNK_TOKENS: u32 = 512;

const SMALLEST_CHUNK: u32 = 50;
const LARGEST_CHUNK: u32 = 8_000;
const LARGEST_MAXIMUM: u32 = 16_000;
const LONGEST_SEPARATOR: usize = 200;
/// What a compiled separator may take, and what searching with it may keep.
const SEPARATOR_BYTES: usize = 256 * 1024;

/// Where a text is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChunkStrategy {
    /// Windows of one size that overlap, each ending at the best place near its limit.
    #[default]
    Fixed,
    /// Where the topic changes, as the meaning of neighbouring sentences tells.
    Semantic,
    /// Whole paragraphs, as many as fit.
    Paragraph,
}

/// What the sizes count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SizeUnit {
    #[default]
    Characters,
    /// Tokens of the `o200k` vocabulary.
    Tokens,
}

/// Sizes that are left out are those of the unit: 1000 characters with 200 of overlap, or 800 tokens
/// with 100.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default, from = "GivenConfig")]
pub struct ChunkingConfig {
    pub strategy: ChunkStrategy,
    pub unit: SizeUnit,
    /// How long a chunk is made. `semantic` goes by the topic instead and only cuts sentences
    /// over the maximum to this size.
    #[schema(minimum = 50, maximum = 8000, default = 1000)]
    pub chunk_size: u32,
    /// How much of the end of a chunk is repeated at the beginning of the next, where a cut does
    /// not fall between paragraphs or topics. At most half of `chunk_size`.
    #[schema(minimum = 0, maximum = 4000, default = 200)]
    pub chunk_overlap: u32,
    /// No chunk is longer than this. At least `chunk_size`.
    #[schema(minimum = 50, maximum = 16000, default = 2000)]
    pub max_chunk_size: u32,
    /// A shorter piece joins its neighbour when both fit into the maximum. At most `chunk_size`.
    #[schema(minimum = 0, maximum = 8000, default = 100)]
    pub min_chunk_size: u32,
    /// What stands between paragraphs, for `paragraph` and `semantic`. Blank lines when absent.
    #[schema(min_length = 1, max_length = 200, example = "\\n-{3,}\\n")]
    pub separator_regex: Option<String>,
    /// The document's title counts when a chunk is searched.
    #[schema(default = true)]
    pub include_title: bool,
    /// Chunks, search results and citations tell the page they stand on.
    #[schema(default = true)]
    pub include_page_number: bool,
    /// Chunks and search results tell the address of the web page they are from.
    #[schema(default = true)]
    pub include_source_url: bool,
}

/// A configuration as people give it: what they leave out depends on the unit.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GivenConfig {
    #[serde(deserialize_with = "given")]
    strategy: Option<ChunkStrategy>,
    unit: SizeUnit,
    #[serde(deserialize_with = "given")]
    chunk_size: Option<u32>,
    #[serde(deserialize_with = "given")]
    chunk_overlap: Option<u32>,
    #[serde(deserialize_with = "given")]
    max_chunk_size: Option<u32>,
    #[serde(deserialize_with = "given")]
    min_chunk_size: Option<u32>,
    separator_regex: Option<String>,
    #[serde(deserialize_with = "given")]
    include_title: Option<bool>,
    #[serde(deserialize_with = "given")]
    include_page_number: Option<bool>,
    #[serde(deserialize_with = "given")]
    include_source_url: Option<bool>,
}

/// What is there must be of its type: `null` is not a way of leaving it out.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl From<GivenConfig> for ChunkingConfig {
    fn from(given: GivenConfig) -> Self {
        let usual = Self::usual(given.unit);
        Self {
            strategy: given.strategy.unwrap_or(usual.strategy),
            unit: given.unit,
            chunk_size: given.chunk_size.unwrap_or(usual.chunk_size),
            chunk_overlap: given.chunk_overlap.unwrap_or(usual.chunk_overlap),
            max_chunk_size: given.max_chunk_size.unwrap_or(usual.max_chunk_size),
            min_chunk_size: given.min_chunk_size.unwrap_or(usual.min_chunk_size),
            separator_regex: given.separator_regex,
            include_title: given.include_title.unwrap_or(usual.include_title),
            include_page_number: given
                .include_page_number
                .unwrap_or(usual.include_page_number),
            include_source_url: given.include_source_url.unwrap_or(usual.include_source_url),
        }
    }
}

impl Default for ChunkingConfig {
    fn default() -> Self {
        Self {
            strategy: ChunkStrategy::default(),
            unit: SizeUnit::default(),
            chunk_size: 1000,
            chunk_overlap: 200,
            max_chunk_size: 2000,
            min_chunk_size: 100,
            separator_regex: None,
            include_title: true,
            include_page_number: true,
            include_source_url: true,
        }
    }
}

impl ChunkingConfig {
    /// What holds where nothing is said, for sizes in this unit.
    fn usual(unit: SizeUnit) -> Self {
        match unit {
            SizeUnit::Characters => Self::default(),
            SizeUnit::Tokens => Self::in_tokens(),
        }
    }

    /// The defaults of a configuration that counts in tokens.
    #[must_use]
    pub fn in_tokens() -> Self {
        Self {
            unit: SizeUnit::Tokens,
            chunk_size: TOKEN_CHUNK_SIZE,
            chunk_overlap: TOKEN_CHUNK_OVERLAP,
            max_chunk_size: 2 * TOKEN_CHUNK_SIZE,
            min_chunk_size: 25,
            ..Self::default()
        }
    }

    /// How a tenant's business content is cut.
    #[must_use]
    pub fn business() -> Self {
        Self {
            chunk_size: BUSINESS_CHUNK_TOKENS,
            chunk_overlap: BUSINESS_CHUNK_TOKENS / 8,
            max_chunk_size: 2 * BUSINESS_CHUNK_TOKENS,
            ..Self::in_tokens()
        }
    }

    pub fn check(&self, checks: &mut Checks) {
        let mut range = |field: &str, value: u32, min: u32, max: u32| {
            checks.range(
                &format!("chunking_config.{field}"),
                value.into(),
                min.into(),
                max.into(),
            );
        };
        // The other bounds follow from a size that is itself within bounds, so that one wrong
        // number is reported once.
        let size = self.chunk_size.clamp(SMALLEST_CHUNK, LARGEST_CHUNK);
        range("chunk_size", self.chunk_size, SMALLEST_CHUNK, LARGEST_CHUNK);
        // Whoever gives a size alone means that size: what was left at its default gives way.
        let usual = Self::usual(self.unit);
        if self.chunk_overlap != usual.chunk_overlap {
            range("chunk_overlap", self.chunk_overlap, 0, size / 2);
        }
        if self.max_chunk_size != usual.max_chunk_size {
            range("max_chunk_size", self.max_chunk_size, size, LARGEST_MAXIMUM);
        }
        if self.min_chunk_size != usual.min_chunk_size {
            range("min_chunk_size", self.min_chunk_size, 0, size);
        }
        if let Some(pattern) = &self.separator_regex {
            let field = "chunking_config.separator_regex";
            if pattern.is_empty() {
                checks.problem(field, Problem::Empty);
            } else if pattern.chars().count() > LONGEST_SEPARATOR {
                let max = LONGEST_SEPARATOR;
                checks.problem(field, Problem::TooLong { max });
            } else if compile(pattern).is_none() {
                checks.problem(field, Problem::NotARegex);
            }
        }
    }

    /// The separator, ready for use. One that does not compile counts as absent: it was refused
    /// when the configuration was checked.
    #[must_use]
    pub fn separator(&self) -> Option<Regex> {
        self.separator_regex.as_deref().and_then(compile)
    }
}

/// `None` for what is not a regular expression, takes too much memory, or would separate nothing
/// from nothing because it matches the empty text.
fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .size_limit(SEPARATOR_BYTES)
        .dfa_size_limit(SEPARATOR_BYTES)
        .build()
        .ok()
        .filter(|regex| !regex.is_match(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use serde_json::json;

    fn problems(config: &ChunkingConfig) -> Vec<String> {
        let mut checks = Checks::new();
        config.check(&mut checks);
        let Err(error) = checks.finish() else {
            return Vec::new();
        };
        error.details()["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| {
                let name = field["field"].as_str().unwrap();
                name.strip_prefix("chunking_config.").unwrap().to_owned()
            })
            .collect()
    }

    #[test]
    fn nothing_said_is_the_default_and_the_defaults_are_in_bounds() {
        let config: ChunkingConfig = serde_json::from_value(json!({})).unwrap();
        assert_eq!(config, ChunkingConfig::default());
        assert_eq!(
            serde_json::to_value(&config).unwrap(),
            json!({
                "strategy": "fixed", "unit": "characters", "chunk_size": 1000,
                "chunk_overlap": 200, "max_chunk_size": 2000, "min_chunk_size": 100,
                "separator_regex": null, "include_title": true, "include_page_number": true,
                "include_source_url": true,
            })
        );
        for config in [
            ChunkingConfig::default(),
            ChunkingConfig::in_tokens(),
            ChunkingConfig::business(),
        ] {
            assert_eq!(problems(&config), [""; 0]);
        }
    }

    #[test]
    fn sizes_in_tokens_have_defaults_of_their_own() {
        let config: ChunkingConfig = serde_json::from_value(json!({ "unit": "tokens" })).unwrap();
        assert_eq!(config, ChunkingConfig::in_tokens());
        assert_eq!((config.chunk_size, config.chunk_overlap), (800, 100));
        let given = json!({ "unit": "tokens", "chunk_size": 60, "include_title": false });
        let config: ChunkingConfig = serde_json::from_value(given).unwrap();
        assert_eq!((config.chunk_size, config.chunk_overlap), (60, 100));
        assert_eq!(
            (config.include_title, config.include_page_number),
            (false, true)
        );
        assert_eq!(problems(&config), [""; 0], "what was left out gives way");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for wrong in [
            json!({ "size": 1000 }),
            json!({ "strategy": "random" }),
            json!({ "unit": "words" }),
            json!({ "chunk_size": -1 }),
            json!({ "chunk_size": null }),
        ] {
            assert!(serde_json::from_value::<ChunkingConfig>(wrong).is_err());
        }
    }

    #[test]
    fn sizes_must_agree() {
        let config = |size, overlap, max, min| ChunkingConfig {
            chunk_size: size,
            chunk_overlap: overlap,
            max_chunk_size: max,
            min_chunk_size: min,
            ..ChunkingConfig::default()
        };
        assert_eq!(problems(&config(49, 0, 100, 0)), ["chunk_size"]);
        assert_eq!(problems(&config(8001, 0, 9000, 0)), ["chunk_size"]);
        assert_eq!(problems(&config(100, 51, 100, 0)), ["chunk_overlap"]);
        assert_eq!(problems(&config(100, 50, 100, 100)), [""; 0]);
        assert_eq!(
            problems(&config(100, 0, 99, 101)),
            ["max_chunk_size", "min_chunk_size"]
        );
        assert_eq!(problems(&config(100, 0, 16001, 0)), ["max_chunk_size"]);
    }

    #[test]
    fn a_size_alone_is_enough() {
        for size in [60, 300, 4000, 8000] {
            let alone: ChunkingConfig =
                serde_json::from_value(json!({ "chunk_size": size })).unwrap();
            assert_eq!(problems(&alone), [""; 0], "{size}");
        }
    }

    #[test]
    fn separators_are_regular_expressions_of_modest_size() {
        let config = |pattern: &str| ChunkingConfig {
            separator_regex: Some(pattern.to_owned()),
            ..ChunkingConfig::default()
        };
        assert_eq!(problems(&config("\\n---+\\n")), [""; 0]);
        for wrong in [
            "",
            "(",
            "x*",
            "\\p{L}{1000}{1000}",
            "(?:a{900}){900}",
            &"x".repeat(201),
        ] {
            assert_eq!(problems(&config(wrong)), ["separator_regex"], "{wrong}");
            assert!(wrong.len() > 200 || config(wrong).separator().is_none());
        }
        let mut checks = Checks::new();
        config("(").check(&mut checks);
        let error = checks.finish().unwrap_err();
        assert!(error.message(Language::Es).contains("expresión regular"));
    }
}
