//! What is kept in memory of a segment of the word index.

use crate::fault::{Fault, Outcome};
use tantivy::{DocId, SegmentReader};

pub(crate) struct Segment {
    /// The row of each document of the segment.
    pub(crate) rows: Vec<u32>,
    /// The number of terms of each.
    pub(crate) lengths: Vec<u32>,
    /// The documents by row, unless they are in that order already.
    by_row: Option<Vec<DocId>>,
}

impl Segment {
    pub(crate) fn read(reader: &SegmentReader) -> Outcome<Self> {
        let rows = column(reader, "row")?;
        let lengths = column(reader, "length")?;
        let by_row = (!rows.is_sorted()).then(|| {
            let mut order: Vec<DocId> = (0..reader.max_doc()).collect();
            order.sort_by_key(|&doc| rows[doc as usize]);
            order
        });
        Ok(Self {
            rows,
            lengths,
            by_row,
        })
    }

    /// The documents with a row. A crash may leave a deleted one beside the one that counts.
    pub(crate) fn docs(&self, row: u32) -> impl Iterator<Item = DocId> + '_ {
        let at = |place: usize| match &self.by_row {
            Some(order) => order[place],
            None => DocId::try_from(place).unwrap_or(DocId::MAX),
        };
        let mut low = 0;
        let mut high = self.rows.len();
        while low < high {
            let middle = low.midpoint(high);
            if self.rows[at(middle) as usize] < row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..self.rows.len())
            .map(at)
            .take_while(move |&doc| self.rows[doc as usize] == row)
    }

    pub(crate) fn in_memory(&self) -> usize {
        4 * (self.rows.len() + self.lengths.len() + self.by_row.as_ref().map_or(0, Vec::len))
    }
}

fn column(reader: &SegmentReader, name: &str) -> Outcome<Vec<u32>> {
    let column = reader.fast_fields().u64(name)?;
    (0..reader.max_doc())
        .map(|doc| {
            let value = column
                .first(doc)
                .and_then(|value| u32::try_from(value).ok());
            value.ok_or_else(|| Fault::damaged(format!("a chunk without its {name}")))
        })
        .collect()
}
