//! What the cells of a table call other things.

use quipu_commerce::business::{Branch, ItemKind, Staff, name_key};
use quipu_core::Result;
use quipu_store::TenantTx;
use uuid::Uuid;

/// The names of what other things refer to.
pub(super) struct Names(Vec<(ItemKind, Uuid, String)>);

impl Names {
    pub(super) async fn load(tx: &TenantTx) -> Result<Self> {
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

    pub(super) fn id(&self, kind: ItemKind, name: &str) -> Option<Uuid> {
        let wanted = name_key(name);
        let is =
            |entry: &&(ItemKind, Uuid, String)| entry.0 == kind && name_key(&entry.2) == wanted;
        self.0.iter().find(is).map(|(_, id, _)| *id)
    }

    pub(super) fn name(&self, id: &str) -> Option<&str> {
        let is = |entry: &&(ItemKind, Uuid, String)| entry.1.to_string() == id;
        self.0.iter().find(is).map(|(_, _, name)| name.as_str())
    }

    pub(super) fn holds(&self, kind: ItemKind, id: Uuid) -> bool {
        self.0.iter().any(|entry| entry.0 == kind && entry.1 == id)
    }
}
