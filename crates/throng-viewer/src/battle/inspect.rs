//! Questions about a world beside its frames, and their answers.

use super::places::{self, Place};
use crate::draw::cells::{self, IndexCell};
use crate::draw::clusters::Clusters;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Ground};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Formation, Order, Rampart, RouteState, Squad};
use throng_sim::crowd::Avoidance;
use throng_sim::world::{Condition, Insight, RemainingRoute, SquadId, World};
use throng_spatial::IndexChoice;

/// The parts of a world that the window shows beside its frame.
///
/// See [`InspectReply`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InspectRequest {
    /// The agent to describe: its number in the [frame](throng_sim::world::Frame::person).
    pub agent: Option<u32>,
    /// Whether the remaining routes are shown.
    pub routes: bool,
    /// Whether objectives, areas, way-points, queues and exits are shown.
    pub places: bool,
    /// The squad whose flow field is shown.
    pub field: Option<SquadId>,
    /// The region (two corners, m) whose cells of the spatial index are shown.
    pub cells: Option<[Vec2; 2]>,
    /// Whether the condition of each squad is told.
    pub squads: bool,
    /// The region (two corners, m) whose clusters and doors are shown: those of this squad's planner, or of the first that has some.
    pub clusters: Option<([Vec2; 2], Option<SquadId>)>,
}

/// The answer to an [`InspectRequest`].
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Settings, SquadId, SquadSpec, World};
/// use throng_viewer::{InspectRequest, InspectReply, Simulation};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let order = Order::GoTo(Vec2::splat(20.5));
/// world.spawn_squad(SquadSpec { order, ..SquadSpec::new(red, soldier, &[Vec2::splat(4.5), Vec2::splat(5.5)]) })?;
/// world.tick()?;
/// let mut reply = InspectReply::default();
/// world.inspect(&InspectRequest { agent: Some(1), ..InspectRequest::default() }, &mut reply);
/// let insight = reply.insight.take().unwrap();
/// assert_eq!((insight.squad, insight.neighbours.len()), (Some((SquadId(0), order)), 1));
/// // Another that comes into the same slot is not taken for it.
/// world.remove(&[insight.id]);
/// let late = world.spawn_walkers(red, soldier, &[Vec2::splat(9.5)], &[Vec2::splat(9.5)])?;
/// assert_eq!((late[0].slot, world.person(late[0])), (insight.id.slot, 2));
/// world.inspect(&InspectRequest { agent: Some(1), ..InspectRequest::default() }, &mut reply);
/// assert!(reply.insight.is_none());
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug, Default)]
pub struct InspectReply {
    /// The selected agent.
    pub insight: Option<Insight>,
    /// The remaining routes.
    pub routes: Vec<RemainingRoute>,
    /// What the scenario has on the map.
    pub places: Vec<Place>,
    /// The objectives in words, each with its army and how far it has come (0 to 1) where that is known.
    pub objectives: Vec<(u8, String, Option<f32>)>,
    /// Arrows of a flow field: from the middle of a cell (m) to the next.
    pub arrows: Vec<[Vec2; 2]>,
    /// The cells of the [spatial index](World::index) that hold bodies, at most [`IndexCell::MAX_CELLS`].
    pub cells: Vec<IndexCell>,
    /// More cells than these are in the region.
    pub cells_cut: bool,
    /// Clusters and doors; `None` where they were not requested, or no squad plans over any.
    pub clusters: Option<Clusters>,
    /// The breakable walls, in the order of the cells.
    pub ramparts: Vec<(Cell, Rampart)>,
    /// The edits of cells that [open](World::pending_openings) at the start of the next tick.
    pub opening: Vec<Edit>,
    /// The spatial index and the model of avoidance, where they can be changed.
    pub models: Option<(IndexChoice, Avoidance)>,
    /// The planner of each squad.
    pub planners: Vec<PlannerChoice>,
    /// The formation of each squad.
    pub formations: Vec<Option<Formation>>,
    /// The orders that follow the present one, of squads that have some.
    pub queues: BTreeMap<SquadId, Vec<Order>>,
    /// Where the route of each squad that attacks leads to (m).
    pub attacked: BTreeMap<SquadId, Vec2>,
    /// The condition of each squad; empty where it was not requested.
    pub conditions: Vec<Condition>,
    /// The ground of each squad: what its units find on the map, and what that costs them.
    pub grounds: Vec<Arc<Ground>>,
    /// The radius of each kind of soldier that can be added (m).
    pub radii: Vec<f32>,
    /// What a soldier of each kind is worth (points): its cost where the kinds have different ones, else
    /// [what it is worth](throng_sim::battle::Unit::worth) in battle.
    pub points: Vec<f32>,
    /// The name of each army, and its colour where it has one of its own.
    pub armies: Vec<(String, Option<[u8; 3]>)>,
}

