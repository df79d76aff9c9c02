//! How a message changes an order that is being taken: what is added, taken out, counted anew,
//! exchanged or wanted in another way.

mod words;

use super::super::folded::folded;
use super::wishes::{how_wanted, without_wishes_for_all};
use words::{ARTICLES, COMING, FOR, INSTEAD, NUMBERS, OF_THEM, OPENERS, TRIGGERS, WISHES};

/// What puts something in the place of what was named before it.
const KINDS: &[&str] = &["mejor", "sean", "serian"];
/// Words that only open something are no longer than this, in bytes.
const LONGEST_OPENING: usize = 200;

/// What a part of a message does with the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Remove,
    /// So many and no more.
    Set,
    /// It goes out, and what stands in [`Clause::instead`] comes in.
    Swap,
    /// So many of them are wanted as is said here.
    Part(u32),
}

/// A part of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) change: Option<Change>,
    /// The words that said what it does, folded.
    pub(super) by: &'static str,
    pub(super) text: String,
    pub(super) instead: Option<String>,
}

/// The number that a folded word is.
pub(super) fn number(word: &str) -> Option<u32> {
    let known = NUMBERS.iter().find(|(name, _)| *name == word);
    known
        .map(|(_, number)| *number)
        .or_else(|| word.parse().ok().filter(|number| *number > 0))
}

/// Whether a text says how many.
pub(super) fn counts(text: &str) -> bool {
    folded(text).split(' ').any(|word| number(word).is_some())
}

pub(super) fn is_article(word: &str) -> bool {
    ARTICLES.contains(&word)
}

/// A text without the words that only open it, as in "y la horchata".
pub(super) fn without_openers(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = folded(&rest[..end]);
        if rest.is_empty() || !(word.is_empty() || OPENERS.contains(&word.as_str())) {
            return rest;
        }
        rest = rest[end..].trim_start();
    }
}

/// A text without the words at its end that only open what follows: "los de pastor que".
fn without_closers(text: &str) -> &str {
    let mut rest = text.trim_end();
    while let Some((before, last)) = rest.rsplit_once(char::is_whitespace) {
        if !OPENERS.contains(&folded(last).as_str()) {
            break;
        }
        rest = before.trim_end();
    }
    rest.trim_end_matches([',', ':'])
}

/// Whether a message takes something out of the order, counts it anew or says how some of it are
/// wanted, whatever else it may look like.
pub(in super::super) fn edits(text: &str) -> bool {
    let edits = |clause: &Clause| !matches!(clause.change, None | Some(Change::Add));
    clauses(text).iter().any(edits)
        || how_wanted(text).is_some()
        || !without_wishes_for_all(text).1.is_empty()
}

/// Whether a message changes the order in any way, so that what was asked about it holds no more.
pub(super) fn amends(text: &str) -> bool {
    clauses(text).iter().any(|clause| clause.change.is_some())
}

/// Cuts a message where it changes what was ordered: "quítale una gringa y ponle una de jamaica".
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let words: Vec<(&str, String)> = text
        .split_inclusive(char::is_whitespace)
        .map(|word| (word, folded(word)))
        .collect();
    let mut cut = Cut::default();
    let mut at = 0;
    while let Some((word, _)) = words.get(at) {
        let ahead = words[at..].iter().take(4);
        let ahead: Vec<&str> = ahead.map(|(_, word)| word.as_str()).collect();
        at += cut.opened(&ahead).unwrap_or_else(|| {
            cut.push(word);
            1
        });
        // What stands behind a full stop is another matter.
        let before = words[at - 1].0;
        if before.contains('\n') || before.trim_end().ends_with(['.', ';', '!']) {
            cut.finish();
        }
    }
    cut.finish();
    cut.clauses
}

/// How many of the words a phrase takes that they begin with. `beginnings` are the first word, the
/// first two, and so on.
fn length(phrase: &str, beginnings: &[String]) -> Option<usize> {
    let found = beginnings.iter().position(|words| words == phrase)?;
    Some(found + 1)
}

#[derive(Default)]
struct Cut {
    clauses: Vec<Clause>,
    current: Clause,
    /// Whether what comes in the place of something is being said.
    replacing: bool,
}

impl Cut {
    fn push(&mut self, word: &str) {
        match &mut self.current.instead {
            Some(instead) if self.replacing => instead.push_str(word),
            _ => self.current.text.push_str(word),
        }
    }

