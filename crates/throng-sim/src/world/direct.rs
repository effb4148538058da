//! Changes while the world goes on: the index, the model of avoidance, the planners of squads, the map at once.

use super::{Command, SquadId, World, WorldError, edits, orders};
use crate::battle;
use crate::crowd::Avoidance;
use crate::walk::ModelUsage;
use std::sync::Arc;
use throng_grid::Ground;
use throng_plan::{Hierarchy, PlannerChoice};
use throng_spatial::{IndexChoice, SpatialIndex};

impl World {
    /// Finds neighbours by another index from now on. Nothing else changes: all of them find the same.
    ///
    /// The index is a kind, a kind with its parameters ([`IndexSpec`](throng_spatial::IndexSpec)), or one from outside
    /// ([`CustomIndex`](throng_spatial::CustomIndex)). The latter must keep what [`SpatialIndex`] says, and its answers must follow
    /// from the bodies alone; then every later tick gives the same bytes as with any other index.
    ///
    /// # Errors
    /// Where the index cannot hold the crowd, or only its name is known; then the old one stays.
    ///
    /// ```
    /// use throng_spatial::IndexKind;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// world.set_index(IndexKind::KdTree)?;
    /// assert_eq!(world.index().kind(), Some(IndexKind::KdTree));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn set_index(&mut self, choice: impl Into<IndexChoice>) -> Result<(), WorldError> {
        let choice = choice.into();
        let mut index = choice.build()?;
        index.rebuild(battle::bodies(&self.state.crowd))?;
        (self.derived.index, self.settings.index) = (index, choice);
        Ok(())
    }

    /// Agents whose unit names no model of its own avoid others by this one from the next tick on.
    ///
    /// # Errors
    /// Where it is [`Avoidance::Custom`], and the world has no model from outside.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_sim::battle::Unit;
    /// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Settings, World};
    /// let settings = Settings { avoidance: AvoidanceSettings::new(Avoidance::None), ..Settings::default() };
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), settings)?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let (left, right) = (Vec2::new(8.5, 8.5), Vec2::new(14.5, 8.6));
    /// world.spawn_walkers(all, walker, &[left, right], &[right, left])?;
    /// let aside = |world: &World| world.positions().map(|(_, at)| (at.y - 8.55).abs()).fold(0.0, f32::max);
    /// world.tick_until(|world| world.ticks() == 20)?;
    /// assert!(aside(&world) < 0.06, "straight at each other");
    /// world.set_avoidance(Avoidance::Orca)?;
    /// world.tick_until(|world| world.ticks() == 40)?;
    /// assert!(aside(&world) > 0.3, "each steps aside: {}", aside(&world));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn set_avoidance(&mut self, kind: Avoidance) -> Result<(), WorldError> {
        self.log(|| Command::SetAvoidance { kind });
        self.settings.check_model(kind)?;
        self.settings.avoidance.kind = kind;
        self.derived.usage = ModelUsage::default();
        for unit in &self.state.units {
            self.derived.usage.add(unit, kind);
        }
        Ok(())
    }

    /// A squad asks another planner for its routes from now on; it asks for a new one at once. Its orders stay.
    ///
    /// # Errors
    /// Where there is no such squad, or the planner cannot plan for its unit on this map; then the old one stays.
    pub fn set_planner(&mut self, squad: SquadId, planner: PlannerChoice) -> Result<(), WorldError> {
        self.log(|| Command::SetPlanner { squad, planner: planner.clone() });
        let id = squad.index();
        let of = self.state.squads.get(id).ok_or(WorldError::NoSuch { what: "squad", id })?;
        let (ground, wide, order) = (of.ground, of.wide, of.order);
        self.state.squads[id].planner = self.planner(planner, [Some(ground), wide])?;
        orders::set(&mut self.derived, &mut self.state, id, order);
        Ok(())
    }

    /// The planner that a squad asks for its routes; `None` where there is no such squad.
    pub fn planner_of(&self, squad: SquadId) -> Option<PlannerChoice> {
        let squad = self.state.squads.get(squad.index())?;
        self.derived.planners.get(usize::from(squad.planner)).map(|(choice, _)| choice.clone())
    }

    /// The map as the units of a squad find it: where they can go, and what that costs them; `None` where there is no such squad.
    pub fn ground_of(&self, squad: SquadId) -> Option<&Arc<Ground>> {
        let squad = self.state.squads.get(squad.index())?;
        self.derived.grounds.get(usize::from(squad.ground))
    }

    /// The clusters and doors over which a squad plans; `None` where it plans without, or there is no such squad. Squads of 16 and
    /// more look for a way with room beside them first, over clusters of their own, which this does not return.
    ///
    /// ```
    /// # use throng_grid::geom::Vec2;
    /// # use throng_grid::{Grid, Lattice};
    /// use throng_plan::PlannerChoice;
    /// # use throng_sim::world::{SquadSpec, Settings, World};
    /// # let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// # let (army, unit) = (world.add_army("red")?, world.add_unit(throng_sim::battle::Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(army, unit, &[Vec2::splat(9.0)]))?;
    /// assert!(world.hierarchy(squad).is_none());
    /// world.set_planner(squad, "hpa".parse::<PlannerChoice>()?)?;
    /// assert!(world.hierarchy(squad).is_some_and(|hpa| hpa.levels() > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hierarchy(&self, squad: SquadId) -> Option<&dyn Hierarchy> {
        let squad = self.state.squads.get(squad.index())?;
        let (_, built) = self.derived.planners.get(usize::from(squad.planner))?;
        built.get(&squad.ground)?.hierarchy()
    }

    /// Makes the [edits](World::edit) that are asked for now, not at the start of the next tick: for drawing on a map that stands
    /// still. Edits of cells in which an agent stands wait on.
    ///
    /// # Errors
    /// Where a unit or a planner cannot use the new map; then the map stays as it is, and the edits are dropped.
    pub fn edit_now(&mut self) -> Result<(), WorldError> {
        self.log(|| Command::EditNow);
        edits::apply(&self.settings, &mut self.grid, &mut self.derived, &mut self.state)
    }
}
