//! What was looked up during a turn, and whether an answer states more than that.

mod results;

use super::claims::Claims;
use super::claims::offers::Offer;
use super::claims::people::Somebody;
use super::prices::{PriceClaim, Priced, both};
use super::read::{Reading, facts};
use super::record::Record;
use super::token::{Kind, Token, cut};
use super::{Fact, Time};
use crate::memo::Memo;
use crate::when::{Day, When};
use jiff::Zoned;
use quipu_core::analysis::Question;
use quipu_core::language::Language;
use quipu_core::text::fold;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// Texts that are kept as they were read.
const MOST_READ: usize = 2_000;
/// Digits of the shortest and the longest telephone number.
const TELEPHONE: std::ops::RangeInclusive<usize> = 7..=15;

/// Everything that a turn's tools and passages say.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    facts: Vec<Fact>,
    /// Times that the customer named. Repeating them promises nothing.
    echoed: Vec<Time>,
    /// Every text, folded, as words with one space between them.
    words: String,
    /// The same of what the customer said, whose own address may be repeated to them.
    echoed_words: String,
    /// Every text, folded, as it is.
    text: String,
    digits: Vec<String>,
    offers: Vec<Offer>,
    priced: Vec<Priced>,
    record: Record,
    /// When the turn is, and in which language it answers.
    moment: Option<(Zoned, Language)>,
    /// What is no fact of the business may be said without a source.
    open: bool,
}

/// What a text of the business says.
struct Read {
    facts: Vec<Fact>,
    words: String,
    text: String,
    digits: Vec<String>,
    offers: Vec<Offer>,
    priced: Vec<Priced>,
}

impl Read {
    fn of(text: &str) -> Self {
        let tokens = cut(text);
        Self {
            facts: facts(&tokens, Reading::Evidence),
            words: words(&tokens),
            text: fold(text),
            digits: telephones(text),
            offers: Offer::of_business(&tokens),
            priced: Priced::in_text(&tokens),
        }
    }

    fn kept(text: &str) -> Arc<Self> {
        static READ: LazyLock<Memo<Arc<Read>>> = LazyLock::new(|| Memo::new(MOST_READ));
        READ.of(text, |text| Arc::new(Self::of(text)))
    }
}

impl Evidence {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The evidence of a turn at a moment, in a language. An agent that is `open` may also say what is no fact of
    /// the business.
    #[must_use]
    pub fn of_turn(now: Zoned, language: Language, open: bool) -> Self {
        Self {
            moment: Some((now, language)),
            open,
            ..Self::default()
        }
    }

    /// Adds what somebody or something of the business is called.
    pub fn name(&mut self, name: &str) {
        self.words.push_str(&words(&cut(name)));
    }

    /// A tool has answered.
    pub fn answered(&mut self, tool: &str, arguments: &Value, result: &Value) {
        let before = self.priced.len();
        self.tool(result);
        self.record.told(tool, result);
        // Whoever asks for one thing by another name is told about that thing.
        let things = self.priced[before..]
            .iter_mut()
            .filter(|priced| priced.named);
        if let [one] = &mut things.collect::<Vec<_>>()[..]
            && let Some(asked) = arguments.as_object()
        {
            let names = asked.values().filter_map(Value::as_str);
            one.names.extend(names.flat_map(both));
        }
    }

    /// A tool has refused, and told what there is instead.
    pub fn refused(&mut self, told: &Value) {
        self.tool(told);
        self.record.refused(told);
    }

    /// A tool has changed something.
    pub fn did(&mut self, tool: &str) {
        self.record.did(tool);
    }

    /// Whoever asked has called a tool of their own in this turn.
    pub const fn did_by_client(&mut self) {
        self.record.did_by_client();
    }

    /// Adds a passage, or anything else that the business itself has written and that comes again.
    pub fn passage(&mut self, text: &str) {
        self.add(&Read::kept(text));
    }

    /// Adds anything else. What a tool says may be about a customer, and nothing of it is kept.
    pub fn text(&mut self, text: &str) {
        self.add(&Read::of(text));
    }

    fn add(&mut self, read: &Read) {
        self.facts.extend_from_slice(&read.facts);
        self.words.push_str(&read.words);
        self.text.push('\n');
        self.text.push_str(&read.text);
        self.digits.extend_from_slice(&read.digits);
        self.offers.extend_from_slice(&read.offers);
        self.priced.extend_from_slice(&read.priced);
    }

    /// Adds what a tool answered.
    pub fn tool(&mut self, result: &Value) {
        self.walk(result, "", 0);
    }

    /// Adds what the customer said, which an answer may repeat where it promises nothing.
    pub fn customer(&mut self, text: &str) {
        let tokens = cut(text);
        let stated = facts(&tokens, Reading::Evidence);
        self.echoed_words.push_str(&words(&tokens));
        self.echoed
            .extend(stated.iter().filter_map(|fact| match fact {
                Fact::Time(time) => Some(*time),
                _ => None,
            }));
        self.digits.extend(telephones(text));
        self.text.push('\n');
        self.text.push_str(&fold(text));
    }

    /// What a text states that is nowhere in the evidence.
    #[must_use]
    pub fn unsupported(&self, text: &str) -> Vec<Fact> {
        let tokens = cut(text);
        let mut stated = facts(&tokens, Reading::Answer);
        stated.extend(telephones(text).into_iter().map(Fact::Contact));
        stated.extend(links(text).map(Fact::Contact));
        stated.retain(|fact| !self.supports(fact));
        self.claims(text, &tokens, &mut stated);
        stated.dedup();
        stated
    }

