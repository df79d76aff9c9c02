//! Saving what a table says.
//!
//! Rows are saved so many at a time, each lot in a transaction of its own: whoever else writes gets
//! a turn in between, which on SQLite all tenants share. What was saved before an import stops is
//! there, and the same file can be sent again: rows are matched by name, and those that say nothing
//! new are passed over.

use super::columns::Tabular;
use super::names::Names;
use super::reading::{Row, read};
use super::report::{ImportReport, Outcome, RowProblems};
use crate::catalogue::{content, make_searchable, prompt_places};
use crate::merge::merge_with_nulls;
use crate::{Actor, App, after, business, profile};
use quipu_commerce::business::{CatalogueItem, Instruction, Item, PromptRoom};
use quipu_commerce::money::Currency;
use quipu_core::access::Permission;
use quipu_core::language::Language;
use quipu_core::text::count;
use quipu_core::unreadable;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// How many rows are saved in one transaction: few enough that nobody waits for long.
const ROWS_AT_ONCE: usize = 50;

/// Reads a file and saves its good rows: new names are added, known ones changed. After `patience`
/// no more rows are begun with.
///
/// # Errors
/// `INVALID_CSV` when there is no table in the file, `TOO_MANY_ITEMS` when it has too many rows,
/// `FORBIDDEN` without the permission; `IMPORT_STOPPED`, with what was saved, when it ends midway.
/// Rows that are wrong are no error: the report names them.
pub async fn import<T: Tabular>(
    app: &App,
    actor: &Actor,
    file: &[u8],
    dry_run: bool,
    patience: Duration,
) -> Result<ImportReport> {
    actor.require(Permission::BusinessWrite)?;
    let mut report = ImportReport {
        dry_run,
        ..ImportReport::default()
    };
    // Nobody waits for whoever only reads: everything that can be found out is, before it is
    // anybody's turn to write.
    let tx = app.store.read(actor.scope()).await?;
    let last_moment = after(tx.now(), patience);
    let currency = profile::currency(&tx).await?;
    let names = Names::load(&tx).await?;
    let rows = read::<T>(file, currency, &names, &mut report)?;
    if dry_run {
        let mut prompt = tx.prompt_places().room().await?;
        for lot in rows.chunks(ROWS_AT_ONCE) {
            let mut lot = Lot::<T>::load(&tx, lot, currency, report.created).await?;
            lot.prompt = prompt;
            for (row, read) in lot.prepare() {
                match read {
                    Ok(ready) => report.count(ready.outcome),
                    Err(problems) => report.fail(row.line, problems),
                }
            }
            prompt = lot.prompt;
        }
        propose::<T>(&tx, &mut report).await?;
        return Ok(report.in_order());
    }
    drop(tx);
    for lot in rows.chunks(ROWS_AT_ONCE) {
        let line = lot.first().map_or(0, |row| row.line);
        let tx = match app.store.begin(actor.scope()).await {
            Ok(tx) if tx.now() > last_moment => {
                let late = Error::new(ErrorCode::Timeout);
                return Err(stopped(late, &report, line));
            }
            Ok(tx) => tx,
            Err(error) => return Err(stopped(error, &report, line)),
        };
        match save::<T>(app, actor, tx, lot, currency).await {
            Ok(more) => report.add(more),
            Err(error) => return Err(stopped(error, &report, line)),
        }
        app.new_work.notify_one();
    }
    let tx = app.store.read(actor.scope()).await?;
    propose::<T>(&tx, &mut report).await?;
    Ok(report.in_order())
}

/// Tells which instructions may be worth a place in the prompt.
async fn propose<T: Tabular>(tx: &TenantTx, report: &mut ImportReport) -> Result<()> {
    if T::KIND == Instruction::KIND {
        report.proposed_for_prompt = prompt_places::proposed(tx).await?;
    }
    Ok(())
}

/// Saves a lot of rows in a transaction, or none of them. Returns what came of them.
async fn save<T: Tabular>(
    app: &App,
    actor: &Actor,
    tx: TenantTx,
    rows: &[Row],
    currency: Currency,
) -> Result<ImportReport> {
    tx.profile().lock_plan().await?;
    let mut report = ImportReport::default();
    let mut lot = Lot::<T>::load(&tx, rows, currency, 0).await?;
    let mut kb = None;
    for (row, read) in lot.prepare() {
        match read {
            Ok(ready) => {
                report.count(ready.outcome);
                ready.save(app, &tx, &mut kb).await?;
            }
            Err(problems) => report.fail(row.line, problems),
        }
    }
    if report.created + report.updated > 0 {
        let target = T::KIND.as_str().to_owned();
        let details = json!({ "created": report.created, "updated": report.updated });
        actor
            .audit(&tx, "catalogue.import", target, details)
            .await?;
    }
    tx.commit().await?;
    Ok(report)
}

/// An import that ended before its time. Before anything was saved it is like any other error.
fn stopped(error: Error, report: &ImportReport, line: u64) -> Error {
    let saved = report.saved();
    if saved == 0 {
        return error;
    }
    Error::new(ErrorCode::ImportStopped)
        .with("line", line)
        .with("saved", saved)
        .with("created", report.created)
        .with("updated", report.updated)
        .with_texts(
            "saved_rows",
            count(saved, "fila", "filas"),
            count(saved, "row", "rows"),
        )
        .caused_by(error)
}

