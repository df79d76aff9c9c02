//! What stands in a message.

use super::fields::{Reason, data, filled, id, name, text, word};
use crate::inbound::{ContactCard, InboundContent, MediaKind, MediaReference};
use serde_json::Value;

/// WhatsApp lets somebody share 257 contacts at once.
const MOST_CARDS: usize = 300;
const MOST_PHONES: usize = 20;
const LONGEST_URL: usize = 2_000;
const LONGEST_MEDIA_TYPE: usize = 200;
const LONGEST_EMOJI: usize = 100;

/// Reads what stands in a message. What is not known here is unsupported and no fault, since a customer
/// did send something.
pub(super) fn read(item: &Value) -> Result<InboundContent, Reason> {
    let kind = filled(item, "type").unwrap_or_default();
    let field = item.get(kind).unwrap_or(&Value::Null);
    match kind {
        "text" => Ok(InboundContent::Text {
            text: text(field, "body")?.ok_or("its text is not there")?,
        }),
        "image" => media(field, MediaKind::Image),
        "audio" | "voice" => media(field, MediaKind::Audio),
        "video" => media(field, MediaKind::Video),
        "document" => media(field, MediaKind::Document),
        "sticker" => media(field, MediaKind::Sticker),
        "location" => location(field),
        "contacts" => contacts(field),
        "reaction" => reaction(field),
        "interactive" => interactive(field),
        "button" => button(field),
        "order" => order(field),
        "edit" => edited(field),
        "revoke" => Ok(InboundContent::Deleted {
            message_id: original(field)?,
        }),
        "unsupported" => Ok(unsupported(item)),
        _ => Ok(InboundContent::Unsupported {
            what: word(kind).to_owned(),
        }),
    }
}

fn media(field: &Value, media: MediaKind) -> Result<InboundContent, Reason> {
    let short = |key: &str, longest: usize| {
        let value = filled(field, key).filter(|value| value.len() <= longest);
        value.map(str::to_owned)
    };
    let reference = MediaReference {
        media,
        id: id(field, "id")?,
        url: short("url", LONGEST_URL),
        mime_type: short("mime_type", LONGEST_MEDIA_TYPE),
        sha256: short("sha256", LONGEST_MEDIA_TYPE),
        filename: filename(field),
        caption: text(field, "caption")?,
        recorded: field.get("voice") == Some(&Value::Bool(true)),
    };
    if reference.id.is_none() && reference.url.is_none() {
        return Err("its file has neither an id nor an address");
    }
    Ok(InboundContent::Media(reference))
}

/// The end of a long name is kept, since it says what the file is.
fn filename(field: &Value) -> Option<String> {
    const LONGEST: usize = 100;
    let whole = filled(field, "filename")?;
    let from = whole.chars().count().saturating_sub(LONGEST);
    Some(whole.chars().skip(from).collect())
}

fn location(field: &Value) -> Result<InboundContent, Reason> {
    let degrees = |key: &str, most: f64| {
        let degrees = field.get(key).and_then(Value::as_f64);
        degrees.filter(|degrees| degrees.abs() <= most)
    };
    let (Some(latitude), Some(longitude)) =
        (degrees("latitude", 90.0), degrees("longitude", 180.0))
    else {
        return Err("its place is not on the map");
    };
    Ok(InboundContent::Location {
        latitude,
        longitude,
        name: name(field, "name"),
        address: text(field, "address")?,
    })
}

fn contacts(field: &Value) -> Result<InboundContent, Reason> {
    let cards = field.as_array().ok_or("its contacts are not a list")?;
    if cards.len() > MOST_CARDS {
        return Err("it has more than 300 contacts");
    }
    let cards = cards.iter().map(card).collect();
    Ok(InboundContent::Contacts { cards })
}

/// Whoever shares their own number sends a card without a name.
fn card(card: &Value) -> ContactCard {
    let names = card.get("name").unwrap_or(&Value::Null);
    let phones = card.get("phones").and_then(Value::as_array);
    let phones = phones.map_or(&[][..], Vec::as_slice);
    ContactCard {
        name: name(names, "formatted_name")
            .or_else(|| name(names, "first_name"))
            .unwrap_or_default(),
        phones: phones
            .iter()
            .filter_map(|phone| name(phone, "phone").or_else(|| name(phone, "wa_id")))
            .take(MOST_PHONES)
            .collect(),
    }
}

fn reaction(field: &Value) -> Result<InboundContent, Reason> {
    let emoji = filled(field, "emoji");
    if emoji.is_some_and(|emoji| emoji.len() > LONGEST_EMOJI) {
        return Err("its reaction is no emoji");
    }
    Ok(InboundContent::Reaction {
        emoji: emoji.map(str::to_owned),
        message_id: id(field, "message_id")?.ok_or("the message it reacts to is not there")?,
    })
}

fn interactive(field: &Value) -> Result<InboundContent, Reason> {
    let kind = filled(field, "type").unwrap_or_default();
    let reply = field.get(kind).unwrap_or(&Value::Null);
    match kind {
        "button_reply" | "list_reply" => Ok(InboundContent::Choice {
            id: id(reply, "id")?.ok_or("what was chosen is not there")?,
            title: name(reply, "title").unwrap_or_default(),
        }),
        "nfm_reply" => form(reply),
        "" => Ok(InboundContent::Unsupported {
            what: "interactive".to_owned(),
        }),
        _ => Ok(InboundContent::Unsupported {
            what: format!("interactive.{}", word(kind)),
        }),
    }
}

/// The fields of a form come as JSON in a text.
fn form(reply: &Value) -> Result<InboundContent, Reason> {
    let fields = text(reply, "response_json")?.ok_or("the fields of its form are not there")?;
    let form: Value =
        serde_json::from_str(&fields).map_err(|_| "the fields of its form are not JSON")?;
    Ok(InboundContent::Form { data: form })
}

/// A button of a template. One that was given nothing to say says its own words.
fn button(field: &Value) -> Result<InboundContent, Reason> {
    let title = name(field, "text");
    let payload = id(field, "payload")?.or_else(|| title.clone());
    Ok(InboundContent::Choice {
        id: payload.ok_or("what was chosen is not there")?,
        title: title.unwrap_or_default(),
    })
}

fn order(field: &Value) -> Result<InboundContent, Reason> {
    let items = field.get("product_items").filter(|items| items.is_array());
    Ok(InboundContent::Order {
        items: data(items.ok_or("the items of its order are not a list")?)?,
        text: text(field, "text")?,
    })
}

/// A message that was changed. Of a file only the words below it change.
fn edited(field: &Value) -> Result<InboundContent, Reason> {
    let message = field.get("message").unwrap_or(&Value::Null);
    let kind = filled(message, "type").unwrap_or_default();
    let changed = message.get(kind).unwrap_or(&Value::Null);
    let key = if kind == "text" { "body" } else { "caption" };
    Ok(InboundContent::Edited {
        message_id: original(field)?,
        text: text(changed, key)?,
    })
}

fn original(field: &Value) -> Result<String, Reason> {
    id(field, "original_message_id")?.ok_or("the message it is about is not there")
}

/// What WhatsApp could not pass on: its kind where it says so, otherwise why.
fn unsupported(item: &Value) -> InboundContent {
    let kind = item.get("unsupported").and_then(|why| filled(why, "type"));
    let code = item.pointer("/errors/0/code").and_then(Value::as_i64);
    let what = match (kind, code) {
        (Some(kind), _) => word(kind).to_owned(),
        (None, Some(code)) => format!("error_{code}"),
        (None, None) => "unsupported".to_owned(),
    };
    InboundContent::Unsupported { what }
}
