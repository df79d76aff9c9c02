//! How an order is handed over: fetched at a branch, or brought to a place that orders are brought
//! to, and what that costs.

use super::super::folded::{field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::terms::Terms;
use super::{Order, Place, listed};
use jiff::civil::DateTime;
use quipu_core::money::Money;
use quipu_core::ordering::{Zone, ZoneMatch, zone_for};
use serde_json::{Value, json};

/// How many zones are named to whoever lives in none of them.
const MOST_ZONES: usize = 15;

/// How an order is handed over, once that is settled.
pub(super) struct HandedOver {
    pub(super) brings: bool,
    pub(super) address: Option<String>,
    /// The zone that it is brought to.
    pub(super) zone: Option<String>,
    /// The branch that it is brought from, where there are several.
    pub(super) branch: Option<String>,
    /// What bringing it costs, where that is known.
    fee: Option<Money>,
    minutes: Option<u64>,
}

/// What is known of the place that an order is brought to.
enum Reach {
    /// No zones are known, or the zone is.
    Served(Option<Zone>),
    Unclear(String),
    NotServed(String),
}

impl Scene<'_> {
    /// How the order is handed over. `None` when the customer is asked first.
    pub(super) fn handed_over(
        &self,
        draft: &mut Draft,
        order: &Order,
        place: Place<'_>,
        told: &str,
    ) -> Option<HandedOver> {
        let voice = self.voice;
        let (pickup, delivery) = (
            place.info["orders"]["pickup"] == json!(true),
            place.info["orders"]["delivery"] == json!(true),
        );
        let brings = match (order.terms.delivery, pickup, delivery) {
            (Some(wanted), _, _) => wanted,
            (None, true, false) => false,
            (None, false, true) => true,
            (None, ..) => {
                draft.say(voice, "ask.pickup_or_delivery", &[("items", told)]);
                return None;
            }
        };
        let mut handed = HandedOver {
            brings,
            address: order.terms.place().filter(|_| brings),
            zone: None,
            branch: None,
            fee: None,
            minutes: place.info["orders"]["preparation_minutes"].as_u64(),
        };
        if brings {
            match self.reach(&order.terms, place) {
                Reach::Served(zone) => {
                    handed.fee = zone.as_ref().map(|zone| zone.fee);
                    handed.zone = zone.as_ref().map(|zone| zone.name.clone());
                    let minutes = zone.and_then(|zone| zone.minutes);
                    handed.minutes = minutes.map(u64::from).or(handed.minutes);
                }
                Reach::Unclear(question) => {
                    draft.say(voice, "ask.unclear_address", &[("question", &question)]);
                    return None;
                }
                Reach::NotServed(named) => {
                    self.say_not_served(draft, place.info, &named);
                    return None;
                }
            }
        }
        if brings && handed.address.is_none() {
            draft.say(voice, "ask.address", &[("items", told)]);
            return None;
        }
        if brings {
            handed.branch = kitchen(order, &handed, place);
        }
        let branch = handed.branch.as_ref().or(order.branch.as_ref());
        if place.branches.len() > 1 && branch.is_none() {
            let names: Vec<&str> = names(place.branches).collect();
            let filling = [("items", told), ("list", &voice.or(&names))];
            draft.say(voice, "ask.order_branch", &filling);
            return None;
        }
        if brings && order.terms.payment.is_none() && order.methods.len() > 1 {
            let filling = [("items", told), ("list", &voice.and(&order.methods))];
            draft.say(voice, "ask.payment", &filling);
            return None;
        }
        Some(handed)
    }

    /// Whether orders are brought to where this one is wanted, as soon as that is known.
    fn reach(&self, terms: &Terms, place: Place<'_>) -> Reach {
        let zones: Vec<Zone> = items(place.info, "delivery_zones")
            .iter()
            .filter_map(zone)
            .collect();
        let address = terms.place();
        let area = terms.area.clone().filter(|_| terms.sure);
        let Some(named) = address.clone().or_else(|| area.clone()) else {
            return Reach::Served(None);
        };
        if zones.is_empty() {
            return Reach::Served(None);
        }
        let found = zone_for(&named, &zones);
        let question = found.question(self.voice.language);
        match found {
            ZoneMatch::Found(zone) => Reach::Served(Some(zone.clone())),
            ZoneMatch::Ambiguous(_) => Reach::Unclear(question.unwrap_or_default()),
            ZoneMatch::Unknown => {
                let asked = self.state.said.contains(&"ask.unclear_address");
                let part = terms.address.as_deref().and_then(part_of_town);
                match part.or(area) {
                    Some(part) => Reach::NotServed(part),
                    None if asked => Reach::NotServed(named),
                    None => Reach::Unclear(question.unwrap_or_default()),
                }
            }
        }
    }

    fn say_not_served(&self, draft: &mut Draft, info: &Value, named: &str) {
        let zones: Vec<&str> = names(items(info, "delivery_zones"))
            .take(MOST_ZONES)
            .collect();
        let filling = [("place", named), ("list", &*self.voice.and(&zones))];
        draft.say(self.voice, "delivery.not_served", &filling);
    }

    /// Whether the customer had been told, before a message, that nothing is brought to the place.
    pub(super) fn refused_place(&self, at: usize) -> bool {
        self.was_said_before(at, "delivery.not_served")
    }

    /// Whether the customer had been asked, before a message, which part of town the address is in.
    pub(super) fn asked_for_zone(&self, at: usize) -> bool {
        self.was_said_before(at, "ask.unclear_address")
    }

    fn was_said_before(&self, at: usize, key: &str) -> bool {
        self.said_before(at).is_some_and(|said| {
            let said = Templates::get().recognise(said);
            said.iter().any(|said| said.key == key)
        })
    }

    /// Says everything that a yes would place: what, where, when, and what it comes to.
    pub(super) fn ask_to_confirm_order(
        &self,
        draft: &mut Draft,
        order: &Order,
        handed: &HandedOver,
        place: Place<'_>,
        customer: Option<&str>,
    ) {
        let voice = self.voice;
        let how = if handed.brings {
            voice.pick("a domicilio", "for delivery")
        } else {
            voice.pick("para recoger", "for pickup")
        };
        let branch = order.branch.as_deref();
        let branch = branch.or_else(|| names(place.branches).next().filter(|_| !handed.brings));
        let nothing = Money::zero(place.menu.currency);
        let fee = handed.fee.or((!handed.brings).then_some(nothing));
        let total = fee.and_then(|fee| order.comes_to(place.menu, fee));
        let total = total.map(|total| total.format(voice.language));
        let fee = handed.fee.filter(|fee| fee.minor > 0);
        let fee = fee.map(|fee| fee.format(voice.language));
        let when = self.order_time(order, handed);
        let filling = [
            ("items", listed(self, &order.basket.items)),
            ("how", how.to_owned()),
            (
                "branch",
                branch
                    .filter(|_| !handed.brings)
                    .unwrap_or_default()
                    .to_owned(),
            ),
            ("address", handed.address.clone().unwrap_or_default()),
            ("when", when),
            ("payment", order.terms.payment.clone().unwrap_or_default()),
            ("customer", customer.unwrap_or_default().to_owned()),
            ("reward", order.reward.clone().unwrap_or_default()),
            ("total", total.unwrap_or_default()),
            ("fee", fee.unwrap_or_default()),
            ("note", self.allergies_told().unwrap_or_default()),
        ];
        let filling: Vec<(&str, &str)> = filling
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        draft.say(voice, "confirm.order", &filling);
    }

    /// When it will be there: the moment that was agreed on, or how long it takes.
    fn order_time(&self, order: &Order, handed: &HandedOver) -> String {
        let voice = self.voice;
        let scheduled: Option<DateTime> = order.scheduled.as_deref().and_then(|at| at.parse().ok());
        if let Some(at) = scheduled {
            let minute =
                u16::try_from(i32::from(at.hour()) * 60 + i32::from(at.minute())).unwrap_or(0);
            let (day, time) = (voice.day(at.date()), voice.at(minute));
            return format!("{} {day} {time}", voice.pick("para el", "for"));
        }
        match handed.minutes.filter(|minutes| *minutes > 0) {
            Some(minutes) => format!(
                "{} {minutes} {}",
                voice.pick("en unos", "in about"),
                voice.pick("minutos", "minutes")
            ),
            None => voice
                .pick("lo antes posible", "as soon as possible")
                .to_owned(),
        }
    }
}

