use crate::http::error::ErrorBody;
use crate::http::extract::{ClientAddress, Json, OwnPage};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::header::{SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderName};
use axum::response::AppendHeaders;
use quipu_app::auth::{self, SignInVisitor, SignedIn};
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    #[schema(max_length = 254, example = "admin@quipu.local")]
    email: String,
    #[schema(value_type = String, max_length = 200)]
    password: SecretString,
    /// Leaves the token out of the answer: a browser has it as a cookie, which no script reads.
    #[serde(default)]
    cookie_only: bool,
}

/// Sign in with e-mail and password.
#[utoipa::path(
    post,
    path = "/api/v1/auth/login",
    tag = "auth",
    operation_id = "login",
    request_body = SignIn,
    security(),
    responses((status = 200, body = SignedIn), (status = 401, description = "Wrong e-mail or password", body = ErrorBody), (status = 429, description = "Too many attempts", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    _: OwnPage,
    headers: HeaderMap,
    Json(input): Json<SignIn>,
) -> Result<(AppendHeaders<[(HeaderName, String); 1]>, Json<SignedIn>), ApiError> {
    state.app.rate.check_sign_in(address)?;
    let agent = headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let visitor = SignInVisitor {
        address,
        user_agent: agent,
    };
    let mut signed_in = auth::sign_in(&state.app, &input.email, &input.password, visitor).await?;
    let age = signed_in.expires_at.as_second() - state.app.now().as_second();
    let token = signed_in.token.as_deref().unwrap_or_default();
    let cookie = state.http.session_cookie.written(token, age);
    if input.cookie_only {
        signed_in.token = None;
    }
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), Json(signed_in)))
}
