//! JSON as lines of `path = value`, which say what a value is wherever they are cut.

use crate::collect::{Collector, TextLimits};
use crate::text;
use json_event_parser::{JsonEvent, SliceJsonParser};
use quipu_core::extraction::{Failure, Segment, SegmentKind};

/// Nobody writes deeper for people to read.
const DEEPEST: usize = 128;
/// A key is repeated in every line below it.
const LONGEST_KEY: usize = 120;

pub(crate) fn extract(bytes: &[u8], out: &mut Collector) -> Result<(), Failure> {
    let text = text::decode(bytes);
    let text = text.trim();
    if text.is_empty() {
        return Ok(());
    }
    let first = text.split('\n').next().unwrap_or_default();
    // A value that ends with the first line cannot be the whole of a longer file.
    if first.len() < text.len() && is_whole(first) {
        return read_lines(text, out);
    }
    let mut reader = Reader::default();
    reader.read(text, out)?;
    reader.flush(out)
}

/// JSON Lines: a value in each line.
fn read_lines(text: &str, out: &mut Collector) -> Result<(), Failure> {
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    for line in lines {
        let mut reader = Reader {
            is_record: true,
            ..Reader::default()
        };
        reader.read(line, out)?;
        reader.flush(out)?;
    }
    Ok(())
}

fn is_whole(line: &str) -> bool {
    let mut parser = SliceJsonParser::new(line.as_bytes());
    let mut depth = 0_usize;
    loop {
        match parser.parse_next() {
            Ok(JsonEvent::Eof) => return true,
            Ok(JsonEvent::StartArray | JsonEvent::StartObject) => depth += 1,
            Ok(JsonEvent::EndArray | JsonEvent::EndObject) => depth -= 1,
            Ok(_) => {}
            Err(_) => return false,
        }
        if depth > DEEPEST {
            return false;
        }
    }
}

/// What the parser is inside of.
enum Inside {
    Object { is_empty: bool },
    Array { next: usize },
}

#[derive(Default)]
struct Reader {
    inside: Vec<Inside>,
    /// The path to the value that comes, and where in it each step begins.
    path: String,
    steps: Vec<usize>,
    lines: String,
    /// The value is one of many alike.
    is_record: bool,
    /// The depth at which the record that is being read began.
    record: Option<usize>,
    /// The key of the outermost object whose many values are being read.
    section: Option<String>,
}

impl Reader {
    fn read(&mut self, json: &str, out: &mut Collector) -> Result<(), Failure> {
        let mut parser = SliceJsonParser::new(json.as_bytes());
        loop {
            match parser.parse_next().map_err(|_| Failure::Damaged)? {
                JsonEvent::Eof => return Ok(()),
                JsonEvent::ObjectKey(key) => self.key(&key),
                JsonEvent::StartObject => self.begin(Inside::Object { is_empty: true }, out)?,
                JsonEvent::StartArray => self.begin(Inside::Array { next: 0 }, out)?,
                JsonEvent::EndObject | JsonEvent::EndArray => self.end(out)?,
                JsonEvent::String(value) | JsonEvent::Number(value) => self.value(&value)?,
                JsonEvent::Boolean(value) => self.value(if value { "true" } else { "false" })?,
                JsonEvent::Null => self.value("null")?,
            }
        }
    }

