//! Where a model lies: below the folder of the operator, and nowhere else.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The folder of a model, and the one below which all its files must be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    root: PathBuf,
    folder: PathBuf,
}

impl Place {
    /// A file of the model; `None` when there is no such file.
    ///
    /// # Errors
    /// When it lies elsewhere, or is larger than it may be.
    pub(crate) fn read(&self, name: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, String> {
        let Ok(path) = self.folder.join(name).canonicalize() else {
            return Ok(None);
        };
        if !path.starts_with(&self.root) {
            return Err(format!("{name} lies outside of the folder for models"));
        }
        let size = fs::metadata(&path).map_err(|e| e.to_string())?.len();
        if size > most_bytes {
            return Err(format!("{name} has {size} bytes"));
        }
        fs::read(&path).map(Some).map_err(|e| e.to_string())
    }
}

/// Looks a model up by the name of its folder, or by its id on the hub in a folder that the hub's
/// own tools filled.
///
/// # Errors
/// When the name leads out of the folder, or the folder cannot be read.
pub(super) fn find(root: &Path, name: &str) -> io::Result<Option<Place>> {
    if !is_plain(name) {
        return Err(io::Error::other("that is no name of a model"));
    }
    let root = root.canonicalize()?;
    let mut candidates = vec![root.join(name)];
    candidates.extend(snapshot(
        &root.join(format!("models--{}", name.replace('/', "--"))),
    ));
    for folder in candidates {
        let Ok(folder) = folder.canonicalize() else {
            continue;
        };
        if !folder.starts_with(&root) {
            return Err(io::Error::other("it lies outside of the folder for models"));
        }
        if folder.join("config.json").exists() {
            return Ok(Some(Place { root, folder }));
        }
    }
    Ok(None)
}

/// Whether a name is a path that only goes down, and into nothing hidden.
pub(crate) fn is_plain(name: &str) -> bool {
    let down = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(part) if !part.as_encoded_bytes().starts_with(b".")));
    down && !name.is_empty() && !name.contains(['\\', ':', '\0'])
}

/// The version of a model that the hub's tools point to; without such a pointer, the last by name.
fn snapshot(cache: &Path) -> Option<PathBuf> {
    let snapshots = cache.join("snapshots");
    if let Ok(revision) = fs::read_to_string(cache.join("refs/main"))
        && is_plain(revision.trim())
    {
        return Some(snapshots.join(revision.trim()));
    }
    let folders = fs::read_dir(snapshots).ok()?;
    folders.filter_map(|entry| Some(entry.ok()?.path())).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }

    fn found(root: &Path, name: &str) -> Option<PathBuf> {
        let place = find(root, name).unwrap()?;
        let root = root.canonicalize().unwrap();
        Some(place.folder.strip_prefix(root).unwrap().to_owned())
    }

    #[test]
    fn models_are_found_by_folder_and_by_id() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        touch(&root.join("mio/config.json"));
        touch(&root.join("org/uno/config.json"));
        touch(&root.join("models--org--dos/snapshots/aaa/config.json"));
        touch(&root.join("models--org--dos/snapshots/bbb/config.json"));
        touch(&root.join("vacio/otro.json"));
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(found(root, "mio"), at("mio"));
        assert_eq!(found(root, "org/uno"), at("org/uno"));
        let dos = "models--org--dos/snapshots";
        assert_eq!(found(root, "org/dos"), at(&format!("{dos}/bbb")));
        touch(&root.join("models--org--dos/refs/main"));
        fs::write(root.join("models--org--dos/refs/main"), "aaa\n").unwrap();
        assert_eq!(found(root, "org/dos"), at(&format!("{dos}/aaa")));
        assert_eq!(found(root, "vacio"), None);
        assert_eq!(found(root, "org/tres"), None);
        assert!(find(&root.join("ninguno"), "mio").is_err());
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("modelos");
        fs::create_dir(&root).unwrap();
        touch(&dir.path().join("fuera/config.json"));
        touch(&root.join(".oculto/config.json"));
        for name in [
            "",
            ".",
            "..",
            "../fuera",
            "mio/../../fuera",
            "./mio",
            "/etc",
            ".oculto",
            "a\\b",
            "c:",
            "a\0b",
        ] {
            assert!(find(&root, name).is_err(), "{name:?}");
        }
        assert!(find(&root, dir.path().join("fuera").to_str().unwrap()).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("fuera"), root.join("enlace")).unwrap();
            assert!(find(&root, "enlace").is_err(), "a link leads out");
            touch(&root.join("mio/config.json"));
            let outside = dir.path().join("fuera/config.json");
            std::os::unix::fs::symlink(outside, root.join("mio/model.safetensors")).unwrap();
            let place = find(&root, "mio").unwrap().unwrap();
            assert!(place.read("model.safetensors", 100).is_err());
        }
        touch(&root.join("mio/config.json"));
        let place = find(&root, "mio").unwrap().unwrap();
        assert_eq!(place.read("config.json", 2), Ok(Some(b"{}".to_vec())));
        assert!(place.read("config.json", 1).is_err(), "too large");
        assert_eq!(place.read("nada.json", 1), Ok(None));
    }
}
