//! The things of an order: what a message puts in, takes away, counts anew and exchanges.

use super::PolicyRun;
use super::basket_edit::{BasketEdit, MOST_NOTES, edit, join_lines};
use super::basket_parts::{replaces, take_kind, with_thing};
use crate::facts::Known;
use crate::read::{WordList, folded_words};
use crate::state::{Awaited, Goal, OrderGoal};
use quipu_commerce::ordering::{
    AskedItem, ItemReference, Line, Menu, OrderLine, is_wish, match_item, read_order,
};
use quipu_core::reading::{Act, QuestionTopic, SpanKind};
use quipu_core::text::{fold, preview};

/// More lines than this are no order of one customer.
const MOST_LINES: usize = 50;
/// How many things wait to be made clear.
const MOST_UNCLEAR: usize = 10;
const LONGEST_NOTE: usize = 200;
/// Questions about a thing that is not ordered by them.
const PRICED: [QuestionTopic; 3] = [
    QuestionTopic::Price,
    QuestionTopic::Contents,
    QuestionTopic::Menu,
];

/// A clause with what it does.
pub(super) struct EditClause {
    pub(super) edit: BasketEdit,
    pub(super) text: String,
}

impl PolicyRun<'_> {
    /// Takes the things that the message names into the order. `false` when it names none.
    pub(super) fn take_items(&self, goal: &mut OrderGoal) -> Known<bool> {
        let Some(menu) = &self.business.menu else {
            return Ok(false);
        };
        let before = goal.clone();
        let text = self.text_of_items();
        let asked = !goal.unclear.is_empty() && self.before.awaited == Some(Awaited::Items);
        let text = if asked {
            self.clear_up(goal, menu, &text)
        } else {
            text
        };
        if *goal != before || self.may_name_items() {
            for clause in self.clauses(&text, goal) {
                self.take_clause(goal, menu, &clause)?;
            }
        }
        // What was ordered plainly is no longer asked about.
        let lines = &goal.lines;
        let known = |item: &ItemReference| lines.iter().any(|line| line.item == item.id);
        goal.unclear.retain(|line| match line {
            Line::Unknown { near, .. } => !near.iter().any(known),
            Line::Ambiguous { candidates, .. } => !candidates.iter().any(known),
            _ => true,
        });
        goal.lines.truncate(MOST_LINES);
        goal.unclear.truncate(MOST_UNCLEAR);
        for line in &mut goal.lines {
            line.notes.truncate(MOST_NOTES);
        }
        Ok(*goal != before)
    }

    /// Whether the message is one that may name things to order.
    fn may_name_items(&self) -> bool {
        let heard = self.heard;
        let acts = [
            Act::Order,
            Act::Add,
            Act::Remove,
            Act::Swap,
            Act::Correct,
            Act::Choose,
        ];
        let names = heard.has(SpanKind::Item) || heard.has(SpanKind::Quantity);
        acts.iter().any(|act| heard.does(*act))
            || names && !self.only_asks()
            || self.before.awaited == Some(Awaited::Items)
            || !heard.is_read()
    }

    /// The message without what is no thing to order.
    fn text_of_items(&self) -> String {
        use SpanKind as Kind;
        let mut text = self.heard.without(&[
            Kind::Address,
            Kind::Name,
            Kind::Payment,
            Kind::Phone,
            Kind::Email,
            Kind::Date,
            Kind::Time,
            Kind::Amount,
            Kind::Code,
            Kind::Document,
            Kind::Handover,
            Kind::Other,
            Kind::Allergy,
            Kind::Staff,
            Kind::Branch,
        ]);
        let zones = self.business.names.zones.named_in_full(&text);
        for zone in zones.iter().rev() {
            text.replace_range(zone.range.clone(), ";");
        }
        for question in self.told_questions() {
            // What something costs is asked, and nothing of it ordered: "sí, ¿a cómo es la coca?".
            let mut counts = self.heard.of(SpanKind::Quantity);
            let counted = counts.any(|span| question.text.contains(span.text.as_str()));
            let orders = counted || self.heard.does(Act::Order);
            if !orders && PRICED.contains(&question.topic) {
                text = text.replace(&question.text, ";");
            }
        }
        let parts = text.split(';').map(without_lead);
        parts.collect::<Vec<&str>>().join("; ")
    }

    /// The clauses of a text, each with what it does. What a verb says holds until the next one or the end of
    /// the sentence.
    fn clauses(&self, text: &str, goal: &OrderGoal) -> Vec<EditClause> {
        let takes = WordList::get("takes_away");
        let puts = WordList::get("puts_in");
        let counts = WordList::get("sets_number");
        let plain = self.plain_edit(goal);
        let mut clauses: Vec<EditClause> = vec![EditClause {
            edit: plain,
            text: String::new(),
        }];
        for word in text.split_inclusive(char::is_whitespace) {
            let folded = folded_words(word).concat();
            if WordList::get("only_goes").has(&folded)
                && word.trim_end().ends_with(char::is_alphanumeric)
            {
                continue;
            }
            let edit = if takes.has(&folded) {
                Some(BasketEdit::TakeAway)
            } else if counts.has(&folded) {
                Some(BasketEdit::Count)
            } else if puts.has(&folded) && folded.len() > 2 && folded != "mas" {
                Some(BasketEdit::PutIn)
            } else {
                None
            };
            if let Some(edit) = edit {
                clauses.push(EditClause {
                    edit,
                    text: String::new(),
                });
            } else if let Some(clause) = clauses.last_mut() {
                clause.text.push_str(word);
            }
            let ends = word.trim_end().ends_with(['.', ';', '!', '?', '\n']);
            let empty = clauses
                .last()
                .is_some_and(|clause| clause.text.trim().len() < 3);
            let comma = word.trim_end().ends_with(',');
            if ends || comma && empty {
                clauses.push(EditClause {
                    edit: plain,
                    text: String::new(),
                });
            }
        }
        let clauses = clauses
            .into_iter()
            .flat_map(|clause| self.exchanged(clause, goal));
        clauses
            .filter(|clause| clause.text.chars().any(char::is_alphanumeric))
            .collect()
    }

    /// What a clause without a verb of its own does.
    fn plain_edit(&self, goal: &OrderGoal) -> BasketEdit {
        let heard = self.heard;
        if heard.does(Act::Remove) && !heard.does(Act::Add) && !heard.does(Act::Order) {
            return BasketEdit::TakeAway;
        }
        let anew = heard.does(Act::Correct) || heard.does(Act::Swap);
        if anew && !heard.does(Act::Add) && !goal.lines.is_empty() {
            return BasketEdit::Count;
        }
        BasketEdit::PutIn
    }

    /// "La horchata por un refresco" and "un refresco en vez de la horchata" take one away for the other.
    fn exchanged(&self, clause: EditClause, goal: &OrderGoal) -> Vec<EditClause> {
        let words: Vec<&str> = clause.text.split_whitespace().collect();
        let folded: Vec<String> = words
            .iter()
            .map(|word| folded_words(word).concat())
            .collect();
        if let Some((at, length)) = WordList::get("instead_of").find(&folded) {
            let side = |words: &[&str], edit| EditClause {
                edit,
                text: words.join(" "),
            };
            let (gone, come) = (&words[at + length..], &words[..at]);
            return vec![
                side(gone, BasketEdit::TakeAway),
                side(come, BasketEdit::PutIn),
            ];
        }
        let by = folded
            .iter()
            .position(|word| word == "por" || word == "for");
        if let Some(at) = by.filter(|at| *at > 0 && self.heard.does(Act::Swap)) {
            let (gone, come) = (words[..at].join(" "), words[at + 1..].join(" "));
            let come = self.in_its_place(goal, &gone, &come);
            return vec![
                EditClause {
                    edit: BasketEdit::TakeAway,
                    text: gone,
                },
                EditClause {
                    edit: BasketEdit::PutIn,
                    text: come,
                },
            ];
        }
        vec![clause]
    }

    fn take_clause(&self, goal: &mut OrderGoal, menu: &Menu, clause: &EditClause) -> Known<()> {
        let words = folded_words(&clause.text);
        let plain: Vec<&str> = words.iter().map(String::as_str).collect();
        let lines = read_order(&with_thing(goal, menu, clause), menu);
        if lines.is_empty() {
            self.take_one_of_it(goal, clause);
            return Ok(());
        }
        let unclear = lines.iter().all(|line| line.matched().is_none());
        if unclear && (take_kind(goal, menu, clause) || self.heard.says("as_it_is")) {
            return Ok(());
        }
        if replaces(goal, clause, &lines) {
            return Ok(());
        }
        let named = lines.iter().any(|line| line.matched().is_some());
        if !named && is_wish(&plain) && !goal.lines.is_empty() {
            let all = WordList::get("everything").is_in(&words);
            let note = preview(
                clause.text.trim().trim_end_matches(['.', ',']),
                LONGEST_NOTE,
            );
            let from = if all { 0 } else { goal.lines.len() - 1 };
            for line in &mut goal.lines[from..] {
                if line.notes.len() < MOST_NOTES && !line.notes.contains(&note) {
                    line.notes.push(note.clone());
                }
            }
            return Ok(());
        }
        for line in lines {
            let counted = is_counted(&clause.text);
            match line {
                // What is said again may say how it is wanted: "y la gringa es de pastor".
                Line::Matched(line) if self.repeats(clause.edit, &line.item.id, line.quantity) => {
                    join_lines(goal, &line);
                    edit(goal, BasketEdit::Count, &line, counted);
                }
                Line::Matched(line) => edit(goal, clause.edit, &line, counted),
                Line::Unknown {
                    ref said,
                    ref near,
                    quantity,
                    ref notes,
                } => {
                    let ordered =
                        is_counted_thing(&clause.text, said) && self.heard.does(Act::Order);
                    let named = self.is_named_thing(said);
                    if !(named || ordered) || clause.edit == BasketEdit::TakeAway {
                        continue;
                    }
                    // Where one thing comes near it is meant; what was understood is read back.
                    let near = match near.as_slice() {
                        [only] => Some(only.id.clone()),
                        _ => None,
                    };
                    let meant = match near {
                        Some(id) => matched(id, quantity, notes, menu),
                        None => self.dish_meant(said, quantity, notes, menu)?,
                    };
                    match meant {
                        Some(line) => edit(goal, clause.edit, &line, counted),
                        None if named => goal.unclear.push(line),
                        None => {}
                    }
                }
                Line::Ambiguous { ref candidates, .. } if clause.edit != BasketEdit::PutIn => {
                    // Of several that it may be, the one in the order is meant.
                    let known = candidates
                        .iter()
                        .find(|item| goal.lines.iter().any(|line| line.item == item.id));
                    let asked = known.map(|item| AskedItem {
                        name: item.id.clone(),
                        quantity: Some(quantity_of(&line)),
                        ..AskedItem::default()
                    });
                    let line = asked.map(|asked| match_item(&asked, menu));
                    if let Some(Line::Matched(line)) = line {
                        edit(goal, clause.edit, &line, counted);
                    }
                }
                Line::WrongQuantity { item: None, .. } => {}
                Line::MissingOption {
                    ref item, quantity, ..
                } if self.repeats(clause.edit, &item.id, quantity) => {}
                other if clause.edit == BasketEdit::TakeAway => drop(other),
                other => goal.unclear.push(other),
            }
        }
        Ok(())
    }

    /// Whether a line only says again what is in the order already: who wants more of it says so.
    fn repeats(&self, edit: BasketEdit, item: &str, quantity: u32) -> bool {
        let Some(Goal::Order(before)) = &self.before.goal else {
            return false;
        };
        let more = self.heard.does(Act::Add) || self.heard.says("more_of_it");
        let known = before.lines.iter().filter(|known| known.item == item);
        let one = known.clone().any(|known| known.quantity == quantity);
        let all: u32 = known.map(|known| known.quantity).sum();
        edit == BasketEdit::PutIn && !more && (one || all == quantity && all > 0)
    }

    /// Whether words that no thing of the menu has were meant as one.
    fn is_named_thing(&self, said: &str) -> bool {
        let said = fold(said);
        let spans = [SpanKind::Item, SpanKind::Service];
        let marked = self
            .heard
            .spans
            .iter()
            .filter(|span| spans.contains(&span.kind))
            .map(|span| fold(&span.text));
        let mut marked = marked.filter(|span| !WordList::get("opens_message").has(span));
        marked.any(|span| said.contains(&span) || span.contains(&said))
    }

    /// The thing of the menu that is nearest in meaning to what was named: "ground coffee" where the menu has
    /// "Café molido".
    fn dish_meant(
        &self,
        said: &str,
        quantity: u32,
        notes: &[String],
        menu: &Menu,
    ) -> Known<Option<OrderLine>> {
        // What was marked says it better than all that stands around it: "one bag of ground coffee".
        let mut items = self.heard.of(SpanKind::Item);
        let marked = items.find(|span| said.contains(span.text.as_str()));
        let said = marked.map_or(said, |span| span.text.as_str());
        let meant = self.dishes_meant(said)?.one().map(|id| id.to_string());
        Ok(meant.and_then(|id| matched(id, quantity, notes, menu)))
    }
}

