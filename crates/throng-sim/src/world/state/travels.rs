//! Journeys, and the agents on them.

use crate::battle::JourneyId;
use crate::battle::Leader;
use crate::crowd::AgentId;
use crate::world::journey::{Journey, Task, Then};
use crate::world::settings::WorldError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::Cell;
use throng_grid::geom::Vec2;

/// Not before something happens to it.
pub(crate) const NEVER: u64 = u64::MAX;

/// All journeys, and the agents on them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Travels {
    pub(crate) courses: Vec<Course>,
    /// By slot.
    pub(crate) travellers: BTreeMap<u32, Traveller>,
    /// The journeys of agents that follow a leader at a distance (bits of a number of metres).
    pub(crate) follows: BTreeMap<(Leader, u32), JourneyId>,
    /// Revision of the map that the places were looked at on.
    pub(crate) revision: u32,
    #[serde(skip)]
    pub(crate) due: Vec<u32>,
    /// Numbers of removed journeys, the least last.
    #[serde(skip)]
    pub(crate) vacant: Vec<u32>,
}

/// A journey and what happens at its stops.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Course {
    pub(crate) journey: Journey,
    pub(crate) stops: Vec<StopState>,
    /// The number of the next turn at the start, for a round robin.
    pub(crate) turn: u32,
}

/// The state of a stop.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StopState {
    /// How many are bound for it, or at it.
    pub(crate) targeted: u32,
    /// The line: in the queue, for a free place, until enough have come. The first came first.
    pub(crate) line: Vec<AgentId>,
    /// The agent in each place of the area, or with each number among the followers; `AgentId::NONE` = free.
    pub(crate) taken: Vec<AgentId>,
    /// The number of the next turn after this stop, for a round robin.
    pub(crate) turn: u32,
    /// An agent has left the line or joined it.
    pub(crate) moved: bool,
    /// Places (m); made of the task.
    #[serde(skip)]
    pub(crate) places: Vec<Vec2>,
    /// All places before this one are taken; not stored, since a search from the first finds the same.
    #[serde(skip)]
    pub(crate) full_to: usize,
}

/// An agent on a journey.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Traveller {
    pub(crate) id: AgentId,
    pub(crate) journey: JourneyId,
    pub(crate) stop: u32,
    pub(crate) state: TravelState,
    pub(crate) planner: u16,
    pub(crate) ground: u16,
    /// The point to which it is bound (m).
    pub(crate) goal: Vec2,
    /// The end of the route that it walks, or has asked for.
    pub(crate) to: Option<Cell>,
    /// The goal for which that end was chosen (m).
    pub(crate) sought: Vec2,
    /// The stop where it has a place, and which.
    pub(crate) place: Option<(u32, u32)>,
    /// It is not looked at before this tick.
    pub(crate) look: u64,
}

/// The activity of a traveller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TravelState {
    /// Has not set out.
    New,
    /// Is bound for its stop.
    Bound,
    /// Waits until a tick.
    Waits { until: u64 },
    /// Waits for others.
    Gathers,
    /// The area has no place for it.
    Outside,
    /// Stands in a queue; at its head it is served until a tick.
    Lined { until: Option<u64> },
    /// Follows.
    Follows,
    /// Is on no journey, and walks to a point (m).
    Walks { to: Vec2 },
    /// Has come to the point (m) to which it walked, or as near as it can.
    Came { to: Vec2 },
}

impl Course {
    pub(crate) fn new(journey: Journey) -> Result<Self, WorldError> {
        let stops = vec![StopState::default(); journey.stops.len()];
        let mut course = Self { journey, stops, turn: 0 };
        course.lay()?;
        Ok(course)
    }

    /// Makes the places.
    ///
    /// # Errors
    /// Where what is stored of the stops does not fit the journey.
    pub(crate) fn lay(&mut self) -> Result<(), WorldError> {
        let (id, count) = (self.stops.len(), self.journey.stops.len());
        if id != count {
            return Err(WorldError::NoSuch { what: "stop", id });
        }
        for (stop, state) in self.journey.stops.iter().zip(&mut self.stops) {
            match &stop.task {
                Task::Area { area, spacing } => {
                    state.places = area.lay(*spacing);
                    state.taken.resize(state.places.len(), AgentId::NONE);
                    state.full_to = 0;
                }
                Task::Queue(queue) => state.places = queue.lay(),
                _ => {}
            }
        }
        Ok(())
    }

    /// True where the journey was removed.
    pub(crate) fn is_vacant(&self) -> bool {
        self.stops.is_empty()
    }

