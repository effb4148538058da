//! Ground that the map names: swamp, fords, earth, gravel, sand, stones, and all that is slower than plain ground.

use super::colours::{BANK, Colour, DEEP, DRY, EARTH, GRASS, LUSH, MUD, PAVING, ROAD, ROCK, SAND, WATER, mix, times};
use super::frame::Frame;
use super::patch::{Patch, fits};
use super::row::Row;
use super::step::step;
use crate::land::Land;

/// What a class of terrain looks like. Maps give numbers, no names: 0 is plain, 1 swamp, 2 water that one can wade; 3 to 6 are
/// earth, gravel, sand and stones, greater ones are rough ground, the darker the greater.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Soil {
    colour: Colour,
    /// A second colour, in patches.
    patches: Colour,
    /// How little grass is left.
    worn: f32,
}

/// Which look a class has; 0 for none.
fn look_of(class: u8) -> u8 {
    match class {
        0..=6 => class,
        _ => 7 + class / 64,
    }
}

/// There are so many looks, with that of plain ground.
const LOOKS: usize = 11;

fn soil(look: u8) -> Soil {
    let of = |colour, patches, worn| Soil { colour, patches, worn };
    match look {
        1 => of(mix(times(MUD, 0.82), LUSH, 0.45), times(mix(DEEP, MUD, 0.45), 1.0), 0.45),
        2 => of(mix(WATER, BANK, 0.30), mix(WATER, BANK, 0.55), 1.0),
        3 => of(EARTH, mix(EARTH, MUD, 0.6), 0.9),
        4 => of(mix(ROAD, PAVING, 0.4), mix(ROAD, EARTH, 0.5), 1.0),
        5 => of(SAND, mix(SAND, ROAD, 0.5), 1.0),
        6 => of(mix(ROCK, PAVING, 0.5), times(ROCK, 0.9), 0.85),
        _ => {
            let dark = f32::from(look - 7) / 3.0;
            let colour = mix(mix(DRY, EARTH, 0.3), mix(MUD, GRASS, 0.3), dark);
            of(colour, times(colour, 0.86), 0.35 + 0.4 * dark)
        }
    }
}

/// The soils of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Soils {
    patches: Vec<(u8, Patch)>,
}

impl Soils {
    /// Takes what is under a frame. O(cells there) for each of its looks.
    pub(super) fn begin(&mut self, land: &Land, frame: Frame) {
        self.patches.clear();
        let Some(terrain) = land.terrain.as_ref().filter(|layer| fits(layer, land.lattice)) else { return };
        let mut is_used = [false; LOOKS];
        terrain.cells.iter().for_each(|&class| is_used[usize::from(look_of(class))] = true);
        for look in (1..).take(LOOKS - 1).filter(|&look| is_used[usize::from(look)]) {
            let mut patch = Patch::default();
            patch.take(terrain, frame, 0.5, |&class| f32::from(u8::from(look_of(class) == look)));
            if patch.is_there {
                self.patches.push((look, patch));
            }
        }
    }

    pub(super) fn is_there(&self) -> bool {
        !self.patches.is_empty()
    }

    /// Lays them over a row; `frayed` moves their edges.
    pub(super) fn row(
        &mut self,
        frame: Frame,
        xs: &[f32],
        y: f32,
        frayed: &[Vec<f32>; 2],
        worn: &mut [f32],
        out: &mut Row,
    ) {
        let [fx, fy] = frayed;
        for (look, patch) in &self.patches {
            let soil = soil(*look);
            for at in patch.stretch(frame, y) {
                let there = patch.at(xs[at] + 0.6 * fx[at], y + 0.6 * fy[at]);
                let n3 = out.patches[at];
                let share = 0.92 * step(0.25, 0.65, there + 0.2 * n3 * (there * 8.0).min(1.0));
                if share <= 0.0 {
                    continue;
                }
                let part = step(0.10, 0.34, n3 + 0.3 * fx[at]);
                for (channel, rgb) in out.rgb.iter_mut().enumerate() {
                    let colour = soil.colour[channel] + (soil.patches[channel] - soil.colour[channel]) * part;
                    rgb[at] += (colour - rgb[at]) * share;
                }
                worn[at] = worn[at].max(share * soil.worn);
            }
        }
    }
}
