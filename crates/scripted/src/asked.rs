//! What the stand-in was asked, whatever the protocol.

use axum::http::{HeaderMap, Uri};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    Openai,
    Anthropic,
    Gemini,
    Ollama,
}

impl Dialect {
    pub const ALL: [Self; 4] = [Self::Openai, Self::Anthropic, Self::Gemini, Self::Ollama];
}

#[derive(Clone, Debug)]
pub struct Asked {
    pub dialect: Dialect,
    pub path: String,
    pub query: String,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Asked {
    pub(super) fn new(uri: &Uri, headers: HeaderMap, body: &[u8]) -> Self {
        let path = uri.path().to_owned();
        let dialect = if path.ends_with("/messages") {
            Dialect::Anthropic
        } else if path.ends_with("GenerateContent") {
            Dialect::Gemini
        } else if path.ends_with("/api/chat") {
            Dialect::Ollama
        } else {
            Dialect::Openai
        };
        Self {
            dialect,
            path,
            query: uri.query().unwrap_or_default().to_owned(),
            headers,
            body: serde_json::from_slice(body).unwrap_or_default(),
        }
    }

    /// The model that was asked for.
    #[must_use]
    pub fn model(&self) -> String {
        if self.dialect == Dialect::Gemini {
            let name = self.path.rsplit('/').next().unwrap_or_default();
            return name.split(':').next().unwrap_or_default().to_owned();
        }
        self.body["model"].as_str().unwrap_or_default().to_owned()
    }

    /// What the model was told to be.
    #[must_use]
    pub fn system(&self) -> String {
        match self.dialect {
            Dialect::Anthropic => texts(&self.body["system"]),
            Dialect::Gemini => texts(&self.body["systemInstruction"]["parts"]),
            Dialect::Openai | Dialect::Ollama => self
                .messages()
                .filter(|message| message["role"] == "system")
                .map(|message| texts(&message["content"]))
                .collect(),
        }
    }

    /// What the customer said last.
    #[must_use]
    pub fn last_user(&self) -> String {
        let said = self.messages().filter(|message| message["role"] == "user");
        let said: Vec<String> = said
            .map(|message| match self.dialect {
                Dialect::Gemini => texts(&message["parts"]),
                _ => texts(&message["content"]),
            })
            .filter(|text| !text.is_empty())
            .collect();
        said.last().cloned().unwrap_or_default()
    }

    /// The names of the tools that the model may use.
    #[must_use]
    pub fn tools(&self) -> Vec<String> {
        let tools = match self.dialect {
            Dialect::Gemini => &self.body["tools"][0]["functionDeclarations"],
            _ => &self.body["tools"],
        };
        let tools = tools.as_array().into_iter().flatten();
        tools
            .filter_map(|tool| {
                let own = tool["name"].as_str();
                own.or_else(|| tool["function"]["name"].as_str())
            })
            .map(str::to_owned)
            .collect()
    }

    /// What the tools returned, by name and in order.
    #[must_use]
    pub fn tool_results(&self) -> Vec<(String, Value)> {
        self.messages()
            .flat_map(|message| match self.dialect {
                Dialect::Openai if message["role"] == "tool" => {
                    let name = self.called(&message["tool_call_id"]);
                    vec![(name, parsed(&message["content"]))]
                }
                Dialect::Ollama if message["role"] == "tool" => {
                    let name = message["tool_name"].as_str().unwrap_or_default();
                    vec![(name.to_owned(), parsed(&message["content"]))]
                }
                Dialect::Anthropic => blocks(&message["content"])
                    .filter(|block| block["type"] == "tool_result")
                    .map(|block| {
                        let name = self.called(&block["tool_use_id"]);
                        (name, parsed(&block["content"]))
                    })
                    .collect(),
                Dialect::Gemini => blocks(&message["parts"])
                    .filter(|part| part["functionResponse"].is_object())
                    .map(|part| {
                        let response = &part["functionResponse"];
                        let name = response["name"].as_str().unwrap_or_default();
                        (name.to_owned(), unwrapped(&response["response"]))
                    })
                    .collect(),
                Dialect::Openai | Dialect::Ollama => Vec::new(),
            })
            .collect()
    }

    fn messages(&self) -> impl Iterator<Item = &Value> {
        let messages = match self.dialect {
            Dialect::Gemini => &self.body["contents"],
            _ => &self.body["messages"],
        };
        blocks(messages)
    }

    /// The name of the tool that was called under an id.
    fn called(&self, id: &Value) -> String {
        let calls = self.messages().flat_map(|message| {
            let calls = blocks(&message["tool_calls"]);
            calls.chain(blocks(&message["content"]))
        });
        let call = calls
            .filter(|call| !id.is_null() && call["id"] == *id)
            .last();
        let name = call.and_then(|call| {
            let own = call["name"].as_str();
            own.or_else(|| call["function"]["name"].as_str())
        });
        name.unwrap_or_default().to_owned()
    }
}

fn blocks(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The words of a message, whether they stand alone or in blocks.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => {
            let texts = blocks(value).filter_map(|block| block["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn parsed(content: &Value) -> Value {
    let text = texts(content);
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// A result that was no object came wrapped in one.
fn unwrapped(response: &Value) -> Value {
    match response["result"].as_str() {
        Some(text) => parsed(&Value::String(text.to_owned())),
        None => response.clone(),
    }
}