/// Some rows, with what is known of what they name.
struct Lot<'a, T> {
    rows: &'a [Row],
    known: HashMap<String, Item<T>>,
    /// None where nothing else is named.
    names: Option<Names>,
    currency: Currency,
    /// How many more there may be.
    room: u64,
    /// Who stands in the prompt.
    prompt: PromptRoom,
}

/// A row that can be saved.
struct Ready<T> {
    outcome: Outcome,
    id: Option<Uuid>,
    item: T,
}

impl<'a, T: Tabular> Lot<'a, T> {
    /// `more` are there that the transaction does not see.
    async fn load(tx: &TenantTx, rows: &'a [Row], currency: Currency, more: u64) -> Result<Self> {
        let keys: Vec<String> = rows.iter().map(|row| row.key.clone()).collect();
        let there = tx.catalogue().count(T::KIND).await?.saturating_add(more);
        Ok(Self {
            rows,
            known: tx.catalogue().named(&keys).await?,
            names: if T::names_others() {
                Some(Names::load(tx).await?)
            } else {
                None
            },
            currency,
            room: T::KIND.most().saturating_sub(there),
            prompt: tx.prompt_places().room().await?,
        })
    }

    fn prepare(&mut self) -> impl Iterator<Item = (&'a Row, Result<Ready<T>, RowProblems>)> {
        let rows = self.rows.iter();
        rows.map(|row| (row, self.ready(row)))
    }

    fn ready(&mut self, row: &Row) -> Result<Ready<T>, RowProblems> {
        let known = self.known.get(&row.key);
        let mut value = match known {
            Some(item) => {
                serde_json::to_value(&item.data).map_err(|error| unreadable_row(&error))?
            }
            None => json!({}),
        };
        let before = value.clone();
        let mut patch = row.patch.clone();
        if let (Some(_), Some(fields)) = (known, patch.as_object_mut()) {
            // An empty cell leaves what is known as it is.
            fields.retain(|_, value| !value.is_null());
        }
        merge_with_nulls(&mut value, patch, T::NULLABLE);
        let missing = T::REQUIRED.iter().filter(|path| is_missing(&value, path));
        let missing = missing.map(|path| (Some(*path), ("falta".into(), "is missing".into())));
        let missing: RowProblems = missing.collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let mut item: T = serde_json::from_value(value).map_err(|error| unreadable_row(&error))?;
        self.check(&mut item)?;
        let id = known.map(|item| item.id);
        let outcome = match id {
            None if self.room == 0 => {
                let error = Error::new(ErrorCode::TooManyItems).with("value", T::KIND.most());
                return Err(wrong(&error));
            }
            None => Outcome::Created,
            Some(_)
                if serde_json::to_value(&item).map_err(|error| unreadable_row(&error))?
                    == before =>
            {
                Outcome::Unchanged
            }
            Some(_) => Outcome::Updated,
        };
        // What is new has no id yet; its line tells it from the others of the file.
        let place = id.unwrap_or_else(|| Uuid::from_u128(row.line.into()));
        prompt_places::plan(&mut self.prompt, place, &item).map_err(|error| wrong(&error))?;
        self.room -= u64::from(id.is_none());
        Ok(Ready { outcome, id, item })
    }

    /// The checks of a thing that is saved on its own, with what it names looked up once for all.
    fn check(&self, item: &mut T) -> Result<(), RowProblems> {
        let mut checks = Checks::new();
        item.check(self.currency, &mut checks);
        for reference in item.references() {
            let there = |id: &Uuid| {
                let names = self.names.as_ref();
                names.is_some_and(|names| names.holds(reference.kind, *id))
            };
            if !reference.ids.iter().all(there) {
                checks.problem(reference.field, Problem::NotFound);
            }
        }
        checks.finish().map_err(|error| wrong(&error))
    }
}

impl<T: Tabular> Ready<T> {
    async fn save(self, app: &App, tx: &TenantTx, kb: &mut Option<OpenKb>) -> Result<()> {
        match (self.outcome, self.id) {
            (Outcome::Unchanged, _) => Ok(()),
            (_, Some(id)) => {
                tx.catalogue().update(id, &self.item).await?;
                prompt_places::keep(tx, id, &self.item).await?;
                make_searchable(app, tx, id, &self.item).await
            }
            (_, None) => {
                let id = tx.catalogue().insert(&self.item).await?;
                prompt_places::keep(tx, id, &self.item).await?;
                let found = self.item.searchable().filter(|_| self.item.active());
                let Some(found) = found else { return Ok(()) };
                // Nothing can be known of something new, and the knowledge base is looked for once.
                let open = match kb.take() {
                    Some(open) => open,
                    None => business::knowledge_base(app, tx).await?,
                };
                let content = content::<T>(id, found);
                business::put_into(app, tx, &open, &content, None).await?;
                *kb = Some(open);
                Ok(())
            }
        }
    }
}

/// Whether something that must be there is not. What lies inside another thing need not be there
/// when that is not.
fn is_missing(value: &Value, path: &str) -> bool {
    let at = |path: &str| path.split('.').fold(value, |value, name| &value[name]);
    match path.rsplit_once('.') {
        Some((outer, _)) if at(outer).is_null() => false,
        _ => at(path).is_null(),
    }
}

fn wrong(error: &Error) -> RowProblems {
    let text = |language| error.message(language);
    vec![(None, (text(Language::Es), text(Language::En)))]
}

fn unreadable_row(error: &serde_json::Error) -> RowProblems {
    vec![(None, unreadable::reason(error))]
}
