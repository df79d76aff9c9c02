//! What all things of a catalogue have in common.

use crate::money::Currency;
pub use quipu_core::item_kind::ItemKind;
use quipu_core::text::visible;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AppointmentId, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) const LONGEST_NAME: usize = 120;
pub(super) const LONGEST_LINE: usize = 300;
pub(super) const LONGEST_TEXT: usize = 20_000;
const LONGEST_TAG: usize = 50;
const LONGEST_CATEGORY: usize = 100;

/// Something that one thing says about another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub field: &'static str,
    pub kind: ItemKind,
    pub ids: Vec<Uuid>,
}

/// What customers can search for of a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searchable {
    pub title: String,
    pub text: String,
    pub category: Option<String>,
    pub tags: Vec<String>,
}

/// Something that was saved and will not work as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    #[schema(example = "no_staff")]
    pub code: String,
    /// In Spanish.
    pub es: String,
    /// In English.
    pub en: String,
    /// The appointments it is about, where it is about some; not all when there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appointments: Vec<AppointmentId>,
}

impl Warning {
    #[must_use]
    pub fn new(code: &str, es: &str, en: &str) -> Self {
        Self {
            code: code.to_owned(),
            es: es.to_owned(),
            en: en.to_owned(),
            appointments: Vec::new(),
        }
    }
}

/// One kind of thing in a catalogue.
pub trait CatalogueItem:
    Clone + std::fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    const KIND: ItemKind;
    /// The fields of which `null` says something else than leaving them out.
    const NULLABLE: &'static [&'static str] = &[];

    /// No two of a kind have the same name, however it is written.
    fn name(&self) -> &str;

    /// What is not active is not shown to customers and cannot be booked or ordered.
    fn active(&self) -> bool;

    /// Where it stands among its kind; the same number means in the order of names.
    fn position(&self) -> i32 {
        0
    }

    /// Checks everything that can be told without looking at other things, and trims what people
    /// typed.
    fn check(&mut self, currency: Currency, checks: &mut Checks);

    fn references(&self) -> Vec<Reference> {
        Vec::new()
    }

    /// Drops a reference to something that is deleted. Whether there was one.
    fn forget(&mut self, _id: Uuid) -> bool {
        false
    }

    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }

    fn searchable(&self) -> Option<Searchable> {
        None
    }

    /// What stands of it in every prompt, where it is to stand there.
    fn prompt_text(&self) -> Option<String> {
        None
    }
}

/// A thing of a catalogue as it is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Item<T> {
    pub id: Uuid,
    #[serde(flatten)]
    pub data: T,
    /// What was saved although it will not work as it is, with the reason.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What two writings of one name share.
#[must_use]
pub fn name_key(name: &str) -> String {
    let name = visible(name);
    let words: Vec<String> = quipu_core::text::words(&name)
        .map(quipu_core::text::fold)
        .collect();
    if words.is_empty() {
        // A name of signs alone is known by them.
        return name.trim().to_lowercase();
    }
    words.join(" ")
}

/// A line as it is shown to customers, without what nobody sees in it.
pub(super) fn line(checks: &mut Checks, field: &str, text: &mut String, max: usize) {
    *text = checks.line(field, text, max);
}

pub(super) fn optional_line(
    checks: &mut Checks,
    field: &str,
    text: &mut Option<String>,
    max: usize,
) {
    if let Some(text) = text {
        line(checks, field, text, max);
    }
}

pub(super) fn optional_text(checks: &mut Checks, field: &str, text: Option<&str>, max: usize) {
    if let Some(text) = text {
        checks.text(field, text, max);
    }
}

pub(super) fn lines(
    checks: &mut Checks,
    field: &str,
    lines: &mut [String],
    most: usize,
    longest: usize,
) {
    few(checks, field, lines.len(), most);
    for (at, text) in lines.iter_mut().take(most).enumerate() {
        line(checks, &format!("{field}[{at}]"), text, longest);
    }
}

pub(super) fn tags(checks: &mut Checks, tags: &mut [String]) {
    lines(checks, "tags", tags, 20, LONGEST_TAG);
    distinct(checks, "tags", tags);
}

/// What a text is found under.
pub(super) fn category(checks: &mut Checks, category: &mut Option<String>) {
    optional_line(checks, "category", category, LONGEST_CATEGORY);
}

pub(super) fn few(checks: &mut Checks, field: &str, count: usize, max: usize) {
    if count > max {
        checks.problem(field, Problem::TooMany { max });
    }
}

pub(super) fn few_distinct<T: Eq + std::hash::Hash>(
    checks: &mut Checks,
    field: &str,
    things: &[T],
    most: usize,
) {
    few(checks, field, things.len(), most);
    distinct(checks, field, things);
}

fn distinct<T: Eq + std::hash::Hash>(checks: &mut Checks, field: &str, things: &[T]) {
    let mut seen = HashSet::new();
    if !things.iter().all(|thing| seen.insert(thing)) {
        checks.problem(field, Problem::Duplicate);
    }
}

/// A web address that a customer can be sent.
pub(super) fn address(checks: &mut Checks, field: &str, url: &mut Option<String>) {
    optional_line(checks, field, url, 500);
    let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
    if url
        .as_ref()
        .is_some_and(|url| !url.is_empty() && !is_web(url))
    {
        checks.problem(field, Problem::NotAnAddress);
    }
}

/// A telephone number in any of the ways people write them.
pub(super) fn phone(checks: &mut Checks, field: &str, phone: &str) {
    checks.phone(field, phone);
}

pub(super) const fn yes() -> bool {
    true
}
