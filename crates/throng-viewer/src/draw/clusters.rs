//! The clusters of a hierarchy over the map, and the doors between them.

use super::agents::Sprite;
use crate::shell::camera::Camera;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;
use throng_plan::Hierarchy;

/// Clusters and doors of a planner that plans over them.
///
/// See [`InspectReply::clusters`](crate::InspectReply::clusters).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// Cells along a side of the clusters of each level, the lowest first.
    pub sides: Vec<u32>,
    /// The doors in sight (m), each with the highest level that it is a door of; at most [`Clusters::MAX_DOORS`].
    pub doors: Vec<(Vec2, u32)>,
}

impl Clusters {
    /// The most doors that are told.
    pub const MAX_DOORS: usize = 20_000;

    /// The clusters and doors between two corners (m).
    pub(crate) fn look(&mut self, hpa: &dyn Hierarchy, lattice: Lattice, [low, high]: [Vec2; 2]) {
        self.sides.clear();
        self.sides.extend((0..hpa.levels()).filter_map(|level| hpa.cluster_side(level)));
        self.doors.clear();
        // Doors of a level are doors of those below it as well: the highest first, and each once.
        for level in (0..hpa.levels()).rev() {
            let seen = |at: &Vec2| at.cmpge(low).all() && at.cmple(high).all();
            let higher = self.doors.len();
            let doors = hpa.doors(level).map(|cell| lattice.centre(cell)).filter(seen);
            self.doors.extend(doors.take(Self::MAX_DOORS - higher).map(|at| (at, level as u32)));
        }
        self.doors
            .sort_by(|(a, level), (b, other)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(other.cmp(level)));
        self.doors.dedup_by_key(|(at, _)| at.to_array());
    }
}

/// As in a paint program, for the lowest level and those above.
const LINE_INKS: [[u8; 4]; 3] = [[112, 58, 96, 90], [112, 58, 96, 170], [112, 58, 96, 235]];
const DOOR_INKS: [[u8; 4]; 3] = [[178, 82, 144, 255], [142, 40, 110, 255], [92, 10, 70, 255]];
/// Radius of a door (pixels), and how much larger it is on the next level.
const DOOR_RADIUS_PX: f32 = 2.0;
/// Lines that lie closer than that are left out, and the doors of their level (pixels).
const MIN_LINE_SPACING_PX: f32 = 10.0;

fn of_level<T: Copy>(all: [T; 3], level: usize) -> T {
    all[level.min(2)]
}

/// Adds the lines between the clusters of each level to `lines`, and writes a square for each door.
pub(super) fn sprites(
    hierarchy: &Clusters,
    lattice: Lattice,
    camera: &Camera,
    lines: &mut Vec<Sprite>,
    doors: &mut Vec<Sprite>,
) {
    doors.clear();
    let size = lattice.size();
    let shows = |level: usize| {
        let side = hierarchy.sides.get(level).map_or(0.0, |&side| side as f32 * lattice.cell_size);
        (side * camera.zoom >= MIN_LINE_SPACING_PX).then_some(side)
    };
    for (level, side) in (0..hierarchy.sides.len()).filter_map(|level| Some((level, shows(level)?))) {
        let ink = of_level(LINE_INKS, level);
        // They lie on the cells that neighbours share.
        let at = |number: u32| number as f32 * side + 0.5 * lattice.cell_size;
        let within = |length: f32| move |at: &f32| *at < length;
        for x in (1..).map(at).take_while(within(size.x)) {
            lines.push(Sprite::new(Vec2::new(x, 0.5 * size.y), Vec2::Y, 0.5 * size.y, ink));
        }
        for y in (1..).map(at).take_while(within(size.y)) {
            lines.push(Sprite::new(Vec2::new(0.5 * size.x, y), Vec2::X, 0.5 * size.x, ink));
        }
    }
    let seen = hierarchy.doors.iter().filter(|&&(at, level)| camera.sees(at) && shows(level as usize).is_some());
    doors.extend(seen.map(|&(at, level)| {
        let radius = (DOOR_RADIUS_PX + level as f32) / camera.zoom;
        Sprite::new(at, Vec2::X, radius, of_level(DOOR_INKS, level as usize))
    }));
}

/// The notice if there is nothing to show.
pub(crate) const NO_HIERARCHY_TEXT: &str = "no squad plans by hpa: select one and choose it under \"plans by\"";
pub(crate) const NOT_SELECTED_TEXT: &str = "the selected squad does not plan by hpa: choose it under \"plans by\"";

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Ground};
    use throng_plan::{Hpa, HpaSettings};

    #[test]
    fn every_door_is_told_once_with_its_highest_level() {
        let mut grid = Grid::open_plain(Lattice::new(200, 200, 0.5).unwrap());
        (0..150).for_each(|y| grid.set_open(grid.lattice().cell(90, y), false));
        let ground = Ground::new(grid.into(), 0.2).unwrap();
        let hpa = Hpa::new(&ground, HpaSettings { levels: 2, ..HpaSettings::default() }).unwrap();
        let (lattice, mut hierarchy) = (ground.lattice(), Clusters::default());
        hierarchy.look(&hpa, lattice, [Vec2::ZERO, lattice.size()]);
        assert_eq!(hierarchy.sides.len(), 2);
        assert_eq!(hierarchy.sides[1] % hierarchy.sides[0], 0);
        let mut cells: Vec<_> = hpa.doors(0).chain(hpa.doors(1)).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(hierarchy.doors.len(), cells.len());
        assert!(hpa.doors(1).all(|cell| hierarchy.doors.contains(&(lattice.centre(cell), 1))));
        hierarchy.look(&hpa, lattice, [Vec2::ZERO, Vec2::splat(20.0)]);
        assert!(!hierarchy.doors.is_empty() && hierarchy.doors.iter().all(|(at, _)| at.max_element() <= 20.0));
    }

    #[test]
    fn what_would_lie_too_close_is_left_out() {
        let lattice = Lattice::new(160, 160, 1.0).unwrap();
        let hierarchy = Clusters { sides: vec![16, 64], doors: vec![(Vec2::splat(8.0), 0), (Vec2::splat(64.5), 1)] };
        let drawn = |zoom: f32| {
            let mut camera = Camera::new(lattice.size(), Vec2::splat(100_000.0), 0.0);
            camera.zoom = zoom;
            let (mut lines, mut doors) = (Vec::new(), Vec::new());
            sprites(&hierarchy, lattice, &camera, &mut lines, &mut doors);
            (lines.len(), doors.len())
        };
        assert_eq!(drawn(4.0), (2 * 9 + 2 * 2, 2));
        assert_eq!(drawn(0.4), (2 * 2, 1));
        assert_eq!(drawn(0.1), (0, 0));
    }
}
