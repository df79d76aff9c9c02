//! Messages with something to tap.

use super::content::required_in;
use crate::graph::error::GraphError;
use crate::message::{MessageOption, OptionSource};
use crate::outgoing::Outgoing;
use serde_json::Value;
use std::collections::HashSet;

const MOST_BUTTONS: usize = 3;
const MOST_BUTTON_CHARS: usize = 20;
const MOST_BUTTON_ID_CHARS: usize = 256;
const MOST_SECTIONS: usize = 10;
const MOST_ROWS: usize = 10;
const MOST_ROW_CHARS: usize = 24;
const MOST_ROW_ID_CHARS: usize = 200;
const MOST_DESCRIPTION_CHARS: usize = 72;
const MOST_BUTTON_BODY_CHARS: usize = 1024;
const MOST_LIST_BODY_CHARS: usize = 4096;

pub(super) fn read(content: &Value) -> Result<Outgoing, GraphError> {
    let kind = required_in("interactive", content, "type", 100)?;
    let most_body = if kind == "list" {
        MOST_LIST_BODY_CHARS
    } else {
        MOST_BUTTON_BODY_CHARS
    };
    let mut outgoing = Outgoing::new("choices");
    let text = required_in("interactive['body']", &content["body"], "text", most_body)?;
    outgoing.text = Some(text.to_owned());
    for part in ["header", "footer"] {
        let text = &content[part]["text"];
        if !text.is_null() {
            labelled(text, &format!("interactive['{part}']['text']"), 60)?;
        }
    }
    let action = &content["action"];
    match kind {
        "button" => outgoing.options = buttons(action)?,
        "list" => {
            let button = labelled(&action["button"], "List button label", MOST_BUTTON_CHARS)?;
            outgoing.button = Some(button.to_owned());
            outgoing.options = rows(action)?;
        }
        "cta_url" => {
            let parameters = &action["parameters"];
            labelled(
                &parameters["display_text"],
                "Button label",
                MOST_BUTTON_CHARS,
            )?;
            required_in(
                "interactive['action']['parameters']",
                parameters,
                "url",
                2000,
            )?;
        }
        "location_request_message" => expect_action(action, "send_location")?,
        "request_contact_info" => expect_action(action, "request_contact_info")?,
        _ => {
            return Err(GraphError::value(
                "interactive.type is not one that is known",
            ));
        }
    }
    Ok(outgoing)
}

fn expect_action(action: &Value, name: &str) -> Result<(), GraphError> {
    if action["name"] == name {
        Ok(())
    } else {
        Err(GraphError::value(format!(
            "interactive.action.name must be one of {{{name}}}"
        )))
    }
}

fn buttons(action: &Value) -> Result<Vec<MessageOption>, GraphError> {
    let buttons = action["buttons"].as_array().map_or(&[][..], Vec::as_slice);
    if !(1..=MOST_BUTTONS).contains(&buttons.len()) {
        let details = format!(
            "Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: {MOST_BUTTONS}"
        );
        return Err(GraphError::value(details));
    }
    let options = buttons.iter().map(|button| {
        if button["type"] != "reply" {
            return Err(GraphError::value("Button type must be one of {reply}"));
        }
        let reply = &button["reply"];
        let id = labelled(&reply["id"], "Button reply id", MOST_BUTTON_ID_CHARS)?;
        let title = labelled(&reply["title"], "Button title", MOST_BUTTON_CHARS)?;
        Ok(option(id, title, None, OptionSource::Button))
    });
    let options = options.collect::<Result<Vec<_>, _>>()?;
    unique(
        options.iter().map(|option| &option.id),
        "Duplicated Button Reply Id",
    )?;
    unique(
        options.iter().map(|option| &option.title),
        "Duplicated Button Title",
    )?;
    Ok(options)
}

fn rows(action: &Value) -> Result<Vec<MessageOption>, GraphError> {
    let sections = action["sections"].as_array().map_or(&[][..], Vec::as_slice);
    if !(1..=MOST_SECTIONS).contains(&sections.len()) {
        let details = format!(
            "Invalid sections count. Min allowed sections: 1, Max allowed sections: {MOST_SECTIONS}"
        );
        return Err(GraphError::value(details));
    }
    let mut options = Vec::new();
    for section in sections {
        if sections.len() > 1 || !section["title"].is_null() {
            labelled(&section["title"], "Section title", MOST_ROW_CHARS)?;
        }
        let rows = section["rows"].as_array().map_or(&[][..], Vec::as_slice);
        if rows.is_empty() {
            return Err(GraphError::value("A section has no rows"));
        }
        for row in rows {
            let id = labelled(&row["id"], "Row id", MOST_ROW_ID_CHARS)?;
            let title = labelled(&row["title"], "Row title", MOST_ROW_CHARS)?;
            let description = match &row["description"] {
                Value::Null => None,
                text => Some(labelled(text, "Row description", MOST_DESCRIPTION_CHARS)?),
            };
            options.push(option(id, title, description, OptionSource::ListRow));
        }
    }
    if options.len() > MOST_ROWS {
        let details = format!("Total row count exceed max allowed count: {MOST_ROWS}");
        return Err(GraphError::value(details));
    }
    unique(options.iter().map(|option| &option.id), "Duplicated Row Id")?;
    Ok(options)
}

fn option(id: &str, title: &str, description: Option<&str>, source: OptionSource) -> MessageOption {
    MessageOption {
        id: id.to_owned(),
        title: title.to_owned(),
        description: description.map(str::to_owned),
        source,
    }
}

/// A label that is there and not too long.
fn labelled<'a>(value: &'a Value, name: &str, most: usize) -> Result<&'a str, GraphError> {
    let fits = |text: &&str| !text.trim().is_empty() && text.chars().count() <= most;
    value.as_str().filter(fits).ok_or_else(|| {
        GraphError::value(format!(
            "{name} length invalid. Min length: 1, Max length: {most}"
        ))
    })
}

fn unique<'a>(words: impl Iterator<Item = &'a String>, otherwise: &str) -> Result<(), GraphError> {
    let mut seen = HashSet::new();
    for word in words {
        if !seen.insert(word) {
            return Err(GraphError::value(otherwise));
        }
    }
    Ok(())
}
