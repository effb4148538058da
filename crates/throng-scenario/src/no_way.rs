//! Orders that can never be carried out.

use super::schema::{SQUAD, TOLD, TRIGGER};
use super::section::Section;
use super::{At, Scenario, Warning};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, walls};
use throng_sim::battle::{Order, OrderAim, Relation, Unit};
use throng_sim::world::{Area, ArmyId, Effect, SquadSpec, Task};

/// An order, the squad that gets it and its army, and where it is in the file.
struct Told<'a> {
    at: At,
    army: usize,
    squad: &'a SquadSpec,
    order: Order,
}

/// Whatever can be gone to by bodies of a unit: all links are open, and what can be broken is.
struct Ways<'a> {
    scenario: &'a Scenario,
    /// The army and all else of each squad, those of triggers last.
    squads: Vec<(usize, &'a SquadSpec)>,
    /// By unit, as the map is; where something can be broken, without that.
    grounds: BTreeMap<u16, &'a Ground>,
    broken: BTreeMap<u16, Ground>,
}

/// Warns of orders to whose goal no way leads, nor will: of squads at the start, of those that triggers bring, and of triggers.
pub(super) fn no_way<'a>(
    file: Section<'_>,
    armies: &[Section<'_>],
    scenario: &'a Scenario,
    ground_of: impl Fn(&Unit) -> Option<&'a Ground>,
) -> Vec<Warning> {
    let ways = Ways::new(scenario, ground_of);
    let warn = |told: Told<'_>| {
        let ground = ways.ground(told.squad)?;
        let (goal, to) = if told.order.attacks() {
            (None, ways.no_way_to_enemies(told.army, told.squad, ground)?)
        } else {
            ways.no_way_to_goals(told.squad, told.order, ground).map(|goal| (Some(goal), goal))?
        };
        let lattice = ground.lattice();
        let from = told.squad.positions.first().and_then(|&at| ground.nearest_passable(at));
        let gap = from.and_then(|from| ground.bottleneck(from, lattice.at(to)));
        let radius = scenario.units[usize::from(told.squad.unit.0)].radius;
        Some(Warning::NoWay { at: told.at, goal, narrow: gap.map(|gap| (radius, lattice.centre(gap))) })
    };
    ways.orders(file, armies).into_iter().filter_map(warn).collect()
}

impl<'a> Ways<'a> {
    fn new(scenario: &'a Scenario, ground_of: impl Fn(&Unit) -> Option<&'a Ground>) -> Self {
        let of_armies =
            (0..).zip(&scenario.armies).flat_map(|(army, known)| known.squads.iter().map(move |one| (army, one)));
        let effects = scenario.triggers.iter().flat_map(|trigger| &trigger.then);
        let waves = effects.filter_map(|effect| match effect {
            Effect::SpawnSquad(squad) => Some((usize::from(squad.army.0), squad)),
            _ => None,
        });
        let squads: Vec<_> = of_armies.chain(waves).collect();
        let units = squads.iter().map(|(_, squad)| squad.unit.0);
        let known = |unit: u16| Some((unit, ground_of(&scenario.units[usize::from(unit)])?));
        let grounds: BTreeMap<u16, &Ground> = units.filter_map(known).collect();
        let broken = broken(scenario).map_or_else(BTreeMap::new, |(grid, cells)| {
            let without =
                |(&unit, ground): (&u16, &&Ground)| Some((unit, ground.edited(Arc::clone(&grid), &cells).ok()?));
            grounds.iter().filter_map(without).collect()
        });
        Self { scenario, squads, grounds, broken }
    }

    fn ground(&self, squad: &SquadSpec) -> Option<&Ground> {
        self.broken.get(&squad.unit.0).or_else(|| self.grounds.get(&squad.unit.0).copied())
    }

