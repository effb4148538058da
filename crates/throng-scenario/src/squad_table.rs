//! The text of a squad as serde sees it.

use super::values::{Number, Places, Point, Whole};
use toml::Spanned;

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SquadTable {
    pub(super) name: Option<Spanned<String>>,
    /// Of a squad that comes by a trigger.
    pub(super) army: Option<Spanned<String>>,
    pub(super) unit: Option<Spanned<String>>,
    pub(super) count: Option<Spanned<Whole>>,
    pub(super) position: Option<Spanned<Point>>,
    pub(super) places: Option<Spanned<Places>>,
    pub(super) area: Option<Spanned<String>>,
    pub(super) facing: Option<Spanned<Number>>,
    pub(super) columns: Option<Spanned<Whole>>,
    pub(super) spacing: Option<Spanned<Number>>,
    pub(super) formation: Option<Spanned<String>>,
    pub(super) order: Option<OrderValue>,
    pub(super) planner: Option<Spanned<String>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum OrderValue {
    Attack,
    Charge,
    Hold,
    Flee,
    Guard(Spanned<Number>),
    GoTo(Spanned<Point>),
    Move(Spanned<Point>),
    Travel(Spanned<String>),
}
