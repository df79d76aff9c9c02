//! Somebody else than whoever was told to attend: those who were are left out, and where nobody else does it the
//! customer hears so.

use super::super::folded::{field, folded, items, says};
use super::super::lists::{Words, list};
use super::super::scene::{Draft, Scene};
use super::super::voice::capital;
use super::{Plan, Sought};
use crate::when::When;
use quipu_core::Result;
use serde_json::json;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/others.txt");
static ANOTHER: Words = LazyLock::new(|| list(DATA, "another"));
static AT_END: Words = LazyLock::new(|| list(DATA, "at_end"));
static ALONG: Words = LazyLock::new(|| list(DATA, "along"));

/// Whether a folded message asks for somebody else: "sí, pero con otra doctora".
pub(in super::super) fn wants_somebody_else(words: &str) -> bool {
    let ends = |end: &&str| {
        words
            .strip_suffix(*end)
            .is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    (says(words, &ANOTHER) || AT_END.iter().any(ends)) && !says(words, &ALONG)
}

impl Scene<'_> {
    /// Takes in who shall attend by one message. Who asks for somebody else wants none of those who were told before.
    pub(super) async fn add_staff(&self, sought: &mut Sought, text: &str, at: usize) {
        if !wants_somebody_else(&folded(text)) {
            if let Some(named) = self.staff_in(text).await {
                sought.without.retain(|other| *other != named);
                sought.staff = Some(named);
            }
            return;
        }
        let told = folded(self.said_before(at).unwrap_or_default());
        let staff = self.staff_names().await;
        let told = staff.iter().filter(|name| says(&told, &[&folded(name)]));
        sought.without.extend(told.cloned());
        sought.woman = says(&folded(text), &["doctora", "dra"]);
        let named = self.staff_in(text).await;
        // "Otra doctora" is not the only one there is.
        let by_name = |name: &String| {
            let said = folded(text);
            let parts = folded(name);
            let mut parts = parts.split(' ').filter(|part| part.chars().count() > 3);
            parts.any(|part| says(&said, &[part]))
        };
        sought.staff = named.filter(|name| by_name(name) && !sought.without.contains(name));
    }

    async fn staff_names(&self) -> Vec<String> {
        let told = self.office.call("get_staff_info", json!({})).await;
        let told = told.unwrap_or_default();
        let names = items(&told, "staff").iter();
        let names = names.filter_map(|person| field(person, "name"));
        names.map(str::to_owned).collect()
    }

    /// Looks whether anybody else does it. Where nobody does, or only elsewhere, the customer hears so when they ask,
    /// and it stays with whoever there is. `true` when the turn is answered by it.
    pub(super) async fn tell_nobody_else(
        &self,
        draft: &mut Draft,
        plan: &mut Plan,
    ) -> Result<bool> {
        if plan.sought.without.is_empty() {
            return Ok(false);
        }
        let (anytime, today) = (When::default(), self.setting.now.date());
        let free = self.free_after(&plan.sought, &anytime, today).await?;
        if !free.slots.is_empty() {
            let staff = free.slots.iter().filter_map(|slot| slot.staff.clone());
            let (women, men): (Vec<String>, Vec<String>) =
                staff.partition(|name| folded(name).starts_with("dra "));
            if plan.sought.woman && !women.is_empty() {
                plan.sought.without.extend(men);
            }
            return Ok(false);
        }
        let anywhere = Sought {
            branch: None,
            ..plan.sought.clone()
        };
        let without = std::mem::take(&mut plan.sought.without);
        if !wants_somebody_else(&self.words) {
            return Ok(false);
        }
        let what = capital(&plan.what);
        if let Some(branch) = &plan.sought.branch {
            let free = self.free_after(&anywhere, &anytime, today).await?;
            if self.say_branches(draft, "staff.elsewhere", (&what, branch), &free.slots) {
                return Ok(true);
            }
        }
        let filling = [
            ("service", what.as_str()),
            ("list", &self.voice.and(&without)),
        ];
        draft.say(self.voice, "staff.nobody_else", &filling);
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_else_is_told_from_something_else() {
        for text in [
            "sí, pero con otra doctora",
            "si pero con otro doctor",
            "yes but with another doctor",
            "sí pero con otra",
            "someone else please",
        ] {
            assert!(wants_somebody_else(&folded(text)), "{text}");
        }
        for text in [
            "sí, pero con otra hora",
            "voy con otra persona",
            "es para otra persona",
            "another day",
            "sí",
        ] {
            assert!(!wants_somebody_else(&folded(text)), "{text}");
        }
    }
}
