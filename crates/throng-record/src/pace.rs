//! The speeds of agents from one frame to the next.

use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The speeds of agents by the straight way from one frame to the next.
///
/// See [`AreaMeter`](crate::AreaMeter) for an example.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// Places in the frame before (m) by agent, NaN where there was none.
    before: Vec<Vec2>,
    /// Those of this frame.
    places: Vec<Vec2>,
    /// Time of the frame before (s).
    time: f64,
    /// By row of this frame (m/s), NaN for agents that were not in the one before.
    speeds: Vec<f64>,
}

impl Pace {
    /// The speed (m/s) of each row of a frame since the frame before; NaN for agents that were not in that. O(agents).
    pub fn step(&mut self, frame: &Frame) -> &[f64] {
        let Self { before, places, time, speeds } = self;
        let seconds = frame.time - *time;
        places.clear();
        speeds.clear();
        for (&id, &place) in frame.id.iter().zip(&frame.position) {
            let id = id as usize;
            if id >= places.len() {
                places.resize(id + 1, Vec2::NAN);
            }
            places[id] = place;
            let old = before.get(id).map_or(Vec2::NAN, |&old| old).as_dvec2();
            let way = (place.as_dvec2() - old).length();
            speeds.push(if seconds > 0.0 { way / seconds } else { f64::NAN });
        }
        std::mem::swap(before, places);
        *time = frame.time;
        speeds
    }

    /// True where each agent of a frame is where it was in the last one. O(agents).
    pub fn holds(&self, frame: &Frame) -> bool {
        let is_there = |(&id, place): (&u32, &Vec2)| self.before.get(id as usize) == Some(place);
        self.speeds.len() == frame.id.len() && frame.id.iter().zip(&frame.position).all(is_there)
    }

    /// The speeds of the last frame.
    pub fn speeds(&self) -> &[f64] {
        &self.speeds
    }
}

/// The mean of those numbers that are some; `None` where there is none.
pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u64);
    for number in numbers.filter(|number| !number.is_nan()) {
        sum += number;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}
