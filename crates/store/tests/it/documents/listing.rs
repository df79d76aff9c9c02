//! Lists of documents: filters and orders held against the rules written out a second time, and
//! pages that lose and repeat nothing.

use super::{Ground, file};
use crate::material::{ACTOR, add, typed};
use crate::support::code;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_core::format::Format;
use quipu_core::knowledge::{
    Document, DocumentChange, DocumentFilter, DocumentSort, DocumentSource, DocumentStatus,
    NewDocument,
};
use quipu_core::page::PageRequest;
use quipu_core::{DocumentId, ErrorCode};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use quipu_testkit::db_test;

const WORLDS: usize = 12;
const FILTERS: usize = 25;

const SORTS: [DocumentSort; 4] = [
    DocumentSort::Newest,
    DocumentSort::Oldest,
    DocumentSort::Name,
    DocumentSort::Largest,
];

/// Few and alike, so that many documents share one and differ in case or in an accent only.
const NAMES: [&str; 14] = [
    "alfa",
    "Alfa",
    "ALFA",
    "beta",
    "beta 100%",
    "beta 1000",
    "a_b",
    "axb",
    "a\\b",
    "Árbol",
    "árbol",
    "arbol",
    "ÑANDÚ",
    "",
];
const TEXTS: [&str; 18] = [
    "a", "ALFA", "lf", "100%", "%", "_", "a_b", "\\", "\\_", "árbol", "ÁRBOL", "rbol", "ñandú",
    "Ñ", "", "%a%", "beta 100", "z",
];
const WORDS: [&str; 3] = ["salud", "Salud", "ventas"];
const FORMATS: [Format; 3] = [Format::Pdf, Format::Docx, Format::Txt];
const STATUSES: [DocumentStatus; 4] = [
    DocumentStatus::Pending,
    DocumentStatus::Processing,
    DocumentStatus::Completed,
    DocumentStatus::Failed,
];

#[derive(Clone, Debug)]
struct Plan {
    title: Option<&'static str>,
    filename: Option<&'static str>,
    format: Option<Format>,
    size: i64,
    category: Option<&'static str>,
    tags: Vec<&'static str>,
    status: DocumentStatus,
    enabled: bool,
}

fn plans() -> impl Strategy<Value = Plan> {
    (
        option::of(select(&NAMES[..])),
        option::of(select(&NAMES[..])),
        option::of(select(&FORMATS[..])),
        0_i64..4,
        option::of(select(&WORDS[..])),
        proptest::sample::subsequence(WORDS.to_vec(), 0..=3),
        select(&STATUSES[..]),
        any::<bool>(),
    )
        .prop_map(
            |(title, filename, format, size, category, tags, status, enabled)| Plan {
                title,
                filename,
                format,
                size,
                category,
                tags,
                status,
                enabled,
            },
        )
}

fn filters() -> impl Strategy<Value = DocumentFilter> {
    let word = || option::weighted(0.2, select(&WORDS[..]).prop_map(str::to_owned));
    (
        option::weighted(0.2, select(&STATUSES[..])),
        option::weighted(
            0.2,
            prop_oneof![Just(DocumentSource::File), Just(DocumentSource::Manual)],
        ),
        option::weighted(0.2, select(&FORMATS[..])),
        word(),
        word(),
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.7, select(&TEXTS[..]).prop_map(str::to_owned)),
    )
        .prop_map(
            |(status, source, file_type, category, tag, enabled, text)| DocumentFilter {
                status,
                source,
                file_type,
                category,
                tag,
                enabled,
                text,
            },
        )
}

