//! A text cut into words and the signs between them.

/// What a stretch of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A comma or another sign that ends a thing.
    Break,
    /// What stands before it is what the things behind it are about.
    Colon,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Folded; empty for signs.
    pub(super) word: String,
    /// Where it stands, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Cuts a text. Digits and letters are cut apart, so that `2x`, `600ml` and `600 ml` are read
/// alike; `1.5` and `1/2` stay whole, and so does the sign of `-2`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    // Whoever begins several lines with a hyphen writes a list and no negative numbers.
    let hyphened = |line: &&str| line.trim_start().starts_with('-');
    let list = text.lines().filter(hyphened).take(2).count() > 1;
    let numbered = text
        .lines()
        .filter(|line| list_number(line) > 0)
        .take(2)
        .count()
        > 1;
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if numbered && line_begins {
            line_begins = false;
            at += list_number(rest);
            continue;
        }
        line_begins = c == '\n';
        let length = if c.is_alphabetic() {
            letters(rest)
        } else if c.is_ascii_digit() {
            digits(rest)
        } else if matches!(c, '-' | '\u{2212}') && !list && is_minus(text, at, c) {
            c.len_utf8() + digits(&rest[c.len_utf8()..])
        } else {
            c.len_utf8()
        };
        let end = at + length;
        let (kind, word) = match c {
            '½' => (Kind::Word, "1/2".to_owned()),
            '×' => (Kind::Word, "x".to_owned()),
            ':' => (Kind::Colon, String::new()),
            '(' if is_number_in_brackets(rest) => {
                at = end;
                continue;
            }
            ',' | ';' | '.' | '!' | '?' | '¿' | '¡' | '+' | '&' | '|' | '•' | '*' | '\n' | '\r'
            | '(' | ')' | '\u{2028}' | '\u{2029}' => (Kind::Break, String::new()),
            _ if length > c.len_utf8() || c.is_alphabetic() || c.is_ascii_digit() => {
                let word = quipu_core::text::fold(&text[at..end]);
                (Kind::Word, word.replace(',', ".").replace('\u{2212}', "-"))
            }
            _ => {
                at = end;
                continue;
            }
        };
        tokens.push(Token {
            kind,
            word,
            start: at,
            end,
        });
        at = end;
    }
    tokens
}

/// The words of a name, folded.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let words = tokens(name).into_iter().filter(|t| t.kind == Kind::Word);
    words.map(|token| token.word).collect()
}

/// Whether something stands between the words of a name at which a text would be cut.
pub(super) fn has_signs(name: &str) -> bool {
    tokens(name).iter().any(|token| token.kind != Kind::Word)
}

fn letters(text: &str) -> usize {
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of a number with the fraction that belongs to it.
fn digits(text: &str) -> usize {
    let whole = run_of_digits(text);
    let mut behind = text[whole..].chars();
    match behind.next() {
        Some('.' | ',' | '/') => match run_of_digits(behind.as_str()) {
            0 => whole,
            fraction => whole + 1 + fraction,
        },
        _ => whole,
    }
}

fn run_of_digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len())
}

/// The length of what numbers a line of a list, such as `1.` or `2)`.
fn list_number(line: &str) -> usize {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let digits = run_of_digits(&line[indent..]);
    let mut behind = line[indent + digits..].chars();
    let is_number = (1..=2).contains(&digits)
        && matches!(behind.next(), Some('.' | ')'))
        && behind.next().is_some_and(char::is_whitespace);
    if is_number { indent + digits + 1 } else { 0 }
}

/// Whether a hyphen stands before a number and after nothing.
fn is_minus(text: &str, at: usize, hyphen: char) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at + hyphen.len_utf8()..].chars().next();
    before.is_none_or(char::is_whitespace) && behind.is_some_and(|c| c.is_ascii_digit())
}

/// "tacos (3)" is no remark about the tacos.
fn is_number_in_brackets(text: &str) -> bool {
    let inside = text
        .strip_prefix('(')
        .unwrap_or(text)
        .trim_start_matches(['x', 'X', ' ']);
    let digits = run_of_digits(inside);
    digits > 0
        && inside[digits..]
            .trim_start_matches(['x', 'X', ' '])
            .starts_with(')')
}
