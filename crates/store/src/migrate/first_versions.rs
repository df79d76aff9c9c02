//! The first version of agents that were made before there were any.

use sea_orm_migration::sea_orm::DbBackend;

/// Notes each agent as it is.
pub(super) fn first_versions(backend: DbBackend) -> String {
    let (object, settings, allows) = match backend {
        DbBackend::Postgres => ("jsonb_build_object", "settings", "allows_personal_corpus"),
        _ => (
            "json_object",
            "json(settings)",
            "json(CASE WHEN allows_personal_corpus THEN 'true' ELSE 'false' END)",
        ),
    };
    format!(
        "INSERT INTO agent_versions
           (tenant_id, agent_id, number, origin, configuration, made_at)
         SELECT tenant_id, id, 1, 'created',
           {object}(
             'name', name, 'company_name', company_name, 'vertical', vertical,
             'language', language, 'allows_personal_corpus', {allows}, 'settings', {settings}
           ),
           updated_at
         FROM agents"
    )
}
