//! A world taken to pieces, and made of them.
//!
//! It stores all that a tick reads and cannot make itself. The rest is made anew: layers over the map, tables of planners, flow
//! fields, the spatial index, and scratch that a tick writes before it reads it. Each of these equals the one that it takes
//! the place of, however that came about; that is promised and tested where they are made.

use super::check::check;
use super::crowding::{count, in_crowd};
use super::error::Failure;
use super::searches::Searches;
use crate::battle::Squad;
use crate::world::parts::PerGround;
use crate::world::parts::{Derived, State};
use crate::world::state::congestion::Congestion;
use crate::world::state::fields::Fields;
use crate::world::{Settings, World, WorldError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use throng_grid::{Cell, Grid, Ground, GroundError, Mobility, SavedGrid};
use throng_plan::{Planner, PlannerChoice};

/// The pieces of a world: `S` is [`State`], or a reference to one that is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved<'a, S> {
    pub(super) settings: Cow<'a, Settings>,
    pub(super) grid: SavedGrid,
    pub(super) state: S,
    /// The goal of the field by which each squad walks.
    walks_to: Vec<Option<Cell>>,
    grounds: Vec<Cow<'a, Mobility>>,
    /// Each with the grounds that it is ready for.
    planners: Vec<(String, Vec<u16>)>,
    searches: Searches,
    /// The ground and the goal of each.
    fields: Vec<(u16, Cell)>,
    /// The last count of the crowd.
    crowding: Option<Cow<'a, [u8]>>,
    /// The bytes that the caller keeps beside the world.
    pub(super) notes: Cow<'a, [u8]>,
}

/// The goal of the field by which each squad walks.
pub(super) fn goals_of_fields(state: &State) -> Vec<Option<Cell>> {
    let goal = |squad: &Squad| squad.field.as_ref().and_then(|field| field.goals().first().copied());
    state.squads.iter().map(goal).collect()
}

impl<'a> Saved<'a, &'a State> {
    /// The pieces of a world, and the caller's notes.
    pub(super) fn of(world: &'a World, notes: &'a [u8]) -> Self {
        let World { settings, grid, state, derived, .. } = world;
        let Derived { grounds, planners, fields, congestion, pool, .. } = derived;
        let ready =
            |(choice, built): &(PlannerChoice, PerGround)| (choice.to_string(), built.keys().copied().collect());
        Self {
            settings: Cow::Borrowed(settings),
            grid: SavedGrid::from(&**grid),
            state,
            walks_to: goals_of_fields(state),
            grounds: grounds.iter().map(|ground| Cow::Borrowed(ground.mobility())).collect(),
            planners: planners.iter().map(ready).collect(),
            searches: Searches::of(grid, congestion.last(), pool),
            fields: fields.keys(),
            crowding: congestion.last().map(|last| Cow::Borrowed(last.blocks())),
            notes: Cow::Borrowed(notes),
        }
    }
}

impl Saved<'static, State> {
    /// The world that these are the pieces of; `given` are its planners from outside the library.
    pub(super) fn into_world(self, given: &[Arc<dyn Planner>]) -> Result<World, Failure> {
        let Self { settings, grid, mut state, walks_to, grounds, planners, searches, fields, crowding, notes: _ } =
            self;
        let grid = Grid::try_from(grid).map_err(Failure::Content)?;
        state.crowd.revive().map_err(Failure::Content)?;
        let mut world = World::new(grid, settings.into_owned())?;
        world.state = state;
        let (grid, derived) = (&world.grid, &mut world.derived);

        let crowding = crowding.map(|blocks| count(grid, &blocks)).transpose()?;
        let make = |mobility: Cow<'_, Mobility>| {
            let ground = Ground::build(Arc::clone(grid), mobility.into_owned())?;
            Ok(Arc::new(in_crowd(ground, crowding.as_ref())))
        };
        derived.grounds =
            grounds.into_iter().map(make).collect::<Result<_, GroundError>>().map_err(WorldError::from)?;
        for (name, on) in planners {
            let from_outside = given.iter().cloned().map(PlannerChoice::Custom).find(|given| given.to_string() == name);
            let choice = from_outside.map_or_else(|| name.parse(), Ok).map_err(WorldError::from)?;
            let mut built = PerGround::new();
            for ground in on {
                let place = derived.grounds.get(usize::from(ground));
                let place =
                    place.ok_or_else(|| Failure::Content(format!("{name} is ready for a ground that is not there")))?;
                built.insert(ground, choice.build(place).map_err(WorldError::from)?);
            }
            derived.planners.push((choice, built));
        }
        let known = fields.iter().all(|&(ground, _)| usize::from(ground) < derived.grounds.len());
        if !known {
            return Err(Failure::Content("a flow field is over a ground that is not there".into()));
        }
        // Each costs as much as the map. Squads and those on journeys hold them.
        let holders = world.state.squads.len() + world.state.crowd.slots.row_of.len();
        if fields.len() > holders {
            return Err(Failure::Content(format!("{} flow fields are for {holders} squads and agents", fields.len())));
        }
        derived.fields = Fields::of(&derived.grounds, &fields).map_err(WorldError::from)?;
        derived.congestion = Congestion::after(crowding);
        let (units, squads) = (&world.state.units, &mut world.state.squads);
        for unit in units {
            world.settings.check_model(unit.avoidance.unwrap_or(world.settings.avoidance.kind))?;
            derived.usage.add(unit, world.settings.avoidance.kind);
        }
        derived.widest = units.iter().map(|unit| unit.radius).fold(0.0, f32::max);
        derived.widest = derived.widest.max(world.state.given.widest);
        if walks_to.len() != squads.len() {
            return Err(Failure::Content("there are not as many squads as there are goals of fields".into()));
        }
        for (squad, goal) in squads.iter_mut().zip(walks_to) {
            squad.field = goal.and_then(|goal| derived.fields.find((squad.ground, goal)));
            if squad.field.is_none() && goal.is_some() {
                return Err(Failure::Content("a squad walks by a flow field that is not there".into()));
            }
        }
        world.state.links.sort();
        world.state.travels.lay().map_err(Failure::World)?;
        world.state.requests.lay();
        check(&world).map_err(Failure::Content)?;
        for squad in &mut world.state.squads {
            let radius = world.state.units[squad.unit.index()].radius;
            if let Some(ranks) = &mut squad.ranks {
                ranks.restore(&world.grid, radius);
            }
        }
        world.derived.sleepers.rebuild(&world.state.crowd);
        searches.go_on(&mut world)?;
        Ok(world)
    }
}
