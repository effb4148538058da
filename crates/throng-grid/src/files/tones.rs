//! Which greys of an image are open.

/// For each grey, 0 (black) to 255, whether a pixel of it is an open cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tones([bool; 256]);

/// Pixels whose luma is below this are walls.
const THRESHOLD: u8 = 128;

impl Tones {
    /// Dark is wall.
    pub fn dark_walls() -> Self {
        Self::of(|grey| grey >= THRESHOLD)
    }

    pub fn of(is_open: impl Fn(u8) -> bool) -> Self {
        Self(std::array::from_fn(|grey| is_open(grey as u8)))
    }

    #[inline]
    pub fn is_open(&self, grey: u8) -> bool {
        self.0[usize::from(grey)]
    }
}
