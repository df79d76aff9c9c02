//! In whose names visits are: one for each of those who come.

use super::PolicyRun;
use super::several::LONGEST_NAME;
use crate::read::as_name;
use crate::state::{Awaited, BookGoal};
use quipu_core::reading::{Act, SpanKind};
use quipu_core::text::preview;

/// How far behind a person their name stands, in bytes.
const MOST_BETWEEN: usize = 4;

impl PolicyRun<'_> {
    pub(super) fn take_names(&self, goal: &mut BookGoal) {
        let many = goal.visits.len() > 1;
        let names = if many {
            let given = self.names_given();
            let known = |name: &String| self.business.is_known_name(name);
            let runs = |words| {
                let runs = capital_runs(&self.heard.text, words).into_iter();
                runs.filter(|name| !known(name)).collect::<Vec<String>>()
            };
            let (full, short) = (runs(2), runs(1));
            if full.len() > given.len() {
                full
            } else if given.len() < short.len()
                && short.len() == goal.visits.len()
                && goal.visits.iter().any(|visit| visit.name.is_none())
            {
                // "A las 9 Samuel y después Martina" gives both by their first names.
                short
            } else {
                given
            }
        } else {
            self.names_given()
        };
        let taken = |name: &String| goal.visits.iter().any(|it| it.name.as_ref() == Some(name));
        let names: Vec<String> = names.into_iter().filter(|name| !taken(name)).collect();
        match (names.as_slice(), goal.visits.as_mut_slice()) {
            ([], _) => {}
            ([name, ..], [visit]) => {
                let theirs = self.name_of_other();
                visit.name = theirs.or_else(|| Some(name.clone()));
            }
            (names, visits) if names.len() == visits.len() => {
                for (visit, name) in visits.iter_mut().zip(names) {
                    visit.name = Some(name.clone());
                }
            }
            ([name, ..], visits) => {
                if let Some(visit) = visits.iter_mut().find(|visit| visit.name.is_none()) {
                    visit.name = Some(name.clone());
                }
            }
        }
        let [visit] = goal.visits.as_mut_slice() else {
            return;
        };
        // A child who is mentioned beside a yes comes along, and is not whom the visit is for.
        let agreed = self.before.awaited == Some(Awaited::Consent);
        if visit.whose.is_none() && self.heard.does(Act::Book) && !agreed {
            let other = self.heard.of(SpanKind::Other).next();
            visit.whose = other.map(|span| preview(&span.text, LONGEST_NAME));
        }
    }

    /// The name of somebody else whom the visit is for: "de mi hijita Alessia Ñaupari, yo soy la mamá".
    fn name_of_other(&self) -> Option<String> {
        let mut others = self.heard.of(SpanKind::Other);
        others.find_map(|other| {
            let mut names = self.heard.of(SpanKind::Name);
            let behind = |name: &&crate::read::HeardSpan| {
                (other.range.end..other.range.end + MOST_BETWEEN).contains(&name.range.start)
            };
            names.find(behind).and_then(|name| as_name(&name.text))
        })
    }
}

/// Names written with capitals, of so many words or more.
fn capital_runs(text: &str, words: usize) -> Vec<String> {
    let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = bare.starts_with(char::is_uppercase) && bare.chars().all(char::is_alphabetic);
        if capital && let Some(run) = runs.last_mut() {
            run.push(bare);
        }
        if !capital || word.ends_with([',', '.', ';', '!', '?', ':']) {
            runs.push(Vec::new());
        }
    }
    let names = runs.into_iter().filter(|run| run.len() >= words);
    names.filter_map(|run| as_name(&run.join(" "))).collect()
}
