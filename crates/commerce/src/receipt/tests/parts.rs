use super::*;
use crate::money::Currency::{Cop, Mxn};

fn total(text: &str) -> Option<i64> {
    minor(read(text, Mxn).total.as_ref())
}

#[test]
fn only_a_total_is_a_total() {
    for (line, amount) in [
        ("TOTAL 116.00", Some(11_600)),
        ("Total: $116", Some(11_600)),
        ("TOTAL$116.00", Some(11_600)),
        ("TOTAL 116", Some(11_600)),
        ("TOTAL MXN 116.00", Some(11_600)),
        ("TOTAL A PAGAR $ 116.00 M.N.", Some(11_600)),
        ("GRAN TOTAL 116.00", Some(11_600)),
        ("TOTAL CON IVA 116.00", Some(11_600)),
        ("NETO A PAGAR 116.00", Some(11_600)),
        ("116.00 TOTAL", Some(11_600)),
        ("T0TAl S116.00", Some(11_600)),
        ("LOTAL 116.00", Some(11_600)),
        ("SUBTOTAL 116.00", None),
        ("SUB TOTAL 116.00", None),
        ("TOTAL ARTICULOS 3", None),
        ("TOTAL DE PIEZAS 3.00", None),
        ("TOTAL IVA 16.00", None),
        ("TOTAL SIN IVA 100.00", None),
        ("TOTAL DESCUENTO 10.00", None),
        ("TOTAL PUNTOS 120", None),
        ("TOTAL USD 6.50", None),
        ("TOTAL EFECTIVO 200.00", None),
        ("SU CAMBIO 84.00", None),
        ("COLGATE TOTAL 116.00", None),
        ("TOTAL 16.00%", None),
        ("TOTAL 1O", None),
        ("TOTAL", None),
    ] {
        assert_eq!(total(line), amount, "{line}");
    }
}

#[test]
fn a_total_is_surer_the_more_agrees_with_it() {
    let sure_of = |text: &str| sure(read(text, Mxn).total.as_ref());
    let alone = sure_of("TOTAL 116.00");
    let with_sums = sure_of("SUBTOTAL 100.00\nIVA 16.00\nTOTAL 116.00");
    let with_items = sure_of("TACO 100.00\nAGUA 16.00\nTOTAL 116.00");
    let misread = sure_of("TOTAL 1l6.0O");
    let contradicted = sure_of("TOTAL 116.00\nTOTAL 120.00");
    assert!(alone < with_sums && alone < with_items);
    assert!(misread < alone && contradicted < alone);
    assert!(sure_of("TOTAI. 116.00") <= alone);
    assert!(sure_of("LOTAL 116.00") < alone);
}

#[test]
fn a_tax_is_surer_when_its_rate_makes_it() {
    let sure_of = |text: &str| sure(read(text, Mxn).tax.as_ref());
    let alone = sure_of("IVA 16.00\nTOTAL 116.00");
    assert!(sure_of("IVA 16% 16.00\nTOTAL 116.00") > alone);
    assert!(sure_of("IVA 8% 16.00\nTOTAL 116.00") <= alone);
}

#[test]
fn items_below_the_sums_count_only_when_they_make_the_total() {
    let names = |text: &str| -> Vec<String> {
        let items = read(text, Mxn).items.into_iter();
        items.map(|item| item.description).collect()
    };
    assert_eq!(
        names("TACO 10.00\nTOTAL 30.00\nAGUA 20.00"),
        ["TACO", "AGUA"]
    );
    assert_eq!(names("TACO 10.00\nTOTAL 10.00\nRIFA 20.00"), ["TACO"]);
    assert_eq!(
        names("TOTAL 50.00\nTACO 10.00\nAGUA 20.00"),
        ["TACO", "AGUA"]
    );
}

#[test]
fn between_two_totals_the_sums_decide() {
    let text = "TACO 100.00\nTOTAL 180.00\nTOTAL 100.00\nEFECTIVO 200.00\nCAMBIO 100.00";
    assert_eq!(total(text), Some(10_000));
}

#[test]
fn columns_of_unequal_length_are_not_guessed() {
    assert_eq!(total("SUBTOTAL\nIVA\nTOTAL\n100.00\n16.00"), None);
    assert_eq!(total("TOTAL\n116.00\n200.00\n84.00"), None);
    assert_eq!(total("TOTAL\n116.00\nGRACIAS"), Some(11_600));
}

#[test]
fn a_column_of_names_has_its_column_of_amounts() {
    let receipt = read("TACO PASTOR\nAGUA FRESCA\n45.00\n20.00\nTOTAL 65.00", Mxn);
    let items: Vec<_> = receipt
        .items
        .iter()
        .map(|item| (item.description.as_str(), item.amount.minor))
        .collect();
    assert_eq!(items, [("TACO PASTOR", 4_500), ("AGUA FRESCA", 2_000)]);
    let uneven = read("TACO PASTOR\n45.00\n20.00\nTOTAL 65.00", Mxn);
    assert_eq!(uneven.items, []);
}

