use super::*;
use crate::tokens::count;
use jiff::Zoned;
use quipu_core::agent::Specialist;

mod dynamic;
mod legacy;
mod polish;
mod representative;
mod secret;
mod stable;
mod table;

/// A clinic's agent that does everything, in Spanish.
fn agent() -> PromptInput<'static> {
    PromptInput {
        language: Language::Es,
        agent_name: "Maya",
        company_name: "Clínica Dental Sonrisa",
        vertical: Vertical::Dental,
        style: ResponseStyle::ProfesionalCalido,
        assistant_type: AssistantType::Full,
        medium: Medium::Messaging,
        grounding: Grounding::Strict,
        answer_length: None,
        lead_temperature: false,
        system_instructions: None,
        critical: &[],
    }
}

/// Every agent there can be: 48 personalities in four businesses and two languages.
fn all() -> impl Iterator<Item = PromptInput<'static>> {
    let languages = [Language::Es, Language::En].into_iter();
    languages.flat_map(|language| {
        Vertical::ALL.iter().flat_map(move |vertical| {
            ResponseStyle::ALL.iter().flat_map(move |style| {
                AssistantType::ALL.iter().flat_map(move |assistant_type| {
                    Medium::ALL.iter().map(move |medium| PromptInput {
                        language,
                        vertical: *vertical,
                        style: *style,
                        assistant_type: *assistant_type,
                        medium: *medium,
                        ..agent()
                    })
                })
            })
        })
    })
}

fn moment() -> Zoned {
    "2026-11-16T09:05[America/Lima]".parse().unwrap()
}

fn turn() -> TurnContext<'static> {
    TurnContext {
        language: Language::Es,
        locale: "es-PE",
        now: moment(),
        vertical: Vertical::Dental,
        assistant_type: AssistantType::Full,
        medium: Medium::Messaging,
        specialist: Specialist::General,
        customer_name: None,
        branch: None,
        files: &[],
        instructions: &[],
        caller: None,
        learned: &[],
        caution: false,
        passages: None,
        passage_tokens: 700,
    }
}

/// Five instructions of exactly 60 tokens each: as much as can be accepted.
fn full_instructions() -> Vec<String> {
    let instructions: Vec<String> = (1..=5)
        .map(|number| {
            let mut text = format!("Regla {number}: no menciones precios sin una valoración");
            while count(&text) < 59 {
                text.push_str(" previa");
            }
            text.push('.');
            text
        })
        .collect();
    assert_eq!(
        instructions.iter().map(|text| count(text)).sum::<usize>(),
        300
    );
    instructions
}

fn critical(texts: &[String]) -> Vec<CriticalInstruction<'_>> {
    let texts = texts.iter();
    texts
        .map(|text| CriticalInstruction { text, priority: 8 })
        .collect()
}

fn tokens(prompt: &CompiledPrompt, name: &str) -> usize {
    let section = prompt.sections.iter().find(|section| section.name == name);
    section.map_or(0, |section| section.tokens)
}
