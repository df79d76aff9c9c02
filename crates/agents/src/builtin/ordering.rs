//! Ordering: what, how it is handed over, how it is paid, a yes.

mod age;
mod alcohol;
mod allergies;
mod aside;
mod basket;
mod changes;
mod handing;
mod menu;
mod named_for;
mod place;
mod sent;
mod so_far;
mod status;
mod terms;
mod wishes;
mod zone;

pub(super) use allergies::tells_allergy;
pub(super) use aside::{names_street, timed_without_street};
pub(super) use changes::edits;
pub(super) use sent::APART;

use super::folded::{field, folded, items};
use super::person::without_contacts;
use super::scene::{Draft, Scene};
use super::transcript::Goal;
use crate::supervisor::Awaiting;
use crate::when::Day;
use basket::{Basket, Heed, Item};
use handing::{places, without_handing_over};
use quipu_core::Result;
use quipu_core::lead::Temperature;
use quipu_core::ordering::Menu;
use serde_json::{Value, json};
use terms::{Terms, area};

/// An order as far as it is settled.
struct Order {
    basket: Basket,
    terms: Terms,
    branch: Option<String>,
    /// When it is wanted, on the clock of the business; as soon as possible when absent.
    scheduled: Option<String>,
    reward: Option<String>,
    /// How the customer can pay.
    methods: Vec<String>,
    /// Whether the last message changed what is ordered.
    amended: bool,
}

impl Order {
    /// The branches that it may come from: the one where it is fetched, once that is known.
    fn handed_out_by(&self, branches: &[Value]) -> Vec<Value> {
        let fetched = self.branch.as_deref();
        let fetched = fetched.filter(|_| self.terms.delivery != Some(true));
        let hands_out =
            |branch: &&Value| fetched.is_none_or(|name| field(branch, "name") == Some(name));
        branches.iter().filter(hands_out).cloned().collect()
    }
}

/// What the business says about taking orders.
#[derive(Clone, Copy)]
struct Place<'a> {
    info: &'a Value,
    branches: &'a [Value],
    menu: &'a Menu,
}

/// The sentences that offer to keep an order until it opens.
const CLOSED: &[&str] = &["order.closed", "order.closed_again"];

