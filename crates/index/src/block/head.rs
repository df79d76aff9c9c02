//! What is known of a block without reading its vectors.

use quipu_core::{ChunkId, DocumentId};
use uuid::Uuid;

/// The rows of a document. They follow each other; none means that the document is gone, and that
/// whatever older blocks have of it is too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) document: DocumentId,
    /// The number of the first row, which no other row of the partition ever has.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Where in the block the first row is.
    pub(crate) at: u32,
}

/// The rows that have a vector of one model.
#[derive(Debug, PartialEq)]
pub(crate) struct ModelRows {
    pub(crate) name: String,
    pub(crate) dimensions: usize,
    /// Where in the block each row is, ascending.
    pub(crate) positions: Vec<u32>,
    /// What a step of each row's codes is worth.
    pub(crate) steps: Vec<f32>,
    pub(crate) code_sums: Vec<u32>,
    pub(crate) exact_sums: Vec<u32>,
    /// Where the codes and the whole vectors begin after the head.
    pub(crate) codes_at: u64,
    pub(crate) exact_at: u64,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Head {
    /// Ascending by row; those of documents that are gone have no rows and come last.
    pub(crate) spans: Vec<Span>,
    pub(crate) chunks: Vec<ChunkId>,
    pub(crate) models: Vec<ModelRows>,
    /// The spans in the order of their documents.
    by_document: Vec<u32>,
    /// How many spans have rows.
    filled: usize,
}

impl Head {
    pub(crate) fn new(
        spans: Vec<Span>,
        chunks: Vec<ChunkId>,
        models: Vec<ModelRows>,
    ) -> Option<Self> {
        let filled = spans.iter().take_while(|span| span.count > 0).count();
        let mut by_document: Vec<u32> = (0..u32::try_from(spans.len()).ok()?).collect();
        by_document.sort_by_key(|&index| spans[index as usize].document);
        let head = Self {
            spans,
            chunks,
            models,
            by_document,
            filled,
        };
        head.is_sound().then_some(head)
    }

    /// Whether all that is looked up without looking twice will be there.
    fn is_sound(&self) -> bool {
        let mut at = 0;
        let mut next = 0;
        for span in &self.spans[..self.filled] {
            let end = span.first.checked_add(span.count);
            if span.at != at || span.first < next || end.is_none() {
                return false;
            }
            next = span.first + span.count;
            at += span.count;
        }
        let rows = self.chunks.len();
        let ascending = |positions: &[u32]| positions.windows(2).all(|pair| pair[0] < pair[1]);
        at as usize == rows
            && self.spans[self.filled..].iter().all(|span| span.count == 0)
            && self.models.iter().all(|model| {
                let count = model.positions.len();
                ascending(&model.positions)
                    && model
                        .positions
                        .last()
                        .is_none_or(|&last| (last as usize) < rows)
                    && [
                        model.steps.len(),
                        model.code_sums.len(),
                        model.exact_sums.len(),
                    ] == [count; 3]
            })
    }

    /// The last word of this block about a document.
    pub(crate) fn span_of(&self, document: DocumentId) -> Option<&Span> {
        self.by_document
            .binary_search_by_key(&document, |&index| self.spans[index as usize].document)
            .ok()
            .map(|found| &self.spans[self.by_document[found] as usize])
    }

    pub(crate) fn span_at(&self, position: usize) -> &Span {
        let after = self.spans[..self.filled].partition_point(|span| span.at as usize <= position);
        &self.spans[after - 1]
    }

    pub(crate) fn row_at(&self, position: usize) -> u32 {
        let span = self.span_at(position);
        span.first + (u32::try_from(position).unwrap_or(u32::MAX) - span.at)
    }

    pub(crate) fn position_of(&self, row: u32) -> Option<usize> {
        let after = self.spans[..self.filled].partition_point(|span| span.first <= row);
        let span = self.spans[..after].last()?;
        (row - span.first < span.count).then(|| (span.at + (row - span.first)) as usize)
    }

    /// The first row and the one after the last.
    pub(crate) fn rows(&self) -> Option<(u32, u32)> {
        let filled = &self.spans[..self.filled];
        let last = filled.last()?;
        Some((filled[0].first, last.first + last.count))
    }

    pub(crate) fn model(&self, name: &str, dimensions: usize) -> Option<(usize, &ModelRows)> {
        self.models
            .iter()
            .enumerate()
            .find(|(_, model)| model.name == name && model.dimensions == dimensions)
    }

