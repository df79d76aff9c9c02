//! Two small businesses.

use serde_json::{Value, json};

/// A dental clinic with two branches. Its morning of the first day is taken.
pub(super) fn clinic() -> Value {
    json!({
        "name": "Dental Aurora",
        "phone": "442 555 0101",
        "currency": "MXN",
        "timezone": "America/Mexico_City",
        "vertical": "dental",
        "branches": [
            { "id": "norte", "name": "Norte", "address": "Av. Tecnológico 210, Querétaro",
              "hours": { "mon-fri": "09:00-19:00", "sat": "09:00-14:00", "sun": "closed" } },
            { "id": "jardines", "name": "Jardines", "address": "Calle Fresno 45, Querétaro",
              "hours": { "mon-fri": "10:00-18:00", "sat": "closed", "sun": "closed" } },
        ],
        "staff": [
            { "id": "a", "name": "Dra. Lucía Ferrer", "role": "odontóloga general", "branch": "norte", "days": "mon-sat" },
            { "id": "b", "name": "Dr. Tomás Arce", "role": "ortodoncista", "branch": "jardines", "days": "mon-fri" },
            { "id": "c", "name": "Dra. Paula Ortiz", "role": "odontóloga general", "branch": "jardines", "days": "mon-fri" },
        ],
        "services": [
            { "id": "limp", "name": "Limpieza dental", "price": 650, "minutes": 30, "staff": ["a"] },
            { "id": "val", "name": "Valoración", "price": 0, "minutes": 30, "staff": ["a", "c"] },
            { "id": "bra", "name": "Ajuste de brackets", "price": 480, "minutes": 30, "staff": ["b"] },
            { "id": "bla", "name": "Blanqueamiento", "price": 2900, "minutes": 60, "staff": ["a"] },
            { "id": "urg", "name": "Consulta de urgencia", "price": 750, "minutes": 30, "staff": ["a"] },
        ],
        "policies": [
            { "kind": "cancellation", "text": "Se puede cancelar sin cargo hasta 24 horas antes; después se cobran $150." },
            { "kind": "general", "text": "No se hacen blanqueamientos a menores ni durante el embarazo." },
        ],
        "faqs": [
            { "q": "¿Aceptan tarjeta?", "a": "Sí, Visa y Mastercard." },
            { "q": "¿Hay estacionamiento?", "a": "Sí, en la sucursal Norte hay diez lugares." },
        ],
        "loyalty": { "unit": "puntos", "rewards": [{ "points": 50, "reward": "Limpieza gratis" }] },
        "appointments": [],
    })
}

/// A place for tacos that is open in the evening.
pub(super) fn tacos() -> Value {
    json!({
        "name": "Tacos La Esquina",
        "phone": "81 5555 0202",
        "currency": "MXN",
        "timezone": "America/Monterrey",
        "vertical": "restaurant",
        "branches": [
            { "id": "centro", "name": "Centro", "address": "Calle Padre Mier 300, Monterrey",
              "hours": { "tue-sun": "13:00-23:00", "mon": "closed" } },
        ],
        "staff": [],
        "services": [],
        "menu": [
            { "id": "m1", "name": "Taco al pastor", "price": 24 },
            { "id": "m2", "name": "Taco de suadero", "price": 27 },
            { "id": "m3", "name": "Volcán de queso", "price": 52, "allergens": ["lácteos"] },
            { "id": "m4", "name": "Agua de horchata", "price": 35 },
            { "id": "m5", "name": "Refresco", "price": 30 },
        ],
        "delivery": { "zones": { "Centro": 25, "Obispado": 40 }, "min_order": 120, "minutes": 35 },
        "payment_methods": ["efectivo", "tarjeta"],
        "policies": [],
        "faqs": [{ "q": "¿Tienen salsa sin picante?", "a": "Sí, la de aguacate no pica." }],
        "loyalty": { "unit": "chilitos", "rewards": [{ "points": 30, "reward": "Volcán de queso gratis" }] },
        "appointments": [],
    })
}

