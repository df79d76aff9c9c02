//! The tenant a first start can be tried with.

use quipu_app::bootstrap::Demo;

pub const DEMO: Demo = Demo {
    tenant: "Clínica Dental Sonrisa",
    slug: "clinica-dental-sonrisa",
    agent: "Maya",
    title: "Guía de la clínica",
    text: include_str!("../demo/clinica-dental-sonrisa.md"),
};

/// Where the first start leaves the key to talk to the demo agent with.
pub const KEY_FILE: &str = "demo-api-key";
