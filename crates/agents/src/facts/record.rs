//! What happened during a turn, and what is known to have happened before it.

use super::claims::vocabulary::Vocabulary;
use super::claims::{Deed, Doing, Thing};
use jiff::civil::Date;
use serde_json::Value;

/// The tools that tell which times the customer has taken.
const TAKEN: &[&str] = &[
    "create_appointment",
    "reschedule_appointment",
    "get_appointments",
];
/// How deep into a result is looked for dates.
const DEEPEST: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// The tools that changed something.
    done: Vec<String>,
    /// What is known of before, and whether it is called off.
    known: Vec<(Thing, bool)>,
    /// The days on which there are times; nothing when nobody looked.
    days: Option<Vec<Date>>,
    /// Whoever asked has done something with tools of their own, of which nothing is known.
    by_client: bool,
}

impl Record {
    /// A tool that changes something has done so.
    pub(super) fn did(&mut self, tool: &str) {
        self.done.push(tool.to_owned());
    }

    pub(super) const fn did_by_client(&mut self) {
        self.by_client = true;
    }

    /// Notes what a tool told.
    pub(super) fn told(&mut self, tool: &str, result: &Value) {
        let called_off = result.to_string().contains("cancel");
        let anything = !is_empty(result);
        let known = Vocabulary::get().known(tool).iter().filter(|_| anything);
        self.known.extend(known.map(|thing| (*thing, called_off)));
        let mut days = Vec::new();
        match tool {
            // What was asked for is told again beside what there is.
            "get_available_slots" => listed(result, &mut days, 0),
            _ if TAKEN.contains(&tool) => dates(result, &mut days, 0),
            _ => {}
        }
        self.free_on(days);
    }

    /// Notes the times that a tool lists when it refuses one.
    pub(super) fn refused(&mut self, told: &Value) {
        let mut days = Vec::new();
        listed(told, &mut days, 0);
        self.free_on(days);
    }

    fn free_on(&mut self, days: Vec<Date>) {
        if !days.is_empty() {
            self.days.get_or_insert_default().extend(days);
        }
    }

    pub(super) fn supports(&self, deed: Deed) -> bool {
        if self.by_client {
            return true;
        }
        // Nothing sends messages by itself, and a request is whatever was done.
        if deed.doing == Doing::Send || deed.thing == Thing::Request {
            return !self.done.is_empty();
        }
        let mut done = self
            .done
            .iter()
            .filter_map(|tool| Vocabulary::get().done(tool));
        let mut known = self.known.iter();
        done.any(|(doings, things)| doings.contains(&deed.doing) && things.contains(&deed.thing))
            || known.any(|(thing, called_off)| {
                *thing == deed.thing
                    && match deed.doing {
                        Doing::Cancel => *called_off,
                        Doing::Move => false,
                        _ => true,
                    }
            })
    }

    /// Whether somebody looked whether there are times on a day, or on any where none is named.
    pub(super) fn has_time(&self, day: Option<Date>) -> bool {
        let fits = |days: &Vec<Date>| day.is_none_or(|day| days.contains(&day));
        self.by_client || self.days.as_ref().is_some_and(fits)
    }
}

/// A result that lists nothing.
fn is_empty(result: &Value) -> bool {
    match result {
        Value::Object(fields) => fields
            .values()
            .all(|value| value.is_null() || value.as_array().is_some_and(Vec::is_empty)),
        Value::Array(all) => all.is_empty(),
        other => other.is_null(),
    }
}

/// The dates in the lists of a result.
fn listed(value: &Value, found: &mut Vec<Date>, depth: usize) {
    match value {
        _ if depth > DEEPEST => {}
        Value::Array(_) => dates(value, found, depth),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| listed(value, found, depth + 1)),
        _ => {}
    }
}

fn dates(value: &Value, found: &mut Vec<Date>, depth: usize) {
    match value {
        _ if depth > DEEPEST => {}
        Value::String(text) => {
            let day: Option<Date> = text.get(..10).and_then(|day| day.parse().ok());
            found.extend(day);
        }
        Value::Array(all) => all.iter().for_each(|value| dates(value, found, depth + 1)),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| dates(value, found, depth + 1)),
        _ => {}
    }
}
