//! The command line, run as people run it.

use crate::harness::{TestApp, make_agent, teach};
use quipu_core::access::Permission;
use quipu_testkit::db_test;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program, in a folder of its own and without the settings of whoever runs the tests.
fn quipu(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(folder)
        .output()
        .unwrap()
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a command that must fail says.
#[track_caller]
fn failed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    let told = errors.lines().any(|line| line.starts_with("quipu: "));
    assert!(told, "{errors}");
    errors
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn shown(output: &Output) -> toml::Table {
    succeeded(output).parse().unwrap()
}

#[test]
fn flags_win_over_variables_and_variables_over_the_file() {
    let folder = folder();
    let file = "[jobs]\nworkers = 5\nlease_seconds = 30\n[data]\ndir = \"del-archivo\"\n\
        [server]\ncors_origins = [\"https://a.example\"]\n";
    std::fs::write(folder.path().join("mio.toml"), file).unwrap();
    let defaults = shown(&quipu(folder.path(), &["config", "show"], &[]));
    assert_eq!(defaults["jobs"]["workers"].as_integer(), Some(3));
    assert_eq!(defaults["server"]["bind"].as_str(), Some("127.0.0.1:8080"));

    let from_file = ["--config", "mio.toml", "config", "show"];
    let table = shown(&quipu(folder.path(), &from_file, &[]));
    assert_eq!(table["jobs"]["workers"].as_integer(), Some(5));
    assert_eq!(table["data"]["dir"].as_str(), Some("del-archivo"));
    assert_eq!(table["jobs"]["max_attempts"].as_integer(), Some(8));

    let variables = [
        ("QUIPU_CONFIG", "mio.toml"),
        ("QUIPU_JOBS__WORKERS", "5"),
        ("QUIPU_DATA__DIR", "de-la-variable"),
        ("QUIPU_SERVER__CORS_ORIGINS", "[\"https://b.example\"]"),
    ];
    let table = shown(&quipu(folder.path(), &["config", "show"], &variables));
    assert_eq!(table["jobs"]["workers"].as_integer(), Some(5));
    assert_eq!(table["jobs"]["lease_seconds"].as_integer(), Some(30));
    assert_eq!(table["data"]["dir"].as_str(), Some("de-la-variable"));
    assert_eq!(
        table["server"]["cors_origins"][0].as_str(),
        Some("https://b.example")
    );

    let flags = [
        "config",
        "show",
        "--data-dir",
        "de-la-bandera",
        "--database-url",
        "sqlite:x.db",
    ];
    let table = shown(&quipu(folder.path(), &flags, &variables));
    assert_eq!(table["data"]["dir"].as_str(), Some("de-la-bandera"));
    assert_eq!(table["database"]["url"].as_str(), Some("sqlite:x.db"));
    // Looking changes nothing.
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "only the file is there");
}

#[test]
fn secrets_are_not_shown() {
    let folder = folder();
    let variables = [
        (
            "QUIPU_DATABASE__URL",
            "postgres://quipu:hunter2@db.example:5432/quipu",
        ),
        ("QUIPU_TELEMETRY__METRICS_TOKEN", "hunter3"),
        (
            "QUIPU_TELEMETRY__OTLP_ENDPOINT",
            "https://u:hunter4@otel.example/v1/traces",
        ),
        ("QUIPU_MASTER_KEY", "hunter5"),
    ];
    let text = succeeded(&quipu(folder.path(), &["config", "show"], &variables));
    assert!(!text.contains("hunter"), "{text}");
    assert!(
        text.contains("postgres://quipu:••••@db.example:5432/quipu"),
        "{text}"
    );
    assert!(text.contains("metrics_token = \"••••\""), "{text}");
}

