//! Requests of somebody who reads a whole website: what a server answers, whatever it is.

use crate::fault::{explain, refused, too_large, unreachable};
use crate::fetcher::{Asked, GuardedFetcher, MOST_REDIRECTS, is_redirect, receive};
use crate::target;
use bytes::Bytes;
use quipu_core::ports::{FetchError, Fetched, VisitKind, VisitRequest, VisitedPage};
use reqwest::header::{CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED, LOCATION};
use reqwest::{Response, StatusCode};
use url::Url;

/// Nobody has to read more of the rules of a site.
const ROBOTS_BYTES: usize = 512 * 1024;
/// The largest sitemap, as it is sent.
const SITEMAP_BYTES: usize = 20 * 1024 * 1024;
/// The longest mark of a version that is kept.
const LONGEST_MARK: usize = 300;

impl GuardedFetcher {
    pub(crate) async fn call_on(
        &self,
        request: &VisitRequest<'_>,
    ) -> Result<VisitedPage, FetchError> {
        let asked = Asked {
            etag: request.etag,
            last_modified: request.last_modified,
        };
        let mut url = target::parse(request.url, &self.settings)?;
        for _ in 0..=MOST_REDIRECTS {
            let response = self.ask(&url, &asked).await?;
            if !is_redirect(response.status()) {
                return answered(url, request.kind, response).await;
            }
            let status = response.status().as_u16();
            let location = response.headers().get(LOCATION);
            url = target::redirected(&url, location, &self.settings)?;
            if request.kind == VisitKind::Page {
                // Whether that is still the site is for whoever reads it to say.
                return Ok(VisitedPage {
                    status,
                    url: url.into(),
                    etag: None,
                    last_modified: None,
                    page: None,
                });
            }
        }
        Err(refused(format!("more than {MOST_REDIRECTS} redirects")))
    }
}

async fn answered(
    url: Url,
    kind: VisitKind,
    response: Response,
) -> Result<VisitedPage, FetchError> {
    let status = response.status();
    let mark = |name: HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        (value.len() <= LONGEST_MARK).then(|| value.to_owned())
    };
    let (etag, last_modified) = (mark(ETAG), mark(LAST_MODIFIED));
    let address = url.to_string();
    // A part of a page is not the page.
    let whole = status.is_success() && status != StatusCode::PARTIAL_CONTENT;
    let page = match kind {
        _ if !whole => None,
        VisitKind::Page => Some(receive(url, response).await?),
        VisitKind::Robots => Some(plain(address.clone(), response, ROBOTS_BYTES, true).await?),
        VisitKind::Sitemap => Some(plain(address.clone(), response, SITEMAP_BYTES, false).await?),
    };
    Ok(VisitedPage {
        status: status.as_u16(),
        url: address,
        etag,
        last_modified,
        page,
    })
}

/// A body as it comes, up to a size: what is beyond it is left out, or too much.
async fn plain(
    url: String,
    mut response: Response,
    most: usize,
    cut: bool,
) -> Result<Fetched, FetchError> {
    let declared = response.headers().get(CONTENT_TYPE);
    let content_type = declared.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let mut body: Vec<u8> = Vec::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|e| unreachable(explain(e)))?
    {
        let room = most - body.len();
        if piece.len() > room {
            if !cut {
                return Err(too_large(format!("more than {most} bytes")));
            }
            body.extend_from_slice(&piece[..room]);
            break;
        }
        body.extend_from_slice(&piece);
    }
    Ok(Fetched {
        url,
        content_type,
        filename: String::new(),
        body: Bytes::from(body),
    })
}
