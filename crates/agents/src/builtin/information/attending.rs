//! Who attends on a day.

use super::super::folded::{field, items};
use super::super::scene::{Draft, Scene};
use super::super::transcript::asks_attending;
use super::super::voice::MOST_TOLD;
use super::hours::{on, weekly};
use crate::when::When;
use quipu_core::Result;
use serde_json::{Value, json};

impl Scene<'_> {
    /// Tells who attends on the day that is asked about, by the hours that were written down for each. Of whom there
    /// are none it is not known, and the customer hears so. `false` when nothing of the kind is asked.
    pub(in super::super) async fn tell_attending(&self, draft: &mut Draft) -> Result<bool> {
        let when = When::read(self.text, self.voice.language, &self.setting.now, None);
        let Some((day, said)) = self
            .day_asked(&when)
            .filter(|_| asks_attending(&self.words))
        else {
            return Ok(false);
        };
        let told = self.office.call("get_staff_info", json!({})).await?;
        let name = |person: &Value| field(person, "name").map(str::to_owned);
        let (mut there, mut unknown) = (Vec::new(), Vec::new());
        let mut known = false;
        for person in items(&told, "staff") {
            match weekly(person) {
                Some(hours) if on(&hours, day).is_empty() => known = true,
                Some(_) => there.extend(name(person)),
                None => unknown.extend(name(person)),
            }
        }
        if there.is_empty() && unknown.is_empty() && !known {
            return Ok(false);
        }
        let branches = self.branches().await?;
        let mut weeks = branches.iter().filter_map(weekly).peekable();
        let closed = weeks.peek().is_some() && weeks.all(|hours| on(&hours, day).is_empty());
        if closed && there.is_empty() {
            self.tell_hours(draft).await?;
            return Ok(true);
        }
        for (key, people) in [
            ("staff.on_day", &mut there),
            ("staff.days_unknown", &mut unknown),
        ] {
            people.truncate(MOST_TOLD);
            if !people.is_empty() {
                let filling = [("day", &*said), ("list", &self.voice.and(people))];
                draft.say(self.voice, key, &filling);
            }
        }
        if there.is_empty() && unknown.is_empty() {
            draft.say(self.voice, "staff.nobody_on_day", &[("day", &said)]);
        }
        if !unknown.is_empty() {
            self.invite(draft);
        }
        Ok(true)
    }
}
