//! Units and armies that units ignore, from names to bits.

use super::ScenarioError;
use super::schema::{ARMY, UNIT};
use super::section::Section;
use super::units::unit_hint;
use throng_sim::battle::{Unit, army_layer};
use throng_sim::world::ArmyId;

/// The layer that all are on comes first, those of armies from bit 48 on.
const LAYERS: std::ops::Range<u32> = 1..48;

/// Sets the masks of `units`, which begin with those of the file in their order. A unit that is ignored by its name gets a layer
/// of its own; a name that a unit and an army share means both. A kind that is ignored need not be there.
pub(super) fn ignores(file: Section<'_>, units: &mut [Unit], library: &[Unit]) -> Result<(), ScenarioError> {
    let mut free = LAYERS;
    let armies: Vec<&str> = file.tables("army", &ARMY).filter_map(|army| army.text("name")).collect();
    for (i, table) in file.tables("unit", &UNIT).enumerate() {
        for name in table.names("ignores") {
            let mut mask = 0;
            if let Some(unit) = units.iter_mut().find(|unit| unit.name == name.text) {
                if unit.layers == Unit::default().layers {
                    let Some(layer) = free.next() else {
                        let (at, most) = (file.source.at(name.span.start), LAYERS.len());
                        let message =
                            format!("a file may ignore at most {most} different units, found one more; remove some");
                        return Err(ScenarioError::Rule { at, message });
                    };
                    unit.layers |= 1 << layer;
                }
                mask |= unit.layers & !Unit::default().layers;
            }
            if let Some(army) = armies.iter().position(|army| *army == name.text) {
                mask |= army_layer(ArmyId(army as u8));
            }
            if mask == 0 && library.iter().all(|unit| unit.name != name.text) {
                let own = units.iter().map(|unit| unit.name.as_str()).chain(armies.iter().copied());
                let hint = unit_hint(file, name.text, own, library);
                return Err(name.unknown(file.source, "unit or army", hint));
            }
            units[i].ignores |= mask;
        }
    }
    Ok(())
}
