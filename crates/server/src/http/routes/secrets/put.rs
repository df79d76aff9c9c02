use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::secrets;
use quipu_core::access::SecretInfo;
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PutSecret {
    /// Left out, what is stored stays and only its `origins` change.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 10_000)]
    value: Option<SecretString>,
    /// For `custom_embedding_api_key`, `openai_compatible_api_key` and `ollama_api_key`: the servers
    /// that the key is sent to, as scheme, host and port. It is sent nowhere else, whatever address
    /// stands in an agent or a knowledge base. Left out, they stay as they are.
    #[serde(default)]
    #[schema(max_items = 20, example = json!(["https://openrouter.ai"]))]
    origins: Option<Vec<String>>,
}

/// Store a secret, in the place of an older one of the same name, or say which servers it is for. Only a
/// person does: an API key is refused with `PERSON_REQUIRED`.
#[utoipa::path(
    put,
    path = "/api/v1/secrets/{secret_name}",
    tag = "secrets",
    operation_id = "put_secret",
    params(("secret_name" = String, Path, min_length = 1, max_length = 64, pattern = "^[a-z][a-z0-9_]*$", example = "n8n_shared_secret")),
    request_body = PutSecret,
    security(("bearer" = [])),
    responses((status = 200, body = SecretInfo))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(name): Path<String>,
    Json(input): Json<PutSecret>,
) -> Result<Json<SecretInfo>, ApiError> {
    let input = secrets::PutSecret {
        value: input.value,
        origins: input.origins,
    };
    Ok(Json(secrets::put(&state.app, &actor, &name, input).await?))
}
