//! Which storage an address names, and how to open it.

use super::Originals;
use super::error::{io, storage};
use super::folder::Folder;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, ObjectStoreScheme, RetryConfig};
use quipu_core::{Error, Result};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Where the originals are kept.
#[derive(Clone)]
pub struct OriginalsSettings {
    /// `file:///path`, `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`.
    pub url: String,
    /// What a bucket needs besides, such as `endpoint`, `region`, `access_key_id` and
    /// `secret_access_key` for S3. The names are those of the `object_store` library; the
    /// environment is not read.
    pub options: Vec<(String, String)>,
}

impl std::fmt::Debug for OriginalsSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.options.iter().map(|(name, _)| name).collect();
        f.debug_struct("OriginalsSettings")
            .field("url", &self.url)
            .field("options", &names)
            .finish()
    }
}

/// A request that waits for an answer of the storage has somebody waiting for it in turn.
fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: 3,
        retry_timeout: Duration::from_secs(30),
    }
}

/// Opens a bucket, refusing options that its kind of storage does not know.
macro_rules! bucket {
    ($builder:ty, $settings:expr) => {{
        let mut builder = <$builder>::new()
            .with_url($settings.url.as_str())
            .with_retry(retry());
        for (name, value) in &$settings.options {
            let key = name.to_ascii_lowercase().parse().map_err(unusable)?;
            builder = builder.with_config(key, value);
        }
        Arc::new(builder.build().map_err(unusable)?) as Arc<dyn ObjectStore>
    }};
}

pub(super) fn open(settings: &OriginalsSettings) -> Result<Originals> {
    let url = Url::parse(&settings.url).map_err(Error::internal)?;
    let (scheme, root) = ObjectStoreScheme::parse(&url).map_err(Error::internal)?;
    let store = match scheme {
        ObjectStoreScheme::Local if settings.options.is_empty() => return open_folder(&url),
        ObjectStoreScheme::Local => return Err(Error::internal("a folder takes no options")),
        ObjectStoreScheme::AmazonS3 => bucket!(AmazonS3Builder, settings),
        ObjectStoreScheme::GoogleCloudStorage => bucket!(GoogleCloudStorageBuilder, settings),
        ObjectStoreScheme::MicrosoftAzure => bucket!(MicrosoftAzureBuilder, settings),
        _ => {
            return Err(Error::internal(
                "originals are kept under file, s3, gs or az",
            ));
        }
    };
    Ok(Originals {
        store,
        folder: None,
        root,
    })
}

fn open_folder(url: &Url) -> Result<Originals> {
    let folder = url
        .to_file_path()
        .map_err(|()| Error::internal("not the address of a folder"))?;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder).map_err(io)?;
    // The library goes by the path without links, and so do we.
    let folder = folder.canonicalize().map_err(io)?;
    let files = LocalFileSystem::new_with_prefix(&folder)
        .map_err(storage)?
        .with_fsync(true);
    Ok(Originals {
        store: Arc::new(files.clone()),
        folder: Some(Folder::new(files, folder)),
        root: Path::ROOT,
    })
}

fn unusable(error: object_store::Error) -> Error {
    Error::internal(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(url: &str, options: &[(&str, &str)]) -> Result<Originals> {
        let options = options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        open(&OriginalsSettings {
            url: url.to_owned(),
            options,
        })
    }

    #[test]
    fn each_address_opens_its_kind_of_storage() {
        let keys = [
            ("access_key_id", "a"),
            ("secret_access_key", "b"),
            ("region", "eu-west-1"),
        ];
        let s3 = opened("s3://bucket/some/prefix", &keys).unwrap();
        assert_eq!(s3.root.as_ref(), "some/prefix");
        assert!(s3.folder.is_none());
        let azure = [("account_name", "cuenta"), ("account_key", "YQ==")];
        assert!(opened("az://container/prefix", &azure).is_ok());
        let google = [("skip_signature", "true")];
        assert!(opened("gs://bucket", &google).is_ok());
        for bad in [
            "",
            "nada",
            "memory:///",
            "http://ejemplo.com/",
            "ftp://ejemplo.com/",
        ] {
            assert!(opened(bad, &[]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_option_that_would_do_nothing_is_refused() {
        assert!(opened("s3://bucket", &[("regoin", "eu-west-1")]).is_err());
        let folder = tempfile::tempdir().unwrap();
        let url = Url::from_directory_path(folder.path()).unwrap();
        assert!(opened(url.as_str(), &[("region", "eu-west-1")]).is_err());
    }

    #[test]
    fn settings_and_storage_do_not_print_their_keys() {
        let settings = OriginalsSettings {
            url: "s3://bucket".to_owned(),
            options: vec![
                ("access_key_id".to_owned(), "AKIA".to_owned()),
                ("secret_access_key".to_owned(), "hunter2".to_owned()),
            ],
        };
        let printed = format!("{settings:?} {:?}", open(&settings).unwrap());
        assert!(
            !printed.contains("hunter2") && !printed.contains("AKIA"),
            "{printed}"
        );
    }

    #[test]
    fn a_folder_is_made_private_and_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("datos/originales");
        let originals = opened(&format!("file://{}", place.display()), &[]).unwrap();
        // The library flushes files and folders only when told to.
        let printed = format!("{:?}", originals.store);
        assert!(printed.contains("fsync: true"), "{printed}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&place).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }
}
