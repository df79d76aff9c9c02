//! Whatever windows, segments and threads there are, the scores are those of every other engine.

use super::Measured;
use crate::words::{Addition, Words};
use proptest::prelude::*;
use quipu_core::analysis::Question;
use quipu_core::analysis::bm25::{
    CONTENT_HALVES, Counted, Score, Statistics, TITLE_HALVES, measure,
};
use quipu_core::engine::Entry;
use quipu_core::language::Language;
use quipu_core::{ChunkId, DocumentId};
use std::collections::BTreeMap;
use uuid::Uuid;

const QUESTION: &str = "¿a cuánto el corte de pelo para niños con tarjeta?";

/// The chunks of a document: for each, the places of its terms and of its title's.
type Chunks = Vec<(Vec<usize>, Vec<usize>)>;

fn chunks() -> impl Strategy<Value = Chunks> {
    let terms = || prop::collection::vec(0..40_usize, 0..12);
    prop::collection::vec((terms(), prop::collection::vec(0..40_usize, 0..3)), 1..160)
}

fn document(number: usize) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(number as u128 + 1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn scores_are_those_of_every_engine(
        documents in prop::collection::vec(chunks(), 1..9),
        removed in prop::collection::btree_set(0..9_usize, 0..3),
        limit in 1..60_usize,
        in_one in any::<bool>(),
    ) {
        let question = Question::read(QUESTION, Language::Es, Language::Es);
        let sought: Vec<String> = question.sought().into_iter().map(str::to_owned).collect();
        let term = |&place: &usize| match sought.get(place) {
            Some(term) => term.clone(),
            None => format!("relleno{place}"),
        };
        let folder = tempfile::tempdir().unwrap();
        let mut words = Words::create(folder.path()).unwrap();
        let mut kept: BTreeMap<u32, Entry> = BTreeMap::new();
        let mut first = 0;
        let mut read = Vec::new();
        for (number, chunks) in documents.iter().enumerate() {
            let entries: Vec<Entry> = chunks
                .iter()
                .map(|(terms, title)| Entry {
                    chunk: ChunkId::from_uuid(Uuid::nil()),
                    terms: terms.iter().map(term).collect(),
                    title_terms: title.iter().map(term).collect(),
                    vectors: Vec::new(),
                })
                .collect();
            let rows = first..;
            if !removed.contains(&number) {
                kept.extend(rows.clone().zip(entries.iter().cloned()));
            }
            first += u32::try_from(entries.len()).unwrap();
            read.push((document(number), rows.start, entries));
        }
        let added: Vec<Addition<'_>> = read
            .iter()
            .map(|(document, first, entries)| Addition { document: *document, first: *first, entries })
            .collect();
        // Each time anything is added, a segment comes into being.
        for added in added.chunks(if in_one { added.len() } else { 1 }) {
            words.apply(false, &[], added, "").unwrap();
        }
        let removed: Vec<DocumentId> = removed.into_iter().map(document).collect();
        words.apply(false, &removed, &[], "").unwrap();

        let counted: Vec<Counted> = kept.values().map(|entry| Counted {
            length: u32::try_from(entry.terms.len()).unwrap(),
            halves: sought.iter().map(|sought| {
                let times = |terms: &[String]| terms.iter().filter(|term| *term == sought).count();
                let content = u32::try_from(times(&entry.terms)).unwrap();
                let title = u32::try_from(times(&entry.title_terms)).unwrap();
                content * CONTENT_HALVES + title * TITLE_HALVES
            }).collect(),
        }).collect();
        let statistics = Statistics {
            chunks: kept.len() as u64,
            length: counted.iter().map(|chunk| u64::from(chunk.length)).sum(),
        };
        let (known, scores) = measure(&question, &counted, statistics);
        let view = words.view().unwrap();
        let measured = Measured::new(&view, &question).unwrap();
        prop_assert_eq!(&measured.known, &known);
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
        for (&row, expected) in kept.keys().zip(&scores) {
            let score = measured.of(row);
            let alike = close(score.coverage, expected.coverage) && close(score.relevance, expected.relevance);
            prop_assert!(alike, "row {}: {:?} instead of {:?}", row, score, expected);
        }
        let mut best: Vec<f32> = scores.iter().map(|score| score.total()).collect();
        best.retain(|total| *total > 0.0);
        best.sort_by(|a, b| b.total_cmp(a));
        best.truncate(limit);
        let found = measured.best(limit, None).unwrap();
        prop_assert_eq!(found.len(), best.len());
        for (row, expected) in found.iter().zip(best) {
            let total = Score::total(measured.of(*row));
            prop_assert!(close(total, expected), "{} instead of {}", total, expected);
        }
    }
}
