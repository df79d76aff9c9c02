//! What two states of an agent differ in, as it is answered.

use quipu_core::agent::FieldDifference;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct AgentDifference {
    /// The fields that are not the same; none when nothing differs.
    pub(super) data: Vec<FieldDifference>,
}
