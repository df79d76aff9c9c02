//! The same answers, found minute by minute and by nothing else.

use super::scenario::Scenario;
use super::*;
use jiff::SignedDuration;
use jiff::civil::DateTime;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How far the oracle sees on both sides of the query.
const SIGHT: i64 = 4 * 1440;

pub(super) struct Oracle<'a> {
    scenario: &'a Scenario,
    /// The first minute, counted from 1970, and what the clock shows in each from there on.
    begin: i64,
    shown: Vec<i64>,
    /// The latest that the clock has shown until each of them.
    reached: Vec<i64>,
    /// The hours of the branch, and of its own where there are some, in minutes of the clock.
    hours: Vec<Vec<(i64, i64)>>,
    /// The minutes at which each of them is open.
    open: Vec<HashSet<i64>>,
}

impl<'a> Oracle<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let begin = scenario.from.as_second().div_euclid(60) - SIGHT;
        let end = scenario.to.as_second().div_euclid(60) + SIGHT;
        let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
        let shown: Vec<i64> = (begin..end)
            .map(|minute| {
                let instant = Timestamp::from_second(minute * 60).unwrap();
                let shown = scenario.zone.to_datetime(instant);
                shown.duration_since(epoch).as_mins()
            })
            .collect();
        let latest = |latest: &mut i64, shown: &i64| {
            *latest = (*latest).max(*shown);
            Some(*latest)
        };
        let mut oracle = Self {
            scenario,
            begin,
            reached: shown.iter().scan(i64::MIN, latest).collect(),
            shown,
            hours: Vec::new(),
            open: Vec::new(),
        };
        let schedules = std::iter::once(&scenario.branch_hours).chain(&scenario.own_hours);
        oracle.hours = schedules.map(|hours| oracle.local_hours(hours)).collect();
        let hours = oracle.hours.iter();
        oracle.open = hours.map(|hours| oracle.open_minutes(hours)).collect();
        oracle
    }

    /// The hours of every day in sight. A night keeps what the next day would begin with.
    fn local_hours(&self, hours: &Schedule) -> Vec<(i64, i64)> {
        let mut spans: Vec<(i64, i64)> = Vec::new();
        let days = self.shown[0].div_euclid(1440) + 1..self.shown[self.shown.len() - 1] / 1440;
        for day in days {
            let date = DateTime::constant(1970, 1, 1, 0, 0, 0, 0).date()
                + SignedDuration::from_hours(24 * day);
            for interval in hours.on(date) {
                let from = day * 1440 + i64::from(interval.opens());
                let to = day * 1440 + i64::from(interval.closes());
                let kept = spans.iter().map(|span| span.1).max().unwrap_or(from);
                if from.max(kept) < to {
                    spans.push((from.max(kept), to));
                }
            }
        }
        spans
    }

    /// The first minute in which the clock shows this one or a later one.
    fn minute_of(&self, local: i64) -> i64 {
        let first = self.reached.partition_point(|reached| *reached < local);
        self.begin + i64::try_from(first).unwrap()
    }

    /// The minutes in sight at which one of the schedules is open.
    fn open_minutes(&self, hours: &[(i64, i64)]) -> HashSet<i64> {
        let spans = hours.iter();
        spans
            .flat_map(|(from, to)| self.minute_of(*from)..self.minute_of(*to))
            .collect()
    }

    pub(super) fn branch_is_open(&self, start: i64) -> bool {
        let duration = i64::from(self.scenario.terms.duration_minutes);
        (start..start + duration).all(|minute| self.open[0].contains(&minute))
    }

    /// The minutes at which somebody may start: those that are a number of steps after the beginning
    /// of what all hours share, each time that the clock shows them.
    fn grid(&self) -> BTreeSet<i64> {
        let mut shared = self.hours[0].clone();
        for own in &self.hours[1..] {
            let pairs = shared.iter().flat_map(|a| own.iter().map(move |b| (a, b)));
            shared = pairs.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))).collect();
        }
        let mut times: HashMap<i64, Vec<i64>> = HashMap::new();
        for (minute, local) in (self.begin..).zip(&self.shown) {
            times.entry(*local).or_default().push(minute);
        }
        let step = usize::from(self.scenario.terms.step_minutes);
        shared
            .iter()
            .flat_map(|(from, to)| {
                let mut first = *from;
                while first % 5 != 0 {
                    first += 1;
                }
                let end = self.minute_of(*to);
                (first..*to).step_by(step).map(move |local| (local, end))
            })
            .flat_map(|(local, to)| {
                let first = self.minute_of(local);
                let again = times.get(&local).into_iter().flatten().copied();
                let again = again.filter(move |minute| (first..to).contains(minute));
                std::iter::once(first).chain(again)
            })
            .collect()
    }

    /// How many bookings hold a minute, each all the five minutes that it touches.
    fn taken(&self, minute: i64) -> usize {
        let tick = minute.div_euclid(5) * 5;
        let holds = |span: &&Span| {
            let touched = tick * 60..(tick + 5) * 60;
            let (start, end) = (span.start.as_second(), span.end.as_second());
            start < end && start < touched.end && touched.start < end
        };
        self.scenario.busy.iter().filter(holds).count()
    }

    /// The seconds at which a slot starts, in order.
    pub(super) fn starts(&self) -> Vec<i64> {
        let Scenario { terms, now, .. } = self.scenario;
        let (duration, before, after) = (
            i64::from(terms.duration_minutes),
            i64::from(terms.buffer_before_minutes),
            i64::from(terms.buffer_after_minutes),
        );
        let notice = i64::from(terms.minimum_notice_minutes) * 60;
        let horizon = i64::from(terms.horizon_days) * 24 * 60 * 60;
        let away = |minute: i64| {
            let off = self.scenario.time_off.iter();
            off.into_iter()
                .any(|span| (span.start.as_second()..span.end.as_second()).contains(&(minute * 60)))
        };
        let free = |start: &i64| {
            let second = start * 60;
            (self.scenario.from.as_second()..self.scenario.to.as_second()).contains(&second)
                && second >= now.as_second() + notice
                && second <= now.as_second() + horizon
                && (*start..start + duration).all(|minute| {
                    self.open.iter().all(|open| open.contains(&minute)) && !away(minute)
                })
                && (start - before..start + duration + after)
                    .all(|minute| self.taken(minute) < usize::from(self.scenario.places))
        };
        self.grid()
            .into_iter()
            .filter(free)
            .map(|start| start * 60)
            .collect()
    }
}
