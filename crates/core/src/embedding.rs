//! How the chunks of a knowledge base become vectors.

use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingProvider {
    /// The model inside the product: no key, no server.
    #[default]
    Builtin,
    Openai,
    Cohere,
    /// Any server that speaks OpenAI's protocol: Ollama, vLLM, TEI.
    Custom,
    /// A sentence transformer run by this process, where it was built for that.
    Local,
}

impl EmbeddingProvider {
    pub const ALL: [Self; 5] = [
        Self::Builtin,
        Self::Openai,
        Self::Cohere,
        Self::Custom,
        Self::Local,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Openai => "openai",
            Self::Cohere => "cohere",
            Self::Custom => "custom",
            Self::Local => "local",
        }
    }
}

/// The model and how it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EmbeddingConfig {
    pub provider: EmbeddingProvider,
    /// What the provider calls the model. `builtin` has `quipu-es-en/encoder`, whose vectors are
    /// made in the background behind those of `quipu-es-en/static`, and that one alone, which is
    /// quicker. `local`, where the server was built for it, has the name of a folder with a model, or
    /// of one on the hub.
    #[schema(min_length = 1, max_length = 200)]
    pub model: String,
    /// How long its vectors are. Models that can are asked for this length.
    #[schema(minimum = 1, maximum = 4096)]
    pub dimensions: u32,
    /// Where a `custom` server answers, up to and including `/v1`.
    #[schema(max_length = 500, example = "http://127.0.0.1:11434/v1")]
    pub base_url: Option<String>,
    /// Chunks handed to the model at once.
    #[schema(minimum = 1, maximum = 2048)]
    pub batch_size: u32,
    /// Batches worked on at the same time.
    #[schema(minimum = 1, maximum = 16)]
    pub concurrent_batches: u32,
}

/// The built-in models and the length of their vectors.
pub const BUILTIN_STATIC: &str = "quipu-es-en/static";
pub const BUILTIN_ENCODER: &str = "quipu-es-en/encoder";
pub const BUILTIN_DIMENSIONS: u32 = 384;
/// Other weights or another tokenizer need another version: vectors made with the old ones would
/// not be comparable.
pub const BUILTIN_VERSION: u32 = 2;

const MAX_DIMENSIONS: u32 = 4096;

/// The longest vectors of the models whose length is known, and whether a shorter one can be had.
const KNOWN: &[(EmbeddingProvider, &str, u32, bool)] = &[
    (
        EmbeddingProvider::Openai,
        "text-embedding-3-small",
        1536,
        true,
    ),
    (
        EmbeddingProvider::Openai,
        "text-embedding-3-large",
        3072,
        true,
    ),
    (
        EmbeddingProvider::Openai,
        "text-embedding-ada-002",
        1536,
        false,
    ),
    (EmbeddingProvider::Cohere, "embed-v4.0", 1536, true),
    (
        EmbeddingProvider::Cohere,
        "embed-multilingual-v3.0",
        1024,
        false,
    ),
    (
        EmbeddingProvider::Cohere,
        "embed-multilingual-light-v3.0",
        384,
        false,
    ),
    (EmbeddingProvider::Cohere, "embed-english-v3.0", 1024, false),
];

impl Default for EmbeddingConfig {
    fn default() -> Self {
        Self {
            provider: EmbeddingProvider::Builtin,
            model: BUILTIN_ENCODER.to_owned(),
            dimensions: BUILTIN_DIMENSIONS,
            base_url: None,
            batch_size: 256,
            concurrent_batches: 2,
        }
    }
}

