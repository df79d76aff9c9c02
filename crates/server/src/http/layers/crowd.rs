use crate::http::extract::ClientAddress;
use crate::http::{ApiError, AppState};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use quipu_core::{Error, ErrorCode};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Behind a proxy all connections are the proxy's, so that requests under way are counted, by the
/// address that it names. One counts until the last of its answer was taken.
pub(crate) async fn crowd(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let Some(crowd) = &state.crowd else {
        return next.run(request).await;
    };
    let Some(place) = crowd.enter(address) else {
        return ApiError(Error::new(ErrorCode::TooManyAtOnce).retry_after(1)).into_response();
    };
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(Placed {
            body,
            _place: place,
        })
    })
}

/// An answer that keeps its place until it is gone.
struct Placed<P> {
    body: Body,
    _place: P,
}

impl<P: Send + Unpin> HttpBody for Placed<P> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