/// The rules: everything that is given must hold. A text is part of the title or of the file's
/// name, letter by letter, whatever the case.
fn matches(document: &Document, filter: &DocumentFilter) -> bool {
    let part_of = |text: &str, name: &Option<String>| {
        name.as_ref()
            .is_some_and(|name| name.to_lowercase().contains(&text.to_lowercase()))
    };
    filter.status.is_none_or(|status| document.status == status)
        && filter.source.is_none_or(|source| document.source == source)
        && filter
            .file_type
            .is_none_or(|format| document.file_type == Some(format))
        && filter
            .enabled
            .is_none_or(|enabled| document.enabled == enabled)
        && (filter.category.is_none() || document.category == filter.category)
        && filter
            .tag
            .as_ref()
            .is_none_or(|tag| document.tags.contains(tag))
        && filter
            .text
            .as_ref()
            .is_none_or(|text| part_of(text, &document.title) || part_of(text, &document.filename))
}

/// Whether `a` may stand before `b`. How names beyond plain letters are ordered is the database's
/// matter.
fn in_order(sort: DocumentSort, a: &Document, b: &Document) -> bool {
    let name = |document: &Document| {
        let name = document.title.clone().or_else(|| document.filename.clone());
        name.unwrap_or_default().to_lowercase()
    };
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase());
    match sort {
        DocumentSort::Newest => a.id > b.id,
        DocumentSort::Oldest => a.id < b.id,
        DocumentSort::Largest => (a.size_bytes, a.id) > (b.size_bytes, b.id),
        DocumentSort::Name => {
            let (x, y) = (name(a), name(b));
            !(plain(&x) && plain(&y)) || (x, a.id) < (y, b.id)
        }
    }
}

async fn insert(tx: &TenantTx, kb: &OpenKb, n: usize, plan: &Plan) -> DocumentId {
    let text = plan.filename.is_none();
    let new = NewDocument {
        id: DocumentId::generate(tx.now()),
        source: if text {
            DocumentSource::Manual
        } else {
            DocumentSource::File
        },
        title: plan.title.map(str::to_owned),
        filename: plan.filename.map(str::to_owned),
        file_type: plan.format,
        content_hash: format!("content {n}"),
        size_bytes: plan.size,
        category: plan.category.map(str::to_owned),
        tags: plan.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..typed(tx.now(), "text")
    };
    tx.documents().insert(kb, &new, ACTOR).await.unwrap();
    tx.ingest()
        .set_status(new.id, plan.status, None)
        .await
        .unwrap();
    let enabled = Some(plan.enabled);
    let change = DocumentChange {
        enabled,
        ..DocumentChange::default()
    };
    assert!(tx.documents().update(kb, new.id, &change).await.unwrap());
    new.id
}

async fn page_through(
    tx: &TenantTx,
    kb: &OpenKb,
    filter: &DocumentFilter,
    sort: DocumentSort,
    limit: u64,
) -> Vec<DocumentId> {
    let mut ids = Vec::new();
    let mut page = PageRequest { limit, after: None };
    loop {
        let found = tx.documents().list(kb, filter, sort, page).await.unwrap();
        assert!(found.data.len() as u64 <= limit);
        ids.extend(found.data.iter().map(|document| document.id));
        let Some(cursor) = found.next_cursor else {
            return ids;
        };
        assert_eq!(found.data.len() as u64, limit, "a page in between is full");
        page.after = Some(cursor.parse().unwrap());
    }
}

