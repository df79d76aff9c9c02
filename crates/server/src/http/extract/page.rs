use super::Query;
use crate::http::ApiError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use quipu_core::page::PageRequest;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which page of a listing.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PagingParams {
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

pub(crate) struct Paging(pub(crate) PageRequest);

impl Paging {
    pub(crate) fn parse(params: &PagingParams) -> Result<Self, ApiError> {
        Ok(Self(PageRequest::parse(
            params.limit,
            params.cursor.as_deref(),
        )?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Query(params) = Query::<PagingParams>::from_request_parts(parts, state).await?;
        Self::parse(&params)
    }
}
