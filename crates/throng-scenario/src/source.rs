//! The text of a file and its name: numbers, points and choices in their ranges, and messages that say where.

use super::file::{self, Number, Point, TerrainCost, TerrainTable, Whole};
use super::{At, ScenarioError};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::str::FromStr;
use throng_grid::geom::Vec2;
use throng_grid::{PLAIN, SWAMP, TerrainCosts};
use toml::Spanned;

/// The greatest cost of terrain.
const MAX_TERRAIN: i64 = 1000;

/// The text and its name, for messages.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: &'a Path,
}

impl Source<'_> {
    pub(super) fn at(&self, span: Range<usize>) -> At {
        file::at(self.text, span.start, self.file)
    }

    /// A number of the file, or `default` where it is absent.
    pub(super) fn number(
        &self,
        value: Option<&Spanned<Number>>,
        default: f32,
        key: &'static str,
        range: RangeInclusive<f32>,
        unit: &str,
    ) -> Result<f32, ScenarioError> {
        let Some(value) = value else { return Ok(default) };
        let number = value.get_ref().0;
        if range.contains(&(number as f32)) {
            return Ok(number as f32);
        }
        let expected = format!("between {} and {} ({unit})", range.start(), range.end());
        Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found: found(number) })
    }

    pub(super) fn whole(
        &self,
        value: Option<&Spanned<Whole>>,
        default: i64,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<u64, ScenarioError> {
        let Some(value) = value else { return Ok(default as u64) };
        let number = value.get_ref().0;
        if range.contains(&number) {
            return Ok(number as u64);
        }
        let expected = if *range.end() == i64::MAX {
            format!("at least {}", range.start())
        } else {
            format!("between {} and {}", range.start(), range.end())
        };
        Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found: number.to_string() })
    }

    pub(super) fn point(&self, value: &Spanned<Point>, key: &'static str) -> Result<Vec2, ScenarioError> {
        let Point([x, y]) = value.get_ref();
        let coordinate = |value| self.number(Some(value), 0.0, key, -1e6..=1e6, "m");
        Ok(Vec2::new(coordinate(x)?, coordinate(y)?))
    }

    pub(super) fn choice<T: FromStr<Err: Display>>(
        &self,
        value: Option<&Spanned<String>>,
        default: T,
    ) -> Result<T, ScenarioError> {
        let Some(value) = value else { return Ok(default) };
        value.get_ref().parse().map_err(|error: T::Err| ScenarioError::UnknownChoice {
            at: self.at(value.span()),
            message: error.to_string(),
        })
    }

    /// What terrain costs: plain ground, swamp and all that is named.
    pub(super) fn terrain(&self, table: &TerrainTable) -> Result<TerrainCosts, ScenarioError> {
        let cost = |class: u8, value: &Spanned<TerrainCost>| {
            let found = match value.get_ref() {
                TerrainCost::Word(word) if word == "closed" => return Ok((class, None)),
                &TerrainCost::Times(cost @ 1..=MAX_TERRAIN) => return Ok((class, Some(cost as u16))),
                TerrainCost::Times(other) => other.to_string(),
                TerrainCost::Word(other) => format!("{other:?}"),
            };
            let key = match class {
                PLAIN => "plain",
                SWAMP => "swamp",
                _ => "terrain",
            };
            let expected = format!("between 1 and {MAX_TERRAIN} (times the cost of the best ground) or \"closed\"");
            Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found })
        };
        let named = table.0.iter().map(|(class, value)| cost(*class, value)).collect::<Result<Vec<_>, _>>()?;
        Ok(TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, Some(1))].into_iter().chain(named)))
    }

    /// Nobody may have the name of another.
    pub(super) fn distinct<'a>(
        &self,
        what: &'static str,
        names: impl Iterator<Item = &'a Spanned<String>>,
    ) -> Result<(), ScenarioError> {
        let mut seen = BTreeMap::new();
        for name in names {
            let at = self.at(name.span());
            if let Some(&first) = seen.get(name.get_ref()) {
                return Err(ScenarioError::Duplicate { at, what, name: name.get_ref().clone(), first });
            }
            seen.insert(name.get_ref(), at.line);
        }
        Ok(())
    }
}

/// A number as a user would write it.
pub(super) fn found(number: f64) -> String {
    number.to_string().to_lowercase()
}
