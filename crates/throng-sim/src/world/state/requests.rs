//! Requests for routes that are not yet due, and what they have in common.

use crate::battle::RetryBackoff;
use crate::crowd::{AgentId, RouteId, Waypoint};
use crate::world::routing::shared_field::SharedField;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Cell, Ground};
use throng_plan::{AnswerKind, Outcome, PlanError, Planner, Query, Request, Ticket};

/// The key of a request; equal keys share one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RouteKey {
    pub(crate) planner: u16,
    pub(crate) ground: u16,
    /// The cell at which it begins; `None` for all that go there, from wherever each is: they share a field.
    pub(crate) from: Option<Cell>,
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

impl Requester {
    /// The agent that goes by a route of its own.
    pub(crate) fn alone(self) -> Option<AgentId> {
        match self {
            Self::Agent(id) | Self::Traveller(id) => Some(id),
            Self::Squad(_) | Self::Detour(_) | Self::WayRound(_) => None,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) key: RouteKey,
    pub(crate) requesters: Vec<Requester>,
    /// Revision of the map that is searched.
    pub(crate) revision: u32,
    /// The route that the requesters have walked while a better one, or the rest of it, was searched.
    pub(crate) walked: RouteId,
    /// The field that is filled for all requesters, whose key has no start.
    #[serde(skip)]
    pub(crate) field: Option<Arc<SharedField>>,
}

impl Pending {
    /// A search for which nobody waits yet, over a revision of the map.
    pub(crate) fn new(key: RouteKey, revision: u32) -> Self {
        let field = key.from.is_none().then(|| Arc::new(SharedField::default()));
        Self { key, requesters: Vec::new(), revision, walked: RouteId::NONE, field }
    }

    /// The request to a pool: by a planner over the ground of the key, or by the field that all share.
    pub(crate) fn request(&self, planner: &Arc<dyn Planner>, ground: &Arc<Ground>) -> Request {
        let RouteKey { from, to, .. } = self.key;
        let shared = self.field.clone().map(|field| field as Arc<dyn Planner>);
        Request::new(shared.unwrap_or_else(|| planner.clone()), ground.clone(), Query::new(from.unwrap_or(to), to))
    }
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
