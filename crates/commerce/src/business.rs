//! What a business is and offers: the data its agents look things up in.
//!
//! Each kind of thing is a struct here that says how it is checked, what it refers to and what of
//! it customers can search for. Storing, listing and changing are the same for all of them.

mod agenda;
mod branch;
mod content;
mod instruction;
mod item;
mod lookup;
mod menu;
mod profile;
mod prompt_room;
mod reward;
mod service;
mod staff;
#[cfg(test)]
mod tests;

pub use agenda::{Agenda, Premises, resource_id};
pub use branch::{Branch, Table};
pub use content::{
    Article, Competitor, Faq, Policy, PolicyKind, ResponseTemplate, TemplateTrigger,
};
pub use instruction::{Instruction, InstructionType};
pub use item::{CatalogueItem, Item, ItemKind, Reference, Searchable, Warning, name_key};
pub use lookup::{Named, OtherNames, by_name, rank};
pub use menu::{DeliveryZone, Dish, MenuCategory};
pub use profile::{BusinessProfile, LoyaltyProgramme, OrderTerms, Prompting};
pub use prompt_room::{MOST_IN_PROMPT, MOST_PROMPT_TOKENS, PromptPlace, PromptRoom};
pub use reward::Reward;
pub use service::{BookedWith, Promotion, Service};
pub use staff::{Staff, TimeOff};
