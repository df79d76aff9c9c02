use super::*;
use proptest::prelude::*;

fn any_currency() -> impl Strategy<Value = Currency> {
    proptest::sample::select(Currency::ALL)
}

/// Texts made of what tickets are made of, in any order.
fn any_ticket() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(vec![
        "TOTAL",
        "SUBTOTAL",
        "SUB",
        "IVA",
        "16%",
        "%",
        "EFECTIVO",
        "CAMBIO",
        "$",
        "S/",
        "€",
        "12.50",
        "1,234.00",
        "1.500",
        "2",
        "x",
        "PZA",
        "TACO",
        "DE",
        "RFC",
        "EKU9003173C9",
        "XAXX010101000",
        "FOLIO",
        "NO.",
        "A-001",
        "B",
        "12/03/2026",
        "12",
        "MARZO",
        "2026",
        ":",
        "#",
        ".50",
        "12.",
        "-5.00",
        "l",
        "O",
        "S12.50",
        "99999999999999999.99",
        "92233720368547758.07",
        "S.A.",
        "C.V.",
        "ñ",
        "👨‍👩‍👧",
        "İ",
        "\u{301}",
    ]);
    let separator = proptest::sample::select(vec![" ", "\n", "", "  ", "\r\n", "\u{c}"]);
    let pieces = proptest::collection::vec((part, separator), 0..60);
    pieces.prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(part, after)| [part, after])
            .collect()
    })
}

fn confidences(receipt: &Receipt) -> Vec<f32> {
    let texts = [&receipt.issuer, &receipt.rfc, &receipt.folio];
    let sums = [&receipt.subtotal, &receipt.tax, &receipt.total];
    let texts = texts.into_iter().flatten().map(|field| field.confidence);
    let sums = sums.into_iter().flatten().map(|field| field.confidence);
    let date = receipt.date.iter().map(|field| field.confidence);
    let items = receipt.items.iter().map(|item| item.confidence);
    texts.chain(sums).chain(date).chain(items).collect()
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "(\\PC|\\n){0,300}", currency in any_currency()) {
        let receipt = read(&text, currency);
        for confidence in confidences(&receipt) {
            prop_assert!((0.0..=1.0).contains(&confidence), "{confidence}");
        }
        let _ = folio_key(&text);
    }

    #[test]
    fn no_ticket_is_too_strange(text in any_ticket(), currency in any_currency()) {
        let receipt = read(&text, currency);
        for confidence in confidences(&receipt) {
            prop_assert!((0.0..=1.0).contains(&confidence), "{confidence}");
        }
        for item in &receipt.items {
            prop_assert!(!item.description.is_empty());
            prop_assert_eq!(item.amount.currency, currency);
        }
    }

    #[test]
    fn a_printed_total_is_read_as_it_is(minor in 0_i64..100_000_000, currency in any_currency()) {
        let money = Money::new(minor, currency);
        let text = format!("TIENDA\nTOTAL {}", money.format(quipu_core::language::Language::Es));
        prop_assert_eq!(read(&text, currency).total.map(|total| total.value), Some(money));
    }

    #[test]
    fn the_total_of_other_lines_is_not_invented(text in any_ticket()) {
        let without = text.replace("TOTAL", "TACO");
        prop_assert_eq!(read(&without, Currency::Mxn).total, None);
    }

    #[test]
    fn a_key_is_its_own_key(folio in "[A-Za-z0-9 \\-/#.]{0,30}") {
        let key = folio_key(&folio);
        prop_assert_eq!(folio_key(&key), key);
    }

    #[test]
    fn case_and_spaces_never_matter(folio in "[A-Z]{0,2}[0-9]{1,8}(-[0-9]{1,4})?") {
        let spaced: String = folio.chars().flat_map(|c| [' ', c]).collect();
        prop_assert_eq!(folio_key(&spaced.to_lowercase()), folio_key(&folio));
    }
}

#[test]
fn sizes_are_bounded() {
    let long = format!("{}\nTOTAL 116.00", "x".repeat(MAX_CHARS));
    assert_eq!(read(&long, Currency::Mxn).total, None);
    let tall = format!("{}TOTAL 116.00", "a\n".repeat(MAX_LINES));
    assert_eq!(read(&tall, Currency::Mxn).total, None);
    let many = "TACO 1.00\n".repeat(MAX_RECEIPT_ITEMS + 50);
    assert_eq!(read(&many, Currency::Mxn).items.len(), MAX_RECEIPT_ITEMS);
    let wide = read(&format!("{} 1.00", "TACO ".repeat(40)), Currency::Mxn);
    assert!(wide.items[0].description.chars().count() <= 120);
}

/// A second that doubles with every line would not end here.
#[test]
fn no_repetition_is_too_much() {
    for part in [
        "1 ",
        "1.00 ",
        "TOTAL ",
        "EKU900317",
        "a b ",
        "TOTAL 1.00\n",
        "IVA\n",
        "1.00\n",
        "12/",
        "folio ",
    ] {
        let text = part.repeat(MAX_CHARS / part.len());
        let receipt = read(&text, Currency::Mxn);
        assert!(receipt.items.len() <= MAX_RECEIPT_ITEMS);
    }
}

#[test]
fn it_travels_as_json() {
    let receipt = read(
        "TIENDA\nFolio 123\n12/03/2026\nTACO 10.00\nTOTAL 10.00",
        Currency::Mxn,
    );
    let written = serde_json::to_value(&receipt).unwrap();
    assert_eq!(written["total"]["value"]["amount"], 1000);
    assert_eq!(written["date"]["value"], "2026-03-12");
    assert_eq!(written["tax"], serde_json::Value::Null);
    assert_eq!(serde_json::from_value::<Receipt>(written).unwrap(), receipt);
}
