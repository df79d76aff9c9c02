//! Mexican tickets that scanners and people spoiled.

use super::*;
use crate::money::Currency::Mxn;

#[test]
fn letters_in_the_place_of_digits() {
    let receipt = check(
        "ABARR0TES DON PEPE
        RFC: CACX76O51OlP8
        FECHA 0l/O4/2O26 HORA 09:12
        TlCKET: 00O8841
        C0CA C0LA 6O0ML        1B.5O
        PAN BlMBO GDE          4S.00
        T0TAL ARTlCUL0S            2
        SU8T0TAL              $54.74
        lVA                    $8.76
        T0TA1                 $63.SO
        EFECTlV0             $1OO.00
        CAMB1O                $36.50",
        Mxn,
        &Says {
            issuer: Some("ABARR0TES DON PEPE"),
            rfc: Some("CACX7605101P8"),
            folio: Some("0008841"),
            date: Some(date(2026, 4, 1)),
            items: vec![
                ("C0CA C0LA 6O0ML", None, 1_850),
                ("PAN BlMBO GDE", None, 4_500),
            ],
            subtotal: Some(5_474),
            tax: Some(876),
            total: Some(6_350),
        },
    );
    assert!(sure(receipt.rfc.as_ref()) < 0.9, "it was repaired");
    assert!(sure(receipt.total.as_ref()) > 0.9, "but the sums agree");
}

#[test]
fn a_pdf_whose_columns_were_torn_apart() {
    let receipt = check(
        "CLINICA DENTAL SONRISA
        RFC FUNK671228PH6
        Folio
        CDS-2026-0117
        Fecha de emisión
        2026-03-12
        SUBTOTAL
        IVA
        TOTAL
        1,000.00
        160.00
        1,160.00
        Gracias por su preferencia",
        Mxn,
        &Says {
            issuer: Some("CLINICA DENTAL SONRISA"),
            rfc: Some("FUNK671228PH6"),
            folio: Some("CDS-2026-0117"),
            date: Some(date(2026, 3, 12)),
            subtotal: Some(100_000),
            tax: Some(16_000),
            total: Some(116_000),
            ..Says::default()
        },
    );
    assert!(sure(receipt.total.as_ref()) > 0.8);
}

#[test]
fn lines_in_disorder() {
    check(
        "SU CAMBIO $20.00
        EFECTIVO $200.00
        Total: $ 180.00
        Nota No. 0457
        2 ORDEN DE GUACAMOLE 60.00 120.00
        1 JARRA DE JAMAICA 60.00 60.00
        RFC: H&E951128469
        LA FONDA DE DOÑA CHELO
        15 de marzo de 2026",
        Mxn,
        &Says {
            rfc: Some("H&E951128469"),
            folio: Some("0457"),
            date: Some(date(2026, 3, 15)),
            items: vec![
                ("ORDEN DE GUACAMOLE", Some(2), 12_000),
                ("JARRA DE JAMAICA", Some(1), 6_000),
            ],
            total: Some(18_000),
            ..Says::default()
        },
    );
}

#[test]
fn a_handwritten_note_with_whole_amounts() {
    let receipt = check(
        "Tlapalería La Estrella
        NOTA DE VENTA No. 0098
        3 de febrero del 2026
        2 brochas 3 pulgadas $90
        1 litro thinner $65
        Total $155",
        Mxn,
        &Says {
            issuer: Some("Tlapalería La Estrella"),
            folio: Some("0098"),
            date: Some(date(2026, 2, 3)),
            items: vec![
                ("brochas 3 pulgadas", Some(2), 9_000),
                ("litro thinner", Some(1), 6_500),
            ],
            total: Some(15_500),
            ..Says::default()
        },
    );
    assert!(sure(receipt.total.as_ref()) > 0.9);
}

#[test]
fn a_note_in_small_letters() {
    check(
        "Estetica Canina Firulais
        nota: 0231
        fecha 5 mzo 2026
        baño perro grande  35O.00
        corte de uñas  8O.oo
        Tota1 43O.OO
        gracias!!",
        Mxn,
        &Says {
            issuer: Some("Estetica Canina Firulais"),
            folio: Some("0231"),
            date: Some(date(2026, 3, 5)),
            items: vec![
                ("baño perro grande", None, 35_000),
                ("corte de uñas", None, 8_000),
            ],
            total: Some(43_000),
            ..Says::default()
        },
    );
}
