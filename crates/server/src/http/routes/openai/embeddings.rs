use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quipu_app::embeddings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmbeddingsRequest {
    /// One text, or up to 256 of them.
    input: Input,
    /// `quipu-es-en/encoder`, `quipu-es-en/static`, or a model of OpenAI or Cohere for which there is
    /// a key.
    #[schema(example = "quipu-es-en/encoder")]
    model: String,
    #[serde(default)]
    encoding_format: Encoding,
    /// How long the vectors shall be, for models that can be asked.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 4096)]
    dimensions: Option<u32>,
    /// Taken and not used.
    #[serde(default)]
    #[allow(dead_code)]
    user: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
enum Input {
    One(String),
    Many(Vec<String>),
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    Float,
    /// 32-bit floats, little-endian.
    Base64,
}

#[derive(Serialize, ToSchema)]
pub(super) struct EmbeddingsResponse {
    #[schema(example = "list")]
    object: &'static str,
    data: Vec<EmbeddingObject>,
    model: String,
    usage: Usage,
}

#[derive(Serialize, ToSchema)]
struct EmbeddingObject {
    #[schema(example = "embedding")]
    object: &'static str,
    index: usize,
    embedding: Vector,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum Vector {
    Float(Vec<f32>),
    Base64(String),
}

#[derive(Serialize, ToSchema)]
#[schema(as = EmbeddingUsage)]
struct Usage {
    prompt_tokens: u64,
    total_tokens: u64,
}

/// Turn texts into vectors, as OpenAI's clients ask for them.
#[utoipa::path(
    post,
    path = "/v1/embeddings",
    tag = "openai",
    operation_id = "create_embeddings",
    request_body = EmbeddingsRequest,
    security(("bearer" = [])),
    responses((status = 200, body = EmbeddingsResponse))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(request): Json<EmbeddingsRequest>,
) -> Result<Json<EmbeddingsResponse>, ApiError> {
    let texts = match request.input {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts,
    };
    let embedded = embeddings::embed_texts(
        &state.app,
        &actor,
        &request.model,
        request.dimensions,
        &texts,
    )
    .await?;
    let data = embedded
        .vectors
        .into_iter()
        .enumerate()
        .map(|(index, vector)| EmbeddingObject {
            object: "embedding",
            index,
            embedding: match request.encoding_format {
                Encoding::Float => Vector::Float(vector),
                Encoding::Base64 => {
                    let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                    Vector::Base64(STANDARD.encode(bytes))
                }
            },
        })
        .collect();
    Ok(Json(EmbeddingsResponse {
        object: "list",
        data,
        model: request.model,
        usage: Usage {
            prompt_tokens: embedded.tokens,
            total_tokens: embedded.tokens,
        },
    }))
}
