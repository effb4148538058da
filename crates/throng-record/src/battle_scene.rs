//! States of a run as a battle is seen: from above and from the side, in true colour, with a caption.

use super::caption::Caption;
use super::density::Density;
use super::legend::Legend;
use super::strength::Strength;
use super::watch::Follower;
use super::{Camera, ColourPicture, ColourTable, Framing, MeasurementArea, Picture, RenderOptions, Theme, palette};
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_scene::land::Land;
use throng_scene::painter::{BattlePainter, Canvas, Director, Moment};
use throng_scene::view::{FORESHORTENING, RISE, View};
use throng_sim::battle::Look;
use throng_sim::world::{ArmyCount, Frame, RemainingRoute};

/// The greatest zoom at which soldiers are painted (pixels a metre): a picture of a smaller part has fewer pixels.
const MAX_PX_PER_M: f32 = 40.0;

/// What is seen around the ground on which the agents were (m).
const MARGIN_M: f32 = 14.0;

/// The part of the map that is seen is at least so wide and so high (m), if the map is.
const MIN_SIDE_M: f32 = 40.0;

/// A picture is at most so many times as wide as it is high, or as high as it is wide.
const MAX_ASPECT: f32 = 2.0;

/// What is north of the ground that is seen, for what stands at its edge (m of height).
const HEADROOM_M: f32 = 4.0;

/// Width of the part that follows the fighting (m), if the map is not too large for it.
const FIGHTING_M: f32 = 90.0;

/// A part that follows the fighting is three fifths as high as it is wide.
const FIGHTING_ASPECT: f32 = 0.6;

/// The greatest ground that is painted for a camera that moves (pixels).
const MAX_BACKDROP_PX: f32 = 12e6;

/// How much of the colour of a dense spot covers the ground, of 256.
const HEAT_OPACITY: u32 = 150;

/// A state to be painted.
#[derive(Debug)]
pub(super) struct BattleMoment {
    moment: Moment,
    caption: Caption,
    /// Start and end of each open link (m).
    links: Vec<[Vec2; 2]>,
    routes: Vec<RemainingRoute>,
    /// Where the camera looks (m), where it follows the fighting.
    look_at: Option<Vec2>,
}

/// Follows a run, and paints states of it.
#[derive(Debug)]
pub(super) struct BattleScene {
    options: RenderOptions,
    grid: Arc<Grid>,
    follower: Follower,
    director: Director,
    looks: Vec<Look>,
    /// The armies when one was added last.
    armies: Vec<ArmyCount>,
    /// The colours that armies have of their own.
    colours: Vec<Option<[u8; 3]>>,
    strength: Option<Strength>,
    table: ColourTable,
    setting: Option<Setting>,
}

/// What paints the moments of a scene, in their order, and the picture of the last.
#[derive(Clone, Debug)]
pub(super) struct FramePainter {
    painter: BattlePainter,
    canvas: Canvas,
    picture: ColourPicture,
}

/// The part of the world that is painted, chosen when the first state is.
#[derive(Debug)]
struct Setting {
    /// Where the ground is that is painted.
    view: View,
    /// Its size (pixels).
    ground: (u32, u32),
    /// The size of pictures without the caption (pixels): a part of the ground, where the camera moves.
    width: u32,
    height: u32,
    legend: Option<Legend>,
    density: Option<Density>,
}

impl BattleScene {
    pub fn new(grid: &Grid, options: RenderOptions) -> Self {
        let grid = Arc::new(grid.clone());
        let follower = Follower::new(&grid);
        Self::of(grid, follower, options)
    }

    /// Another scene of the same run, which is shown the same states.
    pub fn fork(&self, options: RenderOptions) -> Self {
        Self::of(self.grid.clone(), self.follower.fork(), options)
    }

    fn of(grid: Arc<Grid>, follower: Follower, options: RenderOptions) -> Self {
        Self {
            follower,
            director: Director::default(),
            strength: options.overlays.strength.then(|| Strength::new(&Picture::new(1, 1, palette::KEEP))),
            options,
            grid,
            looks: Vec::new(),
            armies: Vec::new(),
            colours: Vec::new(),
            table: ColourTable::of(Theme::Battle),
            setting: None,
        }
    }

    /// Whether the camera moves.
    pub fn moves(&self) -> bool {
        self.options.framing == Framing::Fighting
    }

