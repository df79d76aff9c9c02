//! Tables as text: each row stands on its own and names its columns.

use crate::collect::Collector;
use crate::{table, text};
use csv::{ReaderBuilder, StringRecord};
use quipu_core::extraction::{Failure, Segment, SegmentKind};

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How much is looked at to find the delimiter and the header.
const SAMPLE_BYTES: usize = 64 * 1024;
const SAMPLE_ROWS: usize = 50;
/// A cell with more lines comes from a quotation mark that nobody closed.
const MOST_LINES: usize = 1000;
/// As many as Excel has.
const MOST_COLUMNS: usize = 16_384;

pub(crate) fn extract(bytes: &[u8], out: &mut Collector) -> Result<(), Failure> {
    let text = text::decode(bytes);
    let (text, told) = told_delimiter(&text);
    let mut table = Table {
        text,
        delimiter: told.unwrap_or_else(|| find_delimiter(text)),
        is_quoted: true,
    };
    if table.has_row(has_swallowed_others) {
        table.is_quoted = false;
    }
    if table.has_row(|row| row.len() > MOST_COLUMNS) {
        return Err(Failure::TooLong);
    }
    table.push_rows(out)
}

fn has_swallowed_others(row: &StringRecord) -> bool {
    row.iter()
        .any(|cell| cell.matches('\n').nth(MOST_LINES).is_some())
}

/// Excel may write `sep=;` into the first line.
fn told_delimiter(text: &str) -> (&str, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_matches('"').as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter]
            if DELIMITERS.contains(delimiter) =>
        {
            (rest, Some(*delimiter))
        }
        _ => (text, None),
    }
}

/// The delimiter with which the largest share of the sample's rows have the same number of cells.
fn find_delimiter(text: &str) -> u8 {
    let end = text.floor_char_boundary(SAMPLE_BYTES);
    let mut best = (0, 0, DELIMITERS[0]);
    for delimiter in DELIMITERS {
        let table = Table {
            text: &text[..end],
            delimiter,
            is_quoted: true,
        };
        let widths: Vec<usize> = table
            .rows()
            .take(SAMPLE_ROWS)
            .map(|row| row.len())
            .collect();
        let share = |width: usize| {
            let rows = widths.iter().filter(|w| **w == width).count();
            rows * 1000 / widths.len()
        };
        let several = widths.iter().copied().filter(|width| *width > 1);
        if let Some((share, width)) = several.map(|width| (share(width), width)).max()
            && (share, width) > (best.0, best.1)
        {
            best = (share, width, delimiter);
        }
    }
    best.2
}

#[derive(Clone, Copy)]
struct Table<'a> {
    text: &'a str,
    delimiter: u8,
    is_quoted: bool,
}

impl<'a> Table<'a> {
    /// The rows that can be read, however many cells they have.
    fn rows(self) -> impl Iterator<Item = StringRecord> + use<'a> {
        ReaderBuilder::new()
            .delimiter(self.delimiter)
            .quoting(self.is_quoted)
            .has_headers(false)
            .flexible(true)
            .from_reader(self.text.as_bytes())
            .into_records()
            .filter_map(Result::ok)
    }

    fn has_row(self, test: impl Fn(&StringRecord) -> bool) -> bool {
        self.rows().any(|row| test(&row))
    }

    fn push_rows(self, out: &mut Collector) -> Result<(), Failure> {
        let sample: Vec<Vec<String>> = self.rows().take(SAMPLE_ROWS).map(|r| cells(&r)).collect();
        let Some(at) = table::find_header(&sample) else {
            return self
                .rows()
                .try_for_each(|row| push_row(&[], &cells(&row), out));
        };
        let header = &sample[at];
        for title in &sample[..at] {
            push_line(&table::row_line(&[], title), SegmentKind::Flow, out)?;
        }
        let mut lost: Vec<bool> = header.iter().map(|name| !table::is_blank(name)).collect();
        for row in self.rows().skip(at + 1) {
            table::mark_values(&mut lost, row.iter());
        }
        if lost.contains(&true) {
            push_line(&table::row_line(&[], header), SegmentKind::Flow, out)?;
        }
        self.rows()
            .skip(at + 1)
            .try_for_each(|row| push_row(header, &cells(&row), out))
    }
}

fn cells(row: &StringRecord) -> Vec<String> {
    row.iter().map(str::to_owned).collect()
}

fn push_row(header: &[String], row: &[String], out: &mut Collector) -> Result<(), Failure> {
    push_line(&table::row_line(header, row), SegmentKind::Unit, out)
}

