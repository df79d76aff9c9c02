//! What the business is, as the tools that describe it tell: read once for each turn.

use crate::read::{CatalogueName, LinkedNames, NameIndex, WordList, folded_words};
use jiff::civil::Date;
use quipu_commerce::business::BookedWith;
use quipu_commerce::calendar::{Interval, Schedule, WeeklyHours, WrittenHours, WrittenSchedule};
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::ordering::{Menu, MenuItem, OptionGroup, Zone};
use quipu_core::agent::Vertical;
use quipu_core::language::Language;
use quipu_core::memo::Memo;
use quipu_core::validate::Checks;
use serde::Deserialize;
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use uuid::Uuid;

/// The tools whose results [`BusinessFacts::read`] takes, in this order.
pub const DESCRIBING: [&str; 5] = [
    "get_business_info",
    "get_branch_info",
    "get_staff_info",
    "get_service_catalog",
    "get_menu",
];

/// Everything that is told of the business itself. What the agent has no tool for is not there.
#[derive(Debug)]
pub struct BusinessFacts {
    pub(crate) contact: ContactFact,
    pub(crate) branches: Vec<BranchFact>,
    pub(crate) staff: Vec<StaffFact>,
    pub(crate) services: Vec<ServiceFact>,
    pub(crate) dishes: Vec<DishFact>,
    /// The same dishes as orders are read against them.
    pub(crate) menu: Option<Menu>,
    pub(crate) zones: Vec<Zone>,
    /// The zones as they are told.
    pub(crate) told_zones: Vec<ZoneFact>,
    pub(crate) names: Arc<CatalogueIndex>,
}

/// What customers may name.
#[derive(Debug)]
pub(crate) struct CatalogueIndex {
    pub(crate) services: NameIndex<Uuid>,
    pub(crate) staff: NameIndex<Uuid>,
    pub(crate) branches: NameIndex<Uuid>,
    pub(crate) dishes: NameIndex<Uuid>,
    /// By their place in the list.
    pub(crate) zones: NameIndex<usize>,
}

/// What the things of a business are called, by which an index over them is known again.
#[derive(Hash)]
struct CalledThings {
    services: Vec<CatalogueName<Uuid>>,
    staff: Vec<CatalogueName<Uuid>>,
    branches: Vec<CatalogueName<Uuid>>,
    dishes: Vec<CatalogueName<Uuid>>,
    zones: Vec<CatalogueName<usize>>,
    written_in: Language,
}

/// How many businesses have their names ready.
const MOST_INDEXES: usize = 200;

static INDEXES: LazyLock<Memo<Arc<CatalogueIndex>>> = LazyLock::new(|| Memo::new(MOST_INDEXES));

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContactFact {
    pub(crate) phone: Option<String>,
    pub(crate) whatsapp: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) payment_methods: Vec<String>,
    pub(crate) currency: Option<Currency>,
    pub(crate) orders: OrderFact,
    delivery_zones: Option<Vec<ZoneFact>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct OrderFact {
    pub(crate) pickup: bool,
    pub(crate) delivery: bool,
    pub(crate) preparation_minutes: u16,
    pub(crate) minimum: Option<Money>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ZoneFact {
    pub(crate) name: String,
    aliases: Vec<String>,
    pub(crate) fee: String,
    delivery_fee: Option<Money>,
    pub(crate) minimum: Option<String>,
    minimum_amount: Option<Money>,
    /// With the time to prepare an order.
    pub(crate) minutes: Option<u16>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BranchFact {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) address: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) google_maps_url: Option<String>,
    pub(crate) directions: Option<String>,
    operating_hours: WrittenHours,
    exceptions: Vec<quipu_commerce::calendar::WrittenException>,
    pub(crate) hours_text: String,
    pub(crate) open_now: bool,
    /// When it opens next, on its own clock: `2026-11-20T09:00`.
    opens_at: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StaffFact {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) role: Option<String>,
    pub(crate) specialty: Option<String>,
    /// The names of the branches.
    pub(crate) branches: Vec<String>,
    operating_hours: Option<WrittenHours>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ServiceFact {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) category: Option<String>,
    pub(crate) price_min: Option<Money>,
    pub(crate) price_max: Option<Money>,
    /// The price as a customer reads it.
    pub(crate) price_range: Option<String>,
    pub(crate) price_note: Option<String>,
    pub(crate) duration_minutes: Option<u16>,
    pub(crate) requires_consultation: bool,
    pub(crate) bookable: bool,
    pub(crate) booked_with: BookedWith,
    pub(crate) urgent: bool,
    /// Where it is done; everywhere when empty.
    pub(crate) branch_ids: Vec<Uuid>,
    /// The names of those who do it.
    pub(crate) staff: Vec<String>,
    pub(crate) promotion_text: Option<String>,
    pub(crate) promotion_price: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DishFact {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) price: Money,
    #[serde(default)]
    pub(crate) price_text: String,
    #[serde(default)]
    pub(crate) category: Option<String>,
    #[serde(default)]
    pub(crate) available: bool,
    #[serde(default)]
    pub(crate) options: Vec<OptionGroup>,
    #[serde(default)]
    pub(crate) allergens: Vec<String>,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// Where it is sold, if not everywhere.
    #[serde(default)]
    pub(crate) branch_ids: Vec<Uuid>,
}

