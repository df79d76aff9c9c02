//! A question as search sees it.

use super::lexicon::{Lexicon, MAX_PHRASE};
use super::numbers::other_forms;
use super::spelling::{initials, one_letter_apart, plain_forms, sounds_like};
use crate::language::Language;
use crate::memo::Memo;
use crate::text;
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

/// What a synonym is worth beside the word itself.
const SYNONYM: f32 = 0.6;
/// What a thing of the wanted kind is worth: an amount of money is the very answer to "¿a cómo?".
const MARKER: f32 = 1.0;
/// What a term is worth that differs from the question's by its spelling or as a diminutive.
const MISSPELLED: f32 = 0.8;

/// How much of a question is read. A customer who writes more has said it by then.
const MAX_CHARS: usize = 2000;
const MAX_CONCEPTS: usize = 32;
/// How many questions are known again: a few kilobytes each.
const MOST_READ: usize = 512;

/// A question with this many ideas or fewer may lean on the one before it.
const SHORT: usize = 2;

/// The terms that a knowledge base has, wherever they are kept.
pub trait Vocabulary {
    /// Whether the term occurs.
    fn has(&self, term: &str) -> bool;

    /// The terms that occur and are [`one_letter_apart`] from this one.
    fn near(&self, term: &str) -> Vec<String>;

    /// The terms that occur, begin with one of these letters and are the same in some way.
    fn like(&self, initials: &[char], same: &dyn Fn(&str) -> bool) -> Vec<String>;

    /// The terms that may have been [meant by](meant_by) a word that does not occur. Whoever is asked
    /// for the same words again and again may remember them.
    fn instead_of(&self, typed: &str) -> Vec<String> {
        meant_by(typed, self)
    }
}

/// The terms of a vocabulary that sound like this word, else those that are one letter apart.
pub fn meant_by<V: Vocabulary + ?Sized>(typed: &str, vocabulary: &V) -> Vec<String> {
    let heard = vocabulary.like(&initials(typed), &sounds_like(typed));
    if heard.is_empty() {
        vocabulary.near(typed)
    } else {
        heard
    }
}

impl<S: BuildHasher> Vocabulary for HashSet<&str, S> {
    fn has(&self, term: &str) -> bool {
        self.contains(term)
    }

    fn near(&self, term: &str) -> Vec<String> {
        self.iter()
            .filter(|known| one_letter_apart(term, known))
            .map(|known| (*known).to_owned())
            .collect()
    }

    fn like(&self, initials: &[char], same: &dyn Fn(&str) -> bool) -> Vec<String> {
        self.iter()
            .filter(|known| known.starts_with(initials) && same(known))
            .map(|known| (*known).to_owned())
            .collect()
    }
}

/// A word that a vocabulary does not have. What may have been meant is at most four bytes longer or
/// shorter, and begins with one of the initials unless it is [`one_letter_apart`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    pub word: &'a str,
    pub initials: Vec<char>,
}

/// One idea of a question and the terms that express it, each with its worth from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concept {
    terms: Vec<(String, f32)>,
    /// The stems of its words in the question's own language, by which a repetition is known.
    words: Vec<String>,
    /// The synonym groups whose words all mean this idea.
    groups: Vec<usize>,
    /// Terms of the plain words that a diminutive may come from, and of a number written otherwise.
    plain: Vec<String>,
}

impl Concept {
    /// How well a text expresses the idea: the worth of the best of its terms that is there.
    pub fn strength(&self, has: impl Fn(&str) -> bool) -> f32 {
        self.terms
            .iter()
            .filter(|(term, _)| has(term))
            .map(|(_, worth)| *worth)
            .fold(0.0, f32::max)
    }

    /// The terms that express the idea, with their worth.
    #[must_use]
    pub fn terms(&self) -> &[(String, f32)] {
        &self.terms
    }

    /// The terms that are looked for: those of any worth.
    #[must_use]
    pub fn sought(&self) -> Vec<(&str, f32)> {
        let terms = self.terms.iter().filter(|(_, worth)| *worth > 0.0);
        terms.map(|(term, worth)| (term.as_str(), *worth)).collect()
    }

