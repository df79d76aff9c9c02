use super::*;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.000_5
}

fn variant(name: &str, helpful: u64, unhelpful: u64) -> VariantMeasures {
    let sums = TurnSums {
        turns: helpful + unhelpful,
        helpful,
        unhelpful,
        ..TurnSums::default()
    };
    VariantMeasures::of(name.to_owned(), &sums)
}

#[test]
fn intervals_are_wilsons() {
    // Worked out by hand from the formula.
    for (part, whole, low, high) in [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (500, 1_000, 0.4691, 0.5309),
        (1, 1, 0.2065, 1.0),
    ] {
        let share = Share::of(part, whole).unwrap();
        assert!(
            near(share.low, low) && near(share.high, high),
            "{part}/{whole}: {share:?}"
        );
        assert!(share.low <= share.share && share.share <= share.high);
    }
    assert_eq!(Share::of(0, 0), None);
}

#[test]
fn a_verdict_waits_until_the_intervals_part() {
    let verdict = |variants: &[VariantMeasures]| Verdict::of(variants);
    let decided = verdict(&[variant("base", 40, 60), variant("corto", 80, 20)]);
    assert_eq!(decided.better.as_deref(), Some("corto"));
    assert!(
        decided.es.contains("«corto» es mejor") && decided.es.contains("80 %"),
        "{decided:?}"
    );
    assert!(decided.en.contains("\"corto\" is better"), "{decided:?}");
    for undecided in [
        vec![],
        vec![variant("base", 0, 0), variant("corto", 0, 0)],
        vec![variant("base", 9, 1)],
        vec![variant("base", 9, 1), variant("corto", 0, 0)],
        vec![variant("base", 4, 6), variant("corto", 8, 2)],
        vec![variant("base", 50, 50), variant("corto", 50, 50)],
        // The best of three must be better than each of them.
        vec![
            variant("base", 10, 90),
            variant("b", 80, 20),
            variant("c", 82, 18),
        ],
    ] {
        let verdict = verdict(&undecided);
        assert_eq!(verdict.better, None, "{undecided:?}");
        assert!(
            verdict.es.starts_with("Todavía no se puede decir"),
            "{verdict:?}"
        );
        assert!(
            verdict.en.starts_with("It cannot be told yet"),
            "{verdict:?}"
        );
    }
}

#[test]
fn nothing_is_divided_by_nothing() {
    let now = Timestamp::UNIX_EPOCH;
    let nothing = AgentStatistics::of(&TurnSums::default(), &RetrievalSums::default(), now, now, 3);
    assert_eq!((nothing.turns, nothing.prompt_regenerations), (0, 3));
    assert_eq!(
        (nothing.mean_tokens, nothing.tool_use_rate, nothing.p95_ms),
        (None, None, None)
    );
    let sums = TurnSums {
        turns: 4,
        with_tools: 1,
        tool_calls: 6,
        input_tokens: 300,
        output_tokens: 100,
        priced: 2,
        cost: 50,
        p50_us: Some(1_500),
        ..TurnSums::default()
    };
    let sums = TurnSums {
        with_knowledge: 3,
        ..sums
    };
    let searched = RetrievalSums {
        searches: 4,
        with_passages: 2,
        similarity: 1.5,
        context_tokens: 900,
        elapsed_us: 8_000,
        embedding_us: 2_000,
    };
    let some = AgentStatistics::of(&sums, &searched, now, now, 0);
    assert_eq!(
        (some.mean_tokens, some.tool_use_rate),
        (Some(100.0), Some(0.25))
    );
    assert_eq!((some.p50_ms, some.cost_micros), (Some(1.5), 50));
    assert_eq!((some.rag_use_rate, some.searches), (Some(0.75), 4));
    assert_eq!(
        (some.mean_retrieval_ms, some.mean_embedding_ms),
        (Some(2.0), Some(0.5))
    );
    assert_eq!(
        (some.mean_context_tokens, some.mean_relevance),
        (Some(450.0), Some(0.75))
    );
    let one = VariantMeasures::of("base".to_owned(), &sums);
    assert_eq!(
        (one.mean_cost_micros, one.tools_per_turn),
        (Some(25.0), Some(1.5))
    );
}
