//! A linear model over words and pieces of words, kept as one byte per weight.
//!
//! Each feature is a hash that names a row of the table; a row has a weight for every intent. Weights
//! are trained by [`training`](super::training) and never change while the server runs.

use super::phrase::Message;
use super::rules::Lists;
use quipu_core::agent::Intent;

/// How many intents there are, in the order of [`Intent::ALL`].
pub(super) const INTENTS: usize = Intent::ALL.len();
/// How many rows the table has. Together with [`INTENTS`] it decides the size of the file.
pub(super) const ROWS: usize = 40_960;
/// How long the pieces are that words are cut into.
const PIECES: std::ops::RangeInclusive<usize> = 3..=5;
/// Longer words are looked at as far as this.
const MAX_LETTERS: usize = 20;
/// What a file of weights begins with: a name, and the version of the features.
const MAGIC: &[u8; 8] = b"QUIPUSI1";
const HEADER: usize = MAGIC.len() + size_of::<f32>();

/// How likely each intent is, in the order of [`Intent::ALL`], adding up to one.
pub(super) type Guess = [f32; INTENTS];

pub(super) struct Model {
    /// What one step of a weight is worth.
    scale: f32,
    weights: Vec<[i8; INTENTS]>,
}

impl Model {
    /// A model that finds every intent equally likely.
    pub(super) fn blank() -> Self {
        Self {
            scale: 0.0,
            weights: vec![[0; INTENTS]; ROWS],
        }
    }

    /// Makes a model of trained weights by rounding each to a byte.
    pub(super) fn rounded(trained: &[[f32; INTENTS]]) -> Self {
        let largest = trained
            .iter()
            .flatten()
            .fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        let scale = largest / f32::from(i8::MAX);
        let round = |weight: f32| {
            if scale == 0.0 {
                return 0;
            }
            #[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
            let step = (weight / scale).round().clamp(-127.0, 127.0) as i8;
            step
        };
        Self {
            scale,
            weights: trained.iter().map(|row| row.map(round)).collect(),
        }
    }

    /// Reads the file of weights. `None` when it is not one of this version.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (scale, rest) = rest.split_first_chunk::<4>()?;
        let scale = f32::from_le_bytes(*scale);
        let (rows, left) = rest.as_chunks::<INTENTS>();
        (rows.len() == ROWS && left.is_empty() && scale.is_finite()).then(|| Self {
            scale,
            weights: rows.iter().map(|row| row.map(u8::cast_signed)).collect(),
        })
    }

    /// The file of weights.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + ROWS * INTENTS);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend(self.weights.iter().flatten().map(|w| w.cast_unsigned()));
        bytes
    }

    /// How likely each intent is for a message.
    pub(super) fn guess(&self, message: &Message<'_>, lists: &Lists) -> Guess {
        let mut sums = [0_i32; INTENTS];
        let mut count = 0_u16;
        features(message, lists, |row| {
            count = count.saturating_add(1);
            for (sum, weight) in sums.iter_mut().zip(&self.weights[row]) {
                *sum += i32::from(*weight);
            }
        });
        let worth = self.scale / f32::from(count.max(1)).sqrt();
        #[expect(clippy::cast_precision_loss, reason = "a sum of a few thousand bytes")]
        let scores = sums.map(|sum| sum as f32 * worth);
        shares(&scores)
    }
}

/// Turns scores into shares that add up to one.
pub(super) fn shares(scores: &[f32; INTENTS]) -> [f32; INTENTS] {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| exponential(score - highest));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// The exponential function for numbers up to zero, by multiplications alone: training has to give
/// the same weights on every machine, and mathematical libraries differ in the last digit.
fn exponential(x: f32) -> f32 {
    // exp(x) = exp(x / 256)^256, and near zero a few terms of the series are exact enough.
    let x = x.max(-60.0) / 256.0;
    let mut power = 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x / 24.0)));
    for _ in 0..8 {
        power *= power;
    }
    power
}

/// Calls back with the row of every feature of a message: its words, pairs of neighbours, the lists
/// that words are on, and pieces of words.
pub(super) fn features(message: &Message<'_>, lists: &Lists, mut row: impl FnMut(usize)) {
    let mut emit = |hash: u64| row(row_of(hash));
    let mut before = START;
    let mut lists_before: Vec<u64> = vec![START];
    let mut letters: Vec<u8> = Vec::with_capacity(64);
    for (at, word) in message.words.iter().enumerate() {
        let bytes = word.text.as_bytes();
        let whole = hash(WORD, bytes);
        emit(whole);
        emit(pair(before, whole));
        before = whole;
        // A word on no list stands for itself, so that "quiero {num} de {food}" is read as such.
        let mut on: Vec<u64> = Vec::with_capacity(2);
        for &id in message.ids_of(at) {
            for list in &lists[id as usize] {
                let list = hash(LIST, &list.to_le_bytes());
                if !on.contains(&list) {
                    on.push(list);
                }
            }
        }
        for &list in &on {
            emit(list);
        }
        let listed = !on.is_empty();
        if !listed {
            on.push(whole);
        }
        for &left in &lists_before {
            for &right in &on {
                emit(pair(left ^ LIST, right));
            }
        }
        lists_before = on;
        pieces(bytes, &mut letters, &mut emit);
    }
    emit(pair(before, END));
    emit(hash(LENGTH, &[message.words.len().min(8).to_le_bytes()[0]]));
}

/// The pieces of a word between its first and last letter, marked where it begins and ends. Bytes
/// will do, since folded words are nearly all ASCII.
fn pieces(word: &[u8], letters: &mut Vec<u8>, emit: &mut impl FnMut(u64)) {
    letters.clear();
    letters.push(b'<');
    letters.extend_from_slice(&word[..word.len().min(MAX_LETTERS)]);
    letters.push(b'>');
    // A piece is one letter longer than the piece before that begins at the same place, and so is its
    // hash.
    let mut hashes = [hash(PIECE, &[]); MAX_LETTERS + 2];
    let shortest = *PIECES.start();
    for (known, piece) in hashes.iter_mut().zip(letters.windows(shortest - 1)) {
        *known = go_on(*known, piece);
    }
    for length in PIECES {
        let ends = letters.iter().skip(length - 1);
        for (known, end) in hashes.iter_mut().zip(ends) {
            *known = go_on(*known, &[*end]);
            emit(*known);
        }
    }
}

const START: u64 = 0x51;
const END: u64 = 0xe7;
const WORD: u64 = 1;
const LIST: u64 = 2;
const PIECE: u64 = 3;
const LENGTH: u64 = 4;

/// FNV-1a, which is the same on every machine and in every version of the language.
fn hash(kind: u64, bytes: &[u8]) -> u64 {
    let empty = 0xcbf2_9ce4_8422_2325 ^ kind.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    go_on(empty, bytes)
}

/// The hash of what has a hash already, with more bytes behind it.
fn go_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn pair(left: u64, right: u64) -> u64 {
    (left.rotate_left(17) ^ right).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn row_of(hash: u64) -> usize {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
    // The upper half times the rows, shifted back, spreads evenly without a division.
    let row = (mixed * ROWS as u64) >> 32;
    usize::try_from(row).unwrap_or(0)
}
