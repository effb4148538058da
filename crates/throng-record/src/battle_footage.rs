//! The frames of a film of a battle: kept as moments, painted when the film is written.

use super::battle_scene::{BattleMoment, BattleScene, FramePainter};
use super::film_reel::FilmReel;
use super::planes::Planes;
use super::y4m_writer::Y4mWriter;
use super::{ColourPicture, ColourSample, Picture, Quantiser, RecordError, RenderOptions};
use rayon::prelude::*;
use throng_sim::world::Frame;

/// Moments from which the colours of a film are chosen, at most.
const SAMPLED: usize = 8;

/// Moments after which the colours of a film of any length are chosen.
const SETTLED: usize = 64;

/// Moments that are painted at a time.
const BATCH: usize = 16;

/// A pixel of a film stays while its new colour is so many steps of grey away.
const TOLERANCE: u8 = 4;

/// The greatest number of painters, each with a picture of its own.
const MOST_EASELS: usize = 8;

/// Moments, and the frames that were painted already.
#[derive(Debug)]
pub(super) struct BattleFootage {
    scene: BattleScene,
    moments: Vec<BattleMoment>,
    /// One for each thread, once something was painted; all of them paint in the order of time.
    painters: Vec<FramePainter>,
    film: Option<QuantisedFilm>,
}

/// A film whose colours are chosen.
#[derive(Debug)]
struct QuantisedFilm {
    quantiser: Quantiser,
    reel: FilmReel,
}

impl BattleFootage {
    pub fn new(scene: BattleScene) -> Self {
        Self { scene, moments: Vec::new(), painters: Vec::new(), film: None }
    }

    /// Frames so far that are not in a video.
    pub fn len(&self) -> usize {
        self.moments.len() + self.film.as_ref().map_or(0, |film| film.reel.len())
    }

    /// Another scene of the same run, which is shown the same states.
    pub fn fork(&self, options: RenderOptions) -> BattleScene {
        self.scene.fork(options)
    }

    /// Whether the camera moves.
    pub fn moves(&self) -> bool {
        self.scene.moves()
    }

    /// Takes in a state of the run.
    pub fn show(&mut self, frame: &Frame) {
        self.scene.show(frame);
    }

    /// Takes in a state that will be shown.
    pub fn preview(&mut self, frame: &Frame) {
        self.scene.preview(frame);
    }

    /// Adds the state that was shown last as a frame.
    pub fn push(&mut self) {
        self.moments.push(self.scene.moment());
    }

    /// Forgets every second frame, from the second on; none may be painted yet.
    pub fn halve(&mut self) {
        let mut even = false;
        self.moments.retain(|_| {
            even = !even;
            even
        });
    }

    /// Takes frames off the end; none may be painted yet.
    pub fn truncate(&mut self, len: usize) {
        self.moments.truncate(len);
    }

    /// Of a film of any length: paints what has gathered, if that is enough, so that it takes less memory.
    ///
    /// # Errors
    /// [`RecordError`] where a video cannot be written.
    pub fn settle(&mut self, video: Option<&mut Y4mWriter>) -> Result<(), RecordError> {
        let enough = if self.painters.is_empty() { SETTLED } else { BATCH };
        if self.moments.len() >= enough {
            match video {
                Some(video) => self.render_video(video)?,
                None => _ = self.quantise(),
            }
        }
        Ok(())
    }

    /// Paints all moments, and the state that was shown last as the end; returns the film and its end.
    pub fn finish(&mut self) -> (&FilmReel, Picture) {
        let end = self.scene.moment();
        if self.len() == 0 {
            // Nothing but the end: its own colours.
            self.moments.push(self.scene.moment());
            self.quantise().reel.truncate(0);
        }
        self.quantise();
        let picture =
            self.painters.first_mut().map(|painter| self.scene.paint(painter, &end).clone()).unwrap_or_default();
        let QuantisedFilm { quantiser, reel } = self.quantise();
        (reel, quantiser.quantise(&picture))
    }

    /// Paints all moments onto a video, and returns the state that was shown last as its end.
    ///
    /// # Errors
    /// [`RecordError`] where the video cannot be written.
    pub fn finish_video(&mut self, video: &mut Y4mWriter) -> Result<Planes, RecordError> {
        let end = self.scene.moment();
        self.render_video(video)?;
        Ok(self.painters.first_mut().map(|painter| Planes::of(self.scene.paint(painter, &end))).unwrap_or_default())
    }

    /// Paints all moments onto a video.
    fn render_video(&mut self, video: &mut Y4mWriter) -> Result<(), RecordError> {
        self.prepare();
        for batch in self.moments.chunks(BATCH) {
            let batch: Vec<&BattleMoment> = batch.iter().collect();
            for planes in paint(&self.scene, &mut self.painters, &batch, Planes::of) {
                video.frame(&planes)?;
            }
        }
        self.moments.clear();
        Ok(())
    }

    /// Paints all moments and adds them to the film; chooses its colours, unless that is done.
    fn quantise(&mut self) -> &mut QuantisedFilm {
        self.prepare();
        let Self { scene, moments, painters, film } = self;
        let film = film.get_or_insert_with(|| {
            let mut sample = ColourSample::default();
            let step = moments.len().div_ceil(SAMPLED).max(1);
            let some: Vec<&BattleMoment> = moments.iter().step_by(step).collect();
            for picture in paint(scene, &mut painters.clone(), &some, ColourPicture::clone) {
                sample.add(&picture);
            }
            let required = scene.required_colours();
            let quantiser = Quantiser::new(sample.table(&required), &required);
            let reel = FilmReel::new(quantiser.table().clone(), TOLERANCE);
            QuantisedFilm { quantiser, reel }
        });
        for batch in moments.chunks(BATCH) {
            let batch: Vec<&BattleMoment> = batch.iter().collect();
            for picture in paint(scene, painters, &batch, |picture| film.quantiser.quantise(picture)) {
                film.reel.push(&picture);
            }
        }
        moments.clear();
        film
    }

    /// Chooses what is seen, unless that is done.
    fn prepare(&mut self) {
        if self.painters.is_empty() {
            let threads = rayon::current_num_threads().clamp(1, MOST_EASELS);
            self.painters = vec![self.scene.painter(); threads];
        }
    }
}

/// Paints moments, a part of them with each painter, and returns what `finish` makes of the pictures, in order.
fn paint<T: Send>(
    scene: &BattleScene,
    painters: &mut [FramePainter],
    moments: &[&BattleMoment],
    finish: impl Fn(&ColourPicture) -> T + Sync,
) -> Vec<T> {
    let part = moments.len().div_ceil(painters.len()).max(1);
    let parts = painters.par_iter_mut().zip(moments.par_chunks(part));
    let painted: Vec<Vec<T>> = parts
        .map(|(painter, moments)| moments.iter().map(|moment| finish(scene.paint(painter, moment))).collect())
        .collect();
    painted.into_iter().flatten().collect()
}
