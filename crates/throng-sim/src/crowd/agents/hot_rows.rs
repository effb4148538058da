//! The hot columns of some rows, apart from those of the others.

use super::Crowd;
use std::mem::swap;
use throng_grid::geom::Vec2;

/// The hot columns of some rows of a crowd: those awake first, each in the order that they have in the crowd.
#[derive(Clone, Debug, Default)]
pub(crate) struct HotRows {
    position: Vec<Vec2>,
    velocity: Vec<Vec2>,
    preferred_velocity: Vec<Vec2>,
    new_velocity: Vec<Vec2>,
    radius: Vec<f32>,
    top_speed: Vec<f32>,
    weight: Vec<f32>,
    progress: Vec<f32>,
    army: Vec<u8>,
    slot: Vec<u32>,
    awake: usize,
}

impl HotRows {
    /// Takes copies of `rows`, the first `awake` of them awake.
    pub fn copy(&mut self, crowd: &Crowd, rows: &[u32], awake: usize) {
        fn copy<T: Copy>(to: &mut Vec<T>, from: &[T], rows: &[u32]) {
            to.clear();
            to.extend(rows.iter().map(|&row| from[row as usize]));
        }
        copy(&mut self.position, &crowd.position, rows);
        copy(&mut self.velocity, &crowd.velocity, rows);
        copy(&mut self.preferred_velocity, &crowd.preferred_velocity, rows);
        copy(&mut self.new_velocity, &crowd.new_velocity, rows);
        copy(&mut self.radius, &crowd.radius, rows);
        copy(&mut self.top_speed, &crowd.top_speed, rows);
        copy(&mut self.weight, &crowd.weight, rows);
        copy(&mut self.progress, &crowd.progress, rows);
        copy(&mut self.army, &crowd.army, rows);
        copy(&mut self.slot, &crowd.slot, rows);
        self.awake = awake;
    }

    /// Exchanges its rows for those of the crowd: agents that have no row then are not in the crowd.
    pub fn exchange(&mut self, crowd: &mut Crowd) {
        for &slot in &crowd.slot {
            crowd.row_of[slot as usize] = u32::MAX;
        }
        swap(&mut self.position, &mut crowd.position);
        swap(&mut self.velocity, &mut crowd.velocity);
        swap(&mut self.preferred_velocity, &mut crowd.preferred_velocity);
        swap(&mut self.new_velocity, &mut crowd.new_velocity);
        swap(&mut self.radius, &mut crowd.radius);
        swap(&mut self.top_speed, &mut crowd.top_speed);
        swap(&mut self.weight, &mut crowd.weight);
        swap(&mut self.progress, &mut crowd.progress);
        swap(&mut self.army, &mut crowd.army);
        swap(&mut self.slot, &mut crowd.slot);
        swap(&mut self.awake, &mut crowd.awake);
        for (row, &slot) in (0..).zip(&crowd.slot) {
            crowd.row_of[slot as usize] = row;
        }
    }
}
