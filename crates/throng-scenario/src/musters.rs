//! Putting the squads of a scenario in place, one after the other.

use super::areas;
use super::file::ScenarioFile;
use super::formations::{formation, stand};
use super::journeys;
use super::place::{Taken, place, place_each};
use super::places;
use super::source::{Source, found};
use super::squad_table::{OrderValue, SquadTable};
use super::{MAX_SQUAD, Scenario, ScenarioError, Warning};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Area, Grid, Ground, Mobility};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{ArmyId, SquadSpec, UnitId};
use toml::Spanned;

/// What all squads share while they are put in place.
pub(super) struct Musters<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) parsed: &'a ScenarioFile,
    /// One for each radius and costs of terrain met so far.
    pub(super) grounds: Vec<Ground>,
    pub(super) taken: Taken,
    /// Of squads that name none.
    pub(super) planner: PlannerChoice,
    /// Of the map.
    pub(super) areas: &'a [Area],
    /// What else squads may name, for messages.
    pub(super) library: &'a [Unit],
}

impl Musters<'_> {
    /// The squads of some armies that come at once, as they stand in the file. Who has a place of his own is put there after
    /// all others: he can be moved by himself, where a formation could not.
    pub(super) fn squads(
        &mut self,
        armies: &[&[Spanned<SquadTable>]],
        scenario: &Scenario,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Vec<SquadSpec>>, ScenarioError> {
        let mut squads: Vec<Vec<Option<SquadSpec>>> = armies.iter().map(|tables| vec![None; tables.len()]).collect();
        for has_places in [false, true] {
            let tables =
                (0..).zip(armies).flat_map(|(army, tables)| tables.iter().map(move |table| (ArmyId(army), table)));
            for (squad, (army, table)) in squads.iter_mut().flatten().zip(tables) {
                if table.get_ref().places.is_some() == has_places {
                    *squad = Some(self.squad(army, table, scenario, warnings)?);
                }
            }
        }
        Ok(squads.into_iter().map(|squads| squads.into_iter().flatten().collect()).collect())
    }

    fn squad(
        &mut self,
        army: ArmyId,
        table: &Spanned<SquadTable>,
        scenario: &Scenario,
        warnings: &mut Vec<Warning>,
    ) -> Result<SquadSpec, ScenarioError> {
        let source = self.source;
        let (squad_at, table) = (table.span(), table.get_ref());
        let places = places::of(source, table)?;
        let area = areas::find(source, table.area.as_ref(), self.areas)?.cloned();
        let unit_index = areas::unit(source, table, area.as_ref(), &scenario.units, self.library)?;
        let unit = &scenario.units[unit_index];
        let radius = unit.radius;
        let count = match &places {
            Some(places) => places.len(),
            None => areas::count(source, table, area.as_ref(), squad_at.clone())?,
        };
        let facing = match &table.facing {
            None => areas::facing(source, table, area.as_ref())?,
            facing => source.number(facing.as_ref(), 0.0, "facing", -360.0..=360.0, "degrees")?,
        };
        let spacing = match &table.spacing {
            None => 2.5 * radius,
            Some(value) => {
                let spacing = value.get_ref().0 as f32;
                if !(2.0 * radius..=100.0).contains(&spacing) {
                    let expected = format!("between {} (twice the radius of its unit) and 100 (m)", 2.0 * radius);
                    let found = found(value.get_ref().0);
                    return Err(ScenarioError::Number { at: source.at(value.span()), key: "spacing", expected, found });
                }
                spacing
            }
        };
        let planner = source.choice(table.planner.as_ref(), self.planner.clone())?;
        let formation = formation(source, table, area.as_ref(), count, facing, spacing)?;

        let broad = area.as_ref().map_or_else(
            || (2.0 * count as f64).sqrt().ceil() as i64,
            |area| areas::columns(area, facing, count, spacing),
        );
        let columns = source.whole(table.columns.as_ref(), broad, "columns", 1..=MAX_SQUAD as i64)? as usize;

        let ground = self.ground(&scenario.grid, unit)?;
        if let Some(wanted) = places {
            let nowhere = || ScenarioError::NoPlace { at: source.at(squad_at.clone()), radius };
            let order = self.order(table.order.as_ref(), ground, nowhere, warnings)?;
            let placed = place_each(&wanted, radius, &self.grounds[ground], &mut self.taken);
            let positions = places::settled(source, table, &wanted, placed, warnings)?;
            return Ok(SquadSpec {
                army,
                unit: UnitId(unit_index as u16),
                positions,
                facing,
                order,
                planner,
                formation,
            });
        }
        let (place_in_file, wanted) = match (&table.position, &table.area, &area) {
            (Some(position), None, _) => (position.span(), source.point(position, "position")?),
            (None, Some(name), Some(area)) => (name.span(), area.middle()),
            (Some(_), Some(name), _) => {
                let message = "a squad has a position or an area, found both; remove one".to_owned();
                return Err(ScenarioError::Squad { at: source.at(name.span()), message });
            }
            _ => return Err(ScenarioError::MissingKey { at: source.at(squad_at), key: "position".into() }),
        };
        let nowhere = || ScenarioError::NoPlace { at: source.at(place_in_file.clone()), radius };
        let centre = if let Some(area) = &area {
            areas::centre(area, &self.grounds[ground]).ok_or_else(|| areas::no_room(source, table, area, 0, count))?
        } else {
            let (centre, why) = settle(wanted, &self.grounds[ground]).ok_or_else(nowhere)?;
            if let Some(why) = why {
                warnings.push(Warning::Moved { at: source.at(place_in_file.clone()), why, from: wanted, to: centre });
            }
            centre
        };
        let order = self.order(table.order.as_ref(), ground, nowhere, warnings)?;

        if let Some(formation) = formation {
            let positions = stand(
                formation,
                count,
                (centre, facing),
                radius,
                &self.grounds[ground],
                area.as_ref(),
                &mut self.taken,
            )
            .map_err(|message| {
                let named = table.formation.as_ref().map_or(place_in_file, Spanned::span);
                ScenarioError::Squad { at: source.at(named), message }
            })?;
            return Ok(SquadSpec {
                army,
                unit: UnitId(unit_index as u16),
                positions,
                facing,
                order,
                planner,
                formation: Some(formation),
            });
        }
        let block = Block { centre, facing, columns: columns.min(count), count, spacing };
        let positions = place(&block, radius, &self.grounds[ground], area.as_ref(), &mut self.taken).map_err(
            |placed| match &area {
                Some(area) => areas::no_room(source, table, area, placed, count),
                None => ScenarioError::NoRoom { at: source.at(place_in_file), placed, count },
            },
        )?;
        Ok(SquadSpec { army, unit: UnitId(unit_index as u16), positions, facing, order, planner, formation: None })
    }

    /// What a squad on a ground is told; `nowhere` is said where nobody can stand.
    pub(super) fn order(
        &self,
        value: Option<&OrderValue>,
        ground: usize,
        nowhere: impl Fn() -> ScenarioError,
        warnings: &mut Vec<Warning>,
    ) -> Result<Order, ScenarioError> {
        let source = self.source;
        Ok(match value {
            Some(OrderValue::Attack) => Order::Attack,
            Some(OrderValue::Charge) => Order::Charge,
            Some(OrderValue::Flee) => Order::Flee,
            Some(OrderValue::Guard(within)) => {
                let within = source.number(Some(within), 0.0, "guard", 0.0..=1000.0, "m")?;
                Order::Guard { within }
            }
            Some(OrderValue::Hold) | None => Order::Hold,
            Some(value @ (OrderValue::GoTo(point) | OrderValue::Move(point))) => {
                let goes = matches!(value, OrderValue::GoTo(_));
                let wanted = source.point(point, if goes { "go_to" } else { "move" })?;
                let (goal, why) = settle(wanted, &self.grounds[ground]).ok_or_else(nowhere)?;
                if let Some(why) = why {
                    let at = source.at(point.span());
                    warnings.push(Warning::GoalMoved { at, why, from: wanted, to: goal });
                }
                if goes { Order::GoTo(goal) } else { Order::Move(goal) }
            }
            Some(OrderValue::Travel(name)) => Order::Travel(journeys::find(source, self.parsed, name)?),
        })
    }

    /// The ground of a unit, once a squad of it stands.
    pub(super) fn ground_of(&self, unit: &Unit) -> Option<&Ground> {
        let mobility = mobility(unit);
        self.grounds.iter().find(|ground| *ground.mobility() == mobility)
    }

    /// The place in `grounds` of a unit's ground.
    pub(super) fn ground(&mut self, grid: &Arc<Grid>, unit: &Unit) -> Result<usize, ScenarioError> {
        let mobility = mobility(unit);
        if let Some(known) = self.grounds.iter().position(|ground| *ground.mobility() == mobility) {
            return Ok(known);
        }
        let ground = Ground::build(Arc::clone(grid), mobility)
            .map_err(|error| ScenarioError::Ground { file: self.source.file.to_path_buf(), source: error })?;
        self.grounds.push(ground);
        Ok(self.grounds.len() - 1)
    }
}

fn mobility(unit: &Unit) -> Mobility {
    Mobility { terrain: unit.terrain.clone(), ..Mobility::new(unit.radius) }
}

/// `point` where a unit of the ground may stand on its cell; otherwise the nearest cell it may stand on, and why.
/// `None` where there is none.
fn settle(point: Vec2, ground: &Ground) -> Option<(Vec2, Option<&'static str>)> {
    let lattice = ground.lattice();
    let why = if !lattice.covers(point) {
        "off the map"
    } else if ground.is_passable(lattice.at(point)) {
        return Some((point, None));
    } else if ground.grid().is_open(lattice.at(point)) {
        let wide = ground.grid().clearance()[lattice.at(point)] >= ground.radius();
        if wide { "on ground closed to its unit" } else { "too close to a wall" }
    } else {
        "in a wall"
    };
    Some((lattice.centre(ground.nearest_passable(point)?), Some(why)))
}
