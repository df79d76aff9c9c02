//! Subtotal, tax and total, and whether they agree with each other and with the items.

use super::amounts::{Amount, Form};
use super::items::FoundItem;
use super::labels::Kind;
use super::lines::Line;
use super::{Field, MAX_RECEIPT_ITEMS, ReceiptItem};
use crate::money::Money;

/// How sure a label alone makes an amount.
const CLEAR_LABEL: f32 = 0.75;
const DOUBTFUL_LABEL: f32 = 0.45;
/// What is taken off for letters that had to be read as digits, for an amount in another column,
/// for one without decimals, and for labels that contradict each other.
const REPAIRED: f32 = 0.15;
const PAIRED: f32 = 0.1;
const PLAIN: f32 = 0.15;
const CONTRADICTED: f32 = 0.2;
/// What an agreement of sums adds.
const AGREES: f32 = 0.2;
/// What is added by an agreement with what was paid, or with the rate of a tax.
const SUPPORTED: f32 = 0.1;
/// Nothing that was scanned is beyond doubt.
const MOST: f32 = 0.98;
/// How many amounts of a kind are weighed against each other.
const MAX_CANDIDATES: usize = 8;

pub(super) struct Sums {
    pub(super) items: Vec<ReceiptItem>,
    pub(super) subtotal: Option<Field<Money>>,
    pub(super) tax: Option<Field<Money>>,
    pub(super) total: Option<Field<Money>>,
}

#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    money: Money,
    confidence: f32,
}

impl Candidate {
    fn minor(&self) -> i128 {
        i128::from(self.money.minor)
    }

    fn field(self, more: f32) -> Field<Money> {
        Field::new(self.money, (self.confidence + more).min(MOST))
    }
}

/// One way of reading the three sums together.
#[derive(Clone, Copy)]
struct Reading {
    total: Option<Candidate>,
    subtotal: Option<Candidate>,
    tax: Option<Candidate>,
}

pub(super) fn read(lines: &[Line], found: Vec<FoundItem>) -> Sums {
    let ledger = Ledger::new(lines, &found);
    let Some(best) = ledger.best() else {
        return Sums {
            items: chosen(found, false, 0.0),
            subtotal: None,
            tax: None,
            total: None,
        };
    };
    let agrees = ledger.sums_agree(&best);
    let by_items = ledger.items_agree(&best);
    let added = |is_so: bool, worth: f32| if is_so { worth } else { 0.0 };
    let total = best.total.map(|total| {
        let paid = added(ledger.is_paid(total), SUPPORTED);
        let contradicted = !agrees && by_items.is_none() && paid == 0.0;
        let contradicted = contradicted && ledger.totals.iter().any(|t| t.money != total.money);
        let more = added(agrees, AGREES) + added(by_items.is_some(), AGREES) + paid;
        total.field(more - added(contradicted, CONTRADICTED))
    });
    let subtotal = best.subtotal.map(|subtotal| {
        let is_items = ledger.item_sums().any(|sum| sum == subtotal.minor());
        subtotal.field(added(agrees, AGREES) + added(is_items, AGREES))
    });
    let tax = best.tax.map(|tax| {
        let by_rate = added(ledger.rate_agrees(&best, tax), SUPPORTED);
        tax.field(added(agrees, AGREES) + by_rate)
    });
    let only_above = ledger.above > 0 && by_items != Some(Extent::Whole);
    Sums {
        items: chosen(found, only_above, added(by_items.is_some(), AGREES)),
        subtotal,
        tax,
        total,
    }
}

/// The items that count: below the sums there are seldom any, so those are dropped where there
/// are others, unless only all of them together make the total.
fn chosen(found: Vec<FoundItem>, only_above: bool, more: f32) -> Vec<ReceiptItem> {
    let kept = found
        .into_iter()
        .filter(|item| item.above_sums || !only_above);
    let kept = kept.take(MAX_RECEIPT_ITEMS).map(|found| {
        let mut item = found.item;
        item.confidence = (item.confidence + more).clamp(0.0, MOST);
        item
    });
    kept.collect()
}

/// Which items make up a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Above,
    Whole,
}

