//! A page of Markdown, as far as it is something to type.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What the pages say and a reader puts something else for.
const ADDRESS: &str = "http://127.0.0.1:8080";
const ONE_TIME_PASSWORD: &str = "the-one-time-password";

/// Makes the shell stop at the first thing that a reader would be stopped by: a variable that no
/// block before has set, an answer that is an error, a field that is not there. A stream that is
/// followed for some seconds ends by its time, and `make` only says what it would do.
const BEFORE: &str = r#"
set -Eeuo pipefail
trap 'echo "stopped in the block at $block" >&2' ERR
curl() {
    local status=0
    command curl --fail-with-body --show-error "$@" || status=$?
    [ "$status" -eq 28 ] && status=0
    return "$status"
}
jq() { command jq -e "$@"; }
make() { command make --dry-run -C "$REPOSITORY" "$@"; }
"#;

pub(super) struct Page {
    name: String,
    pub(super) shell_blocks: Vec<Block>,
    console_blocks: Vec<Block>,
}

pub(super) struct Block {
    line: usize,
    text: String,
}

impl Page {
    pub(super) fn read(name: &str, text: &str) -> Self {
        let mut page = Self {
            name: name.to_owned(),
            shell_blocks: Vec::new(),
            console_blocks: Vec::new(),
        };
        let mut open: Option<(String, Block)> = None;
        for (number, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(kind), None) => {
                    let block = Block {
                        line: number + 1,
                        text: String::new(),
                    };
                    open = Some((kind.to_owned(), block));
                }
                (Some(_), Some(_)) => {
                    let (kind, block) = open.take().unwrap();
                    match kind.as_str() {
                        "sh" => page.shell_blocks.push(block),
                        "console" => page.console_blocks.push(block),
                        "bash" | "shell" => panic!("{name}:{}: write `sh`", block.line),
                        _ => {}
                    }
                }
                (None, Some((_, block))) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{name}: a block is not closed");
        page
    }

    /// One script of all that the page has a reader type.
    pub(super) fn script(&self, url: &str, one_time_password: &str) -> String {
        let mut script = BEFORE.to_owned();
        for block in &self.shell_blocks {
            let text = block.text.replace(ADDRESS, url);
            let text = text.replace(ONE_TIME_PASSWORD, one_time_password);
            writeln!(script, "block={}:{}\n{text}", self.name, block.line).unwrap();
        }
        script
    }

    /// What a block for the eye says of our own program must be something that it takes.
    pub(super) fn check_consoles(&self, program: &Path) {
        for block in &self.console_blocks {
            let typed = block
                .text
                .lines()
                .filter_map(|line| line.strip_prefix("$ quipu "));
            for line in typed {
                let line = line.split('#').next().unwrap_or_default();
                let helped = Command::new(program)
                    .args(line.split_whitespace())
                    .arg("--help")
                    .output()
                    .unwrap();
                assert!(
                    helped.status.success(),
                    "{}:{}: quipu {line}\n{}",
                    self.name,
                    block.line,
                    String::from_utf8_lossy(&helped.stderr),
                );
            }
        }
    }
}

#[test]
fn a_page_is_read_block_by_block() {
    let page = Page::read(
        "page.md",
        "Words.\n\n```sh\necho http://127.0.0.1:8080\n```\n\n```json\n{}\n```\n\n```console\n$ other\n```\n",
    );
    assert_eq!(page.shell_blocks.len(), 1);
    assert_eq!(page.console_blocks.len(), 1);
    let script = page.script("http://127.0.0.1:1", "once");
    assert!(
        script.ends_with("block=page.md:3\necho http://127.0.0.1:1\n\n"),
        "{script}"
    );
}