/// The branch that a delivery comes from, where that is plain: the one that the part of town is named
/// after or that lies in it, the one that was named, or the only one that is open. No tool says which branch
/// serves a zone, and a customer does not know either.
fn kitchen(order: &Order, handed: &HandedOver, place: Place<'_>) -> Option<String> {
    if place.branches.len() < 2 {
        return None;
    }
    let zone = handed.zone.as_deref();
    let mut zones = items(place.info, "delivery_zones").iter();
    let aliases = zones.find(|known| field(known, "name") == zone);
    let aliases = aliases
        .map(|known| items(known, "aliases"))
        .unwrap_or_default();
    let aliases = aliases.iter().filter_map(Value::as_str);
    let parts: Vec<String> = zone.into_iter().chain(aliases).map(folded).collect();
    let only = |fits: &dyn Fn(&Value) -> bool| {
        let mut fitting = place.branches.iter().filter(|branch| fits(branch));
        let first = fitting.next()?;
        let name = field(first, "name")?.to_owned();
        fitting.next().is_none().then_some(name)
    };
    let of = |branch: &Value, name: &str| folded(field(branch, name).unwrap_or_default());
    let named = |branch: &Value| {
        let name = of(branch, "name");
        let same = |part: &String| says(part, &[&name]) || says(&name, &[part]);
        !name.is_empty() && parts.iter().any(same)
    };
    let lies = |branch: &Value| {
        let address = of(branch, "address");
        parts.iter().any(|part| says(&address, &[part]))
    };
    let open = |branch: &Value| branch["open_now"] != json!(false);
    only(&named)
        .or_else(|| only(&lies))
        .or_else(|| order.branch.clone())
        .or_else(|| only(&open))
}