#[test]
fn a_bad_setting_is_named() {
    let folder = folder();
    for (name, value, key) in [
        ("QUIPU_SERVER__BIND", "nowhere", "server.bind"),
        ("QUIPU_JOBS__WORKERS", "muchos", "jobs.workers"),
        ("QUIPU_JOBS__LEASE_SECONDS", "0", "jobs.lease_seconds"),
        ("QUIPU_DATABASE__URL", "mysql://x", "database.url"),
        (
            "QUIPU_SERVER__PUBLIC_URL",
            "https://x/y",
            "server.public_url",
        ),
        ("QUIPU_AUTH__ADMIN_EMAIL", "nadie", "auth.admin_email"),
        ("QUIPU_TELEMETRY__LOG", "=?=", "telemetry.log"),
        ("QUIPU_SERVER__BINDD", "127.0.0.1:1", "bindd"),
    ] {
        for command in [
            &["config", "show"][..],
            &["serve"],
            &["migrate"],
            &["worker"],
        ] {
            let error = failed(&quipu(folder.path(), command, &[(name, value)]));
            assert!(
                error.contains("configuration:") && error.contains(key),
                "{error}"
            );
        }
    }
    let missing = ["--config", "no-hay.toml", "config", "show"];
    assert!(failed(&quipu(folder.path(), &missing, &[])).contains("no-hay.toml"));
    let doctor = quipu(
        folder.path(),
        &["doctor"],
        &[("QUIPU_JOBS__LEASE_SECONDS", "0")],
    );
    assert!(!doctor.status.success());
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("FAIL  configuration"));
    assert!(
        !quipu(folder.path(), &["no-such-command"], &[])
            .status
            .success()
    );
}

#[test]
fn the_defaults_and_the_document_are_printed() {
    let folder = folder();
    let defaults = succeeded(&quipu(folder.path(), &["config", "default"], &[]));
    assert_eq!(defaults, quipu_server::config::DEFAULTS);
    let printed = succeeded(&quipu(folder.path(), &["openapi"], &[]));
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        printed,
        serde_json::to_value(quipu_server::http::document()).unwrap()
    );
}

#[test]
fn a_database_that_is_not_there_is_reported_without_its_password() {
    let folder = folder();
    let url = "postgres://quipu:hunter2@127.0.0.1:1/quipu";
    for command in ["migrate", "doctor"] {
        let variables = [("QUIPU_DATABASE__ACQUIRE_TIMEOUT_SECONDS", "1")];
        let output = quipu(folder.path(), &[command, "--database-url", url], &variables);
        assert_eq!(output.status.code(), Some(1));
        let told = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            told.contains("127.0.0.1:1") && !told.contains("hunter2"),
            "{told}"
        );
    }
}

#[test]
fn a_variable_with_one_underscore_too_few_is_pointed_out() {
    let folder = folder();
    let output = quipu(
        folder.path(),
        &["config", "show"],
        &[("QUIPU_SERVER_BIND", "1.2.3.4:5")],
    );
    let told = failed(&output);
    assert!(
        told.contains("QUIPU_SERVER_BIND") && told.contains("two underscores"),
        "{told}"
    );
}

/// A folder that everybody may enter keeps nobody from the files in it.
#[cfg(unix)]
#[test]
fn nobody_else_reads_what_is_kept_and_the_doctor_tells_who_could() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let run = |command: &str| quipu(folder.path(), &[command], &[]);
    succeeded(&run("migrate"));
    let database = folder.path().join("data/quipu.db");
    let rights = || metadata(&database).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights(), 0o600);
    assert!(succeeded(&run("doctor")).contains("nobody else can read the database"));
    set_permissions(&database, Permissions::from_mode(0o644)).unwrap();
    let looked = run("doctor");
    let told = String::from_utf8_lossy(&looked.stdout);
    assert!(!looked.status.success(), "{told}");
    assert!(
        told.contains("FAIL  private files") && told.contains("quipu.db (644)"),
        "{told}"
    );
    // To open it took those rights away.
    assert_eq!(rights(), 0o600);
    succeeded(&run("doctor"));
    // A folder of originals that somebody else made is no better.
    let originals = folder.path().join("data/originals");
    std::fs::create_dir(&originals).unwrap();
    set_permissions(&originals, Permissions::from_mode(0o755)).unwrap();
    let looked = run("doctor");
    let told = String::from_utf8_lossy(&looked.stdout);
    assert!(told.contains("originals (755)"), "{told}");
    let rights = metadata(&originals).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights, 0o700);
    succeeded(&run("doctor"));
}

