//! Spatial indices against each other: the same bodies in motion for all, and the time of each to find the pairs.
//!
//! ```
//! use std::ops::ControlFlow::Continue;
//! use throng_compare::indices::{IndexSettings, measure};
//! use throng_spatial::{IndexKind, IndexSpec, Scene, SceneKind};
//!
//! let entrants = [IndexKind::Brute, IndexKind::Grid].map(IndexSpec::from);
//! let scene = Scene::new(SceneKind::Uniform, 500, 0.15, 1)?;
//! let figures = measure("uniform", &scene, &entrants, &IndexSettings::default(), &mut |_, _| Continue(()))?;
//! assert_eq!(figures[0].pairs, figures[1].pairs);
//! assert_eq!(figures[0].tests, 500 * 499 / 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod figures;
#[cfg(feature = "plots")]
mod plot;
#[cfg(test)]
mod tests;

pub use figures::{IndexFigures, write_csv};
#[cfg(feature = "plots")]
pub use plot::{plot, write_plot};

use super::CompareError;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use throng_spatial::{Census, Index, IndexSpec, Pairs, Scene, SpatialIndex};

/// How much is measured.
///
/// By default 20 frames, and no more than a second for each index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSettings {
    /// Frames, at most.
    pub frames: u32,
    /// The time that one index may spend before it has done all frames; two frames are done in any case.
    pub time: Duration,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self { frames: 20, time: Duration::from_secs(1) }
    }
}

/// Lets every index in `entrants` index the same frames of a scene and find all pairs in each; calls `progress(done, of)` after
/// each, which may stop it: then the figures are of those so far.
///
/// An entrant has its frames to itself, so that its memory stays in the caches as far as it fits. The first frame, which
/// fills the index from nothing, does not count. Medians of the times of the other ones make the figures; tests and pairs
/// are those of the second frame, which all have done.
///
/// # Errors
/// [`CompareError::Index`] where an index refuses the bodies, [`CompareError::Disagree`] where two have not found the same
/// pairs.
pub fn measure(
    label: &str,
    scene: &Scene,
    entrants: &[IndexSpec],
    settings: &IndexSettings,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<IndexFigures>, CompareError> {
    let mut all = Vec::with_capacity(entrants.len());
    // Of the entrant that has done the most frames: its name, and a sum over the pairs of each.
    let mut known = (String::new(), Vec::new());
    for (done, entrant) in entrants.iter().enumerate() {
        let (figures, sums) = run(label, scene, entrant, settings)?;
        if let Some(frame) = sums.iter().zip(&known.1).position(|(ours, theirs)| ours != theirs) {
            return Err(CompareError::Disagree {
                scene: label.to_owned(),
                frame,
                one: known.0,
                other: entrant.to_string(),
            });
        }
        if sums.len() > known.1.len() {
            known = (entrant.to_string(), sums);
        }
        all.push(figures);
        if progress(done + 1, entrants.len()).is_break() {
            break;
        }
    }
    Ok(all)
}

/// One entrant: its figures, and a sum for the pairs of each frame.
fn run(
    label: &str,
    scene: &Scene,
    entrant: &IndexSpec,
    settings: &IndexSettings,
) -> Result<(IndexFigures, Vec<u64>), CompareError> {
    let refused = |source| CompareError::Index { index: entrant.to_string(), source };
    let mut scene = scene.clone();
    let mut index = Index::from(*entrant);
    let mut pairs = Pairs::default();
    let (mut builds, mut finds, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    let (mut tests, mut found, mut spent) = (0, 0, Duration::ZERO);
    for frame in 0..settings.frames.max(2) {
        let bodies = scene.bodies();
        let start = Instant::now();
        if frame == 0 { index.rebuild(bodies) } else { index.update(bodies) }.map_err(refused)?;
        let build = start.elapsed();
        let start = Instant::now();
        let tested = index.collect_pairs(bodies, &mut pairs);
        let find = start.elapsed();
        sums.push(pairs.iter().fold(0, |sum: u64, (i, j)| sum.wrapping_add(mixed(i, j))));
        if frame == 1 {
            (tests, found) = (tested, pairs.len() as u64);
        }
        if frame > 0 {
            builds.push(build.as_secs_f64());
            finds.push(find.as_secs_f64());
        }
        spent += build + find;
        if frame > 0 && spent > settings.time {
            break;
        }
        scene.step();
    }
    let agents = scene.position.len() as u32;
    let each = |seconds: f64| seconds * 1e9 / f64::from(agents.max(1));
    let (build, find) = (median(&mut builds), median(&mut finds));
    let Census { cells, sparse, .. } = index.census();
    let figures = IndexFigures {
        scene: label.to_owned(),
        agents,
        index: entrant.to_string(),
        build_ns: each(build),
        pairs_ns: each(find),
        total_ns: each(build + find),
        tests,
        pairs: found,
        cells,
        sparse,
        bytes: index.bytes(),
    };
    Ok((figures, sums))
}

/// A number that tells pairs apart: the sum over all does not depend on their order, but on how often each was found.
fn mixed(i: u32, j: u32) -> u64 {
    // The finaliser of splitmix64: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, 2014.
    let mut x = (u64::from(i) << 32 | u64::from(j)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

pub(super) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
