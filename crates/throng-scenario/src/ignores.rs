//! Who ignores whom, from names to bits.

use super::ScenarioError;
use super::file::{self, ScenarioFile};
use super::source::Source;
use super::units::names;
use throng_sim::battle::{Unit, army_layer};

/// The layer that everybody is on comes first, those of armies from bit 48 on.
const LAYERS: std::ops::Range<u32> = 1..48;

/// Sets the masks of `units`, which begin with those of the file in their order. Whoever is ignored by his unit's name
/// gets a layer of its own; a name that a unit and an army share means both. A kind that is ignored need not be there.
pub(super) fn ignores(
    source: &Source,
    parsed: &ScenarioFile,
    units: &mut [Unit],
    library: &[Unit],
) -> Result<(), ScenarioError> {
    let mut free = LAYERS;
    for (i, table) in parsed.unit.iter().enumerate() {
        for name in table.ignores.iter().flatten() {
            let found = name.get_ref();
            let mut mask = 0;
            if let Some(unit) = units.iter_mut().find(|unit| unit.name == *found) {
                if unit.layers == Unit::default().layers {
                    let Some(layer) = free.next() else {
                        let (at, key, found) = (source.at(name.span()), "ignores", "one more".into());
                        let expected = format!("of at most {} different units in the whole file", LAYERS.len());
                        return Err(ScenarioError::Number { at, key, expected, found });
                    };
                    unit.layers |= 1 << layer;
                }
                mask |= unit.layers & !Unit::default().layers;
            }
            if let Some(army) = (0..).zip(&parsed.army).find(|(_, army)| army.name.get_ref() == found) {
                mask |= army_layer(army.0);
            }
            if mask == 0 && library.iter().all(|unit| unit.name != *found) {
                let own = units.iter().map(|unit| &unit.name).chain(parsed.army.iter().map(|army| army.name.get_ref()));
                let known = names(own, library);
                let (at, hint) = (source.at(name.span()), file::hint(found, &known));
                return Err(ScenarioError::UnknownIgnored { at, found: found.clone(), hint });
            }
            units[i].ignores |= mask;
        }
    }
    Ok(())
}
