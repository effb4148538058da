//! Sectors: whether a point is in front of an agent or beside it.

use throng_grid::geom::{Vec2, cross, direction};

/// True where the offset `way` (m) lies in the sector of so many degrees around the unit vector `facing`, half of them on
/// each side.
pub(super) fn holds(degrees: f32, facing: Vec2, way: Vec2) -> bool {
    degrees >= 360.0 || facing.dot(way) >= direction(0.5 * degrees).x * way.length()
}

/// The unit vector `facing` turned towards the unit vector `wanted`, by so many degrees at most.
pub(super) fn turned(facing: Vec2, wanted: Vec2, degrees: f32) -> Vec2 {
    if degrees >= 180.0 {
        return wanted;
    }
    let most = direction(degrees);
    if facing.dot(wanted) >= most.x {
        return wanted;
    }
    // To the right where it is the same both ways.
    let side = if cross(facing, wanted) < 0.0 { Vec2::new(most.x, -most.y) } else { most };
    let turned = side.rotate(facing);
    // Turning again and again makes it neither longer nor shorter.
    turned / turned.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_it_on_each_side() {
        let at = |degrees: f32| 3.0 * direction(degrees);
        assert!(holds(90.0, direction(30.0), at(74.0)) && holds(90.0, direction(30.0), at(-14.0)));
        assert!(!holds(90.0, direction(30.0), at(76.0)) && !holds(90.0, direction(30.0), at(-16.0)));
        assert!(holds(300.0, Vec2::X, at(149.0)) && !holds(300.0, Vec2::X, at(151.0)));
        assert!(holds(360.0, Vec2::X, at(180.0)));
    }

    #[test]
    fn turning_takes_its_time_and_ends_where_it_should() {
        let (mut facing, wanted) = (direction(170.0), direction(-100.0));
        for turned_so_far in [25.0, 50.0, 75.0] {
            facing = turned(facing, wanted, 25.0);
            assert!(facing.distance(direction(170.0 + turned_so_far)) < 1e-5, "the short way");
        }
        assert_eq!(turned(facing, wanted, 25.0), wanted);
        assert!(turned(Vec2::X, Vec2::NEG_X, 90.0).distance(Vec2::Y) < 1e-6);
        assert_eq!(turned(Vec2::X, Vec2::NEG_X, f32::INFINITY), Vec2::NEG_X);
    }
}
