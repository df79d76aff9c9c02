//! Whether the tools were called and the facts told that a scenario asks for.

use super::file::Expect;
use super::play::Course;
use quipu_core::text::fold;
use serde::Serialize;
use std::fmt;

/// What was not as a scenario says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "what", rename_all = "snake_case")]
pub(super) enum Failure {
    MissingTool(String),
    ForbiddenTool(String),
    MissingFact(String),
    ForbiddenFact(String),
    State(String),
    /// Something is expected that nothing here can check.
    NotChecked(String),
    /// The scripted model was not asked what its script foresees.
    Script(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, what) = match self {
            Self::MissingTool(what) => ("missing tool", what),
            Self::ForbiddenTool(what) => ("forbidden tool", what),
            Self::MissingFact(what) => ("missing fact", what),
            Self::ForbiddenFact(what) => ("forbidden fact", what),
            Self::State(what) => ("state", what),
            Self::NotChecked(what) => ("not checked", what),
            Self::Script(what) => ("script", what),
        };
        write!(f, "{kind}: {what}")
    }
}

/// Compares what was called and said with what is expected.
pub(super) fn said_and_done(expect: &Expect, course: &Course) -> Vec<Failure> {
    let mut failures = Vec::new();
    for tool in &expect.tools_must {
        if !course.used(tool) {
            failures.push(Failure::MissingTool(tool.clone()));
        }
    }
    for tool in &expect.tools_must_not {
        if course.tried(tool) {
            failures.push(Failure::ForbiddenTool(tool.clone()));
        }
    }
    let said = comparable(&format!(" {} ", course.replies.join(" ")));
    let told = |fact: &String| said.contains(&comparable(fact));
    for fact in &expect.facts_must {
        if !fact.any_of.iter().any(told) {
            failures.push(Failure::MissingFact(fact.any_of.join(" | ")));
        }
    }
    for fact in &expect.facts_must_not {
        if told(fact) {
            failures.push(Failure::ForbiddenFact(fact.clone()));
        }
    }
    let unknown = expect.rest.keys();
    failures.extend(unknown.map(|key| Failure::NotChecked(format!("expect.{key}"))));
    failures
}

/// A text without case, accents and separators of thousands.
fn comparable(text: &str) -> String {
    let chars: Vec<char> = fold(text).chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let separates = |at: usize| {
        let sign = matches!(chars[at], '.' | ',' | '\u{a0}' | '\u{202f}');
        let between = at > 0 && digit(at - 1) && (1..=3).all(|ahead| digit(at + ahead));
        sign && between && !digit(at + 4)
    };
    let kept = (0..chars.len()).filter(|at| !separates(*at));
    kept.map(|at| match chars[at] {
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::file::Fact;
    use super::super::play::Called;
    use super::*;
    use serde_json::{Value, json};

    fn course(replies: &[&str], tools: &[&str]) -> Course {
        Course {
            replies: replies.iter().map(|it| (*it).to_owned()).collect(),
            calls: tools
                .iter()
                .map(|it| Called {
                    tool: (*it).to_owned(),
                    arguments: Value::Null,
                    error: None,
                })
                .collect(),
            ..Course::default()
        }
    }

    #[test]
    fn thousands_case_and_accents_do_not_matter() {
        for (said, fact) in [
            ("Son $12,300 MXN", "12300"),
            ("Son 12300", "12.300"),
            ("CAFÉ con leche", "cafe"),
            ("quedan 7", " 7 "),
        ] {
            let expect = Expect {
                facts_must: vec![Fact {
                    any_of: vec![fact.to_owned()],
                }],
                ..Expect::default()
            };
            assert_eq!(said_and_done(&expect, &course(&[said], &[])), [], "{said}");
        }
        assert_eq!(comparable("1.234.567 y 3,25"), "1234567 y 3,25");
    }

    #[test]
    fn everything_that_is_not_as_expected_is_told() {
        let mut expect: Expect = serde_json::from_value(json!({
            "tools_must": ["create_order"], "tools_must_not": ["cancel_order"],
            "facts_must": [{ "any_of": ["abierto", "abrimos"] }], "facts_must_not": ["gratis"],
            "tone": "friendly",
        }))
        .unwrap();
        let course = course(&["Es gratis."], &["cancel_order"]);
        let wanted = [
            Failure::MissingTool("create_order".to_owned()),
            Failure::ForbiddenTool("cancel_order".to_owned()),
            Failure::MissingFact("abierto | abrimos".to_owned()),
            Failure::ForbiddenFact("gratis".to_owned()),
            Failure::NotChecked("expect.tone".to_owned()),
        ];
        assert_eq!(said_and_done(&expect, &course), wanted);
        expect.rest.clear();
        assert_eq!(said_and_done(&expect, &course).len(), 4);
    }

    #[test]
    fn a_tool_that_was_refused_was_tried_and_not_used() {
        let mut course = course(&[], &["create_order"]);
        course.calls[0].error = Some("ORDER_REFUSED".to_owned());
        let must: Expect =
            serde_json::from_value(json!({ "tools_must": ["create_order"] })).unwrap();
        assert_eq!(said_and_done(&must, &course).len(), 1);
        let must_not = json!({ "tools_must_not": ["create_order"] });
        let must_not: Expect = serde_json::from_value(must_not).unwrap();
        assert_eq!(said_and_done(&must_not, &course).len(), 1);
    }
}
