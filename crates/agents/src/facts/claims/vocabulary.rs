//! The tables of `data/claims.txt`, read once.

use super::deeds::{Doing, Thing};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What may be written behind an infinitive, as one word with it: "agendártela".
const PRONOUNS: [&str; 10] = [
    "me", "te", "se", "nos", "les", "le", "los", "lo", "las", "la",
];
const MOST_PRONOUNS: usize = 2;

/// What a form of a verb says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// "Agendé": the one who speaks did it.
    I,
    /// "Agendamos", which is also what is done every day.
    We,
    /// "Agendó".
    They,
    /// "Agendada".
    Participle,
    /// "Agendar", which is done where it was managed: "acabo de agendar".
    Infinitive,
    /// "Booked", which is a past and a participle.
    English,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    pub(super) doing: Doing,
    pub(super) form: Form,
    /// What is meant when nothing is named.
    pub(super) implied: Option<Thing>,
    /// The form is this one only with an accent on its last letter.
    pub(super) stressed: bool,
    /// A participle of several things.
    pub(super) plural: bool,
}

#[derive(Debug, Default)]
pub(in super::super) struct Vocabulary {
    verbs: HashMap<String, Vec<Verb>>,
    things: HashMap<&'static str, Vec<Thing>>,
    /// What each deed can be done to.
    on: Vec<(Doing, Vec<Thing>)>,
    done: HashMap<&'static str, (Vec<Doing>, Vec<Thing>)>,
    known: HashMap<&'static str, Vec<Thing>>,
    lists: HashMap<&'static str, HashSet<&'static str>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::read(include_str!("../../../data/claims.txt"))
        .unwrap_or_else(|line| panic!("the claims are tested: {line}"))
});

impl Vocabulary {
    pub(in super::super) fn get() -> &'static Self {
        &VOCABULARY
    }

    /// Reads the tables; the line that is not understood, when there is one.
    fn read(text: &'static str) -> Result<Self, String> {
        let mut read = Self::default();
        for line in text.lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            read.line(line).ok_or_else(|| line.to_owned())?;
        }
        Ok(read)
    }

    fn line(&mut self, line: &'static str) -> Option<()> {
        let (heading, words) = line.split_once(": ")?;
        let mut words = words.split_whitespace();
        match heading.split_once(' ') {
            None => self.lists.entry(heading).or_default().extend(words),
            Some(("verb", doing)) => {
                let doing = Doing::parse(doing)?;
                words.try_for_each(|verb| self.verb(doing, verb))?;
            }
            Some(("object", thing)) => {
                let thing = Thing::parse(thing)?;
                for word in words {
                    self.things.entry(word).or_default().push(thing);
                }
            }
            Some(("on", doing)) => {
                let things: Option<Vec<Thing>> = words.map(Thing::parse).collect();
                self.on.push((Doing::parse(doing)?, things?));
            }
            Some(("done", tool)) => {
                let (mut doings, mut things) = (Vec::new(), Vec::new());
                for word in words {
                    match Doing::parse(word) {
                        Some(doing) => doings.push(doing),
                        None => things.push(Thing::parse(word)?),
                    }
                }
                self.done.insert(tool, (doings, things));
            }
            Some(("known", tool)) => {
                let things: Option<Vec<Thing>> = words.map(Thing::parse).collect();
                self.known.insert(tool, things?);
            }
            Some(_) => return None,
        }
        Some(())
    }

    fn verb(&mut self, doing: Doing, written: &str) -> Option<()> {
        let (written, forms) = match written.split_once('=') {
            Some((name, forms)) => (name, Some(forms)),
            None => (written, None),
        };
        let (name, implied) = match written.split_once('/') {
            Some((name, implied)) => (name, Some(Thing::parse(implied)?)),
            None => (written, None),
        };
        let mut add = |form: String, kind: Form, plural: bool| {
            let stressed = form.ends_with(['é', 'í', 'ó']);
            let verb = Verb {
                doing,
                form: kind,
                implied,
                stressed,
                plural,
            };
            let folded = quipu_core::text::fold(&form);
            self.verbs.entry(folded).or_default().push(verb);
        };
        if name.ends_with('r') {
            add(name.to_owned(), Form::Infinitive, false);
        }
        if let Some(forms) = forms {
            let mut forms = forms.split(',');
            let (i, they, stem) = (forms.next()?, forms.next()?, forms.next()?);
            add(i.to_owned(), Form::I, false);
            add(they.to_owned(), Form::They, false);
            if stem != "-" {
                participles(stem, &mut add);
            }
        } else if let Some(stem) = name.strip_suffix("ar").filter(|_| !name.ends_with("ed")) {
            let i = match stem.as_bytes().last()? {
                b'c' => format!("{}qué", &stem[..stem.len() - 1]),
                b'g' => format!("{stem}ué"),
                b'z' => format!("{}cé", &stem[..stem.len() - 1]),
                _ => format!("{stem}é"),
            };
            add(i, Form::I, false);
            add(format!("{stem}amos"), Form::We, false);
            add(format!("{stem}ó"), Form::They, false);
            add(format!("{stem}aron"), Form::They, true);
            participles(&format!("{stem}ad"), &mut add);
        } else {
            add(name.to_owned(), Form::English, false);
        }
        Some(())
    }

    /// What a word may say, given whether its last letter has an accent.
    pub(super) fn verbs(&self, word: &str, stressed: bool) -> impl Iterator<Item = &Verb> {
        let verbs = self.verbs.get(word).into_iter().flatten();
        verbs.filter(move |verb| verb.stressed == stressed)
    }

    /// What a word says that is the name of a verb with pronouns behind it: "agendarte", "moverla".
    pub(super) fn named(&self, word: &str) -> impl Iterator<Item = &Verb> {
        let mut name = word;
        for _ in 0..MOST_PRONOUNS {
            let shorter = PRONOUNS
                .iter()
                .find_map(|pronoun| name.strip_suffix(pronoun));
            name = shorter.filter(|shorter| shorter.len() > 2).unwrap_or(name);
        }
        let named = (name != word).then(|| self.verbs.get(name)).flatten();
        let verbs = named.into_iter().flatten();
        verbs.filter(|verb| verb.form == Form::Infinitive)
    }

    pub(super) fn things(&self, word: &str) -> &[Thing] {
        self.things.get(word).map_or(&[], Vec::as_slice)
    }

    pub(super) fn can_be(&self, doing: Doing, thing: Thing) -> bool {
        let mut on = self.on.iter().filter(|(done, _)| *done == doing);
        on.any(|(_, things)| things.contains(&thing))
    }

    /// What a tool does, and to what.
    pub(in super::super) fn done(&self, tool: &str) -> Option<&(Vec<Doing>, Vec<Thing>)> {
        self.done.get(tool)
    }

    /// What a tool tells the state of.
    pub(in super::super) fn known(&self, tool: &str) -> &[Thing] {
        self.known.get(tool).map_or(&[], Vec::as_slice)
    }

    pub(in super::super) fn is(&self, list: &str, word: &str) -> bool {
        self.lists
            .get(list)
            .is_some_and(|words| words.contains(word))
    }
}

