//! What a customer's message says, by the model inside the binary that was taught to mark it: the parts
//! that name something, what it does, what it wants, and whether it attacks the agent, all in one pass.

use crate::bundled::{
    self, BEGINNING, DIMENSIONS, Desk, END, MOST_TOKENS, Transformer, WordPiece, cores, floats, sum,
};
use async_trait::async_trait;
use quipu_core::agent::Intent;
use quipu_core::ports::MessageReader;
use quipu_core::reading::{Act, QuestionTopic, ReadQuestion, ReadSpan, Reading, SpanKind};
use quipu_core::{Error, Result};
use quipu_simd::{Kernel, dot};
use safetensors::SafeTensors;
use serde::Deserialize;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// No so many tokens of a language take more.
const MOST_BYTES: usize = 8 * 1024;
/// What the end of the model looks at: the row of the first token, and the mean of the message's.
const LOOKED_AT: usize = 2 * DIMENSIONS;

/// Something made of the files, or why it cannot be.
type Loaded<T> = std::result::Result<T, String>;

/// The reader inside the binary. Its weights are read when the first message comes, not before.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinReader {
    kernel: Kernel,
}

impl Default for BuiltinReader {
    fn default() -> Self {
        Self {
            kernel: Kernel::best(),
        }
    }
}

#[async_trait]
impl MessageReader for BuiltinReader {
    async fn read(&self, before: &str, message: &str) -> Result<Reading> {
        /// A message takes one core for some milliseconds.
        static TURNS: LazyLock<Arc<Semaphore>> =
            LazyLock::new(|| Arc::new(Semaphore::new(cores())));

        let turn = Arc::clone(&TURNS).acquire_owned().await;
        let turn = turn.map_err(Error::internal)?;
        let fits = message.len() <= MOST_BYTES;
        let (before, message) = (plain(before), plain(message));
        let kernel = self.kernel;
        let reading = tokio::task::spawn_blocking(move || {
            // The work goes on when nobody waits for it any more, and so does its turn.
            let _turn = turn;
            let model = ReaderModel::bundled().map_err(Error::internal)?;
            let mut reading = model.read(kernel, &before, message);
            reading.whole &= fits;
            Ok(reading)
        });
        reading.await.map_err(Error::internal)?
    }
}

/// The beginning of a text, with one character for each letter and its accents.
fn plain(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    text.nfc().collect()
}

struct ReaderModel {
    words: &'static WordPiece,
    transformer: Transformer,
    /// Of the agent's words the last are read, of the message the first.
    most_before: usize,
    most_read: usize,
    tags: Vec<TokenTag<SpanKind>>,
    questions: Vec<TokenTag<QuestionTopic>>,
    acts: Vec<Act>,
    intents: Vec<Intent>,
    tagging: LinearHead,
    asking: LinearHead,
    pooling: LinearHead,
    acting: LinearHead,
    wanting: LinearHead,
    attacking: LinearHead,
}

/// What a token is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenTag<K> {
    Nothing,
    Begins(K),
    GoesOn(K),
}

/// The names of what the model tells apart, as they lie beside it.
#[derive(Deserialize)]
struct Labels {
    tags: Vec<String>,
    questions: Vec<String>,
    acts: Vec<Act>,
    intents: Vec<Intent>,
    agent_tokens: usize,
    message_tokens: usize,
}