/// All the amounts of a ticket that have a label.
struct Ledger {
    totals: Vec<Candidate>,
    subtotals: Vec<Candidate>,
    taxes: Vec<Candidate>,
    rates: Vec<i128>,
    discount: i128,
    tip: i128,
    paid: Vec<i128>,
    change: i128,
    /// How many items stand above the sums, and what they come to; then the same for all.
    above: usize,
    above_sum: i128,
    whole: usize,
    whole_sum: i128,
}

impl Ledger {
    fn new(lines: &[Line], found: &[FoundItem]) -> Self {
        let of = |kind: Kind| {
            let lines = lines.iter();
            let found = lines.filter_map(move |line| candidate(line, kind));
            found.take(MAX_CANDIDATES).collect::<Vec<_>>()
        };
        let sum = |kind: Kind| together(of(kind).iter().map(|found| found.minor().abs()));
        let amounts = |only_above: bool| {
            let counted = found
                .iter()
                .filter(move |item| item.above_sums || !only_above);
            counted.map(|found| i128::from(found.item.amount.minor))
        };
        let is_tax = |line: &&Line| line.label.is_some_and(|label| label.kind == Kind::Tax);
        Self {
            totals: of(Kind::Total),
            subtotals: of(Kind::Subtotal),
            taxes: taxes(&of(Kind::Tax)),
            rates: lines.iter().filter(is_tax).filter_map(rate).collect(),
            discount: sum(Kind::Discount),
            tip: sum(Kind::Tip),
            paid: of(Kind::Payment).iter().map(Candidate::minor).collect(),
            change: of(Kind::Change).first().map_or(0, Candidate::minor),
            above: amounts(true).count(),
            above_sum: amounts(true).sum(),
            whole: amounts(false).count(),
            whole_sum: amounts(false).sum(),
        }
    }

    /// The reading that agrees best with itself and with the items.
    fn best(&self) -> Option<Reading> {
        let options = |candidates: &[Candidate]| -> Vec<Option<Candidate>> {
            if candidates.is_empty() {
                return vec![None];
            }
            candidates.iter().copied().map(Some).collect()
        };
        let mut best: Option<(f32, Reading)> = None;
        for total in options(&self.totals) {
            for subtotal in options(&self.subtotals) {
                for tax in options(&self.taxes) {
                    let reading = Reading {
                        total,
                        subtotal,
                        tax,
                    };
                    let worth = self.worth(&reading);
                    if best.is_none_or(|(known, _)| worth > known) {
                        best = Some((worth, reading));
                    }
                }
            }
        }
        best.map(|(_, reading)| reading)
    }

    fn worth(&self, reading: &Reading) -> f32 {
        let parts = [reading.total, reading.subtotal, reading.tax];
        let labels: f32 = parts.iter().flatten().map(|part| part.confidence).sum();
        let agreements = [
            self.sums_agree(reading),
            self.items_agree(reading).is_some(),
            reading.total.is_some_and(|total| self.is_paid(total)),
        ];
        agreements.iter().fold(labels, |worth, agrees| {
            worth + if *agrees { 1.0 } else { 0.0 }
        })
    }

    /// Whether subtotal and tax make the total, with what is taken off or added besides.
    fn sums_agree(&self, reading: &Reading) -> bool {
        let (Some(total), Some(subtotal), Some(tax)) =
            (reading.total, reading.subtotal, reading.tax)
        else {
            return false;
        };
        let sum = subtotal.minor() + tax.minor();
        let possible = [sum, sum - self.discount, sum + self.tip];
        possible.contains(&total.minor())
    }

    /// Whether the items make the total or the subtotal.
    fn items_agree(&self, reading: &Reading) -> Option<Extent> {
        let tax = reading.tax.map_or(0, |tax| tax.minor());
        let makes = |sum: i128| {
            let less = sum - self.discount;
            let possible = [sum, less, sum + tax, less + tax, sum + self.tip];
            reading
                .total
                .is_some_and(|total| possible.contains(&total.minor()))
                || (reading.total.is_none()
                    && reading
                        .subtotal
                        .is_some_and(|subtotal| subtotal.minor() == sum))
        };
        if self.above > 0 && makes(self.above_sum) {
            return Some(Extent::Above);
        }
        (self.whole > 0 && makes(self.whole_sum)).then_some(Extent::Whole)
    }

