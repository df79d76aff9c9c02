//! What orders come to, whatever is ordered.

use crate::harness::{Shop, add_item, amount, put_profile};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_app::orders::{self, PlaceOrder, Taker};
use quipu_commerce::business::DeliveryZone;
use quipu_commerce::loyalty::{Redemption, RedemptionStatus};
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::order::OrderType;
use quipu_commerce::ordering::{AskedItem, Discount};
use quipu_core::RedemptionId;
use quipu_testkit::sqlite_test;
use serde_json::json;
use uuid::Uuid;

const NAMES: [&str; 3] = ["Taco al pastor", "Coca-Cola", "Agua de jamaica"];
const PRICES: [i64; 3] = [1500, 1250, 1000];
const FEE: i64 = 735;

/// What is ordered: which things and how many, what is taken off, and whether it is brought.
type Wish = (Vec<(usize, i64)>, Option<Discount>, bool);

fn wishes() -> impl Strategy<Value = Wish> {
    let money = |minor| Money::new(minor, Currency::Pen);
    let discount = prop_oneof![
        Just(None),
        Just(Some(Discount::None)),
        (0..200_000_i64).prop_map(move |minor| Some(Discount::Amount {
            amount: money(minor)
        })),
        (0..150_u32).prop_map(|percent| Some(Discount::Percent { percent })),
    ];
    let items = prop::collection::vec((0..3_usize, 1..100_i64), 1..8);
    (items, discount, any::<bool>())
}

sqlite_test! {
    async fn a_total_is_its_lines_less_the_discount_plus_the_fee(db) {
        let shop = Shop::open(db).await;
        put_profile(&shop.app, &shop.tenant, |profile| profile.orders.delivery = true).await;
        let zone = json!({ "name": "Condesa", "fee": amount(FEE) });
        let zone: DeliveryZone = serde_json::from_value(zone).unwrap();
        add_item(&shop.app, &shop.tenant, &zone).await;
        let mut runner = TestRunner::deterministic();
        for case in 0..30_u8 {
            let (items, discount, brought) = wishes().new_tree(&mut runner).unwrap().current();
            let tx = shop.app.app.store.begin(shop.scope()).await.unwrap();
            let code = format!("CCCC-{case:04}");
            if let Some(discount) = discount {
                let redemption = Redemption {
                    id: RedemptionId::generate(tx.now()),
                    lead_id: shop.lead,
                    reward_id: Uuid::now_v7(),
                    reward_name: "Azar".to_owned(),
                    tokens: 1,
                    discount,
                    code: code.clone(),
                    status: RedemptionStatus::Issued,
                    order_id: None,
                    expires_at: None,
                    created_at: tx.now(),
                    updated_at: tx.now(),
                };
                tx.redemptions().insert(&redemption).await.unwrap();
            }
            let asked = |(which, quantity): &(usize, i64)| AskedItem {
                name: NAMES[*which].to_owned(),
                quantity: Some(*quantity),
                ..AskedItem::default()
            };
            let input = PlaceOrder {
                items: Some(items.iter().map(asked).collect()),
                order_type: Some(if brought { OrderType::Delivery } else { OrderType::Pickup }),
                delivery_address: brought.then(|| "Condesa".to_owned()),
                redemption_code: discount.map(|_| code),
                lead_id: Some(shop.lead),
                ..PlaceOrder::default()
            };
            let taker = Taker { actor: "test", agent: None };
            let order = orders::create_in(&tx, taker, &input).await.unwrap();
            tx.commit().await.unwrap();

            let told = format!("{items:?} {discount:?} {brought}");
            let sum: i64 = items.iter().map(|(which, count)| PRICES[*which] * count).sum();
            let lines = order.lines.iter().map(|line| line.amount().unwrap().minor);
            assert_eq!(lines.sum::<i64>(), sum, "{told}");
            let off = match discount {
                None | Some(Discount::None) => 0,
                Some(Discount::Amount { amount }) => amount.minor.min(sum),
                // Rounded half up, and never more than all of it.
                Some(Discount::Percent { percent }) => (sum * i64::from(percent.min(100)) + 50) / 100,
            };
            let fee = if brought { FEE } else { 0 };
            let totals = order.totals;
            assert_eq!(
                [totals.subtotal, totals.discount, totals.delivery, totals.total].map(|sum| sum.minor),
                [sum, off, fee, sum - off + fee],
                "{told}"
            );
            assert!(totals.total.minor >= 0);
        }
    }
}
