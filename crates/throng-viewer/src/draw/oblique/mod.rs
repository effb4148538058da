//! The look of a battle: the map as a landscape and agents as soldiers, seen at a slant from the south. What is on it is what
//! the painter of films ([`throng_scene::painter`]) has.
//!
//! | module | contents |
//! |---|---|
//! | [`requests`] | what is asked of the painter, and what comes from it |
//! | [`tiles`] | the squares in which a land is painted, and the scales |
//! | [`painter`] | a thread: what the cells are, tiles, soldiers' pictures |
//! | [`posing`], [`instances`] | figures where they are now; as pictures on the screen, from north to south |
//! | [`past`] | the fallen, stuck arrows, walls that fell |
//! | [`signs`], [`rings`] | arrows, clouds, banners; rings around who is selected |
//! | [`by_card`], [`card`], [`sheet`], [`stuck`] | all of it drawn by the card |
//! | [`by_processor`], [`processor`], [`blit`] | all of it painted by the processor, for software drivers |

mod blit;
mod by_card;
mod by_processor;
mod card;
mod instances;
mod painter;
mod past;
mod posing;
mod processor;
mod requests;
mod rings;
mod sheet;
mod signs;
mod stuck;
mod tiles;

pub(crate) use past::Past;
pub(crate) use signs::{on_ground, view_of};

use super::agents::Sprite;
use super::banners::PlacedBanner;
use super::motion::Motion;
use super::palette;
use super::software;
use crate::shell::camera::Camera;
use crate::{Theme, ViewError};
use card::Card;
use ggez::graphics::GraphicsContext;
use instances::{ARMIES, Instance, Line};
use painter::Painter;
use posing::Posing;
use processor::Processor;
use rings::{Ring, Rings};
use sheet::SheetTexture;
use signs::Signs;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use stuck::StuckPictures;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_scene::figures::Figure;
use throng_scene::land::Land;
use throng_scene::painter::banner::Banners;
use throng_scene::painter::clouds::Clouds;
use throng_scene::painter::moment::Change;
use throng_scene::sprite::{Atlas, Pose};
use throng_sim::battle::Look;
use throng_sim::world::{Frame, SquadId};
use tiles::TileKey;

/// The fallen among some changes, as figures.
fn bodies(changes: &[Change]) -> impl Iterator<Item = (Figure, bool)> {
    changes.iter().filter_map(|change| {
        let Change::Fallen(fallen) = change else { return None };
        let pose = Pose::fallen(fallen.id as usize);
        let (foot, id, look) = (fallen.place, fallen.id, fallen.look);
        Some((Figure { foot, id, look, direction: fallen.direction, pose, army: fallen.army, speed: 0.0 }, true))
    })
}

/// The largest map that is shown as a landscape (m²): all of it is kept at a pixel a metre, 6 bytes each.
const MAX_GROUND_M2: f32 = 1.8e7;

/// What is shown.
pub(crate) struct ObliqueView<'a> {
    pub frame: &'a Frame,
    pub motion: &'a Motion,
    pub past: &'a Past,
    /// Squads that are selected.
    pub selected: &'a BTreeSet<SquadId>,
    /// Their banners.
    pub banners: &'a [PlacedBanner],
    /// Simulated time of a tick (s).
    pub step: f32,
}

impl ObliqueView<'_> {
    /// How long before the frame's time that is which is shown (s): its agents are on their way from the state before.
    fn before(&self) -> f32 {
        self.past.seconds().unwrap_or(self.step) * self.motion.left()
    }

    /// The simulated time that is shown (s).
    fn time(&self) -> f64 {
        self.frame.time - f64::from(self.before())
    }
}

/// The painter of it: the card, or the processor.
enum Backend {
    Card(Box<Card>),
    Processor(Box<Processor>),
}

