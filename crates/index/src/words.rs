//! Search by words: tantivy keeps who has which term how often, and nothing else.
//!
//! A term of the title counts one and a half times. It goes into the same list as the content's:
//! each term of the content is written twice and each of the title three times, so that half of
//! what is read back is the frequency, exactly.

mod found;
mod score;
mod segment;
mod threads;
mod tokens;
mod vocabulary;

pub(crate) use score::Measured;
pub(crate) use vocabulary::Terms;

use crate::directory::WordFolder;
use crate::fault::{Fault, Outcome};
use quipu_core::DocumentId;
use quipu_core::analysis::bm25::{CONTENT_HALVES, TITLE_HALVES};
use quipu_core::engine::Entry;
use quipu_core::memo::Memo;
use segment::Segment;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::Directory as _;
use tantivy::index::SegmentId;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy, MergePolicy, NoMergePolicy};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument, Term,
};

pub(crate) const FOLDER: &str = "words";
/// Misspelt words whose meaning is remembered, some hundred bytes each.
const MOST_MEANT: usize = 1_000;
/// What a writer may hold in memory before it writes a segment.
const WRITER_BYTES: usize = 32 << 20;
/// Segments beyond this are not merged any further, so that no merge takes minutes.
const LARGEST_SEGMENT: usize = 400_000;

#[derive(Clone, Copy)]
pub(crate) struct Fields {
    terms: Field,
    document: Field,
    row: Field,
    length: Field,
}

/// The word index of a partition, as its writer has it.
pub(crate) struct Words {
    index: Index,
    reader: IndexReader,
    folder: WordFolder,
    fields: Fields,
    /// What is in memory of each segment; a segment never changes.
    segments: HashMap<SegmentId, Arc<Segment>>,
}

/// The word index as a search sees it.
pub(crate) struct View {
    pub(crate) fields: Fields,
    pub(crate) segments: Vec<(tantivy::SegmentReader, Arc<Segment>)>,
    pub(crate) chunks: usize,
    /// The sum of the lengths of all chunks.
    pub(crate) length: u64,
    /// What was meant by words that do not occur, as far as somebody asked.
    meant: Memo<Arc<[String]>>,
}

/// Entries of a document, the first of which gets the row `first`.
pub(crate) struct Addition<'a> {
    pub(crate) document: DocumentId,
    pub(crate) first: u32,
    pub(crate) entries: &'a [Entry],
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(tokens::NAME)
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        terms: builder.add_text_field("terms", options),
        document: builder.add_bytes_field("document", INDEXED),
        row: builder.add_u64_field("row", FAST),
        length: builder.add_u64_field("length", FAST),
    };
    (builder.build(), fields)
}

impl Words {
    pub(crate) fn create(folder: &Path) -> Outcome<Self> {
        let folder = folder.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let directory = WordFolder::new(folder);
        let (schema, fields) = schema();
        let index = Index::create(directory.clone(), schema, IndexSettings::default())?;
        Self::new(index, directory, fields)
    }

    /// Opens what is there and makes sure that it is what was written.
    pub(crate) fn open(folder: &Path) -> Outcome<Self> {
        let folder = folder.join(FOLDER);
        let directory = WordFolder::new(folder.clone());
        let index = Index::open(directory.clone())?;
        let (schema, fields) = schema();
        if index.schema() != schema {
            return Err(Fault::damaged("the word index has another schema"));
        }
        sweep(&index, &folder)?;
        // The reader holds the files that are checked now, and reads no others later.
        let words = Self::new(index, directory, fields)?;
        for file in words.index.load_metas()?.list_segment_files() {
            if words.folder.exists(&file).unwrap_or(false)
                && !words
                    .index
                    .directory()
                    .validate_checksum(&file)
                    .map_err(tantivy::TantivyError::from)?
            {
                return Err(Fault::damaged(format!("{} is damaged", file.display())));
            }
        }
        Ok(words)
    }

