//! A server that plays Graph: it answers what it was told to, and keeps what it was asked.

use crate::account::{ChannelAccount, ChannelEndpoints};
use crate::client::ChannelClient;
use quipu_core::lead::Channel;
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What was asked: the line, the headers in lower case, and the body.
pub(super) struct Asked {
    pub(super) line: String,
    pub(super) headers: String,
    pub(super) body: Value,
}

/// A status, further headers each with its end of line, and a body.
pub(super) type Answer = (u16, &'static str, Vec<u8>);

pub(super) struct Server {
    pub(super) origin: String,
    asked: JoinHandle<Vec<Asked>>,
}

impl Server {
    /// Answers one request after another. The answers are told where the server is.
    pub(super) async fn start(answers: impl FnOnce(&str) -> Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let answers = answers(&origin);
        let asked = tokio::spawn(async move {
            let mut asked = Vec::new();
            for (status, headers, body) in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                asked.push(read(&mut stream).await);
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n\
                     {headers}\r\n"
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(&body).await.unwrap();
            }
            asked
        });
        Self { origin, asked }
    }

    pub(super) async fn json(answers: Vec<(u16, Value)>) -> Self {
        let bytes = |(status, body): (u16, Value)| (status, "", body.to_string().into_bytes());
        Self::start(|_| answers.into_iter().map(bytes).collect()).await
    }

    /// Whether it still waits for its first request, or for another.
    pub(super) fn was_left_alone(&self) -> bool {
        !self.asked.is_finished()
    }

    pub(super) fn client(&self) -> ChannelClient {
        client(&self.origin)
    }

    /// Everything that was asked, once every answer was given.
    pub(super) async fn asked(self) -> Vec<Asked> {
        self.asked.await.unwrap()
    }
}

pub(super) fn client(graph: &str) -> ChannelClient {
    let endpoints = ChannelEndpoints {
        graph: graph.to_owned(),
        instagram: graph.to_owned(),
        tiktok: graph.to_owned(),
        vapi: graph.to_owned(),
        graph_version: "v26.0".to_owned(),
    };
    ChannelClient::new(endpoints).unwrap()
}

pub(super) fn account() -> ChannelAccount {
    ChannelAccount {
        channel: Channel::Whatsapp,
        account_id: "700".to_owned(),
        parent_id: Some("900".to_owned()),
        token: SecretString::from("KEY"),
        app_secret: None,
    }
}

async fn read(stream: &mut TcpStream) -> Asked {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4_096];
    loop {
        let read = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            assert!(read > 0, "the request broke");
            continue;
        };
        let (line, headers) = head.split_once("\r\n").unwrap_or((head, ""));
        let headers = headers.to_lowercase();
        let mut lines = headers.lines();
        let length = lines.find_map(|line| line.strip_prefix("content-length: "));
        if body.len() < length.map_or(0, |length| length.parse().unwrap()) {
            continue;
        }
        return Asked {
            line: line.to_owned(),
            headers,
            body: serde_json::from_str(body).unwrap_or(Value::Null),
        };
    }
}
