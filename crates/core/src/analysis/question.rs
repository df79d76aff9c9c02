//! A question as search sees it.

use super::lexicon::{Lexicon, MAX_PHRASE};
use super::stem::stem;
use crate::language::Language;
use crate::text;

/// What a synonym is worth beside the word itself.
const SYNONYM: f32 = 0.6;
/// What a term is worth that differs from the question's by one letter.
const MISSPELLED: f32 = 0.8;
/// Shorter stems are too close to each other for a misspelling to be told from another word.
const MISSPELLED_LETTERS: usize = 5;

/// How much of a question is read. A customer who writes more has said it by then.
const MAX_CHARS: usize = 2000;
const MAX_CONCEPTS: usize = 32;

/// A question with this many ideas or fewer may lean on the one before it.
const SHORT: usize = 2;

/// One idea of a question and the terms that express it, each with its worth from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concept {
    terms: Vec<(String, f32)>,
    /// The synonym groups whose words all mean this idea.
    groups: Vec<usize>,
}

impl Concept {
    /// How well a text expresses the idea: the worth of the best of its terms that is there.
    pub fn strength(&self, has: impl Fn(&str) -> bool) -> f32 {
        self.terms.iter().filter(|(term, _)| has(term)).map(|(_, worth)| *worth).fold(0.0, f32::max)
    }

    /// The terms that express the idea, with their worth.
    #[must_use]
    pub fn terms(&self) -> &[(String, f32)] {
        &self.terms
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
        let words: Vec<String> =
            text::words(&start).filter_map(|word| lexicon.normalise(word)).collect();
        let mut question = Self::default();
        let mut rest = words.as_slice();
        while let Some(word) = rest.first() {
            let used = match phrase_at(lexicon, rest) {
                Some((length, groups)) => {
                    question.add(None, groups, lexicon, written_in);
                    length
                }
                None => {
                    question.add_word(word, lexicon, asked_in, written_in);
                    1
                }
            };
            rest = &rest[used..];
        }
        question
    }

    /// Takes out the ideas that only name somebody, such as the agent or the business: they are
    /// how customers address us, not what they ask for.
    #[must_use]
    pub fn without_names(mut self, names: &str, written_in: Language) -> Self {
        let names = super::terms(names, written_in);
        self.concepts.retain(|concept| concept.strength(|term| names.iter().any(|n| n == term)) < 1.0);
        self
    }

    /// Adds the terms of a vocabulary that differ by one letter from a term it does not have:
    /// people misspell in a chat.
    #[must_use]
    pub fn corrected<'a>(mut self, vocabulary: impl Iterator<Item = &'a str> + Clone) -> Self {
        for concept in &mut self.concepts {
            let Some((term, _)) = concept.terms.iter().find(|(_, worth)| *worth >= 1.0).cloned() else {
                continue;
            };
            if vocabulary.clone().any(|known| concept.terms.iter().any(|(t, _)| t == known)) {
                continue;
            }
            for known in vocabulary.clone().filter(|known| one_letter_apart(&term, known)) {
                concept.add(known.to_owned(), MISSPELLED);
            }
        }
        self
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

    fn add_word(&mut self, word: &str, lexicon: &Lexicon, asked_in: Language, written_in: Language) {
        let stop = lexicon.is_stop(word);
        let mut groups = lexicon.surface(&[word.to_owned()]).to_vec();
        if !stop {
            let stemmed = lexicon.stemmed(word, asked_in);
            groups.extend(stemmed.iter().filter(|g| !groups.contains(g)).copied().collect::<Vec<_>>());
        }
        if !stop || !groups.is_empty() {
            let exact = (!stop).then(|| stem(word, written_in));
            self.add(exact, &groups, lexicon, written_in);
        }
    }

    /// Adds an idea, or widens the one that means the same already.
    fn add(&mut self, exact: Option<String>, groups: &[usize], lexicon: &Lexicon, written_in: Language) {
        let same: Vec<usize> = groups.iter().copied().filter(|&g| lexicon.group(g).same).collect();
        let known = self.concepts.iter().position(|concept| {
            concept.groups.iter().any(|g| same.contains(g))
                || exact.as_ref().is_some_and(|e| concept.terms.iter().any(|(t, w)| t == e && *w >= 1.0))
        });
        let index = match known {
            Some(index) => index,
            None if self.concepts.len() == MAX_CONCEPTS || (exact.is_none() && groups.is_empty()) => return,
            None => {
                self.concepts.push(Concept::default());
                self.concepts.len() - 1
            }
        };
        let concept = &mut self.concepts[index];
        concept.groups.extend(same);
        if let Some(exact) = exact {
            concept.add(exact, 1.0);
        }
        for target in groups.iter().flat_map(|&g| &lexicon.group(g).targets) {
            let term = if target.starts_with('#') { target.clone() } else { stem(target, written_in) };
            concept.add(term, SYNONYM);
        }
    }
}

