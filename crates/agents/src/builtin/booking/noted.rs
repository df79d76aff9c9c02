//! Whom a booking is for, where that is not the customer alone: the team reads it, and a child gets what is for
//! children.

use super::super::catalogue::Meant;
use super::super::folded::{begins, folded};
use super::super::kin::{Whom, whom};
use super::super::scene::Scene;
use super::Plan;

/// How services for children are called, by the beginning of a word.
const FOR_CHILDREN: &[&str] = &[
    "pediatr",
    "odontopediatr",
    "infantil",
    "niñ",
    "nino",
    "bebe",
    "child",
    "kid",
    "paediatr",
];

pub(super) fn is_for_children(service: &str) -> bool {
    begins(&folded(service), FOR_CHILDREN)
}

impl Scene<'_> {
    /// Whom the booking is for, as it was said last in this matter.
    pub(super) fn booked_for(&self) -> Option<Whom> {
        let heard = self.state.heard.iter().rev();
        let mut heard = heard.filter(|heard| heard.at >= self.state.since);
        heard.find_map(|heard| whom(&self.messages.get(heard.at)?.text))
    }

    /// The same as it is told to the customer, and how many people come.
    pub(super) fn told_for(&self, plan: &Plan) -> (&'static str, String) {
        let person = self.booked_for().filter(|_| plan.sought.party.is_none());
        let people = plan.people.map(|people| self.people(people));
        (
            person.map_or("", |whom| whom.person),
            people.unwrap_or_default(),
        )
    }

    /// What the team has to know of a booking besides who made it.
    pub(super) fn booking_note(&self, plan: &Plan) -> Option<String> {
        let (_, people) = self.told_for(plan);
        let people = (!people.is_empty()).then(|| {
            let to = self.voice.pick("Para", "For");
            format!("{to} {people}")
        });
        let person = self.booked_for().filter(|_| plan.sought.party.is_none());
        let person =
            person.map(|whom| format!("{} {}", self.voice.pick("Para su", "For their"), whom.told));
        let notes = [people, person, self.allergies_told()];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join(". "))
    }

    /// What is meant by services of which one is for children, where a child shall come and no other was named
    /// alone.
    pub(super) fn for_whom(&self, meant: Meant, names: &[String]) -> Meant {
        if !self.booked_for().is_some_and(|whom| whom.child) {
            return meant;
        }
        let among: Vec<usize> = match &meant {
            Meant::One(_) => return meant,
            Meant::Several(some) => some.clone(),
            Meant::Nothing => (0..names.len()).collect(),
        };
        let mut fits = among.into_iter().filter(|at| is_for_children(&names[*at]));
        match (fits.next(), fits.next()) {
            (Some(only), None) => Meant::One(only),
            _ => meant,
        }
    }
}
