//! Catalogues as tables: what people have in a spreadsheet, row by row.
//!
//! A row is a merge patch for the thing it names, so that a file changes what its columns say and
//! leaves the rest, and a wrong row is a wrong patch and says why. The good rows are saved.

use super::{check, content, make_searchable, merge};
use crate::{Actor, App, business, profile};
use quipu_core::access::Permission;
use quipu_core::business::{
    Branch, CatalogueItem, Dish, Faq, Item, ItemKind, Service, Staff, name_key,
};
use quipu_core::language::Language;
use quipu_core::money::{Currency, Money};
use quipu_core::text::fold;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

const MOST_ROWS: usize = 10_000;
/// How many problems are listed; the number of wrong rows is always told.
const MOST_PROBLEMS: usize = 1_000;

/// What a cell holds.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    Text,
    /// Several texts with semicolons between them.
    List,
    Amount,
    Number,
    YesNo,
    Date,
    /// Names of other things with semicolons between them.
    Names(ItemKind),
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, and where in the thing it belongs: `promotion.text`.
    pub field: &'static str,
    /// What Spanish speakers call it.
    pub spanish: &'static str,
    pub cell: Cell,
}

const fn column(field: &'static str, spanish: &'static str, cell: Cell) -> Column {
    Column {
        field,
        spanish,
        cell,
    }
}

/// A kind of thing that can be read from a table and written into one.
pub trait Tabular: CatalogueItem {
    /// The first is the name.
    const COLUMNS: &'static [Column];
}

impl Tabular for Service {
    const COLUMNS: &'static [Column] = &[
        column("name", "nombre", Cell::Text),
        column("aliases", "alias", Cell::List),
        column("category", "categoría", Cell::Text),
        column("description", "descripción", Cell::Text),
        column("price_min", "precio mínimo", Cell::Amount),
        column("price_max", "precio máximo", Cell::Amount),
        column("price_note", "nota del precio", Cell::Text),
        column("duration_minutes", "duración", Cell::Number),
        column("buffer_before_minutes", "margen antes", Cell::Number),
        column("buffer_after_minutes", "margen después", Cell::Number),
        column("requires_consultation", "requiere consulta", Cell::YesNo),
        column("staff", "personal", Cell::Names(ItemKind::Staff)),
        column("branches", "sucursales", Cell::Names(ItemKind::Branch)),
        column("promotion.text", "promoción", Cell::Text),
        column("promotion.price", "precio promocional", Cell::Amount),
        column("promotion.from", "promoción desde", Cell::Date),
        column("promotion.to", "promoción hasta", Cell::Date),
        column("active", "activo", Cell::YesNo),
    ];
}

impl Tabular for Dish {
    const COLUMNS: &'static [Column] = &[
        column("name", "nombre", Cell::Text),
        column("aliases", "alias", Cell::List),
        column("category", "categoría", Cell::Text),
        column("description", "descripción", Cell::Text),
        column("price", "precio", Cell::Amount),
        column("allergens", "alérgenos", Cell::List),
        column("tags", "etiquetas", Cell::List),
        column("branches", "sucursales", Cell::Names(ItemKind::Branch)),
        column("available", "disponible", Cell::YesNo),
        column("position", "posición", Cell::Number),
        column("active", "activo", Cell::YesNo),
    ];
}

impl Tabular for Faq {
    const COLUMNS: &'static [Column] = &[
        column("question", "pregunta", Cell::Text),
        column("answer", "respuesta", Cell::Text),
        column("category", "categoría", Cell::Text),
        column("tags", "etiquetas", Cell::List),
        column("active", "activo", Cell::YesNo),
    ];
}

/// Something wrong in a file.
#[derive(Clone, Debug, Serialize, serde::Deserialize, ToSchema)]
pub struct ImportProblem {
    /// The line in the file; the first is the header.
    #[schema(example = 17)]
    pub line: u64,
    /// The column, where it is one.
    pub column: Option<String>,
    /// In Spanish.
    pub es: String,
    /// In English.
    pub en: String,
}

/// What came of a file.
#[derive(Clone, Debug, Default, Serialize, serde::Deserialize, ToSchema)]
pub struct ImportReport {
    pub rows: u64,
    pub created: u64,
    pub updated: u64,
    pub failed: u64,
    /// Nothing was saved because only a trial was asked for.
    pub dry_run: bool,
    /// The columns of the file that mean nothing here.
    pub ignored_columns: Vec<String>,
    /// At most a thousand.
    pub problems: Vec<ImportProblem>,
}

impl ImportReport {
    fn fail(&mut self, line: u64, column: Option<&str>, es: String, en: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(ImportProblem {
                line,
                column: column.map(str::to_owned),
                es,
                en,
            });
        }
    }
}

