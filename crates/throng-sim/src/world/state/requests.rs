//! Requests for routes that are not yet due, and what they have in common.

use crate::battle::RetryBackoff;
use crate::crowd::{AgentId, RouteId, Waypoint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::Cell;
use throng_plan::{AnswerKind, Outcome, PlanError, Ticket};

/// The key of a request; equal keys share one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RouteKey {
    pub(crate) planner: u16,
    pub(crate) ground: u16,
    pub(crate) from: Cell,
    /// The cell at which the search ends.
    pub(crate) to: Cell,
    /// The cell at which the route ends: `to`, or a cell in sight of it that is too narrow for the ground.
    pub(crate) goal: Cell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Requester {
    Squad(usize),
    /// A squad that walks, and looks for a way round a jam.
    Detour(usize),
    Agent(AgentId),
    /// An agent on a journey, or one that was sent alone.
    Traveller(AgentId),
    /// An agent that walks, and looks for a way round others at rest.
    WayRound(AgentId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) key: RouteKey,
    pub(crate) requesters: Vec<Requester>,
    /// Revision of the map that is searched.
    pub(crate) revision: u32,
    /// The route that the requesters have walked while a better one, or the rest of it, was searched.
    pub(crate) walked: RouteId,
}

/// A finished search, in the tick in which its route is handed out.
#[derive(Clone, Debug)]
pub(crate) struct ReadyRoute {
    pub(crate) ticket: Ticket,
    pub(crate) kind: AnswerKind,
    pub(crate) result: Result<Outcome, PlanError>,
    pub(crate) turns: Vec<Cell>,
}

/// All requests that are not yet due, in the order of asking, and the routes that later requests may share.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RouteRequests {
    pub(crate) pending: BTreeMap<Ticket, Pending>,
    pub(crate) by_key: BTreeMap<RouteKey, Ticket>,
    pub(crate) walked: BTreeMap<RouteKey, RouteId>,
    /// When each agent that has asked for a route of its own may ask again.
    pub(crate) backoffs: BTreeMap<AgentId, RetryBackoff>,
    /// The same for those that look for a way round others, while these hold them up.
    pub(crate) ways_round: BTreeMap<AgentId, RetryBackoff>,
    /// Number of requests so far, shared ones included.
    pub(crate) asked: u64,
    /// The one search that each requester waits for.
    #[serde(skip)]
    pub(crate) awaited: BTreeMap<Requester, Ticket>,
    /// Searches that may have lost their last requester.
    #[serde(skip)]
    pub(crate) unawaited: Vec<Ticket>,
    #[serde(skip)]
    pub(crate) points: Vec<Waypoint>,
    #[serde(skip)]
    pub(crate) crossings: Vec<u32>,
}

impl RouteRequests {
    /// Number of searches that are not yet due.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Makes what is not stored.
    pub(crate) fn lay(&mut self) {
        for (&ticket, pending) in &self.pending {
            self.awaited.extend(pending.requesters.iter().map(|&requester| (requester, ticket)));
        }
        self.unawaited = self.pending.keys().copied().collect();
    }

    /// A requester waits for a search, and for no other.
    pub(crate) fn wait(&mut self, requester: Requester, ticket: Ticket) {
        if self.awaited.get(&requester) != Some(&ticket) {
            self.withdraw(requester);
            self.awaited.insert(requester, ticket);
            self.pending.entry(ticket).and_modify(|pending| pending.requesters.push(requester));
        }
    }

    /// A requester waits no more. The search ends with the next requests, where no other waits for it.
    pub(crate) fn withdraw(&mut self, requester: Requester) {
        let Some(ticket) = self.awaited.remove(&requester) else { return };
        if let Some(pending) = self.pending.get_mut(&ticket) {
            pending.requesters.retain(|&other| other != requester);
            if pending.requesters.is_empty() {
                self.unawaited.push(ticket);
            }
        }
    }

    /// A search that was taken out has ended: nobody waits for it, or joins it, any more.
    pub(crate) fn forget(&mut self, ticket: Ticket, pending: &Pending) {
        for requester in &pending.requesters {
            self.awaited.remove(requester);
        }
        if self.by_key.get(&pending.key) == Some(&ticket) {
            self.by_key.remove(&pending.key);
        }
    }

    /// An agent waits for no search any more.
    pub(crate) fn withdraw_agent(&mut self, id: AgentId) {
        for one in [Requester::Agent(id), Requester::Traveller(id), Requester::WayRound(id)] {
            self.withdraw(one);
        }
    }

    /// The routes that the requests hold.
    pub(crate) fn routes(&self) -> impl Iterator<Item = RouteId> {
        self.walked.values().copied().chain(self.pending.values().map(|pending| pending.walked))
    }
}
