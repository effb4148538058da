//! What the window does to a world, and what it wants to know of it beside its frames.

use super::cells::{self, IndexCell};
use super::clusters::Hierarchy;
use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit};
use throng_plan::PlannerChoice;
use throng_scenario::Squad;
use throng_sim::battle::{Formation, Order, Rampart};
use throng_sim::crowd::Avoidance;
use throng_sim::world::{ArmyId, Insight, Muster, SquadId, UnitId, Way, World, WorldError};
use throng_spatial::IndexKind;

/// Something that is done to a world between two ticks.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Muster, Settings, World};
/// use throng_viewer::{Deed, Simulation};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let squad = world.muster(Muster::new(red, soldier, &[Vec2::splat(4.5)]))?;
/// let undo = world.perform(&Deed::Order(vec![(squad, Order::Attack)])).unwrap();
/// assert_eq!(world.squads()[0].order, Order::Attack);
/// assert_eq!(undo, Some(Deed::Order(vec![(squad, Order::Hold)])));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Deed {
    /// Squads get new orders.
    Order(Vec<(SquadId, Order)>),
    /// Squads keep a formation, or none.
    Form(Vec<(SquadId, Option<Formation>)>),
    /// The map is changed.
    Edit {
        /// Its cells.
        edits: Vec<Edit>,
        /// Closed cells that can be broken from now on, with the health that they have left, or no more. Where somebody stands
        /// no gate comes.
        ramparts: Vec<(Cell, Option<Rampart>)>,
    },
    /// A new squad comes.
    Muster {
        /// Its army.
        army: ArmyId,
        /// Its kind of soldiers.
        unit: UnitId,
        /// Where they stand (m).
        positions: Vec<Vec2>,
        /// Where they look (degrees).
        facing: f32,
        /// What they are told to do.
        order: Order,
    },
    /// A squad goes.
    Disband(SquadId),
    /// Neighbours are found by another index.
    FindBy(IndexKind),
    /// Others are avoided by another model.
    AvoidBy(Avoidance),
    /// Squads ask another planner.
    PlanBy(Vec<(SquadId, PlannerChoice)>),
}

/// A squad that was brought in the window, as it was then.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Brought {
    pub id: SquadId,
    pub army: ArmyId,
    pub squad: Squad,
}

impl Brought {
    /// The squad that has come by a deed, by what undoes that.
    pub fn by(deed: &Deed, back: Option<&Deed>) -> Option<Self> {
        let (Deed::Muster { army, unit, positions, facing, order }, Some(&Deed::Disband(id))) = (deed, back) else {
            return None;
        };
        let Muster { planner, formation, .. } = Muster::new(*army, *unit, positions);
        let (unit, positions) = (unit.0.into(), positions.clone());
        let squad = Squad { unit, positions, facing: *facing, order: *order, planner, formation };
        Some(Self { id, army: *army, squad })
    }
}

/// What the window wants to know.
///
/// See [`Sight`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaze {
    /// What this agent is about: its number in the [frame](throng_sim::world::Frame::id).
    pub agent: Option<u32>,
    /// Which ways are still to be walked.
    pub ways: bool,
    /// Where the flow field of this squad leads.
    pub field: Option<u32>,
    /// The cells of the spatial index between these two corners (m).
    pub cells: Option<[Vec2; 2]>,
    /// The clusters and doors between these two corners (m), over which this squad plans, or the first that does.
    pub clusters: Option<([Vec2; 2], Option<u32>)>,
}

