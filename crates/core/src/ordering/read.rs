//! From what a customer or a model says to lines of an order.

use super::index::{Entry, Index, Said};
use super::line::{ItemReference, Line};
use super::matching::{self, Found};
use super::menu::Menu;
use super::options::{Wanted, Wish, add_note, choices_in, is_and, wishes};
use super::pieces::{Piece, Utterance, is_filler, is_wish, pieces};
use super::quantity::{self, QuantityProblem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much of a message is read. A customer who writes more has ordered by then.
const MAX_CHARS: usize = 2000;
const MOST_LINES: usize = 50;
const MOST_CANDIDATES: usize = 5;
/// How many things joined by "y" may be one: "torta de jamón y queso".
const MOST_JOINED: usize = 3;
/// In how many places a name may end and a wish begin.
const MOST_CUTS: usize = 6;

/// One thing as a model asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskedItem {
    /// What the customer calls it, or the id of an item.
    #[schema(max_length = 2000)]
    pub name: String,
    /// One when absent.
    pub quantity: Option<i64>,
    pub notes: Vec<String>,
    /// Choices by name; one that the item does not have becomes a note.
    pub options: Vec<String>,
}

/// Reads an order as a customer writes it, in one line or several. The lines come in the order in
/// which they were said, at most fifty of them; what is not about ordering anything leaves none.
#[must_use]
pub fn read_order(text: &str, menu: &Menu) -> Vec<Line> {
    let start: String = text.chars().take(MAX_CHARS).collect();
    let index = Index::new(menu);
    let utterance = Utterance::new(&start, &index);
    let mut reader = Reader {
        index: &index,
        utterance: &utterance,
        drafts: Vec::new(),
        head: None,
    };
    for piece in pieces(&utterance, &index) {
        reader.take(piece);
    }
    reader.lines()
}

/// Finds one thing by its name or id. A number inside the name is a part of it.
#[must_use]
pub fn match_item(asked: &AskedItem, menu: &Menu) -> Line {
    let name: String = asked.name.trim().chars().take(MAX_CHARS).collect();
    let index = Index::new(menu);
    let utterance = Utterance::new(&name, &index);
    let reader = Reader {
        index: &index,
        utterance: &utterance,
        drafts: Vec::new(),
        head: None,
    };
    let positions = utterance.positions();
    let by_id = menu.items.iter().position(|item| item.id == name);
    let attempt = match by_id {
        Some(entry) => Attempt {
            found: Found::One(entry),
            name: positions.len(),
        },
        None => reader.attempt(&positions),
    };
    let draft = Draft {
        quantity: Some(quantity::checked(asked.quantity.unwrap_or(1))),
        name: positions[..attempt.name].to_vec(),
        tails: vec![positions[attempt.name..].to_vec()],
        found: attempt.found,
        by_id: by_id.is_some(),
        ..Draft::default()
    };
    let options: Vec<_> = asked.options.iter().take(MOST_LINES).collect();
    let options: Vec<_> = options
        .iter()
        .map(|text| Utterance::new(text, &index))
        .collect();
    let options = options
        .iter()
        .zip(&asked.options)
        .map(|(utterance, text)| Wish {
            text: text.clone(),
            words: utterance.words(&utterance.positions()),
        });
    reader.line(&draft, &options.collect::<Vec<_>>(), &asked.notes)
}

/// What some words were found to mean, and how many of them are the name.
struct Attempt {
    found: Found,
    name: usize,
}

/// A line that may still change with what is said next.
#[derive(Default)]
struct Draft {
    quantity: Option<Result<u32, QuantityProblem>>,
    /// The words that name the item.
    name: Vec<usize>,
    /// What was said about it afterwards.
    tails: Vec<Vec<usize>>,
    found: Found,
    by_id: bool,
    /// Whether a colon follows it.
    colon: bool,
    /// How many were said to be of this kind: "tacos: dos de pastor y tres de suadero" are five.
    heads: Option<u32>,
}