/// A kitchen with two branches, things that have to be chosen about, and several of a kind.
pub(super) fn kitchen() -> Value {
    let size = json!([{ "name": "Tamaño", "required": true, "min": 1, "max": 1, "choices": [
        { "name": "Chica", "extra": { "amount": 0, "currency": "MXN" } },
        { "name": "Grande", "extra": { "amount": 1000, "currency": "MXN" } },
    ]}]);
    json!({
        "name": "Cocina Nogal",
        "phone": "33 5555 0303",
        "currency": "MXN",
        "timezone": "America/Mexico_City",
        "vertical": "restaurant",
        "branches": [
            { "id": "roma", "name": "Roma", "address": "Calle Laurel 8, Ciudad de México",
              "hours": { "mon-sun": "10:00-22:00" } },
            { "id": "sur", "name": "Del Sur", "address": "Avenida Encino 90, Ciudad de México",
              "hours": { "mon-sun": "10:00-22:00" } },
        ],
        "staff": [],
        "services": [],
        "menu": [
            { "id": "k1", "name": "Taco al pastor", "price": 25, "aliases": ["pastor"] },
            { "id": "k2", "name": "Taco de bistec", "price": 30 },
            { "id": "k3", "name": "Quesadilla de queso", "price": 45 },
            { "id": "k4", "name": "Agua de horchata", "price": 30, "options": size },
            { "id": "k5", "name": "Refresco de cola", "price": 28, "aliases": ["coca"] },
            { "id": "k6", "name": "Café de olla", "price": 32 },
        ],
        "delivery": {
            "zones": { "Roma Norte": 30, "Narvarte": 45 }, "aliases": { "Roma Norte": ["La Roma"] },
            "min_order": 0, "minutes": 40,
        },
        "payment_methods": ["efectivo", "tarjeta"],
        "policies": [],
        "faqs": [],
        "loyalty": { "unit": "nueces", "rewards": [] },
        "appointments": [],
    })
}

/// A taquería with two branches: things with a filling to choose, extras that cost, beer, and a
/// smallest order.
pub(super) fn taqueria() -> Value {
    let extra = |units: i64| json!({ "amount": units * 100, "currency": "MXN" });
    let one_of = |name: &str, choices: &[(&str, i64)]| {
        let choices = choices.iter();
        let choices = choices.map(|(name, more)| json!({ "name": name, "extra": extra(*more) }));
        json!([{ "name": name, "required": true, "min": 1, "max": 1, "choices": choices.collect::<Vec<_>>() }])
    };
    let cheese = json!([{ "name": "Extras", "max": 2, "choices": [
        { "name": "Queso", "aliases": ["con queso"], "extra": extra(12) },
    ]}]);
    let meat = one_of("Carne", &[("Pastor", 0), ("Bistec", 0)]);
    json!({
        "name": "Taquería Luna",
        "phone": "55 5555 0404",
        "currency": "MXN",
        "timezone": "America/Mexico_City",
        "vertical": "restaurant",
        "branches": [
            { "id": "roma", "name": "Roma", "address": "Calle Ciprés 12, Ciudad de México",
              "hours": { "mon-sun": "13:00-23:00" } },
            { "id": "centro", "name": "Centro", "address": "Calle Olmo 7, Ciudad de México",
              "hours": { "mon-sun": "13:00-23:00" } },
        ],
        "staff": [],
        "services": [],
        "menu": [
            { "id": "t1", "name": "Taco al pastor", "price": 28, "aliases": ["pastor", "taco de pastor"], "options": cheese },
            { "id": "t2", "name": "Taco de bistec", "price": 34, "aliases": ["bistec"] },
            { "id": "t3", "name": "Taco de tripa", "price": 38, "aliases": ["tripa"] },
            { "id": "t4", "name": "Gringa", "price": 85, "options": meat },
            { "id": "t5", "name": "Torta de milanesa", "price": 105, "aliases": ["milanesa"] },
            { "id": "t6", "name": "Torta ahogada", "price": 110, "allergens": ["gluten"] },
            { "id": "t7", "name": "Kilo de pastor", "price": 550 },
            { "id": "t8", "name": "Agua de horchata", "price": 32, "aliases": ["horchata"],
              "options": one_of("Tamaño", &[("Chica", 0), ("Grande", 22)]) },
            { "id": "t9", "name": "Refresco de cola", "price": 35, "aliases": ["coca"] },
            { "id": "t10", "name": "Cerveza clara", "price": 52, "aliases": ["cerveza"], "category": "Cervezas" },
        ],
        "delivery": { "zones": { "Roma Norte": 25, "Condesa": 30 }, "min_order": 80, "minutes": 35 },
        "payment_methods": ["efectivo", "tarjeta"],
        "policies": [],
        "faqs": [],
        "loyalty": { "unit": "lunas", "rewards": [{ "points": 40, "reward": "Agua de horchata gratis" }] },
        "appointments": [],
    })
}