    /// Whether the word lists know the idea by other words too.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.terms.len() > 1
    }

    /// The word itself, as it was typed.
    #[must_use]
    pub fn typed(&self) -> Option<&str> {
        let typed = |(term, worth): &&(String, f32)| *worth >= 1.0 && !term.starts_with('#');
        self.terms.iter().find(typed).map(|(term, _)| term.as_str())
    }

    /// The terms of a vocabulary that the word may have been meant for.
    fn meant(&self, vocabulary: &impl Vocabulary) -> Vec<String> {
        let Some(typed) = self.typed().filter(|typed| !vocabulary.has(typed)) else {
            return Vec::new();
        };
        let plain = self.plain.iter();
        let plain: Vec<String> = plain.filter(|term| vocabulary.has(term)).cloned().collect();
        if !plain.is_empty() || self.strength(|term| vocabulary.has(term)) > 0.0 {
            return plain;
        }
        vocabulary.instead_of(typed)
    }

    fn add(&mut self, term: String, worth: f32) {
        match self.terms.iter_mut().find(|(known, _)| *known == term) {
            Some((_, known)) => *known = known.max(worth),
            None => self.terms.push((term, worth)),
        }
    }
}

/// The ideas of a question, ready to be looked for in documents of one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    pub concepts: Vec<Concept>,
}

impl Question {
    /// Reads a question asked in `asked_in`, to be looked for in documents written in
    /// `written_in`. The number and order of the ideas depend on the question alone.
    #[must_use]
    pub fn read(text: &str, asked_in: Language, written_in: Language) -> Self {
        let lexicon = Lexicon::get();
        let start: String = text.chars().take(MAX_CHARS).collect();
        let words: Vec<String> = text::words(&start)
            .filter_map(|word| lexicon.normalise(word))
            .collect();
        let mut question = Self::default();
        let mut rest = words.as_slice();
        while let Some(word) = rest.first() {
            if let Some((length, groups)) = phrase_at(lexicon, rest) {
                question.add(None, groups, asked_in, written_in);
                rest = &rest[length..];
            } else {
                question.add_word(word, asked_in, written_in);
                rest = &rest[1..];
            }
        }
        question
    }

    /// The same, known again when it was read a moment ago: within one turn the same question is read
    /// to see whether it asks for anything, whether it stands alone, and to be looked for.
    #[must_use]
    pub fn read_once(text: &str, asked_in: Language, written_in: Language) -> Arc<Self> {
        static READ: LazyLock<Memo<Arc<Question>>> = LazyLock::new(|| Memo::new(MOST_READ));
        READ.of(&(text, asked_in, written_in), || {
            Arc::new(Self::read(text, asked_in, written_in))
        })
    }

    /// Where a vocabulary does not have an idea, adds the terms of it that may have been meant:
    /// the word without its diminutive, else one that sounds the same, else one that differs by
    /// one letter. People write by ear and in haste in a chat.
    #[must_use]
    pub fn corrected(mut self, vocabulary: &impl Vocabulary) -> Self {
        for concept in &mut self.concepts {
            for term in concept.meant(vocabulary) {
                concept.add(term, MISSPELLED);
            }
        }
        self
    }

    /// The terms that chunks are looked through for, idea by idea.
    #[must_use]
    pub fn sought(&self) -> Vec<&str> {
        let terms = self.concepts.iter().flat_map(Concept::sought);
        terms.map(|(term, _)| term).collect()
    }

    /// The same ideas with those of their terms only that a vocabulary has.
    #[must_use]
    pub fn known_to(mut self, has: impl Fn(&str) -> bool) -> Self {
        for concept in &mut self.concepts {
            concept.terms.retain(|(term, _)| has(term));
        }
        self
    }

    /// All terms that [`corrected`](Self::corrected) asks by name whether a vocabulary has them.
    #[must_use]
    pub fn asked_by_name(&self) -> Vec<&str> {
        let concepts = self.concepts.iter();
        let terms = concepts.flat_map(|c| c.terms.iter().map(|(term, _)| term).chain(&c.plain));
        terms.map(String::as_str).collect()
    }

