//! The last grade of a picture: brighter, with more contrast in its middle tones.

/// What becomes of each brightness.
#[derive(Clone, Debug)]
pub struct Grade([u8; 256]);

impl Default for Grade {
    fn default() -> Self {
        Self(std::array::from_fn(|value| {
            let bright = (value as f32 / 255.0 * 1.10).min(1.2);
            let contrast = 0.22 * (bright - 0.42) * (1.0 - (bright - 0.45).abs() * 1.8).clamp(0.0, 1.0);
            ((bright + contrast).clamp(0.0, 1.0) * 255.0 + 0.5) as u8
        }))
    }
}

impl Grade {
    /// Grades red, green and blue of opaque pixels; the fourth byte stays.
    pub fn opaque(&self, pixels: &mut [[u8; 4]]) {
        for [r, g, b, _] in pixels {
            [*r, *g, *b] = [*r, *g, *b].map(|channel| self.0[usize::from(channel)]);
        }
    }

    /// Grades pixels whose colours are multiplied by their opacity.
    pub fn premultiplied(&self, pixels: &mut [[u8; 4]]) {
        for pixel in pixels {
            *pixel = self.pixel(*pixel);
        }
    }

    /// Grades one pixel whose colours are multiplied by its opacity.
    #[inline]
    pub fn pixel(&self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        let channel = |channel: u8| match a {
            0 => channel,
            255 => self.0[usize::from(channel)],
            _ => {
                let opacity = u32::from(a);
                let plain = (u32::from(channel) * 255 / opacity).min(255);
                (u32::from(self.0[plain as usize]) * opacity / 255) as u8
            }
        };
        [channel(r), channel(g), channel(b), a]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_order_of_tones_and_no_colour_exceeds_its_opacity() {
        let Grade(tones) = Grade::default();
        assert!(tones.is_sorted() && tones[0] <= 2 && tones[255] == 255);
        for opacity in 0..=255 {
            for channel in 0..=opacity {
                let mut pixel = [[channel, channel / 2, 0, opacity]];
                Grade::default().premultiplied(&mut pixel);
                assert!(pixel[0][..3].iter().all(|&graded| graded <= opacity));
                assert_eq!(pixel[0][3], opacity);
            }
        }
    }
}
