use clap::{Args, Subcommand};
use quipu_agents::tool::{self, Tool};
use quipu_core::agent::Vertical;
use quipu_core::language::Language;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Args)]
pub(super) struct Tools {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Every tool an agent can have.
    List {
        /// Only those of one kind of business: general, dental, medical or restaurant.
        #[arg(long, value_parser = vertical)]
        vertical: Option<Vertical>,
        /// Descriptions in English.
        #[arg(long)]
        english: bool,
        /// For programs: with the JSON schemas.
        #[arg(long)]
        json: bool,
    },
}

fn vertical(text: &str) -> Result<Vertical, String> {
    let names: Vec<&str> = Vertical::ALL.iter().map(|known| known.as_str()).collect();
    Vertical::parse(text).ok_or_else(|| format!("one of {}", names.join(", ")))
}

pub(super) fn run(tools: &Tools) -> anyhow::Result<()> {
    let What::List {
        vertical,
        english,
        json,
    } = &tools.what;
    let language = if *english { Language::En } else { Language::Es };
    let fits = |tool: &&Tool| vertical.is_none_or(|vertical| tool.is_for(vertical));
    let chosen: Vec<&Tool> = tool::ALL.iter().filter(fits).collect();
    if *json {
        let told: Vec<_> = chosen
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "access": tool.access,
                    "description": tool.description(language),
                    "verticals": tool.verticals().collect::<Vec<_>>(),
                    "specialists": tool.specialists,
                    "parameters": tool.parameters(),
                })
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&told)?);
        return Ok(());
    }
    let width = chosen.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let mut list = String::new();
    for tool in chosen {
        let access = match tool.access {
            tool::Access::Read => "read",
            tool::Access::Write => "write",
        };
        let description = tool.description(language);
        writeln!(list, "{:<width$}  {access:<5}  {description}", tool.name)?;
    }
    print!("{list}");
    Ok(())
}
