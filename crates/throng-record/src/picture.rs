//! Pictures of a map and of the bodies on it.

use super::{Camera, ColourTable, RecordError, RenderOptions, font, palette};
use std::io::{self, Write};
use std::path::Path;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::whole_file::WholeFile;
use throng_grid::{Cell, Grid, Lattice};
use throng_sim::world::{Flight, RemainingRoute};

/// Length of the mark of a shot (m).
const SHOT_LENGTH_M: f32 = 1.4;

/// How far up in the picture what flies is drawn, of its height: as if seen from the side a little.
const HEIGHT_SHARE: f32 = 0.5;

/// From where to where the mark of a shot goes (m): its place, the higher the further up in the picture.
pub fn shot_mark(shot: &Flight) -> [Vec2; 2] {
    let [place, way] = [shot.at, shot.velocity].map(Vec3::truncate);
    let tail = place - throng_grid::geom::clamp_length(way, SHOT_LENGTH_M);
    let rise = |z: f32| Vec2::new(0.0, HEIGHT_SHARE * z);
    let slope = shot.velocity.z / shot.velocity.length().max(f32::MIN_POSITIVE);
    [tail - rise(shot.at.z - SHOT_LENGTH_M * slope), place - rise(shot.at.z)]
}

/// A sheet of palette indices, row by row; see [`palette`].
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_record::{Picture, palette};
/// let grid = Grid::open_plain(Lattice::new(32, 32, 1.0)?);
/// let (mut picture, camera) = Picture::map(&grid, 128);
/// let at = Vec2::new(16.0, 16.0);
/// picture.draw_agents(camera, &[at], &[Vec2::X], &[0.5], &[palette::army(0)]);
/// assert!(picture.pixels.contains(&palette::army(0)));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// One index a pixel.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, colour: u8) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// A picture of the whole map whose longer side is at most `longest` pixels, and its camera. A cell has a whole
    /// number of pixels, unless it would be less than one.
    pub fn map(grid: &Grid, longest: u32) -> (Self, Camera) {
        let (camera, width, height) = RenderOptions::new(longest).camera(grid);
        (Self::view(grid, camera, width, height), camera)
    }

    /// A picture of the part of the map that a camera sees.
    ///
    /// Where a pixel covers several cells, closed ones among them darken it more than their share, so that no thin
    /// wall is lost; of open ground the class of terrain in the middle counts.
    pub fn view(grid: &Grid, camera: Camera, width: u32, height: u32) -> Self {
        let mut picture = Self::new(width, height, palette::OUTSIDE);
        let (lattice, Camera { origin, scale }) = (grid.lattice(), camera);
        let columns = spans(origin.x, scale, width, lattice.width, lattice.cell_size);
        let rows = spans(origin.y, scale, height, lattice.height, lattice.cell_size);
        for (y, &(top, bottom)) in rows.iter().enumerate() {
            for (x, &(left, right)) in columns.iter().enumerate() {
                let mut closed = 0;
                for row in top..bottom {
                    let cells = (left..right).map(|column| lattice.cell(column, row));
                    closed += cells.filter(|&cell| !grid.is_open(cell) && !grid.is_water(cell)).count();
                }
                let cells = bottom.saturating_sub(top) as usize * right.saturating_sub(left) as usize;
                picture.pixels[y * width as usize + x] = match closed {
                    _ if cells == 0 => palette::OUTSIDE,
                    0 => palette::ground(
                        grid.terrain(lattice.cell(u32::midpoint(left, right), u32::midpoint(top, bottom))),
                    ),
                    _ if closed == cells => palette::WALL,
                    _ => {
                        let open = (cells - closed) as f32 / cells as f32;
                        palette::SHADE + ((1.0 - open * open) * f32::from(palette::SHADES - 1)).round() as u8
                    }
                };
            }
        }
        picture.draw_edges(((camera.scale * lattice.cell_size / 2.0) as usize).min(4));
        picture
    }

    /// Gives walls a dark face, and a shadow of `reach` pixels to the lower right.
    fn draw_edges(&mut self, reach: usize) {
        let (width, height) = (self.width as usize, self.height as usize);
        let flat = self.pixels.clone();
        let is_ground = |x: usize, y: usize| !matches!(flat[y * width + x], palette::WALL | palette::OUTSIDE);
        for y in 0..height {
            for x in 0..width {
                let out = &mut self.pixels[y * width + x];
                if *out == palette::WALL {
                    let beside = (x > 0 && is_ground(x - 1, y))
                        || (x + 1 < width && is_ground(x + 1, y))
                        || (y > 0 && is_ground(x, y - 1))
                        || (y + 1 < height && is_ground(x, y + 1));
                    if beside {
                        *out = palette::EDGE;
                    }
                } else if *out == palette::FLOOR {
                    let is_wall = |step: usize| flat[(y - step) * width + x - step] == palette::WALL;
                    if (1..=reach.min(x).min(y)).any(is_wall) {
                        *out = palette::SHADOW;
                    }
                }
            }
        }
    }

    /// Paints whole cells, for instance those that a search has expanded.
    pub fn draw_cells(&mut self, camera: Camera, lattice: Lattice, cells: impl IntoIterator<Item = Cell>, colour: u8) {
        let half = Vec2::splat(lattice.cell_size * 0.5);
        for cell in cells {
            let centre = lattice.centre(cell);
            let (from, to) = (camera.to_pixel(centre - half).round(), camera.to_pixel(centre + half).round());
            let (x, y) = (from.x as i32, from.y as i32);
            self.fill(x, y, (to.x as i32).saturating_sub(x).max(1), (to.y as i32).saturating_sub(y).max(1), colour);
        }
    }

    /// Draws the line through some points of the world (m), about half a cell wide and at least two pixels.
    pub fn draw_path(&mut self, camera: Camera, points: &[Vec2], colour: u8) {
        let thickness = (camera.scale * 0.5).round().clamp(2.0, 8.0);
        for pair in points.windows(2) {
            self.draw_line(camera.to_pixel(pair[0]), camera.to_pixel(pair[1]), thickness, colour);
        }
    }

    /// Draws a ringed dot at a point of the world (m), to mark a start or a goal.
    pub fn draw_mark(&mut self, camera: Camera, point: Vec2, colour: u8) {
        let (centre, radius) = (camera.to_pixel(point), (camera.scale * 0.6).clamp(3.5, 12.0));
        self.draw_disc(centre, radius + 1.5, palette::TEXT);
        self.draw_disc(centre, radius, colour);
    }

    /// Draws agents: squares while they are smaller than three pixels, then triangles that point along the heading,
    /// and from twelve pixels on discs with such a triangle inside.
    ///
    /// One position (m), heading (any length; zero = not moving), radius (m) and colour an agent.
    pub fn draw_agents(
        &mut self,
        camera: Camera,
        positions: &[Vec2],
        headings: &[Vec2],
        radii: &[f32],
        colours: &[u8],
    ) {
        debug_assert!([headings.len(), radii.len(), colours.len()] == [positions.len(); 3]);
        for (((&position, &heading), &radius), &colour) in positions.iter().zip(headings).zip(radii).zip(colours) {
            let (centre, radius) = (camera.to_pixel(position), radius * camera.scale);
            if radius < 1.5 {
                let side = (2.0 * radius).ceil().max(1.0);
                let corner = (centre - Vec2::splat((side - 1.0) * 0.5)).floor();
                self.fill(corner.x as i32, corner.y as i32, side as i32, side as i32, colour);
            } else if radius < 6.0 {
                self.draw_arrow(centre, heading, radius * 1.2, colour);
            } else {
                self.draw_disc(centre, radius, palette::dark(colour));
                self.draw_disc(centre, radius - 1.0, colour);
                self.draw_arrow(centre, heading, radius * 0.7, palette::dark(colour));
            }
        }
    }

    /// Draws discs, those of two pixels and more with a darker rim. The columns are of the same length.
    pub fn draw_discs(&mut self, camera: Camera, positions: &[Vec2], radii: &[f32], colours: &[u8]) {
        debug_assert!([radii.len(), colours.len()] == [positions.len(); 2]);
        for ((&position, &radius), &colour) in positions.iter().zip(radii).zip(colours) {
            let (centre, radius) = (camera.to_pixel(position), radius * camera.scale);
            if radius < 2.0 {
                self.draw_disc(centre, radius.max(0.6), colour);
            } else {
                self.draw_disc(centre, radius, palette::dark(colour));
                self.draw_disc(centre, radius - 1.0, colour);
            }
        }
    }

    /// A triangle with its nose along the heading, or a disc without one.
    fn draw_arrow(&mut self, centre: Vec2, heading: Vec2, size: f32, colour: u8) {
        let ahead = throng_grid::geom::unit(heading) * size;
        if ahead == Vec2::ZERO {
            return self.draw_disc(centre, size * 0.8, colour);
        }
        let (tail, side) = (centre - ahead * 0.7, ahead.perp() * 0.7);
        self.draw_triangle([centre + ahead, tail + side, tail - side], colour);
    }

    /// Draws remaining routes, in the colours of their armies, with a dot at their ends.
    pub(super) fn draw_routes(&mut self, camera: Camera, routes: &[RemainingRoute]) {
        // Half a pixel more, so that no line of one pixel has gaps.
        let size = self.dot() as f32 + 0.5;
        for route in routes {
            let colour = palette::bright(palette::army(route.army.0.into()));
            // Dark on light ground and light on a dark crowd.
            for (wider, colour) in [(2.0, palette::EDGE), (0.0, colour)] {
                for pair in route.points.windows(2) {
                    self.draw_line(camera.to_pixel(pair[0]), camera.to_pixel(pair[1]), size + wider, colour);
                }
                if let Some(&end) = route.points.last() {
                    self.draw_disc(camera.to_pixel(end), 1.5 * size + 0.5 * wider, colour);
                }
            }
        }
    }

    /// Draws links: a line from the start to the end, and a dot at the end.
    pub(super) fn draw_links(&mut self, camera: Camera, links: &[[Vec2; 2]]) {
        for link in links {
            let [from, to] = link.map(|end| camera.to_pixel(end));
            self.draw_line(from, to, 1.5, palette::EDGE);
            self.draw_disc(to, (0.25 * camera.scale).clamp(2.0, 6.0), palette::EDGE);
        }
    }

    /// Draws shots in the air: the shadow on the ground, and the shot above it, the higher the further up in the picture.
    pub(super) fn draw_shots(&mut self, camera: Camera, shots: &[Flight]) {
        for shot in shots {
            let [tail, head] = shot_mark(shot).map(|end| camera.to_pixel(end));
            let size = (0.12 * camera.scale).max(1.0);
            self.draw_disc(camera.to_pixel(shot.at.truncate()), 0.5 * size, palette::SHADOW);
            self.draw_line(tail, head, size, palette::EDGE);
        }
    }

    /// Writes text with its upper left corner at a pixel, `size` pixels to a dot of the font (5 x 7 dots a letter);
    /// returns where the next letter would start. Letters that the font lacks are drawn as boxes.
    pub fn draw_text(&mut self, x: i32, y: i32, size: u32, text: &str, colour: u8) -> i32 {
        let (size, mut x) = (size.clamp(1, 1 << 16) as i32, x);
        for letter in text.chars() {
            for (row, bits) in (0..).zip(font::glyph(letter)) {
                for column in
                    (0..font::WIDTH as i32).filter(|column| bits >> (font::WIDTH as i32 - 1 - column) & 1 == 1)
                {
                    self.fill(x.saturating_add(column * size), y.saturating_add(row * size), size, size, colour);
                }
            }
            x = x.saturating_add((font::WIDTH as i32 + 1) * size);
        }
        x
    }

    /// Writes the picture as a PNG file with 8 bits a pixel, whole or not at all.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        self.write_png_at(path.as_ref(), &ColourTable::plan())
    }

    /// Writes the picture as [`write_png`](Self::write_png), in the colours of another table.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn write_png_with(&self, path: impl AsRef<Path>, table: &ColourTable) -> Result<(), RecordError> {
        self.write_png_at(path.as_ref(), table)
    }

    fn write_png_at(&self, path: &Path, table: &ColourTable) -> Result<(), RecordError> {
        let attempt = || -> io::Result<()> {
            let mut out = WholeFile::create(path)?;
            let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_palette(table.flat());
            encoder.set_compression(png::Compression::Balanced);
            // Neighbouring indices are no neighbouring colours: filters only do harm.
            encoder.set_filter(png::Filter::NoFilter);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&self.pixels)?;
            writer.finish()?;
            out.flush()?;
            out.finish()
        };
        attempt().map_err(RecordError::write(path))
    }
}

/// The columns (rows) of cells under each column (row) of pixels, first and one past the last; empty off the map.
/// `origin` (m) is where the first pixel begins.
fn spans(origin: f32, scale: f32, pixels: u32, cells: u32, cell_size: f32) -> Vec<(u32, u32)> {
    let cell_at = |pixel: f32| (origin + pixel / scale) / cell_size;
    let fine = scale * cell_size >= 1.0;
    let span = |pixel: u32| {
        let middle = cell_at(pixel as f32 + 0.5);
        if !(middle >= 0.0 && middle < cells as f32) {
            return (0, 0);
        }
        if fine {
            return (middle as u32, middle as u32 + 1);
        }
        let (from, to) = (cell_at(pixel as f32).max(0.0).floor(), cell_at(pixel as f32 + 1.0).ceil());
        (from as u32, (to as u32).min(cells))
    };
    (0..pixels).map(span).collect()
}
