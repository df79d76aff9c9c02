use super::{extract, fragment};
use crate::testing::{mutations, no_panic, segments, text};
use proptest::prelude::*;
use quipu_core::extraction::Failure;
use std::time::{Duration, Instant};

fn read(html: &str) -> String {
    text(extract, html.as_bytes()).unwrap()
}

const PAGE: &str = r#"<!DOCTYPE html><html><head><meta charset="utf-8"><title>Clínica Sol &amp; Mar</title>
<meta name="author" content="Ana Ruiz"><meta property="article:published_time" content="2024-03-09T08:00:00Z">
<style>p { color: red }</style><script>var secreto = "<p>no</p>";</script></head>
<body><nav><a href="/">Inicio</a></nav>
<h1>Bienvenidos</h1><p>Atendemos   a toda
la <b>familia</b>.<br>Sin cita.</p>
<!-- un comentario -->
<h2>Precios</h2>
<table><caption>Tarifas 2024</caption><thead><tr><th>Servicio<th>Precio</thead>
<tr><td>Limpieza<td>45 €<tr><td rowspan=2>Empaste<td>60 €<tr><td>70 €</table>
<h3>Pasos</h3><ol start=3><li>Llamar<ul><li>o escribir</ul><li>Venir</ol>
<h2>Formulario</h2><form><input type="hidden" value="ficha"><label>País</label><select><option>Chile<option>Cyprus</select></form>
<div aria-hidden="true">icono</div><div hidden>oculto</div><p style="display: none">escondido</p>
<pre>a  b
 c</pre>
<footer>Calle Mayor 1 <a href="mailto:hola@sol.es?subject=x">Escríbanos</a> <a href="tel:+34 600 123 456">600 123 456</a></footer>
</body></html>"#;

#[test]
fn a_page_is_read_as_people_read_it() {
    let (info, segments) = segments(extract, PAGE.as_bytes()).unwrap();
    assert_eq!(info.title.as_deref(), Some("Clínica Sol & Mar"));
    assert_eq!(info.author.as_deref(), Some("Ana Ruiz"));
    assert_eq!(info.date.as_deref(), Some("2024-03-09"));
    let found: Vec<_> = segments
        .iter()
        .map(|s| (s.headings.join(" > "), s.text.as_str()))
        .collect();
    let expected = [
        (
            "Bienvenidos",
            "Clínica Sol & Mar\n\nBienvenidos\n\nAtendemos a toda la familia.\nSin cita.",
        ),
        (
            "Bienvenidos > Precios",
            "Precios\n\nTarifas 2024\n\nServicio: Limpieza | Precio: 45 €\nServicio: Empaste | Precio: 60 €\nServicio: Empaste | Precio: 70 €",
        ),
        (
            "Bienvenidos > Precios > Pasos",
            "Pasos\n\n3. Llamar\n  - o escribir\n4. Venir",
        ),
        (
            "Bienvenidos > Formulario",
            "Formulario\n\nPaís\nChile\nCyprus\n\na  b\n c\n\nCalle Mayor 1 Escríbanos (hola@sol.es) 600 123 456",
        ),
    ];
    let expected: Vec<_> = expected
        .map(|(path, text)| (path.to_owned(), text))
        .to_vec();
    assert_eq!(found, expected);
}

#[test]
fn tables_that_arrange_a_page_are_running_text() {
    assert_eq!(
        read(
            "<table><tr><td>menú<td><table><tr><td>Pan<td>1 €<tr><td>Vino<td>2 €</table><tr><td>pie</table>fin"
        ),
        "menú\n\nPan | 1 €\nVino | 2 €\n\npie\n\nfin"
    );
    assert_eq!(
        read("<table><tr><td><p>uno</p><p>dos</p></td></tr></table>"),
        "uno\n\ndos"
    );
    assert_eq!(
        read("<table><tr><td>lado<td><h2>Noticias</h2>hoy</table>"),
        "lado\n\nNoticias\n\nhoy"
    );
}

#[test]
fn rows_that_begin_with_a_name_are_pairs() {
    assert_eq!(
        read("<table><tr><th>Lunes<td>9 a 14<tr><th>Martes<td>cerrado<tr><th>Nota<td></table>"),
        "Lunes: 9 a 14\nMartes: cerrado\nNota"
    );
}

