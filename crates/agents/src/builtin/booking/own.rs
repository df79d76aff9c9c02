//! The appointments that the customer has, however they were made.

use super::super::catalogue::Meant;
use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::{Goal, Pick, cannot_come, picks};
use crate::supervisor::Awaiting;
use crate::when::{Day, When};
use jiff::civil::Date;
use quipu_core::agent::{Intent, Vertical};
use quipu_core::ports::Speaker;
use quipu_core::{ErrorCode, Result};
use serde_json::{Value, json};
use std::borrow::Cow;

/// How many appointments are told at once.
pub(super) const MOST_TOLD: usize = 5;

/// How one of several is named by its place, where nobody asked which: "cambia la segunda". "A la 1" is an hour.
const COUNTED: &[&str] = &[
    "la primera",
    "la segunda",
    "la tercera",
    "la cuarta",
    "la ultima",
    "mi primera",
    "mi segunda",
    "mi ultima",
    "the first",
    "the second",
    "the third",
    "the last",
    "my first",
    "my second",
    "my last",
];

/// An appointment of the customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Own {
    pub(super) id: String,
    pub(super) service: String,
    pub(super) date: Date,
    pub(super) minute: u16,
    pub(super) branch: String,
    pub(super) staff: Option<String>,
    /// How many people come, where a table is kept for them.
    pub(super) party: Option<u16>,
}

