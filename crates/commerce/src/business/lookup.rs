//! Finding things by what a customer calls them.

use super::item::{CatalogueItem, Item};
use crate::money::{Currency, Money};
use crate::ordering::{AskedItem, ItemReference, Line, Menu, MenuItem, match_item};
use quipu_core::analysis::{Question, terms};
use quipu_core::language::Language;
use quipu_core::memo::Memo;
use quipu_core::text::fold;
use std::collections::HashSet;
use std::sync::LazyLock;
use uuid::Uuid;

/// What may stand before the name of something, folded.
const ARTICLES: [&str; 9] = ["un", "una", "el", "la", "los", "las", "a", "an", "the"];

/// How many names are known to fit what they fit. Customers ask for the same few things.
const MOST_MATCHED: usize = 4_096;

/// What a name fits.
#[derive(Debug)]
pub enum Named<'a, T> {
    One(&'a Item<T>),
    /// Several fit equally well.
    Several(Vec<&'a Item<T>>),
    /// Nothing fits; these come near.
    None(Vec<&'a Item<T>>),
}

/// What a thing is known by besides its name.
#[derive(Clone, Debug, Default, Hash)]
pub struct OtherNames {
    pub aliases: Vec<String>,
    pub category: Option<String>,
}

/// Finds a thing by its name as customers write it: with slips, without accents, in part. The names
/// are matched as those of a menu are.
pub fn by_name<'a, T: CatalogueItem>(
    name: &str,
    items: &'a [Item<T>],
    other_names: impl Fn(&T) -> OtherNames,
) -> Named<'a, T> {
    static MATCHED: LazyLock<Memo<Matched>> = LazyLock::new(|| Memo::new(MOST_MATCHED));
    let called = items.iter().map(|item| Called {
        id: item.id,
        name: item.data.name(),
        other: other_names(&item.data),
    });
    let called: Vec<Called<'_>> = called.collect();
    let all = |places: Vec<usize>| places.into_iter().map(|place| &items[place]).collect();
    match MATCHED.of(&(name, &called), || matched(name, &called)) {
        Matched::One(place) => Named::One(&items[place]),
        Matched::Several(places) => Named::Several(all(places)),
        Matched::None(near) => Named::None(all(near)),
    }
}

/// What a thing is called, by which it is told from others.
#[derive(Hash)]
struct Called<'a> {
    id: Uuid,
    name: &'a str,
    other: OtherNames,
}

/// What a name fits, by the places of the things.
#[derive(Clone)]
enum Matched {
    One(usize),
    Several(Vec<usize>),
    None(Vec<usize>),
}

