//! The body of a page, in bounded memory.

use crate::fault;
use crate::media::Media;
use bytes::Bytes;
use quipu_core::format::{Format, Sniffer};
use quipu_core::ports::FetchError;
use reqwest::Response;

/// Reads a body and tells what it is by its content.
///
/// What counts is the size after decompression, as it arrives, so that a small bomb does not
/// become a large one here.
pub(crate) async fn read(
    mut response: Response,
    media: Media,
    name: &str,
) -> Result<(Bytes, Format), FetchError> {
    let mut sniffer = Sniffer::new();
    let limit = |sniffer: &Sniffer| match media {
        Media::Known(format) => format.max_bytes(),
        Media::Unnamed => sniffer.max_bytes(name),
    };
    let largest = match media {
        Media::Known(format) => format.max_bytes(),
        Media::Unnamed => Format::LARGEST,
    };
    let announced = response.content_length().unwrap_or(0);
    if announced > largest {
        return Err(fault::too_large(format!("{announced} bytes announced")));
    }
    // Growing by doubling would hold up to twice the page.
    let mut body = Vec::with_capacity(usize::try_from(announced).unwrap_or(0));
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|e| fault::unreachable(fault::explain(e)))?
    {
        sniffer.see(&piece);
        let limit = limit(&sniffer);
        if (body.len() + piece.len()) as u64 > limit {
            return Err(fault::too_large(format!("more than {limit} bytes")));
        }
        body.extend_from_slice(&piece);
    }
    let format = sniffer
        .finish(name)
        .ok_or_else(|| fault::content_type("the content is nothing we read"))?;
    Ok((Bytes::from(body), format))
}