    fn key(&mut self, key: &str) {
        let name = text::one_line(key, LONGEST_KEY).unwrap_or_else(|| "\"\"".to_owned());
        if let Some(Inside::Object { is_empty }) = self.inside.last_mut() {
            *is_empty = false;
        }
        self.step(|path| {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&name);
        });
    }

    fn step(&mut self, add: impl FnOnce(&mut String)) {
        self.steps.push(self.path.len());
        add(&mut self.path);
    }

    fn step_back(&mut self) {
        if let Some(end) = self.steps.pop() {
            self.path.truncate(end);
        }
    }

    /// An element of an array has a path, too.
    fn step_to_element(&mut self) {
        let Some(Inside::Array { next }) = self.inside.last_mut() else {
            return;
        };
        let at = *next;
        *next += 1;
        self.step(|path| {
            path.push('[');
            path.push_str(&at.to_string());
            path.push(']');
        });
    }

    fn begin(&mut self, inside: Inside, out: &mut Collector) -> Result<(), Failure> {
        if self.inside.len() >= DEEPEST {
            return Err(Failure::TooLong);
        }
        self.step_to_element();
        if self.record.is_none() && self.begins_record() {
            self.flush(out)?;
            self.record = Some(self.inside.len());
        } else if self.record.is_none() && self.inside.len() == 1 {
            self.flush(out)?;
            self.section = Some(self.path.clone());
        }
        self.inside.push(inside);
        Ok(())
    }

    /// An array of objects is a table, and each of them a row.
    fn begins_record(&self) -> bool {
        match self.inside.last() {
            Some(Inside::Array { .. }) => true,
            Some(Inside::Object { .. }) => false,
            None => self.is_record,
        }
    }

    fn end(&mut self, out: &mut Collector) -> Result<(), Failure> {
        match self.inside.pop() {
            Some(Inside::Object { is_empty: true }) => self.line("{}")?,
            Some(Inside::Array { next: 0 }) => self.line("[]")?,
            _ => {}
        }
        if self.record == Some(self.inside.len()) {
            self.flush(out)?;
            self.record = None;
        }
        if self.inside.len() == 1 && self.section.is_some() {
            self.flush(out)?;
            self.section = None;
        }
        self.step_back();
        Ok(())
    }

    fn value(&mut self, value: &str) -> Result<(), Failure> {
        self.step_to_element();
        self.line(value)?;
        self.step_back();
        Ok(())
    }

    fn line(&mut self, value: &str) -> Result<(), Failure> {
        if self.lines.len() > TextLimits::default().bytes {
            return Err(Failure::TooLong);
        }
        if !self.path.is_empty() {
            self.lines.push_str(&self.path);
            self.lines.push_str(" = ");
        }
        self.lines.push_str(value.trim());
        self.lines.push('\n');
        Ok(())
    }

    fn flush(&mut self, out: &mut Collector) -> Result<(), Failure> {
        let is_unit = self.record.is_some() || self.is_record;
        out.push(Segment {
            text: std::mem::take(&mut self.lines),
            kind: if is_unit {
                SegmentKind::Unit
            } else {
                SegmentKind::Flow
            },
            page: None,
            headings: self.section.iter().cloned().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{mutations, no_panic, segments, text};
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    const BUSINESS: &str = r#"{"nombre": "Sol & Mar", "año": 1.50, "abierto": true,
 "horario": {"lunes": ["9:00", "14:00"], "nota": "línea 1\nlínea 2", "vacío": [], "nada": null},
 "servicios": [{"nombre": "Limpieza", "precio": 12345678901234567890.10}, {"nombre": "Empaste", "tallas": [{"n": 1}]}],
 "fin": {}}"#;

    fn found(json: &str) -> Vec<(SegmentKind, String, String)> {
        let (_, segments) = segments(extract, json.as_bytes()).unwrap();
        let parts = segments.into_iter();
        parts
            .map(|s| (s.kind, s.headings.join(">"), s.text))
            .collect()
    }

    fn part(kind: SegmentKind, heading: &str, text: &str) -> (SegmentKind, String, String) {
        (kind, heading.to_owned(), text.to_owned())
    }

    #[test]
    fn values_have_their_path_and_records_are_units() {
        use SegmentKind::{Flow, Unit};
        assert_eq!(
            found(BUSINESS),
            [
                part(Flow, "", "nombre = Sol & Mar\naño = 1.50\nabierto = true"),
                part(
                    Flow,
                    "horario",
                    "horario.lunes[0] = 9:00\nhorario.lunes[1] = 14:00\nhorario.nota = línea 1\nlínea 2\nhorario.vacío = []\nhorario.nada = null"
                ),
                part(
                    Unit,
                    "servicios",
                    "servicios[0].nombre = Limpieza\nservicios[0].precio = 12345678901234567890.10"
                ),
                part(
                    Unit,
                    "servicios",
                    "servicios[1].nombre = Empaste\nservicios[1].tallas[0].n = 1"
                ),
                part(Flow, "fin", "fin = {}"),
            ]
        );
    }

    #[test]
    fn arrays_lines_and_single_values() {
        use SegmentKind::{Flow, Unit};
        assert_eq!(
            found(r#"[{"a": 1}, [2], "tres"]"#),
            [
                part(Unit, "", "[0].a = 1"),
                part(Unit, "", "[1][0] = 2"),
                part(Flow, "", "[2] = tres"),
            ]
        );
        assert_eq!(
            found("{\"a\": 1}\n\n{\"a\": {\"b\": 2}}\n"),
            [part(Unit, "", "a = 1"), part(Unit, "", "a.b = 2")]
        );
        assert_eq!(found("\"hola\""), [part(Flow, "", "hola")]);
        assert_eq!(
            found("{\n\"\": {\"a b\": 1}}"),
            [part(Flow, "\"\"", "\"\".a b = 1")]
        );
    }

    #[test]
    fn what_is_not_json_is_damaged() {
        for json in [
            "{\"a\": 1",
            "{'a': 1}",
            "hola",
            "[1, 2",
            "[1] [2]",
            "{\"a\": 1}\n{",
            "{\"a\" 1}",
        ] {
            assert_eq!(
                text(extract, json.as_bytes()),
                Err(Failure::Damaged),
                "{json}"
            );
        }
        assert_eq!(text(extract, b" \n "), Err(Failure::NoText));
    }

    #[test]
    fn what_nests_without_end_is_refused_in_time() {
        let began = Instant::now();
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(text(extract, deep.as_bytes()), Err(Failure::TooLong));
        let deep = r#"{"a":"#.repeat(1_000_000);
        assert_eq!(text(extract, deep.as_bytes()), Err(Failure::TooLong));
        let key = "k".repeat(100);
        let long = format!(
            "{}[{}]{}",
            format!(r#"{{"{key}":"#).repeat(100),
            vec!["1"; 100_000].join(","),
            "}".repeat(100)
        );
        assert_eq!(text(extract, long.as_bytes()), Err(Failure::TooLong));
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
            no_panic(extract, &bytes);
        }

        #[test]
        fn any_marks_are_read(json in r#"([\[\]{},: \n]|"[a-z\\u0-9]{0,3}"|-?[0-9.e]{1,4}|true|null){0,60}"#) {
            no_panic(extract, json.as_bytes());
        }

        #[test]
        fn any_broken_file_is_read(bytes in mutations(BUSINESS.as_bytes())) {
            no_panic(extract, &bytes);
        }

        #[test]
        fn every_value_has_a_line(values in prop::collection::vec("[a-zñ]{1,9}", 1..20), depth in 0_usize..50) {
            let mut json = serde_json::to_string(&values).unwrap();
            for _ in 0..depth {
                json = format!(r#"{{"clave": {json}}}"#);
            }
            let all = text(extract, json.as_bytes()).unwrap();
            for (i, value) in values.iter().enumerate() {
                let line = format!("[{i}] = {value}");
                prop_assert!(all.lines().any(|l| l.ends_with(&line)), "{} is not in {}", line, all);
            }
        }
    }
}
