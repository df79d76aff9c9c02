//! Tickets that were read twice.

use super::*;
use crate::money::Currency::Mxn;

const TICKET: &str = "TAQUERÍA EL GÜERO
    R.F.C. EKU9003173C9
    Folio: A-001523
    Fecha: 12/03/2026 14:35
    3  TACO PASTOR             66.00
    2  TACO SUADERO            50.00
    1  AGUA HORCHATA 1L        35.00
    SUBTOTAL                  130.17
    IVA 16%                    20.83
    TOTAL                    $151.00";

/// The same, as a scanner reads it in bad light: one item torn, and a total that no sum speaks for.
const SPOILT: &str = "TAQUERIA EL GUERO
    R.F.C. EKU9003173C9
    Folio: A-001523
    Fecha: 12/03/2026 14:35
    3  TACO PASTOR             66.00
    2  TACO SUADERO            60.00
    TOTAL                    $157.00";

fn ticket(text: &str) -> Receipt {
    read(text, Mxn)
}

#[test]
fn what_two_readings_agree_on_is_surer() {
    // Read without its sums, so that there is something left to be sure of.
    let once = ticket("Folio: 8841\nTOTAL 63.50\n01/04/2026");
    let compared = compare(once.clone(), once.clone());
    assert!(compared.doubted.is_empty(), "{compared:?}");
    let twice = compared.receipt;
    assert!(sure(twice.total.as_ref()) > sure(once.total.as_ref()));
    assert!(sure(twice.date.as_ref()) > sure(once.date.as_ref()));
    assert_eq!(minor(twice.total.as_ref()), Some(6_350));
    assert!(sure(twice.total.as_ref()) < 1.0);
}

#[test]
fn where_they_differ_the_surer_is_believed_and_less_so() {
    for (recognised, seen) in [(SPOILT, TICKET), (TICKET, SPOILT)] {
        let compared = compare(ticket(recognised), ticket(seen));
        assert_eq!(compared.doubted, ["items", "total"], "{compared:?}");
        let total = compared.receipt.total.unwrap();
        assert_eq!(total.value.minor, 15_100);
        assert!(total.confidence < 0.7, "{total:?}");
        assert_eq!(compared.receipt.items.len(), 3);
        let sures: Vec<f32> = compared
            .receipt
            .items
            .iter()
            .map(|i| i.confidence)
            .collect();
        assert!(sures[0] > sures[1] && sures[0] > sures[2], "{sures:?}");
        // Only one of them has a tax, and nothing speaks against it.
        assert_eq!(compared.receipt.tax, ticket(TICKET).tax);
        assert_eq!(compared.receipt.rfc.unwrap().value, "EKU9003173C9");
    }
}

#[test]
fn of_two_as_sure_the_one_that_was_seen_is_believed() {
    let compared = compare(ticket("Folio: 18841"), ticket("Folio: 78841"));
    assert_eq!(compared.doubted, ["folio"]);
    let folio = compared.receipt.folio.unwrap();
    assert_eq!(folio.value, "78841");
    assert!(folio.confidence < 0.6, "{folio:?}");
}

#[test]
fn spelling_is_no_difference() {
    let compared = compare(
        ticket("TAQUERIA EL GUERO\nFolio: A-001523\nTOTAL 10.00"),
        ticket("Taquería El Güero\nFolio: A 1523\nTOTAL $10.00"),
    );
    assert!(compared.doubted.is_empty(), "{compared:?}");
}

#[test]
fn what_only_one_has_stays_as_it_is() {
    let whole = ticket(TICKET);
    let nothing = Receipt::default();
    for compared in [
        compare(whole.clone(), nothing.clone()),
        compare(nothing.clone(), whole.clone()),
    ] {
        assert_eq!(
            (compared.receipt, compared.doubted),
            (whole.clone(), vec![])
        );
    }
}

#[test]
fn words_about_a_picture_are_no_ticket() {
    assert!(ticket(TICKET).is_ticket());
    for text in [
        "",
        "NONE",
        "Lo siento, no puedo ayudar con eso.",
        "I'm sorry, but I can't read the text in this image.",
        "The total of this ticket is $151.00.",
        "{\"result\": \"ok\"}",
    ] {
        assert!(!ticket(text).is_ticket(), "{text}");
    }
}
