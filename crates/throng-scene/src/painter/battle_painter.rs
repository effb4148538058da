//! Moments painted on their backdrop.

use super::arrows::{Arrow, stick};
use super::backdrop::Backdrop;
use super::banner::{Banner, Banners};
use super::canvas::{Canvas, Screen, Stamp};
use super::clouds::Clouds;
use super::companies::{Company, banner_size, banners};
use super::grade::Grade;
use super::moment::{Change, Fallen, Moment};
use super::sheets::Sheets;
use super::tones::{GHOST, LIGHT, pale, tone};
use crate::land::Land;
use crate::scenery::Extra;
use crate::sprite::Pose;
use crate::view::{FORESHORTENING, View};
use std::sync::Arc;
use throng_grid::Layer;
use throng_grid::geom::{Vec2, Vec3};
use throng_sim::battle::Look;

/// Paints the moments of a run, in the order of time.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_scene::land::Land;
/// use throng_scene::painter::{BattlePainter, Canvas, Watcher};
/// use throng_scene::view::View;
/// use throng_sim::world::Frame;
/// let grid = Arc::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?));
/// let view = View { origin: Vec2::ZERO, scale: 4.0 };
/// let mut watcher = Watcher::new(grid.clone());
/// watcher.show(&Frame::default());
/// let moment = watcher.moment(&Frame::default());
/// let mut painter = BattlePainter::new(|| Land::of(&grid), watcher.worn(), view, (128, 102), &[], &[]);
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

impl BattlePainter {
    /// Paints `width` x `height` pixels of a land, and bakes some looks in the colours of the armies meanwhile. `worn` tells how
    /// worn by the armies each cell is, 0 to 1.
    pub fn new(
        land: impl FnOnce() -> Land + Send,
        worn: Option<Layer<f32>>,
        view: View,
        (width, height): (u32, u32),
        looks: &[Look],
        colours: &[[u8; 3]],
    ) -> Self {
        let grade = Grade::default();
        let (land, sheets) = rayon::join(land, || Sheets::bake(view.scale, looks, colours, &grade));
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
            arrow.shadow(view.scale).draw(canvas);
        }
        self.figures(moment, (left, top), view, canvas);
        self.clouds.paint(&moment.clouds, view, canvas);
        for arrow in &arrows {
            arrow.strokes(view.scale).for_each(|stroke| stroke.draw(canvas));
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
        let Backdrop { view, canvas, front, .. } = &mut self.backdrop;
        stick(place, velocity, *view, front, canvas);
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
            let light = ((LIGHT[0] + LIGHT[1] * sun) * tone(figure.id) * 256.0) as u32;
            let pale = pale(self.sheets.colour(figure.army));
            let screen = Screen { front, stride, foot: self.backdrop.depth(figure.foot.y), ghost: (pale, GHOST) };
            if canvas.is_built(&screen, x, y, stamp.width, stamp.height) {
                canvas.blend_behind(stamp, shares, x, y, &screen, light);
            } else {
                canvas.blend_lit(stamp, x, y, light);
            }
        }
    }

    fn banners(&mut self, companies: &[Company], view: View, canvas: &mut Canvas) {
        let size = banner_size(view.scale, canvas.width as f32);
        for (company, spot) in banners(companies, view, [canvas.width as f32, canvas.height as f32], size) {
            let banner = &company.banner;
            let colour = self.sheets.colour(company.army);
            let (stamp, (right, down)) = self.banners.stamp(&Banner { colour, size: size * banner.size, ..*banner });
            canvas.blend_lit(stamp, spot.x.round() as i32 - right, spot.y.round() as i32 - down, 256);
        }
    }
}

fn extra(worn: Option<&Layer<f32>>) -> Extra<'_> {
    Extra { trample: worn, ..Extra::default() }
}
