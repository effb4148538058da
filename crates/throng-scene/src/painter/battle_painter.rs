//! Moments painted on their backdrop.

use super::backdrop::Backdrop;
use super::banner::{Banner, Banners, Spot, part_banners};
use super::canvas::{Canvas, Screen, Stamp};
use super::clouds::Clouds;
use super::companies::Company;
use super::grade::Grade;
use super::moment::{Change, Fallen, Moment};
use super::sheets::Sheets;
use crate::land::Land;
use crate::scenery::Extra;
use crate::sprite::Pose;
use crate::sprite::look::height as height_of;
use crate::view::{FORESHORTENING, SHADOW, View};
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3, unit};
use throng_grid::{Grid, Layer};
use throng_sim::battle::Look;
use throng_sim::world::Flight;

/// Paints the moments of a run, in the order of time.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_scene::painter::{BattlePainter, Canvas, Watcher};
/// use throng_scene::view::View;
/// use throng_sim::world::Frame;
/// let grid = Arc::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?));
/// let view = View { origin: Vec2::ZERO, scale: 4.0 };
/// let mut watcher = Watcher::new(grid.clone());
/// watcher.show(&Frame::default());
/// let moment = watcher.moment(&Frame::default());
/// let mut painter = BattlePainter::new(&grid, watcher.worn(), view, (128, 102), &[], &[]);
/// let mut canvas = Canvas::default();
/// painter.paint(&moment, watcher.changes(), &mut canvas);
/// assert_eq!(canvas.pixels.len(), 128 * 102);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BattlePainter {
    land: Land,
    worn: Option<Layer<f32>>,
    backdrop: Backdrop,
    grade: Grade,
    sheets: Arc<Sheets>,
    clouds: Clouds,
    banners: Banners,
    /// Changes that are in the backdrop.
    changes: usize,
}

/// From this zoom on stuck arrows are seen (pixels a metre).
const STUCK_FROM: f32 = 6.0;

/// How much of what is hidden shines through, of 256.
const GHOST: u16 = 84;

impl BattlePainter {
    /// Paints `width` x `height` pixels of a map, and bakes some looks in the colours of the armies. `worn` tells how worn by the
    /// armies each cell is, 0 to 1.
    pub fn new(
        grid: &Grid,
        worn: Option<Layer<f32>>,
        view: View,
        (width, height): (u32, u32),
        looks: &[Look],
        colours: &[[u8; 3]],
    ) -> Self {
        let grade = Grade::default();
        let (land, sheets) = rayon::join(|| Land::of(grid), || Sheets::bake(view.scale, looks, colours, &grade));
        let backdrop = Backdrop::paint(&land, &extra(worn.as_ref()), view, width, height, &grade);
        Self {
            land,
            worn,
            backdrop,
            grade,
            sheets: Arc::new(sheets),
            clouds: Clouds::default(),
            banners: Banners::default(),
            changes: 0,
        }
    }

    /// Paints a moment over the whole backdrop; `changes` are all that its [`Watcher`](super::Watcher) noted. Moments come in the
    /// order of time.
    pub fn paint(&mut self, moment: &Moment, changes: &[Change], canvas: &mut Canvas) {
        let (width, height) = (self.backdrop.canvas.width, self.backdrop.canvas.height);
        self.paint_part(moment, changes, [0, 0], (width, height), canvas);
    }

    /// As [`paint`](Self::paint), of a part of `width` x `height` pixels whose upper left corner is at a pixel of the backdrop, or
    /// as near as it can be. Returns the corner.
    pub fn paint_part(
        &mut self,
        moment: &Moment,
        changes: &[Change],
        [x, y]: [i32; 2],
        (width, height): (usize, usize),
        canvas: &mut Canvas,
    ) -> [usize; 2] {
        self.advance(&changes[..moment.changes.min(changes.len())]);
        let (width, height) = (width.min(self.backdrop.canvas.width), height.min(self.backdrop.canvas.height));
        (canvas.width, canvas.height) = (width, height);
        canvas.pixels.resize(width * height, [0; 4]);
        let (left, top) = self.backdrop.copy(x, y, canvas);
        let step = Vec2::new(1.0, 1.0 / FORESHORTENING) / self.backdrop.view.scale;
        let origin = self.backdrop.view.origin + Vec2::new(left as f32, top as f32) * step;
        let view = View { origin, ..self.backdrop.view };
        let arrows: Vec<Arrow> = moment.shots.iter().map(|shot| Arrow::of(shot, view)).collect();
        for arrow in &arrows {
            self.shadow(arrow, canvas);
        }
        self.figures(moment, (left, top), view, canvas);
        self.clouds.paint(&moment.clouds, view, canvas);
        for arrow in &arrows {
            self.arrow(arrow, canvas);
        }
        self.banners(&moment.companies, view, canvas);
        [left, top]
    }