/// What the next things may be kinds of.
#[derive(Clone)]
struct Head {
    words: Vec<usize>,
    /// The draft it was read into, if it may turn out to be no line of its own.
    draft: Option<usize>,
    colon: bool,
}

struct Reader<'i, 'a, 't> {
    index: &'i Index<'a>,
    utterance: &'i Utterance<'t>,
    drafts: Vec<Draft>,
    head: Option<Head>,
}

impl<'a> Reader<'_, 'a, '_> {
    /// Takes a piece, which may be several things joined by "y".
    fn take(&mut self, piece: Piece) {
        let mut piece = piece;
        while let Some(rest) = self.take_first(&mut piece) {
            piece = Piece {
                words: rest,
                colon: piece.colon,
                ..Piece::default()
            };
        }
    }

    /// Takes the first thing of a piece and returns the words that are left.
    fn take_first(&mut self, piece: &mut Piece) -> Option<Vec<usize>> {
        self.without_manners(&mut piece.words);
        if piece.words.is_empty() {
            self.number_alone(piece);
            return None;
        }
        if self.drafts.len() >= MOST_LINES || self.is_about_the_last(piece) {
            return None;
        }
        let ands: Vec<usize> = (0..piece.words.len())
            .filter(|at| is_and(self.utterance.word(piece.words[*at])))
            .chain([piece.words.len()])
            .collect();
        let ends = ands.iter().take(MOST_JOINED).rev().copied();
        let end = ends
            .clone()
            .find(|end| self.is_one_thing(piece, *end))
            .or_else(|| ends.last())
            .unwrap_or(piece.words.len());
        let rest = piece.words.get(end + 1..).map(<[usize]>::to_vec);
        let colon = piece.colon && rest.is_none();
        piece.words.truncate(end);
        self.draft(piece, colon);
        rest
    }

    /// Drops what is only good manners from both ends.
    fn without_manners(&self, words: &mut Vec<usize>) {
        let filler = |at: Option<&usize>| at.is_some_and(|at| is_filler(self.utterance.word(*at)));
        if matching::is_whole_name(self.index, &self.utterance.words(words)) {
            return;
        }
        while filler(words.last()) {
            words.pop();
        }
        let is_a_wish = self.is_wish(words);
        while !is_a_wish && filler(words.first()) {
            words.remove(0);
        }
    }

    fn is_wish(&self, words: &[usize]) -> bool {
        let words: Vec<&str> = words.iter().map(|at| self.utterance.word(*at)).collect();
        is_wish(&words)
    }

    /// "tacos al pastor: 3" and "tacos al pastor (3)". A number that counts nothing is no line,
    /// unless there is no such number.
    fn number_alone(&mut self, piece: &Piece) {
        let Some(quantity) = piece.quantity else {
            return;
        };
        match self.drafts.last_mut() {
            Some(last) if last.quantity.is_none() && last.heads.is_none() => {
                last.quantity = Some(quantity);
                last.colon = false;
            }
            _ if quantity.is_err() => self.drafts.push(Draft {
                quantity: Some(quantity),
                name: piece.number.into_iter().collect(),
                ..Draft::default()
            }),
            _ => {}
        }
    }

    /// Whether the piece only says how the last thing is wanted: ", sin cebolla", ", grande". It is
    /// kept with that thing then.
    fn is_about_the_last(&mut self, piece: &Piece) -> bool {
        let words = self.utterance.words(&piece.words);
        let Some(last) = self.drafts.last() else {
            return false;
        };
        let counted_before = piece.quantity.is_some() && last.quantity.is_some();
        if counted_before || piece.of || matching::is_whole_name(self.index, &words) {
            return false;
        }
        let is_choice = match last.found {
            Found::One(entry) if piece.quantity.is_none() => {
                let (chosen, left) = choices_in(&self.index.entries[entry], &words);
                left.is_empty() && !chosen.is_empty()
            }
            _ => false,
        };
        if !is_choice && !self.is_wish(&piece.words) {
            return false;
        }
        if let Some(last) = self.drafts.last_mut() {
            last.quantity = last.quantity.or(piece.quantity);
            last.tails.push(piece.words.clone());
        }
        true
    }

