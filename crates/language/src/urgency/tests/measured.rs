//! How often the level is the one that a person gave.

use super::super::{Level, assess};
use quipu_core::language::Language;

const SENTENCES: &str = include_str!("sentences.txt");
const MORE_SENTENCES: &str = include_str!("more_sentences.txt");

/// The levels and messages of a table of sentences.
fn sentences(table: &str) -> Vec<(u8, &str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(level, text)| Some((level.parse().ok()?, text)))
        .collect()
}

#[derive(Debug, Default)]
struct Score {
    all: usize,
    exact: usize,
    /// Exact, or one level off.
    near: usize,
    /// Emergencies that nobody would be woken up for.
    missed: Vec<String>,
}

impl Score {
    /// Counts, and prints each miss with the rules that spoke.
    fn of<'a>(cases: impl IntoIterator<Item = (u8, &'a str)>) -> Self {
        let mut score = Self::default();
        for (wanted, text) in cases {
            let assessment = assess(text, Language::Es);
            let given = u8::from(assessment.level);
            score.all += 1;
            score.exact += usize::from(given == wanted);
            score.near += usize::from(given.abs_diff(wanted) <= 1);
            if wanted == u8::from(Level::Emergency) && !assessment.should_escalate {
                score.missed.push(text.to_owned());
            }
            if given != wanted {
                println!("{wanted} was given {given}: {text}");
                for reason in assessment.reasons {
                    println!("    {} {:?}", reason.rule, reason.found);
                }
            }
        }
        println!(
            "{} exact and {} near of {}",
            score.exact, score.near, score.all
        );
        score
    }

    fn holds(&self, exact_percent: usize, near_percent: usize) {
        assert!(self.missed.is_empty(), "{:?}", self.missed);
        assert!(self.exact * 100 >= self.all * exact_percent, "{self:?}");
        assert!(self.near * 100 >= self.all * near_percent, "{self:?}");
    }
}

#[test]
fn the_sentences_are_given_their_levels() {
    let score = Score::of(sentences(SENTENCES));
    assert!(score.all >= 80);
    score.holds(95, 100);
}

#[test]
fn more_sentences_are_given_their_levels() {
    let score = Score::of(sentences(MORE_SENTENCES));
    assert!(score.all >= 400);
    score.holds(95, 99);
}