    /// Brings the backdrop to the state after some changes.
    pub fn advance(&mut self, changes: &[Change]) {
        for index in self.changes..changes.len() {
            match &changes[index] {
                Change::Fallen(fallen) => self.bury(fallen),
                &Change::Stuck { place, velocity } => self.stick(place, velocity),
                Change::Edited { grid, cells } => {
                    let rectangles = self.land.edit(grid, cells);
                    self.backdrop.repaint(&self.land, &extra(self.worn.as_ref()), &rectangles, &self.grade);
                    self.lay_again(&changes[..index], &rectangles);
                }
            }
        }
        self.changes = self.changes.max(changes.len());
    }

    /// Lays on the ground what lay in some rectangles of it (m) before they were painted again.
    fn lay_again(&mut self, changes: &[Change], rectangles: &[(Vec2, Vec2)]) {
        let is_there = |place: Vec2| {
            let around = super::backdrop::SEEN_AROUND;
            rectangles.iter().any(|&(low, high)| place.cmpge(low - around).all() && place.cmple(high + around).all())
        };
        for change in changes {
            match change {
                Change::Fallen(fallen) if is_there(fallen.place) => self.bury(fallen),
                &Change::Stuck { place, velocity } if is_there(place) => self.stick(place, velocity),
                _ => {}
            }
        }
    }

    /// Draws a fallen agent on the ground.
    fn bury(&mut self, fallen: &Fallen) {
        let Some(cell) = self.sheets.cell(fallen.look, fallen.direction, Pose::fallen(fallen.id as usize)) else {
            return;
        };
        let pixels = self.sheets.fallen(cell, fallen.army);
        let foot = self.backdrop.view.to_pixel(fallen.place.extend(0.0)).round();
        let depth = self.backdrop.depth(fallen.place.y);
        let (x, y) = (foot.x as i32 - i32::from(cell.anchor[0]), foot.y as i32 - i32::from(cell.anchor[1]));
        self.backdrop.lay(Stamp::new(usize::from(cell.width), &pixels), x, y, depth);
    }

    /// Draws an arrow in the ground.
    fn stick(&mut self, place: Vec2, velocity: Vec3) {
        let scale = self.backdrop.view.scale;
        if scale < STUCK_FROM {
            return;
        }
        let foot = self.backdrop.view.to_pixel(place.extend(0.0));
        let tail = self.backdrop.view.to_pixel(place.extend(0.0) - unit3(velocity) * 0.8);
        let width = if scale < 20.0 { 1.0 } else { 1.8 };
        let canvas = &mut self.backdrop.canvas;
        let (x, y) = (foot.x as i32, foot.y as i32);
        let screen = Screen { front: &self.backdrop.front, stride: canvas.width, foot: 0, ghost: ([0; 3], 0) };
        if canvas.is_built(&screen, x, y, 1, 1) {
            return;
        }
        canvas.streak(foot, foot + Vec2::new(1.0, 0.4) * (foot.y - tail.y).abs(), 1.0, [15, 15, 20], 0.4);
        canvas.streak(foot, tail, width, [70, 50, 32], 1.0);
        canvas.streak(foot.lerp(tail, 0.75), tail, width + 0.5, [214, 206, 190], 1.0);
    }

    fn figures(&self, moment: &Moment, (left, top): (usize, usize), view: View, canvas: &mut Canvas) {
        let stride = self.backdrop.canvas.width;
        let front = self.backdrop.front.get(top * stride + left..).unwrap_or_default();
        for figure in &moment.figures {
            let Some(cell) = self.sheets.cell(figure.look, figure.direction, figure.pose) else { continue };
            let foot = view.to_pixel(figure.foot.extend(0.0)).round();
            let (x, y) = (foot.x as i32 - i32::from(cell.anchor[0]), foot.y as i32 - i32::from(cell.anchor[1]));
            let (stamp, shares) = self.sheets.stamp(cell, figure.army);
            if !canvas.is_seen(x, y, stamp.width, stamp.height) {
                continue;
            }
            let sun = self.backdrop.light(foot.x as i32 + left as i32, foot.y as i32 + top as i32);
            let tone = f32::from((figure.id.wrapping_mul(0x9E37_79B1) >> 24) as u8) / 255.0;
            let light = ((0.74 + 0.30 * sun) * (0.93 + 0.14 * tone) * 256.0) as u32;
            let pale = self.sheets.colour(figure.army).map(|channel| u8::midpoint(channel, 255));
            let screen = Screen { front, stride, foot: self.backdrop.depth(figure.foot.y), ghost: (pale, GHOST) };
            if canvas.is_built(&screen, x, y, stamp.width, stamp.height) {
                canvas.blend_behind(stamp, shares, x, y, &screen, light);
            } else {
                canvas.blend_lit(stamp, x, y, light);
            }
        }
    }

