use super::Caller;
use crate::http::layers::{RateSlot, RequestId};
use crate::http::{ApiError, AppState};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use quipu_app::{Actor, RequestInfo};
use quipu_core::access::Principal;
use quipu_core::{Error, ErrorCode};

/// Somebody inside a tenant, counted against the tenant's rate limit.
pub(crate) struct InTenant(pub(crate) Actor);

impl FromRequestParts<AppState> for InTenant {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let Caller(principal) = Caller::from_request_parts(parts, state).await?;
        let Headers { tenant, request } = Headers::from_request_parts(parts, state).await?;
        Self::enter(state, parts, principal, tenant.as_deref(), request).await
    }
}

impl InTenant {
    /// Whoever sent this request, as they stand now, without counting it again. For answers that
    /// stay open longer than a session or a right may last.
    pub(crate) async fn again(parts: &mut Parts, state: &AppState) -> Result<Actor, ApiError> {
        let Caller(principal) = Caller::from_request_parts(parts, state).await?;
        let Headers { tenant, request } = Headers::from_request_parts(parts, state).await?;
        Ok(Actor::enter(&state.app, principal, tenant.as_deref(), request).await?)
    }

    /// Enters and counts. Also used where the credential is not a bearer token.
    pub(crate) async fn enter(
        state: &AppState,
        parts: &Parts,
        principal: Principal,
        tenant: Option<&str>,
        request: RequestInfo,
    ) -> Result<Self, ApiError> {
        let actor = Actor::enter(&state.app, principal, tenant, request).await?;
        let slot = parts.extensions.get::<RateSlot>();
        let rate = &state.app.rate;
        match rate.check_tenant(actor.tenant_id(), actor.plan(), actor.rate_caller()) {
            Ok(rate) => {
                if let Some(slot) = slot {
                    slot.fill(rate);
                }
                Ok(Self(actor))
            }
            Err((rate, error)) => {
                if let Some(slot) = slot {
                    slot.fill(rate);
                }
                Err(error.into())
            }
        }
    }
}

/// The headers of ours that any request may carry.
pub(crate) struct Headers {
    pub(crate) tenant: Option<String>,
    pub(crate) request: RequestInfo,
}

impl<S: Send + Sync> FromRequestParts<S> for Headers {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self {
            tenant: text(&parts.headers, "x-quipu-tenant", "X-Quipu-Tenant")?,
            request: RequestInfo {
                request_id: parts.extensions.get::<RequestId>().map(|id| id.0.clone()),
                idempotency_key: text(&parts.headers, "idempotency-key", "Idempotency-Key")?,
            },
        })
    }
}

fn text(headers: &HeaderMap, name: &str, shown: &'static str) -> Result<Option<String>, Error> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(text) if (1..=200).contains(&text.len()) => Ok(Some(text.to_owned())),
        _ => Err(Error::new(ErrorCode::InvalidHeader).with("header", shown)),
    }
}
