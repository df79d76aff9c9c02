//! Finding what is meant where no word of it was said: "ground coffee" where the menu has "Café molido".

use super::PolicyRun;
use crate::facts::Known;
use crate::read::LinkedNames;
use uuid::Uuid;

/// From here on a name means what was said.
const MEANT: f32 = 0.45;
/// A name that is this much less like it is another thing.
const APART: f32 = 0.1;
/// What is like more names than this means none of them.
const MOST_MEANT: usize = 3;
/// How many names are compared.
const MOST_NAMES: usize = 400;
/// Longer words are no name of anything.
const LONGEST: usize = 120;

impl PolicyRun<'_> {
    /// Which of some names mean what was said.
    pub(super) fn link_by_meaning(
        &self,
        said: &str,
        things: impl Iterator<Item = (Uuid, String)>,
    ) -> Known<LinkedNames<Uuid>> {
        let (ids, names): (Vec<Uuid>, Vec<String>) = things.take(MOST_NAMES).unzip();
        let said = said.trim();
        if names.is_empty() || said.is_empty() || said.chars().count() > LONGEST {
            return Ok(LinkedNames::None);
        }
        let likeness = self.facts.compare(said, names)?;
        let best = likeness.iter().copied().fold(f32::MIN, f32::max);
        if best < MEANT {
            return Ok(LinkedNames::None);
        }
        let near = ids.iter().zip(likeness);
        let near = near.filter(|(_, likeness)| best - **likeness < APART);
        let mut near: Vec<Uuid> = near.map(|(id, _)| *id).collect();
        Ok(match near.len() {
            1 => LinkedNames::One(near.remove(0)),
            many if many > MOST_MEANT => LinkedNames::None,
            _ => LinkedNames::Several(near),
        })
    }

    /// Which services mean what was said.
    pub(super) fn services_meant(&self, said: &str) -> Known<LinkedNames<Uuid>> {
        let services = self.business.services.iter();
        self.link_by_meaning(
            said,
            services.map(|service| (service.id, service.name.clone())),
        )
    }

    /// Which dishes mean what was said.
    pub(super) fn dishes_meant(&self, said: &str) -> Known<LinkedNames<Uuid>> {
        let dishes = self.business.dishes.iter();
        self.link_by_meaning(said, dishes.map(|dish| (dish.id, dish.name.clone())))
    }
}
