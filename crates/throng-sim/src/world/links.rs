//! Doors, jumps and drops: ways across the map that are no steps.

use super::parts::{Derived, MapView, State};
use super::routing::{ask, fields, revise};
use super::state::links::{TimedLink, WorldLinks};
use super::state::requests::Pending;
use super::{Command, LinkId, Settings, World, WorldError, sleep};
use crate::battle::RetryBackoff;
use crate::crowd::AgentId;
use std::sync::Arc;
use throng_grid::{Cell, Grid, Links, MapLink};

impl World {
    /// Adds links, before the first squad and the first agent that is sent by routes. A planner prices a link at what
    /// its unit walks in the time of the crossing, at its preferred speed over plain ground; so units of other speeds have grounds of
    /// their own.
    ///
    /// An agent whose way leads over a link walks to its start, crosses in a straight line in the time given, whatever is between, and
    /// goes on from its end. While it crosses, no agent is in its way, and it is in no one's. A link lets the next one on once
    /// the one before can have walked its own width, so that they do not come down in a heap. A link that starts or ends in a wall is
    /// closed, until an edit opens it; so it is for a unit that does not fit there.
    ///
    /// # Errors
    /// Where a link starts or ends off the map, leads to where it starts, or takes less than 0.01 or more than 10,000 s; where there are
    /// more than [`Links::MAX`]; where a squad or agent plans already. Then none is added.
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{SquadSpec, Settings, TimedLink, World};
    /// let mut grid = Grid::open_plain(Lattice::new(20, 9, 1.0)?);
    /// (0..9).for_each(|y| grid.set_open(grid.lattice().cell(10, y), false));
    /// let mut world = World::new(grid, Settings::default())?;
    /// let lattice = world.grid().lattice();
    /// world.add_links(&[TimedLink::new(lattice.cell(9, 4), lattice.cell(11, 4), 0.8)])?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(4.5, 4.5)]))?;
    /// world.order(squad, Order::GoTo(Vec2::new(16.5, 4.5)))?;
    /// world.tick_until(|world| world.ticks() == 300)?;
    /// assert!(world.positions().next().is_some_and(|(_, at)| at.distance(Vec2::new(16.5, 4.5)) < 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_links(&mut self, links: &[TimedLink]) -> Result<(), WorldError> {
        self.log(|| Command::AddLinks { links: links.to_vec() });
        if !self.derived.grounds.is_empty() {
            return Err(WorldError::LateLinks);
        }
        if self.state.links.all.len() + links.len() > Links::MAX {
            return Err(WorldError::TooMany { what: "links", limit: Links::MAX });
        }
        let before = self.state.links.all.len();
        for (link, index) in links.iter().zip(before..) {
            self.check_link(index, link)?;
        }
        let WorldLinks { all, ready, .. } = &mut self.state.links;
        all.extend_from_slice(links);
        ready.resize(all.len(), 0);
        self.state.links.sort();
        Ok(())
    }

    pub(super) fn check_link(&self, index: usize, link: &TimedLink) -> Result<(), WorldError> {
        let (least, most) = MapLink::SECONDS;
        if !(least..=most).contains(&link.seconds) {
            let (field, expected) = ("the time of a link", "between 0.01 and 10000 (s)");
            return Err(WorldError::Setting { field, expected, found: link.seconds.into() });
        }
        let lattice = self.grid.lattice();
        if !(lattice.contains(link.from) && lattice.contains(link.to)) || link.from == link.to {
            return Err(WorldError::Link { index });
        }
        Ok(())
    }

    /// The links, in the order in which they were added.
    pub fn links(&self) -> &[TimedLink] {
        &self.state.links.all
    }

    /// The agents that are on a link, by slot.
    pub fn crossing(&self) -> impl Iterator<Item = AgentId> {
        self.state.links.crossing()
    }

    /// Opens or shuts a link, by its place among all. Routes over one that is shut are cut and asked for again; so are those for which
    /// one that is opened may be a short cut. Agents on it get across. Searches under way begin anew. O(squads + routes).
    ///
    /// # Errors
    /// Where there is no such link.
    pub fn set_link_open(&mut self, link: LinkId, is_open: bool) -> Result<(), WorldError> {
        self.log(|| Command::SetLinkOpen { link, is_open });
        set_open(&self.settings, &self.grid, &mut self.derived, &mut self.state, link, is_open)?;
        self.wake_noted();
        Ok(())
    }
}

/// As [`World::set_link_open`]; agents that are to wake are noted.
pub(super) fn set_open(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    state: &mut State,
    link: LinkId,
    is_open: bool,
) -> Result<(), WorldError> {
    let Some(known) = state.links.all.get_mut(link.index()) else {
        return Err(WorldError::NoSuch { what: "link", id: link.index() });
    };
    if known.is_open == is_open {
        return Ok(());
    }
    let grounds = derived.grounds.iter().map(|ground| {
        let mut links = ground.mobility().links.clone();
        links[link.index()].is_open = is_open;
        Ok(Arc::new(ground.relinked(links)?))
    });
    let grounds = grounds.collect::<Result<Vec<_>, WorldError>>()?;
    let mut planners = derived.planners.clone();
    for (_, built) in &mut planners {
        for (&ground, planner) in built {
            if let Some(updated) = planner.updated(&grounds[usize::from(ground)], &[])? {
                *planner = updated;
            }
        }
    }
    known.is_open = is_open;
    let ends = [known.from, known.to];
    (derived.grounds, derived.planners) = (grounds, planners);
    links_changed(settings, grid, derived, state, ends, is_open);
    Ok(())
}

/// Brings up to date what depends on links: searches, fields, routes.
fn links_changed(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    state: &mut State,
    ends: [Cell; 2],
    is_open: bool,
) {
    ask::forget_walked(state);
    let (map, pool, _) = derived.split(settings, grid);
    for ticket in state.requests.pending.keys().copied().collect::<Vec<_>>() {
        let Some(Pending { key, requesters, .. }) = state.requests.pending.get(&ticket).cloned() else { continue };
        ask::drop_search(pool, state, ticket);
        for requester in requesters {
            ask::ask(map, pool, state, key, requester);
        }
    }
    fields::repair(derived, state, &ends, |_| true);
    derived.escape_fields.clear();
    if is_open {
        revise::look_for_short_cuts(grid.lattice(), state, &ends);
        revise::look_for_nearer_goals(MapView::new(settings, grid, derived), state);
    } else {
        revise::cut_routes(MapView::new(settings, grid, derived), state);
    }
    // Travellers look anew how to go on, as after an edit of the map.
    state.travels.revision = u32::MAX;
    state.requests.backoffs.values_mut().for_each(RetryBackoff::hopes);
    sleep::wake_beside(&ends, grid.lattice(), derived.home, state);
}
