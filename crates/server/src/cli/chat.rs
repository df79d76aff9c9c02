use crate::config::Config;
use crate::demo::KEY_FILE;
use anyhow::{Context, bail};
use clap::Args;
use futures::StreamExt;
use serde_json::{Value, json};
use std::io::{BufRead, IsTerminal, Write};

#[derive(Args)]
pub(super) struct Chat {
    /// Where the server is.
    #[arg(
        long,
        env = "QUIPU_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL"
    )]
    url: String,
    /// The agent's id or slug; without it, the tenant's active agent.
    #[arg(long)]
    agent: Option<String>,
    /// The key to talk with; without it, the one of the demo tenant.
    #[arg(long, env = "QUIPU_API_KEY", hide_env_values = true)]
    api_key: Option<String>,
    /// Ask this one question instead of holding a conversation.
    question: Option<String>,
}

struct Client {
    http: reqwest::Client,
    url: String,
    key: String,
}

pub(super) async fn run(config: &Config, chat: Chat) -> anyhow::Result<()> {
    let key = if let Some(key) = chat.api_key {
        key
    } else {
        let file = config.data.dir.join(KEY_FILE);
        std::fs::read_to_string(&file)
            .with_context(|| {
                format!(
                    "no key: give --api-key or QUIPU_API_KEY (there is none in {})",
                    file.display()
                )
            })?
            .trim()
            .to_owned()
    };
    let url = chat.url.trim_end_matches('/').to_owned();
    let client = Client {
        http: reqwest::Client::new(),
        url,
        key,
    };
    let agent = match chat.agent {
        Some(agent) => agent,
        None => client.active_agent().await?,
    };
    let mut messages = Vec::new();
    if let Some(question) = chat.question {
        return client.turn(&agent, &mut messages, &question).await;
    }
    let interactive = std::io::stdin().is_terminal();
    if interactive {
        println!("Talking to {agent}. An empty line or Ctrl-D ends the conversation.");
    }
    let mut lines = std::io::stdin().lock().lines();
    loop {
        if interactive {
            print!("> ");
            std::io::stdout().flush()?;
        }
        match lines.next().transpose()? {
            Some(line) if !line.trim().is_empty() => {
                client.turn(&agent, &mut messages, line.trim()).await?;
            }
            _ => return Ok(()),
        }
    }
}

impl Client {
    async fn active_agent(&self) -> anyhow::Result<String> {
        let request = self
            .http
            .get(format!("{}/api/v1/agents?limit=200", self.url));
        let response = request
            .bearer_auth(&self.key)
            .send()
            .await
            .context(self.unreachable())?;
        let page: Value = checked(response).await?.json().await?;
        let agents = page["data"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let agent = agents.iter().find(|agent| agent["active"] == true);
        match agent.and_then(|agent| agent["slug"].as_str()) {
            Some(slug) => Ok(slug.to_owned()),
            None => bail!("the tenant has no active agent; name one with --agent"),
        }
    }

    /// Sends the conversation with one more question and prints the answer as it comes.
    async fn turn(
        &self,
        agent: &str,
        messages: &mut Vec<Value>,
        question: &str,
    ) -> anyhow::Result<()> {
        messages.push(json!({ "role": "user", "content": question }));
        // The server takes a hundred messages; older ones no longer matter to the answer.
        let from = messages.len().saturating_sub(99);
        let response = self
            .http
            .post(format!("{}/api/agents/{agent}/chat", self.url))
            .bearer_auth(&self.key)
            .json(&json!({ "messages": messages[from..], "stream": true }))
            .send()
            .await
            .context(self.unreachable())?;
        let mut body = checked(response).await?.bytes_stream();
        let mut events = Events::default();
        let mut answer = Value::Null;
        while let Some(bytes) = body.next().await {
            for (name, data) in events.feed(&bytes?)? {
                if name == "delta" {
                    print!("{}", data["text"].as_str().unwrap_or_default());
                    std::io::stdout().flush()?;
                } else if name == "done" {
                    answer = data;
                }
            }
        }
        println!();
        for citation in answer["citations"].as_array().into_iter().flatten() {
            let title = citation["title"].as_str().unwrap_or("-");
            println!("  [{}] {title}", citation["number"]);
        }
        messages.push(json!({ "role": "assistant", "content": answer["message"]["content"] }));
        Ok(())
    }

    fn unreachable(&self) -> String {
        format!(
            "no server answers at {}; is `quipu serve` running?",
            self.url
        )
    }
}

async fn checked(response: reqwest::Response) -> anyhow::Result<reqwest::Response> {
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let body: Value = response.json().await.unwrap_or_default();
    match body["error"]["message"].as_str() {
        Some(message) => bail!(
            "{message} ({})",
            body["error"]["code"].as_str().unwrap_or("?")
        ),
        None => bail!("the server answered {status}"),
    }
}

/// Server-sent events out of pieces of bytes that may end anywhere.
#[derive(Default)]
struct Events {
    buffer: Vec<u8>,
}

impl Events {
    fn feed(&mut self, bytes: &[u8]) -> anyhow::Result<Vec<(String, Value)>> {
        self.buffer.extend_from_slice(bytes);
        let mut found = Vec::new();
        while let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\n\n") {
            let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
            let block = String::from_utf8(block).context("the server sent no UTF-8")?;
            let field = |name: &str| {
                block
                    .lines()
                    .find_map(|line| line.strip_prefix(name))
                    .map(str::trim_start)
            };
            if let (Some(name), Some(data)) = (field("event:"), field("data:")) {
                found.push((name.to_owned(), serde_json::from_str(data)?));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_survive_being_cut_anywhere() {
        let stream = "event: delta\ndata: {\"text\":\"¿Qué tal?\"}\n\n: keep-alive\n\nevent: done\ndata: {}\n\n";
        for cut in 0..stream.len() {
            let mut events = Events::default();
            let mut found = events.feed(&stream.as_bytes()[..cut]).unwrap();
            found.extend(events.feed(&stream.as_bytes()[cut..]).unwrap());
            assert_eq!(found.len(), 2);
            assert_eq!(found[0].1["text"], "¿Qué tal?");
            assert_eq!(found[1].0, "done");
        }
    }
}
