//! How long it takes to say what can be booked: ten people, ninety days, five thousand appointments.

use crate::cli::own_server::{OwnFolder, OwnServer};
use crate::cli::own_tenant::OwnTenant;
use quipu_commerce::business::{Agenda, Branch, Item, Premises, Service, Staff};
use quipu_commerce::calendar::{AvailabilityQuery, Span};
use quipu_core::{BranchId, StaffId, Timestamp};
use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use uuid::Uuid;

const STAFF: u32 = 10;
const DAYS: i64 = 90;
const APPOINTMENTS: u32 = 5_000;
const RUNS: usize = 300;
const BOUND: Duration = Duration::from_millis(5);

#[derive(Serialize)]
struct Measured {
    what: &'static str,
    slots: usize,
    p50_us: u128,
    p99_us: u128,
    /// Whether half of the runs took no longer than the bound, where there is one.
    met: Option<bool>,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    build: &'static str,
    cores: usize,
    staff: u32,
    days: i64,
    appointments: u32,
    bound_us: u128,
    measured: Vec<Measured>,
}

pub(super) async fn run(json: bool) -> anyhow::Result<()> {
    let mut measured = Vec::new();
    for limit in [20, 500, 1_000_000] {
        measured.push(reckon(limit)?);
    }
    measured.extend(ask().await?);
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        build: if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        },
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        staff: STAFF,
        days: DAYS,
        appointments: APPOINTMENTS,
        bound_us: BOUND.as_micros(),
        measured,
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    println!(
        "quipu {} ({} build), {} cores: {STAFF} people, {DAYS} days, {APPOINTMENTS} appointments",
        report.version, report.build, report.cores
    );
    for measured in &report.measured {
        let met = match measured.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        println!(
            "  {:<44} {:>6} slots   p50 {:>7} us   p99 {:>7} us   {met}",
            measured.what, measured.slots, measured.p50_us, measured.p99_us
        );
    }
    Ok(())
}

fn summary(what: &'static str, mut times: Vec<Duration>, slots: usize, bound: bool) -> Measured {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    Measured {
        what,
        slots,
        p50_us: at(50).as_micros(),
        p99_us: at(99).as_micros(),
        met: bound.then(|| at(50) <= BOUND),
    }
}

/// The reckoning alone, with everything in memory.
fn reckon(limit: usize) -> anyhow::Result<Measured> {
    let first = Timestamp::from_second(1_772_438_400)?;
    let (premises, service) = made_up()?;
    let zone = jiff::tz::TimeZone::get("Europe/Madrid")?;
    let mut agenda = Agenda::new(Some(&service), &premises, &zone);
    agenda.fill(&busy(&agenda.resource_ids(), first)?);
    let query = AvailabilityQuery {
        from: first,
        to: later(first, DAYS * 86_400)?,
        now: first,
        limit,
        party: 1,
        staff: None,
        branch: None,
    };
    let mut slots = 0;
    let times = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            slots = agenda.slots(&query).len();
            began.elapsed()
        })
        .collect();
    let what = match limit {
        20 => "reckoning, the first 20",
        500 => "reckoning, the first 500",
        _ => "reckoning, all of them",
    };
    Ok(summary(what, times, slots, true))
}

fn made_up() -> anyhow::Result<(Premises, Service)> {
    let item = |id: Uuid| (id, Timestamp::UNIX_EPOCH);
    let (branch_id, at) = item(Uuid::from_u128(1));
    let branch: Branch = serde_json::from_value(branch())?;
    let mut premises = Premises {
        branches: vec![Item {
            id: branch_id,
            data: branch,
            warnings: Vec::new(),
            created_at: at,
            updated_at: at,
        }],
        ..Premises::default()
    };
    let mut ids = Vec::new();
    for person in 0..STAFF {
        let (id, at) = item(Uuid::from_u128(100 + u128::from(person)));
        let data: Staff = serde_json::from_value(staff(person, &json!(branch_id)))?;
        ids.push(StaffId::from_uuid(id));
        premises.staff.push(Item {
            id,
            data,
            warnings: Vec::new(),
            created_at: at,
            updated_at: at,
        });
    }
    let branches = [BranchId::from_uuid(branch_id)];
    let service = serde_json::from_value(service(&json!(ids), &json!(branches)))?;
    Ok((premises, service))
}

fn busy(resources: &[Uuid], begin: Timestamp) -> anyhow::Result<HashMap<Uuid, Vec<Span>>> {
    let mut busy: HashMap<Uuid, Vec<Span>> = HashMap::new();
    for number in 0..APPOINTMENTS {
        let resource = resources[number as usize % resources.len()];
        let start = later(begin, scattered(number))?;
        busy.entry(resource).or_default().push(Span {
            start,
            end: later(start, 1_800)?,
        });
    }
    Ok(busy)
}

