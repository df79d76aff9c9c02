//! The cases of websites and their pages.

use super::cases::{Case, Kind, cases, everything, is_taken};
use crate::fixture_websites::{address, content, found, settings};
use crate::material::ACTOR;
use quipu_core::website::{WebsiteCounts, WebsitePageState, WebsiteStatus};
use serde_json::json;

/// The reading that the fixture is in.
const ROUND: i32 = 2;
const TOLD: (&str, &str) = ("TAKEN", "taken");

pub(super) fn all() -> Vec<Case> {
    [websites(), website_pages()].concat()
}

fn websites() -> Vec<Case> {
    cases! {
        Write "websites.insert" => |tx, a| {
            let kb = &a.agent().kb;
            is_taken(tx.websites().insert(kb, &address(a.slug, ""), &settings(), ACTOR).await)
        };
        Read "websites.kb_of" => |tx, a| tx.websites().kb_of(a.websites.site).await?.is_some();
        Read "websites.find" => |tx, a| {
            tx.websites().find(&a.agent().kb, a.websites.site).await?.is_some()
        };
        Read "websites.list" => |tx, a| {
            !tx.websites().list(&a.agent().kb, everything()).await?.data.is_empty()
        };
        Read "websites.count" => |tx, a| tx.websites().count(&a.agent().kb).await? > 0;
        Read "websites.ids_of" => |tx, a| {
            tx.websites().ids_of(a.agent().kb.id).await?.contains(&a.websites.site)
        };
        Write "websites.update" => |tx, a| {
            tx.websites().update(&a.agent().kb, a.websites.site, &settings(), None).await?
        };
        Write "websites.delete" => |tx, a| {
            tx.websites().delete(&a.agent().kb, a.websites.site).await?
        };
        Read "websites.load" => |tx, a| tx.websites().load(a.websites.site).await?.is_some();
        Write "websites.set_status" => |tx, a| {
            let status = WebsiteStatus::Stopped;
            tx.websites().set_status(a.websites.site, status, Some(TOLD), None).await?
        };
        Write "websites.begin_round" => |tx, a| {
            tx.websites().begin_round(a.websites.site, &json!({})).await?.is_some()
        };
        Write "websites.keep_progress" => |tx, a| {
            tx.websites().keep_progress(a.websites.site, &json!({ "taken": true })).await?
        };
        Write "websites.add_counts" => |tx, a| {
            let more = WebsiteCounts { read: 1, ..WebsiteCounts::default() };
            tx.websites().add_counts(a.websites.site, &more).await?
        };
        Write "websites.finish" => |tx, a| {
            let status = WebsiteStatus::Ready;
            tx.websites().finish(a.websites.site, status, None, None).await?
        };
        Write "websites.take_due" => |tx, a| tx.websites().take_due(a.websites.site, None).await?;
    }
}

fn website_pages() -> Vec<Case> {
    cases! {
        // The database refuses a page of a site that is not there.
        Write "website_pages.found" => |tx, a| {
            let (site, new) = (a.websites.site, found(address(a.slug, "another")));
            let state = WebsitePageState::Waiting;
            tx.website_pages().found(site, ROUND, state, None, &new).await.is_ok()
        };
        Read "website_pages.known" => |tx, a| {
            let addresses = [address(a.slug, "new")];
            !tx.website_pages().known(a.websites.site, ROUND, &addresses).await?.is_empty()
        };
        Read "website_pages.count" => |tx, a| {
            tx.website_pages().count(a.websites.site, ROUND).await?.1 > 0
        };
        Read "website_pages.next" => |tx, a| {
            let next = tx.website_pages().next(a.websites.site, ROUND).await?;
            next.is_some_and(|page| page.id == a.websites.waiting)
        };
        Read "website_pages.at" => |tx, a| {
            tx.website_pages().at(a.websites.site, &address(a.slug, "old")).await?.is_some()
        };
        Write "website_pages.attempt" => |tx, a| {
            tx.website_pages().attempt(a.websites.waiting).await?
        };
        Write "website_pages.read" => |tx, a| {
            tx.website_pages().read(a.websites.waiting, &content(a.agent())).await?
        };
        Write "website_pages.set_state" => |tx, a| {
            let state = WebsitePageState::Failed;
            tx.website_pages().set_state(a.websites.waiting, state, TOLD).await?
        };
        Read "website_pages.first_failure" => |tx, a| {
            tx.website_pages().first_failure(a.websites.site, ROUND).await?.is_some()
        };
        Read "website_pages.vanished" => |tx, a| {
            let gone = tx.website_pages().vanished(a.websites.site, ROUND, true, 9).await?;
            gone.iter().any(|page| page.id == a.websites.page)
        };
        Write "website_pages.delete" => |tx, a| {
            tx.website_pages().delete(&[a.websites.waiting]).await? > 0
        };
        Read "website_pages.documents" => |tx, a| {
            tx.website_pages().documents(a.websites.site).await?.contains(&a.agent().document)
        };
        Read "website_pages.list" => |tx, a| {
            let (kb, pages) = (&a.agent().kb, tx.website_pages());
            let mut found = false;
            for state in [None, Some(WebsitePageState::Read)] {
                let listed = pages.list(kb, a.websites.site, state, everything());
                found |= listed.await?.data.iter().any(|page| page.id == a.websites.page);
            }
            found
        };
    }
}
