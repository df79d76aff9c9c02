use super::*;
use crate::money::Currency::{Clp, Cop, Eur, Pen};

#[test]
fn a_peruvian_boleta() {
    let receipt = check(
        "POLLERIA EL CARBON S.A.C.
        RUC 20512345678
        JR. DE LA UNION 455 - LIMA
        BOLETA DE VENTA ELECTRONICA
        B001-00004521
        FECHA DE EMISION: 28/07/2026
        1 POLLO A LA BRASA      S/ 62.00
        2 INCA KOLA 1L          S/ 18.00
        OP. GRAVADA   S/ 67.80
        OP. EXONERADA S/ 0.00
        I.G.V. 18%    S/ 12.20
        IMPORTE TOTAL S/ 80.00
        SON: OCHENTA CON 00/100 SOLES
        YAPE          S/ 80.00
        VUELTO        S/ 0.00",
        Pen,
        &Says {
            issuer: Some("POLLERIA EL CARBON S.A.C."),
            folio: Some("B001-00004521"),
            date: Some(date(2026, 7, 28)),
            items: vec![
                ("POLLO A LA BRASA", Some(1), 6_200),
                ("INCA KOLA 1L", Some(2), 1_800),
            ],
            subtotal: Some(6_780),
            tax: Some(1_220),
            total: Some(8_000),
            ..Says::default()
        },
    );
    assert!(sure(receipt.total.as_ref()) > 0.95);
}

#[test]
fn a_colombian_ticket_with_commas_and_with_points() {
    let text = "ASADERO LA BRASA ROJA SAS
        NIT 900.123.456-7
        Factura de venta No. FV-20331
        Resolución DIAN 18760000001 del 2025-01-15
        Fecha: 2026/03/12 13:20
        1 BANDEJA PAISA      32,500
        2 LIMONADA COCO      18,000
        SUBTOTAL             46,759
        INC 8%                3,741
        TOTAL               $50,500
        EFECTIVO            $60,000
        CAMBIO               $9,500";
    let says = Says {
        issuer: Some("ASADERO LA BRASA ROJA SAS"),
        folio: Some("FV-20331"),
        date: Some(date(2026, 3, 12)),
        items: vec![
            ("BANDEJA PAISA", Some(1), 3_250_000),
            ("LIMONADA COCO", Some(2), 1_800_000),
        ],
        subtotal: Some(4_675_900),
        tax: Some(374_100),
        total: Some(5_050_000),
        ..Says::default()
    };
    check(text, Cop, &says);
    let points = text.replace(',', ".");
    check(&points, Cop, &says);
}

#[test]
fn a_spanish_simplified_invoice_with_a_table_of_taxes() {
    let receipt = check(
        "CAFETERÍA LA MURALLA, S.L.
        C/ Mayor 12 - 27001 Lugo
        CIF B27123456
        FACTURA SIMPLIFICADA: T01-004412
        12.03.26   11:05
        Uds Descripción   Precio  Importe
        2 CAFÉ CON LECHE    1,40     2,80
        1 TOSTADA TOMATE    2,50     2,50
        1 ZUMO NATURAL      3,20     3,20
        TOTAL EUROS              8,50 €
        %IVA   BASE   CUOTA
        10%    7,73    0,77
        Entregado               10,00
        Cambio                   1,50
        IVA INCLUIDO",
        Eur,
        &Says {
            issuer: Some("CAFETERÍA LA MURALLA, S.L."),
            folio: Some("T01-004412"),
            date: Some(date(2026, 3, 12)),
            items: vec![
                ("CAFÉ CON LECHE", Some(2), 280),
                ("TOSTADA TOMATE", Some(1), 250),
                ("ZUMO NATURAL", Some(1), 320),
            ],
            tax: Some(77),
            total: Some(850),
            ..Says::default()
        },
    );
    assert!(sure(receipt.total.as_ref()) > 0.95);
}

#[test]
fn a_chilean_ticket_without_decimals() {
    check(
        "PANADERIA LOS ANDES
        BOLETA ELECTRONICA N° 88123
        03-11-2026
        PAN AMASADO        $1.990
        EMPANADA PINO x2   $5.000
        NETO  $5.874
        IVA   $1.116
        TOTAL $6.990",
        Clp,
        &Says {
            issuer: Some("PANADERIA LOS ANDES"),
            folio: Some("88123"),
            date: Some(date(2026, 11, 3)),
            items: vec![
                ("PAN AMASADO", None, 1_990),
                ("EMPANADA PINO", Some(2), 5_000),
            ],
            subtotal: Some(5_874),
            tax: Some(1_116),
            total: Some(6_990),
            ..Says::default()
        },
    );
}
