//! Soldiers as pictures on the screen, in the order in which they are painted.

use crate::shell::camera::Camera;
use bytemuck::{Pod, Zeroable};
use throng_grid::geom::Vec2;
use throng_scene::figures::Figure;
use throng_scene::painter::tones::tone;
use throng_scene::sprite::Atlas;

/// One picture: 20 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Instance {
    /// Its upper left corner in the window, a whole pixel.
    pub corner: [i16; 2],
    /// Its place in the atlas (pixels).
    pub at: [u16; 2],
    /// Its size in the atlas (pixels).
    pub size: [u16; 2],
    /// The point between its feet, from its corner in the atlas (pixels); of signs their size in the window.
    pub anchor: [i16; 2],
    /// How far south its foot stands of the horizon (1/16 m, plus one): what is built further south hides it.
    pub foot: u16,
    /// Its colour: an index into the inks; beyond them it is a sign, which has its own colours.
    pub ink: u8,
    /// How bright it is, before the light on the ground: 255 = [`BRIGHTEST`]. Of signs their opacity.
    pub shade: u8,
}

/// Inks: those of armies, then those of their fallen.
pub const INKS: usize = 2 * ARMIES;
/// As many armies as can fight one another.
pub const ARMIES: usize = 16;

/// The brightness of the brightest figure, before the light on the ground.
pub const BRIGHTEST: f32 = 1.07;

/// Rows of the ground above the window that feet are told apart in (pixels).
const MARGIN_ABOVE_PX: i32 = 96;
/// And below it: a figure whose foot is there may reach up into the window.
const MARGIN_BELOW_PX: i32 = 768;

/// From where feet are counted (m): the ground at the upper edge of the window, with room above it.
pub fn horizon(camera: &Camera) -> f32 {
    camera.view()[0].y - 16.0
}

/// A distance to the south of the horizon as tiles and instances keep it.
pub fn foot(south: f32) -> u16 {
    (south * 16.0 + 1.0).clamp(1.0, 65535.0) as u16
}

/// Sorts pictures from north to south without comparing them.
#[derive(Default)]
pub struct Line {
    rows: Vec<u32>,
    unsorted: Vec<(u32, Instance)>,
    /// Squares of the window in which a figure stands.
    taken: Vec<bool>,
}

/// Below this zoom (pixels a metre) crowds are thinned: ...
const MAX_THINNED_ZOOM: f32 = 1.4;
/// ... of those in a square of this side (pixels) one is drawn.
const THINNING_SQUARE_PX: i32 = 2;

impl Line {
    /// Writes the pictures of all figures that a camera sees in a window (pixels), those to the north first.
    /// O(figures + rows of the window).
    pub fn up(
        &mut self,
        figures: impl Iterator<Item = (Figure, bool)>,
        atlas: &Atlas,
        camera: &Camera,
        window: [u32; 2],
        out: &mut Vec<Instance>,
    ) {
        out.clear();
        self.unsorted.clear();
        let ratio = ratio(camera, atlas);
        let horizon = horizon(camera);
        let [width, height] = window.map(|side| side as f32);
        let rows = window[1] as usize + (MARGIN_ABOVE_PX + MARGIN_BELOW_PX) as usize;
        self.rows.clear();
        self.rows.resize(rows + 1, 0);
        for (figure, is_fallen) in figures {
            let at = camera.to_pixel(figure.foot);
            if at.x < -(MARGIN_BELOW_PX as f32)
                || at.y < -(MARGIN_ABOVE_PX as f32)
                || at.x > width + MARGIN_BELOW_PX as f32
                || at.y > height + MARGIN_BELOW_PX as f32
            {
                continue;
            }
            let Some(cell) = atlas.cell(figure.look, figure.direction, figure.pose) else { continue };
            let corner = (at - Vec2::from(cell.anchor.map(f32::from)) * ratio).round();
            let size = Vec2::new(f32::from(cell.width), f32::from(cell.height)) * ratio;
            if corner.x > width || corner.y > height || (corner + size).min_element() < 0.0 {
                continue;
            }
            let army = figure.army.index() % ARMIES + if is_fallen { ARMIES } else { 0 };
            let row = ((at.y as i32 + MARGIN_ABOVE_PX).max(0) as usize).min(rows - 1);
            self.rows[row + 1] += 1;
            let instance = Instance {
                corner: corner.to_array().map(|part| part as i16),
                at: [cell.x, cell.y],
                size: [cell.width, cell.height],
                anchor: cell.anchor,
                foot: foot(figure.foot.y - horizon),
                ink: army as u8,
                shade: (tone(figure.id) * (255.0 / BRIGHTEST) + 0.5) as u8,
            };
            self.unsorted.push((row as u32, instance));
        }
        for row in 0..rows {
            self.rows[row + 1] += self.rows[row];
        }
        out.resize(self.unsorted.len(), Instance::zeroed());
        for (row, instance) in &self.unsorted {
            let place = &mut self.rows[*row as usize];
            out[*place as usize] = *instance;
            *place += 1;
        }
        if camera.zoom < MAX_THINNED_ZOOM {
            self.thin(window, out);
        }
    }

