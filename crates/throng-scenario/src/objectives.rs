//! The objectives of armies, from the keys of their tables.

use super::drawn_areas::drawn;
use super::schema::{AREA, ARMY, OBJECTIVE, SQUAD};
use super::section::Section;
use super::{Scenario, ScenarioError, areas};
use throng_grid::geom::Vec2;
use throng_grid::{self, Ground};
use throng_sim::battle::Relation;
use throng_sim::world::{Area, ArmyId, Objective, SquadId};

/// Objectives of the army in place `army` of a file whose squads stand in place; `ground` gives the ground of a unit.
pub(super) fn objectives<'g>(
    file: Section<'_>,
    scenario: &Scenario,
    places: &[throng_grid::Area],
    army: usize,
    ground: impl Fn(usize) -> Option<&'g Ground>,
) -> Result<Vec<Objective>, ScenarioError> {
    let armies = || file.tables("army", &ARMY);
    let squads: Vec<(&str, usize)> = (0..)
        .zip(armies())
        .flat_map(|(a, army)| {
            army.tables("squad", &SQUAD).map(move |squad| (squad.text("name").unwrap_or_default(), a))
        })
        .collect();
    let read = |table: Section<'_>| {
        if table.flag("rout") == Some(false) {
            return table.wrong("rout", "rout = true means all enemies; remove the objective where it is not meant");
        }
        if table.has("rout") {
            return Ok(Objective::Rout);
        }
        if let Some(kill) = table.name("kill") {
            let known: Vec<&str> = squads.iter().map(|&(name, _)| name).collect();
            let squad = kill.among(file.source, "squad", &known)?;
            if scenario.relations.of(ArmyId(army as u8), ArmyId(squads[squad].1 as u8)) != Relation::Enemy {
                let message = format!("the squad {:?} is no enemy of this army; name one that is", kill.text);
                return table.wrong("kill", message);
            }
            return Ok(Objective::Kill { squad: SquadId(squad as u32) });
        }
        if table.has("survive") {
            return Ok(Objective::Survive { seconds: table.number("survive") });
        }
        let seconds = table.some_number("seconds").ok_or_else(|| table.missing("seconds"))?;
        let area = match (table.table("hold", &AREA), areas::find(table, places)?) {
            (Some(hold), _) => drawn(hold, scenario.grid.lattice())?,
            (None, Some(place)) => Area::Polygon { points: place.corners.clone() },
            (None, None) => return Err(table.missing("area")),
        };
        let can_reach = scenario.armies[army].squads.iter().any(|squad| {
            let from = squad.positions.first().copied();
            ground(squad.unit.0.into()).zip(from).is_some_and(|(ground, from)| reaches(ground, from, &area))
        });
        // An area that is walled off now may be broken into, or a link may lead there.
        if !can_reach && scenario.breakables.is_empty() && scenario.links.is_empty() {
            return table.wrong("hold", "this army cannot get into the area; open a way, or choose another area");
        }
        Ok(Objective::Hold { area, seconds })
    };
    armies().nth(army).into_iter().flat_map(|army| army.tables("objective", &OBJECTIVE)).map(read).collect()
}

/// True where an agent that walks on `ground` and stands at `from` can get to a cell of the area.
fn reaches(ground: &Ground, from: Vec2, area: &Area) -> bool {
    let lattice = ground.lattice();
    let Some(from) = ground.nearest_passable(from) else { return false };
    let (least, most) = area.bounds();
    let ((left, top), (right, bottom)) = (lattice.column_row(lattice.at(least)), lattice.column_row(lattice.at(most)));
    let mut cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| lattice.cell(x, y)));
    cells.any(|cell| {
        ground.is_passable(cell) && ground.region(cell) == ground.region(from) && area.contains(lattice.centre(cell))
    })
}
