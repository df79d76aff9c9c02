//! The lines at the top of a Markdown file that say what the document is.
//!
//! They are YAML or TOML. Of either only the plain `key: value` and `key = value` are read, and
//! only for three keys: a reader for all of YAML is a large thing to hand a stranger's file to.

use crate::text::{day, one_line};
use quipu_core::extraction::DocumentInfo;

const LONGEST: usize = 300;

/// Notes author and date, and gives back the title.
pub(super) fn read(block: &str, info: &mut DocumentInfo) -> Option<String> {
    let mut title = None;
    let mut names_authors = false;
    for line in block.lines() {
        if names_authors && let Some(name) = line.trim_start().strip_prefix("- ") {
            add_author(info, name);
            continue;
        }
        names_authors = false;
        let Some((key, value)) = line.split_once([':', '=']) else {
            continue;
        };
        match key.trim_end().to_ascii_lowercase().as_str() {
            "title" | "título" | "titulo" => title = title.or_else(|| plain(value)),
            "author" | "authors" | "autor" => {
                names_authors = true;
                add_author(info, value);
            }
            "date" | "fecha" => info.date = plain(value).and_then(|value| day(&value)),
            _ => {}
        }
    }
    title
}

fn add_author(info: &mut DocumentInfo, value: &str) {
    for name in value.trim().trim_matches(['[', ']']).split(',') {
        let Some(name) = plain(name) else {
            continue;
        };
        let all = match info.author.take() {
            Some(others) => format!("{others}, {name}"),
            None => name,
        };
        info.author = one_line(&all, LONGEST);
    }
}

fn plain(value: &str) -> Option<String> {
    one_line(value.trim().trim_matches(['"', '\'']), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_and_toml_are_read() {
        let mut info = DocumentInfo::default();
        let title = read(
            "title: 'Carta: vinos'\nauthors:\n  - Ana\n  - \"Luis\"\ndate: 2024-01-02\n",
            &mut info,
        );
        assert_eq!(title.as_deref(), Some("Carta: vinos"));
        assert_eq!(info.author.as_deref(), Some("Ana, Luis"));
        assert_eq!(info.date.as_deref(), Some("2024-01-02"));
        let mut info = DocumentInfo::default();
        let title = read(
            "title = \"Carta\"\nauthors = [\"Ana\", \"Luis\"]\ndate = ayer",
            &mut info,
        );
        assert_eq!(title.as_deref(), Some("Carta"));
        assert_eq!(info.author.as_deref(), Some("Ana, Luis"));
        assert_eq!(info.date, None);
    }
}
