//! The rules over the concepts of the lexicon: which of them hold for a text.

use super::lexicon::{ConceptId, Found, LONGEST_PHRASE, Lexicon, Span};
use super::verdict::Kind;
use super::words::Word;

/// How many words apart two concepts of a rule may stand unless it says otherwise.
const WINDOW: usize = 8;
/// How many words around a match are looked at for what speaks against it.
const CONTEXT: usize = 5;

/// So many places of the next concept are tried for each of the one before it.
const MOST_TRIED: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The second after the first.
    Then,
    /// Either way round.
    Near,
    /// Anywhere in the text.
    And,
}

#[derive(Debug)]
struct Term {
    any_of: Vec<ConceptId>,
    order: Order,
}

/// One line of the table.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) weight: u32,
    terms: Vec<Term>,
    window: usize,
    unless: Vec<ConceptId>,
}

/// Reads the table of rules.
pub(super) fn read(source: &str, lexicon: &Lexicon) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    let mut section = None;
    for (number, line) in source.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let told = |error: String| format!("line {} of the rules: {error}", number + 1);
        if let Some(heading) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            let known = Kind::parse(heading);
            section = Some(known.ok_or_else(|| told(format!("no kind \"{heading}\"")))?);
            continue;
        }
        let kind = section.ok_or_else(|| told("no heading".to_owned()))?;
        let rule = Rule::read(line, kind, lexicon).map_err(told)?;
        if rules.iter().any(|known: &Rule| known.name == rule.name) {
            return Err(told(format!("there are two rules \"{}\"", rule.name)));
        }
        rules.push(rule);
    }
    Ok(rules)
}

impl Rule {
    /// Reads "10 name: concept/concept then concept within 4 unless concept".
    fn read(line: &str, kind: Kind, lexicon: &Lexicon) -> Result<Self, String> {
        let (head, body) = line.split_once(':').ok_or("there is no colon")?;
        let (weight, name) = head.split_once(' ').ok_or("there is no weight")?;
        let weight = weight
            .parse()
            .map_err(|_| format!("\"{weight}\" is no weight"))?;
        let (body, unless) = body.split_once(" unless ").unwrap_or((body, ""));
        let (body, window) = body.split_once(" within ").unwrap_or((body, ""));
        let window = match window.trim() {
            "" => WINDOW,
            number => number
                .parse()
                .map_err(|_| format!("\"{number}\" is no number"))?,
        };
        let concepts = |names: &str| -> Result<Vec<ConceptId>, String> {
            let names = names
                .split('/')
                .map(str::trim)
                .filter(|name| !name.is_empty());
            names
                .map(|name| {
                    lexicon
                        .concept(name)
                        .ok_or_else(|| format!("no concept \"{name}\""))
                })
                .collect()
        };
        let mut terms = Vec::new();
        let mut order = Order::And;
        let mut term = String::new();
        for word in body.split_whitespace().chain(["and"]) {
            let next = match word {
                "then" => Order::Then,
                "near" => Order::Near,
                "and" => Order::And,
                word => {
                    if !term.is_empty() {
                        term.push(' ');
                    }
                    term.push_str(word);
                    continue;
                }
            };
            let any_of = concepts(&term)?;
            if any_of.is_empty() {
                return Err("a concept is missing".to_owned());
            }
            terms.push(Term { any_of, order });
            term.clear();
            order = next;
        }
        Ok(Self {
            name: name.trim().to_owned(),
            kind,
            weight,
            terms,
            window,
            unless: concepts(unless)?,
        })
    }

    /// The words for which the rule holds first.
    pub(super) fn find(&self, found: &Found, words: &[Word]) -> Option<Span> {
        let present = |term: &Term| term.any_of.iter().any(|&id| !found.of(id).is_empty());
        if !self.terms.iter().all(present) {
            return None;
        }
        self.spans(0, found)
            .filter_map(|span| self.goes_on(&mut vec![span], span, found, words))
            .find(|span| !self.is_spoken_against(*span, found, words))
    }

    fn spans<'a>(&'a self, term: usize, found: &'a Found) -> impl Iterator<Item = Span> + 'a {
        let concepts = self.terms[term].any_of.iter();
        concepts.flat_map(|&id| found.of(id).iter().copied())
    }

    /// The places of a term that are close enough to what was found before it.
    fn following<'a>(
        &'a self,
        term: usize,
        last: Span,
        found: &'a Found,
        words: &'a [Word],
    ) -> impl Iterator<Item = Span> + 'a {
        let wanted = &self.terms[term];
        let reach = match wanted.order {
            Order::And => usize::MAX,
            Order::Then | Order::Near => self.window,
        };
        let concepts = wanted.any_of.iter();
        concepts
            .flat_map(move |&id| around(found.of(id), last, reach, words))
            .filter(move |span| wanted.order != Order::Then || span.first > last.last)
    }

    /// The match from its first word to its last, if the terms after those taken stand around it.
    fn goes_on(
        &self,
        taken: &mut Vec<Span>,
        whole: Span,
        found: &Found,
        words: &[Word],
    ) -> Option<Span> {
        let term = taken.len();
        let last = *taken.last()?;
        let Some(wanted) = self.terms.get(term) else {
            return Some(whole);
        };
        let mut next: Vec<Span> = self
            .following(term, last, found, words)
            .filter(|span| !taken.iter().any(|other| span.shares_words(*other)))
            .take(MOST_TRIED)
            .collect();
        next.sort_by_key(|span| distance(last, *span, words));
        next.into_iter().find_map(|span| {
            let joined = match wanted.order {
                Order::And => whole,
                Order::Then | Order::Near => whole.with(span),
            };
            taken.push(span);
            let matched = self.goes_on(taken, joined, found, words);
            taken.truncate(term);
            matched
        })
    }

    fn is_spoken_against(&self, span: Span, found: &Found, words: &[Word]) -> bool {
        self.unless
            .iter()
            .any(|&id| around(found.of(id), span, CONTEXT, words).next().is_some())
    }
}

/// The spans, which stand in the order of their first words, that are at most so many words away.
fn around<'a>(
    spans: &'a [Span],
    from: Span,
    reach: usize,
    words: &'a [Word],
) -> impl Iterator<Item = Span> + 'a {
    let earliest = words[from.first]
        .at
        .saturating_sub(reach)
        .saturating_sub(LONGEST_PHRASE);
    let latest = words[from.last].at.saturating_add(reach);
    let begin = spans.partition_point(|span| words[span.first].at < earliest);
    spans[begin..]
        .iter()
        .copied()
        .take_while(move |span| words[span.first].at <= latest)
        .filter(move |span| distance(from, *span, words) <= reach)
}

/// How many words lie between two spans, the second counted in.
fn distance(a: Span, b: Span, words: &[Word]) -> usize {
    if b.first > a.last {
        words[b.first].at - words[a.last].at
    } else if a.first > b.last {
        words[a.first].at - words[b.last].at
    } else {
        0
    }
}
