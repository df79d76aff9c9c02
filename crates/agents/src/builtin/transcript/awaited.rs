//! What the agent asked last.

use super::super::folded::{begins, folded};
use super::super::templates::Said;
use crate::supervisor::Awaiting;

/// What a question of a person or a model, in words of their own, is about.
const ABOUT: &[(&[&str], Awaiting)] = &[
    (&["confirm", "seguro", "sure"], Awaiting::Confirmation),
    (&["nombre", "llamas", "name"], Awaiting::Name),
    (
        &["domicilio", "recoger", "pickup", "delivery"],
        Awaiting::DeliveryOrPickup,
    ),
    (
        &["direccion", "address", "calle", "street"],
        Awaiting::Address,
    ),
    (
        &["pagar", "pagas", "paga", "pago", "pay"],
        Awaiting::Payment,
    ),
    (&["personas", "people"], Awaiting::PartySize),
    (&["sucursal", "sede", "branch"], Awaiting::Branch),
    (&["hora", "horario", "time"], Awaiting::Time),
    (&["dia", "fecha", "day", "date"], Awaiting::Day),
    (&["telefono", "celular", "phone", "correo"], Awaiting::Phone),
    (&["servicio", "tratamiento", "service"], Awaiting::Service),
    (&["pedir", "ordenar", "order"], Awaiting::OrderItems),
];

/// What the agent waits for: what its own sentences say, or what its question is about.
pub(super) fn awaited(said: &[Said], text: &str) -> Option<Awaiting> {
    if let Some(awaits) = said.iter().rev().find_map(|said| said.awaits) {
        return Some(awaits);
    }
    if !said.is_empty() {
        return None;
    }
    let question = text.rsplit_once('?')?.0;
    let question = question.rsplit(['¿', '.', '!', '\n']).next();
    let question = folded(question.unwrap_or_default());
    let found = ABOUT.iter().find(|(words, _)| begins(&question, words));
    found.map(|(_, awaiting)| *awaiting)
}
