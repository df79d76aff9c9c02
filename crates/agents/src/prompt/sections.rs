//! The sections of the stable part, each as a text of its own.

use super::texts::{Example, Texts, texts};
use super::wording::{fill, one_line, visible};
use super::{AnswerLength, CriticalInstruction, PromptInput, tool_groups};
use crate::specialist::abilities;
use crate::tokens::{count, cut, cut_at_sentence};
use quipu_core::agent::{AssistantType, Grounding, Vertical};

/// Names are as long as this at most; longer ones are cut, so that a section keeps its budget.
const NAME_TOKENS: usize = 20;
const NAME_CHARS: usize = 120;
/// An instruction of the business of fewer tokens than this is none.
const FEWEST_OWN_TOKENS: usize = 8;

/// The texts of an agent's language with the words of its business.
pub(super) struct Writer<'a> {
    pub(super) texts: &'static Texts,
    input: &'a PromptInput<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(input: &'a PromptInput<'a>) -> Self {
        Self {
            texts: texts(input.language),
            input,
        }
    }

    /// A text with the words of the business in it.
    fn say(&self, text: &str) -> String {
        let trade = self.texts.trade(self.input.vertical);
        let words = [
            ("customer", trade.customer.as_str()),
            ("booking", &trade.booking),
            ("offer", &trade.offer),
            ("booking_details", &trade.booking_details),
            ("few", &self.texts.delivery(self.input.medium).few),
        ];
        fill(text.trim(), &words)
    }

    pub(super) fn identity(&self) -> String {
        let (common, input) = (&self.texts.common, self.input);
        let agent = one_line(input.agent_name, NAME_CHARS);
        let company = one_line(input.company_name, NAME_CHARS);
        let business = match self.texts.trade(input.vertical).business.as_str() {
            "" => String::new(),
            business => format!(", {business}"),
        };
        let words = [
            ("agent", cut(&agent, NAME_TOKENS)),
            ("company", cut(&company, NAME_TOKENS)),
            ("business", &business),
            ("place", &self.texts.delivery(input.medium).place),
        ];
        let text = match input.assistant_type {
            AssistantType::PersonalBrand => &common.identity.person,
            _ => &common.identity.text,
        };
        let text = fill(text.trim(), &words);
        format!("{}\n{text}", common.headings.identity)
    }

    pub(super) fn personality(&self) -> String {
        let mut parts = vec![self.texts.common.headings.personality.clone()];
        parts.extend(self.voice());
        parts.extend(self.arrival());
        parts.extend(self.examples());
        parts.join("\n")
    }

    /// The same with what a model made of the manner.
    pub(super) fn polished(&self, manner: &str) -> String {
        let mut parts = vec![self.texts.common.headings.personality.clone()];
        parts.push(manner.to_owned());
        parts.extend(self.arrival());
        parts.join("\n")
    }

    /// What of the personality leads the agent, without the sentences it is shown as its own. Those ask the
    /// customer something, also in the words of a model.
    pub(super) fn rules(&self, polished: Option<&str>) -> String {
        let manner = match polished {
            Some(manner) => manner.lines().map(str::to_owned).collect(),
            None => self.voice(),
        };
        let rules = manner.into_iter().chain(self.arrival());
        let rules = rules.filter(|line| polished.is_none() || !line.contains('?'));
        rules.collect::<Vec<_>>().join("\n")
    }

    /// How the agent speaks and what it is there for: the part of the personality that can be said in
    /// other words. The program counts on what the rest says.
    pub(super) fn manner(&self) -> String {
        [self.voice(), self.examples()].concat().join("\n")
    }

    fn voice(&self) -> Vec<String> {
        let (headings, input) = (&self.texts.common.headings, self.input);
        let style = self.texts.style(input.style);
        let purpose = self.texts.purpose(input.assistant_type);
        let sound = style.sound(input.medium);
        let mut parts = vec![
            headings.style.clone(),
            self.say(&style.text),
            format!("- {}", sound.note),
            headings.assistant_type.clone(),
            self.say(&purpose.text),
        ];
        if let Some(orders) = &purpose.orders
            && abilities(input.kind()).include("create_order")
        {
            parts.push(format!("- {orders}"));
        }
        parts.push(format!("- {}", purpose.note(input.medium)));
        parts
    }

    fn arrival(&self) -> Vec<String> {
        let delivery = self.texts.delivery(self.input.medium);
        let medium = fill(delivery.text.trim(), &[("length", &self.length())]);
        let mut parts = vec![self.texts.common.headings.medium.clone(), medium];
        if self.input.lead_temperature {
            parts.push(format!("- {}", self.texts.common.temperature.text.trim()));
        }
        parts
    }

    fn examples(&self) -> Vec<String> {
        let sound = self.texts.style(self.input.style).sound(self.input.medium);
        let mut parts = vec![self.texts.common.headings.examples.clone()];
        let shown = sound.example(self.example());
        for line in [&sound.price, &sound.unknown, shown] {
            parts.push(format!("- {}", self.say(line)));
        }
        parts
    }

    /// A restaurant's agent that does everything is mostly asked for food. None is shown promising what is
    /// switched off.
    fn example(&self) -> Example {
        let shown = match (self.input.assistant_type, self.input.vertical) {
            (AssistantType::Full, Vertical::Restaurant) => Example::Order,
            (assistant_type, _) => self.texts.purpose(assistant_type).example,
        };
        let abilities = abilities(self.input.kind());
        let promised = match shown {
            Example::Order => "create_order",
            Example::Booking | Example::Brand => "create_appointment",
            Example::Info | Example::Lead => return shown,
        };
        if abilities.go_without(promised) {
            Example::Info
        } else {
            shown
        }
    }

    fn length(&self) -> String {
        let common = &self.texts.common.length;
        let Some(AnswerLength { sentences, words }) = self.input.answer_length else {
            return self.texts.delivery(self.input.medium).length.clone();
        };
        let (sentences, words) = (sentences.clamp(1, 12), words.clamp(20, 200).to_string());
        let text = if sentences == 1 {
            &common.one
        } else {
            &common.many
        };
        let sentences = sentences.to_string();
        fill(text, &[("sentences", &sentences), ("words", &words)])
    }

    /// The critical instructions that have room, the most important first, and how many have none.
    pub(super) fn critical(&self, most: usize, most_tokens: usize) -> (Option<String>, usize) {
        let mut wanted: Vec<&CriticalInstruction> = self.input.critical.iter().collect();
        // The order in which they were read says nothing, and must not change the text.
        wanted.sort_by(|a, b| b.priority.cmp(&a.priority).then(a.text.cmp(b.text)));
        let (mut told, mut left_out, mut tokens) = (Vec::new(), 0, 0);
        for instruction in wanted {
            let text = visible(instruction.text);
            if text.is_empty() {
                continue;
            }
            // Nothing longer than this can have room, and a long text takes long to count.
            let small = text.len() <= most_tokens * 24;
            let size = if small { count(&text) } else { usize::MAX };
            if told.len() < most && size <= most_tokens - tokens {
                tokens += size;
                told.push(format!("- {text}"));
            } else {
                left_out += 1;
            }
        }
        let heading = &self.texts.common.headings.critical;
        let section = (!told.is_empty()).then(|| format!("{heading}\n{}", told.join("\n")));
        (section, left_out)
    }

    /// The business's own instructions as far as there is room, and whether there was room for all.
    pub(super) fn own(&self, most_tokens: usize) -> (Option<String>, bool) {
        let text = visible(self.input.system_instructions.unwrap_or_default());
        if text.is_empty() {
            return (None, true);
        }
        let heading = &self.texts.common.headings.own;
        let room = most_tokens.saturating_sub(count(heading) + 2);
        let told = cut_at_sentence(&text, room);
        let whole = told.len() == text.len();
        let enough = whole || count(told) >= FEWEST_OWN_TOKENS;
        (enough.then(|| format!("{heading}\n{told}")), whole)
    }

    pub(super) fn tools(&self) -> String {
        let (common, input) = (&self.texts.common, self.input);
        let groups = &common.tools.groups;
        let mut lines = tool_groups::lines(groups, input.kind());
        let forgone = tool_groups::of_writes(input.kind());
        let trade = self.texts.trade(input.vertical);
        lines.extend(tool_groups::forgone(&common.tools, trade, &forgone));
        let text = common.tools.text.trim();
        format!("{}\n{text}\n{}", common.headings.tools, lines.join("\n"))
    }

    pub(super) fn safety(&self) -> String {
        let common = &self.texts.common;
        let grounding = match self.input.grounding {
            Grounding::Strict => &common.safety.strict,
            Grounding::Open => &common.safety.open,
        };
        let parts = [
            common.headings.safety.as_str(),
            self.texts.trade(self.input.vertical).safety.trim(),
            grounding,
            common.safety.text.trim(),
        ];
        parts.join("\n")
    }
}
