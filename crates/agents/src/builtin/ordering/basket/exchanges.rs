//! One thing in the place of another: what goes out, what comes in, and how many of it.

use super::super::super::folded::folded;
use super::super::changes::{Change, Clause, counts, number, without_openers};
use super::super::wishes::how_wanted;
use super::Basket;
use super::edits::recount;
use super::noted::add_to;
use quipu_core::ordering::{ChosenOption, Line, Menu, read_order};

impl Basket {
    /// "Mejor de lengua": the same number of another kind, where nothing counts it. `false` when the words
    /// name no other thing of the kind that was ordered last.
    pub(super) fn exchange_last(&mut self, clause: &Clause, menu: &Menu) -> bool {
        let kinds = matches!(clause.by, "mejor" | "sean" | "serian" | "instead");
        let text = without_openers(&clause.text).trim();
        let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        // "Ya no de bistec, mejor de costilla": as many as were taken out a moment ago.
        if kinds && self.taken > 0 && !counts(text) {
            let lines = read_order(text, menu);
            if let [Line::Matched(_)] = lines.as_slice() {
                for mut line in lines {
                    recount(&mut line, self.taken);
                    self.apply(Change::Add, line, menu);
                }
                return true;
            }
        }
        let Some(last) = self.items.last() else {
            return false;
        };
        let named = read_order(text, menu);
        let another = matches!(named.as_slice(), [Line::Matched(line)]
            if !self.has(&line.item.name) && same_kind(&line.item.name, &last.name));
        let other = another || is_choice(text, &last.name, menu);
        if !kinds || !other || counts(text) || how_wanted(text).is_some() {
            return false;
        }
        self.swap(
            &Clause {
                instead: Some(text.to_owned()),
                ..Clause::default()
            },
            menu,
        );
        true
    }

    /// "Mejor una de bistec": so many of what was ordered last, and not all, with another choice.
    pub(super) fn choose_for_some(&mut self, text: &str, menu: &Menu) -> bool {
        let words = folded(without_openers(text));
        let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
        let Some(last) = self.items.last_mut() else {
            return false;
        };
        let count = number(first).filter(|count| *count < last.quantity);
        let (Some(count), true) = (count, is_choice(rest, &last.name, menu)) else {
            return false;
        };
        last.quantity -= count;
        let mut some = last.clone();
        some.quantity = count;
        let mut apart = Self {
            items: vec![some],
            ..Self::default()
        };
        let name = apart.items[0].name.clone();
        apart.choose_instead(&name, rest, menu);
        self.items.append(&mut apart.items);
        true
    }

    /// "Cambia la horchata por una jamaica", "una jamaica en vez de la horchata".
    pub(super) fn swap(&mut self, clause: &Clause, menu: &Menu) {
        // "Cambia 2 por suadero" is about so many of what was ordered last.
        let some = bare_count(&clause.text);
        if let (Some(count), Some(instead)) = (some, &clause.instead)
            && !counts(instead)
            && self.choose_for_some(&format!("{count} {}", instead.trim()), menu)
        {
            return;
        }
        let own = read_order(&clause.text, &self.own(menu));
        let named = own.iter().find_map(Line::matched);
        // Without a name it is what was ordered last: "cámbialos por tripa".
        let last = self
            .items
            .last()
            .filter(|_| folded(&clause.text).is_empty() || some.is_some());
        let old = named.map(|line| line.item.name.clone());
        let old = old.or_else(|| last.map(|item| item.name.clone()));
        let (Some(old), Some(instead)) = (old, &clause.instead) else {
            // "3 de pastor en lugar de bistec" orders something, where nothing was ordered yet.
            if let Some(instead) = clause.instead.as_ref().filter(|_| self.items.is_empty()) {
                let lines = read_order(instead, menu);
                for line in lines.into_iter().filter(|line| line.matched().is_some()) {
                    self.apply(Change::Add, line, menu);
                }
            }
            return;
        };
        if self.choose_instead(&old, instead, menu) {
            return;
        }
        let ordered = self.items.iter().filter(|item| item.name == old);
        let ordered: u32 = ordered.map(|item| item.quantity).sum();
        let quantity = match named.filter(|_| counts(&clause.text)) {
            Some(line) => line.quantity.min(ordered),
            None => some.map_or(ordered, |count| count.min(ordered)),
        };
        let mut new = read_order(instead, menu);
        if clause.by == "a" && !new.iter().any(|line| line.matched().is_some()) {
            return;
        }
        // "Los de bistec mejor sin cebolla" says how they are wanted, and exchanges nothing.
        if !new.iter().any(|line| line.matched().is_some()) && how_wanted(instead).is_some() {
            self.note(&format!("{} {instead}", clause.text.trim()), menu);
            return;
        }
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
            let said = choices.filter(|choice| is_called(&choice.name, words));
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
}

/// Whether a text is a choice of a thing: "de bistec" of a gringa.
fn is_choice(text: &str, name: &str, menu: &Menu) -> bool {
    let words = folded(text);
    let words = words.strip_prefix("de ").unwrap_or(&words);
    let mut known = menu.items.iter().filter(|item| item.name == name);
    known.any(|item| {
        let mut choices = item.options.iter().flat_map(|group| &group.choices);
        choices.any(|choice| is_called(&choice.name, words))
    })
}

/// Whether folded words are the name of a choice, of one or of several: "chicas" of "Chica".
pub(super) fn is_called(choice: &str, words: &str) -> bool {
    let name = folded(choice);
    name == words || words.strip_suffix('s') == Some(&name)
}

/// Whether two things are called alike at first: two kinds of tacos, and no taco and a drink.
pub(super) fn same_kind(one: &str, other: &str) -> bool {
    let first = |name: &str| folded(name).split(' ').next().map(str::to_owned);
    first(one) == first(other)
}

/// The number that a text is, with nothing behind it but whose it is: "two of them".
fn bare_count(text: &str) -> Option<u32> {
    let words = folded(text);
    let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
    let whose = ["", "de ellos", "de ellas", "de esos", "of them", "of those"];
    number(first).filter(|_| whose.contains(&rest))
}
