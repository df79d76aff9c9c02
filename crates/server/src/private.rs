//! Files and folders that nobody but the user of the server may read.

use anyhow::Context;
use std::path::{Path, PathBuf};

/// What SQLite puts beside a database while it is open.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Makes the file of a database before SQLite would make it for everybody to read, and takes the
/// rights of others from one that is there. A folder that somebody else made keeps nobody out.
///
/// # Errors
/// When the file cannot be made, or its rights cannot be changed.
pub(crate) fn keep_database(file: &Path) -> anyhow::Result<()> {
    // A database in memory has no file.
    if file.as_os_str().is_empty() || file.as_os_str() == ":memory:" {
        return Ok(());
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(file)
        .with_context(|| format!("{} cannot be written", file.display()))?;
    for file in with_beside(file) {
        close(&file)?;
    }
    Ok(())
}

/// Those files of a database that others may read, with their rights.
pub(crate) fn exposed(file: &Path) -> Vec<(PathBuf, u32)> {
    open_to_others(&with_beside(file))
}

/// Takes the rights of others from a folder or a file that keeps what tenants entrusted to us, where
/// somebody else made it. Some file systems have no rights to take, which is told and keeps nobody from work.
pub(crate) fn keep(path: &Path) {
    if let Err(error) = close(path) {
        tracing::warn!("{error:#}");
    }
}

/// Those of some paths that are open to others, with their rights.
pub(crate) fn open_to_others(paths: &[PathBuf]) -> Vec<(PathBuf, u32)> {
    let rights = paths
        .iter()
        .filter_map(|path| rights(path).map(|rights| (path.clone(), rights)));
    rights.filter(|(_, rights)| rights & 0o077 != 0).collect()
}

/// From here on whatever this process makes is for its own user alone, wherever it makes it.
pub(crate) fn make_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

fn with_beside(file: &Path) -> Vec<PathBuf> {
    let beside = BESIDE.iter().map(|ending| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    });
    [file.to_owned()].into_iter().chain(beside).collect()
}

#[cfg(unix)]
fn rights(file: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(file).ok()?;
    Some(found.permissions().mode() & 0o777)
}

#[cfg(unix)]
fn close(file: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(rights) = rights(file).filter(|rights| rights & 0o077 > 0) else {
        return Ok(());
    };
    let private = std::fs::Permissions::from_mode(rights & 0o700);
    std::fs::set_permissions(file, private).with_context(|| {
        format!(
            "others may read {}, and its rights cannot be changed",
            file.display()
        )
    })
}

#[cfg(not(unix))]
fn rights(_: &Path) -> Option<u32> {
    None
}

#[cfg(not(unix))]
fn close(_: &Path) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_database_is_made_private_and_becomes_so() {
        let folder = tempfile::tempdir().unwrap();
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).unwrap();
        let file = folder.path().join("quipu.db");
        keep_database(&file).unwrap();
        assert_eq!(rights(&file), Some(0o600));
        let wal = folder.path().join("quipu.db-wal");
        std::fs::write(&wal, "").unwrap();
        for file in [&file, &wal] {
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
        }
        assert_eq!(exposed(&file).len(), 2);
        keep_database(&file).unwrap();
        assert!(exposed(&file).is_empty());
        assert_eq!(rights(&wal), Some(0o600));
    }

    #[test]
    fn a_folder_becomes_private_and_stays_usable() {
        let folder = tempfile::tempdir().unwrap();
        let originals = folder.path().join("originals");
        std::fs::create_dir(&originals).unwrap();
        std::fs::set_permissions(&originals, std::fs::Permissions::from_mode(0o755)).unwrap();
        let folders = [originals.clone(), folder.path().join("nowhere")];
        assert_eq!(open_to_others(&folders), [(originals.clone(), 0o755)]);
        keep(&originals);
        assert!(open_to_others(&folders).is_empty());
        std::fs::write(originals.join("a"), "").unwrap();
    }
}
