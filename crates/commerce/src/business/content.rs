//! What a business has to say: policies, answers, articles, templates and what it says of others.

use super::item::{
    CatalogueItem, ItemKind, LONGEST_LINE, LONGEST_NAME, LONGEST_TEXT, Searchable, category, line,
    lines, optional_text, tags, yes,
};
use crate::money::Currency;
use quipu_core::language::Language;
use quipu_core::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyKind {
    Cancellation,
    Rescheduling,
    Payment,
    /// `guarantee` means the same.
    #[serde(alias = "guarantee")]
    Warranty,
    Refunds,
    Privacy,
    General,
}

impl PolicyKind {
    pub const ALL: [Self; 7] = [
        Self::Cancellation,
        Self::Rescheduling,
        Self::Payment,
        Self::Warranty,
        Self::Refunds,
        Self::Privacy,
        Self::General,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancellation => "cancellation",
            Self::Rescheduling => "rescheduling",
            Self::Payment => "payment",
            Self::Warranty => "warranty",
            Self::Refunds => "refunds",
            Self::Privacy => "privacy",
            Self::General => "general",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    pub kind: PolicyKind,
    #[schema(min_length = 1, max_length = 120, example = "Cancelaciones")]
    pub title: String,
    /// In full.
    #[schema(min_length = 1, max_length = 20_000)]
    pub policy: String,
    /// What an agent says of it in a sentence.
    #[serde(default)]
    #[schema(max_length = 600)]
    pub short_version: Option<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for Policy {
    const KIND: ItemKind = ItemKind::Policy;

    fn name(&self) -> &str {
        &self.title
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "title", &mut self.title, LONGEST_NAME);
        checks.text("policy", &self.policy, LONGEST_TEXT);
        optional_text(checks, "short_version", self.short_version.as_deref(), 600);
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable {
            title: self.title.clone(),
            text: match &self.short_version {
                Some(short) => format!("{short}\n\n{}", self.policy),
                None => self.policy.clone(),
            },
            category: Some(found_under(None, Self::KIND)),
            tags: vec![self.kind.as_str().to_owned()],
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Faq {
    #[schema(min_length = 1, max_length = 300, example = "¿Tienen estacionamiento?")]
    pub question: String,
    #[schema(min_length = 1, max_length = 20_000)]
    pub answer: String,
    #[serde(default)]
    #[schema(max_length = 100)]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub tags: Vec<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for Faq {
    const KIND: ItemKind = ItemKind::Faq;

    fn name(&self) -> &str {
        &self.question
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "question", &mut self.question, LONGEST_LINE);
        checks.text("answer", &self.answer, LONGEST_TEXT);
        category(checks, &mut self.category);
        tags(checks, &mut self.tags);
    }

    fn searchable(&self) -> Option<Searchable> {
        // Its title is shown for a source and is bounded there; the question stands in the text too.
        Some(Searchable {
            title: quipu_core::text::preview(&self.question, 200),
            text: format!("{}\n{}", self.question, self.answer),
            category: Some(found_under(self.category.as_deref(), Self::KIND)),
            tags: self.tags.clone(),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Article {
    #[schema(min_length = 1, max_length = 120)]
    pub title: String,
    #[schema(min_length = 1, max_length = 100_000)]
    pub content: String,
    #[serde(default)]
    #[schema(max_length = 100)]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub tags: Vec<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for Article {
    const KIND: ItemKind = ItemKind::Article;

    fn name(&self) -> &str {
        &self.title
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "title", &mut self.title, LONGEST_NAME);
        checks.text("content", &self.content, 100_000);
        category(checks, &mut self.category);
        tags(checks, &mut self.tags);
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable {
            title: self.title.clone(),
            text: self.content.clone(),
            category: Some(found_under(self.category.as_deref(), Self::KIND)),
            tags: self.tags.clone(),
        })
    }
}

/// When a prepared answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TemplateTrigger {
    Greeting,
    Farewell,
    Confirmation,
    AppointmentReminder,
    Promotion,
}

impl TemplateTrigger {
    /// What businesses call a template for it that does not say when it is given.
    #[must_use]
    pub const fn words(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Greeting, Language::Es) => "saludo bienvenida",
            (Self::Greeting, Language::En) => "greeting welcome",
            (Self::Farewell, Language::Es) => "despedida",
            (Self::Farewell, Language::En) => "farewell goodbye",
            (Self::Confirmation, Language::Es) => "confirmación",
            (Self::Confirmation, Language::En) => "confirmation",
            (Self::AppointmentReminder, Language::Es) => "recordatorio",
            (Self::AppointmentReminder, Language::En) => "reminder",
            (Self::Promotion, Language::Es) => "promoción oferta",
            (Self::Promotion, Language::En) => "promotion offer",
        }
    }
}

/// A text with places for what is different each time, written `{{nombre}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseTemplate {
    #[schema(min_length = 1, max_length = 120, example = "Confirmación de cita")]
    pub name: String,
    #[schema(
        min_length = 1,
        max_length = 4000,
        example = "¡Listo, {{nombre}}! Te esperamos el {{fecha}}."
    )]
    pub text: String,
    /// When it is given, if at one of these moments.
    #[serde(default)]
    pub trigger_type: Option<TemplateTrigger>,
    /// What a customer says when it is the answer.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub triggers: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 100)]
    pub category: Option<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl ResponseTemplate {
    /// The names of the places in the text, in order and each once.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let places = self.text.split("{{").skip(1);
        places
            .filter_map(|rest| rest.split_once("}}"))
            .map(|(name, _)| name.trim().to_owned())
            .filter(|name| seen.insert(name.clone()))
            .collect()
    }

    /// The text with the places filled in; those that nothing is known for stay as they are.
    #[must_use]
    pub fn fill<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> String {
        let mut parts = self.text.split("{{");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
            if let Some(value) = value(name.trim()) {
                filled.push_str(value);
            } else {
                for text in ["{{", name, "}}"] {
                    filled.push_str(text);
                }
            }
            filled.push_str(rest);
        }
        filled
    }
}

