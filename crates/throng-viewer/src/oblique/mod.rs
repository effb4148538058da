//! The look of a battle: the map as a landscape and agents as soldiers, seen at a slant from the south.
//!
//! | module | contents |
//! |---|---|
//! | [`requests`] | what is asked of the painter, and what comes from it |
//! | [`tiles`] | the squares in which a land is painted, and the scales |
//! | [`painter`] | a thread: what the cells are, tiles, soldiers' pictures |
//! | [`planting`] | trees, tufts and stones, set into tiles |
//! | [`instances`] | soldiers as pictures on the screen, from north to south |
//! | [`fallen`] | those who fell |
//! | [`signs`], [`rings`] | shots, dust, banners; rings around who is selected |
//! | [`card`], [`sheet`] | all of it drawn by the card |
//! | [`processor`], [`blit`] | all of it painted by the processor, for software drivers |

mod blit;
mod card;
mod fallen;
mod instances;
mod painter;
mod planting;
mod processor;
mod requests;
mod rings;
mod sheet;
mod signs;
mod tiles;

pub(super) use fallen::Bodies;
pub(super) use signs::on_ground;

use super::ViewError;
use super::agents::Sprite;
use super::camera::Camera;
use super::motion::Motion;
use super::software;
use card::{Card, Rank};
use ggez::graphics::GraphicsContext;
use instances::{ARMIES, Instance, Line};
use painter::Painter;
use processor::Processor;
use rings::{Ring, Rings};
use sheet::SheetTexture;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_record::army_colours;
use throng_scene::figures::{Agents, Figure, Strides, figures};
use throng_scene::painter::banner::{Banner, Banners, Spot};
use throng_scene::painter::canvas::Stamp;
use throng_scene::sprite::{Atlas, Pose, direction_of};
use throng_sim::battle::Look;
use throng_sim::world::Frame;
use tiles::TileKey;

/// The colours of a battle's armies: their own, or those of the look of a battle.
fn colours(frame: &Frame) -> [[u8; 3]; ARMIES] {
    std::array::from_fn(|army| frame.colours.get(army).copied().flatten().unwrap_or(army_colours::BATTLE[army]))
}

/// The largest map that is shown as a landscape (m²): all of it is kept at a pixel a metre, 6 bytes each.
const MOST_GROUND_M2: f32 = 1.8e7;
/// Above this number of agents their poses follow the ticks, only their places the frames.
const MANY_AGENTS: usize = 30_000;
/// Below this zoom (pixels a metre) poses of so many are not told apart.
const MIN_POSE_ZOOM: f32 = 2.0;
/// Below this zoom (pixels a metre) shots are thin lines.
const MIN_STREAK_ZOOM: f32 = 4.0;
/// The sheet of banners (pixels), and the place of one.
const SIGN_SHEET: [u32; 2] = [2048, 2048];
const SIGN_SIZE: [u32; 2] = [80, 104];

/// What is shown.
pub(super) struct View<'a> {
    pub frame: &'a Frame,
    pub motion: &'a Motion,
    pub bodies: &'a Bodies,
    /// Squads that are selected.
    pub selected: &'a BTreeSet<u32>,
    /// Simulated time of a tick (s).
    pub step: f32,
}

/// Who paints it.
enum Place {
    Card(Box<Card>),
    Processor(Box<Processor>),
}

impl Place {
    fn tiles(&self) -> usize {
        match self {
            Self::Card(card) => card.tiles(),
            Self::Processor(processor) => processor.tiles(),
        }
    }

    fn has(&self, key: TileKey) -> bool {
        match self {
            Self::Card(card) => card.has(key),
            Self::Processor(processor) => processor.has(key),
        }
    }
}

