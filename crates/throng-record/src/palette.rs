//! The indices of plans, and their colours on light ground.
//!
//! The colours of the armies are those of [`army_colours`].

use super::army_colours::{self, ArmyColours};
use std::sync::LazyLock;

/// Beyond the edge of the map.
pub const OUTSIDE: u8 = 0;
/// Open ground.
pub const FLOOR: u8 = 1;
/// Open ground in the shadow of a wall.
pub const SHADOW: u8 = 2;
/// The inside of walls.
pub const WALL: u8 = 3;
/// The face of walls.
pub const EDGE: u8 = 4;
/// Behind the caption.
pub const BAR: u8 = 5;
/// The caption.
pub const TEXT: u8 = 6;
/// A route.
pub const PATH: u8 = 7;
/// Cells that a search has expanded.
pub const EXPANDED: u8 = 8;
/// Where a route starts.
pub const START: u8 = 9;
/// Where a route ends.
pub const GOAL: u8 = 10;
/// The fallen.
pub const FALLEN: u8 = 11;
/// Fine lines, and text that matters less, on [`BAR`].
pub const RULE: u8 = 12;
/// The first of [`RAMPARTS`] colours of walls and gates that can be broken, from whole to nearly broken.
pub const RAMPART: u8 = 13;
/// How many colours there are for walls that can be broken.
pub const RAMPARTS: u8 = 3;
/// The colour of the first army; see [`army`].
pub const ARMY: u8 = 16;
/// How many colours there are for armies.
pub const ARMIES: u8 = 16;
/// Indices of armies come in two groups of so many.
const GROUP: u8 = 8;
/// The first of the second group.
const MORE: u8 = 64;
/// The first of [`SHADES`] steps from open ground to wall, for pixels that lie on both.
pub const SHADE: u8 = 32;
/// How many steps there are from open ground to wall.
pub const SHADES: u8 = 8;
/// The first of the light shades of the first group of armies, for the caption.
const BRIGHT: u8 = 40;
/// The same of the second group.
const MORE_BRIGHT: u8 = 80;
/// The first of [`HEATS`] steps of how crowded it is, from half an agent a square metre on.
pub const HEAT: u8 = 48;
/// How many steps there are of how crowded it is.
pub const HEATS: u8 = 8;
/// The first of [`GROUNDS`] colours of ground of other classes than the plain one; see [`ground`].
const GROUND: u8 = 56;
/// How many colours there are for other ground.
const GROUNDS: u8 = 4;
/// Used by no picture: within the frame of an animation, a pixel that stays as it was.
pub const KEEP: u8 = 63;

/// Colours in the palette.
pub(super) const COLOURS: usize = 88;

/// The colour of an army; beyond [`ARMIES`] they repeat.
///
/// ```
/// use throng_record::palette::{ARMY, army};
/// assert_eq!(army(0), ARMY);
/// ```
pub const fn army(number: u32) -> u8 {
    let number = (number % ARMIES as u32) as u8;
    if number < GROUP { ARMY + number } else { MORE + number - GROUP }
}

/// The colour of open ground of a class of terrain: each of the first four that are not plain has its own, then they repeat.
///
/// ```
/// use throng_record::palette::{FLOOR, ground};
/// assert!(ground(0) == FLOOR && ground(1) != FLOOR);
/// ```
pub const fn ground(class: u8) -> u8 {
    match class.checked_sub(1) {
        None => FLOOR,
        Some(other) => GROUND + other % GROUNDS,
    }
}

/// The colour of a wall that can be broken, of which a share, 0 to 1, is left.
///
/// ```
/// use throng_record::palette::{RAMPART, rampart};
/// assert!(rampart(1.0) == RAMPART && rampart(0.1) > rampart(0.5));
/// ```
pub fn rampart(share: f32) -> u8 {
    let lost = ((1.0 - share.clamp(0.0, 1.0)) * f32::from(RAMPARTS)) as u8;
    RAMPART + lost.min(RAMPARTS - 1)
}

