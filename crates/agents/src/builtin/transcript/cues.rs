//! What single messages give away about where a conversation goes.

use super::super::folded::{begins, says};
use super::super::lists::{Words, list};
use crate::supervisor::{Awaiting, Understanding};
use quipu_core::agent::Intent;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/cues.txt");

/// Whether something that cannot wait was named, and not only guessed at.
pub(super) fn is_urgent(understood: &Understanding) -> bool {
    let mut reasons = understood.reasons.iter();
    let named = reasons.any(|reason| reason.intent == Intent::Urgent && reason.weight > 0.0);
    named && understood.intent() == Intent::Urgent
}

/// A yes among the first words of a message, where a question was to be answered with one.
/// Something else may follow it.
pub(super) fn leading_yes(words: &str, awaiting: Option<Awaiting>) -> Option<bool> {
    const FIRST: &[&str] = &["claro", "dale", "va", "ok", "sure", "sip", "simon", "listo"];
    const ANYWHERE: &[&str] = &[
        "si",
        "yes",
        "confirmo",
        "confirma",
        "confirmar",
        "confirmado",
        "confirmalo",
        "confirm",
    ];
    if awaiting != Some(Awaiting::Confirmation) {
        return None;
    }
    let first: Vec<&str> = words.split(' ').take(3).collect();
    let refuses = first
        .iter()
        .any(|word| matches!(*word, "no" | "not" | "nunca"));
    let agrees = first.first().is_some_and(|word| FIRST.contains(word))
        || first.iter().any(|word| ANYWHERE.contains(word));
    (agrees && !refuses).then_some(true)
}

/// Whether somebody wants to think it over, whatever polite word begins the message.
pub(in super::super) fn defers(words: &str) -> bool {
    begins(words, &["pienso", "pensar", "pensare"])
        || says(
            words,
            &[
                "les escribo",
                "te escribo",
                "les aviso",
                "te aviso",
                "think about",
            ],
        )
}

/// Whether a rule names something that no data of an invoice speak of, so that it is answered before
/// those are asked for again.
pub(super) fn asks_besides(understood: &Understanding) -> bool {
    const CLEAR: f32 = 3.0;
    let about = matches!(
        understood.intent(),
        Intent::Pricing
            | Intent::Location
            | Intent::Hours
            | Intent::Booking
            | Intent::Ordering
            | Intent::Loyalty
            | Intent::Urgent
    );
    let mut reasons = understood.reasons.iter();
    about && reasons.any(|reason| reason.intent == understood.intent() && reason.weight >= CLEAR)
}

/// Whether a message asks something of its own.
pub(super) fn asks(text: &str, words: &str, intent: Intent) -> bool {
    const ASKING: &[&str] = &[
        "que", "cual", "cuanto", "cuanta", "donde", "como", "cuando", "tienen", "hay", "aceptan",
        "puedo", "do", "is", "what", "how", "where", "can", "when", "quien",
    ];
    match intent {
        Intent::Urgent | Intent::Escalation => true,
        Intent::Pricing | Intent::Location | Intent::Hours | Intent::Faq | Intent::Loyalty => {
            let first = words.split(' ').next().unwrap_or_default();
            text.contains('?') || ASKING.contains(&first)
        }
        _ => false,
    }
}

pub(in super::super) fn redeems(words: &str) -> bool {
    const STARTS: &[&str] = &[
        "canje", "redeem", "redim", "cambi", "usa", "aplica", "mete", "spend", "use", "gasta",
        "quier", "dam", "pon", "agreg", "añad", "incluy",
    ];
    begins(words, STARTS)
}

pub(super) fn moves(words: &str) -> bool {
    begins(
        words,
        &[
            "reagend",
            "reprogram",
            "reschedul",
            "recalendar",
            "posterg",
            "aplaz",
            "pospon",
        ],
    ) || begins(
        words,
        &[
            "muev", "mover", "pasam", "pasar", "pasal", "pasen", "cambi", "move", "change",
            "adelant", "recorr", "atrasa",
        ],
    )
}

/// Whether it is said so plainly that something shall be moved that a time beside it is enough to know
/// that an appointment is meant: "pasa la limpieza para el viernes".
pub(super) fn moves_plainly(words: &str) -> bool {
    const STARTS: &[&str] = &[
        "pasam",
        "pasal",
        "pasen",
        "pasem",
        "muev",
        "muevem",
        "recorr",
        "reagend",
        "reprogram",
        "reschedul",
        "recalendar",
        "cambiam",
        "cambial",
        "adelantam",
        "adelantal",
        "atrasam",
        "atrasal",
        "posterg",
        "pospon",
        "aplaz",
        "move",
    ];
    // "¿Qué pasa si…?" asks, and "se me pasa" tells.
    let words: Vec<&str> = words.split(' ').collect();
    let told = ["que", "me", "te", "se", "le", "nos", "no", "si"];
    let passes = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        words[at] == "pasa" && !told.contains(&before)
    };
    (0..words.len()).any(passes)
        || words
            .iter()
            .any(|word| STARTS.iter().any(|start| word.starts_with(start)))
}