#[test]
fn the_encoding_is_found() {
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(
        "<meta http-equiv=content-type content='text/html; charset=iso-8859-1'><p>Año 5 ñandú",
    );
    assert_eq!(text(extract, &bytes).unwrap(), "Año 5 ñandú");
    let (bytes, _, _) = encoding_rs::ISO_8859_2.encode("<meta charset=\"iso-8859-2\"><p>Zażółć");
    assert_eq!(text(extract, &bytes).unwrap(), "Zażółć");
    assert_eq!(read("<meta charset=iso-8859-1><p>Año"), "Año");
}

#[test]
fn what_people_forget_to_end_is_ended() {
    assert_eq!(read("<div><nav>menú</div><p>texto"), "texto");
    assert_eq!(read("<p hidden><b>no<p>sí"), "sí");
    assert_eq!(read("<ul><li hidden>no<li>sí</ul>"), "- sí");
    assert_eq!(read("<h1>Título<p>uno<p>dos"), "Título\n\nuno\n\ndos");
    assert_eq!(read("<body style='visibility:hidden'>texto"), "texto");
}

#[test]
fn pictures_are_told_once() {
    assert_eq!(
        read("<img alt='La sala'><img alt='logo'><p>uno <img alt='La sala'> dos"),
        "La sala\n\nuno dos"
    );
}

#[test]
fn xhtml_may_end_a_script_at_once() {
    assert_eq!(
        read("<?xml version='1.0'?><html><script src='a.js'/><p>texto</p></html>"),
        "texto"
    );
}

#[test]
fn a_page_without_words_has_no_text() {
    for page in [
        "<html><body><script>x</script></body>",
        "<p> &nbsp; </p>",
        "<nav>a</nav>",
    ] {
        assert_eq!(
            text(extract, page.as_bytes()),
            Err(Failure::NoText),
            "{page}"
        );
    }
}

#[test]
fn a_fragment_is_only_its_words() {
    assert_eq!(fragment("<h1>Uno</h1><p>dos"), "Uno\n\ndos");
    assert_eq!(fragment("<!-- nada -->"), "");
}

#[test]
fn pages_that_nest_without_end_are_read_in_time() {
    let times = 40_000;
    let pages = [
        format!("{}hola{}", "<div>".repeat(times), "</div>".repeat(times)),
        format!("{}hola", "<table><tr><td>".repeat(times)),
        format!("{}hola", "<ul><li>".repeat(times)),
        format!("<div>{}hola", "<b></i></div>".repeat(times)),
        format!("<div><table><td>{}hola", "<b></div>".repeat(times)),
        format!(
            "<table><tr>{}hola",
            "<td colspan=100 rowspan=1000>x".repeat(times)
        ),
        format!(
            "<table><tr>{}{}hola",
            "<td rowspan=1000>x".repeat(2000),
            "<tr>".repeat(times)
        ),
        format!("{}hola", "<a href=mailto:a>".repeat(times)),
        format!("{}hola{}", "<h1>".repeat(times), "</h1>".repeat(times)),
        format!("{}hola", "<".repeat(times)),
        format!("{}hola", "&".repeat(times)),
        format!("{}hola", "<p hidden><b>".repeat(times)),
    ];
    for page in pages {
        let began = Instant::now();
        no_panic(extract, page.as_bytes());
        let shown: String = page.chars().take(40).collect();
        let time = began.elapsed();
        assert!(time < Duration::from_secs(10), "{shown}: {time:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
        no_panic(extract, &bytes);
    }

    #[test]
    fn any_tags_are_read(tags in prop::collection::vec("</?(table|tr|td|th|caption|p|li|ul|ol|h1|h2|div|nav|a|pre|title|script|select|option|b)( hidden| rowspan=3| colspan=2)?/?>|texto|<!--|-->| ", 0..60)) {
        no_panic(extract, tags.concat().as_bytes());
    }

    #[test]
    fn any_broken_page_is_read(bytes in mutations(PAGE.as_bytes())) {
        no_panic(extract, &bytes);
    }
}
