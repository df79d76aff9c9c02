//! How many people come.

use crate::token::{Kind, Token, cut};

/// More than this is no table, and the tools take no more.
const MOST_PEOPLE: u16 = 1_000;

const PEOPLE: &[&str] = &[
    "personas",
    "persona",
    "comensales",
    "gente",
    "people",
    "persons",
    "guests",
    "adultos",
    "pax",
    "adults",
    "lugares",
    "sillas",
    "invitados",
    "amigos",
    "amigas",
    "friends",
];
const CHILDREN: &[&str] = &[
    "niños", "niño", "ninos", "niñas", "bebe", "kids", "children", "kid",
];
pub(super) const WE_ARE: &[&str] = &[
    "somos", "seremos", "seriamos", "vamos", "iremos", "venimos", "we", "seamos", "fueramos",
];
const HALF: &[&str] = &["am", "pm", "hrs", "horas", "h", "de", "y", "a", "p"];

/// The number of people that a text names: "para 4", "somos cinco", "2 adultos y 1 niño". A bare
/// number counts where it was asked for.
#[must_use]
pub fn party(text: &str, asked: bool) -> Option<u16> {
    let start: String = text.chars().take(500).collect();
    let tokens = cut(&start);
    let whole = |at: usize| {
        let token = tokens.get(at)?;
        let number = token.number()?;
        let whole = u16::try_from(number / 100).ok()?;
        (number % 100 == 0 && (1..=MOST_PEOPLE).contains(&whole)).then_some(whole)
    };
    let word = |at: Option<usize>, words: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token: &Token| token.is_one_of(words))
    };
    let mut counted = 0_u16;
    let mut told = None;
    for at in 0..tokens.len() {
        let Some(number) = whole(at) else { continue };
        let (next, before) = (Some(at + 1), at.checked_sub(1));
        if word(next, &["parejas", "couples"]) {
            counted = counted.saturating_add(number.saturating_mul(2));
            continue;
        }
        if word(next, PEOPLE) || word(next, CHILDREN) {
            counted = counted.saturating_add(number);
            // "Para mí y 5 amigos": whoever writes comes too.
            let me = word(before, &["y", "and"])
                && word(at.checked_sub(2), &["mi", "yo", "me", "i", "myself"]);
            counted = counted.saturating_add(u16::from(me));
            continue;
        }
        let of_table = word(before, &["para", "for", "de", "of"])
            && word(
                at.checked_sub(2),
                &["mesa", "table", "party", "reserva", "grupo"],
            );
        let for_some = word(before, &["para", "for"]) && !word(next, HALF);
        let we = word(before, WE_ARE)
            || (word(before, &["are", "como", "unos", "about"]) && word(at.checked_sub(2), WE_ARE))
            || (word(before, &["be"]) && word(at.checked_sub(2), &["will", "ll", "we'll"]))
            || (word(before, &["a", "ser"]) && word(at.checked_sub(2), &["vamos", "a"]));
        if of_table || for_some || we {
            told = told.or(Some(number));
        }
    }
    if counted > 0 {
        return Some(counted.min(MOST_PEOPLE));
    }
    if told.is_some() || !asked {
        return told;
    }
    // "A las 5 de la tarde" is when they come, and not how many.
    let hour = |at: &usize| {
        let before = at.checked_sub(1);
        word(before, &["las", "la", "at"]) || word(Some(at + 1), &["am", "pm", "hrs", "horas"])
    };
    let numbers = (0..tokens.len()).filter(|at| !hour(at));
    let mut numbers = numbers.filter_map(whole);
    let only = numbers.next().filter(|_| numbers.next().is_none());
    let clock = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Clock { .. }));
    only.filter(|_| !clock)
}
