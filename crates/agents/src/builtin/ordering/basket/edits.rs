//! What is taken out of an order, counted anew or wanted in another way.

use super::super::super::folded::folded;
use super::super::changes::{Change, Clause, counts, number};
use super::super::wishes::{ForAll, how_wanted, is_for};
use super::named::things;
use super::noted::add_to;
use super::portions::spared;
use super::{Basket, Item};
use quipu_core::ordering::{Line, MAX_QUANTITY, Menu, MenuItem, OrderLine, read_order};

impl Basket {
    pub(super) fn has(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name)
    }

    /// So many of a thing and no more, however many lines it stands in. Those of a choice are counted
    /// by themselves: "que sean dos de pastor".
    pub(super) fn count(&mut self, name: &str, options: &[String], quantity: u32) {
        let quantity = quantity.clamp(1, MAX_QUANTITY);
        let chosen = |item: &&mut Item| {
            let mut wanted = options.iter();
            item.name == name && wanted.all(|option| item.options.contains(option))
        };
        if !options.is_empty()
            && let Some(item) = self.items.iter_mut().rfind(chosen)
        {
            item.quantity = quantity;
            return;
        }
        let ordered = self.items.iter().filter(|item| item.name == name);
        let ordered: u32 = ordered.map(|item| item.quantity).sum();
        if ordered > quantity {
            self.lower(name, ordered - quantity);
            return;
        }
        let mut named = self.items.iter_mut().filter(|item| item.name == name);
        if let Some(item) = named.next_back() {
            item.quantity += quantity - ordered;
        }
    }

    /// So many less of a thing, the latest first.
    pub(super) fn lower(&mut self, name: &str, by: u32) {
        let mut left = by;
        for item in self.items.iter_mut().rev().filter(|item| item.name == name) {
            let taken = left.min(item.quantity);
            item.quantity -= taken;
            left -= taken;
        }
        self.items.retain(|item| item.quantity > 0);
    }

    /// The part of the menu that was ordered. What something is called there tells which of the
    /// ordered things is meant, and nothing has to be chosen again.
    pub(super) fn own(&self, menu: &Menu) -> Menu {
        let pending = |name: &str| {
            let mut unclear = self.unclear.iter();
            unclear.any(|(_, line)| names(line).contains(&name))
        };
        let ordered = menu.items.iter();
        let ordered = ordered.filter(|item| self.has(&item.name) || pending(&item.name));
        let plain = |item: &MenuItem| {
            let mut item = item.clone();
            item.available = true;
            for group in &mut item.options {
                group.required = false;
                group.min = 0;
            }
            item
        };
        Menu {
            currency: menu.currency,
            items: ordered.map(plain).collect(),
        }
    }

    /// "Quita una horchata", "ya no quiero la quesadilla".
    pub(super) fn remove(&mut self, clause: &Clause, menu: &Menu) {
        let own = self.own(menu);
        if let Some(kept) = spared(&clause.text) {
            let lines = read_order(kept, &own);
            let kept: Vec<&str> = lines.iter().flat_map(names).collect();
            if !kept.is_empty() {
                self.items.retain(|item| kept.contains(&item.name.as_str()));
                self.unclear.clear();
            }
            return;
        }
        for part in things(&clause.text, &own) {
            if self.count_last(Change::Remove, part) {
                continue;
            }
            match read_order(part, &own).into_iter().next() {
                Some(Line::Matched(line)) => {
                    let name = line.item.name.as_str();
                    self.unclear
                        .retain(|(_, line)| !names(line).contains(&name));
                    let by = if counts(part) {
                        line.quantity
                    } else {
                        u32::MAX
                    };
                    let before: u32 = self.items.iter().map(|item| item.quantity).sum();
                    self.lower(name, by);
                    let left: u32 = self.items.iter().map(|item| item.quantity).sum();
                    self.taken = before - left;
                }
                Some(line @ Line::Ambiguous { .. }) => self.unclear.push((Change::Remove, line)),
                _ => self.leave_off(part, clause.by, menu),
            }
        }
    }

    /// "Que sean dos horchatas", "make it four tacos".
    pub(super) fn set(&mut self, clause: &Clause, menu: &Menu) {
        if self.exchange_last(clause, menu) || self.choose_for_some(&clause.text, menu) {
            return;
        }
        let own = self.own(menu);
        for part in things(&clause.text, &own) {
            let own = read_order(part, &own);
            match own
                .into_iter()
                .find(|it| !matches!(it, Line::Unknown { .. }))
            {
                Some(Line::Matched(line)) if counts(part) => {
                    self.count(&line.item.name, &choices(&line), line.quantity);
                }
                Some(line @ Line::Ambiguous { .. }) if counts(part) => {
                    self.unclear.push((Change::Set, line));
                }
                None if !on_menu(part, menu) && self.count_last(Change::Set, part) => {}
                None if counts(part) => self.put_instead(clause, part, menu),
                Some(_) | None => _ = self.note(part, menu),
            }
        }
    }

    /// Something else than what was ordered. Where there is one thing only, it stands in its place.
    fn put_instead(&mut self, clause: &Clause, part: &str, menu: &Menu) {
        let lines = read_order(part, menu);
        let known = lines.iter().any(|line| line.matched().is_some());
        let replaces = matches!(clause.by, "mejor" | "instead");
        if known && replaces && !self.changed && self.items.len() == 1 {
            self.items.clear();
        }
        for line in lines {
            self.apply(Change::Add, line, menu);
        }
    }

    /// "Uno de los tacos sin cebolla": so many of a thing are wanted in another way.
    pub(super) fn part(&mut self, count: u32, text: &str, menu: &Menu) {
        let (text, further) = apart(text, menu);
        self.part_as(count, text, menu);
        for line in read_order(further, menu) {
            self.apply(Change::Add, line, menu);
        }
    }

    fn part_as(&mut self, count: u32, text: &str, menu: &Menu) {
        let named = read_order(text, &self.own(menu));
        let named = named.iter().find_map(Line::matched).cloned();
        // "Una de las de pastor" names a gringa by its filling.
        let named = named.or_else(|| self.named_by_kind(text, menu));
        // Those that were set apart a moment ago are not meant again.
        let before = self
            .parted
            .unwrap_or(self.items.len())
            .min(self.items.len());
        let open = |item: &Item| item.notes.is_empty() && item.quantity >= count;
        let at = if let Some(line) = &named {
            let chosen = chosen_kind(line, menu);
            let is_named = |it: &Item| it.name == line.item.name;
            let of_kind = |it: &Item| {
                is_named(it)
                    && !chosen.is_empty()
                    && chosen.iter().all(|it_is| it.options.contains(it_is))
            };
            let of_kind = self.items.iter().rposition(of_kind);
            of_kind.or_else(|| self.items.iter().rposition(is_named))
        } else {
            // Nobody wants a drink without onion, whatever was ordered last.
            let wanted = ForAll {
                kind: String::new(),
                wish: text.to_owned(),
            };
            let known = &self.items[..before];
            let fits = |item: &Item| open(item) && is_for(&wanted, &item.name, false);
            let fitting = known.iter().rposition(fits);
            fitting.or_else(|| known.iter().rposition(open))
        };
        let at = at.or(self.items.len().checked_sub(1));
        let Some(item) = at.and_then(|at| self.items.get_mut(at)) else {
            return;
        };
        let mut at = at.unwrap_or_default();
        let wish = text.trim().trim_end_matches(['.', ',', '!']);
        let wish = wish.trim_end_matches(" y").trim_end_matches(" and");
        let said = named
            .as_ref()
            .map(|line| line.notes.is_empty() && line.options.is_empty());
        if wish.is_empty() || said == Some(true) {
            return;
        }
        if item.quantity > count {
            item.quantity -= count;
            let mut other = item.clone();
            other.quantity = count;
            self.parted = self.parted.or(Some(self.items.len()));
            self.items.push(other);
            at = self.items.len() - 1;
        }
        match named {
            Some(line) => add_to(&mut self.items[at], &line.notes, &line.options, menu),
            None => self.want(at, wish, menu),
        }
    }

    /// The thing of the order of which these words name what has to be chosen.
    fn named_by_kind(&self, text: &str, menu: &Menu) -> Option<OrderLine> {
        let own = self.own(menu);
        self.items.iter().rev().find_map(|item| {
            let lines = read_order(&format!("{} {text}", item.name), &own);
            let [Line::Matched(line)] = lines.as_slice() else {
                return None;
            };
            let chosen = chosen_kind(line, menu);
            let fits = !chosen.is_empty() && line.item.name == item.name;
            let has = |it: &Item| {
                it.name == item.name && chosen.iter().all(|it_is| it.options.contains(it_is))
            };
            (fits && self.items.iter().any(has)).then(|| line.clone())
        })
    }

    /// Things that are named while something else was asked. What is in the order already is
    /// counted anew by that, and not doubled.
    pub(super) fn mention(&mut self, text: &str, menu: &Menu) {
        let own = self.own(menu);
        for part in things(text, menu) {
            let known = read_order(part, &own);
            if let [Line::Matched(line)] = known.as_slice()
                && counts(part)
            {
                self.count(&line.item.name, &choices(line), line.quantity);
                continue;
            }
            let lines = read_order(part, menu).into_iter();
            for line in lines.filter(|line| {
                !matches!(line, Line::Unknown { .. } | Line::WrongQuantity { .. }) && counts(part)
            }) {
                self.apply(Change::Add, line, menu);
            }
        }
    }
}

