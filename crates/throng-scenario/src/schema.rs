//! The keys of a scenario file: of each table every key with its kind, unit, range, default and documentation. Reading, error
//! messages, the numbers that a batch may vary and the tables of `docs/scenarios.md` come from here.

use super::orders::words;
use throng_plan::PlannerChoice;
use throng_sim::battle::{Look, NumberRange, Shape, TargetPreference, UnitNumber};
use throng_sim::crowd::Avoidance;
use throng_sim::world::Fire;
use throng_spatial::IndexKind;

/// A table of a scenario file.
///
/// ```
/// use throng_scenario::schema::{Kind, SCENARIO, Table};
/// // Every number of a file, with its range.
/// let step = SCENARIO.keys.iter().find(|key| key.name == "step").unwrap();
/// let Kind::Number(range) = step.kind else { panic!() };
/// assert_eq!((range.to_string(), step.default), ("between 0.001 and 1 (s)".to_owned(), "0.05"));
/// assert_eq!(Table::ALL[0].title, SCENARIO.title);
/// ```
#[derive(Debug)]
pub struct Table {
    /// Its name in messages, as in "a stop".
    pub title: &'static str,
    /// Its keys, but for the numbers of a unit.
    pub keys: &'static [Key],
    /// The numbers of a unit or of its weapon, as far as it has these.
    pub numbers: &'static [UnitNumber],
    /// Exactly one of these keys is there; none of them, where any may be there.
    pub one_of: &'static [&'static str],
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// The value that holds where it is not there: a value, or words. `required` where it has to be there.
    pub default: &'static str,
    /// Its meaning, in Markdown.
    pub doc: &'static str,
    /// The keys among [`Table::one_of`] that it belongs to; empty where it stands with any.
    pub of: &'static [&'static str],
}

