//! The rows of a file, as changes of the things they name.

use super::cells::read_cell;
use super::columns::{Column, Tabular};
use super::names::Names;
use super::quotes::Quotes;
use super::report::{ImportReport, RowProblems};
use quipu_commerce::business::name_key;
use quipu_commerce::money::Currency;
use quipu_core::text::visible;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

pub(super) const MOST_ROWS: usize = 10_000;

/// A row whose cells could be read.
pub(super) struct Row {
    pub(super) line: u64,
    /// What two writings of the name share.
    pub(super) key: String,
    /// What it says of the thing: a merge patch.
    pub(super) patch: Value,
}

/// Reads a file. Rows that are wrong are in the report and not among those returned.
///
/// # Errors
/// `INVALID_CSV` when there is no table in the file, `TOO_MANY_ITEMS` when it has too many rows.
pub(super) fn read<T: Tabular>(
    file: &[u8],
    currency: Currency,
    names: &Names,
    report: &mut ImportReport,
) -> Result<Vec<Row>> {
    let text = decode(file)?;
    let delimiter = delimiter(&text);
    let quotes = Quotes::read(text.as_bytes(), delimiter);
    // A cell that is never closed would take in all the rows behind it.
    let readable = quotes.open.as_ref().map_or(text.len(), |open| open.row);
    let mut table = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(&text.as_bytes()[..readable]);
    let header = table.headers().map_err(|_| no_table())?.clone();
    if header.iter().any(|title| title.contains('\0')) {
        return Err(no_table());
    }
    let reader = Reader {
        columns: columns::<T>(&header, report)?,
        headings: header.len(),
        nullable: T::NULLABLE,
        currency,
        names,
    };
    let mut rows = Vec::new();
    let mut lines: HashMap<String, u64> = HashMap::new();
    let mut record = csv::StringRecord::new();
    for row in 1.. {
        let (line, read) = match table.read_record(&mut record) {
            Ok(false) => {
                if let Some(open) = quotes.open {
                    report.rows += 1;
                    let texts = both(
                        "abre comillas que no se cierran; desde aquí no se leyó nada más",
                        "opens quotes that are never closed; nothing was read from here on",
                    );
                    report.fail(open.line, vec![(None, texts)]);
                }
                return Ok(rows);
            }
            Ok(true) if record.iter().all(|cell| cell.trim().is_empty()) => continue,
            Ok(true) => {
                let line = line_at(&text, record.position());
                let read = if quotes.bad.contains(&row) {
                    Err(vec![(None, badly_quoted())])
                } else {
                    reader.row(&record)
                };
                (line, read)
            }
            Err(error) => {
                let line = line_at(&text, error.position());
                let texts = both("la fila no se puede leer", "the row cannot be read");
                (line, Err(vec![(None, texts)]))
            }
        };
        report.rows += 1;
        if report.rows > MOST_ROWS as u64 {
            return Err(Error::new(ErrorCode::TooManyItems).with("value", MOST_ROWS));
        }
        let (key, patch) = match read {
            Ok(row) => row,
            Err(problems) => {
                report.fail(line, problems);
                continue;
            }
        };
        let first = *lines.entry(key.clone()).or_insert(line);
        if first == line {
            rows.push(Row { line, key, patch });
        } else {
            let es = format!("repite el nombre de la línea {first}, que es la que vale");
            let en = format!("repeats the name of line {first}, which is the one that counts");
            report.fail(line, vec![(Some(T::COLUMNS[0].field), (es, en))]);
        }
    }
    Ok(rows)
}

/// The line that a row begins on. What ends the row before it may still lie at the place where it was
/// found, and so may empty lines.
fn line_at(text: &str, position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else {
        return 0;
    };
    let at = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    let skipped = ends.filter(|byte| **byte == b'\n').count();
    position.line() + u64::try_from(skipped).unwrap_or(0)
}

/// Which of our columns stand where in the file; the name is the first of them.
fn columns<T: Tabular>(
    header: &csv::StringRecord,
    report: &mut ImportReport,
) -> Result<Vec<(&'static Column, Vec<usize>)>> {
    let mut columns: Vec<(&'static Column, Vec<usize>)> = Vec::new();
    for column in T::COLUMNS {
        let is = |title: &str| {
            [column.field, column.spanish]
                .map(key)
                .contains(&key(title))
        };
        let places = header.iter().enumerate().filter(|(_, title)| is(title));
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        if places.len() > 1 {
            report.repeated_columns.push(column.field.to_owned());
        }
        if !places.is_empty() {
            columns.push((column, places));
        }
    }
    let known = |at: &usize| columns.iter().any(|(_, places)| places.contains(at));
    let unknown = header.iter().enumerate().filter(|(at, _)| !known(at));
    let titles = unknown.map(|(_, title)| title.chars().take(100).collect());
    report.ignored_columns = titles.collect();
    let name = T::COLUMNS[0].field;
    if columns
        .first()
        .is_none_or(|(column, _)| column.field != name)
    {
        return Err(no_table().with("column", name));
    }
    Ok(columns)
}

struct Reader<'a> {
    columns: Vec<(&'static Column, Vec<usize>)>,
    headings: usize,
    /// Of which fields it says something to be empty.
    nullable: &'static [&'static str],
    currency: Currency,
    names: &'a Names,
}

