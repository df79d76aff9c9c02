//! The documents that an agent reads, whichever knowledge base keeps them.

use crate::{Actor, App, agents, knowledge_bases, search};
use quipu_agents::guard::Guard;
use quipu_core::access::Permission;
use quipu_core::knowledge::{Document, DocumentFilter, DocumentSort, DocumentStatus, ReadableKb};
use quipu_core::page::{MAX_LIMIT, Page, PageRequest};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::TenantTx;
use std::borrow::Cow;
use uuid::Uuid;

/// A place in the listing: the knowledge base that comes next, and the last document seen in it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    kb: KnowledgeBaseId,
    after: Option<Uuid>,
}

impl Place {
    fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::new(ErrorCode::InvalidCursor);
        let (kb, after) = match text.split_once('.') {
            Some((kb, after)) => (kb, Some(Uuid::try_parse(after).map_err(|_| wrong())?)),
            None => (text, None),
        };
        let kb = kb.parse().map_err(|_| wrong())?;
        Ok(Self { kb, after })
    }

    fn write(self) -> String {
        match self.after {
            Some(after) => format!("{}.{after}", self.kb),
            None => self.kb.to_string(),
        }
    }
}

/// What an agent can find, one knowledge base after the other, the newest of each first. With a
/// customer nobody's own knowledge is there.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent, `INVALID_CURSOR`.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    with_customer: bool,
    limit: u64,
    cursor: Option<&str>,
) -> Result<Page<Document>> {
    actor.require(Permission::KnowledgeRead)?;
    let start = cursor.map(Place::parse).transpose()?;
    let limit = limit.clamp(1, MAX_LIMIT);
    let tx = app.store.read(actor.scope()).await?;
    let mut kbs = readable(&tx, actor, agent, with_customer).await?;
    // Priorities can change between two pages; ids do not.
    kbs.sort_by_key(|kb| kb.id);
    kbs.retain(|kb| start.is_none_or(|start| kb.id >= start.kb));
    let findable = DocumentFilter {
        status: Some(DocumentStatus::Completed),
        enabled: Some(true),
        ..DocumentFilter::default()
    };
    let mut data: Vec<Document> = Vec::new();
    for kb in kbs {
        let left = limit.saturating_sub(data.len() as u64);
        if left == 0 {
            let next = Place {
                kb: kb.id,
                after: None,
            };
            return Ok(Page {
                data: cleaned(data),
                next_cursor: Some(next.write()),
            });
        }
        let page = PageRequest {
            limit: left,
            after: start
                .filter(|start| start.kb == kb.id)
                .and_then(|start| start.after),
        };
        let open = knowledge_bases::open(&tx, actor, kb.id).await?;
        let found = tx
            .documents()
            .list(&open, &findable, DocumentSort::Newest, page)
            .await?;
        data.extend(found.data);
        if found.next_cursor.is_some() {
            let next = Place {
                kb: kb.id,
                after: data.last().map(|last| last.id.uuid()),
            };
            return Ok(Page {
                data: cleaned(data),
                next_cursor: Some(next.write()),
            });
        }
    }
    Ok(Page {
        data: cleaned(data),
        next_cursor: None,
    })
}

/// Takes out of the beginnings of documents what speaks to whoever reads them.
fn cleaned(mut documents: Vec<Document>) -> Vec<Document> {
    let guard = Guard::compiled();
    for document in &mut documents {
        for name in [&mut document.title, &mut document.filename] {
            name.take_if(|name| guard.is_addressed_by(name));
        }
        if let Cow::Owned(preview) = guard.cleaned(&document.preview) {
            document.preview = preview;
        }
    }
    documents
}

/// What a model is read out of a document.
pub struct ReadableText {
    pub text: String,
    /// Whether there is more of it.
    pub truncated: bool,
}

/// The text of a document that the agent can find, up to so many characters, without the sentences that
/// speak to whoever reads it.
///
/// # Errors
/// `NOT_FOUND` when the agent does not read it, whoever else does.
pub async fn text(
    app: &App,
    actor: &Actor,
    agent: &str,
    with_customer: bool,
    kb: KnowledgeBaseId,
    id: DocumentId,
    most: usize,
) -> Result<ReadableText> {
    actor.require(Permission::KnowledgeRead)?;
    let missing = || Error::not_found("document");
    let tx = app.store.read(actor.scope()).await?;
    let kbs = readable(&tx, actor, agent, with_customer).await?;
    if !kbs.iter().any(|readable| readable.id == kb) {
        return Err(missing());
    }
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    let document = tx.documents().find(&kb, id).await?.ok_or_else(missing)?;
    if !document.enabled || document.status != DocumentStatus::Completed {
        return Err(missing());
    }
    let mut text = tx.chunks().text(&kb, id).await?.ok_or_else(missing)?;
    drop(tx);
    let end = text.char_indices().nth(most).map(|(at, _)| at);
    text.truncate(end.unwrap_or(text.len()));
    let cleaning = move || Guard::compiled().cleaned(&text).into_owned();
    let text = tokio::task::spawn_blocking(cleaning).await;
    Ok(ReadableText {
        text: text.map_err(Error::internal)?,
        truncated: end.is_some(),
    })
}

/// The knowledge bases that the agent reads for whoever asks.
async fn readable(
    tx: &TenantTx,
    actor: &Actor,
    agent: &str,
    with_customer: bool,
) -> Result<Vec<ReadableKb>> {
    let agent = agents::find(tx, agent).await?;
    let person = search::reader(actor, with_customer);
    tx.knowledge_bases().readable(agent.id, person).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let kb: KnowledgeBaseId = Uuid::now_v7().to_string().parse().unwrap();
        for after in [None, Some(Uuid::now_v7())] {
            let place = Place { kb, after };
            assert_eq!(Place::parse(&place.write()).unwrap(), place);
        }
        for wrong in [
            "",
            ".",
            "x",
            &format!("{kb}."),
            &format!("{kb}.x"),
            &format!(".{kb}"),
        ] {
            let error = Place::parse(wrong).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidCursor, "{wrong}");
        }
    }
}
