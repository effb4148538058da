//! Moving volumes: shots at bodies of all kinds, in the plane or in space; hits, and the hits that sub-steps miss.
//!
//! ```text
//! mouse ── Content ── VolumeTrial ── Worker (VolumeCourse: Volley, index) ── VolumeState ── Projection ── paint ┐
//!                                                                             └────────────────────── panel ┴─ screen
//! ```

mod course;
mod figure;
mod keys;
mod paint;
mod panel;
mod projection;
mod solids;
mod state;
mod view;
mod worker;

pub(crate) use view::VolumeView;

use throng_spatial::Response;

/// Shots and bodies in motion, and how their hits are tested.
///
/// ```no_run
/// use throng_viewer::{ViewOptions, VolumeTrial, Window};
///
/// let trial = VolumeTrial { space: true, substeps: 2, ..VolumeTrial::default() };
/// let tally = Window::open("moving volumes")?.volumes(trial, ViewOptions::default())?;
/// println!("{} of {} hits are missed", tally.tunnelled, tally.hits);
/// # Ok::<(), throng_viewer::ViewError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeTrial {
    /// In space, not in the plane.
    pub space: bool,
    /// Shots and bodies, from 2 to [`VolumeTrial::MAX_SHAPES`]; one in four is a shot.
    pub shapes: u32,
    /// How far a shot moves in a step (m).
    pub speed: f32,
    /// Seed of where all are at first.
    pub seed: u64,
    /// The motion of a shot after a hit.
    pub response: Response,
    /// How many sub-steps the test by sub-steps makes, from 1 to [`VolumeTrial::MAX_SUBSTEPS`].
    pub substeps: u32,
    /// Shots heed the hits that sub-steps find, and fly through what those miss; otherwise all hits.
    pub tunnels: bool,
}

impl VolumeTrial {
    /// The most shapes.
    pub const MAX_SHAPES: u32 = 2000;
    /// The most sub-steps.
    pub const MAX_SUBSTEPS: u32 = 64;
}

impl Default for VolumeTrial {
    fn default() -> Self {
        let response = Response::default();
        Self { space: false, shapes: 400, speed: 20.0, seed: 1, response, substeps: 4, tunnels: false }
    }
}

/// The results of the tests.
///
/// See [`Window::volumes`](crate::Window::volumes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VolumeTally {
    /// Steps that are over or under way.
    pub steps: u64,
    /// Pairs of a shot and a body that were tested.
    pub pairs: u64,
    /// Hits by the continuous test that the shots reached.
    pub hits: u64,
    /// Hits that the test by sub-steps misses.
    pub tunnelled: u64,
}