    /// The stop after a stop, or the first one; `None` at the end.
    pub(crate) fn choose(&mut self, after: Option<u32>) -> Option<u32> {
        let (then, turn, next) = match after {
            None => (&self.journey.start, &mut self.turn, 0),
            Some(stop) => (&self.journey.stops[stop as usize].then, &mut self.stops[stop as usize].turn, stop + 1),
        };
        match then {
            Then::Next => Some(next).filter(|&next| (next as usize) < self.stops.len()),
            Then::End => None,
            Then::To(stop) => Some(*stop),
            Then::RoundRobin(stops) => {
                let chosen = stops[*turn as usize % stops.len()];
                *turn = (*turn + 1) % stops.len() as u32;
                Some(chosen)
            }
            Then::LeastTargeted(stops) => stops.iter().copied().min_by_key(|&stop| self.stops[stop as usize].targeted),
        }
    }
}

impl StopState {
    /// Takes an agent out of the line.
    pub(crate) fn unline(&mut self, id: AgentId) {
        if let Some(place) = self.line.iter().position(|&other| other == id) {
            self.line.remove(place);
            self.moved = true;
        }
    }

    /// Takes the first number that is free.
    pub(crate) fn number(&mut self, id: AgentId) -> u32 {
        while self.taken.get(self.full_to).is_some_and(|&holder| holder != AgentId::NONE) {
            self.full_to += 1;
        }
        let free = self.full_to;
        self.taken.resize(self.taken.len().max(free + 1), AgentId::NONE);
        self.taken[free] = id;
        free as u32
    }
}

impl Travels {
    /// Makes what is not stored.
    ///
    /// # Errors
    /// Where a journey is none.
    pub(crate) fn lay(&mut self) -> Result<(), WorldError> {
        for course in self.courses.iter_mut().filter(|course| !course.is_vacant()) {
            course.journey.check()?;
            course.lay()?;
        }
        let vacant = (0..).zip(&self.courses).filter(|(_, course)| course.is_vacant());
        self.vacant = vacant.map(|(id, _)| id).collect();
        self.vacant.reverse();
        Ok(())
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let stops = self.courses.iter().flat_map(|course| &course.stops);
        let lists = stops.map(|stop| {
            (stop.line.capacity() + stop.taken.capacity()) * size_of::<AgentId>()
                + stop.places.capacity() * size_of::<Vec2>()
                + size_of::<StopState>()
        });
        lists.sum::<usize>()
            + self.travellers.len() * size_of::<(u32, Traveller)>()
            + self.due.capacity() * size_of::<u32>()
    }

    /// Lets an agent begin a journey.
    pub(crate) fn begin(&mut self, id: AgentId, journey: JourneyId, planner: u16, ground: u16) {
        self.forget(id);
        let traveller = Traveller {
            id,
            journey,
            stop: 0,
            state: TravelState::New,
            planner,
            ground,
            goal: Vec2::ZERO,
            to: None,
            sought: Vec2::ZERO,
            place: None,
            look: 0,
        };
        self.travellers.insert(id.slot, traveller);
    }

    /// Takes an agent off its journey.
    pub(crate) fn forget(&mut self, id: AgentId) {
        let Some(&traveller) = self.travellers.get(&id.slot).filter(|traveller| traveller.id == id) else { return };
        self.leave_stop(&traveller);
        self.give_back(&traveller);
        self.travellers.remove(&id.slot);
    }

    /// The stop of a traveller, and what happens there.
    pub(crate) fn stop_of(&self, traveller: &Traveller) -> (&Task, &StopState) {
        let course = &self.courses[traveller.journey.0 as usize];
        (&course.journey.stops[traveller.stop as usize].task, &course.stops[traveller.stop as usize])
    }

    pub(crate) fn state_of(&mut self, traveller: &Traveller) -> &mut StopState {
        &mut self.courses[traveller.journey.0 as usize].stops[traveller.stop as usize]
    }

    pub(crate) fn leave_stop(&mut self, traveller: &Traveller) {
        if traveller.state == TravelState::New || traveller.sent_to().is_some() {
            return;
        }
        let lined = matches!(traveller.state, TravelState::Lined { .. } | TravelState::Gathers | TravelState::Outside);
        let state = self.state_of(traveller);
        state.targeted -= 1;
        if lined {
            state.unline(traveller.id);
        }
    }

    /// Its place is free for the next.
    pub(crate) fn give_back(&mut self, traveller: &Traveller) {
        let Some((stop, place)) = traveller.place else { return };
        let state = &mut self.courses[traveller.journey.0 as usize].stops[stop as usize];
        state.taken[place as usize] = AgentId::NONE;
        state.full_to = state.full_to.min(place as usize);
        state.moved = true;
    }

    /// One more waits for the others; where there are enough, all of them go on.
    pub(crate) fn gather(&mut self, traveller: &Traveller, count: u32, tick: u64) {
        let state = self.state_of(traveller);
        state.line.push(traveller.id);
        if state.line.len() < count as usize {
            return;
        }
        for id in std::mem::take(&mut state.line) {
            if let Some(one) = self.travellers.get_mut(&id.slot) {
                (one.state, one.look) = (TravelState::Waits { until: tick + 1 }, tick + 1);
            }
        }
    }
}
