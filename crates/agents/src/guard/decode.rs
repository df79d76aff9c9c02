//! Peeking into encodings: what decodes to something that can be read is judged too.

/// A run of base64 or hex below this says less than a rule needs.
const SHORTEST_RUN: usize = 16;
/// Shorter texts decode to something readable by chance.
const SHORTEST_TEXT: usize = 8;
/// Fewer escapes are an address or a price with a percent sign.
const FEWEST_ESCAPES: usize = 3;

/// Appends to `out` what stands in the text in an encoding, a line each, and stops at the limit.
pub(super) fn decode(text: &str, limit: usize, out: &mut Vec<String>) {
    let mut left = limit;
    let mut keep = |decoded: Option<String>| {
        if let Some(decoded) = decoded.filter(|decoded| decoded.len() <= left) {
            left -= decoded.len();
            out.push(decoded);
        }
    };
    for run in text.split(|c: char| !is_base64(c)) {
        let run = run.trim_end_matches('=');
        if run.len() >= SHORTEST_RUN {
            if run.bytes().all(|b| b.is_ascii_hexdigit()) {
                keep(hex(run));
            } else {
                keep(base64(run));
            }
        }
    }
    keep(numbers(text));
    keep(escapes(text));
}

fn is_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_')
}

fn base64(run: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(run.len());
    let (mut bits, mut held) = (0_u32, 0);
    for byte in run.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xFF_FFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).ok()?);
        }
    }
    readable(bytes)
}

fn hex(run: &str) -> Option<String> {
    let digits = run.as_bytes().chunks_exact(2);
    let bytes = digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    readable(bytes.collect::<Option<_>>()?)
}

/// Letters written as numbers with something between them: bits, hexadecimal or decimal.
fn numbers(text: &str) -> Option<String> {
    let (mut bits, mut hexes, mut decimals) = (Vec::new(), Vec::new(), Vec::new());
    for token in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let token = token
            .strip_prefix("0x")
            .or(token.strip_prefix('x'))
            .unwrap_or(token);
        if token.len() == 8 && token.bytes().all(|b| matches!(b, b'0' | b'1')) {
            bits.extend(u8::from_str_radix(token, 2));
        } else if token.len() == 2 && token.bytes().all(|b| b.is_ascii_hexdigit()) {
            hexes.extend(u8::from_str_radix(token, 16));
        }
        if matches!(token.len(), 2 | 3) && token.bytes().all(|b| b.is_ascii_digit()) {
            decimals.extend(token.parse::<u8>());
        }
    }
    [bits, hexes, decimals].into_iter().find_map(readable)
}

/// The text with `%69`, `\x69`, `\u0069` and `&#105;` replaced by their letters.
fn escapes(text: &str) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut count = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['%', '\\', '&']) {
        out.extend(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        if let Some((c, length)) = escape(rest) {
            count += 1;
            match u8::try_from(u32::from(c)) {
                // A percent sign escapes bytes, which make a letter only together.
                Ok(byte) if rest.starts_with('%') => out.push(byte),
                _ => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            rest = &rest[length..];
        } else {
            out.push(rest.as_bytes()[0]);
            rest = &rest[1..];
        }
    }
    out.extend(rest.as_bytes());
    (count >= FEWEST_ESCAPES).then(|| String::from_utf8_lossy(&out).into_owned())
}

fn escape(rest: &str) -> Option<(char, usize)> {
    let number = |digits: Option<&str>, radix, length| {
        let code = u32::from_str_radix(digits?, radix).ok()?;
        Some((char::from_u32(code)?, length))
    };
    if rest.starts_with('%') {
        number(rest.get(1..3), 16, 3)
    } else if rest.starts_with("\\x") {
        number(rest.get(2..4), 16, 4)
    } else if rest.starts_with("\\u") {
        number(rest.get(2..6), 16, 6)
    } else {
        let digits = rest.strip_prefix("&#")?;
        let end = digits.bytes().take(8).position(|b| b == b';')?;
        match digits[..end].strip_prefix(['x', 'X']) {
            Some(digits) => number(Some(digits), 16, end + 3),
            None => number(Some(&digits[..end]), 10, end + 3),
        }
    }
}

/// The bytes as text, if a person could have written it.
fn readable(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() < SHORTEST_TEXT {
        return None;
    }
    let text = String::from_utf8(bytes).ok()?;
    let all = text.chars().count();
    let written = text
        .chars()
        .filter(|c| c.is_alphabetic() || *c == ' ')
        .count();
    let controls = text.chars().any(|c| c.is_control() && !c.is_whitespace());
    (!controls && written * 10 >= all * 7).then_some(text)
}
