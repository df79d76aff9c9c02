//! Servers that are killed while customers write to them over WhatsApp, right after an answer left too: each
//! message is stored once and answered once.

use crate::dice::Dice;
use crate::home::{Home, PATIENCE};
use crate::size::thorough;
use quipu_testkit::db_test;
use serde_json::Value;

const MESSAGES: usize = 160;
const KILLS: usize = 12;
const CUSTOMERS: usize = 10;

db_test! {
    async fn each_message_is_answered_once(db) {
        let mut dice = Dice::new();
        let home = Home::new(db.url())
            .await
            .set("QUIPU_JOBS__LEASE_SECONDS", 2)
            .set("QUIPU_JOBS__POLL_MILLISECONDS", 50);
        let messages = thorough(MESSAGES);
        let kills = thorough(KILLS);
        let servers = if db.is_postgres() { 2 } else { 1 };
        let numbers = [
            ("--messages", messages),
            ("--conversations", CUSTOMERS),
            ("--kills", kills),
            ("--servers", servers),
            ("--seed", dice.below(1_000_000)),
            // The drill alone.
            ("--seconds", 0),
        ];
        let mut arguments = vec!["bench".to_owned(), "channels".to_owned(), "--json".to_owned()];
        arguments.extend(["--database-url".to_owned(), db.url().to_owned()]);
        for (name, number) in numbers {
            arguments.extend([name.to_owned(), number.to_string()]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = home.command(&arguments);
        let done = tokio::time::timeout(3 * PATIENCE, command.output());
        let done = done.await.expect("the drill does not end").expect("a drill");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!said.contains("panicked at"), "a process panicked:\n{said}");
        let report: Value = serde_json::from_slice(&done.stdout)
            .unwrap_or_else(|error| panic!("no report ({error}):\n{said}"));
        assert!(done.status.success(), "{report:#}\n{said}");

        let verdict = &report["verdict"];
        assert_eq!(verdict["messages"], messages);
        assert_eq!(verdict["answered_once"], messages, "{report:#}");
        for name in ["answered_never", "answered_more", "out_of_order", "unknown"] {
            assert_eq!(verdict[name], 0, "{report:#}");
        }
        assert_eq!(report["drill"]["kills"], kills);
        // What the report does not see: what was delivered stands there once, and nothing of it waits.
        let contents = db.contents().await;
        let inbound = &contents["channel_inbound"];
        assert_eq!(inbound.len(), messages);
        let waiting: Vec<&String> = inbound.iter().filter(|row| row.contains("waiting")).collect();
        assert!(waiting.is_empty(), "{waiting:?}");
        println!("{}", report["drill"]);
    }
}