    pub(crate) fn in_memory(&self) -> usize {
        let models: usize = self
            .models
            .iter()
            .map(|model| model.positions.len() * 16)
            .sum();
        self.spans.len() * (size_of::<Span>() + 4) + self.chunks.len() * 16 + models
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |part: &[u8]| bytes.extend_from_slice(part);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        put(&count(self.spans.len()));
        for span in &self.spans {
            put(span.document.uuid().as_bytes());
            put(&span.first.to_le_bytes());
            put(&span.count.to_le_bytes());
        }
        put(&count(self.chunks.len()));
        for chunk in &self.chunks {
            put(chunk.uuid().as_bytes());
        }
        put(&count(self.models.len()));
        for model in &self.models {
            put(&count(model.name.len()));
            put(model.name.as_bytes());
            put(&count(model.dimensions));
            put(&count(model.positions.len()));
            for numbers in [&model.positions, &model.code_sums, &model.exact_sums] {
                for number in numbers {
                    put(&number.to_le_bytes());
                }
            }
            for step in &model.steps {
                put(&step.to_le_bytes());
            }
        }
        bytes
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let mut spans = Vec::new();
        let mut at = 0_u32;
        for _ in 0..reader.number()? {
            let document = DocumentId::from_uuid(reader.uuid()?);
            let first = reader.number()?;
            let count = reader.number()?;
            spans.push(Span {
                document,
                first,
                count,
                at,
            });
            at = at.checked_add(count)?;
        }
        let mut chunks = Vec::new();
        for _ in 0..reader.number()? {
            chunks.push(ChunkId::from_uuid(reader.uuid()?));
        }
        let mut models = Vec::new();
        let mut data = 0_u64;
        for _ in 0..reader.number()? {
            let name = reader.number()? as usize;
            let name = String::from_utf8(reader.take(name)?.to_vec()).ok()?;
            let dimensions = reader.number()? as usize;
            let count = reader.number()? as usize;
            let positions = reader.numbers(count)?;
            let code_sums = reader.numbers(count)?;
            let exact_sums = reader.numbers(count)?;
            let steps = reader
                .numbers(count)?
                .into_iter()
                .map(f32::from_bits)
                .collect();
            let (codes_at, exact_at) = place(&mut data, count, dimensions);
            models.push(ModelRows {
                name,
                dimensions,
                positions,
                steps,
                code_sums,
                exact_sums,
                codes_at,
                exact_at,
            });
        }
        Self::new(spans, chunks, models)
    }
}

/// Where the codes and the whole vectors of the next model are, given where the last one ended.
pub(super) fn place(data: &mut u64, rows: usize, dimensions: usize) -> (u64, u64) {
    let codes = (rows as u64).saturating_mul(dimensions as u64);
    let codes_at = *data;
    let exact_at = codes_at.saturating_add(codes);
    *data = exact_at.saturating_add(codes.saturating_mul(4));
    (codes_at, exact_at)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<u32>> {
        let bytes = self.take(count.checked_mul(4)?)?;
        let numbers = bytes.as_chunks::<4>().0.iter();
        Some(numbers.map(|bytes| u32::from_le_bytes(*bytes)).collect())
    }

    fn uuid(&mut self) -> Option<Uuid> {
        Uuid::from_slice(self.take(16)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn head() -> Head {
        let span = |document: u128, first, count, at| Span {
            document: DocumentId::from_uuid(Uuid::from_u128(document)),
            first,
            count,
            at,
        };
        let model = ModelRows {
            name: "m".to_owned(),
            dimensions: 2,
            positions: vec![0, 2],
            steps: vec![0.5, 0.25],
            code_sums: vec![1, 2],
            exact_sums: vec![3, 4],
            codes_at: 0,
            exact_at: 4,
        };
        let chunks = (1..=3).map(|n| ChunkId::from_uuid(Uuid::from_u128(n)));
        Head::new(
            vec![span(9, 4, 2, 0), span(5, 10, 1, 2), span(7, 0, 0, 3)],
            chunks.collect(),
            vec![model],
        )
        .unwrap()
    }

    #[test]
    fn rows_positions_and_documents_find_each_other() {
        let head = head();
        assert_eq!(Head::parse(&head.bytes()).unwrap(), head);
        for (position, row) in [(0, 4), (1, 5), (2, 10)] {
            assert_eq!(head.row_at(position), row);
            assert_eq!(head.position_of(row), Some(position));
        }
        for row in [0, 3, 6, 9, 11] {
            assert_eq!(head.position_of(row), None);
        }
        let five = DocumentId::from_uuid(Uuid::from_u128(5));
        assert_eq!(head.span_of(five).unwrap().first, 10);
        assert_eq!(head.rows(), Some((4, 11)));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(at in 0_usize..200, byte: u8, cut in 0_usize..200) {
            let mut bytes = head().bytes();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(cut.max(1).min(length));
            if let Some(head) = Head::parse(&bytes) {
                for position in 0..head.chunks.len() {
                    head.row_at(position);
                }
            }
        }
    }
}
