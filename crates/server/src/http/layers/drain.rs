use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::EXPECT;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// What is read of a body that nobody wants, and how long it is waited for.
const MOST_BYTES: usize = 256 * 1024;
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads what a refused request still sends. Otherwise its connection is closed under a client that
/// is about to send the next request on it.
pub(crate) async fn drain(request: Request, next: Next) -> Response {
    // Whoever asks first whether to send a body has not sent it.
    if request.body().is_end_stream() || request.headers().contains_key(EXPECT) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let shared = Shared(Arc::new(Mutex::new(body)));
    let request = Request::from_parts(parts, Body::new(shared.clone()));
    let response = next.run(request).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        // Beyond these bounds the connection is closed after all.
        let _ = tokio::time::timeout(PATIENCE, shared.read_on()).await;
    }
    response
}

/// A body that is still there when whoever reads it has stopped.
#[derive(Clone)]
struct Shared(Arc<Mutex<Body>>);

impl Shared {
    fn body(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn read_on(&self) {
        let mut left = MOST_BYTES;
        loop {
            let next = poll_fn(|context| Pin::new(&mut *self.body()).poll_frame(context)).await;
            let Some(Ok(frame)) = next else {
                return;
            };
            let read = frame.data_ref().map_or(0, Bytes::len);
            left = match left.checked_sub(read) {
                Some(left) => left,
                None => return,
            };
        }
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.body()).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}
