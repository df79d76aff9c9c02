//! Vectors of chance: near topics, as those of texts are, or scattered, which is harder.

use super::chance::Chance;
use crate::exact::dot;
use std::ops::Range;

/// As long as the vectors of the built-in models.
pub(crate) const DIMENSIONS: usize = 384;
/// How many topics there are. Knowledge bases have some of them, or all.
pub(crate) const TOPICS: u64 = 500;
/// How far vectors lie from their topic: two of the same topic have a cosine of about 0.67.
const SPREAD: f32 = 0.7;
/// Where the seeds of topics begin, far from those of chunks and questions.
const FIRST_TOPIC: u64 = 1 << 60;

pub(crate) struct Vectors {
    topics: Vec<Vec<f32>>,
}

impl Vectors {
    pub(crate) fn new() -> Self {
        let topic = |number| {
            let mut chance = Chance::new(FIRST_TOPIC + number);
            (0..DIMENSIONS).map(|_| chance.part()).collect()
        };
        Self {
            topics: (0..TOPICS).map(topic).collect(),
        }
    }

    /// A vector near one of these topics, or anywhere.
    pub(crate) fn vector(&self, topics: Option<&Range<u64>>, chance: &mut Chance) -> Vec<f32> {
        let mut vector: Vec<f32> = match topics {
            None => (0..DIMENSIONS).map(|_| chance.part()).collect(),
            Some(topics) => {
                let count = usize::try_from(topics.end - topics.start).unwrap_or(1);
                let number = topics.start + chance.below(count) as u64;
                let place = usize::try_from(number % TOPICS).unwrap_or(0);
                let near = |x: &f32| x + SPREAD * chance.part();
                self.topics[place].iter().map(near).collect()
            }
        };
        let length = dot(&vector, &vector).sqrt();
        for x in &mut vector {
            *x /= length;
        }
        vector
    }
}
