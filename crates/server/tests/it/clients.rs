//! Client libraries that people have already, against our API.

use crate::harness::TestApp;
use quipu_core::access::Permission;
use quipu_testkit::db_test;
use std::process::Stdio;
use tokio::process::Command;

db_test! {
    async fn the_python_client_of_openai_gets_embeddings(db) {
        let Ok(python) = std::env::var("QUIPU_TEST_PYTHON") else {
            eprintln!("SKIPPED: QUIPU_TEST_PYTHON is not set (use `make test`)");
            return;
        };
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let key = app.api_key(&tenant, &[Permission::KnowledgeRead]).await;
        let done = Command::new(python)
            .arg("-c")
            .arg(include_str!("clients/openai_embeddings.py"))
            .env("QUIPU_URL", &app.url)
            .env("QUIPU_KEY", key)
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        let failed = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{said}\n{failed}");
        assert_eq!(said.trim(), "ok", "{failed}");
    }
}
