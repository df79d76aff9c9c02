//! Small files that are replaced as a whole and know whether they are what was written.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What the name of a file ends with until it is complete.
pub(crate) const UNFINISHED: &str = "tmp";

/// Replaces a file. Whoever is killed in between leaves the old one.
pub(crate) fn write(path: &Path, content: &[u8], durable: bool) -> io::Result<()> {
    let unfinished = unfinished(path);
    let mut file = File::create(&unfinished)?;
    writeln!(file, "{:08x}", crc32fast::hash(content))?;
    file.write_all(content)?;
    if durable {
        file.sync_all()?;
    }
    fs::rename(&unfinished, path)?;
    if durable {
        sync_folder(path.parent().unwrap_or(Path::new(".")))?;
    }
    Ok(())
}

/// Reads such a file; other bytes than were written are an error.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    let damaged = || {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{} is damaged", path.display()),
        )
    };
    let (seal, content) = bytes.split_at_checked(9).ok_or_else(damaged)?;
    let expected = format!("{:08x}\n", crc32fast::hash(content));
    if seal != expected.as_bytes() {
        return Err(damaged());
    }
    Ok(content.to_vec())
}

/// The name of a file while it is being written.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    path.with_file_name(name)
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A name that no other file ever had.
pub(crate) fn fresh_name() -> io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bytes_than_were_written_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest");
        write(&path, b"content", true).unwrap();
        assert_eq!(read(&path).unwrap(), b"content");
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert!(read(&path).is_err(), "cut at {cut}");
            let mut flipped = whole.clone();
            flipped[cut] ^= 1;
            fs::write(&path, flipped).unwrap();
            assert!(read(&path).is_err(), "flipped at {cut}");
        }
    }
}