    /// All orders of the file.
    fn orders(&self, file: Section<'_>, armies: &[Section<'_>]) -> Vec<Told<'a>> {
        let triggers: Vec<Section<'_>> = file.tables("trigger", &TRIGGER).collect();
        let places = armies
            .iter()
            .chain(&triggers)
            .flat_map(|table| table.tables("squad", &SQUAD))
            .map(|squad| squad.at_key("order"));
        let own = |(at, &(army, squad)): (At, &(usize, &'a SquadSpec))| Told { at, army, squad, order: squad.order };
        let mut all: Vec<Told<'a>> = places.zip(&self.squads).map(own).collect();
        for (trigger, table) in self.scenario.triggers.iter().zip(triggers) {
            let orders = trigger.then.iter().filter_map(|effect| match effect {
                Effect::Order { squad, order } => Some((*self.squads.get(squad.0 as usize)?, *order)),
                _ => None,
            });
            let places = table.tables("order", &TOLD).map(|told| told.at_key("order"));
            all.extend(places.zip(orders).map(|(at, ((army, squad), order))| Told { at, army, squad, order }));
        }
        all
    }

    /// The place of an enemy (m), where a squad can meet none: it comes to none, none that is sent somewhere comes to it, nor do both to
    /// the end of a link.
    fn no_way_to_enemies(&self, army: usize, squad: &SquadSpec, ground: &Ground) -> Option<Vec2> {
        let starts = regions(ground, squad);
        let start = *squad.positions.first()?;
        let is_enemy =
            |other: usize| self.scenario.relations.of(ArmyId(army as u8), ArmyId(other as u8)) == Relation::Enemy;
        let enemies = || self.squads.iter().enumerate().filter(|(_, (other, _))| is_enemy(*other));
        let meets = |(number, &(_, enemy)): (usize, &(usize, &SquadSpec))| {
            let Some(theirs) = self.ground(enemy) else { return true };
            let comes_from = regions(theirs, enemy);
            let goes = |to: Cell| leads(ground, &starts, to);
            let comes = |to: Cell| leads(theirs, &comes_from, to);
            let meet_on_links = || ground.mobility().links.iter().any(|link| goes(link.to) && comes(link.to));
            regions(ground, enemy).into_iter().any(goes)
                || some(enemy).any(|to| self.sees(squad, ground, to))
                || self.is_sent(number) && (regions(theirs, squad).into_iter().any(comes) || meet_on_links())
        };
        if enemies().any(meets) {
            return None;
        }
        let places = enemies().flat_map(|(_, (_, enemy))| enemy.positions.iter().copied());
        places.min_by(|a, b| a.distance_squared(start).total_cmp(&b.distance_squared(start)))
    }

    /// True where a member sees its straight way to a point (m): so it gets through a gap in which no cell has room for it.
    fn sees(&self, squad: &SquadSpec, ground: &Ground, to: Vec2) -> bool {
        let (grid, radius) = (ground.grid(), self.scenario.units[usize::from(squad.unit.0)].radius);
        some(squad).any(|from| walls::line_of_sight(grid, grid.clearance(), from, to, radius))
    }

    /// True where a squad has an order that takes it elsewhere, at the start or by a trigger.
    fn is_sent(&self, number: usize) -> bool {
        let mut effects = self.scenario.triggers.iter().flat_map(|trigger| &trigger.then);
        !self.squads[number].1.order.stays()
            || effects.any(|effect| match effect {
                Effect::Order { squad, order } => squad.0 as usize == number && !order.stays(),
                _ => false,
            })
    }

    /// The first goal of an order (m) to which a squad has no way.
    fn no_way_to_goals(&self, squad: &SquadSpec, order: Order, ground: &Ground) -> Option<Vec2> {
        let starts = regions(ground, squad);
        let lattice = ground.lattice();
        let reaches = |goal: Vec2| {
            let cell =
                |&from: &Cell| ground.goal_cell(lattice.centre(from), goal).is_some_and(|to| ground.leads(from, to));
            starts.iter().any(cell) || self.sees(squad, ground, goal)
        };
        let missed = |task: &Task| match task {
            Task::WayPoint { at, .. } | Task::Leave { at, .. } => Some(*at).filter(|&at| !reaches(at)),
            Task::Queue(queue) => Some(queue.head).filter(|&at| !reaches(at)),
            Task::Area { area, .. } => {
                out_of_reach(ground, &starts, area).filter(|&middle| !self.sees(squad, ground, middle))
            }
            _ => None,
        };
        if starts.is_empty() {
            return None;
        }
        match order.aim() {
            OrderAim::Journey(journey) => {
                let stops = &self.scenario.journeys.get(journey.0 as usize)?.stops;
                stops.iter().find_map(|stop| missed(&stop.task))
            }
            OrderAim::Point(goal) => Some(goal).filter(|&goal| !reaches(goal)),
            OrderAim::Stay | OrderAim::Enemies | OrderAim::Edge => None,
        }
    }
}

/// The map without what can be broken, and those cells; `None` where nothing can.
fn broken(scenario: &Scenario) -> Option<(Arc<Grid>, Vec<Cell>)> {
    let cells: Vec<Cell> = scenario.breakables.iter().flat_map(|one| one.cells.iter().copied()).collect();
    let mut grid = scenario.grid.as_ref().clone();
    for &cell in &cells {
        grid.set_open(cell, true);
    }
    (!cells.is_empty()).then(|| (Arc::new(grid), cells))
}

/// A cell of each region in which a squad stands, for bodies of a ground.
fn regions(ground: &Ground, squad: &SquadSpec) -> Vec<Cell> {
    one_each(ground, squad.positions.iter().filter_map(|&at| ground.nearest_passable(at)))
}

/// The places of some members (m), at most thirty or so.
fn some(squad: &SquadSpec) -> impl Iterator<Item = Vec2> {
    let positions = &squad.positions;
    positions.iter().copied().step_by(positions.len().div_ceil(30).max(1))
}

/// One of the cells of each region.
fn one_each(ground: &Ground, cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    cells.map(|cell| (ground.region(cell), cell)).collect::<BTreeMap<u32, Cell>>().into_values().collect()
}

/// True where a way leads from one of some cells to another.
fn leads(ground: &Ground, from: &[Cell], to: Cell) -> bool {
    from.iter().any(|&from| ground.leads(from, to))
}

/// The middle of an area (m), where none of its cells can be reached.
fn out_of_reach(ground: &Ground, starts: &[Cell], area: &Area) -> Option<Vec2> {
    let lattice = ground.lattice();
    let (low, high) = area.bounds();
    let [(left, top), (right, bottom)] = [low, high].map(|at| lattice.column_row(lattice.at(at)));
    let cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| lattice.cell(x, y)));
    let inside = cells.filter(|&cell| ground.is_passable(cell) && area.contains(lattice.centre(cell)));
    let reached = one_each(ground, inside).into_iter().any(|to| leads(ground, starts, to));
    (!reached).then(|| (low + high) * 0.5)
}
