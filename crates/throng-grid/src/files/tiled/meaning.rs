//! What names, classes and properties say about walls.

use super::model::{Properties, Property};
use crate::MapError;
use crate::files::source::{Source, quoted};
use crate::files::wall_words::{Says, says, truth};
use crate::files::warnings::Warnings;

/// What holds for all in a layer or a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layer {
    /// All in it is a wall, or none; `None` where nothing is said.
    pub is_solid: Option<bool>,
    /// How far it was moved, with the groups around it (pixels).
    pub offset: [f64; 2],
}

/// A layer as it is written.
pub(super) struct Written<'a> {
    pub at: usize,
    /// As `tile layer`.
    pub what: &'static str,
    pub name: &'a str,
    pub class: &'a str,
    pub properties: &'a Properties,
    pub offset: [f64; 2],
}

impl Layer {
    /// A layer in this one.
    pub fn inner(self, source: &Source, layer: &Written, warnings: &mut Warnings) -> Result<Self, MapError> {
        let mut is_solid = solid(source, layer.properties, warnings)?;
        for name in [layer.class, layer.name] {
            match says(name) {
                _ if is_solid.is_some() => {}
                Says::Wall => is_solid = Some(true),
                // Ground, as it were.
                Says::Nothing => {}
                Says::Open | Says::Unclear if self.is_solid == Some(true) => {}
                Says::Open => {
                    let message = format!(
                        "the {} {} closes nothing around it; draw what is closed in a layer of the name \"walls\"",
                        layer.what,
                        quoted(name)
                    );
                    warnings.add(source, layer.at, message);
                }
                Says::Unclear => warnings.unclear(source, layer.at, layer.what, name),
            }
        }
        let offset = [self.offset[0] + layer.offset[0], self.offset[1] + layer.offset[1]];
        Ok(Self { is_solid: is_solid.or(self.is_solid), offset })
    }
}

/// Whether properties make a wall of a thing, or say that it is none.
pub(super) fn solid(
    source: &Source,
    properties: &Properties,
    warnings: &mut Warnings,
) -> Result<Option<bool>, MapError> {
    let mut found = None;
    for property in &properties.0 {
        if let Some(is_solid) = solid_by(source, property, warnings)? {
            found = Some(found.unwrap_or(false) || is_solid);
        }
    }
    Ok(found)
}

fn solid_by(source: &Source, property: &Property, warnings: &mut Warnings) -> Result<Option<bool>, MapError> {
    let Property { name, value, at } = property;
    let meaning = says(name);
    let truth = truth(value);
    match (meaning, truth) {
        (Says::Wall, Some(is_solid)) => Ok(Some(is_solid)),
        (Says::Open, Some(is_open)) => Ok(Some(!is_open)),
        (Says::Unclear, Some(true)) => {
            let message = format!(
                "the property {} is not taken for walls; give what has it the boolean property \"wall\", true or false",
                quoted(name)
            );
            warnings.add(source, *at, message);
            Ok(None)
        }
        (Says::Nothing | Says::Unclear, _) => Ok(None),
        (_, None) if name == "wall" || name == "walls" => {
            Err(source.wrong(*at, format!("the property {name} = {}", quoted(value)), "true or false"))
        }
        (_, None) => {
            let message =
                format!("the property {name} = {} says nothing of walls; expected true or false", quoted(value));
            warnings.add(source, *at, message);
            Ok(None)
        }
    }
}