impl Scene<'_> {
    /// What the customer has ahead. `None` when it is not known who they are.
    pub(super) async fn own_ahead(&self) -> Result<Option<Vec<Own>>> {
        if !self.setting.has_customer {
            return Ok(None);
        }
        match self.office.call("get_appointments", json!({})).await {
            Ok(told) => Ok(Some(
                items(&told, "appointments")
                    .iter()
                    .filter_map(read_own)
                    .collect(),
            )),
            Err(error) if error.code() == ErrorCode::LeadRequired => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The appointment that is meant. `None` when the customer was told that there is none, or is asked
    /// which of several by the sentence of that key.
    pub(super) async fn own_appointment(
        &self,
        draft: &mut Draft,
        asking: &str,
    ) -> Result<Option<Own>> {
        let Some(own) = self.own_ahead().await? else {
            self.say_with_contact(draft, "appointment.unseen", &[])
                .await;
            return Ok(None);
        };
        if own.is_empty() {
            self.tell_none(draft).await;
            return Ok(None);
        }
        if self.asks_whose(draft, &own).await {
            return Ok(None);
        }
        if self.tell_not_booked(draft, &own, asking).await {
            return Ok(None);
        }
        if let [only] = own.as_slice() {
            return Ok(Some(only.clone()));
        }
        let meant = self.own_meant(&own);
        if meant.is_none() {
            let told: Vec<String> = own
                .iter()
                .take(MOST_TOLD)
                .map(|one| self.told(one))
                .collect();
            draft.say(self.voice, asking, &[("list", &self.voice.and(&told))]);
        }
        Ok(meant)
    }

    /// Says that what the last message names is not booked, and asks whether something is meant that is.
    /// Nothing else is changed in its place. `true` when the turn is answered by it.
    async fn tell_not_booked(&self, draft: &mut Draft, own: &[Own], asking: &str) -> bool {
        let booked: Vec<String> = own.iter().map(|one| one.service.clone()).collect();
        if self.meant(self.text, &booked) != Meant::Nothing {
            return false;
        }
        let services = self.services().await.unwrap_or_default();
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let Meant::One(at) = self.meant(self.text, &names) else {
            return false;
        };
        let told = own.iter().take(MOST_TOLD).map(|one| self.told(one));
        let told: Vec<String> = told.collect();
        let filling = [
            ("service", names[at].as_str()),
            ("list", &*self.voice.and(&told)),
        ];
        let key = if asking == "which.moved" {
            "other.moved"
        } else {
            "other.cancelled"
        };
        draft.say(self.voice, key, &filling);
        true
    }

    /// Which of several the customer's words mean: by the service, or by the day where it was asked.
    fn own_meant(&self, own: &[Own]) -> Option<Own> {
        let services: Vec<String> = own.iter().map(|one| one.service.clone()).collect();
        let heard = self.state.heard.iter().rev();
        for heard in heard.filter(|heard| heard.at >= self.state.since) {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            if let Meant::One(at) = self.meant(&turn.text, &services) {
                return own.get(at).cloned();
            }
            let words = folded(&turn.text);
            // "El lunes no puedo ir" says which one by its day, and "cancela la de las 9" by its hour.
            let cancels =
                heard.goal == Some(Goal::CancelAppointment) && begins(&words, &["cancel", "anul"]);
            let asked = heard.awaiting == Some(Awaiting::Service);
            if !asked && !cancels && !cannot_come(&words) {
                if says(&words, COUNTED) && picks(&words).is_some() {
                    return picked(&words, own);
                }
                continue;
            }
            let said = When::read(&turn.text, self.voice.language, &self.setting.now, None);
            let day = said.day.and_then(Day::single);
            let on_day = |one: &Own| match (day, said.weekday) {
                (Some(day), true) => one.date.weekday() == day.weekday(),
                (Some(day), false) => one.date == day,
                (None, _) => said.time.is_some(),
            };
            let at_hour = |one: &Own| {
                let minute = said.settle(&[one.minute]);
                minute.is_none_or(|minute| minute == one.minute)
            };
            let mut fits = own.iter().filter(|one| on_day(one) && at_hour(one));
            if let (Some(only), None) = (fits.next(), fits.next()) {
                return Some(only.clone());
            }
            let counted = asked || says(&words, COUNTED);
            if let Some(picked) = picked(&words, own).filter(|_| counted) {
                return Some(picked);
            }
        }
        None
    }

    /// An appointment as it is told among others.
    pub(super) fn told(&self, own: &Own) -> String {
        let (day, time) = (self.voice.day(own.date), self.voice.at(own.minute));
        let what = self.name_of(own);
        format!("{what} {} {day} {time}", self.voice.pick("el", "on"))
    }

    fn name_of<'a>(&self, own: &'a Own) -> Cow<'a, str> {
        match (own.service.as_str(), own.party) {
            ("", Some(party)) => {
                let table = self.voice.pick("una mesa para", "a table for");
                format!("{table} {}", self.people(party)).into()
            }
            ("", None) => self.voice.pick("tu reserva", "your reservation").into(),
            (service, _) => service.into(),
        }
    }

    /// Whether the customer asks about an appointment of theirs: "¿cuándo es mi cita?".
    pub(in super::super) fn asks_own(&self) -> bool {
        const THINGS: &[&str] = &[
            "cita",
            "citas",
            "reserva",
            "reservas",
            "reservacion",
            "reservaciones",
            "turno",
            "turnos",
            "hora",
            "consulta",
            "consultas",
            "mesa",
            "mesas",
            "appointment",
            "appointments",
            "booking",
            "bookings",
            "reservation",
            "reservations",
            "agendado",
            "reservado",
            "pendiente",
        ];
        const OWN: &[&str] = &[
            "mi",
            "mis",
            "my",
            "tengo",
            "tenemos",
            "do i have",
            "do we have",
            "i have",
        ];
        const ASKING: &[&str] = &[
            "cuando",
            "que dia",
            "que hora",
            "a que hora",
            "para cuando",
            "tengo",
            "tenemos",
            "cuales",
            "donde",
            "con quien",
            "sigue",
            "recuerdame",
            "recordarme",
            "when",
            "what time",
            "what day",
            "do i have",
            "do we have",
            "remind",
        ];
        // "¿Tengo que hacer cita?" asks how it is done.
        const HAVING_TO: &[&str] = &["tengo que", "tenemos que", "i have to", "tengo hora para"];
        const CHANGING: &[&str] = &[
            "cancel",
            "anul",
            "cambi",
            "mover",
            "muev",
            "reprogram",
            "reagend",
            "pasar",
            "pasam",
            "adelant",
            "posterg",
            "move",
            "change",
            "resched",
            "agendar",
            "agendam",
            "reservar",
            "book ",
        ];
        if self.asks_what_was_booked() {
            return true;
        }
        let first = self.words.split(' ').next().unwrap_or_default();
        let asks = self.text.contains('?')
            || matches!(first, "que" | "cuales" | "what" | "which")
            || begins(&self.words, &["cuando", "recuerd", "record", "when"]);
        says(&self.words, THINGS)
            && says(&self.words, OWN)
            && says(&self.words, ASKING)
            && !says(&self.words, HAVING_TO)
            && !begins(&self.words, CHANGING)
            && asks
    }

    /// Whether it is asked when that is which was just booked: "¿a qué hora quedó?".
    fn asks_what_was_booked(&self) -> bool {
        const WHEN: &[&str] = &[
            "a que hora",
            "que dia",
            "que fecha",
            "para cuando",
            "cuando",
            "what time",
            "what day",
            "when",
        ];
        const IT: &[&str] = &[
            "quedo", "queda", "quedamos", "era", "es", "seria", "fue", "is it", "was it",
            "is that", "was that",
        ];
        const LONGEST: usize = 8;
        let booked = matches!(
            self.state.completed.last(),
            Some(Goal::Booking | Goal::Reschedule)
        );
        booked
            && self.state.awaiting.is_none()
            && self.words.split(' ').count() <= LONGEST
            && says(&self.words, WHEN)
            && says(&self.words, IT)
            && !begins(
                &self.words,
                &["abr", "cierr", "open", "clos", "otr", "another"],
            )
    }

    /// Tells when the customer's appointments are.
    pub(in super::super) async fn tell_own(&self, draft: &mut Draft) -> Result<Intent> {
        let Some(own) = self.own_ahead().await? else {
            match self.booked_here() {
                Some(told) => draft.add(told.to_owned()),
                None => {
                    self.say_with_contact(draft, "appointment.unseen", &[])
                        .await;
                }
            }
            return Ok(Intent::Booking);
        };
        match own.as_slice() {
            [] => self.tell_none(draft).await,
            [only] => self.tell_one(draft, only),
            several => {
                let told = several.iter().take(MOST_TOLD).map(|one| self.told(one));
                let told: Vec<String> = told.collect();
                let list = self.voice.and(&told);
                let tables = several.iter().all(|one| one.service.is_empty());
                let key = if tables {
                    "table.several"
                } else {
                    "appointment.several"
                };
                draft.say(self.voice, key, &[("list", &list)]);
            }
        }
        Ok(Intent::Booking)
    }

    /// Tells all there is to know of one appointment.
    pub(super) fn tell_one(&self, draft: &mut Draft, own: &Own) {
        let (day, time) = (self.voice.day(own.date), self.voice.at(own.minute));
        let filling = [
            ("service", own.service.as_str()),
            ("day", &day),
            ("time", &time),
            ("branch", &own.branch),
            ("staff", own.staff.as_deref().unwrap_or_default()),
        ];
        if own.service.is_empty() {
            let what = self.name_of(own);
            let filling = [filling.as_slice(), &[("table", &what)]].concat();
            draft.say(self.voice, "table.one", &filling);
            return;
        }
        draft.say(self.voice, "appointment.one", &filling);
    }

    /// Says that there is nothing ahead, in the words of the business.
    pub(super) async fn tell_none(&self, draft: &mut Draft) {
        let table = self.setting.vertical == Vertical::Restaurant;
        let key = if table { "no.table" } else { "no.appointment" };
        self.say_with_contact(draft, key, &[]).await;
    }

    /// What this conversation said of the booking that it made last.
    pub(super) fn booked_here(&self) -> Option<&str> {
        const MADE: &[&str] = &["done.booked", "done.table", "done.moved"];
        let agent = self.messages.iter().rev();
        let mut agent = agent.filter(|turn| turn.speaker == Speaker::Agent);
        let made = agent.find(|turn| {
            let said = Templates::get().recognise(&turn.text);
            said.iter().any(|said| MADE.contains(&said.key))
        });
        made.map(|turn| turn.text.as_str())
    }
}

/// The one that is pointed at by its place among them.
fn picked(words: &str, own: &[Own]) -> Option<Own> {
    let told = &own[..own.len().min(MOST_TOLD)];
    match picks(words)? {
        Pick::At(at) => told.get(at).cloned(),
        Pick::Last => told.last().cloned(),
        Pick::Any => None,
    }
}

fn read_own(told: &Value) -> Option<Own> {
    let time: jiff::civil::Time = field(told, "time")?.parse().ok()?;
    let minute = u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).ok()?;
    let table = field(told, "table_name").is_some() || field(told, "service").is_none();
    Some(Own {
        id: field(told, "appointment_id")?.to_owned(),
        service: field(told, "service").unwrap_or_default().to_owned(),
        date: field(told, "date")?.parse().ok()?,
        minute,
        branch: field(told, "branch_name").unwrap_or_default().to_owned(),
        staff: field(told, "staff_name").map(str::to_owned),
        party: told["party_size"]
            .as_u64()
            .and_then(|party| u16::try_from(party).ok())
            .filter(|_| table),
    })
}
