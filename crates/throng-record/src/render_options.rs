//! The options of pictures of a run.

use super::{Camera, Theme};
use serde::{Deserialize, Serialize};
use throng_grid::Grid;
use throng_grid::geom::Vec2;

/// An upright rectangle of the world in which a crowd is measured, or which a picture shows.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::MeasurementArea;
/// let gate = MeasurementArea { centre: Vec2::new(192.0, 100.0), width: 60.0, height: 45.0 };
/// assert_eq!(gate, MeasurementArea::wide(gate.centre, 60.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasurementArea {
    /// The point in the middle (m).
    pub centre: Vec2,
    /// From the left to the right edge (m).
    pub width: f32,
    /// From the upper to the lower edge (m).
    pub height: f32,
}

impl MeasurementArea {
    /// So wide (m), and three quarters as high.
    pub fn wide(centre: Vec2, width: f32) -> Self {
        Self { centre, width, height: width * 0.75 }
    }

    /// True where a point (m) is in it; of the edges, the upper and the left one belong to it.
    pub fn contains(&self, point: Vec2) -> bool {
        let least = self.centre - Vec2::new(self.width, self.height) * 0.5;
        let most = self.centre + Vec2::new(self.width, self.height) * 0.5;
        point.cmpge(least).all() && point.cmplt(most).all()
    }

    /// Its area (m²).
    pub fn square_metres(&self) -> f64 {
        f64::from(self.width) * f64::from(self.height)
    }
}

/// Overlays over the map besides the agents; none by default.
///
/// See [`RenderOptions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// The density (agents a square metre).
    pub density: bool,
    /// Remaining routes, where the frames have them ([`Frame::remaining_routes`](throng_sim::world::Frame::remaining_routes)).
    pub routes: bool,
    /// A graph of the living of each army, in the corner where it hides least.
    pub strength: bool,
}

/// The visible part of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Framing {
    /// In the theme of battles the ground on which the agents were; in plans the whole map.
    #[default]
    Armies,
    /// The whole map.
    Map,
    /// A part of it.
    Area(MeasurementArea),
    /// In the theme of battles a part that follows the hottest fighting; in plans the whole map.
    Fighting,
}

/// The content and the size of pictures of a run.
///
/// See [`Still::with_options`](crate::Still::with_options).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// The longer side of the visible part of the map (pixels), at most; the legend comes below.
    pub longest: u32,
    /// The visible part of the map.
    pub framing: Framing,
    /// Whether the legend is below the map: time, armies, colours, a scale bar.
    pub legend: bool,
    /// The overlays.
    pub overlays: Overlays,
    /// The look.
    pub theme: Theme,
}

impl RenderOptions {
    /// The armies, with a legend.
    pub fn new(longest: u32) -> Self {
        Self {
            longest,
            framing: Framing::default(),
            legend: true,
            overlays: Overlays::default(),
            theme: Theme::default(),
        }
    }

    /// The camera, and the width and height of its view (pixels).
    pub(super) fn camera(&self, grid: &Grid) -> (Camera, u32, u32) {
        let longest = self.longest.max(1);
        if let Framing::Area(MeasurementArea { centre, width, height }) = self.framing {
            let scale = longest as f32 / width.max(height).max(f32::MIN_POSITIVE);
            let pixels = |metres: f32| ((metres * scale).round() as u32).clamp(1, longest);
            let origin = centre - Vec2::new(width, height) * 0.5;
            return (Camera { origin, scale }, pixels(width), pixels(height));
        }
        let lattice = grid.lattice();
        let side = lattice.width.max(lattice.height);
        let pixels_a_cell = if longest >= side { (longest / side) as f32 } else { longest as f32 / side as f32 };
        let pixels = |cells: u32| ((cells as f32 * pixels_a_cell).round() as u32).max(1);
        let camera = Camera { origin: Vec2::ZERO, scale: pixels_a_cell / lattice.cell_size };
        (camera, pixels(lattice.width), pixels(lattice.height))
    }
}
