//! Comparing a rehearsed answer with what is expected of it, and with the answer before.

use super::{ExpectationKind, FailedExpectation, RehearsedAnswer, StepExpectations};
use crate::text::fold;

/// How an answer says that it does not know, without accents and in lower case.
const UNKNOWN: &[&str] = &[
    "no tengo esa informacion",
    "no tengo informacion",
    "no tengo ese dato",
    "no tengo datos",
    "no tengo registrad",
    "no cuento con esa informacion",
    "no cuento con informacion",
    "no cuento con ese dato",
    "no dispongo de",
    "no lo se",
    "no se si",
    "no sabria decirte",
    "no encuentro informacion",
    "no encontre informacion",
    "desconozco",
    "i don't have that information",
    "i don't have information",
    "i do not have that information",
    "i do not have information",
    "i don't know",
    "i do not know",
    "i'm not sure",
    "i am not sure",
    "i couldn't find",
    "i could not find",
    "i have no information",
];

/// What of the expectations is not so.
#[must_use]
pub fn judge(expected: &StepExpectations, answer: &RehearsedAnswer) -> Vec<FailedExpectation> {
    use ExpectationKind::{
        MustCall, MustCite, MustContain, MustHandOver, MustNotContain, MustNotKnow, MustNotWrite,
    };
    let said = comparable(&answer.text);
    let told = |text: &String| said.contains(&comparable(text));
    let used = |tool: &String| {
        let mut calls = answer.tools.iter();
        calls.any(|call| call.tool == *tool && call.error.is_none())
    };
    let mut failed = Vec::new();
    let mut missing = |kind, texts: &[String], is_met: &dyn Fn(&String) -> bool| {
        for text in texts.iter().filter(|text| !is_met(text)) {
            let about = Some(text.clone());
            failed.push(FailedExpectation { kind, about });
        }
    };
    missing(MustContain, &expected.must_contain, &told);
    missing(MustNotContain, &expected.must_not_contain, &|text| {
        !told(text)
    });
    missing(MustCall, &expected.must_call, &used);
    // What was tried and refused would have been done at another time.
    let wrote = answer.tools.iter().find(|call| call.writes);
    if let Some(call) = wrote.filter(|_| expected.must_not_write) {
        failed.push(FailedExpectation {
            kind: MustNotWrite,
            about: Some(call.tool.clone()),
        });
    }
    for (kind, wanted, is_so) in [
        (MustCite, expected.must_cite, !answer.citations.is_empty()),
        (MustHandOver, expected.must_hand_over, answer.escalated),
        (
            MustNotKnow,
            expected.must_not_know,
            says_unknown(&answer.text),
        ),
    ] {
        if wanted && !is_so {
            failed.push(FailedExpectation { kind, about: None });
        }
    }
    failed
}

/// Whether an answer says that the agent does not know.
#[must_use]
pub fn says_unknown(text: &str) -> bool {
    let said = comparable(text);
    UNKNOWN.iter().any(|phrase| said.contains(phrase))
}

/// Whether two answers say or do something else. Case, accents and blanks do not count, and neither does
/// what was looked up.
#[must_use]
pub fn differs(before: &RehearsedAnswer, after: &RehearsedAnswer) -> bool {
    let done = |answer: &RehearsedAnswer| {
        let mut done: Vec<String> = answer.changes().map(str::to_owned).collect();
        done.sort();
        done
    };
    comparable(&before.text) != comparable(&after.text)
        || before.escalated != after.escalated
        || done(before) != done(after)
}

/// A text without case and accents, with one blank between its words and plain apostrophes.
fn comparable(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(fold).collect();
    words.join(" ").replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::super::RehearsedCall;
    use super::*;

    fn call(tool: &str, writes: bool, error: Option<&str>) -> RehearsedCall {
        RehearsedCall {
            tool: tool.to_owned(),
            writes,
            error: error.map(str::to_owned),
        }
    }

    fn answer(text: &str, tools: Vec<RehearsedCall>) -> RehearsedAnswer {
        RehearsedAnswer {
            text: text.to_owned(),
            tools,
            ..RehearsedAnswer::default()
        }
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn everything_that_is_not_as_expected_is_told() {
        let expected = StepExpectations {
            must_contain: texts(&["45 MINUTOS", "s/ 120"]),
            must_not_contain: texts(&["gratis", "mañana"]),
            must_call: texts(&["get_service_info", "create_order"]),
            must_not_write: true,
            must_cite: true,
            must_hand_over: true,
            must_not_know: true,
        };
        let said = answer(
            "Dura  45 minutos y es GRATIS.",
            vec![
                call("get_service_info", false, None),
                call("create_order", true, Some("ORDER_REFUSED")),
            ],
        );
        let failed = judge(&expected, &said);
        let told: Vec<(&str, Option<&str>)> = failed
            .iter()
            .map(|failed| (failed.kind.as_str(), failed.about.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                ("must_contain", Some("s/ 120")),
                ("must_not_contain", Some("gratis")),
                ("must_call", Some("create_order")),
                ("must_not_write", Some("create_order")),
                ("must_cite", None),
                ("must_hand_over", None),
                ("must_not_know", None),
            ]
        );
        assert_eq!(expected.count(), 10);
        assert!(judge(&StepExpectations::default(), &said).is_empty());
    }

    #[test]
    fn who_does_not_know_says_so_in_both_languages() {
        use crate::language::Language;
        use crate::phrases::no_information;
        for language in [Language::Es, Language::En] {
            assert!(says_unknown(&no_information("Sonrisa", language)));
        }
        assert!(says_unknown("Perdona, no lo sé."));
        assert!(says_unknown("Sorry, I don’t know."));
        assert!(!says_unknown("Abrimos a las 9."));
    }

    #[test]
    fn what_is_said_and_done_differs_and_what_was_looked_up_does_not() {
        let said = answer("Son las 9.", vec![call("get_branch_info", false, None)]);
        assert!(!differs(&said, &answer("son  LAS 9.", Vec::new())));
        assert!(differs(&said, &answer("Son las 10.", Vec::new())));
        let booked = answer("Son las 9.", vec![call("create_order", true, None)]);
        assert!(differs(&said, &booked));
        let refused = answer("Son las 9.", vec![call("create_order", true, Some("X"))]);
        assert!(!differs(&said, &refused));
        let handed = RehearsedAnswer {
            escalated: true,
            ..said.clone()
        };
        assert!(differs(&said, &handed));
    }
}
