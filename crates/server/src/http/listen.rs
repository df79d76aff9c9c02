//! Accepting connections, a bounded number of them and of each address, each with a bounded time to
//! say what it wants and to take its answer.

mod progress;

use super::crowd::Crowd;
use crate::config::Config;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use progress::Progress;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// A client that has not sent the head of its request by then is let go.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// One that takes nothing of its answer for so long is let go too.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// How many connections there may be.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    pub most: usize,
    /// Those of one address. `None` behind a proxy, where all of them are the proxy's.
    pub per_address: Option<Crowd>,
}

impl From<&Config> for ConnectionLimits {
    fn from(config: &Config) -> Self {
        let server = &config.server;
        let direct = !server.trust_forwarded_for;
        Self {
            most: server.max_connections,
            per_address: direct.then(|| Crowd::new(server.max_connections_per_address)),
        }
    }
}

/// Serves until `stop`, then waits up to `grace` for the requests under way.
pub async fn serve(
    listener: TcpListener,
    service: Router,
    limits: ConnectionLimits,
    stop: CancellationToken,
    grace: Duration,
) {
    let permits = Arc::new(Semaphore::new(limits.most));
    let under_way = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    loop {
        // No permit, no accept: what comes beyond the bound waits in the system's own queue.
        let permit = tokio::select! {
            () = stop.cancelled() => break,
            permit = permits.clone().acquire_owned() => match permit {
                Ok(permit) => permit,
                Err(_) => break,
            },
        };
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Usually too many open files: wait for some to close.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let crowd = limits.per_address.as_ref();
        let place = crowd.map(|crowd| crowd.enter(peer.ip()));
        if let Some(None) = place {
            let address = peer.ip();
            metrics::counter!("quipu_refused_connections_total").increment(1);
            tracing::debug!(client.address = %address, "one connection too many of {address}");
            continue;
        }
        drop(stream.set_nodelay(true));
        let service = service.clone();
        let handle = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            let answer = service.clone().oneshot(request.map(axum::body::Body::new));
            async move {
                // Whoever sends many requests at once takes turns with everybody else: without this,
                // a connection goes from one answer to the next until nothing more fits into it.
                tokio::task::yield_now().await;
                answer.await.map_err(|never: Infallible| match never {})
            }
        });
        let connection = builder
            .serve_connection(TokioIo::new(Progress::new(stream, WRITE_TIMEOUT)), handle)
            .into_owned();
        let connection = under_way.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop((permit, place));
        });
    }
    drop(listener);
    tokio::select! {
        () = under_way.shutdown() => {}
        () = tokio::time::sleep(grace) => {
            tracing::warn!("some requests did not end within {grace:?} and were cut off");
        }
    }
}
