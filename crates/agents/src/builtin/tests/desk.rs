//! A desk whose business is in memory. It answers as the tools do, checks what it is asked against
//! their schemas, and remembers what it said.

mod agenda;
mod till;

use crate::desk::{Desk, Found};
use crate::facts::Evidence;
use crate::tool::{self, Tool};
use crate::{SearchText, conversation};
use async_trait::async_trait;
use jiff::Zoned;
use jiff::civil::{Date, Weekday};
use quipu_core::business::{
    CatalogueItem as _, Item, Named, OtherNames, Reward, Service, by_name, rank,
};
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::DocumentSource;
use quipu_core::language::Language;
use quipu_core::money::{Currency, Money};
use quipu_core::retrieval::Passage;
use quipu_core::urgency::assess_symptoms;
use quipu_core::{ChunkId, DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, Timestamp};
use serde_json::{Value, json};
use std::sync::Mutex;
use uuid::Uuid;

pub(super) struct Fake {
    pub(super) business: Mutex<Value>,
    pub(super) now: Zoned,
    pub(super) calls: Mutex<Vec<(String, Value)>>,
    pub(super) evidence: Mutex<Evidence>,
    /// Points of the customer.
    pub(super) balance: Mutex<i64>,
    pub(super) orders: Mutex<Vec<Value>>,
    pub(super) has_customer: bool,
    /// Nothing can be looked up.
    pub(super) broken: bool,
}

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WEEK: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Whether "mon-fri" or "tue,thu" has a day of the week.
fn has_day(days: &str, at: usize) -> bool {
    days.split(',').any(|part| match part.split_once('-') {
        Some((from, to)) => {
            let place = |name: &str| DAYS.iter().position(|day| *day == name).unwrap_or(0);
            let (from, to) = (place(from), place(to));
            if from <= to {
                (from..=to).contains(&at)
            } else {
                at >= from || at <= to
            }
        }
        None => DAYS.iter().position(|day| *day == part) == Some(at),
    })
}

fn hours_on(branch: &Value, at: usize) -> Option<(String, String)> {
    let hours = branch["hours"].as_object()?;
    let (_, stretch) = hours.iter().find(|(days, _)| has_day(days, at))?;
    let (from, to) = stretch.as_str()?.split_once('-')?;
    Some((from.to_owned(), to.to_owned()))
}

fn minute(text: &str) -> u16 {
    let (hour, rest) = text.split_once(':').unwrap_or((text, "0"));
    hour.parse::<u16>().unwrap_or(0) * 60 + rest.parse::<u16>().unwrap_or(0)
}

fn weekday(day: Weekday) -> usize {
    usize::try_from(day.to_monday_zero_offset()).unwrap()
}

fn id_of(name: &str) -> Uuid {
    let sum = name.bytes().fold(7_u128, |sum, byte| {
        sum.wrapping_mul(131).wrapping_add(byte.into())
    });
    Uuid::from_u128(sum)
}

/// Finds a thing by its name as the tools do.
fn named<'a>(
    name: &str,
    field: &'static str,
    kind: &'static str,
    things: &'a [Value],
    label: &str,
) -> Result<&'a Value> {
    let catalogue: Vec<Item<Service>> = things
        .iter()
        .map(|thing| Item {
            id: id_of(text(thing, label)),
            data: serde_json::from_value(json!({ "name": text(thing, label), "aliases": thing.get("aliases").cloned().unwrap_or(json!([])) })).unwrap(),
            warnings: Vec::new(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        })
        .collect();
    let other = |service: &Service| OtherNames {
        aliases: service.aliases.clone(),
        category: None,
    };
    let names = |some: Vec<&Item<Service>>| {
        some.iter()
            .map(|item| item.data.name().to_owned())
            .collect::<Vec<_>>()
    };
    match by_name(name, &catalogue, other) {
        Named::One(one) => Ok(things
            .iter()
            .find(|thing| id_of(text(thing, label)) == one.id)
            .unwrap()),
        Named::Several(some) => Err(Error::new(ErrorCode::InvalidArguments)
            .with("field", field)
            .with("allowed", json!(names(some)))),
        Named::None(near) => {
            let near = if near.is_empty() {
                catalogue.iter().collect()
            } else {
                near
            };
            Err(Error::not_found(kind)
                .with("field", field)
                .with("allowed", json!(names(near))))
        }
    }
}

