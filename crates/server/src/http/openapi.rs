//! The OpenAPI document: collected from the handlers, completed here with what all share.

use super::error::{ErrorBody, ErrorInfo};
use super::layers::AsStored;
use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use quipu_core::embedding::EmbeddingProvider;
use std::io::Write as _;
use std::sync::LazyLock;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi,
    OpenApiBuilder, Ref, RefOr, ResponseBuilder, Schema, Type,
};
use utoipa::{PartialSchema, ToSchema};

/// The document this version answers with at `/openapi.json`.
#[must_use]
pub fn document() -> OpenApi {
    complete(super::routes::collected())
}

/// The document as it is sent.
struct WrittenDocument {
    plain: Bytes,
    gzip: Bytes,
}

impl WrittenDocument {
    /// Written and compressed when somebody first asks for it: who asks a thousand times takes no time
    /// from others. The parts of the document take many times the memory of its text, so only that is
    /// kept.
    fn shared() -> &'static Self {
        static WRITTEN: LazyLock<WrittenDocument> = LazyLock::new(|| {
            let plain = serde_json::to_vec(&document()).unwrap_or_default();
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            // Writing to memory does not fail.
            let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish());
            WrittenDocument {
                plain: plain.into(),
                gzip: gzip.unwrap_or_default().into(),
            }
        });
        &WRITTEN
    }
}

/// The document, compressed for who takes it so.
pub(super) async fn serve(asked: HeaderMap) -> Response {
    let written = WrittenDocument::shared();
    let about = [
        (CONTENT_TYPE, "application/json"),
        (VARY, "accept-encoding"),
    ];
    let accepted = asked.get(ACCEPT_ENCODING).map(HeaderValue::as_bytes);
    let accepted = String::from_utf8_lossy(accepted.unwrap_or_default());
    let mut response = if accepted.contains("gzip") {
        let packed = [(CONTENT_ENCODING, "gzip")];
        (about, packed, written.gzip.clone()).into_response()
    } else {
        (about, written.plain.clone()).into_response()
    };
    response.extensions_mut().insert(AsStored);
    response
}

/// What the router starts from.
pub(super) fn base() -> OpenApi {
    let mut license = LicenseBuilder::new().name("Apache-2.0").build();
    license.identifier = Some("Apache-2.0".to_owned());
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Quipu")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Business agents that answer from their own knowledge. Sign in with \
                     POST /api/v1/auth/login or send an API key as a bearer token. Whoever \
                     belongs to several tenants names one in X-Quipu-Tenant.",
                ))
                .license(Some(license))
                .build(),
        )
        .build()
}

/// Takes a provider out of the document that this build does not have.
fn offer(components: &mut Components) {
    let name = EmbeddingProvider::name().into_owned();
    if let Some(RefOr::T(Schema::Object(providers))) = components.schemas.get_mut(&name)
        && let Some(offered) = &mut providers.enum_values
    {
        let local = EmbeddingProvider::Local.as_str();
        offered.retain(|provider| cfg!(feature = "local-models") || provider != local);
    }
}

fn complete(mut document: OpenApi) -> OpenApi {
    let components = document.components.get_or_insert_with(Default::default);
    offer(components);
    components
        .schemas
        .insert(ErrorBody::name().into_owned(), ErrorBody::schema());
    components
        .schemas
        .insert(ErrorInfo::name().into_owned(), ErrorInfo::schema());
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A session token (qs_…) or an API key (qk_…)."))
        .build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    let secret = ApiKeyValue::new("X-N8N-Secret");
    components.add_security_scheme("n8n", SecurityScheme::ApiKey(ApiKey::Header(secret)));
    let visitor = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The session of a visitor of a site (qw_…)."))
        .build();
    components.add_security_scheme("visitor", SecurityScheme::Http(visitor));
    let site = "The origin of the page, as browsers send it: one that the connection allows.";
    let site = ApiKeyValue::with_description("Origin", site);
    components.add_security_scheme("site", SecurityScheme::ApiKey(ApiKey::Header(site)));
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            describe(path, method, operation);
        }
    }
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("get", item.get.as_mut()),
        ("post", item.post.as_mut()),
        ("put", item.put.as_mut()),
        ("patch", item.patch.as_mut()),
        ("delete", item.delete.as_mut()),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation?)))
}