    /// Length and width of the streak of an arrow (pixels).
    fn streak(&self) -> (f32, f32) {
        let scale = self.backdrop.view.scale;
        let width = if scale < 8.0 {
            1.0
        } else if scale < 20.0 {
            1.5
        } else {
            2.0
        };
        ((1.1 * scale).max(6.0), width)
    }

    fn shadow(&self, arrow: &Arrow, canvas: &mut Canvas) {
        let (length, width) = self.streak();
        canvas.streak(arrow.shadow, arrow.shadow - arrow.along * length * 0.7, width, [10, 12, 18], 0.22);
    }

    fn arrow(&self, arrow: &Arrow, canvas: &mut Canvas) {
        let (length, width) = self.streak();
        let back = arrow.along * length;
        canvas.streak(arrow.tip - back * 0.9, arrow.tip - back * 3.2, width, [250, 240, 215], 0.13);
        canvas.streak(arrow.tip, arrow.tip - back, width + 1.0, [30, 22, 16], 0.65);
        let shaft = if self.backdrop.view.scale < 20.0 { [246, 236, 208] } else { [196, 160, 112] };
        canvas.streak(arrow.tip, arrow.tip - back, width, shaft, 1.0);
        if self.backdrop.view.scale > 8.0 {
            canvas.streak(arrow.tip - back * 0.8, arrow.tip - back, width + 1.0, [252, 250, 245], 1.0);
        }
    }

    fn banners(&mut self, companies: &[Company], view: View, canvas: &mut Canvas) {
        let size = banner_size(view.scale, canvas.width);
        let (width, height) = (canvas.width as f32, canvas.height as f32);
        let mut seen: Vec<(&Company, Spot)> = Vec::new();
        for company in companies {
            let Vec2 { x, y } = view.to_pixel(company.place.extend(height_of(company.banner.look)));
            if x > 0.0 && x < width && y > 0.0 && y < height {
                seen.push((company, Spot { x, y }));
            }
        }
        let mut spots: Vec<Spot> = seen.iter().map(|(_, spot)| *spot).collect();
        part_banners(&mut spots, size);
        for ((company, _), spot) in seen.iter().zip(spots) {
            let banner = &company.banner;
            let colour = self.sheets.colour(company.army);
            let (stamp, (right, down)) = self.banners.stamp(&Banner { colour, size: size * banner.size, ..*banner });
            canvas.blend_lit(stamp, spot.x.round() as i32 - right, spot.y.round() as i32 - down, 256);
        }
    }
}

/// An arrow in the air, in a picture.
struct Arrow {
    /// Its tip (pixels).
    tip: Vec2,
    /// The unit vector along which it flies.
    along: Vec2,
    /// Its shadow on the ground (pixels).
    shadow: Vec2,
}

impl Arrow {
    fn of(shot: &Flight, view: View) -> Self {
        let tip = view.to_pixel(shot.at);
        let along = unit(view.to_pixel(shot.at + shot.velocity * 0.01) - tip);
        let ground = shot.at.truncate() + SHADOW * shot.at.z.max(0.0);
        Self { tip, along, shadow: view.to_pixel(ground.extend(0.0)) }
    }
}

/// The size of banners at a zoom (pixels a metre), in a picture of a width (pixels).
fn banner_size(scale: f32, width: usize) -> f32 {
    let by_zoom = if scale < 8.0 {
        0.92
    } else if scale < 19.0 {
        1.2
    } else {
        1.5
    };
    by_zoom * (width as f32 / 1600.0).clamp(0.5, 1.0)
}

fn extra(worn: Option<&Layer<f32>>) -> Extra<'_> {
    Extra { trample: worn, ..Extra::default() }
}

fn unit3(vector: Vec3) -> Vec3 {
    vector / vector.length().max(f32::MIN_POSITIVE)
}
