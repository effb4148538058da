//! The tones of figures: in the light and in the shade, fallen, and behind walls.

/// How much of what is hidden shines through, of 256.
pub const GHOST: u16 = 84;

/// The colour in which what is hidden shines through.
#[inline]
pub fn pale(army: [u8; 3]) -> [u8; 3] {
    army.map(|channel| u8::midpoint(channel, 255))
}

/// How bright a figure is in the shade, and how much brighter in the sun: 1 = as it was drawn.
pub const LIGHT: [f32; 2] = [0.74, 0.30];

/// How much darker or brighter than others an agent is, by its id, so that no two look the same: 0.93 to 1.07.
#[inline]
pub fn tone(id: u32) -> f32 {
    0.93 + 0.14 * f32::from((id.wrapping_mul(0x9E37_79B1) >> 24) as u8) / 255.0
}

/// How the fallen are drawn: drab and dark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drab {
    /// The colour of the army, 0 to 1.
    tint: [f32; 3],
    seen: f32,
}

impl Drab {
    /// Of an army of a colour, at so many pixels a metre.
    pub fn new(army: [u8; 3], scale: f32) -> Self {
        Self { tint: army.map(|channel| f32::from(channel) / 255.0 * 0.55 + 0.22), seen: Self::seen(scale) }
    }

    /// The colour that army-coloured parts take, 0 to 1.
    pub fn tint(&self) -> [f32; 3] {
        self.tint
    }

    /// How much of them is seen, 0 to 1: from afar heaps of outlines are a black stain; there the ground is seen between them.
    pub fn seen(scale: f32) -> f32 {
        if scale < 8.0 { 0.62 } else { 1.0 }
    }

    /// A pixel of a graded atlas, of which a share (255 = all) takes the colour of the army.
    #[inline]
    pub fn pixel(&self, [r, g, b, a]: [u8; 4], share: u8) -> [u8; 4] {
        let grey = (f32::from(r) + f32::from(g) + f32::from(b)) / 12.0;
        let share = f32::from(share) / 255.0;
        let mut pixel = [r, g, b, a];
        for (channel, tint) in pixel.iter_mut().zip(self.tint) {
            let drab = (f32::from(*channel) * 0.55 + grey) * (1.0 + share * (tint - 1.0)) * 0.85;
            *channel = (drab * self.seen + 0.5) as u8;
        }
        pixel[3] = (f32::from(a) * self.seen + 0.5) as u8;
        pixel
    }
}
