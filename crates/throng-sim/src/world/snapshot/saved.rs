//! A world taken to pieces, and made of them.
//!
//! Stored is what a tick reads and cannot make itself. What is made anew: layers over the map, tables of planners, flow
//! fields, the spatial index, whatever a tick writes before it reads it. Each of these equals the one it takes the place
//! of, however that came about; that is promised and tested where they are made.

use super::MapMark;
use super::check::check;
use super::crowding::{count, in_crowd};
use super::error::Failure;
use super::searches::Searches;
use crate::battle::{Presence, Ramparts, Relations, Shots, Soldiers, Squad, Unit};
use crate::crowd::stream::Streams;
use crate::crowd::{AgentId, Crowd, Routes, Sleepers};
use crate::world::congestion::Congestion;
use crate::world::drive::Driven;
use crate::world::edits::Edits;
use crate::world::fields::Fields;
use crate::world::mix::Mix;
use crate::world::routes::Desk;
use crate::world::travel::Travels;
use crate::world::trigger::Triggers;
use crate::world::{Army, Events, Mission, PerGround, Profile, Settings, Verdict, World, WorldError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Cell, Grid, Ground, GroundError, Mobility, SavedGrid};
use throng_plan::PlannerChoice;

/// The pieces of a world.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved<'a> {
    pub(super) settings: Cow<'a, Settings>,
    pub(super) origin: MapMark,
    pub(super) grid: SavedGrid,
    pub(super) units: Cow<'a, [Unit]>,
    pub(super) armies: Cow<'a, [Army]>,
    pub(super) relations: Cow<'a, Relations>,
    pub(super) squads: Cow<'a, [Squad]>,
    /// The goal of the field by which each squad walks.
    pub(super) walks_to: Vec<Option<Cell>>,
    pub(super) grounds: Vec<Cow<'a, Mobility>>,
    /// Each with the grounds that it is ready for.
    pub(super) planners: Vec<(String, Vec<u16>)>,
    pub(super) crowd: Cow<'a, Crowd>,
    pub(super) soldiers: Cow<'a, Soldiers>,
    pub(super) shots: Cow<'a, Shots>,
    pub(super) counts_walks: bool,
    pub(super) routes: Cow<'a, Routes>,
    pub(super) desk: Cow<'a, Desk>,
    pub(super) searches: Searches,
    /// The ground and the goal of each.
    pub(super) fields: Vec<(u16, Cell)>,
    /// The last count of the crowd.
    pub(super) crowding: Option<Cow<'a, [u8]>>,
    pub(super) edits: Cow<'a, Edits>,
    pub(super) ramparts: Cow<'a, Ramparts>,
    pub(super) travels: Cow<'a, Travels>,
    pub(super) driven: Cow<'a, BTreeMap<u32, Driven>>,
    pub(super) missions: Cow<'a, [Mission]>,
    pub(super) triggers: Cow<'a, Triggers>,
    pub(super) dead: Cow<'a, [AgentId]>,
    pub(super) left: Cow<'a, [AgentId]>,
    pub(super) events: Cow<'a, Events>,
    pub(super) tick: u64,
    pub(super) verdict: Option<Verdict>,
}

impl<'a> Saved<'a> {
    /// The pieces of a world.
    pub(super) fn of(world: &'a World) -> Self {
        // Whoever gives a world another part has to say here whether it is stored.
        let World {
            settings,
            origin,
            grid,
            home: _,
            units,
            armies,
            relations,
            squads,
            grounds,
            planners,
            crowd,
            soldiers,
            shots,
            stood: _,
            counts_walks,
            index: _,
            sleepers: _,
            waking: _,
            near: _,
            presence: _,
            widest: _,
            routes,
            desk,
            fields,
            refuges: _,
            congestion,
            edits,
            ramparts,
            hits: _,
            travels,
            driven,
            missions,
            triggers,
            pool,
            threads: _,
            dead,
            left,
            mix: _,
            unit_of: _,
            before: _,
            wants: _,
            scratch: _,
            streams: _,
            events,
            profile: _,
            tick,
            verdict,
        } = world;
        let goal = |squad: &Squad| squad.field.as_ref().and_then(|field| field.goals().first().copied());
        let ready =
            |(choice, built): &(PlannerChoice, PerGround)| (choice.to_string(), built.keys().copied().collect());
        Self {
            settings: Cow::Borrowed(settings),
            origin: *origin,
            grid: SavedGrid::from(&**grid),
            units: units.into(),
            armies: armies.into(),
            relations: Cow::Borrowed(relations),
            walks_to: squads.iter().map(goal).collect(),
            squads: squads.into(),
            grounds: grounds.iter().map(|ground| Cow::Borrowed(ground.mobility())).collect(),
            planners: planners.iter().map(ready).collect(),
            crowd: Cow::Borrowed(crowd),
            soldiers: Cow::Borrowed(soldiers),
            shots: Cow::Borrowed(shots),
            counts_walks: *counts_walks,
            routes: Cow::Borrowed(routes),
            searches: Searches::of(grid, congestion.last(), pool),
            desk: Cow::Borrowed(desk),
            fields: fields.keys(),
            crowding: congestion.last().map(|last| Cow::Borrowed(last.blocks())),
            edits: Cow::Borrowed(edits),
            ramparts: Cow::Borrowed(ramparts),
            travels: Cow::Borrowed(travels),
            driven: Cow::Borrowed(driven),
            missions: missions.into(),
            triggers: Cow::Borrowed(triggers),
            dead: dead.into(),
            left: left.into(),
            events: Cow::Borrowed(events),
            tick: *tick,
            verdict: *verdict,
        }
    }
}

