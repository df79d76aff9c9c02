//! Quotes in a file that do not stand where they should.
//!
//! The reader of tables takes whatever it is given: a cell that is never closed takes in all the
//! rows behind it, and what stands behind a closing quote becomes part of the cell.

/// A cell whose quotes are never closed.
pub(super) struct OpenQuote {
    /// The byte that its row begins at, and the line.
    pub(super) row: usize,
    pub(super) line: u64,
}

pub(super) struct Quotes {
    /// The cell, if any, that the file ends in the middle of.
    pub(super) open: Option<OpenQuote>,
    /// The rows with something behind a closing quote, by their number; the header is nought, and
    /// empty lines do not count.
    pub(super) bad: Vec<u64>,
}

impl Quotes {
    pub(super) fn read(text: &[u8], delimiter: u8) -> Self {
        let mut bad = Vec::new();
        let (mut row, mut line, mut lines) = (0, 1, 1);
        let (mut number, mut empty) = (0, true);
        let (mut quoted, mut begins, mut closed) = (false, true, false);
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at += 1;
            lines += u64::from(byte == b'\n');
            if quoted {
                if byte != b'"' {
                    continue;
                }
                // Two of them are one that is part of the cell.
                let doubled = text.get(at) == Some(&b'"');
                at += usize::from(doubled);
                (quoted, closed) = (doubled, !doubled);
            } else if byte == b'\n' || byte == b'\r' {
                number += u64::from(!empty);
                (row, line) = (at, lines);
                (begins, closed, empty) = (true, false, true);
            } else {
                empty = false;
                let separates = byte == delimiter;
                if byte == b'"' && begins {
                    (quoted, begins) = (true, false);
                    continue;
                }
                if closed && !separates && byte != b' ' && bad.last() != Some(&number) {
                    bad.push(number);
                }
                closed &= !separates;
                begins = separates;
            }
        }
        Self {
            open: quoted.then_some(OpenQuote { row, line }),
            bad,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(text: &str) -> Vec<u64> {
        Quotes::read(text.as_bytes(), b',').bad
    }

    #[test]
    fn rows_with_something_behind_a_closing_quote_are_found() {
        assert_eq!(bad("a,b\n1,\"x\"y\n2,\"x\"\n3,\"x\"y\"z\"\n"), [1, 3]);
        assert_eq!(bad("a,b\r\n\r\n1,\"x\"\r\n2,\"x\"y"), [2]);
        // Doubled ones, those inside a cell without any, and a blank behind do no harm.
        assert_eq!(bad("a,b\n1,\"x\"\"y\"\n2,5\" tubo\n3,\"x\" ,z\n"), [0; 0]);
        assert_eq!(bad("a,b\n1,\"x\n,y\"\n2,\"x\"y\n"), [2]);
    }

    #[test]
    fn a_cell_that_is_never_closed_is_found() {
        let text = "a,b\n1,2\n3,\"x\n4,5\n";
        let open = Quotes::read(text.as_bytes(), b',').open.unwrap();
        assert_eq!((open.row, open.line), (8, 3));
        assert!(Quotes::read(b"a,b\n1,\"x\"\n", b',').open.is_none());
    }
}