    /// Whether the words up to here are one thing with what is wanted about it.
    fn is_one_thing(&self, piece: &Piece, end: usize) -> bool {
        let words = &piece.words[..end];
        let attempt = self.attempt(words);
        let Found::One(entry) = attempt.found else {
            return attempt.found != Found::Nothing && attempt.name == words.len();
        };
        // What comes after "y" is another thing when the menu has it, unless it is a choice.
        let tail = &words[attempt.name..];
        let mut parts = tail.split(|at| is_and(self.utterance.word(*at))).skip(1);
        parts.all(|part| {
            let said = self.utterance.words(part);
            let (chosen, left) = choices_in(&self.index.entries[entry], &said);
            let is_choice = left.is_empty() && !chosen.is_empty();
            is_choice || self.is_wish(part) || !matching::is_whole_name(self.index, &said)
        })
    }

    /// Finds what the words name, giving up one wish after another from the end.
    fn attempt(&self, words: &[usize]) -> Attempt {
        // "con poco hielo" begins with its first word.
        let begins = |at: &usize| self.is_wish(&words[*at..]) && !self.is_wish(&words[at - 1..]);
        let wishes = (1..words.len()).filter(begins);
        let wishes: Vec<usize> = wishes.collect();
        let cuts = wishes.iter().rev().copied().take(MOST_CUTS);
        for name in std::iter::once(words.len()).chain(cuts) {
            let said = self.utterance.words(&words[..name]);
            let found = matching::find(self.index, &said);
            if found != Found::Nothing {
                return Attempt { found, name };
            }
        }
        Attempt {
            found: Found::Nothing,
            name: wishes.first().copied().unwrap_or(words.len()),
        }
    }

    /// Reads one thing, as a kind of what was named before it where that makes sense.
    fn draft(&mut self, piece: &Piece, colon: bool) {
        let mut quantity = piece.quantity;
        let mut words = piece.words.clone();
        let mut alone = self.attempt(&words);
        // "taco de pastor 3": a number that no name has counts what stands before it.
        if let (Found::Nothing, None, [before @ .., last]) = (&alone.found, quantity, &*words)
            && let Some(counted) = quantity::read(&[self.utterance.word(*last)])
            && counted.bare
            && !before.is_empty()
        {
            quantity = Some(counted.quantity);
            words.pop();
            alone = self.attempt(&words);
        }
        let head = self.head.clone().filter(|_| !colon);
        let as_kind = head.as_ref().map(|head| {
            let joined: Vec<usize> = head.words.iter().chain(&words).copied().collect();
            (self.attempt(&joined), head.words.len())
        });
        let kind = as_kind.filter(|(attempt, length)| attempt.name > *length);
        let kind = kind.filter(|(attempt, _)| match (&attempt.found, &alone.found) {
            (Found::Nothing, _) => false,
            (found, other) if found == other => true,
            (_, _) if piece.of => true,
            (Found::One(_), Found::One(_)) => false,
            (Found::One(_), _) => head.as_ref().is_some_and(|head| head.colon),
            (Found::Several(_), _) => false,
        });
        let (found, name) = match kind {
            Some((attempt, length)) => {
                self.count_as_kind(quantity);
                (attempt.found, attempt.name - length)
            }
            None => {
                self.head = Some(self.head_of(&words[..alone.name], &alone.found, colon));
                (alone.found, alone.name)
            }
        };
        self.drafts.push(Draft {
            quantity,
            name: words[..name].to_vec(),
            tails: vec![words[name..].to_vec()],
            found,
            colon,
            ..Draft::default()
        });
    }

    /// What the next things may be kinds of: all that was said when it did not name one thing, and
    /// else its first word, "tacos" of "tacos al pastor".
    fn head_of(&self, name: &[usize], found: &Found, colon: bool) -> Head {
        let whole = colon || matches!(found, Found::Several(_));
        let length = if whole { name.len() } else { name.len().min(1) };
        Head {
            words: name[..length].to_vec(),
            draft: whole.then_some(self.drafts.len()),
            colon,
        }
    }

