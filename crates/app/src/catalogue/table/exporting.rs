//! Things written into a table.

use super::columns::{Cell, Tabular};
use super::names::Names;
use crate::{Actor, App};
use quipu_commerce::money::Money;
use quipu_core::access::Permission;
use quipu_core::{Error, Result};
use serde_json::Value;

/// All of a kind as a file that [`import`](super::import) reads.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn export<T: Tabular>(app: &App, actor: &Actor) -> Result<String> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let names = Names::load(&tx).await?;
    let items = tx.catalogue().all::<T>().await?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = T::COLUMNS.iter().map(|column| column.field);
    writer.write_record(header).map_err(Error::internal)?;
    for item in items {
        let value = serde_json::to_value(&item.data).map_err(Error::internal)?;
        let cells = T::COLUMNS.iter().map(|column| {
            let path = column.field.split('.');
            let value = path.fold(&value, |value, name| &value[name]);
            harmless(write_cell(column.cell, value, &names))
        });
        writer.write_record(cells).map_err(Error::internal)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::internal(error.to_string()))?;
    String::from_utf8(bytes).map_err(Error::internal)
}

fn write_cell(cell: Cell, value: &Value, names: &Names) -> String {
    let list = |write: &dyn Fn(&str) -> String| {
        let parts = value.as_array().into_iter().flatten();
        let parts = parts.filter_map(Value::as_str).map(write);
        parts.collect::<Vec<_>>().join("; ")
    };
    match (cell, value) {
        (_, Value::Null) => String::new(),
        (Cell::List, _) => list(&str::to_owned),
        (Cell::Names(_), _) => list(&|id| names.name(id).unwrap_or_default().to_owned()),
        (Cell::Name(_), Value::String(id)) => names.name(id).unwrap_or_default().to_owned(),
        (Cell::Amount, _) => serde_json::from_value::<Money>(value.clone())
            .map_or_else(|_| String::new(), Money::plain),
        (Cell::YesNo, Value::Bool(yes)) => if *yes { "sí" } else { "no" }.to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// What separates cells in one of the ways in which spreadsheets cut a file: where a comma is the
/// decimal sign they cut at semicolons, and quotes do not hold them back.
const SEPARATORS: [char; 5] = [';', '\t', '\n', '\r', '|'];
/// What a formula begins with, in letters of either width.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A spreadsheet runs what begins like a formula; a space in front keeps it from that, and is
/// trimmed when the file comes back.
pub(crate) fn harmless(cell: String) -> String {
    if !cell.contains(FORMULA) || cell.parse::<f64>().is_ok() {
        return cell;
    }
    let mut written = String::with_capacity(cell.len() + 1);
    let mut begins = true;
    for sign in cell.chars() {
        if begins && FORMULA.contains(&sign) {
            written.push(' ');
        }
        // A quote is taken off where it stands first, so that the next sign begins the cell.
        begins = SEPARATORS.contains(&sign) || (begins && matches!(sign, '"' | '\''));
        written.push(sign);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_of_a_cell_begins_like_a_formula() {
        for (cell, written) in [
            ("=1+1", " =1+1"),
            ("hola;=1+1", "hola; =1+1"),
            ("hola;\"=1+1\"", "hola;\" =1+1\""),
            ("a\t@SUM(1)", "a\t @SUM(1)"),
            ("a\n+cmd|'/C calc'!A0", "a\n +cmd|'/C calc'!A0"),
            ("＝1", " ＝1"),
            ("-5", "-5"),
            ("2+2=4", "2+2=4"),
            ("de 9 - 6; sábados - no", "de 9 - 6; sábados - no"),
        ] {
            assert_eq!(harmless(cell.to_owned()), written);
        }
    }
}
