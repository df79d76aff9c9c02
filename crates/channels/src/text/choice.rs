//! Choices in channels that have nothing to tap.

use crate::outbound::ChoiceOption;
use quipu_core::text::fold;

/// Whoever writes more does not only choose.
const LONGEST_REPLY: usize = 300;
/// What may stand before a number.
const BEFORE: [&str; 10] = [
    "la", "el", "the", "opcion", "option", "opcao", "numero", "number", "nro", "n",
];
/// What may stand behind it.
const AFTER: [&str; 6] = ["por", "favor", "please", "porfa", "porfavor", "gracias"];
/// Numbers and places by their names, from the first on.
const NUMBERS: [[&str; 2]; 10] = [
    ["uno", "one"],
    ["dos", "two"],
    ["tres", "three"],
    ["cuatro", "four"],
    ["cinco", "five"],
    ["seis", "six"],
    ["siete", "seven"],
    ["ocho", "eight"],
    ["nueve", "nine"],
    ["diez", "ten"],
];
const PLACES: [[&str; 4]; 5] = [
    ["primero", "primera", "first", "1ra"],
    ["segundo", "segunda", "second", "2da"],
    ["tercero", "tercera", "third", "3ra"],
    ["cuarto", "cuarta", "fourth", "4ta"],
    ["quinto", "quinta", "fifth", "5ta"],
];

/// The text with its choices below, numbered.
#[must_use]
pub fn numbered(text: &str, options: &[ChoiceOption]) -> String {
    let lines = options.iter().enumerate().map(|(at, option)| {
        let (number, title) = (at + 1, option.title.trim());
        let description = option.description.as_deref().map(str::trim);
        match description.filter(|text| !text.is_empty()) {
            Some(description) => format!("{number}. {title}: {description}"),
            None => format!("{number}. {title}"),
        }
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim_end();
    let gap = if text.is_empty() || lines.is_empty() {
        ""
    } else {
        "\n\n"
    };
    format!("{text}{gap}{lines}")
}

/// Which of the choices a reply is, counted from 0: its title, its number, or both. `None` where it says
/// anything else, or where two choices have the title.
#[must_use]
pub fn chosen(reply: &str, options: &[ChoiceOption]) -> Option<usize> {
    if reply.len() > LONGEST_REPLY {
        return None;
    }
    let reply = words(reply);
    let titles: Vec<Vec<String>> = options.iter().map(|option| words(&option.title)).collect();
    let mut same = (0..titles.len()).filter(|at| !reply.is_empty() && titles[*at] == reply);
    if let Some(first) = same.next() {
        return same.next().is_none().then_some(first);
    }
    let named = NamedNumber::read(&reply)?;
    let at = named
        .number
        .checked_sub(1)
        .filter(|at| *at < options.len())?;
    // "10" is not the tenth where another one is "10:00".
    let mut others = titles.iter().enumerate().filter(|(other, _)| *other != at);
    if named.bare && named.behind.is_empty() && others.any(|(_, title)| title.contains(&reply[0])) {
        return None;
    }
    (named.behind.is_empty() || titles[at] == named.behind).then_some(at)
}

/// A number in a reply.
struct NamedNumber<'a> {
    number: usize,
    /// Nothing stands before it.
    bare: bool,
    behind: &'a [String],
}

impl<'a> NamedNumber<'a> {
    fn read(reply: &'a [String]) -> Option<Self> {
        let is_before = |word: &String| BEFORE.contains(&word.as_str());
        let begin = reply.iter().position(|word| !is_before(word))?;
        let word = reply[begin].as_str();
        let place = |names: &[&str]| names.contains(&word);
        let number = || word.parse().ok();
        let by_name = || Some(NUMBERS.iter().position(|names| place(names))? + 1);
        let by_place = || Some(PLACES.iter().position(|names| place(names))? + 1);
        let number = match &reply[..begin] {
            [] => number(),
            // "El 5" is a day.
            [el] if el == "el" => by_place(),
            _ => number().or_else(by_name).or_else(by_place),
        }?;
        let mut behind = &reply[begin + 1..];
        while let Some((last, before)) = behind.split_last() {
            if !AFTER.contains(&last.as_str()) {
                break;
            }
            behind = before;
        }
        let bare = begin == 0;
        Some(Self {
            number,
            bare,
            behind,
        })
    }
}

/// The words alone. The sign that makes a picture of a digit is none of them.
fn words(text: &str) -> Vec<String> {
    fold(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
