//! Appointments of the business in memory.

use super::{Fake, has_day, hours_on, list, minute, named, text, weekday};
use jiff::civil::{Date, Time};
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};
use uuid::Uuid;

impl Fake {
    pub(super) fn free(
        &self,
        business: &Value,
        service: Option<&Value>,
        date: Date,
    ) -> Vec<(u16, Value, Option<Value>)> {
        let mut found = Vec::new();
        let at = weekday(date.weekday());
        let length = service
            .and_then(|service| service["minutes"].as_u64())
            .unwrap_or(30);
        let length = u16::try_from(length).unwrap();
        for branch in list(business, "branches") {
            let Some((from, to)) = hours_on(branch, at) else {
                continue;
            };
            let (from, to) = (
                minute(&from),
                if minute(&to) <= minute(&from) {
                    24 * 60
                } else {
                    minute(&to)
                },
            );
            let staff: Vec<Option<&Value>> = if list(business, "staff").is_empty() {
                vec![None]
            } else {
                list(business, "staff")
                    .iter()
                    .filter(|person| {
                        let here = person["branch"].is_null() || person["branch"] == branch["id"];
                        let does = service
                            .is_none_or(|service| list(service, "staff").contains(&person["id"]));
                        here && does && has_day(text(person, "days"), at)
                    })
                    .map(Some)
                    .collect()
            };
            for person in staff {
                for start in (from..to.saturating_sub(length - 1)).step_by(30) {
                    let who = person.map_or("", |person| text(person, "id"));
                    let moment = date.to_datetime(
                        Time::new(
                            i8::try_from(start / 60).unwrap(),
                            i8::try_from(start % 60).unwrap(),
                            0,
                            0,
                        )
                        .unwrap(),
                    );
                    let taken = list(business, "appointments").iter().any(|known| {
                        let (begin, minutes) = (
                            text(known, "start"),
                            known["minutes"].as_u64().unwrap_or(30),
                        );
                        let begin: jiff::civil::DateTime = begin.parse().unwrap();
                        let end = begin
                            .checked_add(jiff::Span::new().minutes(i64::try_from(minutes).unwrap()))
                            .unwrap();
                        let until = moment
                            .checked_add(jiff::Span::new().minutes(i64::from(length)))
                            .unwrap();
                        text(known, "staff") == who
                            && known["cancelled"].is_null()
                            && begin < until
                            && moment < end
                    });
                    if moment > self.now.datetime() && !taken {
                        found.push((start, branch.clone(), person.cloned()));
                    }
                }
            }
        }
        found.sort_by_key(|(start, ..)| *start);
        found
    }

    pub(super) fn slots(&self, business: &Value, asked: &Value) -> Result<Value> {
        let service = match asked["service_name"].as_str() {
            Some(name) => Some(named(
                name,
                "service_name",
                "service",
                list(business, "services"),
                "name",
            )?),
            None if asked["urgent"] == json!(true) => list(business, "services")
                .iter()
                .find(|service| text(service, "name").contains("urgencia")),
            None => None,
        };
        let first = asked["date"]
            .as_str()
            .map_or(self.now.date(), |date| date.parse().unwrap());
        let days = asked["days"]
            .as_i64()
            .unwrap_or(if asked["date"].is_null() { 7 } else { 1 });
        let limit = usize::try_from(asked["limit"].as_u64().unwrap_or(12)).unwrap();
        let mut slots = Vec::new();
        for days in 0..days {
            let date = first.checked_add(jiff::Span::new().days(days)).unwrap();
            for (start, branch, person) in self.free(business, service, date) {
                let wrong_branch = asked["branch_name"]
                    .as_str()
                    .is_some_and(|name| branch["name"] != json!(name));
                let wrong_person = asked["staff_name"].as_str().is_some_and(|name| {
                    person
                        .as_ref()
                        .is_none_or(|person| person["name"] != json!(name))
                });
                if wrong_branch || wrong_person {
                    continue;
                }
                let name = service.map_or("", |service| text(service, "name"));
                let who = person.as_ref().map_or("", |person| text(person, "id"));
                slots.push(json!({
                    "slot_id": format!("{date}|{start}|{}|{who}|{name}", text(&branch, "id")),
                    "date": date.to_string(), "time": format!("{:02}:{:02}", start / 60, start % 60),
                    "branch_name": branch["name"], "staff_name": person.map(|person| person["name"].clone()),
                }));
            }
        }
        if let Some(wanted) = asked["time"].as_str().map(minute) {
            slots.sort_by_key(|slot: &Value| minute(text(slot, "time")).abs_diff(wanted));
        }
        slots.truncate(limit);
        let does = |person: &Value| {
            service.is_none_or(|service| list(service, "staff").contains(&person["id"]))
        };
        let there = |person: &Value| {
            let branches = list(business, "branches");
            let mut named = branches
                .iter()
                .filter(|branch| branch["name"] == asked["branch_name"]);
            asked["branch_name"].is_null() || named.any(|branch| branch["id"] == person["branch"])
        };
        let staff = list(business, "staff");
        let nobody = !staff.is_empty() && !staff.iter().any(|who| does(who) && there(who));
        let seats = business["seats"].as_u64().unwrap_or(u64::MAX);
        let reason = if nobody {
            Some("not_bookable")
        } else if asked["party_size"]
            .as_u64()
            .is_some_and(|party| party > seats)
        {
            slots.clear();
            Some("too_small")
        } else {
            slots.is_empty().then_some("full")
        };
        let name = service.map(|service| service["name"].clone());
        Ok(json!({ "slots": slots, "service_name": name, "reason": reason }))
    }