impl Fake {
    pub(super) fn new(business: Value, now: &str, balance: i64) -> Self {
        Self {
            business: Mutex::new(business),
            now: now.parse().unwrap(),
            calls: Mutex::new(Vec::new()),
            evidence: Mutex::new(Evidence::new()),
            balance: Mutex::new(balance),
            orders: Mutex::new(Vec::new()),
            has_customer: true,
            broken: false,
        }
    }

    pub(super) fn called(&self, tool: &str) -> Vec<Value> {
        let calls = self.calls.lock().unwrap();
        calls
            .iter()
            .filter(|(name, _)| name == tool)
            .map(|(_, arguments)| arguments.clone())
            .collect()
    }

    fn currency(business: &Value) -> Currency {
        serde_json::from_value(business["currency"].clone()).unwrap()
    }

    fn money(business: &Value, units: &Value) -> Option<Money> {
        let currency = Self::currency(business);
        Money::parse(&units.as_i64()?.to_string(), currency).ok()
    }

    fn answer(&self, name: &str, asked: &Value) -> Result<Value> {
        if self.broken {
            return Err(Error::new(ErrorCode::DatabaseUnavailable));
        }
        let mut business = self.business.lock().unwrap();
        let needs_lead = [
            "update_lead_info",
            "get_loyalty_balance",
            "redeem_reward",
            "get_order_status",
            "cancel_order",
            "cancel_appointment",
            "reschedule_appointment",
            "get_appointments",
        ];
        if !self.has_customer && needs_lead.contains(&name) {
            return Err(Error::new(ErrorCode::LeadRequired));
        }
        Ok(match name {
            "get_business_info" => {
                let minimum = Self::money(&business, &business["delivery"]["min_order"])
                    .filter(|minimum| minimum.minor > 0)
                    .filter(|_| business["delivery"]["of_zones"] != json!(true));
                json!({
                    "name": business["name"], "phone": business["phone"], "currency": business["currency"],
                    "payment_methods": business.get("payment_methods").cloned().unwrap_or(json!([])),
                    "orders": { "pickup": true, "delivery": business["delivery"].is_object(), "minimum": minimum, "preparation_minutes": 20 },
                    "delivery_zones": Self::zones(&business),
                })
            }
            "get_branch_info" => {
                json!({ "branches": list(&business, "branches").iter().map(|branch| self.branch(branch)).collect::<Vec<_>>() })
            }
            "get_staff_info" => json!({ "staff": list(&business, "staff") }),
            "list_services" => {
                let told = list(&business, "services").iter().map(|service| json!({ "name": service["name"], "price_range": Self::price(&business, service) }));
                json!({ "services": told.collect::<Vec<_>>() })
            }
            "get_service_catalog" => Self::catalogue(&business),
            "get_service_info" => {
                let found = named(
                    text(asked, "service_name"),
                    "service_name",
                    "service",
                    list(&business, "services"),
                    "name",
                )?;
                let price = Self::money(&business, &found["price"]);
                json!({ "name": found["name"], "price_min": price, "price_max": price, "price_range": Self::price(&business, found), "duration_minutes": found["minutes"],
                    "description": found["description"], "price_note": found["note"], "requires_consultation": found["consultation"] == json!(true),
                    "promotion_text": found["promotion"]["text"], "promotion_price": Self::money(&business, &found["promotion"]["price"]).map(|price| price.format(Language::Es)) })
            }
            "get_menu" => {
                let told = list(&business, "menu").iter().map(|dish| {
                    let price = Self::money(&business, &dish["price"]);
                    json!({ "id": dish["id"], "name": dish["name"], "price": price, "price_text": price.map(|price| price.format(Language::Es)),
                        "available": dish["available"] != json!(false), "aliases": dish.get("aliases").cloned().unwrap_or(json!([])), "options": dish.get("options").cloned().unwrap_or(json!([])),
                        "allergens": dish.get("allergens").cloned().unwrap_or(json!([])), "category": dish["category"] })
                });
                json!({ "categories": [], "items": told.collect::<Vec<_>>() })
            }
            "get_available_slots" => self.slots(&business, asked)?,
            "create_appointment" => self.book(&mut business, asked)?,
            "get_appointments" => Self::ahead(&business),
            "reschedule_appointment" | "cancel_appointment" => {
                self.change(&mut business, name, asked)?
            }
            "get_policy" => {
                let found: Vec<Value> = list(&business, "policies")
                    .iter()
                    .filter(|policy| policy["kind"] == asked["policy_type"])
                    .map(|policy| json!({ "type": policy["kind"], "policy": policy["text"] }))
                    .collect();
                if found.is_empty() {
                    return Err(Error::not_found("policy"));
                }
                json!({ "policies": found })
            }
            "get_faq" => {
                let faqs = list(&business, "faqs");
                let texts: Vec<String> = faqs
                    .iter()
                    .map(|faq| format!("{} {}", text(faq, "q"), text(faq, "a")))
                    .collect();
                let ranked = rank(text(asked, "question"), &texts, Language::Es);
                let told = ranked.iter().take(5).map(|(at, share)| json!({ "question": faqs[*at]["q"], "answer": faqs[*at]["a"], "relevance_score": share }));
                json!({ "faqs": told.collect::<Vec<_>>() })
            }
            "check_dental_urgency" => {
                let symptoms: Vec<String> = list(asked, "symptoms")
                    .iter()
                    .map(|symptom| symptom.as_str().unwrap().to_owned())
                    .collect();
                let assessed = assess_symptoms(&symptoms, Language::Es);
                json!({ "urgency_level": assessed.level, "recommendation": assessed.recommendation })
            }
            _ => self.serve(&business, name, asked)?,
        })
    }

