//! Rectangles of cells, texels or pixels.

use throng_grid::geom::Vec2;

/// Columns from `left` to before `right` and rows from `top` to before `bottom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntRect {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

impl IntRect {
    /// The whole of a map or picture.
    pub fn whole(width: u32, height: u32) -> Self {
        Self { left: 0, top: 0, right: width, bottom: height }
    }

    /// What lies between a corner and that corner plus a size, to whole pixels; nothing of it is above or left of the picture.
    pub fn rounded([corner, size]: [Vec2; 2]) -> Self {
        let (low, size) = (corner.max(Vec2::ZERO), size.max(Vec2::ZERO));
        let [left, top, right, bottom] = [low.x, low.y, low.x + size.x, low.y + size.y].map(|edge| edge.round() as u32);
        Self { left, top, right, bottom }
    }

    /// The smallest one around these columns and rows; `None` around nothing.
    pub fn around(places: impl IntoIterator<Item = (u32, u32)>) -> Option<Self> {
        places.into_iter().fold(None, |area: Option<Self>, (x, y)| {
            let one = Self { left: x, top: y, right: x + 1, bottom: y + 1 };
            Some(area.map_or(one, |area| Self {
                left: area.left.min(x),
                top: area.top.min(y),
                right: area.right.max(x + 1),
                bottom: area.bottom.max(y + 1),
            }))
        })
    }

    /// The smallest area that holds both.
    pub fn hull(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Columns.
    pub fn width(self) -> u32 {
        self.right.saturating_sub(self.left)
    }

    /// Rows.
    pub fn height(self) -> u32 {
        self.bottom.saturating_sub(self.top)
    }

    /// Columns and rows.
    pub fn size(self) -> Vec2 {
        Vec2::new(self.width() as f32, self.height() as f32)
    }

    /// True where there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// True where a point lies in it.
    pub fn covers(self, point: Vec2) -> bool {
        let [left, top, right, bottom] = [self.left, self.top, self.right, self.bottom].map(|edge| edge as f32);
        point.x >= left && point.y >= top && point.x < right && point.y < bottom
    }

    /// Its upper left corner.
    pub fn corner(self) -> Vec2 {
        Vec2::new(self.left as f32, self.top as f32)
    }

    /// Wider by `by` on each side, within `bounds`.
    pub fn grown(self, by: u32, bounds: Self) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right + by,
            bottom: self.bottom + by,
        }
        .within(bounds)
    }

    /// The part of it in `bounds`.
    pub fn within(self, bounds: Self) -> Self {
        Self {
            left: self.left.clamp(bounds.left, bounds.right),
            top: self.top.clamp(bounds.top, bounds.bottom),
            right: self.right.clamp(bounds.left, bounds.right),
            bottom: self.bottom.clamp(bounds.top, bounds.bottom),
        }
    }

    /// With `by` texels for each one.
    pub fn scaled(self, by: u32) -> Self {
        Self { left: self.left * by, top: self.top * by, right: self.right * by, bottom: self.bottom * by }
    }

    /// The texels that it touches in a picture of half the size.
    pub fn halved(self) -> Self {
        Self { left: self.left / 2, top: self.top / 2, right: self.right.div_ceil(2), bottom: self.bottom.div_ceil(2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_grow_to_the_edge_and_halve_outwards() {
        let area = IntRect::around([(3, 5), (6, 4)]).unwrap();
        assert_eq!(area, IntRect { left: 3, top: 4, right: 7, bottom: 6 });
        assert_eq!(area.grown(4, IntRect::whole(8, 20)), IntRect { left: 0, top: 0, right: 8, bottom: 10 });
        assert_eq!(area.halved(), IntRect { left: 1, top: 2, right: 4, bottom: 3 });
        assert!(area.within(IntRect::whole(3, 9)).is_empty() && IntRect::around([]).is_none());
    }
}
