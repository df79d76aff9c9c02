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

#[test]
fn a_peruvian_supermarket_with_a_discount_told_twice() {
    let receipt = check(
        "MERCADO CENTRAL
        SUPERMERCADOS DEL SUR S.A.
        RUC: 20512345678
        FACTURA ELECTRONICA: F452-00012876
        FEC.EMISION: 02/02/2026 19:33
        775091310021 YOGURT FRESA 1KG            6.90
        2.000 UN X 3.50 GALLETA SODA             7.00
        ARROZ COSTEÑO 5KG                       24.90
        DSCTO TARJETA                           -3.00
        TOTAL DESCUENTO 3.00
        OP. GRAVADA     30.34
        OP. INAFECTA     0.00
        IGV (18%)        5.46
        TOTAL A PAGAR S/ 35.80",
        Pen,
        &Says {
            issuer: Some("SUPERMERCADOS DEL SUR S.A."),
            folio: Some("F452-00012876"),
            date: Some(date(2026, 2, 2)),
            items: vec![
                ("YOGURT FRESA 1KG", None, 690),
                ("GALLETA SODA", Some(2), 700),
                ("ARROZ COSTEÑO 5KG", None, 2_490),
            ],
            subtotal: Some(3_034),
            tax: Some(546),
            total: Some(3_580),
            ..Says::default()
        },
    );
    assert!(
        receipt.items[0].confidence > 0.75,
        "the items make the total"
    );
}

#[test]
fn a_spanish_supermarket_with_two_rates() {
    let receipt = check(
        "MERCASUR, S.A.   A-46123456
        C/ COLON 23
        46004 VALENCIA
        12/03/2026 18:03  OP: 112233
        FACTURA SIMPLIFICADA: 2801-014-123456
        Descripción  P. Unit  Importe
        1 PAN DE MOLDE                1,25
        2 LECHE ENTERA        0,88    1,76
        1 PLATANO
        0,842 kg   1,99 €/kg          1,68
        TOTAL (€)  4,69
        TARJETA BANCARIA 4,69
        IVA BASE IMPONIBLE (€) CUOTA (€)
        4% 2,89 0,12
        10% 1,53 0,15
        TOTAL 4,42 0,27
        SE ADMITEN DEVOLUCIONES CON TICKET",
        Eur,
        &Says {
            issuer: Some("MERCASUR, S.A."),
            folio: Some("2801-014-123456"),
            date: Some(date(2026, 3, 12)),
            items: vec![
                ("PAN DE MOLDE", Some(1), 125),
                ("LECHE ENTERA", Some(2), 176),
                ("PLATANO", Some(1), 168),
            ],
            tax: Some(27),
            total: Some(469),
            ..Says::default()
        },
    );
    assert!(sure(receipt.issuer.as_ref()) > 0.7, "it is a company");
}

#[test]
fn a_colombian_pharmacy_with_a_series_before_the_number() {
    check(
        "DROGUERIA LA SALUD LTDA
        NIT: 830.011.670-3
        DOCUMENTO EQUIVALENTE POS No. RB12 000456789
        FECHA: 12/03/2026 HORA: 04:22 PM
        ACETAMINOFEN 500MG X 10      1   4.200    4.200
        SUERO FISIOLOGICO 500ML      2   6.500   13.000
        TOTAL A PAGAR  17.200
        EFECTIVO       20.000
        CAMBIO          2.800",
        Cop,
        &Says {
            issuer: Some("DROGUERIA LA SALUD LTDA"),
            folio: Some("RB12 000456789"),
            date: Some(date(2026, 3, 12)),
            items: vec![
                ("ACETAMINOFEN 500MG X 10", Some(1), 420_000),
                ("SUERO FISIOLOGICO 500ML", Some(2), 1_300_000),
            ],
            total: Some(1_720_000),
            ..Says::default()
        },
    );
}
