//! When the business, or somebody who works there, is open.

use super::super::PolicyRun;
use crate::business::BranchFact;
use crate::facts::Known;
use crate::read::LinkedNames;
use crate::say::{Phrase, SpeakingVoice};
use jiff::civil::Date;
use quipu_commerce::calendar::Interval;
use quipu_language::when::Day;

/// How many branches are told at once.
const MOST_TOLD: usize = 6;

impl PolicyRun<'_> {
    /// Tells when it is open: now, on a day, or in the week.
    pub(super) fn tell_hours(&mut self, question: &str, now: bool) -> Known<()> {
        if self.tell_staff_hours() {
            return Ok(());
        }
        // When something of theirs takes place is another question than when they are open.
        let service = matches!(self.services_asked(question), LinkedNames::One(_));
        if service && self.tell_knowledge_of(question)? {
            return Ok(());
        }
        let when = self.heard.when(&self.profile.now, None);
        let day = when.day.and_then(Day::single);
        let mut days = self.heard.days_in(question, &self.profile.now);
        if days.len() < 2 {
            days = day.into_iter().collect();
        }
        let today = self.profile.now.date();
        self.state.topic.day = day;
        let named = self.branch_named();
        let several = self.business.branches.len() > 1;
        let branches = self.business.branches.iter();
        let wanted: Vec<&BranchFact> = branches
            .filter(|branch| named.is_none_or(|id| branch.id == id))
            .take(MOST_TOLD)
            .collect();
        if wanted.is_empty() {
            return self.tell_known(question);
        }
        for branch in wanted {
            let name = if several { branch.name.as_str() } else { "" };
            if now && day.is_none_or(|day| day == today) {
                self.say_now(branch, name);
            }
            if days.is_empty() && !now {
                let hours = branch.hours_text.trim_end_matches('.');
                self.say(Phrase::HoursWeek, &[("branch", name), ("hours", hours)]);
            }
            for day in &days {
                self.say_day(branch, *day, name);
            }
        }
        Ok(())
    }

    fn say_now(&mut self, branch: &BranchFact, name: &str) {
        if branch.open_now {
            self.say(Phrase::HoursOpen, &[("branch", name)]);
            return;
        }
        let opens = branch
            .opens()
            .map(|(date, minute)| format!("{} {}", self.voice.day(date), self.voice.at(minute)));
        let opens = opens.unwrap_or_default();
        self.say(Phrase::HoursClosed, &[("branch", name), ("opens", &opens)]);
    }

    fn say_day(&mut self, branch: &BranchFact, date: Date, name: &str) {
        let intervals = branch.on(date);
        let day = self.voice.day(date);
        if intervals.is_empty() {
            self.say(Phrase::HoursDayClosed, &[("day", &day), ("branch", name)]);
            return;
        }
        let hours = stretches(self.voice, &intervals);
        let filling = [("day", day.as_str()), ("branch", name), ("hours", &hours)];
        self.say(Phrase::HoursDayOpen, &filling);
    }

    /// When somebody of the staff attends, where the message names one. `false` when it names nobody.
    fn tell_staff_hours(&mut self) -> bool {
        let person = self.staff_named().and_then(|id| self.business.person(id));
        let Some((person, hours)) = person.and_then(|person| Some((person, person.hours()?)))
        else {
            return false;
        };
        let hours = hours.describe(self.voice.language);
        let several = self.business.branches.len() > 1;
        let branch = if several {
            self.voice.and(&person.branches)
        } else {
            String::new()
        };
        let filling = [
            ("staff", person.name.as_str()),
            ("hours", &hours),
            ("branch", &branch),
        ];
        self.say(Phrase::HoursStaff, &filling);
        true
    }
}

/// "de 9:00 a. m. a 2:00 p. m. y de 4:00 p. m. a 8:00 p. m.".
fn stretches(voice: SpeakingVoice, intervals: &[Interval]) -> String {
    let told: Vec<String> = intervals
        .iter()
        .map(|interval| {
            let (from, to) = (voice.time(interval.opens()), voice.time(interval.closes()));
            match voice.language {
                quipu_core::language::Language::Es => format!("de {from} a {to}"),
                quipu_core::language::Language::En => format!("from {from} to {to}"),
            }
        })
        .collect();
    voice.and(&told)
}