    /// What is the customer's own.
    fn serve(&self, business: &Value, name: &str, asked: &Value) -> Result<Value> {
        Ok(match name {
            "get_loyalty_balance" => {
                let balance = *self.balance.lock().unwrap();
                let rewards = list(&business["loyalty"], "rewards")
                    .iter()
                    .filter(|reward| reward["points"].as_i64().unwrap() <= balance);
                let rewards = rewards
                    .map(|reward| json!({ "name": reward["reward"], "tokens": reward["points"] }));
                json!({ "balance": balance, "spendable": balance, "token_name": business["loyalty"]["unit"], "active": true, "rewards_within_reach": rewards.collect::<Vec<_>>() })
            }
            "redeem_reward" => {
                let found = named(
                    text(asked, "reward_name"),
                    "reward_name",
                    Reward::KIND.as_str(),
                    list(&business["loyalty"], "rewards"),
                    "reward",
                )?;
                let mut balance = self.balance.lock().unwrap();
                let cost = found["points"].as_i64().unwrap();
                if *balance < cost {
                    return Err(Error::new(ErrorCode::TokensInsufficient)
                        .with("missing", cost - *balance)
                        .with("balance", *balance));
                }
                *balance -= cost;
                json!({ "success": true, "reward": found["reward"], "code": "K7QF-3M9D", "tokens": cost, "balance": *balance })
            }
            "create_order" => self.order(business, asked)?,
            "get_order_status" | "cancel_order" => {
                let mut orders = self.orders.lock().unwrap();
                let order = orders.last_mut().ok_or_else(|| Error::not_found("order"))?;
                if name == "cancel_order" {
                    order["status"] = json!("cancelled");
                }
                order.clone()
            }
            "request_invoice" => json!({ "success": true, "folio": asked["folio"] }),
            "extract_receipt" => {
                json!({ "folio": { "value": "F-77", "confidence": 0.9 }, "doubted": [] })
            }
            "update_lead_info" | "escalate_to_human" => json!({ "success": true }),
            _ => return Err(Error::new(ErrorCode::UnknownTool)),
        })
    }

    fn catalogue(business: &Value) -> Value {
        let told = list(business, "services").iter().map(|service| {
            let price = Self::money(business, &service["promotion"]["price"]);
            json!({ "name": service["name"], "promotion_text": service["promotion"]["text"], "promotion_price": price.map(|price| price.format(Language::Es)) })
        });
        json!({ "categories": [{ "category": "", "services": told.collect::<Vec<_>>() }] })
    }

