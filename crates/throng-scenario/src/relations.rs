//! The relations of armies, from names to numbers.

use super::ScenarioError;
use super::schema::ARMY;
use super::section::Section;
use std::collections::BTreeMap;
use throng_sim::battle::{Relation, Relations};
use throng_sim::world::ArmyId;

/// The relations of the armies of a file, by their places in it: enemies, but for pairs of which one names the other as
/// ally or neutral.
pub(super) fn relations(file: Section<'_>) -> Result<Relations, ScenarioError> {
    let mut relations = Relations::default();
    // The line in which a pair was named first.
    let mut said: BTreeMap<[usize; 2], (Relation, usize)> = BTreeMap::new();
    let armies = || file.tables("army", &ARMY);
    let known: Vec<&str> = armies().filter_map(|army| army.text("name")).collect();
    for (one, army) in armies().enumerate() {
        let allies = army.names("allies").map(|name| (Relation::Ally, name));
        for (relation, name) in allies.chain(army.names("neutral").map(|name| (Relation::Neutral, name))) {
            let (at, found) = (file.source.at(name.span.start), name.text);
            let other = name.among(file.source, "army", &known)?;
            if one == other {
                let message = format!("{found:?} names itself; remove it: an army is always its own ally");
                return Err(ScenarioError::Rule { at, message });
            }
            let pair = [one.min(other), one.max(other)];
            let &mut (before, line) = said.entry(pair).or_insert((relation, at.line));
            if before != relation {
                let words = |relation| if relation == Relation::Ally { "allies" } else { "neutral" };
                let (own, now, before) = (known[one], words(relation), words(before));
                let message = format!("{own:?} and {found:?} cannot be {now}: they are {before} by line {line}");
                return Err(ScenarioError::Rule { at, message });
            }
            relations.set(ArmyId(one as u8), ArmyId(other as u8), relation);
        }
    }
    Ok(relations)
}
