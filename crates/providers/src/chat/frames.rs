//! Cuts the bytes of an answer into messages, wherever the network cut them before.

/// The longest message. A picture or a long argument may come in one; a whole answer does not.
const MOST_FRAME_BYTES: usize = 4 * 1024 * 1024;

/// How messages stand behind one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events: the `data` of each, up to an empty line.
    Events,
    /// One on each line.
    Lines,
}

/// A message that never ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

pub(super) struct Frames {
    framing: Framing,
    /// A line that has not ended yet. It is only read as text when it has, so that no letter of
    /// several bytes is read in halves.
    line: Vec<u8>,
    /// The lines of data of an event that has not ended yet.
    data: Option<String>,
    /// Whether the last byte was a carriage return, which a line feed may belong to.
    after_return: bool,
    /// Whether this is the first line, which a mark of the byte order may stand before.
    first: bool,
}

impl Frames {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            line: Vec::new(),
            data: None,
            after_return: false,
            first: true,
        }
    }

    /// Takes bytes and adds the messages that end in them.
    pub(super) fn push(&mut self, bytes: &[u8], found: &mut Vec<String>) -> Result<(), TooLong> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if self.after_return && first == b'\n' {
                rest = &rest[1..];
            }
            self.after_return = false;
            let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let (piece, ended) = rest.split_at(end.unwrap_or(rest.len()));
            let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
            if held + piece.len() > MOST_FRAME_BYTES {
                return Err(TooLong);
            }
            self.line.extend_from_slice(piece);
            let Some((end, after)) = ended.split_first() else {
                break;
            };
            self.after_return = *end == b'\r';
            self.end_line(found);
            rest = after;
        }
        Ok(())
    }

    /// What is left when nothing more comes. A last message without an end is still told: either
    /// it can be read, or whoever reads it finds out that it is half of one.
    pub(super) fn finish(&mut self, found: &mut Vec<String>) {
        if !self.line.is_empty() {
            self.end_line(found);
        }
        self.end_event(found);
    }

    /// An event without data, such as one that only keeps the connection, says nothing.
    fn end_event(&mut self, found: &mut Vec<String>) {
        let data = self.data.take();
        found.extend(data.filter(|data| !data.trim().is_empty()));
    }

    fn end_line(&mut self, found: &mut Vec<String>) {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let mut text: &str = &text;
        if std::mem::take(&mut self.first) {
            text = text.strip_prefix('\u{feff}').unwrap_or(text);
        }
        match self.framing {
            Framing::Lines if text.trim().is_empty() => {}
            Framing::Lines => found.push(text.to_owned()),
            Framing::Events => self.field(text, found),
        }
    }

    fn field(&mut self, line: &str, found: &mut Vec<String>) {
        if line.is_empty() {
            self.end_event(found);
            return;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        // Comments have no name. Names of events are repeated in the data, and the rest is for
        // clients that connect again.
        if name != "data" {
            return;
        }
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
