//! Documents: what is kept once, what changes, and through which knowledge base.

mod listing;

use crate::fixture::{add_kb, business_kb, shared_kb};
use crate::material::{ACTOR, add, add_searchable, build, load, searchable, typed};
use crate::support::{House, SECOND, code, open};
use futures::future::join_all;
use quipu_core::format::Format;
use quipu_core::knowledge::{
    DocumentChange, DocumentFilter, DocumentSort, DocumentSource, DocumentStatus, NewDocument,
    Stage,
};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{DocumentId, ErrorCode, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::Barrier;

/// A tenant with an empty knowledge base.
struct Ground {
    house: House,
    scope: TenantScope,
    kb: OpenKb,
}

impl Ground {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        tx.commit().await.unwrap();
        Self { house, scope, kb }
    }

    async fn begin(&self) -> TenantTx {
        self.house.begin(self.scope).await
    }

    async fn read(&self) -> TenantTx {
        self.house.read(self.scope).await
    }
}

/// Holds open transactions until all of them are open. On SQLite, where only one writes at a time,
/// they go one after another as they come.
#[derive(Clone)]
struct Together(Option<Arc<Barrier>>);

impl Together {
    fn new(db: &TestDatabase, count: usize) -> Self {
        Self(db.is_postgres().then(|| Arc::new(Barrier::new(count))))
    }

    async fn wait(&self) {
        if let Self(Some(barrier)) = self {
            barrier.wait().await;
        }
    }
}

/// A file that somebody uploaded.
fn file(now: Timestamp, name: &str, format: Format) -> NewDocument {
    NewDocument {
        source: DocumentSource::File,
        title: None,
        filename: Some(name.to_owned()),
        file_type: Some(format),
        storage_path: Some(format!("kb/{name}")),
        text: None,
        tags: Vec::new(),
        ..typed(now, name)
    }
}

fn same_content(new: &NewDocument, content: &str) -> NewDocument {
    NewDocument {
        id: DocumentId::generate(Timestamp::UNIX_EPOCH),
        content_hash: content.to_owned(),
        ..new.clone()
    }
}

/// # Panics
/// When it is no duplicate, or of another document.
fn assert_duplicate<T: std::fmt::Debug>(result: quipu_core::Result<T>, twin: DocumentId) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), ErrorCode::DuplicateDocument);
    assert_eq!(error.details()["document_id"], twin.to_string());
}

