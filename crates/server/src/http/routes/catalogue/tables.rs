//! Services, the menu, questions and instructions as tables.

use crate::http::AppState;
use axum::extract::DefaultBodyLimit;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

/// Ten thousand rows of a thousand letters.
const MOST_BYTES: usize = 10 * 1024 * 1024;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportParams {
    /// Only says what would happen.
    #[serde(default)]
    pub(super) dry_run: bool,
}

macro_rules! table_routes {
    ($($module:ident: $item:ident, $file:literal, $import_path:tt, $export_path:tt,
        $import:tt, $export:tt;)+) => {
        $(mod $module {
            use super::ImportParams;
            use crate::http::extract::{Csv, InTenant, Json, Query};
            use crate::http::routes::documents::attachment;
            use crate::http::{ApiError, AppState};
            use axum::extract::State;
            use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
            use axum::response::IntoResponse;
            use quipu_app::catalogue::{self, ImportReport};
            use quipu_commerce::business::$item;

            /// Read a table: new names are added, known ones changed. Wrong rows are reported line by
            /// line, and the good ones are saved, so many at a time. When it stops midway, the
            /// error says how many were saved; the same file can be sent again.
            #[utoipa::path(
                post, path = $import_path, tag = "business", operation_id = $import,
                params(ImportParams),
                request_body(content = String, content_type = "text/csv"),
                security(("bearer" = [])),
                responses((status = 200, body = ImportReport))
            )]
            pub(super) async fn import(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
                Query(params): Query<ImportParams>,
                Csv(file): Csv,
            ) -> Result<Json<ImportReport>, ApiError> {
                // A little earlier than the request is cut off, so that there is time to say what was
                // saved.
                let patience = state.http.uploads.timeout.mul_f32(0.9);
                let (app, dry_run) = (&state.app, params.dry_run);
                let report =
                    catalogue::import::<$item>(app, &actor, &file, dry_run, patience).await?;
                Ok(Json(report))
            }

            /// Everything as a table that can be read back.
            #[utoipa::path(
                get, path = $export_path, tag = "business", operation_id = $export,
                security(("bearer" = [])),
                responses((status = 200, description = "The file", body = String, content_type = "text/csv"))
            )]
            pub(super) async fn export(
                State(state): State<AppState>,
                InTenant(actor): InTenant,
            ) -> Result<impl IntoResponse, ApiError> {
                let table = catalogue::export::<$item>(&state.app, &actor).await?;
                let headers = [
                    (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
                    (CONTENT_DISPOSITION, attachment($file)),
                ];
                Ok((headers, table))
            }
        })+

        pub(super) fn exports() -> OpenApiRouter<AppState> {
            OpenApiRouter::new()$(.routes(utoipa_axum::routes!($module::export)))+
        }

        /// Tables are long, and take the time of uploads.
        pub(super) fn imports() -> OpenApiRouter<AppState> {
            OpenApiRouter::new()$(.routes(utoipa_axum::routes!($module::import)))+
                .layer(DefaultBodyLimit::max(MOST_BYTES))
        }
    };
}

table_routes! {
    services: Service, "servicios.csv", "/api/v1/services/import", "/api/v1/services/export",
        "import_services", "export_services";
    menu_items: Dish, "menu.csv", "/api/v1/menu-items/import", "/api/v1/menu-items/export",
        "import_menu_items", "export_menu_items";
    faqs: Faq, "preguntas.csv", "/api/v1/faqs/import", "/api/v1/faqs/export",
        "import_faqs", "export_faqs";
    instructions: Instruction, "instrucciones.csv", "/api/v1/instructions/import",
        "/api/v1/instructions/export", "import_instructions", "export_instructions";
}
