//! What a customer sent, in words that a conversation can keep.

use quipu_channels::{InboundContent, MediaKind, MediaReference};
use serde_json::Value;

/// How much of a list of things is written out.
const MOST_ITEMS: usize = 20;

/// What somebody sent, as it is kept and as the agent reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComposedMessage {
    /// Never empty.
    pub(super) text: String,
    /// Whether there is anything that an agent can answer to.
    pub(super) is_readable: bool,
}

pub(super) fn compose(content: &InboundContent) -> ComposedMessage {
    let readable = |text: String| ComposedMessage {
        text,
        is_readable: true,
    };
    match content {
        InboundContent::Text { text }
        | InboundContent::Edited {
            text: Some(text), ..
        } => readable(text.clone()),
        InboundContent::Choice { title, id } if title.trim().is_empty() => readable(id.clone()),
        InboundContent::Choice { title, .. } => readable(title.clone()),
        InboundContent::Media(media) => of_media(media),
        InboundContent::Location {
            latitude,
            longitude,
            name,
            address,
        } => {
            let words = [name.as_deref(), address.as_deref()];
            let words: Vec<&str> = words.into_iter().flatten().collect();
            let place = format!("{latitude:.5}, {longitude:.5}");
            readable(if words.is_empty() {
                format!("Mi ubicación: {place}")
            } else {
                format!("Mi ubicación: {} ({place})", words.join(", "))
            })
        }
        InboundContent::Contacts { cards } => {
            let cards = cards.iter().take(MOST_ITEMS);
            let cards: Vec<String> = cards
                .map(|card| format!("{} {}", card.name, card.phones.join(", ")))
                .collect();
            readable(format!("Contacto: {}", cards.join("; ")))
        }
        InboundContent::Order { items, text } => readable(of_order(items, text.as_deref())),
        InboundContent::Form { data } => readable(data.to_string().chars().take(2_000).collect()),
        InboundContent::Edited { .. }
        | InboundContent::Reaction { .. }
        | InboundContent::Deleted { .. }
        | InboundContent::Unsupported { .. } => ComposedMessage {
            text: "(mensaje que este canal no puede mostrar)".to_owned(),
            is_readable: false,
        },
    }
}

fn of_media(media: &MediaReference) -> ComposedMessage {
    let what = match media.media {
        MediaKind::Image => "(foto)",
        MediaKind::Audio => "(audio)",
        MediaKind::Video => "(video)",
        MediaKind::Document => "(documento)",
        MediaKind::Sticker => "(sticker)",
    };
    let caption = media.caption.as_deref().map(str::trim);
    let caption = caption.filter(|caption| !caption.is_empty());
    let is_file = matches!(media.media, MediaKind::Image | MediaKind::Document);
    ComposedMessage {
        is_readable: is_file || caption.is_some(),
        text: match (caption, &media.filename) {
            (Some(caption), _) => caption.to_owned(),
            (None, Some(name)) => format!("{what} {name}"),
            (None, None) => what.to_owned(),
        },
    }
}

/// An order from the catalogue of the channel: how many of what.
fn of_order(items: &Value, text: Option<&str>) -> String {
    let listed = items.as_array().map_or(&[][..], Vec::as_slice);
    let lines = listed.iter().take(MOST_ITEMS).filter_map(|item| {
        let what = item
            .get("product_retailer_id")
            .or_else(|| item.get("name"))?;
        let how_many = item.get("quantity").and_then(Value::as_i64).unwrap_or(1);
        Some(format!("{how_many} {}", what.as_str()?))
    });
    let mut lines: Vec<String> = lines.collect();
    lines.extend(text.map(str::to_owned));
    if lines.is_empty() {
        "(pedido del catálogo)".to_owned()
    } else {
        lines.join("\n")
    }
}

/// Whether a file that came is kept with the conversation.
pub(super) fn kept_file(content: &InboundContent) -> Option<&MediaReference> {
    match content {
        InboundContent::Media(media)
            if matches!(media.media, MediaKind::Image | MediaKind::Document) =>
        {
            Some(media)
        }
        _ => None,
    }
}

/// What a file is called that came without a name, or under one that does not say what it is.
pub(super) fn file_name(media: &MediaReference) -> String {
    let ending = match media
        .mime_type
        .as_deref()
        .map(|mime| mime.split(';').next())
    {
        Some(Some("image/png")) => "png",
        Some(Some("image/webp")) => "webp",
        Some(Some("application/pdf")) => "pdf",
        _ => "jpg",
    };
    match &media.filename {
        Some(name) => name.clone(),
        None => format!("{}.{ending}", media.media.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_choice_is_what_stood_on_it() {
        let choice = |title: &str| InboundContent::Choice {
            id: "slot:10".to_owned(),
            title: title.to_owned(),
        };
        assert_eq!(compose(&choice("10:00")).text, "10:00");
        assert_eq!(compose(&choice(" ")).text, "slot:10");
    }

    #[test]
    fn an_order_from_the_catalogue_says_how_many_of_what() {
        let items =
            json!([{ "product_retailer_id": "tacos", "quantity": 3 }, { "quantity": 1 }, 7]);
        let order = InboundContent::Order {
            items,
            text: Some("sin cebolla".to_owned()),
        };
        assert_eq!(compose(&order).text, "3 tacos\nsin cebolla");
    }

    #[test]
    fn a_voice_message_is_nothing_that_can_be_read() {
        let media = |media, caption: Option<&str>| {
            InboundContent::Media(MediaReference {
                media,
                id: None,
                url: None,
                mime_type: Some("image/png".to_owned()),
                sha256: None,
                filename: None,
                caption: caption.map(str::to_owned),
                recorded: true,
            })
        };
        assert!(!compose(&media(MediaKind::Audio, None)).is_readable);
        let ticket = compose(&media(MediaKind::Image, Some("mi ticket")));
        assert_eq!(
            (ticket.text.as_str(), ticket.is_readable),
            ("mi ticket", true)
        );
        let file = media(MediaKind::Image, None);
        assert_eq!(file_name(kept_file(&file).unwrap()), "image.png");
    }
}
