//! What armies are to each other, from names to numbers.

use super::ScenarioError;
use super::file::{self, ScenarioFile};
use super::source::Source;
use std::collections::BTreeMap;
use throng_sim::battle::{Relation, Relations};

/// The relations of the armies of a file, by their places in it: enemies, but for those whom one of two names as ally or neutral.
pub(super) fn relations(source: &Source, parsed: &ScenarioFile) -> Result<Relations, ScenarioError> {
    let mut relations = Relations::default();
    // The line in which a pair was named first.
    let mut said: BTreeMap<[usize; 2], (Relation, usize)> = BTreeMap::new();
    let known = || parsed.army.iter().map(|army| army.name.get_ref().clone()).collect::<Vec<_>>();
    for (one, army) in parsed.army.iter().enumerate() {
        let named = [(Relation::Ally, &army.allies), (Relation::Neutral, &army.neutral)];
        for (relation, name) in named.into_iter().flat_map(|(relation, names)| names.iter().map(move |n| (relation, n)))
        {
            let (at, found) = (source.at(name.span()), name.get_ref());
            let Some(other) = parsed.army.iter().position(|army| army.name.get_ref() == found) else {
                let hint = file::hint(found, &known());
                return Err(ScenarioError::UnknownName { at, what: "army", found: found.clone(), hint });
            };
            if one == other {
                let message = format!("{found:?} names itself; an army is its own ally without being told");
                return Err(ScenarioError::Relation { at, message });
            }
            let pair = [one.min(other), one.max(other)];
            let &mut (before, line) = said.entry(pair).or_insert((relation, at.line));
            if before != relation {
                let words = |relation| if relation == Relation::Ally { "allies" } else { "neutral" };
                let (own, now, before) = (army.name.get_ref(), words(relation), words(before));
                let message = format!("{own:?} and {found:?} cannot be {now}: they are {before} by line {line}");
                return Err(ScenarioError::Relation { at, message });
            }
            relations.set(one as u8, other as u8, relation);
        }
    }
    Ok(relations)
}