/// Whether something else is wanted in the place of what was settled.
pub(super) fn prefers(words: &str) -> bool {
    // A few words have no room for anything that is better than something else.
    const FEW: usize = 9;
    let few = words.split(' ').count() <= FEW;
    let mut first = words.split(' ').take(if few { FEW } else { 3 });
    let shall_be = [
        "puede ser",
        "podria ser",
        "que sea",
        "va a ser",
        "seria",
        "could it be",
        "can it be",
        "make it",
        "can we do",
        "could we do",
    ];
    first.any(|word| word == "mejor")
        || says(words, &["instead", "rather", "en vez"])
        || few && says(words, &shall_be)
}

/// Whether it is said that something comes on top of what there is.
pub(super) fn wants_another(words: &str) -> bool {
    says(
        words,
        &[
            "otra", "otro", "otras", "otros", "nueva", "nuevo", "tambien", "ademas", "another",
            "new", "also", "too",
        ],
    )
}

/// Whether it is asked how something works: "¿cómo canjeo mis puntos?".
pub(super) fn text_asks_how(words: &str) -> bool {
    says(
        words,
        &[
            "como canjeo",
            "como se canjean",
            "como puedo",
            "how do i",
            "how can i",
        ],
    )
}

/// What asks until when something may be done, what tells of a case that may come, and what asks what happens then.
static UNTIL: Words = LazyLock::new(|| list(DATA, "until"));
static IN_CASE: Words = LazyLock::new(|| list(DATA, "in_case"));
static ALLOWED: Words = LazyLock::new(|| list(DATA, "allowed"));

/// Whether it is asked until when or whether something could be called off: "si no puedo ir, ¿hasta cuándo puedo
/// cancelar?" calls off nothing and refuses nothing.
pub(in super::super) fn asks_cancelling(words: &str) -> bool {
    let until = says(words, &UNTIL) && begins(words, &["cancel", "anul"]);
    until || says(words, &IN_CASE) && says(words, &ALLOWED)
}

/// Whether it is asked what a change would cost or until when it can be made, which is no wish for it yet.
pub(in super::super) fn asks_fee(words: &str) -> bool {
    asks_cancelling(words)
        || begins(
            words,
            &[
                "cobr", "costo", "cuesta", "cargo", "penal", "multa", "fee", "charge", "politica",
            ],
        )
}

/// What asks which orders there are.
static HOW_MANY: Words = LazyLock::new(|| list(DATA, "how_many"));

pub(in super::super) fn asks_orders(words: &str) -> bool {
    says(words, &HOW_MANY)
}

pub(in super::super) fn asks_status(words: &str) -> bool {
    asks_orders(words)
        || says(words, &["mi pedido", "my order", "el pedido"])
            && begins(
                words,
                &[
                    "donde", "como", "va", "cuanto", "cuando", "falta", "lleg", "viene", "estado",
                    "status", "where", "ready", "listo", "tarda", "demora", "when",
                ],
            )
}

/// What says that somebody will not be there.
static CANNOT_COME: Words = LazyLock::new(|| list(DATA, "cannot_come"));

/// Whether somebody says that they cannot come: "al final no puedo ir el jueves".
pub(in super::super) fn cannot_come(words: &str) -> bool {
    // "No voy a poder pagar" says something else.
    says(words, &CANNOT_COME) || words.ends_with("no voy a poder")
}

/// What asks who it is, and what somebody does who attends.
static WHO: Words = LazyLock::new(|| list(DATA, "who"));
static ATTENDS: Words = LazyLock::new(|| list(DATA, "attends"));

/// Whether it is asked who attends: "¿quién atiende el sábado?" names no day to come on. Who asks for somebody that is
/// free, or at an hour, looks for a time.
pub(in super::super) fn asks_attending(words: &str) -> bool {
    let looks = begins(words, &["disponib", "availab", "libre"]) || says(words, &["a las", "at"]);
    says(words, &WHO) && says(words, &ATTENDS) && !looks
}

/// Whether it is asked about bookings, which books nothing.
pub(super) fn asks_about_booking(words: &str) -> bool {
    asks_fee(words) || asks_what_to_bring(words) || asks_attending(words)
}

/// What asks for what to bring to an appointment.
static BRING: Words = LazyLock::new(|| list(DATA, "bring"));

/// Whether it is asked what to bring or how to come, which books nothing.
pub(in super::super) fn asks_what_to_bring(words: &str) -> bool {
    says(words, &BRING)
}
