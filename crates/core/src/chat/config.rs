//! Which model answers for an agent.

use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelProvider {
    /// What the product itself can do: no key, no server.
    #[default]
    Builtin,
    Openai,
    Anthropic,
    Gemini,
    /// An Ollama server, with its own protocol.
    Ollama,
    /// Any server that speaks the chat protocol of OpenAI: vLLM, `OpenRouter`, Groq.
    OpenaiCompatible,
}

impl ModelProvider {
    pub const ALL: [Self; 6] = [
        Self::Builtin,
        Self::Openai,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::OpenaiCompatible,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::OpenaiCompatible => "openai_compatible",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.as_str() == text)
    }

    /// Whether a field of a configuration says something to this provider when another one was asked
    /// before. An address is that of a server of the other one.
    #[must_use]
    pub fn keeps(self, field: &str) -> bool {
        match field {
            "base_url" => false,
            "context_tokens" => self == Self::Ollama,
            "reads_pictures" | "model" => self != Self::Builtin,
            _ => true,
        }
    }

    /// The name among the secrets of a tenant under which its key for the provider lies.
    #[must_use]
    pub const fn secret(self) -> Option<&'static str> {
        match self {
            Self::Builtin => None,
            Self::Openai => Some("openai_api_key"),
            Self::Anthropic => Some("anthropic_api_key"),
            Self::Gemini => Some("gemini_api_key"),
            Self::Ollama => Some("ollama_api_key"),
            Self::OpenaiCompatible => Some("openai_compatible_api_key"),
        }
    }
}

/// The model of an agent and how it is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    pub provider: ModelProvider,
    /// What the provider calls the model.
    #[schema(min_length = 1, max_length = 200, example = "gpt-4.1-mini")]
    pub model: String,
    /// Where a server answers: for `openai_compatible` up to and including `/v1`, for `ollama`
    /// without a path. An `ollama` without an address is the one of whoever runs the platform.
    #[schema(max_length = 500, example = "http://127.0.0.1:11434")]
    pub base_url: Option<String>,
    /// From 0, always the likeliest words, to 2. Without it the provider decides, and models that
    /// take none are not told.
    #[schema(minimum = 0.0, maximum = 2.0)]
    pub temperature: Option<f32>,
    /// The longest answer, in tokens. Models that think before they answer count that as well.
    #[schema(minimum = 1, maximum = 131_072)]
    pub max_tokens: u32,
    /// How long a whole answer may take, attempts and waits included.
    #[schema(minimum = 1, maximum = 600)]
    pub timeout_seconds: u32,
    /// How many tokens an `ollama` model reads at most. It silently forgets the beginning of what
    /// is longer.
    #[schema(minimum = 512, maximum = 1_048_576)]
    pub context_tokens: Option<u32>,
    /// Whether the model can see. Then it reads the pictures of tickets that customers send, beside
    /// text recognition.
    pub reads_pictures: bool,
}

/// The name of what the product itself can do.
const BUILTIN_MODEL: &str = "quipu";

const MOST_TOKENS: u32 = 131_072;
const LONGEST_TIMEOUT: u32 = 600;
const CONTEXT_TOKENS: (u32, u32) = (512, 1_048_576);

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            provider: ModelProvider::Builtin,
            model: BUILTIN_MODEL.to_owned(),
            base_url: None,
            temperature: None,
            max_tokens: 1024,
            timeout_seconds: 60,
            context_tokens: None,
            reads_pictures: false,
        }
    }
}