fn participles(stem: &str, add: &mut impl FnMut(String, Form, bool)) {
    for (end, plural) in [("o", false), ("a", false), ("os", true), ("as", true)] {
        add(format!("{stem}{end}"), Form::Participle, plural);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::{ALL, Access, find};

    #[test]
    fn every_tool_that_changes_something_says_what() {
        let vocabulary = Vocabulary::get();
        for tool in ALL.iter().filter(|tool| tool.access == Access::Write) {
            assert!(
                vocabulary.done(tool.name).is_some(),
                "{} does nothing",
                tool.name
            );
        }
        for tool in vocabulary.done.keys().chain(vocabulary.known.keys()) {
            assert!(find(tool).is_some(), "{tool} is no tool");
        }
    }

    #[test]
    fn verbs_are_conjugated() {
        let vocabulary = Vocabulary::get();
        let reads = |word: &str, stressed: bool| {
            vocabulary
                .verbs(word, stressed)
                .next()
                .map(|verb| verb.form)
        };
        assert_eq!(reads("agende", true), Some(Form::I));
        assert_eq!(
            reads("agende", false),
            None,
            "what is wished for is not done"
        );
        assert_eq!(reads("notifique", true), Some(Form::I));
        assert_eq!(reads("canceladas", false), Some(Form::Participle));
        assert_eq!(reads("transferido", false), Some(Form::Participle));
        assert_eq!(reads("booked", false), Some(Form::English));
        assert_eq!(reads("mover", false), Some(Form::Infinitive));
        let named = |word: &str| vocabulary.named(word).next().is_some();
        assert!(named("agendarte") && named("cancelartela") && named("avisarles"));
        assert!(!named("agendar") && !named("importante"));
    }
}
