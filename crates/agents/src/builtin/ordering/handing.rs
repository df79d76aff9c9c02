//! An order without the words that say how and where it is handed over, so that what stands behind
//! them is ordered as well: "2 gringas para llevar Roma y un agua".

use super::super::folded::{field, folded, items};
use super::age::without_age;
use super::aside::{ends_a_part, without_when_and_where};
use serde_json::Value;

/// The words for how it is handed over. What stands before them and behind them are two things.
const HANDED: &[&str] = &[
    "para llevar",
    "pa llevar",
    "para recoger",
    "pa recoger",
    "a recoger",
    "recoger",
    "recojo",
    "pick up",
    "pickup",
    "para pasar por el",
    "a domicilio",
    "a mi casa",
    "a casa",
    "for delivery",
    "delivered",
    "for pickup",
    "to go",
];
/// Good manners, which part nothing.
const MANNERS: &[&str] = &[
    "por favor",
    "porfa",
    "porfas",
    "porfis",
    "porfavor",
    "please",
    "xfa",
    "xfavor",
    "x fa",
    "x favor",
    "plis",
    "pls",
    "plz",
];
/// What leads to a place.
const LEADING: &[&str] = &["en", "in", "at", "from", "por"];
const ARTICLES: &[&str] = &["la", "el", "los", "las", "the"];
const BRANCHES: &[&str] = &["sucursal", "sede", "local", "tienda", "branch", "store"];

/// The names of the places where an order is fetched or brought, each as its folded words.
pub(super) fn places(info: &Value, branches: &[Value]) -> Vec<Vec<String>> {
    let zones = items(info, "delivery_zones");
    let aliases = zones.iter().flat_map(|zone| items(zone, "aliases"));
    let names = branches.iter().chain(zones);
    let names = names.filter_map(|place| field(place, "name"));
    let names = names.chain(aliases.filter_map(Value::as_str));
    let mut places: Vec<Vec<String>> = names
        .map(|name| folded(name).split(' ').map(str::to_owned).collect())
        .collect();
    // The Roma Norte is not the Roma with something behind it.
    places.sort_by_key(|words| std::cmp::Reverse(words.len()));
    places
}

/// An order without the words that say how, when and where it is handed over, and to how old a customer.
pub(super) fn without_handing_over(text: &str, places: &[Vec<String>]) -> String {
    let rest = without_when_and_where(&without_age(text));
    let lines: Vec<String> = rest.lines().map(|line| things_of(line, places)).collect();
    lines.join("\n")
}

fn things_of(line: &str, places: &[Vec<String>]) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| folded(word)).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    // Whether how it is handed over was said right before, so that a place may follow.
    let mut led = false;
    while at < words.len() {
        let ahead = &plain[at..];
        let begins = led || at == 0 || ends_a_part(words[at - 1]);
        let manners = phrase_at(MANNERS, ahead);
        let handed = phrase_at(HANDED, ahead);
        let place = place_at(&words[at..], ahead, places, begins, led);
        let Some(length) = manners.or(handed).or(place) else {
            kept.push(words[at].to_owned());
            at += 1;
            led = false;
            continue;
        };
        at += length;
        led = handed.is_some();
        let goes_on = matches!(plain.get(at).map(String::as_str), Some("de" | "del" | "of"));
        let parts = ends_a_part(words[at - 1]) || manners.is_none() && !goes_on;
        if let Some(before) = kept.last_mut()
            && parts
            && !ends_a_part(before)
        {
            before.push(',');
        }
    }
    kept.join(" ")
}

/// How many words one of these phrases takes that the words begin with.
fn phrase_at(phrases: &[&str], ahead: &[String]) -> Option<usize> {
    let length = |phrase: &&&str| {
        let mut words = phrase.split(' ').zip(ahead);
        let length = phrase.split(' ').count();
        length <= ahead.len() && words.all(|(word, said)| word == said)
    };
    let found = phrases.iter().find(length)?;
    Some(found.split(' ').count())
}

/// How many words name a place here: one that something leads to, that is called a branch, that
/// stands right behind how it is handed over, or that is all of its part.
fn place_at(
    words: &[&str],
    plain: &[String],
    places: &[Vec<String>],
    begins: bool,
    led: bool,
) -> Option<usize> {
    let is = |at: usize, known: &[&str]| plain.get(at).is_some_and(|word| known.contains(&&**word));
    let mut at = usize::from(is(0, LEADING));
    let mut told = led || at > 0;
    for known in [ARTICLES, BRANCHES, &["de"], ARTICLES] {
        let named = known == BRANCHES && is(at, known);
        told |= named;
        at += usize::from(is(at, known) && (known != ["de"] || told));
    }
    let named = |place: &&Vec<String>| plain.get(at..).is_some_and(|it| it.starts_with(place));
    let length = at + places.iter().find(named)?.len();
    let last = words.get(length - 1)?;
    let alone = begins && (length == words.len() || ends_a_part(last));
    (told || alone).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_ordered_stands_on_both_sides_of_how_it_is_handed_over() {
        let info = json!({ "delivery_zones": [{ "name": "Roma Norte", "aliases": ["La Roma"] }] });
        let branches = [json!({ "name": "Roma" }), json!({ "name": "Del Sur" })];
        let places = places(&info, &branches);
        for (text, left) in [
            (
                "2 gringas de pastor para llevar Roma y un agua de horchata",
                "2 gringas de pastor, y un agua de horchata",
            ),
            (
                "3 tacos con queso para recoger en la sucursal Del Sur, con guacamole",
                "3 tacos con queso, con guacamole",
            ),
            ("Mándame por favor 2 tacos", "Mándame 2 tacos"),
            ("2 tacos, Roma", "2 tacos,"),
            ("a domicilio en Roma Norte 2 tacos", "2 tacos"),
            ("una orden para llevar de tacos", "una orden de tacos"),
            ("una torta Roma", "una torta Roma"),
            ("two tacos to go and a soda", "two tacos, and a soda"),
        ] {
            assert_eq!(without_handing_over(text, &places), left, "{text}");
        }
    }
}
