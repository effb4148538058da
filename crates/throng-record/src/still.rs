//! The end of a run as a picture.

use super::battle_scene::BattleScene;
use super::frame_renderer::FrameRenderer;
use super::{ColourTable, RecordError, RenderOptions, Sink, Theme};
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
    subject: Subject,
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
    /// use throng_record::{Framing, MeasurementArea, RenderOptions, Sink, Still, Theme};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("gate.png");
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let framing = Framing::Area(MeasurementArea::wide(Vec2::new(20.0, 20.0), 16.0));
    /// let options = RenderOptions { framing, legend: false, theme: Theme::Plan, ..RenderOptions::new(1024) };
    /// let mut still = Still::with_options(&path, &grid, options);
    /// still.frame(&Frame::default())?;
    /// Box::new(still).finish()?;
    /// // The width and the height in the header of the PNG.
    /// let bytes = std::fs::read(&path)?;
    /// assert_eq!((&bytes[16..20], &bytes[20..24]), (&1024_u32.to_be_bytes()[..], &768_u32.to_be_bytes()[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(path: impl AsRef<Path>, grid: &Grid, options: RenderOptions) -> Self {
        Self::with_options_at(path.as_ref(), grid, options)
    }

    fn with_options_at(path: &Path, grid: &Grid, options: RenderOptions) -> Self {
        let subject = match options.theme {
            Theme::Battle | Theme::Building => Subject::Battle(Box::new(BattleScene::new(grid, options))),
            Theme::Plan | Theme::Dark => Subject::Plan {
                renderer: Box::new(FrameRenderer::new(grid, options)),
                table: ColourTable::of(options.theme),
                last: Box::default(),
            },
        };
        Self { path: path.to_path_buf(), subject }
    }

    /// A picture of the end of a scene.
    pub(super) fn of_scene(path: &Path, scene: BattleScene) -> Self {
        Self { path: path.to_path_buf(), subject: Subject::Battle(Box::new(scene)) }
    }
}

/// What draws the picture.
#[derive(Debug)]
enum Subject {
    Plan { renderer: Box<FrameRenderer>, table: ColourTable, last: Box<Frame> },
    Battle(Box<BattleScene>),
}

impl Sink for Still {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        match &mut self.subject {
            Subject::Plan { renderer, last, .. } => {
                renderer.show(frame);
                last.as_mut().clone_from(frame);
            }
            Subject::Battle(scene) => scene.show(frame),
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        match &mut self.subject {
            Subject::Plan { renderer, table, last } => {
                let table = table.clone().with_armies(&last.colours);
                renderer.draw(last).write_png_with(&self.path, &table)?;
            }
            Subject::Battle(scene) => {
                let moment = scene.moment();
                let mut painter = scene.painter();
                scene.paint(&mut painter, &moment).write_png(&self.path)?;
            }
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
        let plan = RenderOptions { theme: Theme::Plan, ..RenderOptions::new(8) };
        let mut still = Still::with_options("unused.png", &grid, plan);
        still.frame(&Frame { fallen: vec![Vec2::new(2.5, 3.5), Vec2::new(-1e9, 1e9)], ..Frame::default() }).unwrap();
        still.frame(&Frame::default()).unwrap();
        let Subject::Plan { renderer, last, .. } = &mut still.subject else { panic!("a plan was asked for") };
        assert_eq!(renderer.draw(last).pixels[3 * 8 + 2], palette::FALLEN);
    }
}
