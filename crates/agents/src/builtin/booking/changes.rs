//! Moving and cancelling an appointment that the customer has.

use super::super::catalogue::Meant;
use super::super::catalogue::meant;
use super::super::folded::{begins, field, says};
use super::super::refusals;
use super::super::scene::{Draft, Scene};
use super::Sought;
use super::slots::{fitting, minutes, nearest};
use crate::when::Day;
use quipu_core::lead::Temperature;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

impl Scene<'_> {
    /// Takes the next step of moving an appointment.
    pub(in super::super) async fn reschedule(&self, draft: &mut Draft) -> Result<()> {
        if self.refused() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        let when = self.wish().when;
        let Some(day) = when.day.and_then(Day::single) else {
            if when.day.is_none() && !when.soonest {
                draft.say(self.voice, "ask.new_day", &[]);
                return Ok(());
            }
            let sought = self.moved_service().await;
            let free = self.free(&sought, &when).await?;
            let fits = fitting(&free.slots, &when);
            if fits.is_empty() {
                draft.say(self.voice, "not.any", &[]);
            } else {
                let what = self.voice.pick("tu cita", "your appointment");
                self.offer(draft, what, &fits, None, false);
            }
            return Ok(());
        };
        if day < self.setting.now.date() {
            draft.say(self.voice, "past", &[]);
            return Ok(());
        }
        let sought = self.moved_service().await;
        let what = self.voice.pick("tu cita", "your appointment");
        let free = self.free(&sought, &when).await?;
        let Some(minute) = when.settle(&minutes(&free.slots)) else {
            let fits = fitting(&free.slots, &when);
            if fits.is_empty() {
                draft.say(self.voice, "not.day", &[("day", &self.voice.day(day))]);
                draft.say(self.voice, "not.any", &[]);
            } else {
                self.offer(draft, what, &fits, Some(day), false);
            }
            return Ok(());
        };
        let agreed = self.confirmed() && self.state.said.contains(&"confirm.move");
        if !(agreed || self.may_change && self.orders_move()) {
            let filling = [
                ("day", &*self.voice.day(day)),
                ("time", &self.voice.at(minute)),
            ];
            draft.say(self.voice, "confirm.move", &filling);
            return Ok(());
        }
        let time = format!("{:02}:{:02}", minute / 60, minute % 60);
        let asked = json!({ "date": day.to_string(), "time": time });
        match self
            .change_appointment("reschedule_appointment", asked)
            .await
        {
            Ok(moved) => self.say_changed(draft, "done.moved", &moved),
            Err(error) if error.code() == ErrorCode::SlotUnavailable => {
                let filling = [
                    ("day", &*self.voice.day(day)),
                    ("time", &self.voice.at(minute)),
                ];
                draft.say(self.voice, "not.at", &filling);
                let others: Vec<_> = free
                    .slots
                    .into_iter()
                    .filter(|slot| slot.minute != minute)
                    .collect();
                if others.is_empty() {
                    draft.say(self.voice, "not.any", &[]);
                } else {
                    self.offer(draft, what, &nearest(&others, minute), Some(day), false);
                }
            }
            Err(error) => self.explain_change(draft, &error).await,
        }
        Ok(())
    }

    /// Takes the next step of cancelling an appointment, which is never done without a yes.
    pub(in super::super) async fn cancel_appointment(&self, draft: &mut Draft) -> Result<()> {
        if self.refused() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        let chosen = self.state.said.contains(&"which.appointment");
        let asked = self.state.said.contains(&"confirm.cancel");
        if !(self.confirmed() && asked || chosen && self.may_change) {
            draft.say(self.voice, "confirm.cancel", &[]);
            return Ok(());
        }
        match self
            .change_appointment("cancel_appointment", json!({}))
            .await
        {
            Ok(cancelled) => self.say_changed(draft, "done.cancelled", &cancelled),
            Err(error) => self.explain_change(draft, &error).await,
        }
        Ok(())
    }

    /// Changes the customer's appointment. Where there are several, the one that their words fit.
    async fn change_appointment(&self, tool: &str, arguments: Value) -> Result<Value> {
        let error = match self.office.call(tool, arguments.clone()).await {
            Ok(changed) => return Ok(changed),
            Err(error) => error,
        };
        let several = refusals::allowed(&error);
        let told: Vec<String> = several.iter().map(|one| self.told(one)).collect();
        let language = self.voice.language;
        let Meant::One(at) = meant(self.text, &told, language, self.setting.default_language)
        else {
            return Err(error);
        };
        let id = several[at].split(' ').next().unwrap_or_default();
        let mut arguments = arguments;
        arguments["appointment_id"] = json!(id);
        self.office.call(tool, arguments).await
    }

    /// An appointment without the id that a tool names it by.
    fn told(&self, listed: &str) -> String {
        let inside = listed.split_once('(').map_or(listed, |(_, rest)| rest);
        let inside = inside.trim_end_matches(')');
        let Some((service, start)) = inside.rsplit_once(", ") else {
            return inside.to_owned();
        };
        let start: Option<jiff::civil::DateTime> = start.parse().ok();
        let Some(start) = start else {
            return inside.to_owned();
        };
        let minute =
            u16::try_from(i32::from(start.hour()) * 60 + i32::from(start.minute())).unwrap_or(0);
        let (day, time) = (self.voice.day(start.date()), self.voice.at(minute));
        format!("{service} {} {day} {time}", self.voice.pick("el", "on"))
    }

    async fn explain_change(&self, draft: &mut Draft, error: &Error) {
        let several = refusals::allowed(error);
        match error.code() {
            ErrorCode::InvalidArguments if !several.is_empty() => {
                let told: Vec<String> = several.iter().take(5).map(|one| self.told(one)).collect();
                draft.say(
                    self.voice,
                    "which.appointment",
                    &[("list", &self.voice.and(&told))],
                );
            }
            ErrorCode::NotFound => draft.say(self.voice, "no.appointment", &[]),
            _ => self.explain(draft, error).await,
        }
    }

    fn say_changed(&self, draft: &mut Draft, key: &str, changed: &Value) {
        let (day, time) = self.moment_of(changed).unwrap_or_default();
        let what = self.voice.pick("tu cita", "your appointment");
        let filling = [
            ("service", field(changed, "service").unwrap_or(what)),
            ("day", &day),
            ("time", &time),
            ("branch", field(changed, "branch_name").unwrap_or_default()),
            ("staff", field(changed, "staff_name").unwrap_or_default()),
        ];
        draft.say(self.voice, key, &filling);
        draft.awaiting = None;
        draft.temperature = Some(Temperature::Warm);
    }

    /// Whether the message itself orders the change: "pásame al viernes a la misma hora".
    fn orders_move(&self) -> bool {
        let orders = [
            "pasam",
            "pasal",
            "pasen",
            "muev",
            "cambiam",
            "cambial",
            "reagendam",
            "reprogramam",
            "confirm",
            "ponm",
            "ponl",
            "adelantam",
        ];
        let ordered = begins(&self.words, &orders)
            || says(&self.words, &["move it", "change it", "move my", "move me"]);
        ordered && !self.text.contains('?') && self.state.affirms != Some(false)
    }

    /// The service of the booking that ended the matter before this one, as the agent told it.
    fn booked_before(&self, names: &[String]) -> Option<String> {
        let before = self.state.since.checked_sub(1)?;
        let told = self.messages.get(before)?;
        match self.meant(&told.text, names) {
            Meant::One(at) => names.get(at).cloned(),
            _ => None,
        }
    }

    /// The service that the customer says the appointment is for, so that its times are offered.
    async fn moved_service(&self) -> Sought {
        let services = self.services().await.unwrap_or_default();
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let service = match self.service_named(&names) {
            Meant::One(at) => names.get(at).cloned(),
            _ => self.booked_before(&names),
        };
        Sought {
            service,
            ..Sought::default()
        }
    }
}
