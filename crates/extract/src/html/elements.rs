//! What the elements of HTML mean to somebody who reads the page.

use crate::flow::Gap;
use html5gum::HtmlString;
use std::collections::BTreeMap;

pub(super) type Attributes = BTreeMap<HtmlString, html5gum::Spanned<HtmlString, ()>>;

pub(super) fn attribute<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    let value = attributes.get(name.as_bytes())?;
    std::str::from_utf8(value).ok().map(str::trim)
}

/// Elements that have no end.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements whose content the tokenizer hands over as one piece that is not for readers.
pub(super) fn is_raw(name: &[u8]) -> bool {
    matches!(
        name,
        b"script" | b"style" | b"iframe" | b"noembed" | b"noscript"
    )
}

/// Elements that a reader of the text should not meet: navigation, and what the page does not show.
pub(super) fn is_hidden(name: &[u8], attributes: &Attributes) -> bool {
    if matches!(name, b"html" | b"body" | b"main") {
        // Pages hide themselves whole until their scripts have run.
        return false;
    }
    let says = |attribute_name: &str, value: &str| {
        attribute(attributes, attribute_name).is_some_and(|v| v.eq_ignore_ascii_case(value))
    };
    matches!(
        name,
        b"nav" | b"template" | b"datalist" | b"svg" | b"object" | b"canvas" | b"audio" | b"video"
    ) || (name == b"dialog" && attribute(attributes, "open").is_none())
        || says("role", "navigation")
        || says("aria-hidden", "true")
        || attribute(attributes, "hidden").is_some_and(|v| v != "until-found")
        || attribute(attributes, "style").is_some_and(hides)
}

fn hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        let Some((property, value)) = rule.split_once(':') else {
            return false;
        };
        let (property, value) = (property.trim(), value.trim());
        let value = value.split('!').next().unwrap_or_default().trim();
        (property.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
            || (property.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
    })
}

/// What stands before and after an element.
pub(super) fn gap_around(name: &[u8]) -> Gap {
    match name {
        b"address" | b"article" | b"aside" | b"blockquote" | b"dl" | b"fieldset" | b"figure"
        | b"footer" | b"form" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"header"
        | b"hr" | b"main" | b"menu" | b"ol" | b"p" | b"pre" | b"section" | b"table" | b"ul" => {
            Gap::Paragraph
        }
        b"body" | b"button" | b"caption" | b"center" | b"dd" | b"details" | b"dialog" | b"dir"
        | b"div" | b"dt" | b"figcaption" | b"head" | b"html" | b"legend" | b"li" | b"optgroup"
        | b"option" | b"select" | b"summary" | b"tbody" | b"td" | b"textarea" | b"tfoot"
        | b"th" | b"thead" | b"title" | b"tr" | b"xmp" => Gap::Line,
        b"input" | b"label" | b"img" => Gap::Space,
        _ => Gap::None,
    }
}

/// The level of a heading.
pub(super) fn heading_level(name: &[u8]) -> Option<u8> {
    match name {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Whether an open element ends where this one begins, because people leave out the end tag.
pub(super) fn ends_where_begins(open: &[u8], begins: &[u8]) -> bool {
    match open {
        b"p" => gap_around(begins) == Gap::Paragraph || matches!(begins, b"div" | b"li"),
        b"li" => begins == b"li",
        b"dt" | b"dd" => matches!(begins, b"dt" | b"dd"),
        b"option" => matches!(begins, b"option" | b"optgroup"),
        b"td" | b"th" => matches!(begins, b"td" | b"th" | b"tr"),
        b"tr" => begins == b"tr",
        _ => false,
    }
}

/// Elements inside a line of text, which people leave open.
pub(super) fn is_inline(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"b" | b"big" | b"em" | b"font" | b"i" | b"small" | b"span" | b"strong" | b"u"
    )
}

/// Whether an end tag inside one of these cannot end what is outside.
pub(super) fn is_wall(name: &[u8]) -> bool {
    matches!(name, b"td" | b"th" | b"table" | b"caption" | b"template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_hide() {
        assert!(hides("color: red; DISPLAY : none !important"));
        assert!(hides("visibility:hidden"));
        assert!(!hides("display:block;visibility:visible"));
        assert!(!hides("display-none"));
    }
}
