//! A stand-in for Graph: it gives the answers that it was told to, and keeps what it was asked.

use crate::account::{ChannelAccount, ChannelEndpoints};
use crate::client::ChannelClient;
use quipu_core::lead::Channel;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub(super) struct Asked {
    pub(super) line: String,
    pub(super) head: String,
    pub(super) body: Value,
}

pub(super) struct StandIn {
    pub(super) base: String,
    pub(super) client: ChannelClient,
    asked: UnboundedReceiver<Asked>,
}

/// A status, further lines of the head, and a body.
pub(super) type Answer = (u16, String, String);

pub(super) fn json(status: u16, body: &Value) -> Answer {
    (status, String::new(), body.to_string())
}

impl StandIn {
    pub(super) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (sender, asked) = unbounded_channel();
        tokio::spawn(serve(listener, answers, sender));
        let client = ChannelClient::new(ChannelEndpoints {
            graph: base.clone(),
            instagram: format!("{base}/ig/"),
            tiktok: String::new(),
            vapi: String::new(),
            graph_version: "v26.0".to_owned(),
        });
        Self {
            base,
            client: client.unwrap(),
            asked,
        }
    }

    /// Everything that was asked so far.
    pub(super) fn asked(&mut self) -> Vec<Asked> {
        std::iter::from_fn(|| self.asked.try_recv().ok()).collect()
    }
}

pub(super) fn account(channel: Channel) -> ChannelAccount {
    ChannelAccount {
        channel,
        account_id: "900".to_owned(),
        parent_id: None,
        token: "the-key".to_owned().into(),
        app_secret: None,
    }
}

async fn serve(listener: TcpListener, answers: Vec<Answer>, asked: UnboundedSender<Asked>) {
    for (status, head, body) in answers {
        let (mut stream, _) = listener.accept().await.unwrap();
        let Some(question) = question(&mut stream).await else {
            continue;
        };
        asked.send(question).ok();
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 {status} X\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(answer.as_bytes()).await.ok();
    }
}

async fn question(stream: &mut TcpStream) -> Option<Asked> {
    let mut read = Vec::new();
    loop {
        let mut chunk = [0; 4_096];
        let count = stream.read(&mut chunk).await.ok()?;
        read.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.split_once("content-length: ").map_or(0, |(_, rest)| {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse().unwrap_or_default()
            });
            if body.len() >= length {
                return Some(Asked {
                    line: text.lines().next()?.to_owned(),
                    head,
                    body: serde_json::from_str(body).unwrap_or_default(),
                });
            }
        }
        if count == 0 {
            return None;
        }
    }
}
