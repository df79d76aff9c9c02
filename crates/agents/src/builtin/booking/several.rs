//! Several services in one wish: "limpieza el lunes a las 10 y blanqueamiento el martes a las 4". The first is
//! booked, and then the next one is taken up with what was said of it.

use super::super::catalogue::Meant;
use super::super::folded::{begins, folded, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Goal;
use super::Plan;
use crate::when::When;
use quipu_core::Result;

/// As many services as one message may ask for.
const MOST: usize = 4;
/// Words of whoever compares or refuses, so that not everything which is named is wanted.
const NOT_ALL: &[&str] = &[
    "no", "sino", "vez", "lugar", "mejor", "o", "not", "instead", "rather", "or", "but", "pero",
];
/// What asks about a service rather than for it.
const ASKING: &[&str] = &["cuant", "cuest", "preci", "cost", "price", "much", "dura"];

/// A service of a wish for several, and the part of the message that says when.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The place of the message among all.
    pub(super) at: usize,
    /// Its place among the services.
    pub(super) service: usize,
    pub(super) text: String,
}

impl Scene<'_> {
    /// The part of a wish for several services that is on the way now.
    pub(super) fn part_now(&self, names: &[String]) -> Option<Part> {
        let (parts, booked) = self.wish_for_several(names)?;
        parts.into_iter().nth(booked)
    }

    /// The last wish for several services, and how many of them are booked, unless it was dropped.
    fn wish_for_several(&self, names: &[String]) -> Option<(Vec<Part>, usize)> {
        let mut heard = self.state.heard.iter().rev();
        let (at, parts) = heard.find_map(|heard| {
            let books = heard.goal == Some(Goal::Booking) && heard.goes_on;
            let text = &self.messages.get(heard.at).filter(|_| books)?.text;
            let parts = self.parts_in(text, names, heard.at);
            (parts.len() > 1).then_some((heard.at, parts))
        })?;
        let left = self.said_since(at, &["left"]) > 0;
        let booked = self.said_since(at, &["done.booked"]);
        (!left && booked < parts.len()).then_some((parts, booked))
    }

    fn parts_in(&self, text: &str, names: &[String], at: usize) -> Vec<Part> {
        let words = folded(text);
        // "Limpieza y pulido" may be one service.
        let joined = |name: &String| {
            let name = folded(name);
            says(&name, &["y", "and"]) && says(&words, &[&name])
        };
        let asks = text.contains('?') || begins(&words, ASKING) || says(&words, NOT_ALL);
        if asks || names.iter().any(joined) {
            return Vec::new();
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut lead = String::new();
        for piece in pieces(text) {
            match self.meant(&piece, names) {
                Meant::One(service) if parts.iter().all(|part| part.service != service) => {
                    let text = format!("{}{piece}", std::mem::take(&mut lead));
                    parts.push(Part { at, service, text });
                }
                _ => match parts.last_mut() {
                    Some(part) => part.text.push_str(&piece),
                    None => lead.push_str(&piece),
                },
            }
        }
        parts.truncate(MOST);
        // A time that is said once, behind all of them, is that of the first.
        let when = |text: &str| When::read(text, self.voice.language, &self.setting.now, None);
        let timed = |part: &Part| !when(&part.text).is_empty();
        if let [first, .., last] = parts.as_mut_slice()
            && !timed(first)
            && timed(last)
        {
            first.text = std::mem::take(&mut last.text);
        }
        parts
    }

    /// Takes up the next service of the wish, now that one more is booked. `false` when there is none.
    pub(super) async fn go_on_with_next_service(&self, draft: &mut Draft) -> Result<bool> {
        let services = self.services().await?;
        let names: Vec<String> = services.iter().map(|one| one.name.clone()).collect();
        let Some((parts, booked)) = self.wish_for_several(&names) else {
            return Ok(false);
        };
        let Some(part) = parts.get(booked + 1) else {
            return Ok(false);
        };
        let Some(service) = services.get(part.service).cloned() else {
            return Ok(false);
        };
        draft.say(self.voice, "service.next", &[("service", &service.name)]);
        let branches = self.branches().await?;
        let mut plan = Plan::new(self.voice);
        let when = When::read(&part.text, self.voice.language, &self.setting.now, None);
        plan.when = self.while_open(when, &branches);
        plan.branches = branches.len() > 1;
        if plan.branches {
            plan.sought.branch = self.branch_in(&part.text, &branches);
        }
        self.plan_service(&mut plan, service).await;
        // Nothing of it is booked before the customer has answered.
        let aside = self.aside("");
        Box::pin(aside.settle_plan(draft, &plan)).await?;
        Ok(true)
    }
}

/// The parts of a message, cut at its signs and at what joins two wishes. The sign stays with the part.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in text.split_inclusive(char::is_whitespace) {
        let plain = folded(word);
        if matches!(
            plain.as_str(),
            "y" | "e" | "and" | "tambien" | "luego" | "ademas" | "also"
        ) {
            pieces.push(String::new());
        }
        let piece = pieces.last_mut().expect("there is a piece from the start");
        piece.push_str(word);
        if word.trim_end().ends_with([',', ';', '.']) || word.contains('\n') {
            pieces.push(String::new());
        }
    }
    pieces
}

/// What the agent says of the service that it has taken up: the moments before it are settled already.
pub(super) fn of_next(text: &str) -> &str {
    let next = |text: &str| {
        let said = Templates::get().recognise(text);
        said.iter().any(|said| said.key == "service.next")
    };
    if !next(text) {
        return text;
    }
    let ends = text
        .match_indices(['.', '!'])
        .map(|(at, _)| &text[at + 1..]);
    let mut ends = ends.rev();
    ends.find(|rest| next(rest)).unwrap_or(text)
}
