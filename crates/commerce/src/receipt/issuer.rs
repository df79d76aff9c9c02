//! The name of the shop.

use super::lines::{Line, letters, shape};
use super::{Field, Receipt};

const MAX_NAME: usize = 120;
/// The name is looked for in so many lines at the top, and above the first amount.
const TOP_LINES: usize = 8;
/// A company or a label may be anywhere in so many lines.
const COMPANY_LINES: usize = 60;

/// How sure a name is behind a label, with the form of a company, and as the first line.
const LABELLED: f32 = 0.9;
const COMPANY: f32 = 0.8;
const FIRST_LINE: f32 = 0.55;
/// What a tax number close by adds.
const BESIDE_RFC: f32 = 0.1;
const RFC_LINES: usize = 3;

const LABELS: &[&str] = &[
    "razon social",
    "emisor",
    "nombre comercial",
    "establecimiento",
];

/// The forms of companies as they end a name, without points and spaces.
const FORMS: &[&str] = &[
    "sadecv",
    "sderldecv",
    "sderl",
    "sabdecv",
    "sapidecv",
    "sasdecv",
    "sas",
    "sac",
    "saa",
    "eirl",
    "srl",
    "slu",
    "sl",
    "sa",
    "ltda",
    "sc",
    "ac",
];
/// How many words such a form has at most: `S. de R. L. de C. V.`
const FORM_WORDS: usize = 7;

/// Words of lines that are not the name of a shop.
const OTHER_WORDS: &str = "rfc ruc nit nif cif tel telefono telefonos whatsapp calle av avenida \
     blvd boulevard col colonia cp jr jiron carrera cra cl plaza esq esquina local sucursal suc \
     fecha hora caja cajero cajera mesa mesero atendio vendedor ticket folio nota boleta factura \
     recibo comprobante orden pedido cliente regimen expedido lugar bienvenido bienvenidos gracias \
     venta cant cantidad descripcion importe precio producto domicilio direccion copia original \
     duplicado reimpresion www http https municipio estado mexico cdmx iva total pagina conserve \
     simplificada remision personas para llevar comedor publico";

pub(super) fn find(lines: &[Line], receipt: &Receipt) -> Option<Field<String>> {
    let beside_rfc = |at: usize| {
        let near = &lines[at..lines.len().min(at + RFC_LINES + 1)];
        let rfc = receipt.rfc.as_ref().map(|rfc| rfc.value.as_str());
        let has = |line: &Line| {
            let compact: String = line.text.chars().filter(|c| c.is_alphanumeric()).collect();
            line.pieces.iter().any(|piece| piece.shape == "rfc")
                || rfc.is_some_and(|rfc| compact.to_uppercase().contains(rfc))
        };
        if near.iter().any(has) {
            BESIDE_RFC
        } else {
            0.0
        }
    };
    let top = lines.iter().take(COMPANY_LINES).enumerate();
    if let Some(name) = top.clone().find_map(|(_, line)| labelled(&line.text)) {
        return Some(Field::new(name, LABELLED));
    }
    let company = top.clone().find(|(_, line)| is_company(line));
    if let Some((at, line)) = company {
        return named(&line.text).map(|name| Field::new(name, COMPANY + beside_rfc(at)));
    }
    // A line by itself is the name of a shop only on top of something that is a ticket.
    let is_ticket = receipt.total.is_some() || receipt.rfc.is_some() || receipt.folio.is_some();
    let mut first = top
        .take(TOP_LINES)
        .take_while(|(_, line)| line.prices().next().is_none())
        .filter(|(_, line)| is_ticket && is_name(line));
    let (at, line) = first.next()?;
    Some(Field::new(named(&line.text)?, FIRST_LINE + beside_rfc(at)))
}

fn labelled(text: &str) -> Option<String> {
    let (label, name) = text.split_once(':')?;
    let written = shape(label);
    let known = LABELS.iter().any(|label| shape(label) == written);
    named(name).filter(|_| known)
}

fn is_company(line: &Line) -> bool {
    let about_customer = line
        .pieces
        .iter()
        .any(|piece| piece.shape == shape("cliente"));
    let folded = quipu_core::text::fold(&line.text);
    let compact = |text: &str| text.replace('.', "");
    let words = folded.split([' ', ',']).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(compact).collect();
    // The number of the company may follow.
    while words.last().is_some_and(|word| is_number(word)) {
        words.pop();
    }
    // Only whole words behind a name: "salsa" does not end with the form of a company.
    let ends_with = |form: &str| {
        let start = words.len().saturating_sub(FORM_WORDS).max(1);
        (start..words.len()).any(|at| words[at..].concat() == form)
    };
    !about_customer
        && line.label.is_none()
        && line.prices().next().is_none()
        && FORMS.iter().any(|form| ends_with(form))
}

fn is_name(line: &Line) -> bool {
    let digits = line.text.chars().filter(char::is_ascii_digit).count();
    let mut pieces = line.pieces.iter();
    let other = pieces.any(|piece| {
        OTHER_WORDS
            .split_whitespace()
            .any(|word| shape(word) == piece.shape)
            || piece.written.contains(['@', '/'])
            || piece.written.to_lowercase().starts_with("www.")
    });
    line.label.is_none() && !other && letters(&line.text) > digits && letters(&line.text) > 2
}

/// Whether the word is a tax number or a telephone, which may follow a name.
fn is_number(word: &str) -> bool {
    word.bytes().filter(u8::is_ascii_digit).count() >= 5
}

/// The name without the signs and numbers around it. The point of a company's form stays.
fn named(text: &str) -> Option<String> {
    let is_dirt = |c: char| !c.is_alphanumeric() && !matches!(c, '"' | '¡' | '!' | '&');
    let mut trimmed = text.trim_start_matches(is_dirt);
    while let Some((name, _)) = trimmed.rsplit_once(' ').filter(|(_, word)| is_number(word)) {
        trimmed = name.trim_end();
    }
    let trimmed = trimmed.trim_end_matches(|c: char| is_dirt(c) && !matches!(c, '.' | ')'));
    let name: String = trimmed.chars().take(MAX_NAME).collect();
    (letters(&name) > 2).then(|| name.trim_end().to_owned())
}
