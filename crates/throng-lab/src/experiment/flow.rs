//! Flow through doors, and lanes in corridors.

use throng_grid::geom::Vec2;

/// How a crowd got through a door.
///
/// ```
/// let flow = throng_lab::experiment::DoorFlow::of(&[1.0, 2.0, 2.5, 6.0], 2.0);
/// assert_eq!(flow.standstill, 3.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DoorFlow {
    /// Agents per metre of width and second, between the tenth and the ninetieth percentile of the passages.
    pub flow: f64,
    /// The longest time in which no agent got through (s), of the first 95 % of the passages: the last ones have no crowd
    /// behind them.
    pub standstill: f64,
}

impl DoorFlow {
    /// Of the times (s) at which agents went through a door of some width (m).
    pub fn of(times: &[f64], width: f64) -> Self {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        let n = times.len();
        if n < 2 {
            return Self::default();
        }
        let (first, last) = (n / 10, (n * 9 / 10).max(n / 10 + 1).min(n - 1));
        let time = times[last] - times[first];
        let counted = times[..(n * 19).div_ceil(20)].windows(2);
        Self {
            flow: if time > 0.0 { (last - first) as f64 / time / width } else { 0.0 },
            standstill: counted.map(|pair| pair[1] - pair[0]).fold(0.0, f64::max),
        }
    }
}

/// Half the width of the strip in which an agent follows or meets others (m).
const STRIP: f32 = 0.4;

/// Fewer than these in either direction are no crowd.
const CROWD: usize = 10;

/// How well the agents that go either way along x keep apart: mean over the agents of ((s − o) / (s + o))². In a strip
/// 0.8 m wide around an agent, s counts the agents that go its way, itself included, and o those that go the other. 1 =
/// lanes; mixed at random, one over the number in a strip. `None` where one direction has fewer than 10.
///
/// After M. Rex, H. Löwen, "Lane formation in oppositely charged colloids driven by an electric field" (2007).
///
/// ```
/// use throng_lab::experiment::lane_order;
/// use throng_grid::geom::Vec2;
/// let right: Vec<Vec2> = (0..12).map(|x| Vec2::new(x as f32, 1.0)).collect();
/// let left: Vec<Vec2> = (0..12).map(|x| Vec2::new(x as f32, 3.0)).collect();
/// assert_eq!(lane_order(&right, &left), Some(1.0));
/// assert_eq!(lane_order(&right, &right), Some(0.0));
/// assert_eq!(lane_order(&right, &left[..5]), None);
/// ```
pub fn lane_order(right: &[Vec2], left: &[Vec2]) -> Option<f64> {
    if right.len() < CROWD || left.len() < CROWD {
        return None;
    }
    let count = |at: Vec2, others: &[Vec2]| others.iter().filter(|other| (other.y - at.y).abs() < STRIP).count() as f64;
    let order = |at: &Vec2, own: &[Vec2], others: &[Vec2]| {
        let (same, opposite) = (count(*at, own), count(*at, others));
        ((same - opposite) / (same + opposite)).powi(2)
    };
    let sum: f64 = right.iter().map(|at| order(at, right, left)).sum::<f64>()
        + left.iter().map(|at| order(at, left, right)).sum::<f64>();
    Some(sum / (right.len() + left.len()) as f64)
}
