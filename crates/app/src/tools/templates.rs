//! Answers that the business has prepared.

use super::Turn;
use super::naming::{allowing, wrong};
use crate::catalogue;
use quipu_agents::tool::arguments::TemplateQuestion;
use quipu_commerce::business::{Item, ResponseTemplate, TemplateTrigger, rank};
use quipu_core::text::fold;
use quipu_core::{Error, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// No name or other thing that stands in a place is longer.
const LONGEST_VALUE: usize = 500;
const MOST_VARIABLES: usize = 30;

/// The template that fits, with its places filled in as far as it is told with what.
pub(super) async fn template(turn: &Turn<'_>, asked: TemplateQuestion) -> Result<Value> {
    let all = catalogue::active::<ResponseTemplate>(turn.tx).await?;
    check(&asked.variables)?;
    let (field, found) = match (&asked.situation, asked.trigger_type) {
        (Some(situation), trigger) => ("situation", said(turn, &all, situation, trigger)),
        (None, Some(trigger)) => ("trigger_type", given_at(turn, &all, trigger)),
        (None, None) => {
            return Err(wrong(
                "trigger_type",
                "falta cuál: indica trigger_type o situation".to_owned(),
                "it is not said which: give trigger_type or situation".to_owned(),
            )
            .with("takes", json!(["trigger_type", "situation", "variables"])));
        }
    };
    let Some(template) = found else {
        let names = all.iter().map(|template| template.data.name.clone());
        let error = Error::not_found("response_template").with("field", field);
        return Err(allowing(error, names.collect()).with("hint", "answer in your own words"));
    };
    let known = asked.variables.iter();
    let known: HashMap<String, &str> = known
        .map(|(name, value)| (fold(name.trim()), value.trim()))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let value = |name: &str| known.get(&fold(name)).copied();
    let variables = template.data.variables();
    let missing = variables.iter().filter(|name| value(name).is_none());
    let missing: Vec<&String> = missing.collect();
    Ok(json!({
        "name": template.data.name,
        "text": template.data.fill(value),
        "variables": variables,
        "missing": (!missing.is_empty()).then_some(missing),
        "trigger_type": template.data.trigger_type,
        "category": template.data.category,
    }))
}

fn check(variables: &BTreeMap<String, String>) -> Result<()> {
    let long = |value: &String| value.chars().count() > LONGEST_VALUE;
    if variables.len() <= MOST_VARIABLES && !variables.values().any(long) {
        return Ok(());
    }
    Err(wrong(
        "variables",
        format!("variables admite {MOST_VARIABLES} valores de hasta {LONGEST_VALUE} caracteres"),
        format!("variables takes {MOST_VARIABLES} values of up to {LONGEST_VALUE} characters"),
    ))
}

/// The template that is called so, or else the one most like what was said. Of those, one for the
/// moment comes before others.
fn said<'a>(
    turn: &Turn<'_>,
    all: &'a [Item<ResponseTemplate>],
    situation: &str,
    trigger: Option<TemplateTrigger>,
) -> Option<&'a Item<ResponseTemplate>> {
    let wanted = fold(situation);
    let called = all
        .iter()
        .find(|template| fold(&template.data.name) == wanted);
    let ranked = ranked(turn, all, situation);
    let fits = |template: &&&Item<ResponseTemplate>| {
        trigger.is_some() && template.data.trigger_type == trigger
    };
    called
        .or_else(|| ranked.iter().find(fits).copied())
        .or_else(|| ranked.first().copied())
        .or_else(|| trigger.and_then(|trigger| given_at(turn, all, trigger)))
}

/// The first template that says it is given at this moment, or else one that is called so.
fn given_at<'a>(
    turn: &Turn<'_>,
    all: &'a [Item<ResponseTemplate>],
    trigger: TemplateTrigger,
) -> Option<&'a Item<ResponseTemplate>> {
    let mut says = all.iter();
    let says = says.find(|template| template.data.trigger_type == Some(trigger));
    says.or_else(|| {
        let words = trigger.words(turn.language()).split(' ');
        let mut called = words.flat_map(|word| ranked(turn, all, word));
        called.find(|template| template.data.trigger_type.is_none())
    })
}

fn ranked<'a>(
    turn: &Turn<'_>,
    all: &'a [Item<ResponseTemplate>],
    words: &str,
) -> Vec<&'a Item<ResponseTemplate>> {
    let texts = all.iter().map(|template| {
        let ResponseTemplate { name, triggers, .. } = &template.data;
        format!("{name} {}", triggers.join(" "))
    });
    let texts: Vec<String> = texts.collect();
    let ranked = rank(words, &texts, turn.language());
    ranked.iter().filter_map(|(at, _)| all.get(*at)).collect()
}
