use crate::http::ApiError;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use quipu_core::{Error, ErrorCode, unreadable};
use serde::de::DeserializeOwned;

/// Values from the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // PostgreSQL cannot hold a NUL, and nothing here is that long.
        if let Ok(raw) = RawPathParams::from_request_parts(parts, state).await
            && raw
                .iter()
                .any(|(_, value)| value.contains('\0') || value.len() > 300)
        {
            let es = "una parte de la ruta es demasiado larga o contiene un carácter nulo";
            return Err(invalid(es, "a path segment is too long or holds a NUL").into());
        }
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|value| Self(value.0))
            .map_err(|rejection| rejected(&rejection.body_text()).into())
    }
}

/// Values from the query string.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            let es = "un valor contiene un carácter nulo";
            return Err(invalid(es, "a value holds a NUL").into());
        }
        axum::extract::Query::<T>::from_request_parts(parts, state)
            .await
            .map(|value| Self(value.0))
            .map_err(|rejection| rejected(&rejection.body_text()).into())
    }
}

/// What axum and serde say of a parameter, which they do in English.
fn rejected(reason: &str) -> Error {
    let reason: String = reason.chars().take(200).collect();
    invalid(&spanish(&reason), &reason)
}

fn spanish(reason: &str) -> String {
    let begins = ["Failed to deserialize query string: ", "Invalid URL: "];
    let rest = begins.iter().find_map(|begin| reason.strip_prefix(begin));
    let rest = rest.unwrap_or(reason);
    // Where one is at fault, its name comes first.
    let is_name = |name: &str| !name.is_empty() && !name.contains([' ', '`']);
    let named = rest.split_once(": ").filter(|(name, _)| is_name(name));
    let (name, why) = named.map_or((None, rest), |(name, why)| (Some(name), why));
    let told = [
        ("invalid digit", "no es un número entero"),
        ("cannot parse integer", "no es un número entero"),
        ("number too", "es un número fuera de rango"),
        ("provided string was not", "debe ser true o false"),
        ("UUID parsing failed", "no es un identificador"),
        ("Cannot parse", "hay un identificador que no lo es"),
    ];
    let told = told.iter().find(|(english, _)| why.starts_with(english));
    let told = told.map_or_else(|| unreadable::spanish(why, ""), |(_, es)| (*es).to_owned());
    match name {
        Some(name) => format!("{name}: {told}"),
        None => told,
    }
}

/// Refuses a parameter, saying why.
pub(in crate::http) fn invalid(es: &str, en: &str) -> Error {
    Error::new(ErrorCode::InvalidParameter)
        .with("reason", en)
        .with_texts("reason", es.to_owned(), en.to_owned())
}
