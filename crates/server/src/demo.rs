//! The tenants a first start can be tried with.

use quipu_app::bootstrap::Demo;

/// The one that is meant when none is named.
pub const DEMO: Demo = Demo {
    tenant: "Clínica Dental Sonrisa",
    slug: "clinica-dental-sonrisa",
    agent: "Maya",
    title: "Guía de la clínica",
    text: include_str!("../demo/clinica-dental-sonrisa.md"),
    business: include_str!("../demo/dental.json"),
};

const MEDICAL: Demo = Demo {
    tenant: "Centro Médico Alba Andina",
    slug: "centro-medico-alba-andina",
    agent: "Lía",
    title: "Guía del centro médico",
    text: include_str!("../demo/centro-medico-alba-andina.md"),
    business: include_str!("../demo/medical.json"),
};

const RESTAURANT: Demo = Demo {
    tenant: "Taquería El Comal Despierto",
    slug: "taqueria-el-comal-despierto",
    agent: "Lupita",
    title: "Guía de la taquería",
    text: include_str!("../demo/taqueria-el-comal-despierto.md"),
    business: include_str!("../demo/restaurant.json"),
};

pub const ALL: [Demo; 3] = [DEMO, MEDICAL, RESTAURANT];

/// Where the first start leaves the key to talk to the demo agent with.
pub const KEY_FILE: &str = "demo-api-key";

/// Where the keys of the others are.
#[must_use]
pub fn key_file(demo: &Demo) -> String {
    if demo.slug == DEMO.slug {
        return KEY_FILE.to_owned();
    }
    format!("{KEY_FILE}-{}", demo.slug)
}
