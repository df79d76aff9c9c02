//! What is quoted together, and how it is put before the customer.

use super::units::Unit;
use quipu_core::retrieval::Passage;
use quipu_core::text::without_tags;

/// How long a list may get, in words and lines.
const LIST_WORDS: usize = 80;
const LIST_LINES: usize = 8;
/// How many sentences are quoted in a row.
const PROSE_SENTENCES: usize = 3;

/// Neighbouring units of one passage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) first: usize,
    last: usize,
    pub(super) with_heading: bool,
    /// It answers the question above it, which was not asked in so many words, and is told with it.
    pub(super) with_question: bool,
}

impl Block {
    /// A unit alone.
    pub(super) fn of(unit: usize) -> Self {
        Self {
            first: unit,
            last: unit,
            with_heading: false,
            with_question: false,
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.last - self.first + 1
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Takes in the lines of the same list before and after that belong, as far as a reader will
    /// follow.
    pub(super) fn grow(&mut self, units: &[Unit<'_>], belongs: impl Fn(usize) -> bool) {
        let start = &units[self.first];
        let (mut words, mut lines) = (start.words, self.lines());
        let mut joins = |i: usize| {
            let unit = &units[i];
            let same_list =
                unit.listed && unit.passage == start.passage && heading(unit) == heading(start);
            let fits = words + unit.words <= LIST_WORDS && lines < LIST_LINES;
            let joins = same_list && fits && belongs(i);
            if joins {
                words += unit.words;
                lines += 1;
            }
            joins
        };
        while self.first > 0 && joins(self.first - 1) {
            self.first -= 1;
        }
        while self.last + 1 < units.len() && joins(self.last + 1) {
            self.last += 1;
        }
    }

    /// Takes in the sentences right before and after that belong.
    pub(super) fn grow_prose(&mut self, units: &[Unit<'_>], belongs: impl Fn(usize) -> bool) {
        let start = &units[self.first];
        if start.listed {
            return;
        }
        let (mut words, mut lines) = (start.words, self.lines());
        let mut joins = |i: usize| {
            let unit = &units[i];
            let same =
                !unit.listed && unit.passage == start.passage && heading(unit) == heading(start);
            let fits = words + unit.words <= LIST_WORDS && lines < PROSE_SENTENCES;
            let joins = same && fits && belongs(i);
            if joins {
                words += unit.words;
                lines += 1;
            }
            joins
        };
        while self.last + 1 < units.len() && joins(self.last + 1) {
            self.last += 1;
        }
        while self.first > 0 && joins(self.first - 1) {
            self.first -= 1;
        }
    }

    /// The text for the customer, and the passage with the exact words it was taken from.
    pub(super) fn render(
        &self,
        units: &[Unit<'_>],
        passages: &[Passage],
    ) -> (String, (usize, String)) {
        let (first, last) = (&units[self.first], &units[self.last]);
        let content = &passages[first.passage].content;
        let mut quote = first.range.start..last.range.end;
        let quoted = units[self.first..=self.last].iter();
        let mut lines: Vec<String> = quoted
            .map(|unit| plain(&content[unit.range.clone()]))
            .collect();
        if self.with_heading
            && let Some(heading) = &first.heading
        {
            for line in &mut lines {
                line.insert_str(0, "- ");
            }
            let colon = if heading.asks() { "" } else { ":" };
            lines.insert(0, format!("{}{colon}", plain(heading.text)));
            // The heading belongs to the quote when nothing but the list marker lies between.
            if let Some(range) = &heading.range
                && !content[range.end..first.range.start].contains(char::is_alphanumeric)
            {
                quote.start = range.start;
            }
        }
        if self.with_question
            && let Some(heading) = &first.heading
        {
            lines.insert(0, plain(heading.text));
        }
        let between = if first.listed || self.with_heading {
            "\n"
        } else {
            " "
        };
        (
            lines.join(between),
            (first.passage, content[quote].to_owned()),
        )
    }
}

fn heading<'a>(unit: &Unit<'a>) -> Option<&'a str> {
    unit.heading.as_ref().map(|heading| heading.text)
}

/// Text without the marks of Markdown, which a chat does not show, and without tags, which a page that shows
/// the chat would obey.
fn plain(text: &str) -> String {
    without_tags(text)
        .replace("**", "")
        .replace('`', "")
        .replace(" | ", ": ")
}
