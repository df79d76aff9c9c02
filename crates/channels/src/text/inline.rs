//! What stands in one line: runs of words in one style.

use super::token::{Token, begins_address, tokens};
use std::collections::HashSet;

/// Marks within marks within marks … say nothing any more.
const DEEPEST: usize = 6;

/// Words of one style, or something that has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) style: Style,
    pub(super) kind: RunKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunKind {
    Words,
    Code,
    Address,
    /// What stands between the name of a link and its address.
    Joint,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) struck: bool,
}

impl Run {
    pub(super) fn words(text: impl Into<String>) -> Self {
        Self::of(RunKind::Words, text, Style::default())
    }

    fn of(kind: RunKind, text: impl Into<String>, style: Style) -> Self {
        let text = text.into();
        Self { text, style, kind }
    }
}

pub(super) fn runs(line: &str) -> Vec<Run> {
    let mut reader = Reader { runs: Vec::new() };
    reader.read(&tokens(line), Style::default(), 0);
    reader.runs
}

struct Reader {
    runs: Vec<Run>,
}

/// A run of one sign that may open or close a mark.
#[derive(Clone, Copy)]
struct Delimiter {
    sign: char,
    len: usize,
}

impl Reader {
    fn read(&mut self, tokens: &[Token], style: Style, depth: usize) {
        // What is not closed behind one place is not closed behind a later one either.
        let mut open_ended = HashSet::new();
        let mut at = 0;
        while at < tokens.len() {
            let Some(delimiter) = delimiter(tokens, at).filter(|_| depth < DEEPEST) else {
                self.push(&tokens[at], style, depth);
                at += 1;
                continue;
            };
            let inner = if opens(tokens, at, delimiter) {
                closing(tokens, at, delimiter, &mut open_ended)
            } else {
                None
            };
            let Some((len, end)) = inner else {
                for token in &tokens[at..at + delimiter.len] {
                    self.push(token, style, depth);
                }
                at += delimiter.len;
                continue;
            };
            let begin = at + delimiter.len;
            for token in &tokens[at..begin - len] {
                self.push(token, style, depth);
            }
            let marked = style.with(delimiter.sign, len);
            self.read(&tokens[begin..end], marked, depth + 1);
            at = end + len;
        }
    }

    fn push(&mut self, token: &Token, style: Style, depth: usize) {
        match token {
            Token::Sign(sign) | Token::Escaped(sign) => {
                let mut utf8 = [0; 4];
                self.append(sign.encode_utf8(&mut utf8), style);
            }
            Token::Code(code) => self.runs.push(Run::of(RunKind::Code, code, style)),
            Token::Address(address) => self.runs.push(Run::of(RunKind::Address, address, style)),
            Token::Link { name, address } => self.link(name, address, style, depth),
        }
    }

    fn append(&mut self, text: &str, style: Style) {
        match self.runs.last_mut() {
            Some(last) if last.kind == RunKind::Words && last.style == style => {
                last.text.push_str(text);
            }
            _ => self.runs.push(Run::of(RunKind::Words, text, style)),
        }
    }

    fn link(&mut self, name: &[Token], address: &str, style: Style, depth: usize) {
        let mut reader = Self { runs: Vec::new() };
        reader.read(name, style, depth + 1);
        let named: String = reader.runs.iter().map(|run| run.text.as_str()).collect();
        let Some((kind, shown)) = target(address) else {
            // It leads nowhere from a chat.
            self.runs.extend(reader.runs);
            return;
        };
        if !named.trim().is_empty() && bared(&named) != bared(shown) {
            self.runs.extend(reader.runs);
            let joint = match kind {
                RunKind::Address => RunKind::Joint,
                other => other,
            };
            self.runs.push(Run::of(joint, ": ", Style::default()));
        }
        self.runs.push(Run::of(kind, shown, Style::default()));
    }
}

impl Style {
    fn with(mut self, sign: char, len: usize) -> Self {
        match (sign, len) {
            ('~', _) => self.struck = true,
            (_, 1) => self.italic = true,
            (_, 2) => self.bold = true,
            _ => (self.bold, self.italic) = (true, true),
        }
        self
    }
}

