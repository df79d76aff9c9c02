use super::*;
use proptest::prelude::*;

fn alike(a: &str, b: &str) -> bool {
    let (one, two) = (Fingerprint::of(a), Fingerprint::of(b));
    let alike = one.is_like(a, &two, b);
    assert_eq!(alike, two.is_like(b, &one, a));
    alike
}

const POLICY: &str = "Para cancelar o reprogramar una cita, avise a la recepción con 24 horas de \
    anticipación por teléfono o por correo. Si el aviso llega más tarde se cobra la mitad de la \
    consulta. Las citas de emergencia se atienden por orden de llegada y según la gravedad de \
    cada caso. Traiga su documento de identidad y, si tiene seguro, el carnet vigente de la \
    aseguradora. En la sede de Miraflores se puede entrar con silla de ruedas por la puerta \
    lateral.";

#[test]
fn spelling_does_not_make_another_text() {
    for (a, b) in [
        (
            "La limpieza cuesta S/ 120.50 y dura 40 minutos.",
            "  LA LIMPIEZA   cuesta: S/ 120.50,\ny dura «40» minutos ",
        ),
        ("| Limpieza | S/ 120 |", "Limpieza — S/ 120"),
        ("Atención: sábados", "Atencio\u{301}n sabados"),
        ("Hola", "¡hola!"),
        (POLICY, &POLICY.to_uppercase()),
    ] {
        assert!(alike(a, b), "{a} / {b}");
    }
}

#[test]
fn rows_of_a_price_list_are_not_alike() {
    for (a, b) in [
        ("Limpieza dental | S/ 120", "Limpieza dental | S/ 130"),
        ("Limpieza dental | S/ 120", "Limpieza facial | S/ 120"),
        ("Plan A: 1.200", "Plan A: 1,200"),
        ("Talla 38 a $ 50", "Talla 38 a € 50"),
        ("Guardar a -5 °C", "Guardar a 5 °C"),
        ("Edad > 18", "Edad < 18"),
        ("Atendemos de 9:00 a 18:00", "Atendemos de 9:00 a 19:00"),
        ("¿Abren los domingos?", "Abren los domingos."),
    ] {
        assert!(!alike(a, b), "{a} / {b}");
    }
}

#[test]
fn one_number_in_a_long_table_makes_another_table() {
    let table = |price: u32| {
        let rows = (1..100).map(|row| {
            let price = if row == 50 { price } else { 100 + row };
            format!("| Servicio de la fila {row} con su descripción habitual | S/ {price} |\n")
        });
        rows.collect::<String>()
    };
    // All but three of some thousand runs are shared.
    assert!(!alike(&table(120), &table(130)));
    assert!(alike(&table(120), &table(120).replace(" | ", " ; ")));
}

#[test]
fn a_word_more_or_less_in_a_long_text_does_not_matter_unless_it_tells() {
    let with = |from: &str, to: &str| {
        assert!(POLICY.contains(from), "{from}");
        POLICY.replacen(from, to, 1)
    };
    assert!(alike(POLICY, &with("vigente de la", "vigente de esta")));
    assert!(alike(POLICY, &with("Traiga su", "Por favor traiga su")));
    for (from, to) in [
        // Perros or gatos, débito or crédito: a word that says something may be the whole point.
        ("vigente de la", "vencida de la"),
        ("con 24 horas", "con 48 horas"),
        ("se atienden", "no se atienden"),
        ("Miraflores", "Surco"),
        ("24 horas", "24 días"),
        ("más tarde", "menos tarde"),
        ("tiene seguro", "tiene seguro (100 %)"),
    ] {
        assert!(!alike(POLICY, &with(from, to)), "{from} / {to}");
    }
}

#[test]
fn texts_of_the_same_words_in_another_order_are_not_alike() {
    let words = |n: usize| ["ba", "co", "du", "fe", "gi", "lo"][n % 6].repeat(n / 6 + 1) + " ";
    let text: String = (0..100).map(words).collect();
    let turned: String = (0..100).rev().map(words).collect();
    let begun_later: String = (2..100).chain(0..2).map(words).collect();
    assert!(!alike(&text, &turned));
    assert!(alike(&text, &begun_later), "96 of 100 runs");
}

#[test]
fn pages_of_two_branches_are_not_alike() {
    let page = |branch: &str| {
        format!(
            "{branch}: abrimos de lunes a viernes de nueve de la mañana a seis de la tarde y los \
             sábados hasta la una, con estacionamiento para clientes en la misma cuadra."
        )
    };
    assert!(!alike(&page("Lima"), &page("Cusco")));
}

#[test]
fn nothing_is_like_nothing_and_the_endless_like_no_other() {
    assert!(!alike("", ""));
    assert!(!alike("- | -", "--"));
    let endless = "palabra ".repeat(MOST_WORDS + 1);
    assert!(!alike(&endless, &endless));
    assert!(alike(&endless[8..], &endless[8..]));
}

proptest! {
    #[test]
    fn any_text_with_words_is_like_itself(text in ".{0,200}") {
        let worded = text.chars().any(char::is_alphanumeric);
        prop_assert!(!worded || alike(&text, &text));
    }

    #[test]
    fn no_two_prices_are_alike(before in "[a-z ]{0,300}", a in 0_u32..10_000, b in 0_u32..10_000) {
        let row = |price: u32| format!("{before} S/ {price}");
        prop_assert_eq!(alike(&row(a), &row(b)), a == b);
    }
}