fn names(things: &[Value]) -> impl Iterator<Item = &str> {
    things.iter().filter_map(|thing| field(thing, "name"))
}

/// A zone as the tool tells it.
fn zone(told: &Value) -> Option<Zone> {
    Some(Zone {
        name: field(told, "name")?.to_owned(),
        aliases: serde_json::from_value(told["aliases"].clone()).unwrap_or_default(),
        fee: serde_json::from_value(told["delivery_fee"].clone()).ok()?,
        minimum: None,
        minutes: told["minutes"]
            .as_u64()
            .and_then(|it| u16::try_from(it).ok()),
    })
}

/// The part of town that ends an address. What tells a door is none.
fn part_of_town(address: &str) -> Option<String> {
    const DOORS: &[&str] = &[
        "depto",
        "departamento",
        "dpto",
        "interior",
        "int",
        "piso",
        "casa",
        "edificio",
        "torre",
        "entre",
        "esquina",
        "timbre",
        "frente",
        "local",
        "lote",
        "manzana",
        "apt",
        "apartment",
        "floor",
        "referencia",
        "porton",
        "junto",
    ];
    let (_, last) = address.rsplit_once(',')?;
    let words = folded(last);
    let door = words
        .split(' ')
        .any(|word| DOORS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()));
    let few = (1..=4).contains(&words.split(' ').count());
    (few && !door && !words.is_empty()).then(|| last.trim().to_owned())
}
