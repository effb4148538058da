//! Places on a map that have a name.

use crate::geom::Vec2;

/// A polygon on a map that has a name, where soldiers may be told to stand.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::Area;
/// let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)].map(Vec2::from).to_vec();
/// let gate = Area { name: "gate".into(), corners, properties: vec![("count".into(), "40".into())] };
/// assert!(gate.contains(Vec2::new(3.0, 1.0)) && !gate.contains(Vec2::new(3.0, 2.5)));
/// assert_eq!((gate.middle(), gate.size()), (Vec2::new(2.0, 1.0), Vec2::new(4.0, 2.0)));
/// assert_eq!(gate.property("count"), Some("40"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Name.
    pub name: String,
    /// Corners in order (m); the last is joined to the first.
    pub corners: Vec<Vec2>,
    /// Its properties in the map: names and values, in the order of the file.
    pub properties: Vec<(String, String)>,
}

impl Area {
    /// Least and greatest corner (m).
    pub fn bounds(&self) -> (Vec2, Vec2) {
        let corners = || self.corners.iter().copied();
        let first = corners().next().unwrap_or(Vec2::ZERO);
        (corners().fold(first, Vec2::min), corners().fold(first, Vec2::max))
    }

    /// The middle of the bounds (m).
    pub fn middle(&self) -> Vec2 {
        let (least, most) = self.bounds();
        (least + most) * 0.5
    }

    /// Width and height of the bounds (m).
    pub fn size(&self) -> Vec2 {
        let (least, most) = self.bounds();
        most - least
    }

    /// True for points (m) in the polygon, by the rule of even and odd. O(corners).
    pub fn contains(&self, point: Vec2) -> bool {
        let ends = self.corners.iter().skip(1).chain(self.corners.first());
        let crossed = |&(a, b): &(&Vec2, &Vec2)| {
            (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        };
        self.corners.iter().zip(ends).filter(crossed).count() % 2 == 1
    }

    /// A property by its name.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The same area on a map whose cells are `factor` times as large.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner *= factor);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_level_with_corners_is_inside_between_them() {
        let corners = [(2.0, 0.0), (4.0, 2.0), (2.0, 4.0), (0.0, 2.0)].map(Vec2::from).to_vec();
        let area = Area { name: String::new(), corners, properties: Vec::new() };
        let inside = [-0.5, 0.5, 2.0, 3.5, 4.5].map(|x| area.contains(Vec2::new(x, 2.0)));
        assert_eq!(inside, [false, true, true, true, false]);
    }
}