db_test! {
    async fn lists_are_what_the_rules_say(db) {
        let ground = Ground::new(&db).await;
        let mut runner = TestRunner::deterministic();
        let mut matched = 0;
        for _ in 0..WORLDS {
            let world = vec(plans(), 0..40).new_tree(&mut runner).unwrap().current();
            let tx = ground.begin().await;
            let mut made = Vec::new();
            for (n, plan) in world.iter().enumerate() {
                let id = insert(&tx, &ground.kb, n, plan).await;
                made.push(tx.documents().find(&ground.kb, id).await.unwrap().unwrap());
            }
            for n in 0..FILTERS {
                let filter = match n {
                    0 => DocumentFilter::default(),
                    _ => filters().new_tree(&mut runner).unwrap().current(),
                };
                let mut expected: Vec<_> = made.iter()
                    .filter(|document| matches(document, &filter))
                    .map(|document| document.id)
                    .collect();
                expected.sort_unstable();
                matched += expected.len();
                let ids = tx.documents().ids(&ground.kb, &filter, 1000).await.unwrap();
                assert_eq!(ids, expected, "{filter:?} of {world:#?}");
                let some = tx.documents().ids(&ground.kb, &filter, 3).await.unwrap();
                assert_eq!(some[..], expected[..expected.len().min(3)]);
                let rest = tx.documents().ids_after(&ground.kb, &filter, some.last().copied(), 1000).await.unwrap();
                assert_eq!(rest[..], expected[some.len()..]);
                let counted = tx.documents().count_matching(&ground.kb, &filter).await.unwrap();
                assert_eq!(counted, expected.len() as u64);

                for sort in SORTS {
                    let page = PageRequest { limit: 200, after: None };
                    let all = tx.documents().list(&ground.kb, &filter, sort, page).await.unwrap();
                    assert!(
                        all.data.is_sorted_by(|a, b| in_order(sort, a, b)),
                        "{sort:?} {:?}",
                        all.data
                    );
                    let all: Vec<_> = all.data.iter().map(|document| document.id).collect();
                    let mut listed = all.clone();
                    listed.sort_unstable();
                    assert_eq!(listed, expected, "{sort:?} {filter:?} of {world:#?}");
                    let limit = (1_u64..8).new_tree(&mut runner).unwrap().current();
                    let paged = page_through(&tx, &ground.kb, &filter, sort, limit).await;
                    assert_eq!(paged, all, "{sort:?} {limit} at a time, {filter:?}");
                }
            }
        }
        assert!(matched > 500, "the filters let too little through: {matched}");
    }

    async fn a_cursor_is_a_document_of_the_knowledge_base(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let mut ids = Vec::new();
        for n in 0..4 {
            ids.push(add(&tx, &ground.kb, &format!("texto {n}")).await);
        }
        ids.sort_unstable();
        tx.documents().delete(&ground.kb, &[ids[1]]).await.unwrap();
        let after = |id: DocumentId| PageRequest { limit: 10, after: Some(id.uuid()) };
        let all = DocumentFilter::default();
        let list = async |sort, id| {
            let found = tx.documents().list(&ground.kb, &all, sort, after(id)).await?;
            let ids = found.data.iter().map(|document| document.id).collect::<Vec<_>>();
            quipu_core::Result::Ok(ids)
        };
        // Whoever deletes what they see while they turn pages goes on where they were, as long as
        // the cursor tells where that is.
        assert_eq!(list(DocumentSort::Oldest, ids[1]).await.unwrap(), [ids[2], ids[3]]);
        assert_eq!(list(DocumentSort::Newest, ids[1]).await.unwrap(), [ids[0]]);
        for sort in [DocumentSort::Name, DocumentSort::Largest] {
            assert_eq!(code(list(sort, ids[1]).await), ErrorCode::InvalidCursor);
            assert!(list(sort, ids[2]).await.is_ok());
        }
    }

    async fn tags_and_names_are_compared_as_they_are(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let new = NewDocument {
            title: Some("Años 50%_a\\b".to_owned()),
            ..file(tx.now(), "INFORME_Nº1.PDF", Format::Pdf)
        };
        tx.documents().insert(&ground.kb, &new, ACTOR).await.unwrap();
        add(&tx, &ground.kb, "otro").await;
        for (text, found) in [
            ("años", true), ("AÑOS", true), ("anos", false), ("50%", true), ("50x", false),
            ("%_", true), ("0_", false), ("_a", true), ("a\\b", true), ("a\\\\b", false),
            ("informe_n", true), ("informexn", false), ("nº1", true), ("Nº1.pdf", true),
            ("Años 50%_a\\b", true), ("' OR 1=1 --", false),
        ] {
            let filter = DocumentFilter {
                text: Some(text.to_owned()),
                ..DocumentFilter::default()
            };
            let ids = tx.documents().ids(&ground.kb, &filter, 10).await.unwrap();
            assert_eq!(ids.contains(&new.id), found, "{text}");
            assert!(ids.len() <= 1, "{text}");
        }
    }
}