    /// Takes in a state of the run, whether it is painted or not. States come in their order.
    pub fn show(&mut self, frame: &Frame) {
        self.follower.show(frame);
        if self.looks != frame.looks {
            self.looks.clone_from(&frame.looks);
        }
        if self.armies.len() != frame.armies.len() {
            self.armies.clone_from(&frame.armies);
        }
        if self.colours != frame.colours {
            self.colours.clone_from(&frame.colours);
            self.table = ColourTable::of(Theme::Battle).with_armies(&frame.colours);
        }
        if let Some(strength) = &mut self.strength {
            strength.add(frame);
        }
    }

    /// Takes in a state that will be shown; these come in their order, too.
    pub fn preview(&mut self, frame: &Frame) {
        self.follower.preview(&self.grid, frame);
    }

    /// What is seen of the state that was shown last.
    pub fn moment(&mut self) -> BattleMoment {
        let watch = &mut *self.follower.write();
        let frame = &watch.last;
        let routes = if self.options.overlays.routes { frame.remaining_routes.clone() } else { Vec::new() };
        let moment = watch.watcher.moment(frame);
        let is_followed = self.options.framing == Framing::Fighting;
        let look_at = if is_followed { self.director.follow(&moment.figures, frame.time) } else { None };
        BattleMoment { moment, caption: Caption::of(frame), links: frame.links.clone(), routes, look_at }
    }

    /// What paints its moments; each paints moments in the order of time. The first call chooses the part of the world
    /// that is painted: the one of the options, else the one on which the agents have been so far.
    pub fn painter(&mut self) -> FramePainter {
        if self.setting.is_none() {
            let (view, wide, high) = self.view();
            let (width, height) = if self.moves() {
                let width = self.options.longest.clamp(1, wide);
                (width, ((width as f32 * FIGHTING_ASPECT) as u32).clamp(1, high))
            } else {
                (wide, high)
            };
            let camera = Camera { origin: view.origin, scale: view.scale };
            let density =
                self.options.overlays.density.then(|| Density::new(&self.grid, camera, wide, plan_rows(high)));
            let caption = || Legend::caption(&self.armies, self.options.overlays, view.scale, width);
            let legend = self.options.legend.then(caption);
            if let Some(strength) = &mut self.strength {
                strength.fit(&Picture::new(width, height, palette::KEEP));
            }
            self.setting = Some(Setting { view, ground: (wide, high), width, height, legend, density });
        }
        let (view, ground) = self
            .setting
            .as_ref()
            .map_or((View { origin: Vec2::ZERO, scale: 1.0 }, (1, 1)), |setting| (setting.view, setting.ground));
        let worn = self.follower.read().outlook().worn();
        let land = match self.options.theme {
            Theme::Building => Land::building,
            Theme::Battle | Theme::Plan | Theme::Dark => Land::of,
        };
        let grid = &self.grid;
        let painter = BattlePainter::new(|| land(grid), worn, view, ground, &self.looks, &self.army_colours());
        FramePainter { painter, canvas: Canvas::default(), picture: ColourPicture::default() }
    }

    /// The view, and its width and height in pixels.
    fn view(&self) -> (View, u32, u32) {
        let size = self.grid.lattice().size();
        let map = MeasurementArea { centre: size * 0.5, width: size.x, height: size.y };
        let used = || self.follower.read().outlook().extent().map_or(map, |[low, high]| around(low, high, size));
        let area = match self.options.framing {
            Framing::Area(area) => area,
            Framing::Map => map,
            Framing::Armies | Framing::Fighting => used(),
        };
        let longest = self.options.longest.max(1) as f32;
        let longer = area.width.max(area.height * FORESHORTENING).max(f32::MIN_POSITIVE);
        let mut scale = longest / longer;
        if self.moves() {
            let most = (MAX_BACKDROP_PX / (area.width * area.height)).sqrt();
            scale = (longest / FIGHTING_M).min(most).max(scale);
        }
        let scale = scale.min(MAX_PX_PER_M);
        let pixels = |metres: f32| ((metres * scale).round() as u32).max(1);
        let is_chosen = matches!(self.options.framing, Framing::Area(_));
        let above = if is_chosen { 0.0 } else { HEADROOM_M * RISE / FORESHORTENING };
        let corner = area.centre - Vec2::new(area.width, area.height) * 0.5 - Vec2::new(0.0, above);
        (View { origin: corner, scale }, pixels(area.width), pixels((area.height + above) * FORESHORTENING))
    }

    fn army_colours(&self) -> Vec<[u8; 3]> {
        (0..self.armies.len().max(1) as u32).map(|army| self.table.rgb(palette::army(army))).collect()
    }

