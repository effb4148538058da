//! The colours of the indices of a picture.

use super::{Theme, army_colours, dark_palette, palette};

/// Weights of red, green and blue in the distance of two colours: about how much of brightness each makes.
pub(super) const CHANNEL_WEIGHTS: [u32; 3] = [3, 5, 2];

/// Red, green and blue of each index of pictures, and the index that keeps a pixel of the frame before.
///
/// ```
/// use throng_record::{ColourTable, palette};
/// let table = ColourTable::plan();
/// assert_eq!(table.rgb(palette::ARMY), palette::rgb(palette::ARMY));
/// let own = ColourTable::new(vec![[255, 79, 18], [33, 120, 255]]);
/// assert_eq!((own.rgb(1), own.keep()), ([33, 120, 255], 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColourTable {
    colours: Vec<[u8; 3]>,
    keep: u8,
}

/// The most colours of a table; one index more keeps a pixel.
pub const MAX_COLOURS: usize = 255;

impl ColourTable {
    /// The first 255 of some colours; the index after the last keeps a pixel.
    pub fn new(mut colours: Vec<[u8; 3]>) -> Self {
        colours.truncate(MAX_COLOURS);
        let keep = colours.len() as u8;
        Self { colours, keep }
    }

    /// The fixed table of plans: see [`palette`].
    pub fn plan() -> Self {
        Self { colours: palette::palette().as_chunks().0.to_vec(), keep: palette::KEEP }
    }

    /// The fixed table of plans of a theme.
    pub fn of(theme: Theme) -> Self {
        match theme {
            Theme::Plan => Self::plan(),
            Theme::Dark => Self { colours: dark_palette::colours().to_vec(), keep: palette::KEEP },
            // The caption and the overlays of a battle are those of dark plans, in the colours of its armies.
            Theme::Battle | Theme::Building => Self::of(Theme::Dark).with_armies(&army_colours::BATTLE.map(Some)),
        }
    }

    /// The same table of a plan, with the colours that armies have of their own.
    #[must_use]
    pub(super) fn with_armies(mut self, colours: &[Option<[u8; 3]>]) -> Self {
        for (number, colour) in (0..u32::from(palette::ARMIES)).zip(colours) {
            for (index, shade) in colour.iter().flat_map(|&colour| palette::army_shades(number, colour)) {
                self.colours[usize::from(index)] = shade;
            }
        }
        self
    }

    /// The colours of the indices from 0 on. That of [`keep`](Self::keep) may be among them.
    pub fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// Red, green and blue of an index; black beyond the last.
    pub fn rgb(&self, index: u8) -> [u8; 3] {
        self.colours.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Used by no picture: within the frame of an animation, a pixel that stays as it was.
    pub fn keep(&self) -> u8 {
        self.keep
    }

    /// Red, green and blue of each index up to the last that a frame may have, one after the other.
    pub(super) fn flat(&self) -> Vec<u8> {
        let mut flat = self.colours.as_flattened().to_vec();
        flat.resize(flat.len().max(3 * (usize::from(self.keep) + 1)), 0);
        flat
    }
}

/// The square of the distance of two colours, weighted by channel: 0 to 650,250. Differences of one step of grey make 10.
pub(super) fn distance_squared(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|i| CHANNEL_WEIGHTS[i] * u32::from(a[i].abs_diff(b[i])).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_at_most_255_colours_and_one_that_keeps() {
        let table = ColourTable::new((0..300).map(|number| [number as u8; 3]).collect());
        assert_eq!((table.colours().len(), table.keep(), table.flat().len()), (255, 255, 768));
        assert_eq!((ColourTable::new(Vec::new()).flat().len(), ColourTable::plan().flat().len()), (3, 264));
        assert_eq!(ColourTable::plan().flat(), palette::palette());
        let own = ColourTable::plan().with_armies(&[None, Some([200, 100, 50])]);
        assert_eq!([palette::army(0), palette::army(1)].map(|index| own.rgb(index)), [[213, 94, 0], [200, 100, 50]]);
        assert_eq!(own.rgb(palette::dark(palette::army(1))), [110, 55, 27]);
        assert_eq!(distance_squared([7; 3], [8; 3]), 10);
    }
}
