//! What the words at the beginning of a line say about its amounts.

mod vocabulary;

use super::amounts::Amount;
use super::lines::{self, Line, Piece};
pub(super) use vocabulary::{Word, word_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Subtotal,
    Tax,
    Total,
    Discount,
    Tip,
    Payment,
    Change,
    /// How many things were bought, and other numbers that are no money of this sale.
    Other,
}

impl Kind {
    /// Whether an amount belongs to such a line, which may stand in a column beside it.
    const fn wants_amount(self) -> bool {
        !matches!(self, Self::Other)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) kind: Kind,
    /// Whether every word of the line belongs to the label and is written as it should be.
    pub(super) clear: bool,
    /// Whether the line has several amounts of its kind, which are to be added.
    pub(super) several: bool,
}

/// The words of a line as a label sees them.
struct Words {
    words: Vec<Option<Word>>,
    misspelled: bool,
}

impl Words {
    fn of(pieces: &[Piece], amounts: &[Amount]) -> Self {
        let mut misspelled = false;
        let words = lines::words(pieces, amounts)
            // Signs and single letters around a label are dirt.
            .filter(|piece| piece.shape.chars().count() > 1 && lines::letters(&piece.written) > 0)
            .map(|piece| {
                let (word, exact) = word_of(&piece.shape)?;
                misspelled |= !exact;
                Some(word)
            });
        Self {
            words: words.collect(),
            misspelled,
        }
    }

    fn has(&self, word: Word) -> bool {
        self.words.contains(&Some(word))
    }

    /// The first word that says something.
    fn first(&self) -> Option<Word> {
        let mut words = self.words.iter();
        *words.find(|word| **word != Some(Word::Small))?
    }

    fn all_known(&self) -> bool {
        self.words.iter().all(Option::is_some)
    }
}

/// What the line is about, by its words. Most lines are about something that was bought or about
/// the shop, and have no label.
pub(super) fn label(pieces: &[Piece], amounts: &[Amount]) -> Option<Label> {
    let words = Words::of(pieces, amounts);
    let first = words.first()?;
    let prices = amounts.iter().filter(|amount| amount.is_price()).count();
    // So many pieces at a price, which make an amount, are something that was bought.
    if first == Word::Pieces && prices > 1 {
        return None;
    }
    let kind = kind(first, &words)?;
    let taxes = words.words.iter().filter(|word| **word == Some(Word::Tax));
    Some(Label {
        kind,
        several: prices > 1 && taxes.count() == prices && !words.has(Word::Base),
        clear: words.all_known()
            && !words.misspelled
            && (first != Word::Amount || words.has(Word::Total) || words.has(Word::Payable)),
    })
}

fn kind(first: Word, words: &Words) -> Option<Kind> {
    let leads = matches!(first, Word::Total | Word::Amount | Word::Number);
    let includes = words.has(Word::Including);
    let known = words.all_known();
    Some(match first {
        Word::Never => Kind::Other,
        _ if leads && (words.has(Word::Pieces) || words.has(Word::Never)) => Kind::Other,
        Word::Pieces if known => Kind::Other,
        _ if first == Word::Discount || (leads && words.has(Word::Discount)) => Kind::Discount,
        Word::Promotion if known => Kind::Discount,
        // What a customer gets back is said in so many words; a change of oil is bought.
        Word::Change if known => Kind::Change,
        _ if first == Word::Tip || (leads && words.has(Word::Tip)) => Kind::Tip,
        Word::Payment | Word::Paid => Kind::Payment,
        Word::Total | Word::Amount if words.has(Word::Payment) => Kind::Payment,
        Word::Tax => Kind::Tax,
        // The national tax on consumption of Colombia is written like "included".
        Word::Including if known => Kind::Tax,
        Word::Net if words.has(Word::Payable) => Kind::Total,
        Word::Base | Word::Subtotal | Word::Net => Kind::Subtotal,
        Word::Sub if words.has(Word::Total) => Kind::Subtotal,
        Word::Total | Word::Amount if words.has(Word::Without) || words.has(Word::Base) => {
            Kind::Subtotal
        }
        Word::Total if words.has(Word::Subtotal) => Kind::Subtotal,
        Word::Total | Word::Amount if words.has(Word::Tax) && !includes => Kind::Tax,
        Word::Total | Word::Payable => Kind::Total,
        Word::Amount if known => Kind::Total,
        _ => return None,
    })
}

/// Gives the labels of a column the amounts of the column that a scanner put below it.
///
/// Where there are more amounts than labels, the first ones may be those of the things that were
/// bought, whose names stand above the labels; such a label is not clear any more. Otherwise nobody
/// can tell what belongs to what, and nothing is given.
pub(super) fn pair_columns(lines: &mut [Line]) {
    let mut at = 0;
    let mut names = 0;
    while at < lines.len() {
        let labels = count(&lines[at..], wants_amount);
        if labels == 0 {
            names = if lines[at].is_only_words() {
                names + 1
            } else {
                0
            };
            at += 1;
            continue;
        }
        let column = at + labels;
        let amounts = count(&lines[column..], Line::is_only_amounts);
        if labels == 1 && take_table(&mut lines[at..column + amounts]) {
            at = column + amounts;
            names = 0;
            continue;
        }
        let spare = amounts.checked_sub(labels).filter(|spare| *spare <= names);
        if let Some(spare) = spare {
            let (above, below) = lines.split_at_mut(column);
            for (label, amount) in above[at..].iter_mut().zip(&mut below[spare..]) {
                take(label, amount, spare == 0);
            }
        }
        at = column + amounts;
        names = 0;
    }
}

/// Gives the heading of a table of taxes the tax of each of its rows, which have a rate, a base and
/// a tax that is less.
fn take_table(lines: &mut [Line]) -> bool {
    let Some((heading, rows)) = lines.split_first_mut() else {
        return false;
    };
    let Some(label) = heading
        .label
        .as_mut()
        .filter(|label| label.kind == Kind::Tax)
    else {
        return false;
    };
    let is_row = |line: &Line| line.text.contains('%') && line.prices().count() > 1;
    if rows.is_empty() || !rows.iter().all(is_row) {
        return false;
    }
    label.several = true;
    heading.paired = true;
    for row in rows {
        let least = row.prices().min_by_key(|price| price.money.minor.abs());
        heading.amounts.extend(least.cloned());
        row.taken = true;
    }
    true
}

fn count(lines: &[Line], is_so: impl Fn(&Line) -> bool) -> usize {
    lines.iter().take_while(|line| is_so(line)).count()
}

fn wants_amount(line: &Line) -> bool {
    line.amounts.is_empty() && line.label.is_some_and(|label| label.kind.wants_amount())
}

fn take(line: &mut Line, amount: &mut Line, clear: bool) {
    line.amounts = amount.amounts.clone();
    line.paired = true;
    amount.taken = true;
    if let Some(label) = &mut line.label {
        label.clear &= clear;
    }
}
