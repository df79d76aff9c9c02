//! When the business is open.

use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::voice::MOST_TOLD;
use crate::when::{Day, When, weekday};
use jiff::civil::{Date, Weekday};
use quipu_core::Result;
use quipu_core::calendar::{WrittenException, WrittenHours, WrittenInterval};
use quipu_core::validate::Checks;
use serde_json::{Value, json};

impl Scene<'_> {
    pub(in super::super) async fn tell_hours(&self, draft: &mut Draft) -> Result<()> {
        let branches = self.branches().await?;
        let several = branches.len() > 1;
        let named = self.branch_in(self.text, &branches).filter(|_| several);
        let mut when = When::read(self.text, self.voice.language, &self.setting.now, None);
        if when.day.is_none() {
            when.day = self.named_exception(&branches).map(Day::On);
        }
        let now = begins(
            &self.words,
            &[
                "ahora", "ahorita", "abiert", "cerraron", "cerrado", "now", "still", "sigue",
                "todavia",
            ],
        ) || says(&self.words, &["estan abriendo", "are you open"]);
        let before = draft.parts.len();
        let wanted = branches.iter().filter(|branch| {
            named
                .as_deref()
                .is_none_or(|name| field(branch, "name") == Some(name))
        });
        for branch in wanted.take(MOST_TOLD) {
            let name = field(branch, "name")
                .filter(|_| several)
                .unwrap_or_default();
            let Some(hours) = weekly(branch) else {
                continue;
            };
            if now
                && when
                    .day
                    .is_none_or(|day| day.single() == Some(self.setting.now.date()))
            {
                self.tell_now(draft, branch, name);
            }
            match self.day_asked(&when) {
                Some((day, said)) => {
                    let date = when.day.and_then(Day::single);
                    let other = date.and_then(|date| excepted(branch, date));
                    let stretches = other.unwrap_or_else(|| on(&hours, day).to_vec());
                    self.tell_day(draft, &stretches, &said, name);
                }
                None if now => {}
                None => {
                    let text = self.week_text(branch, &hours);
                    draft.say(
                        self.voice,
                        "hours.week",
                        &[("branch", name), ("hours", &text)],
                    );
                }
            }
        }
        if draft.parts.len() == before && !self.tell_knowledge(draft).await? {
            self.say_with_contact(draft, "no_information", &[]).await;
        }
        Ok(())
    }

    /// When somebody of the staff attends, where the message asks for that: their own hours, or those of
    /// the place where they are. `false` when it asks for nobody's, or nobody wrote them down.
    pub(in super::super) async fn tell_staff_hours(&self, draft: &mut Draft) -> Result<bool> {
        let when = says(
            &self.words,
            &[
                "que dias",
                "que dia",
                "que horario",
                "que horarios",
                "a que hora",
                "cuando",
                "horario de",
                "horario tiene",
                "what days",
                "which days",
                "what hours",
                "what time",
                "when",
            ],
        );
        let attends = begins(
            &self.words,
            &[
                "atiend", "trabaj", "viene", "labora", "horario", "work", "attend", "see", "come",
                "availab",
            ],
        );
        if !when || !attends {
            return Ok(false);
        }
        // Whoever asks when somebody attends names a person, with a title or without.
        let Some(name) = self.staff_in(&format!("con {}", self.text)).await else {
            return Ok(false);
        };
        let told = self.office.call("get_staff_info", json!({})).await?;
        let mut people = items(&told, "staff").iter();
        let Some(person) = people.find(|person| field(person, "name") == Some(&*name)) else {
            return Ok(false);
        };
        let places: Vec<&str> = items(person, "branches")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let branches = self.branches().await?;
        let place = branches
            .iter()
            .find(|branch| field(branch, "name").is_some_and(|name| places.contains(&name)));
        let Some(hours) = weekly(person).or_else(|| place.and_then(weekly)) else {
            return Ok(false);
        };
        let hours = hours.read("hours", &mut Checks::new());
        let hours = hours.describe(self.voice.language);
        let branch = self.voice.and(&places);
        let branch = if branches.len() > 1 { &*branch } else { "" };
        let filling = [("staff", &*name), ("hours", &hours), ("branch", branch)];
        draft.say(self.voice, "hours.staff", &filling);
        Ok(true)
    }

    fn tell_now(&self, draft: &mut Draft, branch: &Value, name: &str) {
        if branch["open_now"] == json!(true) {
            draft.say(self.voice, "hours.open", &[("branch", name)]);
            return;
        }
        let opens = self.opens(std::slice::from_ref(branch));
        let opens = opens
            .map(|(day, time)| format!("{day} {time}"))
            .unwrap_or_default();
        draft.say(
            self.voice,
            "hours.closed",
            &[("branch", name), ("opens", &opens)],
        );
    }

    /// The day of the week that is asked about, and how to call it: a date, or "los sábados".
    pub(super) fn day_asked(&self, when: &When) -> Option<(Weekday, String)> {
        if let Some(date) = when.day.and_then(Day::single) {
            return Some((date.weekday(), self.voice.day(date)));
        }
        let day = self.words.split(' ').find_map(weekday)?;
        let ahead = self.setting.now.date().weekday().until(day);
        let date = self.setting.now.date();
        let date = date.checked_add(jiff::Span::new().days(ahead)).ok()?;
        let said = self.voice.day(date);
        let name = said.split([' ', ',']).next().unwrap_or_default();
        let plural = self.voice.pick("", "s");
        Some((day, format!("{name}{plural}")))
    }

    fn tell_day(&self, draft: &mut Draft, stretches: &[WrittenInterval], said: &str, name: &str) {
        if stretches.is_empty() {
            draft.say(
                self.voice,
                "hours.day_closed",
                &[("day", said), ("branch", name)],
            );
            return;
        }
        let told: Vec<String> = stretches
            .iter()
            .map(|stretch| {
                let (from, to) = (self.clock(&stretch.from), self.clock(&stretch.to));
                match self.voice.language {
                    quipu_core::language::Language::Es => format!("de {from} a {to}"),
                    quipu_core::language::Language::En => format!("from {from} to {to}"),
                }
            })
            .collect();
        let told = self.voice.and(&told);
        draft.say(
            self.voice,
            "hours.day_open",
            &[("day", said), ("hours", &told), ("branch", name)],
        );
    }

    /// The day that the business itself calls by a name that the message has: "fiestas patrias".
    fn named_exception(&self, branches: &[Value]) -> Option<Date> {
        let today = self.setting.now.date();
        let all = branches
            .iter()
            .flat_map(|branch| items(branch, "exceptions"));
        let mut dates: Vec<Date> = all
            .filter_map(|exception| {
                let written: WrittenException = serde_json::from_value(exception.clone()).ok()?;
                let last = written.to.unwrap_or(written.from);
                let label = folded(field(exception, "label")?);
                let named = !label.is_empty() && says(&self.words, &[&label]);
                (named && last >= today).then(|| written.from.max(today))
            })
            .collect();
        dates.sort_unstable();
        dates.first().copied()
    }

    fn clock(&self, time: &str) -> String {
        let parsed: Option<jiff::civil::Time> = time.parse().ok();
        let minute = parsed.and_then(|time| {
            u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).ok()
        });
        // Midnight at the end of a day is written 24:00.
        self.voice.time(minute.unwrap_or(0))
    }

    fn week_text(&self, branch: &Value, hours: &WrittenHours) -> String {
        let own = self.voice.language == self.setting.default_language;
        if let Some(text) = field(branch, "hours_text").filter(|_| own) {
            return text.to_owned();
        }
        let mut checks = Checks::new();
        let weekly = hours.read("hours", &mut checks);
        weekly.describe(self.voice.language)
    }
}

pub(super) fn weekly(branch: &Value) -> Option<WrittenHours> {
    let hours: WrittenHours = serde_json::from_value(branch["operating_hours"].clone()).ok()?;
    (hours != WrittenHours::default()).then_some(hours)
}

/// The hours of a date on which others hold than those of the week. None of them is closed.
fn excepted(branch: &Value, date: Date) -> Option<Vec<WrittenInterval>> {
    let exceptions = branch["exceptions"].as_array()?.iter();
    let mut exceptions = exceptions
        .filter_map(|exception| serde_json::from_value::<WrittenException>(exception.clone()).ok());
    let found = exceptions.find(|exception| {
        let last = exception.to.unwrap_or(exception.from);
        (exception.from..=last).contains(&date)
    });
    found.map(|exception| exception.intervals)
}

pub(super) fn on(hours: &WrittenHours, day: Weekday) -> &[WrittenInterval] {
    match day {
        Weekday::Monday => &hours.monday,
        Weekday::Tuesday => &hours.tuesday,
        Weekday::Wednesday => &hours.wednesday,
        Weekday::Thursday => &hours.thursday,
        Weekday::Friday => &hours.friday,
        Weekday::Saturday => &hours.saturday,
        Weekday::Sunday => &hours.sunday,
    }
}
