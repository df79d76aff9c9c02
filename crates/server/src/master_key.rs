//! The key that encrypts tenants' secrets.

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use std::io::Write;
use std::path::Path;

/// Takes the key from `QUIPU_MASTER_KEY`, else from `master.key` in the data folder, which is
/// made, readable by its owner alone, when it is not there.
///
/// # Errors
/// When the key has the wrong form, or the file cannot be read or made.
pub fn load(data_dir: &Path, from_environment: Option<&SecretString>) -> anyhow::Result<[u8; 32]> {
    if let Some(text) = from_environment {
        return decode(text.expose_secret()).context("QUIPU_MASTER_KEY is not valid");
    }
    let file = data_dir.join("master.key");
    match std::fs::read_to_string(&file) {
        Ok(text) => {
            refuse_if_open(&file)?;
            decode(&text).with_context(|| format!("{} is not valid", file.display()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(&file),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", file.display())),
    }
}

fn decode(text: &str) -> anyhow::Result<[u8; 32]> {
    let bytes = STANDARD.decode(text.trim()).context("it must be base64")?;
    match bytes.try_into() {
        Ok(key) => Ok(key),
        Err(bytes) => bail!(
            "it must be 32 bytes in base64, and is {}; `openssl rand -base64 32` makes one",
            bytes.len()
        ),
    }
}

fn make(file: &Path) -> anyhow::Result<[u8; 32]> {
    let mut key = [0_u8; 32];
    getrandom::fill(&mut key).map_err(|e| anyhow::anyhow!("no random bytes: {e}"))?;
    // Written whole under another name and then renamed, so that a half-written key is never
    // taken for one; whoever comes second keeps the first one's key.
    let temporary = file.with_extension(format!("new-{}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = (|| {
        let mut out = options.open(&temporary)?;
        out.write_all(STANDARD.encode(key).as_bytes())?;
        out.sync_all()?;
        std::fs::hard_link(&temporary, file)
    })();
    drop(std::fs::remove_file(&temporary));
    match written {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            decode(&std::fs::read_to_string(file)?)
        }
        Err(error) => Err(error).with_context(|| format!("{} cannot be made", file.display())),
    }
}

#[cfg(unix)]
fn refuse_if_open(file: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(file)?.permissions().mode();
    if mode & 0o077 != 0 {
        bail!(
            "{0} can be read by others; run: chmod 600 {0}",
            file.display()
        );
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_if_open(_file: &Path) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_made_once_private_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let first = load(dir.path(), None).unwrap();
        assert_eq!(load(dir.path(), None).unwrap(), first);
        let file = dir.path().join("master.key");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600);
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            let error = load(dir.path(), None).unwrap_err().to_string();
            assert!(error.contains("chmod 600"), "{error}");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_bad_key_says_what_is_wrong() {
        let dir = tempfile::tempdir().unwrap();
        let error = load(dir.path(), Some(&"dGVzdA==".to_owned().into())).unwrap_err();
        assert!(format!("{error:#}").contains("32 bytes"), "{error:#}");
        assert!(load(dir.path(), Some(&"***".to_owned().into())).is_err());
    }
}
