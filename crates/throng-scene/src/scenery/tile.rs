//! A painted part of a land.

/// A painted part of a land.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Row by row: red, green, blue; and the ground that lies there, as [`light`](Self::light) and [`grass`](Self::grass)
    /// tell it. Read as a number, the fourth byte is the light to a sixteenth: 255 in the sun, 0 in the shade.
    pub pixels: Vec<[u8; 4]>,
    /// Row by row: 0 where the ground is seen. Else how far south of the tile's upper edge on the ground the foot of what
    /// is built there stands, in sixteenths of a metre, plus one. It hides all that stands north of that foot.
    pub front: Vec<u16>,
}

impl Tile {
    /// How much sun the ground at a pixel has, 0 to 1. A figure that stands there is `0.74 + 0.30 * light` as bright as in
    /// its sprite.
    #[inline]
    pub fn light(&self, index: usize) -> f32 {
        f32::from(self.pixels[index][3] >> 4) / 15.0
    }

    /// How much grass grows at a pixel, 0 to 1; `None` on water and on floors, where no tuft and no stone belongs.
    #[inline]
    pub fn grass(&self, index: usize) -> Option<f32> {
        let grass = self.pixels[index][3] & 15;
        (grass > 0).then(|| f32::from(grass - 1) / 14.0)
    }

    /// How far south of the tile's upper edge on the ground the foot of what is built at a pixel stands (m).
    #[inline]
    pub fn foot(&self, index: usize) -> Option<f32> {
        let front = self.front[index];
        (front > 0).then(|| f32::from(front - 1) / 16.0)
    }
}
