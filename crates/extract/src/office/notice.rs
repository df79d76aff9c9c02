//! What the reader writes into the text about itself. Nobody who wrote the document said it.

/// How its notices begin, inside their brackets.
const NOTICES: [&str; 10] = [
    "unreadable ",
    "skipped unreadable ",
    "nested table",
    "text box nested too deeply",
    "content nested too deeply",
    "some pictures not shown",
    "output truncated:",
    "workbook truncated:",
    "sheet truncated:",
    "embedded package repeated:",
];

pub(super) fn is_notice(line: &str) -> bool {
    let inside = line
        .trim()
        .strip_prefix('[')
        .and_then(|line| line.strip_suffix(']'));
    inside.is_some_and(|inside| NOTICES.iter().any(|notice| inside.starts_with(notice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_told_from_text_in_brackets() {
        assert!(is_notice("[unreadable slide \"a.xml\": bad]"));
        assert!(!is_notice("[1] This is a footnote."));
        assert!(!is_notice("[unreadable]"));
        assert!(!is_notice("unreadable slide"));
    }
}
