//! What is in an order, read from everything the customer said about it.

mod amounts;
mod answers;
mod edits;
mod exchanges;
mod named;
mod noted;
mod parts;
mod portions;

use super::super::folded::{folded, says};
use super::changes::{Change, Clause, clauses, counts, number, without_openers};
use super::wishes::without_wishes_for_all;
use crate::facts::token::{Token, cut};
use exchanges::{is_called, same_kind};
use named::{is_chatter, is_note, nearly_named};
use noted::brought_along;
pub(super) use portions::contrasts;
use quipu_core::language::Language;
use quipu_core::ordering::{AskedItem, Line, MAX_QUANTITY, Menu, match_item, read_order};

/// As many things as the tool takes.
const MOST_ITEMS: usize = 50;
/// How often one message may change what is ordered. Each change is looked up in the menu.
const MOST_CLAUSES: usize = 40;

/// One thing of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Item {
    pub(in super::super) name: String,
    pub(in super::super) quantity: u32,
    pub(in super::super) options: Vec<String>,
    pub(in super::super) notes: Vec<String>,
}

/// What was understood, and what still has to be asked.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Basket {
    pub(in super::super) items: Vec<Item>,
    /// What was not clear, and what was to be done with it.
    unclear: Vec<(Change, Line)>,
    /// What the last message ordered and the menu does not have.
    pub(in super::super) missed: Vec<String>,
    /// Whether the message has put something right already.
    changed: bool,
    /// How many of something the message has taken out.
    taken: u32,
    /// How many were asked for before it was said of what: "3 para recoger".
    awaited: Option<u32>,
    /// How many things there were before the message wanted some of them in another way.
    parted: Option<usize>,
}

/// How much of a message is about the things of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Heed {
    /// It may name whatever it likes.
    Everything,
    /// Something else was asked: things count that are counted, and changes.
    Counted,
    /// It answers what was asked: only what is plainly a change counts.
    Changes,
}

impl Basket {
    /// Takes in a message. `answer` says that it answers what was unclear.
    pub(in super::super) fn take(&mut self, text: &str, menu: &Menu, answer: bool, heed: Heed) {
        self.missed.clear();
        // How it is wanted, before it is known what: the question stays open.
        if self.items.is_empty() && is_note(text) {
            return;
        }
        if answer && self.clear_up(text, menu) {
            return;
        }
        if let Some(count) = self.number_before_thing(text, menu) {
            self.awaited = Some(count);
            return;
        }
        self.changed = false;
        self.taken = 0;
        self.parted = None;
        let text = &self.in_portions(text, menu, heed);
        let (text, for_all) = without_wishes_for_all(text);
        let text = &self.without_amounts(&text, menu);
        for clause in clauses(text).into_iter().take(MOST_CLAUSES) {
            self.take_clause(&clause, menu, heed);
            self.changed |= matches!(
                clause.change,
                Some(Change::Remove | Change::Set | Change::Swap)
            );
        }
        for wanted in &for_all {
            self.want_all(wanted, menu);
        }
        self.count_awaited(text);
        // What the menu does not have is told, and what it has is kept.
        if !self.items.is_empty() {
            let missed = &mut self.missed;
            self.unclear.retain(|(_, line)| match line {
                Line::Unknown { said, near, .. } if near.is_empty() => {
                    missed.push(said.clone());
                    false
                }
                _ => true,
            });
        }
        self.items.truncate(MOST_ITEMS);
        self.unclear.truncate(MOST_ITEMS);
    }

    fn take_clause(&mut self, clause: &Clause, menu: &Menu, heed: Heed) {
        let text = clause.text.as_str();
        match clause.change {
            Some(Change::Remove) => self.remove(clause, menu),
            Some(Change::Set) => self.set(clause, menu),
            Some(Change::Swap) => self.swap(clause, menu),
            Some(Change::Part(count)) if self.items.is_empty() => {
                let text = format!("{count} {text}");
                let clause = Clause {
                    text,
                    ..Clause::default()
                };
                self.add(&clause, menu, heed);
            }
            Some(Change::Part(count)) => self.part(count, text, menu),
            Some(Change::Add) => self.add(clause, menu, heed),
            None if self.note(text, menu) => {}
            None if self.note_before(text, menu, heed) => {}
            None if heed == Heed::Everything => self.add(clause, menu, heed),
            None if heed == Heed::Counted && counts(text) => self.mention(text, menu),
            None => {}
        }
    }

