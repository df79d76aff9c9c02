//! The appointments that the customer has, however they were made.

use super::super::catalogue::Meant;
use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::{Goal, Pick, picks};
use crate::supervisor::Awaiting;
use crate::when::{Day, When};
use jiff::civil::Date;
use quipu_core::agent::Intent;
use quipu_core::ports::Speaker;
use quipu_core::{ErrorCode, Result};
use serde_json::{Value, json};

/// How many appointments are told at once.
pub(super) const MOST_TOLD: usize = 5;

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
    async fn own_ahead(&self) -> Result<Option<Vec<Own>>> {
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
            self.say_with_contact(draft, "no.appointment", &[]).await;
            return Ok(None);
        }
        if self.asks_whose(draft, &own).await {
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
            if heard.awaiting != Some(Awaiting::Service) {
                continue;
            }
            let said = When::read(&turn.text, self.voice.language, &self.setting.now, None);
            let day = said.day.and_then(Day::single);
            let mut fits = own.iter().filter(|one| match (day, said.weekday) {
                (Some(day), true) => one.date.weekday() == day.weekday(),
                (Some(day), false) => one.date == day,
                (None, _) => said.settle(&[one.minute]) == Some(one.minute),
            });
            if let (Some(only), None) = (fits.next(), fits.next()) {
                return Some(only.clone());
            }
            if let Some(Pick::At(at)) = picks(&folded(&turn.text)) {
                return own.get(at).cloned();
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

    fn name_of<'a>(&self, own: &'a Own) -> &'a str {
        match own.service.as_str() {
            "" => self.voice.pick("tu reserva", "your reservation"),
            service => service,
        }
    }

    /// Whether the customer asks about an appointment of theirs: "¿cuándo es mi cita?".
    pub(in super::super) fn asks_own(&self) -> bool {
        const MINE: &[&str] = &[
            "mi cita",
            "mis citas",
            "mi reserva",
            "mi reservacion",
            "mi turno",
            "mi hora",
            "mi consulta",
            "mi mesa",
            "my appointment",
            "my appointments",
            "my booking",
            "my reservation",
            "una cita agendada",
            "cita pendiente",
            "citas pendientes",
            "citas tengo",
            "tengo cita",
            "tengo citas",
            "tengo una cita",
            "tengo reserva",
            "tengo algo reservado",
            "tengo algo agendado",
        ];
        const ASKING: &[&str] = &[
            "cuando",
            "que dia",
            "que hora",
            "a que hora",
            "para cuando",
            "tengo",
            "donde",
            "con quien",
            "sigue",
            "recuerdame",
            "recordarme",
            "when",
            "what time",
            "what day",
            "do i have",
            "remind",
        ];
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
            "agend",
            "reserva ",
            "book",
        ];
        if self.asks_what_was_booked() {
            return true;
        }
        says(&self.words, MINE)
            && says(&self.words, ASKING)
            && !begins(&self.words, CHANGING)
            && (self.text.contains('?')
                || begins(&self.words, &["cuando", "recuerd", "record", "when"]))
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
            [] => self.say_with_contact(draft, "no.appointment", &[]).await,
            [only] => {
                let (day, time) = (self.voice.day(only.date), self.voice.at(only.minute));
                let filling = [
                    ("service", only.service.as_str()),
                    ("day", &day),
                    ("time", &time),
                    ("branch", &only.branch),
                    ("staff", only.staff.as_deref().unwrap_or_default()),
                ];
                draft.say(self.voice, "appointment.one", &filling);
            }
            several => {
                let told = several.iter().take(MOST_TOLD).map(|one| self.told(one));
                let told: Vec<String> = told.collect();
                let list = self.voice.and(&told);
                draft.say(self.voice, "appointment.several", &[("list", &list)]);
            }
        }
        Ok(Intent::Booking)
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
