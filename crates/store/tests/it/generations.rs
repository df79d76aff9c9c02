//! A document is processed beside what readers see of it, and takes its place at once.

mod atomic;
mod embedding;

use crate::fixture::{add_kb, shared_kb};
use crate::material::{
    MODEL, add_searchable, build, chunks, embed, load, process, searchable, text_of, typed,
};
use crate::schema::Schema;
use crate::support::{House, SECOND};
use quipu_core::DocumentId;
use quipu_core::extraction::DocumentInfo;
use quipu_core::knowledge::{DocumentChange, DocumentStatus, KnowledgeBaseChange, Stage};
use quipu_core::tenancy::TenantScope;
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use quipu_testkit::{TestDatabase, db_test};
use std::collections::HashSet;

const OLD: [&str; 2] = ["Abrimos a las 9.", "Cerramos a las 6."];
const NEW: [&str; 3] = [
    "Abrimos a las 8.",
    "Cerramos a las 7.",
    "Los domingos no abrimos.",
];

/// A knowledge base with one document that can be found.
struct Ground {
    house: House,
    schema: Schema,
    scope: TenantScope,
    kb: OpenKb,
    document: DocumentId,
}

impl Ground {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        let document = add_searchable(&tx, &kb, &OLD).await;
        tx.commit().await.unwrap();
        Self {
            house,
            schema: Schema::of(db).await,
            scope,
            kb,
            document,
        }
    }

    async fn begin(&self) -> TenantTx {
        self.house.begin(self.scope).await
    }

    async fn read(&self) -> TenantTx {
        self.house.read(self.scope).await
    }

    /// What every reader sees, after making sure that they see the same.
    async fn seen(&self) -> Vec<String> {
        let tx = self.read().await;
        let found = searchable(&tx, &[self.kb.id]).await;
        let found: Vec<_> = found.into_iter().map(|chunk| chunk.content).collect();
        let listed = tx
            .chunks()
            .list(&self.kb, self.document, 0, 100)
            .await
            .unwrap();
        let listed: Vec<_> = listed.into_iter().map(|chunk| chunk.content).collect();
        assert_eq!(found, listed);
        let text = tx.chunks().text(&self.kb, self.document).await.unwrap();
        let pieces: Vec<_> = found.iter().map(String::as_str).collect();
        assert_eq!(text, (!pieces.is_empty()).then(|| text_of(&pieces)));
        found
    }

    /// How many rows of each kind there are: chunks, vectors, extracted texts.
    async fn rows(&self) -> [usize; 3] {
        let snapshot = self.schema.snapshot(self.scope.tenant_id()).await;
        ["chunks", "chunk_vectors", "document_texts"].map(|table| snapshot[table].len())
    }

    async fn set_enabled(&self, enabled: bool) {
        let tx = self.begin().await;
        let change = DocumentChange {
            enabled: Some(enabled),
            ..DocumentChange::default()
        };
        assert!(
            tx.documents()
                .update(&self.kb, self.document, &change)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
    }
}