impl Saved<'static> {
    /// The world that these are the pieces of.
    #[allow(clippy::too_many_lines, reason = "a line a piece")]
    pub(super) fn into_world(self) -> Result<World, Failure> {
        let Self {
            settings,
            origin,
            grid,
            units,
            armies,
            relations,
            squads,
            walks_to,
            grounds,
            planners,
            crowd,
            soldiers,
            shots,
            counts_walks,
            routes,
            desk,
            searches,
            fields,
            crowding,
            edits,
            ramparts,
            travels,
            driven,
            missions,
            triggers,
            dead,
            left,
            events,
            tick,
            verdict,
        } = self;
        let grid = Grid::try_from(grid).map_err(Failure::Content)?;
        let mut crowd = crowd.into_owned();
        crowd.revive().map_err(Failure::Content)?;
        // A world without anybody has all that is not stored.
        let World { home, index, near, pool, threads, grid, settings, .. } = World::new(grid, settings.into_owned())?;

        let crowding = crowding.map(|blocks| count(&grid, &blocks)).transpose()?;
        let make = |mobility: Cow<'_, Mobility>| {
            let ground = Ground::build(Arc::clone(&grid), mobility.into_owned())?;
            Ok(Arc::new(in_crowd(ground, crowding.as_ref())))
        };
        let grounds: Vec<Arc<Ground>> =
            grounds.into_iter().map(make).collect::<Result<_, GroundError>>().map_err(WorldError::from)?;
        let mut ready = Vec::with_capacity(planners.len());
        for (name, on) in planners {
            let choice: PlannerChoice = name.parse().map_err(WorldError::from)?;
            let mut built = PerGround::new();
            for ground in on {
                let place = grounds.get(usize::from(ground));
                let place =
                    place.ok_or_else(|| Failure::Content(format!("{name} is ready for a ground that is not there")))?;
                built.insert(ground, choice.build(place).map_err(WorldError::from)?);
            }
            ready.push((choice, built));
        }
        let known = fields.iter().all(|&(ground, _)| usize::from(ground) < grounds.len());
        if !known {
            return Err(Failure::Content("a flow field is over a ground that is not there".into()));
        }
        let fields = Fields::of(&grounds, &fields).map_err(WorldError::from)?;
        let mut mix = Mix::default();
        units.iter().for_each(|unit| mix.add(unit, settings.avoidance.kind));
        let mut world = World {
            presence: Presence::new(grid.lattice().size()).map_err(WorldError::from)?,
            widest: units.iter().map(|unit| unit.radius).fold(0.0, f32::max),
            settings,
            origin,
            grid,
            home,
            units: units.into_owned(),
            armies: armies.into_owned(),
            relations: relations.into_owned(),
            squads: squads.into_owned(),
            grounds,
            planners: ready,
            crowd,
            soldiers: soldiers.into_owned(),
            shots: shots.into_owned(),
            stood: Vec::new(),
            counts_walks,
            index,
            sleepers: Sleepers::default(),
            waking: Vec::new(),
            near,
            routes: routes.into_owned(),
            desk: desk.into_owned(),
            fields,
            refuges: BTreeMap::new(),
            congestion: Congestion::after(crowding),
            edits: edits.into_owned(),
            ramparts: ramparts.into_owned(),
            hits: Vec::new(),
            travels: travels.into_owned(),
            driven: driven.into_owned(),
            missions: missions.into_owned(),
            triggers: triggers.into_owned(),
            pool,
            threads,
            dead: dead.into_owned(),
            left: left.into_owned(),
            mix,
            unit_of: Vec::new(),
            before: Vec::new(),
            wants: Vec::new(),
            scratch: Vec::new(),
            streams: Streams::default(),
            events: events.into_owned(),
            profile: Profile::default(),
            tick,
            verdict,
        };
        if walks_to.len() != world.squads.len() {
            return Err(Failure::Content("there are not as many squads as there are goals of fields".into()));
        }
        for (squad, goal) in world.squads.iter_mut().zip(walks_to) {
            squad.field = goal.and_then(|goal| world.fields.find((squad.ground, goal)));
            if squad.field.is_none() && goal.is_some() {
                return Err(Failure::Content("a squad walks by a flow field that is not there".into()));
            }
        }
        world.travels.lay().map_err(Failure::World)?;
        check(&world).map_err(Failure::Content)?;
        for squad in &mut world.squads {
            let radius = world.units[usize::from(squad.unit)].radius;
            if let Some(ranks) = &mut squad.ranks {
                ranks.restore(&world.grid, radius);
            }
        }
        world.sort_sleepers();
        searches.go_on(&mut world)?;
        Ok(world)
    }
}