/// What was chosen of a thing.
fn choices(line: &OrderLine) -> Vec<String> {
    let options = line.options.iter();
    options.map(|option| option.choice.clone()).collect()
}

/// What was chosen of what has to be chosen, which tells one line of a thing from another: the gringas of pastor
/// from those of bistec.
fn chosen_kind(line: &OrderLine, menu: &Menu) -> Vec<String> {
    let known = menu.items.iter().find(|item| item.name == line.item.name);
    let groups = known.into_iter().flat_map(|item| &item.options);
    let groups: Vec<&str> = groups
        .filter(|group| group.required)
        .map(|group| group.name.as_str())
        .collect();
    let options = line.options.iter();
    let options = options.filter(|option| groups.contains(&option.group.as_str()));
    options.map(|option| option.choice.clone()).collect()
}

/// How some of a thing are wanted, and what else is ordered behind that: "sin piña y 2 aguas". Between
/// the two, what is neither is left out: "sin piña, para llevar".
fn apart<'a>(text: &'a str, menu: &Menu) -> (&'a str, &'a str) {
    let known = |line: &Line| !matches!(line, Line::Unknown { .. } | Line::WrongQuantity { .. });
    let mut wish = text.len();
    let mut before = "";
    for word in text.split_inclusive(char::is_whitespace) {
        // The words are parts of the text, so that the place of one is the distance of both.
        let at = word.as_ptr().addr() - text.as_ptr().addr();
        let joins = matches!(folded(before).as_str(), "y" | "e" | "and" | "mas");
        let pauses = before.trim_end().ends_with([',', ';', '.']);
        let rest = &text[at..];
        if (joins || pauses) && number(&folded(word)).is_some() {
            let lines = read_order(rest, menu);
            if lines.first().is_some_and(known) {
                return (&text[..at.min(wish)], rest);
            }
        } else if pauses && wish == text.len() && how_wanted(rest).is_none() {
            wish = at;
        }
        before = word;
    }
    // Without a further thing nothing is cut off: it may be a wish that nobody knows.
    (text, "")
}

/// What a line may be about.
pub(super) fn names(line: &Line) -> Vec<&str> {
    match line {
        Line::Matched(line) => vec![&line.item.name],
        Line::Ambiguous { candidates, .. } => {
            candidates.iter().map(|item| item.name.as_str()).collect()
        }
        Line::Unavailable { item, .. } | Line::MissingOption { item, .. } => vec![&item.name],
        Line::Unknown { near, .. } => near.iter().map(|item| item.name.as_str()).collect(),
        Line::WrongQuantity { item, .. } => item.iter().map(|item| item.name.as_str()).collect(),
    }
}

pub(super) fn recount(line: &mut Line, wanted: u32) {
    match line {
        Line::Matched(OrderLine { quantity, .. })
        | Line::Ambiguous { quantity, .. }
        | Line::Unavailable { quantity, .. }
        | Line::Unknown { quantity, .. }
        | Line::MissingOption { quantity, .. } => *quantity = wanted.max(1),
        Line::WrongQuantity { .. } => {}
    }
}

/// Whether a text names something that the menu has.
fn on_menu(text: &str, menu: &Menu) -> bool {
    let lines = read_order(text, menu);
    lines.iter().any(|line| line.matched().is_some())
}
