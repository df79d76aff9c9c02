//! Claims and what only sounds like one, in both languages.

use super::super::{Evidence, Fact};
use super::deeds::{Deed, Doing, Thing};
use jiff::civil::date;
use quipu_core::language::Language;
use serde_json::json;

fn evidence() -> Evidence {
    let now = date(2026, 3, 17).at(9, 0, 0, 0).in_tz("America/Lima");
    Evidence::of_turn(now.unwrap(), Language::Es, false)
}

fn deeds(text: &str) -> Vec<(Doing, Thing)> {
    let stated = evidence().unsupported(text);
    let deeds = stated.into_iter().filter_map(|fact| match fact {
        Fact::Deed(Deed { doing, thing }) => Some((doing, thing)),
        _ => None,
    });
    deeds.collect()
}

#[test]
fn what_is_told_as_done_is_a_deed() {
    use Doing::{Cancel, Give, Make, Move, Receive, Redeem, Save, Send, Tell};
    use Thing::{
        Appointment, Data, Discount, Invoice, Message, Order, Payment, Person, Refund, Reward,
    };
    for (text, deed) in [
        ("Tu cita quedó agendada para mañana.", (Make, Appointment)),
        ("Sí, tu cita quedó agendada.", (Make, Appointment)),
        ("Te agendé para el martes.", (Make, Appointment)),
        ("Listo, agendada.", (Make, Appointment)),
        ("¡Reserva confirmada!", (Make, Appointment)),
        ("Hemos registrado su reserva.", (Make, Appointment)),
        ("Se agendó tu consulta.", (Make, Appointment)),
        ("Ya agendamos tu cita.", (Make, Appointment)),
        (
            "Tu cita está confirmada para el jueves.",
            (Make, Appointment),
        ),
        (
            "Te confirmo que tu cita quedó agendada.",
            (Make, Appointment),
        ),
        ("tu cita ya fue cancelada", (Cancel, Appointment)),
        ("Cancelé tu reserva.", (Cancel, Appointment)),
        ("He movido tu cita al viernes.", (Move, Appointment)),
        ("Tu cita ha sido reprogramada.", (Move, Appointment)),
        ("Tu pedido quedó registrado.", (Make, Order)),
        ("Su orden ha sido confirmada.", (Make, Order)),
        ("Ya avisé a una persona.", (Tell, Person)),
        ("He notificado al equipo.", (Tell, Person)),
        ("Te comuniqué con un asesor.", (Tell, Person)),
        ("Guardé tus datos.", (Save, Data)),
        ("Tu factura fue solicitada.", (Make, Invoice)),
        ("Canjeé tu premio.", (Redeem, Reward)),
        ("Tu pago fue recibido.", (Receive, Payment)),
        ("Te envié un correo con los detalles.", (Send, Message)),
        ("Your appointment has been booked.", (Make, Appointment)),
        (
            "I've booked your appointment for tomorrow.",
            (Make, Appointment),
        ),
        ("You're all booked.", (Make, Appointment)),
        ("We have cancelled your reservation.", (Cancel, Appointment)),
        ("Your order was placed.", (Make, Order)),
        ("I have notified the team.", (Tell, Person)),
        ("I already alerted a colleague.", (Tell, Person)),
        ("I sent you an email.", (Send, Message)),
        ("Acabo de agendar tu cita.", (Make, Appointment)),
        ("Acabamos de registrar su pedido.", (Make, Order)),
        ("Logré apartar tu cita.", (Make, Appointment)),
        ("Ya pude mover tu cita al jueves.", (Move, Appointment)),
        ("Conseguí reprogramarla para ti.", (Move, Appointment)),
        ("Acabo de avisarle al equipo.", (Tell, Person)),
        ("Te acabo de enviar un correo con todo.", (Send, Message)),
        ("I went ahead and cancelled your order.", (Cancel, Order)),
        ("Your refund has been processed.", (Make, Refund)),
        (
            "Apliqué un descuento especial a tu cuenta.",
            (Give, Discount),
        ),
        ("Tu factura fue emitida.", (Make, Invoice)),
        ("Borré tu información.", (Cancel, Data)),
    ] {
        assert_eq!(deeds(text), [deed], "{text}");
    }
}

