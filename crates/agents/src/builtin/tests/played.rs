//! Plays scenarios from a file that `QUIPU_SCENARIOS` names, to read how they go.

use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

#[tokio::test]
#[ignore = "needs a file of scenarios"]
async fn scenarios() {
    let Ok(path) = std::env::var("QUIPU_SCENARIOS") else {
        return;
    };
    let only = std::env::var("QUIPU_SCENARIO").ok();
    let scenarios: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for scenario in scenarios.as_array().unwrap() {
        if only
            .as_ref()
            .is_some_and(|only| scenario["id"] != json!(only))
        {
            continue;
        }
        let mut business = scenario["tenant"].clone();
        business["policies"] = business["policies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| json!({ "kind": "general", "text": text }))
            .collect();
        business["appointments"] = json!([]);
        let customer = &scenario["customer"];
        let taken = scenario["busy"].as_array().unwrap().iter().map(|busy| json!({ "staff": busy["staff"], "start": busy["start"], "minutes": 60, "mine": false }));
        let own = customer["appointments"].as_array().into_iter().flatten().map(|own| {
            let service = business["services"].as_array().unwrap().iter().find(|service| service["id"] == own["service"]).unwrap();
            json!({ "id": uuid::Uuid::from_u128(5).to_string(), "service": service["name"], "staff": own["staff"], "start": own["start"], "minutes": service["minutes"] })
        });
        business["appointments"] = taken.chain(own).collect();
        let zone = business["timezone"].as_str().unwrap().to_owned();
        let now = format!("{}[{zone}]", scenario["now"].as_str().unwrap());
        let balance = customer["loyalty_balance"].as_i64().unwrap_or(0);
        let mut stage = Stage::new(Fake::new(business, &now, balance));
        stage.setting.customer_name = customer["name"].as_str().map(str::to_owned);
        println!("\n=== {} {}", scenario["id"], scenario["title"]);
        let mut all = String::new();
        for turn in scenario["turns"].as_array().unwrap() {
            let said = stage.says(turn.as_str().unwrap()).await;
            println!(
                "C: {}\nA: {said}   [{:?} {:?} {:?}]",
                turn.as_str().unwrap(),
                stage.reply().intent,
                stage.reply().temperature,
                stage.reply().awaiting
            );
            all.push_str(&said);
            all.push(' ');
        }
        let calls = stage.desk.calls.lock().unwrap().clone();
        let fold = |text: &str| quipu_core::text::fold(text).replace([',', '.'], "");
        let expect = &scenario["expect"];
        for tool in expect["tools_must"].as_array().unwrap() {
            if !calls.iter().any(|(name, _)| name == tool.as_str().unwrap()) {
                println!("MISSING TOOL {tool}");
            }
        }
        for tool in expect["tools_must_not"].as_array().unwrap() {
            if calls.iter().any(|(name, _)| name == tool.as_str().unwrap()) {
                println!("FORBIDDEN TOOL {tool}");
            }
        }
        for fact in expect["facts_must"].as_array().unwrap() {
            let any = fact["any_of"]
                .as_array()
                .unwrap()
                .iter()
                .any(|text| fold(&all).contains(&fold(text.as_str().unwrap())));
            if !any {
                println!("MISSING FACT {fact}");
            }
        }
        for fact in expect["facts_must_not"].as_array().unwrap() {
            if fold(&all).contains(&fold(fact.as_str().unwrap())) {
                println!("FORBIDDEN FACT {fact}");
            }
        }
        println!(
            "EXPECT {}\nAPPOINTMENTS {}\nORDERS {:?} BALANCE {}",
            expect["final_state"],
            stage.desk.business.lock().unwrap()["appointments"],
            stage.desk.orders.lock().unwrap(),
            stage.desk.balance.lock().unwrap()
        );
    }
}
