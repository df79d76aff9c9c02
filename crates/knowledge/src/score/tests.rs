use super::*;
use quipu_core::language::Language;

const MODELS: [&str; 4] = [
    "quipu-es-en/static",
    "quipu-es-en/encoder@2",
    "text-embedding-3-small",
    "intfloat/multilingual-e5-small",
];

const WORDS: MeasuresTaken = MeasuresTaken {
    words: true,
    nearness: false,
};
const COMPARED: MeasuresTaken = MeasuresTaken {
    words: true,
    nearness: true,
};
const MEANING: MeasuresTaken = MeasuresTaken {
    words: false,
    nearness: false,
};
const COMPARED_MEANING: MeasuresTaken = MeasuresTaken {
    words: false,
    nearness: true,
};

fn profiles() -> Vec<Profile> {
    let of_models = MODELS
        .into_iter()
        .flat_map(|model| [WORDS, COMPARED].map(|taken| Profile::of(model, taken)));
    of_models.chain([Profile::words()]).collect()
}

/// What is near by its vector and words is near word by word too.
fn hit(cosine: f32, coverage: f32, relevance: f32) -> Measured {
    Measured {
        cosine: Some(cosine),
        coverage,
        relevance,
        nearness: Some(0.35 + 0.3 * relevance),
    }
}

fn facts(ideas: usize) -> QuestionFacts {
    QuestionFacts {
        ideas,
        chunks: 33,
        ..QuestionFacts::default()
    }
}

/// Hits as a question finds them: one good, the others worse in every way.
fn found() -> Vec<Measured> {
    let worse = (1_u8..20).map(|i| {
        let i = f32::from(i);
        hit(0.35 - 0.01 * i, 0.4 - 0.02 * i, 0.2 - 0.01 * i)
    });
    [hit(0.55, 0.8, 0.5)].into_iter().chain(worse).collect()
}

#[test]
fn similarity_is_bounded_and_follows_the_rank() {
    let extremes = [-1.0, 0.0, 0.3, 1.0];
    let mut hits = found();
    for cosine in extremes {
        for words in [0.0, 0.5, 1.0] {
            hits.push(hit(cosine, words, words));
            hits.push(Measured {
                cosine: None,
                coverage: words,
                relevance: words,
                nearness: None,
            });
        }
    }
    let by_meaning = MODELS
        .into_iter()
        .flat_map(|model| [MEANING, COMPARED_MEANING].map(|taken| Profile::of(model, taken)));
    for profile in profiles().into_iter().chain(by_meaning) {
        for facts in [facts(0), facts(1), facts(32), QuestionFacts::default()] {
            let mut judged = profile.judge(&hits, &facts);
            judged.sort_by(|a, b| a.rank.total_cmp(&b.rank));
            for pair in judged.windows(2) {
                assert!(pair[0].similarity <= pair[1].similarity, "{pair:?}");
            }
            for one in judged {
                assert!(one.rank.is_finite() && (0.0..=1.0).contains(&one.similarity));
            }
        }
    }
}

/// What the encoder measures of a question that is answered, and of one off the topic.
#[test]
fn meaning_alone_is_on_the_same_scale() {
    for taken in [MEANING, COMPARED_MEANING] {
        let best = |cosine: f32, nearness: f32| {
            let nearness = Some(nearness);
            let first = Measured {
                nearness,
                ..hit(cosine, 0.0, 0.0)
            };
            let profile = Profile::of("quipu-es-en/encoder@2", taken);
            let judged = profile.judge(&[first, hit(0.15, 0.0, 0.0)], &facts(3));
            judged[0].similarity
        };
        assert!(best(0.45, 0.6) > 0.7, "{}", best(0.45, 0.6));
        assert!(best(0.05, 0.35) < 0.7, "{}", best(0.05, 0.35));
    }
}

#[test]
fn more_of_any_measure_ranks_higher() {
    let base = hit(0.3, 0.3, 0.2);
    for better in [hit(0.4, 0.3, 0.2), hit(0.3, 0.5, 0.2), hit(0.3, 0.3, 0.4)] {
        for (model, taken) in MODELS
            .into_iter()
            .flat_map(|model| [(model, WORDS), (model, COMPARED)])
        {
            let judged = Profile::of(model, taken).judge(&[base, better], &facts(4));
            assert!(judged[1].rank > judged[0].rank, "{model} {better:?}");
            assert!(
                judged[1].similarity > judged[0].similarity,
                "{model} {better:?}"
            );
        }
    }
}

