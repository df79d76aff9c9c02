//! Lists of words that stand in data files, so that whoever knows how customers write can extend them.

use std::sync::LazyLock;

/// A list that is read once.
pub(super) type Words = LazyLock<Vec<&'static str>>;

/// The words of a list of a data file, whose lines are "name: one, another". A list may go on in further lines
/// with its name; lines that begin with # say something about them.
pub(super) fn list(data: &'static str, name: &str) -> Vec<&'static str> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| line.split_once(": "));
    let named = named.filter(|(known, _)| *known == name);
    let words = named.flat_map(|(_, words)| words.split(", "));
    words
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_on_in_further_lines() {
        let data = "# no: list\nsome: one, two words\nother: three\nsome: four\n";
        assert_eq!(list(data, "some"), ["one", "two words", "four"]);
        assert!(list(data, "none").is_empty());
    }
}
