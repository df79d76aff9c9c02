//! Files that come with a conversation.

use crate::harness::{
    Client, Field, TestApp, attach, conversation_path, docx, id, make_conversation, make_lead, png,
};
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

const MB: usize = 1024 * 1024;

async fn begun(client: &Client) -> Value {
    make_conversation(client, &make_lead(client, "Ana").await).await
}

fn jpeg() -> Vec<u8> {
    [vec![0xFF, 0xD8, 0xFF, 0xE0], vec![7; 500]].concat()
}

fn webp() -> Vec<u8> {
    [b"RIFF\x10\0\0\0WEBPVP8 ".to_vec(), vec![7; 500]].concat()
}

sqlite_test! {
    async fn a_file_comes_back_as_it_came(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let conversation = begun(&client).await;
        let path = conversation_path(&conversation, "/attachments");
        let pdf = [b"%PDF-1.7\n".to_vec(), vec![0, 255, 13, 10], vec![b'x'; 3 * MB]].concat();
        let mut added = Vec::new();
        // What a file is, its bytes say; a name that says nothing is no matter.
        for (filename, bytes, file_type, content_type) in [
            ("receta.exe", pdf, "pdf", "application/pdf"),
            ("../../Foto \u{f1} 🦷.txt", png(), "png", "image/png"),
            ("foto.jpg", jpeg(), "jpeg", "image/jpeg"),
            ("", webp(), "webp", "image/webp"),
        ] {
            let fields = [Field::file(filename, &bytes)];
            let attachment = client.form(Method::POST, &path, &fields).await.ok(201);
            assert_eq!(attachment["file_type"], file_type);
            assert_eq!(attachment["size_bytes"], bytes.len());
            assert_eq!(attachment["conversation_id"], conversation["id"]);
            let download = client.request(Method::GET, &format!("{path}/{}", id(&attachment)));
            let reply = download.send().await.unwrap();
            assert_eq!(reply.status(), 200);
            assert_eq!(reply.headers()["content-type"], content_type);
            let disposition = reply.headers()["content-disposition"].to_str().unwrap();
            assert!(disposition.starts_with("attachment;"), "{disposition}");
            assert_eq!(reply.bytes().await.unwrap(), bytes);
            added.push(attachment);
        }
        assert_eq!(added[1]["filename"], "Foto ñ 🦷.txt.png");
        let listed = client.get(&path).await.ok(200);
        let listed: Vec<_> = listed["data"].as_array().unwrap().iter().rev().cloned().collect();
        assert_eq!(listed, added);
        assert_eq!(app.kept_files().len(), 4);
        let usage = client.get("/api/v1/usage").await.ok(200).to_string();
        let total: u64 = added.iter().map(|file| file["size_bytes"].as_u64().unwrap()).sum();
        assert!(usage.contains(&total.to_string()), "{usage}");

        // A file is behind its own conversation and no other.
        let other = conversation_path(&begun(&client).await, "/attachments");
        client.get(&format!("{other}/{}", id(&added[0]))).await.refused(404, "NOT_FOUND");
        client.get(&format!("{path}/{}", Uuid::now_v7())).await.refused(404, "NOT_FOUND");
    }

    async fn what_is_not_taken_leaves_no_file(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let conversation = begun(&client).await;
        let path = conversation_path(&conversation, "/attachments");
        let send = async |fields: &[Field<'_>]| client.form(Method::POST, &path, fields).await;
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        let program = [b"MZ\x90\0".to_vec(), vec![0; 5000]].concat();
        for (filename, bytes) in [
            ("foto.svg", svg.to_vec()), ("foto.png", program), ("carta.pdf", docx("Carta", &["hola"])),
            ("foto.gif", b"GIF89a".to_vec()), ("nota.txt", b"hola".to_vec()),
        ] {
            let error = send(&[Field::file(filename, &bytes)]).await.refused(415, "ATTACHMENT_NOT_SUPPORTED");
            assert_eq!(error["details"]["filename"], filename);
        }
        // A file that is taken, and is not what it says.
        let disguised = [b"\x89PNG\r\n\x1a\n".to_vec(), b"<script>alert(1)</script>".to_vec()].concat();
        send(&[Field::file("foto.png", &disguised)]).await.refused(415, "ATTACHMENT_NOT_SUPPORTED");
        for (filename, bytes, said, found) in [
            ("foto.png", jpeg(), "png", "jpeg"), ("foto.JPG", webp(), "jpeg", "webp"),
            ("foto.webp", png(), "webp", "png"), ("carta.pdf", png(), "pdf", "png"), ("foto.jpeg", b"%PDF-1.7".to_vec(), "jpeg", "pdf"),
        ] {
            let error = send(&[Field::file(filename, &bytes)]).await.refused(415, "ATTACHMENT_MISLABELLED");
            assert_eq!((&error["details"]["said"], &error["details"]["found"]), (&json!(said), &json!(found)));
        }
        send(&[Field::file("vacio.png", b"")]).await.refused(422, "DOCUMENT_EMPTY");
        let mut large = png();
        large.resize(10 * MB, 0);
        send(&[Field::file("justo.png", &large)]).await.ok(201);
        large.push(0);
        let error = send(&[Field::file("grande.png", &large)]).await.refused(413, "FILE_TOO_LARGE");
        assert_eq!(error["details"]["max_bytes"], 10 * MB);
        let picture = png();
        send(&[Field::file("uno.png", &picture), Field::file("dos.png", &picture)]).await.refused(422, "VALIDATION_FAILED");
        send(&[Field::file("uno.png", &picture), Field::text("title", "x")]).await.refused(422, "VALIDATION_FAILED");
        send(&[Field::text("title", "x")]).await.refused(422, "VALIDATION_FAILED");
        send(&[]).await.refused(400, "INVALID_MULTIPART");
        client.post(&path, json!({})).await.refused(400, "INVALID_MULTIPART");
        let nowhere = format!("/api/v1/conversations/{}/attachments", Uuid::now_v7());
        let fields = [Field::file("uno.png", &picture)];
        client.form(Method::POST, &nowhere, &fields).await.refused(404, "NOT_FOUND");
        assert_eq!(client.get(&path).await.ok(200)["data"].as_array().unwrap().len(), 1);
        assert_eq!(app.kept_files().len(), 1);
    }

    async fn there_is_room_for_so_many(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let conversation = begun(&client).await;
        let path = conversation_path(&conversation, "/attachments");
        for n in 0..49 {
            attach(&client, &conversation, &format!("{n}.png")).await;
        }
        let picture = png();
        let fields = [Field::file("otra.png", &picture)];
        let last = [Field::file("otra.png", &picture)];
        let (a, b) = tokio::join!(client.form(Method::POST, &path, &fields), client.form(Method::POST, &path, &last));
        let mut statuses = [a.status, b.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409], "{} {}", a.text, b.text);
        let error = client.form(Method::POST, &path, &fields).await.refused(409, "TOO_MANY_ITEMS");
        assert_eq!(error["details"]["value"], 50);
        assert_eq!(app.kept_files().len(), 50);
    }

    async fn a_plan_bounds_what_is_kept(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        app.plan("chico", |limits| limits.max_storage_bytes = Some(5000)).await;
        let client = app.tenant_on("acme", "chico").await.admin.client;
        let conversation = begun(&client).await;
        let path = conversation_path(&conversation, "/attachments");
        attach(&client, &conversation, "uno.png").await;
        attach(&client, &conversation, "dos.png").await;
        let picture = png();
        let fields = [Field::file("tres.png", &picture)];
        client.form(Method::POST, &path, &fields).await.refused(413, "PLAN_SIZE_EXCEEDED");
        assert_eq!(app.kept_files().len(), 2);
    }
}

