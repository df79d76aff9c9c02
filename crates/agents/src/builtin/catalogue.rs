//! What the business has, and which of it a message names.

use super::folded::{begins, field, folded, items, says};
use super::scene::Scene;
use quipu_core::Result;
use quipu_core::analysis::{Question, terms};
use quipu_core::language::Language;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

/// How well a name must be covered to be meant.
const LEAST: f32 = 0.25;
/// What comes within this of the best fits as well as it.
const ALIKE: f32 = 0.06;
/// The first word of a name says most: a cleaning is a cleaning first, and dental second.
const FIRST_WORD: f32 = 2.0;

/// Which names a message means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Nothing,
    One(usize),
    Several(Vec<usize>),
}

/// A text in which whoever is asked for is called as the services that they do: "a pediatrician" looks for
/// "pediatría".
fn with_specialties<'t>(text: &'t str, names: &[String]) -> Cow<'t, str> {
    let lines = include_str!("../../data/builtin/specialties.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let mut more = String::new();
    let plain = folded(text);
    for (people, service) in lines.filter_map(|line| line.split_once(": ")) {
        let is_done = || names.iter().any(|name| says(&folded(name), &[service]));
        let asked = people.split(", ").any(|person| says(&plain, &[person]));
        if asked && is_done() {
            more = format!("{more} {service}");
        }
    }
    if more.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{text}{more}"))
}

/// Finds the names that a message means, written with slips, in part, or with another word for the
/// same thing.
pub(super) fn meant(
    text: &str,
    names: &[String],
    asked_in: Language,
    written_in: Language,
) -> Meant {
    let known: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            terms(name, written_in)
                .into_iter()
                .filter(|term| !term.starts_with('#'))
                .collect()
        })
        .collect();
    let all: HashSet<&str> = known.iter().flatten().map(String::as_str).collect();
    let question = without_price_words(text);
    let question = Question::read(&question, asked_in, written_in).corrected(&all);
    let plain = format!(" {} ", folded(text));
    let scores: Vec<f32> = known
        .iter()
        .zip(names)
        .map(|(terms, name)| {
            let whole = folded(name);
            if !whole.is_empty() && plain.contains(&format!(" {whole} ")) {
                return 2.0;
            }
            let weight = |at: usize| if at == 0 { FIRST_WORD } else { 1.0 };
            let own = own_words(name, terms, written_in);
            let (mut covered, mut full) = (0.0, 0.0);
            for (at, term) in terms.iter().enumerate() {
                let best = question
                    .concepts
                    .iter()
                    .map(|concept| concept.strength(|known| known == term))
                    .fold(0.0, f32::max);
                // Who has the flu asks for no vaccine by saying so.
                let helps = at < own || covered > 0.0;
                covered += if helps { best * weight(at) } else { 0.0 };
                full += weight(at);
            }
            if full > 0.0 { covered / full } else { 0.0 }
        })
        .collect();
    let best = scores.iter().copied().fold(0.0, f32::max);
    if best < LEAST {
        return Meant::Nothing;
    }
    let fits: Vec<usize> = (0..scores.len())
        .filter(|at| best - scores[*at] < ALIKE)
        .collect();
    match fits.as_slice() {
        [only] => Meant::One(*only),
        _ => Meant::Several(fits),
    }
}

/// How many words of a name say what the thing is, before what it is against: one of "vacuna contra la
/// influenza".
fn own_words(name: &str, terms: &[String], written_in: Language) -> usize {
    let lower = name.to_lowercase();
    let against = [" contra ", " against "]
        .iter()
        .find_map(|word| lower.split_once(word));
    against.map_or(terms.len(), |(before, _)| {
        let own = quipu_core::analysis::terms(before, written_in);
        own.iter().filter(|term| !term.starts_with('#')).count()
    })
}