/// A darker shade of the colour of an army, for outlines; [`EDGE`] of any other.
pub const fn dark(colour: u8) -> u8 {
    if is_plain_army(colour) { colour + GROUP } else { EDGE }
}

/// A lighter shade of the colour of an army, to be read on [`BAR`]; other colours stay.
pub(super) const fn bright(colour: u8) -> u8 {
    match colour {
        ARMY..BRIGHT if is_plain_army(colour) => colour - ARMY + BRIGHT,
        MORE..MORE_BRIGHT if is_plain_army(colour) => colour - MORE + MORE_BRIGHT,
        _ => colour,
    }
}

const fn is_plain_army(colour: u8) -> bool {
    colour >= ARMY && colour < ARMY + GROUP || colour >= MORE && colour < MORE + GROUP
}

/// True for walls, parts of walls, and beyond the map.
pub(super) const fn is_wall(colour: u8) -> bool {
    matches!(colour, WALL | EDGE | OUTSIDE)
        || colour >= SHADE && colour < SHADE + SHADES
        || colour >= RAMPART && colour < RAMPART + RAMPARTS
}

/// True for the colours of armies and their darker shades.
pub(super) const fn is_army(colour: u8) -> bool {
    colour >= ARMY && colour < ARMY + 2 * GROUP || colour >= MORE && colour < MORE + 2 * GROUP
}

/// Few to many: from light to dark, in hues that no army has.
const HEAT_COLOURS: [[u8; 3]; HEATS as usize] = [
    [0xE3, 0xD6, 0xE8],
    [0xD2, 0xBB, 0xDF],
    [0xBE, 0x9E, 0xD3],
    [0xA8, 0x7F, 0xC4],
    [0x90, 0x60, 0xB3],
    [0x76, 0x42, 0x9E],
    [0x5A, 0x27, 0x84],
    [0x3B, 0x0F, 0x63],
];

/// Reeds, water, sand, clay: close to plain ground, so that agents can be seen on them.
const GROUND_COLOURS: [[u8; 3]; GROUNDS as usize] =
    [[0xC3, 0xC9, 0x9E], [0xB3, 0xC4, 0xC9], [0xE6, 0xD2, 0xA4], [0xDD, 0xC3, 0xB4]];

/// Wood: whole, splintered, about to break.
const RAMPART_COLOURS: [[u8; 3]; RAMPARTS as usize] = [[0x6B, 0x43, 0x1E], [0x94, 0x66, 0x38], [0xC0, 0x97, 0x66]];

/// Red, green and blue of an index below 88; black beyond.
///
/// ```
/// use throng_record::palette::{ARMY, rgb};
/// assert_eq!(rgb(ARMY), [213, 94, 0]);
/// ```
pub fn rgb(index: u8) -> [u8; 3] {
    static COLOURS_OF_INDICES: LazyLock<[u8; 3 * COLOURS]> = LazyLock::new(palette);
    let channels = COLOURS_OF_INDICES.as_chunks().0;
    channels.get(usize::from(index)).copied().unwrap_or_default()
}

/// Red, green and blue of each index, one after the other.
///
/// ```
/// use throng_record::palette::{FLOOR, palette};
/// assert_eq!(palette().len(), 3 * 88);
/// assert!(palette()[3 * usize::from(FLOOR)] > 200);
/// ```
pub fn palette() -> [u8; 3 * COLOURS] {
    let plan = Inks {
        single: [
            (OUTSIDE, [0x2B, 0x2A, 0x28]),
            (FLOOR, [0xEF, 0xE9, 0xDB]),
            (SHADOW, [0xCC, 0xC2, 0xAD]),
            (WALL, [0x9C, 0x93, 0x84]),
            (EDGE, [0x4B, 0x46, 0x40]),
            (BAR, [0x2B, 0x2A, 0x28]),
            (TEXT, [0xF4, 0xF1, 0xE8]),
            (PATH, [0xC0, 0x1F, 0x3A]),
            (EXPANDED, [0xBF, 0xD9, 0xE6]),
            (START, [0x00, 0x7A, 0x55]),
            (GOAL, [0xC0, 0x1F, 0x3A]),
            (FALLEN, [0xB9, 0xA8, 0x94]),
            (RULE, [0x8A, 0x85, 0x7C]),
        ],
        armies: army_colours::PLAN,
        heats: HEAT_COLOURS,
        grounds: GROUND_COLOURS,
        ramparts: RAMPART_COLOURS,
    };
    let mut flat = [0; 3 * COLOURS];
    flat.as_chunks_mut().0.copy_from_slice(&plan.colours());
    flat
}

