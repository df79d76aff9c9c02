//! What is taken out of an order, counted anew, exchanged or wanted in another way.

use super::super::super::folded::{folded, says};
use super::super::changes::{Change, Clause, counts, is_article, number, without_openers};
use super::named::things;
use super::{Basket, Item};
use quipu_core::ordering::{
    ChosenOption, Line, MAX_QUANTITY, Menu, MenuItem, OrderLine, read_order,
};

/// A note has this many words at most.
const LONGEST_NOTE: usize = 5;
/// And with the name of what it is about it has this many. A longer text is not looked through for one.
const LONGEST_AIMED: usize = 20;

impl Basket {
    pub(super) fn has(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name)
    }

    /// So many of a thing and no more.
    pub(super) fn count(&mut self, name: &str, quantity: u32) {
        let mut named = self.items.iter_mut().filter(|item| item.name == name);
        if let Some(item) = named.next_back() {
            item.quantity = quantity.clamp(1, MAX_QUANTITY);
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
                    self.lower(name, by);
                }
                Some(line @ Line::Ambiguous { .. }) => self.unclear.push((Change::Remove, line)),
                _ => self.leave_off(part, clause.by, menu),
            }
        }
    }

    /// What cannot be taken out of the order may be taken off a thing of it: "quítale la cebolla".
    fn leave_off(&mut self, part: &str, by: &str, menu: &Menu) {
        let (part, aim) = self.aimed(without_openers(part).trim(), menu);
        let words = folded(part);
        let rest = words.split(' ').skip_while(|word| is_article(word));
        let rest = rest.collect::<Vec<_>>().join(" ");
        let few = !rest.is_empty() && rest.split(' ').count() < LONGEST_NOTE;
        let on_menu = read_order(&rest, menu).iter().any(|line| match line {
            Line::Matched(line) => folded(&line.item.name) == rest,
            Line::MissingOption { .. } | Line::Unavailable { .. } => true,
            _ => false,
        });
        if few && !on_menu && !counts(part) && !is_terms(&rest) {
            let english = matches!(by, "remove" | "drop" | "skip" | "scratch" | "minus")
                || by.starts_with("take")
                || by.starts_with("leave")
                || by.ends_with("want");
            let without = if english { "no" } else { "sin" };
            self.note_at(aim, &format!("{without} {rest}"), menu);
        }
    }

    /// "Que sean dos horchatas", "make it four tacos".
    pub(super) fn set(&mut self, clause: &Clause, menu: &Menu) {
        let own = self.own(menu);
        for part in things(&clause.text, &own) {
            let own = read_order(part, &own);
            match own
                .into_iter()
                .find(|it| !matches!(it, Line::Unknown { .. }))
            {
                Some(Line::Matched(line)) if counts(part) => {
                    self.count(&line.item.name, line.quantity);
                }
                Some(line @ Line::Ambiguous { .. }) if counts(part) => {
                    self.unclear.push((Change::Set, line));
                }
                Some(_) => _ = self.note(part, menu),
                None if !on_menu(part, menu) && self.count_last(Change::Set, part) => {}
                None if counts(part) => self.put_instead(clause, part, menu),
                None => {}
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

    /// "Cambia la horchata por una jamaica", "una jamaica en vez de la horchata".
    pub(super) fn swap(&mut self, clause: &Clause, menu: &Menu) {
        let own = read_order(&clause.text, &self.own(menu));
        let named = own.iter().find_map(Line::matched);
        // Without a name it is what was ordered last: "cámbialos por tripa".
        let last = self
            .items
            .last()
            .filter(|_| folded(&clause.text).is_empty());
        let old = named.map(|line| line.item.name.clone());
        let old = old.or_else(|| last.map(|item| item.name.clone()));
        let (Some(old), Some(instead)) = (old, &clause.instead) else {
            return;
        };
        if self.choose_instead(&old, instead, menu) {
            return;
        }
        let ordered = self.items.iter().filter(|item| item.name == old);
        let ordered: u32 = ordered.map(|item| item.quantity).sum();
        let quantity = match named.filter(|_| counts(&clause.text)) {
            Some(line) => line.quantity.min(ordered),
            None => ordered,
        };
        let mut new = read_order(instead, menu);
        if new.is_empty() {
            return;
        }
        if !counts(instead) {
            for line in &mut new {
                recount(line, quantity);
            }
        }
        if new
            .iter()
            .all(|line| matches!(line, Line::Unknown { near, .. } if near.is_empty()))
        {
            // What is not to be had takes nothing out.
            self.unclear
                .extend(new.into_iter().map(|line| (Change::Add, line)));
            return;
        }
        self.lower(&old, quantity);
        for line in new {
            self.apply(Change::Add, line, menu);
        }
    }

    /// Another choice of the same thing, where the words are one: "las gringas de pastor cámbialas por
    /// bistec". `false` when they are none.
    fn choose_instead(&mut self, name: &str, instead: &str, menu: &Menu) -> bool {
        let words = folded(instead);
        let words = words.strip_prefix("de ").unwrap_or(&words);
        let known = menu.items.iter().find(|known| known.name == name);
        let groups = known.into_iter().flat_map(|known| &known.options);
        let chosen = groups.flat_map(|group| {
            let choices = group.choices.iter();
            let said = choices.filter(|choice| folded(&choice.name) == words);
            said.map(|choice| ChosenOption {
                group: group.name.clone(),
                choice: choice.name.clone(),
                extra: choice.extra,
            })
        });
        let chosen: Vec<ChosenOption> = chosen.take(1).collect();
        for item in self.items.iter_mut().filter(|item| item.name == name) {
            add_to(item, &[], &chosen, menu);
        }
        !chosen.is_empty()
    }

    /// "Uno de los tacos sin cebolla": so many of a thing are wanted in another way.
    pub(super) fn part(&mut self, count: u32, text: &str, menu: &Menu) {
        let named = read_order(text, &self.own(menu));
        let named = named.iter().find_map(Line::matched);
        let (at, notes, options) = if let Some(line) = named {
            let at = self.items.iter().rposition(|it| it.name == line.item.name);
            (at, line.notes.clone(), line.options.clone())
        } else {
            let note = text.trim().trim_end_matches(['.', ',', '!']).to_owned();
            (self.items.len().checked_sub(1), vec![note], Vec::new())
        };
        let Some(item) = at.and_then(|at| self.items.get_mut(at)) else {
            return;
        };
        let notes: Vec<String> = notes.into_iter().filter(|it| !it.is_empty()).collect();
        if notes.is_empty() && options.is_empty() {
            return;
        }
        let mut other = item.clone();
        add_to(&mut other, &notes, &options, menu);
        if item.quantity > count {
            item.quantity -= count;
            other.quantity = count;
            self.items.push(other);
        } else {
            *item = other;
        }
    }

    /// How something that was ordered is wanted: "los tacos sin cebolla", or nothing but "sin
    /// cebolla". `false` when the text says no such thing.
    pub(super) fn note(&mut self, text: &str, menu: &Menu) -> bool {
        let plain = text.trim();
        let english = folded(plain).starts_with("no ") && says(&folded(plain), &["the"]);
        let text = if english {
            plain
        } else {
            without_openers(plain)
        };
        let words = folded(text);
        let first = words.split(' ').next().unwrap_or_default().to_owned();
        let first = first.as_str();
        if self.items.is_empty() {
            return false;
        }
        if is_article(first) && !counts(text) {
            let own = read_order(text, &self.own(menu));
            let [Line::Matched(line)] = own.as_slice() else {
                return false;
            };
            let mut named = self.items.iter_mut();
            let named = named.rfind(|item| item.name == line.item.name);
            if let Some(item) = named {
                add_to(item, &line.notes, &line.options, menu);
            }
            return true;
        }
        if words.split(' ').count() > LONGEST_AIMED {
            return false;
        }
        let (text, aim) = self.aimed(text, menu);
        let words = folded(text);
        let manner = matches!(first, "sin" | "without")
            || first == "no" && aim.is_some()
            || matches!(first, "con" | "with")
                && says(&words, &["todo", "extra", "poca", "poco", "mucha", "mucho"]);
        let few = (2..=LONGEST_NOTE).contains(&words.split(' ').count());
        let named = read_order(text, menu);
        let named = named.iter().any(|line| line.matched().is_some());
        if !manner || !few || named || counts(text) || is_terms(&words) {
            return false;
        }
        let note = text.trim_end_matches(['.', ',', '!']);
        if says(&words, &["todos", "todas", "all", "ambos", "ambas", "both"]) {
            for item in &mut self.items {
                add_to(item, &[note.to_owned()], &[], menu);
            }
        } else {
            self.note_at(aim, note, menu);
        }
        true
    }

    /// What is said of a thing that is named behind it, and which thing that is: "sin cilantro los de
    /// pastor", "la cebolla a los de suadero".
    fn aimed<'t>(&self, text: &'t str, menu: &Menu) -> (&'t str, Option<usize>) {
        let own = self.own(menu);
        for (start, _) in text.match_indices(' ') {
            let rest = text[start..].trim_start();
            let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
            if !matches!(&*folded(word), "los" | "las" | "el" | "la" | "al" | "the") {
                continue;
            }
            let [Line::Matched(line)] = &read_order(behind, &own)[..] else {
                continue;
            };
            let named = |item: &Item| item.name == line.item.name;
            let before = text[..start].trim_end();
            let short = ["a", "de", "en", "on", "for", "to", "from"];
            let before = match before.rsplit_once(' ') {
                Some((before, last)) if short.contains(&&*folded(last)) => before,
                _ => before,
            };
            return (before, self.items.iter().rposition(named));
        }
        (text, None)
    }

    /// Notes how a thing is wanted, the last one where none is named.
    fn note_at(&mut self, at: Option<usize>, note: &str, menu: &Menu) {
        let at = at.unwrap_or(self.items.len().saturating_sub(1));
        if let Some(item) = self.items.get_mut(at) {
            add_to(item, &[note.to_owned()], &[], menu);
        }
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
                self.count(&line.item.name.clone(), line.quantity);
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

/// Whether the words are about paying or handing over, or nothing but a way of speaking.
fn is_terms(words: &str) -> bool {
    const TERMS: &[&str] = &[
        "envio",
        "factura",
        "prisa",
        "problema",
        "duda",
        "costo",
        "cambio",
        "tarjeta",
        "efectivo",
        "transferencia",
        "cash",
        "card",
        "nada",
        "pedido",
        "orden",
        "order",
        "eso",
        "that",
        "it",
        "hurry",
        "problem",
        "nothing",
        "domicilio",
        "recoger",
    ];
    words
        .split(' ')
        .any(|word| TERMS.contains(&word) || number(word).is_some())
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

fn recount(line: &mut Line, wanted: u32) {
    match line {
        Line::Matched(OrderLine { quantity, .. })
        | Line::Ambiguous { quantity, .. }
        | Line::Unavailable { quantity, .. }
        | Line::Unknown { quantity, .. }
        | Line::MissingOption { quantity, .. } => *quantity = wanted.max(1),
        Line::WrongQuantity { .. } => {}
    }
}

/// Adds how a thing is wanted. Of a group that takes one choice, the new one stands.
fn add_to(item: &mut Item, notes: &[String], options: &[ChosenOption], menu: &Menu) {
    for note in notes {
        if !item.notes.contains(note) {
            item.notes.push(note.clone());
        }
    }
    let known = menu.items.iter().find(|known| known.name == item.name);
    for option in options {
        let mut groups = known.into_iter().flat_map(|known| &known.options);
        if let Some(group) = groups.find(|group| group.name == option.group && group.max == 1) {
            let is_other = |choice: &String| group.choices.iter().any(|it| it.name == *choice);
            item.options.retain(|choice| !is_other(choice));
        }
        if !item.options.contains(&option.choice) {
            item.options.push(option.choice.clone());
        }
    }
}

/// Whether a text names something that the menu has.
fn on_menu(text: &str, menu: &Menu) -> bool {
    let lines = read_order(text, menu);
    lines.iter().any(|line| line.matched().is_some())
}
