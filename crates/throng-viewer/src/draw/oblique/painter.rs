//! A thread that paints: it tells what the cells of a map are, paints tiles of the land and bakes soldiers.

use super::tiles::{Area, Sheet, TileKey, around};
use crate::ViewError;
use crate::draw::software;
use crate::shell::worker::{Next, Requests, Worker};
use rayon::ThreadPoolBuildError;
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_scene::edits::changed;
use throng_scene::land::Land;
use throng_scene::painter::Canvas;
use throng_scene::painter::grade::Grade;
use throng_scene::painter::plants::Plants;
use throng_scene::scenery::{Extra, Tile, paint};
use throng_scene::sprite::Atlas;
use throng_sim::battle::Look;

/// What the window asks for.
#[derive(Default)]
pub struct PaintRequests {
    /// Another revision of the map.
    pub grid: Option<Arc<Grid>>,
    /// Tiles that are missing, the most urgent first.
    pub tiles: Vec<TileKey>,
    /// Soldiers of these looks at so many pixels a metre.
    pub atlas: Option<(f32, Vec<Look>)>,
    /// There are none yet: they come before tiles.
    pub soldiers_first: bool,
}

impl Requests for PaintRequests {
    const CLOSING_TIME: Option<Duration> = Some(Duration::from_millis(300));

    fn cancel(&mut self) {
        self.tiles.clear();
        self.atlas = None;
    }
}

/// A tile of the ground with all that stands on it, graded.
pub struct PaintedTile {
    pub key: TileKey,
    pub area: Area,
    /// The ground at its upper edge (m).
    pub north: f32,
    pub tile: Tile,
}

/// What is done.
pub enum Painted {
    /// The cells of a map of this size (m) and revision are told apart: tiles can be painted.
    Land(Vec2, u32),
    /// The land has changed in these rectangles (m), as far as that is seen, up to this revision of the map.
    Edited(Vec<[Vec2; 2]>, u32),
    Tile(Box<PaintedTile>),
    /// Soldiers of these looks.
    Atlas(Arc<Atlas>, Vec<Look>),
}

enum Job {
    Land(Arc<Grid>),
    Tiles(Vec<TileKey>),
    Atlas(f32, Vec<Look>),
}

pub type Painter = Worker<PaintRequests, (), Painted>;

/// Starts the thread; it paints with all threads of the machine but one.
///
/// # Errors
/// Where the system has no thread left.
pub fn start(grid: Arc<Grid>, land_of: fn(&Grid) -> Land) -> Result<Painter, ViewError> {
    let requests = PaintRequests { grid: Some(grid), ..PaintRequests::default() };
    Worker::start("painter", requests, move |desk| {
        assert!(!software::fails(), "it was told to fail");
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).clamp(1, 8));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut land: Option<(Arc<Grid>, Land)> = None;
        // For the last scales: of the coarse picture, and of what is looked at.
        let mut plants: Vec<Plants> = Vec::new();
        let next = |requests: &mut PaintRequests| {
            if let Some(grid) = requests.grid.take() {
                Next::Step(Job::Land(grid))
            } else if let Some((scale, looks)) =
                requests.atlas.take_if(|_| requests.soldiers_first || requests.tiles.is_empty())
            {
                Next::Step(Job::Atlas(scale, looks))
            } else if requests.tiles.is_empty() {
                Next::Idle
            } else {
                // Plants are drawn for one scale at a time.
                let scale = requests.tiles[0].scale();
                let count = requests.tiles.iter().take(threads).take_while(|key| key.scale() == scale).count();
                Next::Step(Job::Tiles(requests.tiles.drain(..count).collect()))
            }
        };
        while let Some(job) = desk.wait(next) {
            // The window that would read it may have closed.
            let tell = |news| drop(desk.news.send(news));
            match job {
                Job::Land(grid) => tell(pool.install(|| follow(&mut land, &grid, land_of))),
                Job::Atlas(scale, looks) => {
                    let atlas = Arc::new(pool.install(|| Atlas::bake(scale, &looks)));
                    tell(Painted::Atlas(atlas, looks));
                }
                Job::Tiles(keys) => {
                    let Some((grid, land)) = &land else { continue };
                    let map = grid.lattice().size();
                    let tiles: Vec<PaintedTile> = pool.install(|| {
                        let plants = prepare(&mut plants, land, map, &keys);
                        keys.par_iter().with_max_len(1).map(|&key| tile(land, map, plants, key)).collect()
                    });
                    for tile in tiles {
                        tell(Painted::Tile(Box::new(tile)));
                    }
                }
            }
        }
        Ok::<(), ThreadPoolBuildError>(())
    })
}

/// Tells what the cells of a map are, or follows its edits.
fn follow(land: &mut Option<(Arc<Grid>, Land)>, grid: &Arc<Grid>, land_of: fn(&Grid) -> Land) -> Painted {
    if let Some((shown, land)) = land.as_mut()
        && shown.lattice() == grid.lattice()
    {
        let cells = changed(shown, grid);
        *shown = Arc::clone(grid);
        let edited = if cells.is_empty() { Vec::new() } else { land.edit(grid, &cells) };
        let areas = edited.into_iter().map(|(low, high)| around([low, high])).collect();
        return Painted::Edited(areas, grid.revision());
    }
    let size = grid.lattice().size();
    *land = Some((Arc::clone(grid), land_of(grid)));
    Painted::Land(size, grid.revision())
}

/// The plants for some tiles of one scale, drawn.
fn prepare<'a>(plants: &'a mut Vec<Plants>, land: &Land, map: Vec2, keys: &[TileKey]) -> &'a Plants {
    let scale = keys.first().map_or(1.0, |key| key.scale());
    let grade = Grade::default();
    let index = plants.iter().position(|plants| plants.scale() == scale).unwrap_or_else(|| {
        plants.truncate(MAX_PLANT_SCALES - 1);
        plants.insert(0, Plants::new(scale, &grade));
        0
    });
    let sheet = Sheet::new(map, scale);
    for &key in keys {
        let area = sheet.area(key);
        let view = sheet.view(area);
        let far = view.to_ground(Vec2::from(area.size.map(|side| side as f32)));
        plants[index].prepare(land, view.origin, far);
    }
    &plants[index]
}

/// Scales for which plants are kept.
const MAX_PLANT_SCALES: usize = 3;

fn tile(land: &Land, map: Vec2, plants: &Plants, key: TileKey) -> PaintedTile {
    let sheet = Sheet::new(map, key.scale());
    let area = sheet.area(key);
    let view = sheet.view(area);
    let mut tile = paint(land, &Extra::default(), view, area.size[0] as u32, area.size[1] as u32);
    Grade::default().opaque(&mut tile.pixels);
    let pixels = std::mem::take(&mut tile.pixels);
    let mut canvas = Canvas { width: tile.width as usize, height: tile.height as usize, pixels };
    plants.plant(land, view, &mut canvas, &mut tile.front);
    tile.pixels = canvas.pixels;
    PaintedTile { key, area, north: view.origin.y, tile }
}
