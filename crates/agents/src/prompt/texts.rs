//! The texts under `data/prompts`, read once for each language.

use quipu_core::agent::{AssistantType, Medium, ResponseStyle, Vertical};
use quipu_core::language::Language;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How an agent speaks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Style {
    pub(super) text: String,
    messaging: Sound,
    voice: Sound,
}

/// How a style is written or sounds: a note, and lines in its voice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sound {
    pub(super) note: String,
    pub(super) price: String,
    pub(super) unknown: String,
    booking: String,
    order: String,
    info: String,
    brand: String,
    lead: String,
}

impl Sound {
    pub(super) fn example(&self, example: Example) -> &str {
        match example {
            Example::Booking => &self.booking,
            Example::Order => &self.order,
            Example::Info => &self.info,
            Example::Brand => &self.brand,
            Example::Lead => &self.lead,
        }
    }
}

/// The line that shows best what an agent is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Example {
    Booking,
    Order,
    Info,
    Brand,
    Lead,
}

/// What an agent is there for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Purpose {
    pub(super) text: String,
    pub(super) example: Example,
    /// What is added where the business takes orders.
    pub(super) orders: Option<String>,
    messaging: Note,
    voice: Note,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    note: String,
}

impl Style {
    pub(super) const fn sound(&self, medium: Medium) -> &Sound {
        match medium {
            Medium::Messaging => &self.messaging,
            Medium::Voice => &self.voice,
        }
    }
}

impl Purpose {
    pub(super) fn note(&self, medium: Medium) -> &str {
        match medium {
            Medium::Messaging => &self.messaging.note,
            Medium::Voice => &self.voice.note,
        }
    }
}

/// How answers reach people.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delivery {
    pub(super) text: String,
    /// Where the agent attends, as a sentence of its identity.
    pub(super) place: String,
    /// How many times to choose from are offered at once.
    pub(super) few: String,
    /// How long answers are, unless the agent has its own measure.
    pub(super) length: String,
}

/// The words of a kind of business, and what keeps its customers safe.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trade {
    pub(super) business: String,
    pub(super) customer: String,
    pub(super) booking: String,
    pub(super) offer: String,
    pub(super) booking_details: String,
    pub(super) safety: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Common {
    pub(super) headings: Headings,
    pub(super) identity: Identity,
    pub(super) length: Length,
    pub(super) temperature: Text,
    pub(super) tools: Tools,
    pub(super) safety: Safety,
    pub(super) turn: Turn,
    pub(super) legacy: Legacy,
    pub(super) polish: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    pub(super) text: String,
    /// Where the agent stands for a person and not for a business.
    pub(super) person: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Headings {
    pub(super) identity: String,
    pub(super) personality: String,
    pub(super) style: String,
    pub(super) assistant_type: String,
    pub(super) medium: String,
    pub(super) examples: String,
    pub(super) critical: String,
    pub(super) own: String,
    pub(super) tools: String,
    pub(super) safety: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Length {
    pub(super) one: String,
    pub(super) many: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tools {
    pub(super) text: String,
    /// What is said where something is switched off.
    pub(super) off: String,
    /// What each tool that changes something does, in a few words.
    pub(super) deeds: BTreeMap<String, String>,
    pub(super) groups: Groups,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Groups {
    pub(super) business: String,
    pub(super) offer: String,
    pub(super) menu: String,
    pub(super) agenda: String,
    pub(super) orders: String,
    pub(super) urgency: String,
    pub(super) knowledge: String,
    pub(super) lead: String,
    pub(super) loyalty: String,
    pub(super) invoice: String,
    pub(super) person: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Safety {
    pub(super) strict: String,
    pub(super) open: String,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    pub(super) now: String,
    pub(super) customer: String,
    pub(super) branch: String,
    pub(super) file: String,
    pub(super) part: String,
    pub(super) purpose: String,
    pub(super) handoffs: String,
    pub(super) instructions: String,
    pub(super) caller: String,
    pub(super) learned: String,
    pub(super) question: String,
    pub(super) answer: String,
    pub(super) caution: String,
    pub(super) caution_text: String,
    pub(super) passages: String,
    pub(super) passages_rule: String,
    pub(super) cite_messaging: String,
    pub(super) cite_voice: String,
    pub(super) no_passages: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Legacy {
    pub(super) instructions: String,
    pub(super) services: String,
    pub(super) menu: String,
    pub(super) zones: String,
    pub(super) branches: String,
    pub(super) staff: String,
    pub(super) policies: String,
    pub(super) faqs: String,
    pub(super) templates: String,
    pub(super) competitors: String,
    pub(super) articles: String,
    pub(super) documents: String,
}

/// Everything in one language.
pub(super) struct Texts {
    pub(super) common: Common,
    styles: Vec<Style>,
    purposes: Vec<Purpose>,
    deliveries: Vec<Delivery>,
    trades: Vec<Trade>,
}

macro_rules! read_file {
    ($language:literal, $name:literal) => {
        read(
            concat!($language, "/", $name),
            include_str!(concat!(
                "../../data/prompts/",
                $language,
                "/",
                $name,
                ".toml"
            )),
        )
    };
}

macro_rules! read_language {
    ($language:literal) => {
        Texts {
            common: read_file!($language, "common"),
            styles: vec![
                read_file!($language, "styles/profesional"),
                read_file!($language, "styles/profesional_calido"),
                read_file!($language, "styles/casual"),
                read_file!($language, "styles/muy_formal"),
            ],
            purposes: vec![
                read_file!($language, "types/full"),
                read_file!($language, "types/appointments_only"),
                read_file!($language, "types/orders_only"),
                read_file!($language, "types/info_only"),
                read_file!($language, "types/personal_brand"),
                read_file!($language, "types/lead_capture"),
            ],
            deliveries: vec![
                read_file!($language, "media/messaging"),
                read_file!($language, "media/voice"),
            ],
            trades: vec![
                read_file!($language, "verticals/general"),
                read_file!($language, "verticals/dental"),
                read_file!($language, "verticals/medical"),
                read_file!($language, "verticals/restaurant"),
            ],
        }
    };
}

/// Reads a text, which is part of the program: one that cannot be read fails every test.
fn read<T: DeserializeOwned>(name: &str, text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("data/prompts/{name}.toml: {error}"))
}

pub(super) fn texts(language: Language) -> &'static Texts {
    static ES: LazyLock<Texts> = LazyLock::new(|| read_language!("es"));
    static EN: LazyLock<Texts> = LazyLock::new(|| read_language!("en"));
    match language {
        Language::Es => &ES,
        Language::En => &EN,
    }
}

// The lists are in the order of the words they are for; a test of all combinations holds this.
impl Texts {
    pub(super) fn style(&self, style: ResponseStyle) -> &Style {
        &self.styles[style as usize]
    }

    pub(super) fn purpose(&self, assistant_type: AssistantType) -> &Purpose {
        &self.purposes[assistant_type as usize]
    }

    pub(super) fn delivery(&self, medium: Medium) -> &Delivery {
        &self.deliveries[medium as usize]
    }

    pub(super) fn trade(&self, vertical: Vertical) -> &Trade {
        &self.trades[vertical as usize]
    }
}
