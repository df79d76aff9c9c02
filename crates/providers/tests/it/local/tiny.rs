//! Models of a few numbers, drawn by chance but always the same.

use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub(crate) const WIDTH: usize = 8;
const WIDE: usize = 12;
const LAYERS: usize = 2;
const POSITIONS: usize = 20;
pub(crate) const MOST_TOKENS: usize = 10;

#[derive(Clone, Copy)]
pub(crate) enum Family {
    Bert,
    Roberta,
}

const BERT_WORDS: [&str; 15] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hola", "mundo", "el", "perro", "##s", "come",
    "query", "passage", ":", "camión",
];
const ROBERTA_WORDS: [&str; 15] = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "▁hola",
    "▁mundo",
    "▁el",
    "▁perro",
    "s",
    "▁come",
    "▁query",
    "▁passage",
    ":",
    "▁camión",
    "<mask>",
];

/// Writes a model into a folder. `pooling` is the field of the pooling that is switched on.
pub(crate) fn write(folder: &Path, family: Family, pooling: &str) {
    fs::create_dir_all(folder.join("1_Pooling")).unwrap();
    let file = |name: &str, value: Value| fs::write(folder.join(name), value.to_string()).unwrap();
    file("config.json", config(family));
    file("tokenizer.json", tokenizer(family));
    file(
        "sentence_bert_config.json",
        json!({"max_seq_length": MOST_TOKENS}),
    );
    file(
        "modules.json",
        json!([
            {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ]),
    );
    let mut modes = json!({
        "word_embedding_dimension": WIDTH,
        "pooling_mode_cls_token": false,
        "pooling_mode_mean_tokens": false,
        "pooling_mode_max_tokens": false,
    });
    modes[pooling] = true.into();
    file("1_Pooling/config.json", modes);
    fs::write(folder.join("model.safetensors"), weights(family, false)).unwrap();
}

/// Writes a model that judges a question and a passage by one number.
pub(crate) fn write_judge(folder: &Path, family: Family) {
    fs::create_dir_all(folder).unwrap();
    let file = |name: &str, value: Value| fs::write(folder.join(name), value.to_string()).unwrap();
    let mut config = config(family);
    config["id2label"] = json!({"0": "LABEL_0"});
    file("config.json", config);
    file("tokenizer.json", tokenizer(family));
    fs::write(folder.join("model.safetensors"), weights(family, true)).unwrap();
}

fn config(family: Family) -> Value {
    let (kind, act, kinds, padding, eps) = match family {
        Family::Bert => ("bert", "gelu", 2, 0, 1e-12),
        Family::Roberta => ("xlm-roberta", "gelu", 1, 1, 1e-5),
    };
    json!({
        "model_type": kind,
        "vocab_size": 15,
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 2,
        "intermediate_size": WIDE,
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": kinds,
        "layer_norm_eps": eps,
        "hidden_act": act,
        "pad_token_id": padding,
    })
}

fn tokenizer(family: Family) -> Value {
    let special = |words: &[&str], ids: &[usize]| -> Value {
        let added = ids.iter().map(|id| {
            json!({
                "id": id, "content": words[*id], "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false, "special": true,
            })
        });
        added.collect()
    };
    let frame = |first: (&str, usize), last: (&str, usize)| {
        let token = |(word, id): (&str, usize)| json!({"id": word, "ids": [id], "tokens": [word]});
        let mark = |(word, _): (&str, usize), kind: usize| json!({"SpecialToken": {"id": word, "type_id": kind}});
        let part = |word: (&str, usize)| mark(word, 0);
        let text = json!({"Sequence": {"id": "A", "type_id": 0}});
        let second = |kind: usize| json!({"Sequence": {"id": "B", "type_id": kind}});
        let pair = match family {
            Family::Bert => json!([part(first), text, part(last), second(1), mark(last, 1)]),
            Family::Roberta => {
                json!([
                    part(first),
                    text,
                    part(last),
                    part(last),
                    second(0),
                    part(last)
                ])
            }
        };
        json!({
            "type": "TemplateProcessing",
            "single": [part(first), text, part(last)],
            "pair": pair,
            "special_tokens": {first.0: token(first), last.0: token(last)},
        })
    };
    match family {
        Family::Bert => {
            let vocab: BTreeMap<&str, usize> = BERT_WORDS.into_iter().zip(0..).collect();
            json!({
                "version": "1.0",
                "added_tokens": special(&BERT_WORDS, &[0, 1, 2, 3, 4]),
                "normalizer": {
                    "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                    "strip_accents": false, "lowercase": true,
                },
                "pre_tokenizer": {"type": "BertPreTokenizer"},
                "post_processor": frame(("[CLS]", 2), ("[SEP]", 3)),
                "decoder": null,
                "model": {
                    "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100, "vocab": vocab,
                },
            })
        }
        Family::Roberta => {
            let vocab: Vec<Value> = ROBERTA_WORDS
                .iter()
                .map(|word| json!([word, if word.starts_with('▁') { -2.0 } else { -4.0 }]))
                .collect();
            json!({
                "version": "1.0",
                "added_tokens": special(&ROBERTA_WORDS, &[0, 1, 2, 3, 14]),
                "normalizer": {"type": "NFKC"},
                "pre_tokenizer": {
                    "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
                },
                "post_processor": frame(("<s>", 0), ("</s>", 2)),
                "decoder": null,
                "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": false},
            })
        }
    }
}

