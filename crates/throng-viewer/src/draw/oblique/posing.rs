//! The figures of a battle where they are drawn now, between two ticks.

use super::ObliqueView;
use throng_grid::geom::Vec2;
use throng_scene::figures::{Agents, Figure, Strides, figures};
use throng_scene::sprite::{Pose, direction_of};
use throng_sim::world::{Frame, SquadId, UnitId};

/// Above this number of agents their poses follow the ticks, only their places the frames.
const MAX_SMOOTHLY_POSED_AGENTS: usize = 30_000;
/// Below this zoom (pixels a metre) poses of so many are not told apart.
const MIN_POSE_ZOOM: f32 = 2.0;

/// Figures, row by row of the frame that is shown.
#[derive(Default)]
pub struct Posing {
    pub figures: Vec<Figure>,
    /// Where the agents are drawn (m).
    pub places: Vec<Vec2>,
    /// The tick of the figures.
    posed: Option<u64>,
    strides: Strides,
    /// Units and squads where frames have none.
    units: Vec<UnitId>,
    squads: Vec<Option<SquadId>>,
}

/// True where so many agents are shown that what costs much follows the ticks alone.
pub fn is_many(frame: &Frame) -> bool {
    frame.id.len() > MAX_SMOOTHLY_POSED_AGENTS
}

impl Posing {
    /// Brings the figures to where they are drawn now; true where they show another tick than before. O(agents).
    pub fn pose(&mut self, view: &ObliqueView, zoom: f32) -> bool {
        let ObliqueView { frame, motion, .. } = *view;
        let is_new = self.posed != Some(frame.tick) || self.figures.len() != frame.id.len();
        if !is_new && motion.is_done() && self.is_there(frame) {
            return false;
        }
        self.places.clear();
        self.places.extend((0..frame.id.len()).map(|row| motion.place(frame, row)));
        let many = is_many(frame);
        if many && zoom < MIN_POSE_ZOOM {
            stand(frame, &mut self.figures);
        } else if !many || is_new {
            let time = if many { frame.time } else { view.time() };
            let position = if many { &frame.position } else { &self.places };
            // Frames of others may lack what only soldiers have.
            let count = frame.id.len();
            self.units.clear();
            self.units.resize(count, UnitId(0));
            self.squads.clear();
            self.squads.resize(count, None);
            let unit = if frame.unit.len() == count { &frame.unit } else { &self.units };
            let squad = if frame.squad.len() == count { &frame.squad } else { &self.squads };
            let agents = Agents { time, position, unit, squad, ..Agents::from(frame) };
            figures(&agents, &mut self.strides, &mut self.figures);
        }
        for (figure, &place) in self.figures.iter_mut().zip(&self.places) {
            figure.foot = place;
        }
        self.posed = Some(frame.tick);
        is_new
    }

    /// True where the figures have come to the places of a frame.
    fn is_there(&self, frame: &Frame) -> bool {
        self.places == frame.position
    }
}

/// Figures of all agents that only stand where they look.
fn stand(frame: &Frame, out: &mut Vec<Figure>) {
    out.clear();
    out.extend((0..frame.id.len()).map(|row| Figure {
        foot: frame.position[row],
        id: frame.id[row],
        look: frame.unit.get(row).and_then(|&unit| frame.looks.get(unit.index())).copied().unwrap_or_default(),
        direction: direction_of(frame.heading[row]),
        pose: Pose::STAND,
        army: frame.army[row],
        speed: 0.0,
    }));
}
