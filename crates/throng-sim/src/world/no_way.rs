//! Why there is no way for an agent: it cannot come to what it seeks, or a gap is too narrow for it.

use super::parts::MapView;
use super::routing::key::key_of_member;
use super::{IdleReason, World};
use crate::battle::command::REVIEW_EVERY;
use crate::battle::{RouteState, Squad};
use crate::crowd::{ARRIVAL_RADIUS, AgentId, RouteFollower};
use std::collections::BTreeMap;
use throng_grid::Cell;
use throng_grid::geom::Vec2;

/// The gaps that stop bodies of a ground on the way from a region to a cell.
pub(super) type Bottlenecks = BTreeMap<(u16, u32, Cell), Option<Cell>>;

impl World {
    /// The reason as it is told: an agent without a route may be too wide for a gap.
    pub(super) fn told(&self, id: AgentId, reason: IdleReason, known: &mut Bottlenecks) -> IdleReason {
        let gap = match reason {
            IdleReason::NoRoute { .. } => self.gap(id, known),
            _ => None,
        };
        gap.unwrap_or(reason)
    }

    fn gap(&self, id: AgentId, known: &mut Bottlenecks) -> Option<IdleReason> {
        let row = self.state.crowd.row(id)?;
        let (ground, to) = self.sought(id)?;
        let body = &self.derived.grounds[usize::from(ground)];
        let from = body.nearest_passable(self.state.crowd.rows.position[row])?;
        let cell = known.entry((ground, body.region(from), to)).or_insert_with(|| body.bottleneck(from, to));
        Some(IdleReason::TooNarrow {
            radius: self.state.crowd.rows.radius[row],
            at: self.grid.lattice().centre((*cell)?),
        })
    }

    /// The cell to which an agent shall come, and the ground on which it goes there.
    fn sought(&self, id: AgentId) -> Option<(u16, Cell)> {
        let cell = |at: Vec2| self.grid.lattice().at(at);
        if let Some(traveller) = self.traveller(id) {
            return Some((traveller.ground, traveller.to.unwrap_or(cell(traveller.goal))));
        }
        let squad = self.state.squad_of(id.slot as usize)?;
        let to = match squad.route_state {
            RouteState::Walked { .. } => {
                let map = MapView::new(&self.settings, &self.grid, &self.derived);
                key_of_member(map, &self.state, id)?.to
            }
            RouteState::Unreachable { to } => to,
            _ => cell(self.nearest_enemy(squad)?),
        };
        Some((squad.ground, to))
    }

    /// The place of the enemy nearest to a squad that seeks its enemies (m).
    fn nearest_enemy(&self, squad: &Squad) -> Option<Vec2> {
        let hostile = self.state.relations.enemies(squad.army);
        let squads = self.state.squads.iter().filter(|other| squad.order.attacks() && other.army.is_in(hostile));
        let rows = squads.flat_map(|other| &other.members).filter_map(|&id| self.state.living_row(id));
        let places = rows.map(|row| self.state.crowd.rows.position[row]);
        places.min_by(|a, b| a.distance_squared(squad.middle).total_cmp(&b.distance_squared(squad.middle)))
    }

    /// True for a squad that has no route since it cannot come to any of its enemies, or to the edge of the map if it is to flee.
    pub(super) fn seeks_in_vain(&self, squad: &Squad, position: Vec2) -> bool {
        let field = || self.derived.escape_fields.get(&squad.ground);
        if squad.order.leaves() {
            return field().is_some_and(|field| field.next(field.lattice().at(position)).is_none());
        }
        self.nearest_enemy(squad).is_some()
    }

    /// It looks for a way when its squad is reviewed.
    pub(super) fn looks_again(&self, squad: u32) -> IdleReason {
        let every = MapView::new(&self.settings, &self.grid, &self.derived).ticks(REVIEW_EVERY);
        let left = every - (self.state.tick + u64::from(squad)) % every;
        IdleReason::NoRoute { again: self.state.tick + left, left, failures: 0 }
    }

    /// True for a member that stands where its squad was sent.
    pub(super) fn has_come(squad: &Squad, follower: &RouteFollower, position: Vec2) -> bool {
        squad.goal.is_some() && !follower.is_sent && position.distance(follower.post) <= ARRIVAL_RADIUS
    }
}