db_test! {
    async fn the_schema_is_migrated_and_examined(db) {
        let folder = folder();
        let run = |command: &str| quipu(folder.path(), &[command, "--database-url", db.url()], &[]);
        let before = succeeded(&run("doctor"));
        let expected = if db.is_postgres() { "migrations to run" } else { "not there yet" };
        assert!(before.contains(expected), "{before}");
        // Looking makes nothing, not even the folder's key.
        assert!(!folder.path().join("master.key").exists());
        let worker = failed(&run("worker"));
        assert!(worker.contains("quipu migrate"), "{worker}");
        for _ in 0..2 {
            assert!(succeeded(&run("migrate")).contains("up to date"));
        }
        let after = succeeded(&run("doctor"));
        assert!(
            after.contains("schema up to date; jobs: 0 queued"),
            "{after}"
        );
        assert_eq!(after.matches("ok    ").count(), 7, "{after}");
    }

    async fn an_administrator_is_made_from_the_machine_itself(db) {
        let app = TestApp::start(db).await;
        let folder = folder();
        let run = |arguments: &[&str]| {
            let all = [&["admin"], arguments, &["--database-url", app.db.url()]].concat();
            quipu(folder.path(), &all, &[])
        };
        let token = succeeded(&run(&["create", "Jefa@Quipu.test"]));
        assert!(token.starts_with("qr_"), "{token}");
        assert!(failed(&run(&["create", "jefa@quipu.test"])).contains("Already taken"));
        assert!(failed(&run(&["create", "jefa"])).contains("email"));
        let newer = succeeded(&run(&["reset-token", "jefa@quipu.test"]));
        assert_ne!(token, newer);
        assert!(failed(&run(&["reset-token", "nadie@quipu.test"])).contains("nadie@quipu.test"));
    }

    async fn a_question_is_answered_in_the_terminal(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Uno").await;
        make_agent(client, "Dos").await;
        teach(
            client,
            "uno",
            "Precios",
            "La limpieza dental cuesta 120 soles.",
        )
        .await;
        let scopes = [Permission::Chat, Permission::AgentsRead];
        let key = app.program(&tenant, &scopes).await.token().to_owned();
        let folder = folder();
        let url = app.url.clone();
        let chat = |arguments: &[&str], key: &str| {
            let all = [&["chat", "--url", &*url], arguments].concat();
            quipu(folder.path(), &all, &[("QUIPU_API_KEY", key)])
        };
        // The program would block the thread that the server needs.
        let question = "¿Cuánto cuesta la limpieza?";
        let (answer, other, refused, unknown) = tokio::task::block_in_place(|| {
            (
                chat(&[question], &key),
                chat(&["--agent", "dos", question], &key),
                chat(&[question], "qk_no"),
                chat(&["--agent", "tres", question], &key),
            )
        });
        let answer = succeeded(&answer);
        assert!(
            answer.contains("120 soles") && answer.contains("[1] Precios"),
            "{answer}"
        );
        assert!(succeeded(&other).starts_with("No tengo esa información"));
        assert!(failed(&refused).contains("UNAUTHENTICATED"));
        assert!(failed(&unknown).contains("NOT_FOUND"));

        let doctor = ["doctor", "--url", &*url];
        let healthy = tokio::task::block_in_place(|| quipu(folder.path(), &doctor, &[]));
        assert!(succeeded(&healthy).contains("\"ready\""));
        let nobody = [
            "chat",
            "--url",
            "http://127.0.0.1:1",
            "--api-key",
            "qk_x",
            "hola",
        ];
        let error = failed(&quipu(folder.path(), &nobody, &[]));
        assert!(error.contains("is `quipu serve` running?"), "{error}");
        let error = failed(&quipu(folder.path(), &["chat", "hola"], &[]));
        assert!(error.contains("--api-key"), "{error}");
    }
}
