//! The levels of detail: the same models at four sizes, each finished for how large they are seen.

use super::shade::Finish;

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// 30 pixels a metre, for 19 and more.
    Near,
    /// 12 pixels a metre, for 8 to 19.
    Middle,
    /// 5.2 pixels a metre, for 3.7 to 8.
    Far,
    /// 2.6 pixels a metre, for less than 3.7.
    Splat,
}

impl Level {
    /// All levels, the largest first.
    pub const ALL: [Self; 4] = [Self::Near, Self::Middle, Self::Far, Self::Splat];

    /// The level for a scale of so many pixels a metre.
    pub fn for_scale(px_per_metre: f32) -> Self {
        match px_per_metre {
            19.0.. => Self::Near,
            8.0.. => Self::Middle,
            3.7.. => Self::Far,
            _ => Self::Splat,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Middle => "middle",
            Self::Far => "far",
            Self::Splat => "splat",
        }
    }

    /// Pixels a metre that its sprites are baked at.
    pub const fn scale(self) -> f32 {
        self.finish().scale
    }

    /// How its sprites are drawn.
    ///
    /// The smaller they are, the fatter, the brighter and the more of the army's colour: in a crowd only heads are seen, so heads
    /// must carry the colour, and the dark lines between them are what shows ranks.
    pub const fn finish(self) -> Finish {
        let (scale, samples, fat, contrast, outline, simple) = match self {
            Self::Near => (30.0, 3, 0.0, 1.0, 0.85, 0.0),
            Self::Middle => (12.0, 4, 0.035, 1.08, 0.70, 0.75),
            Self::Far => (5.2, 4, 0.10, 1.12, 0.55, 1.0),
            Self::Splat => (2.6, 4, 0.20, 1.15, 0.45, 1.0),
        };
        Finish { scale, samples, fat, contrast, outline, simple, shadow: FIGURE_SHADOW }
    }
}

/// The shadows of figures are shorter than the sun says, for small cells and clear crowds.
const FIGURE_SHADOW: f32 = 0.62;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_used_around_its_scale() {
        for level in Level::ALL {
            assert_eq!(Level::for_scale(level.scale()), level);
        }
        assert_eq!(Level::for_scale(0.1), Level::Splat);
        assert_eq!(Level::for_scale(200.0), Level::Near);
    }
}
