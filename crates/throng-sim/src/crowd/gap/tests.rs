//! Sixteen at once turn as one does.

use super::turn::{
    AHEAD, ASIDE_COMING, ASIDE_SLOWER, COMES, CROSSES, CROSSING, MOST_SLOWER, PER_LANE, RIGHT, SEES, turn_at,
};
use super::{Gap, PERSON};
use crate::crowd::AgentView;
use crate::crowd::models::Rows;
use throng_grid::geom::Vec2;
use throng_spatial::simd::Level;

/// The preferred velocity of one agent, turned.
fn turned(params: Gap, view: &AgentView<'_>, aside: &[f32], row: usize) -> Vec2 {
    let (preferred, heading) = (view.preferred_velocity[row], view.heading[row]);
    if preferred.length_squared() <= 1e-12 {
        return preferred;
    }
    let right = Vec2::new(-heading.y, heading.x);
    let wish = preferred.length();
    let speed = view.velocity[row].length();
    let flows = ((speed + speed) / wish - 1.0).clamp(0.0, 1.0);
    let mut aside = aside[row] * (params.ahead * PER_LANE);
    for &other in view.near.of(row) {
        let other = other as usize;
        let way = (view.position[other] - view.position[row]) * (PERSON / view.radius[row]);
        let distance = way.length().max(1e-6);
        let ahead = way.dot(heading) / distance;
        if ahead < AHEAD {
            continue;
        }
        let goes = view.heading[other];
        let (off, along) = (way.dot(right), goes.dot(heading));
        let stands = goes.length_squared() < 0.5;
        let turn = if along < COMES && !stands {
            let side = if off > RIGHT { -params.side } else { params.side };
            side * (1.0 - (off.abs() * (1.0 / ASIDE_COMING)).min(1.0))
        } else if along < CROSSES && !stands {
            if distance < CROSSING { -params.behind * goes.dot(right) } else { 0.0 }
        } else {
            let slower = (wish - view.velocity[other].dot(heading)).clamp(0.0, MOST_SLOWER) * flows;
            let pass = if off > 0.0 { -params.pass } else { params.pass };
            pass * slower * (1.0 - off.abs() * (1.0 / ASIDE_SLOWER)).max(0.0)
        };
        aside += (1.0 - distance * (1.0 / SEES)).max(0.0) * ahead * turn;
    }
    let turned = preferred + right * (wish * aside.clamp(-1.0, 1.0));
    turned * (wish / turned.length().max(1e-6))
}

/// Compares all levels with one agent at a time, of the rows that are awake.
pub(in crate::crowd) fn check_turns(view: &AgentView<'_>, rows: Rows<'_>, awake: usize) {
    let aside: Vec<f32> = (0..view.position.len()).map(|row| (row % 5) as f32 * 0.8 - 1.6).collect();
    let bits = |v: Vec2| [v.x.to_bits(), v.y.to_bits()];
    for level in Level::available() {
        let mut all = vec![Vec2::NAN; awake];
        turn_at(level, Gap::default(), view, &aside, rows, &mut all);
        for (row, &found) in all.iter().enumerate() {
            let expected =
                if rows.has(row) { turned(Gap::default(), view, &aside, row) } else { view.preferred_velocity[row] };
            assert!(bits(found) == bits(expected), "{level:?}, row {row}: {found} instead of {expected}");
        }
    }
}
