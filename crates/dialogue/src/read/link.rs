//! Finding what a part of a message names among the things of the tenant's catalogue, by the words that tell
//! one of them from the others.

use super::folded_words;
use quipu_core::analysis::{Concept, Question, terms};
use quipu_core::language::Language;
use quipu_core::text::{fold, word_positions};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A name that has this share of its weight in some words is named by them.
const NAMED: f32 = 0.55;
/// All that was said, but for what numbers lose.
const WHOLE: f32 = 0.999;
/// Two names within this much of each other are equally likely.
const EQUAL: f32 = 0.05;
/// How many words may stand between those of a name.
const BETWEEN: usize = 2;

/// A thing of the catalogue with what it is called.
#[derive(Clone, Debug, Hash)]
pub(crate) struct CatalogueName<I> {
    pub(crate) id: I,
    pub(crate) names: Vec<String>,
}

/// What some words name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LinkedNames<I> {
    One(I),
    /// Several are equally likely.
    Several(Vec<I>),
    None,
}

impl<I: Clone> LinkedNames<I> {
    pub(crate) fn one(self) -> Option<I> {
        match self {
            Self::One(id) => Some(id),
            _ => None,
        }
    }
}

#[derive(Debug)]
struct KnownName<I> {
    id: I,
    /// The terms of the name without those that say nothing.
    terms: Vec<String>,
    /// Whether it has nothing but words that tell nothing, such as "consulta".
    plain: bool,
}

/// What is left of a word without its ending is not corrected when it is shorter.
const SHORTEST_CORRECTED: usize = 4;

/// A shorter word leads to another one.
const SHORTEST_TELLING: usize = 4;

/// The names of one kind of thing.
#[derive(Debug)]
pub(crate) struct NameIndex<I> {
    names: Vec<KnownName<I>>,
    /// How telling a term is: the fewer names have it, the more.
    weights: HashMap<String, f32>,
    /// Words of names that tell nothing, such as titles.
    silent: HashSet<String>,
    /// The words of names by what is left of them without their endings.
    spelled: HashMap<String, HashSet<String>>,
    language: Language,
}

/// How well a name fits some words.
struct RankedName<I> {
    score: f32,
    /// How much of what was said is in the name.
    of_said: f32,
    /// How many of its ideas were said.
    fitting: usize,
    id: I,
}

/// A thing that is named in full, and by which words of the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedInFull<I> {
    pub(crate) id: I,
    /// How many telling words its name has.
    pub(crate) words: usize,
    pub(crate) range: Range<usize>,
}

impl<I: Clone + PartialEq> NameIndex<I> {
    /// The index over the names of some things, written in a language. `silent` are words that tell nothing,
    /// such as titles.
    pub(crate) fn new(
        things: impl IntoIterator<Item = CatalogueName<I>>,
        language: Language,
        silent: impl Fn(&str) -> bool,
    ) -> Self {
        let mut names = Vec::new();
        let mut found: HashMap<String, HashSet<usize>> = HashMap::new();
        let mut unheard: HashSet<String> = HashSet::new();
        let mut spelled: HashMap<String, HashSet<String>> = HashMap::new();
        for (at, thing) in things.into_iter().enumerate() {
            for name in &thing.names {
                let telling = name.split_whitespace().filter(|word| {
                    let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
                    !silent(&quipu_core::text::fold(plain))
                });
                let mut telling: Vec<&str> = telling.collect();
                for word in folded_words(name) {
                    for term in terms(&word, language) {
                        spelled.entry(term).or_default().insert(word.clone());
                    }
                    if silent(&word) {
                        unheard.insert(word);
                    }
                }
                let counts = |word: &&str| {
                    let tokens = quipu_language::token::cut(word);
                    let number = tokens.first().is_some_and(|token| token.number().is_some());
                    number || word.chars().count() < SHORTEST_TELLING || *word == "para"
                };
                // "Mesa para dos" tells nothing that "dos" does.
                if !telling.is_empty() && telling.iter().all(counts) {
                    continue;
                }
                let plain = telling.is_empty();
                if plain {
                    // A service that is called "Reserva de mesa" has no other name.
                    telling = name.split_whitespace().collect();
                }
                let terms: Vec<String> = terms(&telling.join(" "), language)
                    .into_iter()
                    .filter(|term| !term.starts_with('#'))
                    .collect();
                if terms.is_empty() {
                    continue;
                }
                for term in &terms {
                    found.entry(term.clone()).or_default().insert(at);
                }
                names.push(KnownName {
                    id: thing.id.clone(),
                    terms,
                    plain,
                });
            }
        }
        let weight = |(term, things): (String, HashSet<usize>)| {
            let things = f32::from(u16::try_from(things.len()).unwrap_or(u16::MAX));
            (term, 1.0 / things)
        };
        Self {
            names,
            weights: found.into_iter().map(weight).collect(),
            silent: unheard,
            spelled,
            language,
        }
    }