    fn new(index: Index, folder: WordFolder, fields: Fields) -> Outcome<Self> {
        index.tokenizers().register(tokens::NAME, tokens::Apart);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            folder,
            fields,
            segments: HashMap::new(),
        })
    }

    /// What was noted with the last change.
    pub(crate) fn note(&self) -> Outcome<String> {
        Ok(self.index.load_metas()?.payload.unwrap_or_default())
    }

    /// Replaces documents, all of them when `clear` says so, and leaves a note with it.
    pub(crate) fn apply(
        &mut self,
        clear: bool,
        removed: &[DocumentId],
        added: &[Addition<'_>],
        note: &str,
    ) -> Outcome<()> {
        let mut writer = self.writer()?;
        if clear {
            writer.delete_all_documents()?;
        }
        for document in removed {
            let id = document.uuid();
            writer.delete_term(Term::from_field_bytes(self.fields.document, id.as_bytes()));
        }
        for addition in added {
            for (entry, row) in addition.entries.iter().zip(addition.first..) {
                writer.add_document(self.document(addition.document, row, entry))?;
            }
        }
        let mut commit = writer.prepare_commit()?;
        commit.set_payload(note);
        commit.commit()?;
        writer.wait_merging_threads()?;
        Ok(())
    }

    /// Merges small segments. Returns whether anything changed.
    pub(crate) fn tidy(&mut self) -> Outcome<bool> {
        let mut policy = LogMergePolicy::default();
        policy.set_max_docs_before_merge(LARGEST_SEGMENT);
        policy.set_min_layer_size(1_000);
        policy.set_del_docs_ratio_before_merge(0.3);
        let metas = self.index.searchable_segment_metas()?;
        let candidates = policy.compute_merge_candidates(&metas);
        if candidates.is_empty() {
            return Ok(false);
        }
        let mut writer = self.writer()?;
        for candidate in candidates {
            writer.merge(&candidate.0).wait()?;
        }
        writer.wait_merging_threads()?;
        Ok(true)
    }

    fn writer(&self) -> Outcome<IndexWriter> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .build();
        let writer = self.index.writer_with_options(options)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(writer)
    }

    fn document(&self, document: DocumentId, row: u32, entry: &Entry) -> TantivyDocument {
        let content = entry.terms.iter().map(|term| (term, CONTENT_HALVES));
        let title = entry.title_terms.iter().map(|term| (term, TITLE_HALVES));
        let terms = content
            .chain(title)
            .flat_map(|(term, times)| std::iter::repeat_n(term.as_str(), times as usize));
        let mut written = TantivyDocument::new();
        written.add_text(self.fields.terms, tokens::joined(terms));
        written.add_bytes(self.fields.document, document.uuid().as_bytes());
        written.add_u64(self.fields.row, row.into());
        written.add_u64(self.fields.length, entry.terms.len() as u64);
        written
    }

    /// What searches see from now on.
    pub(crate) fn view(&mut self) -> Outcome<View> {
        self.reader.reload()?;
        let searcher = self.reader.searcher();
        let mut segments = Vec::new();
        let mut known = HashMap::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id();
            let segment = match self.segments.get(&id) {
                Some(segment) => Arc::clone(segment),
                None => Arc::new(Segment::read(reader)?),
            };
            known.insert(id, Arc::clone(&segment));
            segments.push((reader.clone(), segment));
        }
        self.segments = known;
        let mut length = 0;
        let mut chunks = 0;
        for (reader, segment) in &segments {
            for doc in reader.doc_ids_alive() {
                chunks += 1;
                length += u64::from(segment.lengths[doc as usize]);
            }
        }
        Ok(View {
            fields: self.fields,
            segments,
            chunks,
            length,
            meant: Memo::new(MOST_MEANT),
        })
    }

    pub(crate) fn in_memory(&self) -> usize {
        let segments = self.segments.values().map(|segment| segment.in_memory());
        self.folder.in_memory() + segments.sum::<usize>()
    }
}

/// Deletes what a killed writer left behind.
fn sweep(index: &Index, folder: &Path) -> Outcome<()> {
    let mut kept = index.load_metas()?.list_segment_files();
    kept.extend(["meta.json", ".managed.json"].map(PathBuf::from));
    for file in fs::read_dir(folder)? {
        let file = file?;
        if !kept.contains(Path::new(&file.file_name())) {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}