/// Paints battles.
pub(super) struct Oblique {
    painter: Painter,
    place: Place,
    /// The colours of the armies.
    colours: [[u8; 3]; ARMIES],
    /// The revision of the map that was handed to the painter.
    revision: u32,
    /// The revision that it has painted last.
    painted: u32,
    /// Size of the map (m), once its cells are told apart.
    map: Option<Vec2>,
    /// Tiles that show what is there no more.
    stale: BTreeSet<TileKey>,
    /// Tiles that were asked for.
    asked: BTreeSet<TileKey>,
    /// The tile scale that is asked for.
    scale: f32,
    /// The zoom of the camera, and since when, but for the first.
    zoom: (f32, Option<Instant>),
    /// Soldiers of some looks, the newest first.
    atlases: Vec<(Arc<Atlas>, Vec<Look>)>,
    /// The scale and the looks of the last atlas that was asked for.
    atlas: Option<(f32, Vec<Look>)>,
    /// Nothing is missing.
    complete: bool,
    strides: Strides,
    figures: Vec<Figure>,
    /// The tick and the time of the figures.
    posed: Option<u64>,
    places: Vec<Vec2>,
    /// Units and squads where frames have none.
    units: Vec<u16>,
    squads: Vec<u32>,
    line: Line,
    instances: Vec<Instance>,
    fallen: Vec<Instance>,
    /// For what the fallen were written.
    laid: Option<(Camera, (usize, u64), usize)>,
    banners: Banners,
    spots: Vec<(Spot, Banner)>,
    signs: Option<SheetTexture>,
    rings: Rings,
    ring_places: Vec<Ring>,
    /// Strokes and shadows of shots, dust.
    pub sprites: [Vec<Sprite>; 3],
    window: [u32; 2],
}

impl Oblique {
    /// True where a map is not too large to be painted as a landscape.
    pub fn fits(grid: &Grid) -> bool {
        let size = grid.lattice().size();
        size.x * size.y <= MOST_GROUND_M2
    }

