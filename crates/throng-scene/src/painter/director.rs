//! A camera that goes to where the fighting is hottest.

use crate::figures::Figure;
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;

/// Side of the blocks in which fighters are counted (m).
const BLOCK_SIDE_M: f32 = 12.0;

/// Another block must have so many times the fighters of the present one before the camera leaves it.
const HOTTER: f32 = 1.4;

/// The time in which the camera goes most of its way (s).
const EASE: f64 = 2.5;

/// Goes to where the fighting is hottest, and stays while it is hot enough.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_scene::figures::Figure;
/// use throng_scene::painter::Director;
/// use throng_scene::sprite::Pose;
/// use throng_sim::battle::Look;
/// use throng_sim::world::ArmyId;
/// let fighter = |x: f32| Figure {
///     foot: Vec2::new(x, 50.0),
///     id: 0,
///     look: Look::Swordsman,
///     direction: 0,
///     pose: Pose::strike(0),
///     army: ArmyId(0),
///     speed: 0.0,
/// };
/// let mut director = Director::default();
/// let at = director.follow(&[fighter(200.0), fighter(202.0), fighter(20.0)], 0.0).unwrap();
/// assert!((at.x - 201.0).abs() < 1.5);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Director {
    /// Where the camera looks (m), and since when (s).
    at: Option<(Vec2, f64)>,
    /// What it goes to.
    target: Vec2,
}

impl Director {
    /// Where the camera looks at a time (s), which is not before that of the last call. `None` before there was an agent.
    /// O(figures log figures).
    pub fn follow(&mut self, figures: &[Figure], time: f64) -> Option<Vec2> {
        if !self.aim(figures) && self.at.is_none() {
            return None;
        }
        Some(self.go(time))
    }

    /// One whose camera looks at a place (m) at first.
    pub fn starting(at: Vec2) -> Self {
        Self { at: Some((at, 0.0)), target: at }
    }

    /// Chooses where the camera goes; false where there is no agent. O(figures log figures).
    pub fn aim(&mut self, figures: &[Figure]) -> bool {
        let target = self.target(figures);
        self.target = target.unwrap_or(self.target);
        target.is_some()
    }

    /// Where the camera looks at a time (s) on its way, which is not before that of the last call.
    pub fn go(&mut self, time: f64) -> Vec2 {
        let at = match self.at {
            None => self.target,
            Some((at, before)) => {
                let share = 1.0 - libm::exp(-(time - before).max(0.0) / EASE);
                at + (self.target - at) * share as f32
            }
        };
        self.at = Some((at, time));
        at
    }

    /// How far the camera has still to go (m).
    pub fn left(&self) -> f32 {
        self.at.map_or(0.0, |(at, _)| at.distance(self.target))
    }

    /// The middle of the hottest fighting; without any, the middle of all.
    fn target(&self, figures: &[Figure]) -> Option<Vec2> {
        let mut blocks: BTreeMap<(i32, i32), f32> = BTreeMap::new();
        let block = |place: Vec2| ((place.x / BLOCK_SIDE_M).floor() as i32, (place.y / BLOCK_SIDE_M).floor() as i32);
        let fighters = || figures.iter().filter(|figure| figure.pose.is_strike());
        for fighter in fighters() {
            *blocks.entry(block(fighter.foot)).or_default() += 1.0;
        }
        let heat = |(x, y): (i32, i32)| -> f32 {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            let one = |(dx, dy): (i32, i32)| {
                let weight = if dx == 0 && dy == 0 { 2.0 } else { 1.0 };
                blocks.get(&(x + dx, y + dy)).map_or(0.0, |count| count * weight)
            };
            around.map(one).sum()
        };
        let hottest =
            blocks.keys().map(|&key| (heat(key), key)).reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((most, hottest)) = hottest else {
            let count = figures.len() as f32;
            return (count > 0.0).then(|| figures.iter().map(|figure| figure.foot).sum::<Vec2>() / count);
        };
        let present = block(self.target);
        let chosen = if self.at.is_some() && heat(present) * HOTTER >= most { present } else { hottest };
        // The mean of the fighters around, so that it moves with them.
        let near = |figure: &&Figure| {
            let (x, y) = block(figure.foot);
            (x - chosen.0).abs() <= 1 && (y - chosen.1).abs() <= 1
        };
        let (sum, count) =
            fighters().filter(near).fold((Vec2::ZERO, 0.0), |(sum, count), figure| (sum + figure.foot, count + 1.0));
        (count > 0.0).then(|| sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprite::Pose;
    use throng_sim::battle::Look;
    use throng_sim::world::ArmyId;

    fn crowd(x: f32, fighters: usize) -> impl Iterator<Item = Figure> {
        (0..fighters).map(move |i| Figure {
            foot: Vec2::new(x + (i % 5) as f32, 40.0 + (i / 5) as f32),
            id: i as u32,
            look: Look::Swordsman,
            direction: 0,
            pose: Pose::strike(i),
            army: ArmyId(0),
            speed: 0.0,
        })
    }

    #[test]
    fn it_stays_while_the_fighting_is_hot_and_leaves_slowly() {
        let mut director = Director::default();
        assert_eq!(director.follow(&[], 0.0), None);
        let both = |here: usize, there: usize| crowd(30.0, here).chain(crowd(150.0, there)).collect::<Vec<_>>();
        let first = director.follow(&both(20, 10), 0.0).unwrap();
        assert!((first.x - 32.0).abs() < 2.0);
        let stays = director.follow(&both(20, 22), 1.0).unwrap();
        assert!((stays.x - 32.0).abs() < 2.0);
        let mut before = stays.x;
        for step in 2..30 {
            let at = director.follow(&both(5, 40), f64::from(step) * 0.5).unwrap();
            assert!(at.x >= before && at.x - before < 40.0, "{before} {}", at.x);
            before = at.x;
        }
        assert!((before - 152.0).abs() < 6.0, "{before}");
        // No agent strikes any more: it looks at the middle of all.
        let standing: Vec<_> = both(4, 4).into_iter().map(|figure| Figure { pose: Pose::STAND, ..figure }).collect();
        let middle = director.follow(&standing, 100.0).unwrap();
        assert!((middle.x - 91.0).abs() < 4.0, "{middle}");
    }
}