    fn item_sums(&self) -> impl Iterator<Item = i128> {
        let above = (self.above > 0).then_some(self.above_sum);
        let whole = (self.whole > 0).then_some(self.whole_sum);
        above.into_iter().chain(whole)
    }

    /// Whether it is what was paid less what was given back.
    fn is_paid(&self, total: Candidate) -> bool {
        let together: i128 = self.paid.iter().sum();
        let mut paid = self.paid.iter().copied().chain([together]);
        !self.paid.is_empty() && paid.any(|paid| paid - self.change == total.minor())
    }

    /// Whether the tax is what a rate that is printed beside it makes of the other sums.
    fn rate_agrees(&self, reading: &Reading, tax: Candidate) -> bool {
        let before = reading.subtotal.map(|subtotal| subtotal.minor());
        let within = reading.total.map(|total| total.minor() - tax.minor());
        let mut bases = before.into_iter().chain(within);
        // Each line may have been rounded by itself.
        let near = |base: i128, rate: &i128| (base * rate - tax.minor() * 100).abs() <= 200;
        tax.minor() != 0 && bases.any(|base| self.rates.iter().any(|rate| near(base, rate)))
    }
}

/// The amount of a line with a label of this kind, and how sure the line makes it.
fn candidate(line: &Line, kind: Kind) -> Option<Candidate> {
    let label = line.label.filter(|label| label.kind == kind)?;
    let price = match kind {
        // The base and the tax stand side by side, and the tax is less.
        Kind::Tax => line.prices().min_by_key(|amount| amount.money.minor.abs()),
        _ => line.prices().last(),
    };
    let plain = || -> Option<&Amount> {
        let money = label.clear && kind != Kind::Tax && kind != Kind::Discount;
        line.amounts.last().filter(|_| money)
    };
    let amount = price.or_else(plain)?;
    let several = line.prices().map(|amount| i128::from(amount.money.minor));
    let minor = if label.several {
        i64::try_from(several.sum::<i128>()).ok()?
    } else {
        amount.money.minor
    };
    let mut confidence = if label.clear {
        CLEAR_LABEL
    } else {
        DOUBTFUL_LABEL
    };
    for (is_so, less) in [
        (amount.repaired, REPAIRED),
        (line.paired, PAIRED),
        (amount.form == Form::Plain, PLAIN),
    ] {
        confidence -= if is_so { less } else { 0.0 };
    }
    Some(Candidate {
        money: Money::new(minor, amount.money.currency),
        confidence,
    })
}

/// What several amounts of a kind come to. Where one of them already is what the others come to,
/// it is their sum and does not count again.
fn together(amounts: impl Iterator<Item = i128> + Clone) -> i128 {
    let sum = amounts.clone().sum::<i128>();
    let mut amounts = amounts;
    amounts.find(|amount| amount * 2 == sum).unwrap_or(sum)
}

/// What the tax may be: a line by itself, or several kinds of tax together. Together comes first,
/// unless one line already is what the others come to.
fn taxes(lines: &[Candidate]) -> Vec<Candidate> {
    let [first, _, ..] = lines else {
        return lines.to_vec();
    };
    let sum = together(lines.iter().map(Candidate::minor));
    if let Some(whole) = lines.iter().find(|line| line.minor() == sum) {
        return vec![*whole];
    }
    let least = lines.iter().map(|line| line.confidence).fold(1.0, f32::min);
    let whole = i64::try_from(sum).ok().map(|minor| Candidate {
        money: Money::new(minor, first.money.currency),
        confidence: least,
    });
    whole.into_iter().chain(lines.iter().copied()).collect()
}

/// The rate in hundredths that a line prints, such as 16 in `IVA 16%`.
fn rate(line: &Line) -> Option<i128> {
    let (before, _) = line.text.split_once('%')?;
    let mut numbers = before
        .trim_end()
        .rsplit(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let number = numbers.next()?;
    let whole = number.split(['.', ',']).next()?;
    whole.parse().ok().filter(|rate| (1..=50).contains(rate))
}
