//! The text of a scenario as serde sees it: nothing is checked yet but keys and types.

use super::squad_table::SquadTable;
use super::trigger_tables::TriggerTable;
use super::{At, ScenarioError};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

pub(super) use super::values::{Number, Point, TerrainCost, TerrainTable, ThenValue, WaitValue, Whole};

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioFile {
    pub(super) name: Option<String>,
    pub(super) map: Spanned<String>,
    pub(super) cell_size: Option<Spanned<Number>>,
    pub(super) polygons: Option<Spanned<String>>,
    pub(super) colours: Option<Spanned<String>>,
    pub(super) height: Option<Spanned<String>>,
    pub(super) height_scale: Option<Spanned<Number>>,
    pub(super) seed: Option<Spanned<Whole>>,
    pub(super) step: Option<Spanned<Number>>,
    pub(super) max_ticks: Option<Spanned<Whole>>,
    pub(super) index: Option<Spanned<String>>,
    pub(super) avoidance: Option<Spanned<String>>,
    pub(super) planner: Option<Spanned<String>>,
    pub(super) congestion: Option<Spanned<Number>>,
    /// The file of a library of units.
    pub(super) library: Option<Spanned<String>>,
    pub(super) wall_height: Option<Spanned<Number>>,
    pub(super) scatter: Option<Spanned<Number>>,
    pub(super) friendly_fire: Option<Spanned<bool>>,
    #[serde(default)]
    pub(super) unit: Vec<UnitTable>,
    #[serde(default)]
    pub(super) journey: Vec<JourneyTable>,
    #[serde(default)]
    pub(super) breakable: Vec<Spanned<BreakableTable>>,
    #[serde(default)]
    pub(super) trigger: Vec<Spanned<TriggerTable>>,
    #[serde(default)]
    pub(super) army: Vec<ArmyTable>,
}

/// All squads, those that come later last.
pub(super) fn all_squads(parsed: &ScenarioFile) -> impl Iterator<Item = &SquadTable> {
    let waves = parsed.trigger.iter().flat_map(|trigger| &trigger.get_ref().squad);
    parsed.army.iter().flat_map(|army| &army.squad).chain(waves).map(Spanned::get_ref)
}

/// Closed cells that can be broken.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BreakableTable {
    pub(super) area: Option<Spanned<String>>,
    pub(super) from: Option<Spanned<Point>>,
    pub(super) to: Option<Spanned<Point>>,
    pub(super) health: Option<Spanned<Number>>,
    pub(super) army: Option<Spanned<String>>,
}

/// A library of units.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnitsFile {
    #[serde(default)]
    pub(super) unit: Vec<UnitTable>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnitTable {
    pub(super) name: Spanned<String>,
    pub(super) like: Option<Spanned<String>>,
    pub(super) radius: Option<Spanned<Number>>,
    pub(super) height: Option<Spanned<Number>>,
    pub(super) speed: Option<Spanned<Number>>,
    pub(super) speed_spread: Option<Spanned<Number>>,
    pub(super) top_speed: Option<Spanned<Number>>,
    pub(super) headway: Option<Spanned<Number>>,
    pub(super) health: Option<Spanned<Number>>,
    pub(super) armour: Option<Spanned<Number>>,
    pub(super) damage: Option<Spanned<Number>>,
    pub(super) breach: Option<Spanned<Number>>,
    pub(super) reach: Option<Spanned<Number>>,
    pub(super) cooldown: Option<Spanned<Number>>,
    pub(super) charge: Option<Spanned<Number>>,
    pub(super) turning: Option<Spanned<Number>>,
    pub(super) arc: Option<Spanned<Number>>,
    pub(super) attackers: Option<Spanned<Whole>>,
    pub(super) ranged: Option<Spanned<RangedTable>>,
    pub(super) sight: Option<Spanned<Number>>,
    pub(super) view: Option<Spanned<Number>>,
    pub(super) prey: Option<Spanned<String>>,
    pub(super) morale: Option<Spanned<Number>>,
    pub(super) terrain: Option<TerrainTable>,
    pub(super) mass: Option<Spanned<Number>>,
    pub(super) acceleration: Option<Spanned<Number>>,
    pub(super) priority: Option<Spanned<Whole>>,
    pub(super) ignores: Option<Vec<Spanned<String>>>,
    pub(super) avoidance: Option<Spanned<String>>,
    pub(super) congestion: Option<Spanned<Number>>,
    pub(super) cost: Option<Spanned<Number>>,
}