/// Where a link leads, as people read it. A number or a mail address is words and no address of the web.
fn target(address: &str) -> Option<(RunKind, &str)> {
    let words = ["tel:", "mailto:"]
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    if let Some(words) = words {
        return Some((RunKind::Words, words.split('?').next()?))
            .filter(|(_, words)| !words.is_empty());
    }
    let (host, _) = address.split_once('/').unwrap_or((address, ""));
    let is_host = host.contains('.')
        && !host.starts_with('.')
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || ".-".contains(c));
    (begins_address(address) || is_host).then_some((RunKind::Address, address))
}

/// What is left of an address when it is named.
fn bared(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let mut text = text.as_str();
    for start in ["mailto:", "tel:", "https://", "http://", "www."] {
        text = text.strip_prefix(start).unwrap_or(text);
    }
    text.trim_end_matches('/').to_owned()
}

fn sign(token: &Token) -> Option<char> {
    match token {
        Token::Sign(sign) => Some(*sign),
        _ => None,
    }
}

/// The sign that is seen of a token, to tell words from what stands between them.
fn seen(token: Option<&Token>) -> Option<char> {
    Some(match token? {
        Token::Sign(sign) | Token::Escaped(sign) => *sign,
        // Something that is no space and no part of a word.
        Token::Code(_) | Token::Address(_) | Token::Link { .. } => '.',
    })
}

fn delimiter(tokens: &[Token], at: usize) -> Option<Delimiter> {
    let sign = sign(&tokens[at]).filter(|sign| "*_~".contains(*sign))?;
    let same = |token: &&Token| self::sign(token) == Some(sign);
    let len = tokens[at..].iter().take_while(same).count();
    Some(Delimiter { sign, len })
}

fn opens(tokens: &[Token], at: usize, delimiter: Delimiter) -> bool {
    let before = at.checked_sub(1).and_then(|at| seen(tokens.get(at)));
    let behind = seen(tokens.get(at + delimiter.len));
    // Two signs open within a word as well.
    let apart =
        (delimiter.sign == '*' && delimiter.len > 1) || !before.is_some_and(char::is_alphanumeric);
    delimiter.len <= 3
        && (delimiter.sign != '~' || delimiter.len == 2)
        && apart
        && behind.is_some_and(|c| !c.is_whitespace() && !")],;»".contains(c))
}

/// How long the mark is, and where what it marks ends. One that is exactly as long goes before a longer one,
/// which may close two at once.
fn closing(
    tokens: &[Token],
    at: usize,
    delimiter: Delimiter,
    open_ended: &mut HashSet<(char, usize, bool)>,
) -> Option<(usize, usize)> {
    let begin = at + delimiter.len;
    let lens = match delimiter.sign {
        '~' => 2..=2,
        _ => 1..=delimiter.len,
    };
    for len in lens.rev() {
        for exact in [true, false] {
            let sought = (delimiter.sign, len, exact);
            if open_ended.contains(&sought) {
                continue;
            }
            match find_closing(tokens, begin, delimiter.sign, len, exact) {
                Some(end) => return Some((len, end)),
                None => open_ended.insert(sought),
            };
        }
    }
    None
}

fn find_closing(
    tokens: &[Token],
    begin: usize,
    sign: char,
    len: usize,
    exact: bool,
) -> Option<usize> {
    let mut at = begin;
    while at < tokens.len() {
        let here = delimiter(tokens, at).filter(|here| here.sign == sign);
        let Some(here) = here else {
            at += 1;
            continue;
        };
        let end = at + here.len;
        let before = seen(tokens.get(at - 1)).filter(|_| at > begin);
        let behind = seen(tokens.get(end));
        let fits = if exact {
            here.len == len
        } else {
            here.len > len
        };
        // Two signs close within a word as well: writers forget the space behind them.
        let apart = (sign == '*' && len > 1) || !behind.is_some_and(char::is_alphanumeric);
        let ends_words = before.is_some_and(|c| !c.is_whitespace() && !"([¿¡«".contains(c));
        if fits && apart && ends_words {
            return Some(end - len);
        }
        at = end;
    }
    None
}
