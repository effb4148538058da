//! Squads that can never carry out their order.

use super::schema::SQUAD;
use super::section::Section;
use super::{Scenario, Warning};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground};
use throng_sim::battle::{Order, Relation, Unit};
use throng_sim::world::{SquadSpec, Task};

/// A cell of each region in which a squad stands, for bodies of a ground.
fn regions(ground: &Ground, squad: &SquadSpec) -> Vec<Cell> {
    let cells = squad.positions.iter().filter_map(|&at| ground.nearest_passable(at));
    cells.map(|cell| (ground.region(cell), cell)).collect::<BTreeMap<u32, Cell>>().into_values().collect()
}

/// Warns of squads to whose goal no way leads. Where walls can be broken, a way may be made; where triggers bring squads, some may
/// come that can be attacked.
pub(super) fn no_way<'a>(
    armies: &[Section<'_>],
    scenario: &Scenario,
    ground_of: impl Fn(&Unit) -> Option<&'a Ground>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !scenario.breakables.is_empty() {
        return warnings;
    }
    for (army, table) in armies.iter().enumerate() {
        for (squad, table) in scenario.armies[army].squads.iter().zip(table.tables("squad", &SQUAD)) {
            let unit = &scenario.units[usize::from(squad.unit.0)];
            let Some(ground) = ground_of(unit) else { continue };
            let found = match squad.order {
                Order::Attack | Order::Charge => no_way_to_enemies(scenario, army, squad, ground).map(|to| (None, to)),
                _ => no_way_to_goals(scenario, squad, ground).map(|goal| (Some(goal), goal)),
            };
            let Some((goal, to)) = found else { continue };
            let lattice = ground.lattice();
            let from = squad.positions.first().and_then(|&at| ground.nearest_passable(at));
            let gap = from.and_then(|from| ground.bottleneck(from, lattice.at(to)));
            let narrow = gap.map(|gap| (unit.radius, lattice.centre(gap)));
            warnings.push(Warning::NoWay { at: table.at_key("order"), goal, narrow });
        }
    }
    warnings
}

/// The place of an enemy (m), where a squad can get to none.
fn no_way_to_enemies(scenario: &Scenario, army: usize, squad: &SquadSpec, ground: &Ground) -> Option<Vec2> {
    if !scenario.triggers.is_empty() {
        return None;
    }
    let starts = regions(ground, squad);
    let is_enemy = |&other: &usize| scenario.relations.of(army as u8, other as u8) == Relation::Enemy;
    let enemies = || (0..scenario.armies.len()).filter(is_enemy).flat_map(|other| &scenario.armies[other].squads);
    let reaches = |enemy: &SquadSpec| {
        let ends = regions(ground, enemy);
        starts.iter().any(|&from| ends.iter().any(|&to| ground.leads(from, to)))
    };
    let start = *squad.positions.first()?;
    if enemies().any(reaches) {
        return None;
    }
    let places = enemies().flat_map(|enemy| enemy.positions.iter().copied());
    places.min_by(|a, b| a.distance_squared(start).total_cmp(&b.distance_squared(start)))
}

/// The first goal of a squad (m) to which it has no way.
fn no_way_to_goals(scenario: &Scenario, squad: &SquadSpec, ground: &Ground) -> Option<Vec2> {
    let goals: Vec<Vec2> = match squad.order {
        Order::Travel(journey) => {
            let stops = scenario.journeys.get(journey.0 as usize)?.stops.iter();
            let points = stops.filter_map(|stop| match &stop.task {
                Task::WayPoint { at, .. } | Task::Leave { at, .. } => Some(*at),
                Task::Queue(queue) => Some(queue.head),
                _ => None,
            });
            points.collect()
        }
        order => order.destination().into_iter().collect(),
    };
    let starts = regions(ground, squad);
    let reaches = |goal: Vec2| {
        let lattice = ground.lattice();
        starts.iter().any(|&from| ground.goal_cell(lattice.centre(from), goal).is_some_and(|to| ground.leads(from, to)))
    };
    goals.into_iter().find(|&goal| !starts.is_empty() && !reaches(goal))
}