/// The colour of an army and its two shades, each with its index.
pub(super) fn army_shades(number: u32, colour: [u8; 3]) -> [(u8, [u8; 3]); 3] {
    let index = army(number);
    let darker = colour.map(|part| (u16::from(part) * 11 / 20) as u8);
    let lighter = colour.map(|part| ((u16::from(part) * 11 + 255 * 9) / 20) as u8);
    [(index, colour), (dark(index), darker), (bright(index), lighter)]
}

/// The colours of a theme of plans, from which those of all indices follow.
pub(super) struct Inks {
    /// Of indices that stand alone.
    pub single: [(u8, [u8; 3]); 13],
    pub armies: ArmyColours,
    pub heats: [[u8; 3]; HEATS as usize],
    pub grounds: [[u8; 3]; GROUNDS as usize],
    pub ramparts: [[u8; 3]; RAMPARTS as usize],
}

impl Inks {
    /// Red, green and blue of each index.
    pub fn colours(&self) -> [[u8; 3]; COLOURS] {
        let mut colours = [[0; 3]; COLOURS];
        let mut set = |index: u8, colour: [u8; 3]| colours[usize::from(index)] = colour;
        self.single.iter().for_each(|&(index, colour)| set(index, colour));
        for (colour, number) in self.armies.into_iter().zip(0..) {
            for (index, shade) in army_shades(number, colour) {
                set(index, shade);
            }
        }
        let ranges = self.heats.iter().zip(HEAT..).chain(self.grounds.iter().zip(GROUND..));
        for (&colour, index) in ranges.chain(self.ramparts.iter().zip(RAMPART..)) {
            set(index, colour);
        }
        let [floor, edge] = [FLOOR, EDGE].map(|index| colours[usize::from(index)]);
        for step in 0..SHADES {
            let (part, whole) = (u16::from(step) + 1, u16::from(SHADES) + 1);
            let mix = |i: usize| (u16::from(floor[i]) * (whole - part) + u16::from(edge[i]) * part) / whole;
            colours[usize::from(SHADE + step)] = [mix(0) as u8, mix(1) as u8, mix(2) as u8];
        }
        colours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_colour_is_used_twice() {
        let used = [OUTSIDE, FLOOR, SHADOW, WALL, EDGE, BAR, TEXT, PATH, EXPANDED, START, GOAL, FALLEN, RULE, KEEP];
        let ranges = (ARMY..ARMY + 2 * GROUP)
            .chain(MORE..MORE + 2 * GROUP)
            .chain(SHADE..SHADE + SHADES)
            .chain(BRIGHT..BRIGHT + GROUP)
            .chain(MORE_BRIGHT..MORE_BRIGHT + GROUP)
            .chain(HEAT..HEAT + HEATS)
            .chain(GROUND..GROUND + GROUNDS)
            .chain(RAMPART..RAMPART + RAMPARTS);
        let mut all: Vec<u8> = used.into_iter().chain(ranges).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|&index| usize::from(index) < COLOURS));
        assert_eq!(army(ARMIES.into()), army(0));
        let mut armies: Vec<u8> = (0..16).map(army).flat_map(|index| [index, dark(index), bright(index)]).collect();
        armies.sort_unstable();
        armies.dedup();
        assert_eq!(armies.len(), 48);
        assert!(armies.iter().filter(|&&index| is_army(index)).count() == 32);
    }
}