    /// The number with which an order opens that does not say yet of what: "3 para recoger".
    fn number_before_thing(&self, text: &str, menu: &Menu) -> Option<u32> {
        let words = folded(without_openers(text));
        let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
        let next = rest.split(' ').next().unwrap_or_default();
        let alone = matches!(
            next,
            "" | "para" | "pa" | "porfa" | "for" | "to" | "please" | "a"
        );
        let named = read_order(text, menu);
        let named = named
            .iter()
            .any(|line| !matches!(line, Line::Unknown { .. } | Line::WrongQuantity { .. }));
        let open = self.items.is_empty() && self.unclear.is_empty();
        number(first).filter(|count| open && alone && !named && (2..=MAX_QUANTITY).contains(count))
    }

    /// Counts the one thing that is named now by the number that was said before it.
    fn count_awaited(&mut self, text: &str) {
        let things = self.items.len() + self.unclear.len();
        let Some(count) = self.awaited.filter(|_| things > 0) else {
            return;
        };
        self.awaited = None;
        if things > 1 || counts(text) {
            return;
        }
        if let [item] = self.items.as_mut_slice() {
            item.quantity = count;
        }
        if let [(_, line)] = self.unclear.as_mut_slice() {
            edits::recount(line, count);
        }
    }

    /// How the last thing is wanted, and something else behind that: "sin cebolla y una coca".
    fn note_before(&mut self, text: &str, menu: &Menu, heed: Heed) -> bool {
        let joins = [" y ", " and ", ", "].into_iter();
        let mut joins = joins.filter_map(|join| text.split_once(join));
        let counted = |rest: &str| number(folded(rest).split(' ').next().unwrap_or_default());
        let Some((wish, rest)) = joins.find(|(_, rest)| counted(rest).is_some()) else {
            return false;
        };
        if !self.note(wish, menu) {
            return false;
        }
        let clause = Clause {
            text: rest.to_owned(),
            ..Clause::default()
        };
        self.take_clause(&clause, menu, heed);
        true
    }

    fn add(&mut self, clause: &Clause, menu: &Menu, heed: Heed) {
        let part = clause.text.as_str();
        let mut lines = read_order(part, menu);
        let found = lines.iter().any(|line| line.matched().is_some());
        if clause.change.is_some() && !found && self.count_last(Change::Add, part) {
            return;
        }
        // "Otro taco" is another of those that were ordered.
        let more = says(
            &folded(part),
            &["otro", "otra", "otros", "otras", "another", "more", "mas"],
        );
        if !found && more {
            let own = read_order(part, &self.own(menu));
            if own.iter().all(|line| line.matched().is_some()) && !own.is_empty() {
                lines = own;
            }
        }
        choices_behind(&mut lines, menu);
        divide(&mut lines);
        let imperative = !matches!(
            clause.by,
            "" | "tambien" | "ademas" | "also" | "mas" | "plus"
        );
        let ordered = lines
            .iter()
            .any(|line| !matches!(line, Line::Unknown { .. }));
        for line in lines {
            let chatter = !imperative && is_chatter(&line, part, ordered);
            let unknown = matches!(line, Line::Unknown { .. });
            if chatter || unknown && heed != Heed::Everything && !imperative && !counts(part) {
                continue;
            }
            self.apply(Change::Add, line, menu);
        }
    }

    fn apply(&mut self, change: Change, line: Line, menu: &Menu) {
        let line = nearly_named(line, menu);
        let Line::Matched(mut line) = line else {
            let unclear = (change, line);
            if !self.unclear.contains(&unclear) {
                self.unclear.push(unclear);
            }
            return;
        };
        let along = brought_along(&mut line.notes, menu);
        let options: Vec<String> = line
            .options
            .iter()
            .map(|option| option.choice.clone())
            .collect();
        let name = line.item.name;
        let alike = |item: &&mut Item| {
            item.name == name && item.options == options && item.notes == line.notes
        };
        match change {
            Change::Remove => self.lower(&name, line.quantity),
            Change::Set if self.has(&name) => self.count(&name, &options, line.quantity),
            _ => match self.items.iter_mut().find(alike) {
                Some(item) => {
                    item.quantity = item
                        .quantity
                        .saturating_add(line.quantity)
                        .min(MAX_QUANTITY);
                }
                None => self.items.push(Item {
                    name,
                    quantity: line.quantity,
                    options,
                    notes: line.notes,
                }),
            },
        }
        for line in along {
            self.apply(Change::Add, line, menu);
        }
    }

    /// Takes out everything that is such a thing, and says whether there was any.
    pub(in super::super) fn take_out(&mut self, is_such: impl Fn(&str) -> bool) -> bool {
        let before = self.items.len() + self.unclear.len();
        self.items.retain(|item| !is_such(&item.name));
        self.unclear.retain(|(_, line)| {
            let names = edits::names(line);
            names.is_empty() || !names.iter().all(|name| is_such(name))
        });
        self.items.len() + self.unclear.len() < before
    }