impl DishFact {
    pub(crate) fn is_sold_at(&self, branch: Uuid) -> bool {
        self.branch_ids.is_empty() || self.branch_ids.contains(&branch)
    }
}

impl BusinessFacts {
    /// Reads what the describing tools told. A tool that told nothing leaves nothing.
    #[must_use]
    pub fn read(told: &[Option<Value>; 5], written_in: Language) -> Self {
        let [info, branches, staff, services, menu] = told;
        let mut contact: ContactFact = whole(info.as_ref());
        let told_zones = contact.delivery_zones.take().unwrap_or_default();
        let zones = told_zones.iter().filter_map(|zone| {
            Some(Zone {
                name: zone.name.clone(),
                aliases: zone.aliases.clone(),
                fee: zone.delivery_fee?,
                minimum: zone.minimum_amount,
                minutes: zone.minutes,
            })
        });
        let categories = list::<Value>(services.as_ref(), "categories");
        let of_category = |category: &Value| list::<ServiceFact>(Some(category), "services");
        let dishes: Vec<DishFact> = list(menu.as_ref(), "items");
        let menu = dishes.first().map(|first| Menu {
            currency: first.price.currency,
            items: dishes.iter().map(DishFact::menu_item).collect(),
        });
        let branches: Vec<BranchFact> = list(branches.as_ref(), "branches");
        let staff: Vec<StaffFact> = list(staff.as_ref(), "staff");
        let services: Vec<ServiceFact> = categories.iter().flat_map(of_category).collect();
        let zones: Vec<Zone> = zones.collect();
        let called = CalledThings {
            services: services.iter().map(ServiceFact::called).collect(),
            staff: staff.iter().map(StaffFact::called).collect(),
            branches: branches.iter().map(BranchFact::called).collect(),
            dishes: dishes.iter().map(DishFact::called).collect(),
            zones: zones.iter().enumerate().map(zone_called).collect(),
            written_in,
        };
        // The same names stand there in the next turn, and telling them apart takes longer than a turn should.
        let names = INDEXES.of(&called, || Arc::new(CatalogueIndex::over(&called)));
        Self {
            contact,
            branches,
            staff,
            services,
            dishes,
            menu,
            zones,
            told_zones,
            names,
        }
    }

    /// Whether a text is the name of something of the business, and so of no customer.
    pub(crate) fn is_known_name(&self, text: &str) -> bool {
        let names = &self.names;
        names.services.is_name(text)
            || names.staff.is_name(text)
            || names.branches.is_name(text)
            || names.dishes.is_name(text)
            || names.zones.is_name(text)
    }

    /// Whether a text calls one of the team by their title: "doctor Benites".
    pub(crate) fn is_one_of_team(&self, text: &str) -> bool {
        let titles = WordList::get("titles");
        let called_so = folded_words(text)
            .first()
            .is_some_and(|word| titles.has(word));
        let linked = self.names.staff.link(text, Language::Es);
        called_so && linked != LinkedNames::None
    }

    pub(crate) fn dish(&self, id: Uuid) -> Option<&DishFact> {
        self.dishes.iter().find(|dish| dish.id == id)
    }

    pub(crate) fn service(&self, id: Uuid) -> Option<&ServiceFact> {
        self.services.iter().find(|service| service.id == id)
    }

    pub(crate) fn branch(&self, id: Uuid) -> Option<&BranchFact> {
        self.branches.iter().find(|branch| branch.id == id)
    }

    pub(crate) fn person(&self, id: Uuid) -> Option<&StaffFact> {
        self.staff.iter().find(|person| person.id == id)
    }

    /// The services that can be booked.
    pub(crate) fn bookable(&self) -> impl Iterator<Item = &ServiceFact> {
        self.services.iter().filter(|service| service.bookable)
    }

    /// How to reach the business, if anybody wrote that down.
    pub(crate) fn reach(&self) -> Option<&str> {
        let contact = &self.contact;
        let first = [
            &contact.phone,
            &contact.whatsapp,
            &contact.email,
            &contact.website,
        ];
        first.into_iter().flatten().map(String::as_str).next()
    }
}

