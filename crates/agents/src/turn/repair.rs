//! Reading what a model wrote for arguments, which is meant to be a JSON object and often almost is.

use serde_json::{Map, Value};

/// What is longer is not looked at.
const LONGEST: usize = 64 * 1024;

/// The arguments, as they are or mended; `None` when nothing can be made of them.
pub(super) fn arguments(text: &str) -> Option<Value> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Some(Value::Object(Map::new()));
    }
    let object = without_fence(text);
    read(text)
        .or_else(|| read(object))
        .or_else(|| read(&mended(object)))
}

/// A JSON object, or a string that holds one.
fn read(text: &str) -> Option<Value> {
    match serde_json::from_str(text).ok()? {
        Value::Object(fields) => Some(Value::Object(fields)),
        Value::String(inner) => match serde_json::from_str(&inner).ok()? {
            Value::Object(fields) => Some(Value::Object(fields)),
            _ => None,
        },
        _ => None,
    }
}

/// "```json … ```", and words around the object.
fn without_fence(text: &str) -> &str {
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        (Some(start), _) => &text[start..],
        _ => text,
    }
}

/// Trailing commas left out, single quotes made double, and what was left open closed.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut open = Vec::new();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for c in text.chars() {
        if let Some(end) = quote {
            if escaped {
                escaped = false;
                // JSON knows no escaped single quote.
                if c == '\'' {
                    out.pop();
                }
                out.push(c);
            } else if c == '\\' {
                escaped = true;
                out.push(c);
            } else if c == end {
                quote = None;
                out.push('"');
            } else if c == '"' {
                out.push_str("\\\"");
            } else if c == '\n' {
                out.push_str("\\n");
            } else {
                out.push(c);
            }
            continue;
        }
        match c {
            '"' | '\'' => {
                quote = Some(c);
                out.push('"');
            }
            '{' => {
                open.push('}');
                out.push(c);
            }
            '[' => {
                open.push(']');
                out.push(c);
            }
            '}' | ']' => {
                trim_comma(&mut out);
                open.pop();
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    if quote.is_some() {
        out.push('"');
    }
    trim_comma(&mut out);
    out.extend(open.into_iter().rev());
    for (python, json) in [
        (": True", ": true"),
        (": False", ": false"),
        (": None", ": null"),
    ] {
        out = out.replace(python, json);
    }
    out
}

fn trim_comma(out: &mut String) {
    let kept = out.trim_end().trim_end_matches(',').len();
    out.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn almost_json_is_read() {
        let expected = json!({"service_name": "limpieza", "limit": 3});
        for text in [
            r#"{"service_name": "limpieza", "limit": 3}"#,
            "```json\n{\"service_name\": \"limpieza\", \"limit\": 3}\n```",
            r#"{"service_name": "limpieza", "limit": 3,}"#,
            r"{'service_name': 'limpieza', 'limit': 3}",
            r#"{"service_name": "limpieza", "limit": 3"#,
            r#""{\"service_name\": \"limpieza\", \"limit\": 3}""#,
            r#"Aquí va: {"service_name": "limpieza", "limit": 3}"#,
        ] {
            assert_eq!(arguments(text), Some(expected.clone()), "{text}");
        }
        assert_eq!(arguments(""), Some(json!({})));
        assert_eq!(arguments("{'urgent': True}"), Some(json!({"urgent": true})));
        assert_eq!(
            arguments(r#"{"notes": "dijo \"hola\", y ya", "items": [{"name": "al pastor"#),
            Some(json!({"notes": "dijo \"hola\", y ya", "items": [{"name": "al pastor"}]}))
        );
    }

    #[test]
    fn nonsense_is_not() {
        for text in ["limpieza", "[1, 2]", "42", "{{{{", "{service: limpieza}"] {
            assert_eq!(arguments(text), None, "{text}");
        }
        assert_eq!(arguments(&"{\"a\": 1} ".repeat(20_000)), None);
    }

    proptest::proptest! {
        #[test]
        fn nothing_breaks_it(text in "[\\PC]{0,120}") {
            let _ = arguments(&text);
        }
    }
}