    pub(super) fn book(&self, business: &mut Value, asked: &Value) -> Result<Value> {
        let parts: Vec<&str> = text(asked, "slot_id").split('|').collect();
        let [date, start, branch, staff, service] = parts.as_slice() else {
            return Err(Error::new(ErrorCode::InvalidArguments));
        };
        let day: Date = date.parse().unwrap();
        let start: u16 = start.parse().unwrap();
        let wanted = list(business, "services")
            .iter()
            .find(|known| text(known, "name") == *service)
            .cloned();
        let free = self.free(business, wanted.as_ref(), day);
        let fits = free.iter().any(|(at, place, person)| {
            *at == start
                && text(place, "id") == *branch
                && person.as_ref().map_or("", |person| text(person, "id")) == *staff
        });
        if !fits {
            return Err(quipu_core::calendar::Unavailable::Taken.into());
        }
        let time = format!("{:02}:{:02}", start / 60, start % 60);
        let made = json!({ "id": Uuid::from_u128(99).to_string(), "service": service, "branch": branch, "staff": staff, "start": format!("{date}T{time}"),
            "minutes": wanted.map_or(json!(30), |wanted| wanted["minutes"].clone()), "customer": asked["customer_name"], "party": asked["party_size"] });
        let told = Self::tell(business, &made);
        business["appointments"].as_array_mut().unwrap().push(made);
        Ok(told)
    }

    pub(super) fn tell(business: &Value, made: &Value) -> Value {
        let (date, time) = text(made, "start").split_once('T').unwrap();
        let find = |kind: &str, id: &Value| {
            list(business, kind)
                .iter()
                .find(|known| known["id"] == *id)
                .map(|known| known["name"].clone())
        };
        json!({ "success": true, "service": made["service"], "date": date, "time": time, "branch_name": find("branches", &made["branch"]), "staff_name": find("staff", &made["staff"]) })
    }

    /// What the customer has ahead.
    pub(super) fn ahead(business: &Value) -> Value {
        let mine = list(business, "appointments")
            .iter()
            .filter(|known| known["mine"] != json!(false) && known["cancelled"].is_null());
        let told = mine.map(|made| {
            let mut told = Self::tell(business, made);
            told["appointment_id"] = made["id"].clone();
            told["party_size"] = made["party"].clone();
            told
        });
        json!({ "appointments": told.collect::<Vec<_>>() })
    }

    pub(super) fn change(&self, business: &mut Value, name: &str, asked: &Value) -> Result<Value> {
        let all = list(business, "appointments").to_vec();
        let ahead: Vec<usize> = (0..all.len())
            .filter(|at| all[*at]["mine"] != json!(false) && all[*at]["cancelled"].is_null())
            .collect();
        let at = match (asked["appointment_id"].as_str(), ahead.as_slice()) {
            (Some(id), _) => *ahead
                .iter()
                .find(|at| all[**at]["id"] == json!(id))
                .ok_or_else(|| Error::not_found("appointment"))?,
            (None, []) => return Err(Error::not_found("appointment")),
            (None, [only]) => *only,
            (None, some) => {
                let allowed: Vec<String> = some
                    .iter()
                    .map(|at| {
                        format!(
                            "{} ({}, {})",
                            text(&all[*at], "id"),
                            text(&all[*at], "service"),
                            text(&all[*at], "start")
                        )
                    })
                    .collect();
                return Err(Error::new(ErrorCode::InvalidArguments)
                    .with("field", "appointment_id")
                    .with("allowed", json!(allowed)));
            }
        };
        let mut changed = all[at].clone();
        if name == "cancel_appointment" {
            changed["cancelled"] = json!(true);
        } else {
            let (date, time) = (text(asked, "date"), text(asked, "time"));
            let service = list(business, "services")
                .iter()
                .find(|known| known["name"] == changed["service"])
                .cloned();
            let free = self.free(business, service.as_ref(), date.parse().unwrap());
            // A slot says with whom; without one it is whoever attends already.
            let staff = match text(asked, "slot_id").split('|').nth(3) {
                Some(staff) => json!(staff),
                None => changed["staff"].clone(),
            };
            let there = free.iter().any(|(start, _, person)| {
                let who = person
                    .as_ref()
                    .map_or(json!(""), |person| person["id"].clone());
                *start == minute(time) && who == staff
            });
            if !there {
                return Err(quipu_core::calendar::Unavailable::Taken.into());
            }
            changed["staff"] = staff;
            changed["start"] = json!(format!("{date}T{time}"));
        }
        business["appointments"][at] = changed.clone();
        Ok(Self::tell(business, &changed))
    }
}
