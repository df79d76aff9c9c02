//! What the tests of several formats share.

use crate::collect::Collector;
use proptest::prelude::*;
use proptest::sample::Index;
use quipu_core::extraction::{DocumentInfo, Failure, Segment};

type Extract = fn(&[u8], &mut Collector) -> Result<(), Failure>;

/// Runs one extractor to its end.
pub(crate) fn segments(
    extract: Extract,
    bytes: &[u8],
) -> Result<(DocumentInfo, Vec<Segment>), Failure> {
    let mut out = Collector::default();
    extract(bytes, &mut out)?;
    let extracted = out.finish()?;
    Ok((extracted.info, extracted.segments))
}

/// The text of the whole file.
pub(crate) fn text(extract: Extract, bytes: &[u8]) -> Result<String, Failure> {
    let (_, segments) = segments(extract, bytes)?;
    let texts: Vec<_> = segments.into_iter().map(|segment| segment.text).collect();
    Ok(texts.join("\n\n"))
}

/// Text or a failure are both right for bytes that mean nothing; only a panic is not.
pub(crate) fn no_panic(extract: Extract, bytes: &[u8]) {
    drop(segments(extract, bytes));
}

/// Copies of a file with pieces changed, cut out and repeated.
pub(crate) fn mutations(valid: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<Index>(), any::<Index>(), any::<u8>(), 0..4_u8);
    prop::collection::vec(change, 1..12).prop_map(move |changes| {
        let mut bytes = valid.to_vec();
        for (at, to, byte, what) in changes {
            if bytes.is_empty() || bytes.len() > 20 * valid.len() {
                break;
            }
            let (at, to) = (at.index(bytes.len()), to.index(bytes.len()));
            let range = at.min(to)..at.max(to);
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.drain(range)),
                _ => {
                    let piece = bytes[range].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        bytes
    })
}