    fn price(business: &Value, service: &Value) -> Option<String> {
        let price = Self::money(business, &service["price"])?;
        Some(if price.is_zero() {
            "sin costo".to_owned()
        } else {
            price.format(Language::Es)
        })
    }

    fn branch(&self, branch: &Value) -> Value {
        let mut week = serde_json::Map::new();
        for (at, day) in WEEK.iter().enumerate() {
            let stretch =
                hours_on(branch, at).map(|(from, to)| json!([{ "from": from, "to": to }]));
            week.insert((*day).to_owned(), stretch.unwrap_or(json!([])));
        }
        let open = |date: Date, time: u16| {
            hours_on(branch, weekday(date.weekday())).is_some_and(|(from, to)| {
                let to = if minute(&to) <= minute(&from) {
                    minute(&to) + 24 * 60
                } else {
                    minute(&to)
                };
                (minute(&from)..to).contains(&time)
            })
        };
        let now = self.now.datetime();
        let at = u16::try_from(i32::from(now.hour()) * 60 + i32::from(now.minute())).unwrap();
        let open_now = open(now.date(), at);
        let opens = (0..8).find_map(|days| {
            let date = now
                .date()
                .checked_add(jiff::Span::new().days(days))
                .unwrap();
            let (from, _) = hours_on(branch, weekday(date.weekday()))?;
            (days > 0 || minute(&from) > at).then(|| format!("{date}T{from}"))
        });
        json!({ "name": branch["name"], "address": branch["address"], "operating_hours": week, "exceptions": branch["exceptions"], "open_now": open_now,
            "opens_at": opens.filter(|_| !open_now) })
    }
}

#[async_trait]
impl Desk for Fake {
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value> {
        tool::read(tool, arguments.clone())
            .unwrap_or_else(|error| panic!("{}: {error:?} {arguments}", tool.name));
        if tool.access == tool::Access::Write {
            assert!(!key.is_empty(), "{} was called without a key", tool.name);
        }
        let answer = self.answer(tool.name, arguments);
        let mut evidence = self.evidence.lock().unwrap();
        match &answer {
            Ok(told) => {
                evidence.answered(tool.name, arguments, told);
                if tool.access == tool::Access::Write {
                    evidence.did(tool.name);
                }
            }
            Err(error) => {
                evidence.refused(&Value::Object(error.details().clone()));
                evidence.text(&error.message(Language::Es));
            }
        }
        self.calls
            .lock()
            .unwrap()
            .push((tool.name.to_owned(), arguments.clone()));
        answer
    }

    async fn search(&self, question: &SearchText) -> Result<Found> {
        if self.broken {
            return Err(Error::new(ErrorCode::SearchUnavailable));
        }
        let conversation::SearchText { text: asked, .. } = question;
        let business = self.business.lock().unwrap();
        let faqs = list(&business, "faqs")
            .iter()
            .map(|faq| format!("{} {}", text(faq, "q"), text(faq, "a")));
        let policies = list(&business, "policies")
            .iter()
            .map(|policy| text(policy, "text").to_owned());
        let texts: Vec<String> = faqs.chain(policies).collect();
        self.calls.lock().unwrap().push((
            "search_knowledge_base".to_owned(),
            json!({ "query": asked }),
        ));
        let epoch = Timestamp::UNIX_EPOCH;
        let passages = rank(asked, &texts, Language::Es)
            .into_iter()
            .map(|(at, similarity)| Passage {
                chunk_id: ChunkId::generate(epoch),
                document_id: DocumentId::generate(epoch),
                knowledge_base_id: KnowledgeBaseId::generate(epoch),
                title: None,
                source: DocumentSource::Manual,
                content: texts[at].clone(),
                start_char: 0,
                end_char: i32::try_from(texts[at].chars().count()).unwrap(),
                page_number: None,
                pages: ChunkPages::default(),
                headings: Vec::new(),
                source_url: None,
                file_type: None,
                similarity,
                metadata: json!({}),
                business: None,
                raw: quipu_core::retrieval::RawScores::default(),
            });
        let passages: Vec<Passage> = passages.collect();
        for passage in &passages {
            self.evidence.lock().unwrap().text(&passage.content);
        }
        Ok(Found {
            passages,
            ..Found::default()
        })
    }
}