/// Starts that are spread over all the days, in no order.
fn scattered(number: u32) -> i64 {
    let ticks = DAYS * 288;
    i64::from(number) * 7_919 % ticks * 300
}

fn later(at: Timestamp, seconds: i64) -> anyhow::Result<Timestamp> {
    Ok(at.checked_add(jiff::SignedDuration::from_secs(seconds))?)
}

fn week(intervals: &Value) -> Value {
    let days = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
    ];
    let week: serde_json::Map<String, Value> = days
        .iter()
        .map(|day| ((*day).to_owned(), intervals.clone()))
        .collect();
    json!({ "weekly": week })
}

fn branch() -> Value {
    let hours = json!([{ "from": "09:00", "to": "14:00" }, { "from": "16:00", "to": "20:00" }]);
    json!({ "name": "Centro", "hours": week(&hours) })
}

fn staff(person: u32, branch: &Value) -> Value {
    let hours = json!([{ "from": "09:30", "to": "18:30" }]);
    json!({ "name": format!("Persona {person}"), "branches": [branch], "hours": week(&hours) })
}

fn service(staff: &Value, branches: &Value) -> Value {
    json!({
        "name": "Consulta", "duration_minutes": 30, "buffer_after_minutes": 5,
        "staff": staff, "branches": branches,
    })
}

/// The whole walk: a request to a server of this very binary, with the appointments in its database.
async fn ask() -> anyhow::Result<Vec<Measured>> {
    let folder = OwnFolder::make("availability")?;
    let server = OwnServer::start(&folder, &[]).await?;
    let measured = ask_server(&server).await;
    server.stop().await?;
    measured
}

async fn ask_server(server: &OwnServer) -> anyhow::Result<Vec<Measured>> {
    let tenant = OwnTenant::make(server, "measured").await?;
    let branch = tenant.post("/api/v1/branches", &branch()).await?;
    let mut people = Vec::new();
    for person in 0..STAFF {
        let made = tenant
            .post("/api/v1/staff", &staff(person, &branch["id"]))
            .await?;
        people.push(made["id"].clone());
    }
    let offered = service(&json!(people), &json!([branch["id"]]));
    let service = tenant.post("/api/v1/services", &offered).await?;
    let path = format!(
        "/api/v1/availability?service_id={}&days={DAYS}&limit=500",
        service["id"].as_str().unwrap_or_default()
    );
    let mut booked = 0;
    let now = quipu_core::Clock::now(&crate::clock::SystemClock);
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    // Every second free slot of each person, until there are enough.
    'days: for day in 0..DAYS {
        let date = today.checked_add(jiff::Span::new().days(day + 1))?;
        let of_day = format!("{path}&date={date}").replace(&format!("days={DAYS}"), "days=1");
        let found = tenant.ok(Method::GET, &of_day, None).await?;
        let slots = found["slots"].as_array().cloned().unwrap_or_default();
        let mut last: HashMap<String, i64> = HashMap::new();
        let mut today = 0;
        for slot in &slots {
            let person = slot["staff_id"].to_string();
            let start: Timestamp = slot["starts_at"].as_str().unwrap_or_default().parse()?;
            let is_apart = last
                .get(&person)
                .is_none_or(|before| start.as_second() - before >= 2_400);
            if !is_apart || today >= APPOINTMENTS * 6 / 5 / u32::try_from(DAYS * 6 / 7)? {
                continue;
            }
            let wanted = json!({ "slot_id": slot["slot_id"], "service_id": service["id"] });
            tenant.post("/api/v1/appointments", &wanted).await?;
            last.insert(person, start.as_second());
            today += 1;
            booked += 1;
            if booked == APPOINTMENTS {
                break 'days;
            }
        }
    }
    let mut measured = Vec::new();
    for (what, limit) in [
        ("request over HTTP, SQLite, the first 20", 20),
        ("request over HTTP, SQLite, the first 500", 500),
    ] {
        let path = path.replace("limit=500", &format!("limit={limit}"));
        let mut times = Vec::new();
        let mut slots = 0;
        for _ in 0..RUNS {
            let began = Instant::now();
            let found = tenant.ok(Method::GET, &path, None).await?;
            times.push(began.elapsed());
            slots = found["slots"].as_array().map_or(0, Vec::len);
        }
        measured.push(summary(what, times, slots, false));
    }
    eprintln!("{booked} appointments were booked for the requests");
    Ok(measured)
}
