//! The colours of sixteen armies in each theme.
//!
//! They were searched for so that people tell any two apart whose colour vision is normal, or lacks the red, green or blue
//! receptors of the eye. The distance is CIE 1976 (L*, a*, b*); lacking sight is simulated after G. M. Machado, M. M. Oliveira
//! and L. A. F. Fernandes, *A physiologically-based model for simulation of color vision deficiency* (2009), at full severity.
//!
//! | least distance, worst sight | 2 armies | 4 | 8 | 16 |
//! |---|---|---|---|---|
//! | battle | 122 | 52 | 25 | 24 |
//! | plan | 91 | 16 | 16 | 16 |
//! | dark | 102 | 16 | 13 | 13 |
//!
//! Two colours side by side differ to the eye from 2.3 on (M. Mahy et al., *Evaluation of uniform color spaces*, 1994).

/// Red, green and blue of sixteen armies.
pub type ArmyColours = [[u8; 3]; 16];

/// On a landscape, from each colour of which all are at least 20 away: vermilion, blue, and so on.
pub const BATTLE: ArmyColours = [
    [0xFF, 0x4F, 0x12],
    [0x21, 0x78, 0xFF],
    [0x48, 0x24, 0x24],
    [0xFF, 0xD5, 0xB7],
    [0x2C, 0x18, 0x69],
    [0xFF, 0x6C, 0xB4],
    [0xB4, 0xD8, 0x6C],
    [0x6C, 0x00, 0xFF],
    [0x90, 0x00, 0x00],
    [0x05, 0xB1, 0x67],
    [0xB4, 0x48, 0xB4],
    [0xFF, 0x90, 0xFF],
    [0xB6, 0xFF, 0xFF],
    [0xA7, 0x20, 0x6A],
    [0x66, 0x00, 0xAE],
    [0x5E, 0xFF, 0x00],
];

/// On light ground: the first eight are those of M. Okabe and K. Ito, *Color Universal Design* (2008), in an order that keeps the
/// first pairs furthest apart.
pub const PLAN: ArmyColours = [
    [0xD5, 0x5E, 0x00],
    [0x00, 0x72, 0xB2],
    [0x00, 0x9E, 0x73],
    [0xCC, 0x79, 0xA7],
    [0xE6, 0x9F, 0x00],
    [0x56, 0xB4, 0xE9],
    [0xF0, 0xE4, 0x42],
    [0x1A, 0x1A, 0x1A],
    [0x90, 0x00, 0xFF],
    [0xB4, 0xD8, 0x90],
    [0x90, 0x00, 0x00],
    [0x24, 0x00, 0x90],
    [0x90, 0x6C, 0xFF],
    [0x6C, 0x48, 0x6C],
    [0x48, 0x00, 0x6C],
    [0xFF, 0x24, 0x6C],
];

/// On dark ground: as on light ground in hue and order for the first seven, lighter; the eighth is white instead of black.
pub const DARK: ArmyColours = [
    [0xFF, 0x77, 0x2E],
    [0x3F, 0x9C, 0xF0],
    [0x1F, 0xC2, 0x91],
    [0xE2, 0x8F, 0xBE],
    [0xF5, 0xB0, 0x1E],
    [0x86, 0xD0, 0xFA],
    [0xF5, 0xEC, 0x66],
    [0xF4, 0xF4, 0xF4],
    [0xFF, 0x24, 0x48],
    [0xB4, 0xFF, 0xB4],
    [0x00, 0x90, 0x48],
    [0xD8, 0x48, 0xB4],
    [0x6C, 0x6C, 0xFF],
    [0xB4, 0xD8, 0x6C],
    [0xB4, 0x6C, 0x90],
    [0xB4, 0xB4, 0x6C],
];

#[cfg(test)]
#[allow(clippy::print_stdout)]
mod tests {
    use super::*;

    /// Linear red, green and blue as seen by normal sight and without the receptors for red, green or blue.
    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    fn lab(colour: [u8; 3], sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = colour.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let times = |row: [f64; 3], of: [f64; 3]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        let seen = sight.map(|row| times(row, linear).clamp(0.0, 1.0));
        let to_xyz = [
            ([0.412_456_4, 0.357_576_1, 0.180_437_5], 0.950_47),
            ([0.212_672_9, 0.715_152_2, 0.072_175_0], 1.0),
            ([0.019_333_9, 0.119_192_0, 0.950_304_1], 1.088_83),
        ];
        let [x, y, z] = to_xyz.map(|(row, white)| {
            let value = times(row, seen) / white;
            if value > 216.0 / 24_389.0 { value.cbrt() } else { (24_389.0 / 27.0 * value + 16.0) / 116.0 }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn any_two_armies_are_told_apart_by_any_sight() {
        // The least distance among the first 2, 4, 8 and 16.
        let themes = [
            ("battle", BATTLE, [122.0, 52.0, 25.0, 24.0]),
            ("plan", PLAN, [91.0, 16.0, 16.0, 16.0]),
            ("dark", DARK, [102.0, 16.0, 13.0, 13.0]),
        ];
        for (theme, colours, wanted) in themes {
            for (count, wanted) in [2, 4, 8, 16].into_iter().zip(wanted) {
                let least = SIGHTS.map(|(sight, matrix)| {
                    let seen: Vec<_> = colours[..count].iter().map(|&colour| lab(colour, matrix)).collect();
                    let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
                    (pairs.map(|(one, other)| distance(seen[one], seen[other])).fold(f64::MAX, f64::min), sight)
                });
                println!("{theme}, {count}: {least:.1?}");
                for (least, sight) in least {
                    assert!(least >= wanted, "{theme}, {count} armies, {sight}: {least:.1} instead of {wanted}");
                }
            }
        }
    }

    #[test]
    fn armies_stand_out_from_a_landscape() {
        // Grass, dry grass, road, paving, water.
        let grounds =
            [[0x5A, 0x6A, 0x46], [0x84, 0x83, 0x5C], [0xB0, 0xA2, 0x84], [0x91, 0x8D, 0x84], [0x3D, 0x5C, 0x66]];
        let normal = SIGHTS[0].1;
        for (colour, ground) in BATTLE.into_iter().flat_map(|colour| grounds.map(|ground| (colour, ground))) {
            let off = distance(lab(colour, normal), lab(ground, normal));
            assert!(off >= 20.0, "{colour:x?} on {ground:x?}: {off:.1}");
        }
    }
}
