//! The speeds of agents from one frame to the next.

use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The speeds of agents by the straight way from one frame to the next.
///
/// See [`AreaMeter`](crate::AreaMeter) for an example.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pace {
    /// The numbers of the agents in the frame before and their places (m), by id; NaN where there was none.
    before: Vec<(u32, Vec2)>,
    /// Those of this frame: scratch.
    #[serde(skip)]
    places: Vec<(u32, Vec2)>,
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
        for (row, (&id, &place)) in frame.id.iter().zip(&frame.position).enumerate() {
            let (id, person) = (id as usize, frame.person_of(row));
            if id >= places.len() {
                places.resize(id + 1, (0, Vec2::NAN));
            }
            places[id] = (person, place);
            // Who has its id now may be another than before.
            let old = before.get(id).filter(|old| old.0 == person).map_or(Vec2::NAN, |old| old.1).as_dvec2();
            let way = (place.as_dvec2() - old).length();
            speeds.push(if seconds > 0.0 { way / seconds } else { f64::NAN });
        }
        std::mem::swap(before, places);
        *time = frame.time;
        speeds
    }

    /// True where each agent of a frame is where it was in the last one. O(agents).
    pub fn holds(&self, frame: &Frame) -> bool {
        let is_there =
            |row: usize| self.before.get(frame.id[row] as usize) == Some(&(frame.person_of(row), frame.position[row]));
        self.speeds.len() == frame.id.len() && (0..frame.id.len()).all(is_there)
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