db_test! {
    async fn readers_see_the_old_version_until_the_new_one_is_complete(db) {
        let ground = Ground::new(&db).await;
        assert_eq!(ground.seen().await, OLD);
        let tx = ground.begin().await;
        tx.documents().begin_run(&ground.kb, ground.document).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, OLD, "queued again");

        let tx = ground.begin().await;
        let item = build(&tx, ground.document, &NEW).await;
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, OLD, "cut");
        let tx = ground.begin().await;
        embed(&tx, &item, 0, 2).await;
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, OLD, "partly embedded");
        let tx = ground.begin().await;
        embed(&tx, &item, 0, 100).await;
        assert!(tx.ingest().publish(&item, item.next_generation()).await.unwrap());
        assert_eq!(ground.seen().await, OLD, "not committed");
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, NEW);
        assert_eq!(ground.rows().await, [3, 3, 1], "nothing of the old one is left");
    }

    async fn a_failed_run_leaves_what_was_there_and_nothing_else(db) {
        let ground = Ground::new(&db).await;
        let before = ground.rows().await;
        let tx = ground.begin().await;
        tx.documents().begin_run(&ground.kb, ground.document).await.unwrap().unwrap();
        let item = build(&tx, ground.document, &NEW).await;
        embed(&tx, &item, 0, 2).await;
        tx.commit().await.unwrap();
        assert_ne!(ground.rows().await, before);

        let tx = ground.begin().await;
        let why = Some(("DOCUMENT_DAMAGED", "Está dañado."));
        let (id, failed) = (ground.document, DocumentStatus::Failed);
        assert!(tx.ingest().set_status(id, failed, why).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, OLD);
        assert_eq!(ground.rows().await, before);
        let tx = ground.begin().await;
        let document = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!(document.status, failed);
        assert_eq!(document.error_code.as_deref(), Some("DOCUMENT_DAMAGED"));
        assert_eq!(document.error_message.as_deref(), Some("Está dañado."));
        assert_eq!((document.chunks_count, document.tokens_count), (2, 6), "what readers see");
        let item = load(&tx, id).await;
        assert_eq!((item.building, item.building_chunks), (None, 0));
        assert!(!tx.ingest().publish(&item, item.next_generation()).await.unwrap());

        // The next run starts from the beginning and succeeds.
        tx.documents().begin_run(&ground.kb, id).await.unwrap().unwrap();
        process(&tx, id, &NEW).await;
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, NEW);
        let tx = ground.read().await;
        let document = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!((document.status, document.error_code), (DocumentStatus::Completed, None));
    }

    async fn a_first_run_that_fails_leaves_nothing(db) {
        let ground = Ground::new(&db).await;
        let before = ground.rows().await;
        let tx = ground.begin().await;
        let new = typed(tx.now(), "another");
        tx.documents().insert(&ground.kb, &new, "ana").await.unwrap();
        let item = build(&tx, new.id, &NEW).await;
        embed(&tx, &item, 0, 100).await;
        tx.commit().await.unwrap();
        let tx = ground.begin().await;
        let failed = DocumentStatus::Failed;
        assert!(tx.ingest().set_status(new.id, failed, None).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(ground.rows().await, before);
        assert_eq!(ground.seen().await, OLD);
    }

    async fn a_run_that_was_abandoned_leaves_nothing_to_the_next(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let item = build(&tx, ground.document, &NEW).await;
        embed(&tx, &item, 0, 100).await;
        // New content was put behind it, and the run begins anew.
        assert_eq!(tx.documents().begin_run(&ground.kb, item.id).await.unwrap(), Some(2));
        assert!(!tx.ingest().publish(&item, item.next_generation()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, OLD);
        let tx = ground.begin().await;
        assert_eq!(load(&tx, item.id).await.building, None);
        process(&tx, item.id, &["Solo esto."]).await;
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, ["Solo esto."]);
        assert_eq!(ground.rows().await, [1, 1, 1]);
    }

    async fn only_what_is_being_built_is_published(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let before = load(&tx, ground.document).await;
        assert!(!tx.ingest().publish(&before, 1).await.unwrap(), "it is published");
        assert!(!tx.ingest().publish(&before, 2).await.unwrap(), "it is not built");
        let item = build(&tx, ground.document, &NEW).await;
        assert!(!tx.ingest().publish(&item, 3).await.unwrap(), "another one is");
        assert!(tx.ingest().publish(&item, 2).await.unwrap());
        assert!(!tx.ingest().publish(&item, 2).await.unwrap(), "twice");
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, NEW);
    }

    async fn a_disabled_document_is_kept_but_not_found(db) {
        let ground = Ground::new(&db).await;
        ground.set_enabled(false).await;
        let tx = ground.read().await;
        assert!(searchable(&tx, &[ground.kb.id]).await.is_empty());
        let listed = tx.chunks().list(&ground.kb, ground.document, 0, 100).await.unwrap();
        assert_eq!(listed.len(), 2, "people still see it");
        let ids: Vec<_> = listed.iter().map(|chunk| chunk.id).collect();
        let still = tx.chunks().findable(&[ground.kb.id], &ids).await.unwrap();
        assert!(still.is_empty());
        drop(tx);
        // It is processed all the same, and found once it is enabled.
        let tx = ground.begin().await;
        process(&tx, ground.document, &NEW).await;
        tx.commit().await.unwrap();
        let tx = ground.read().await;
        assert!(searchable(&tx, &[ground.kb.id]).await.is_empty());
        drop(tx);
        ground.set_enabled(true).await;
        assert_eq!(ground.seen().await, NEW);
    }

    async fn what_a_search_found_is_asked_for_once_more(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let other_kb = add_kb(&tx, &shared_kb("other")).await;
        let gone = add_searchable(&tx, &ground.kb, &["Se borra."]).await;
        add_searchable(&tx, &other_kb, &["En otra parte."]).await;
        let kbs = [ground.kb.id, other_kb.id];
        let found = searchable(&tx, &kbs).await;
        tx.commit().await.unwrap();
        assert_eq!(found.len(), 4);
        let ids: Vec<_> = found.iter().map(|chunk| chunk.id).collect();
        let of = |document: DocumentId| {
            let own = found.iter().filter(move |chunk| chunk.document_id == document);
            own.map(|chunk| chunk.id).collect::<HashSet<_>>()
        };
        let still = async |kbs: &[_], ids: &[_]| {
            let tx = ground.read().await;
            let chunks = tx.chunks().findable(kbs, ids).await.unwrap();
            chunks.into_iter().map(|chunk| chunk.id).collect::<HashSet<_>>()
        };
        let all: HashSet<_> = ids.iter().copied().collect();
        assert_eq!(still(&kbs, &ids).await, all);
        assert_eq!(still(&kbs, &[]).await, HashSet::new());
        assert_eq!(still(&[], &ids).await, HashSet::new());
        let one_kb: HashSet<_> = &of(ground.document) | &of(gone);
        assert_eq!(still(&[ground.kb.id], &ids).await, one_kb);

        let tx = ground.begin().await;
        tx.documents().delete(&ground.kb, &[gone]).await.unwrap();
        // What is built is not found yet; what it replaces still is.
        let item = build(&tx, ground.document, &NEW).await;
        let drafts = tx.ingest().unembedded(item.id, 2, MODEL, 0, 10).await.unwrap();
        tx.commit().await.unwrap();
        let drafts: Vec<_> = drafts.iter().map(|chunk| chunk.id).collect();
        assert_eq!(still(&kbs, &drafts).await, HashSet::new());
        assert_eq!(still(&kbs, &ids).await, &all - &of(gone));
        let tx = ground.begin().await;
        assert!(tx.ingest().publish(&item, 2).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(still(&kbs, &drafts).await, drafts.iter().copied().collect());
        assert_eq!(still(&kbs, &ids).await, &(&all - &of(gone)) - &of(ground.document));
    }

    async fn progress_is_told_while_it_is_made(db) {
        let ground = Ground::new(&db).await;
        let id = ground.document;
        let status = async || {
            let tx = ground.read().await;
            tx.documents().status(&ground.kb, id).await.unwrap().unwrap()
        };
        let done = status().await;
        assert_eq!((done.status, done.stage), (DocumentStatus::Completed, None));
        assert_eq!((done.progress_percent, done.chunks_created), (100, 2));

        ground.house.clock.advance(SECOND);
        let tx = ground.begin().await;
        assert_eq!(tx.documents().begin_run(&ground.kb, id).await.unwrap(), Some(2));
        tx.commit().await.unwrap();
        let waiting = status().await;
        assert_eq!((waiting.status, waiting.progress_percent), (DocumentStatus::Pending, 0));
        assert!(waiting.updated_at > done.updated_at);

        ground.house.clock.advance(SECOND);
        let started = ground.house.now();
        for (percent, shown) in [(5, 5), (250, 99), (-3, 0)] {
            let tx = ground.begin().await;
            assert!(tx.ingest().report(id, Stage::Parsing, percent).await.unwrap());
            tx.commit().await.unwrap();
            let now = status().await;
            assert_eq!((now.status, now.stage), (DocumentStatus::Processing, Some(Stage::Parsing)));
            assert_eq!(now.progress_percent, shown);
            ground.house.clock.advance(SECOND);
        }
        let tx = ground.begin().await;
        let item = build(&tx, id, &NEW).await;
        tx.commit().await.unwrap();
        assert_eq!(status().await.chunks_created, 3, "those that are being made");
        let tx = ground.begin().await;
        assert!(tx.ingest().publish(&item, 2).await.unwrap());
        let document = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!(document.processing_started_at, Some(started), "of this run");
        assert_eq!(document.processing_completed_at, Some(ground.house.now()));
        assert_eq!((document.chunks_count, document.tokens_count), (3, 9));
        assert_eq!((document.status, document.progress_percent), (DocumentStatus::Completed, 100));

        let nobody = DocumentId::generate(ground.house.now());
        assert!(!tx.ingest().report(nobody, Stage::Parsing, 1).await.unwrap());
        assert!(!tx.ingest().set_status(nobody, DocumentStatus::Failed, None).await.unwrap());
        let stats = tx.knowledge_bases().stats(ground.kb.id).await.unwrap().unwrap();
        assert_eq!((stats.documents, stats.chunks, stats.tokens), (1, 3, 9));
    }

    async fn a_file_fills_in_what_people_left_open(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let mut new = typed(tx.now(), "file");
        new.title = None;
        tx.documents().insert(&ground.kb, &new, "ana").await.unwrap();
        let change = DocumentChange {
            author: Some(Some("Ana".to_owned())),
            ..DocumentChange::default()
        };
        assert!(tx.documents().update(&ground.kb, new.id, &change).await.unwrap());
        let info = DocumentInfo {
            title: Some("Manual".to_owned()),
            author: Some("somebody".to_owned()),
            date: Some("2025-12-05".to_owned()),
            pages: Some(7),
        };
        let item = load(&tx, new.id).await;
        tx.ingest().build(&item, "uno", &info, "un", &chunks(&["uno"])).await.unwrap();
        assert!(tx.ingest().publish(&item, 1).await.unwrap());
        let document = tx.documents().find(&ground.kb, new.id).await.unwrap().unwrap();
        assert_eq!(document.title.as_deref(), Some("Manual"));
        assert_eq!(document.author.as_deref(), Some("Ana"));
        assert_eq!(document.document_date.as_deref(), Some("2025-12-05"));
        assert_eq!((document.pages_count, document.preview.as_str()), (Some(7), "un"));
    }

    async fn a_chunk_leads_back_to_its_place(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let mut new = typed(tx.now(), "page");
        new.source_url = Some("https://example.com/".to_owned());
        tx.documents().insert(&ground.kb, &new, "ana").await.unwrap();
        let pieces = ["¿Año nuevo?", "Sí, señor.", "👩‍👩‍👧 y más", "fin"];
        process(&tx, new.id, &pieces).await;
        tx.commit().await.unwrap();

        let tx = ground.begin().await;
        let text: Vec<_> = tx.chunks().text(&ground.kb, new.id).await.unwrap().unwrap()
            .chars().collect();
        let listed = tx.chunks().list(&ground.kb, new.id, 0, 100).await.unwrap();
        for (chunk, index) in listed.iter().zip(0_i32..) {
            assert_eq!((chunk.chunk_index, chunk.document_id), (index, new.id));
            let place = usize::try_from(chunk.start_char).unwrap()
                ..usize::try_from(chunk.end_char).unwrap();
            assert_eq!(text[place].iter().collect::<String>(), chunk.content);
            assert_eq!(chunk.headings, ["Guía".to_owned(), format!("Parte {index}")]);
            assert_eq!((chunk.content_tokens, chunk.page_number), (3, Some(index + 1)));
            let pages = (chunk.page_start, chunk.page_end);
            assert_eq!(pages, (Some(index + 1), Some(index + 1)), "it stands on the one page it names");
            assert_eq!(chunk.title.as_deref(), Some("page"));
            assert_eq!(chunk.source_url.as_deref(), Some("https://example.com/"));
            let found = tx.chunks().find(&ground.kb, new.id, chunk.id).await.unwrap();
            assert_eq!(found.as_ref(), Some(chunk));
            let elsewhere = tx.chunks().find(&ground.kb, ground.document, chunk.id).await;
            assert_eq!(elsewhere.unwrap(), None);
        }
        let indices = |chunks: &[quipu_core::knowledge::ChunkView]| {
            chunks.iter().map(|chunk| chunk.chunk_index).collect::<Vec<_>>()
        };
        assert_eq!(indices(&listed), [0, 1, 2, 3]);
        let some = tx.chunks().list(&ground.kb, new.id, 1, 2).await.unwrap();
        assert_eq!(indices(&some), [1, 2]);
        assert!(tx.chunks().list(&ground.kb, new.id, 4, 2).await.unwrap().is_empty());

        // What a knowledge base does not want its chunks to carry, they do not.
        let mut config = ground.kb.chunking_config.clone();
        config.include_title = false;
        config.include_page_number = false;
        config.include_source_url = false;
        let change = KnowledgeBaseChange {
            chunking_config: Some(config),
            ..KnowledgeBaseChange::default()
        };
        assert!(tx.knowledge_bases().update(&ground.kb, &change).await.unwrap());
        let bare = tx.knowledge_bases().open(ground.kb.id, None).await.unwrap().unwrap();
        let chunk = tx.chunks().list(&bare, new.id, 0, 1).await.unwrap().pop().unwrap();
        assert_eq!((chunk.title, chunk.page_number, chunk.source_url), (None, None, None));
        assert_eq!((chunk.page_start, chunk.page_end), (None, None));
    }
}
