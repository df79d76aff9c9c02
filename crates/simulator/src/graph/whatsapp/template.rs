//! Messages that were approved before they are sent.

use super::content::required_in;
use crate::account::{SimulatedAccount, SimulatedTemplate};
use crate::graph::error::GraphError;
use crate::message::{MessageOption, OptionSource};
use crate::outgoing::Outgoing;
use serde_json::Value;

/// How long a body may become when it is filled in.
const MOST_BODY_CHARS: usize = 1024;

pub(super) fn read(account: &SimulatedAccount, content: &Value) -> Result<Outgoing, GraphError> {
    let name = required_in("template", content, "name", 512)?;
    let language = required_in("template['language']", &content["language"], "code", 20)?;
    let template = found(account, name, language)?;
    let components = match &content["components"] {
        Value::Null => &[][..],
        Value::Array(components) => components,
        _ => {
            return Err(GraphError::parameter(
                "Param template['components'] must be an array.",
            ));
        }
    };
    let mut values = Vec::new();
    let mut payloads = vec![None; template.buttons.len()];
    for component in components {
        match component["type"].as_str().map(str::to_lowercase).as_deref() {
            Some("body") => values = parameters(component)?,
            Some("button") => payload(component, &mut payloads)?,
            Some("header") => {
                return Err(count_mismatch("header", parameters(component)?.len(), 0));
            }
            _ => {
                return Err(GraphError::value(
                    "components.type must be one of {HEADER, BODY, BUTTON}",
                ));
            }
        }
    }
    if values.len() != template.placeholders() {
        return Err(count_mismatch(
            "body",
            values.len(),
            template.placeholders(),
        ));
    }
    let mut outgoing = Outgoing::new("template");
    outgoing.text = Some(filled(template, &values)?);
    outgoing.template = Some(template.name.clone());
    outgoing.category = template.category.to_lowercase();
    let buttons = template.buttons.iter().zip(payloads);
    outgoing.options = buttons
        .map(|(title, payload)| MessageOption {
            // Without one of its own a button gives back what stands on it.
            id: payload.unwrap_or_else(|| title.clone()),
            title: title.clone(),
            description: None,
            source: OptionSource::TemplateButton,
        })
        .collect();
    Ok(outgoing)
}

fn found<'a>(
    account: &'a SimulatedAccount,
    name: &str,
    language: &str,
) -> Result<&'a SimulatedTemplate, GraphError> {
    let mut templates = account.templates.iter();
    let template =
        templates.find(|template| template.name == name && template.language == language);
    match template.map(|template| (template, template.status.as_str())) {
        Some((template, "APPROVED")) => Ok(template),
        Some((_, "PAUSED")) => Err(GraphError::new(
            400,
            132_015,
            "(#132015) Template is paused",
        )),
        Some((_, "DISABLED")) => Err(GraphError::new(
            400,
            132_016,
            "(#132016) Template is disabled",
        )),
        _ => {
            let message = "(#132001) Template name does not exist in the translation";
            let details = "the template does not exist in that language, or is not approved";
            Err(GraphError::new(404, 132_001, message).details(details))
        }
    }
}

fn count_mismatch(part: &str, said: usize, expected: usize) -> GraphError {
    let message = "(#132000) Number of parameters does not match the expected number of params";
    GraphError::new(400, 132_000, message).details(format!(
        "{part}: number of localizable_params ({said}) does not match the expected number of params ({expected})"
    ))
}

fn parameters(component: &Value) -> Result<Vec<&str>, GraphError> {
    let parameters = component["parameters"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let texts = parameters.iter().map(|parameter| {
        if parameter["type"] != "text" {
            let message =
                "(#132012) Parameter format does not match format in the created template";
            return Err(GraphError::new(400, 132_012, message));
        }
        let text = required_in("parameters", parameter, "text", MOST_BODY_CHARS)?;
        if text.contains(['\n', '\t']) || text.contains("     ") {
            let message = "(#132018) There is an issue with one or more template parameters";
            return Err(GraphError::new(400, 132_018, message).details(
                "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
            ));
        }
        Ok(text)
    });
    texts.collect()
}

fn payload(component: &Value, payloads: &mut [Option<String>]) -> Result<(), GraphError> {
    if component["sub_type"]
        .as_str()
        .map(str::to_lowercase)
        .as_deref()
        != Some("quick_reply")
    {
        return Err(GraphError::value(
            "components.sub_type must be one of {QUICK_REPLY}",
        ));
    }
    let index = match &component["index"] {
        Value::String(index) => index.parse().ok(),
        index => index.as_u64().and_then(|index| usize::try_from(index).ok()),
    };
    let expected = payloads.len();
    let slot = index.and_then(|index| payloads.get_mut(index));
    let slot = slot.ok_or_else(|| count_mismatch("buttons", expected + 1, expected))?;
    let parameter = &component["parameters"][0];
    if parameter["type"] != "payload" {
        return Err(GraphError::value("Parameter type must be one of {payload}"));
    }
    *slot = Some(required_in("parameters", parameter, "payload", 256)?.to_owned());
    Ok(())
}

fn filled(template: &SimulatedTemplate, values: &[&str]) -> Result<String, GraphError> {
    let mut filled = String::new();
    let mut rest = template.body.as_str();
    // In one go, so that what was filled in is not filled in itself.
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let place = after.split_once("}}");
        let value = place.and_then(|(n, _)| values.get(n.parse::<usize>().ok()?.checked_sub(1)?));
        if let (Some((_, behind)), Some(value)) = (place, value) {
            filled.push_str(value);
            rest = behind;
        } else {
            filled.push_str("{{");
            rest = after;
        }
    }
    filled.push_str(rest);
    if filled.chars().count() > MOST_BODY_CHARS {
        return Err(GraphError::new(
            400,
            132_005,
            "(#132005) Translated text too long",
        ));
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_in_itself() {
        let template = SimulatedTemplate::approved("t", "es", "Hola {{1}}: {{2}} {{x}} {{1}}");
        assert_eq!(template.placeholders(), 2);
        let filled = filled(&template, &["{{2}}", "b"]).unwrap();
        assert_eq!(filled, "Hola {{2}}: b {{x}} {{2}}");
    }
}
