//! How the things of an order are wanted: choices where the menu has them, and notes otherwise. Nothing
//! that the menu has is a note of another thing.

use super::super::super::folded::{folded, says};
use super::super::changes::{Change, counts, is_article, number, without_openers};
use super::super::wishes::{ForAll, how_wanted, is_drink, is_for};
use super::{Basket, Item};
use quipu_core::ordering::{AskedItem, ChosenOption, Line, Menu, MenuItem, match_item, read_order};

/// What leaves something off everything.
const OF_ALL: &[&str] = &[
    "no lleven",
    "no tengan",
    "no traigan",
    "no les pongas",
    "no les pongan",
    "no les eches",
    "no les echen",
];
/// A note has this many words at most.
const LONGEST_NOTE: usize = 8;
/// And with the name of what it is about it has this many. A longer text is not looked through for one.
const LONGEST_AIMED: usize = 20;

impl Basket {
    /// What cannot be taken out of the order may be taken off a thing of it: "quítale la cebolla".
    pub(super) fn leave_off(&mut self, part: &str, by: &str, menu: &Menu) {
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
            let english = by.ends_with("put")
                || matches!(by, "remove" | "drop" | "skip" | "scratch" | "minus")
                || by.starts_with("take")
                || by.starts_with("leave")
                || by.ends_with("want");
            let without = if english { "no" } else { "sin" };
            let note = format!("{without} {rest}");
            // "Que no lleven verdura" is said of all of them, as they are food.
            let of_all = OF_ALL.contains(&by) && aim.is_none();
            let wanted = ForAll {
                kind: String::new(),
                wish: note.clone(),
            };
            let drinks_only = self.items.iter().all(|item| is_drink(&item.name));
            let meant = |item: &Item| of_all && is_for(&wanted, &item.name, drinks_only);
            let meant: Vec<usize> = (0..self.items.len())
                .filter(|at| meant(&self.items[*at]))
                .collect();
            for at in &meant {
                self.note_at(Some(*at), &note, menu);
            }
            if meant.is_empty() {
                self.note_at(aim, &note, menu);
            }
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
        let english = first == "no" && aim.is_some();
        let Some(wish) = how_wanted(text).or(english.then_some(text)) else {
            return false;
        };
        let words = folded(wish);
        let few = (2..=LONGEST_NOTE).contains(&words.split(' ').count());
        if !few || counts(wish) || is_terms(&words) {
            return false;
        }
        let at = aim.unwrap_or_else(|| self.meant_by(wish));
        self.want(at, wish, menu);
        true
    }

    /// The thing that a wish is about which names none: the last, but for a drink that is not wanted
    /// without onion.
    fn meant_by(&self, wish: &str) -> usize {
        let wanted = ForAll {
            kind: String::new(),
            wish: wish.to_owned(),
        };
        let fits = |item: &Item| is_for(&wanted, &item.name, false);
        let last = self.items.len().saturating_sub(1);
        self.items.iter().rposition(fits).unwrap_or(last)
    }

    /// What is wanted of everything that was ordered, or of everything of one kind.
    pub(super) fn want_all(&mut self, wanted: &ForAll, menu: &Menu) {
        if is_terms(&folded(&wanted.wish)) {
            return;
        }
        let drinks_only = self.items.iter().all(|item| is_drink(&item.name));
        for at in 0..self.items.len() {
            if is_for(wanted, &self.items[at].name, drinks_only) {
                self.want(at, &wanted.wish, menu);
            }
        }
    }

    /// Notes how a thing is wanted. The wish is read as if it stood behind the name, so that what can be
    /// chosen is chosen, and costs what it costs.
    pub(super) fn want(&mut self, at: usize, wish: &str, menu: &Menu) {
        let Some(item) = self.items.get_mut(at) else {
            return;
        };
        let read = plainly(&item.name, menu).map(|menu| {
            let text = format!("{} {wish}", item.name);
            read_order(&text, &menu)
        });
        let (mut notes, options) = match read.as_deref() {
            // "Sin nada" ends like a message, and says all the same how it is wanted.
            Some([Line::Matched(line)])
                if line.item.name == item.name
                    && !line.notes.iter().any(|note| is_cut_off(note)) =>
            {
                (line.notes.clone(), line.options.clone())
            }
            _ => (vec![wish.to_owned()], Vec::new()),
        };
        let along = brought_along(&mut notes, menu);
        add_to(item, &notes, &options, menu);
        for line in along {
            self.apply(Change::Add, line, menu);
        }
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
}

/// Whether nothing is left of a wish but the word that opened it.
fn is_cut_off(note: &str) -> bool {
    matches!(folded(note).as_str(), "sin" | "con" | "without" | "with")
}

/// A menu of one thing of which nothing has to be chosen.
fn plainly(name: &str, menu: &Menu) -> Option<Menu> {
    let mut item: MenuItem = menu.items.iter().find(|item| item.name == name)?.clone();
    item.available = true;
    for group in &mut item.options {
        group.required = false;
        group.min = 0;
    }
    Some(Menu {
        currency: menu.currency,
        items: vec![item],
    })
}

/// Takes what the menu has out of the notes of a thing: "con guacamole" is one of those where there are
/// such. What can be chosen of the thing itself is no note by then.
pub(super) fn brought_along(notes: &mut Vec<String>, menu: &Menu) -> Vec<Line> {
    let mut more = Vec::new();
    for note in std::mem::take(notes) {
        let Some(things) = with_things(&note) else {
            notes.push(note);
            continue;
        };
        let (known, left): (Vec<&str>, Vec<&str>) = things
            .iter()
            .partition(|thing| called(thing, menu).is_some());
        if known.is_empty() {
            notes.push(note);
            continue;
        }
        more.extend(known.iter().filter_map(|thing| called(thing, menu)));
        if !left.is_empty() {
            let with = note.split(' ').next().unwrap_or_default();
            notes.push(format!("{with} {}", left.join(", ")));
        }
    }
    more
}

/// The things that a note says something is wanted with.
fn with_things(note: &str) -> Option<Vec<&str>> {
    let (with, things) = note.split_once(' ')?;
    if !matches!(folded(with).as_str(), "con" | "with") {
        return None;
    }
    let things = things.split(',').flat_map(|part| part.split(" y "));
    let things = things.flat_map(|part| part.split(" and ")).map(str::trim);
    Some(things.filter(|thing| !thing.is_empty()).collect())
}

/// What the menu has under exactly this name.
fn called(thing: &str, menu: &Menu) -> Option<Line> {
    let words = folded(thing);
    let words = words.as_str();
    let same = |name: &String| {
        let name = folded(name);
        name == words || words.strip_suffix('s') == Some(&name)
    };
    let known = menu.items.iter();
    let mut known = known.filter(|item| same(&item.name) || item.aliases.iter().any(same));
    let asked = AskedItem {
        name: known.next()?.id.clone(),
        ..AskedItem::default()
    };
    Some(match_item(&asked, menu))
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

/// Adds how a thing is wanted. Of a group that takes one choice, the new one stands.
pub(super) fn add_to(item: &mut Item, notes: &[String], options: &[ChosenOption], menu: &Menu) {
    for note in notes {
        // "Sin queso" takes off the cheese that was chosen.
        let words = folded(note);
        let off = ["sin ", "without ", "no "];
        let off = off.iter().find_map(|without| words.strip_prefix(without));
        let before = item.options.len();
        item.options
            .retain(|choice| off != Some(folded(choice).as_str()));
        if item.options.len() < before {
            continue;
        }
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