impl Reader<'_> {
    /// The key of the name, and what the row says.
    fn row(&self, record: &csv::StringRecord) -> Result<(String, Value), RowProblems> {
        let mut problems = RowProblems::new();
        // A separator at the end of a line is no cell that says something.
        let beyond = record.iter().skip(self.headings);
        if beyond.into_iter().any(|cell| !cell.trim().is_empty()) {
            let texts = both(
                "tiene más celdas que encabezados; si una celda lleva el separador, va entre comillas",
                "has more cells than there are headings; quote a cell that holds the separator",
            );
            problems.push((None, texts));
        }
        if record.iter().any(|cell| cell.contains('\0')) {
            let texts = both(
                "contiene un carácter nulo (U+0000), que no se puede guardar",
                "holds a NUL character (U+0000), which cannot be kept",
            );
            problems.push((None, texts));
        }
        let mut patch = json!({});
        for (column, places) in &self.columns {
            let cells = places.iter().filter_map(|at| record.get(*at));
            let mut cells: Vec<&str> = cells.map(str::trim).collect();
            cells.retain(|cell| !cell.is_empty());
            cells.dedup();
            let problem = match cells.as_slice() {
                // Of something new it says that there is none, and of something known nothing.
                [] if self.nullable.contains(&column.field) => {
                    set(&mut patch, column.field, Value::Null);
                    continue;
                }
                [] => continue,
                [text] => match read_cell(column.cell, text, self.currency, self.names) {
                    Ok(value) => {
                        set(&mut patch, column.field, value);
                        continue;
                    }
                    Err(texts) => texts,
                },
                _ => both(
                    "la columna está repetida y las celdas dicen cosas distintas",
                    "the column is there more than once and the cells say different things",
                ),
            };
            problems.push((Some(column.field), problem));
        }
        let name = self.columns.first().map_or("", |(column, _)| column.field);
        let text = visible(patch[name].as_str().unwrap_or_default()).into_owned();
        if text.trim().is_empty() && !problems.iter().any(|(field, _)| *field == Some(name)) {
            let texts = both("no puede estar vacío", "must not be empty");
            problems.push((self.columns.first().map(|(column, _)| column.field), texts));
        }
        if problems.is_empty() {
            Ok((name_key(&text), patch))
        } else {
            Err(problems)
        }
    }
}

fn badly_quoted() -> (String, String) {
    both(
        "tiene comillas mal puestas: detrás de las que cierran una celda va el separador, y dentro de una celda van dobles",
        "has misplaced quotes: behind those that close a cell comes the separator, and inside a cell they are doubled",
    )
}

fn both(es: &str, en: &str) -> (String, String) {
    (es.to_owned(), en.to_owned())
}

fn set(row: &mut Value, path: &str, value: Value) {
    let mut target = row;
    for name in path.split('.') {
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        target = &mut target[name];
    }
    *target = value;
}

/// What two writings of the name of a column share.
fn key(name: &str) -> String {
    let letters = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' });
    let name: String = letters.collect();
    name_key(&name)
}

/// Spreadsheets write UTF-8, or Windows-1252 where nobody asked them for anything else.
fn decode(file: &[u8]) -> Result<String> {
    let (text, _, _) = match std::str::from_utf8(file) {
        Ok(_) => encoding_rs::UTF_8.decode(file),
        Err(_) => encoding_rs::WINDOWS_1252.decode(file),
    };
    if text.trim().is_empty() {
        return Err(no_table());
    }
    Ok(text.into_owned())
}

/// Whatever stands most often in the header: Spanish spreadsheets separate by semicolons.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let count = |sign: &u8| header.bytes().filter(|byte| byte == sign).count();
    *b",;\t"
        .iter()
        .max_by_key(|sign| (count(sign), **sign == b','))
        .unwrap_or(&b',')
}

fn no_table() -> Error {
    Error::new(ErrorCode::InvalidCsv)
}
