//! What should have been found: every vector compared with every question, in whole precision.

use crate::library::{Library, chunk_number};
use crate::times;
use quipu_core::engine::Found;

/// How many of the nearest are looked for.
pub(crate) const NEAREST: usize = 10;
/// What is this close to the last of the nearest is as near: sums of floats differ by as much when
/// they are added in another order.
const AS_NEAR: f32 = 1e-6;
/// How many sums are kept side by side, so that the compiler can use wide instructions.
const LANES: usize = 16;

pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// For each question, the numbers of the nearest chunks of a knowledge base, nearest first, and of
/// those that are as near as the last of them.
pub(crate) fn nearest(library: &Library, base: usize, questions: &[Vec<f32>]) -> Vec<Vec<u64>> {
    let mut best: Vec<Vec<(f32, u64)>> = vec![Vec::new(); questions.len()];
    let keep = |best: &mut Vec<(f32, u64)>| {
        best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        best.truncate(2 * NEAREST);
    };
    for number in library.numbers(base) {
        let vector = library.vector(base, number);
        for (question, best) in questions.iter().zip(&mut best) {
            best.push((dot(question, &vector), number));
            if best.len() >= 100 * NEAREST {
                keep(best);
            }
        }
    }
    best.into_iter()
        .map(|mut best| {
            keep(&mut best);
            if let Some((last, _)) = best.get(NEAREST - 1).copied() {
                best.retain(|(cosine, _)| *cosine >= last - AS_NEAR);
            }
            best.into_iter().map(|(_, number)| number).collect()
        })
        .collect()
}

/// The numbers of the nearest chunks that an engine found, nearest first.
pub(crate) fn numbers(found: &Found) -> Vec<u64> {
    let mut hits: Vec<(f32, u64)> = found
        .hits
        .iter()
        .filter_map(|hit| Some((hit.cosine?, chunk_number(hit.chunk.uuid()))))
        .collect();
    hits.sort_by(|a, b| b.0.total_cmp(&a.0));
    hits.truncate(NEAREST);
    hits.into_iter().map(|(_, number)| number).collect()
}

/// Of what should have been found, the share that was.
pub(crate) fn recall(wanted: &[Vec<u64>], found: &[Vec<u64>]) -> f64 {
    let (mut hits, mut all) = (0, 0);
    for (number, wanted) in wanted.iter().enumerate() {
        let found = found.get(number).map_or(&[][..], Vec::as_slice);
        let found = found.iter().take(NEAREST);
        hits += found.filter(|chunk| wanted.contains(chunk)).count();
        all += wanted.len().min(NEAREST);
    }
    times::number(hits) / times::number(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Shelf, Words};

    #[test]
    fn recall_is_the_share_of_what_should_have_been_found() {
        let wanted = [vec![1, 2], vec![3, 4]];
        let near = |found: &[Vec<u64>], share: f64| (recall(&wanted, found) - share).abs() < 1e-9;
        assert!(near(&[vec![2, 1], vec![4, 3]], 1.0));
        assert!(near(&[vec![1, 9], vec![9, 3]], 0.5));
        assert!(near(&[vec![1, 2]], 0.5));
        assert!(near(&[], 0.0));
        assert!(near(&[vec![], vec![]], 0.0));
        // Of eleven that are as near as each other, any ten will do.
        let equal = [(0..11).collect::<Vec<u64>>()];
        assert!((recall(&equal, &[(1..11).collect()]) - 1.0).abs() < 1e-9);
        assert!((recall(&equal, &[(6..16).collect()]) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn the_nearest_are_found_among_all() {
        let base = Shelf {
            chunks: 1_500,
            topics: None,
        };
        let words = Words::all();
        let library = Library::new(vec![base], words, "m".to_owned(), 10);
        let questions = [library.question_vector(0, 0), library.vector(0, 1_234)];
        let found = nearest(&library, 0, &questions);
        assert_eq!(found[1][0], 1_234);
        for (question, found) in questions.iter().zip(&found) {
            let mut all: Vec<(f32, u64)> = (0..1_500)
                .map(|number| (dot(question, &library.vector(0, number)), number))
                .collect();
            all.sort_by(|a, b| b.0.total_cmp(&a.0));
            let all: Vec<u64> = all
                .iter()
                .take(NEAREST)
                .map(|(_, number)| *number)
                .collect();
            assert_eq!(found, &all);
        }
    }

    #[test]
    fn products_are_the_plain_ones() {
        let a: Vec<f32> = (0_u8..40).map(f32::from).collect();
        let plain: f32 = a.iter().map(|x| x * x).sum();
        assert!((dot(&a, &a) - plain).abs() < 1e-2);
    }
}
