//! Values of a scenario that are written in more ways than one, or in a way of their own.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use throng_grid::{PLAIN, SWAMP};
use toml::Spanned;

/// A number, whole or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) f64);

/// A whole number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole(pub(super) i64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl Visitor<'_> for Numbers {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
        }
        deserializer.deserialize_any(Numbers)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wholes;
        impl Visitor<'_> for Wholes {
            type Value = Whole;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Whole, E> {
                Ok(Whole(value))
            }
        }
        deserializer.deserialize_any(Wholes)
    }
}

/// A point `[x, y]` (m).
#[derive(Clone, Debug)]
pub(super) struct Point(pub(super) [Spanned<Number>; 2]);

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Coordinates;
        impl<'de> Visitor<'de> for Coordinates {
            type Value = Point;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("[x, y]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Point, A::Error> {
                let (x, y) = (seq.next_element()?, seq.next_element()?);
                let mut more = 0;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    more += 1;
                }
                match (x, y) {
                    (Some(x), Some(y)) if more == 0 => Ok(Point([x, y])),
                    (x, y) => {
                        let found = usize::from(x.is_some()) + usize::from(y.is_some()) + more;
                        Err(A::Error::invalid_length(found, &self))
                    }
                }
            }
        }
        deserializer.deserialize_seq(Coordinates)
    }
}

/// What classes of terrain cost, in the order of the file; 1 where nothing is said.
#[derive(Clone, Debug)]
pub(super) struct TerrainTable(pub(super) Vec<(u8, Spanned<TerrainCost>)>);

impl<'de> Deserialize<'de> for TerrainTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Classes;
        impl<'de> Visitor<'de> for Classes {
            type Value = TerrainTable;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("struct TerrainTable")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TerrainTable, A::Error> {
                let mut costs = Vec::new();
                while let Some(Class(class)) = map.next_key()? {
                    costs.push((class, map.next_value()?));
                }
                Ok(TerrainTable(costs))
            }
        }
        deserializer.deserialize_map(Classes)
    }
}

/// A class of terrain by name or number; what is wrong with it is said at its place.
struct Class(u8);

impl<'de> Deserialize<'de> for Class {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        let unknown = || D::Error::unknown_field(&key, &["plain", "swamp", "0 to 255"]);
        match key.as_str() {
            "plain" => Ok(Self(PLAIN)),
            "swamp" => Ok(Self(SWAMP)),
            number => number.parse().map(Self).map_err(|_| unknown()),
        }
    }
}

/// The cost of a class of terrain.
#[derive(Clone, Debug)]
pub(super) enum TerrainCost {
    Times(i64),
    /// A word; "closed" is the one that is known.
    Word(String),
}

impl<'de> Deserialize<'de> for TerrainCost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Costs;
        impl Visitor<'_> for Costs {
            type Value = TerrainCost;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or \"closed\"")
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<TerrainCost, E> {
                Ok(TerrainCost::Times(value))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<TerrainCost, E> {
                Ok(TerrainCost::Word(value.into()))
            }
        }
        deserializer.deserialize_any(Costs)
    }
}

/// Where each soldier of a squad stands (m).
#[derive(Clone, Debug)]
pub(super) struct Places(pub(super) Vec<Spanned<Point>>);

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Points;
        impl<'de> Visitor<'de> for Points {
            type Value = Places;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a place for each soldier, as in [[4, 5], [6, 5]]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Places, A::Error> {
                let mut places = Vec::new();
                while let Some(place) = seq.next_element()? {
                    places.push(place);
                }
                Ok(Places(places))
            }
        }
        deserializer.deserialize_seq(Points)
    }
}

/// How long a stop is waited at: a number (s) or a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum WaitValue {
    Seconds(Number),
    Tick(Whole),
    Come(Whole),
}

/// The stop after a stop: its name, or a table.
#[derive(Clone, Debug)]
pub(super) enum ThenValue {
    Stop(String),
    RoundRobin(Vec<Spanned<String>>),
    LeastTargeted(Vec<Spanned<String>>),
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ThenTable {
    RoundRobin(Vec<Spanned<String>>),
    LeastTargeted(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for ThenValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Thens;
        impl<'de> Visitor<'de> for Thens {
            type Value = ThenValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a stop, \"end\", { round_robin = [..] } or { least_targeted = [..] }")
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<ThenValue, E> {
                Ok(ThenValue::Stop(value.into()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ThenValue, A::Error> {
                Ok(match ThenTable::deserialize(MapAccessDeserializer::new(map))? {
                    ThenTable::RoundRobin(stops) => ThenValue::RoundRobin(stops),
                    ThenTable::LeastTargeted(stops) => ThenValue::LeastTargeted(stops),
                })
            }
        }
        deserializer.deserialize_any(Thens)
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum WaitTable {
    Tick(Whole),
    Come(Whole),
}

impl<'de> Deserialize<'de> for WaitValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Waits;
        impl<'de> Visitor<'de> for Waits {
            type Value = WaitValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds, { tick = N } or { come = N }")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<WaitValue, E> {
                Ok(WaitValue::Seconds(Number(value)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<WaitValue, E> {
                Ok(WaitValue::Seconds(Number(value as f64)))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WaitValue, A::Error> {
                Ok(match WaitTable::deserialize(MapAccessDeserializer::new(map))? {
                    WaitTable::Tick(tick) => WaitValue::Tick(tick),
                    WaitTable::Come(count) => WaitValue::Come(count),
                })
            }
        }
        deserializer.deserialize_any(Waits)
    }
}
