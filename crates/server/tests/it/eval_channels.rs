//! `quipu eval channels` over deliveries made here.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn evaluate(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
        command.env_remove(name);
    }
    command.args(["eval", "channels"]).arg(folder);
    command.args(arguments).output().unwrap()
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// A delivery of WhatsApp with a text, and one with something that nobody can read beside it.
fn deliveries(folder: &Path) {
    let text = json!({
        "from": "51987654321", "id": "wamid.1", "timestamp": "1795000000", "type": "text",
        "text": { "body": "¿a qué hora abren?" },
    });
    let body = |messages: Value| {
        json!({
            "object": "whatsapp_business_account",
            "entry": [{ "id": "9", "changes": [{ "field": "messages", "value": {
                "messaging_product": "whatsapp",
                "metadata": { "display_phone_number": "51900000001", "phone_number_id": "1" },
                "contacts": [{ "profile": { "name": "Rosa" }, "wa_id": "51987654321" }],
                "messages": messages,
            } }] }],
        })
        .to_string()
    };
    write(
        folder,
        "whatsapp/recorded/text.json",
        &body(json!([text.clone()])),
    );
    write(folder, "whatsapp/half.json", &body(json!([text, 7])));
    let item = json!({
        "sender": { "id": "6000000000000001" }, "recipient": { "id": "1" },
        "timestamp": 1_795_000_000_000_i64, "message": { "mid": "m_1", "text": "hola" },
    });
    write(folder, "messenger/item.json", &item.to_string());
    let whole =
        json!({ "object": "page", "entry": [{ "id": "1", "time": 1, "messaging": [item] }] });
    write(folder, "messenger/whole.json", &whole.to_string());
    let call = json!({ "message": { "type": "assistant-request", "call": { "id": "c1" } } });
    write(folder, "vapi/ring.json", &call.to_string());
    write(
        folder,
        "vapi/template.jsonc",
        "{ \"message\": { /* … */ } }",
    );
    write(folder, "vapi/README.md", "# nothing to read");
    write(folder, "openai/other.json", "{}");
}

#[test]
fn each_file_is_told_with_what_was_read_of_it() {
    let folder = tempfile::tempdir().unwrap();
    deliveries(folder.path());
    let out = evaluate(folder.path(), &["--json"]);
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{errors}");
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let file = |name: &str| {
        let files = report["files"].as_array().unwrap();
        let found = files.iter().find(|file| file["path"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {report}"))
    };
    for name in ["whatsapp/recorded/text.json", "whatsapp/half.json"] {
        assert_eq!(file(name)["events"], json!(["message.text"]));
    }
    assert_eq!(
        file("whatsapp/recorded/text.json")["refused"],
        json!([]),
        "{report}"
    );
    let refused = file("whatsapp/half.json")["refused"][0].as_str().unwrap();
    assert!(
        refused.starts_with("entry[0].changes[0].value.messages[1]"),
        "{refused}"
    );
    for name in ["messenger/item.json", "messenger/whole.json"] {
        assert_eq!(file(name)["events"], json!(["message.text"]), "{report}");
    }
    assert_eq!(
        file("vapi/ring.json")["events"],
        json!(["voice.assistant_request"])
    );
    assert_eq!(file("vapi/template.jsonc")["events"], json!([]));
    assert_eq!(report["files"].as_array().unwrap().len(), 6);
    let counts = ["read", "refused", "failed"].map(|name| report[name].as_u64().unwrap());
    assert_eq!(counts, [4, 2, 0]);
    assert_eq!(report["kinds"]["message.text"], 4);

    let table = String::from_utf8(evaluate(folder.path(), &[]).stdout).unwrap();
    let line = |name: &str| table.lines().find(|line| line.contains(name)).unwrap();
    assert!(line("text.json").ends_with("  message.text"), "{table}");
    assert!(
        line("half.json").contains("message.text; refused: entry[0]"),
        "{table}"
    );
    assert!(
        table.contains("6 files: 4 read, 2 refused, 0 failed"),
        "{table}"
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_opened_fails() {
    let folder = tempfile::tempdir().unwrap();
    deliveries(folder.path());
    let nowhere = folder.path().join("nowhere");
    let link = folder.path().join("whatsapp/gone.json");
    std::os::unix::fs::symlink(nowhere, link).unwrap();
    let out = evaluate(folder.path(), &[]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let printed = String::from_utf8(out.stdout).unwrap();
    let told = printed.lines().find(|line| line.contains("gone.json"));
    assert!(
        told.unwrap().contains("FAILED: it cannot be opened"),
        "{printed}"
    );
    assert!(
        printed.contains("7 files: 4 read, 2 refused, 1 failed"),
        "{printed}"
    );
}

#[test]
fn a_folder_without_deliveries_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "openai/other.json", "{}");
    let out = evaluate(folder.path(), &[]);
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.contains("has no deliveries"), "{told}");
    let out = evaluate(&folder.path().join("nowhere"), &[]);
    assert_eq!(out.status.code(), Some(1));
    assert!(
        String::from_utf8(out.stderr)
            .unwrap()
            .contains("cannot be read")
    );
}
