//! Models from the hub, where the operator allows it.

use super::lasting;
use crate::embedding::LocalSettings;
use quipu_core::ports::EmbedError;
use reqwest::{Client, redirect};
use std::path::Path;
use std::time::Duration;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;

const USER_AGENT: &str = concat!("Quipu/", env!("CARGO_PKG_VERSION"));
/// The hub hands files over from elsewhere.
const MOST_REDIRECTS: usize = 5;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the hub may be silent.
const READ_TIMEOUT: Duration = Duration::from_mins(1);
const DESCRIPTION_BYTES: u64 = 4 * 1024 * 1024;
const TOKENIZER_BYTES: u64 = 64 * 1024 * 1024;

/// Fetches the files of a model into `org/name` below the folder for models. They are complete
/// when that folder is there.
pub(super) async fn fetch(
    settings: &LocalSettings,
    root: &Path,
    name: &str,
) -> Result<(), EmbedError> {
    if !is_id(name) {
        return Err(lasting(
            name,
            "it is not in the folder for models, nor an id of the hub",
        ));
    }
    let passing = |e: std::io::Error| EmbedError::Transient(format!("local/{name}: {e}"));
    let builder = Client::builder()
        .user_agent(USER_AGENT)
        .no_proxy()
        .redirect(redirect::Policy::limited(MOST_REDIRECTS))
        .https_only(settings.hub_base_url.starts_with("https:"))
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(READ_TIMEOUT);
    let client = super::blocking(|| builder.build()).await?;
    let client = client.map_err(|e| EmbedError::Transient(e.to_string()))?;
    let partial = tempfile::Builder::new()
        .prefix(".fetching-")
        .tempdir_in(root)
        .map_err(passing)?;
    let base = settings.hub_base_url.trim_end_matches('/');
    for (file, needed, most) in [
        ("config.json", true, DESCRIPTION_BYTES),
        ("modules.json", false, DESCRIPTION_BYTES),
        ("1_Pooling/config.json", false, DESCRIPTION_BYTES),
        ("sentence_bert_config.json", false, DESCRIPTION_BYTES),
        (
            "config_sentence_transformers.json",
            false,
            DESCRIPTION_BYTES,
        ),
        ("tokenizer_config.json", false, DESCRIPTION_BYTES),
        ("tokenizer.json", true, TOKENIZER_BYTES),
        ("model.safetensors", true, settings.most_bytes),
    ] {
        let url = format!("{base}/{name}/resolve/main/{file}");
        let found = file_to(&client, &url, &partial.path().join(file), most).await;
        let found = found.map_err(|fault| match fault {
            EmbedError::Transient(why) => {
                EmbedError::Transient(format!("local/{name}: {file}: {why}"))
            }
            EmbedError::Permanent(why) => lasting(name, &format!("{file}: {why}")),
        })?;
        if needed && !found {
            return Err(lasting(name, &format!("{file} is not on the hub")));
        }
    }
    let place = root.join(name);
    if let Some(above) = place.parent() {
        fs::create_dir_all(above).await.map_err(passing)?;
    }
    fs::rename(partial.path(), &place).await.map_err(passing)
}

/// Whether a name is an id of the hub, and can be part of an address as it stands.
fn is_id(name: &str) -> bool {
    let part = |part: &str| {
        !part.starts_with(['.', '-'])
            && !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    };
    name.split_once('/')
        .is_some_and(|(owner, model)| part(owner) && part(model) && !name.contains(".."))
}

/// Whether there is such a file, which then lies at the path.
async fn file_to(client: &Client, url: &str, path: &Path, most: u64) -> Result<bool, EmbedError> {
    let disk = |e: std::io::Error| EmbedError::Transient(e.to_string());
    let network = |e: reqwest::Error| EmbedError::Transient(e.without_url().to_string());
    let mut response = client.get(url).send().await.map_err(network)?;
    match response.status().as_u16() {
        200 => {}
        404 => return Ok(false),
        // The hub answers so for a model that does not exist or is not public.
        401 | 403 => return Err(EmbedError::Permanent("the hub does not give it".to_owned())),
        status => return Err(EmbedError::Transient(format!("status {status}"))),
    }
    let too_large = || EmbedError::Permanent(format!("more than {most} bytes"));
    if response.content_length().is_some_and(|size| size > most) {
        return Err(too_large());
    }
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).await.map_err(disk)?;
    }
    let mut file = File::create(path).await.map_err(disk)?;
    let mut size = 0;
    while let Some(piece) = response.chunk().await.map_err(network)? {
        size += piece.len() as u64;
        if size > most {
            return Err(too_large());
        }
        file.write_all(&piece).await.map_err(disk)?;
    }
    file.sync_all().await.map_err(disk)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_the_hub_are_asked_for() {
        assert!(is_id("intfloat/multilingual-e5-small"));
        assert!(is_id("sentence-transformers/all-MiniLM-L6-v2"));
        for bad in [
            "mio", "a/b/c", "/b", "a/", "a/..", "../b", "a/b?c", "a/b#c", "a/%2e", "a b/c", "a/.b",
        ] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