impl ReaderModel {
    fn bundled() -> Loaded<&'static Self> {
        static MODEL: OnceLock<Loaded<ReaderModel>> = OnceLock::new();
        MODEL
            .get_or_init(|| Self::of(bundled::READER, bundled::READER_LABELS))
            .as_ref()
            .map_err(Clone::clone)
    }

    fn of(file: &'static [u8], labels: &'static [u8]) -> Loaded<Self> {
        let file = SafeTensors::deserialize(file).map_err(|e| e.to_string())?;
        let labels: Labels = serde_json::from_slice(labels).map_err(|e| e.to_string())?;
        if labels.agent_tokens + labels.message_tokens + 3 > MOST_TOKENS {
            return Err("it reads more than fits".to_owned());
        }
        let head = |name: &str, outputs| LinearHead::read(&file, name, DIMENSIONS, outputs);
        Ok(Self {
            words: bundled::words()?,
            transformer: Transformer::read(&file)?,
            most_before: labels.agent_tokens,
            most_read: labels.message_tokens,
            tagging: head("tag", labels.tags.len())?,
            asking: head("top", labels.questions.len())?,
            pooling: LinearHead::read(&file, "pool", LOOKED_AT, DIMENSIONS)?,
            acting: head("act", labels.acts.len())?,
            wanting: head("int", labels.intents.len())?,
            attacking: head("att", 2)?,
            tags: TokenTag::all(&labels.tags, |name| SpanKind::parse(&name.to_lowercase()))?,
            questions: TokenTag::all(&labels.questions, QuestionTopic::parse)?,
            acts: labels.acts,
            intents: labels.intents,
        })
    }

    fn read(&self, kernel: Kernel, before: &str, message: String) -> Reading {
        let mut desk = Desk::default();
        let first = self.said_before(before);
        let (mut second, places) = self.words.placed(&message, self.most_read);
        second.push(END);
        let rows = self.transformer.rows(kernel, [&first, &second], &mut desk);
        let outputs = self.outputs(rows, first.len(), places.len());
        self.reading(message, &places, &outputs)
    }

    /// The tokens of what the agent said, with the marks of its beginning and end.
    fn said_before(&self, before: &str) -> Vec<u16> {
        let tokens = self.words.ids(before, usize::MAX);
        let last = tokens.len().saturating_sub(self.most_before);
        let tokens = tokens[last..].iter().copied();
        std::iter::once(BEGINNING)
            .chain(tokens)
            .chain([END])
            .collect()
    }

    /// What the heads say of the rows of a message that begins there and has so many tokens.
    fn outputs(&self, rows: &[f32], begin: usize, tokens: usize) -> HeadOutputs {
        let message = &rows[begin * DIMENSIONS..][..tokens * DIMENSIONS];
        let mut seen = rows[..DIMENSIONS].to_vec();
        #[expect(clippy::cast_precision_loss, reason = "there are few hundred tokens")]
        let all = tokens.max(1) as f32;
        seen.extend(sum(message).iter().map(|sum| sum / all));
        let pooled: Vec<f32> = self.pooling.apply(&seen).map(f32::tanh).collect();
        let attack = shares(self.attacking.apply(&pooled).collect());
        HeadOutputs {
            tags: self.tagging.tags(message, &self.tags),
            questions: self.asking.tags(message, &self.questions),
            asked: self.asking.certainties(message),
            acts: self
                .acting
                .apply(&pooled)
                .map(|x| 1.0 / (1.0 + (-x).exp()))
                .collect(),
            intents: shares(self.wanting.apply(&pooled).collect()),
            attack: attack.get(1).copied().unwrap_or_default(),
        }
    }

    fn reading(&self, text: String, places: &[Range<usize>], outputs: &HeadOutputs) -> Reading {
        let acts = self.acts.iter().copied().zip(outputs.acts.iter().copied());
        let intents = self.intents.iter().copied();
        let mut intents: Vec<_> = intents.zip(outputs.intents.iter().copied()).collect();
        intents.sort_by(|a, b| b.1.total_cmp(&a.1));
        Reading {
            whole: places.len() < self.most_read,
            text,
            spans: parts(&outputs.tags)
                .into_iter()
                .map(|(kind, tokens)| ReadSpan {
                    kind,
                    range: place(places, &tokens),
                })
                .collect(),
            questions: parts(&outputs.questions)
                .into_iter()
                .map(|(topic, tokens)| ReadQuestion {
                    topic,
                    sure: mean(&outputs.asked[tokens.clone()]),
                    range: place(places, &tokens),
                })
                .collect(),
            acts: acts.collect(),
            intents,
            attack: outputs.attack,
        }
    }
}

