//! Which times are free.

use super::local::{LocalSpan, grid, in_both, timeline};
use super::occupancy;
use super::resource::{AvailabilityQuery, Bookable, BookingTerms, Resource, Slot};
use super::schedule::Schedule;
use super::span::{Timeline, ticks};
use super::zone::{ZoneClock, timestamp};
use quipu_core::BranchId;
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap};

/// The next start of each resource, the earliest first and then in the order of the resources.
type NextStarts = BinaryHeap<Reverse<(i64, usize)>>;

/// The slots that can be booked, by start and then in the order of the resources. Of the tables of a
/// branch that are free at the same time, the smallest is offered.
///
/// Resources are walked through side by side, and no further than the limit asks for. The work grows
/// with the days and the bookings, which are sorted once, and not with one times the other.
#[must_use]
pub fn free_slots(
    query: &AvailabilityQuery,
    terms: &BookingTerms,
    resources: &[Resource<'_>],
) -> Vec<Slot> {
    let (from, to) = query.starts_between(terms);
    let mut slots = Vec::new();
    if to <= from {
        return slots;
    }
    let mut starts = Vec::new();
    let mut next_starts = NextStarts::new();
    for resource in resources {
        if query.asks_for(resource.what) {
            let mut of_resource = free_starts(resource, terms, from, to);
            if let Some(start) = of_resource.next() {
                next_starts.push(Reverse((start, starts.len())));
                starts.push((resource.what, of_resource));
            }
        }
    }
    let mut together = Vec::new();
    while slots.len() < query.limit
        && let Some(Reverse((start, _))) = next_starts.peek().copied()
    {
        together.clear();
        while let Some(index) = pop_at(&mut next_starts, start) {
            let (what, of_resource) = &mut starts[index];
            together.push(*what);
            if let Some(next) = of_resource.next() {
                next_starts.push(Reverse((next, index)));
            }
        }
        keep_smallest_tables(&mut together);
        slots.extend(together.iter().map(|what| Slot {
            start: timestamp(start),
            end: timestamp(start + terms.duration()),
            resource: *what,
        }));
    }
    slots.truncate(query.limit);
    slots
}

/// The starts at which one resource is free, in order.
fn free_starts(
    resource: &Resource<'_>,
    terms: &BookingTerms,
    from: i64,
    to: i64,
) -> impl Iterator<Item = i64> + use<> {
    let terms = *terms;
    let clock = ZoneClock::new(resource.zone, from, to + terms.duration());
    let hours = hours_between(
        resource.branch_hours,
        &resource.own_hours,
        &clock,
        (from, to + terms.duration()),
    );
    let mut open = timeline(&hours, &clock);
    let mut away = time_off(resource);
    let mut full = full_between(resource, &terms, from, to);
    grid(hours, terms.step_minutes, clock)
        .skip_while(move |start| *start < from)
        .take_while(move |start| *start < to)
        .filter(move |start| {
            let end = start + terms.duration();
            let (first, past) = held_ticks(&terms, *start, *start);
            open.holds(*start, end) && !away.meets(*start, end) && !full.meets(first, past)
        })
}

/// The hours of a branch that are also within all others, as far as they matter between two seconds.
pub(super) fn hours_between(
    branch: &Schedule,
    own: &[&Schedule],
    clock: &ZoneClock,
    (from, to): (i64, i64),
) -> Vec<LocalSpan> {
    // The night before the first day may last into it and may itself begin when another ends; the
    // day after the last may have begun where a clock is set back over midnight.
    let (first, last) = (clock.day(from) - 2, clock.day(to) + 1);
    let mut hours: Vec<_> = branch.openings(first, last).collect();
    for schedule in own {
        let own: Vec<_> = schedule.openings(first, last).collect();
        hours = in_both(&hours, &own);
    }
    hours
}

pub(super) fn time_off(resource: &Resource<'_>) -> Timeline {
    Timeline::merged(resource.time_off.iter().map(|span| span.seconds()))
}

/// When all places are taken, as far as it matters for starts from one second to another.
pub(super) fn full_between(
    resource: &Resource<'_>,
    terms: &BookingTerms,
    from: i64,
    to: i64,
) -> Timeline {
    let within = held_ticks(terms, from, to);
    occupancy::full(&resource.busy, resource.places, within)
}

/// The ticks that bookings hold which start between two seconds, both included.
pub(super) fn held_ticks(terms: &BookingTerms, first: i64, last: i64) -> (i64, i64) {
    let before = i64::from(terms.buffer_before_minutes) * 60;
    let after = i64::from(terms.buffer_after_minutes) * 60;
    ticks(first - before, last + terms.duration() + after)
}

/// Leaves one table of each branch: that with the fewest seats, and of several alike the first.
fn keep_smallest_tables(together: &mut Vec<Bookable>) {
    let mut smallest: BTreeMap<BranchId, (u16, usize)> = BTreeMap::new();
    for (index, what) in together.iter().enumerate() {
        if let Bookable::Table { branch, seats, .. } = what {
            let best = smallest.entry(*branch).or_insert((*seats, index));
            *best = (*best).min((*seats, index));
        }
    }
    let mut index = 0;
    together.retain(|what| {
        let is_table = matches!(what, Bookable::Table { .. });
        let best = smallest.get(&what.branch());
        let keep = !is_table || best.is_some_and(|(_, best)| *best == index);
        index += 1;
        keep
    });
}

/// Takes the resource that comes next when its start is at this instant.
fn pop_at(next_starts: &mut NextStarts, start: i64) -> Option<usize> {
    let next = next_starts.peek_mut()?;
    if next.0.0 == start {
        Some(PeekMut::pop(next).0.1)
    } else {
        None
    }
}