/// A question without the words that ask for a price: what is asked the price of is in the others.
fn without_price_words(text: &str) -> String {
    const PRICE: &[&str] = &[
        "cuant", "cuest", "costo", "cost", "precio", "vale", "valen", "sale", "salen", "cobra",
        "tarifa", "price", "much", "how", "pagar", "como",
    ];
    let kept = text.split_whitespace().filter(|word| {
        let word = folded(word);
        !PRICE.iter().any(|start| word.starts_with(start))
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// A service as `list_services` tells of it.
#[derive(Clone, Debug)]
pub(super) struct Service {
    pub(super) name: String,
    pub(super) price: Option<String>,
}

impl Scene<'_> {
    /// Which of these names a text means.
    pub(super) fn meant(&self, text: &str, names: &[String]) -> Meant {
        meant(
            &with_specialties(text, names),
            names,
            self.voice.language,
            self.setting.default_language,
        )
    }

    pub(super) async fn services(&self) -> Result<Vec<Service>> {
        let listed = self.office.call("list_services", json!({})).await?;
        let services = items(&listed, "services").iter().filter_map(|service| {
            Some(Service {
                name: field(service, "name")?.to_owned(),
                price: field(service, "price_range").map(|price| self.price(price)),
            })
        });
        Ok(services.collect())
    }

    /// A price as a tool tells it. What costs nothing is told in the agent's own language.
    pub(super) fn price(&self, price: &str) -> String {
        if matches!(price, "sin costo" | "free of charge") {
            return self.voice.pick("sin costo", "free of charge").to_owned();
        }
        price.to_owned()
    }

    pub(super) async fn branches(&self) -> Result<Vec<Value>> {
        let told = self.office.call("get_branch_info", json!({})).await?;
        Ok(items(&told, "branches").to_vec())
    }

    /// The branch that a text names, by its name, city or address.
    pub(super) fn branch_in(&self, text: &str, branches: &[Value]) -> Option<String> {
        let name = |branch: &Value| field(branch, "name").unwrap_or_default().to_owned();
        let names: Vec<String> = branches.iter().map(name).collect();
        // What visitors call the middle of a town.
        let text = text
            .replace("downtown", "centro")
            .replace("Downtown", "Centro");
        if let Meant::One(at) = self.meant(&text, &names) {
            return names.get(at).cloned();
        }
        let places: Vec<String> = branches
            .iter()
            .map(|branch| {
                let place = [field(branch, "city"), field(branch, "address")];
                place.into_iter().flatten().collect::<Vec<_>>().join(" ")
            })
            .collect();
        match self.meant(&text, &places) {
            Meant::One(at) => names.get(at).cloned(),
            _ => None,
        }
    }

    /// The person whom a text names, or the only one of a kind: "la doctora".
    pub(super) async fn staff_in(&self, text: &str) -> Option<String> {
        let words = folded(text);
        let about = [
            "dr",
            "dra",
            "doctor",
            "doctora",
            "con",
            "with",
            "lic",
            "especialista",
        ];
        if !words.split(' ').any(|word| about.contains(&word)) {
            return None;
        }
        let told = self.office.call("get_staff_info", json!({})).await.ok()?;
        let staff = items(&told, "staff");
        let names: Vec<String> = staff
            .iter()
            .filter_map(|person| field(person, "name").map(str::to_owned))
            .collect();
        let own = |name: &&String| {
            let parts = folded(name);
            let mut parts = parts.split(' ').filter(|part| part.chars().count() > 3);
            parts.any(|part| words.split(' ').any(|word| word == part))
        };
        if let Some(name) = names.iter().find(own) {
            return Some(name.clone());
        }
        let title = if begins(&words, &["doctora"]) || words.split(' ').any(|word| word == "dra") {
            "dra"
        } else if words.split(' ').any(|word| matches!(word, "doctor" | "dr")) {
            "dr"
        } else {
            return None;
        };
        let mut titled = names
            .iter()
            .filter(|name| folded(name).split(' ').next() == Some(title));
        let only = titled.next()?;
        titled.next().is_none().then(|| only.clone())
    }
}

/// The words of a text that may name something, without those that only ask for it.
pub(super) fn naming_words(text: &str, language: Language) -> String {
    const ASKING: &str = "quier quisier cita agend reserv turno hora dia mañana manana hoy lunes martes miercol \
        jueves viernes sabad doming favor tard noche pasad precio cuest cuant sale vale cost \
        hacer hacen necesit gustar book appointment price much want like need pued tien semana \
        saber gracias hola buen disponib espacio hay monday tuesday wednesday thursday friday \
        saturday sunday tomorrow today please could would morning afternoon evening schedule make \
        pedir solo nomas info oye oigan disculp am pm ver atend proxim siguient usar uso antes \
        despues";
    let words: Vec<&str> = quipu_core::text::words(text)
        .filter(|word| {
            let plain = folded(word);
            let said = !ASKING.split(' ').any(|start| plain.starts_with(start));
            said && plain.chars().any(char::is_alphabetic) && !terms(word, language).is_empty()
        })
        .collect();
    words.join(" ")
}
