use super::MODEL;
use quipu_core::analysis::{self, Question};
use quipu_core::engine::{DocumentEntries, Entry};
use quipu_core::language::Language;
use quipu_core::{ChunkId, DocumentId};
use uuid::Uuid;

/// Chance that repeats itself, so that a failure does too.
pub struct Dice(u64);

impl Dice {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() % end.max(1) as u64).unwrap_or(0)
    }

    /// A number from -1 to 1, rather near 0.
    pub fn part(&mut self) -> f32 {
        let one = |dice: &mut Self| {
            f32::from(u16::try_from(dice.roll() & 0xffff).unwrap_or(0)) / 65_536.0
        };
        one(self) + one(self) + one(self) - 1.5
    }
}

/// Makes a vector of length one.
fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for x in &mut vector {
            *x /= length;
        }
    }
    vector
}

/// A vector that points anywhere.
pub fn diffuse(dice: &mut Dice, dimensions: usize) -> Vec<f32> {
    normalised((0..dimensions).map(|_| dice.part()).collect())
}

/// A vector near one of `topics` directions, as those of texts are.
pub fn clustered(dice: &mut Dice, dimensions: usize, topics: usize) -> Vec<f32> {
    let topic = dice.below(topics);
    let mut center = Dice::new(7_000 + topic as u64);
    let around: Vec<f32> = (0..dimensions)
        .map(|_| center.part() + 0.35 * dice.part())
        .collect();
    normalised(around)
}

const SYLLABLES: [&str; 16] = [
    "ca", "do", "re", "mi", "lu", "pe", "zo", "ti", "na", "go", "vi", "su", "fe", "ro", "ja", "bu",
];

/// Words that a text may have: small numbers are frequent.
pub fn words(dice: &mut Dice, count: usize, vocabulary: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let mut number = dice.below(vocabulary).min(dice.below(vocabulary));
        for _ in 0..4 {
            text.push_str(SYLLABLES[number % 16]);
            number /= 16;
        }
        text.push(' ');
    }
    text
}

/// A chunk of a text.
#[must_use]
pub fn entry(chunk: u128, text: &str, title: &str, vector: Option<Vec<f32>>) -> Entry {
    Entry {
        chunk: ChunkId::from_uuid(Uuid::from_u128(chunk)),
        terms: analysis::terms(text, Language::Es),
        title_terms: analysis::terms(title, Language::Es),
        vectors: vector
            .map(|vector| (MODEL.to_owned(), vector))
            .into_iter()
            .collect(),
    }
}

#[must_use]
pub fn document_id(number: u128) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(number))
}

#[must_use]
pub fn document(number: u128, entries: Vec<Entry>) -> DocumentEntries {
    DocumentEntries {
        document: document_id(number),
        entries,
    }
}

/// A question to those texts.
#[must_use]
pub fn question(text: &str) -> Question {
    Question::read(text, Language::Es, Language::Es)
}
