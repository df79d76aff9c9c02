//! Lines with the marks of `WhatsApp`.
//!
//! `WhatsApp` takes a sign for the beginning of a mark where no letter stands before it and no space behind
//! it, and for its end the other way round. Where a mark could not be seen as one it is left out, and
//! where a sign would be seen as a mark by mistake it is written with one that only looks like it.

use super::block::{Line, LineKind};
use super::inline::{Run, RunKind, Style};

/// The signs of marks, and what looks like them.
const SIGNS: [(char, char); 4] = [('*', '∗'), ('_', '＿'), ('~', '∼'), ('`', '‵')];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was written as it is.
    Written,
    /// It is a mark.
    Mark,
    /// It may not be changed: code and addresses.
    Fixed,
}

#[derive(Default)]
struct Writer {
    signs: Vec<(char, Origin)>,
}

pub(super) fn line(line: &Line) -> String {
    let mut writer = Writer::default();
    let lead = match line.kind {
        LineKind::Quote => "> ",
        _ => line.lead.as_str(),
    };
    let runs = match line.kind {
        LineKind::Heading => emphasised(&line.runs),
        _ => line.runs.clone(),
    };
    for (at, run) in runs.iter().enumerate() {
        let next = runs[at + 1..].iter().find_map(first_sign);
        writer.run(run, next);
    }
    format!("{lead}{}", writer.harmless())
}

/// All words in bold, as one run where they stand beside each other.
fn emphasised(runs: &[Run]) -> Vec<Run> {
    let mut whole: Vec<Run> = Vec::new();
    for run in runs {
        let bold = run.kind == RunKind::Words;
        match whole.last_mut() {
            Some(last) if bold && last.kind == RunKind::Words => last.text.push_str(&run.text),
            _ => {
                let style = Style {
                    bold,
                    ..Style::default()
                };
                whole.push(Run {
                    style,
                    ..run.clone()
                });
            }
        }
    }
    whole
}

fn first_sign(run: &Run) -> Option<char> {
    match run.kind {
        RunKind::Code => Some('`'),
        _ => run.text.chars().next(),
    }
}

impl Writer {
    fn run(&mut self, run: &Run, next: Option<char>) {
        match run.kind {
            RunKind::Code => {
                let mark = if run.text.contains('`') { "```" } else { "`" };
                self.push(mark, Origin::Mark);
                self.push(&run.text, Origin::Fixed);
                self.push(mark, Origin::Mark);
            }
            RunKind::Address => self.push(&run.text, Origin::Fixed),
            RunKind::Joint => self.push(&run.text, Origin::Written),
            RunKind::Words => self.words(&run.text, run.style, next),
        }
    }

    fn words(&mut self, text: &str, style: Style, next: Option<char>) {
        let core = text.trim();
        let begin = text.len() - text.trim_start().len();
        let (before, behind) = (&text[..begin], &text[begin + core.len()..]);
        self.push(before, Origin::Written);
        let last = self.signs.last().map(|(sign, _)| *sign);
        let next = behind.chars().next().or(next);
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let marks = marks(style);
        if core.is_empty() || is_letter(last) || is_letter(next) {
            self.push(core, Origin::Written);
        } else {
            self.push(&marks.concat(), Origin::Mark);
            self.push(core, Origin::Written);
            let ends: String = marks.iter().rev().copied().collect();
            self.push(&ends, Origin::Mark);
        }
        self.push(behind, Origin::Written);
    }

    fn push(&mut self, text: &str, origin: Origin) {
        self.signs.extend(text.chars().map(|sign| (sign, origin)));
    }

    /// The line, in which nothing is taken for a mark that is none.
    fn harmless(mut self) -> String {
        for (sign, alike) in SIGNS {
            let places = self.mistakable(sign);
            for at in places {
                self.signs[at].0 = alike;
            }
        }
        self.signs.iter().map(|(sign, _)| *sign).collect()
    }

    /// Where a sign stands that is no mark and would be taken for one.
    fn mistakable(&self, sign: char) -> Vec<usize> {
        let at = |at: Option<usize>| at.and_then(|at| self.signs.get(at)).map(|(sign, _)| *sign);
        let written = |place: &usize| self.signs[*place] == (sign, Origin::Written);
        let places: Vec<usize> = (0..self.signs.len()).filter(written).collect();
        let any = sign == '`';
        let opens = |place: &usize| {
            let (before, behind) = (at(place.checked_sub(1)), at(Some(place + 1)));
            let begins = !before.is_some_and(char::is_alphanumeric);
            any || begins && behind.is_some_and(|c| !c.is_whitespace())
        };
        let closes = |place: &usize| {
            let (before, behind) = (at(place.checked_sub(1)), at(Some(place + 1)));
            let ends = !behind.is_some_and(char::is_alphanumeric);
            any || ends && before.is_some_and(|c| !c.is_whitespace())
        };
        let has_mark = self.signs.contains(&(sign, Origin::Mark));
        let first = places.iter().copied().find(opens);
        let last = places.iter().copied().rev().find(closes);
        let pair = matches!((first, last), (Some(first), Some(last)) if last > first + 1);
        if has_mark || pair {
            places
                .into_iter()
                .filter(|place| opens(place) || closes(place))
                .collect()
        } else {
            Vec::new()
        }
    }
}

fn marks(style: Style) -> Vec<&'static str> {
    let marks = [(style.bold, "*"), (style.italic, "_"), (style.struck, "~")];
    let given = marks.iter().filter(|(given, _)| *given);
    given.map(|(_, mark)| *mark).collect()
}
