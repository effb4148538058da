//! Values as they are written into a scenario file: numbers, points, places, orders.

use throng_grid::geom::Vec2;
use throng_sim::battle::{Front, Order};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Value};

/// So many places stand in a line of a file.
const PLACES_A_LINE: usize = 6;

/// A number that is read as the same again.
pub(super) fn number(number: f32) -> Value {
    // The fewest digits that tell it from other numbers of its kind, unless rounding twice makes another of them.
    let short = number.to_string().parse().ok().filter(|&short: &f64| short as f32 == number);
    short.unwrap_or(number.into()).into()
}

fn point(point: Vec2) -> Array {
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

/// An order of a map of this size (m): a point off the map is written as the nearest one of the map, as it is understood.
pub(super) fn order(document: &DocumentMut, size: Vec2, order: Order) -> Value {
    let with = |value: Value| Value::from(InlineTable::from_iter([(order.name(), value)]));
    let on_map = |at: Vec2| Value::from(point(at.clamp(Vec2::ZERO, size)));
    match order {
        Order::Hold | Order::Attack | Order::Charge | Order::Flee => order.name().into(),
        Order::Guard { within } => with(number(within)),
        Order::GoTo(to) | Order::Move(to) => with(on_map(to)),
        Order::Line(Front { centre, facing: looks, width, fights }) => {
            let mut table = InlineTable::from_iter([
                (order.name(), on_map(centre)),
                ("facing", facing(looks)),
                ("width", number(width)),
            ]);
            if !fights {
                table.insert("fights", false.into());
            }
            table.into()
        }
        Order::Travel(journey) => with(journey_name(document, journey.0 as usize).into()),
    }
}

/// The name of a journey, by its place in the file.
fn journey_name(document: &DocumentMut, place: usize) -> String {
    let journeys = document.get("journey");
    let tables = journeys.and_then(Item::as_array_of_tables).and_then(|tables: &ArrayOfTables| tables.get(place));
    let inline = || journeys.and_then(Item::as_array).and_then(|list| list.get(place)?.as_inline_table()?.get("name"));
    let name = match tables {
        Some(table) => table.get("name").and_then(Item::as_str),
        None => inline().and_then(Value::as_str),
    };
    name.unwrap_or_default().to_owned()
}