    /// "Ponle 5 más" is about what was ordered last.
    fn count_last(&mut self, change: Change, part: &str) -> bool {
        let plain = folded(part);
        let words = plain.split(' ').count();
        let mut numbers: Vec<i64> = cut(part).iter().filter_map(Token::number).collect();
        if numbers.is_empty() && words == 1 {
            numbers.extend(number(&plain).map(|number| i64::from(number) * 100));
        }
        let ([number], Some(last), 1..=2) = (numbers.as_slice(), self.items.last_mut(), words)
        else {
            return false;
        };
        let number = u32::try_from(number / 100).unwrap_or(0);
        if change == Change::Remove && number >= last.quantity {
            self.items.pop();
            return true;
        }
        last.quantity = match change {
            Change::Remove => last.quantity.saturating_sub(number),
            Change::Set => number,
            _ => last.quantity.saturating_add(number),
        }
        .clamp(1, MAX_QUANTITY);
        true
    }

    /// What has to be asked before the order can be taken.
    pub(in super::super) fn question(&self, language: Language) -> Option<String> {
        let questions: Vec<String> = self
            .unclear
            .iter()
            .take(2)
            .filter_map(|(_, line)| line.question(language))
            .collect();
        (!questions.is_empty()).then(|| questions.join(" "))
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Takes away what is said to be divided: of "dos gringas, una de pastor y una de bistec" nothing is
/// left that a choice would be missing of.
fn divide(lines: &mut Vec<Line>) {
    divide_evenly(lines);
    let mut at = 0;
    while at < lines.len() {
        let (before, behind) = lines.split_at_mut(at + 1);
        let Some(Line::MissingOption { item, quantity, .. }) = before.last_mut() else {
            at += 1;
            continue;
        };
        let parts = behind.iter().filter_map(Line::matched);
        let parts = parts.filter(|line| line.item.name == item.name);
        let parts: u32 = parts.map(|line| line.quantity).sum();
        if parts > 0 && parts >= *quantity {
            lines.remove(at);
        } else {
            *quantity -= parts;
            at += 1;
        }
    }
}

/// Takes away a number whose parts are told behind it: of "4 chelas, 2 claras y 2 oscuras" there are four. The
/// parts are of its kind and one of them is what it was taken for, so that four tacos al pastor beside two
/// others of each kind stay.
fn divide_evenly(lines: &mut Vec<Line>) {
    let plain = |line: &Line| match line {
        Line::Matched(line) if line.notes.is_empty() => {
            Some((line.item.name.clone(), line.quantity, line.options.clone()))
        }
        _ => None,
    };
    let mut at = 0;
    while at < lines.len() {
        let whole = plain(&lines[at]).filter(|(_, count, _)| *count > 1);
        let divided = whole.is_some_and(|(name, count, options)| {
            let parts = lines[at + 1..].iter().map_while(plain);
            let parts = parts.take_while(|(part, ..)| same_kind(part, &name));
            let mut sum = 0;
            let mut own = false;
            let mut several = 0;
            for (part, some, chosen) in parts {
                sum += some;
                several += 1;
                own |= part == name && chosen == options;
                if sum >= count {
                    break;
                }
            }
            sum == count && own && several > 1
        });
        if divided {
            lines.remove(at);
        }
        at += 1;
    }
}

/// Takes what stands behind a thing that has to be chosen about for its choices, where together they are as many:
/// "5 aguas de horchata, 2 chicas y 3 grandes".
fn choices_behind(lines: &mut [Line], menu: &Menu) {
    for at in 0..lines.len() {
        let (before, behind) = lines.split_at_mut(at + 1);
        let Some(Line::MissingOption {
            item,
            choices,
            quantity,
            options,
            notes,
            ..
        }) = before.last()
        else {
            continue;
        };
        let chosen = |line: &Line| {
            let (said, count) = match line {
                Line::Unknown { said, quantity, .. } => (folded(said), *quantity),
                Line::Matched(line) if line.options.is_empty() => {
                    let name = folded(&line.item.name);
                    let last = name.rsplit(' ').next().map(str::to_owned);
                    (last.unwrap_or_default(), line.quantity)
                }
                _ => return None,
            };
            let mut known = choices.iter();
            let choice = known.find(|choice| is_called(choice, &said))?;
            Some((choice.clone(), count))
        };
        let parts: Vec<(String, u32)> = behind.iter().map_while(chosen).collect();
        let sum: u32 = parts.iter().map(|(_, count)| count).sum();
        if sum != *quantity || parts.len() < 2 {
            continue;
        }
        for (line, (choice, count)) in behind.iter_mut().zip(parts) {
            let before = options.iter().map(|option| option.choice.clone());
            let asked = AskedItem {
                name: item.name.clone(),
                quantity: Some(count.into()),
                options: before.chain([choice]).collect(),
                notes: notes.clone(),
            };
            *line = match_item(&asked, menu);
        }
    }
}
