//! `quipu eval scenarios`, over conversations with a small barber's shop.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn evaluate(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
        command.env_remove(name);
    }
    command
        .args(["eval", "scenarios"])
        .arg(folder.join("scenarios.json"))
        .args(arguments)
        .output()
        .unwrap()
}

fn scenario(id: &str, expect: &Value) -> Value {
    json!({
        "id": id, "title": "Precio de la barba", "lang": "es",
        "now": "2025-08-20T11:00:00-05:00",
        "tenant": {
            "id": "navaja", "name": "Barbería La Navaja", "country": "CO", "motto": "Al ras",
            "timezone": "America/Bogota", "currency": "COP", "vertical": "general",
            "branches": [{ "id": "uno", "name": "Laureles", "address": "Circular 4 # 70-12",
                "hours": { "mon-sat": "09:00-18:00", "sun": "closed" } }],
            "staff": [{ "id": "w", "name": "Wilmar", "role": "barbero", "days": "mon-fri" }],
            "services": [
                { "id": "barba", "name": "Arreglo de barba", "price": 28000, "minutes": 30, "staff": ["w"] },
                { "id": "corte", "name": "Corte de cabello", "price": 35000, "minutes": 30, "staff": ["w"] },
            ],
            "policies": ["Si llegas más de diez minutos tarde, la cita se corre."],
            "faqs": [{ "q": "¿Atienden niños?", "a": "Sí, desde los tres años." }],
            "loyalty": { "unit": "tijeras", "earn": "1 por cada $10.000",
                "rewards": [{ "points": 30, "reward": "Arreglo de barba gratis" }] },
        },
        "customer": { "phone": "+573001112233", "name": "Óscar", "loyalty_balance": 12,
            "appointments": [
                { "id": "C9", "service": "corte", "staff": "w", "start": "2025-08-22T10:00" },
            ] },
        "busy": [{ "staff": "w", "start": "2025-08-21T09:00", "end": "2025-08-21T12:00" }],
        "turns": ["buenas, cuánto vale el arreglo de barba?"],
        "expect": expect,
    })
}

fn write(folder: &Path) {
    let right = json!({
        "tools_must": ["get_service_info"], "tools_must_not": ["create_appointment", "update_price"],
        "facts_must": [{ "any_of": ["28,000", "veintiocho mil"] }], "facts_must_not": ["35.000"],
        "final_state": {
            "appointments": [{ "id": "C9", "service": "corte", "branch": "uno", "staff": "w",
                "start": "2025-08-22T10:00", "customer": "oscar" }],
            "order": null, "tokens_balance": 12, "redeemed": null, "handoff": null,
            "lead_temperature": "WARM",
        },
    });
    let wrong = json!({
        "tools_must": ["create_appointment"], "tools_must_not": ["get_service_info"],
        "facts_must": [{ "any_of": ["99000"] }], "facts_must_not": ["28000"],
        "final_state": { "appointments": [], "tokens_balance": 7, "mood": "happy" },
    });
    let scenarios = json!([scenario("bien", &right), scenario("mal", &wrong)]);
    std::fs::write(folder.join("scenarios.json"), scenarios.to_string()).unwrap();
    let turn = json!([
        { "calls": [{ "name": "get_service_info", "arguments": { "service_name": "barba" } }] },
        { "text": "El {{tool.get_service_info.name}} cuesta {{tool.get_service_info.price_range}}. [TEMPERATURA: WARM]" },
    ]);
    let scripts = json!({ "bien": [turn], "mal": [turn] });
    std::fs::write(folder.join("scripts.json"), scripts.to_string()).unwrap();
}

fn check(report: &Value) {
    assert_eq!(
        (&report["passed"], &report["total"]),
        (&json!(1), &json!(2))
    );
    let (right, wrong) = (&report["scenarios"][0], &report["scenarios"][1]);
    assert_eq!(right["failures"], json!([]), "{right}");
    assert_eq!(right["not_loaded"], json!(["tenant.motto"]));
    let reply = right["replies"][0].as_str().unwrap();
    assert!(reply.contains("28.000"), "{reply}");
    assert!(!reply.contains("TEMPERATURA"), "{reply}");
    let failures = wrong["failures"].as_array().unwrap();
    let kinds: Vec<&str> = failures
        .iter()
        .map(|failure| failure["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "missing_tool",
            "forbidden_tool",
            "missing_fact",
            "forbidden_fact",
            // An appointment is left, the balance is another, and nobody can tell the mood.
            "state",
            "not_checked",
            "state",
        ],
        "{wrong}"
    );
}

#[test]
fn what_the_product_itself_answers_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let played = evaluate(folder.path(), &["--json"]);
    assert_eq!(played.status.code(), Some(1), "{played:?}");
    let report: Value = serde_json::from_slice(&played.stdout).unwrap();
    check(&report);
    assert!(report.get("mean_input_tokens").is_none(), "{report}");

    let played = evaluate(folder.path(), &["--only", "bien", "-v"]);
    assert!(played.status.success(), "{played:?}");
    let told = String::from_utf8(played.stdout).unwrap();
    assert!(told.starts_with("passed  bien"), "{told}");
    assert!(told.contains("> buenas, cuánto vale"), "{told}");
    assert!(told.ends_with("1 of 1 passed\n"), "{told}");
}

#[test]
fn what_a_scripted_model_says_and_calls_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let scripts = folder.path().join("scripts.json");
    let scripts = scripts.to_str().unwrap();
    let arguments = ["--model", "scripted", "--scripts", scripts, "--json"];
    let played = evaluate(folder.path(), &arguments);
    assert_eq!(played.status.code(), Some(1), "{played:?}");
    let report: Value = serde_json::from_slice(&played.stdout).unwrap();
    check(&report);
    let mean = &report["mean_input_tokens"];
    let (minimal, legacy) = (&mean["minimal"], &mean["legacy"]);
    assert!(minimal.as_f64() > Some(100.0), "{mean}");
    assert!(legacy.as_f64() > minimal.as_f64(), "{mean}");
}

#[test]
fn a_script_that_makes_up_a_price_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let turn = json!([{ "text": "El arreglo de barba cuesta $28.000." }]);
    let scripts = folder.path().join("made-up.json");
    std::fs::write(&scripts, json!({ "bien": [turn] }).to_string()).unwrap();
    let scripts = scripts.to_str().unwrap();
    let arguments = [
        "--model",
        "scripted",
        "--scripts",
        scripts,
        "--only",
        "bien",
    ];
    let played = evaluate(folder.path(), &arguments);
    assert_eq!(played.status.code(), Some(1), "{played:?}");
    let told = String::from_utf8(played.stdout).unwrap();
    assert!(told.contains("script: turn 1"), "{told}");
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let told = |output: Output| {
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let none = told(evaluate(folder.path(), &["--only", "otro"]));
    assert!(none.contains("has no scenario otro"), "{none}");
    let unscripted = told(evaluate(folder.path(), &["--model", "scripted"]));
    assert!(unscripted.contains("--scripts"), "{unscripted}");
    let broken = json!([{ "id": "roto", "now": "2025-08-20T11:00:00-05:00", "turns": [] }]);
    std::fs::write(folder.path().join("scenarios.json"), broken.to_string()).unwrap();
    let broken = told(evaluate(folder.path(), &[]));
    assert!(broken.contains("scenario roto"), "{broken}");
}
