//! The lines of a calendar: escaped, and folded where they are too long.

use quipu_core::Timestamp;

/// How many octets a line has at most, without its end.
const MAX_OCTETS: usize = 75;
/// How much of a text is written. Readers show a few lines of it.
const MAX_TEXT_CHARS: usize = 4_000;
const LINE_END: &str = "\r\n";

#[derive(Default)]
pub(super) struct Lines {
    out: String,
}

impl Lines {
    /// A line whose value is ours and needs no escaping.
    pub(super) fn plain(&mut self, name: &str, value: &str) {
        self.fold(&format!("{name}:{value}"));
    }

    /// A line whose value somebody wrote.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.fold(&format!("{name}:{}", escape(value)));
    }

    /// A line with an instant, as exact as [`second`].
    pub(super) fn time(&mut self, name: &str, at: Timestamp) {
        let at = second(at);
        self.plain(name, &at.strftime("%Y%m%dT%H%M%SZ").to_string());
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// Writes a line as one or several, each going on after a space that readers take away. No
    /// character is cut.
    fn fold(&mut self, line: &str) {
        let mut octets = 0;
        for character in line.chars() {
            if octets + character.len_utf8() > MAX_OCTETS {
                self.out.push_str(LINE_END);
                self.out.push(' ');
                octets = 1;
            }
            self.out.push(character);
            octets += character.len_utf8();
        }
        self.out.push_str(LINE_END);
    }
}

/// The instant that is written for this one. Fractions of a second and years before the common
/// era cannot be written, and nobody is booked before the beginning of the clock.
pub(super) fn second(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second().max(0)).unwrap_or(at)
}

/// A text as a value: what has a meaning in a calendar loses it, every kind of line break is one,
/// a tab is a space, and other control characters are dropped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_TEXT_CHARS));
    let mut after_return = false;
    for character in text.chars().take(MAX_TEXT_CHARS) {
        let ends_pair = after_return && character == '\n';
        after_return = character == '\r';
        match character {
            _ if ends_pair => {}
            '\\' | ';' | ',' => out.extend(['\\', character]),
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push_str("\\n"),
            '\t' => out.push(' '),
            character if character.is_control() => {}
            character => out.push(character),
        }
    }
    out
}
