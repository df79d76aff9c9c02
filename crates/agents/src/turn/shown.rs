//! What a tool returned, as a model is shown it.

use serde_json::Value;

/// The longest result that a model is shown, in bytes. More would cost more than it tells.
const LONGEST_RESULT: usize = 12 * 1024;

/// A result as a model is shown it: without what is not known, and what is cut says so.
pub(super) fn shortened(result: &Value) -> String {
    let mut text = without_nothing(result).to_string();
    if text.len() > LONGEST_RESULT {
        let mut end = LONGEST_RESULT;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("… (cut; ask more precisely)");
    }
    text
}

/// A result without fields that say nothing, which a model would read over and over.
fn without_nothing(result: &Value) -> Value {
    match result {
        Value::Object(fields) => {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            let known = known.map(|(name, value)| (name.clone(), without_nothing(value)));
            Value::Object(known.collect())
        }
        Value::Array(all) => all.iter().map(without_nothing).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_known_is_left_out() {
        let result =
            json!({ "price": null, "slots": [{ "time": "10:30", "table": null }], "free": false });
        let shown: Value = serde_json::from_str(&shortened(&result)).unwrap();
        assert_eq!(
            shown,
            json!({ "slots": [{ "time": "10:30" }], "free": false })
        );
    }

    #[test]
    fn what_is_cut_says_so() {
        let shown = shortened(&json!({ "text": "ñ".repeat(LONGEST_RESULT) }));
        assert!(shown.ends_with("ask more precisely)"), "{}", shown.len());
        assert!(shown.len() < LONGEST_RESULT + 100);
    }
}
