//! What a battle leaves behind: the fallen, arrows in the ground, the dust of walls that fell, fire and smoke.

use super::clouds::{Cloud, SETTLES, collapse, dust, fire, smoulder};
use super::moment::{Change, Fallen};
use crate::edits::{changed, toggled};
use crate::figures::{Agents, Figure};
use crate::sprite::direction_of;
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::{Vec2, Vec3};
use throng_sim::world::{ArmyId, Flight, Frame, UnitId};

/// Follows a run from state to state and tells what each of them leaves behind.
///
/// All of it follows from states that a recording has, so a replay looks as the run did.
#[derive(Debug)]
pub struct Traces {
    grid: Arc<Grid>,
    before: Columns,
    now: Columns,
    stuck: usize,
    /// Where walls fell (m), and when (s).
    collapses: Vec<(Vec2, f64)>,
}

/// Arrows that stay in the ground at most.
const MAX_STUCK_ARROWS: usize = 50_000;

/// A fallen agent lies within this way of the place where it was seen last (m), ...
const LAST_STEP: f32 = 1.5;

/// ... or as far as one comes at this speed (m/s) since that state.
const FASTEST: f32 = 15.0;

/// What is built burns at this height (m).
const ROOF: f32 = 3.4;

/// What is kept of a state.
#[derive(Clone, Debug, Default)]
struct Columns {
    time: f64,
    id: Vec<u32>,
    position: Vec<Vec2>,
    heading: Vec<Vec2>,
    army: Vec<ArmyId>,
    unit: Vec<UnitId>,
}

impl Columns {
    fn take(&mut self, frame: &Frame) {
        self.time = frame.time;
        self.id.clone_from(&frame.id);
        self.position.clone_from(&frame.position);
        self.heading.clone_from(&frame.heading);
        self.army.clone_from(&frame.army);
        self.unit.clone_from(&frame.unit);
    }

    fn agents<'a>(&'a self, frame: &'a Frame) -> Agents<'a> {
        Agents {
            time: self.time,
            id: &self.id,
            position: &self.position,
            heading: &self.heading,
            army: &self.army,
            unit: &self.unit,
            squad: &[],
            looks: &frame.looks,
            action: &[],
        }
    }
}

impl Traces {
    /// Follows a run on a map.
    pub fn new(grid: Arc<Grid>) -> Self {
        Self { grid, before: Columns::default(), now: Columns::default(), stuck: 0, collapses: Vec::new() }
    }

    /// Takes in the next state, and adds what has changed for good. O(agents), and O(deaths²).
    pub fn show(&mut self, frame: &Frame, changes: &mut Vec<Change>) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.take(frame);
        self.collapses.retain(|&(_, time)| frame.time - time < SETTLES);
        if let Some(grid) = frame.grid.as_ref().filter(|grid| grid.revision() != self.grid.revision()) {
            if grid.lattice() == self.grid.lattice() {
                let opened = toggled(&self.grid, grid).filter(|&cell| grid.is_open(cell));
                self.collapses.extend(opened.map(|cell| (grid.lattice().centre(cell), frame.time)));
                changes.push(Change::Edited { grid: grid.clone(), cells: changed(&self.grid, grid) });
            }
            self.grid = grid.clone();
        }
        if !frame.fallen.is_empty() {
            self.bury(frame, changes);
        }
        for shot in &frame.shots {
            if self.stuck < MAX_STUCK_ARROWS
                && let Some(place) = landing(shot, self.seconds())
            {
                self.stuck += 1;
                changes.push(Change::Stuck { place, velocity: shot.velocity });
            }
        }
    }

    /// The time between the last two states (s).
    pub fn seconds(&self) -> f32 {
        (self.now.time - self.before.time) as f32
    }

    /// The agents of the state before the last one, whose units are those of a frame.
    pub fn before<'a>(&'a self, frame: &'a Frame) -> Agents<'a> {
        self.before.agents(frame)
    }

    /// Adds the clouds over a state, at a time (s) that may be a little before it: dust of figures that run and of walls that
    /// fell, fires, and smoke of walls that are breaking. O(figures).
    pub fn clouds(&self, frame: &Frame, figures: &[Figure], time: f64, out: &mut Vec<Cloud>) {
        dust(figures, out);
        for &(place, since) in self.collapses.iter().filter(|(_, since)| time - since < SETTLES) {
            collapse(place, (time - since).max(0.0), out);
        }
        for &(cell, share) in &frame.ramparts {
            let place = self.grid.lattice().centre(cell);
            smoulder(place, cell.index() as u32, share, time, out);
        }
        for one in &frame.fires {
            let is_open = self.grid.is_open(self.grid.lattice().at(one.position));
            fire(one, if is_open { 0.2 } else { ROOF }, time, out);
        }
    }

    /// Notes which agents fell: those that are gone, each at the nearest place of a death.
    fn bury(&self, frame: &Frame, changes: &mut Vec<Change>) {
        let before = &self.before;
        let reach = LAST_STEP.max(FASTEST * self.seconds());
        let present = Ids::new(&frame.id);
        let mut places: Vec<Option<Vec2>> = frame.fallen.iter().copied().map(Some).collect();
        for row in (0..before.id.len()).filter(|&row| !present.contains(before.id[row])) {
            let last = before.position[row];
            let distance = |place: &Option<Vec2>| place.map_or(f32::INFINITY, |place| place.distance(last));
            let Some(nearest) = places.iter_mut().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
            if let Some(place) = nearest.take_if(|place| place.distance(last) < reach) {
                changes.push(Change::Fallen(Fallen {
                    place,
                    id: before.id[row],
                    look: before.agents(frame).look(row),
                    direction: direction_of(before.heading.get(row).copied().unwrap_or(Vec2::X)),
                    army: before.army[row],
                }));
            }
        }
    }
}

