//! Tables as lines of text that can be cut anywhere.
//!
//! A row alone says nothing ("Limpieza, 45, 30 min"), and a table is often cut between its header
//! and the row that answers a question. So every row names its columns.

use crate::collect::TextLimits;

/// Rows above the header that hold a title or nothing.
const TITLE_ROWS: usize = 5;
/// A longer cell is a sentence, not the name of a column.
const LONGEST_NAME: usize = 60;

/// One line per row. Where the table has a header, its names stand before the values of each row
/// and the header has no line of its own, unless a column without any value would be lost.
pub(crate) fn render(rows: &[Vec<String>]) -> String {
    match find_header(rows) {
        Some(at) => render_under(&rows[at], &rows[..at], &rows[at + 1..]),
        None => render_under(&[], rows, &[]),
    }
}

/// Renders a table whose first row is known to be its header.
pub(crate) fn render_with_header(rows: &[Vec<String>]) -> String {
    match rows.split_first() {
        Some((header, rest)) if !rest.is_empty() => render_under(header, &[], rest),
        _ => render_under(&[], rows, &[]),
    }
}

fn render_under(header: &[String], above: &[Vec<String>], below: &[Vec<String>]) -> String {
    // Names repeated in every row can make a table many times longer than its file. What is past
    // this is not kept anyway.
    let most = TextLimits::default().bytes;
    let mut text = String::new();
    let mut add = |line: &str| {
        if !line.is_empty() && text.len() <= most {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    };
    for row in above {
        add(&row_line(&[], row));
    }
    if has_column_without_values(header, below) {
        add(&row_line(&[], header));
    }
    for row in below {
        add(&row_line(header, row));
    }
    text
}

/// One row as `Header: value | Header: value`, without its empty cells. A cell whose column has no
/// name stands alone, and so do all of them when there is no header.
pub(crate) fn row_line(header: &[String], row: &[String]) -> String {
    let mut line = String::new();
    for (column, cell) in row.iter().enumerate() {
        let before = line.len();
        if !line.is_empty() {
            line.push_str(" | ");
        }
        let name_at = line.len();
        if let Some(name) = header.get(column) {
            push_words(&mut line, name);
            line.truncate(line.trim_end_matches([':', ' ']).len().max(name_at));
            if line.len() > name_at {
                line.push_str(": ");
            }
        }
        let value_at = line.len();
        push_words(&mut line, cell);
        if line.len() == value_at {
            line.truncate(before);
        }
    }
    line
}

/// Whether some name of the header would not appear in any row's line.
fn has_column_without_values(header: &[String], rows: &[Vec<String>]) -> bool {
    let mut lost: Vec<bool> = header.iter().map(|name| !is_blank(name)).collect();
    for row in rows {
        mark_values(&mut lost, row.iter().map(String::as_str));
    }
    lost.contains(&true)
}

/// Clears the mark of every column in which this row has a value.
pub(crate) fn mark_values<'a>(lost: &mut [bool], row: impl Iterator<Item = &'a str>) {
    for (mark, cell) in lost.iter_mut().zip(row) {
        *mark &= is_blank(cell);
    }
}

/// Which row holds the names of the columns, if one does. Only the first rows are looked at.
pub(crate) fn find_header(rows: &[Vec<String>]) -> Option<usize> {
    let at = rows
        .iter()
        .take(TITLE_ROWS + 1)
        .position(|row| filled(row) > 1)?;
    let below = rows[at + 1..].iter().find(|row| filled(row) > 0)?;
    looks_like_header(&rows[at], below).then_some(at)
}

fn looks_like_header(row: &[String], below: &[String]) -> bool {
    let names: Vec<(usize, &str)> = row
        .iter()
        .enumerate()
        .map(|(column, cell)| (column, cell.trim()))
        .filter(|(_, cell)| !cell.is_empty())
        .collect();
    // The corner of a table with names on two sides is often empty; a gap further right is not the
    // habit of headers.
    let gaps = row[..names.last().map_or(0, |(column, _)| *column)]
        .iter()
        .skip(1)
        .any(|cell| is_blank(cell));
    if names.len() < 2 || gaps || filled(below) > 2 * names.len() {
        return false;
    }
    let mut words = 0;
    for (column, name) in &names {
        if is_year(name) {
            // Years name columns of figures. Above another year it is a value like that one.
            if below.get(*column).is_some_and(|cell| is_year(cell.trim())) {
                return false;
            }
        } else if !could_be_name(name) {
            return false;
        } else {
            words += 1;
        }
    }
    // "Teléfono: | +34 …" is the first of two columns that name and say, row by row.
    if names.len() == 2 && names[0].1.ends_with(':') {
        return false;
    }
    let mut distinct: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
    distinct.sort_unstable();
    distinct.dedup();
    words > 0 && distinct.len() == names.len()
}

