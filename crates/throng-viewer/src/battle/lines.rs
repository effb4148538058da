//! The lines of several squads that share one from flank to flank.

use throng_grid::geom::Vec2;
use throng_sim::battle::{Formation, Front};
use throng_sim::world::SquadId;

/// The gap between two squads (m).
const GAP_M: f32 = 2.0;

/// A squad that is to stand on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineSquad {
    pub squad: SquadId,
    /// Its living members.
    pub count: usize,
    /// The radius of each (m).
    pub radius: f32,
    /// The formation that it has.
    pub formation: Option<Formation>,
    /// The mean of their places (m).
    pub centre: Vec2,
}

/// The line of each squad: side by side from the left flank to the right one (m), as they stand now, each as broad as it has
/// members.
pub(super) fn side_by_side(squads: &mut [LineSquad], [left, right]: [Vec2; 2], fights: bool) -> Vec<(SquadId, Front)> {
    let along = (right - left).normalize_or_zero();
    let along = if along == Vec2::ZERO { Vec2::X } else { along };
    squads.sort_by(|a, b| a.centre.dot(along).total_cmp(&b.centre.dot(along)).then(a.squad.cmp(&b.squad)));
    let all: usize = squads.iter().map(|rank| rank.count).sum();
    let gaps = GAP_M * squads.len().saturating_sub(1) as f32;
    let room = (left.distance(right) - gaps).max(0.0);
    let mut at = left;
    let mut place = |rank: &LineSquad| {
        let end = at + along * (room * rank.count as f32 / all.max(1) as f32);
        // A hair of length tells where it looks, however short the line is.
        let front = Front { fights, width: at.distance(end), ..Front::between(at, end + along * 1e-3) };
        at = end + along * GAP_M;
        (rank.squad, front)
    };
    squads.iter().map(&mut place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squads_share_a_line_in_the_order_in_which_they_stand() {
        let rank = |squad, count, x| LineSquad {
            squad: SquadId(squad),
            count,
            radius: 0.3,
            formation: None,
            centre: Vec2::new(x, 50.0),
        };
        let mut squads = [rank(0, 30, 40.0), rank(1, 10, 10.0)];
        let lines = side_by_side(&mut squads, [Vec2::new(20.0, 9.0), Vec2::new(62.0, 9.0)], true);
        let [(first, one), (second, other)] = lines[..] else { unreachable!() };
        assert_eq!((first, second), (SquadId(1), SquadId(0)));
        assert!((one.width - 10.0).abs() < 0.01 && (other.width - 30.0).abs() < 0.01, "{one:?} {other:?}");
        assert!((one.centre.x - 25.0).abs() < 0.01 && (other.centre.x - 47.0).abs() < 0.01, "{one:?} {other:?}");
        assert!((one.facing + 90.0).abs() < 0.1, "up the map: {}", one.facing);
    }
}