/// The values that a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number in a range.
    Number(NumberRange),
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of the words of a choice, which has a name; a planner and an index may have parameters after a colon.
    Word(&'static str, fn() -> Vec<&'static str>),
    /// `[x, y]` (m).
    Point,
    /// Classes of terrain and their costs.
    Terrain,
    /// A list of such values.
    List(&'static Kind),
    /// A table.
    Table(&'static Table),
    /// A value of one of these kinds, and how it is written.
    Any(&'static [Kind], &'static str),
}

/// The word for a key that has to be there.
pub(super) const REQUIRED: &str = "required";

/// Rows of `name: kind, default, documentation;`, with the keys that one belongs to in brackets behind its name.
macro_rules! keys {
    ($($name:ident $([$($of:ident)*])?: $kind:expr, $default:expr, $doc:literal;)*) => {
        &[$(Key { name: stringify!($name), kind: $kind, default: $default, doc: $doc, of: &[$($(stringify!($of)),*)?] }),*]
    };
}

const fn table(title: &'static str, keys: &'static [Key]) -> Table {
    Table { title, keys, numbers: &[], one_of: &[] }
}

const fn one(title: &'static str, one_of: &'static [&'static str], keys: &'static [Key]) -> Table {
    Table { one_of, ..table(title, keys) }
}

const fn number(least: f64, most: f64, unit: &'static str) -> Kind {
    Kind::Number(NumberRange::new(least, most, unit))
}

const fn whole(least: f64, most: f64, unit: &'static str) -> Kind {
    Kind::Number(NumberRange::whole(least, most, unit))
}

const INFINITE: f64 = f64::INFINITY;
/// A point; that it is on the map is checked with the map.
const POINT: Kind = Kind::Point;
const POINTS: Kind = Kind::List(&POINT);
const TEXT: Kind = Kind::Text;
/// The themes of pictures.
pub const THEMES: [&str; 4] = ["battle", "building", "plan", "dark"];

const NAMES: Kind = Kind::List(&TEXT);
const SECONDS: Kind = number(0.0, 1e6, "s");
const METRES: Kind = number(0.01, 1e4, "m");
const DEGREES: Kind = number(-360.0, 360.0, "degrees");
const PLANNER: Kind = Kind::Word("planner", || PlannerChoice::NAMES.to_vec());
const AVOIDANCE: Kind = Kind::Word("avoidance", || Avoidance::ALL.map(Avoidance::name).to_vec());

impl Table {
    /// True where one of the keys has this name; for checks while it is compiled.
    pub(super) const fn has_key(&self, name: &str) -> bool {
        let mut key = 0;
        while key < self.keys.len() {
            let known = self.keys[key].name.as_bytes();
            let mut equal = 0;
            while equal < known.len() && equal < name.len() && known[equal] == name.as_bytes()[equal] {
                equal += 1;
            }
            if equal == known.len() && equal == name.len() {
                return true;
            }
            key += 1;
        }
        false
    }

    /// All tables, each before those in it.
    pub const ALL: &[&Self] = &[
        &SCENARIO, &UNIT, &RANGED, &ARMY, &OBJECTIVE, &SQUAD, &ORDER, &AREA, &LINK, &BREAKABLE, &FIRE, &TRIGGER, &LOST,
        &ENTERS, &NEAR, &REPEAT, &TOLD, &JOURNEY, &STOP, &WAIT, &THEN,
    ];
}

/// The top of a file.
pub static SCENARIO: Table = table(
    "a scenario",
    keys! {
        name: TEXT, "the name of the file", "Name of the scenario in results.";
        map: TEXT, REQUIRED, "A Moving AI `.map` file, an ASCII `.txt` map, a Tiled `.tmx` or `.tmj` map, a floor plan (`.wkt`, `.geojson`), or an image with dark walls ([maps.md](maps.md)). The path starts at the folder of this file.";
        cell_size: number(0.1, 100.0, "m"), "as the map says, else 1; of a floor plan 0.25", "Side of a cell of the map.";
        polygons: Kind::Word("polygons", || vec!["walkable", "obstacles"]), "[maps.md](maps.md#floor-plans)", "The meaning of the polygons of a floor plan where it does not say it: `\"walkable\"` or `\"obstacles\"`.";
        project: Kind::Flag, "degrees are an error", "Whether degrees of longitude and latitude of a floor plan become metres around its middle; `false` takes all numbers as metres, whatever the file says ([maps.md](maps.md#coordinates)).";
        level: TEXT, "all", "The level whose features of a `.geojson` floor plan are read, beside those without a level.";
        wall_width: number(0.001, 1000.0, "m"), "0.2", "Width of the walls that a floor plan draws as lines and that do not say theirs.";
        colours: TEXT, "dark is wall", "A table of the meanings of the colours of an image ([maps.md](maps.md#images)).";
        height: TEXT, "level", "A grey `.png` of the size of the map, one pixel a cell: black is low, white is high; see [Hills](#hills).";
        height_scale: number(0.01, 655.35, "m"), "10", "Height of white above black.";
        seed: whole(0.0, INFINITE, ""), "1", "Seed of all random numbers. The same seed gives the same battle on every machine.";
        step: number(0.001, 1.0, "s"), "0.05", "Length of a tick. A longer tick is faster to compute and coarser.";
        max_ticks: whole(1.0, 1e9, "ticks"), "10000", "Ticks after which the battle is a draw.";
        index: Kind::Word("index", || IndexKind::ALL.map(IndexKind::name).to_vec()), "`grid`", "How neighbours are found, by one of the kinds below, with [parameters](#parameters-of-indices) if you like; it changes the speed only.";
        avoidance: AVOIDANCE, "`orca`", "How agents avoid each other, by one of the models below.";
        planner: PLANNER, "`astar`", "Planner of the squads that name none.";
        congestion: number(0.0, 1000.0, "times"), "0", "How much more a way costs where it is full of agents; see [Crowds at gates](#crowds-at-gates).";
        theme: Kind::Word("theme", || THEMES.to_vec()), "`battle`", "How it looks in [pictures](#pictures) and in the window: `\"battle\"`, `\"building\"`, `\"plan\"` or `\"dark\"`.";
        scatter: number(0.0, 0.5, "m"), "0", "Greatest distance from its place at which an agent starts, at random by the seed, so that no two battles begin alike. Squads of triggers come to their places.";
        wall_height: number(0.0, 1000.0, "m"), "4", "Height of all walls: [shots](#ranged-weapons-of-a-unit) fly over them.";
        friendly_fire: Kind::Flag, "`true`", "Whether shots hit friends and neutral agents that are in their way.";
        library: TEXT, "none", "Units to choose from: a file of `[[unit]]` tables. The path starts at the folder of this file.";
        unit: Kind::List(&Kind::Table(&UNIT)), "none", "Kinds of soldiers, [below](#unit-a-kind-of-soldier).";
        army: Kind::List(&Kind::Table(&ARMY)), "at least one", "The sides, [below](#army-a-side).";
        link: Kind::List(&Kind::Table(&LINK)), "none", "Doors, jumps and drops, [below](#link-doors-jumps-and-drops).";
        breakable: Kind::List(&Kind::Table(&BREAKABLE)), "none", "Walls and gates that can be broken, [below](#breakable-walls-and-gates-that-can-be-broken).";
        fire: Kind::List(&Kind::Table(&FIRE)), "none", "Fires with smoke, for show, [below](#fire-fires-for-show).";
        trigger: Kind::List(&Kind::Table(&TRIGGER)), "none", "Events, [below](#trigger-events).";
        journey: Kind::List(&Kind::Table(&JOURNEY)), "none", "Ways from stop to stop, [below](#journeys).";
    },
);

/// A file of units.
pub static LIBRARY: Table = table(
    "a library",
    keys! {
        unit: Kind::List(&Kind::Table(&UNIT)), "none", "Kinds of soldiers.";
    },
);

/// `[[unit]]`.
pub static UNIT: Table = Table {
    numbers: UnitNumber::BODY,
    ..table(
        "a unit",
        keys! {
            name: TEXT, REQUIRED, "Name by which squads refer to it.";
            like: TEXT, "`soldier`", "Unit from which it takes all that is not said here, but for `ignores`: one that stands before it, one of the library, `soldier` or `pedestrian`.";
            ranged: Kind::Table(&RANGED), "nothing", "The weapon with which it [shoots or throws](#ranged-weapons-of-a-unit), as in `{ range = 60, damage = 25 }`.";
            prey: Kind::Word("prey", || TargetPreference::ALL.map(TargetPreference::name).to_vec()), "`\"nearest\"`", "Which of the enemies that it sees it fights: `\"nearest\"`, `\"weakest\"` (the least health left) or `\"most-dangerous\"` (the most damage a second).";
            look: Kind::Word("look", || Look::ALL.map(Look::name).to_vec()), "what fits", "Its appearance in pictures and in the window: `\"swordsman\"`, `\"spearman\"`, `\"archer\"`, `\"rider\"`, `\"giant\"`, `\"ram\"`, `\"leader\"` or `\"civilian\"`. Without it, what fits its weapon, size and speed.";
            terrain: Kind::Terrain, "all terrain is the same", "Costs of terrain on its routes, as in `{ plain = 1, swamp = 3 }`: a whole number from 1 to 1000, or `\"closed\"` for ground that it never enters. Terrain that is not named costs 1. Classes without a name have a number, as in `{ swamp = 3, 7 = 2 }`.";
            avoidance: AVOIDANCE, "`avoidance` at the top", "Its own model of avoidance.";
            ignores: NAMES, "none", "Names of units and armies that it walks through, as in `[\"horseman\", \"red\"]`. It neither avoids them nor is pushed by them; they may still avoid it. It fights them all the same.";
        },
    )
};

/// `ranged` of a unit.
pub static RANGED: Table = Table { numbers: UnitNumber::WEAPON, ..table("a weapon", &[]) };

/// `[[army]]`.
pub static ARMY: Table = table(
    "an army",
    keys! {
        name: TEXT, REQUIRED, "Name of the army; no two armies share one.";
        colour: TEXT, "that of its number", "Its colour in pictures: red, green and blue as in `\"#2178FF\"`.";
        allies: NAMES, "none", "Armies that fight beside it, as in `[\"green\"]`. It is enough that one of the two says it.";
        neutral: NAMES, "none", "Armies that it does not fight, and that do not fight it.";
        objective: Kind::List(&Kind::Table(&OBJECTIVE)), "none", "Its [objectives](#armyobjective-objectives-of-an-army): it wins when it has reached all of them, or has killed all enemies.";
        squad: Kind::List(&Kind::Table(&SQUAD)), "at least one", "Its squads, [below](#armysquad-soldiers-that-go-together).";
    },
);

/// `[[army.objective]]`.
pub static OBJECTIVE: Table = one(
    "an objective",
    &["hold", "area", "kill", "survive", "rout"],
    keys! {
        hold: Kind::Table(&AREA), "", "Hold an area for so many `seconds`: `{ from = [x, y], to = [x, y] }`, `{ centre = [x, y], radius = R }` or `{ points = [[x, y], ...] }`. The army or an ally takes the area when one of its agents is in it and no enemy. The time runs while it is taken and no enemy is in it. It begins anew once only enemies are in it.";
        area: TEXT, "", "The same for an area that a [Tiled map](maps.md#tiled) names.";
        kill: TEXT, "", "The squad of this name must have no one left alive, whichever army kills it.";
        survive: number(0.1, 1e6, "s"), "", "The army must still have someone alive after this many seconds.";
        rout: Kind::Flag, "", "`true`: the only enemies left are those that run, and none are still to come.";
        seconds [hold area]: number(0.1, 1e6, "s"), "required with `hold` and `area`", "How long the area has to be held.";
    },
);

/// `[[army.squad]]` and `[[trigger.squad]]`.
pub static SQUAD: Table = table(
    "a squad",
    keys! {
        name: TEXT, "none", "Name by which journeys, triggers and objectives refer to it; no two squads share one.";
        army: TEXT, "required in `[[trigger.squad]]`", "Army of a squad that comes by a trigger; only there.";
        unit: TEXT, "`soldier`", "A `[[unit]]`, one of the library, `soldier` or `pedestrian`.";
        count: whole(1.0, super::MAX_SQUAD as f64, "soldiers a squad"), "required, or said by the area or by `places`", "Number of soldiers; all squads together have at most 1000000.";
        position: POINT, "required, or `places` or `area`", "`[x, y]` of the middle of the block.";
        places: POINTS, "none", "`[[x, y], ...]`, a place for each soldier.";
        area: TEXT, "none", "A spawn area of a [Tiled map](maps.md#tiled), in which all stand. Where the squad does not say `count`, `unit`, `facing` or `formation`, the area does.";
        facing: DEGREES, "0", "Direction in which it looks: 0 to the right, 90 down, 180 to the left, 270 up.";
        columns: whole(1.0, super::MAX_SQUAD as f64, "soldiers"), "so that the block is twice as broad as deep", "Soldiers side by side; the others stand in ranks behind them.";
        spacing: number(0.0, 100.0, "m"), "2.5 radii", "Distance between neighbours, at least two radii.";
        formation: Kind::Word("formation", || Shape::ALL.map(Shape::name).to_vec()), "none: all go as they come", "The formation that it keeps, see [below](#formations).";
        order: ORDERS, "`\"hold\"`", "Its order, see below.";
        then: Kind::List(&ORDERS), "none", "The orders that follow, one after another, at most 64: `[\"attack\", { go_to = [9, 4] }]`. Not for a squad of a trigger that repeats.";
        planner: PLANNER, "`planner` at the top", "How its routes are found.";
    },
);

/// An order, as a word or a table.
pub(super) const ORDERS: Kind = Kind::Any(
    &[Kind::Word("order", || words().collect()), Kind::Table(&ORDER)],
    "\"attack\", \"charge\", \"hold\", \"flee\", { guard = METRES }, { go_to = [x, y] }, { move = [x, y] }, { line = [x, y] }, { travel = \"journey\" } or { follow = \"squad\" }",
);

/// An order that needs more than a word.
pub static ORDER: Table = one(
    "an order",
    &["guard", "go_to", "move", "line", "travel", "follow"],
    keys! {
        guard: number(0.0, 1000.0, "m"), "", "Stay, but go for enemies within this distance of one's place, and come back.";
        go_to: POINT, "", "Walk to a point and stay there; fight what comes into sight on the way.";
        move: POINT, "", "Walk to a point and stay there, whatever comes into sight; strike what comes within reach.";
        line: POINT, "", "Go to a line and stand on it rank behind rank, the first one on the line; `[x, y]` is its middle. A squad without a formation gets one.";
        facing [line]: DEGREES, "0", "Direction in which the squad looks on its line: 0 to the right, 90 down.";
        width [line]: number(0.0, 1e4, "m"), "10", "Length of the line: as many stand side by side as find room on it, where the formation has columns.";
        fights [line]: Kind::Flag, "`true`", "Whether it fights what comes into sight; `false`: it strikes only what comes within reach.";
        travel: TEXT, "", "Each agent goes by itself from stop to stop of a [journey](#journeys); it fights what comes into sight on the way.";
        follow: TEXT, "", "Go after the squad of this name, and fight what comes into sight on the way; once that is gone, hold, or take the next order of `then`. A squad of a trigger is waited for.";
        distance [follow]: number(0.01, 1e4, "m"), "5", "How far from that squad's first member its middle stays.";
    },
);

/// An area that is drawn.
pub static AREA: Table = table(
    "an area",
    keys! {
        from: POINT, "", "A corner of a rectangle.";
        to: POINT, "", "The opposite corner.";
        centre: POINT, "", "The middle of a disc.";
        radius: METRES, "", "Its radius.";
        points: POINTS, "", "The corners of a polygon.";
    },
);

/// `[[link]]`.
pub static LINK: Table = table(
    "a link",
    keys! {
        name: TEXT, "none", "Name by which triggers open and shut it; no two links share one.";
        from: POINT, REQUIRED, "Where it starts: the middle of the cell of this point.";
        to: POINT, REQUIRED, "Where it ends, likewise.";
        seconds: number(0.01, 1e4, "s"), "1", "How long an agent takes to cross it.";
        both_ways: Kind::Flag, "`false`", "Whether it leads back too.";
        open: Kind::Flag, "`true`", "`false`: it is shut until a trigger opens it.";
    },
);

/// `[[breakable]]`.
pub static BREAKABLE: Table = table(
    "something breakable",
    keys! {
        area: TEXT, "required, or `from` and `to`", "An area of a [Tiled map](maps.md#tiled): the closed cells whose middles are in it.";
        from: POINT, "none", "A corner of a rectangle: the closed cells whose middles are in it.";
        to: POINT, "none", "The opposite corner.";
        health: number(1e-3, 1e9, "points a cell"), "required, or said by a property `health` of the area", "Health of each cell.";
        army: TEXT, "none", "The army that keeps it: that army and its allies do not attack it.";
    },
);

/// `[[fire]]`.
pub static FIRE: Table = table(
    "a fire",
    keys! {
        position: POINT, REQUIRED, "`[x, y]` of its middle; on a roof or a wall where the cell is closed.";
        size: number(Fire::SIZE.0 as f64, Fire::SIZE.1 as f64, "m"), "2", "How wide it burns.";
        from: SECONDS, "0", "When it begins.";
        until: SECONDS, "never", "When it goes out.";
    },
);

/// `[[trigger]]`.
pub static TRIGGER: Table = one(
    "a trigger",
    &["at", "after", "lost", "enters", "sees", "near", "breached"],
    keys! {
        name: TEXT, REQUIRED, "Name of the trigger; no two triggers share one.";
        at: SECONDS, "", "This many seconds after the start.";
        after: TEXT, "", "When the trigger of this name has fired for the first time, and a `delay` has passed.";
        delay [after]: SECONDS, "0", "Time after the other trigger.";
        lost: Kind::Table(&LOST), "", "`{ squad = \"NAME\", share = 0.5 }`: when the squad has lost this share of the most that it has had.";
        enters: Kind::Table(&ENTERS), "", "`{ army = \"NAME\", ... }`: when an agent of the army is in an area, which is drawn as that of an objective, or named by the map: `area = \"NAME\"`.";
        sees: TEXT, "", "When an agent of the squad of this name sees an enemy: the nearest one is within its `sight`, and no wall is between them.";
        near: Kind::Table(&NEAR), "", "`{ squad = \"NAME\", within = 20 }`: when an enemy is this near to an agent of the squad, whatever is between them.";
        breached: Kind::Any(&[Kind::Flag, TEXT], "true or the name of an area"), "", "`true`: when anything is broken; or the name of an area: when something in it is broken.";
        order: Kind::Any(&[Kind::Table(&TOLD), Kind::List(&Kind::Table(&TOLD))], "{ squad = \"NAME\", order = \"attack\" } or a list of such"), "none", "`{ squad = \"NAME\", order = \"attack\" }`, or a list of such: [orders](#armysquad-soldiers-that-go-together) for squads, also for those that came by a trigger.";
        opens: NAMES, "none", "Names of [links](#link-doors-jumps-and-drops) that are open from then on.";
        shuts: NAMES, "none", "Names of links that are shut from then on.";
        squad: Kind::List(&Kind::Table(&SQUAD)), "none", "`[[trigger.squad]]`: a squad comes. It has the keys of `[[army.squad]]`, and the name of its `army`.";
        repeat: Kind::Table(&REPEAT), "once", "`{ every = 20, times = 3 }`: how often it fires. Each time another squad comes, which has no name.";
    },
);

/// `lost` of a trigger.
pub static LOST: Table = table(
    "a loss",
    keys! {
        squad: TEXT, REQUIRED, "Name of the squad.";
        share: number(0.001, 1.0, "1 = all of them"), "1", "Share that is lost.";
    },
);

/// `enters` of a trigger.
pub static ENTERS: Table = table(
    "an entry",
    keys! {
        army: TEXT, REQUIRED, "Name of the army.";
        area: TEXT, "none", "Name of an area of the map.";
        from: POINT, "", "A corner of a rectangle.";
        to: POINT, "", "The opposite corner.";
        centre: POINT, "", "The middle of a disc.";
        radius: METRES, "", "Its radius.";
        points: POINTS, "", "The corners of a polygon.";
    },
);

/// `near` of a trigger.
pub static NEAR: Table = table(
    "an approach",
    keys! {
        squad: TEXT, REQUIRED, "Name of the squad.";
        within: number(0.0, 1e4, "m"), REQUIRED, "How near.";
    },
);

/// `repeat` of a trigger.
pub static REPEAT: Table = table(
    "a repetition",
    keys! {
        every: number(0.1, 1e6, "s"), REQUIRED, "Time between two.";
        times: whole(1.0, 1e4, "times"), REQUIRED, "How often in all.";
    },
);

/// `order` of a trigger.
pub static TOLD: Table = table(
    "an order to a squad",
    keys! {
        squad: TEXT, REQUIRED, "Name of the squad.";
        order: ORDERS, REQUIRED, "Its new order.";
    },
);

/// `[[journey]]`.
pub static JOURNEY: Table = table(
    "a journey",
    keys! {
        name: TEXT, REQUIRED, "Name by which orders refer to it.";
        start: THENS, "the first stop", "The stop at which it begins, or a choice as that of `then`.";
        stop: Kind::List(&Kind::Table(&STOP)), "at least one", "Its stops, in their order.";
    },
);

const THENS: Kind = Kind::Any(
    &[TEXT, Kind::Table(&THEN)],
    "the name of a stop, \"end\", { round_robin = [..] } or { least_targeted = [..] }",
);

/// A choice among stops.
pub static THEN: Table = one(
    "a choice",
    &["round_robin", "least_targeted"],
    keys! {
        round_robin: NAMES, "", "Each of these stops in turn.";
        least_targeted: NAMES, "", "The stop that the fewest agents go to.";
    },
);

/// `[[journey.stop]]`.
pub static STOP: Table = one(
    "a stop",
    &["way_point", "area", "wait", "queue", "leave", "follow"],
    keys! {
        name: TEXT, "none", "Name by which `then` refers to it.";
        way_point: POINT, "", "Come near this point.";
        area: Kind::Table(&AREA), "", "Go to a free place of its own in an area, which is drawn as that of an objective. The places are spread over all of it. While all are taken, it waits; the first that came is the first to get one.";
        wait: Kind::Any(&[SECONDS, Kind::Table(&WAIT)], "a number of seconds, { tick = N } or { come = N }"), "", "Stay this many seconds, `{ tick = N }`: until tick N, or `{ come = N }`: until N agents are there, which then go on together. An agent that has a place in an area keeps it.";
        queue: POINT, "", "Stand in line and be served; `[x, y]` is the first place.";
        leave: POINT, "", "Leave the world at this point.";
        follow: TEXT, "", "Follow the squad of this name, each agent at its own distance, until no member of it is left.";
        within [way_point leave]: METRES, "1", "How near it comes.";
        spacing [area]: METRES, "1", "Distance between the places.";
        facing [queue]: DEGREES, "0", "Direction in which the queue looks.";
        gap [queue]: METRES, "1", "Distance between neighbours in the queue.";
        places [queue]: whole(1.0, 1e4, "agents"), "20", "Places in the queue.";
        serves [queue]: whole(1.0, 1e4, "agents"), "1", "How many are served at a time.";
        seconds [queue]: SECONDS, "5", "Time to serve one.";
        distance [follow]: METRES, "2", "Distance of the first.";
        offset [follow]: POINT, "[0, 0]", "`[ahead, right]` of the point that is followed.";
        then: THENS, "the next stop; after the last the journey ends", "Where to go after it: the name of a stop, `\"end\"` (stay), `{ round_robin = [\"a\", \"b\"] }` (each agent goes to the stop after that of the agent before it) or `{ least_targeted = [\"a\", \"b\"] }` (where the fewest are, or are bound for).";
    },
);

/// `wait` of a stop.
pub static WAIT: Table = one(
    "a wait",
    &["tick", "come"],
    keys! {
        tick: whole(0.0, 1e9, "ticks"), "", "Until this tick.";
        come: whole(1.0, 1e6, "agents"), "", "Until this many agents are there.";
    },
);
