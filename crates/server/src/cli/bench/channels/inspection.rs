//! Looking into the business that was written to, without any server between.

use super::line::ChannelLine;
use crate::config::{Config, DEFAULTS};
use crate::demo::DEMO;
use crate::setup;
use anyhow::bail;
use quipu_app::channels::OutboundQuery;
use quipu_app::{Actor, App, RequestInfo, channels, conversations, jobs};
use quipu_core::access::Principal;
use quipu_core::channel::{DeliveryState, OutboundRecord};
use quipu_core::conversation::{ConversationFilter, ConversationRow, Message};
use quipu_core::job::{Job, JobStatus};
use quipu_core::page::{MAX_LIMIT, Page, PageRequest};
use quipu_core::{ConversationId, Result};
use std::path::Path;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The jobs that answer and send. One that ends leaves another where anything is left to do, so that
/// nothing waits when there are none.
const KINDS: [&str; 2] = ["answer_contact", "send_messages"];
const EVERY: Duration = Duration::from_millis(250);
/// How long nothing may arrive while something is left to do.
const PATIENCE: Duration = Duration::from_mins(5);

pub(super) struct Inspection {
    app: App,
    actor: Actor,
}

impl Inspection {
    /// Opens the database that servers on this folder use.
    pub(super) async fn open(folder: &Path, database_url: Option<&str>) -> anyhow::Result<Self> {
        let mut config: Config = toml::from_str(DEFAULTS)?;
        folder.clone_into(&mut config.data.dir);
        if let Some(url) = database_url {
            config.database.url = url.to_owned().into();
        }
        let app = setup::build_unsearched_app(&config).await?;
        let (system, slug) = (Principal::System, Some(DEMO.slug));
        let actor = Actor::enter(&app, system, slug, RequestInfo::default()).await?;
        Ok(Self { app, actor })
    }

    /// Waits until everything was answered and sent, and the business knows what became of it.
    pub(super) async fn until_quiet(&self, line: &ChannelLine) -> anyhow::Result<()> {
        let arrived = line.arrivals.all();
        let mut last = *arrived.borrow();
        let mut since = Instant::now();
        loop {
            if self.is_quiet().await? {
                line.settle().await;
                // What the business was told last may have given it something to do.
                if self.is_quiet().await? {
                    return Ok(());
                }
            }
            if *arrived.borrow() > last {
                last = *arrived.borrow();
                since = Instant::now();
            }
            if since.elapsed() > PATIENCE {
                bail!("something is left to do, and nothing arrived for {PATIENCE:?}");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    async fn is_quiet(&self) -> Result<bool> {
        let page = PageRequest {
            limit: MAX_LIMIT,
            after: None,
        };
        for status in [JobStatus::Queued, JobStatus::Running] {
            let found = jobs::list(&self.app, &self.actor, Some(status), page).await?;
            let is_ours = |job: &Job| KINDS.contains(&job.kind.as_str());
            if found.data.iter().any(is_ours) {
                return Ok(false);
            }
        }
        for state in [DeliveryState::Waiting, DeliveryState::Sending] {
            let query = OutboundQuery {
                state: Some(state),
                ..OutboundQuery::default()
            };
            let found = channels::outbound(&self.app, &self.actor, query, page).await?;
            if !found.data.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Everything that was to be sent.
    pub(super) async fn outbound(&self) -> Result<Vec<OutboundRecord>> {
        let list = async |page| {
            let query = OutboundQuery::default();
            channels::outbound(&self.app, &self.actor, query, page).await
        };
        all(list, |record: &OutboundRecord| record.id.uuid()).await
    }

    pub(super) async fn conversations(&self) -> Result<Vec<ConversationId>> {
        let list = async |page| {
            let filter = ConversationFilter::default();
            conversations::list(&self.app, &self.actor, filter, page).await
        };
        let id = |row: &ConversationRow| row.conversation.id.uuid();
        let found = all(list, id).await?;
        Ok(found.into_iter().map(|row| row.conversation.id).collect())
    }

    /// What was said in a conversation, in order.
    pub(super) async fn messages(&self, conversation: ConversationId) -> Result<Vec<Message>> {
        let list = async |page| {
            let (app, actor) = (&self.app, &self.actor);
            conversations::list_messages(app, actor, conversation, None, false, page).await
        };
        let mut messages = all(list, |message: &Message| message.id.uuid()).await?;
        messages.reverse();
        Ok(messages)
    }

    pub(super) async fn close(self) -> Result<()> {
        self.app.store.close().await
    }
}

/// Every entry of a listing, page by page.
async fn all<T>(
    list: impl AsyncFn(PageRequest) -> Result<Page<T>>,
    id: impl Fn(&T) -> Uuid,
) -> Result<Vec<T>> {
    let mut entries: Vec<T> = Vec::new();
    loop {
        let page = PageRequest {
            limit: MAX_LIMIT,
            after: entries.last().map(&id),
        };
        let page = list(page).await?;
        entries.extend(page.data);
        if page.next_cursor.is_none() {
            return Ok(entries);
        }
    }
}
