//! The colours of plans on dark ground.

use super::army_colours;
use super::palette::{
    BAR, COLOURS, EDGE, EXPANDED, FALLEN, FLOOR, GOAL, Inks, OUTSIDE, PATH, RULE, SHADOW, START, TEXT, WALL,
};

/// Red, green and blue of each index of [`palette`](super::palette). All text is 7:1 or more against what is behind it.
pub(super) fn colours() -> [[u8; 3]; COLOURS] {
    let inks = Inks {
        single: [
            (OUTSIDE, [0x0B, 0x0C, 0x0F]),
            (FLOOR, [0x22, 0x25, 0x2B]),
            (SHADOW, [0x16, 0x18, 0x1D]),
            (WALL, [0x4C, 0x52, 0x5E]),
            (EDGE, [0xB4, 0xBB, 0xC6]),
            (BAR, [0x0F, 0x11, 0x15]),
            (TEXT, [0xEE, 0xEA, 0xE0]),
            (PATH, [0xFF, 0x6B, 0x7E]),
            (EXPANDED, [0x24, 0x42, 0x55]),
            (START, [0x2F, 0xD0, 0x9B]),
            (GOAL, [0xFF, 0x6B, 0x7E]),
            (FALLEN, [0x5C, 0x4E, 0x44]),
            (RULE, [0xBE, 0xBA, 0xB0]),
        ],
        armies: army_colours::DARK,
        // Few to many: from dark to light.
        heats: [
            [0x37, 0x2B, 0x45],
            [0x4A, 0x35, 0x60],
            [0x5F, 0x41, 0x7D],
            [0x76, 0x4F, 0x9A],
            [0x8F, 0x62, 0xB6],
            [0xA8, 0x7B, 0xCE],
            [0xC4, 0x9C, 0xE2],
            [0xE3, 0xC6, 0xF5],
        ],
        // Reeds, water, sand, clay.
        grounds: [[0x2C, 0x32, 0x20], [0x1E, 0x33, 0x3D], [0x39, 0x33, 0x22], [0x3A, 0x2A, 0x24]],
        ramparts: [[0x9A, 0x66, 0x32], [0xBB, 0x8A, 0x52], [0xDC, 0xB9, 0x86]],
    };
    inks.colours()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::{ARMIES, HEAT, HEATS, army, bright, dark};

    /// WCAG 2.2: relative luminance, 0 to 1.
    fn luminance(colour: [u8; 3]) -> f64 {
        let [red, green, blue] = colour.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(a: u8, b: u8) -> f64 {
        let [a, b] = [a, b].map(|index| luminance(colours()[usize::from(index)]) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_is_seen_well() {
        let names = (0..u32::from(ARMIES)).map(|number| bright(army(number)));
        for text in names.chain([TEXT, RULE]) {
            assert!(contrast(text, BAR) >= 7.0, "{text}: {:.1}", contrast(text, BAR));
        }
    }

    #[test]
    fn armies_walls_and_crowds_stand_out_from_the_ground() {
        for index in (0..u32::from(ARMIES)).map(army) {
            // WCAG asks 3:1 of what is no text.
            assert!(contrast(index, FLOOR) >= 3.0, "{index}: {:.1}", contrast(index, FLOOR));
            // The rim is seen against the body.
            assert!(contrast(index, dark(index)) >= 1.5);
        }
        assert!(contrast(EDGE, FLOOR) >= 7.0 && contrast(EDGE, WALL) >= 3.0 && contrast(WALL, FLOOR) >= 1.8);
        assert!(contrast(FALLEN, FLOOR) >= 1.8);
        for step in HEAT..HEAT + HEATS - 1 {
            assert!(contrast(step, step + 1) >= 1.1);
            assert!(luminance(colours()[usize::from(step)]) < luminance(colours()[usize::from(step + 1)]));
        }
        assert!(contrast(HEAT, FLOOR) >= 1.1);
    }
}
