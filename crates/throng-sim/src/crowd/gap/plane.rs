//! The half-planes of one agent at a time: for inspection, and as the reference against which the lanes are tested.

use super::half_plane::{BACK, BESIDE, GIVES, PUSHED, RANK};
use super::{Gap, GapRows, PERSON, SAME_WAY};
use crate::crowd::AgentView;
use throng_grid::geom::Vec2;

/// An agent that goes by gaps.
pub(in crate::crowd) struct Companion<'a> {
    gap: &'a GapRows<'a>,
    row: usize,
    /// Where it goes, and where it has turned (unit vectors).
    heading: Vec2,
    turned: Vec2,
    /// The time of the gap to one straight ahead (s).
    time: f32,
    /// Radius over that of a person.
    scale: f32,
}

impl GapRows<'_> {
    /// For how long those that come or cross are kept clear of (s).
    pub(in crate::crowd) fn horizon(&self) -> f32 {
        self.params.horizon
    }

    fn heading_of(&self, row: usize) -> Vec2 {
        self.heading[row].into()
    }

    /// The agent in a row among its neighbours; `None` where it does not go by gaps.
    pub(in crate::crowd) fn companion(&self, view: &AgentView<'_>, row: usize, near: &[u32]) -> Option<Companion<'_>> {
        let Gap { time, mix, .. } = self.params;
        self.rows.has(row).then(|| {
            let (heading, preferred) = (self.heading_of(row), view.preferred_velocity[row]);
            let squared = preferred.length_squared();
            let same = |&&other: &&u32| self.heading_of(other as usize).dot(heading) > SAME_WAY;
            let others = near.len() - near.iter().filter(same).count();
            let share = others as f32 / near.len().max(1) as f32;
            Companion {
                gap: self,
                row,
                heading,
                turned: if squared > 1e-12 { preferred / squared.sqrt() } else { heading },
                time: BESIDE + (time - BESIDE) / (1.0 + mix * share),
                scale: view.radius[row] * (1.0 / PERSON),
            }
        })
    }
}

impl Companion<'_> {
    /// The half-plane of a neighbour that goes the same way: a point of its border, and the direction of that.
    pub(in crate::crowd) fn half_plane(&self, view: &AgentView<'_>, other: usize) -> Option<(Vec2, Vec2)> {
        let Gap { trust, space, claim, .. } = self.gap.params;
        let to = view.position[other] - view.position[self.row];
        let squared = to.length_squared();
        let goes = self.gap.heading_of(other);
        if squared <= 1e-9 || goes.dot(self.heading) <= SAME_WAY {
            return None;
        }
        let distance = squared.sqrt();
        let normal = to / distance;
        let gap = distance - (view.radius[self.row] + view.radius[other]);
        let ahead = normal.dot(self.turned).max(0.0);
        // 1: the other leads, 0: this one does.
        let led = (0.5 + to.dot(self.heading + goes) / (RANK * self.scale)).clamp(0.0, 1.0);
        let own = view.velocity[self.row];
        let theirs = (own - (own - view.velocity[other])).dot(normal);
        let on = theirs.max(0.0);
        let time = BESIDE + (self.time - BESIDE) * (ahead * ahead * ahead) * led;
        let kept = gap - space * self.scale * led * ahead;
        let yields = claim * (1.0 - led - led) * (1.0 - ahead);
        let pushed = (1.0 - gap / (PUSHED * self.scale)).clamp(0.0, 1.0);
        let speed = kept / time + trust * on + yields + GIVES * theirs.min(0.0) * pushed;
        // None runs into another within a tick.
        let most = 0.5 * (gap * (1.0 / view.step) + on) + claim;
        let speed = speed.min(most).max(-BACK);
        Some((normal * speed, Vec2::new(-normal.y, normal.x)))
    }
}
