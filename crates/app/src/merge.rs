//! JSON merge patches, by which things that are one document are changed.

use quipu_core::{Error, Result, unreadable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A thing with a JSON merge patch applied.
///
/// # Errors
/// `INVALID_JSON` when it is no such thing any more.
pub(crate) fn patched<T: Serialize + DeserializeOwned>(item: &T, patch: Value) -> Result<T> {
    let mut value = serde_json::to_value(item).map_err(Error::internal)?;
    merge(&mut value, patch);
    unreadable::read(value)
}

/// The same for a thing with fields of which `null` says something else than leaving them out.
///
/// # Errors
/// `INVALID_JSON` when it is no such thing any more.
pub(crate) fn patched_with_nulls<T: Serialize + DeserializeOwned>(
    item: &T,
    patch: Value,
    nullable: &[&str],
) -> Result<T> {
    let mut value = serde_json::to_value(item).map_err(Error::internal)?;
    merge_with_nulls(&mut value, patch, nullable);
    unreadable::read(value)
}

/// RFC 7396, but for fields of the thing itself of which `null` says something.
pub(crate) fn merge_with_nulls(target: &mut Value, patch: Value, nullable: &[&str]) {
    let nulls = nullable
        .iter()
        .filter(|field| patch.get(**field) == Some(&Value::Null));
    let nulls: Vec<&str> = nulls.copied().collect();
    merge(target, patch);
    for field in nulls {
        target[field] = Value::Null;
    }
}

/// RFC 7396.
pub(crate) fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.remove(&name);
            } else {
                merge(target.entry(name).or_insert(Value::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patches_merge_as_they_are_meant_to() {
        let cases = [
            (
                json!({"a": 1, "b": 2}),
                json!({"b": 3}),
                json!({"a": 1, "b": 3}),
            ),
            (json!({"a": 1, "b": 2}), json!({"b": null}), json!({"a": 1})),
            (
                json!({"a": {"x": 1, "y": 2}}),
                json!({"a": {"y": 3}}),
                json!({"a": {"x": 1, "y": 3}}),
            ),
            (json!({"a": [1, 2]}), json!({"a": [3]}), json!({"a": [3]})),
            (json!({}), json!({"a": {"b": 1}}), json!({"a": {"b": 1}})),
        ];
        for (mut target, patch, merged) in cases {
            merge(&mut target, patch);
            assert_eq!(target, merged);
        }
    }
}
