use super::token::cut;
use super::{Evidence, Fact, Time, read};
use serde_json::json;

fn stated(text: &str) -> Vec<Fact> {
    read::facts(&cut(text), read::Reading::Answer)
}

fn money(amount: i64) -> Fact {
    Fact::Money(amount * 100)
}

fn at(hour: u16, minute: u16, certain: bool) -> Fact {
    Fact::Time(Time {
        minute: hour * 60 + minute,
        certain,
    })
}

#[test]
fn prices_are_read_however_they_are_written() {
    for (text, amount) in [
        ("La limpieza cuesta S/ 120.", 120),
        ("Son $1,200 MXN", 1_200),
        ("Te sale en 600 pesos", 600),
        ("Vale ciento veinte soles", 120),
        ("cuesta mil doscientos pesos", 1_200),
        ("El total es 700.", 700),
        ("30 € cada una", 30),
        ("It costs 45 dollars", 45),
        ("that's two hundred and fifty dollars", 250),
        ("Q. 75 la consulta", 75),
        ("desde 10 mil pesos", 10_000),
        ("1.250.000 pesos", 1_250_000),
    ] {
        assert_eq!(stated(text), [money(amount)], "{text}");
    }
    assert_eq!(stated("S/ 120.50"), [Fact::Money(12_050)]);
    assert_eq!(stated("1.200,50 euros"), [Fact::Money(120_050)]);
}

#[test]
fn numbers_that_are_no_price_are_left_alone() {
    for text in [
        "Dura 45 minutos.",
        "Son 2 tacos y una coca",
        "Mesa para 4 personas",
        "Te atiende la doctora en 3 días",
        "Tenemos un horario libre",
        "en el piso 2",
        "Our address is Main Plaza, see you on Thursday 12 March",
    ] {
        assert_eq!(stated(text), [], "{text}");
    }
}

#[test]
fn times_are_read_however_they_are_said() {
    for (text, fact) in [
        ("a las 17:00", at(17, 0, true)),
        ("a las 5 de la tarde", at(17, 0, true)),
        ("5:30 p. m.", at(17, 30, true)),
        ("a las cinco y media", at(5, 30, false)),
        ("a las 9", at(9, 0, false)),
        ("a la una y cuarto", at(1, 15, false)),
        ("a las ocho menos cuarto de la mañana", at(7, 45, true)),
        ("at 3 pm", at(15, 0, true)),
        ("9 in the morning", at(9, 0, true)),
        ("al mediodía", at(12, 0, true)),
        ("12 a.m.", at(0, 0, true)),
    ] {
        assert_eq!(stated(text), [fact], "{text}");
    }
    assert_eq!(
        stated("Abrimos de 9 a 18"),
        [at(9, 0, false), at(18, 0, true)]
    );
}

#[test]
fn an_answer_may_state_what_was_looked_up() {
    let mut evidence = Evidence::new();
    evidence.tool(&json!({
        "name": "Limpieza dental",
        "price_min": { "amount": 60_000, "currency": "MXN" },
        "duration_minutes": 40,
        "slots": [{ "start": "2026-03-11T17:00:00-06:00" }],
        "balance": 85,
        "address": "Corregidora 88, Querétaro",
        "phone": "+52 442 000 0001",
    }));
    for text in [
        "La limpieza cuesta $600 y tengo a las 5 de la tarde.",
        "Estamos en Corregidora 88, Querétaro.",
        "Estamos en Corregidora No. 88.",
        "Tienes 85 puntos.",
        "Llámanos al 442 000 0001.",
        "Dura 40 minutos.",
    ] {
        assert_eq!(evidence.unsupported(text), [], "{text}");
    }
}