impl Backend {
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
pub(crate) struct Oblique {
    painter: Painter,
    place: Backend,
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
    posing: Posing,
    line: Line,
    instances: Vec<Instance>,
    fallen: Vec<Instance>,
    /// For what the fallen were written.
    laid: Option<(Camera, (usize, u64), usize)>,
    signs: Signs,
    /// Their pictures.
    banners: Banners,
    clouds: Clouds,
    sheet: Option<SheetTexture>,
    stuck: StuckPictures,
    rings: Rings,
    ring_places: Vec<Ring>,
    /// Strokes and shadows of arrows for the card.
    pub sprites: [Vec<Sprite>; 2],
    window: [u32; 2],
}

impl Oblique {
    /// True where a map is not too large to be painted as a landscape.
    pub fn fits(grid: &Grid) -> bool {
        let size = grid.lattice().size();
        size.x * size.y <= MAX_GROUND_M2
    }

    /// Starts to paint a map.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn new(gfx: &GraphicsContext, grid: &Arc<Grid>, theme: Theme) -> Result<Self, ViewError> {
        let land = if theme == Theme::Building { Land::building } else { Land::of };
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let place = if software::paints(device) {
            Backend::Processor(Box::new(Processor::new(device, format)))
        } else {
            Backend::Card(Box::new(Card::new(device, queue, format)))
        };
        Ok(Self {
            painter: painter::start(Arc::clone(grid), land)?,
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
            posing: Posing::default(),
            line: Line::default(),
            instances: Vec::new(),
            fallen: Vec::new(),
            laid: None,
            signs: Signs::default(),
            banners: Banners::default(),
            clouds: Clouds::default(),
            sheet: None,
            stuck: StuckPictures::default(),
            rings: Rings::default(),
            ring_places: Vec::new(),
            sprites: [Vec::new(), Vec::new()],
            window: [0; 2],
        })
    }

    /// True where the picture would not change by itself.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Why the painter ended early.
    pub fn failure(&self) -> Option<String> {
        self.painter.failure()
    }

    /// True once there is something to show.
    pub fn is_ready(&self) -> bool {
        !self.atlases.is_empty() && self.has_ground()
    }

    /// Makes all ready to be drawn.
    pub fn prepare(&mut self, gfx: &GraphicsContext, camera: &Camera, view: &ObliqueView) {
        self.window = [gfx.frame().width(), gfx.frame().height()];
        let colours = std::array::from_fn(|army| palette::army_of(view.frame, Theme::Battle, army));
        if self.colours != colours {
            self.colours = colours;
            self.laid = None;
            match &mut self.place {
                Backend::Card(card) => card.dye(colours),
                Backend::Processor(processor) => processor.dye(colours),
            }
        }
        self.follow(camera, view.frame);
        self.posing.pose(view, camera.zoom);
        self.signs.gather(view, &self.posing, camera, self.window);
        let place = |row: usize| view.motion.place(view.frame, row);
        let scale = gfx.window().scale_factor() as f32;
        rings::around(view.frame, place, view.selected, (camera, scale), &mut self.ring_places);
        let atlas = self.best_atlas(camera);
        if let Some(atlas) = &atlas {
            let living = self.posing.figures.iter().map(|&figure| (figure, false));
            self.line.up(living, atlas, camera, self.window, &mut self.instances);
        }
        match &self.place {
            Backend::Card(_) => self.prepare_card(camera, atlas.as_ref(), view.past),
            Backend::Processor(_) => self.paint(gfx, camera, atlas.as_ref(), view.past),
        }
    }

    /// True where the card draws it: arrows are then drawn over it.
    pub fn is_by_card(&self) -> bool {
        matches!(self.place, Backend::Card(_))
    }

    /// Draws all of it into its picture, where the card does that.
    pub fn render(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera) {
        if let Backend::Card(card) = &mut self.place {
            card.render(encoder, camera, self.window, self.sheet.as_ref());
        }
    }

    /// Shows the picture.
    pub fn show(&self, pass: &mut wgpu::RenderPass) {
        match &self.place {
            Backend::Card(card) => card.show(pass),
            Backend::Processor(processor) => processor.draw(pass),
        }
    }
}