/// Where a shot comes down within some time (m).
fn landing(shot: &Flight, seconds: f32) -> Option<Vec2> {
    let Vec3 { z, .. } = shot.at;
    let falls = -shot.velocity.z;
    let time = z / falls;
    (falls > 0.0 && z >= 0.0 && time < seconds).then(|| (shot.at + shot.velocity * time).truncate())
}

/// A set of ids.
struct Ids(Vec<u64>);

impl Ids {
    fn new(ids: &[u32]) -> Self {
        let most = ids.iter().max().map_or(0, |&most| most as usize / 64 + 1);
        let mut words = vec![0; most];
        for &id in ids {
            words[id as usize / 64] |= 1_u64 << (id % 64);
        }
        Self(words)
    }

    fn contains(&self, id: u32) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    #[test]
    fn each_body_is_of_the_agent_that_fell_there() {
        let frame = |time: f64, agents: &[(u32, f32, u8)], fallen: &[f32]| Frame {
            time,
            id: agents.iter().map(|agent| agent.0).collect(),
            position: agents.iter().map(|agent| Vec2::new(agent.1, 0.0)).collect(),
            army: agents.iter().map(|agent| ArmyId(agent.2)).collect(),
            heading: vec![Vec2::Y; agents.len()],
            unit: vec![UnitId(0); agents.len()],
            fallen: fallen.iter().map(|&x| Vec2::new(x, 0.0)).collect(),
            ..Frame::default()
        };
        let grid = Arc::new(Grid::open_plain(Lattice::new(99, 9, 1.0).unwrap()));
        let (mut traces, mut changes) = (Traces::new(grid), Vec::new());
        traces.show(&frame(1.0, &[(4, 0.0, 0), (2, 9.0, 1), (7, 30.0, 2), (9, 60.0, 3)], &[]), &mut changes);
        assert!(changes.is_empty());
        traces.show(&frame(1.1, &[(7, 30.0, 2)], &[9.4, 0.2, 99.0]), &mut changes);
        // Number 9 has left without a fall.
        let fallen: Vec<_> = changes
            .iter()
            .map(|change| match change {
                Change::Fallen(fallen) => (fallen.id, fallen.army.0, fallen.direction),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(fallen, [(4, 0, 4), (2, 1, 4)]);
        // States that are further apart: it had time to walk.
        traces.show(&frame(2.1, &[], &[36.0]), &mut changes);
        assert_eq!(changes.len(), 3);
    }
}