    fn finish(&mut self) {
        let clause = std::mem::take(&mut self.current);
        self.replacing = false;
        let empty = folded(&clause.text).is_empty();
        match clause.change {
            None if empty => {}
            // "Una coca más" adds, and "una coca menos" takes away.
            Some(change @ (Change::Add | Change::Remove)) if empty => {
                if let Some(before) = self.clauses.last_mut().filter(|it| it.change.is_none()) {
                    before.change = Some(change);
                }
            }
            // "Los de pastor cámbialos por tripa" says first what is exchanged.
            Some(Change::Swap) if empty => {
                let named = self.clauses.pop_if(|before| before.change.is_none());
                let text = named.map_or_else(String::new, |named| named.text);
                self.clauses.push(Clause { text, ..clause });
            }
            // "Los de bistec mejor de lengua" says first which ones, and so does "the beef ones".
            Some(Change::Set) if KINDS.contains(&clause.by) && !counts(&clause.text) => {
                // "2 de los de bistec que sean de lengua" says how many of them.
                let some = self
                    .clauses
                    .pop_if(|before| matches!(before.change, Some(Change::Part(_))));
                if let Some(Clause {
                    change: Some(Change::Part(count)),
                    text,
                    ..
                }) = some
                {
                    self.clauses.push(Clause {
                        change: Some(Change::Swap),
                        text: format!("{count} {}", without_closers(&text)),
                        instead: Some(clause.text),
                        by: clause.by,
                    });
                    return;
                }
                let named = |before: &mut Clause| {
                    let first = folded(without_openers(&before.text));
                    let first = first.split(' ').next().unwrap_or_default();
                    before.change.is_none() && is_article(first) && !counts(&before.text)
                };
                match self.clauses.pop_if(named) {
                    Some(named) => self.clauses.push(Clause {
                        change: Some(Change::Swap),
                        text: without_closers(&named.text).to_owned(),
                        instead: Some(clause.text),
                        by: clause.by,
                    }),
                    None => self.clauses.push(clause),
                }
            }
            _ => self.clauses.push(clause),
        }
    }

    fn begin(&mut self, change: Change, by: &'static str) {
        self.finish();
        self.current.change = Some(change);
        self.current.by = by;
    }

    /// Whether nothing of a thing was said yet.
    fn is_fresh(&self) -> bool {
        let text = self.current.text.trim_end();
        let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        text.len() <= LONGEST_OPENING && without_openers(text).is_empty()
            || text.ends_with([',', ':'])
            || matches!(folded(last).as_str(), "y" | "and" | "pero" | "sino" | "but")
    }

