//! From tokens to what each of them means where it stands.

use super::weights::{HEAD, HEADS, HIDDEN, Layer, MOST_TOKENS, Transformer};
use crate::bundled::table::DIMENSIONS;
use quipu_simd::{Codes, Kernel, Table, TableMut};

/// Rows of attention that are worked on together: their scores stay in the nearest cache.
const TOGETHER: usize = 24;
/// Queries, keys and values of a token.
const ATTENTION: usize = 3 * DIMENSIONS;

/// Memory for one text at a time, to be used again for the next.
#[derive(Default)]
pub(crate) struct Desk {
    /// A row per token, from layer to layer.
    tokens: Vec<f32>,
    attention: Vec<f32>,
    /// The keys of one head, a column per token.
    keys: Vec<f32>,
    scores: Vec<f32>,
    /// What the scores of a row are shares of.
    wholes: [f32; TOGETHER],
    heads: Vec<f32>,
    hidden: Vec<f32>,
    outputs: Vec<f32>,
    codes: Codes,
}

impl Transformer {
    /// A row for each token of a text in two parts, the second of which may be empty. What is too
    /// much is not read.
    pub(crate) fn rows<'d>(
        &self,
        kernel: Kernel,
        [first, second]: [&[u16]; 2],
        desk: &'d mut Desk,
    ) -> &'d [f32] {
        let first = &first[..first.len().min(MOST_TOKENS)];
        let second = &second[..second.len().min(MOST_TOKENS - first.len())];
        let tokens = first.len() + second.len();
        desk.make_room(tokens);
        desk.tokens.fill(0.0);
        let ids = first.iter().chain(second);
        for (id, row) in ids.zip(desk.tokens.chunks_exact_mut(DIMENSIONS)) {
            self.tokens.add(usize::from(*id), row);
        }
        if let Some(parts) = &self.parts {
            let of_token = |at: usize| &parts[usize::from(at >= first.len())];
            for (at, row) in desk.tokens.chunks_exact_mut(DIMENSIONS).enumerate() {
                for (x, part) in row.iter_mut().zip(of_token(at)) {
                    *x += part;
                }
            }
        }
        let norm = &self.norm;
        kernel.add_and_normalise(&mut desk.tokens, &self.positions, &norm.weights, &norm.bias);
        for layer in &self.layers {
            layer.pass(kernel, tokens, desk);
        }
        &desk.tokens
    }
}

/// The sum of the rows of all tokens.
pub(crate) fn sum(rows: &[f32]) -> Vec<f32> {
    let mut sum = vec![0.0; DIMENSIONS];
    for row in rows.chunks_exact(DIMENSIONS) {
        for (sum, x) in sum.iter_mut().zip(row) {
            *sum += x;
        }
    }
    sum
}

impl Layer {
    fn pass(&self, kernel: Kernel, tokens: usize, desk: &mut Desk) {
        self.attention.encode(kernel, &desk.tokens, &mut desk.codes);
        self.attention
            .apply(kernel, &desk.codes, &mut desk.attention);
        for head in 0..HEADS {
            attend(kernel, tokens, head, desk);
        }
        self.joined.encode(kernel, &desk.heads, &mut desk.codes);
        self.joined.apply(kernel, &desk.codes, &mut desk.outputs);
        let norm = &self.joined_norm;
        kernel.add_and_normalise(&mut desk.tokens, &desk.outputs, &norm.weights, &norm.bias);

        self.up.encode(kernel, &desk.tokens, &mut desk.codes);
        self.up.apply(kernel, &desk.codes, &mut desk.hidden);
        kernel.gelu(&mut desk.hidden);
        self.down.encode(kernel, &desk.hidden, &mut desk.codes);
        self.down.apply(kernel, &desk.codes, &mut desk.outputs);
        let norm = &self.down_norm;
        kernel.add_and_normalise(&mut desk.tokens, &desk.outputs, &norm.weights, &norm.bias);
    }
}

/// What one head takes from each token for each token.
fn attend(kernel: Kernel, tokens: usize, head: usize, desk: &mut Desk) {
    let columns = tokens.next_multiple_of(Kernel::COLUMNS);
    let part = |of: usize| of * DIMENSIONS + head * HEAD;
    for (token, row) in desk.attention.chunks_exact(ATTENTION).enumerate() {
        let key = &row[part(1)..part(1) + HEAD];
        for (column, x) in desk.keys[token..].iter_mut().step_by(columns).zip(key) {
            *column = *x;
        }
    }
    let keys = Table {
        values: &desk.keys,
        stride: columns,
    };
    let values = Table {
        values: &desk.attention[part(2)..],
        stride: ATTENTION,
    };
    for first in (0..tokens).step_by(TOGETHER) {
        let rows = TOGETHER.min(tokens - first);
        let queries = Table {
            values: &desk.attention[first * ATTENTION + part(0)..],
            stride: ATTENTION,
        };
        let scores = TableMut {
            values: &mut desk.scores,
            stride: columns,
        };
        kernel.matmul((rows, HEAD, columns), queries, keys, scores);
        let scores = &mut desk.scores[..rows * columns];
        kernel.shares(scores, columns, tokens, &mut desk.wholes);
        let shares = Table {
            values: &desk.scores,
            stride: columns,
        };
        let out = TableMut {
            values: &mut desk.heads[first * DIMENSIONS + head * HEAD..],
            stride: DIMENSIONS,
        };
        kernel.matmul((rows, tokens, HEAD), shares, values, out);
        let out = desk.heads[first * DIMENSIONS..].chunks_exact_mut(DIMENSIONS);
        for (row, whole) in out.zip(&desk.wholes).take(rows) {
            for x in &mut row[head * HEAD..][..HEAD] {
                *x /= whole;
            }
        }
    }
}

impl Desk {
    fn make_room(&mut self, tokens: usize) {
        let columns = tokens.next_multiple_of(Kernel::COLUMNS);
        self.tokens.resize(tokens * DIMENSIONS, 0.0);
        self.attention.resize(tokens * ATTENTION, 0.0);
        self.keys.resize(HEAD * columns, 0.0);
        self.scores.resize(TOGETHER * columns, 0.0);
        self.heads.resize(tokens * DIMENSIONS, 0.0);
        self.hidden.resize(tokens * HIDDEN, 0.0);
        self.outputs.resize(tokens * DIMENSIONS, 0.0);
    }
}
