//! Every part measures, however small, and says all it promises.

mod recall;

use quipu_bench::{
    EmbeddingPlan, LatencyPlan, MillionPlan, Part, Plan, RecallPlan, Report, TenantsPlan, run,
};

/// Everything as small as it can be.
pub(crate) fn tiny(parts: &[Part]) -> Plan {
    Plan {
        parts: parts.to_vec(),
        embedding: EmbeddingPlan {
            questions: 5,
            passages: 2,
        },
        latency: LatencyPlan {
            small: 50,
            large: 120,
            questions: 10,
        },
        recall: RecallPlan {
            vectors: 500,
            questions: 3,
            ..RecallPlan::default()
        },
        tenants: TenantsPlan {
            few: 2,
            many: 12,
            chunks: 20,
            warm: 4,
            questions: 80,
        },
        million: MillionPlan {
            one: 400,
            many: 3,
            each: 40,
            questions: 10,
            recall_questions: 5,
        },
        ..Plan::default()
    }
}

pub(crate) async fn report(plan: Plan) -> Report {
    run(plan, &|_| {}).await.unwrap()
}

fn names(report: &Report) -> Vec<&str> {
    let figures = report.parts.iter().flat_map(|part| &part.figures);
    figures.map(|figure| figure.name.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_part_tells_its_figures() {
    let parts = [Part::Embedding, Part::Latency, Part::Tenants, Part::Million];
    let report = report(tiny(&parts)).await;
    let told: Vec<Part> = report.parts.iter().map(|part| part.part).collect();
    assert_eq!(told, parts);
    let names = names(&report);
    for expected in [
        "static: a question, p50",
        "encoder: a question of 12 tokens, p50",
        "encoder: passages of 128 tokens, two cores",
        "50 chunks, static: p50",
        "50 chunks, static: p99",
        "120 chunks, static: p50",
        "50 chunks, encoder: p50",
        "p50 with many tenants against few",
        "opening a tenant: p50",
        "opening a tenant: p99",
        "1 × 400: recall@10",
        "3 × 40: recall@10",
        "3 × 40: p99",
    ] {
        assert!(names.contains(&expected), "{expected} is not in {names:?}");
    }
    let figures = report.parts.iter().flat_map(|part| &part.figures);
    for figure in figures {
        assert!(figure.value.is_finite(), "{figure:?}");
        assert_eq!(figure.met.is_some(), figure.target.is_some(), "{figure:?}");
        if figure.name.ends_with("recall@10") {
            assert!(figure.value > 0.999, "{figure:?}");
        }
    }
    let table = report.table();
    assert!(table.contains("≤ 100.0 µs"), "{table}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["parts"][0]["part"], "embedding");
    assert!(json["machine"]["cores"].as_u64().unwrap() > 0);
}

#[test]
fn parts_are_chosen_by_name() {
    for part in Part::ALL {
        assert_eq!(part.to_string().parse::<Part>().unwrap(), part);
    }
    assert!("memory".parse::<Part>().is_err());
    assert!(!Part::USUAL.contains(&Part::Million));
}
