//! The effect of slopes on walkers.

use super::{Grid, Lattice};
use crate::geom::Vec2;

/// Slopes that are steeper count as this steep: half a circle's eighth, where the rule of [`pace`] ends at a thirtieth of
/// the speed on the level.
pub const STEEPEST: f32 = 1.0;

/// Speed on a slope, as a share of that on the level. The slope is the rise over the way, positive uphill.
///
/// W. Tobler: Three presentations on geographical analysis and modeling, NCGIA technical report 93-1, 1993: one walks
/// at 6 exp(-3.5 |s + 0.05|) km/h. Here that is divided by its value on the level, and slopes beyond [`STEEPEST`] count as
/// that. The speed is greatest gently downhill, 1.19 times that on the level; uphill 10 % cost three tenths of it.
///
/// ```
/// use throng_grid::pace;
/// assert_eq!(pace(0.0), 1.0);
/// assert!(pace(0.1) < 0.71 && pace(-0.05) > 1.19);
/// assert_eq!(pace(-0.1), 1.0, "steeper downhill one slows down again");
/// ```
pub fn pace(slope: f32) -> f32 {
    let slope = slope.clamp(-STEEPEST, STEEPEST);
    libm::expf(-3.5 * ((slope + BEST).abs() - BEST))
}

/// The slope downhill with the greatest speed.
const BEST: f32 = 0.05;

/// 1 as a share of a cost.
pub(super) const WHOLE: u32 = 1 << 16;

/// How much longer a step takes by the difference of height of its cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slopes {
    /// Of straight and of diagonal steps, in 65536ths of the cost on the level, by the rise from `-most` to `most`.
    shares: [Box<[u32]>; 2],
    /// The greatest rise that is told apart (cm).
    most: i32,
    /// No step and no line costs less than this share.
    pub(super) least: u32,
    /// No step costs more than this share.
    pub(super) greatest: u32,
}

impl Slopes {
    /// `None` where all is level. O(cells) where there are heights.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        let rise = greatest_rise(grid)?;
        let side = 100.0 * grid.lattice().cell_size;
        // All slopes steeper than the steepest count as that one.
        let most = rise.min((side * STEEPEST * std::f32::consts::SQRT_2).ceil().min(65_535.0) as i32);
        let table = |length: f32| (-most..=most).map(|rise| share(rise as f32 / length)).collect::<Box<[u32]>>();
        let shares = [table(side), table(side * std::f32::consts::SQRT_2)];
        // A straight line crosses a cell on less than its side, and rises as much.
        let steepest = rise as f32 / side * std::f32::consts::SQRT_2;
        let least = share(-steepest.min(BEST)) - 2;
        let greatest = shares.iter().flat_map(|shares| shares.iter()).copied().max().unwrap_or(WHOLE);
        Some(Self { shares, most, least, greatest })
    }

    /// The share for a rise (cm).
    #[inline]
    pub(super) fn share(&self, rise: i32, is_diagonal: bool) -> u32 {
        let place = rise.clamp(-self.most, self.most) + self.most;
        self.shares[usize::from(is_diagonal)][place as usize]
    }
}

/// The time that a slope takes, in 65536ths of that on the level, rounded up.
pub(super) fn share(slope: f32) -> u32 {
    (f64::from(WHOLE) / f64::from(pace(slope))).ceil() as u32
}

/// The greatest difference of height between neighbours (cm), walls included; `None` where there is none.
fn greatest_rise(grid: &Grid) -> Option<i32> {
    let heights = grid.height_layer()?;
    let Lattice { width, height, .. } = grid.lattice();
    let row = |y: u32| &heights.cells[grid.lattice().cell(0, y).index()..][..width as usize];
    let mut most = 0;
    for y in 0..height {
        let here = row(y);
        let beside = here.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap_or(0);
        most = most.max(beside);
        if y + 1 < height {
            let below = row(y + 1);
            let steep = |a: &[u16], b: &[u16]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            most = most.max(steep(here, below)).max(steep(&here[1..], below)).max(steep(here, &below[1..]));
        }
    }
    (most > 0).then_some(most.into())
}

