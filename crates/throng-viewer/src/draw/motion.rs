//! The positions of agents between two ticks.

use super::agents::Sprite;
use super::palette;
use crate::Theme;
use crate::shell::camera::Camera;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// Agents that move further than this between two frames have been put there, and are not slid along (m).
const MAX_SLIDE_M: f32 = 6.0;
/// The longest time that a move is drawn out to (s).
const MAX_SLIDE_TIME_S: f32 = 0.25;

/// Bars of health are drawn over bodies of at least this radius (pixels).
const MIN_BAR_RADIUS_PX: f32 = 4.0;
/// Their colours down to half of the health, and below.
const HEALTHY_INK: [u8; 4] = [64, 200, 110, 255];
const WOUNDED_INK: [u8; 4] = [244, 200, 40, 255];

/// Slides agents from where they were last drawn to where the newest frame has them.
#[derive(Default)]
pub(crate) struct Motion {
    /// By agent: the frame it was last seen in, and where it was drawn then.
    drawn: Vec<(u64, Vec2)>,
    /// By row of the newest frame: where the agent starts.
    from: Vec<Vec2>,
    /// Frames seen so far.
    seen: u64,
    /// Time since the newest frame came (s).
    age: f32,
    /// Time until its agents are where it has them (s).
    span: f32,
}

impl Motion {
    /// To be called before a new frame replaces `old`: remembers where its agents are drawn now.
    pub fn leave(&mut self, old: &Frame) {
        self.seen += 1;
        let agents = old.id.iter().max().map_or(0, |&id| id as usize + 1);
        if self.drawn.len() < agents {
            self.drawn.resize(agents, (0, Vec2::ZERO));
        }
        for row in 0..old.id.len() {
            self.drawn[old.id[row] as usize] = (self.seen, self.place(old, row));
        }
    }

    /// To be called with the frame that has come; `tick` is the time between two ticks on the screen (s).
    pub fn enter(&mut self, new: &Frame, tick: f32) {
        self.from.clear();
        self.from.extend(new.id.iter().zip(&new.position).map(|(&id, &position)| {
            let drawn = self.drawn.get(id as usize).filter(|&&(seen, place)| {
                seen == self.seen && place.distance_squared(position) < MAX_SLIDE_M * MAX_SLIDE_M
            });
            drawn.map_or(position, |&(_, place)| place)
        }));
        // If frames come more slowly than they should, moves take as long as the last frame took to come.
        self.span = self.age.clamp(tick, tick.max(MAX_SLIDE_TIME_S));
        self.age = 0.0;
    }

    /// Lets time pass (s).
    pub fn advance(&mut self, seconds: f32) {
        self.age += seconds;
    }

    /// True if all agents are at their positions of the newest frame.
    pub fn is_done(&self) -> bool {
        self.age >= self.span
    }

    /// The share of the way from the last picture of the frame before to this frame that is still to go.
    pub fn left(&self) -> f32 {
        if self.span > 0.0 { 1.0 - (self.age / self.span).min(1.0) } else { 0.0 }
    }

    /// The place at which the agent in `row` is drawn (m).
    pub fn place(&self, frame: &Frame, row: usize) -> Vec2 {
        let to = frame.position[row];
        self.from.get(row).map_or(to, |from| from.lerp(to, 1.0 - self.left()))
    }

    /// Adds a bar for each wounded agent that `camera` sees, where it is near enough; `lift` tells where it is seen.
    pub fn bars(&self, frame: &Frame, camera: &Camera, lift: impl Fn(usize, Vec2) -> Vec2, out: &mut Vec<Sprite>) {
        let near = |radius: f32| radius * camera.zoom >= MIN_BAR_RADIUS_PX;
        let wounded = (0..frame.id.len()).filter(|&row| frame.health[row] < 1.0 && near(frame.radius[row]));
        out.extend(wounded.map(|row| (row, self.place(frame, row))).filter(|&(_, place)| camera.sees(place)).map(
            |(row, place)| {
                let health = frame.health[row].clamp(0.0, 1.0);
                let ink = if health > 0.5 { HEALTHY_INK } else { WOUNDED_INK };
                Sprite::bar(lift(row, place), frame.radius[row], health, ink)
            },
        ));
    }

    /// Writes a sprite for each agent that `camera` sees; the weaker the health, the darker.
    pub fn sprites(&self, frame: &Frame, camera: &Camera, out: &mut Vec<Sprite>) {
        out.clear();
        out.extend((0..frame.id.len()).filter_map(|row| {
            let place = self.place(frame, row);
            if !camera.sees(place) {
                return None;
            }
            let shade = 0.42 + 0.58 * frame.health[row].clamp(0.0, 1.0);
            let [red, green, blue] = palette::army_of(frame, Theme::Plan, frame.army[row].index())
                .map(|channel| (f32::from(channel) * shade) as u8);
            Some(Sprite::new(place, frame.heading[row], frame.radius[row], [red, green, blue, 255]))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyId;

    fn frame(agents: &[(u32, f32)]) -> Frame {
        let position: Vec<Vec2> = agents.iter().map(|&(_, x)| Vec2::new(x, 0.0)).collect();
        Frame {
            id: agents.iter().map(|&(id, _)| id).collect(),
            heading: vec![Vec2::X; position.len()],
            radius: vec![0.3; position.len()],
            army: vec![ArmyId(0); position.len()],
            health: vec![1.0; position.len()],
            position,
            ..Frame::default()
        }
    }

    #[test]
    fn agents_slide_by_identity_whatever_their_row() {
        let mut motion = Motion::default();
        let (first, second) = (frame(&[(7, 0.0), (2, 10.0)]), frame(&[(2, 11.0), (7, 1.0), (9, 5.0)]));
        motion.enter(&first, 0.1);
        motion.advance(0.1);
        motion.leave(&first);
        motion.enter(&second, 0.1);
        motion.advance(0.05);
        let at = |motion: &Motion, row| motion.place(&second, row).x;
        assert!((at(&motion, 0) - 10.5).abs() < 1e-4 && (at(&motion, 1) - 0.5).abs() < 1e-4);
        assert_eq!(at(&motion, 2).to_bits(), 5.0_f32.to_bits());
        motion.advance(9.0);
        assert!((at(&motion, 1) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn whoever_is_put_somewhere_else_does_not_slide() {
        let mut motion = Motion::default();
        let (first, second) = (frame(&[(0, 0.0)]), frame(&[(0, 100.0)]));
        motion.enter(&first, 0.1);
        motion.leave(&first);
        motion.enter(&second, 0.1);
        assert!((motion.place(&second, 0).x - 100.0).abs() < 1e-6);
    }
}