#[test]
fn items_say_how_many_only_when_the_ticket_does() {
    for (line, description, quantity, amount) in [
        ("2 TACO PASTOR 45.00", "TACO PASTOR", Some(2), 4_500),
        ("2x TACO PASTOR 45.00", "TACO PASTOR", Some(2), 4_500),
        ("2 X TACO PASTOR 45.00", "2 X TACO PASTOR", None, 4_500),
        ("TACO PASTOR x2 45.00", "TACO PASTOR", Some(2), 4_500),
        ("TACO PASTOR 2 22.50 45.00", "TACO PASTOR", Some(2), 4_500),
        ("TACO PASTOR 2 x 22.50 45.00", "TACO PASTOR", Some(2), 4_500),
        ("2.00 PZA TACO 22.50 45.00 A", "TACO", Some(2), 4_500),
        ("l TACO 45.00 45.00", "TACO", Some(1), 4_500),
        ("AGUA 2 x 15.00", "AGUA", Some(2), 3_000),
        ("PASTILLAS X 10 42.00", "PASTILLAS X 10", None, 4_200),
        ("FLAUTAS 3 PZAS 72.00 72.00", "FLAUTAS 3 PZAS", None, 7_200),
        ("2 UN X 3.50 GALLETA 7.00", "GALLETA", Some(2), 700),
        ("CERVEZA SOL 25.00", "CERVEZA SOL", None, 2_500),
        ("2 TACO 22.00 45.00", "2 TACO", None, 4_500),
        ("7 UP 600ML 18.00", "7 UP 600ML", None, 1_800),
        ("COCA COLA 600 18.00", "COCA COLA 600", None, 1_800),
        ("75010553 COCA COLA 18.00T", "COCA COLA", None, 1_800),
        ("TACO ........ $45.00", "TACO", None, 4_500),
        ("DEVOLUCION TACO -45.00", "DEVOLUCION TACO", None, -4_500),
        ("CANCELADO TACO 45.00-", "CANCELADO TACO", None, -4_500),
        ("45.00 TACO PASTOR", "TACO PASTOR", None, 4_500),
    ] {
        let receipt = read(line, Mxn);
        let [item] = receipt.items.as_slice() else {
            panic!("{line}: {:?}", receipt.items);
        };
        let found = (item.description.as_str(), item.quantity, item.amount.minor);
        assert_eq!(found, (description, quantity, amount), "{line}");
    }
}

#[test]
fn what_is_no_item_is_none() {
    for line in [
        "Tel. 55 1234 5678",
        "AV. JUAREZ 123 COL. CENTRO",
        "EFECTIVO 200.00",
        "VISA ****1234 116.00",
        "PROPINA 10.00",
        "TIPO DE CAMBIO 18.50",
        "SALDO MONEDERO 25.00",
        "IVA 16.00% 20.83",
        "12/03/2026 14:35",
        "$ 45.00",
        "CAFE US$ 4.50",
        "CAFE 4.50 USD",
        "MAGNA PRECIO 23.59",
        "2 x 18.00",
        "TACO 1.250",
    ] {
        assert_eq!(read(line, Mxn).items, [], "{line}");
    }
}

#[test]
fn a_quantity_above_its_name_counts_when_it_multiplies() {
    let quantity = |text: &str| read(text, Mxn).items[0].quantity;
    assert_eq!(quantity("2 x 18.00\nCOCA COLA 36.00"), Some(2));
    assert_eq!(quantity("2 x 18.00\nCOCA COLA 40.00"), None);
}

#[test]
fn days_are_read_as_tickets_write_them() {
    for text in [
        "12/03/2026",
        "12-03-26",
        "12.03.2026",
        "2026-03-12",
        "2026/03/12 14:35",
        "2026-03-12T14:35:00",
        "12-MAR-26",
        "12/mar/2026",
        "12MAR26",
        "12 de marzo de 2026",
        "12 de Marzo del 2026",
        "marzo 12, 2026",
        "l2/O3/2O26",
        "12 / 03 / 2026",
        "Fecha:12/03/2026",
        "Jueves 12 mar 2026",
    ] {
        let found = read(text, Mxn).date.map(|date| date.value);
        assert_eq!(found, Some(date(2026, 3, 12)), "{text}");
    }
    for text in [
        "31/02/2026",
        "12/03/1926",
        "Vence 12/03/2026",
        "Facture antes de 12/03/2026",
        "Válido hasta 12/03/2026",
        "55-1234-5678",
        "14:35",
        "12/03",
        "mayo 2026",
    ] {
        assert_eq!(read(text, Mxn).date, None, "{text}");
    }
    let american = read("03/25/2026", Mxn).date.unwrap();
    assert_eq!(american.value, date(2026, 3, 25));
    assert!(american.confidence < 0.7);
}

