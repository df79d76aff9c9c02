//! How the chunks of a knowledge base become vectors.

use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingProvider {
    /// The model inside the product: no key, no server.
    #[default]
    Builtin,
}

/// The model and how it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EmbeddingConfig {
    pub provider: EmbeddingProvider,
    #[schema(min_length = 1, max_length = 100)]
    pub model: String,
    #[schema(minimum = 1, maximum = 4096)]
    pub dimensions: u32,
    /// Chunks handed to the model at once.
    #[schema(minimum = 1, maximum = 2048)]
    pub batch_size: u32,
    /// Batches worked on at the same time.
    #[schema(minimum = 1, maximum = 16)]
    pub concurrent_batches: u32,
}

/// The built-in model and the length of its vectors.
pub const BUILTIN_MODEL: &str = "quipu-es-en/static";
pub const BUILTIN_DIMENSIONS: u32 = 384;

impl Default for EmbeddingConfig {
    fn default() -> Self {
        Self {
            provider: EmbeddingProvider::Builtin,
            model: BUILTIN_MODEL.to_owned(),
            dimensions: BUILTIN_DIMENSIONS,
            batch_size: 256,
            concurrent_batches: 2,
        }
    }
}

impl EmbeddingConfig {
    pub fn check(&self, checks: &mut Checks) {
        if self.model != BUILTIN_MODEL {
            let allowed = BUILTIN_MODEL.to_owned();
            checks.problem("embedding_config.model", Problem::Unknown { allowed });
        }
        let dimensions = i64::from(BUILTIN_DIMENSIONS);
        checks.range(
            "embedding_config.dimensions",
            i64::from(self.dimensions),
            dimensions,
            dimensions,
        );
        checks.range(
            "embedding_config.batch_size",
            i64::from(self.batch_size),
            1,
            2048,
        );
        checks.range(
            "embedding_config.concurrent_batches",
            i64::from(self.concurrent_batches),
            1,
            16,
        );
    }
}
