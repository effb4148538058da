//! Taking agents off the field: one, thousands, whole squads.

use super::parts::{Derived, State};
use super::routing::ask::drop_unawaited;
use super::state::requests::Requester;
use super::{Command, Settings, SquadId, World, WorldError, sleep};
use crate::battle::RouteState;
use crate::crowd::{AgentId, RouteId};

impl World {
    /// Takes agents off the field at once, and says how many of them were there. They have not died: neither the events
    /// nor the armies' losses count them.
    ///
    /// Their ids are never valid again; later agents take their places in the columns. All that they held is released: routes, and
    /// searches that only they waited for. Unknown ids, and agents that are gone or died in the last tick, are passed over.
    /// O(n + removed), and the members of their squads.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let ids = world.spawn_walkers(all, walker, &[Vec2::splat(8.5), Vec2::splat(20.5)], &[])?;
    /// assert_eq!(world.remove(&ids[..1]), 1);
    /// assert_eq!(world.remove(&ids[..1]), 0, "it is gone already");
    /// assert_eq!((world.agents(), world.armies()[0].spawned), (1, 1));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn remove(&mut self, agents: &[AgentId]) -> usize {
        self.log(|| Command::Remove { agents: agents.to_vec() });
        let (mut gone, mut squads) = (Vec::with_capacity(agents.len()), Vec::new());
        for &id in agents {
            if self.state.living_row(id).is_some() {
                gone.push(id);
                squads.push(self.state.crowd.slots.squad[id.slot as usize]);
            }
        }
        gone.sort_unstable();
        gone.dedup();
        for id in &gone {
            let army = &mut self.state.armies[self.state.crowd.army_of(id.slot).index()];
            army.spawned -= 1;
            army.alive -= 1;
            if let Some(squad) = self.state.squads.get_mut(self.state.crowd.slots.squad[id.slot as usize] as usize) {
                squad.tally.spawned -= 1;
            }
        }
        take_away(&gone, &self.settings, &self.derived, &mut self.state);
        self.wake_noted();
        squads.sort_unstable();
        squads.dedup();
        for &s in &squads {
            let s = s as usize;
            let Some(squad) = self.state.squads.get_mut(s) else { continue };
            squad.members.retain(|&id| self.state.crowd.row(id).is_some());
            if squad.members.is_empty() {
                squad.members.shrink_to_fit();
                squad.route_state = RouteState::None;
                squad.field = None;
                self.state.routes.release(std::mem::replace(&mut squad.route, RouteId::NONE));
                self.state.requests.withdraw(Requester::Squad(s));
                self.state.requests.withdraw(Requester::Detour(s));
            }
        }
        drop_unawaited(&mut self.derived.pool, &mut self.state);
        gone.len()
    }

    /// Takes all members of a squad off the field, as [`World::remove`]. The squad stays, without members.
    ///
    /// # Errors
    /// Where there is no such squad.
    pub fn disband(&mut self, squad: SquadId) -> Result<usize, WorldError> {
        self.log(|| Command::Disband { squad });
        let id = squad.index();
        let squad = self.state.squads.get(id).ok_or(WorldError::NoSuch { what: "squad", id })?;
        let members = squad.members.clone();
        Ok(self.unlogged(|world| world.remove(&members)))
    }
}

/// Reads the agents that died or left in the last tick; takes them out of the columns. Local, but for the routes that they held.
pub(super) fn remove_dead(settings: &Settings, derived: &Derived, state: &mut State) {
    let State { dead, left, .. } = state;
    let gone: Vec<AgentId> = dead.drain(..).chain(left.drain(..)).collect();
    if !gone.is_empty() {
        take_away(&gone, settings, derived, state);
    }
}

/// Takes agents out of the columns, with all that they held; agents that slept beside them are noted for waking.
fn take_away(gone: &[AgentId], settings: &Settings, derived: &Derived, state: &mut State) {
    state.release_routes(gone);
    for &id in gone {
        state.travels.forget(id);
        state.driven.remove(&id.slot);
        state.given.forget(id.slot);
        state.links.crossers.remove(&id.slot);
    }
    sleep::wake_around(gone, settings, derived, state);
    state.crowd.remove(gone);
}
