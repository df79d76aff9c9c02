//! The smallest parts of a line: signs, pieces of code, addresses, links.

/// Whoever names a link needs no more signs than this.
const LONGEST_NAME: usize = 500;
const LONGEST_ADDRESS: usize = 2_000;
/// How an address begins: `https://`.
const LONGEST_START: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// It may be part of a mark.
    Sign(char),
    /// It stands for itself.
    Escaped(char),
    Code(String),
    Address(String),
    Link {
        name: Vec<Token>,
        address: String,
    },
}

pub(super) fn tokens(line: &str) -> Vec<Token> {
    let signs: Vec<char> = line.chars().collect();
    read(&signs, true)
}

fn read(signs: &[char], with_links: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let found = match signs[at] {
            '\\' => escaped(&signs[at..]),
            '`' => code(&signs[at..]),
            '<' => bracketed(&signs[at..]),
            '[' if with_links => link(&signs[at..]),
            '!' if with_links && signs.get(at + 1) == Some(&'[') => {
                link(&signs[at + 1..]).map(|(token, len)| (token, len + 1))
            }
            'h' | 'H' | 'w' | 'W' if begins_word(signs, at) => bare(&signs[at..]),
            _ => None,
        };
        if let Some((token, len)) = found {
            tokens.push(token);
            at += len;
            continue;
        }
        // Signs of code that is not closed stand for themselves, all of them.
        let len = if signs[at] == '`' {
            run(&signs[at..], '`')
        } else {
            1
        };
        tokens.extend(signs[at..at + len].iter().map(|sign| Token::Sign(*sign)));
        at += len;
    }
    tokens
}

fn begins_word(signs: &[char], at: usize) -> bool {
    at == 0 || !signs[at - 1].is_alphanumeric()
}

/// How many of a sign stand at the beginning.
fn run(signs: &[char], sign: char) -> usize {
    signs.iter().take_while(|c| **c == sign).count()
}

fn escaped(signs: &[char]) -> Option<(Token, usize)> {
    let sign = *signs.get(1)?;
    sign.is_ascii_punctuation()
        .then_some((Token::Escaped(sign), 2))
}

/// Between as many backticks as it begins with.
fn code(signs: &[char]) -> Option<(Token, usize)> {
    let len = run(signs, '`');
    let mut at = len;
    while at < signs.len() {
        let here = run(&signs[at..], '`');
        if here == len {
            let code: String = signs[len..at].iter().collect();
            let code = code.trim().to_owned();
            return (!code.is_empty()).then_some((Token::Code(code), at + len));
        }
        at += here.max(1);
    }
    None
}

/// An address between angle brackets.
fn bracketed(signs: &[char]) -> Option<(Token, usize)> {
    let inner: String = signs[1..]
        .iter()
        .take(LONGEST_ADDRESS)
        .take_while(|c| !matches!(c, '<' | '>') && !c.is_whitespace())
        .collect();
    let len = inner.chars().count() + 2;
    let closed = signs.get(len - 1) == Some(&'>');
    let address = inner.strip_prefix("mailto:").unwrap_or(&inner);
    let known = begins_address(address) || address.contains('@');
    (closed && known).then(|| (Token::Address(address.to_owned()), len))
}

/// An address that stands in the text as it is. The signs behind it belong to the sentence.
fn bare(signs: &[char]) -> Option<(Token, usize)> {
    let start: String = signs.iter().take(LONGEST_START + 1).collect();
    if !begins_address(&start) {
        return None;
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|' | '[' | ']');
    let len = signs
        .iter()
        .take(LONGEST_ADDRESS)
        .take_while(|c| !ends(**c))
        .count();
    let whole: String = signs[..len].iter().collect();
    let mut address = whole.as_str();
    while let Some(last) = address.chars().next_back() {
        let belongs = match last {
            ')' => address.contains('('),
            last => !".,;:!?¡¿*_~'»”’…".contains(last),
        };
        if belongs {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    let len = address.chars().count();
    begins_address(address).then(|| (Token::Address(address.to_owned()), len))
}

/// Whether it begins as an address of the web does, with something behind.
pub(super) fn begins_address(text: &str) -> bool {
    ["https://", "http://", "www."].iter().any(|start| {
        let begins = text.get(..start.len());
        begins.is_some_and(|begins| begins.eq_ignore_ascii_case(start)) && text.len() > start.len()
    })
}

/// `[name](address)`, also with a title behind the address.
fn link(signs: &[char]) -> Option<(Token, usize)> {
    let name_end = closed(signs, '[', ']', LONGEST_NAME)?;
    let rest = &signs[name_end + 1..];
    if rest.first() != Some(&'(') {
        return None;
    }
    let address_end = closed(rest, '(', ')', LONGEST_ADDRESS)?;
    let inside: String = rest[1..address_end].iter().collect();
    let inside = inside.trim();
    let (address, title) = inside
        .split_once(char::is_whitespace)
        .unwrap_or((inside, ""));
    if !title.is_empty() && !title.trim_start().starts_with(['"', '\'', '(']) {
        return None;
    }
    let token = Token::Link {
        name: read(&signs[1..name_end], false),
        address: address.trim_matches(['<', '>']).to_owned(),
    };
    Some((token, name_end + 1 + address_end + 1))
}

/// Where the bracket closes that the signs begin with.
fn closed(signs: &[char], open: char, close: char, most: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, sign) in signs.iter().enumerate().take(most) {
        if escaped {
            escaped = false;
        } else if *sign == '\\' {
            escaped = true;
        } else if *sign == open {
            depth += 1;
        } else if *sign == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}
