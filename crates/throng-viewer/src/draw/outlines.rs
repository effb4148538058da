//! Outlines of selected squads that are seen from afar, where rings around each soldier would hide the colour of the army.

use crate::battle::marks::{Marker, SELECTION_INK};
use egui::{Color32, Stroke};
use std::collections::{BTreeMap, BTreeSet};
use throng_grid::geom::Vec2;
use throng_sim::world::{Frame, SquadId};

/// Rings of less than this radius (points) would cover their soldiers.
pub(crate) const MIN_RING_RADIUS_PX: f32 = 2.5;
/// The squares that an outline goes around are so wide at least (points).
const MIN_SQUARE_PX: f32 = 7.0;
/// More stretches would not be seen apart.
const MAX_STRETCHES: usize = 6000;

/// The squares of a side (m) in which a squad has a member.
type Squares = BTreeSet<(i32, i32)>;

/// The stretches around some squares, from corner to corner: each side of a square without a neighbour there.
fn around(squares: &Squares) -> impl Iterator<Item = [(i32, i32); 2]> {
    squares.iter().flat_map(|&(x, y)| {
        let sides = [
            ((x, y - 1), [(x, y), (x + 1, y)]),
            ((x, y + 1), [(x, y + 1), (x + 1, y + 1)]),
            ((x - 1, y), [(x, y), (x, y + 1)]),
            ((x + 1, y), [(x + 1, y), (x + 1, y + 1)]),
        ];
        sides.into_iter().filter(|(beside, _)| !squares.contains(beside)).map(|(_, side)| side)
    })
}

impl Marker<'_> {
    /// The outline of each selected squad whose soldiers are too small for rings; `place` is where the agent in a row is drawn (m).
    pub fn outlines(&self, frame: &Frame, selected: &BTreeSet<SquadId>, place: impl Fn(usize) -> Vec2) {
        if selected.is_empty() {
            return;
        }
        // A power of two, so that it does not change with every step of the zoom.
        let side = libm::exp2f(libm::ceilf(libm::log2f(MIN_SQUARE_PX / self.length(1.0).max(1e-6))));
        let mut squads: BTreeMap<SquadId, Squares> = BTreeMap::new();
        let squad_of =
            |(row, squad): (usize, &Option<SquadId>)| Some((row, squad.filter(|squad| selected.contains(squad))?));
        for (row, squad) in frame.squad.iter().enumerate().filter_map(squad_of) {
            let at = place(row);
            if self.length(frame.radius[row]) < MIN_RING_RADIUS_PX && self.camera.sees(at) {
                let square = (at / side).floor();
                squads.entry(squad).or_default().insert((square.x as i32, square.y as i32));
            }
        }
        for [from, to] in squads.values().flat_map(around).take(MAX_STRETCHES) {
            let ends = [from, to].map(|(x, y)| self.at(Vec2::new(x as f32, y as f32) * side));
            self.painter.line_segment(ends, Stroke::new(3.5, Color32::from_black_alpha(140)));
            self.painter.line_segment(ends, Stroke::new(1.6, SELECTION_INK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_goes_around_and_not_through() {
        let block: Squares = (0..3).flat_map(|x| (0..2).map(move |y| (x, y))).collect();
        let sides: Vec<_> = around(&block).collect();
        assert_eq!(sides.len(), 10, "as long as the rim of 3 by 2 squares");
        assert!(!sides.contains(&[(1, 0), (1, 1)]), "no side lies between two squares");
    }
}
