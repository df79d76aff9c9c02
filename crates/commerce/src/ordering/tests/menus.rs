use super::*;

fn problems(menu: &Menu) -> Vec<String> {
    let mut checks = Checks::new();
    menu.check(&mut checks);
    let Err(error) = checks.finish() else {
        return Vec::new();
    };
    let fields = error.details()["fields"].as_array().unwrap().iter();
    fields
        .map(|field| field["field"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_menu_within_bounds_is_right() {
    assert_eq!(problems(&menu()), [""; 0]);
}

#[test]
fn each_wrong_field_is_named() {
    let change = |change: &dyn Fn(&mut MenuItem)| {
        let mut menu = menu();
        change(&mut menu.items[0]);
        problems(&menu)
    };
    assert_eq!(change(&|item| item.id = "t2".into()), ["items[1].id"]);
    assert_eq!(change(&|item| item.name = " ".into()), ["items[0].name"]);
    assert_eq!(
        change(&|item| item.aliases = vec!["a".into(); 11]),
        ["items[0].aliases"]
    );
    assert_eq!(
        change(&|item| item.price = pesos(-1)),
        ["items[0].price.amount"]
    );
    assert_eq!(
        change(&|item| item.price.currency = Currency::Pen),
        ["items[0].price.currency"]
    );
    assert_eq!(
        change(&|item| item.options[0].max = 4),
        ["items[0].options[0].max"]
    );
    assert_eq!(
        change(&|item| item.options[0].min = 3),
        ["items[0].options[0].min"]
    );
    assert_eq!(
        change(&|item| item.options[0].choices[1].name = String::new()),
        ["items[0].options[0].choices[1].name"]
    );
    assert_eq!(
        change(&|item| item.options = vec![size(); 11]),
        ["items[0].options"]
    );
}

#[test]
fn few_fields_make_an_item() {
    let item: MenuItem = serde_json::from_value(serde_json::json!({
        "id": "1", "name": "Taco", "price": { "amount": 2000, "currency": "MXN" },
    }))
    .unwrap();
    assert!(item.available && item.options.is_empty() && item.category.is_none());
}

#[test]
fn a_group_that_is_not_required_may_be_left_out_but_not_half_filled() {
    let mut menu = menu();
    menu.items[0].options[0].min = 2;
    let read = |text| short(&read_order(text, &menu)[0]);
    assert_eq!(read("taco al pastor"), "1 t1");
    assert_eq!(read("taco al pastor con queso"), "1 t1 Extras?");
    assert_eq!(read("taco al pastor con queso y piña"), "1 t1 +Queso +Piña");
}

#[test]
fn a_choice_that_cannot_be_had_is_asked_for_again() {
    let mut menu = menu();
    let agua = menu.items.iter_mut().find(|item| item.id == "a1").unwrap();
    agua.options[0].choices[1].available = false;
    let Line::MissingOption { choices, .. } = &read_order("horchata grande", &menu)[0] else {
        panic!("there is none");
    };
    assert_eq!(choices, &["Chica"]);
}
