use crate::http::extract::{Form, InTenant, Json, Path, one_file};
use crate::http::{ApiError, AppState};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use quipu_app::conversations::Attaching;
use quipu_core::ConversationId;
use quipu_core::conversation::Attachment;
use utoipa::ToSchema;

/// A form with exactly one file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the form is read as it comes; this describes it")]
struct AttachmentForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Add a file to a conversation.
///
/// PDF, PNG, JPEG or WEBP, told by what is in it, of at most 10 MB; 50 to a conversation.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/attachments",
    tag = "customers",
    operation_id = "add_attachment",
    params(("conversation_id" = ConversationId, Path)),
    request_body(content = AttachmentForm, content_type = "multipart/form-data"),
    security(("bearer" = [])),
    responses((status = 201, body = Attachment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    request: Request,
) -> Result<(StatusCode, Json<Attachment>), ApiError> {
    let mut form = Form::new(request, state.http.uploads.max_request_bytes);
    let added = match Attaching::open(&state.app, &actor, id).await {
        Ok(attaching) => {
            let attaching = &attaching;
            one_file(&mut form, |name, body| async move {
                attaching.add(&name, body).await
            })
            .await
        }
        Err(error) => Err(error),
    };
    form.discard().await;
    Ok((StatusCode::CREATED, Json(added?)))
}
