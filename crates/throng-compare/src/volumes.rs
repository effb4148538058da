//! The continuous test of moving volumes against tests by sub-steps: what each finds, misses and takes.
//!
//! ```
//! use std::ops::ControlFlow::Continue;
//! use throng_compare::volumes::measure;
//! use throng_spatial::volume::Shape2;
//! use throng_spatial::{Index, IndexKind, Response, Volley};
//!
//! let volley = Volley::<2, Shape2>::new(200, 20.0, 1)?;
//! let figures = measure(volley, &mut Index::new(IndexKind::Quadtree), 10, Response::Bounce, &mut |_| Continue(()))?;
//! assert_eq!(figures.rows[0].tunnelled, 0);
//! assert!(figures.rows[1].tunnelled >= figures.rows[5].tunnelled, "16 sub-steps miss less than one");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::indices::median;
use serde::Serialize;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;
use throng_spatial::{Response, Solid, SpatialError, SpatialIndex, Volley};

/// The numbers of sub-steps that are tried. Each tests where the one before it does, and half way between.
pub const SUBSTEPS: [u32; 5] = [1, 2, 4, 8, 16];

/// What was found in some steps of a volley.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VolumeFigures {
    /// 2 for the plane, 3 for space.
    pub dimensions: usize,
    /// Shots and bodies.
    pub shapes: usize,
    /// The shots.
    pub shots: usize,
    /// Steps.
    pub steps: u32,
    /// Pairs of a shot and a body whose ways may meet, in all steps: those that are tested exactly.
    pub pairs: u64,
    /// The continuous test, then the tests by [`SUBSTEPS`].
    pub rows: Vec<TestFigures>,
}

/// What one test found.
///
/// See [`VolumeFigures::rows`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TestFigures {
    /// Sub-steps; 0 for the continuous test.
    pub substeps: u32,
    /// Pairs that hit.
    pub hits: u64,
    /// Hits of the continuous test that this one misses.
    pub tunnelled: u64,
    /// Hits of this one that the continuous test does not find: only rounding makes some.
    pub surplus: u64,
    /// To test a pair (ns): the median of the steps.
    pub pair_ns: f64,
}

/// Lets a volley move for some steps and tests each pair whose ways may meet in every way; calls `progress(done)` after each
/// step, which may stop it: then the figures are of the steps so far. The shots go on by the continuous test and a response.
///
/// # Errors
/// Where the index refuses the bodies.
pub fn measure<const D: usize, S: Solid<D>>(
    mut volley: Volley<D, S>,
    index: &mut impl SpatialIndex<D>,
    steps: u32,
    response: Response,
    progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<VolumeFigures, SpatialError> {
    let (mut near, mut hits, mut met) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows = vec![TestFigures::default(); 1 + SUBSTEPS.len()];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    let (mut pairs, mut done) = (0, 0);
    for step in 0..steps {
        index.update(volley.bodies())?;
        volley.near(index, &mut near);
        pairs += near.len() as u64;
        let start = Instant::now();
        hits.clear();
        hits.extend(near.iter().map(|&pair| black_box(volley.hit(pair)).is_some()));
        let of_pair = |start: Instant| start.elapsed().as_secs_f64() * 1e9 / near.len().max(1) as f64;
        times[0].push(of_pair(start));
        rows[0].hits += hits.iter().filter(|&&hit| hit).count() as u64;
        for ((row, time), substeps) in rows.iter_mut().zip(&mut times).skip(1).zip(SUBSTEPS) {
            let start = Instant::now();
            met.clear();
            met.extend(near.iter().map(|&pair| volley.meets(pair, substeps)));
            time.push(of_pair(start));
            row.substeps = substeps;
            for (&hit, &meets) in hits.iter().zip(&met) {
                row.hits += u64::from(meets);
                row.tunnelled += u64::from(hit && !meets);
                row.surplus += u64::from(meets && !hit);
            }
        }
        volley.advance(&near, response);
        done = step + 1;
        if progress(done).is_break() {
            break;
        }
    }
    for (row, time) in rows.iter_mut().zip(&mut times) {
        row.pair_ns = median(time);
    }
    let shots = volley.shots.len();
    Ok(VolumeFigures { dimensions: D, shapes: shots + volley.bodies.len(), shots, steps: done, pairs, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow::Continue;
    use throng_spatial::volume::Shape3;
    use throng_spatial::{BruteForce, Bvh};

    #[test]
    fn another_index_finds_the_same() {
        let of = |seed| Volley::<3, Shape3>::new(200, 20.0, seed).unwrap();
        let mut done = 0;
        let found = measure(of(5), &mut Bvh::default(), 12, Response::Slide, &mut |step| {
            done = step;
            Continue(())
        })
        .unwrap();
        let other = measure(of(5), &mut BruteForce, 12, Response::Slide, &mut |_| Continue(())).unwrap();
        assert_eq!((done, found.shapes, found.shots, found.dimensions), (12, 200, 50, 3));
        let counts = |figures: &VolumeFigures| {
            let rows = figures.rows.iter();
            (figures.pairs, rows.map(|row| [row.hits, row.tunnelled, row.surplus]).collect::<Vec<_>>())
        };
        assert_eq!(counts(&found), counts(&other));
        let [exact, once, .., most] = &found.rows[..] else { panic!("{found:?}") };
        assert_eq!((exact.substeps, exact.tunnelled, once.substeps, most.substeps), (0, 0, 1, 16));
        assert!(once.tunnelled > most.tunnelled && exact.hits > once.hits, "{found:?}");
        assert!(found.rows.iter().all(|row| row.hits + row.tunnelled == exact.hits + row.surplus));
    }
}