impl CatalogueIndex {
    fn over(called: &CalledThings) -> Self {
        Self {
            services: NameIndex::new(called.services.clone(), called.written_in, |word| {
                // That it is an appointment says not for what.
                is_title(word) || WordList::get("names_visit").has(word)
            }),
            staff: index(&called.staff, called.written_in),
            branches: NameIndex::new(called.branches.clone(), called.written_in, |word| {
                // What all of them are called tells none apart: "Sede Cedritos", "Sede Chapinero".
                let shared = |it: &CatalogueName<Uuid>| {
                    let name = it.names.first().map_or(&[][..], std::slice::from_ref);
                    name.iter()
                        .any(|name| folded_words(name).iter().any(|own| own == word))
                };
                let several = called.branches.len() > 1;
                is_title(word) || several && called.branches.iter().all(shared)
            }),
            dishes: index(&called.dishes, called.written_in),
            zones: index(&called.zones, called.written_in),
        }
    }
}

/// The index over some names. Titles tell nobody apart.
fn index<I: Clone + PartialEq>(things: &[CatalogueName<I>], written_in: Language) -> NameIndex<I> {
    NameIndex::new(things.iter().cloned(), written_in, is_title)
}

fn is_title(word: &str) -> bool {
    WordList::get("titles").has(word)
}

fn zone_called((at, zone): (usize, &Zone)) -> CatalogueName<usize> {
    let names = std::iter::once(&zone.name).chain(&zone.aliases);
    CatalogueName {
        id: at,
        names: names.cloned().collect(),
    }
}

impl BranchFact {
    fn called(&self) -> CatalogueName<Uuid> {
        let names = std::iter::once(self.name.clone()).chain(self.city.clone());
        CatalogueName {
            id: self.id,
            names: names.collect(),
        }
    }

    pub(crate) fn schedule(&self) -> Schedule {
        let written = WrittenSchedule {
            weekly: self.operating_hours.clone(),
            exceptions: self.exceptions.clone(),
        };
        written.read("hours", &mut Checks::new())
    }

    /// The hours of a day.
    pub(crate) fn on(&self, date: Date) -> Vec<Interval> {
        self.schedule().on(date).to_vec()
    }

    /// The day and the minute at which it opens next, if it is closed.
    pub(crate) fn opens(&self) -> Option<(Date, u16)> {
        let (date, time) = self.opens_at.as_deref()?.split_once('T')?;
        Some((
            date.parse().ok()?,
            quipu_commerce::calendar::read_minute(time)?,
        ))
    }
}

impl StaffFact {
    fn called(&self) -> CatalogueName<Uuid> {
        CatalogueName {
            id: self.id,
            names: vec![self.name.clone()],
        }
    }

    pub(crate) fn hours(&self) -> Option<WeeklyHours> {
        let hours = self.operating_hours.as_ref()?;
        Some(hours.read("hours", &mut Checks::new()))
    }
}

impl ServiceFact {
    /// Whether somebody of the team does it, as far as that is told.
    pub(crate) fn is_done_by(&self, person: &StaffFact) -> bool {
        self.staff.is_empty() || self.staff.contains(&person.name)
    }

    fn called(&self) -> CatalogueName<Uuid> {
        let names = std::iter::once(&self.name).chain(&self.aliases);
        CatalogueName {
            id: self.id,
            names: names.cloned().collect(),
        }
    }

    pub(crate) fn with_table(&self) -> bool {
        self.booked_with == BookedWith::Table
    }

    /// Whether booking a service asks how many people come.
    pub(crate) fn counts_people(&self, vertical: Vertical) -> bool {
        self.with_table() || vertical == Vertical::Restaurant
    }

    pub(crate) fn is_at(&self, branch: Uuid) -> bool {
        self.branch_ids.is_empty() || self.branch_ids.contains(&branch)
    }

    /// Whether nobody comes for it, as its name says: a call or a video visit.
    pub(crate) fn is_from_afar(&self) -> bool {
        WordList::get("from_afar").is_in(&folded_words(&self.name))
    }

    /// Whether it costs nothing, which nobody has to be told.
    pub(crate) fn is_free(&self) -> bool {
        let free = |price: Option<Money>| price.is_none_or(Money::is_zero);
        free(self.price_min) && free(self.price_max)
    }
}

impl DishFact {
    fn called(&self) -> CatalogueName<Uuid> {
        let names = std::iter::once(&self.name).chain(&self.aliases);
        CatalogueName {
            id: self.id,
            names: names.cloned().collect(),
        }
    }

    fn menu_item(&self) -> MenuItem {
        MenuItem {
            id: self.id.to_string(),
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            category: self.category.clone(),
            price: self.price,
            available: self.available,
            options: self.options.clone(),
        }
    }
}

fn whole<T: for<'de> Deserialize<'de> + Default>(told: Option<&Value>) -> T {
    told.and_then(|told| T::deserialize(told).ok())
        .unwrap_or_default()
}

/// The things of a list that can be read.
fn list<T: for<'de> Deserialize<'de>>(told: Option<&Value>, name: &str) -> Vec<T> {
    let things = told.and_then(|told| told[name].as_array());
    let things = things.into_iter().flatten();
    things
        .filter_map(|thing| T::deserialize(thing).ok())
        .collect()
}
