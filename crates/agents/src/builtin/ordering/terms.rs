//! How an order is handed over and paid, as the customer says it.

use super::super::folded::{begins, folded, says};
use super::super::person::without_contacts;
use super::super::scene::Scene;
use super::super::transcript::{ends_list, redeems};
use super::aside::{is_street, street_at, without_dots};
use super::changes::edits;
use crate::supervisor::Awaiting;
use quipu_core::ordering::{Line, Menu, is_wish, read_order};
use regex::Regex;
use std::sync::LazyLock;

/// Ways of paying that people name, and the beginning of their words.
const PAYMENTS: &[(&str, &[&str])] = &[
    ("efectivo", &["efectiv", "cash", "contado"]),
    (
        "tarjeta",
        &[
            "tarjet",
            "card",
            "visa",
            "mastercard",
            "debito",
            "credito",
            "terminal",
        ],
    ),
    ("transferencia", &["transfer", "deposit", "spei"]),
    ("yape", &["yape"]),
    ("plin", &["plin"]),
    ("nequi", &["nequi"]),
    ("mercado pago", &["mercadopago"]),
    ("bizum", &["bizum"]),
];
/// Days that stand by themselves, and are no part of a place.
const DAYS: &[&str] = &[
    "hoy",
    "mañana",
    "ahora",
    "ahorita",
    "today",
    "tomorrow",
    "now",
    "tonight",
    "lo antes posible",
];
const LONGEST_ADDRESS: usize = 200;
/// Words that close a message and are no part of an address.
const CLOSING: &[&str] = &[
    "confirm", "dale", "gracias", "porfa", "favor", "please", "listo", "eso", "si", "ok", "va",
    "thanks",
];

/// Words behind which "a" is the article of English, and leads to no place.
const BEFORE_ARTICLE: &[&str] = &[
    "and", "with", "get", "have", "want", "like", "also", "add", "plus", "order", "me",
];

/// What is known of the handing over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Terms {
    pub(in super::super) delivery: Option<bool>,
    pub(in super::super) address: Option<String>,
    /// A part of town that was named before the address.
    pub(in super::super) area: Option<String>,
    /// Whether that can be nothing but a place.
    pub(in super::super) sure: bool,
    pub(in super::super) payment: Option<String>,
}

impl Terms {
    /// Where to bring it, with the part of town where the address does not name it.
    pub(in super::super) fn place(&self) -> Option<String> {
        let address = self.address.clone()?;
        match &self.area {
            Some(area) if !says(&folded(&address), &[&folded(area)]) => {
                Some(format!("{address}, {area}"))
            }
            _ => Some(address),
        }
    }
}

impl Scene<'_> {
    /// Reads the messages of the present matter.
    pub(in super::super) fn order_terms(&self, menu: &Menu, methods: &[String]) -> Terms {
        let mut terms = Terms::default();
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            // Whose it is and how to reach them is no part of where it is brought.
            let text = without_contacts(&turn.text);
            let text = text.as_str();
            let words = folded(text);
            if self.refused_place(heard.at) {
                // Another place may be named in its stead, or none: it is fetched.
                terms.address = None;
                terms.area = None;
                terms.delivery = heard.affirms.map_or(terms.delivery, |yes| Some(!yes));
            }
            terms.delivery = wants_delivery(&words).or(terms.delivery);
            terms.payment = payment(&words, methods).or(terms.payment);
            // Who was asked for the address may still be changing the order.
            let ordering = edits(text)
                || ends_list(&words)
                || read_order(text, menu)
                    .iter()
                    .any(|line| !matches!(line, Line::Unknown { .. } | Line::WrongQuantity { .. }));
            if heard.awaiting == Some(Awaiting::Address) && heard.goes_on && !ordering {
                if let Some(address) = address(text, methods, true) {
                    let numbered = |text: &str| text.contains(|c: char| c.is_ascii_digit());
                    let known = terms.address.as_deref().is_some_and(numbered);
                    // The part of town, which was asked for, completes the street and is none.
                    if known && self.asked_for_zone(heard.at) && !numbered(&address) {
                        terms.area = Some(address);
                        terms.sure = true;
                    } else {
                        terms.address = Some(address);
                    }
                    terms.delivery = terms.delivery.or(Some(true));
                }
            } else if let Some(address) = address(text, methods, false) {
                terms.address = Some(address);
                terms.delivery = terms.delivery.or(Some(true));
                // "A domicilio en la Roma Norte, Calle Durango 45": it may be a place or not.
                let before = street_at(text).map_or("", |at| &text[..at]);
                if let Some((_, area)) = area(before, menu) {
                    terms.area = Some(area);
                    terms.sure = false;
                }
            } else if let Some((_, area)) = area(text, menu) {
                // "Para Juan" is whom it is for.
                let whom = ["para", "for"].map(|word| format!("{word} {}", folded(&area)));
                terms.sure = !whom.iter().any(|whom| says(&words, &[whom]));
                terms.area = Some(area);
            }
        }
        terms
    }
}