/// The greatest number of routes, and of arrows, in a reply.
const MAX_ROUTES: usize = 2000;

impl InspectReply {
    /// Answers a request about a world.
    pub(super) fn inspect(&mut self, world: &World, request: &InspectRequest) {
        self.insight = request.agent.and_then(|person| world.numbered(person)).and_then(|id| world.insight(id));
        self.routes.clear();
        if request.routes {
            world.remaining_routes(MAX_ROUTES, &mut self.routes);
        }
        self.objectives.clear();
        self.objectives.extend(world.missions().iter().map(|mission| places::objective(world, mission)));
        self.places.clear();
        if request.places {
            places::collect(world, &self.objectives, &mut self.places);
        }
        self.arrows.clear();
        let field = request.field.and_then(|squad| world.squads().get(squad.index())?.field.as_deref());
        if let Some(field) = field {
            let lattice = field.lattice();
            let stride = (lattice.len() / MAX_ROUTES).isqrt().max(1) as u32;
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
        self.cells_cut = request.cells.is_some_and(|region| cells::collect(world.index(), region, &mut self.cells));
        let hpa = request.clusters.and_then(|(region, squad)| {
            let all = (0..world.squads().len() as u32).map(SquadId);
            all.filter(|&id| squad.is_none_or(|squad| squad == id))
                .find_map(|id| world.hierarchy(id))
                .map(|hpa| (hpa, region))
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
        self.opening.extend(world.pending_openings());
        self.models = Some((world.settings().index.clone(), world.settings().avoidance.kind));
        self.planners.clear();
        let ids = (0..world.squads().len()).map(|squad| SquadId(squad as u32));
        self.formations.clear();
        let squads = world.squads();
        self.formations.extend(squads.iter().map(|squad| squad.ranks.as_ref().map(|ranks| ranks.formation())));
        let queues = (0..).map(SquadId).zip(squads).filter(|(_, squad)| !squad.queue.is_empty());
        self.queues = queues.map(|(id, squad)| (id, squad.queue.iter().collect())).collect();
        let lattice = world.grid().lattice();
        let attacks = |squad: &Squad| match squad.route_state {
            RouteState::Walked { to } if squad.order.attacks() => Some(lattice.centre(to)),
            _ => None,
        };
        self.attacked = (0..).map(SquadId).zip(squads).filter_map(|(id, squad)| Some((id, attacks(squad)?))).collect();
        self.conditions.clear();
        if request.squads {
            world.conditions(&mut self.conditions);
        }
        self.planners.extend(ids.clone().filter_map(|id| world.planner_of(id)));
        self.grounds.clear();
        self.grounds.extend(ids.filter_map(|id| world.ground_of(id)).map(Arc::clone));
        self.radii.clear();
        self.radii.extend(world.units().iter().map(|unit| unit.radius));
        let has_costs = world.units().windows(2).any(|pair| pair[0].cost != pair[1].cost);
        self.points.clear();
        self.points.extend(world.units().iter().map(|unit| if has_costs { unit.cost } else { unit.worth() }));
        self.armies.clear();
        self.armies.extend(world.armies().iter().map(|army| (army.name.clone(), army.colour)));
    }
}