    /// Of figures that stand in one square of [`THINNING_SQUARE_PX`] pixels keeps the southernmost, which hides the others.
    fn thin(&mut self, [width, height]: [u32; 2], out: &mut Vec<Instance>) {
        let side = |pixels: u32| (pixels as i32 + 2 * MARGIN_BELOW_PX) / THINNING_SQUARE_PX + 1;
        let (columns, rows) = (side(width), side(height));
        self.taken.clear();
        self.taken.resize((columns * rows) as usize, false);
        let mut kept = out.len();
        for index in (0..out.len()).rev() {
            let square =
                |part: usize| (i32::from(out[index].corner[part]) + MARGIN_BELOW_PX).max(0) / THINNING_SQUARE_PX;
            let (column, row) = (square(0).min(columns - 1), square(1).min(rows - 1));
            let taken = &mut self.taken[(row * columns + column) as usize];
            if !std::mem::replace(taken, true) {
                kept -= 1;
                out[kept] = out[index];
            }
        }
        out.drain(..kept);
    }
}

/// Figures are not seen smaller than at this zoom (pixels a metre): they would be nothing but outline and shadow.
pub const MIN_FIGURE_ZOOM: f32 = 2.2;

/// Pixels of the window for a pixel of the atlas.
pub fn ratio(camera: &Camera, atlas: &Atlas) -> f32 {
    camera.zoom.max(MIN_FIGURE_ZOOM) / atlas.scale()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_scene::sprite::Pose;
    use throng_sim::battle::Look;
    use throng_sim::world::ArmyId;

    #[test]
    fn figures_stand_at_their_pixels_from_north_to_south() {
        let mut camera = Camera::new(Vec2::new(200.0, 100.0), Vec2::new(1280.0, 720.0), 0.0);
        camera.set_slant(throng_scene::view::FORESHORTENING);
        let atlas = Atlas::bake(camera.zoom, &[Look::Swordsman]);
        let figure = |id: u32, x: f32, y: f32| Figure {
            foot: Vec2::new(x, y),
            id,
            look: Look::Swordsman,
            direction: 0,
            pose: Pose::STAND,
            army: ArmyId(1),
            speed: 0.0,
        };
        let figures = [figure(0, 50.0, 80.0), figure(1, 50.0, 20.0), figure(2, 150.0, 50.0), figure(3, 4000.0, 50.0)];
        let (mut line, mut out) = (Line::default(), Vec::new());
        line.up(figures.iter().map(|&figure| (figure, figure.id == 2)), &atlas, &camera, [1280, 720], &mut out);
        assert_eq!(out.len(), 3, "one is out of sight");
        let cell = atlas.cell(Look::Swordsman, 0, Pose::STAND).unwrap();
        for (instance, id) in out.iter().zip([1, 2, 0]) {
            let anchor = Vec2::from(instance.corner.map(f32::from)) + Vec2::from(cell.anchor.map(f32::from));
            assert!(anchor.distance(camera.to_pixel(figures[id].foot)) < 0.75);
            assert_eq!(instance.ink, if id == 2 { 17 } else { 1 });
        }
        assert!(out.windows(2).all(|pair| pair[0].foot < pair[1].foot));
    }

    #[test]
    fn distant_crowds_are_thinned_and_the_southernmost_stay() {
        let mut camera = Camera::new(Vec2::new(2000.0, 1000.0), Vec2::new(1280.0, 720.0), 0.0);
        camera.set_slant(throng_scene::view::FORESHORTENING);
        let atlas = Atlas::bake(MIN_FIGURE_ZOOM, &[Look::Swordsman]);
        // A block of 100 by 100, a quarter of a metre apart.
        let figures = (0..10_000_u32).map(|id| Figure {
            foot: Vec2::new(900.0, 500.0) + Vec2::new((id % 100) as f32, (id / 100) as f32) * 0.25,
            id,
            look: Look::Swordsman,
            direction: 0,
            pose: Pose::STAND,
            army: ArmyId(0),
            speed: 0.0,
        });
        let mut drawn = |zoom: f32| {
            camera.zoom_at(Vec2::new(640.0, 360.0), zoom / camera.zoom);
            let (mut line, mut out) = (Line::default(), Vec::new());
            line.up(figures.clone().map(|figure| (figure, false)), &atlas, &camera, [1280, 720], &mut out);
            out
        };
        assert_eq!(drawn(2.0).len(), 10_000);
        let far = drawn(0.6);
        // 15 by 12 pixels, in squares of two.
        assert!((40..=80).contains(&far.len()), "{}", far.len());
        assert!(far.windows(2).all(|pair| pair[0].foot <= pair[1].foot));
        let southernmost = |all: &[Instance]| all.iter().map(|instance| instance.corner[1]).max();
        let all: Vec<Instance> = {
            let mut camera = camera.clone();
            camera.zoom_at(Vec2::new(640.0, 360.0), 1.0);
            let (mut line, mut out) = (Line::default(), Vec::new());
            line.up(figures.clone().skip(9_900).map(|figure| (figure, false)), &atlas, &camera, [1280, 720], &mut out);
            out
        };
        assert_eq!(southernmost(&far), southernmost(&all));
    }
}