/// What a unit shoots or throws.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RangedTable {
    pub(super) range: Option<Spanned<Number>>,
    pub(super) speed: Option<Spanned<Number>>,
    pub(super) spread: Option<Spanned<Number>>,
    pub(super) salvo: Option<Spanned<Whole>>,
    pub(super) ammunition: Option<Spanned<Whole>>,
    pub(super) damage: Option<Spanned<Number>>,
    pub(super) cooldown: Option<Spanned<Number>>,
    pub(super) blast: Option<Spanned<Number>>,
}

impl UnitTable {
    /// A number that is there and need not be whole, by its key.
    pub(super) fn number(&self, key: &str) -> Option<&Spanned<Number>> {
        let number = match key {
            "radius" => &self.radius,
            "height" => &self.height,
            "speed" => &self.speed,
            "speed_spread" => &self.speed_spread,
            "top_speed" => &self.top_speed,
            "headway" => &self.headway,
            "health" => &self.health,
            "armour" => &self.armour,
            "damage" => &self.damage,
            "breach" => &self.breach,
            "reach" => &self.reach,
            "cooldown" => &self.cooldown,
            "charge" => &self.charge,
            "turning" => &self.turning,
            "arc" => &self.arc,
            "sight" => &self.sight,
            "view" => &self.view,
            "morale" => &self.morale,
            "mass" => &self.mass,
            "acceleration" => &self.acceleration,
            "congestion" => &self.congestion,
            "cost" => &self.cost,
            "ranged.range" => &self.ranged.as_ref()?.get_ref().range,
            "ranged.speed" => &self.ranged.as_ref()?.get_ref().speed,
            "ranged.spread" => &self.ranged.as_ref()?.get_ref().spread,
            "ranged.damage" => &self.ranged.as_ref()?.get_ref().damage,
            "ranged.cooldown" => &self.ranged.as_ref()?.get_ref().cooldown,
            "ranged.blast" => &self.ranged.as_ref()?.get_ref().blast,
            _ => return None,
        };
        number.as_ref()
    }

    /// The place of a whole number, by its key.
    pub(super) fn whole_mut(&mut self, key: &str) -> Option<&mut Option<Spanned<Whole>>> {
        Some(match key {
            "attackers" => &mut self.attackers,
            "priority" => &mut self.priority,
            "ranged.salvo" => &mut ranged(&mut self.ranged).salvo,
            "ranged.ammunition" => &mut ranged(&mut self.ranged).ammunition,
            _ => return None,
        })
    }

    /// The place of a number that need not be whole, by its key.
    pub(super) fn number_mut(&mut self, key: &str) -> Option<&mut Option<Spanned<Number>>> {
        Some(match key {
            "radius" => &mut self.radius,
            "height" => &mut self.height,
            "speed" => &mut self.speed,
            "speed_spread" => &mut self.speed_spread,
            "top_speed" => &mut self.top_speed,
            "headway" => &mut self.headway,
            "health" => &mut self.health,
            "armour" => &mut self.armour,
            "damage" => &mut self.damage,
            "breach" => &mut self.breach,
            "reach" => &mut self.reach,
            "cooldown" => &mut self.cooldown,
            "charge" => &mut self.charge,
            "turning" => &mut self.turning,
            "arc" => &mut self.arc,
            "sight" => &mut self.sight,
            "view" => &mut self.view,
            "morale" => &mut self.morale,
            "mass" => &mut self.mass,
            "acceleration" => &mut self.acceleration,
            "congestion" => &mut self.congestion,
            "cost" => &mut self.cost,
            "ranged.range" => &mut ranged(&mut self.ranged).range,
            "ranged.speed" => &mut ranged(&mut self.ranged).speed,
            "ranged.spread" => &mut ranged(&mut self.ranged).spread,
            "ranged.damage" => &mut ranged(&mut self.ranged).damage,
            "ranged.cooldown" => &mut ranged(&mut self.ranged).cooldown,
            "ranged.blast" => &mut ranged(&mut self.ranged).blast,
            _ => return None,
        })
    }