/// A text without the small words at its end, which led to what was taken out behind them: "dos gringas pa la".
fn without_lead(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let (before, word) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
        if !WordList::get("leads_to").has(&fold(word)) {
            return text;
        }
        text = before.trim_end();
    }
}

/// A thing of the menu by its id, as a line.
pub(super) fn matched(
    id: String,
    quantity: u32,
    notes: &[String],
    menu: &Menu,
) -> Option<OrderLine> {
    let asked = AskedItem {
        name: id,
        quantity: Some(i64::from(quantity)),
        notes: notes.to_vec(),
        ..AskedItem::default()
    };
    match match_item(&asked, menu) {
        Line::Matched(line) => Some(line),
        _ => None,
    }
}

/// Whether a number stands right before a thing.
fn is_counted_thing(clause: &str, said: &str) -> bool {
    let Some(at) = clause.find(said) else {
        return false;
    };
    let before = clause[..at].split_whitespace().next_back();
    before.is_some_and(is_counted)
}

/// Whether a clause says how many.
pub(super) fn is_counted(text: &str) -> bool {
    let tokens = quipu_language::token::cut(text);
    // "A los de pastor" is Spanish, and "a taco" counts one.
    let article = |at: usize| {
        let next = tokens.get(at + 1);
        tokens[at].is_one_of(&["a", "an"])
            && next.is_none_or(|next| !next.is_one_of(&["los", "las", "la", "el", "mi", "mis"]))
    };
    tokens.iter().enumerate().any(|(at, token)| {
        token.number().is_some() || token.is_one_of(&["un", "una", "uno", "one"]) || article(at)
    })
}

fn quantity_of(line: &Line) -> i64 {
    match line {
        Line::Ambiguous { quantity, .. } => i64::from(*quantity),
        _ => 1,
    }
}