    /// Whether a word is one of a name, where what is left of both is so short that it may be left of others as well:
    /// "sale" and "salsas" are both "sal".
    fn is_spelled(&self, word: &str, term: &str) -> bool {
        let alike = |known: &String| {
            let bare = |word: &str| word.trim_end_matches('s').trim_end_matches('e').to_owned();
            bare(known) == bare(word)
        };
        let known = self.spelled.get(term);
        term.chars().count() >= SHORTEST_CORRECTED
            || known.is_some_and(|words| words.iter().any(alike))
    }

    /// The words that tell something, where some do.
    fn telling(&self, part: &str) -> String {
        let words: Vec<String> = folded_words(part);
        let rest = words.iter().filter(|word| !self.silent.contains(*word));
        let rest: Vec<&str> = rest.map(String::as_str).collect();
        let known = |word: &&str| {
            let mut terms = terms(word, self.language).into_iter();
            terms.any(|term| self.weights.contains_key(&term))
        };
        if rest.len() < words.len() && rest.iter().any(known) {
            rest.join(" ")
        } else {
            part.to_owned()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How well the best of the names fits some words.
    pub(crate) fn fit(&self, part: &str, asked_in: Language) -> f32 {
        self.ranked(part, asked_in)
            .first()
            .map_or(0.0, |best| best.score)
    }

    /// What a part of a message names, asked in its language.
    pub(crate) fn link(&self, part: &str, asked_in: Language) -> LinkedNames<I> {
        let ranked = self.ranked(part, asked_in);
        let Some(best) = ranked.first() else {
            return LinkedNames::None;
        };
        // What is a part of several names and of nothing else asks which of them is meant.
        if best.score < NAMED && best.of_said < WHOLE {
            return LinkedNames::None;
        }
        let vague = best.score < NAMED;
        let equal = ranked.iter().filter(|other| {
            if vague {
                other.of_said >= WHOLE
            } else {
                best.score - other.score <= EQUAL
            }
        });
        let mut ids: Vec<I> = Vec::new();
        for other in equal {
            if !ids.contains(&other.id) {
                ids.push(other.id.clone());
            }
        }
        match ids.len() {
            1 => LinkedNames::One(ids.remove(0)),
            _ => LinkedNames::Several(ids),
        }
    }

    /// Whether words tell nothing of which of the things is meant: "consulta", where all of them are.
    pub(crate) fn says_nothing(&self, part: &str) -> bool {
        let words = folded_words(part);
        !words.is_empty() && words.iter().all(|word| self.silent.contains(word))
    }

    /// The thing that a word names as it is spelled, where it is one.
    pub(crate) fn link_exactly(&self, word: &str, asked_in: Language) -> Option<I> {
        let mut terms = terms(word, self.language).into_iter();
        let spelled = terms.any(|term| {
            let known = self.spelled.get(&term);
            let bare = |word: &str| word.trim_end_matches('s').to_owned();
            known.is_some_and(|words| words.iter().any(|known| bare(known) == bare(word)))
        });
        self.link(word, asked_in).one().filter(|_| spelled)
    }

    /// What a longer text names with two of its ideas or more; one alone may stand there by chance.
    pub(crate) fn link_firmly(&self, text: &str, asked_in: Language) -> LinkedNames<I> {
        let ranked = self.ranked(text, asked_in);
        match ranked.first() {
            Some(best) if best.fitting > 1 => self.link(text, asked_in),
            _ => LinkedNames::None,
        }
    }

    /// How well each name fits, the best first: how much of the name was said, and how much of what was said
    /// is in the name.
    fn ranked(&self, part: &str, asked_in: Language) -> Vec<RankedName<I>> {
        let vocabulary: HashSet<&str> = self.weights.keys().map(String::as_str).collect();
        let part = self.telling(part);
        let said = folded_words(&part);
        let asked = Question::read_once(&part, asked_in, self.language);
        let corrected = Question::clone(&asked).corrected(&vocabulary);
        let ideas = asked.concepts.iter().zip(&corrected.concepts);
        // A short word is another word, and no slip of the finger: "sale" is no "salsa".
        let short = |idea: &Concept| {
            let typed = idea.typed();
            typed.is_some_and(|word| word.chars().count() < SHORTEST_CORRECTED)
        };
        let ideas = ideas.map(|(said, meant)| if short(said) { said } else { meant });
        // What no name has may be a word for something else, or just a way of speaking.
        let telling: Vec<_> = ideas
            .filter(|idea| idea.strength(|term| vocabulary.contains(term)) > 0.0)
            .filter(|idea| {
                idea.typed()
                    .is_none_or(|term| said.iter().any(|word| self.is_spelled(word, term)))
            })
            .collect();
        let said_in_all = telling.len();
        let all = asked.concepts.len().max(1);
        let mut ranked: Vec<RankedName<I>> = Vec::new();
        for name in &self.names {
            let weight = |term: &String| self.weights.get(term).copied().unwrap_or(1.0);
            let whole: f32 = name.terms.iter().map(weight).sum();
            let said = |term: &String| {
                let strengths = telling.iter().map(|idea| idea.strength(|it| it == term));
                strengths.fold(0.0_f32, f32::max) * weight(term)
            };
            let of_name: f32 = name.terms.iter().map(said).sum::<f32>() / whole.max(f32::EPSILON);
            let fitting = telling.iter().filter(|idea| {
                let has = |term: &str| name.terms.iter().any(|known| known == term);
                idea.strength(has) > 0.0
            });
            let fitting = fitting.count();
            if fitting == 0 {
                continue;
            }
            let share = |part: usize, whole: usize| {
                let number = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
                number(part) / number(whole.max(1))
            };
            // Everything telling that was said should be in the name, and one word that only this name has is
            // enough to mean it.
            let of_said = 0.8 * share(fitting, said_in_all) + 0.2 * share(fitting, all);
            let telling_most = name
                .terms
                .iter()
                .filter(|term| said(term) > 0.0)
                .map(weight)
                .fold(0.0_f32, f32::max);
            ranked.push(RankedName {
                score: of_said * (0.5 * of_name + 0.5 * telling_most),
                of_said,
                fitting,
                id: name.id.clone(),
            });
        }
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranked
    }

    /// The things that a text names with all words of their name close together, the longer name where one
    /// stands inside of another.
    pub(crate) fn named_in_full(&self, text: &str) -> Vec<NamedInFull<I>> {
        let spelled = |word: &str| {
            let mut terms = terms(word, self.language);
            terms.retain(|term| self.is_spelled(&fold(word), term));
            terms
        };
        let words: Vec<(Range<usize>, Vec<String>)> = word_positions(text)
            .map(|(at, word)| (at..at + word.len(), spelled(word)))
            .collect();
        let has = |place: usize, term: &String| {
            let said = words.get(place).map(|(_, terms)| terms);
            said.is_some_and(|terms| terms.contains(term))
        };
        let mut found: Vec<(usize, NamedInFull<I>)> = Vec::new();
        // "Consulta" names one of them only where nothing else does.
        let plain = self.names.iter().filter(|name| name.plain);
        for name in self.names.iter().filter(|name| !name.plain).chain(plain) {
            if name.plain && !found.is_empty() {
                break;
            }
            let reach = name.terms.len() + BETWEEN;
            for start in 0..words.len() {
                if !name.terms.iter().any(|term| has(start, term)) {
                    continue;
                }
                let places: Option<Vec<usize>> = name
                    .terms
                    .iter()
                    .map(|term| (start..start + reach).find(|place| has(*place, term)))
                    .collect();
                let Some(places) = places else { continue };
                let last = places.iter().max().copied().unwrap_or(start);
                let range = words[start].0.start..words[last].0.end;
                let id = name.id.clone();
                let words = name.terms.len();
                found.push((words, NamedInFull { id, words, range }));
            }
        }
        found.sort_by_key(|(terms, _)| std::cmp::Reverse(*terms));
        let mut kept: Vec<NamedInFull<I>> = Vec::new();
        for (_, named) in found {
            let overlaps = |known: &NamedInFull<I>| {
                known.range.start < named.range.end && named.range.start < known.range.end
            };
            if !kept
                .iter()
                .any(|known| overlaps(known) && known.id != named.id)
                && !kept.iter().any(overlaps)
            {
                kept.push(named);
            }
        }
        kept.sort_by_key(|named| named.range.start);
        kept
    }

    /// Whether a text is the name of one of the things, and nothing else.
    pub(crate) fn is_name(&self, text: &str) -> bool {
        let said = terms(text, self.language);
        let is = |name: &KnownName<I>| name.terms.iter().all(|term| said.contains(term));
        let whole = |name: &KnownName<I>| said.iter().all(|term| name.terms.contains(term));
        !said.is_empty() && self.names.iter().any(|name| is(name) && whole(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(names: &[&str]) -> NameIndex<usize> {
        let things = names.iter().enumerate().map(|(id, name)| CatalogueName {
            id,
            names: vec![(*name).to_owned()],
        });
        NameIndex::new(things, Language::Es, |word| word == "dra" || word == "dr")
    }

    fn link(names: &[&str], part: &str) -> LinkedNames<usize> {
        index(names).link(part, Language::Es)
    }

    #[test]
    fn a_telling_word_is_enough() {
        let services = [
            "Limpieza dental",
            "Control de ortodoncia",
            "Urgencia dental",
            "Blanqueamiento",
        ];
        assert_eq!(link(&services, "limpieza"), LinkedNames::One(0));
        assert_eq!(link(&services, "la limpiesa"), LinkedNames::One(0));
        assert_eq!(link(&services, "ortodoncia"), LinkedNames::One(1));
        assert_eq!(link(&services, "implante"), LinkedNames::None);
        assert_eq!(
            link(
                &["Dra. Amparo Llopis", "Dr. Vicent Ferrándiz"],
                "dra Llopis"
            ),
            LinkedNames::One(0)
        );
    }

    #[test]
    fn of_names_inside_each_other_the_one_that_was_said_counts() {
        let services = ["Corte clásico", "Corte y barba", "Barba", "Corte niño"];
        assert_eq!(link(&services, "corte y barba"), LinkedNames::One(1));
        assert_eq!(link(&services, "barba"), LinkedNames::One(2));
        assert!(matches!(link(&services, "corte"), LinkedNames::Several(_)));
        let named: Vec<usize> = index(&services)
            .named_in_full("corte clásico pa mí y corte niño pa él")
            .into_iter()
            .map(|named| named.id)
            .collect();
        assert_eq!(named, [0, 3]);
    }
}