#[test]
fn an_answer_may_not_state_what_nobody_said() {
    let mut evidence = Evidence::new();
    evidence.tool(&json!({
        "price_range": "$600.00", "duration_minutes": 45,
        "slots": [{ "start": "2026-03-11T09:00:00-06:00" }],
        "address": "Corregidora 88, Querétaro", "phone": "442 000 0001",
    }));
    evidence.customer("¿me la dejas en 50 pesos a las 4?");
    for (text, fact) in [
        ("Cuesta $650.", money(650)),
        ("Claro, 50 pesos.", money(50)),
        ("Son cuarenta y cinco pesos", money(45)),
        ("Te espero a las 10 de la mañana", at(10, 0, true)),
        ("A las 9 de la noche", at(21, 0, true)),
        ("con 20 % de descuento", Fact::Offer("20 %".to_owned())),
        ("el 20 % de los casos", Fact::Percent(2_000)),
        (
            "Estamos en Corregidora 90.",
            Fact::Address("corregidora 90".to_owned()),
        ),
        (
            "en la calle Juárez 12",
            Fact::Address("juarez 12".to_owned()),
        ),
        (
            "Escríbenos al 999 888 777",
            Fact::Contact("999888777".to_owned()),
        ),
        (
            "paga en https://malo.example/x",
            Fact::Contact("https://malo.example/x".to_owned()),
        ),
    ] {
        assert_eq!(evidence.unsupported(text), [fact], "{text}");
    }
}

#[test]
fn the_customers_own_times_can_be_repeated() {
    let mut evidence = Evidence::new();
    evidence.customer("mañana a las 4 de la tarde");
    assert_eq!(evidence.unsupported("A las 4 ya no hay lugar."), []);
    assert_eq!(evidence.unsupported("A las 6 sí hay."), [at(6, 0, false)]);
}

#[test]
fn what_is_counted_is_no_address() {
    let text = "Tiene 60 puntos. Lo esperamos en la sucursal Norte.";
    assert_eq!(stated(text), [Fact::Points(6_000)]);
    // Businesses call their points as they like.
    let text = "Hola. Tiene 60 chilitos. ¿A qué dirección se lo llevamos?";
    assert_eq!(stated(text), []);
    let text = "Nuestra dirección: Reforma 60 esquina con Juárez.";
    assert_eq!(stated(text), [Fact::Address("reforma 60".to_owned())]);
}

#[test]
fn the_customers_own_address_can_be_repeated() {
    let mut evidence = Evidence::new();
    evidence.customer("Reforma 120, pago en efectivo");
    let to = |address: &str| format!("Te lo llevamos a domicilio a {address}.");
    assert_eq!(evidence.unsupported(&to("Reforma 120")), []);
    let other = Fact::Address("reforma 121".to_owned());
    assert_eq!(evidence.unsupported(&to("Reforma 121")), [other]);
}

#[test]
fn a_table_of_prices_is_evidence() {
    let mut evidence = Evidence::new();
    evidence.text("Servicio | Precio (S/)\nCuración | 90\nHorario: lunes a viernes de 9 a 18 h");
    assert_eq!(evidence.unsupported("La curación cuesta S/ 90."), []);
    assert_eq!(evidence.unsupported("Cerramos a las 6 de la tarde."), []);
    assert_eq!(evidence.unsupported("Cuesta S/ 95."), [money(95)]);
}

proptest::proptest! {
    #[test]
    fn nothing_breaks_the_reading(text in "\\PC{0,200}") {
        let mut evidence = Evidence::new();
        evidence.text(&text);
        evidence.customer(&text);
        let _ = evidence.unsupported(&text);
    }

    #[test]
    fn what_is_evidence_may_be_said(amount in 1_i64..900_000) {
        let mut evidence = Evidence::new();
        evidence.text(&format!("Precio: $ {amount}"));
        let said = evidence.unsupported(&format!("Cuesta {amount} pesos."));
        let invented = evidence.unsupported(&format!("Cuesta {} pesos.", amount + 1));
        proptest::prop_assert_eq!(said, []);
        proptest::prop_assert_eq!(invented, [money(amount + 1)]);
    }
}
