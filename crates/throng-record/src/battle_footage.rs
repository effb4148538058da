//! The frames of a film of a battle: kept as moments, painted when the film is written.

use super::battle_scene::{BattleMoment, BattleScene};
use super::film_reel::FilmReel;
use super::{ColourPicture, ColourSample, Picture, Quantiser};
use rayon::prelude::*;
use throng_scene::painter::BattlePainter;
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
const MOST_PAINTERS: usize = 8;

/// Moments, and the frames that were painted already.
#[derive(Debug)]
pub(super) struct BattleFootage {
    scene: BattleScene,
    moments: Vec<BattleMoment>,
    painted: Option<Painted>,
}

/// A film whose colours are chosen.
#[derive(Debug)]
struct Painted {
    /// One for each thread; all of them paint in the order of time.
    painters: Vec<BattlePainter>,
    quantiser: Quantiser,
    reel: FilmReel,
}

impl BattleFootage {
    pub fn new(scene: BattleScene) -> Self {
        Self { scene, moments: Vec::new(), painted: None }
    }

    /// Frames so far.
    pub fn len(&self) -> usize {
        self.moments.len() + self.painted.as_ref().map_or(0, |painted| painted.reel.len())
    }

    /// Takes in a state of the run.
    pub fn show(&mut self, frame: &Frame) {
        self.scene.show(frame);
    }

    /// Adds the state that was shown last as a frame.
    pub fn push(&mut self, frame: &Frame) {
        self.moments.push(self.scene.moment(frame));
    }

    /// Forgets every second frame, from the second on; none may be painted yet.
    pub fn halve(&mut self) {
        let mut even = false;
        self.moments.retain(|_| {
            even = !even;
            even
        });
    }

    /// Takes frames off the end; none may be painted yet but for the last one.
    pub fn truncate(&mut self, len: usize) {
        match &mut self.painted {
            Some(painted) if self.moments.is_empty() => painted.reel.truncate(len),
            painted => {
                let before = painted.as_ref().map_or(0, |painted| painted.reel.len());
                self.moments.truncate(len.saturating_sub(before));
            }
        }
    }

    /// Of a film of any length: paints what has gathered, so that it takes less memory.
    pub fn settle(&mut self) {
        let enough = if self.painted.is_some() { BATCH } else { SETTLED };
        if self.moments.len() >= enough {
            develop(&mut self.scene, &mut self.moments, &mut self.painted);
        }
    }

    /// Paints all moments, and the state that was shown last as the end; returns the film and its end.
    pub fn finish(&mut self, last: &Frame) -> (&FilmReel, Picture) {
        let end = self.scene.moment(last);
        if self.moments.is_empty() && self.painted.is_none() {
            // Nothing but the end: its own colours.
            self.moments.push(self.scene.moment(last));
            develop(&mut self.scene, &mut self.moments, &mut self.painted).reel.truncate(0);
        }
        let Painted { painters, quantiser, reel } = develop(&mut self.scene, &mut self.moments, &mut self.painted);
        let end = quantiser.quantise(&self.scene.paint(&mut painters[0], &end));
        (reel, end)
    }
}

/// Paints all moments and adds them to the film; chooses its colours, unless that is done.
fn develop<'a>(
    scene: &mut BattleScene,
    moments: &mut Vec<BattleMoment>,
    painted: &'a mut Option<Painted>,
) -> &'a mut Painted {
    let painted = painted.get_or_insert_with(|| {
        let threads = rayon::current_num_threads().clamp(1, MOST_PAINTERS);
        let painters = vec![scene.painter(&moments[0]); threads];
        let mut sample = ColourSample::default();
        let step = moments.len().div_ceil(SAMPLED).max(1);
        let some: Vec<&BattleMoment> = moments.iter().step_by(step).collect();
        for picture in paint(scene, &mut painters.clone(), &some, |picture| picture) {
            sample.add(&picture);
        }
        let required = scene.required_colours();
        let quantiser = Quantiser::new(sample.table(&required), &required);
        let reel = FilmReel::new(quantiser.table().clone(), TOLERANCE);
        Painted { painters, quantiser, reel }
    });
    let Painted { painters, quantiser, reel } = &mut *painted;
    for batch in moments.chunks(BATCH) {
        let batch: Vec<&BattleMoment> = batch.iter().collect();
        for picture in paint(scene, painters, &batch, |picture| quantiser.quantise(&picture)) {
            reel.push(&picture);
        }
    }
    moments.clear();
    painted
}

/// Paints moments, a part of them with each painter, and returns what `finish` makes of the pictures, in order.
fn paint<T: Send>(
    scene: &BattleScene,
    painters: &mut [BattlePainter],
    moments: &[&BattleMoment],
    finish: impl Fn(ColourPicture) -> T + Sync,
) -> Vec<T> {
    let part = moments.len().div_ceil(painters.len()).max(1);
    let parts = painters.par_iter_mut().zip(moments.par_chunks(part));
    let painted: Vec<Vec<T>> = parts
        .map(|(painter, moments)| moments.iter().map(|moment| finish(scene.paint(painter, moment))).collect())
        .collect();
    painted.into_iter().flatten().collect()
}