fn matched(name: &str, called: &[Called<'_>]) -> Matched {
    if let Some(place) = by_exact_name(name, called) {
        return Matched::One(place);
    }
    let free = Money::zero(Currency::Usd);
    let items = called.iter().map(|thing| MenuItem {
        id: thing.id.to_string(),
        name: thing.name.to_owned(),
        aliases: thing.other.aliases.clone(),
        category: thing.other.category.clone(),
        price: free,
        available: true,
        options: Vec::new(),
    });
    let menu = Menu {
        currency: free.currency,
        items: items.collect(),
    };
    // "Una limpieza" asks for the cleaning; an article is no part of a name.
    let words = name.trim_start();
    let name = match words.split_once(char::is_whitespace) {
        Some((first, rest)) if ARTICLES.contains(&fold(first).as_str()) => rest,
        _ => words,
    };
    let asked = AskedItem {
        name: name.to_owned(),
        ..AskedItem::default()
    };
    let find = |id: &str| menu.items.iter().position(|item| item.id == id);
    let all = |found: &[ItemReference]| found.iter().filter_map(|item| find(&item.id)).collect();
    match match_item(&asked, &menu) {
        Line::Matched(line) => find(&line.item.id).map_or(Matched::None(Vec::new()), Matched::One),
        Line::Ambiguous { candidates, .. } => Matched::Several(all(&candidates)),
        Line::Unknown { near, .. } => Matched::None(all(&near)),
        Line::Unavailable { .. } | Line::MissingOption { .. } | Line::WrongQuantity { .. } => {
            Matched::None(Vec::new())
        }
    }
}

/// The only thing that is called just like this, as a model calls it that has read the name.
fn by_exact_name(name: &str, called: &[Called<'_>]) -> Option<usize> {
    let name = fold(name.trim());
    let is_called = |thing: &Called<'_>| {
        let mut aliases = thing.other.aliases.iter();
        fold(thing.name) == name || aliases.any(|alias| fold(alias) == name)
    };
    let things = called.iter().enumerate();
    let mut named = things.filter(|(_, thing)| is_called(thing));
    named
        .next()
        .map(|(place, _)| place)
        .filter(|_| named.next().is_none())
}

/// The texts that answer a question best, by their place, with how much of it they speak of (0 to 1).
/// Those that speak of less than half are left out.
#[must_use]
pub fn rank(question: &str, texts: &[String], language: Language) -> Vec<(usize, f32)> {
    let asked = Question::read(question, language, language);
    let ideas = asked.concepts.len();
    if ideas == 0 {
        return Vec::new();
    }
    let mut ranked: Vec<(usize, f32)> = texts
        .iter()
        .enumerate()
        .filter_map(|(at, text)| {
            let terms: HashSet<String> = terms(text, language).into_iter().collect();
            let strength: f32 = asked
                .concepts
                .iter()
                .map(|concept| concept.strength(|term| terms.contains(term)))
                .sum();
            let ideas = f32::from(u16::try_from(ideas).unwrap_or(u16::MAX));
            let share = strength / ideas;
            (share >= 0.5).then_some((at, share))
        })
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

#[cfg(test)]
mod tests {
    use super::super::Service;
    use super::*;
    use quipu_core::Timestamp;
    use serde_json::json;
    use uuid::Uuid;

    fn services() -> Vec<Item<Service>> {
        let names = [
            ("Limpieza dental (profilaxis)", &["limpieza"][..]),
            (
                "Ortodoncia con brackets metálicos",
                &["brackets", "frenillos"],
            ),
            ("Ortodoncia con alineadores", &["alineadores"]),
            ("Blanqueamiento dental", &["blanqueamiento"]),
        ];
        let service = |(at, (name, aliases)): (usize, (&str, &[&str]))| Item {
            id: Uuid::from_u128(at as u128 + 1),
            data: serde_json::from_value(json!({ "name": name, "aliases": aliases })).unwrap(),
            warnings: Vec::new(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        };
        names.into_iter().enumerate().map(service).collect()
    }

    fn find(name: &str) -> Vec<u128> {
        let services = services();
        let names = |service: &Service| OtherNames {
            aliases: service.aliases.clone(),
            category: None,
        };
        let found = match by_name(name, &services, names) {
            Named::One(one) => vec![one],
            Named::Several(several) => several,
            Named::None(_) => Vec::new(),
        };
        found.iter().map(|item| item.id.as_u128()).collect()
    }

    #[test]
    fn services_are_found_as_customers_name_them() {
        assert_eq!(find("limpieza"), [1]);
        assert_eq!(find("LIMPIESA DENTAL"), [1]);
        assert_eq!(find("una limpieza dental"), [1]);
        assert_eq!(find("brackets"), [2]);
        assert_eq!(find("blanqueamiento"), [4]);
        assert_eq!(find("corte de cabello"), Vec::<u128>::new());
        assert_eq!(find("ortodoncia").len(), 2);
    }

    #[test]
    fn texts_are_ranked_by_what_they_speak_of() {
        let texts = [
            "¿Tienen estacionamiento? Sí, dos lugares frente a la clínica.".to_owned(),
            "¿Puedo pagar con tarjeta? Aceptamos Visa y Mastercard.".to_owned(),
        ];
        let best = |question: &str| {
            let ranked = rank(question, &texts, Language::Es);
            ranked.first().map(|(at, _)| *at)
        };
        assert_eq!(best("¿hay estacionamiento?"), Some(0));
        assert_eq!(best("puedo pagar con tarjeta?"), Some(1));
        assert_eq!(best("¿hacen trasplantes de corazón?"), None);
        assert_eq!(best("hola"), None);
    }
}
