//! The lines of a text: what each of them is, and what stands in it.

use super::inline::{Run, runs};

/// Nobody indents a list more often.
const DEEPEST_LIST: usize = 4;
const LONGEST_LANGUAGE: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    /// What stands before the words, such as the sign of a list.
    pub(super) lead: String,
    pub(super) runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    Words,
    Heading,
    Quote,
    Bullet,
    Numbered,
    /// A row of a table.
    Row,
    /// Where code begins or ends.
    Fence,
    Code,
}

impl Line {
    fn new(kind: LineKind, lead: impl Into<String>, text: &str) -> Self {
        let (lead, runs) = (lead.into(), runs(text.trim()));
        Self { kind, lead, runs }
    }

    fn verbatim(kind: LineKind, text: &str) -> Self {
        let (lead, runs) = (text.trim_end().to_owned(), Vec::new());
        Self { kind, lead, runs }
    }

    fn blank() -> Self {
        Self::verbatim(LineKind::Blank, "")
    }
}

pub(super) fn lines(text: &str) -> Vec<Line> {
    let written: Vec<String> = text.lines().flat_map(broken).collect();
    let mut lines = Vec::new();
    let mut fence: Option<char> = None;
    let mut at = 0;
    while let Some(line) = written.get(at) {
        at += 1;
        if let Some(sign) = fence_sign(line, fence) {
            fence = if fence.is_some() { None } else { Some(sign) };
            lines.push(Line::verbatim(LineKind::Fence, "```"));
        } else if fence.is_some() {
            lines.push(Line::verbatim(LineKind::Code, line));
        } else if is_table(line, written.get(at)) {
            let header = cells(line);
            let rows = &written[at + 1..];
            let len = rows.iter().take_while(|row| row.contains('|')).count();
            lines.extend(table(&header, &rows[..len]));
            at += 1 + len;
        } else {
            lines.push(read(line));
        }
    }
    if fence.is_some() {
        lines.push(Line::verbatim(LineKind::Fence, "```"));
    }
    lines
}

/// Breaks in the way of HTML are lines of their own, except in a cell of a table.
fn broken(line: &str) -> Vec<String> {
    let in_table = line.trim_start().starts_with('|');
    let mut parts = Vec::new();
    let mut rest = line;
    let lower = line.to_ascii_lowercase();
    while let Some(at) = lower[line.len() - rest.len()..].find("<br") {
        let behind = rest[at + 3..].trim_start_matches([' ', '/']);
        let Some(behind) = behind.strip_prefix('>') else {
            break;
        };
        parts.push(rest[..at].to_owned());
        rest = behind;
    }
    parts.push(rest.to_owned());
    if in_table {
        parts = vec![parts.join(", ")];
    }
    parts
}

/// Three backticks or tildes at the beginning of a line. What opens may have the name of a language behind, what closes
/// has nothing.
fn fence_sign(line: &str, open: Option<char>) -> Option<char> {
    let line = line.trim();
    let sign = ['`', '~']
        .into_iter()
        .find(|sign| line.starts_with(&sign.to_string().repeat(3)))?;
    let behind = line.trim_start_matches(sign);
    let fits = match open {
        Some(open) => open == sign && behind.is_empty(),
        None => behind.len() <= LONGEST_LANGUAGE && !behind.contains([sign, ' ']),
    };
    fits.then_some(sign)
}

fn read(line: &str) -> Line {
    let text = line.trim();
    if text.is_empty() || is_rule(text) {
        return Line::blank();
    }
    if let Some(heading) = heading(text) {
        return Line::new(LineKind::Heading, "", heading);
    }
    if text.starts_with("> ") || text == ">" || text.starts_with(">>") {
        let quoted = text.trim_start_matches(['>', ' ']);
        return Line::new(LineKind::Quote, "", quoted);
    }
    let indent = "  ".repeat(depth(line));
    if let Some(item) = ["- ", "* ", "• ", "-\t", "*\t", "•\t"]
        .iter()
        .find_map(|sign| text.strip_prefix(sign))
    {
        return Line::new(LineKind::Bullet, format!("{indent}- "), item);
    }
    if let Some((number, item)) = number(text) {
        return Line::new(LineKind::Numbered, format!("{indent}{number} "), item);
    }
    Line::new(LineKind::Words, "", text.trim_end_matches('\\'))
}

fn depth(line: &str) -> usize {
    let spaces = line.chars().take_while(|c| c.is_whitespace());
    let columns: usize = spaces.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    (columns / 2).min(DEEPEST_LIST)
}

/// A line that only divides, or underlines a heading.
fn is_rule(text: &str) -> bool {
    let mut signs = text.chars().filter(|c| !c.is_whitespace());
    let Some(first) = signs.next().filter(|first| "-*_=".contains(*first)) else {
        return false;
    };
    let others: Vec<char> = signs.collect();
    others.len() >= 2 && others.iter().all(|other| *other == first)
}

fn heading(text: &str) -> Option<&str> {
    let name = text.trim_start_matches('#');
    let level = text.len() - name.len();
    let is_heading = (1..=6).contains(&level) && name.starts_with(char::is_whitespace);
    is_heading.then(|| name.trim_end_matches('#').trim())
}

/// `1.` or `1)` and what stands behind.
fn number(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, item) = text.split_at_checked(digits + 1)?;
    let is_number = (1..=4).contains(&digits) && number.ends_with(['.', ')']);
    (is_number && item.starts_with(char::is_whitespace)).then(|| (number, item.trim_start()))
}

/// A row of names above a row of lines.
fn is_table(line: &str, next: Option<&String>) -> bool {
    let Some(next) = next.filter(|next| line.contains('|') && next.contains('|')) else {
        return false;
    };
    next.contains('-') && next.trim().chars().all(|c| "|-: ".contains(c))
}

fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in row.chars() {
        if c == '|' && !escaped {
            cells.push(String::new());
            continue;
        }
        if let Some(cell) = cells.last_mut() {
            if escaped && c == '|' {
                cell.pop();
            }
            cell.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    let mut cells: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
    if cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// Each row as a line. Of two columns the names stand above, of more each value has its name.
fn table(header: &[String], rows: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    let two = header.len() <= 2;
    let has_names = header.iter().any(|name| !name.is_empty());
    if two && has_names {
        let runs = row(header, &[]);
        lines.push(Line {
            kind: LineKind::Heading,
            lead: String::new(),
            runs,
        });
    }
    for cells in rows.iter().map(|row| cells(row)) {
        let names = if two { &[] } else { header };
        lines.push(Line {
            kind: LineKind::Row,
            lead: String::new(),
            runs: row(&cells, names),
        });
    }
    lines
}

fn row(cells: &[String], names: &[String]) -> Vec<Run> {
    let mut line = Vec::new();
    let filled = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty());
    for (place, (column, cell)) in filled.enumerate() {
        match place {
            0 => {}
            1 => line.push(Run::words(": ")),
            _ => line.push(Run::words(", ")),
        }
        if let Some(name) = names
            .get(column)
            .filter(|name| column > 0 && !name.is_empty())
        {
            line.extend(runs(name));
            line.push(Run::words(" "));
        }
        line.extend(runs(cell));
    }
    line
}
