//! The end of a run as a picture.

use super::frame_painter::{Artist, FramePainter, Sheet};
use super::frame_renderer::FrameRenderer;
use super::{ColourTable, RecordError, RenderOptions, Sink};
use std::path::{Path, PathBuf};
use throng_grid::Grid;
use throng_sim::world::Frame;

/// A PNG of the last state of a run.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_record::{Sink, Still};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// let mut still = Still::new(folder.path().join("run.png"), &grid, 256);
/// still.frame(&Frame::default())?;
/// assert!(Box::new(still).finish()?.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Still {
    path: PathBuf,
    artist: Artist,
    /// The colours of a plan.
    table: ColourTable,
    last: Frame,
}

impl Still {
    /// A picture of the whole map, whose longer side has at most `longest` pixels.
    pub fn new(path: impl AsRef<Path>, grid: &Grid, longest: u32) -> Self {
        Self::new_at(path.as_ref(), grid, longest)
    }

    fn new_at(path: &Path, grid: &Grid, longest: u32) -> Self {
        Self::with_options(path, grid, RenderOptions::new(longest))
    }

    /// A picture with other options.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{RenderOptions, MeasurementArea, Sink, Still};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("gate.png");
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let view = Some(MeasurementArea::wide(Vec2::new(20.0, 20.0), 16.0));
    /// let mut still = Still::with_options(&path, &grid, RenderOptions { view, legend: false, ..RenderOptions::new(1024) });
    /// still.frame(&Frame::default())?;
    /// Box::new(still).finish()?;
    /// // The width and the height in the header of the PNG.
    /// let bytes = std::fs::read(&path)?;
    /// assert_eq!((&bytes[16..20], &bytes[20..24]), (&1024_u32.to_be_bytes()[..], &768_u32.to_be_bytes()[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(path: impl AsRef<Path>, grid: &Grid, options: RenderOptions) -> Self {
        Self::with_artist(
            path.as_ref(),
            Artist::Plan(Box::new(FrameRenderer::new(grid, options))),
            ColourTable::of(options.theme),
        )
    }

    /// A picture in true colour.
    pub fn with_painter(path: impl AsRef<Path>, painter: Box<dyn FramePainter>) -> Self {
        Self::with_artist(path.as_ref(), Artist::Painter(painter), ColourTable::plan())
    }

    fn with_artist(path: &Path, artist: Artist, table: ColourTable) -> Self {
        Self { path: path.to_path_buf(), artist, table, last: Frame::default() }
    }
}

impl Sink for Still {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.artist.show(frame);
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        match self.artist.draw(&self.last) {
            Sheet::Indexed(picture) => {
                picture.write_png_with(&self.path, &self.table.with_armies(&self.last.colours))?;
            }
            Sheet::Coloured(picture) => picture.write_png(&self.path)?,
        }
        Ok(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette;
    use throng_grid::Lattice;
    use throng_grid::geom::Vec2;

    #[test]
    fn the_fallen_stay_in_the_picture() {
        let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        let mut still = Still::new("unused.png", &grid, 8);
        still.frame(&Frame { fallen: vec![Vec2::new(2.5, 3.5), Vec2::new(-1e9, 1e9)], ..Frame::default() }).unwrap();
        still.frame(&Frame::default()).unwrap();
        let last = still.last.clone();
        assert_eq!(still.artist.draw(&last).bytes()[3 * 8 + 2], palette::FALLEN);
    }
}
