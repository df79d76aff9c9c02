//! How an agent is set. Every field has a default that is right for most.

use super::{AssistantType, Grounding, Medium, ResponseStyle};
use crate::chat::ModelConfig;
use crate::validate::{Checks, Problem, under};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// No answer is ever longer, whatever an agent is set to.
pub const MOST_WORDS: u16 = 200;

/// No message is answered from more passages, whatever an agent is set to.
const MOST_PASSAGES: u8 = 10;
const LONGEST_INSTRUCTIONS: usize = 8_000;
/// More tools than this there are not.
const MOST_TOOLS: usize = 64;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    pub response_style: ResponseStyle,
    pub assistant_type: AssistantType,
    pub grounding: Grounding,
    /// What the business tells this agent in its own words: its character, how leads are rated.
    #[schema(max_length = 8_000)]
    pub system_instructions: Option<String>,
    /// Who writes the answers. `builtin` needs no key and no server.
    pub model: ModelConfig,
    /// Who writes what is spoken, where that is somebody else.
    pub voice_model: Option<ModelConfig>,
    /// Who is asked when the first does not answer. After it, the product itself answers.
    pub fallback_model: Option<ModelConfig>,
    /// How many sentences an answer of a model has at most. A question at its end is not cut off.
    #[schema(minimum = 1, maximum = 10)]
    pub max_sentences: u8,
    /// How many words an answer has at most.
    #[schema(minimum = 20, maximum = 200)]
    pub max_words: u16,
    /// How many messages before the question are remembered.
    #[schema(minimum = 0, maximum = 30)]
    pub memory: u8,
    /// How many passages of the agent's knowledge a message is answered from at most.
    #[schema(minimum = 1, maximum = 10)]
    pub top_k: u8,
    /// How surely a passage has to answer, 0 to 1, to be one of them.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub similarity_threshold: f32,
    /// Whether each answer also rates how close the customer is to buying.
    pub tracks_temperature: bool,
    /// Whether the model is asked once, when the agent is saved, to put how the agent speaks into
    /// better words for this business. What it must not lose or add is checked.
    pub polish: bool,
    /// Whether a draft of this agent is published only after it was rehearsed and answered as its
    /// scripts expect.
    pub rehearse_before_publishing: bool,
    /// The tools that the agent goes without, by name. What needs one of them goes with it.
    #[schema(max_items = 64)]
    pub disabled_tools: BTreeSet<String>,
    /// A second way to be, tried out on a share of the conversations.
    pub experiment: Option<Experiment>,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            response_style: ResponseStyle::ProfesionalCalido,
            assistant_type: AssistantType::Full,
            grounding: Grounding::Strict,
            system_instructions: None,
            model: ModelConfig::default(),
            voice_model: None,
            fallback_model: None,
            max_sentences: 3,
            max_words: 120,
            memory: 8,
            top_k: 5,
            similarity_threshold: 0.7,
            tracks_temperature: true,
            polish: false,
            rehearse_before_publishing: false,
            disabled_tools: BTreeSet::new(),
            experiment: None,
        }
    }
}

/// A second way for an agent to be. What is left out stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What the comparison calls it.
    #[schema(min_length = 1, max_length = 60, example = "más corto")]
    pub name: String,
    /// The share of conversations that get it.
    #[schema(minimum = 1, maximum = 99)]
    pub percent: u8,
    #[serde(default)]
    pub response_style: Option<ResponseStyle>,
    #[serde(default)]
    #[schema(max_length = 8_000)]
    pub system_instructions: Option<String>,
    #[serde(default)]
    pub model: Option<ModelConfig>,
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10)]
    pub max_sentences: Option<u8>,
}

impl AgentSettings {
    /// Checks every field; `field` is what the settings are called where they were sent.
    pub fn check(&self, field: &str, checks: &mut Checks) {
        let at = |name: &str| under(field, name);
        if let Some(text) = &self.system_instructions {
            checks.text(&at("system_instructions"), text, LONGEST_INSTRUCTIONS);
        }
        self.model.check(&at("model"), checks);
        for (name, model) in [
            ("voice_model", &self.voice_model),
            ("fallback_model", &self.fallback_model),
        ] {
            if let Some(model) = model {
                model.check(&at(name), checks);
            }
        }
        checks.range(&at("max_sentences"), self.max_sentences.into(), 1, 10);
        checks.range(
            &at("max_words"),
            self.max_words.into(),
            20,
            MOST_WORDS.into(),
        );
        checks.range(&at("memory"), self.memory.into(), 0, 30);
        checks.range(&at("top_k"), self.top_k.into(), 1, MOST_PASSAGES.into());
        // A number that is none compares with nothing, so it is outside as well.
        if !(0.0..=1.0).contains(&self.similarity_threshold) {
            let field = at("similarity_threshold");
            checks.problem(&field, Problem::Range { min: 0, max: 1 });
        }
        if self.disabled_tools.len() > MOST_TOOLS {
            checks.problem(&at("disabled_tools"), Problem::TooMany { max: MOST_TOOLS });
        }
        if let Some(experiment) = &self.experiment {
            experiment.check(&at("experiment"), checks);
        }
    }

    /// All models that are named anywhere in the settings.
    pub fn models_mut(&mut self) -> impl Iterator<Item = &mut ModelConfig> {
        let tried = self.experiment.as_mut();
        let others = [
            self.voice_model.as_mut(),
            self.fallback_model.as_mut(),
            tried.and_then(|experiment| experiment.model.as_mut()),
        ];
        [Some(&mut self.model)].into_iter().chain(others).flatten()
    }

