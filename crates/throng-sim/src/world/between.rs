//! Where agents are between two ticks.

use super::Frame;
use throng_grid::geom::{Vec2, unit};

/// Agents that have come further than this in a tick were put there (m).
const MAX_STRIDE_M: f32 = 6.0;

/// The places and headings of the agents before the newest tick, for a game that draws more often than it ticks: between two ticks each is on
/// the line from the one place to the other.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::Unit;
/// use throng_sim::world::{Between, Frame, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings { step: 0.1, ..Settings::default() })?;
/// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit { speed: 2.0, ..Unit::default() })?);
/// world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[Vec2::new(20.5, 4.5)])?;
/// let (mut between, mut frame) = (Between::default(), Frame::default());
/// let mut drawn = Vec::new();
/// for _ in 0..10 {
///     between.leave(&frame);
///     world.tick()?;
///     world.frame(&mut frame);
///     // Four pictures a tick.
///     for quarter in 1..=4 {
///         drawn.extend(between.places(&frame, quarter as f32 / 4.0).map(|(at, _)| at.x));
///     }
/// }
/// assert!(drawn[8..].windows(2).all(|pair| (pair[1] - pair[0] - 0.05).abs() < 1e-3), "2 m/s, evenly: {drawn:?}");
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Between {
    /// By id: the number of the agent that had it, its place (m) and its heading.
    before: Vec<Option<(u32, Vec2, Vec2)>>,
}

impl Between {
    /// Notes a frame, before that of the next tick takes its place. O(agents).
    pub fn leave(&mut self, frame: &Frame) {
        self.before.clear();
        self.before.resize(frame.id.iter().max().map_or(0, |&id| id as usize + 1), None);
        for (row, &id) in frame.id.iter().enumerate() {
            self.before[id as usize] = Some((frame.person_of(row), frame.position[row], frame.heading[row]));
        }
    }

    /// The place (m) and the heading of each row of the newest frame, a share of a tick after the noted one: 0 = where it was, 1 = where
    /// the frame has it. An agent that has come since, or was put elsewhere, is where the frame has it. O(agents).
    pub fn places<'a>(&'a self, frame: &'a Frame, share: f32) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
        let share = share.clamp(0.0, 1.0);
        frame.id.iter().zip(&frame.position).zip(&frame.heading).enumerate().map(move |(row, ((&id, &to), &looks))| {
            let before = self.before.get(id as usize).copied().flatten();
            let same = |&(person, at, _): &(u32, Vec2, Vec2)| {
                person == frame.person_of(row) && at.distance_squared(to) <= MAX_STRIDE_M * MAX_STRIDE_M
            };
            let Some((_, from, looked)) = before.filter(same) else { return (to, looks) };
            let heading = unit(looked.lerp(looks, share));
            (from.lerp(to, share), if heading == Vec2::ZERO { looks } else { heading })
        })
    }
}
