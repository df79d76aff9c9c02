//! Texts as tokens, put together so that a transformer reads several at once.

use candle_core::{Device, Result, Tensor};

/// Tokens of a batch, padding included, which bound the memory that it takes.
const BATCH_TOKENS: usize = 4_096;

/// The tokens of one text, or of a question and a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u32>,
    /// Which of the two texts each token belongs to, for models that are told.
    pub(crate) kinds: Vec<u32>,
}

impl Tokens {
    /// Those of a single text.
    pub(crate) fn single(ids: Vec<u32>) -> Self {
        let kinds = vec![0; ids.len()];
        Self { ids, kinds }
    }
}

/// A batch with the places that its texts have among all.
pub(crate) type Placed = (Vec<usize>, Vec<Tokens>);

/// Puts texts of about the same length together, so that little padding is worked on.
pub(crate) fn batches(texts: Vec<Tokens>) -> Vec<Placed> {
    let mut texts: Vec<(usize, Tokens)> = texts.into_iter().enumerate().collect();
    texts.sort_by_key(|(_, text)| text.ids.len());
    let mut batches: Vec<Placed> = Vec::new();
    for (place, text) in texts {
        match batches.last_mut() {
            // They come by length, so this one is the longest so far.
            Some((places, batch)) if (batch.len() + 1) * text.ids.len() <= BATCH_TOKENS => {
                places.push(place);
                batch.push(text);
            }
            _ => batches.push((vec![place], vec![text])),
        }
    }
    batches
}

/// A batch as a transformer takes it, with all texts filled up to the longest.
pub(crate) struct Padded {
    pub(crate) ids: Tensor,
    pub(crate) kinds: Tensor,
    /// 1 for tokens and 0 for padding, which stands at the end.
    pub(crate) mask: Tensor,
}

impl Padded {
    pub(crate) fn new(batch: &[Tokens]) -> Result<Self> {
        let longest = batch.iter().map(|text| text.ids.len()).max().unwrap_or(0);
        let table = |row: fn(&Tokens) -> Vec<u32>| {
            let mut cells = Vec::with_capacity(batch.len() * longest);
            for text in batch {
                let mut row = row(text);
                // Whatever stands there is masked.
                row.resize(longest, 0);
                cells.append(&mut row);
            }
            Tensor::from_vec(cells, (batch.len(), longest), &Device::Cpu)
        };
        Ok(Self {
            ids: table(|text| text.ids.clone())?,
            kinds: table(|text| text.kinds.clone())?,
            mask: table(|text| vec![1; text.ids.len()])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_and_lose_nothing() {
        let lengths = [5000, 1, 1000, 2, 1000, 1000, 1000, 1000, 3];
        let texts = lengths.map(|length| Tokens::single(vec![7; length]));
        let found = batches(texts.to_vec());
        let sizes: Vec<usize> = found.iter().map(|(places, _)| places.len()).collect();
        assert_eq!(sizes, [4, 4, 1]);
        let mut places: Vec<usize> = Vec::new();
        for (places_of_batch, batch) in found {
            for (place, text) in places_of_batch.iter().zip(batch) {
                assert_eq!(text.ids.len(), lengths[*place]);
            }
            places.extend(places_of_batch);
        }
        places.sort_unstable();
        assert_eq!(places, (0..9).collect::<Vec<_>>());
    }
}
