//! A server as somebody starts it for the first time, in an empty folder.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_quipu");

pub(super) struct FreshServer {
    process: Child,
    folder: TempDir,
    pub(super) url: String,
    pub(super) one_time_password: String,
}

impl FreshServer {
    /// # Panics
    /// When the server does not start, or does not say where it is and who may sign in.
    pub(super) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Where `make run` leaves the program for a reader whose home this folder is.
        let built = folder.path().join(".cache/quipu/target/release");
        std::fs::create_dir_all(&built).unwrap();
        std::os::unix::fs::symlink(PROGRAM, built.join("quipu")).unwrap();

        let mut command = Command::new(PROGRAM);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
            command.env_remove(name);
        }
        let mut process = command
            .args(["serve", "--bind", "127.0.0.1:0"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut told = |before: &str| {
            let found = lines.find_map(|line| {
                let line = line.unwrap();
                let rest = line.strip_prefix(before)?;
                Some(rest.split(' ').next().unwrap_or_default().to_owned())
            });
            found.unwrap_or_else(|| panic!("the server did not say `{before}`"))
        };
        let one_time_password = told("One-time password: ");
        let url = told("Quipu is ready at ");
        Self {
            process,
            folder,
            url,
            one_time_password,
        }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// The path on which `quipu` is found too.
pub(super) fn path_with_program() -> OsString {
    let mut paths = vec![Path::new(PROGRAM).parent().unwrap().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    std::env::join_paths(paths).unwrap()
}

impl Drop for FreshServer {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
