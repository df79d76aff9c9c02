//! An installation of its own: a data folder, a database, and processes that use both.

use quipu_app::App;
use quipu_server::config::{Config, Overrides};
use quipu_server::setup;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::{Semaphore, SemaphorePermit};

/// How long a process may take for anything, on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Each of these tests loads the machine, and waits for processes to start and end: two fill it.
pub(crate) static TURNS: Semaphore = Semaphore::const_new(2);

/// The settings that say where the servers of the channels are, and their variables.
const CHANNELS: [(&str, &str); 4] = [
    ("channels.graph_url", "QUIPU_CHANNELS__GRAPH_URL"),
    ("channels.instagram_url", "QUIPU_CHANNELS__INSTAGRAM_URL"),
    ("channels.tiktok_url", "QUIPU_CHANNELS__TIKTOK_URL"),
    ("channels.vapi_url", "QUIPU_CHANNELS__VAPI_URL"),
];
/// Where nobody listens: no test reaches a channel.
const NOWHERE: &str = "http://127.0.0.1:9";

pub(crate) struct Home {
    url: String,
    dir: PathBuf,
    settings: Vec<(&'static str, String)>,
    _temporary: Option<TempDir>,
    _turn: SemaphorePermit<'static>,
}

impl Home {
    /// In a temporary folder, which goes when the test ends.
    pub(crate) async fn new(url: &str) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let dir = temporary.path().to_owned();
        Self::make(dir, Some(temporary), url).await
    }

    pub(crate) async fn at(dir: &Path, url: &str) -> Self {
        Self::make(dir.to_owned(), None, url).await
    }

    async fn make(dir: PathBuf, temporary: Option<TempDir>, url: &str) -> Self {
        Self {
            url: url.to_owned(),
            dir,
            settings: Vec::new(),
            _temporary: temporary,
            _turn: TURNS.acquire().await.expect("nobody closes it"),
        }
    }

    /// Sets a variable such as `QUIPU_JOBS__WORKERS` for every process.
    pub(crate) fn set(mut self, name: &'static str, value: u64) -> Self {
        self.settings.push((name, value.to_string()));
        self
    }

    /// Sets a variable that is no number.
    pub(crate) fn choose(mut self, name: &'static str, value: &str) -> Self {
        self.settings.push((name, value.to_owned()));
        self
    }

    /// Without the tenant that a first start brings along.
    pub(crate) fn without_demo(mut self) -> Self {
        self.settings
            .push(("QUIPU_DEMO__ENABLED", "false".to_owned()));
        self
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The use cases in this process, on the same data as the others.
    pub(crate) async fn app(&self) -> App {
        let mut overrides = vec![
            ("data.dir", self.dir.display().to_string()),
            ("database.url", self.url.clone()),
        ];
        overrides.extend(CHANNELS.map(|(key, _)| (key, NOWHERE.to_owned())));
        let config = Config::load(None, Overrides(overrides)).expect("a configuration");
        setup::build_app(&config).await.expect("the use cases")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
        command
            .args(arguments)
            .env_clear()
            .env("QUIPU_DATA__DIR", &self.dir)
            .env("QUIPU_DATABASE__URL", &self.url)
            .envs(CHANNELS.map(|(_, variable)| (variable, NOWHERE)))
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stderr(self.log_file())
            .kill_on_drop(true);
        command
    }

    /// A process that works on jobs and serves nobody.
    pub(crate) fn start_worker(&self) -> Process {
        let mut command = self.command(&["worker"]);
        Process(command.stdout(self.log_file()).spawn().expect("a worker"))
    }

    /// A server that is still starting.
    pub(crate) fn start_server(&self) -> StartingServer {
        let mut command = self.command(&["serve", "--bind", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a server");
        let out = child.stdout.take().expect("its standard output");
        StartingServer {
            process: Process(child),
            out: BufReader::new(out).lines(),
            said: Vec::new(),
        }
    }

    /// What all processes logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// A process that is killed says nothing about it; one that panics does.
    pub(crate) fn assert_no_panic(&self) {
        let log = self.log();
        assert!(!log.contains("panicked at"), "a process panicked:\n{log}");
    }

    fn log_file(&self) -> File {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_path())
            .expect("a log file")
    }

    fn log_path(&self) -> PathBuf {
        self.dir.with_extension("log")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // Beside the folder and not in it, because the folder may be on a disk that is full.
        drop(std::fs::remove_file(self.log_path()));
    }
}

/// A running process; it is killed when nobody holds it any more.
pub(crate) struct Process(Child);

impl Process {
    /// `SIGKILL`, and waits until it is gone.
    pub(crate) async fn kill(mut self) {
        self.0.kill().await.expect("to kill a process");
    }

    /// `SIGTERM`, as service managers send it.
    pub(crate) fn ask_to_stop(&self) {
        let pid = self.0.id().expect("a process that is running");
        let told = std::process::Command::new("sh")
            .args(["-c", &format!("kill -TERM {pid}")])
            .status();
        assert!(told.expect("a shell").success(), "SIGTERM was not sent");
    }

    /// Waits for the process to end by itself.
    pub(crate) async fn ended(mut self) -> ExitStatus {
        tokio::time::timeout(PATIENCE, self.0.wait())
            .await
            .expect("the process does not end")
            .expect("an exit status")
    }

    /// Whether the process is running still.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("a process of ours").is_none()
    }
}

pub(crate) struct StartingServer {
    process: Process,
    out: Lines<BufReader<ChildStdout>>,
    said: Vec<String>,
}

impl StartingServer {
    /// Waits until the server answers.
    pub(crate) async fn ready(mut self) -> Server {
        tokio::time::timeout(PATIENCE, self.read_address())
            .await
            .expect("the server does not get ready")
            .map_or_else(
                || panic!("the server ended; it said {:?}", self.said),
                |address| Server {
                    address,
                    said: self.said.join("\n"),
                    process: self.process,
                    _out: self.out,
                },
            )
    }

    pub(crate) async fn kill(self) {
        self.process.kill().await;
    }

    async fn read_address(&mut self) -> Option<String> {
        while let Some(line) = self.out.next_line().await.expect("what the server says") {
            if let Some(rest) = line.strip_prefix("Quipu is ready at ") {
                return rest.split(' ').next().map(str::to_owned);
            }
            self.said.push(line);
        }
        None
    }
}

pub(crate) struct Server {
    /// `http://127.0.0.1:…`
    pub(crate) address: String,
    /// What it printed before it was ready.
    pub(crate) said: String,
    pub(crate) process: Process,
    /// Held open, because printing to a closed pipe is an error.
    _out: Lines<BufReader<ChildStdout>>,
}