/// What the heads say of one message.
struct HeadOutputs {
    tags: Vec<TokenTag<SpanKind>>,
    questions: Vec<TokenTag<QuestionTopic>>,
    /// How likely the tag of each token is by which it asks.
    asked: Vec<f32>,
    acts: Vec<f32>,
    intents: Vec<f32>,
    attack: f32,
}

impl<K> TokenTag<K> {
    /// Reads the names of tags, given how the name of a kind is read.
    fn all(names: &[String], kind: impl Fn(&str) -> Option<K>) -> Loaded<Vec<Self>> {
        let read = |name: &String| {
            let known = match name.split_once('-') {
                None if name == "O" => Some(Self::Nothing),
                Some(("B", name)) => kind(name).map(Self::Begins),
                Some(("I", name)) => kind(name).map(Self::GoesOn),
                _ => None,
            };
            known.ok_or_else(|| format!("{name} is not known"))
        };
        names.iter().map(read).collect()
    }
}

/// From the token with which something begins as far as the same goes on.
fn parts<K: Copy + PartialEq>(tags: &[TokenTag<K>]) -> Vec<(K, Range<usize>)> {
    let mut parts: Vec<(K, Range<usize>)> = Vec::new();
    let mut open = false;
    for (at, tag) in tags.iter().enumerate() {
        match (*tag, parts.last_mut().filter(|_| open)) {
            (TokenTag::GoesOn(kind), Some((last, tokens))) if *last == kind => tokens.end = at + 1,
            (TokenTag::Begins(kind), _) => {
                parts.push((kind, at..at + 1));
                open = true;
            }
            _ => open = false,
        }
    }
    parts
}

/// Where some tokens stand in the text.
fn place(places: &[Range<usize>], tokens: &Range<usize>) -> Range<usize> {
    let of_tokens = &places[tokens.clone()];
    let begin = of_tokens.first().map_or(0, |first| first.start);
    begin..of_tokens.last().map_or(begin, |last| last.end)
}

fn mean(numbers: &[f32]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "there are few hundred tokens")]
    let all = numbers.len().max(1) as f32;
    numbers.iter().sum::<f32>() / all
}

/// One layer at the end, in real numbers.
struct LinearHead {
    inputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl LinearHead {
    fn read(file: &SafeTensors<'_>, name: &str, inputs: usize, outputs: usize) -> Loaded<Self> {
        Ok(Self {
            inputs,
            weights: floats(file, &format!("{name}.weight"), inputs * outputs)?,
            bias: floats(file, &format!("{name}.bias"), outputs)?,
        })
    }

    /// The likeliest tag of each row.
    fn tags<K: Copy>(&self, rows: &[f32], tags: &[TokenTag<K>]) -> Vec<TokenTag<K>> {
        let rows = rows.chunks_exact(self.inputs).map(|row| {
            let best = self.apply(row).zip(tags);
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            best.map_or(TokenTag::Nothing, |(_, tag)| *tag)
        });
        rows.collect()
    }

    /// How likely the likeliest tag of each row is.
    fn certainties(&self, rows: &[f32]) -> Vec<f32> {
        let rows = rows.chunks_exact(self.inputs).map(|row| {
            let shares = shares(self.apply(row).collect());
            shares.into_iter().fold(0.0, f32::max)
        });
        rows.collect()
    }

    fn apply<'a>(&'a self, input: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let rows = self.weights.chunks_exact(self.inputs).zip(&self.bias);
        rows.map(move |(row, bias)| dot(row, input) + bias)
    }
}