    /// The words for which [`corrected`](Self::corrected) looks through a vocabulary that has none
    /// of the terms it asked for by name but these.
    #[must_use]
    pub fn unknown(&self, vocabulary: &impl Vocabulary) -> Vec<Unknown<'_>> {
        let concepts = self.concepts.iter().filter(|concept| {
            let terms = concept.terms.iter().map(|(term, _)| term);
            !terms.chain(&concept.plain).any(|term| vocabulary.has(term))
        });
        let words = concepts.filter_map(Concept::typed);
        words
            .map(|word| Unknown {
                word,
                initials: initials(word),
            })
            .collect()
    }

    /// Whether the question is so short that the one before it may say what it is about:
    /// "¿y los sábados?".
    #[must_use]
    pub fn is_short(&self) -> bool {
        (1..=SHORT).contains(&self.concepts.len())
    }

    /// Whether nothing is asked for, as in a greeting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }

    fn add_word(&mut self, word: &str, asked_in: Language, written_in: Language) {
        let lexicon = Lexicon::get();
        let stop = lexicon.is_stop(word) || is_small_number(word);
        let mut groups = lexicon.surface(&[word.to_owned()]).to_vec();
        if !stop {
            groups.extend(lexicon.stemmed(word, asked_in));
        }
        if groups.is_empty() && !stop && asked_in == Language::Es {
            let plain = plain_forms(word);
            groups.extend(plain.iter().flat_map(|p| lexicon.stemmed(p, asked_in)));
        }
        if !stop || !groups.is_empty() {
            self.add((!stop).then_some(word), &groups, asked_in, written_in);
        }
    }

    /// Adds an idea, or widens the one that means the same already.
    fn add(
        &mut self,
        word: Option<&str>,
        groups: &[usize],
        asked_in: Language,
        written_in: Language,
    ) {
        let lexicon = Lexicon::get();
        let key = word.map(|word| lexicon.stem(word, asked_in));
        let same: Vec<usize> = groups
            .iter()
            .copied()
            .filter(|&g| lexicon.group(g).same)
            .collect();
        let known = self.concepts.iter().position(|concept| {
            concept.groups.iter().any(|g| same.contains(g))
                || key.as_ref().is_some_and(|key| concept.words.contains(key))
        });
        let index = match known {
            Some(index) => index,
            None if self.concepts.len() == MAX_CONCEPTS
                || (word.is_none() && groups.is_empty()) =>
            {
                return;
            }
            None => {
                self.concepts.push(Concept::default());
                self.concepts.len() - 1
            }
        };
        let concept = &mut self.concepts[index];
        concept.groups.extend(same);
        concept.words.extend(key);
        if let Some(word) = word {
            concept.add(lexicon.stem(word, written_in), 1.0);
            let numbers = other_forms(word).map(|form| lexicon.stem(form, written_in));
            concept.plain.extend(numbers);
            if asked_in == Language::Es {
                let plain = plain_forms(word).into_iter();
                concept
                    .plain
                    .extend(plain.map(|p| lexicon.stem(&p, written_in)));
            }
        }
        let groups = groups.iter().map(|&group| lexicon.group(group));
        for target in groups.flat_map(|group| group.targets(written_in)) {
            let worth = if target.starts_with('#') {
                MARKER
            } else {
                SYNONYM
            };
            concept.add(target.clone(), worth);
        }
    }
}

/// The longest phrase of the lists that the words begin with, and what it opens: nothing, for a
/// phrase that says nothing.
pub(super) fn phrase_at<'a>(
    lexicon: &'a Lexicon,
    words: &[String],
) -> Option<(usize, &'a [usize])> {
    (2..=MAX_PHRASE.min(words.len())).rev().find_map(|length| {
        let phrase = &words[..length];
        let groups = lexicon.surface(phrase);
        (!groups.is_empty() || lexicon.is_stop_phrase(phrase)).then_some((length, groups))
    })
}