db_test! {
    // The sweep comes two hours later, and finds nothing to do where all went well.
    async fn the_sweep_takes_only_what_is_nobodys(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let conversation = begun(client).await;
        let kept = attach(client, &conversation, "queda.png").await;
        let refused = [Field::file("no.txt", b"hola")];
        let path = conversation_path(&conversation, "/attachments");
        client.form(Method::POST, &path, &refused).await.refused(415, "ATTACHMENT_NOT_SUPPORTED");
        // What a process leaves that dies before it writes its row down.
        let jobs = client.get("/api/v1/jobs?status=queued").await.ok(200);
        let jobs = jobs["data"].as_array().unwrap();
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        assert_eq!(jobs[0]["kind"], "sweep_attachment");
        let stray = jobs[0]["payload"]["path"].as_str().unwrap();
        let mut writer = app.app.originals.writer(tenant.scope(), stray).await.unwrap();
        writer.write(png().into()).await.unwrap();
        writer.finish().await.unwrap();
        assert_eq!(app.kept_files().len(), 2);
        let order = format!("/api/v1/jobs/{}", id(&jobs[0]));
        client.poke(&format!("{order}/cancel")).await.refused(403, "FORBIDDEN");
        app.clock.advance(Duration::from_hours(3));
        app.start_workers();
        let client = app.sign_in(tenant.admin.id).await;
        crate::harness::eventually("the sweep", async || {
            let job = client.get(&order).await.ok(200);
            (job["status"] == "succeeded").then_some(())
        })
        .await;
        assert_eq!(app.kept_files().len(), 1);
        let reply = client.request(Method::GET, &format!("{path}/{}", id(&kept))).send().await.unwrap();
        assert_eq!(reply.status(), 200);
    }
}