    /// A unit of which only the name is known.
    pub(super) fn named(name: Spanned<String>) -> Self {
        Self {
            name,
            like: None,
            radius: None,
            height: None,
            speed: None,
            speed_spread: None,
            top_speed: None,
            headway: None,
            health: None,
            armour: None,
            damage: None,
            breach: None,
            reach: None,
            cooldown: None,
            charge: None,
            turning: None,
            arc: None,
            attackers: None,
            ranged: None,
            sight: None,
            view: None,
            prey: None,
            morale: None,
            terrain: None,
            mass: None,
            acceleration: None,
            priority: None,
            ignores: None,
            avoidance: None,
            congestion: None,
            cost: None,
        }
    }
}

/// The table of what is shot, made where it is not there.
fn ranged(table: &mut Option<Spanned<RangedTable>>) -> &mut RangedTable {
    table.get_or_insert_with(|| Spanned::new(0..0, RangedTable::default())).get_mut()
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArmyTable {
    pub(super) name: Spanned<String>,
    #[serde(default)]
    pub(super) allies: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) neutral: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) objective: Vec<Spanned<ObjectiveTable>>,
    #[serde(default)]
    pub(super) squad: Vec<Spanned<SquadTable>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectiveTable {
    pub(super) hold: Option<Spanned<AreaTable>>,
    pub(super) area: Option<Spanned<String>>,
    pub(super) kill: Option<Spanned<String>>,
    pub(super) survive: Option<Spanned<Number>>,
    pub(super) rout: Option<Spanned<bool>>,
    pub(super) seconds: Option<Spanned<Number>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JourneyTable {
    pub(super) name: Spanned<String>,
    pub(super) start: Option<Spanned<ThenValue>>,
    #[serde(default)]
    pub(super) stop: Vec<Spanned<StopTable>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StopTable {
    pub(super) name: Option<Spanned<String>>,
    pub(super) way_point: Option<Spanned<Point>>,
    pub(super) area: Option<Spanned<AreaTable>>,
    pub(super) wait: Option<Spanned<WaitValue>>,
    pub(super) queue: Option<Spanned<Point>>,
    pub(super) leave: Option<Spanned<Point>>,
    pub(super) follow: Option<Spanned<String>>,
    pub(super) within: Option<Spanned<Number>>,
    pub(super) spacing: Option<Spanned<Number>>,
    pub(super) facing: Option<Spanned<Number>>,
    pub(super) gap: Option<Spanned<Number>>,
    pub(super) places: Option<Spanned<Whole>>,
    pub(super) serves: Option<Spanned<Whole>>,
    pub(super) seconds: Option<Spanned<Number>>,
    pub(super) distance: Option<Spanned<Number>>,
    pub(super) offset: Option<Spanned<Point>>,
    pub(super) then: Option<Spanned<ThenValue>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AreaTable {
    pub(super) from: Option<Spanned<Point>>,
    pub(super) to: Option<Spanned<Point>>,
    pub(super) centre: Option<Spanned<Point>>,
    pub(super) radius: Option<Spanned<Number>>,
    pub(super) points: Option<Vec<Spanned<Point>>>,
}

/// The orders, for messages.
const ORDERS: &str = "\"attack\", \"charge\", \"hold\", \"flee\", { guard = METRES }, { go_to = [x, y] }, { move = [x, y] } and { travel = \"journey\" }";

/// Reads the text of `file`.
pub(super) fn parse<T: DeserializeOwned>(text: &str, file: &Path) -> Result<T, ScenarioError> {
    toml::from_str(text).map_err(|error| translate(&error, text, file))
}

/// Line and column of the byte `offset` in `text`.
pub(super) fn at(text: &str, offset: usize, file: &Path) -> At {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    At {
        file: file.to_path_buf(),
        line: before.split(|&byte| byte == b'\n').count(),
        column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
    }
}

/// Our words for what serde and the reader of TOML say.
fn translate(error: &toml::de::Error, text: &str, file: &Path) -> ScenarioError {
    let Range { start, .. } = error.span().unwrap_or(0..0);
    let at = at(text, start, file);
    let message = error.message();
    // What stands in back quotes: first what was found, then what is known.
    let mut quoted = message.split('`').skip(1).step_by(2).map(str::to_owned);
    if message.starts_with("unknown field") {
        let found = quoted.next().unwrap_or_default();
        let known: Vec<_> = quoted.collect();
        return ScenarioError::UnknownKey { at, hint: hint(&found, &known), found };
    }
    if message.starts_with("missing field") {
        return ScenarioError::MissingKey { at, key: quoted.next().unwrap_or_default() };
    }
    if message.starts_with("unknown variant") {
        let found = quoted.next().unwrap_or_default();
        // The words of an order, of a wait or of what comes after a stop.
        let known: Vec<_> = quoted.collect();
        let message = match known.first().map(String::as_str) {
            Some("tick") => {
                format!("unknown wait {found:?}; known are a number (s), {{ tick = N }} and {{ come = N }}")
            }
            Some("round_robin") => format!(
                "unknown choice {found:?}; known are the name of a stop, \"end\", {{ round_robin = [..] }} and {{ least_targeted = [..] }}"
            ),
            _ => format!("unknown order {found:?}; known are {ORDERS}"),
        };
        return ScenarioError::UnknownChoice { at, message };
    }
    let found = text.get(error.span().unwrap_or(0..0)).unwrap_or_default();
    ScenarioError::Toml { at, message: plain(message, found) }
}

/// What the reader of TOML says, with what to do; `found` is the piece of text it is about.
fn plain(message: &str, found: &str) -> String {
    const KNOWN: [(&str, &str); 6] = [
        (
            "invalid type: map, expected a sequence",
            "found one table, expected a list of them; put its name in double brackets, as in [[army]]",
        ),
        (
            "unexpected key or value",
            "found more than one value on a line; lists are written in brackets, as in [1.5, 2], decimals with a point",
        ),
        ("invalid basic string", "this text is not closed, expected `\"`"),
        ("invalid literal string", "this text is not closed, expected `'`"),
        ("invalid mantissa", "a number needs digits before and after its point, as in 0.5"),
        ("missing escaped value", "a backslash in a text is written twice; paths may be written with `/`"),
    ];
    if message.starts_with("wanted string or table") {
        return format!("this is no order; known are {ORDERS}");
    }
    if let Some((_, plain)) = KNOWN.iter().find(|(start, _)| message.starts_with(start)) {
        return (*plain).into();
    }
    if message.ends_with("expected struct TerrainTable") {
        return "terrain is written as in { plain = 1, swamp = 3 } or { swamp = \"closed\" }".into();
    }
    if message == "duplicate key" {
        let advice = match found {
            "unit" | "army" | "squad" | "journey" | "stop" | "breakable" | "trigger" => {
                "each needs double brackets, as in [[army]] and [[army.squad]]"
            }
            _ => "remove one",
        };
        return format!("the key {found:?} is there twice; {advice}");
    }
    if message.starts_with("string values must be quoted") {
        return match found.chars().next() {
            None => "the value is missing after `=`".into(),
            Some(first) if first.is_alphabetic() => {
                format!("found {found:?} without quotes; texts are written in quotes, as in name = \"red\"")
            }
            Some(_) => format!("{found:?} is no value; numbers are written as in 1.5, lists as in [1.5, 2]"),
        };
    }
    message
        .lines()
        .collect::<Vec<_>>()
        .join(", ")
        .replace(", expected nothing", "; remove it")
        .replace(" as i128", "")
        .replace("expected a sequence", "expected a list of names, as in [\"horseman\"]")
}

/// Suggests the known name nearest to `found`, or lists all of them.
pub(crate) fn hint(found: &str, known: &[String]) -> String {
    if matches!(found, "squad" | "squads") && known.iter().any(|name| name == "army") {
        return "a squad belongs to an army: write [[army.squad]] below its [[army]]".into();
    }
    let likeness = |name: &String| strsim::jaro_winkler(found, name);
    match known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
        Some(nearest) if likeness(nearest) > 0.8 => format!("did you mean {nearest:?}?"),
        _ => {
            let known: Vec<String> = known.iter().map(|name| name.escape_debug().to_string()).collect();
            format!("known are {}", known.join(", "))
        }
    }
}
