//! States of a run as a battle is seen: from above and from the side, in true colour, with a caption.

use super::density::Density;
use super::legend::Legend;
use super::strength::Strength;
use super::{Camera, ColourPicture, ColourTable, Picture, RenderOptions, Theme, palette};
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_scene::painter::{BattlePainter, Canvas, Moment, Watcher};
use throng_scene::view::{FORESHORTENING, View};
use throng_sim::battle::Look;
use throng_sim::world::Frame;

/// The greatest zoom at which soldiers are painted (pixels a metre): a picture of a smaller part has fewer pixels.
const MAX_PX_PER_M: f32 = 40.0;

/// What is north of the map in a picture of all of it, for what stands at its edge (m of height).
const HEADROOM_M: f32 = 4.0;

/// How much of the colour of a dense spot covers the ground, of 256.
const HEAT_OPACITY: u32 = 150;

/// A state to be painted.
#[derive(Debug)]
pub(super) struct BattleMoment {
    moment: Moment,
    /// Time, strengths and how it ended, for the caption.
    caption: Frame,
    /// What is drawn over the map, as seen from straight above; the rest is [`palette::KEEP`].
    overlay: Option<Picture>,
}

/// Follows a run, and paints states of it.
#[derive(Debug)]
pub(super) struct BattleScene {
    options: RenderOptions,
    grid: Arc<Grid>,
    view: View,
    size: (u32, u32),
    watcher: Watcher,
    looks: Vec<Look>,
    armies: usize,
    legend: Option<Legend>,
    strength: Option<Strength>,
    table: ColourTable,
}

impl BattleScene {
    pub fn new(grid: &Grid, options: RenderOptions) -> Self {
        let (view, size) = view(grid, &options);
        let grid = Arc::new(grid.clone());
        Self {
            watcher: Watcher::new(grid.clone(), view, size.0, size.1),
            strength: options.overlays.strength.then(|| Strength::new(&Picture::new(size.0, size.1, palette::KEEP))),
            options,
            grid,
            view,
            size,
            looks: Vec::new(),
            armies: 0,
            legend: None,
            table: ColourTable::of(Theme::Battle),
        }
    }

    /// Takes in a state of the run, whether it is painted or not. States come in their order.
    pub fn show(&mut self, frame: &Frame) {
        self.watcher.show(frame);
        if self.looks != frame.looks {
            self.looks.clone_from(&frame.looks);
        }
        self.armies = frame.armies.len();
        if let Some(strength) = &mut self.strength {
            strength.add(frame);
        }
    }

    /// What is seen of the state that was shown last.
    pub fn moment(&mut self, frame: &Frame) -> BattleMoment {
        let caption = Frame {
            tick: frame.tick,
            time: frame.time,
            armies: frame.armies.clone(),
            verdict: frame.verdict,
            ..Frame::default()
        };
        if self.options.legend && self.legend.is_none() {
            self.legend = Some(Legend::new(frame, self.options.overlays, self.view.scale, self.size.0));
        }
        BattleMoment { moment: self.watcher.moment(frame), caption, overlay: self.overlay(frame) }
    }

    fn overlay(&self, frame: &Frame) -> Option<Picture> {
        let overlays = self.options.overlays;
        if !overlays.density && !overlays.routes && frame.links.is_empty() {
            return None;
        }
        let camera = Camera { origin: self.view.origin, scale: self.view.scale };
        let height = (self.size.1 as f32 / FORESHORTENING).ceil() as u32;
        let mut picture = Picture::new(self.size.0, height, palette::KEEP);
        if overlays.density {
            let grid = frame.grid.as_ref().unwrap_or(&self.grid);
            Density::new(grid, camera, picture.width, picture.height).draw(&mut picture, camera, &frame.position);
        }
        picture.draw_links(camera, &frame.links);
        if overlays.routes {
            picture.draw_routes(camera, &frame.remaining_routes);
        }
        Some(picture)
    }

