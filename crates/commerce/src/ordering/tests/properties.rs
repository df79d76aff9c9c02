use super::*;
use proptest::prelude::*;
use quipu_core::text::fold;
use std::collections::HashSet;

const CASES: u32 = 96;

/// Names of one to four words, among them words that mean something else in a sentence.
fn name() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        5 => "[a-zñáéíó]{3,9}",
        1 => proptest::sample::select(vec![
            "taco", "tacos", "coca", "cola", "grande", "queso", "2", "600", "ml", "combo",
        ]).prop_map(str::to_owned),
    ];
    let joint = proptest::sample::select(vec!["", "", "", "de", "al", "con", "y", "sin", "dos"]);
    proptest::collection::vec((word, joint), 1..4).prop_map(|words| {
        let mut name = Vec::new();
        for (at, (word, joint)) in words.iter().enumerate() {
            if at > 0 && !joint.is_empty() {
                name.push(*joint);
            }
            name.push(word);
        }
        name.join(" ")
    })
}

fn random_menu() -> impl Strategy<Value = Menu> {
    proptest::collection::vec(name(), 1..12).prop_map(|names| {
        let mut seen = HashSet::new();
        // A name that is a number by itself cannot be told from one.
        let is_name = |name: &String| name.chars().any(char::is_alphabetic);
        let distinct = names.into_iter().filter(is_name);
        let distinct = distinct.filter(|name| seen.insert(fold(name).replace(' ', "")));
        let items = distinct.enumerate();
        Menu {
            currency: Currency::Mxn,
            items: items
                .map(|(at, name)| item(&format!("id{at}"), &name, "", 1))
                .collect(),
        }
    })
}

proptest! {
    // Each case reads dozens of orders.
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn each_thing_is_found_by_its_name(menu in random_menu(), count in 1_u32..=99) {
        for item in &menu.items {
            for text in [format!("{count} de {}", item.name), format!("{count} {}", item.name)] {
                // "2 taco" is what the menu calls so before it is two of anything.
                if menu.items.iter().any(|other| fold(&other.name) == fold(&text)) {
                    continue;
                }
                let lines = read_order(&text, &menu);
                let found: Vec<_> = lines
                    .iter()
                    .map(|line| line.matched().map(|line| (line.item.id.as_str(), line.quantity)))
                    .collect();
                prop_assert_eq!(found, [Some((item.id.as_str(), count))], "{}: {:?}", text, menu);
            }
            let asked = AskedItem { name: item.name.clone(), ..AskedItem::default() };
            let line = match_item(&asked, &menu);
            prop_assert_eq!(line.matched().map(|line| &line.item.id), Some(&item.id));
        }
    }

    #[test]
    fn an_order_of_all_things_is_read_in_order(menu in random_menu()) {
        let wanted: Vec<String> = menu.items.iter().map(|item| format!("3 {}", item.name)).collect();
        let lines = read_order(&wanted.join("\n"), &menu);
        let found: Vec<_> = lines.iter().filter_map(Line::matched).map(|l| &l.item.id).collect();
        let ids: Vec<_> = menu.items.iter().map(|item| &item.id).collect();
        prop_assert_eq!(found, ids);
    }

}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,200}", other in "[\\PC\\n]{0,40}") {
        let mut menu = menu();
        let lines = read_order(&text, &menu);
        prop_assert!(lines.len() <= 50);
        for line in &lines {
            let _ = line.question(quipu_core::language::Language::Es);
        }
        let _ = match_item(&AskedItem { name: text.clone(), ..AskedItem::default() }, &menu);
        let zone = Zone {
            name: other.clone(), aliases: vec![text.clone()], fee: pesos(1), minimum: None,
            minutes: None,
        };
        let _ = zone_for(&text, &[zone]);
        menu.items[0].name = other;
        menu.items[1].aliases = vec![text.clone()];
        let _ = read_order(&text, &menu);
    }

    #[test]
    fn words_of_orders_in_any_order_are_read(
        words in proptest::collection::vec(proptest::sample::select(vec![
            "2", "dos", "x3", "-1", "0", "tacos", "de", "pastor", "y", "coca", "sin", "con",
            "queso", ",", ":", "\n", "(", ")", "grande", "horchata", "por", "favor", "media",
            "docena", "600", "ml", "1/2", "otra", "combo", "quesadilla",
        ]), 0..30),
    ) {
        let lines = read_order(&words.join(" "), &menu());
        for line in &lines {
            if let Line::Matched(line) = line {
                prop_assert!((1..=MAX_QUANTITY).contains(&line.quantity));
            }
            if let Line::Ambiguous { candidates, .. } = line {
                prop_assert!((1..=5).contains(&candidates.len()));
            }
            prop_assert_eq!(line.question(quipu_core::language::Language::En).is_none(), line.matched().is_some());
        }
    }

    #[test]
    fn totals_are_the_sum_of_the_lines(
        lines in proptest::collection::vec((1_u32..=99, 0_i64..1_000_000, 0_i64..1_000), 0..20),
        fee in 0_i64..10_000,
        off in 0_i64..10_000_000,
        percent in 0_u32..200,
    ) {
        let money = |minor| Money::new(minor, Currency::Mxn);
        let order: Vec<OrderLine> = lines
            .iter()
            .map(|(quantity, price, extra)| OrderLine {
                item: ItemReference { id: "1".into(), name: "Taco".into() },
                quantity: *quantity,
                price: money(*price),
                options: vec![ChosenOption {
                    group: "Extras".into(), choice: "Queso".into(), extra: money(*extra),
                }],
                notes: Vec::new(),
            })
            .collect();
        let sum: i64 = lines.iter().map(|(n, price, extra)| i64::from(*n) * (price + extra)).sum();
        for discount in [
            Discount::None,
            Discount::Amount { amount: money(off) },
            Discount::Percent { percent },
        ] {
            let totals = total(&order, money(fee), discount).unwrap();
            prop_assert_eq!(totals.subtotal, money(sum));
            prop_assert!((0..=sum).contains(&totals.discount.minor));
            prop_assert_eq!(totals.total.minor, sum - totals.discount.minor + fee);
            prop_assert!(totals.total.minor >= fee);
        }
    }
}
