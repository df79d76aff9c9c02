//! What is not sold at one branch and is at another.

use super::refusals::refused;
use quipu_commerce::business::{Branch, Dish, Item};
use quipu_commerce::money::Currency;
use quipu_commerce::ordering::{AskedItem, ItemReference, Line, Menu, match_item};
use quipu_core::{BranchId, Error, Result};
use quipu_store::TenantTx;
use serde_json::json;

/// The refusal for the first thing that nothing on the menu of the branch fits and that other
/// branches sell; `None` when there is no such thing.
pub(super) async fn elsewhere(
    tx: &TenantTx,
    here: Option<&Item<Branch>>,
    dishes: &[Item<Dish>],
    currency: Currency,
    lines: &[Line],
) -> Result<Option<Error>> {
    let Some(here) = here else {
        return Ok(None);
    };
    let id = BranchId::from_uuid(here.id);
    let away = |dish: &&Item<Dish>| dish.data.active && !dish.data.is_sold_at(id);
    let menu = Menu {
        currency,
        items: dishes
            .iter()
            .filter(away)
            .map(|dish| dish.data.menu_item(dish.id))
            .collect(),
    };
    let Some(found) = lines.iter().find_map(|line| named(line, &menu)) else {
        return Ok(None);
    };
    let mut branches = tx.catalogue().all::<Branch>().await?;
    let dish = dishes.iter().find(|dish| dish.id.to_string() == found.id);
    branches.retain(|branch| {
        let there = BranchId::from_uuid(branch.id);
        branch.data.active && dish.is_some_and(|dish| dish.data.is_sold_at(there))
    });
    if branches.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = branches.iter().map(|it| it.data.name.as_str()).collect();
    let (names, name, here) = (names.join(", "), found.name, &here.data.name);
    let listed: Vec<_> = branches
        .iter()
        .map(|branch| json!({ "id": branch.id, "name": branch.data.name }))
        .collect();
    let es = format!("{name} no se vende en {here}; sí en {names}");
    let en = format!("{name} is not sold at {here}, but it is at {names}");
    Ok(Some(
        refused("not_at_branch", es, en).with("branches", listed),
    ))
}

/// The thing on a menu that a line names which was not understood.
fn named(line: &Line, menu: &Menu) -> Option<ItemReference> {
    let Line::Unknown { said, .. } = line else {
        return None;
    };
    let asked = AskedItem {
        name: said.clone(),
        ..AskedItem::default()
    };
    match match_item(&asked, menu) {
        Line::Matched(line) => Some(line.item),
        Line::Unavailable { item, .. } | Line::MissingOption { item, .. } => Some(item),
        _ => None,
    }
}