fn could_be_name(cell: &str) -> bool {
    cell.chars().nth(LONGEST_NAME).is_none()
        && cell.chars().any(char::is_alphabetic)
        && !cell.contains('@')
        && !cell.contains("://")
        && !is_figure(cell)
}

/// A number, an amount, a date, a time, a telephone number: at least as many digits as letters.
fn is_figure(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0 && (digits >= letters || starts_like_a_date(cell))
}

/// "12 de enero de 2025", "5 May 2024".
fn starts_like_a_date(cell: &str) -> bool {
    let mut words = cell.split([' ', '-', '/']);
    let day = words.next().and_then(|word| word.parse::<u32>().ok());
    day.is_some_and(|day| (1..=31).contains(&day)) && words.next_back().is_some_and(is_year)
}

fn is_year(cell: &str) -> bool {
    cell.len() == 4
        && cell.bytes().all(|b| b.is_ascii_digit())
        && (cell.starts_with("19") || cell.starts_with("20"))
}

fn filled(row: &[String]) -> usize {
    row.iter().filter(|cell| !is_blank(cell)).count()
}

pub(crate) fn is_blank(cell: &str) -> bool {
    cell.trim().is_empty()
}

/// Adds the words of a cell with one space between them: a cell is a single line.
fn push_words(line: &mut String, cell: &str) {
    for (i, word) in cell.split_whitespace().enumerate() {
        if i > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines()
            .map(|line| line.split(';').map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn every_row_names_its_columns() {
        assert_eq!(
            render(&rows(
                "Servicio;Precio;Duración\nLimpieza;45;30 min\nEmpaste;;1 h"
            )),
            "Servicio: Limpieza | Precio: 45 | Duración: 30 min\nServicio: Empaste | Duración: 1 h"
        );
    }

    #[test]
    fn a_table_without_header_is_its_cells() {
        for table in [
            "Ana;34\nLuis;28",
            "2024-05-01;abierto\n2024-05-02;cerrado",
            "12 de enero de 2025;abierto\n13 de enero de 2025;cerrado",
            "Teléfono:;por la mañana\nDirección:;Calle Mayor",
            "ana@ejemplo.es;Ana\nluis@ejemplo.es;Luis",
            "Ana;1985\nLuis;1990",
            "uno;uno\ndos;tres",
            "solo;una fila",
        ] {
            assert_eq!(render(&rows(table)), table.replace(';', " | "));
        }
    }

    #[test]
    fn titles_years_and_an_empty_corner_are_understood() {
        assert_eq!(
            render(&rows("Tarifas;;\n;;\n;Básico;Pro\nMes;10;20\nAño;100;200")),
            "Tarifas\nMes | Básico: 10 | Pro: 20\nAño | Básico: 100 | Pro: 200"
        );
        assert_eq!(
            render(&rows("Producto;2023;2024\nTornillo;150;160")),
            "Producto: Tornillo | 2023: 150 | 2024: 160"
        );
    }

    #[test]
    fn a_column_without_values_keeps_its_name() {
        assert_eq!(
            render(&rows("Nombre;Notas\nAna;\nLuis;")),
            "Nombre | Notas\nNombre: Ana\nNombre: Luis"
        );
    }

    #[test]
    fn a_cell_is_one_line_and_more_cells_than_names_are_kept() {
        let row = ["a\n  b".to_owned(), "c".to_owned()];
        assert_eq!(row_line(&["Uno:".to_owned()], &row), "Uno: a b | c");
        assert_eq!(row_line(&[], &[]), "");
    }

    #[test]
    fn a_known_header_is_taken_as_it_is() {
        assert_eq!(render_with_header(&rows("1;2\n3;4")), "1: 3 | 2: 4");
        assert_eq!(
            render_with_header(&rows("Nombre;Precio")),
            "Nombre | Precio"
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost(table in prop::collection::vec(prop::collection::vec("[a-z0-9@:;\n ]{0,8}", 0..6), 0..8)) {
            let text = render(&table);
            prop_assert!(text.lines().count() <= table.len());
            for cell in table.iter().flatten() {
                for word in cell.split_whitespace() {
                    let word = word.trim_end_matches(':');
                    prop_assert!(text.contains(word), "{word:?} is not in {text:?}");
                }
            }
        }
    }
}