impl EmbeddingConfig {
    /// The models that can be asked for by name alone.
    pub const NAMES: [&'static str; 2] = [BUILTIN_ENCODER, BUILTIN_STATIC];

    /// The configuration of a model that is known by its name alone.
    #[must_use]
    pub fn named(model: &str, dimensions: Option<u32>) -> Option<Self> {
        let (provider, longest) = if Self::NAMES.contains(&model) {
            (EmbeddingProvider::Builtin, BUILTIN_DIMENSIONS)
        } else {
            let known = KNOWN.iter().find(|known| known.1 == model)?;
            (known.0, known.2)
        };
        Some(Self {
            provider,
            model: model.to_owned(),
            dimensions: dimensions.unwrap_or(longest),
            ..Self::default()
        })
    }

    /// What a knowledge base gets when there is a key for `OpenAI`.
    #[must_use]
    pub fn openai() -> Self {
        Self {
            provider: EmbeddingProvider::Openai,
            model: "text-embedding-3-small".to_owned(),
            dimensions: 1536,
            ..Self::default()
        }
    }

    /// The name and length under which vectors of this model are kept. Vectors of different names
    /// are never compared.
    #[must_use]
    pub fn vector_model(&self) -> String {
        match self.provider {
            EmbeddingProvider::Builtin => format!("{}@{BUILTIN_VERSION}", self.model),
            provider => format!("{}/{}@{}", provider.as_str(), self.model, self.dimensions),
        }
    }

    /// The model whose vectors a document gets before it can be found: this one, or a quick one
    /// where this one's are made behind it.
    #[must_use]
    pub fn first(&self) -> Self {
        let mut first = self.clone();
        if first.provider == EmbeddingProvider::Builtin {
            first.model = BUILTIN_STATIC.to_owned();
        }
        first
    }

    pub fn check(&self, checks: &mut Checks) {
        let mut range = |field: &str, value: u32, min: u32, max: u32| {
            let field = format!("embedding_config.{field}");
            checks.range(&field, value.into(), min.into(), max.into());
        };
        range("batch_size", self.batch_size, 1, 2048);
        range("concurrent_batches", self.concurrent_batches, 1, 16);
        let known = KNOWN
            .iter()
            .find(|known| known.0 == self.provider && known.1 == self.model);
        let (shortest, longest) = match (self.provider, known) {
            (EmbeddingProvider::Builtin, _) => (BUILTIN_DIMENSIONS, BUILTIN_DIMENSIONS),
            (_, Some((_, _, longest, true))) => (1, *longest),
            (_, Some((_, _, length, false))) => (*length, *length),
            (_, None) => (1, MAX_DIMENSIONS),
        };
        range("dimensions", self.dimensions, shortest, longest);
        checks.text("embedding_config.model", &self.model, 200);
        if self.provider == EmbeddingProvider::Builtin
            && ![BUILTIN_ENCODER, BUILTIN_STATIC].contains(&self.model.as_str())
        {
            let allowed = format!("{BUILTIN_ENCODER}, {BUILTIN_STATIC}");
            checks.problem("embedding_config.model", Problem::Unknown { allowed });
        }
        let field = "embedding_config.base_url";
        match (&self.base_url, self.provider) {
            (None, EmbeddingProvider::Custom) => {
                checks.problem(field, Problem::Empty);
            }
            (Some(url), EmbeddingProvider::Custom) => checks.server(field, url, 500),
            (Some(_), _) => {
                let allowed = "custom".to_owned();
                checks.problem(field, Problem::Unknown { allowed });
            }
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EmbeddingProvider::{Builtin, Cohere, Custom, Local, Openai};

    fn config(provider: EmbeddingProvider, model: &str, dimensions: u32) -> EmbeddingConfig {
        EmbeddingConfig {
            provider,
            model: model.to_owned(),
            dimensions,
            base_url: (provider == Custom).then(|| "http://127.0.0.1:11434/v1".to_owned()),
            ..EmbeddingConfig::default()
        }
    }

    fn is_right(config: &EmbeddingConfig) -> bool {
        let mut checks = Checks::new();
        config.check(&mut checks);
        checks.finish().is_ok()
    }

    #[test]
    fn lengths_belong_to_models() {
        for (provider, model, right, wrong) in [
            (Builtin, BUILTIN_ENCODER, 384, 768),
            (Builtin, BUILTIN_STATIC, 384, 1),
            (Openai, "text-embedding-3-small", 512, 1537),
            (Openai, "text-embedding-3-large", 3072, 3073),
            (Openai, "text-embedding-ada-002", 1536, 512),
            (Cohere, "embed-multilingual-v3.0", 1024, 512),
            (Custom, "nomic-embed-text", 768, 4097),
            (Local, "intfloat/multilingual-e5-small", 384, 0),
        ] {
            assert!(is_right(&config(provider, model, right)), "{model}");
            assert!(!is_right(&config(provider, model, wrong)), "{model}");
        }
        assert!(!is_right(&config(Builtin, "another", 384)));
    }

    #[test]
    fn an_address_is_for_custom_servers_alone() {
        let mut without = config(Custom, "m", 8);
        without.base_url = None;
        assert!(!is_right(&without));
        let mut with = config(Openai, "text-embedding-3-small", 1536);
        with.base_url = Some("http://10.0.0.1/v1".to_owned());
        assert!(!is_right(&with));
    }

    #[test]
    fn vectors_are_kept_under_a_name_of_their_own() {
        let builtin = EmbeddingConfig::default();
        assert_eq!(builtin.vector_model(), "quipu-es-en/encoder@2");
        assert_eq!(EmbeddingConfig::default().first().model, BUILTIN_STATIC);
        let openai = EmbeddingConfig::openai();
        assert_eq!(openai.vector_model(), "openai/text-embedding-3-small@1536");
        assert_eq!(openai.first(), openai);
    }
}