/// Numbers that add up to one.
fn shares(scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores
        .into_iter()
        .map(|score| (score - most).exp())
        .collect();
    let all: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::Reference;
    use std::collections::HashMap;

    #[derive(Deserialize)]
    struct GoldenReading {
        agent: String,
        text: String,
        ids: Vec<u16>,
        tags: Vec<String>,
        questions: Vec<String>,
        acts: HashMap<Act, f32>,
        intent: HashMap<Intent, f32>,
        attack: f32,
    }

    impl GoldenReading {
        /// How far the outputs are from the published ones, at most.
        fn distance(&self, model: &ReaderModel, outputs: &HeadOutputs) -> f32 {
            let acts = model.acts.iter().zip(&outputs.acts);
            let acts = acts.filter_map(|(act, found)| Some((found, self.acts.get(act)?)));
            let intents = model.intents.iter().zip(&outputs.intents);
            let intents =
                intents.filter_map(|(intent, found)| Some((found, self.intent.get(intent)?)));
            let all = acts.chain(intents).chain([(&outputs.attack, &self.attack)]);
            all.map(|(found, known)| (found - known).abs())
                .fold(0.0, f32::max)
        }
    }

    #[test]
    fn readings_are_the_published_ones() {
        let golden: Vec<GoldenReading> =
            serde_json::from_str(include_str!("reader/golden.json")).unwrap();
        assert_eq!(golden.len(), 13);
        let model = ReaderModel::bundled().unwrap();
        let texts: Vec<[Vec<u16>; 2]> = golden
            .iter()
            .map(|case| {
                let mut message = model.words.ids(&case.text, model.most_read);
                message.push(END);
                [model.said_before(&case.agent), message]
            })
            .collect();
        let file = SafeTensors::deserialize(bundled::READER).unwrap();
        let exact = Reference::new(&file).rows(&texts);
        for ((case, [before, message]), rows) in golden.iter().zip(&texts).zip(&exact) {
            assert_eq!([&before[..], message].concat(), case.ids, "{}", case.text);
            let kind = |name: &str| SpanKind::parse(&name.to_lowercase());
            let tags = TokenTag::all(&case.tags, kind).unwrap();
            let questions = TokenTag::all(&case.questions, QuestionTopic::parse).unwrap();
            let outputs = model.outputs(&rows.concat(), before.len(), message.len() - 1);
            assert_eq!(outputs.tags, tags, "{}", case.text);
            assert_eq!(outputs.questions, questions, "{}", case.text);
            let distance = case.distance(model, &outputs);
            assert!(distance < 1e-3, "{}: {distance}", case.text);
            for kernel in Kernel::available() {
                let mut desk = Desk::default();
                let rows = model.transformer.rows(kernel, [before, message], &mut desk);
                let outputs = model.outputs(rows, before.len(), message.len() - 1);
                let name = kernel.name();
                assert_eq!(outputs.tags, tags, "{name}, {}", case.text);
                assert_eq!(outputs.questions, questions, "{name}, {}", case.text);
                let distance = case.distance(model, &outputs);
                assert!(distance < 0.05, "{name}, {}: {distance}", case.text);
            }
        }
    }

    #[tokio::test]
    async fn parts_are_told_in_the_words_of_the_message() {
        let reader = BuiltinReader::default();
        // The accent of the second word is a character of its own.
        let message = "Quiero una limpieza el mie\u{301}rcoles a las 4 con la doctora Paredes";
        let reading = reader.read("", message).await.unwrap();
        let parts = reading
            .spans
            .iter()
            .map(|span| (span.kind, reading.words(span)));
        let parts: Vec<_> = parts.collect();
        assert!(
            parts.contains(&(SpanKind::Service, "limpieza")),
            "{parts:?}"
        );
        assert!(parts.contains(&(SpanKind::Date, "miércoles")), "{parts:?}");
        assert!(
            parts.contains(&(SpanKind::Staff, "doctora Paredes")),
            "{parts:?}"
        );
        assert_eq!(reading.intents[0].0, Intent::Booking);
        assert!(
            reading.act(Act::Book) > 0.9 && reading.attack < 0.1,
            "{reading:?}"
        );
    }

    #[tokio::test]
    async fn odd_messages_are_read() {
        let reader = BuiltinReader::default();
        for message in [
            "",
            " ",
            "🙂",
            "[SEP][CLS]",
            &"sí ".repeat(4_000),
            "\u{0}\u{301}",
        ] {
            let reading = reader.read(message, message).await.unwrap();
            assert!(reading.attack.is_finite());
            for span in &reading.spans {
                assert!(!reading.words(span).is_empty(), "{message:?} {span:?}");
            }
        }
    }
}