#[test]
fn a_good_hit_answers_at_the_default_and_a_poor_one_does_not() {
    for profile in profiles() {
        let judged = profile.judge(&found(), &facts(4));
        assert!(judged[0].similarity > 0.7, "{profile:?} {judged:?}");
        assert!(judged[19].similarity < 0.7, "{profile:?} {judged:?}");
    }
}

#[test]
fn what_the_knowledge_base_lacks_makes_every_hit_less_sure_in_the_same_order() {
    let plain = facts(4);
    let lacking = [
        QuestionFacts {
            missing: 2,
            ..plain
        },
        QuestionFacts {
            strange: 2,
            ..plain
        },
        QuestionFacts {
            chunks: 1000,
            ..plain
        },
    ];
    for profile in profiles() {
        let sure = profile.judge(&found(), &plain);
        for facts in &lacking {
            let less = profile.judge(&found(), facts);
            for (sure, less) in sure.iter().zip(&less) {
                assert!(less.similarity < sure.similarity, "{facts:?}");
                assert!((less.rank - sure.rank).abs() < f32::EPSILON, "{facts:?}");
            }
        }
    }
}

/// The cosines of e5 lie between 0.7 and 0.9, those of others around 0.3: what is
/// made of them must not depend on it.
#[test]
fn the_range_of_an_unknown_model_does_not_matter() {
    let moved = |scale: f32, by: f32| -> Vec<Measured> {
        let hits = found().into_iter();
        hits.map(|h| Measured {
            cosine: h.cosine.map(|c| by + scale * c),
            ..h
        })
        .collect()
    };
    let profile = Profile::of("e5", WORDS);
    let plain = profile.judge(&found(), &facts(4));
    for hits in [moved(0.3, 0.7), moved(1.0, -0.2), moved(2.0, 0.0)] {
        for (a, b) in plain.iter().zip(profile.judge(&hits, &facts(4))) {
            assert!((a.similarity - b.similarity).abs() < 1e-3, "{a:?} {b:?}");
        }
    }
}

#[test]
fn hits_without_vectors_or_alone_are_judged_by_their_words() {
    for profile in profiles() {
        assert!(profile.judge(&[], &facts(3)).is_empty());
        let alone = profile.judge(&[hit(0.5, 0.9, 0.6)], &facts(3));
        assert!(alone[0].similarity > 0.7, "{profile:?} {alone:?}");
        let bare = Measured {
            cosine: None,
            coverage: 0.9,
            relevance: 0.6,
            nearness: Some(0.6),
        };
        assert!(profile.judge(&[bare], &facts(3))[0].similarity > 0.7);
    }
}

#[test]
fn facts_tell_missing_ideas_from_strange_ones() {
    let question = Question::read(
        "cuánto cuesta el alquiler de un zzyzx",
        Language::Es,
        Language::Es,
    );
    let price = |idea: &Concept| idea.strength(|term| term == "#dinero") > 0.0;
    let known: Vec<bool> = question.concepts.iter().map(price).collect();
    let facts = QuestionFacts::of(&question, 50, &known);
    assert_eq!(
        facts,
        QuestionFacts {
            ideas: 3,
            missing: 1,
            strange: 1,
            chunks: 50,
        }
    );
}

#[test]
fn the_judge_orders_with_the_search_and_decides_whether_anything_answers() {
    let search = [0.9, 0.88, 0.6];
    let answered = with_judge(&search, &[0.01, 0.999, 0.2]);
    assert!(
        answered[1] > 0.7 && answered[1] > answered[0],
        "{answered:?}"
    );
    // However well the words fit, nobody answers that.
    let refused = with_judge(&search, &[0.001, 0.002, 0.001]);
    assert!(
        refused.iter().all(|similarity| *similarity < 0.7),
        "{refused:?}"
    );
    assert!(refused[0] > refused[2], "the order of the search stays");
    let alone = with_judge(&[0.9], &[0.99]);
    assert!(alone[0] > 0.7 && with_judge(&[0.9], &[0.001])[0] < 0.7);
    assert!(with_judge(&[], &[]).is_empty());
    let sure = with_judge(&[1.0, 0.0], &[1.0, 0.0]);
    assert!(sure.iter().all(|similarity| similarity.is_finite()));
}
