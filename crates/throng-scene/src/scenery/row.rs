//! A row of the ground.

/// A row of the picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Red, green and blue, each for all pixels.
    pub(super) rgb: [Vec<f32>; 3],
    /// How much grass there is, 0 to 1.
    pub(super) grass: Vec<f32>,
    /// Noise of 3.2 m.
    pub(super) patches: Vec<f32>,
}