fn wants_delivery(words: &str) -> Option<bool> {
    let pickup = begins(words, &["recog", "pickup", "recojo"])
        || says(
            words,
            &[
                "paso por",
                "pasar por",
                "voy por",
                "para llevar",
                "pa llevar",
                "pick up",
                "pick it up",
                "paso a",
                "to go",
                "takeout",
                "take away",
                "takeaway",
            ],
        );
    if pickup {
        return Some(false);
    }
    let delivery = begins(
        words,
        &[
            "domicilio",
            "delivery",
            "mandam",
            "mandal",
            "mandenl",
            "enviam",
            "mandas",
            "mande",
            "envia",
            "envie",
            "traig",
            "traem",
            "traes",
            "deliver",
        ],
    ) || brings(words)
        || says(
            words,
            &[
                "a casa",
                "a mi casa",
                "a la oficina",
                "me lo mandan",
                "me lo llevan",
            ],
        );
    delivery.then_some(true)
}

/// Whether somebody shall bring it: "me lo lleven", and not "que no lleven verdura".
fn brings(words: &str) -> bool {
    const WHAT: &[&str] = &["me", "lo", "la", "los", "las", "nos"];
    let words: Vec<&str> = words.split(' ').collect();
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let behind = words.get(at + 1).copied().unwrap_or_default();
        matches!(*word, "lleven" | "llevan") && (WHAT.contains(&before) || behind == "a")
    })
}

fn payment(words: &str, methods: &[String]) -> Option<String> {
    let own = methods
        .iter()
        .find(|method| says(words, &[&folded(method)]));
    let known = || {
        let (name, starts) = PAYMENTS.iter().find(|(_, starts)| begins(words, starts))?;
        if methods.is_empty() {
            return Some((*name).to_owned());
        }
        // A card is taken as the business calls it; of several, the kind that was named.
        let alike = |method: &&String| begins(&folded(method), starts);
        let kind = |method: &&String| {
            let kind = folded(method);
            kind.split(' ').skip(1).any(|word| says(words, &[word]))
        };
        let named = methods.iter().filter(alike).find(kind);
        named.or_else(|| methods.iter().find(alike)).cloned()
    };
    own.cloned().or_else(known)
}

/// An hour for which something is wanted, with its day. It ends where a part of the text does, so that "frente a
/// las 3 torres" is a place.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    let day = r"(?:hoy|mañana|pasado mañana|el (?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)|today|tomorrow|tonight)";
    let hour = r"(?:a las|para las|como a las|tipo|a la|para la|at|for|by)\s+\d{1,2}(?::\d{2})?\s*(?:hrs?|horas|a[. ]?m|p[. ]?m|de la tarde|de la noche|de la mañana)?";
    let time = format!(
        r"(?i)(^|[,;\s])\s*(?:para\s+)?({day}[,\s]+{hour}|{hour}(?:\s+(?:de\s+)?{day})?|{day}\s+\d{{1,2}}\s*[ap]\s?m)\s*($|[,;.\n])"
    );
    Regex::new(&time).expect("the pattern is constant and tested")
});

/// A text without the hour for which it is wanted.
fn without_time(text: &str) -> String {
    TIME.replace_all(text, "$1$3").into_owned()
}

/// The hour for which something is wanted, where a text names one beside other things.
pub(super) fn time_in(text: &str) -> Option<&str> {
    let found = TIME.captures(text)?.get(2);
    found.map(|time| time.as_str())
}