impl CatalogueItem for ResponseTemplate {
    const KIND: ItemKind = ItemKind::ResponseTemplate;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        checks.text("text", &self.text, 4_000);
        let opened = self.text.matches("{{").count();
        let named = |name: &String| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        if opened != self.text.matches("}}").count() || !self.variables().iter().all(named) {
            checks.problem("text", Problem::NotATemplate);
        }
        lines(checks, "triggers", &mut self.triggers, 50, LONGEST_LINE);
        category(checks, &mut self.category);
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable {
            title: self.name.clone(),
            text: with_lines(&self.text, &self.triggers),
            category: Some(found_under(None, Self::KIND)),
            tags: Vec::new(),
        })
    }
}

/// Somebody else whom customers compare the business with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Competitor {
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub aliases: Vec<String>,
    /// What to say when a customer names them.
    #[schema(min_length = 1, max_length = 4000)]
    pub strategy: String,
    /// What this business does better.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub strengths: Vec<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for Competitor {
    const KIND: ItemKind = ItemKind::Competitor;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        lines(checks, "aliases", &mut self.aliases, 20, LONGEST_NAME);
        checks.text("strategy", &self.strategy, 4_000);
        lines(checks, "strengths", &mut self.strengths, 20, LONGEST_LINE);
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable {
            title: self.name.clone(),
            text: with_lines(&self.strategy, &self.strengths),
            category: Some(found_under(None, Self::KIND)),
            tags: self.aliases.clone(),
        })
    }
}

/// A text with more of it below, line by line.
fn with_lines(text: &str, more: &[String]) -> String {
    let lines = std::iter::once(text).chain(more.iter().map(String::as_str));
    lines.collect::<Vec<_>>().join("\n")
}

/// What it is found under: its own category, or what it is.
fn found_under(own: Option<&str>, kind: ItemKind) -> String {
    own.unwrap_or(kind.as_str()).to_owned()
}
