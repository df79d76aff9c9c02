//! Whose price a price is.
//!
//! A price of the catalogue belongs to the thing it stands with: a line of a list, a sentence, or what a tool
//! returned about one thing. An answer that names another thing for it states what nobody said.

use super::read::money_at;
use super::token::{Kind, Token};
use super::words::{CURRENCY, GENERIC, PRICE, UNIT};
use quipu_core::analysis::{Question, terms};
use quipu_core::language::Language;
use std::collections::HashSet;

/// A thing of the business and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Priced {
    /// What it is called, as terms of both languages.
    pub(super) names: HashSet<String>,
    /// None for what has a name and no price.
    pub(super) amounts: Vec<i64>,
    /// A tool told it by its name.
    pub(super) named: bool,
}

impl Priced {
    /// Something that a tool told by its name.
    pub(super) fn named(name: &str, amounts: Vec<i64>) -> Self {
        Self {
            names: both(name),
            amounts,
            named: true,
        }
    }

    /// What a text prices, line by line and sentence by sentence. A line that names nothing prices what the line
    /// before it is about.
    pub(super) fn in_text(tokens: &[Token]) -> Vec<Self> {
        let ends =
            |token: &Token| matches!(token.kind, Kind::Break | Kind::Sign('.' | ';' | '!' | '?'));
        let mut heading = HashSet::new();
        let mut priced = Vec::new();
        for line in tokens.split(|token| ends(token)) {
            let amounts: Vec<i64> = money_at(line)
                .into_iter()
                .map(|(_, amount)| amount)
                .collect();
            let says = |token: &&Token| !token.is_a(PRICE | CURRENCY | GENERIC | UNIT);
            let words = line.iter().filter(says).filter_map(Token::word);
            let words = words.filter(|word| word.chars().count() > 2);
            let own = both(&words.collect::<Vec<_>>().join(" "));
            if amounts.is_empty() {
                if !own.is_empty() {
                    heading = own;
                }
                continue;
            }
            let names = if own.is_empty() { heading.clone() } else { own };
            priced.push(Self {
                names,
                amounts,
                named: false,
            });
        }
        priced
    }

    /// How much of what is named this is called by.
    fn likeness(&self, named: &Question) -> usize {
        let has = |term: &str| self.names.contains(term);
        let known = |terms: &[(String, f32)]| terms.iter().any(|(term, _)| has(term));
        let concepts = named.concepts.iter();
        concepts.filter(|concept| known(concept.terms())).count()
    }
}

/// A price that is told of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PriceClaim {
    pub(super) amount: i64,
    /// What it is told of.
    pub(super) subject: String,
}

impl PriceClaim {
    /// The prices of a sentence that are told of something by name.
    pub(super) fn read(tokens: &[Token]) -> Vec<Self> {
        let mut claims = Vec::new();
        let mut from = 0;
        for (at, amount) in money_at(tokens) {
            if let Some(subject) = subject(&tokens[from..at]) {
                claims.push(Self { amount, subject });
            }
            from = at + 1;
        }
        claims
    }

    /// Whether what is priced says so: of all that is called like it, nothing comes closer than what has this
    /// price. `mentioned` tells whether the business speaks of it at all.
    pub(super) fn holds(
        &self,
        priced: &[Priced],
        language: Language,
        mentioned: impl Fn(&Question) -> bool,
    ) -> bool {
        let named = Question::read(&self.subject, language, Language::Es);
        if named.concepts.is_empty() {
            return true;
        }
        let closest = |with: bool| {
            let fits = priced
                .iter()
                .filter(|priced| priced.amounts.contains(&self.amount) == with);
            fits.map(|priced| priced.likeness(&named))
                .max()
                .unwrap_or(0)
        };
        match (closest(true), closest(false)) {
            (0, 0) => priced.is_empty() || mentioned(&named),
            (here, elsewhere) => here >= elsewhere,
        }
    }
}

/// What a price is told of: the words right before what tells it. Nothing when those name nothing in
/// particular.
fn subject(before: &[Token]) -> Option<String> {
    let stretch = before.rsplit(|token| {
        matches!(
            token.kind,
            Kind::Break | Kind::Sign('.' | ',' | ';' | '!' | '?' | '¿' | '¡' | '(')
        ) || token.is_one_of(&["y", "e", "pero", "and", "but", "o", "or"])
    });
    let stretch = stretch.into_iter().next()?;
    let listed = stretch.iter().rposition(|token| token.is_sign(':'));
    let verb = stretch
        .iter()
        .rposition(|token| token.is_a(PRICE) || token.is_one_of(&["es", "son", "is", "are"]));
    let words = match (listed, verb) {
        (Some(colon), _) => &stretch[..colon],
        (None, Some(verb)) if is_noun(&stretch[verb]) => return None,
        (None, Some(verb)) => named_before(&stretch[..verb]),
        (None, None) => return None,
    };
    let names = words.iter().filter(|token| token.word().is_some());
    let generic = names
        .clone()
        .any(|token| token.is_a(GENERIC | PRICE | CURRENCY));
    let text = joined(words);
    let short = (1..=6).contains(&names.count());
    (short && !generic).then_some(text)
}

/// "Precio" and "costo" say what is told and not that it is told.
fn is_noun(token: &Token) -> bool {
    token.is_one_of(&[
        "costo", "costos", "coste", "valor", "precio", "precios", "total", "subtotal", "tarifa",
        "anticipo", "deposito", "envio", "price", "prices", "fee", "charge", "charges", "deposit",
    ])
}

/// The words before a verb from their article on: "la limpieza dental".
fn named_before(tokens: &[Token]) -> &[Token] {
    let little = |token: &Token| {
        token.is_one_of(&["te", "le", "les", "nos", "me", "se", "ya", "solo", "only"])
    };
    let mut end = tokens.len();
    while end > 0 && little(&tokens[end - 1]) {
        end -= 1;
    }
    let article = |token: &Token| token.is_one_of(&["la", "el", "los", "las", "un", "una", "the"]);
    let start = tokens[..end].iter().rposition(article);
    start.map_or(&[], |start| &tokens[start + 1..end])
}

/// The terms of a text in both languages.
pub(super) fn both(text: &str) -> HashSet<String> {
    let languages = [Language::Es, Language::En].into_iter();
    languages
        .flat_map(|language| terms(text, language))
        .collect()
}

fn joined(tokens: &[Token]) -> String {
    let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
    words.join(" ")
}
