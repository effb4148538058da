//! The text of triggers as serde sees it.

use super::squad_table::{OrderValue, SquadTable};
use super::values::{Number, Point, Whole};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use toml::Spanned;

/// What happens once something else has.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TriggerTable {
    pub(super) name: Spanned<String>,
    pub(super) at: Option<Spanned<Number>>,
    pub(super) after: Option<Spanned<String>>,
    pub(super) delay: Option<Spanned<Number>>,
    pub(super) lost: Option<Spanned<LostTable>>,
    pub(super) enters: Option<Spanned<EntersTable>>,
    pub(super) sees: Option<Spanned<String>>,
    pub(super) near: Option<Spanned<NearTable>>,
    pub(super) breached: Option<Spanned<BreachedValue>>,
    pub(super) repeat: Option<RepeatTable>,
    pub(super) order: Option<OrderTables>,
    #[serde(default)]
    pub(super) squad: Vec<Spanned<SquadTable>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LostTable {
    pub(super) squad: Spanned<String>,
    pub(super) share: Option<Spanned<Number>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntersTable {
    pub(super) army: Spanned<String>,
    pub(super) area: Option<Spanned<String>>,
    pub(super) from: Option<Spanned<Point>>,
    pub(super) to: Option<Spanned<Point>>,
    pub(super) centre: Option<Spanned<Point>>,
    pub(super) radius: Option<Spanned<Number>>,
    pub(super) points: Option<Vec<Spanned<Point>>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NearTable {
    pub(super) squad: Spanned<String>,
    pub(super) within: Spanned<Number>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepeatTable {
    pub(super) every: Spanned<Number>,
    pub(super) times: Spanned<Whole>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderTable {
    pub(super) squad: Spanned<String>,
    pub(super) order: OrderValue,
}

/// Where something is broken: anywhere, or in an area of the map.
#[derive(Clone, Debug)]
pub(super) enum BreachedValue {
    Anywhere(bool),
    Area(String),
}

impl<'de> Deserialize<'de> for BreachedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Breached;
        impl Visitor<'_> for Breached {
            type Value = BreachedValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true or the name of an area")
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<BreachedValue, E> {
                Ok(BreachedValue::Anywhere(value))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<BreachedValue, E> {
                Ok(BreachedValue::Area(value.into()))
            }
        }
        deserializer.deserialize_any(Breached)
    }
}

/// An order to a squad, or a list of them.
#[derive(Clone, Debug)]
pub(super) struct OrderTables(pub(super) Vec<Spanned<OrderTable>>);

impl<'de> Deserialize<'de> for OrderTables {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Orders;
        impl<'de> Visitor<'de> for Orders {
            type Value = OrderTables;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("{ squad = \"NAME\", order = \"attack\" } or a list of such")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OrderTables, A::Error> {
                let table = OrderTable::deserialize(MapAccessDeserializer::new(map))?;
                let span = table.squad.span();
                Ok(OrderTables(vec![Spanned::new(span, table)]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<OrderTables, A::Error> {
                let mut tables = Vec::new();
                while let Some(table) = seq.next_element()? {
                    tables.push(table);
                }
                Ok(OrderTables(tables))
            }
        }
        deserializer.deserialize_any(Orders)
    }
}
