//! The pages as a reader follows them: every shell block of a page runs, in order and in one shell,
//! against a fresh server. What needs another machine or does not end stands in a `console` block.

mod page;
mod server;

use page::Page;
use server::FreshServer;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages that are followed. A test fails when one is missing here.
macro_rules! pages {
    ($($name:ident: $path:literal,)+) => {
        $(
            #[test]
            fn $name() {
                follow($path);
            }
        )+

        const FOLLOWED: &[&str] = &[$($path),+];
    };
}

pages! {
    the_readme: "README.md",
    the_readme_in_spanish: "README.es.md",
    the_guide: "docs/guide.md",
    channels: "docs/channels.md",
    events: "docs/events.md",
    n8n: "docs/n8n.md",
    operations: "docs/operations.md",
    configuration: "docs/configuration.md",
    benchmarks: "docs/benchmarks.md",
}

#[test]
fn no_page_is_left_out() {
    let docs = std::fs::read_dir(repository().join("docs")).unwrap();
    let names = docs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"));
    let mut there: BTreeSet<String> = pages.map(|name| format!("docs/{name}")).collect();
    there.extend(["README.md".to_owned(), "README.es.md".to_owned()]);
    let followed = FOLLOWED.iter().map(|&path| path.to_owned());
    assert_eq!(there, followed.collect());
}

fn follow(path: &str) {
    let text = std::fs::read_to_string(repository().join(path)).unwrap();
    let page = Page::read(path, &text);
    page.check_consoles(Path::new(env!("CARGO_BIN_EXE_quipu")));
    if page.shell_blocks.is_empty() {
        return;
    }
    let server = FreshServer::start();
    let script = page.script(&server.url, &server.one_time_password);
    let ran = Command::new("timeout")
        .args(["300", "bash", "-c", &script])
        .current_dir(server.folder())
        .env("HOME", server.folder())
        .env("PATH", server::path_with_program())
        .env("QUIPU_URL", &server.url)
        .env("REPOSITORY", repository())
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{path} cannot be followed ({}):\n{}\n{}",
        ran.status,
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
}

fn repository() -> PathBuf {
    quipu_testkit::package_folder(env!("CARGO_MANIFEST_DIR")).join("../..")
}