    /// Starts to paint a map.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn new(gfx: &GraphicsContext, grid: &Arc<Grid>) -> Result<Self, ViewError> {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let place = if software::paints(device) {
            Place::Processor(Box::new(Processor::new(device, format)))
        } else {
            Place::Card(Box::new(Card::new(device, queue, format)))
        };
        Ok(Self {
            painter: painter::start(Arc::clone(grid))?,
            place,
            colours: [[0; 3]; ARMIES],
            revision: grid.revision(),
            painted: 0,
            map: None,
            stale: BTreeSet::new(),
            asked: BTreeSet::new(),
            scale: 0.0,
            zoom: (0.0, None),
            atlases: Vec::new(),
            atlas: None,
            complete: false,
            strides: Strides::default(),
            figures: Vec::new(),
            posed: None,
            places: Vec::new(),
            units: Vec::new(),
            squads: Vec::new(),
            line: Line::default(),
            instances: Vec::new(),
            fallen: Vec::new(),
            laid: None,
            banners: Banners::default(),
            spots: Vec::new(),
            signs: None,
            rings: Rings::default(),
            ring_places: Vec::new(),
            sprites: std::array::from_fn(|_| Vec::new()),
            window: [0; 2],
        })
    }

    /// True where the picture would not change by itself.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// True once there is something to show.
    pub fn is_ready(&self) -> bool {
        !self.atlases.is_empty() && self.has_ground()
    }

    /// Brings the figures to where they are drawn now.
    fn pose(&mut self, view: &View, zoom: f32) {
        let View { frame, motion, step, .. } = *view;
        if self.posed == Some(frame.tick) && motion.is_done() && self.figures.len() == frame.id.len() {
            return;
        }
        self.places.clear();
        self.places.extend((0..frame.id.len()).map(|row| motion.place(frame, row)));
        let many = frame.id.len() > MANY_AGENTS;
        if many && zoom < MIN_POSE_ZOOM {
            stand(frame, &mut self.figures);
        } else if !many || self.posed != Some(frame.tick) || self.figures.len() != frame.id.len() {
            let time = frame.time - if many { 0.0 } else { f64::from(step * motion.left()) };
            let position = if many { &frame.position } else { &self.places };
            // Frames of others may lack what only soldiers have.
            let count = frame.id.len();
            self.units.clear();
            self.units.resize(count, 0);
            self.squads.clear();
            self.squads.resize(count, u32::MAX);
            let unit = if frame.unit.len() == count { &frame.unit } else { &self.units };
            let squad = if frame.squad.len() == count { &frame.squad } else { &self.squads };
            let agents = Agents { time, position, unit, squad, ..Agents::from(frame) };
            figures(&agents, &mut self.strides, &mut self.figures);
        }
        for (figure, &place) in self.figures.iter_mut().zip(&self.places) {
            figure.foot = place;
        }
        self.posed = Some(frame.tick);
    }

    /// Makes all ready to be drawn.
    pub fn prepare(&mut self, gfx: &GraphicsContext, camera: &Camera, view: &View) {
        self.window = [gfx.frame().width(), gfx.frame().height()];
        let scale = gfx.window().scale_factor() as f32;
        let colours = colours(view.frame);
        if self.colours != colours {
            self.colours = colours;
            self.laid = None;
            match &mut self.place {
                Place::Card(card) => card.dye(instances::inks(&colours)),
                Place::Processor(processor) => processor.dye(instances::inks(&colours)),
            }
        }
        self.follow(camera, view.frame);
        self.pose(view, camera.zoom);
        let [strokes, shadows, dust] = &mut self.sprites;
        signs::shots(&view.frame.shots, view.step * view.motion.left(), camera, strokes, shadows);
        signs::dust(&self.figures, camera, dust);
        let place = |row: usize| view.motion.place(view.frame, row);
        signs::banners(
            view.frame,
            place,
            (view.selected, &self.colours),
            (camera, self.window, scale),
            &mut self.spots,
        );
        rings::around(view.frame, place, view.selected, camera, &mut self.ring_places);
        let atlas = self.best_atlas(camera);
        if let Some(atlas) = &atlas {
            let living = self.figures.iter().map(|&figure| (figure, false));
            self.line.up(living, atlas, camera, self.window, &mut self.instances);
        }
        match &self.place {
            Place::Card(_) => self.prepare_card(camera, atlas.as_ref(), view.bodies),
            Place::Processor(_) => self.paint(gfx, camera, atlas.as_ref(), view.bodies),
        }
    }

    fn prepare_card(&mut self, camera: &Camera, atlas: Option<&Arc<Atlas>>, bodies: &Bodies) {
        let Self { place, line, instances, fallen, laid, spots, signs, banners, rings, ring_places, window, .. } = self;
        let Place::Card(card) = place else { return };
        if let Some(atlas) = atlas {
            card.take(atlas);
            let state = (camera.clone(), bodies.state(), Arc::as_ptr(atlas) as usize);
            if laid.as_ref() != Some(&state) {
                *laid = Some(state);
                line.up(bodies.iter().map(|&body| (body, true)), atlas, camera, *window, fallen);
                card.write(Rank::Fallen, fallen);
            }
            card.write(Rank::Living, instances);
        }
        let sheet = signs.get_or_insert_with(|| card.sheet(SIGN_SHEET));
        let columns = SIGN_SHEET[0] / SIGN_SIZE[0];
        let rows = SIGN_SHEET[1] / SIGN_SIZE[1];
        // Rings have places of their own behind the banners', by their radius.
        let room = columns * (rows - 2);
        instances.clear();
        let mut written = BTreeSet::new();
        for ring in ring_places.iter() {
            let slot = room + ring.radius;
            let at = [slot % columns * SIGN_SIZE[0], slot / columns * SIGN_SIZE[1]];
            let picture = rings.picture(ring.radius, camera.slant());
            let size = [picture.width as u32, (picture.pixels.len() / picture.width) as u32];
            if written.insert(ring.radius) {
                sheet.write(card.queue(), at, size, &picture.pixels, None);
            }
            instances.push(Instance {
                corner: ring.corner.map(|part| part as i16),
                at: at.map(|part| part as u16),
                size: size.map(|part| part as u16),
                anchor: [0; 2],
                foot: ring.foot,
                ink: instances::INKS as u8,
                shade: u8::MAX,
            });
        }
        card.write(Rank::Rings, instances);
        instances.clear();
        for (index, (spot, banner)) in spots.iter().take(room as usize).enumerate() {
            let (stamp, foot) = banners.stamp(banner);
            let [width, height] = [stamp.width as u32, (stamp.pixels.len() / stamp.width.max(1)) as u32];
            if width > SIGN_SIZE[0] || height > SIGN_SIZE[1] {
                continue;
            }
            let at = [index as u32 % columns * SIGN_SIZE[0], index as u32 / columns * SIGN_SIZE[1]];
            sheet.write(card.queue(), at, [width, height], stamp.pixels, None);
            instances.push(Instance {
                corner: [spot.x as i16 - foot.0 as i16, spot.y as i16 - foot.1 as i16],
                at: at.map(|part| part as u16),
                size: [width as u16, height as u16],
                anchor: [0; 2],
                foot: u16::MAX,
                ink: instances::INKS as u8,
                shade: u8::MAX,
            });
        }
        card.write_signs(instances);
    }

    fn paint(&mut self, gfx: &GraphicsContext, camera: &Camera, atlas: Option<&Arc<Atlas>>, bodies: &Bodies) {
        let Self { place, line, instances, spots, banners, rings, ring_places, window, sprites, .. } = self;
        let Place::Processor(processor) = place else { return };
        if let Some(atlas) = atlas {
            processor.take(atlas);
        }
        let lie = |first: usize, out: &mut Vec<Instance>| {
            if let Some(atlas) = atlas {
                line.up(bodies.since(first).map(|&body| (body, true)), atlas, camera, *window, out);
            }
        };
        processor.lay(camera, *window, bodies, lie);
        let [strokes, shadows, dust] = sprites;
        let canvas = &mut processor.canvas;
        let ends = |sprite: &Sprite| {
            let half = sprite.heading() * sprite.radius();
            [sprite.centre() - half, sprite.centre() + half].map(|end| camera.to_pixel(end))
        };
        let share = |alpha: u8| f32::from(alpha) / 255.0;
        for shadow in shadows.iter() {
            let ([from, to], [r, g, b, a]) = (ends(shadow), shadow.rgba);
            blit::dash(canvas, [from, to], [r, g, b, a]);
        }
        for ring in ring_places.iter() {
            let picture = rings.picture(ring.radius, camera.slant());
            let stamp = Stamp::new(picture.width, &picture.pixels);
            processor.stamp(stamp, ring.corner, ring.foot);
        }
        if atlas.is_some() {
            processor.paint(instances, camera);
        }
        let canvas = &mut processor.canvas;
        for puff in dust.iter() {
            let [r, g, b, a] = puff.rgba;
            canvas.puff(camera.to_pixel(puff.centre()), puff.radius() * camera.zoom, 0.7, [r, g, b], share(a));
        }
        for stroke in strokes.iter() {
            let ([from, to], [r, g, b, a]) = (ends(stroke), stroke.rgba);
            if camera.zoom < MIN_STREAK_ZOOM {
                blit::dash(canvas, [from, to], [r, g, b, a]);
            } else {
                canvas.streak(from, to, 1.4, [r, g, b], share(a));
            }
        }
        for (spot, banner) in spots.iter() {
            let (stamp, foot) = banners.stamp(banner);
            canvas.blend(stamp, spot.x as i32 - foot.0, spot.y as i32 - foot.1);
        }
        processor.write(gfx);
    }

    /// True where the card draws it: shots and dust are then drawn over it.
    pub fn is_by_card(&self) -> bool {
        matches!(self.place, Place::Card(_))
    }

    /// Draws all of it into its picture, where the card does that.
    pub fn render(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera) {
        if let Place::Card(card) = &mut self.place {
            card.render(encoder, camera, self.window, self.signs.as_ref());
        }
    }

    /// Shows the picture.
    pub fn show(&self, pass: &mut wgpu::RenderPass) {
        match &self.place {
            Place::Card(card) => card.show(pass),
            Place::Processor(processor) => processor.draw(pass),
        }
    }
}

/// Figures of all agents that only stand where they look.
fn stand(frame: &Frame, out: &mut Vec<Figure>) {
    out.clear();
    out.extend((0..frame.id.len()).map(|row| Figure {
        foot: frame.position[row],
        id: frame.id[row],
        look: frame.unit.get(row).and_then(|&unit| frame.looks.get(usize::from(unit))).copied().unwrap_or_default(),
        direction: direction_of(frame.heading[row]),
        pose: Pose::STAND,
        army: frame.army[row],
        speed: 0.0,
    }));
}
