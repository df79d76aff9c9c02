//! Files made to be measured with, where nobody names real ones.

use std::fmt::Write;

const LINES_A_PAGE: usize = 40;

/// A PDF of running text, about 2,500 characters on each page.
pub(super) fn pdf(number: usize, pages: usize) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut kids = String::new();
    for page in 0..pages {
        let mut stream = String::from("BT /F1 10 Tf 14 TL 50 780 Td ");
        for line in 0..LINES_A_PAGE {
            let sentence = sentence(number * 1_000_000 + page * 1000 + line);
            let _ = write!(stream, "({sentence}) Tj T* ");
        }
        stream.push_str("ET");
        let _ = write!(kids, "{} 0 R ", objects.len() + 1);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R\
             /Resources<</Font<</F1 3 0 R>>>>>>",
            objects.len() + 2
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{stream}\nendstream",
            stream.len()
        ));
    }
    objects[1] = format!("<</Type/Pages/Count {pages}/Kids[{kids}]>>");
    let mut out = String::from("%PDF-1.5\n");
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let table = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(out, "{place:010} 00000 n ");
    }
    let _ = write!(
        out,
        "trailer<</Size {}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF",
        objects.len() + 1
    );
    out.into_bytes()
}

/// A price list.
pub(super) fn csv(rows: usize) -> Vec<u8> {
    let mut out = String::from("codigo,producto,categoria,precio,descripcion\n");
    for row in 0..rows {
        let _ = writeln!(
            out,
            "P{row:05},Producto {row},Categoria {},{}.90,{}",
            row % 40,
            10 + row % 500,
            sentence(row)
        );
    }
    out.into_bytes()
}

/// A sentence of its own for each number, in plain letters.
fn sentence(number: usize) -> String {
    const WHO: [&str; 7] = [
        "La clinica",
        "El local",
        "La tienda",
        "El medico",
        "La cocina",
        "El taller",
        "La escuela",
    ];
    const WHAT: [&str; 11] = [
        "atiende de lunes a sabado",
        "ofrece envio a domicilio",
        "acepta tarjeta y efectivo",
        "cobra por adelantado la mitad",
        "reserva con un dia de anticipacion",
        "devuelve el dinero en siete dias",
        "abre tambien los feriados",
        "tiene estacionamiento propio",
        "da garantia de doce meses",
        "recibe mascotas pequenas",
        "prepara pedidos para llevar",
    ];
    format!(
        "{} {} y {}, nota {number}.",
        WHO[number % WHO.len()],
        WHAT[number / 3 % WHAT.len()],
        WHAT[number / 5 % WHAT.len()],
    )
}
