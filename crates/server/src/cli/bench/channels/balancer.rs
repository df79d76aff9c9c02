//! One address before several servers, as whatever stands before them in production has it: a channel
//! delivers to one address, whichever server is gone.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};

/// How long a connection is held until a server takes it, less than whoever connects waits for an answer.
const PATIENCE: Duration = Duration::from_secs(15);
const EVERY: Duration = Duration::from_millis(10);

/// Passes connections on to servers that are there.
pub(super) struct Balancer {
    address: SocketAddr,
    servers: Servers,
}

/// Where the servers are; nothing for one that is gone.
#[derive(Clone, Default)]
struct Servers(Arc<Mutex<Vec<Option<SocketAddr>>>>);

impl Balancer {
    pub(super) async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let servers = Servers::default();
        tokio::spawn(take_connections(listener, servers.clone()));
        Ok(Self { address, servers })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Says where the server of a place is by now.
    pub(super) fn set(&self, place: usize, server: Option<SocketAddr>) {
        let mut servers = self.servers.lock();
        if servers.len() <= place {
            servers.resize(place + 1, None);
        }
        servers[place] = server;
    }
}

impl Servers {
    fn lock(&self) -> MutexGuard<'_, Vec<Option<SocketAddr>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that are there, the one whose turn it is first.
    fn present(&self, turn: usize) -> Vec<SocketAddr> {
        let mut present: Vec<SocketAddr> = self.lock().iter().flatten().copied().collect();
        if !present.is_empty() {
            let first = turn % present.len();
            present.rotate_left(first);
        }
        present
    }

    async fn connect(&self, turn: usize) -> Option<TcpStream> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            for address in self.present(turn) {
                if let Ok(server) = TcpStream::connect(address).await {
                    return Some(server);
                }
            }
            tokio::time::sleep(EVERY).await;
        }
        None
    }
}

async fn take_connections(listener: TcpListener, servers: Servers) {
    for turn in 0_usize.. {
        match listener.accept().await {
            Ok((client, _)) => {
                tokio::spawn(carry(client, servers.clone(), turn));
            }
            Err(_) => tokio::time::sleep(EVERY).await,
        }
    }
}

async fn carry(mut client: TcpStream, servers: Servers, turn: usize) {
    let Some(mut server) = servers.connect(turn).await else {
        return;
    };
    // Nothing that is measured waits for more to be said.
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    // It ends with either side; that of a server that was killed breaks.
    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
}
