//! Values as they are written into a scenario file: numbers, points, places.

use throng_grid::geom::Vec2;
use toml_edit::{Array, Value};

/// So many places stand in a line of a file.
const PLACES_A_LINE: usize = 6;

/// A number that is read as the same again.
pub(super) fn number(number: f32) -> Value {
    // The fewest digits that tell it from other numbers of its kind, unless rounding twice makes another of them.
    let short = number.to_string().parse().ok().filter(|&short: &f64| short as f32 == number);
    short.unwrap_or(number.into()).into()
}

pub(super) fn point(point: Vec2) -> Array {
    [number(point.x), number(point.y)].into_iter().collect()
}

pub(super) fn places(positions: &[Vec2]) -> Value {
    let mut places: Array = positions.iter().copied().map(point).collect();
    if positions.len() > PLACES_A_LINE {
        for (i, place) in places.iter_mut().enumerate() {
            place.decor_mut().set_prefix(if i % PLACES_A_LINE == 0 { "\n    " } else { " " });
        }
        places.set_trailing("\n");
        places.set_trailing_comma(true);
    }
    places.into()
}

/// A direction (degrees): more than a whole turn is none of a file.
pub(super) fn facing(degrees: f32) -> Value {
    number(if degrees.abs() <= 360.0 { degrees } else { degrees % 360.0 })
}
