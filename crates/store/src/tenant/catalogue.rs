use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::catalogue_item;
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_commerce::business::{CatalogueItem, Item, ItemKind, name_key};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Set,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// What a business offers and has to say. Every kind of thing is kept the same way.
pub struct Catalogue<'a>(pub(crate) &'a TenantTx);

/// How often a model was told something because it mattered for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub id: Uuid,
    pub count: u64,
    pub last: Option<Timestamp>,
}

impl Catalogue<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the name is taken.
    pub async fn insert<T: CatalogueItem>(&self, item: &T) -> Result<Uuid> {
        let id = quipu_core::BranchId::generate(self.0.now()).uuid();
        let now = self.0.db_now();
        catalogue_item::ActiveModel {
            id: Set(id),
            tenant_id: Set(self.0.uuid()),
            kind: Set(T::KIND.as_str().to_owned()),
            name_key: Set(name_key(item.name())),
            position: Set(item.position()),
            active: Set(item.active()),
            data: Set(serde_json::to_value(item).map_err(Error::internal)?),
            told: Set(0),
            told_at: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(|error| name_taken(error, T::KIND))?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find<T: CatalogueItem>(&self, id: Uuid) -> Result<Option<Item<T>>> {
        let row = self
            .of_kind(T::KIND)
            .filter(catalogue_item::Column::Id.eq(id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(item).transpose()
    }

    /// Those of these that are there, by their id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn some<T: CatalogueItem>(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Item<T>>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = self
            .of_kind(T::KIND)
            .filter(catalogue_item::Column::Id.is_in(ids.iter().copied()))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter()
            .map(|row| Ok((row.id, item(row)?)))
            .collect()
    }

    /// Counts that a model was told these because they mattered for a message. Returns how many
    /// there are.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn count_told(&self, kind: ItemKind, ids: &[Uuid]) -> Result<u64> {
        use catalogue_item::Column;
        if ids.is_empty() {
            return Ok(0);
        }
        // Taken in one order, so that nobody waits in a circle.
        self.lock(ids).await?;
        let done = self
            .0
            .update::<catalogue_item::Entity>()
            .filter(Column::Kind.eq(kind.as_str()))
            .filter(Column::Id.is_in(ids.iter().copied()))
            .col_expr(Column::Told, Expr::col(Column::Told).add(1_i64))
            .col_expr(Column::ToldAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// How often each thing of a kind was told, those that were, the most often told first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn told(&self, kind: ItemKind) -> Result<Vec<Told>> {
        use catalogue_item::Column;
        let rows = self
            .of_kind(kind)
            .filter(Column::Told.gt(0))
            .order_by_desc(Column::Told)
            .order_by_asc(Column::Id)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let told = rows.into_iter().map(|row| Told {
            id: row.id,
            count: u64::try_from(row.told).unwrap_or(0),
            last: row.told_at.map(from_db),
        });
        Ok(told.collect())
    }

    /// The thing with this name, however it is written.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_name<T: CatalogueItem>(&self, name: &str) -> Result<Option<Item<T>>> {
        let row = self
            .of_kind(T::KIND)
            .filter(catalogue_item::Column::NameKey.eq(name_key(name)))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(item).transpose()
    }

    /// The things with these [keys of names](name_key), by that key.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn named<T: CatalogueItem>(
        &self,
        keys: &[String],
    ) -> Result<HashMap<String, Item<T>>> {
        let rows = self
            .of_kind(T::KIND)
            .filter(catalogue_item::Column::NameKey.is_in(keys))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let keyed = rows
            .into_iter()
            .map(|row| (row.name_key.clone(), item(row)));
        keyed.map(|(key, item)| Ok((key, item?))).collect()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list<T: CatalogueItem>(
        &self,
        active: Option<bool>,
        page: PageRequest,
    ) -> Result<Page<Item<T>>> {
        let mut select = self.of_kind(T::KIND);
        if let Some(active) = active {
            select = select.filter(catalogue_item::Column::Active.eq(active));
        }
        let rows = newest_first(select, catalogue_item::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let items = rows.into_iter().map(item).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(items, page, |item| item.id))
    }

    /// All of a kind in their order. There are never more than [`ItemKind::most`].
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn all<T: CatalogueItem>(&self) -> Result<Vec<Item<T>>> {
        let read = async {
            let rows = self
                .of_kind(T::KIND)
                .order_by_asc(catalogue_item::Column::Position)
                .order_by_asc(catalogue_item::Column::NameKey)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            rows.into_iter().map(item).collect::<Result<Vec<Item<T>>>>()
        };
        let all = self.0.kept(T::KIND.as_str().to_owned(), read).await?;
        Ok(Vec::clone(&all))
    }

    /// Which of these are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn existing(&self, kind: ItemKind, ids: &[Uuid]) -> Result<HashSet<Uuid>> {
        if ids.is_empty() {
            return Ok(HashSet::new());
        }
        let found: Vec<Uuid> = self
            .of_kind(kind)
            .filter(catalogue_item::Column::Id.is_in(ids.iter().copied()))
            .select_only()
            .column(catalogue_item::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found.into_iter().collect())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, kind: ItemKind) -> Result<u64> {
        self.of_kind(kind).count(&self.0.tx).await.map_err(db)
    }

    /// Returns whether the thing exists.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` when the new name is taken.
    pub async fn update<T: CatalogueItem>(&self, id: Uuid, item: &T) -> Result<bool> {
        use catalogue_item::Column;
        let data = serde_json::to_value(item).map_err(Error::internal)?;
        let done = self
            .0
            .update::<catalogue_item::Entity>()
            .filter(Column::Kind.eq(T::KIND.as_str()))
            .filter(Column::Id.eq(id))
            .col_expr(Column::NameKey, Expr::value(name_key(item.name())))
            .col_expr(Column::Position, Expr::value(item.position()))
            .col_expr(Column::Active, Expr::value(item.active()))
            .col_expr(Column::Data, Expr::value(data))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(|error| name_taken(error, T::KIND))?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kind: ItemKind, id: Uuid) -> Result<bool> {
        let done = self
            .0
            .delete::<catalogue_item::Entity>()
            .filter(catalogue_item::Column::Kind.eq(kind.as_str()))
            .filter(catalogue_item::Column::Id.eq(id))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Keeps others from booking, changing or deleting these things until the transaction ends.
    /// They are taken in one order, so that nobody waits in a circle. Returns how many there are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, ids: &[Uuid]) -> Result<usize> {
        let mut select = self
            .0
            .find::<catalogue_item::Entity>()
            .filter(catalogue_item::Column::Id.is_in(ids.iter().copied()))
            .order_by_asc(catalogue_item::Column::Id)
            .select_only()
            .column(catalogue_item::Column::Id);
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let found: Vec<Uuid> = select.into_tuple().all(&self.0.tx).await.map_err(db)?;
        Ok(found.len())
    }

    fn of_kind(&self, kind: ItemKind) -> sea_orm::Select<catalogue_item::Entity> {
        self.0
            .find::<catalogue_item::Entity>()
            .filter(catalogue_item::Column::Kind.eq(kind.as_str()))
    }
}

fn item<T: CatalogueItem>(row: catalogue_item::Model) -> Result<Item<T>> {
    let data: T = serde_json::from_value(row.data).map_err(Error::internal)?;
    Ok(Item {
        id: row.id,
        warnings: data.warnings(),
        data,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}

fn name_taken(error: DbErr, kind: ItemKind) -> Error {
    let columns = "catalogue_items.tenant_id, catalogue_items.kind, catalogue_items.name_key";
    if violates(&error, "catalogue_items_name_key", columns) {
        return Error::already_exists(kind.as_str(), "name");
    }
    db(error)
}
