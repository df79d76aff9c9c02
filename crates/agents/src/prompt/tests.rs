use super::*;
use crate::tokens::count;
use jiff::Zoned;
use quipu_core::agent::Specialist;
use quipu_core::chunking::ChunkPages;
use quipu_core::context::Corpus;
use quipu_core::knowledge::DocumentSource;
use quipu_core::retrieval::{Passage, RawScores};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Timestamp};

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
        tools_off: ToolsOff::default(),
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

/// Without these tools.
fn off(names: &[&str]) -> ToolsOff {
    ToolsOff::named(&names.iter().map(|name| (*name).to_owned()).collect())
}

fn moment() -> Zoned {
    "2026-11-16T09:05[America/Lima]".parse().unwrap()
}

fn turn() -> TurnContext<'static> {
    TurnContext {
        language: Language::Es,
        locale: "es-PE",
        now: moment(),
        kind: AgentKind::whole(Vertical::Dental, AssistantType::Full),
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
        corpora: &[],
        passage_tokens: 700,
    }
}

/// A text that was found.
fn passage(title: Option<&str>, text: &str) -> Passage {
    let epoch = Timestamp::UNIX_EPOCH;
    Passage {
        chunk_id: ChunkId::generate(epoch),
        document_id: DocumentId::generate(epoch),
        knowledge_base_id: KnowledgeBaseId::from_uuid(uuid::Uuid::nil()),
        title: title.map(str::to_owned),
        source: DocumentSource::Manual,
        content: text.to_owned(),
        start_char: 0,
        end_char: i32::try_from(text.chars().count()).unwrap(),
        page_number: None,
        pages: ChunkPages::default(),
        headings: Vec::new(),
        source_url: None,
        file_type: None,
        metadata: serde_json::json!({}),
        business: None,
        similarity: 0.9,
        raw: RawScores::default(),
    }
}

/// The knowledge base that the passages are from.
fn corpus(name: &str, personal: bool) -> Corpus {
    Corpus {
        id: KnowledgeBaseId::from_uuid(uuid::Uuid::nil()),
        name: name.to_owned(),
        personal,
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
