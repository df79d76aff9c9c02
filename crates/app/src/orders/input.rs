//! What is asked for, checked as far as that goes without looking anything up.

use quipu_commerce::order::OrderType;
use quipu_commerce::ordering::AskedItem;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{BranchId, ConversationId, LeadId, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MOST_ITEMS: usize = 50;
const LONGEST_TEXT: usize = 2_000;
/// More than this is not kept of a line.
const MOST_NOTES: usize = 8;
const LONGEST_NOTE: usize = 200;
const MOST_OPTIONS: usize = 20;
const LONGEST_NAME: usize = 200;
const LONGEST_ADDRESS: usize = 500;
const LONGEST_ORDER_NOTES: usize = 1_000;

/// What somebody wants, either thing by thing or in their own words.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlaceOrder {
    #[schema(min_items = 1, max_items = 50)]
    pub items: Option<Vec<AskedItem>>,
    /// In the customer's words, in the place of the items.
    #[schema(
        min_length = 1,
        max_length = 2000,
        example = "dos de pastor y una coca"
    )]
    pub text: Option<String>,
    /// Where the business offers one kind only, it is that one.
    pub order_type: Option<OrderType>,
    /// Needed where there are several.
    pub branch_id: Option<BranchId>,
    #[schema(min_length = 1, max_length = 500)]
    pub delivery_address: Option<String>,
    /// When it is wanted, in the time of the branch or as an instant; as soon as possible when
    /// absent.
    #[schema(max_length = 64, example = "2026-07-28T19:30")]
    pub scheduled_for: Option<String>,
    #[schema(min_length = 1, max_length = 120)]
    pub payment_method: Option<String>,
    /// Of a reward that is to be applied. It is used for the lead whose it is, who must be named.
    #[schema(min_length = 1, max_length = 40, example = "K7QF-3M9D")]
    pub redemption_code: Option<String>,
    pub lead_id: Option<LeadId>,
    pub conversation_id: Option<ConversationId>,
    #[schema(min_length = 1, max_length = 120)]
    pub customer_name: Option<String>,
    #[schema(min_length = 1, max_length = 1000)]
    pub notes: Option<String>,
}

/// The texts of it, trimmed.
pub(super) struct Checked {
    pub(super) delivery_address: Option<String>,
    pub(super) payment_method: Option<String>,
    pub(super) customer_name: Option<String>,
    pub(super) notes: Option<String>,
}

pub(super) fn check(input: &PlaceOrder) -> Result<Checked> {
    let mut checks = Checks::new();
    if input.items.is_some() == input.text.is_some() {
        let fields = "items, text".to_owned();
        checks.problem("items", Problem::OneOf { fields });
    }
    if let Some(text) = &input.text {
        checks.text("text", text, LONGEST_TEXT);
    }
    if let Some(items) = &input.items {
        check_items(&mut checks, items);
    }
    let line = |checks: &mut Checks, field, text: &Option<String>, longest| {
        checks.optional_line(field, text.as_deref(), longest)
    };
    line(&mut checks, "redemption_code", &input.redemption_code, 40);
    line(&mut checks, "scheduled_for", &input.scheduled_for, 64);
    // The address may be written over several lines.
    let lines = |checks: &mut Checks, field, text: &Option<String>, longest| {
        let text = text.as_deref();
        text.map(|text| checks.lines(field, text, longest))
    };
    let address = &input.delivery_address;
    let checked = Checked {
        delivery_address: lines(&mut checks, "delivery_address", address, LONGEST_ADDRESS),
        payment_method: line(&mut checks, "payment_method", &input.payment_method, 120),
        customer_name: line(&mut checks, "customer_name", &input.customer_name, 120),
        notes: lines(&mut checks, "notes", &input.notes, LONGEST_ORDER_NOTES),
    };
    checks.finish()?;
    Ok(checked)
}

fn check_items(checks: &mut Checks, items: &[AskedItem]) {
    if items.is_empty() {
        checks.problem("items", Problem::Empty);
    }
    few(checks, "items", items.len(), MOST_ITEMS);
    for (at, item) in items.iter().take(MOST_ITEMS).enumerate() {
        checks.line(&format!("items[{at}].name"), &item.name, LONGEST_NAME);
        for (field, texts, most) in [
            ("notes", &item.notes, MOST_NOTES),
            ("options", &item.options, MOST_OPTIONS),
        ] {
            let field = format!("items[{at}].{field}");
            few(checks, &field, texts.len(), most);
            for (at, text) in texts.iter().take(most).enumerate() {
                checks.text(&format!("{field}[{at}]"), text, LONGEST_NOTE);
            }
        }
    }
}

fn few(checks: &mut Checks, field: &str, count: usize, max: usize) {
    if count > max {
        checks.problem(field, Problem::TooMany { max });
    }
}