/// What the window is told.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Muster, Settings, World};
/// use throng_viewer::{Gaze, Sight, Simulation};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let order = Order::GoTo(Vec2::splat(20.5));
/// world.muster(Muster { order, ..Muster::new(red, soldier, &[Vec2::splat(4.5), Vec2::splat(5.5)]) })?;
/// world.tick()?;
/// let mut sight = Sight::default();
/// world.look(&Gaze { agent: Some(1), ..Gaze::default() }, &mut sight);
/// let insight = sight.insight.unwrap();
/// assert_eq!((insight.squad, insight.neighbours.len()), (Some((0, order)), 1));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug, Default)]
pub struct Sight {
    /// The agent that is looked at.
    pub insight: Option<Insight>,
    /// The squad of each row of the frame; `u32::MAX` for none. Empty where nothing can be directed.
    pub squad: Vec<u32>,
    /// The ways that are still to be walked.
    pub ways: Vec<Way>,
    /// Arrows of a flow field: from the middle of a cell (m) to the next.
    pub arrows: Vec<[Vec2; 2]>,
    /// The cells of the [spatial index](World::index) that hold bodies, at most [`IndexCell::MOST`].
    pub cells: Vec<IndexCell>,
    /// There are more.
    pub cells_cut: bool,
    /// Clusters and doors; `None` where they were not asked for, or no squad plans over any.
    pub clusters: Option<Hierarchy>,
    /// The walls that can be broken, in the order of the cells.
    pub ramparts: Vec<(Cell, Rampart)>,
    /// What will be done at the start of the next tick to cells that are [opened](World::opening) then.
    pub opening: Vec<Edit>,
    /// How neighbours are found and avoided, where that can be changed.
    pub means: Option<(IndexKind, Avoidance)>,
    /// The planner of each squad.
    pub planners: Vec<PlannerChoice>,
    /// Which kinds can be mustered: the radius of each (m).
    pub radii: Vec<f32>,
}

/// The most ways and arrows that are told.
const MOST: usize = 2000;

impl Deed {
    /// Does it; what undoes it, where that can be undone.
    pub(super) fn perform(&self, world: &mut World) -> Result<Option<Self>, WorldError> {
        match self {
            Self::Order(orders) => {
                let before = orders.iter().filter_map(|&(id, _)| Some((id, world.squads().get(id.0 as usize)?.order)));
                let before = before.collect();
                orders.iter().try_for_each(|&(id, order)| world.order(id, order))?;
                Ok(Some(Self::Order(before)))
            }
            Self::Form(formations) => {
                let kept = |id: SquadId| {
                    let squad = world.squads().get(id.0 as usize)?;
                    Some((id, squad.ranks.as_ref().map(|ranks| ranks.formation())))
                };
                let before = formations.iter().filter_map(|&(id, _)| kept(id)).collect();
                formations.iter().try_for_each(|&(id, formation)| world.form(id, formation))?;
                Ok(Some(Self::Form(before)))
            }
            Self::Edit { edits, ramparts } => {
                // What waits for the next tick is done: it is no part of this, and must not be lost with it.
                world.edit_now()?;
                let (back, before) = as_it_was(world, edits, ramparts);
                world.edit(edits)?;
                if let Err(error) = world.edit_now() {
                    // Cells in which somebody stands would be closed later.
                    world.edit(&back)?;
                    return Err(error);
                }
                let plain: Vec<Cell> =
                    ramparts.iter().filter(|(_, rampart)| rampart.is_none()).map(|&(cell, _)| cell).collect();
                world.dismantle(&plain);
                for &(cell, rampart) in ramparts {
                    let Some(Rampart { health, full, keeper }) = rampart else { continue };
                    if world.grid().is_open(cell) {
                        // It would be a plain wall once he has gone.
                        let back: Vec<Edit> = back.iter().copied().filter(|edit| edit.cell() == cell).collect();
                        world.edit(&back)?;
                    } else {
                        world.fortify(&[cell], full, keeper.map(ArmyId))?;
                        world.wear(cell, health);
                    }
                }
                Ok(Some(Self::Edit { edits: back, ramparts: before }))
            }
            Self::Muster { army, unit, positions, facing, order } => {
                let muster = Muster::new(*army, *unit, positions);
                let squad = world.muster(Muster { facing: *facing, order: *order, ..muster })?;
                Ok(Some(Self::Disband(squad)))
            }
            Self::Disband(squad) => world.disband(*squad).map(|_| None),
            Self::FindBy(kind) => {
                let before = world.settings().index;
                world.find_by(*kind).map(|()| Some(Self::FindBy(before)))
            }
            Self::AvoidBy(kind) => {
                let before = world.settings().avoidance.kind;
                world.avoid_by(*kind);
                Ok(Some(Self::AvoidBy(before)))
            }
            Self::PlanBy(planners) => {
                let before = planners.iter().filter_map(|(id, _)| Some((*id, world.plans_by(*id)?))).collect();
                planners.iter().try_for_each(|(id, planner)| world.plan_by(*id, planner.clone()))?;
                Ok(Some(Self::PlanBy(before)))
            }
        }
    }

