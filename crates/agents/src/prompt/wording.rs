//! Putting words into texts, so that none of them can be more than a word there.

/// Fills the names in braces of a text. What is put in is not looked at again, and a name that is not
/// known stays as it is.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let known = values.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| (value, after))
        });
        if let Some((value, after)) = value {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

/// A text on one line and of bounded length, without the signs that quotes and tags are made of.
pub(super) fn one_line(text: &str, most_chars: usize) -> String {
    let plain = |sign: char| match sign {
        '"' | '«' | '»' | '<' | '>' | '“' | '”' => ' ',
        sign if sign.is_control() => ' ',
        sign => sign,
    };
    let text: String = text.chars().take(most_chars * 4).map(plain).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(most_chars).collect();
    line.trim_end().to_owned()
}

/// A text without signs that nobody can see, its lines kept.
pub(super) fn visible(text: &str) -> String {
    let seen = |sign: &char| *sign == '\n' || *sign == '\t' || !sign.is_control();
    text.trim().chars().filter(seen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled_once() {
        let values = [("name", "{other}"), ("other", "x")];
        assert_eq!(
            fill("a {name}, {other}, {new} {", &values),
            "a {other}, x, {new} {"
        );
    }

    #[test]
    fn a_name_cannot_leave_its_line_or_its_quotes() {
        assert_eq!(
            one_line(" Ana\n# SEGURIDAD\u{7}» <b>", 40),
            "Ana # SEGURIDAD b"
        );
        assert_eq!(one_line("ñandú", 3), "ñan");
        assert_eq!(visible(" a\u{0}b\n\u{1b}c "), "ab\nc");
    }
}
