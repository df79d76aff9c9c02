//! Who judges what a search found a second time, and more closely.

use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RerankProvider {
    /// Nobody: what is found first stays first.
    None,
    /// The encoder inside the product, for knowledge bases that are searched with another model.
    Encoder,
    /// Cohere, or any server that speaks its protocol: Jina, vLLM, `LiteLLM`.
    Cohere,
    /// A cross-encoder run by this process: the judge inside the product, unless another is named.
    #[default]
    Local,
}

impl RerankProvider {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Encoder => "encoder",
            Self::Cohere => "cohere",
            Self::Local => "local",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RerankConfig {
    pub provider: RerankProvider,
    /// What the provider calls the model: for `cohere` `rerank-v3.5` unless another is named, for
    /// `local` the judge inside the product unless the name of a folder with a model is given, or of
    /// one on the hub.
    #[schema(max_length = 200, example = "rerank-v3.5")]
    pub model: Option<String>,
    /// Where another server answers that speaks Cohere's protocol. Without a path, `/v2/rerank` is
    /// asked for; with one, `/rerank` behind it, unless it already ends so.
    #[schema(max_length = 500, example = "https://api.jina.ai/v1")]
    pub base_url: Option<String>,
}

/// Name and version of the judge inside the product. Other weights need another version: what was
/// fitted to its judgements is fitted to these.
pub const BUILTIN_JUDGE: &str = "quipu-judge@1";

/// What Cohere is asked for when no model is named.
pub const COHERE_RERANK_MODEL: &str = "rerank-v3.5";

impl RerankConfig {
    /// The model that is asked for, where the provider has several.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        match self.provider {
            RerankProvider::None | RerankProvider::Encoder => None,
            RerankProvider::Cohere => Some(self.model.as_deref().unwrap_or(COHERE_RERANK_MODEL)),
            RerankProvider::Local => self.model.as_deref(),
        }
    }

    /// Whether it is the judge inside the product.
    #[must_use]
    pub fn is_bundled(&self) -> bool {
        self.provider == RerankProvider::Local && self.model.is_none()
    }

    pub fn check(&self, checks: &mut Checks) {
        use RerankProvider::{Cohere, Encoder, Local, None as Nobody};
        let only = |allowed: &str| Problem::Unknown {
            allowed: allowed.to_owned(),
        };
        let field = "rerank_config.model";
        match (&self.model, self.provider) {
            (Some(model), Cohere | Local) => checks.text(field, model, 200),
            (Some(_), Nobody | Encoder) => {
                checks.problem(field, only("cohere, local"));
            }
            (None, _) => {}
        }
        let field = "rerank_config.base_url";
        match (&self.base_url, self.provider) {
            (Some(url), Cohere) => checks.text(field, url, 500),
            (Some(_), _) => {
                checks.problem(field, only("cohere"));
            }
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RerankProvider::{Cohere, Encoder, Local};

    fn config(provider: RerankProvider, model: &str, base_url: &str) -> RerankConfig {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        RerankConfig {
            provider,
            model: given(model),
            base_url: given(base_url),
        }
    }

    #[test]
    fn each_provider_takes_what_it_needs() {
        let is_right = |config: &RerankConfig| {
            let mut checks = Checks::new();
            config.check(&mut checks);
            checks.finish().is_ok()
        };
        let server = "https://api.jina.ai/v1";
        for right in [
            RerankConfig::default(),
            config(Encoder, "", ""),
            config(Cohere, "", ""),
            config(Cohere, "jina-reranker-v2-base-multilingual", server),
            config(Local, "", ""),
            config(Local, "BAAI/bge-reranker-v2-m3", ""),
        ] {
            assert!(is_right(&right), "{right:?}");
        }
        for wrong in [
            config(RerankProvider::None, "rerank-v3.5", ""),
            config(Encoder, "", server),
            config(Local, "m", server),
            config(Cohere, &"m".repeat(201), ""),
            config(Cohere, "m", &"u".repeat(501)),
        ] {
            assert!(!is_right(&wrong), "{wrong:?}");
        }
    }

    #[test]
    fn it_is_written_in_few_words() {
        let read: RerankConfig = serde_json::from_str(r#"{"provider": "cohere"}"#).unwrap();
        assert_eq!(read.model(), Some(COHERE_RERANK_MODEL));
        assert_eq!(read.provider.as_str(), "cohere");
        let none: RerankConfig = serde_json::from_str("{}").unwrap();
        assert_eq!((none.provider.as_str(), none.model()), ("local", None));
        assert!(none.is_bundled() && !read.is_bundled());
        assert!(serde_json::from_str::<RerankConfig>(r#"{"provider": "otro"}"#).is_err());
    }
}