    fn count_as_kind(&mut self, quantity: Option<Result<u32, QuantityProblem>>) {
        let head = self.head.as_ref().and_then(|head| head.draft);
        if let Some(draft) = head.and_then(|at| self.drafts.get_mut(at)) {
            let count = quantity.and_then(Result::ok).unwrap_or(1);
            draft.heads = Some(draft.heads.unwrap_or(0).saturating_add(count));
        }
    }

    fn lines(self) -> Vec<Line> {
        let drafts = self.drafts.iter().enumerate();
        let drafts = drafts.filter(|(at, draft)| {
            let is_heading = match (draft.heads, draft.quantity) {
                (Some(_), None) => true,
                (Some(kinds), Some(quantity)) => quantity == Ok(kinds),
                // "Mi pedido:" says nothing about the menu.
                (None, _) => {
                    let more = *at + 1 < self.drafts.len();
                    draft.colon && more && draft.found == Found::Nothing && draft.quantity.is_none()
                }
            };
            !is_heading
        });
        drafts
            .map(|(_, draft)| self.line(draft, &[], &[]))
            .collect()
    }

    fn line(&self, draft: &Draft, options: &[Wish<'_>], notes: &[String]) -> Line {
        let entry = match draft.found {
            Found::One(entry) => Some(&self.index.entries[entry]),
            _ => None,
        };
        let said = self.utterance.text_of(&draft.name);
        let quantity = match draft.quantity.unwrap_or(Ok(1)) {
            Ok(quantity) => quantity,
            Err(problem) => {
                return Line::WrongQuantity {
                    said,
                    item: entry.map(|entry| entry.item.into()),
                    problem,
                };
            }
        };
        let tails = draft.tails.iter();
        let wishes = tails.flat_map(|tail| wishes(self.utterance, entry, tail));
        if let Some(entry) = entry {
            return self
                .wanted(draft, entry, quantity, wishes, options, notes)
                .into_line();
        }
        let mut kept = Vec::new();
        for text in wishes
            .map(|wish| wish.text)
            .chain(options.iter().map(|wish| wish.text.clone()))
        {
            add_note(&mut kept, &text);
        }
        for note in notes {
            add_note(&mut kept, note);
        }
        match &draft.found {
            Found::Several(entries) => self.several(said, entries, quantity, kept),
            _ => Line::Unknown {
                near: matching::near(self.index, &self.utterance.words(&draft.name)),
                said,
                quantity,
            },
        }
    }

    fn wanted<'e, 'w>(
        &self,
        draft: &Draft,
        entry: &'e Entry<'a>,
        quantity: u32,
        wishes: impl Iterator<Item = Wish<'w>>,
        options: &[Wish<'_>],
        notes: &[String],
    ) -> Wanted<'a, 'e> {
        let mut wanted = Wanted {
            entry,
            quantity,
            chosen: Vec::new(),
            notes: Vec::new(),
        };
        if !draft.by_id {
            let name: Vec<&Said> = self.utterance.words(&draft.name);
            let beyond = matching::beyond_the_name(entry, &name);
            wanted.chosen.extend(choices_in(entry, &beyond).0);
        }
        for wish in wishes {
            wanted.add(&wish);
        }
        for wish in options {
            wanted.add(wish);
        }
        for note in notes {
            add_note(&mut wanted.notes, note);
        }
        wanted
    }

    /// Offers what can be had; where nothing can, the customer hears that.
    fn several(&self, said: String, entries: &[usize], quantity: u32, notes: Vec<String>) -> Line {
        let items = entries.iter().map(|entry| self.index.entries[*entry].item);
        let available: Vec<ItemReference> = items
            .clone()
            .filter(|item| item.available)
            .take(MOST_CANDIDATES)
            .map(ItemReference::from)
            .collect();
        match items.map(ItemReference::from).next() {
            Some(item) if available.is_empty() => Line::Unavailable { item, quantity },
            _ => Line::Ambiguous {
                said,
                candidates: available,
                quantity,
                notes,
            },
        }
    }
}
