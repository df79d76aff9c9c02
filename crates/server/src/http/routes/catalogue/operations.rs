//! The operations that every kind of thing has.

use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct CatalogueFilter {
    /// Only those that are active, or only those that are not.
    pub(super) active: Option<bool>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub(super) limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    pub(super) cursor: Option<String>,
}

/// Makes a module with five handlers for each kind, and `kinds()` with the routes of them all.
macro_rules! catalogue_routes {
    ($($module:ident: $item:ident, $id:tt, $all:tt, $one:tt,
        $list:tt, $create:tt, $get:tt, $update:tt, $delete:tt;)+) => {
        $(mod $module {
            use super::$item;
            use super::operations::CatalogueFilter;
            use crate::http::extract::{InTenant, Json, Path, Query};
            use crate::http::{ApiError, AppState};
            use axum::extract::State;
            use axum::http::StatusCode;
            use quipu_app::catalogue;
            use quipu_commerce::business::Item;
            use quipu_core::page::{Page, PageRequest};
            use serde_json::{Map, Value};
            use uuid::Uuid;

            /// Everything of this kind, newest first.
            #[utoipa::path(
                get, path = $all, tag = "business", operation_id = $list,
                params(CatalogueFilter), security(("bearer" = [])),
                responses((status = 200, body = Page<Item<$item>>))
            )]
            pub(super) async fn list(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Query(filter): Query<CatalogueFilter>,
            ) -> Result<Json<Page<Item<$item>>>, ApiError> {
                let page = PageRequest::parse(filter.limit, filter.cursor.as_deref())?;
                let found = catalogue::list(&state.app, &actor, filter.active, page).await?;
                Ok(Json(found))
            }

            /// Add one. Its name must be new among its kind.
            #[utoipa::path(
                post, path = $all, tag = "business", operation_id = $create,
                request_body = $item, security(("bearer" = [])),
                responses((status = 201, body = Item<$item>))
            )]
            pub(super) async fn create(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Json(input): Json<$item>,
            ) -> Result<(StatusCode, Json<Item<$item>>), ApiError> {
                let made = catalogue::create(&state.app, &actor, input).await?;
                Ok((StatusCode::CREATED, Json(made)))
            }

            /// One of them.
            #[utoipa::path(
                get, path = $one, tag = "business", operation_id = $get,
                params(($id = Uuid, Path)), security(("bearer" = [])),
                responses((status = 200, body = Item<$item>))
            )]
            pub(super) async fn get(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Path(id): Path<Uuid>,
            ) -> Result<Json<Item<$item>>, ApiError> {
                Ok(Json(catalogue::get(&state.app, &actor, id).await?))
            }

            /// Change what is sent and leave the rest (JSON merge patch). `null` takes a field back
            /// to what it is when left out.
            #[utoipa::path(
                patch, path = $one, tag = "business", operation_id = $update,
                params(($id = Uuid, Path)),
                request_body(content = Object, description = "The fields to change"),
                security(("bearer" = [])),
                responses((status = 200, body = Item<$item>))
            )]
            pub(super) async fn update(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Path(id): Path<Uuid>,
                Json(patch): Json<Map<String, Value>>,
            ) -> Result<Json<Item<$item>>, ApiError> {
                Ok(Json(catalogue::update(&state.app, &actor, id, patch).await?))
            }

            /// Delete it, and every mention of it elsewhere. What appointments that are still to
            /// come need cannot be deleted.
            #[utoipa::path(
                delete, path = $one, tag = "business", operation_id = $delete,
                params(($id = Uuid, Path)), security(("bearer" = [])),
                responses((status = 204))
            )]
            pub(super) async fn delete(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Path(id): Path<Uuid>,
            ) -> Result<StatusCode, ApiError> {
                catalogue::delete::<$item>(&state.app, &actor, id).await?;
                Ok(StatusCode::NO_CONTENT)
            }
        })+

        fn kinds() -> OpenApiRouter<AppState> {
            OpenApiRouter::new()$(
                .routes(utoipa_axum::routes!($module::list, $module::create))
                .routes(utoipa_axum::routes!($module::get, $module::update, $module::delete))
            )+
        }
    };
}
pub(super) use catalogue_routes;