fn weights(family: Family, judge: bool) -> Vec<u8> {
    // One of them has the names that a model saved with its head has, and the older ones of norms.
    let (prefix, weight, bias) = match (family, judge) {
        (Family::Bert, false) => ("bert.", "gamma", "beta"),
        (Family::Bert, true) => ("bert.", "weight", "bias"),
        (Family::Roberta, false) => ("", "weight", "bias"),
        (Family::Roberta, true) => ("roberta.", "weight", "bias"),
    };
    let kinds = match family {
        Family::Bert => 2,
        Family::Roberta => 1,
    };
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![15, WIDTH],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![POSITIONS, WIDTH],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![kinds, WIDTH],
        ),
    ];
    let norm =
        |part: &str| [weight, bias].map(|name| (format!("{part}.LayerNorm.{name}"), vec![WIDTH]));
    let dense = |part: String, from: usize, to: usize| {
        [
            (format!("{part}.weight"), vec![to, from]),
            (format!("{part}.bias"), vec![to]),
        ]
    };
    shapes.extend(norm("embeddings"));
    for layer in 0..LAYERS {
        let layer = format!("encoder.layer.{layer}");
        for part in ["self.query", "self.key", "self.value", "output.dense"] {
            shapes.extend(dense(format!("{layer}.attention.{part}"), WIDTH, WIDTH));
        }
        shapes.extend(norm(&format!("{layer}.attention.output")));
        shapes.extend(dense(format!("{layer}.intermediate.dense"), WIDTH, WIDE));
        shapes.extend(dense(format!("{layer}.output.dense"), WIDE, WIDTH));
        shapes.extend(norm(&format!("{layer}.output")));
    }
    for (name, _) in &mut shapes {
        name.insert_str(0, prefix);
    }
    if judge {
        let (before, last) = match family {
            Family::Bert => ("bert.pooler.dense", "classifier"),
            Family::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        shapes.extend(dense(before.to_owned(), WIDTH, WIDTH));
        shapes.extend(dense(last.to_owned(), WIDTH, 1));
    }
    let mut chance = 20_260_101_u32;
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = shapes
        .into_iter()
        .map(|(name, shape)| {
            let bytes = (0..shape.iter().product::<usize>())
                .flat_map(|_| draw(&mut chance).to_le_bytes())
                .collect();
            (name, shape, bytes)
        })
        .collect();
    let views = tensors.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap();
        (name.as_str(), view)
    });
    safetensors::serialize(views, None).unwrap()
}

/// The next number between -1 and 1.
fn draw(chance: &mut u32) -> f32 {
    *chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f32::from(u16::try_from(*chance >> 16).unwrap()) / 32_768.0 - 1.0
}