#[test]
fn the_word_for_it_decides_between_two_days() {
    let found = read("01/01/2026\nFecha 12/03/2026", Mxn).date.unwrap();
    assert_eq!(found.value, date(2026, 3, 12));
    let doubtful = read("01/01/2026\n12/03/2026", Mxn).date.unwrap();
    assert!(doubtful.confidence < sure(read("01/01/2026", Mxn).date.as_ref()));
}

#[test]
fn tax_numbers_are_surer_when_their_check_digit_is_right() {
    let find = |text: &str| read(text, Mxn).rfc.map(|rfc| (rfc.value, rfc.confidence));
    let (value, labelled) = find("RFC: EKU9003173C9").unwrap();
    assert_eq!(value, "EKU9003173C9");
    for text in [
        "R.F.C. EKU 900317 3C9",
        "RFCEKU9003173C9",
        "rfc:eku-900317-3c9",
        "EKU9OO3173C9",
    ] {
        let (value, confidence) = find(text).unwrap();
        assert_eq!(value, "EKU9003173C9", "{text}");
        assert!(confidence <= labelled, "{text}");
    }
    let (_, wrong) = find("RFC: EKU9003173C8").unwrap();
    assert!(wrong < 0.5);
    // Two numbers with a right check digit look like this one, so neither is taken for it.
    let (doubtful, confidence) = find("RFC: TAC900101505").unwrap();
    assert_eq!(doubtful, "TAC900101505");
    assert!(confidence < 0.5);
    assert_eq!(find("RFC: XAXX010101000"), None);
    let (shop, _) = find("CLIENTE JUAN\nRFC: CACX7605101P8\nRFC: EKU9003173C9").unwrap();
    assert_eq!(shop, "EKU9003173C9");
    assert_eq!(find("RFC: EKU9013173C9"), None);
    assert_eq!(find("RUC 20512345678"), None);
}

#[test]
fn folios_stand_beside_their_label() {
    let find = |text: &str| read(text, Mxn).folio.map(|folio| folio.value);
    for (text, folio) in [
        ("Folio: 123", "123"),
        ("FOLIO A 00123", "A 00123"),
        ("F0LIO #778", "778"),
        ("Ticket No. 4471", "4471"),
        ("No. de venta 9912", "9912"),
        ("NOTA 15", "15"),
        ("Caja 2 Ticket: 00871 Cajero 5", "00871"),
        ("FOLIO CAJA FECHA\n8812 03 12/03/2026", "8812"),
        ("Boleta N° B001-77", "B001-77"),
        ("Transacción 99120", "99120"),
    ] {
        assert_eq!(find(text).as_deref(), Some(folio), "{text}");
    }
    for text in [
        "GUARDE SU TICKET 30 DIAS",
        "NOTA: 15 dias para cambios",
        "Folio: 12/03/2026",
        "TOTAL VENTA 116.00",
        "FACTURACION EN LINEA www.tienda.mx",
        "Folio:",
        "123456",
        "FACTURA DEL MES",
    ] {
        assert_eq!(find(text), None, "{text}");
    }
    let fiscal = read("FOLIO PARA FACTURAR 88AB12", Mxn).folio.unwrap();
    assert!(fiscal.confidence < 0.8);
}

#[test]
fn two_writings_of_one_folio_share_a_key() {
    for (one, other) in [
        ("A-00123", "a 123"),
        ("A-00123", "Folio: A123"),
        ("000871", "871"),
        ("B001-00004521", "b1–4521"),
        ("123 456", "123456"),
        ("No. 45", "45"),
        ("# 45", "0045"),
        ("000", "0"),
    ] {
        assert_eq!(folio_key(one), folio_key(other), "{one} and {other}");
    }
    for (one, other) in [
        ("1-23", "12-3"),
        ("A123", "B123"),
        ("1230", "123"),
        ("NO-5", "5"),
        ("A1B", "AB1"),
    ] {
        assert_ne!(folio_key(one), folio_key(other), "{one} and {other}");
    }
    assert_eq!(folio_key(" - "), "");
}

#[test]
fn what_is_no_ticket_says_nothing() {
    for text in [
        "",
        "hola, quiero dos tacos",
        "¿A qué hora abren?\nGracias",
        "\u{c}\n\n  \t",
    ] {
        check(text, Mxn, &Says::default());
    }
}

#[test]
fn amounts_of_another_currency_are_not_read() {
    assert_eq!(total("TOTAL US$ 20.00"), None);
    assert_eq!(minor(read("TOTAL S/ 20.00", Cop).total.as_ref()), None);
}
