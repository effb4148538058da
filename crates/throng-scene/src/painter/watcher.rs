//! A run as it is followed from state to state; each state that shall be painted becomes a moment.

use super::companies::companies;
use super::moment::{Change, Moment};
use super::traces::Traces;
use crate::figures::{Agents, Strides, figures};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer};
use throng_sim::world::Frame;

/// Follows a run: every state is [shown](Self::show), and the last one shown may become a [moment](Self::moment).
///
/// All that it notes follows from states that a recording has, so a replay looks as the run did.
#[derive(Debug)]
pub struct Watcher {
    traces: Traces,
    changes: Vec<Change>,
    /// How long agents have stood on each cell (s), all together.
    trodden: Layer<f32>,
}

impl Watcher {
    /// Follows a run on a map.
    pub fn new(grid: Arc<Grid>) -> Self {
        let trodden = Layer::new(grid.lattice(), 0.0);
        Self { traces: Traces::new(grid), changes: Vec::new(), trodden }
    }

    /// Takes in the next state. O(agents).
    pub fn show(&mut self, frame: &Frame) {
        self.traces.show(frame, &mut self.changes);
        let seconds = self.traces.seconds();
        let lattice = self.trodden.lattice;
        for &place in &frame.position {
            self.trodden[lattice.at(place)] += seconds;
        }
    }

    /// All that has changed for good, in order; a moment says how much of it had happened.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How worn by the agents each cell is after all states so far, 0 to 1. O(cells).
    pub fn worn(&self) -> Option<Layer<f32>> {
        // Nine agents that stand on a square metre for a second each wear two thirds of its grass.
        let per_square = 1.0 / (9.0 * self.trodden.lattice.cell_size.powi(2));
        let mut worn = crate::land::blurred(&self.trodden, 1.2);
        for cell in &mut worn.cells {
            *cell = 1.0 - libm::expf(-*cell * per_square);
        }
        worn.cells.iter().any(|&cell| cell > 0.0).then_some(worn)
    }

    /// The corners of the ground on which nearly all agents were, all of the time (m): 0.3 % of it may be outside on each side.
    /// `None` before there was one. O(cells).
    pub fn extent(&self) -> Option<[Vec2; 2]> {
        let lattice = self.trodden.lattice;
        let (mut columns, mut rows) = (vec![0.0; lattice.width as usize], vec![0.0; lattice.height as usize]);
        for (row, sum) in (0..).zip(&mut rows) {
            for (column, all) in (0..).zip(&mut columns) {
                let seconds = f64::from(self.trodden[lattice.cell(column, row)]);
                *sum += seconds;
                *all += seconds;
            }
        }
        let range = |sums: &[f64]| {
            let rare = sums.iter().sum::<f64>() * 0.003;
            let first = |sums: &mut dyn Iterator<Item = &f64>| {
                let mut before = 0.0;
                sums.take_while(|&&sum| {
                    before += sum;
                    before <= rare
                })
                .count()
            };
            let (low, beyond) = (first(&mut sums.iter()), sums.len() - first(&mut sums.iter().rev()));
            (low < beyond).then_some([low as f32, beyond as f32])
        };
        let ([left, right], [top, bottom]) = (range(&columns)?, range(&rows)?);
        Some([Vec2::new(left, top), Vec2::new(right, bottom)].map(|corner| corner * lattice.cell_size))
    }

    /// What is seen of the state that was shown last. O(agents log agents).
    pub fn moment(&self, frame: &Frame) -> Moment {
        let mut strides = Strides::default();
        strides.step(&self.traces.before(frame));
        let mut moment = Moment { changes: self.changes.len(), shots: frame.shots.clone(), ..Moment::default() };
        figures(&Agents::from(frame), &mut strides, &mut moment.figures);
        moment.figures.sort_unstable_by_key(|figure| u64::from(rank(figure.foot.y)) << 32 | u64::from(figure.id));
        moment.companies = companies(frame, &frame.position);
        self.traces.clouds(frame, &moment.figures, frame.time, &mut moment.clouds);
        moment
    }
}

/// A number that is the greater, the greater another one is, in the order of [`f32::total_cmp`].
fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}