/// Reads a file and saves its good rows: new names are added, known ones changed.
///
/// # Errors
/// `INVALID_CSV` when there is no table in the file, `FORBIDDEN` without the permission. Rows that
/// are wrong are no error: the report names them.
pub async fn import<T: Tabular>(
    app: &App,
    actor: &Actor,
    file: &[u8],
    dry_run: bool,
) -> Result<ImportReport> {
    actor.require(Permission::BusinessWrite)?;
    let text = decode(file)?;
    let tx = app.store.begin(actor.scope()).await?;
    tx.profile().lock_plan().await?;
    let mut importer = Importer::<T>::new(app, &tx).await?;
    let mut report = ImportReport {
        dry_run,
        ..ImportReport::default()
    };
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(delimiter(&text))
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = rows.headers().map_err(|_| no_table())?.clone();
    let columns = Importer::<T>::columns(&header, &mut report)?;
    let mut record = csv::StringRecord::new();
    loop {
        match rows.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                report.rows += 1;
                report.failed += 1;
                let text = ("la fila no se puede leer", "the row cannot be read");
                report.fail(line, None, text.0.to_owned(), text.1.to_owned());
                continue;
            }
        }
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        report.rows += 1;
        let line = record.position().map_or(0, csv::Position::line);
        if report.rows > MOST_ROWS as u64 {
            return Err(Error::new(ErrorCode::TooManyItems).with("value", MOST_ROWS));
        }
        match importer.row(&columns, &record).await {
            Ok(true) => report.created += 1,
            Ok(false) => report.updated += 1,
            Err(Wrong::Row(problems)) => {
                report.failed += 1;
                for (column, es, en) in problems {
                    report.fail(line, column.as_deref(), es, en);
                }
            }
            Err(Wrong::Everything(error)) => return Err(error),
        }
    }
    if dry_run {
        return Ok(report);
    }
    let target = T::KIND.as_str().to_owned();
    let details = json!({ "created": report.created, "updated": report.updated });
    actor
        .audit(&tx, "catalogue.import", target, details)
        .await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(report)
}

/// All of a kind as a file that [`import`] reads.
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

enum Wrong {
    Row(Vec<(Option<String>, String, String)>),
    Everything(Error),
}

impl From<Error> for Wrong {
    /// What the checks found is the row's fault; everything else is ours.
    fn from(error: Error) -> Self {
        match error.code() {
            ErrorCode::ValidationFailed | ErrorCode::AlreadyExists | ErrorCode::TooManyItems => {
                let text = |language| error.message(language);
                Self::Row(vec![(None, text(Language::Es), text(Language::En))])
            }
            _ => Self::Everything(error),
        }
    }
}

struct Importer<'a, T> {
    app: &'a App,
    tx: &'a TenantTx,
    currency: Currency,
    names: Names,
    known: HashMap<String, Item<T>>,
    room: u64,
    /// Where what the business says is searched, once it was needed.
    kb: Option<OpenKb>,
}

impl<'a, T: Tabular> Importer<'a, T> {
    async fn new(app: &'a App, tx: &'a TenantTx) -> Result<Self> {
        let all = tx.catalogue().all::<T>().await?;
        Ok(Self {
            app,
            tx,
            currency: profile::currency(tx).await?,
            names: Names::load(tx).await?,
            room: T::KIND.most().saturating_sub(all.len() as u64),
            kb: None,
            known: all
                .into_iter()
                .map(|item| (name_key(item.data.name()), item))
                .collect(),
        })
    }

    /// Which column of the file is which of ours.
    fn columns(
        header: &csv::StringRecord,
        report: &mut ImportReport,
    ) -> Result<Vec<(usize, &'static Column)>> {
        let mut columns = Vec::new();
        for (at, title) in header.iter().enumerate() {
            let is = |name: &str| key(name) == key(title);
            match T::COLUMNS.iter().find(|c| is(c.field) || is(c.spanish)) {
                Some(column) => columns.push((at, column)),
                None => report
                    .ignored_columns
                    .push(title.chars().take(100).collect()),
            }
        }
        let name = T::COLUMNS[0].field;
        if !columns.iter().any(|(_, column)| column.field == name) {
            return Err(no_table().with("column", name));
        }
        Ok(columns)
    }