    /// Adds what a text claims besides figures that nothing supports.
    fn claims(&self, text: &str, tokens: &[Token], stated: &mut Vec<Fact>) {
        let claims = Claims::read(tokens);
        let deeds = claims.deeds.into_iter();
        stated.extend(
            deeds
                .filter(|deed| !self.record.supports(*deed))
                .map(Fact::Deed),
        );
        if claims.slot && self.promises(text) && !self.quotes(tokens) {
            stated.push(Fact::Slot);
        }
        if let Some(offer) = claims.offer
            && !self.offers.iter().any(|known| known.covers(&offer))
        {
            stated.retain(|fact| !matches!(fact, Fact::Percent(_)));
            stated.push(Fact::Offer(offer.describe()));
        }
        let people = claims.people.iter().filter(|person| !self.knows(person));
        stated.extend(people.map(|person| Fact::Person(person.names.join(" "))));
        let language = self
            .moment
            .as_ref()
            .map_or(Language::Es, |(_, language)| *language);
        for claim in PriceClaim::read(tokens) {
            let told = Fact::Money(claim.amount);
            let holds = || claim.holds(&self.priced, language, |named| self.mentions(named));
            if self.facts.contains(&told) && !holds() {
                stated.push(Fact::PriceOf(claim.amount, claim.subject));
            }
        }
    }

    /// Whether a text that speaks of free times names a day or an hour for which nobody looked.
    fn promises(&self, text: &str) -> bool {
        let Some((now, language)) = &self.moment else {
            return !self.record.has_time(None);
        };
        let when = When::read(text, *language, now, None);
        let named = when.day.is_some() || when.time.is_some();
        named && !self.record.has_time(when.day.and_then(Day::single))
    }

    /// Whether the business itself says it with these words.
    fn quotes(&self, tokens: &[Token]) -> bool {
        self.words.contains(words(tokens).trim())
    }

    /// Whether somebody is known by this name. Whom the customer names may be spoken of, but does nothing.
    fn knows(&self, person: &Somebody) -> bool {
        let in_words = |words: &str| {
            let mut names = person.names.iter();
            names.all(|name| words.contains(&format!(" {name} ")))
        };
        let spoken_of = !person.attends && (self.open || in_words(&self.echoed_words));
        in_words(&self.words) || spoken_of
    }

    /// Whether the business speaks of what is named.
    fn mentions(&self, named: &Question) -> bool {
        let terms = quipu_core::analysis::terms(&self.words, Language::Es);
        let has = |term: &String| terms.contains(term);
        let known = named.concepts.iter();
        known
            .into_iter()
            .any(|concept| concept.terms().iter().any(|(term, _)| has(term)))
    }

    fn supports(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Percent(_) if self.open => true,
            Fact::Money(_) | Fact::Points(_) | Fact::Percent(_) => self.facts.contains(fact),
            // What is claimed is held against what happened, and not against what is written.
            Fact::Deed(_) | Fact::Offer(_) | Fact::Slot | Fact::Person(_) | Fact::PriceOf(..) => {
                false
            }
            Fact::Time(time) => {
                let known = self.facts.iter().filter_map(|fact| match fact {
                    Fact::Time(known) => Some(known),
                    _ => None,
                });
                known
                    .chain(&self.echoed)
                    .any(|known| known.agrees_with(*time))
            }
            Fact::Address(address) => {
                let address = format!(" {address} ");
                self.words.contains(&address) || self.echoed_words.contains(&address)
            }
            Fact::Contact(contact) if contact.bytes().all(|b| b.is_ascii_digit()) => {
                let same =
                    |known: &String| known.ends_with(contact) || contact.ends_with(known.as_str());
                self.digits.iter().any(same)
            }
            Fact::Contact(contact) => self.text.contains(contact.as_str()),
        }
    }
}

/// The words and whole numbers of a text, with one space around each of them.
fn words(tokens: &[Token]) -> String {
    let mut words = " ".to_owned();
    for token in tokens {
        match &token.kind {
            Kind::Word(word) if !is_number_sign(word) => words.push_str(word),
            Kind::Number(number) => words.push_str(&(number / 100).to_string()),
            _ => continue,
        }
        words.push(' ');
    }
    words
}

fn is_number_sign(word: &str) -> bool {
    matches!(word, "no" | "nro" | "num" | "numero" | "n" | "number")
}

/// Runs of digits that can be telephone numbers, without what is written between them.
fn telephones(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut digits = String::new();
    let mut gap = 0;
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            gap = 0;
        } else if matches!(c, ' ' | '-' | '(' | ')' | '\u{a0}') && !digits.is_empty() && gap < 2 {
            gap += 1;
        } else {
            if TELEPHONE.contains(&digits.len()) {
                found.push(std::mem::take(&mut digits));
            }
            digits.clear();
            gap = 0;
        }
    }
    found
}

/// E-mail and web addresses, folded.
fn links(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().filter_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mail = word.contains('@') && word.contains('.');
        let web = word.contains("://") || word.starts_with("www.");
        (mail || web).then(|| fold(word.trim_end_matches('/')))
    })
}
