//! Catalogues as spreadsheets.

use super::clinic::Clinic;
use crate::harness::{Client, Content, Reply, TestApp};
use quipu_testkit::sqlite_test;
use reqwest::Method;
use serde_json::{Value, json};
use std::fmt::Write as _;

async fn import(client: &Client, path: &str, table: &str) -> Reply {
    let table = Content::Csv(table.to_owned());
    client.call(Method::POST, path, &table).await
}

sqlite_test! {
    async fn services_come_and_go_as_a_table(db) {
        let clinic = Clinic::open(db).await;
        let table = "Nombre;Categoría;Precio mínimo;Duración;Personal;Promoción;Notas\n\
             Limpieza dental;Prevención;S/ 150,00;45;Ana Quispe; ;x\n\
             Blanqueamiento;Estética;S/ 400;60;Ana Quispe; 20 % en marzo ;x\n\
             Corona;Rehabilitación;mucho;60;;;x\n\
             ;Sin nombre;10;30;;;x\n\
             Puente;Rehabilitación;900;37;Nadie;;x\n";
        let path = "/api/v1/services/import";
        let tried = import(&clinic.client, &format!("{path}?dry_run=true"), table).await.ok(200);
        let counts = |report: &Value| -> Vec<u64> {
            ["rows", "created", "updated", "failed"].iter().map(|name| report[*name].as_u64().unwrap()).collect()
        };
        assert_eq!(counts(&tried), [5, 1, 1, 3], "{tried}");
        let all = clinic.client.get("/api/v1/services").await.ok(200);
        assert_eq!(all["data"].as_array().unwrap().len(), 1);
        let done = import(&clinic.client, path, table).await.ok(200);
        assert_eq!(counts(&done), [5, 1, 1, 3], "{done}");
        assert_eq!(done["ignored_columns"], json!(["Notas"]));
        let lines: Vec<u64> = done["problems"].as_array().unwrap().iter().map(|p| p["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, [4, 5, 6], "{done}");
        // What the table says nothing about stays as it was.
        let cleaning = clinic.client.get(&format!("/api/v1/services/{}", clinic.cleaning)).await.ok(200);
        assert_eq!((&cleaning["price_min"]["amount"], &cleaning["duration_minutes"]), (&json!(15_000), &json!(45)));
        assert_eq!(cleaning["aliases"], json!(["limpieza"]));
        assert_eq!(cleaning["staff"], json!([clinic.ana]));
        let exported = clinic.client.get("/api/v1/services/export").await;
        assert_eq!(exported.status, 200);
        assert!(exported.text.contains("Blanqueamiento") && exported.text.contains("400.00"), "{}", exported.text);
        let again = import(&clinic.client, path, &exported.text).await.ok(200);
        assert_eq!(counts(&again), [2, 0, 0, 0], "{again}");
        assert_eq!(again["unchanged"], 2, "{again}");
    }

    async fn a_long_table_is_taken_with_its_broken_rows(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let mut table = "pregunta,respuesta\n".to_owned();
        for row in 0..1_000 {
            match row % 100 {
                7 => writeln!(table, "¿Pregunta {row}?,").unwrap(),
                8 => writeln!(table, ",Sin pregunta").unwrap(),
                _ => writeln!(table, "¿Pregunta {row}?,\"Respuesta \"\"{row}\"\", con coma\"").unwrap(),
            }
        }
        let report = import(&client, "/api/v1/faqs/import", &table).await.ok(200);
        assert_eq!((&report["created"], &report["failed"]), (&json!(980), &json!(20)), "{}", report["problems"][0]);
        let mut endless = "nombre,precio\n".to_owned();
        for row in 0..10_001 {
            writeln!(endless, "Cosa {row},1").unwrap();
        }
        import(&client, "/api/v1/menu-items/import", &endless).await.refused(409, "TOO_MANY_ITEMS");
        let all = client.get("/api/v1/menu-items").await.ok(200);
        assert_eq!(all["data"], json!([]));
    }

    async fn quotes_that_are_never_closed_take_in_no_other_rows(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let table = "question,answer\nUno,\"a \"\"b\"\"\nc\"\nDos,\"x\nTres,y\nCuatro,z\n";
        let report = import(&client, "/api/v1/faqs/import", table).await.ok(200);
        assert_eq!((&report["rows"], &report["created"], &report["failed"]), (&json!(2), &json!(1), &json!(1)));
        assert_eq!(report["problems"][0]["line"], 4, "{report}");
        let all = client.get("/api/v1/faqs").await.ok(200);
        assert_eq!(all["data"].as_array().unwrap().len(), 1);
        assert_eq!(all["data"][0]["answer"], "a \"b\"\nc");
        import(&client, "/api/v1/faqs/import", "\"question,answer\nUno,dos\n").await.refused(400, "INVALID_CSV");
    }

    async fn what_is_no_table_is_refused(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        for wrong in ["", "   ", "\0\0\0", "precio;categoría\n1;2\n"] {
            import(&client, "/api/v1/menu-items/import", wrong).await.refused(400, "INVALID_CSV");
        }
        let json = client.post("/api/v1/menu-items/import", json!({})).await;
        json.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        // Windows writes its own letters.
        let table = b"nombre,precio\nCaf\xe9 a\xf1ejo,12.50\n";
        let request = client.request(Method::POST, "/api/v1/menu-items/import");
        let request = request.header("content-type", "text/csv").body(table.to_vec());
        assert_eq!(Reply::of(request).await.ok(200)["created"], 1);
        let all = client.get("/api/v1/menu-items").await.ok(200);
        assert_eq!(all["data"][0]["name"], "Café añejo");
        // A cell that a spreadsheet would run is made harmless on its way out.
        client.post("/api/v1/faqs", json!({ "question": "=1+1", "answer": "@x" })).await.ok(201);
        let exported = client.get("/api/v1/faqs/export").await.text;
        assert!(exported.contains("\n\" =1+1\"") || exported.contains("\n =1+1,"), "{exported}");
    }
}