    /// Saves a row. Whether it is something new.
    async fn row(
        &mut self,
        columns: &[(usize, &'static Column)],
        record: &csv::StringRecord,
    ) -> Result<bool, Wrong> {
        let mut patch = json!({});
        let mut problems = Vec::new();
        for (at, column) in columns {
            let Some(text) = record
                .get(*at)
                .map(str::trim)
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            match read_cell(column.cell, text, self.currency, &self.names) {
                Ok(value) => set(&mut patch, column.field, value),
                Err((es, en)) => problems.push((Some(column.field.to_owned()), es, en)),
            }
        }
        if !problems.is_empty() {
            return Err(Wrong::Row(problems));
        }
        let name = patch[T::COLUMNS[0].field].as_str().unwrap_or_default();
        let known = name_key(name);
        let before = self.known.get(&known);
        let mut value = match before {
            Some(item) => serde_json::to_value(&item.data).map_err(Error::internal)?,
            None => json!({}),
        };
        merge(&mut value, patch);
        let mut item: T = serde_json::from_value(value).map_err(|error| {
            let reason: String = error.to_string().chars().take(200).collect();
            Wrong::Row(vec![(None, reason.clone(), reason)])
        })?;
        let id = before.map(|item| item.id);
        if id.is_none() && self.room == 0 {
            return Err(Error::new(ErrorCode::TooManyItems)
                .with("value", T::KIND.most())
                .into());
        }
        check(self.tx, self.currency, &mut item).await?;
        let saved = match id {
            Some(id) => {
                self.tx.catalogue().update(id, &item).await?;
                id
            }
            None => self.tx.catalogue().insert(&item).await?,
        };
        match (id, item.searchable().filter(|_| item.active())) {
            // Nothing can be known of something new, and the knowledge base is looked for once.
            (None, Some(found)) => {
                let kb = match self.kb.take() {
                    Some(kb) => kb,
                    None => business::knowledge_base(self.app, self.tx).await?,
                };
                let content = content::<T>(saved, found);
                business::put_into(self.app, self.tx, &kb, &content, None).await?;
                self.kb = Some(kb);
            }
            (None, None) => {}
            (Some(_), _) => make_searchable(self.app, self.tx, saved, &item).await?,
        }
        if id.is_none() {
            self.room -= 1;
        }
        let now = self.tx.now();
        let item = Item {
            id: saved,
            data: item,
            warnings: Vec::new(),
            created_at: now,
            updated_at: now,
        };
        self.known.insert(known, item);
        Ok(id.is_none())
    }
}

/// The names of what other things refer to.
struct Names(Vec<(ItemKind, Uuid, String)>);

impl Names {
    async fn load(tx: &TenantTx) -> Result<Self> {
        let catalogue = tx.catalogue();
        let branches = catalogue.all::<Branch>().await?;
        let staff = catalogue.all::<Staff>().await?;
        let branches = branches
            .into_iter()
            .map(|item| (ItemKind::Branch, item.id, item.data.name));
        let staff = staff
            .into_iter()
            .map(|item| (ItemKind::Staff, item.id, item.data.name));
        Ok(Self(branches.chain(staff).collect()))
    }

    fn id(&self, kind: ItemKind, name: &str) -> Option<Uuid> {
        let wanted = name_key(name);
        let is =
            |entry: &&(ItemKind, Uuid, String)| entry.0 == kind && name_key(&entry.2) == wanted;
        self.0.iter().find(is).map(|(_, id, _)| *id)
    }

    fn name(&self, id: &str) -> Option<&str> {
        let is = |entry: &&(ItemKind, Uuid, String)| entry.1.to_string() == id;
        self.0.iter().find(is).map(|(_, _, name)| name.as_str())
    }
}

fn read_cell(
    cell: Cell,
    text: &str,
    currency: Currency,
    names: &Names,
) -> Result<Value, (String, String)> {
    let both = |es: &str, en: &str| (es.to_owned(), en.to_owned());
    let parts = || {
        text.split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
    };
    match cell {
        Cell::Text => Ok(json!(text)),
        Cell::List => Ok(json!(parts().collect::<Vec<_>>())),
        Cell::Amount => Money::parse(text, currency)
            .map(|money| json!(money))
            .map_err(|problem| (problem.text(Language::Es), problem.text(Language::En))),
        Cell::Number => text
            .parse::<i64>()
            .map(|number| json!(number))
            .map_err(|_| both("no es un número entero", "is not a whole number")),
        Cell::YesNo => match fold(text).as_str() {
            "si" | "s" | "yes" | "y" | "true" | "verdadero" | "1" | "x" => Ok(json!(true)),
            "no" | "n" | "false" | "falso" | "0" => Ok(json!(false)),
            _ => Err(both("debe ser sí o no", "must be yes or no")),
        },
        Cell::Date => text
            .parse::<jiff::civil::Date>()
            .map(|date| json!(date))
            .map_err(|_| {
                both(
                    "no es una fecha, como 2026-12-31",
                    "is not a date such as 2026-12-31",
                )
            }),
        Cell::Names(kind) => {
            let ids = parts().map(|name| {
                names.id(kind, name).ok_or_else(|| {
                    (
                        format!("no hay nada que se llame «{name}»"),
                        format!("there is nothing called \"{name}\""),
                    )
                })
            });
            Ok(json!(ids.collect::<Result<Vec<_>, _>>()?))
        }
    }
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
        (Cell::Amount, _) => serde_json::from_value::<Money>(value.clone())
            .map_or_else(|_| String::new(), Money::plain),
        (Cell::YesNo, Value::Bool(yes)) => if *yes { "sí" } else { "no" }.to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// A spreadsheet runs what begins like a formula; a space in front keeps it from that, and is
/// trimmed when the file comes back.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err() {
        return format!(" {cell}");
    }
    cell
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
    if text.contains('\0') || text.trim().is_empty() {
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