    /// Begins another clause where these words do, and says how many of them did it.
    fn opened(&mut self, ahead: &[&str]) -> Option<usize> {
        let beginnings: Vec<String> = (1..=ahead.len()).map(|n| ahead[..n].join(" ")).collect();
        let instead = INSTEAD
            .iter()
            .find_map(|phrase| length(phrase, &beginnings));
        if let Some(length) = instead {
            // "En lugar de bistec que sean de lengua" says first what goes out.
            if self.is_fresh() {
                self.begin(Change::Swap, "instead");
                return Some(length);
            }
            self.current.instead = Some(std::mem::take(&mut self.current.text));
            self.current.change = Some(Change::Swap);
            return Some(length);
        }
        let first = *ahead.first()?;
        if self.current.by == "instead" && self.current.instead.is_none() {
            let named = !folded(&self.current.text).is_empty();
            let comes = COMING.iter().find_map(|phrase| length(phrase, &beginnings));
            if let Some(length) = comes.filter(|_| named) {
                self.current.instead = Some(String::new());
                self.replacing = true;
                return Some(length);
            }
        }
        if self.current.change == Some(Change::Swap)
            && self.current.instead.is_none()
            && FOR.contains(&first)
        {
            self.current.instead = Some(String::new());
            self.replacing = true;
            return Some(1);
        }
        // "Cámbiamelos a lengua": it may lead to a place as well, which exchanges nothing.
        if self.current.change == Some(Change::Swap)
            && self.current.instead.is_none()
            && matches!(first, "a" | "al" | "to")
        {
            self.current.instead = Some(String::new());
            self.current.by = "a";
            self.replacing = true;
            return Some(1);
        }
        let next = ahead.get(1).copied().unwrap_or_default();
        // "Nada más" asks for nothing, and what comes behind it is another matter.
        if matches!(
            (first, next),
            ("nada", "mas") | ("nothing", "else" | "more")
        ) {
            self.finish();
            return Some(2);
        }
        // "Sólo 2" is so many and no more; "sólo una pregunta" counts nothing.
        let few = matches!(first, "solo" | "solamente" | "only" | "just");
        if few && number(next).is_some_and(|count| count > 1) {
            self.begin(Change::Set, "solo");
            return Some(1);
        }
        // "No quiero tacos, quiero una torta": what is wanted is taken out of nothing.
        let wishes = WISHES.contains(&first) || first == "i" && WISHES.contains(&next);
        if self.current.change == Some(Change::Remove) && self.is_fresh() && wishes {
            self.finish();
        }
        if self.is_fresh() {
            let without = matches!(first, "sin" | "without");
            if without && is_article(next) {
                self.begin(Change::Remove, "sin");
                return Some(1);
            }
            let behind = ahead[1..].join(" ");
            let some = OF_THEM.iter().any(|of| behind.starts_with(of));
            // "2 con una coca" brings something else.
            let third = ahead.get(2).copied().unwrap_or_default();
            let plain = !third.is_empty() && number(third).is_none() && !is_article(third);
            let apart = matches!(next, "sin" | "without")
                || matches!(next, "con" | "with") && plain
                || matches!(next, "bien" | "muy" | "well" | "very")
                    && how_wanted(&behind).is_some();
            // "Swap two of them for suadero" says how many go out.
            let swaps = self.current.change == Some(Change::Swap);
            if let Some(count) = number(first).filter(|_| (some || apart) && !swaps) {
                self.begin(Change::Part(count), "");
                return Some(if some { 3 } else { 1 });
            }
        }
        let found = TRIGGERS.iter().flat_map(|(change, phrases)| {
            let known = phrases.iter();
            known.filter_map(|phrase| Some((length(phrase, &beginnings)?, *change, *phrase)))
        });
        let (length, change, phrase) = found.max_by_key(|(length, ..)| *length)?;
        self.begin(change, phrase);
        // The article tells that the thing is in the order already.
        let article = phrase.rsplit(' ').next().is_some_and(is_article);
        Some(length - usize::from(article))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_where_it_changes_the_order() {
        let cut = |text: &str| -> Vec<(Option<Change>, String)> {
            let clauses = clauses(text).into_iter();
            clauses
                .map(|clause| (clause.change, folded(&clause.text)))
                .collect()
        };
        let (add, remove) = (Some(Change::Add), Some(Change::Remove));
        for (text, found) in [
            (
                "quítale una gringa y ponle dos flanes",
                vec![(remove, "una gringa y"), (add, "dos flanes")],
            ),
            ("ya no quiero la torta", vec![(remove, "la torta")]),
            (
                "I don't want the flan",
                vec![(None, "i"), (remove, "the flan")],
            ),
            ("sin la horchata", vec![(remove, "la horchata")]),
            ("2 tacos sin cebolla", vec![(None, "2 tacos sin cebolla")]),
            ("un flan más", vec![(add, "un flan")]),
            (
                "un flan, nada más, mañana 5pm",
                vec![(None, "un flan"), (None, "mañana 5pm")],
            ),
            ("sólo 2 flanes", vec![(Some(Change::Set), "2 flanes")]),
            (
                "uno de los tacos sin salsa",
                vec![(Some(Change::Part(1)), "tacos sin salsa")],
            ),
            (
                "3 tacos, dos sin salsa",
                vec![(None, "3 tacos"), (Some(Change::Part(2)), "sin salsa")],
            ),
            (
                "make it four tacos",
                vec![(Some(Change::Set), "it four tacos")],
            ),
        ] {
            let found: Vec<_> = found
                .into_iter()
                .map(|(change, text)| (change, text.to_owned()))
                .collect();
            assert_eq!(cut(text), found, "{text}");
        }
        for text in ["cambia el flan por un café", "un café en vez del flan"] {
            let cut = clauses(text);
            assert_eq!(cut[0].change, Some(Change::Swap), "{text}");
            let instead = cut[0].instead.as_deref().map(folded);
            assert_eq!(instead.as_deref(), Some("un cafe"), "{text}");
            assert!(folded(&cut[0].text).ends_with("flan"), "{text}");
        }
    }
}