    /// What paints its moments; each painter paints moments in the order of time.
    pub fn painter(&self) -> BattlePainter {
        let colours = self.army_colours();
        BattlePainter::new(&self.grid, self.watcher.worn(), self.view, self.size, &self.looks, &colours)
    }

    fn army_colours(&self) -> Vec<[u8; 3]> {
        (0..self.armies.max(1) as u32).map(|army| self.table.rgb(palette::army(army))).collect()
    }

    /// Colours that a film of it must have as they are.
    pub fn required_colours(&self) -> Vec<[u8; 3]> {
        let caption = [palette::BAR, palette::TEXT, palette::RULE].map(|index| self.table.rgb(index));
        let armies = (0..self.armies as u32).map(palette::army);
        let names = armies.flat_map(|army| [army, palette::bright(army)]).map(|index| self.table.rgb(index));
        caption.into_iter().chain(names).collect()
    }

    /// Paints a moment, with its caption below.
    pub fn paint(&self, painter: &mut BattlePainter, moment: &BattleMoment) -> ColourPicture {
        let mut canvas = Canvas::default();
        painter.paint(&moment.moment, self.watcher.changes(), &mut canvas);
        let (width, height) = self.size;
        let mut picture = ColourPicture::from_rgba(width, height, canvas.pixels.as_flattened());
        if let Some(overlay) = &moment.overlay {
            self.lay_over(overlay, &mut picture);
        }
        if let Some(strength) = &self.strength {
            let mut sheet = Picture::new(width, height, palette::KEEP);
            strength.draw(&mut sheet);
            for (pixel, &index) in
                picture.pixels.iter_mut().zip(&sheet.pixels).filter(|(_, index)| **index != palette::KEEP)
            {
                *pixel = self.table.rgb(index);
            }
        }
        if let Some(legend) = &self.legend {
            let mut sheet = Picture::new(width, legend.height(), palette::BAR);
            legend.draw(&mut sheet, 0, &moment.caption);
            picture.height += sheet.height;
            picture.pixels.extend(sheet.pixels.iter().map(|&index| self.table.rgb(index)));
        }
        picture
    }

    /// Lays what was drawn as seen from straight above over a picture.
    fn lay_over(&self, overlay: &Picture, picture: &mut ColourPicture) {
        let width = picture.width as usize;
        let rows = picture.pixels.chunks_exact_mut(width).enumerate();
        for (y, row) in rows {
            let above = (((y as f32 + 0.5) / FORESHORTENING) as u32).min(overlay.height.saturating_sub(1));
            let above = &overlay.pixels[above as usize * width..][..width];
            for (pixel, &index) in row.iter_mut().zip(above).filter(|(_, index)| **index != palette::KEEP) {
                let is_heat = (palette::HEAT..palette::HEAT + palette::HEATS).contains(&index);
                let opacity = if is_heat { HEAT_OPACITY } else { 256 };
                let over = self.table.rgb(index);
                for (under, over) in pixel.iter_mut().zip(over) {
                    *under = ((u32::from(*under) * (256 - opacity) + u32::from(over) * opacity) >> 8) as u8;
                }
            }
        }
    }
}

/// The part of the world that is painted, and in how many pixels.
fn view(grid: &Grid, options: &RenderOptions) -> (View, (u32, u32)) {
    let (Camera { origin, scale: wanted }, width, height) = options.camera(grid);
    let scale = wanted.min(MAX_PX_PER_M);
    let less = scale / wanted;
    let pixels = |count: u32, share: f32| ((count as f32 * share).round() as u32).max(1);
    let (width, height) = (pixels(width, less), pixels(height, less * FORESHORTENING));
    if options.view.is_some() {
        return (View { origin, scale }, (width, height));
    }
    let above = (HEADROOM_M * throng_scene::view::RISE * scale).ceil();
    let view = View { origin: origin - Vec2::new(0.0, above / (scale * FORESHORTENING)), scale };
    (view, (width, height + above as u32))
}
