use super::*;
use crate::money::Currency::Mxn;

#[test]
fn a_clean_ticket_of_a_taqueria() {
    let receipt = check(
        "
              TAQUERÍA EL GÜERO
        Av. Insurgentes Sur 1234, Col. Roma
        C.P. 06700  CDMX
        R.F.C. EKU9003173C9
        Tel: 55 5512 3456
        Folio: A-001523      Mesa 4
        Fecha: 12/03/2026 14:35

        CANT DESCRIPCION         IMPORTE
        3  TACO PASTOR             66.00
        2  TACO SUADERO            50.00
        1  AGUA HORCHATA 1L        35.00
        --------------------------------
        SUBTOTAL                  130.17
        IVA 16%                    20.83
        TOTAL                    $151.00
        EFECTIVO                  200.00
        SU CAMBIO                  49.00
        GRACIAS POR SU VISITA",
        Mxn,
        &Says {
            issuer: Some("TAQUERÍA EL GÜERO"),
            rfc: Some("EKU9003173C9"),
            folio: Some("A-001523"),
            date: Some(date(2026, 3, 12)),
            items: vec![
                ("TACO PASTOR", Some(3), 6_600),
                ("TACO SUADERO", Some(2), 5_000),
                ("AGUA HORCHATA 1L", Some(1), 3_500),
            ],
            subtotal: Some(13_017),
            tax: Some(2_083),
            total: Some(15_100),
        },
    );
    assert!(sure(receipt.total.as_ref()) > 0.95);
    assert!(sure(receipt.tax.as_ref()) > 0.9);
    assert!(sure(receipt.rfc.as_ref()) > 0.95);
    assert!(sure(receipt.folio.as_ref()) > 0.9);
    assert!(sure(receipt.date.as_ref()) > 0.9);
    assert!(receipt.items.iter().all(|item| item.confidence > 0.75));
}

#[test]
fn a_supermarket_with_quantities_below_the_names() {
    let receipt = check(
        "SUPER DEL NORTE S.A. DE C.V.
        IIA040805DZ4
        BLVD. KUKULCAN KM 12
        TDA 0231  OP 0099  TE 07  TR 04521
        7501055300075 REFRESCO COLA 2L
             2 x 38.50               77.00 A
        7501030459941 GALLETAS MARIAS
             3 PZA 14.90             44.70 A
        0000000004011 PLATANO
             1.235 KG x 25.90        31.99 T
        COLGATE TOTAL 12 75ML        42.00 A
        DESCUENTO CLIENTE           -10.00
        TOTAL                       185.69
        TARJETA DEBITO **** 4471    185.69
        AUTORIZACION 552233
        No. DE ARTICULOS VENDIDOS 7
        USTED AHORRO 10.00
        12-MAR-26 18:44:02
        NO. DE VENTA: 884512",
        Mxn,
        &Says {
            issuer: Some("SUPER DEL NORTE S.A. DE C.V."),
            rfc: Some("IIA040805DZ4"),
            folio: Some("884512"),
            date: Some(date(2026, 3, 12)),
            items: vec![
                ("REFRESCO COLA 2L", Some(2), 7_700),
                ("GALLETAS MARIAS", Some(3), 4_470),
                ("PLATANO", None, 3_199),
                ("COLGATE TOTAL 12 75ML", None, 4_200),
            ],
            total: Some(18_569),
            ..Says::default()
        },
    );
    assert!(sure(receipt.issuer.as_ref()) > 0.85);
    assert!(receipt.items[0].confidence > receipt.items[2].confidence);
}