impl Scene<'_> {
    /// Takes the next step of an order.
    pub(super) async fn order(&self, draft: &mut Draft) -> Result<()> {
        let info = self.office.call("get_business_info", json!({})).await?;
        let menu = self.menu().await?;
        let branches = self.branches().await?;
        let mut order = self.read_order(&info, &menu, &branches).await;
        self.tell_apart(draft).await;
        self.without_alcohol(draft, &mut order, &menu);
        if self.gives_contact_alone(&menu, &places(&info, &branches)) {
            draft.say(self.voice, "noted.aside", &[]);
        }
        draft.temperature = Some(Temperature::Warm);
        self.heed_allergies(draft, &order).await;
        let told = listed(self, &order.basket.items);
        if !order.basket.missed.is_empty() {
            let missed = order.basket.missed.iter();
            let missed: Vec<String> = missed.map(|said| format!("«{said}»")).collect();
            let list = self.voice.or(&missed);
            draft.say(self.voice, "order.missed", &[("list", &list)]);
        }
        let there = order.handed_out_by(&branches);
        if is_closed(&there) && order.scheduled.is_none() {
            self.say_closed(draft, &there, &told);
            return Ok(());
        }
        if let Some(question) = order.basket.question(self.voice.language) {
            let filling = [("question", question.as_str()), ("items", &told)];
            draft.say(self.voice, "ask.unclear", &filling);
            return Ok(());
        }
        if order.basket.is_empty() && order.reward.is_none() {
            draft.say(self.voice, "ask.items", &[]);
            return Ok(());
        }
        let place = Place {
            info: &info,
            branches: &branches,
            menu: &menu,
        };
        self.settle_order(draft, &order, place).await
    }

    /// Says when it opens, and offers to keep the order until then. Whoever knows that already hears
    /// what was noted.
    fn say_closed(&self, draft: &mut Draft, branches: &[Value], told: &str) {
        let opens = self.opens(branches);
        let opens = opens
            .map(|(day, time)| format!("{day} {time}"))
            .unwrap_or_default();
        let since = self.messages.get(self.state.since..).unwrap_or_default();
        let known = since.iter().any(|turn| {
            let said = super::templates::Templates::get().recognise(&turn.text);
            said.iter().any(|said| CLOSED.contains(&said.key))
        });
        let key = if known {
            "order.closed_again"
        } else {
            "order.closed"
        };
        draft.say(self.voice, key, &[("opens", &opens), ("items", told)]);
    }

    async fn read_order(&self, info: &Value, menu: &Menu, branches: &[Value]) -> Order {
        let methods: Vec<String> = items(info, "payment_methods")
            .iter()
            .filter_map(|method| method.as_str().map(str::to_owned))
            .collect();
        let places = places(info, branches);
        let mut basket = Basket::default();
        let mut amended = false;
        let mut branch = None;
        let mut reward = None;
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            if branches.len() > 1 {
                branch = self.branch_in(&turn.text, branches).or(branch);
            }
            if let Some(wanted) = self.reward_in(&turn.text, heard.intent).await {
                reward = Some(wanted);
                continue;
            }
            let asked_else = matches!(
                heard.awaiting,
                Some(
                    Awaiting::Address
                        | Awaiting::Payment
                        | Awaiting::Name
                        | Awaiting::Phone
                        | Awaiting::Confirmation
                        | Awaiting::Branch
                        | Awaiting::DeliveryOrPickup
                )
            );
            let other = heard.goal != Some(Goal::Order) || (!heard.goes_on && !asked_else);
            if other {
                continue;
            }
            let text = without_handing_over(&without_contacts(&turn.text), &places);
            let text = area(&text, menu).map_or(text, |(before, _)| before);
            let answer = heard.awaiting == Some(Awaiting::OrderItems);
            let heed = match (asked_else, heard.affirms) {
                (false, _) => Heed::Everything,
                (true, Some(true)) => Heed::Changes,
                (true, _) => Heed::Counted,
            };
            let before = basket.items.clone();
            basket.take(&text, menu, answer, heed);
            let last = heard.at + 1 == self.messages.len();
            amended = last && !before.is_empty() && basket.items != before;
        }
        Order {
            basket,
            terms: self.order_terms(menu, &methods),
            branch,
            scheduled: self.scheduled(branches),
            reward,
            methods,
            amended,
        }
    }

    /// When it is wanted: what was said, or the opening that was offered and accepted.
    fn scheduled(&self, branches: &[Value]) -> Option<String> {
        let when = self.while_open(self.wish().when, branches);
        let accepted = self.state.heard.iter().any(|heard| {
            heard.at >= self.state.since
                && heard.affirms == Some(true)
                && self.said_before(heard.at).is_some_and(|said| {
                    let known = super::templates::Templates::get().recognise(said);
                    known.iter().any(|said| CLOSED.contains(&said.key))
                })
        });
        let opening = || {
            let opens = branches
                .iter()
                .filter_map(|branch| field(branch, "opens_at"))
                .min();
            opens.filter(|_| accepted).map(str::to_owned)
        };
        let day = when.day.and_then(Day::single);
        match (day, when.settle(&[])) {
            (Some(day), Some(minute)) => {
                Some(format!("{day}T{:02}:{:02}", minute / 60, minute % 60))
            }
            (None, Some(minute)) => {
                let today = self.setting.now.date();
                Some(format!("{today}T{:02}:{:02}", minute / 60, minute % 60))
            }
            _ => opening(),
        }
    }

    /// When the first branch opens again.
    pub(super) fn opens(&self, branches: &[Value]) -> Option<(String, String)> {
        let opens = branches
            .iter()
            .filter_map(|branch| field(branch, "opens_at"))
            .min()?;
        let opens: jiff::civil::DateTime = opens.parse().ok()?;
        let minute =
            u16::try_from(i32::from(opens.hour()) * 60 + i32::from(opens.minute())).ok()?;
        Some((self.voice.day(opens.date()), self.voice.at(minute)))
    }
}

/// "5 Taco al pastor, 1 Gringa y 1 Agua de jamaica".
fn listed(scene: &Scene<'_>, things: &[Item]) -> String {
    let told: Vec<String> = things
        .iter()
        .take(12)
        .map(|item| {
            let more: Vec<&str> = item
                .options
                .iter()
                .chain(&item.notes)
                .map(String::as_str)
                .collect();
            let more = if more.is_empty() {
                String::new()
            } else {
                format!(" ({})", more.join(", "))
            };
            format!("{} {}{more}", item.quantity, item.name)
        })
        .collect();
    scene.voice.and(&told)
}

/// The words of a reward that may be a thing of the menu: "Gringa gratis" is a gringa.
fn reward_thing(reward: &str) -> String {
    let words = folded(reward);
    let kept = words
        .split(' ')
        .filter(|word| !matches!(*word, "gratis" | "free" | "de" | "regalo" | "un" | "una"));
    kept.collect::<Vec<_>>().join(" ")
}

/// Whether no branch is open now. A business without hours is always open.
fn is_closed(branches: &[Value]) -> bool {
    let has_hours = |branch: &&Value| {
        let weekly = branch["operating_hours"].as_object();
        weekly.is_some_and(|days| {
            days.values()
                .any(|day| day.as_array().is_some_and(|day| !day.is_empty()))
        })
    };
    let mut open = branches.iter().filter(has_hours).peekable();
    open.peek().is_some() && open.all(|branch| branch["open_now"] == json!(false))
}
