use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::agent_version;
use crate::error::db;
use quipu_core::agent::{
    AgentConfiguration, AgentVersion, ConfiguredVersion, MOST_VERSIONS, VersionOrigin,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, Error, Result};
use sea_orm::prelude::DateTimeUtc;
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, Select, Set};
use uuid::Uuid;

/// How each agent was. The newest version is what is live.
pub struct AgentVersions<'a>(pub(crate) &'a TenantTx);

/// What is needed to note a version.
#[derive(Clone, Copy, Debug)]
pub struct NewVersion<'a> {
    pub configuration: &'a AgentConfiguration,
    pub origin: VersionOrigin,
    pub note: Option<&'a str>,
    pub made_by: Option<&'a str>,
    pub restored_from: Option<u32>,
}

/// What is listed of a version: number, origin, note, who, when, and which one came back.
type Listed = (
    i32,
    String,
    Option<String>,
    Option<String>,
    DateTimeUtc,
    Option<i32>,
);

impl AgentVersions<'_> {
    /// Notes a version after the newest and forgets the oldest where there are too many. Returns its
    /// number. Whoever calls it holds the agent, so that no two get the same.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such agent.
    pub async fn insert(&self, agent: AgentId, new: &NewVersion<'_>) -> Result<u32> {
        use agent_version::Column;
        let number = self.newest_number(agent).await?.unwrap_or(0) + 1;
        agent_version::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(agent.uuid()),
            number: Set(to_column(number)?),
            origin: Set(new.origin.as_str().to_owned()),
            configuration: Set(serde_json::to_value(new.configuration).map_err(Error::internal)?),
            note: Set(new.note.map(str::to_owned)),
            made_by: Set(new.made_by.map(str::to_owned)),
            made_at: Set(self.0.db_now()),
            restored_from: Set(new.restored_from.map(to_column).transpose()?),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        if let Some(old) = number.checked_sub(MOST_VERSIONS) {
            self.0
                .delete::<agent_version::Entity>()
                .filter(Column::AgentId.eq(agent.uuid()))
                .filter(Column::Number.lte(to_column(old)?))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(number)
    }

    /// The number of the version that is live, where any was noted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn newest_number(&self, agent: AgentId) -> Result<Option<u32>> {
        let newest: Option<i32> = self
            .of(agent)
            .order_by_desc(agent_version::Column::Number)
            .select_only()
            .column(agent_version::Column::Number)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        newest.map(from_column).transpose()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, agent: AgentId, number: u32) -> Result<Option<ConfiguredVersion>> {
        let Ok(wanted) = i32::try_from(number) else {
            return Ok(None);
        };
        let row = self
            .of(agent)
            .filter(agent_version::Column::Number.eq(wanted))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(row) = row else { return Ok(None) };
        let configuration = serde_json::from_value(row.configuration).map_err(Error::internal)?;
        let listed = (
            row.number,
            row.origin,
            row.note,
            row.made_by,
            row.made_at,
            row.restored_from,
        );
        let newest = self.newest_number(agent).await?;
        Ok(Some(ConfiguredVersion {
            version: version(listed, newest)?,
            configuration,
        }))
    }

    /// Newest first, without what they hold.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, agent: AgentId, page: PageRequest) -> Result<Page<AgentVersion>> {
        use agent_version::Column;
        let mut select = self.of(agent);
        if let Some(after) = page.after {
            // Numbers count what ids could only tell by clocks: a cursor is the last number seen.
            let after = i32::try_from(after.as_u128()).unwrap_or(i32::MAX);
            select = select.filter(Column::Number.lt(after));
        }
        let rows: Vec<Listed> = select
            .order_by_desc(Column::Number)
            .limit(page.limit + 1)
            .select_only()
            .columns([
                Column::Number,
                Column::Origin,
                Column::Note,
                Column::MadeBy,
                Column::MadeAt,
                Column::RestoredFrom,
            ])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let newest = self.newest_number(agent).await?;
        let listed = rows.into_iter().map(|row| version(row, newest));
        let listed = listed.collect::<Result<Vec<_>>>()?;
        let cursor = |version: &AgentVersion| Uuid::from_u128(version.number.into());
        Ok(Page::from_rows(listed, page, cursor))
    }

    fn of(&self, agent: AgentId) -> Select<agent_version::Entity> {
        self.0
            .find::<agent_version::Entity>()
            .filter(agent_version::Column::AgentId.eq(agent.uuid()))
    }
}

fn version(row: Listed, newest: Option<u32>) -> Result<AgentVersion> {
    let (number, origin, note, made_by, made_at, restored_from) = row;
    let number = from_column(number)?;
    Ok(AgentVersion {
        number,
        origin: VersionOrigin::parse(&origin)
            .ok_or_else(|| Error::internal("a version has an origin that is none"))?,
        note,
        made_by,
        made_at: from_db(made_at),
        restored_from: restored_from.map(from_column).transpose()?,
        live: newest == Some(number),
    })
}

pub(super) fn to_column(number: u32) -> Result<i32> {
    i32::try_from(number).map_err(Error::internal)
}

pub(super) fn from_column(number: i32) -> Result<u32> {
    u32::try_from(number).map_err(Error::internal)
}
