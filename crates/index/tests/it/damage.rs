//! Whatever happens to the files of a partition, searches answer what the change log says.

use crate::subject::Embedded;
use quipu_core::engine::{ChangeLog, Engine, Probe};
use quipu_index::EmbeddedEngine;
use quipu_testkit::engine_suite::{
    FakeLog, Kb, Reference, document, document_id, entry, library, probe, probes,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// A knowledge base with some history, so that there are several blocks and segments.
struct Scene {
    subject: Embedded,
    log: Arc<FakeLog>,
    kb: Kb,
}

impl Scene {
    fn new() -> Self {
        let subject = Embedded::with(|settings| settings.batch_entries = 150);
        let kb = Kb::new(&subject, 1, 11);
        let log = Arc::new(FakeLog::default());
        Self { subject, log, kb }
    }

    async fn engine(&self) -> Arc<EmbeddedEngine> {
        self.subject
            .engine(Arc::clone(&self.log) as Arc<dyn ChangeLog>)
            .await
    }

    /// Leaves a partition on the disk.
    async fn settled(&self) -> Arc<EmbeddedEngine> {
        let engine = self.engine().await;
        for round in 0..3 {
            self.log.write(
                self.kb.partition(),
                library(round, 40 + u128::from(round), 4),
            );
            engine.catch_up(self.kb.partition()).await.unwrap();
            let gone = document(5 + u128::from(round), Vec::new());
            self.log.write(self.kb.partition(), vec![gone]);
            self.check(&engine).await;
        }
        engine
    }

    async fn check(&self, engine: &EmbeddedEngine) {
        let version = self.log.version(self.kb.partition());
        let reference = Reference::new(self.log.entries(self.kb.partition()));
        for asked in probes(7, version, 3) {
            let found = engine.search(&self.kb.scope, self.kb.id, &asked).await;
            reference.check(&asked, &found.unwrap());
        }
    }

    fn folder(&self) -> PathBuf {
        self.subject.folder_of(self.kb.partition())
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut open = vec![self.folder()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }
}

fn halve(path: &Path) -> io::Result<()> {
    let file = fs::File::options().write(true).open(path)?;
    file.set_len(file.metadata()?.len() / 2)
}

fn empty(path: &Path) -> io::Result<()> {
    let file = fs::File::options().write(true).open(path)?;
    file.set_len(0)
}

/// Flips a bit in every 97th byte, and in the middle.
fn flip(path: &Path) -> io::Result<()> {
    let mut bytes = fs::read(path)?;
    let middle = bytes.len() / 2;
    for at in (0..bytes.len()).step_by(97).chain([middle]) {
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 0x10;
        }
    }
    fs::write(path, bytes)
}

fn delete(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

type Harm = fn(&Path) -> io::Result<()>;

/// Harms one of the files of a running engine, which may take away at any time what it needs no more.
fn harm_while_running(scene: &Scene, harm: Harm, pick: impl Fn(&[PathBuf]) -> &PathBuf) {
    let harmed = || harm(pick(&scene.files()));
    while harmed().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {}
}

const HARMS: [(&str, Harm); 4] = [
    ("halved", halve),
    ("emptied", empty),
    ("flipped", flip),
    ("deleted", delete),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_damaged_before_opening_are_made_anew() {
    let scene = Scene::new();
    drop(scene.settled().await);
    drop(scene.engine().await);
    // Names change whenever a partition is made anew, so files are taken by their place.
    for place in 0..scene.files().len() {
        for (name, harm) in HARMS {
            let files = scene.files();
            let path = &files[place % files.len()];
            harm(path).unwrap();
            let engine = scene.engine().await;
            scene.check(&engine).await;
            scene.check(&engine).await;
            let count = engine.count(scene.kb.partition()).await.unwrap();
            let expected = scene.log.entries(scene.kb.partition()).len() as u64;
            assert_eq!(count, expected, "{} {name}", path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_damaged_under_a_running_engine_are_made_anew() {
    let scene = Scene::new();
    let engine = scene.settled().await;
    for place in 0..scene.files().len() {
        for (_, harm) in HARMS {
            harm_while_running(&scene, harm, |files| &files[place % files.len()]);
            scene.check(&engine).await;
            // A change needs more of what is there than a search does.
            let number = 500 + place as u128;
            let text = entry(number * 1_000, "horario de atención", "", None);
            scene
                .log
                .write(scene.kb.partition(), vec![document(number, vec![text])]);
            scene.check(&engine).await;
        }
    }
    drop(engine);
    let engine = scene.engine().await;
    scene.check(&engine).await;
}

/// What is kept in memory is checked when it is read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whole_vectors_damaged_before_they_are_read_are_made_anew() {
    let scene = Scene::new();
    drop(scene.settled().await);
    let is_block = |path: &&PathBuf| path.extension().is_some_and(|end| end == "block");
    for path in scene.files().iter().filter(is_block) {
        // The head and the codes before it are as they were.
        let mut bytes = fs::read(path).unwrap();
        *bytes.last_mut().unwrap() ^= 0x40;
        fs::write(path, bytes).unwrap();
    }
    let engine = scene.engine().await;
    let reads = scene.log.reads();
    scene.check(&engine).await;
    assert!(scene.log.reads() > reads, "it was read again");
}

/// Large files are read in pieces while searches run, so that damage is met only then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_files_damaged_under_a_running_engine_are_made_anew() {
    let mut scene = Scene::new();
    // Vectors are read from their file for each search, as those of many more chunks are.
    scene.subject.settings.whole_bytes = 0;
    let engine = scene.engine().await;
    let mut texts = library(1, 250, 10);
    texts
        .iter_mut()
        .flat_map(|text| &mut text.entries)
        .for_each(|entry| {
            // Much more is said, all of it different.
            let chunk = entry.chunk.uuid().as_u128();
            entry
                .terms
                .extend((0..60).map(|n| format!("x{}", (chunk * 7 + n * 13) % 4_001)));
        });
    scene.log.set_portion(1_000);
    scene.log.write(scene.kb.partition(), texts);
    scene.check(&engine).await;
    for (name, harm) in HARMS {
        for ending in ["idx", "block"] {
            let ends = |path: &&PathBuf| path.extension().is_some_and(|end| end == ending);
            let size = |path: &PathBuf| fs::metadata(path).map_or(0, |found| found.len());
            let reads = scene.log.reads();
            harm_while_running(&scene, harm, |files| {
                let files = files.iter().filter(ends);
                let largest = files.max_by_key(|path| size(path)).unwrap();
                assert!(size(largest) > 64 * 1024, "{ending} in memory");
                largest
            });
            scene.check(&engine).await;
            // The half that is left may be all that these questions need.
            let noticed = scene.log.reads() > reads;
            assert!(noticed || name == "halved", "{ending} {name} was noticed");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_is_deleted_comes_back() {
    let scene = Scene::new();
    let engine = scene.settled().await;
    fs::remove_dir_all(scene.folder()).unwrap();
    scene.check(&engine).await;
    fs::remove_dir_all(&scene.subject.settings.root).unwrap();
    scene.log.write(scene.kb.partition(), library(9, 50, 2));
    scene.check(&engine).await;
    assert!(scene.folder().join("manifest.json").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_format_is_read_again() {
    let scene = Scene::new();
    drop(scene.settled().await);
    drop(scene.engine().await);
    let path = scene.folder().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let (_, json) = text.split_once('\n').unwrap();
    let newer = json.replace("\"format\":1", "\"format\":2");
    assert_ne!(newer, json);
    // With the right checksum: it is the format that is refused.
    let sum = crc32fast::hash(newer.as_bytes());
    fs::write(&path, format!("{sum:08x}\n{newer}")).unwrap();
    let engine = scene.engine().await;
    let reads = scene.log.reads();
    scene.check(&engine).await;
    assert!(scene.log.reads() > reads, "it was read again");
    assert!(fs::read_to_string(&path).unwrap().contains("\"format\":1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_writer_left_is_swept_away() {
    let scene = Scene::new();
    drop(scene.settled().await);
    drop(scene.engine().await);
    let before = scene.files();
    for name in [
        "1234.block",
        "1234.block.tmp",
        "manifest.json.tmp",
        "9.graph.tmp",
        "words/9.idx",
    ] {
        fs::write(scene.folder().join(name), b"half of it").unwrap();
    }
    let engine = scene.engine().await;
    let reads = scene.log.reads();
    scene.check(&engine).await;
    assert_eq!(scene.log.reads(), reads, "nothing was made anew");
    assert_eq!(scene.files(), before);
}

/// Stops between the steps of a change: the files of one step are as they were before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_writer_killed_between_two_steps_loses_nothing() {
    // The words are ahead of the manifest, or, after a restored backup, behind it.
    for behind in ["manifest.json", "words"] {
        let scene = Scene::new();
        drop(scene.settled().await);
        drop(scene.engine().await);
        let kept = tempfile::tempdir().unwrap();
        copy(&scene.folder(), kept.path());
        let engine = scene.engine().await;
        scene.log.write(
            scene.kb.partition(),
            vec![
                document(1, Vec::new()),
                document(2, vec![entry(77, "horario de atención", "", None)]),
                document(900, vec![entry(78, "horario", "", None)]),
            ],
        );
        scene.check(&engine).await;
        drop(engine);
        drop(scene.engine().await);
        let from = kept.path().join(behind);
        let to = scene.folder().join(behind);
        if from.is_dir() {
            fs::remove_dir_all(&to).unwrap();
            fs::create_dir(&to).unwrap();
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
        // A search that asks for no more than the old version must not see half a change.
        let engine = scene.engine().await;
        let from_start = scene.log.reads_from_start();
        let asked = Probe {
            limit: 400,
            ..probe(0, "horario", None)
        };
        let found = engine
            .search(&scene.kb.scope, scene.kb.id, &asked)
            .await
            .unwrap();
        let reference = Reference::new(scene.log.entries(scene.kb.partition()));
        reference.check(&asked, &found);
        assert!(
            found
                .hits
                .iter()
                .any(|hit| hit.document == document_id(900)),
            "{behind}"
        );
        scene.check(&engine).await;
        assert_eq!(
            scene.log.reads_from_start(),
            from_start,
            "nothing was made anew"
        );
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_build_that_was_cut_off_is_not_taken_for_the_whole() {
    let scene = Scene::new();
    scene.log.set_portion(10);
    scene.log.write(scene.kb.partition(), library(1, 60, 4));
    let engine = scene.engine().await;
    // The log breaks off in the middle: some batches are on the disk by then.
    scene.log.break_after(5);
    assert!(engine.catch_up(scene.kb.partition()).await.is_err());
    assert!(scene.folder().join("manifest.json").exists());
    scene.log.set_unreadable(false);
    drop(engine);
    let engine = scene.engine().await;
    let asked = probe(0, "", Some(&[0.1; 32]));
    let found = engine
        .search(&scene.kb.scope, scene.kb.id, &asked)
        .await
        .unwrap();
    assert_eq!(found.chunks, 240);
    scene.check(&engine).await;
}
