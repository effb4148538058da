//! Links of a Tiled map: polylines of two points of the class `link`.

use super::areas::shape;
use super::object::{Object, Role};
use crate::files::source::{Source, quoted};
use crate::geom::Vec2;
use crate::{Lattice, MapError, MapLink};

/// A link, from where its line begins (m) to where it ends.
pub(super) fn link(source: &Source, lattice: Lattice, object: &Object, corners: &[Vec2]) -> Result<MapLink, MapError> {
    let &[from, to] = corners else {
        let found = match corners.len() {
            0 => "a link without a line".into(),
            points => format!("a line of {points} points"),
        };
        return Err(source.wrong(object.at, found, shape(Role::Link)));
    };
    let (least, most) = MapLink::SECONDS;
    let seconds = |text: &str| text.parse().ok().filter(|seconds| (least..=most).contains(seconds));
    let flag = |text: &str| text.parse().ok();
    let properties = &object.properties;
    let link = MapLink {
        name: object.name.clone(),
        both_ways: properties.is_true(source, "both_ways")?,
        is_open: properties.read(source, "open", "true or false", flag)?.unwrap_or(true),
        ..MapLink::new(
            from,
            to,
            properties.read(source, "seconds", "a number of seconds from 0.01 to 10000", seconds)?.unwrap_or(1.0),
        )
    };
    if link.cells(lattice).is_none() {
        let found = format!("the link {} from ({}, {}) to ({}, {})", quoted(&link.name), from.x, from.y, to.x, to.y);
        let size = lattice.size();
        let expected = format!("one that joins two cells of the map, which is {} x {} m", size.x, size.y);
        return Err(source.wrong(object.at, found, expected));
    }
    Ok(link)
}