fn push_line(line: &str, kind: SegmentKind, out: &mut Collector) -> Result<(), Failure> {
    out.push(Segment {
        text: line.to_owned(),
        kind,
        ..Segment::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{mutations, no_panic, segments, text};
    use proptest::prelude::*;
    use std::fmt::Write as _;
    use std::time::{Duration, Instant};

    const SERVICES: &str = "servicio;precio;notas\r\nLimpieza;\"45,50\";\"con \"\"flúor\"\"\r\nsuave\"\r\nEmpaste;60;\r\n";

    #[test]
    fn each_row_names_its_columns() {
        let (_, segments) = segments(extract, SERVICES.as_bytes()).unwrap();
        let found: Vec<_> = segments.iter().map(|s| (s.kind, s.text.as_str())).collect();
        assert_eq!(
            found,
            [
                (
                    SegmentKind::Unit,
                    "servicio: Limpieza | precio: 45,50 | notas: con \"flúor\" suave"
                ),
                (SegmentKind::Unit, "servicio: Empaste | precio: 60"),
            ]
        );
    }

    #[test]
    fn delimiters_are_found() {
        for (file, expected) in [
            ("a,b\nx,\"1;2\"\n", "a: x | b: 1;2"),
            ("a;b\nx;1,5\ny;2,5\n", "a: x | b: 1,5\n\na: y | b: 2,5"),
            ("a\tb\nx, y\tz\n", "a: x, y | b: z"),
            ("a|b\nx|y\n", "a: x | b: y"),
            ("sep=;\na;b\nx;y\n", "a: x | b: y"),
            ("solo\nuna\n", "solo\n\nuna"),
        ] {
            assert_eq!(
                text(extract, file.as_bytes()).unwrap(),
                expected,
                "{file:?}"
            );
        }
    }

    #[test]
    fn titles_ragged_rows_and_columns_without_values() {
        let file = "Precios 2024,,\n,,\nnombre,precio,nota\nPan,1\nVino,2,,tinto\n";
        let (_, segments) = segments(extract, file.as_bytes()).unwrap();
        let found: Vec<_> = segments.iter().map(|s| (s.kind, s.text.as_str())).collect();
        assert_eq!(
            found,
            [
                (SegmentKind::Flow, "Precios 2024"),
                (SegmentKind::Flow, "nombre | precio | nota"),
                (SegmentKind::Unit, "nombre: Pan | precio: 1"),
                (SegmentKind::Unit, "nombre: Vino | precio: 2 | tinto"),
            ]
        );
    }

    #[test]
    fn a_file_without_header_is_its_cells() {
        assert_eq!(
            text(extract, b"Ana,34\nLuis,28\n").unwrap(),
            "Ana | 34\n\nLuis | 28"
        );
    }

    #[test]
    fn a_quotation_mark_nobody_closed_does_not_swallow_the_file() {
        let mut file = "nombre,precio\n\"Pan,1\n".to_owned();
        file.push_str(&"Vino,2\n".repeat(2000));
        let (_, segments) = segments(extract, file.as_bytes()).unwrap();
        assert_eq!(segments.len(), 2001);
        assert_eq!(segments[0].text, "nombre: \"Pan | precio: 1");
    }

    #[test]
    fn many_rows_take_little_time() {
        let mut file = "nombre,precio,descripción\n".to_owned();
        for i in 0..10_000 {
            writeln!(
                file,
                "Producto {i},{i},\"Descripción larga, con comas, del producto {i}\""
            )
            .unwrap();
        }
        let began = Instant::now();
        let (_, segments) = segments(extract, file.as_bytes()).unwrap();
        assert_eq!(segments.len(), 10_000);
        assert!(began.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn names_longer_than_values_are_stopped_in_time() {
        let mut file = String::new();
        for i in 0..2000 {
            write!(file, "un nombre bastante largo {i},").unwrap();
        }
        file.push_str(&format!("\n{}", "1,".repeat(2000)).repeat(1000));
        assert_eq!(text(extract, file.as_bytes()), Err(Failure::TooLong));
        no_panic(extract, ",".repeat(1_000_000).as_bytes());
        no_panic(extract, "a,\n".repeat(300_000).as_bytes());
        no_panic(extract, "\"".repeat(1_000_000).as_bytes());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
            no_panic(extract, &bytes);
        }

        #[test]
        fn any_cells_are_read(file in "([a-z0-9 ]{0,5}[,;\t|\"\n\r]){0,100}") {
            no_panic(extract, file.as_bytes());
        }

        #[test]
        fn any_broken_file_is_read(bytes in mutations(SERVICES.as_bytes())) {
            no_panic(extract, &bytes);
        }

        #[test]
        fn every_value_is_in_its_row(rows in prop::collection::vec(prop::collection::vec("[a-z0-9\",;\n]{1,8}", 3), 1..20)) {
            let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let mut file = "nombre,precio,nota\n".to_owned();
            for row in &rows {
                file.push_str(&row.iter().map(quoted).collect::<Vec<_>>().join(","));
                file.push('\n');
            }
            let all = text(extract, file.as_bytes()).unwrap();
            for word in rows.iter().flatten().flat_map(|cell| cell.split_whitespace()) {
                prop_assert!(all.contains(word), "{word:?} is not in {all:?}");
            }
        }
    }
}