/// Ages and times of a customer's story ("mi hijo de 4 años") are not what documents say.
pub(super) fn is_small_number(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Question {
        Question::read(text, Language::Es, Language::Es)
    }

    fn worth(question: &Question, document: &str) -> Vec<f32> {
        let terms = crate::analysis::terms(document, Language::Es);
        question
            .concepts
            .iter()
            .map(|c| c.strength(|t| terms.iter().any(|x| x == t)))
            .collect()
    }

    #[test]
    fn forms_of_a_word_find_each_other() {
        for (asked, written) in [
            ("devolucion", "Devoluciones"),
            ("devoluciones", "la devolución"),
            ("limpiezas", "Limpieza"),
            ("PRECIO", "precios"),
            ("citas", "cita"),
            ("horario", "Horarios"),
            ("niños", "niño"),
        ] {
            assert_eq!(worth(&read(asked), written), [1.0], "{asked} in {written}");
        }
        assert_eq!(worth(&read("nino"), "niño"), [0.0]);
    }

    #[test]
    fn a_colloquial_question_means_the_plain_one() {
        assert_eq!(
            worth(&read("¿a cómo la limpieza?"), "Limpieza: S/ 120"),
            [MARKER, 1.0]
        );
        assert_eq!(
            worth(&read("holaa, q horario tienen xfa"), "Horario"),
            [1.0]
        );
        assert_eq!(worth(&read("dónde están ubicados"), "Dirección"), [SYNONYM]);
        assert_eq!(worth(&read("aceptan yape?"), "Pago con Yape"), [0.0, 1.0]);
    }

    #[test]
    fn english_questions_find_spanish_text() {
        let question = Question::read("how much is a cleaning?", Language::En, Language::Es);
        assert_eq!(worth(&question, "Limpieza: S/ 120"), [MARKER, SYNONYM]);
    }

    #[test]
    fn greetings_and_openers_ask_for_nothing() {
        for text in [
            "hola",
            "Buenos días!!",
            "hi",
            "muchas gracias",
            "tengo una consulta",
            "👍",
            "",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
        assert!(!read("cuánto cuesta una consulta").is_empty());
    }

    #[test]
    fn the_number_of_ideas_does_not_depend_on_the_documents() {
        for text in [
            "price prices",
            "cita citas precio costo",
            "limpiar limpieza limpio",
        ] {
            let count = |written_in| {
                Question::read(text, Language::Es, written_in)
                    .concepts
                    .len()
            };
            assert_eq!(count(Language::Es), count(Language::En), "{text}");
        }
    }

    #[test]
    fn a_misspelled_word_is_corrected_only_when_it_is_unknown() {
        let vocabulary = HashSet::from(["blanqueamient", "horari"]);
        let typo = read("blanquemiento").corrected(&vocabulary);
        assert_eq!(worth(&typo, "blanqueamiento"), [MISSPELLED]);
        let orario = read("orario").corrected(&vocabulary);
        assert_eq!(worth(&orario, "horario"), [MISSPELLED]);
        let vocabulary = HashSet::from(["huev", "poll", "polic"]);
        let heard = read("uebo").corrected(&vocabulary);
        assert_eq!(worth(&heard, "huevo"), [MISSPELLED]);
        let small = read("pollito").corrected(&vocabulary);
        assert_eq!(worth(&small, "policía o pollo"), [MISSPELLED]);
    }

    #[test]
    fn numbers_are_found_as_words_and_as_figures() {
        let vocabulary = HashSet::from(["30", "person"]);
        let question = read("salón para treinta personas").corrected(&vocabulary);
        let told = worth(&question, "Hasta 30 personas");
        assert_eq!(
            told.iter().filter(|worth| **worth > 0.0).count(),
            2,
            "{told:?}"
        );
        let figures = read("salón para 100").corrected(&HashSet::from(["cien"]));
        assert!(worth(&figures, "Hasta cien invitados").contains(&MISSPELLED));
        let written = read("treinta").corrected(&HashSet::from(["30", "treint"]));
        assert_eq!(worth(&written, "30"), [0.0], "the word itself is there");
    }

    #[test]
    fn long_messages_are_bounded() {
        let words: Vec<String> = (0..5000).map(|i| format!("palabra{i}")).collect();
        assert_eq!(read(&words.join(" ")).concepts.len(), MAX_CONCEPTS);
    }
}
