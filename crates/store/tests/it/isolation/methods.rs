//! Every method of every tenant repository, tried on another tenant's rows.

use super::cases::{Case, Kind, all};
use crate::fixture::TwoTenants;
use crate::schema::Schema;
use quipu_testkit::db_test;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The public methods in `src/tenant`, as `file.method`. The source is the only place that
/// knows them all.
fn methods() -> BTreeSet<String> {
    let folder = quipu_testkit::package_folder(env!("CARGO_MANIFEST_DIR")).join("src/tenant");
    let mut found = BTreeSet::new();
    for path in entries(&folder) {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        // A repository that is too long for one file has the others in a folder of its name.
        let files = if path.is_dir() {
            entries(&path)
        } else {
            vec![path.clone()]
        };
        for file in files {
            let source = std::fs::read_to_string(&file).unwrap();
            found.extend(methods_in(&source).map(|method| format!("{stem}.{method}")));
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The public methods of the types that borrow a transaction.
fn methods_in(source: &str) -> impl Iterator<Item = &str> {
    let mut in_repository = false;
    source.lines().filter_map(move |line| {
        // A macro writes some of them, further to the right.
        if line.trim_start().starts_with("impl") && line.ends_with('{') {
            in_repository = line.contains("<'_>");
        } else if line.starts_with('}') {
            in_repository = false;
        }
        let line = line.trim_start();
        let rest = line
            .strip_prefix("pub async fn ")
            .or_else(|| line.strip_prefix("pub fn "))?;
        in_repository.then(|| rest.split(['(', '<']).next().unwrap_or_default())
    })
}

#[test]
fn every_method_has_a_case() {
    let methods = methods();
    assert!(
        methods.contains("agents.find"),
        "the source is not being read: {methods:?}"
    );
    let named: Vec<_> = all().iter().map(|case| case.name.to_owned()).collect();
    let cases: BTreeSet<_> = named.iter().cloned().collect();
    assert_eq!(named.len(), cases.len(), "two cases have the same name");
    let untried: Vec<_> = methods.difference(&cases).collect();
    assert!(
        untried.is_empty(),
        "methods without a case in cases.rs: {untried:?}"
    );
    let stale: Vec<_> = cases.difference(&methods).collect();
    assert!(
        stale.is_empty(),
        "cases in cases.rs without a method: {stale:?}"
    );
}

/// The cases of one kind. Reading comes first, while both tenants are as the fixture left them.
fn of_kind(kind: Kind) -> Vec<Case> {
    let mut cases = all();
    cases.retain(|case| case.kind == kind);
    cases
}

db_test! {
    async fn no_method_reaches_the_other_tenant(db) {
        let TwoTenants { house, a, b } = TwoTenants::new(&db).await;
        let schema = Schema::of(&db).await;
        let before = schema.snapshot(a.id()).await;

        for Case { name, probe, .. } in of_kind(Kind::Read) {
            let own = probe(&house.read(a.scope).await, &a).await.unwrap();
            assert!(own, "{name}: the case proves nothing, since A does not reach its own row");
            let reached = probe(&house.read(b.scope).await, &a).await.unwrap();
            assert!(!reached, "{name}: B saw something of A");
        }
        for Case { name, probe, .. } in of_kind(Kind::Write) {
            // Dropped without a commit, so that A keeps its row for B to look for.
            let own = probe(&house.begin(a.scope).await, &a).await.unwrap();
            assert!(own, "{name}: the case proves nothing, since A does not reach its own row");
        }
        for Case { name, probe, .. } in [of_kind(Kind::Write), of_kind(Kind::Add)].concat() {
            let tx = house.begin(b.scope).await;
            let reached = probe(&tx, &a).await.unwrap();
            assert!(!reached, "{name}: B reached something of A");
            tx.commit().await.unwrap();
            assert_eq!(before, schema.snapshot(a.id()).await, "{name}: B changed A");
        }
    }
}
