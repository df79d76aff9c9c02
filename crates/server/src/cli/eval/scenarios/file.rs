//! Files of scenarios: who the business is, who the customer is, what they write, and what must come
//! of it.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

const MOST_BYTES: u64 = 16 * 1024 * 1024;
const MOST_SCENARIOS: usize = 1_000;
const MOST_TURNS: usize = 40;
const MOST_THINGS: usize = 500;

/// What a file says and nothing here reads.
pub(super) type Rest = Map<String, Value>;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Scenario {
    pub(super) id: String,
    #[serde(default)]
    pub(super) title: String,
    /// When the conversation begins, with its offset.
    pub(super) now: String,
    pub(super) tenant: Tenant,
    #[serde(default)]
    pub(super) customer: Customer,
    #[serde(default)]
    pub(super) busy: Vec<Busy>,
    /// What the customer writes, one message after another, whatever the answers are.
    pub(super) turns: Vec<String>,
    #[serde(default)]
    pub(super) expect: Expect,
    #[serde(flatten)]
    pub(super) rest: Rest,
    /// All of it as it is written.
    #[serde(skip)]
    pub(super) raw: Value,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Tenant {
    pub(super) name: String,
    #[serde(default)]
    pub(super) country: Option<String>,
    pub(super) timezone: String,
    pub(super) currency: String,
    #[serde(default)]
    pub(super) vertical: String,
    #[serde(default)]
    pub(super) branches: Vec<Branch>,
    #[serde(default)]
    pub(super) staff: Vec<Staff>,
    #[serde(default)]
    pub(super) services: Vec<Service>,
    #[serde(default)]
    pub(super) menu: Vec<Dish>,
    #[serde(default)]
    pub(super) delivery: Option<Delivery>,
    #[serde(default)]
    pub(super) policies: Vec<String>,
    #[serde(default)]
    pub(super) faqs: Vec<Faq>,
    #[serde(default)]
    pub(super) loyalty: Option<Loyalty>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Branch {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) address: Option<String>,
    /// From days such as `mon-fri` to hours such as `09:00-19:00`, or `closed`.
    #[serde(default)]
    pub(super) hours: BTreeMap<String, String>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Staff {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) role: Option<String>,
    /// Where they attend; everywhere when absent.
    #[serde(default)]
    pub(super) branch: Option<String>,
    /// When they attend; whenever the branch is open when absent.
    #[serde(default)]
    pub(super) days: Option<String>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Service {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) price: Option<Number>,
    #[serde(default)]
    pub(super) minutes: Option<u16>,
    #[serde(default)]
    pub(super) staff: Vec<String>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Dish {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) price: Number,
    #[serde(default)]
    pub(super) allergens: Vec<String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Delivery {
    /// The fee of each zone.
    #[serde(default)]
    pub(super) zones: BTreeMap<String, Number>,
    #[serde(default)]
    pub(super) min_order: Option<Number>,
    /// How long it takes, such as `35-50` minutes or `24 h`.
    #[serde(default)]
    pub(super) eta_min: Option<Value>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Faq {
    pub(super) q: String,
    pub(super) a: String,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Loyalty {
    pub(super) unit: String,
    /// What earns tokens, such as `1 por cada $100` or `5 % del consumo`.
    #[serde(default)]
    pub(super) earn: Option<String>,
    #[serde(default)]
    pub(super) rewards: Vec<Reward>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reward {
    pub(super) points: i64,
    #[serde(rename = "reward")]
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Customer {
    #[serde(default)]
    pub(super) phone: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) email: Option<String>,
    #[serde(default)]
    pub(super) appointments: Vec<Booked>,
    #[serde(default)]
    pub(super) loyalty_balance: i64,
    #[serde(default)]
    pub(super) orders: Vec<Placed>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Booked {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) service: String,
    #[serde(default)]
    pub(super) branch: Option<String>,
    #[serde(default)]
    pub(super) staff: Option<String>,
    pub(super) start: String,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Placed {
    #[serde(default)]
    pub(super) id: Option<String>,
    /// How many of each thing of the menu.
    pub(super) items: BTreeMap<String, u32>,
    #[serde(default)]
    pub(super) status: Option<String>,
    #[serde(default)]
    pub(super) payment: Option<String>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Busy {
    pub(super) staff: String,
    pub(super) start: String,
    pub(super) end: String,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Expect {
    #[serde(default)]
    pub(super) tools_must: Vec<String>,
    #[serde(default)]
    pub(super) tools_must_not: Vec<String>,
    #[serde(default)]
    pub(super) facts_must: Vec<Fact>,
    #[serde(default)]
    pub(super) facts_must_not: Vec<String>,
    #[serde(default)]
    pub(super) final_state: Map<String, Value>,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fact {
    pub(super) any_of: Vec<String>,
}

/// Reads a file of scenarios.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<Scenario>> {
    let values: Vec<Value> = read_json(file)?;
    if values.len() > MOST_SCENARIOS {
        bail!(
            "{} has more than {MOST_SCENARIOS} scenarios",
            file.display()
        );
    }
    let mut scenarios = Vec::new();
    for (at, value) in values.into_iter().enumerate() {
        let name = value["id"].as_str().map_or_else(
            || format!("scenario {} of {}", at + 1, file.display()),
            |id| format!("scenario {id} of {}", file.display()),
        );
        let mut scenario =
            Scenario::deserialize(&value).with_context(|| format!("{name} cannot be read"))?;
        scenario.raw = value;
        bound(&scenario).with_context(|| name)?;
        scenarios.push(scenario);
    }
    Ok(scenarios)
}

/// Reads a JSON file that is not too large.
pub(super) fn read_json<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let named = || format!("{} cannot be read", file.display());
    let opened = std::fs::File::open(file).with_context(named)?;
    let mut text = String::new();
    opened
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(named)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > MOST_BYTES {
        bail!("{} is larger than {MOST_BYTES} bytes", file.display());
    }
    serde_json::from_str(&text).with_context(named)
}

fn bound(scenario: &Scenario) -> anyhow::Result<()> {
    let tenant = &scenario.tenant;
    let customer = &scenario.customer;
    let count = scenario.turns.len();
    if count == 0 || count > MOST_TURNS {
        bail!("`turns` must have between 1 and {MOST_TURNS} messages, and has {count}");
    }
    for (name, count) in [
        ("tenant.branches", tenant.branches.len()),
        ("tenant.staff", tenant.staff.len()),
        ("tenant.services", tenant.services.len()),
        ("tenant.menu", tenant.menu.len()),
        ("tenant.policies", tenant.policies.len()),
        ("tenant.faqs", tenant.faqs.len()),
        ("customer.appointments", customer.appointments.len()),
        ("customer.orders", customer.orders.len()),
        ("busy", scenario.busy.len()),
    ] {
        if count > MOST_THINGS {
            bail!("`{name}` has {count} entries; at most {MOST_THINGS} are read");
        }
    }
    Ok(())
}
