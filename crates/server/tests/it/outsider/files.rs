//! Files that are not what they are called, and tables that a spreadsheet would run.

use crate::harness::{
    Field, TestApp, conversation_path, id, make_conversation, make_kb, make_lead, png, teach_file,
};
use quipu_core::AttachmentId;
use quipu_core::conversation::NewAttachment;
use quipu_testkit::db_test;
use reqwest::Method;
use serde_json::json;

db_test! {
    async fn a_file_is_offered_under_a_name_that_says_what_it_is(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = tenant.admin.client.clone();
        let conversation = make_conversation(&client, &make_lead(&client, "Ana").await).await;
        let path = conversation_path(&conversation, "/attachments");
        let disposition = async |path: &str| {
            let reply = client.request(Method::GET, path).send().await.unwrap();
            reply.headers()["content-disposition"].to_str().unwrap().to_owned()
        };
        let mut last: Option<AttachmentId> = None;
        for (name, offered) in [
            ("ticket.hta", "ticket.hta.png"),
            ("ticket.png.exe", "ticket.png.exe.png"),
            ("ticket", "ticket.png"),
            ("ticket.PNG", "ticket.PNG"),
            ("ticket.hta.", "ticket.hta..png"),
            ("ticket\u{202e}gnp.hta", "ticketgnp.hta.png"),
        ] {
            let bytes = png();
            let attached = client.form(Method::POST, &path, &[Field::file(name, &bytes)]).await.ok(201);
            assert_eq!(attached["filename"], offered, "{name}");
            let told = disposition(&format!("{path}/{}", id(&attached))).await;
            assert!(told.contains(&format!("filename=\"{offered}\"")), "{told}");
            last = id(&attached).parse().ok();
        }
        // One that was kept before names were looked at is offered under a proper one as well.
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        let (kept, storage_path) = tx.attachments().find(last.unwrap()).await.unwrap().unwrap();
        let old = NewAttachment {
            id: AttachmentId::generate(app.now()),
            filename: "antes.hta".to_owned(),
            file_type: kept.file_type,
            size_bytes: kept.size_bytes,
            storage_path,
        };
        tx.attachments().insert(kept.conversation_id, &old).await.unwrap();
        tx.commit().await.unwrap();
        let told = disposition(&format!("{path}/{}", old.id)).await;
        assert!(told.contains("filename=\"antes.hta.png\""), "{told}");
        for file in app.kept_files() {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let is_picture = file.extension().is_some_and(|end| end == "png");
            assert!(!name.contains(".hta") || is_picture, "{name}");
        }
        let kb = make_kb(&client, "Base").await;
        let document = teach_file(&client, &kb, "carta.hta", b"La limpieza cuesta S/ 120.").await;
        let path = format!("/api/v1/knowledge-bases/{}/documents/{}/download", id(&kb), id(&document));
        let told = disposition(&path).await;
        assert!(told.contains("filename=\"carta.hta.txt\""), "{told}");
    }

    async fn no_cell_of_a_table_is_a_formula_however_it_is_cut(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let formula = "=HYPERLINK(\"http://ladrones.example\")";
        for (name, question) in [
            ("uno", format!("¿Abren?;{formula}")),
            ("dos", format!("{formula} ¿abren?")),
            ("cuatro", format!("¿Abren?;\"{formula}")),
            ("cinco", "¿Cuesta S/ 5;-5?".to_owned()),
        ] {
            let body = json!({ "question": format!("{question} {name}"), "answer": format!("sí;@SUM(1)\n+cmd|' /C calc'!A0 {name}") });
            client.post("/api/v1/faqs", body).await.ok(201);
        }
        let table = client.get("/api/v1/faqs/export").await;
        assert_eq!(table.status, 200, "{}", table.text);
        let mut before = '\n';
        for sign in table.text.chars() {
            if sign == '"' {
                continue;
            }
            let begins = matches!(before, '\n' | '\r' | ';' | '\t' | ',');
            assert!(!(begins && "=+@".contains(sign)), "{}", table.text);
            before = sign;
        }
    }
}
