//! The shape of the house, held by the compiler's own view of it.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What each room may use, as ARCHITECTURE.md has it.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    BTreeMap::from([
        (
            "quipu-server",
            vec![
                "quipu-app",
                "quipu-core",
                "quipu-language",
                "quipu-commerce",
                "quipu-knowledge",
                "quipu-agents",
                "quipu-bench",
                "quipu-channels",
                "quipu-providers",
                "quipu-scripted",
                "quipu-extract",
                "quipu-fetch",
                "quipu-heap",
                "quipu-index",
                "quipu-simulator",
                "quipu-store",
            ],
        ),
        (
            "quipu-app",
            vec![
                "quipu-channels",
                "quipu-core",
                "quipu-language",
                "quipu-commerce",
                "quipu-store",
                "quipu-knowledge",
                "quipu-agents",
            ],
        ),
        ("quipu-knowledge", vec!["quipu-core"]),
        ("quipu-channels", vec!["quipu-core"]),
        (
            "quipu-agents",
            vec![
                "quipu-core",
                "quipu-commerce",
                "quipu-dialogue",
                "quipu-language",
            ],
        ),
        (
            "quipu-dialogue",
            vec!["quipu-core", "quipu-commerce", "quipu-language"],
        ),
        ("quipu-commerce", vec!["quipu-core"]),
        ("quipu-language", vec!["quipu-core"]),
        (
            "quipu-bench",
            vec![
                "quipu-core",
                "quipu-index",
                "quipu-store",
                "quipu-providers",
            ],
        ),
        ("quipu-providers", vec!["quipu-core", "quipu-simd"]),
        ("quipu-extract", vec!["quipu-core"]),
        ("quipu-fetch", vec!["quipu-core"]),
        ("quipu-heap", vec![]),
        ("quipu-index", vec!["quipu-core", "quipu-simd"]),
        ("quipu-store", vec!["quipu-core", "quipu-commerce"]),
        ("quipu-core", vec![]),
        ("quipu-simd", vec![]),
        ("quipu-scripted", vec![]),
        ("quipu-simulator", vec![]),
        ("quipu-testkit", vec!["quipu-core", "quipu-scripted"]),
    ])
}

#[test]
fn arrows_point_the_right_way() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let rooms: BTreeSet<String> = metadata
        .packages
        .iter()
        .map(|package| package.name.to_string())
        .collect();
    let allowed = allowed();
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let Some(may_use) = allowed.get(package.name.as_str()) else {
            wrong.push(format!(
                "{} is a room that ARCHITECTURE.md does not know",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            if !rooms.contains(&dependency.name) {
                continue;
            }
            // Tests may use the testkit; and the server's may see every room, as the server does.
            let for_tests = dependency.kind == DependencyKind::Development
                && (dependency.name == "quipu-testkit" || package.name == "quipu-server");
            if !for_tests && !may_use.contains(&dependency.name.as_str()) {
                wrong.push(format!("{} must not use {}", package.name, dependency.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_app_makes_scopes() {
    for constructor in ["TenantScope::of(", "RetrievalScope::grant("] {
        for (file, text) in sources() {
            let made_here = text
                .lines()
                .take_while(|line| !matches!(line.trim(), "#[cfg(test)]" | "#![cfg(test)]"))
                .any(|line| line.contains(constructor));
            let in_app = file.components().any(|part| part.as_os_str() == "app");
            // What is measured belongs to tenants that are made up: there is nothing of anybody's
            // that such a scope could open.
            let measures = file.starts_with("bench") && constructor.starts_with("RetrievalScope");
            assert!(
                in_app || measures || !made_here,
                "{} calls {constructor}",
                file.display()
            );
        }
    }
}

#[test]
fn vocabulary_and_dialogue_do_no_io_and_read_no_clock() {
    let forbidden = [
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "tokio::",
        "SystemTime",
        "Instant::now",
        "Timestamp::now",
    ];
    for (file, text) in sources() {
        let room = file
            .components()
            .next()
            .map(std::path::Component::as_os_str);
        let pure = ["core", "commerce", "language", "dialogue"];
        if !pure.iter().any(|name| room == Some(name.as_ref())) {
            continue;
        }
        for word in forbidden {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}

/// Every Rust file under a `src` folder of the workspace.
fn sources() -> Vec<(PathBuf, String)> {
    let server = quipu_testkit::package_folder(env!("CARGO_MANIFEST_DIR"));
    let crates = server.parent().unwrap();
    let mut found = Vec::new();
    for room in std::fs::read_dir(crates).unwrap() {
        let mut open = vec![room.unwrap().path().join("src")];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    found.push((path.strip_prefix(crates).unwrap().to_owned(), text));
                }
            }
        }
    }
    assert!(found.len() > 50, "the sources were not found");
    found
}