/// The parts of a message that say where to bring something.
fn address(text: &str, methods: &[String], asked: bool) -> Option<String> {
    let text = &without_dots(text);
    let text = &without_time(text);
    let parts: Vec<&str> = text
        .split([',', ';', '\n', '.'])
        .map(str::trim)
        .filter(|part| {
            let words = folded(part);
            let paying = payment(&words, methods).is_some() && words.split(' ').count() <= 5;
            let closing = begins(&words, CLOSING) && words.split(' ').count() <= 3;
            let day = DAYS.contains(&words.as_str());
            !words.is_empty() && !paying && !closing && !day
        })
        .collect();
    let is_place = |part: &&str| {
        let words = folded(part);
        let number = words
            .split(' ')
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let street = words.split(' ').any(is_street);
        street && number || street_at(part).is_some()
    };
    let place = if asked {
        let words = folded(text);
        let numbered = |part: &&str| part.chars().any(|c| c.is_ascii_digit()) || is_place(part);
        let from = parts.iter().position(numbered);
        let few = words.split(' ').count() <= 6 && !redeems(&words);
        if text.contains('?') || (from.is_none() && !few) {
            return None;
        }
        parts
            .get(from.unwrap_or(0)..)
            .unwrap_or_default()
            .join(", ")
    } else {
        let from = parts.iter().position(is_place)?;
        // What is ordered may stand before the street.
        let street = street_at(parts[from]).unwrap_or(0);
        let mut place = vec![&parts[from][street..]];
        place.extend(&parts[from + 1..]);
        place.join(", ")
    };
    let place: String = without_lead(&place).chars().take(LONGEST_ADDRESS).collect();
    (!place.is_empty()).then_some(place)
}

/// An address without the words that lead to it: "a Durango 120", "es en Durango 120".
fn without_lead(place: &str) -> &str {
    const LEAD: &[&str] = &[
        "a",
        "al",
        "en",
        "es",
        "para",
        "to",
        "at",
        "it's",
        "its",
        "is",
        "mi",
        "la",
        "my",
        "the",
        "direccion",
        "address",
        "domicilio",
    ];
    let mut rest = place.trim_start();
    while let Some((word, behind)) = rest.split_once(' ') {
        // "La Paz 12" is a street.
        let named = behind.starts_with(char::is_uppercase) && word.starts_with(char::is_uppercase);
        if named || !LEAD.contains(&folded(word).as_str()) {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

/// The part of town at the end of an order, and the order without it: "dos gringas a Cumbres".
pub(in super::super) fn area(text: &str, menu: &Menu) -> Option<(String, String)> {
    let trimmed = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = trimmed.split_whitespace().collect();
    let at = (0..words.len()).rfind(|at| {
        let before = at.checked_sub(1).map(|before| folded(words[before]));
        let article = before.is_none_or(|word| BEFORE_ARTICLE.contains(&word.as_str()));
        match folded(words[*at]).as_str() {
            "en" | "para" | "to" | "in" => true,
            "a" => !article,
            _ => false,
        }
    })?;
    // "En tortilla de harina" says how it is wanted.
    let behind: Vec<String> = words[at..].iter().map(|word| folded(word)).collect();
    if is_wish(&behind.iter().map(String::as_str).collect::<Vec<_>>()) {
        return None;
    }
    let mut tail = words.get(at + 1..)?;
    // "En la Roma" and "a la Roma" are places, "a la mexicana" is none.
    let capital = tail
        .get(1)
        .is_some_and(|word| word.starts_with(char::is_uppercase));
    if let [article, rest @ ..] = tail
        && (capital || matches!(folded(words[at]).as_str(), "en" | "in"))
        && matches!(
            folded(article).as_str(),
            "la" | "el" | "los" | "las" | "the"
        )
    {
        tail = rest;
    }
    if tail.is_empty() || tail.len() > 4 {
        return None;
    }
    let place = tail.join(" ");
    let plain = folded(&place);
    let no_place = begins(
        &plain,
        &[
            "casa",
            "domicilio",
            "llevar",
            "recog",
            "las",
            "la",
            "mi",
            "mañana",
            "hoy",
            "ver",
            "efectiv",
            "tarjet",
            "noche",
            "tarde",
            "oficina",
        ],
    ) || plain.chars().any(|c| c.is_ascii_digit());
    let eaten = read_order(&place, menu).iter().any(|line| match line {
        Line::Unknown { near, .. } => !near.is_empty(),
        Line::WrongQuantity { .. } => false,
        _ => true,
    });
    if no_place || eaten {
        return None;
    }
    let before = words[..at].join(" ");
    Some((before, place))
}
