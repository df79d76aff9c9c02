//! What is measured is measured to the end, whatever the product says by now.

use serde_json::Value;
use std::process::Command;

#[test]
fn a_turn_is_measured_in_all_its_parts() {
    let measured = Command::new(env!("CARGO_BIN_EXE_quipu"))
        .args(["bench", "turn", "--turns", "100", "--model", "static"])
        .arg("--json")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&measured.stderr);
    let report: Value = serde_json::from_slice(&measured.stdout).expect(&errors);
    let parts = report["parts"].as_array().unwrap();
    for name in ["guard", "supervisor", "streaming", "a slow model"] {
        let part = parts.iter().find(|part| part["name"] == name);
        let figures = &part.unwrap_or_else(|| panic!("no {name}: {errors}"))["figures"];
        assert!(!figures.as_array().unwrap().is_empty(), "{name}: {errors}");
    }
}
