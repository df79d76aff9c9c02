//! The servers that are measured, and killed.

use super::balancer::Balancer;
use crate::cli::own_server::{OwnFolder, OwnServer};
use anyhow::Context;
use std::net::SocketAddr;
use std::path::Path;

/// What servers go by here that nobody set otherwise in the environment. A short lease, because the work
/// of a server that was killed goes on when its leases have run out.
const JOBS: [(&str, &str); 4] = [
    ("QUIPU_JOBS__WORKERS", "6"),
    ("QUIPU_JOBS__PER_TENANT", "12"),
    ("QUIPU_JOBS__LEASE_SECONDS", "5"),
    ("QUIPU_JOBS__POLL_MILLISECONDS", "100"),
];
const CHANNELS: [&str; 4] = ["GRAPH", "INSTAGRAM", "TIKTOK", "VAPI"];

/// Servers of this very program on one folder and one database, behind one address.
pub(super) struct Fleet {
    servers: Vec<Option<OwnServer>>,
    environment: Vec<(String, String)>,
    balancer: Balancer,
    /// Last, so that it goes after whoever writes into it.
    folder: OwnFolder,
}

impl Fleet {
    /// Starts servers whose channels are all at one address.
    pub(super) async fn start(
        count: usize,
        database_url: Option<&str>,
        channels: &str,
    ) -> anyhow::Result<Self> {
        let mut fleet = Self {
            servers: Vec::new(),
            environment: environment(database_url, channels),
            balancer: Balancer::start().await?,
            folder: OwnFolder::make("channels")?,
        };
        for place in 0..count {
            fleet.servers.push(None);
            // One after the other: the first brings the database up to date.
            fleet.begin(place).await?;
        }
        Ok(fleet)
    }

    /// The address before all of them.
    pub(super) fn url(&self) -> String {
        self.balancer.url()
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn count(&self) -> usize {
        self.servers.len()
    }

    /// The server that was started first.
    pub(super) fn first(&self) -> anyhow::Result<&OwnServer> {
        let first = self.servers.first().and_then(Option::as_ref);
        first.context("there is no server")
    }

    /// Kills a server with `SIGKILL`, in the midst of whatever it does, and starts another one in its place.
    pub(super) async fn kill(&mut self, place: usize) -> anyhow::Result<()> {
        if let Some(server) = self.servers[place].take() {
            server.stop().await?;
        }
        self.balancer.set(place, None);
        self.begin(place).await
    }

    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        for server in self.servers.drain(..).flatten() {
            server.stop().await?;
        }
        Ok(())
    }

    async fn begin(&mut self, place: usize) -> anyhow::Result<()> {
        let server = OwnServer::start(&self.folder, &self.environment).await?;
        let address = server.url.strip_prefix("http://").unwrap_or(&server.url);
        let address: SocketAddr = address.parse().context("the address of a server")?;
        self.balancer.set(place, Some(address));
        self.servers[place] = Some(server);
        Ok(())
    }
}

/// Whether a database can be shared by several servers.
pub(super) fn is_shared(database_url: Option<&str>) -> bool {
    database_url.is_some_and(|url| url.starts_with("postgres"))
}

fn environment(database_url: Option<&str>, channels: &str) -> Vec<(String, String)> {
    let engine = if is_shared(database_url) {
        "pgvector"
    } else {
        "embedded"
    };
    let mut environment = vec![
        ("QUIPU_SEARCH__ENGINE", engine),
        ("QUIPU_DEMO__ENABLED", "true"),
        // Everybody who writes here has one address.
        ("QUIPU_SERVER__MAX_CONNECTIONS_PER_ADDRESS", "10000"),
    ];
    environment.extend(database_url.map(|url| ("QUIPU_DATABASE__URL", url)));
    let unset = |name: &str| std::env::var_os(name).is_none();
    environment.extend(JOBS.iter().copied().filter(|(name, _)| unset(name)));
    let owned = environment.into_iter();
    let mut owned: Vec<(String, String)> = owned
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let urls = CHANNELS.map(|channel| format!("QUIPU_CHANNELS__{channel}_URL"));
    owned.extend(urls.map(|name| (name, channels.to_owned())));
    owned
}
