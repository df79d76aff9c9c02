//! A small web site of a test's own, and ways to ask for its pages.

use async_trait::async_trait;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use quipu_core::extraction::Failure;
use quipu_core::ports::{FetchError, Fetched, PageFetcher};
use quipu_fetch::{FetchSettings, GuardedFetcher, Resolver};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;

pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Site {
    pub(crate) async fn open(router: Router) -> Self {
        Self::open_at("127.0.0.1:0", router).await
    }

    pub(crate) async fn open_at(address: &str, router: Router) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = requests.clone();
        let router = router.layer(from_fn(move |request: Request, next: Next| {
            counter.fetch_add(1, Ordering::SeqCst);
            next.run(request)
        }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// The defaults, but that this site's address and port may be reached.
    pub(crate) fn settings(&self) -> FetchSettings {
        FetchSettings {
            allow_networks: vec![self.address.ip().into()],
            allow_ports: vec![self.address.port()],
            connect_timeout: Duration::from_secs(2),
            total_timeout: Duration::from_secs(20),
        }
    }

    pub(crate) async fn fetch(&self, path: &str) -> Result<Fetched, FetchError> {
        GuardedFetcher::new(self.settings())
            .fetch(&self.url(path))
            .await
    }

    /// Why a page cannot be had, and whether another attempt is worth it.
    pub(crate) async fn fault(&self, path: &str) -> (Failure, bool) {
        fault(self.fetch(path).await)
    }
}

pub(crate) fn fault(result: Result<Fetched, FetchError>) -> (Failure, bool) {
    let fault = result.expect_err("the page should not have been handed over");
    (fault.failure, fault.transient)
}

/// Answers with each list in turn, and counts how often it was asked.
pub(crate) struct Answers {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Answers {
    pub(crate) fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers
            .iter()
            .map(|answer| answer.iter().map(|text| text.parse().unwrap()).collect())
            .collect();
        Arc::new(Self {
            answers,
            asked: AtomicUsize::new(0),
        })
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Resolver for Answers {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst);
        Ok(self.answers[turn.min(self.answers.len() - 1)].clone())
    }
}
