//! How something is wanted, said by itself: "en tortilla de harina", "todos sin cilantro".

use super::super::folded::{begins, folded, says};
use super::super::lists::{Words, list};
use super::alcohol::has_alcohol;
use super::changes::number;
use quipu_core::ordering::is_wish;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/wishes.txt");
/// Words that open a wish without being one.
static OPENING: Words = LazyLock::new(|| list(DATA, "opening"));
/// Words that mean everything that was ordered.
static ALL: Words = LazyLock::new(|| list(DATA, "all"));
/// What such a word may be followed by before what is wanted.
static OF_ALL: Words = LazyLock::new(|| list(DATA, "of_all"));
/// How far behind such a word a wish may begin.
const BEHIND: usize = 5;

/// A wish for everything that was ordered, or for everything of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ForAll {
    /// The kind, folded; everything where it is empty.
    pub(super) kind: String,
    pub(super) wish: String,
}

/// A message that only says how something is wanted, without the words that open it.
pub(super) fn how_wanted(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        if opens(&folded(rest)) {
            return Some(rest.trim_end_matches(['.', ',', '!', ' ']));
        }
        let end = rest.find(char::is_whitespace)?;
        if !OPENING.contains(&folded(&rest[..end]).as_str()) {
            return None;
        }
        rest = rest[end..].trim_start();
    }
}

/// Whether folded words begin with a wish that is plain without a thing before it. "Bien, gracias" is
/// none.
fn opens(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    match words.as_slice() {
        [
            "sin" | "without" | "con" | "with" | "doble" | "dobles" | "double" | "extra",
            _,
            ..,
        ]
        | ["poca" | "poco" | "mucha" | "mucho", _] => true,
        ["bien" | "muy" | "well" | "very", how, ..] => {
            let ends = [
                "ado",
                "ada",
                "ados",
                "adas",
                "ido",
                "ida",
                "idos",
                "idas",
                "ito",
                "ita",
                "itos",
                "itas",
                "done",
                "frio",
                "fria",
                "frios",
                "frias",
                "caliente",
                "calientes",
                "hot",
                "cold",
                "crispy",
                "picante",
                "picantes",
            ];
            ends.iter().any(|end| how.ends_with(end))
        }
        ["en" | "on" | "in", ..] => is_wish(&words),
        _ => false,
    }
}

/// Takes out of a message what is wanted of everything in it: "…, todos sin cilantro".
pub(super) fn without_wishes_for_all(text: &str) -> (String, Vec<ForAll>) {
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let plain: Vec<String> = words.iter().map(|word| folded(word)).collect();
    let mut kept = String::new();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((from, end)) = wish_for_all(&words, &plain, at) else {
            kept.push_str(words[at]);
            at += 1;
            continue;
        };
        let kind = plain[at + 1..from].iter().map(String::as_str);
        let kind = kind.filter(|word| !OF_ALL.contains(word));
        let wish = words[from..end].concat();
        let wish = wish.trim().trim_end_matches([',', '.', ';', '!']);
        found.push(ForAll {
            kind: kind.collect::<Vec<_>>().join(" "),
            wish: wish.to_owned(),
        });
        // What joined it to the things before leads nowhere now.
        for join in [" y ", " pero ", " and ", " but "] {
            if let Some(before) = kept.strip_suffix(join) {
                kept = format!("{before} ");
            }
        }
        kept.push_str(", ");
        at = end;
    }
    if found.is_empty() {
        return (text.to_owned(), found);
    }
    (kept, found)
}

/// Where a wish begins and ends that a word at this place says of everything.
fn wish_for_all(words: &[&str], plain: &[String], at: usize) -> Option<(usize, usize)> {
    // "Con todo" is a wish itself.
    let before = at.checked_sub(1).map_or("", |before| &plain[before]);
    if !ALL.contains(&plain[at].as_str()) || matches!(before, "con" | "with") {
        return None;
    }
    let last = (at + BEHIND).min(words.len());
    let begins = |from: &usize| opens(&plain[*from..].join(" "));
    let from = (at + 1..last).find(begins)?;
    let ends_part =
        |word: &str| word.trim_end().ends_with([',', ';', '.', '!']) || word.contains('\n');
    let joined = |word: &String| matches!(word.as_str(), "y" | "and") || number(word).is_some();
    if words[at..from].iter().any(|word| ends_part(word)) || plain[at..from].iter().any(joined) {
        return None;
    }
    let mut end = from;
    while end < words.len() {
        let joins = matches!(plain[end].as_str(), "y" | "and" | "mas" | "para");
        let counts = plain
            .get(end + 1)
            .is_some_and(|word| number(word).is_some());
        if end > from && joins && (counts || plain[end] == "para") {
            break;
        }
        end += 1;
        if ends_part(words[end - 1]) {
            break;
        }
    }
    Some((from, end))
}

/// Whether what is wanted of everything is wanted of a thing with this name.
pub(super) fn is_for(wanted: &ForAll, name: &str, drinks_only: bool) -> bool {
    let plain = folded(name);
    if !wanted.kind.is_empty() {
        let mut kind = wanted.kind.split(' ');
        return kind.any(|word| {
            let stem = word.trim_end_matches('s');
            stem.len() > 2 && begins(&plain, &[stem])
        });
    }
    let cold = begins(
        &folded(&wanted.wish),
        &["hielo", "ice", "azucar", "sugar", "fria", "frio", "cold"],
    );
    is_drink(name) == cold || drinks_only
}

pub(super) fn is_drink(name: &str) -> bool {
    let lines = include_str!("../../../data/builtin/drinks.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let known: Vec<&str> = lines.flat_map(|line| line.split(", ")).collect();
    let name = folded(name);
    let (phrases, starts): (Vec<&str>, Vec<&str>) = known.iter().partition(|it| it.contains(' '));
    begins(&name, &starts) || says(&name, &phrases) || has_alcohol(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_told_from_other_words() {
        for (text, wish) in [
            ("en tortilla de harina", Some("en tortilla de harina")),
            ("que vengan con salsa aparte", Some("con salsa aparte")),
            ("bien doraditos porfa", Some("bien doraditos porfa")),
            (
                "on flour tortillas please",
                Some("on flour tortillas please"),
            ),
            ("bien, gracias", None),
            ("en la Roma", None),
            ("todo bien", None),
            ("una coca", None),
        ] {
            assert_eq!(how_wanted(text), wish, "{text}");
        }
    }

    #[test]
    fn what_is_wanted_of_everything_is_taken_out() {
        for (text, kept, kind, wish) in [
            (
                "4 tacos, todos sin cilantro",
                "4 tacos, ,",
                "",
                "sin cilantro",
            ),
            (
                "4 tacos y una torta, todos los tacos con queso y una coca",
                "4 tacos y una torta, , y una coca",
                "tacos",
                "con queso",
            ),
            ("all of them without onion", ",", "", "without onion"),
        ] {
            let (rest, found) = without_wishes_for_all(text);
            assert_eq!(rest.trim(), kept, "{text}");
            assert_eq!(found[0].kind, kind, "{text}");
            assert_eq!(found[0].wish, wish, "{text}");
        }
        let (rest, found) = without_wishes_for_all("todas de pastor");
        assert!(found.is_empty() && rest == "todas de pastor");
    }
}
