//! Those who fell, as figures on the ground.

use std::collections::VecDeque;
use throng_grid::geom::Vec2;
use throng_scene::figures::Figure;
use throng_scene::sprite::{Pose, direction_of};
use throng_sim::world::Frame;

/// How many are kept; the oldest go first.
const MOST: usize = 20_000;
/// How far from the place of a death its agent was last seen (m).
const REACH: f32 = 4.0;

/// The fallen, the oldest first.
#[derive(Default)]
pub struct Bodies {
    figures: VecDeque<Figure>,
    /// How many have fallen since the last [`clear`](Self::clear).
    total: usize,
    /// How often they were cleared.
    cleared: u64,
}

impl Bodies {
    pub fn clear(&mut self) {
        self.figures.clear();
        self.total = 0;
        self.cleared += 1;
    }

    pub fn iter(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter()
    }

    /// How many have fallen, and how often all were cleared.
    pub fn state(&self) -> (usize, u64) {
        (self.total, self.cleared)
    }

    /// Those that came after the first so many.
    pub fn since(&self, total: usize) -> impl Iterator<Item = &Figure> {
        let gone = self.total - self.figures.len();
        self.figures.iter().skip(total.saturating_sub(gone))
    }

    /// Adds the deaths that lie between two frames. Each is of the nearest agent that is there no more. O(agents), and
    /// O(deaths²).
    pub fn add(&mut self, before: &Frame, now: &Frame) {
        if now.fallen.is_empty() {
            return;
        }
        let most = now.id.iter().max().map_or(0, |&id| id as usize + 1);
        let mut lives = vec![false; most];
        now.id.iter().for_each(|&id| lives[id as usize] = true);
        let mut gone: Vec<usize> =
            (0..before.id.len()).filter(|&row| !lives.get(before.id[row] as usize).copied().unwrap_or(false)).collect();
        for &place in &now.fallen {
            let distance = |row: usize| before.position[row].distance_squared(place);
            let nearest = (0..gone.len()).min_by(|&a, &b| distance(gone[a]).total_cmp(&distance(gone[b])));
            let Some(nearest) = nearest.filter(|&nearest| distance(gone[nearest]) < REACH * REACH) else { continue };
            let row = gone.swap_remove(nearest);
            self.total += 1;
            let id = before.id[row];
            let unit = usize::from(before.unit.get(row).copied().unwrap_or(0));
            self.figures.push_back(Figure {
                foot: place,
                id,
                look: before.looks.get(unit).copied().unwrap_or_default(),
                direction: direction_of(before.heading.get(row).copied().unwrap_or(Vec2::X)),
                pose: Pose::fallen(id as usize),
                army: before.army[row],
                speed: 0.0,
            });
        }
        let surplus = self.figures.len().saturating_sub(MOST);
        self.figures.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_body_is_of_the_agent_that_fell_there() {
        let frame = |agents: &[(u32, f32, u8)], fallen: &[f32]| Frame {
            id: agents.iter().map(|agent| agent.0).collect(),
            position: agents.iter().map(|agent| Vec2::new(agent.1, 0.0)).collect(),
            army: agents.iter().map(|agent| agent.2).collect(),
            heading: vec![Vec2::Y; agents.len()],
            unit: vec![0; agents.len()],
            fallen: fallen.iter().map(|&x| Vec2::new(x, 0.0)).collect(),
            ..Frame::default()
        };
        let mut bodies = Bodies::default();
        let before = frame(&[(4, 0.0, 0), (2, 9.0, 1), (7, 30.0, 2), (9, 60.0, 3)], &[]);
        bodies.add(&before, &frame(&[(7, 30.0, 2)], &[9.4, 0.2, 99.0]));
        // Number 9 has left without a fall.
        assert_eq!(bodies.iter().map(|body| (body.id, body.army)).collect::<Vec<_>>(), [(2, 1), (4, 0)]);
        assert_eq!(bodies.iter().next().unwrap().direction, 4);
        assert_eq!((bodies.state(), bodies.since(1).count(), bodies.since(2).count()), ((2, 0), 1, 0));
    }
}