    /// Colours that a film of it must have as they are.
    pub fn required_colours(&self) -> Vec<[u8; 3]> {
        let caption = [palette::BAR, palette::TEXT, palette::RULE].map(|index| self.table.rgb(index));
        let armies = (0..self.armies.len() as u32).map(palette::army);
        let names = armies
            .flat_map(|army| [army, palette::bright(army), palette::dark(army)])
            .map(|index| self.table.rgb(index));
        caption.into_iter().chain(names).collect()
    }

    /// Paints a moment, with its caption below.
    pub fn paint<'a>(&self, painter: &'a mut FramePainter, moment: &BattleMoment) -> &'a ColourPicture {
        let FramePainter { painter, canvas, picture } = painter;
        let Some(setting) = &self.setting else { return picture };
        let size = (setting.width as usize, setting.height as usize);
        let corner = moment.look_at.map_or(Vec2::ZERO, |place| {
            setting.view.to_pixel(place.extend(0.0)) - Vec2::new(setting.width as f32, setting.height as f32) * 0.5
        });
        let corner = [corner.x as i32, corner.y as i32];
        let [left, top] =
            painter.paint_part(&moment.moment, self.follower.read().watcher.changes(), corner, size, canvas);
        let (width, height) = (canvas.width as u32, canvas.height as u32);
        picture.set_rgba(width, height, canvas.pixels.as_flattened());
        let step = Vec2::new(1.0, 1.0 / FORESHORTENING) / setting.view.scale;
        let origin = setting.view.origin + Vec2::new(left as f32, top as f32) * step;
        if let Some(overlay) = Self::overlay(setting, origin, moment) {
            self.lay_over(&overlay, picture);
        }
        if let Some(strength) = &self.strength {
            let mut sheet = Picture::new(width, height, palette::KEEP);
            strength.draw(&mut sheet, moment.caption.time);
            let drawn = picture.pixels.iter_mut().zip(&sheet.pixels).filter(|(_, index)| **index != palette::KEEP);
            drawn.for_each(|(pixel, &index)| *pixel = self.table.rgb(index));
        }
        if let Some(legend) = &setting.legend {
            let mut sheet = Picture::new(width, legend.height(), palette::BAR);
            legend.draw(&mut sheet, 0, &moment.caption);
            picture.height += sheet.height;
            picture.pixels.extend(sheet.pixels.iter().map(|&index| self.table.rgb(index)));
        }
        picture
    }

    /// What is drawn over the ground, as seen from straight above, from a corner (m) on; the rest is [`palette::KEEP`].
    fn overlay(setting: &Setting, origin: Vec2, moment: &BattleMoment) -> Option<Picture> {
        if setting.density.is_none() && moment.routes.is_empty() && moment.links.is_empty() {
            return None;
        }
        let camera = Camera { origin, scale: setting.view.scale };
        let mut picture = Picture::new(setting.width, plan_rows(setting.height), palette::KEEP);
        if let Some(density) = &setting.density {
            let places: Vec<Vec2> = moment.moment.figures.iter().map(|figure| figure.foot).collect();
            density.clone().draw(&mut picture, camera, &places);
        }
        picture.draw_links(camera, &moment.links);
        picture.draw_routes(camera, &moment.routes);
        Some(picture)
    }

    /// Lays what was drawn as seen from straight above over a picture.
    fn lay_over(&self, overlay: &Picture, picture: &mut ColourPicture) {
        let width = picture.width as usize;
        for (y, row) in picture.pixels.chunks_exact_mut(width).enumerate() {
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

/// Rows of pixels, seen from straight above, of the ground that is seen in `rows`.
fn plan_rows(rows: u32) -> u32 {
    (rows as f32 / FORESHORTENING).ceil() as u32
}

/// A part of a map of a size (m) around what lies between two corners, not too narrow.
fn around(low: Vec2, high: Vec2, size: Vec2) -> MeasurementArea {
    let wanted = (high - low + 2.0 * MARGIN_M).max(Vec2::splat(MIN_SIDE_M));
    // As it is seen: a metre to the south is shorter.
    let least = Vec2::new(wanted.y * FORESHORTENING, wanted.x / FORESHORTENING) / MAX_ASPECT;
    let part = wanted.max(least).min(size);
    let centre = ((low + high) * 0.5).clamp(part * 0.5, size - part * 0.5);
    MeasurementArea { centre, width: part.x, height: part.y }
}