#[test]
fn a_restaurant_with_a_tip_and_the_tax_number_of_the_customer() {
    let receipt = check(
        "*** MARISCOS EL PUERTO ***
        Razón social: Alimentos del Puerto SA de CV
        RFC: EKU-900317-3C9
        MESERO: JUAN    MESA: 12   PERSONAS: 4
        ORDEN 88
        TICKET # 10233
        24/DIC/2025  21:07
        4 CEVICHE TOSTADA      45.00    180.00
        1 PULPO AL AJILLO     289.00    289.00
        6 CERVEZA IND          42.00    252.00
        CONSUMO 721.00
        PROPINA SUGERIDA 10%  72.10
        IMPORTE TOTAL  $721.00
        TOTAL CON PROPINA 793.10
        IVA INCLUIDO 99.45
        CLIENTE: JOSE PEREZ
        RFC: CACX7605101P8
        ESTE TICKET NO ES COMPROBANTE FISCAL",
        Mxn,
        &Says {
            issuer: Some("Alimentos del Puerto SA de CV"),
            rfc: Some("EKU9003173C9"),
            folio: Some("10233"),
            date: Some(date(2025, 12, 24)),
            items: vec![
                ("CEVICHE TOSTADA", Some(4), 18_000),
                ("PULPO AL AJILLO", Some(1), 28_900),
                ("CERVEZA IND", Some(6), 25_200),
            ],
            tax: Some(9_945),
            total: Some(72_100),
            ..Says::default()
        },
    );
    assert!(receipt.items.iter().all(|item| item.confidence > 0.9));
}

#[test]
fn a_pharmacy_with_two_taxes_and_a_generic_customer() {
    check(
        "FARMACIA SANTA FE
        RFC: IIA040805DZ4
        Cliente: PUBLICO EN GENERAL XAXX010101000
        Fecha/Hora : 05-01-2026 08:15 p.m.
        Folio fiscal: 6F9A1C2E-1111-4A5B-9C3D-0123456789AB
        Folio de venta 55120
        PARACETAMOL 500MG C/20      $ 32.00
        SUERO ORAL FRESA 625ML      $ 24.50
        JARABE TOS 120ML ........ $118.00
        SUB-TOTAL:  $ 156.31
        IEPS 8%:    $ 1.81
        I.V.A. 16%: $ 16.38
        TOTAL A PAGAR: $ 174.50 M.N.
        SON: CIENTO SETENTA Y CUATRO PESOS 50/100 M.N.",
        Mxn,
        &Says {
            issuer: Some("FARMACIA SANTA FE"),
            rfc: Some("IIA040805DZ4"),
            folio: Some("55120"),
            date: Some(date(2026, 1, 5)),
            items: vec![
                ("PARACETAMOL 500MG C/20", None, 3_200),
                ("SUERO ORAL FRESA 625ML", None, 2_450),
                ("JARABE TOS 120ML", None, 11_800),
            ],
            subtotal: Some(15_631),
            tax: Some(1_819),
            total: Some(17_450),
        },
    );
}

#[test]
fn a_workshop_where_a_change_of_oil_is_bought() {
    check(
        "SERVICIO AUTOMOTRIZ RAMIREZ
        Remisión 7741     Fecha 9/2/26
        CAMBIO DE ACEITE SINTETICO   850.00
        FILTRO DE AIRE               210. 00
        MANO DE OBRA                 300 .00
        Total   1,360.00
        Anticipo en efectivo
        Garantía valida hasta 09/05/2026",
        Mxn,
        &Says {
            issuer: Some("SERVICIO AUTOMOTRIZ RAMIREZ"),
            folio: Some("7741"),
            date: Some(date(2026, 2, 9)),
            items: vec![
                ("CAMBIO DE ACEITE SINTETICO", None, 85_000),
                ("FILTRO DE AIRE", None, 21_000),
                ("MANO DE OBRA", None, 30_000),
            ],
            total: Some(136_000),
            ..Says::default()
        },
    );
}

