//! `quipu eval extraction`, over files made here.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn evaluate(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
        command.env_remove(name);
    }
    command
        .args(["eval", "extraction"])
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn what_is_missing_is_told_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        std::fs::write(folder.path().join(name), content).unwrap();
    };
    write(
        "carta.md",
        "# Carta\n\nEnvi\u{301}o gratis y café.".as_bytes(),
    );
    write("precios.csv", b"nombre,precio\nPan,1\nVino,2\n");
    write("roto.json", b"{\"a\": ");
    let right = r#"{"path": "carta.md", "kind": "text", "must_contain": ["envío", "café"]}
{"path": "roto.json", "kind": "must_reject", "lang": "es"}
"#;
    write("manifest.jsonl", right.as_bytes());
    let passed = evaluate(folder.path(), &["--json"]);
    assert!(passed.status.success(), "{passed:?}");
    let report: Value = serde_json::from_slice(&passed.stdout).unwrap();
    assert_eq!(report["passed"], true);
    assert_eq!(report["files"][0]["outcome"], "completed");
    assert_eq!(report["files"][1]["outcome"], "failed");
    assert_eq!(report["files"][1]["code"], "DOCUMENT_DAMAGED");

    let wrong = r#"{"path": "precios.csv", "kind": "text", "must_contain": ["Pan", "Queso"]}
{"path": "carta.md", "kind": "ocr", "must_contain": ["gratis", "Carta", "café", "y", "nunca"]}
{"path": "roto.json", "kind": "text", "must_contain": ["a"]}
"#;
    write("manifest.jsonl", wrong.as_bytes());
    let missed = evaluate(folder.path(), &[]);
    assert_eq!(missed.status.code(), Some(1), "{missed:?}");
    let told = String::from_utf8(missed.stdout).unwrap();
    let line = |name: &str| told.lines().find(|line| line.contains(name)).unwrap();
    assert!(line("precios.csv").starts_with("MISS"), "{told}");
    assert!(line("precios.csv").ends_with("missing: Queso"), "{told}");
    assert!(line("carta.md").starts_with("ok"), "{told}");
    assert!(line("roto.json").starts_with("MISS"), "{told}");
    assert!(told.contains("0 of 2 as required"), "{told}");
}

#[test]
fn a_folder_without_a_manifest_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = evaluate(folder.path(), &[]);
    assert_eq!(refused.status.code(), Some(1));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("manifest.jsonl cannot be read"), "{told}");
}
