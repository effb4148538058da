//! The colours of a landscape: greyish, so that the two armies stand out.

/// Red, green and blue, 0 to 1.
pub(super) type Colour = [f32; 3];

/// A colour written as in a picture editor.
const fn hex(rgb: u32) -> Colour {
    [(rgb >> 16 & 255) as f32 / 255.0, (rgb >> 8 & 255) as f32 / 255.0, (rgb & 255) as f32 / 255.0]
}

pub(super) const GRASS: Colour = hex(0x5A_6A46);
pub(super) const LUSH: Colour = hex(0x43_573A);
pub(super) const DRY: Colour = hex(0x84_835C);
pub(super) const MEADOW: Colour = hex(0x6B_764E);
pub(super) const FLOOR: Colour = hex(0x41_4532);
pub(super) const EARTH: Colour = hex(0x8F_8169);
pub(super) const MUD: Colour = hex(0x6A_604F);
pub(super) const ROAD: Colour = hex(0xB0_A284);
pub(super) const PAVING: Colour = hex(0x91_8D84);
pub(super) const YARD: Colour = hex(0x64_704C);
pub(super) const WATER: Colour = hex(0x3D_5C66);
pub(super) const DEEP: Colour = hex(0x2A_4450);
pub(super) const BANK: Colour = hex(0x5A_4A35);
pub(super) const STONE: [Colour; 2] = [hex(0xB8_AB90), hex(0xA0_947D)];
pub(super) const CAP: Colour = hex(0xCA_BFA4);
pub(super) const MOSS: Colour = hex(0x5F_6240);
pub(super) const CONE: Colour = hex(0x77_5342);
pub(super) const PLASTER: Colour = hex(0xC2_B193);
pub(super) const TIMBER: Colour = hex(0x5B_4430);
pub(super) const ROCK: Colour = hex(0x8D_8878);
pub(super) const HEDGE: Colour = hex(0x4C_5A2C);
pub(super) const SOOT: Colour = hex(0x21_1C1A);

pub(super) const SAND: Colour = hex(0xBC_AB80);
pub(super) const PLANK: Colour = hex(0x83_7057);
/// The floor, the faces and the cut tops of the walls of buildings.
pub(super) const TILES: Colour = hex(0xA9_A59B);
pub(super) const PANEL: Colour = hex(0xB4_AC9C);
/// Low roofs beside houses.
pub(super) const LEAD: Colour = hex(0x6B_6156);
pub(super) const CUT: Colour = hex(0x3B_3C41);

const THATCH: Colour = hex(0xA0_8A58);
const SHINGLE: Colour = hex(0x7A_6450);
const CLAY: Colour = hex(0x8D_6550);
const SLATE: Colour = hex(0x77_756F);

/// The colours of roofs, and whether they are of straw.
pub(super) const ROOFS: [(Colour, bool); 8] = [
    (THATCH, true),
    (SHINGLE, false),
    (CLAY, false),
    (THATCH, true),
    (SLATE, false),
    (CLAY, false),
    (SHINGLE, false),
    (THATCH, true),
];

/// What the ground is times in the sun, and in the shade.
pub(super) const SUNNY: Colour = [1.13, 1.08, 0.99];
pub(super) const SHADY: Colour = [0.54, 0.58, 0.70];

/// `a` at 0, `b` at 1.
#[inline]
pub(super) fn mix(a: Colour, b: Colour, t: f32) -> Colour {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

/// Every part times a number.
#[inline]
pub(super) fn times(a: Colour, by: f32) -> Colour {
    [a[0] * by, a[1] * by, a[2] * by]
}