#[test]
fn what_is_asked_offered_or_depends_is_none() {
    for text in [
        "¿Quieres que agende tu cita?",
        "¿Tu cita quedó agendada?",
        "¿Agendo tu cita para mañana?",
        "¿Te agendé bien el martes?",
        "Para cancelar tu cita necesito tu nombre.",
        "Cuando quede agendada te aviso.",
        "Una vez agendada tu cita, recibirás los datos.",
        "Si tu cita fue cancelada, podemos hacer otra.",
        "Tu cita queda confirmada cuando pagas el anticipo.",
        "Tu cita aún no está agendada.",
        "No he cancelado tu cita.",
        "Puedo avisar a una persona del equipo.",
        "Si quieres, aviso a una persona.",
        "Una persona del equipo te puede ayudar.",
        "Siento lo que ha pasado, el equipo lo puede revisar.",
        "Las citas canceladas con menos de un día de aviso se cobran.",
        "Los pedidos confirmados no se cambian.",
        "Agendamos citas de lunes a viernes.",
        "Entiendo que tu cita fue cancelada por la lluvia.",
        "Con gusto agendo tu cita, ¿qué día prefieres?",
        "Te agendaré en cuanto me digas la hora.",
        "Anotado: dos tacos y un agua.",
        "Listo, lo cambié. ¿Algo más?",
        "El salón, reservado para eventos, tiene terraza.",
        "No pude agendar tu cita.",
        "Aún no logro mover tu cita.",
        "¿Pudiste cancelar tu pedido?",
        "Puedo reprogramarla cuando quieras.",
        "Si no pudimos confirmar tu reserva, llámanos.",
        "Para borrar tu información escribe a la recepción.",
        "Would you like me to book your appointment?",
        "Was your appointment cancelled?",
        "I can notify a member of our team.",
        "If your appointment was cancelled, we can make another.",
        "Once your order has been placed, you get a number.",
        "Your appointment hasn't been booked yet.",
        "Cancelled appointments are charged in full.",
        "To cancel your appointment I need your name.",
    ] {
        assert_eq!(evidence().unsupported(text), [], "{text}");
    }
    // That there are discounts is no deed, and needs its source all the same.
    let offered = evidence().unsupported("Aplicamos descuentos a estudiantes.");
    assert_eq!(format!("{offered:?}"), "[Offer(\"a promotion\")]");
}

#[test]
fn a_deed_needs_the_tool_that_does_it() {
    let booked = "Tu cita quedó agendada.";
    let mut known = evidence();
    known.did("create_appointment");
    assert_eq!(known.unsupported(booked), []);
    assert_eq!(known.unsupported("Tu cita fue cancelada.").len(), 1);
    assert_eq!(known.unsupported("Tu pedido quedó registrado.").len(), 1);
    // What was made before is known from looking it up.
    let mut known = evidence();
    known.answered("get_appointments", &json!({}), &json!({"appointments": []}));
    assert_eq!(known.unsupported(booked).len(), 1, "there is none");
    known.answered(
        "get_appointments",
        &json!({}),
        &json!({"appointments": [{"date": "2026-03-18", "status": "confirmed"}]}),
    );
    assert_eq!(known.unsupported("Tu cita está confirmada."), []);
    assert_eq!(known.unsupported("Tu cita fue cancelada.").len(), 1);
    let mut known = evidence();
    known.did_by_client();
    assert_eq!(known.unsupported(booked), []);
}

#[test]
fn a_free_time_is_one_that_was_looked_up_for_that_day() {
    let promised = [
        "Mañana tenemos espacio.",
        "Hay cupo mañana por la tarde.",
        "Tengo disponibilidad para mañana.",
        "Mañana está disponible.",
        "We have openings tomorrow.",
        "Sí, mañana hay lugar a las 5 de la tarde.",
    ];
    for text in promised {
        assert!(evidence().unsupported(text).contains(&Fact::Slot), "{text}");
    }
    for text in [
        "¿Quieres que vea si hay espacio mañana?",
        "Mañana no tenemos espacio.",
        "Tenemos espacio para niños.",
        "Si mañana hay lugar, te aviso.",
        "Los martes tenemos turnos de mañana y de tarde.",
    ] {
        assert_eq!(evidence().unsupported(text), [], "{text}");
    }
    let mut known = evidence();
    let slots = |day: &str| json!({"date": "2026-03-18", "slots": [{"start": format!("{day}T17:00:00-05:00")}]});
    known.answered("get_available_slots", &json!({}), &slots("2026-03-20"));
    assert_eq!(
        known.unsupported(promised[0]),
        [Fact::Slot],
        "not on that day"
    );
    known.answered("get_available_slots", &json!({}), &slots("2026-03-18"));
    for text in promised {
        assert_eq!(known.unsupported(text), [], "{text}");
    }
}

#[test]
fn an_offer_is_one_of_the_business() {
    let offers = |text: &str, known: &Evidence| {
        let stated = known.unsupported(text);
        stated.iter().any(|fact| matches!(fact, Fact::Offer(_)))
    };
    let mut known = evidence();
    known.answered(
        "get_service_info",
        &json!({}),
        &json!({"name": "Limpieza", "price_range": "S/ 50"}),
    );
    known.text("No hacemos descuentos por pago en efectivo. El anticipo es del 30 %.");
    for text in [
        "Tenemos 50 % de descuento en limpieza.",
        "Tienes 30 % de descuento.",
        "Aprovecha nuestro 2x1.",
        "Hay dos por uno los martes.",
        "Esta semana hay promoción.",
        "La valoración es gratis.",
        "We have a 20% discount today.",
    ] {
        assert!(offers(text, &known), "{text}");
    }
    for text in [
        "No tenemos descuentos.",
        "¿Buscas alguna promoción?",
        "No tengo información de promociones.",
        "El anticipo es del 30 %.",
        "Para 2 personas por 1 noche.",
    ] {
        assert_eq!(known.unsupported(text), [], "{text}");
    }
    known.text("Martes: 2x1 en pizzas y 20 % de descuento en postres. La valoración es gratuita.");
    for text in [
        "Los martes hay 2x1 en pizzas.",
        "Tienes 20 % de descuento en postres.",
        "La valoración es gratis.",
        "Los martes hay promoción.",
    ] {
        assert!(!offers(text, &known), "{text}");
    }
    assert!(offers("Tienes 40 % de descuento en postres.", &known));
}

