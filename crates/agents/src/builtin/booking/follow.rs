//! What is asked about the appointment that was just made: what it costs, how long it takes, with whom
//! and where it is. Asked right behind a booking, nothing else is meant.

use super::super::catalogue::Meant;
use super::super::folded::says;
use super::super::lists::{Words, list};
use super::super::scene::{Draft, Scene};
use super::super::transcript::Goal;
use super::own::Own;
use crate::when::{offers, settle};
use quipu_core::Result;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/follow.txt");
static COST: Words = LazyLock::new(|| list(DATA, "cost"));
static LONG: Words = LazyLock::new(|| list(DATA, "long"));
static WHO: Words = LazyLock::new(|| list(DATA, "who"));
static WHERE: Words = LazyLock::new(|| list(DATA, "where"));
/// The words that such a question is made of besides. With any other, it is about something else.
static BESIDE: Words = LazyLock::new(|| list(DATA, "beside"));
const LONGEST: usize = 10;

impl Scene<'_> {
    /// Answers a question about what was booked here last. `false` when the message asks no such thing.
    pub(in super::super) async fn follow_booking(&self, draft: &mut Draft) -> Result<bool> {
        let booked = matches!(
            self.state.completed.last(),
            Some(Goal::Booking | Goal::Reschedule)
        );
        let words: Vec<&str> = self.words.split(' ').collect();
        let asks = |about: &[&str]| words.iter().any(|word| about.contains(word));
        let (long, who, place) = (asks(&LONG), asks(&WHO), asks(&WHERE));
        let cost = asks(&COST) || !long && says(&self.words, &["cuanto", "how much"]);
        let known = |word: &&str| {
            [&COST, &LONG, &WHO, &WHERE]
                .iter()
                .any(|about| about.contains(word))
                || BESIDE.contains(word)
        };
        let asked = cost || long || who || place;
        let open = self.state.awaiting.is_none() && words.len() <= LONGEST;
        if !booked || !asked || !open || !words.iter().all(known) {
            return Ok(false);
        }
        let Some(own) = self.booked_last().await? else {
            // Nobody else can look it up, and what was said of it still holds.
            let told = self
                .booked_here()
                .filter(|_| !long && !says(&self.words, &COST));
            if let Some(told) = told {
                draft.add(told.to_owned());
            }
            return Ok(told.is_some());
        };
        if self.spoke_of_another(&own.service).await {
            return Ok(false);
        }
        if cost && !own.service.is_empty() {
            let text = format!("¿cuánto cuesta {}?", own.service);
            self.aside(&text).tell_price(draft).await?;
        }
        if long && !own.service.is_empty() {
            let text = format!("¿cuánto dura {}?", own.service);
            self.aside(&text).tell_duration(draft).await?;
        }
        if who {
            self.tell_one(draft, &own);
        }
        if place {
            let text = format!("¿dónde está la sucursal {}?", own.branch);
            self.aside(&text).tell_location(draft).await?;
        }
        Ok(!draft.is_empty())
    }

    /// The appointment that this conversation made last, as the business has it now.
    async fn booked_last(&self) -> Result<Option<Own>> {
        let Some(told) = self.booked_here() else {
            return Ok(None);
        };
        let told = offers(told, self.voice.language, &self.setting.now);
        let own = self.own_ahead().await?.unwrap_or_default();
        let made = |one: &&Own| {
            let mut told = told.iter();
            told.any(|(date, time)| *date == Some(one.date) && settle(*time, &[]) == one.minute)
        };
        Ok(own.iter().find(made).cloned())
    }

    /// Whether another service was spoken of since the booking, which is meant then.
    async fn spoke_of_another(&self, booked: &str) -> bool {
        let services = self.services().await.unwrap_or_default();
        let names: Vec<String> = services.into_iter().map(|service| service.name).collect();
        let since = self.state.heard.iter();
        let since = since.filter(|heard| heard.at >= self.state.since);
        let mut texts = since.filter_map(|heard| self.messages.get(heard.at));
        texts.any(|turn| match self.meant(&turn.text, &names) {
            Meant::One(at) => names[at] != booked,
            Meant::Several(_) => true,
            Meant::Nothing => false,
        })
    }
}
