//! The terms of a partition, looked up where they are kept.

use super::View;
use crate::fault::{Fault, Outcome};
use quipu_core::analysis::{Vocabulary, meant_by, one_letter_apart};
use std::cell::RefCell;
use std::collections::BTreeSet;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, TERMINATED, Term};

/// A vocabulary that remembers what went wrong while it was read.
pub(crate) struct Terms<'a> {
    view: &'a View,
    fault: RefCell<Option<Fault>>,
}

impl<'a> Terms<'a> {
    pub(crate) fn new(view: &'a View) -> Self {
        Self {
            view,
            fault: RefCell::new(None),
        }
    }

    /// Whether all that was asked could be answered.
    pub(crate) fn finish(self) -> Outcome<()> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }

    fn or_note<T: Default>(&self, outcome: Outcome<T>) -> T {
        outcome.unwrap_or_else(|fault| {
            *self.fault.borrow_mut() = Some(fault);
            T::default()
        })
    }

    fn occurs(&self, term: &str) -> Outcome<bool> {
        let term = Term::from_field_text(self.view.fields.terms, term);
        for (reader, _) in &self.view.segments {
            if occurs_in(reader, &term)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn beginning(&self, initials: &[char], same: &dyn Fn(&str) -> bool) -> Outcome<Vec<String>> {
        let field = self.view.fields.terms;
        let mut found = BTreeSet::new();
        for (reader, _) in &self.view.segments {
            let index = reader.inverted_index(field)?;
            for initial in initials {
                let from = initial.to_string();
                let mut stream = index.terms().range().ge(&from).into_stream()?;
                while stream.advance() {
                    let Ok(known) = std::str::from_utf8(stream.key()) else {
                        continue;
                    };
                    if !known.starts_with(*initial) {
                        break;
                    }
                    if same(known)
                        && !found.contains(known)
                        && occurs_in(reader, &Term::from_field_text(field, known))?
                    {
                        found.insert(known.to_owned());
                    }
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    fn similar(&self, term: &str) -> Outcome<Vec<String>> {
        let field = self.view.fields.terms;
        let query = FuzzyTermQuery::new(Term::from_field_text(field, term), 1, true);
        let mut found = BTreeSet::new();
        for (reader, _) in &self.view.segments {
            let index = reader.inverted_index(field)?;
            let mut stream = index.terms().search(query.automaton()?).into_stream()?;
            while stream.advance() {
                let Ok(known) = std::str::from_utf8(stream.key()) else {
                    continue;
                };
                if one_letter_apart(term, known)
                    && !found.contains(known)
                    && occurs_in(reader, &Term::from_field_text(field, known))?
                {
                    found.insert(known.to_owned());
                }
            }
        }
        Ok(found.into_iter().collect())
    }
}

/// Whether a chunk of the segment has the term, and not only one that was deleted.
fn occurs_in(reader: &SegmentReader, term: &Term) -> Outcome<bool> {
    let index = reader.inverted_index(term.field())?;
    let Some(info) = index.get_term_info(term)? else {
        return Ok(false);
    };
    let Some(alive) = reader.alive_bitset() else {
        return Ok(true);
    };
    let mut postings = index.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
    while postings.doc() != TERMINATED {
        if alive.is_alive(postings.doc()) {
            return Ok(true);
        }
        postings.advance();
    }
    Ok(false)
}

impl Vocabulary for Terms<'_> {
    fn has(&self, term: &str) -> bool {
        self.or_note(self.occurs(term))
    }

    fn near(&self, term: &str) -> Vec<String> {
        self.or_note(self.similar(term))
    }

    fn like(&self, initials: &[char], same: &dyn Fn(&str) -> bool) -> Vec<String> {
        self.or_note(self.beginning(initials, same))
    }

    fn instead_of(&self, typed: &str) -> Vec<String> {
        if let Some(known) = self.view.meant.get(typed) {
            return known.to_vec();
        }
        let meant = meant_by(typed, self);
        // What could not be read is asked again.
        if self.fault.borrow().is_none() {
            self.view.meant.insert(typed, meant.clone().into());
        }
        meant
    }
}