    /// Who writes answers that are read, or heard.
    #[must_use]
    pub fn model_for(&self, medium: Medium) -> &ModelConfig {
        match (medium, &self.voice_model) {
            (Medium::Voice, Some(model)) => model,
            _ => &self.model,
        }
    }

    /// Those who can see, in the order in which they are asked.
    pub fn seeing(&self) -> impl Iterator<Item = &ModelConfig> {
        let writing = [Some(&self.model), self.fallback_model.as_ref()];
        let writing = writing.into_iter().flatten();
        writing.filter(|model| model.reads_pictures)
    }

    /// The settings of a conversation with this number, and the name of the variant it is in where
    /// two are compared. The same conversation always gets the same.
    #[must_use]
    pub fn variant(&self, conversation: u64) -> (Self, Option<String>) {
        let Some(experiment) = &self.experiment else {
            return (self.clone(), None);
        };
        if conversation % 100 >= u64::from(experiment.percent) {
            return (self.clone(), Some("base".to_owned()));
        }
        let mut tried = self.clone();
        if let Some(style) = experiment.response_style {
            tried.response_style = style;
        }
        if let Some(instructions) = &experiment.system_instructions {
            tried.system_instructions = Some(instructions.clone());
        }
        if let Some(model) = &experiment.model {
            tried.model = model.clone();
        }
        if let Some(sentences) = experiment.max_sentences {
            tried.max_sentences = sentences;
        }
        (tried, Some(experiment.name.clone()))
    }
}

impl Experiment {
    fn check(&self, field: &str, checks: &mut Checks) {
        let at = |name: &str| under(field, name);
        checks.line(&at("name"), &self.name, 60);
        if self.name.trim() == "base" {
            // The settings as they are go by that name.
            let allowed = "otro nombre que «base» / any name but \"base\"".to_owned();
            checks.problem(&at("name"), Problem::Unknown { allowed });
        }
        checks.range(&at("percent"), self.percent.into(), 1, 99);
        if let Some(text) = &self.system_instructions {
            checks.text(&at("system_instructions"), text, LONGEST_INSTRUCTIONS);
        }
        if let Some(model) = &self.model {
            model.check(&at("model"), checks);
        }
        if let Some(sentences) = self.max_sentences {
            checks.range(&at("max_sentences"), sentences.into(), 1, 10);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(settings: &AgentSettings) -> bool {
        let mut checks = Checks::new();
        settings.check("settings", &mut checks);
        checks.finish().is_err()
    }

    #[test]
    fn the_defaults_are_right_and_what_is_beyond_bounds_is_not() {
        assert!(!problems(&AgentSettings::default()));
        for wrong in [
            r#"{"max_words": 201}"#,
            r#"{"max_words": 19}"#,
            r#"{"max_sentences": 0}"#,
            r#"{"memory": 31}"#,
            r#"{"top_k": 0}"#,
            r#"{"top_k": 11}"#,
            r#"{"similarity_threshold": 1.01}"#,
            r#"{"similarity_threshold": -0.1}"#,
            r#"{"model": {"provider": "openai_compatible", "model": "m"}}"#,
            r#"{"experiment": {"name": "base", "percent": 50}}"#,
            r#"{"experiment": {"name": "b", "percent": 100}}"#,
        ] {
            let settings: AgentSettings = serde_json::from_str(wrong).unwrap();
            assert!(problems(&settings), "{wrong}");
        }
        assert!(serde_json::from_str::<AgentSettings>(r#"{"estilo": "casual"}"#).is_err());
    }

    #[test]
    fn an_experiment_reaches_its_share_and_changes_what_it_says() {
        let settings = AgentSettings {
            experiment: Some(Experiment {
                name: "corto".to_owned(),
                percent: 30,
                response_style: Some(ResponseStyle::Casual),
                system_instructions: None,
                model: None,
                max_sentences: Some(1),
            }),
            ..AgentSettings::default()
        };
        let tried = (0..1_000).map(|n| settings.variant(n));
        let (mut with, mut without) = (0, 0);
        for (settings, name) in tried {
            match name.as_deref() {
                Some("corto") => {
                    with += 1;
                    assert_eq!(settings.response_style, ResponseStyle::Casual);
                    assert_eq!(settings.max_sentences, 1);
                }
                Some("base") => {
                    without += 1;
                    assert_eq!(settings.max_sentences, 3);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((with, without), (300, 700));
        assert_eq!(AgentSettings::default().variant(1).1, None);
    }

    #[test]
    fn what_is_heard_may_have_a_model_of_its_own() {
        let voice = ModelConfig {
            model: "gpt-4o".to_owned(),
            ..ModelConfig::default()
        };
        let settings = AgentSettings {
            voice_model: Some(voice.clone()),
            ..AgentSettings::default()
        };
        assert_eq!(settings.model_for(Medium::Voice), &voice);
        assert_eq!(settings.model_for(Medium::Messaging), &settings.model);
    }

    #[test]
    fn those_who_see_are_asked_in_the_usual_order() {
        let model = |name: &str, reads_pictures| ModelConfig {
            model: name.to_owned(),
            reads_pictures,
            ..ModelConfig::default()
        };
        let seeing = |first, second| {
            let settings = AgentSettings {
                model: model("first", first),
                fallback_model: Some(model("second", second)),
                ..AgentSettings::default()
            };
            let names = settings.seeing().map(|model| model.model.clone());
            names.collect::<Vec<_>>()
        };
        assert_eq!(seeing(true, true), ["first", "second"]);
        assert_eq!(seeing(false, true), ["second"]);
        assert!(seeing(false, false).is_empty());
    }
}