#[test]
fn a_corner_shop_with_a_promotion_and_two_taxes_on_one_line() {
    check(
        "LA ESQUINITA
        COMERCIAL ESQUINITA SA DE CV
        EKU9003173C9
        PLAZA:10MON TIENDA:50XYZ CAJA:1
        FECHA: 15/01/26 19:22 FOLIO VENTA: 10MON50XYZ1-0045123
        REFRESCO COLA 600 ML          $19.00
        PAPAS ORIGINAL 45G            $18.50
        CAFE AMERICANO 12OZ           $26.00
         PROMO 2X1 CAFE              -$26.00
        RECARGA CELULAR              $100.00
        TOTAL M.N.                   $137.50
        EFECTIVO                     $200.00
        CAMBIO                        $62.50
         IVA 16%  5.17   IEPS 8% 1.37
        ARTICULOS: 5
        AHORRASTE $26.00
        MONEDERO NUEVO 12.00
        CONSERVE ESTE TICKET PARA CUALQUIER ACLARACION",
        Mxn,
        &Says {
            issuer: Some("COMERCIAL ESQUINITA SA DE CV"),
            rfc: Some("EKU9003173C9"),
            folio: Some("10MON50XYZ1-0045123"),
            date: Some(date(2026, 1, 15)),
            items: vec![
                ("REFRESCO COLA 600 ML", None, 1_900),
                ("PAPAS ORIGINAL 45G", None, 1_850),
                ("CAFE AMERICANO 12OZ", None, 2_600),
                ("PROMO 2X1 CAFE", None, -2_600),
                ("RECARGA CELULAR", None, 10_000),
            ],
            tax: Some(654),
            total: Some(13_750),
            ..Says::default()
        },
    );
}

#[test]
fn a_supermarket_with_codes_behind_the_names() {
    check(
        "   HIPER SOL
        DISTRIBUIDORA SOL DE MEXICO
        S DE RL DE CV   RFC IIA040805DZ4
        REGIMEN FISCAL 601
        TDA#3850 OP#00000156 TE# 022 TR# 08764
        LECHE ENTERA LT  750102056553      28.50 E
        HUEVO SJ 18P     750300702014      54.90 E
        TOALLA COCINA    750194310022      31.00 A
        JITOMATE SALAD   000000004087
          0.885 kg a $34.90 /1 kg          30.89 E
        SUBTOTAL          145.29
        TOTAL             145.29
        DEBITO            145.29
        CUENTA# **** **** **** 1234
        APROBACION 123456
        CAMBIO              0.00
        IMP A 16.0000%      4.28
        TOTAL IVA           4.28
        NUM ARTICULOS VENDIDOS 4
        14/02/26   10:11:12",
        Mxn,
        &Says {
            issuer: Some("HIPER SOL"),
            rfc: Some("IIA040805DZ4"),
            date: Some(date(2026, 2, 14)),
            items: vec![
                ("LECHE ENTERA LT", None, 2_850),
                ("HUEVO SJ 18P", None, 5_490),
                ("TOALLA COCINA", None, 3_100),
                ("JITOMATE SALAD", None, 3_089),
            ],
            subtotal: Some(14_529),
            tax: Some(428),
            total: Some(14_529),
            ..Says::default()
        },
    );
}

#[test]
fn a_petrol_station_where_only_the_sums_are_sure() {
    let receipt = check(
        "GASOLINERA EL PASO SA DE CV
        RFC: GPA0001015X1
        ESTACION 4512 PERMISO CRE PL/1234/EXP/ES/2015
        FOLIO: 8812345   BOMBA: 4
        MAGNA  LITROS 20.345  PRECIO 23.59
        IMPORTE 479.94
        SUBTOTAL 413.74
        IVA 66.20
        TOTAL 479.94
        WEB ID: A1B2C3
        TICKET VALIDO PARA FACTURAR 30 DIAS
        26 FEB 2026 08:12",
        Mxn,
        &Says {
            issuer: Some("GASOLINERA EL PASO SA DE CV"),
            rfc: Some("GPA0001015X1"),
            folio: Some("8812345"),
            date: Some(date(2026, 2, 26)),
            subtotal: Some(41_374),
            tax: Some(6_620),
            total: Some(47_994),
            ..Says::default()
        },
    );
    assert!(sure(receipt.rfc.as_ref()) < 0.5, "its check digit is wrong");
}