/// Tags of operations that do not ask which tenant is meant, or find it in the request's body.
const OUTSIDE_TENANTS: [&str; 4] = ["auth", "platform", "n8n", "web-chat"];

/// Operations that take on work without making anything that a key could stand for: a file that is
/// sent again is known by its content or comes a second time, and processing again is meant. An account
/// at a channel is connected once, with a key or without, and a secret that is shown once is kept for no
/// repetition.
const AGAIN: [&str; 7] = [
    "upload_documents",
    "upload_corpus_documents",
    "reprocess_document",
    "reprocess_documents",
    "add_attachment",
    "connect_channel",
    "create_event_endpoint",
];

/// Adds the answers that layers and extractors can give to any operation, and the headers they
/// read.
fn describe(path: &str, method: &str, operation: &mut Operation) {
    let public = operation.security.as_ref().is_some_and(Vec::is_empty);
    let mut statuses = vec![
        ("400", "Something sent cannot be read"),
        ("500", "Our fault"),
    ];
    statuses.push(("503", "Busy or out of reach; nothing was saved, try again"));
    if !public {
        statuses.push(("401", "No valid credential"));
        statuses.push(("403", "Not allowed"));
        statuses.push(("429", "Too many requests; wait as Retry-After says"));
    }
    if path.contains('{') || !public {
        statuses.push(("404", "Not there, or not yours"));
    }
    if operation.request_body.is_some() {
        statuses.push(("413", "Too large"));
        statuses.push(("415", "Of a type that is not taken"));
        statuses.push(("422", "Data to be corrected"));
    }
    if method != "get" {
        statuses.push(("409", "In conflict with what is there"));
        statuses.push(("507", "The disk is full; nothing was saved"));
    } else if operation.parameters.is_some() {
        statuses.push(("422", "Data to be corrected"));
    }
    for (status, description) in statuses {
        operation
            .responses
            .responses
            .entry(status.to_owned())
            .or_insert_with(|| error(description));
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = success(status).to_owned();
        }
    }
    let tag = operation.tags.as_ref().and_then(|tags| tags.first());
    let in_tenant = !public && !tag.is_some_and(|tag| OUTSIDE_TENANTS.contains(&tag.as_str()));
    let parameters = operation.parameters.get_or_insert_with(Vec::new);
    if in_tenant {
        parameters.push(header(
            "X-Quipu-Tenant",
            "The tenant's id or slug. Needed by people who belong to several tenants.",
        ));
    }
    let once = !operation
        .operation_id
        .as_deref()
        .is_some_and(|id| AGAIN.contains(&id));
    if method == "post"
        && once
        && operation
            .responses
            .responses
            .keys()
            .any(|s| s == "201" || s == "202")
    {
        parameters.push(header(
            "Idempotency-Key",
            "A text of your choice, such as a UUID. The same request with the same key has one \
             effect and the same answer.",
        ));
    }
}

/// What a good answer means where the handler says no more; OpenAPI wants every answer described.
fn success(status: &str) -> &'static str {
    match status {
        "201" => "Made",
        "202" => "Taken on; the work goes on in the background",
        "204" => "Done; there is nothing to add",
        _ => "Done",
    }
}

fn header(name: &str, description: &str) -> RefOr<Parameter> {
    let text = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(200))
        .pattern(Some("^[A-Za-z0-9._-]+$"));
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(utoipa::openapi::Required::False)
        .description(Some(description))
        .schema(Some(text))
        .build();
    RefOr::T(parameter)
}

fn error(description: &str) -> RefOr<utoipa::openapi::Response> {
    let body = ContentBuilder::new()
        .schema(Some(RefOr::Ref(Ref::from_schema_name(
            ErrorBody::name().into_owned(),
        ))))
        .build();
    RefOr::T(
        ResponseBuilder::new()
            .description(description)
            .content("application/json", body)
            .build(),
    )
}
