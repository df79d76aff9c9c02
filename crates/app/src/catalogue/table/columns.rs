//! Which columns a table of each kind of thing has.

use quipu_commerce::business::{CatalogueItem, Dish, Faq, Instruction, ItemKind, Service};

/// What a cell holds.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    Text,
    /// Several texts with semicolons between them.
    List,
    Amount,
    /// A whole number that is not negative.
    Number,
    YesNo,
    Date,
    /// Names of other things with semicolons between them.
    Names(ItemKind),
    /// The name of one other thing.
    Name(ItemKind),
    /// One of some words, each with what Spanish speakers call it.
    OneOf(&'static [(&'static str, &'static str)]),
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
    /// What a row must say of something new. A field inside another must be there when that is.
    const REQUIRED: &'static [&'static str];

    /// Whether a row may name other things.
    #[must_use]
    fn names_others() -> bool {
        let names = |column: &Column| matches!(column.cell, Cell::Names(_) | Cell::Name(_));
        Self::COLUMNS.iter().any(names)
    }
}

impl Tabular for Service {
    const REQUIRED: &'static [&'static str] = &["name", "promotion.text"];
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
    const REQUIRED: &'static [&'static str] = &["name", "price"];
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
    const REQUIRED: &'static [&'static str] = &["question", "answer"];
    const COLUMNS: &'static [Column] = &[
        column("question", "pregunta", Cell::Text),
        column("answer", "respuesta", Cell::Text),
        column("category", "categoría", Cell::Text),
        column("tags", "etiquetas", Cell::List),
        column("active", "activo", Cell::YesNo),
    ];
}

impl Tabular for Instruction {
    const REQUIRED: &'static [&'static str] = &["title", "type", "content"];
    const COLUMNS: &'static [Column] = &[
        column("title", "título", Cell::Text),
        column(
            "type",
            "tipo",
            Cell::OneOf(&[
                ("behavior", "comportamiento"),
                ("rule", "regla"),
                ("restriction", "restricción"),
                ("tone", "tono"),
            ]),
        ),
        column("content", "contenido", Cell::Text),
        column("priority", "prioridad", Cell::Number),
        column("branch_id", "sucursal", Cell::Name(ItemKind::Branch)),
        column("include_in_prompt", "en el prompt", Cell::YesNo),
        column("active", "activo", Cell::YesNo),
    ];
}