db_test! {
    async fn the_same_content_is_kept_once_in_a_knowledge_base(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let other = add_kb(&tx, &shared_kb("other")).await;
        let first = add(&tx, &ground.kb, "Abrimos a las 9.").await;
        let again = typed(tx.now(), "Abrimos a las 9.");
        assert_duplicate(tx.documents().insert(&ground.kb, &again, ACTOR).await, first);
        // The transaction goes on, with another text and with the same one elsewhere.
        add(&tx, &ground.kb, "Cerramos a las 6.").await;
        add(&tx, &other, "Abrimos a las 9.").await;
        let twin = tx.documents().twin(&ground.kb, &again.content_hash).await.unwrap();
        assert_eq!(twin, Some(first));
        assert_eq!(tx.documents().twin(&ground.kb, "nothing").await.unwrap(), None);
        assert_eq!(tx.documents().delete(&ground.kb, &[first]).await.unwrap(), 1);
        tx.documents().insert(&ground.kb, &again, ACTOR).await.unwrap();
        tx.commit().await.unwrap();
        let tx = ground.read().await;
        assert_eq!(tx.documents().count(ground.kb.id).await.unwrap(), 2);
    }

    // Who comes second is told who was first, even when neither had seen the other.
    async fn the_same_content_sent_at_once_is_kept_once(db) {
        let ground = Ground::new(&db).await;
        let other = open(db.url(), ground.house.clock.clone()).await;
        let together = Together::new(&db, 8);
        let attempts = (0..8).map(|n| {
            let store = if n % 2 == 0 { ground.house.store.clone() } else { other.clone() };
            let (scope, kb, together) = (ground.scope, ground.kb.clone(), together.clone());
            tokio::spawn(async move {
                let tx = store.begin(scope).await.unwrap();
                together.wait().await;
                let new = typed(tx.now(), "Abrimos a las 9.");
                let inserted = tx.documents().insert(&kb, &new, ACTOR).await;
                if inserted.is_ok() {
                    tx.commit().await.unwrap();
                }
                inserted.map(|()| new.id)
            })
        });
        let ended: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
        let kept: Vec<_> = ended.iter().filter_map(|ended| ended.as_ref().ok()).copied().collect();
        assert_eq!(kept.len(), 1);
        for refused in ended.into_iter().filter(Result::is_err) {
            assert_duplicate(refused, kept[0]);
        }
    }

    async fn a_document_is_found_as_it_was_added(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let new = NewDocument {
            title: Some("Guía".to_owned()),
            source_url: Some("https://example.com/guia.pdf".to_owned()),
            category: Some("salud".to_owned()),
            tags: vec!["ñ".to_owned(), "b".to_owned(), "a".to_owned()],
            metadata: json!({ "página": [1, null, "dos"] }),
            size_bytes: 5_000_000_000,
            ..file(tx.now(), "guía.pdf", Format::Pdf)
        };
        tx.documents().insert(&ground.kb, &new, ACTOR).await.unwrap();
        let found = tx.documents().find(&ground.kb, new.id).await.unwrap().unwrap();
        assert_eq!((found.id, found.knowledge_base_id), (new.id, ground.kb.id));
        assert_eq!((found.title, found.filename), (new.title, new.filename));
        assert_eq!((found.source, found.file_type), (new.source, new.file_type));
        assert_eq!((found.source_url, found.category), (new.source_url, new.category));
        assert_eq!((found.metadata, found.size_bytes), (new.metadata, new.size_bytes));
        assert_eq!((found.content_hash, found.preview), (new.content_hash, new.preview));
        let tags: BTreeSet<_> = found.tags.iter().map(String::as_str).collect();
        assert_eq!(tags, ["a", "b", "ñ"].into_iter().collect());
        assert_eq!((found.status, found.enabled), (DocumentStatus::Pending, true));
        assert_eq!((found.chunks_count, found.progress_percent), (0, 0));
        assert_eq!((found.created_at, found.updated_at), (tx.now(), tx.now()));
        assert_eq!((found.processing_started_at, found.error_code), (None, None));
        let original = tx.documents().original(&ground.kb, new.id).await.unwrap().unwrap();
        assert_eq!((original.storage_path, original.text), (new.storage_path, None));

        let text = add(&tx, &ground.kb, "Abrimos a las 9.").await;
        let original = tx.documents().original(&ground.kb, text).await.unwrap().unwrap();
        assert_eq!(original.text.as_deref(), Some("Abrimos a las 9."));
        assert_eq!(original.storage_path, None);
    }

    // Whoever may see one knowledge base does not reach into another through it.
    async fn a_document_is_reached_through_its_own_knowledge_base_only(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let id = add_searchable(&tx, &ground.kb, &["Abrimos a las 9."]).await;
        let chunk = searchable(&tx, &[ground.kb.id]).await[0].id;
        let other = add_kb(&tx, &shared_kb("other")).await;
        let documents = tx.documents();
        assert!(documents.find(&other, id).await.unwrap().is_none());
        assert!(documents.original(&other, id).await.unwrap().is_none());
        assert!(documents.status(&other, id).await.unwrap().is_none());
        assert!(documents.next_version(&other, id).await.unwrap().is_none());
        assert!(documents.begin_run(&other, id).await.unwrap().is_none());
        assert!(documents.twin(&other, "Abrimos a las 9.").await.unwrap().is_none());
        assert_eq!(documents.count(other.id).await.unwrap(), 0);
        let all = DocumentFilter::default();
        assert!(documents.ids(&other, &all, 10).await.unwrap().is_empty());
        let (newest, page) = (DocumentSort::Newest, PageRequest::default());
        assert!(documents.list(&other, &all, newest, page).await.unwrap().data.is_empty());
        let ever = Timestamp::UNIX_EPOCH;
        assert!(documents.changed_since(&other, ever, None, 10).await.unwrap().is_empty());
        let change = DocumentChange { tags: Some(Vec::new()), ..DocumentChange::default() };
        assert!(!documents.update(&other, id, &change).await.unwrap());
        let new = typed(tx.now(), "new");
        assert!(!documents.replace_content(&other, id, &new).await.unwrap());
        assert_eq!(documents.delete(&other, &[id]).await.unwrap(), 0);
        assert!(tx.chunks().list(&other, id, 0, 10).await.unwrap().is_empty());
        assert!(tx.chunks().find(&other, id, chunk).await.unwrap().is_none());
        assert!(tx.chunks().text(&other, id).await.unwrap().is_none());
        assert!(searchable(&tx, &[other.id]).await.is_empty());
        let untouched = documents.find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!((untouched.tags.len(), untouched.status), (1, DocumentStatus::Completed));
    }

    async fn what_people_say_about_a_document_can_be_changed(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let id = add_searchable(&tx, &ground.kb, &["Abrimos a las 9."]).await;
        tx.commit().await.unwrap();
        ground.house.clock.advance(SECOND);
        let some = |text: &str| Some(Some(text.to_owned()));
        let set = DocumentChange {
            title: some("Horario"),
            author: some("Ana"),
            document_date: some("2025-12-05"),
            category: some("general"),
            tags: Some(vec!["horario".to_owned(), "tienda".to_owned()]),
            metadata: Some(json!({ "a": 1 })),
            enabled: Some(false),
        };
        let tx = ground.begin().await;
        let before = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert!(tx.documents().update(&ground.kb, id, &set).await.unwrap());
        let nothing = DocumentChange::default();
        assert!(tx.documents().update(&ground.kb, id, &nothing).await.unwrap());
        let after = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!(after.title.as_deref(), Some("Horario"));
        assert_eq!(after.author.as_deref(), Some("Ana"));
        assert_eq!(after.document_date.as_deref(), Some("2025-12-05"));
        assert_eq!(after.category.as_deref(), Some("general"));
        assert_eq!((after.tags.len(), &after.metadata), (2, &json!({ "a": 1 })));
        assert!(!after.enabled && after.updated_at > before.updated_at);
        assert_eq!((after.status, after.chunks_count), (before.status, before.chunks_count));

        let unset = DocumentChange {
            title: Some(None),
            author: Some(None),
            document_date: Some(None),
            category: Some(None),
            tags: Some(Vec::new()),
            enabled: Some(true),
            ..DocumentChange::default()
        };
        assert!(tx.documents().update(&ground.kb, id, &unset).await.unwrap());
        let after = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!((after.title, after.author, after.document_date), (None, None, None));
        assert_eq!((after.category, after.tags), (None, Vec::new()));
        assert!(after.enabled && after.metadata == json!({ "a": 1 }));
        let nobody = DocumentId::generate(tx.now());
        assert!(!tx.documents().update(&ground.kb, nobody, &set).await.unwrap());
    }

    async fn new_content_replaces_the_old_behind_a_document(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let id = add_searchable(&tx, &ground.kb, &["Abrimos a las 9."]).await;
        let other = add(&tx, &ground.kb, "Cerramos a las 6.").await;
        let new = typed(tx.now(), "Abrimos a las 8, y cerramos tarde.");
        assert!(tx.documents().replace_content(&ground.kb, id, &new).await.unwrap());
        let taken = same_content(&new, "Cerramos a las 6.");
        assert_duplicate(tx.documents().replace_content(&ground.kb, id, &taken).await, other);
        assert!(tx.documents().replace_content(&ground.kb, id, &new).await.unwrap(), "the same");
        let nobody = DocumentId::generate(tx.now());
        let free = same_content(&new, "free");
        assert!(!tx.documents().replace_content(&ground.kb, nobody, &free).await.unwrap());

        let after = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!((after.content_hash, after.size_bytes), (new.content_hash, new.size_bytes));
        let original = tx.documents().original(&ground.kb, id).await.unwrap().unwrap();
        assert_eq!(original.text, new.text);
        assert_eq!(load(&tx, id).await.text, new.text, "what the worker reads");
        let found = searchable(&tx, &[ground.kb.id]).await;
        assert_eq!(found[0].content, "Abrimos a las 9.", "until it was processed");
    }

    async fn new_content_sent_at_once_does_not_make_twins(db) {
        let ground = Ground::new(&db).await;
        let other = open(db.url(), ground.house.clock.clone()).await;
        let tx = ground.begin().await;
        let mut ids = Vec::new();
        for n in 0..6 {
            ids.push(add(&tx, &ground.kb, &format!("texto {n}")).await);
        }
        tx.commit().await.unwrap();
        let together = Together::new(&db, ids.len());
        let attempts = ids.iter().enumerate().map(|(n, id)| {
            let store = if n % 2 == 0 { ground.house.store.clone() } else { other.clone() };
            let (scope, kb, id) = (ground.scope, ground.kb.clone(), *id);
            let together = together.clone();
            tokio::spawn(async move {
                let tx = store.begin(scope).await.unwrap();
                together.wait().await;
                let new = typed(tx.now(), "el mismo");
                let replaced = tx.documents().replace_content(&kb, id, &new).await;
                if replaced.is_ok() {
                    tx.commit().await.unwrap();
                }
                replaced.map(|done| done.then_some(id))
            })
        });
        let ended: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
        let kept: Vec<_> = ended.iter().filter_map(|ended| ended.as_ref().ok()).copied().collect();
        let [Some(kept)] = kept[..] else { panic!("{kept:?}") };
        for refused in ended.into_iter().filter(Result::is_err) {
            assert_duplicate(refused, kept);
        }
    }

    async fn a_new_file_never_overwrites_the_old(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let new = file(tx.now(), "v1.docx", Format::Docx);
        tx.documents().insert(&ground.kb, &new, ACTOR).await.unwrap();
        let version = tx.documents().next_version(&ground.kb, new.id).await.unwrap();
        assert_eq!(version, Some(2));
        let newer = file(tx.now(), "v2.pdf", Format::Pdf);
        assert!(tx.documents().replace_content(&ground.kb, new.id, &newer).await.unwrap());
        let after = tx.documents().find(&ground.kb, new.id).await.unwrap().unwrap();
        assert_eq!(after.filename.as_deref(), Some("v2.pdf"));
        assert_eq!(after.file_type, Some(Format::Pdf));
        let item = load(&tx, new.id).await;
        assert_eq!((item.storage_path.as_deref(), item.storage_version), (Some("kb/v2.pdf"), 2));
        let version = tx.documents().next_version(&ground.kb, new.id).await.unwrap();
        assert_eq!(version, Some(3));

        // So does a page that was read again.
        let (html, size) = (Format::Html, 12);
        let fetched = tx.ingest().fetched(new.id, "kb/v3.html", "v3.html", html, size).await;
        assert!(fetched.unwrap());
        let item = load(&tx, new.id).await;
        assert_eq!((item.storage_path.as_deref(), item.storage_version), (Some("kb/v3.html"), 3));
        assert_eq!((item.file_type, item.filename.as_deref()), (Some(html), Some("v3.html")));
        let nobody = DocumentId::generate(tx.now());
        assert!(!tx.ingest().fetched(nobody, "path", "name", html, size).await.unwrap());
        let nobodys = tx.documents().next_version(&ground.kb, nobody).await.unwrap();
        assert_eq!(nobodys, None);
    }

    async fn a_document_can_be_processed_again(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let id = add_searchable(&tx, &ground.kb, &["Abrimos a las 9."]).await;
        let why = Some(("CODE", "why"));
        assert!(tx.ingest().report(id, Stage::Parsing, 5).await.unwrap());
        build(&tx, id, &["a medias"]).await;
        tx.ingest().set_status(id, DocumentStatus::Failed, why).await.unwrap();
        tx.commit().await.unwrap();
        ground.house.clock.advance(SECOND);
        for run in [2, 3] {
            let tx = ground.begin().await;
            assert_eq!(load(&tx, id).await.run, run - 1);
            build(&tx, id, &["a medias"]).await;
            assert_eq!(tx.documents().begin_run(&ground.kb, id).await.unwrap(), Some(run));
            let item = load(&tx, id).await;
            assert_eq!((item.run, item.building, item.building_chunks), (run, None, 0));
            let document = tx.documents().find(&ground.kb, id).await.unwrap().unwrap();
            assert_eq!((document.status, document.stage), (DocumentStatus::Pending, None));
            assert_eq!((document.error_code, document.error_message), (None, None));
            assert_eq!(document.processing_started_at, None, "this time it did not start yet");
            assert_eq!(document.processing_completed_at, None);
            assert_eq!((document.progress_percent, document.updated_at), (0, tx.now()));
            assert_eq!(searchable(&tx, &[ground.kb.id]).await.len(), 1);
            tx.commit().await.unwrap();
        }
        let tx = ground.begin().await;
        let nobody = DocumentId::generate(tx.now());
        assert_eq!(tx.documents().begin_run(&ground.kb, nobody).await.unwrap(), None);
    }

    async fn each_thing_of_the_business_is_told_once(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let kb = add_kb(&tx, &business_kb("business")).await;
        let about = |kind: &str, id: &str| NewDocument {
            source: DocumentSource::Business,
            business: Some((kind.to_owned(), id.to_owned())),
            ..typed(tx.now(), &format!("{kind} {id}"))
        };
        let mut ids = Vec::new();
        for (kind, id) in [("faq", "1"), ("faq", "2"), ("policy", "1")] {
            let new = about(kind, id);
            tx.documents().insert(&kb, &new, "system").await.unwrap();
            ids.push((kind, id, new.id));
        }
        for (kind, id, document) in ids {
            let found = tx.documents().find_business(kind, id).await.unwrap().unwrap();
            assert_eq!((found.id, found.source), (document, DocumentSource::Business));
        }
        assert!(tx.documents().find_business("policy", "2").await.unwrap().is_none());
        let again = NewDocument { content_hash: "other".to_owned(), ..about("faq", "1") };
        assert_eq!(code(tx.documents().insert(&kb, &again, "system").await), ErrorCode::Internal);
    }

    async fn changes_are_told_in_their_order(db) {
        let ground = Ground::new(&db).await;
        let start = ground.house.now();
        let mut ids = Vec::new();
        for n in 0..5 {
            ground.house.clock.advance(SECOND);
            let tx = ground.begin().await;
            ids.push(add(&tx, &ground.kb, &format!("texto {n}")).await);
            tx.commit().await.unwrap();
        }
        ground.house.clock.advance(SECOND);
        let tx = ground.begin().await;
        tx.documents().begin_run(&ground.kb, ids[1]).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        let since = async |since, limit| {
            let tx = ground.read().await;
            let changed = tx.documents().changed_since(&ground.kb, since, None, limit).await;
            let changed = changed.unwrap();
            changed.iter().map(|status| status.document_id).collect::<Vec<_>>()
        };
        assert_eq!(since(start, 100).await, [ids[0], ids[2], ids[3], ids[4], ids[1]]);
        assert_eq!(since(start, 2).await, [ids[0], ids[2]]);
        assert_eq!(since(start + 4 * SECOND, 100).await, [ids[4], ids[1]]);
        assert!(since(ground.house.now(), 100).await.is_empty());
    }

    // A request for many documents changes them at one instant, and a page may end among them.
    async fn changes_of_one_instant_are_told_one_by_one(db) {
        let ground = Ground::new(&db).await;
        let start = ground.house.now();
        let mut added = BTreeSet::new();
        for _ in 0..3 {
            ground.house.clock.advance(SECOND);
            let tx = ground.begin().await;
            for _ in 0..7 {
                added.insert(add(&tx, &ground.kb, &format!("texto {}", added.len())).await);
            }
            tx.commit().await.unwrap();
        }
        let (mut since, mut after, mut told) = (start, None, Vec::new());
        loop {
            let tx = ground.read().await;
            let changed = tx.documents().changed_since(&ground.kb, since, after, 5).await.unwrap();
            let Some(last) = changed.last() else { break };
            (since, after) = (last.updated_at, Some(last.document_id));
            told.extend(changed.iter().map(|status| status.document_id));
        }
        assert_eq!(told.len(), added.len(), "none is told twice");
        assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), added);
    }
}
