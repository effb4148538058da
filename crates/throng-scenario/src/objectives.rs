//! What armies are to do, from the keys of their tables.

use super::file::{ObjectiveTable, ScenarioFile};
use super::journeys::{area, number};
use super::source::Source;
use super::{Scenario, ScenarioError, areas};
use std::ops::RangeInclusive;
use throng_grid::geom::Vec2;
use throng_grid::{self, Ground};
use throng_sim::world::{Area, Objective, SquadId};
use toml::Spanned;

/// What an objective may be; one of these keys says which.
const KEYS: [&str; 5] = ["hold", "area", "kill", "survive", "rout"];

/// The time of an objective (s).
const SECONDS: RangeInclusive<f32> = 0.1..=1e6;

/// Objectives of the army in place `army` of a file whose squads stand in place; `ground` gives the ground of a unit.
pub(super) fn objectives<'g>(
    source: &Source,
    parsed: &ScenarioFile,
    scenario: &Scenario,
    places: &[throng_grid::Area],
    army: usize,
    ground: impl Fn(usize) -> Option<&'g Ground>,
) -> Result<Vec<Objective>, ScenarioError> {
    let squads = || parsed.army.iter().zip(0..).flat_map(|(army, a)| army.squad.iter().map(move |squad| (squad, a)));
    let named = || squads().map(|(squad, a)| (squad.get_ref().name.as_ref().map(Spanned::get_ref), a));
    let read = |table: &Spanned<ObjectiveTable>| {
        let ObjectiveTable { hold, area: place, kill, survive, rout, seconds } = table.get_ref();
        let wrong =
            |at: std::ops::Range<usize>, message: String| Err(ScenarioError::Objective { at: source.at(at), message });
        let found = [hold.is_some(), place.is_some(), kill.is_some(), survive.is_some(), rout.is_some()];
        let found: Vec<&str> =
            KEYS.into_iter().zip(found).filter(|&(_, is_there)| is_there).map(|(key, _)| key).collect();
        let [key] = found[..] else {
            let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
            return wrong(table.span(), format!("an objective has one of the keys {}, found {found}", KEYS.join(", ")));
        };
        if let (Some(seconds), None, None) = (seconds, hold, place) {
            let message = format!("seconds belongs to hold and area; {key} has none");
            return wrong(seconds.span(), message);
        }
        if let Some(rout) = rout {
            let message = "rout = true means all enemies; leave the objective out where it is not meant";
            return if *rout.get_ref() { Ok(Objective::Rout) } else { wrong(rout.span(), message.into()) };
        }
        if let Some(kill) = kill {
            // Squads without a name cannot be meant, and keep their places.
            let known: Vec<&str> = named().map(|(name, _)| name.map_or("", String::as_str)).collect();
            let squad = number(source, "squad", kill, &known)?;
            let of = squads().nth(squad as usize).map_or(army, |(_, a)| a);
            let enemy = scenario.relations.of(army as u8, of as u8) == throng_sim::battle::Relation::Enemy;
            let name = kill.get_ref();
            let message = format!("the squad {name:?} is no enemy of this army; name one that is");
            return if enemy { Ok(Objective::Kill { squad: SquadId(squad) }) } else { wrong(kill.span(), message) };
        }
        if let Some(survive) = survive {
            let seconds = source.number(Some(survive), 0.0, "survive", SECONDS, "s")?;
            return Ok(Objective::Survive { seconds });
        }
        let Some(seconds) = seconds else {
            return Err(ScenarioError::MissingKey { at: source.at(table.span()), key: "seconds".into() });
        };
        let seconds = source.number(Some(seconds), 0.0, "seconds", SECONDS, "s")?;
        let (at, area) = match (hold, areas::find(source, place.as_ref(), places)?) {
            (Some(hold), _) => (hold.span(), area(source, scenario.grid.lattice(), hold)?),
            (None, Some(place)) => (table.span(), Area::Polygon { points: place.corners.clone() }),
            (None, None) => {
                return Err(ScenarioError::MissingKey { at: source.at(table.span()), key: "area".into() });
            }
        };
        let can_reach = scenario.armies[army].squads.iter().any(|squad| {
            let from = squad.positions.first().copied();
            ground(squad.unit.0.into()).zip(from).is_some_and(|(ground, from)| reaches(ground, from, &area))
        });
        // What is walled off now may be broken into.
        if !can_reach && scenario.breakables.is_empty() {
            let message = "nobody of this army can get into the area; open a way, or choose another".to_owned();
            return wrong(at, message);
        }
        Ok(Objective::Hold { area, seconds })
    };
    parsed.army[army].objective.iter().map(read).collect()
}

/// True where somebody who walks on `ground` and stands at `from` can get to a cell of the area.
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