impl ModelConfig {
    /// Provider and model in one word, as answers and logs name it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider.as_str(), self.model)
    }

    /// Checks every field; `field` is what the configuration is called where it was sent.
    pub fn check(&self, field: &str, checks: &mut Checks) {
        let at = |name: &str| crate::validate::under(field, name);
        let mut range = |name: &str, value: u32, (min, max): (u32, u32)| {
            checks.range(&at(name), value.into(), min.into(), max.into());
        };
        range("max_tokens", self.max_tokens, (1, MOST_TOKENS));
        range(
            "timeout_seconds",
            self.timeout_seconds,
            (1, LONGEST_TIMEOUT),
        );
        if let Some(tokens) = self.context_tokens {
            range("context_tokens", tokens, CONTEXT_TOKENS);
        }
        // A number that is none compares with nothing, so it is outside as well.
        if let Some(temperature) = self.temperature
            && !(0.0..=2.0).contains(&temperature)
        {
            checks.problem(&at("temperature"), Problem::Range { min: 0, max: 2 });
        }
        if self.reads_pictures && self.provider == ModelProvider::Builtin {
            let problem = Problem::NotTogether {
                with: self.provider.as_str().to_owned(),
                allowed: false.to_string(),
            };
            checks.problem(&at("reads_pictures"), problem);
        }
        checks.line(&at("model"), &self.model, 200);
        let field = at("base_url");
        match (&self.base_url, self.provider) {
            (None, ModelProvider::OpenaiCompatible) => {
                checks.problem(&field, Problem::Empty);
            }
            (Some(url), ModelProvider::OpenaiCompatible | ModelProvider::Ollama) => {
                checks.server(&field, url, 500);
            }
            (Some(_), _) => {
                let allowed = "openai_compatible, ollama".to_owned();
                checks.problem(&field, Problem::Unknown { allowed });
            }
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(change: impl FnOnce(&mut ModelConfig)) -> ModelConfig {
        let mut config = ModelConfig {
            provider: ModelProvider::Openai,
            model: "gpt-4.1-mini".to_owned(),
            ..ModelConfig::default()
        };
        change(&mut config);
        config
    }

    fn is_right(config: &ModelConfig) -> bool {
        let mut checks = Checks::new();
        config.check("model_config", &mut checks);
        checks.finish().is_ok()
    }

    #[test]
    fn each_provider_takes_what_it_needs() {
        let url = || Some("https://modelos.example/v1".to_owned());
        for right in [
            ModelConfig::default(),
            config(|_| {}),
            config(|c| c.temperature = Some(2.0)),
            config(|c| (c.provider, c.base_url) = (ModelProvider::OpenaiCompatible, url())),
            config(|c| (c.provider, c.base_url) = (ModelProvider::Ollama, url())),
            config(|c| c.provider = ModelProvider::Ollama),
            config(|c| c.reads_pictures = true),
        ] {
            assert!(is_right(&right), "{right:?}");
        }
        for wrong in [
            config(|c| c.model = " ".to_owned()),
            config(|c| c.model = "a\nb".to_owned()),
            config(|c| c.model = "m".repeat(201)),
            config(|c| c.temperature = Some(2.1)),
            config(|c| c.temperature = Some(-0.1)),
            config(|c| c.temperature = Some(f32::NAN)),
            config(|c| c.max_tokens = 0),
            config(|c| c.max_tokens = MOST_TOKENS + 1),
            config(|c| c.timeout_seconds = 0),
            config(|c| c.timeout_seconds = 601),
            config(|c| c.context_tokens = Some(1)),
            config(|c| c.base_url = url()),
            config(|c| c.provider = ModelProvider::OpenaiCompatible),
            config(|c| (c.provider, c.reads_pictures) = (ModelProvider::Builtin, true)),
        ] {
            assert!(!is_right(&wrong), "{wrong:?}");
        }
    }

    #[test]
    fn it_is_written_in_few_words() {
        let read: ModelConfig = serde_json::from_str(
            r#"{"provider": "openai_compatible", "model": "m", "base_url": "http://a"}"#,
        )
        .unwrap();
        assert_eq!(read.name(), "openai_compatible/m");
        assert_eq!((read.max_tokens, read.timeout_seconds), (1024, 60));
        assert!(serde_json::from_str::<ModelConfig>(r#"{"provider": "otro"}"#).is_err());
        assert!(serde_json::from_str::<ModelConfig>(r#"{"modelo": "m"}"#).is_err());
        for provider in ModelProvider::ALL {
            let written = serde_json::to_value(provider).unwrap();
            assert_eq!(written, provider.as_str());
            assert_eq!(ModelProvider::parse(provider.as_str()), Some(provider));
        }
        assert_eq!(ModelProvider::parse("otro"), None);
    }
}