impl Grid {
    /// The slope (rise over way) at a point (m) for an agent that walks along a unit vector: of the lines between the
    /// centres of the four cells around. Lines to closed cells are left out, so that no agent climbs a wall it walks
    /// along.
    #[inline]
    pub fn slope(&self, at: Vec2, along: Vec2) -> f32 {
        let Some(heights) = self.height_layer() else { return 0.0 };
        let lattice = self.lattice();
        let place = at / lattice.cell_size - 0.5;
        let corner = place.floor();
        let share = place - corner;
        let (x, y) = (corner.x as i64, corner.y as i64);
        let height = |dx: i64, dy: i64| {
            let cell = lattice.checked_cell(x + dx, y + dy).filter(|&cell| self.is_open(cell));
            cell.map(|cell| f32::from(heights[cell]))
        };
        let [nw, ne, sw, se] = [height(0, 0), height(1, 0), height(0, 1), height(1, 1)];
        let across = mean_rise([(nw, ne), (sw, se)], share.y);
        let down = mean_rise([(nw, sw), (ne, se)], share.x);
        (across * along.x + down * along.y) / (100.0 * lattice.cell_size)
    }
}

/// The mean rise along two lines, `share` for the second; of one where the other ends in a wall.
#[inline]
fn mean_rise(lines: [(Option<f32>, Option<f32>); 2], share: f32) -> f32 {
    match lines.map(|(from, to)| Some(to? - from?)) {
        [Some(first), Some(second)] => first * (1.0 - share) + second * share,
        [Some(rise), None] | [None, Some(rise)] => rise,
        [None, None] => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rises to the right by so many centimetres a cell of 2 m.
    fn ramp(rise: u16) -> Grid {
        let mut grid = Grid::open_plain(Lattice::new(12, 6, 2.0).unwrap());
        for cell in grid.lattice().cells() {
            let (x, _) = grid.lattice().column_row(cell);
            grid.set_height(cell, x as u16 * rise);
        }
        grid
    }

    #[test]
    fn tobler_1993() {
        for (slope, speed) in [(0.0, 1.0), (0.1, 0.704_688), (-0.05, 1.191_246), (-0.1, 1.0), (1.0, 0.030_197)] {
            assert!((pace(slope) - speed).abs() < 1e-5, "{slope}: {}", pace(slope));
        }
        assert_eq!((pace(7.0), pace(f32::NEG_INFINITY)), (pace(1.0), pace(-1.0)));
    }

    #[test]
    fn a_step_takes_as_much_longer_as_its_slope_slows() {
        let grid = ramp(30);
        let slopes = Slopes::new(&grid).unwrap();
        assert_eq!(slopes.share(30, false), (65_536.0 / f64::from(pace(0.15))).ceil() as u32);
        assert!((f64::from(slopes.share(-30, true)) * f64::from(pace(-0.15 / 2.0_f32.sqrt())) - 65_536.0).abs() < 2.0);
        assert_eq!(slopes.share(0, true), WHOLE);
        assert!(slopes.least < slopes.share(-10, false) && slopes.greatest == slopes.share(30, false));
        assert_eq!(Slopes::new(&ramp(0)), None);
        let gentle = Slopes::new(&ramp(1)).unwrap();
        assert!(gentle.least > 63_000, "{}", gentle.least);
    }

    #[test]
    fn slopes_between_the_cells() {
        let mut grid = ramp(30);
        for at in [Vec2::new(9.3, 5.1), Vec2::new(5.0, 5.0), Vec2::new(6.0, 0.2)] {
            assert!((grid.slope(at, Vec2::X) - 0.15).abs() < 1e-6 && grid.slope(at, Vec2::Y).abs() < 1e-6);
            assert!((grid.slope(at, Vec2::NEG_X) + 0.15).abs() < 1e-6);
        }
        // A wall as high as a tower.
        let tower = grid.lattice().cell(5, 3);
        grid.set_height(tower, 60_000);
        assert!(grid.slope(Vec2::new(9.5, 7.0), Vec2::X) > 10.0);
        // Closed it counts no more: the row below tells the slope.
        grid.set_open(tower, false);
        assert!((grid.slope(Vec2::new(9.5, 7.0), Vec2::X) - 0.15).abs() < 1e-6);
    }
}