#[test]
fn nobody_works_there_who_is_not_known() {
    let mut known = evidence();
    known.answered(
        "get_staff_info",
        &json!({}),
        &json!({"staff": [{"name": "Dra. Lucía Salas"}]}),
    );
    known.name("Maya");
    known.customer("¿Me puede ver el doctor Ramírez?");
    for text in [
        "Te atiende la Dra. Salas.",
        "La doctora Lucía Salas trabaja los martes.",
        "Te atenderá Lucía.",
        "Te atiende Maya.",
        "No tenemos a ningún doctor Paredes.",
        "¿Buscas a la doctora Paredes?",
        "La doctora te espera.",
        "No encuentro al doctor Ramírez.",
    ] {
        assert_eq!(known.unsupported(text), [], "{text}");
    }
    for (text, name) in [
        ("Te atiende la doctora Paredes.", "paredes"),
        ("El Dr. Juan Quispe es muy bueno.", "juan quispe"),
        ("Te atenderá Rosa.", "rosa"),
        ("El doctor Ramírez atiende los martes.", "ramirez"),
        ("Dr. Smith will see you.", "smith"),
    ] {
        assert_eq!(
            known.unsupported(text),
            [Fact::Person(name.to_owned())],
            "{text}"
        );
    }
}

#[test]
fn a_price_belongs_to_what_it_stands_with() {
    let mut known = evidence();
    known.answered(
        "list_services",
        &json!({}),
        &json!({"services": [
            {"name": "Limpieza dental", "price_range": "S/ 120"},
            {"name": "Limpieza profunda", "price_range": "S/ 200"},
            {"name": "Ortodoncia", "price_range": "S/ 900"},
        ]}),
    );
    known.text("Lista de precios\nResina: S/ 90\nCorona de zirconia: S/ 750\nEl envío a Surco cuesta S/ 15.");
    for text in [
        "La limpieza dental cuesta S/ 120 y la ortodoncia S/ 900.",
        "La limpieza cuesta S/ 120.",
        "La profilaxis dental cuesta S/ 120.",
        "El servicio cuesta S/ 900.",
        "Con gusto, el tratamiento te sale en S/ 90.",
        "La corona de zirconia cuesta S/ 750.",
        "El total es S/ 120.",
        "- Resina: S/ 90",
    ] {
        assert_eq!(known.unsupported(text), [], "{text}");
    }
    for (text, amount) in [
        ("La ortodoncia cuesta S/ 120.", 120),
        ("La limpieza profunda cuesta S/ 120.", 120),
        ("La resina cuesta S/ 750.", 750),
        ("El blanqueamiento cuesta S/ 120.", 120),
        ("- Ortodoncia: S/ 200", 200),
    ] {
        let stated = known.unsupported(text);
        let wrong = |fact: &Fact| matches!(fact, Fact::PriceOf(of, _) if *of == amount * 100);
        assert!(stated.iter().any(wrong), "{text}: {stated:?}");
    }
    // A name without a price has none, and a line without a name that of its heading.
    known.answered(
        "list_services",
        &json!({}),
        &json!({"services": [{"name": "Carillas", "price_range": null}]}),
    );
    known.text(
        "¿Cuánto cuesta la endodoncia?\nCuesta S/ 480.\nOrtodoncia con limpieza incluida: S/ 990.",
    );
    assert_eq!(known.unsupported("La endodoncia cuesta S/ 480."), []);
    assert_eq!(known.unsupported("Las carillas cuestan S/ 480.").len(), 1);
    // What is asked for by another name is told by that name.
    let mut known = evidence();
    known.answered(
        "get_service_info",
        &json!({"service_name": "brackets"}),
        &json!({"name": "Ortodoncia", "price_range": "S/ 900"}),
    );
    assert_eq!(known.unsupported("Los brackets cuestan S/ 900."), []);
}

#[test]
fn an_open_agent_may_say_what_is_no_business() {
    let now = date(2026, 3, 17).at(9, 0, 0, 0).in_tz("America/Lima");
    let open = Evidence::of_turn(now.unwrap(), Language::Es, true);
    for text in [
        "El 70 % del cuerpo es agua.",
        "El doctor Schweitzer nació en Alsacia.",
    ] {
        assert_eq!(open.unsupported(text), [], "{text}");
        assert_eq!(evidence().unsupported(text).len(), 1, "{text}");
    }
    for text in [
        "Hay 70 % de descuento.",
        "Te atiende el doctor Schweitzer.",
        "Tu cita quedó agendada.",
    ] {
        assert_eq!(open.unsupported(text).len(), 1, "{text}");
    }
}
