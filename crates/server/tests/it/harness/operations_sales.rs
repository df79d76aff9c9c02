//! Those of loyalty, orders and invoice requests.

use super::operations::Needs;
use quipu_core::access::Permission::{BusinessRead, BusinessWrite, CustomersRead, CustomersWrite};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn table(name: &str) -> Vec<(&'static str, Needs, Option<Value>)> {
    let may = Needs::Permission;
    let nothing = uuid::Uuid::now_v7();
    let order = json!({ "items": [{ "name": "pastor", "quantity": 2 }], "order_type": "pickup" });
    let resolution = json!({ "resolution": name });
    let programme = super::programme(name);
    vec![
        ("get_loyalty_programme", may(BusinessRead), None),
        ("put_loyalty_programme", may(BusinessWrite), Some(programme)),
        ("get_lead_loyalty", may(CustomersRead), None),
        ("list_loyalty_transactions", may(CustomersRead), None),
        ("adjust_tokens", may(BusinessWrite), Some(json!({ "tokens": 5, "reason": name }))),
        ("redeem_reward", may(CustomersWrite), Some(json!({ "reward_id": nothing }))),
        ("list_redemptions", may(CustomersRead), None),
        ("cancel_redemption", may(CustomersWrite), None),
        ("quote_order", may(CustomersRead), Some(order.clone())),
        ("create_order", may(CustomersWrite), Some(order)),
        ("list_orders", may(CustomersRead), None),
        ("get_order", may(CustomersRead), None),
        ("change_order_status", may(CustomersWrite), Some(json!({ "status": "preparing" }))),
        ("cancel_order", may(CustomersWrite), Some(json!({ "reason": name }))),
        ("create_invoice_request", may(CustomersWrite), Some(json!({
            "folio": format!("{name}-{nothing}"), "rfc": "EKU9003173C9", "name": name,
            "tax_regime": "601", "cfdi_use": "G03", "email": format!("{name}@quipu.test"),
        }))),
        ("list_invoice_requests", may(CustomersRead), None),
        ("get_invoice_request", may(CustomersRead), None),
        ("complete_invoice_request", may(CustomersWrite), Some(resolution.clone())),
        ("reject_invoice_request", may(CustomersWrite), Some(resolution)),
    ]
}