/// The longest phrase of the lists that the words begin with, and what it opens: nothing, for a
/// phrase that says nothing.
fn phrase_at<'a>(lexicon: &'a Lexicon, words: &[String]) -> Option<(usize, &'a [usize])> {
    (2..=MAX_PHRASE.min(words.len())).rev().find_map(|length| {
        let phrase = &words[..length];
        let groups = lexicon.surface(phrase);
        (!groups.is_empty() || lexicon.is_stop_phrase(phrase)).then_some((length, groups))
    })
}

/// One letter changed, added, left out, or swapped with its neighbour.
fn one_letter_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < MISSPELLED_LETTERS || a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
        std::cmp::Ordering::Equal => {
            a[1..] == b[1..] || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Question {
        Question::read(text, Language::Es, Language::Es)
    }

    fn worth(question: &Question, document: &str) -> Vec<f32> {
        let terms = crate::analysis::terms(document, Language::Es);
        question.concepts.iter().map(|c| c.strength(|t| terms.iter().any(|x| x == t))).collect()
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
        assert_eq!(worth(&read("¿a cómo la limpieza?"), "Limpieza: S/ 120"), [SYNONYM, 1.0]);
        assert_eq!(worth(&read("holaa, q horario tienen xfa"), "Horario"), [1.0]);
        assert_eq!(worth(&read("dónde están ubicados"), "Dirección"), [SYNONYM]);
        assert_eq!(worth(&read("aceptan yape?"), "Pago con Yape"), [0.0, 1.0]);
    }

    #[test]
    fn english_questions_find_spanish_text() {
        let question = Question::read("how much is a cleaning?", Language::En, Language::Es);
        assert_eq!(worth(&question, "Limpieza: S/ 120"), [SYNONYM, SYNONYM]);
    }

    #[test]
    fn greetings_and_openers_ask_for_nothing() {
        for text in ["hola", "Buenos días!!", "hi", "muchas gracias", "tengo una consulta", "👍", ""] {
            assert!(read(text).is_empty(), "{text}");
        }
        assert!(!read("cuánto cuesta una consulta").is_empty());
    }

    #[test]
    fn names_are_not_part_of_the_question() {
        let question = read("Maya, cuánto cuesta la limpieza").without_names("Maya", Language::Es);
        assert_eq!(worth(&question, "Limpieza S/ 120"), [SYNONYM, 1.0]);
    }

    #[test]
    fn a_misspelled_word_is_corrected_only_when_it_is_unknown() {
        let vocabulary = ["blanqueamient", "horari"];
        let typo = read("blanquemiento").corrected(vocabulary.into_iter());
        assert_eq!(worth(&typo, "blanqueamiento"), [MISSPELLED]);
        let orario = read("orario").corrected(vocabulary.into_iter());
        assert_eq!(worth(&orario, "horario"), [MISSPELLED]);
        assert!(one_letter_apart("sabdao", "sabado"));
        assert!(!one_letter_apart("cort", "cart"), "too short to tell");
    }

    #[test]
    fn long_messages_are_bounded() {
        let text: String = (0..5000).map(|i| format!("palabra{i} ")).collect();
        assert_eq!(read(&text).concepts.len(), MAX_CONCEPTS);
    }
}