    /// Means another squad than before.
    pub(super) fn know_as(&mut self, old: SquadId, new: SquadId) {
        fn rename<T>(squads: &mut [(SquadId, T)], old: SquadId, new: SquadId) {
            squads.iter_mut().filter(|(id, _)| *id == old).for_each(|(id, _)| *id = new);
        }
        match self {
            Self::Order(orders) => rename(orders, old, new),
            Self::Form(formations) => rename(formations, old, new),
            Self::PlanBy(planners) => rename(planners, old, new),
            Self::Disband(id) if *id == old => *id = new,
            Self::Disband(_) | Self::Edit { .. } | Self::Muster { .. } | Self::FindBy(_) | Self::AvoidBy(_) => {}
        }
    }

    /// What was done, in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Order(_) => "order",
            Self::Form(_) => "formation",
            Self::Edit { .. } => "edit",
            Self::Muster { .. } => "squad",
            Self::Disband(_) => "disbanding",
            Self::FindBy(_) => "index",
            Self::AvoidBy(_) => "avoidance",
            Self::PlanBy(_) => "planner",
        }
    }
}

/// What makes the cells of some edits what they are now, and what can be broken of these and of `ramparts`.
fn as_it_was(
    world: &World,
    edits: &[Edit],
    ramparts: &[(Cell, Option<Rampart>)],
) -> (Vec<Edit>, Vec<(Cell, Option<Rampart>)>) {
    let grid = world.grid();
    let edit = |edit: &Edit| match *edit {
        Edit::Open(cell) | Edit::Close(cell) => {
            if grid.lattice().contains(cell) && !grid.is_open(cell) {
                Edit::Close(cell)
            } else {
                Edit::Open(cell)
            }
        }
        Edit::Terrain(cell, _) => Edit::Terrain(cell, grid.terrain(cell)),
        Edit::Height(cell, _) => Edit::Height(cell, grid.height(cell)),
    };
    let closes = |edit: &Edit| match *edit {
        Edit::Open(cell) | Edit::Close(cell) => Some(cell),
        Edit::Terrain(..) | Edit::Height(..) => None,
    };
    let cells: BTreeSet<Cell> = edits.iter().filter_map(closes).chain(ramparts.iter().map(|&(cell, _)| cell)).collect();
    let before = cells.into_iter().map(|cell| (cell, world.ramparts().get(cell).copied()));
    (edits.iter().rev().map(edit).collect(), before.collect())
}

impl Sight {
    /// Looks at a world.
    pub(super) fn look(&mut self, world: &World, gaze: &Gaze) {
        self.insight = gaze.agent.and_then(|slot| world.agent(slot)).and_then(|id| world.insight(id));
        world.squads_of_rows(&mut self.squad);
        self.ways.clear();
        if gaze.ways {
            world.ways(MOST, &mut self.ways);
        }
        self.arrows.clear();
        let field = gaze.field.and_then(|squad| world.squads().get(squad as usize)?.field.as_deref());
        if let Some(field) = field {
            let lattice = field.lattice();
            let stride = (lattice.len() / MOST).isqrt().max(1) as u32;
            for row in (0..lattice.height).step_by(stride as usize) {
                for column in (0..lattice.width).step_by(stride as usize) {
                    let cell = lattice.cell(column, row);
                    if let Some(next) = field.next(cell).filter(|&next| next != cell) {
                        self.arrows.push([lattice.centre(cell), lattice.centre(next)]);
                    }
                }
            }
        }
        self.cells.clear();
        self.cells_cut = gaze.cells.is_some_and(|region| cells::collect(world.index(), region, &mut self.cells));
        let hpa = gaze.clusters.and_then(|(region, squad)| {
            let mut all = (0..world.squads().len() as u32).filter(|&id| squad.is_none_or(|squad| squad == id));
            all.find_map(|id| world.hierarchy(SquadId(id))).map(|hpa| (hpa, region))
        });
        match hpa {
            Some((hpa, region)) => {
                self.clusters.get_or_insert_default().look(hpa, world.grid().lattice(), region);
            }
            None => self.clusters = None,
        }
        self.ramparts.clear();
        self.ramparts.extend(world.ramparts().iter().map(|(cell, &rampart)| (cell, rampart)));
        self.opening.clear();
        self.opening.extend(world.opening());
        self.means = Some((world.settings().index, world.settings().avoidance.kind));
        self.planners.clear();
        let ids = (0..world.squads().len()).map(|squad| SquadId(squad as u32));
        self.planners.extend(ids.filter_map(|id| world.plans_by(id)));
        self.radii.clear();
        self.radii.extend(world.units().iter().map(|unit| unit.radius));
    }
}
