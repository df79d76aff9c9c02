//! What the files of a sentence transformer say about it.

use crate::local::{Config, Family, Place, is_plain, json};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) config: Config,
    pub(super) family: Family,
    pub(super) pooling: Pooling,
    pub(super) most_tokens: usize,
    pub(super) lower_case: bool,
    pub(super) prefixes: Prefixes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    /// The vector of the first token stands for all.
    First,
}

/// What is written before a text so that the model knows what it is for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prefixes {
    pub(super) question: String,
    pub(super) passage: String,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

/// The fields of a pooling, among them one for every way that there is.
type PoolingConfig = BTreeMap<String, Value>;

#[derive(Default, Deserialize)]
#[serde(default)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
    do_lower_case: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Prompts {
    prompts: BTreeMap<String, String>,
    default_prompt_name: Option<String>,
}

impl Manifest {
    pub(super) fn read(place: &Place, name: &str) -> Result<Self, String> {
        let config: Config = json(place, "config.json")?.ok_or("there is no config.json")?;
        let family = config.family()?;
        let pooling_folder = pipeline(json(place, "modules.json")?.unwrap_or_default())?;
        let modes: Option<PoolingConfig> = json(place, &format!("{pooling_folder}/config.json"))?;
        let sentence: SentenceConfig =
            json(place, "sentence_bert_config.json")?.unwrap_or_default();
        let prompts: Prompts =
            json(place, "config_sentence_transformers.json")?.unwrap_or_default();
        let most_tokens = config.most_tokens(place, family, sentence.max_seq_length)?;
        let prefixes = prompts.prefixes(name, config.origin.as_deref().unwrap_or_default());
        let all_pooled = modes.as_ref().and_then(|modes| modes.get("include_prompt"));
        if all_pooled == Some(&Value::Bool(false)) && prefixes != Prefixes::default() {
            return Err("its pooling leaves out what is written before a text".to_owned());
        }
        Ok(Self {
            family,
            pooling: modes.map_or(Ok(Pooling::Mean), |modes| pooling(&modes))?,
            most_tokens,
            lower_case: sentence.do_lower_case,
            prefixes,
            config,
        })
    }
}

/// The folder of the pooling. A step that is not known would make other vectors than meant.
fn pipeline(modules: Vec<Module>) -> Result<String, String> {
    let mut folder = "1_Pooling".to_owned();
    for module in modules {
        match module.kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" if module.path.is_empty() => {}
            "Normalize" => {}
            "Pooling" if is_plain(&module.path) => folder = module.path,
            other => return Err(format!("the step {other:?} is not known")),
        }
    }
    Ok(folder)
}

/// The one way of pooling that is switched on, or named in the newer files.
fn pooling(config: &PoolingConfig) -> Result<Pooling, String> {
    let mut modes = config.iter().filter_map(|(name, value)| match value {
        Value::Bool(true) => name.strip_prefix("pooling_mode_"),
        Value::String(mode) if name == "pooling_mode" => Some(mode.as_str()),
        _ => None,
    });
    match (modes.next(), modes.next()) {
        (Some("mean_tokens" | "mean"), None) => Ok(Pooling::Mean),
        (Some("cls_token" | "cls"), None) => Ok(Pooling::First),
        _ => Err("its pooling is neither the mean nor the first token".to_owned()),
    }
}

impl Prompts {
    fn prefixes(&self, name: &str, origin: &str) -> Prefixes {
        let prompt = |names: &[&str]| {
            let named = names.iter().find_map(|name| self.prompts.get(*name));
            let named = named.filter(|prompt| !prompt.is_empty());
            let always = self.default_prompt_name.as_ref();
            let always = || always.and_then(|name| self.prompts.get(name));
            named.or_else(always).cloned().unwrap_or_default()
        };
        let prefixes = Prefixes {
            question: prompt(&["query", "question"]),
            passage: prompt(&["document", "passage"]),
        };
        if prefixes == Prefixes::default() && (is_e5(name) || is_e5(origin)) {
            return Prefixes {
                question: "query: ".to_owned(),
                passage: "passage: ".to_owned(),
            };
        }
        prefixes
    }
}

/// Whether a name is one of the e5 models, which were trained with these words before each text.
/// Those that follow instructions were trained otherwise.
fn is_e5(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word == "e5") && !name.contains("instruct")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pooling(value: Value) -> Result<Pooling, String> {
        super::pooling(&serde_json::from_value(value).unwrap())
    }

    #[test]
    fn poolings_that_are_not_known_are_refused() {
        let mean = json!({"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true});
        assert_eq!(pooling(mean), Ok(Pooling::Mean));
        let first = json!({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false});
        assert_eq!(pooling(first), Ok(Pooling::First));
        assert_eq!(pooling(json!({"pooling_mode": "cls"})), Ok(Pooling::First));
        assert_eq!(pooling(json!({"pooling_mode": "mean"})), Ok(Pooling::Mean));
        for other in [
            json!({}),
            json!({"pooling_mode": "max"}),
            json!({"pooling_mode_max_tokens": true}),
            json!({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}),
            json!({"pooling_mode_mean_tokens": true, "pooling_mode_lasttoken": true}),
        ] {
            assert!(pooling(other.clone()).is_err(), "{other}");
        }
    }

    #[test]
    fn steps_that_are_not_known_are_refused() {
        let read = |kinds: &[(&str, &str)]| {
            let modules = kinds.iter().map(|(path, kind)| Module {
                path: (*path).to_owned(),
                kind: format!("sentence_transformers.models.{kind}"),
            });
            pipeline(modules.collect())
        };
        let usual = [
            ("", "Transformer"),
            ("1_Pooling", "Pooling"),
            ("2_Normalize", "Normalize"),
        ];
        assert_eq!(read(&usual).as_deref(), Ok("1_Pooling"));
        assert_eq!(read(&[]).as_deref(), Ok("1_Pooling"));
        assert!(read(&[("", "Transformer"), ("2_Dense", "Dense")]).is_err());
        assert!(read(&[("../otro", "Pooling")]).is_err());
    }

    #[test]
    fn models_are_told_what_a_text_is_for_as_they_were_trained() {
        let prefixes = |name: &str, origin: &str, value: Value| {
            let prompts: Prompts = serde_json::from_value(value).unwrap();
            let prefixes = prompts.prefixes(name, origin);
            (prefixes.question, prefixes.passage)
        };
        let pair = |question: &str, passage: &str| (question.to_owned(), passage.to_owned());
        let e5 = pair("query: ", "passage: ");
        assert_eq!(
            prefixes("intfloat/multilingual-e5-small", "", json!({})),
            e5
        );
        assert_eq!(prefixes("mio", "intfloat/e5-base-v2", json!({})), e5);
        let empty = json!({"prompts": {"query": "", "document": ""}});
        assert_eq!(prefixes("e5", "", empty), e5);
        let none = pair("", "");
        assert_eq!(
            prefixes("multilingual-e5-large-instruct", "", json!({})),
            none
        );
        assert_eq!(prefixes("bge-m3e5", "", json!({})), none);
        let own = json!({"prompts": {"query": "busca: ", "passage": "texto: "}});
        assert_eq!(prefixes("e5", "", own), pair("busca: ", "texto: "));
        let always = json!({"prompts": {"x": "di: "}, "default_prompt_name": "x"});
        assert_eq!(prefixes("mio", "", always), pair("di: ", "di: "));
    }
}
