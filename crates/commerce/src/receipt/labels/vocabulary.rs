//! The words of tickets that say what a line is about.

use crate::receipt::lines::shape;
use quipu_core::analysis::one_letter_apart;
use std::sync::LazyLock;

/// What a word does in a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::receipt) enum Word {
    Total,
    Sub,
    Subtotal,
    Tax,
    /// What a tax is reckoned from.
    Base,
    /// An amount of something that another word says.
    Amount,
    Payable,
    Paid,
    /// Without tax, or what is left to pay.
    Net,
    Discount,
    /// The name of something cheaper, or what is taken off for it.
    Promotion,
    Tip,
    Payment,
    Change,
    Pieces,
    Number,
    Including,
    Without,
    /// Joins others, or names the currency.
    Small,
    /// Begins lines whose numbers are no money of this sale.
    Never,
}

const WORDS: &[(Word, &str)] = &[
    (Word::Total, "total totales tot"),
    (Word::Sub, "sub"),
    (
        Word::Subtotal,
        "subtotal subtot subttl stotal gravada gravadas gravado",
    ),
    (
        Word::Tax,
        "iva igv ieps impuesto impuestos impto imptos impoconsumo ipoconsumo itbis tax cuota",
    ),
    (Word::Base, "base imponible gravable"),
    (Word::Net, "neto"),
    (
        Word::Amount,
        "importe monto valor venta gran suma cuenta consumo",
    ),
    (Word::Payable, "pagar apagar"),
    (Word::Paid, "pagado"),
    (
        Word::Discount,
        "descuento descuentos desc dscto dcto dto ahorro ahorros ahorraste bonificacion rebaja",
    ),
    (Word::Promotion, "promocion promo cupon"),
    (Word::Tip, "propina propinas tip"),
    (
        Word::Payment,
        "efectivo efvo cash tarjeta pago pagos paga visa mastercard amex debito credito recibido \
         recibi recibe entregado transferencia vales yape plin nequi daviplata bizum spei contado",
    ),
    (Word::Change, "cambio vuelto vueltas"),
    (
        Word::Pieces,
        "articulos articulo arts art piezas pieza pzas pza productos producto items item unidades \
         lineas prendas platillos",
    ),
    (Word::Number, "no num numero nro cant cantidad"),
    (
        Word::Including,
        "incluido incluidos incluye incluyendo incl inc con",
    ),
    (Word::Without, "sin antes"),
    (
        Word::Small,
        "de del la el los las en su sus tu por al mxn mn pesos peso cop eur euros euro soles pen \
         op oper operacion operaciones general final compra usted trasladado nacional",
    ),
    (
        Word::Never,
        "tel telefono rfc ruc nit nif cif puntos punto saldo monedero autorizacion aut aprobacion \
         tipo tasa referencia ref usd dolares cajero cajera exonerada inafecta exento exenta \
         gratuita redondeo folio hora fecha son terminal afiliacion resolucion vigencia",
    ),
];

/// The shortest label in which one wrong letter is forgiven. Shorter ones become other words.
const FORGIVING: usize = 7;

static SHAPES: LazyLock<Vec<(String, Word)>> = LazyLock::new(|| {
    let pairs = WORDS.iter().flat_map(|(word, names)| {
        let shapes = names.split_whitespace().map(shape);
        shapes.map(|shape| (shape, *word))
    });
    pairs.collect()
});

/// What a word of this shape does in a label, and whether it is written as it should be.
pub(in crate::receipt) fn word_of(shape: &str) -> Option<(Word, bool)> {
    if let Some(word) = exact(shape).or_else(|| tax_with_rate(shape)) {
        return Some((word, true));
    }
    let near = |name: &str| {
        let forgiving = name.len() >= FORGIVING || name == "total";
        forgiving && one_letter_apart(shape, name)
    };
    let mut known = SHAPES.iter();
    let (_, word) = known.find(|(name, _)| near(name))?;
    Some((*word, false))
}

fn exact(shape: &str) -> Option<Word> {
    let mut known = SHAPES.iter();
    known.find(|(name, _)| name == shape).map(|(_, word)| *word)
}

/// A rate is often printed right behind the name of its tax: `IVA16%`.
fn tax_with_rate(shape: &str) -> Option<Word> {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, 'o' | 'l' | 's' | 'b');
    let name = shape.trim_end_matches(is_digit);
    exact(name).filter(|word| *word == Word::Tax)
}
