//! Journeys in a scenario: stops by their names, each with the keys of what is done there.

use super::ScenarioError;
use super::file::{self, JourneyTable, ScenarioFile, StopTable, ThenValue, WaitValue};
use super::source::Source;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;
use throng_sim::battle::JourneyId;
use throng_sim::world::{Area, Journey, Leader, Queue, SquadId, Stop, Task, Then, Until};
use toml::Spanned;

/// What a stop may be; one of these keys says which.
const TASKS: [&str; 6] = ["way_point", "area", "wait", "queue", "leave", "follow"];

/// The numbers of a stop, and the tasks that they belong to.
const NUMBERS: [(&str, &[&str]); 8] = [
    ("within", &["way_point", "leave"]),
    ("spacing", &["area"]),
    ("facing", &["queue"]),
    ("gap", &["queue"]),
    ("places", &["queue"]),
    ("serves", &["queue"]),
    ("seconds", &["queue"]),
    ("distance", &["follow"]),
];

/// How near one comes to a way-point or an exit where nothing else is said (m).
const WITHIN: f32 = 1.0;

/// The distance of the first follower where nothing else is said (m).
const BEHIND: f32 = 2.0;

/// The journeys of a scenario, in their order.
pub(super) fn journeys(
    source: &Source,
    parsed: &ScenarioFile,
    lattice: Lattice,
) -> Result<Vec<Journey>, ScenarioError> {
    source.distinct("journeys", parsed.journey.iter().map(|table| &table.name))?;
    let squads = || parsed.army.iter().flat_map(|army| &army.squad).map(toml::Spanned::get_ref);
    source.distinct("squads", squads().filter_map(|squad| squad.name.as_ref()))?;
    let named = (0..).zip(squads()).filter_map(|(s, squad)| Some((squad.name.as_ref()?.get_ref().clone(), s)));
    let squads: Vec<(String, u32)> = named.collect();
    parsed.journey.iter().map(|table| Reader { source, lattice, table, squads: &squads }.journey()).collect()
}

/// The journey that a squad is ordered on.
pub(super) fn find(source: &Source, parsed: &ScenarioFile, name: &Spanned<String>) -> Result<JourneyId, ScenarioError> {
    let known: Vec<&str> = parsed.journey.iter().map(|table| table.name.get_ref().as_str()).collect();
    number(source, "journey", name, &known).map(JourneyId)
}

/// The place of a name among those that are known.
pub(super) fn number(
    source: &Source,
    what: &'static str,
    name: &Spanned<String>,
    known: &[&str],
) -> Result<u32, ScenarioError> {
    let found = name.get_ref();
    known.iter().position(|known| known == found).map(|place| place as u32).ok_or_else(|| {
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        let hint = if known.is_empty() { format!("no {what} has a name") } else { file::hint(found, &known) };
        ScenarioError::UnknownName { at: source.at(name.span()), what, found: found.clone(), hint }
    })
}

struct Reader<'a> {
    source: &'a Source<'a>,
    lattice: Lattice,
    table: &'a JourneyTable,
    /// The numbers of the squads that have a name.
    squads: &'a [(String, u32)],
}

impl Reader<'_> {
    fn journey(&self) -> Result<Journey, ScenarioError> {
        let Self { source, table, .. } = self;
        source.distinct("stops", table.stop.iter().filter_map(|stop| stop.get_ref().name.as_ref()))?;
        let start = self.then(table.start.as_ref())?;
        let stops = table
            .stop
            .iter()
            .map(|stop| Ok(Stop { task: self.task(stop)?, then: self.then(stop.get_ref().then.as_ref())? }));
        let journey = Journey { start, stops: stops.collect::<Result<_, ScenarioError>>()? };
        journey.check().map_err(|error| ScenarioError::Journey {
            at: source.at(table.name.span()),
            journey: table.name.get_ref().clone(),
            source: Box::new(error),
        })?;
        Ok(journey)
    }

    fn then(&self, value: Option<&Spanned<ThenValue>>) -> Result<Then, ScenarioError> {
        let stop = |name: &Spanned<String>| {
            let stops = &self.table.stop;
            let known: Vec<&str> =
                stops.iter().map(|stop| stop.get_ref().name.as_ref().map_or("", |name| name.get_ref())).collect();
            let place = known.iter().position(|known| known == name.get_ref());
            let named: Vec<&str> = known.into_iter().filter(|known| !known.is_empty()).collect();
            place.map_or_else(|| number(self.source, "stop", name, &named), |place| Ok(place as u32))
        };
        let Some(value) = value else { return Ok(Then::Next) };
        match value.get_ref() {
            ThenValue::Stop(name) if name == "end" => Ok(Then::End),
            ThenValue::Stop(name) => stop(&Spanned::new(value.span(), name.clone())).map(Then::To),
            ThenValue::RoundRobin(names) => Ok(Then::RoundRobin(names.iter().map(stop).collect::<Result<_, _>>()?)),
            ThenValue::LeastTargeted(names) => {
                Ok(Then::LeastTargeted(names.iter().map(stop).collect::<Result<_, _>>()?))
            }
        }
    }

    /// Which of the tasks a stop is; it has the keys of that one alone.
    fn kind(&self, stop: &Spanned<StopTable>) -> Result<&'static str, ScenarioError> {
        let table = stop.get_ref();
        let said = [
            table.way_point.is_some(),
            table.area.is_some(),
            table.wait.is_some(),
            table.queue.is_some(),
            table.leave.is_some(),
            table.follow.is_some(),
        ];
        let found: Vec<&str> = TASKS.into_iter().zip(said).filter_map(|(task, said)| said.then_some(task)).collect();
        let wrong = |message| ScenarioError::Stop { at: self.source.at(stop.span()), message };
        let &[kind] = &found[..] else {
            let found = if found.is_empty() { "none".into() } else { found.join(" and ") };
            return Err(wrong(format!("a stop has one of the keys {}, found {found}", TASKS.join(", "))));
        };
        let numbers = [
            table.within.is_some(),
            table.spacing.is_some(),
            table.facing.is_some(),
            table.gap.is_some(),
            table.places.is_some(),
            table.serves.is_some(),
            table.seconds.is_some(),
            table.distance.is_some(),
        ];
        let strange = NUMBERS.into_iter().zip(numbers).find(|((_, of), said)| *said && !of.contains(&kind));
        let offset = (table.offset.is_some() && kind != "follow").then_some(("offset", &["follow"][..]));
        match strange.map(|(number, _)| number).or(offset) {
            Some((key, of)) => Err(wrong(format!("the key {key:?} belongs to {}; this stop is {kind}", of.join(", ")))),
            None => Ok(kind),
        }
    }

    fn point(&self, value: &Spanned<file::Point>, key: &'static str) -> Result<Vec2, ScenarioError> {
        point(self.source, self.lattice, value, key)
    }

    fn task(&self, stop: &Spanned<StopTable>) -> Result<Task, ScenarioError> {
        let kind = self.kind(stop)?;
        let (source, table) = (self.source, stop.get_ref());
        let metres = |value, default, key| source.number(value, default, key, 0.01..=10_000.0, "m");
        let within = metres(table.within.as_ref(), WITHIN, "within")?;
        if let Some(at) = &table.way_point {
            return Ok(Task::WayPoint { at: self.point(at, "way_point")?, within });
        }
        if let Some(at) = &table.leave {
            return Ok(Task::Leave { at: self.point(at, "leave")?, within });
        }
        if let Some(place) = &table.area {
            let spacing = metres(table.spacing.as_ref(), throng_sim::world::GAP, "spacing")?;
            return Ok(Task::Area { area: area(source, self.lattice, place)?, spacing });
        }
        if let Some(head) = &table.queue {
            let plain = Queue::default();
            let whole = |value, default: u32, key, most| source.whole(value, default.into(), key, 1..=most);
            return Ok(Task::Queue(Queue {
                head: self.point(head, "queue")?,
                facing: source.number(table.facing.as_ref(), plain.facing, "facing", -360.0..=360.0, "degrees")?,
                gap: metres(table.gap.as_ref(), plain.gap, "gap")?,
                places: whole(table.places.as_ref(), plain.places, "places", 10_000)? as u32,
                serves: whole(table.serves.as_ref(), plain.serves, "serves", 10_000)? as u32,
                seconds: source.number(table.seconds.as_ref(), plain.seconds, "seconds", 0.0..=1e6, "s")?,
            }));
        }
        if let Some(leader) = &table.follow {
            let known: Vec<&str> = self.squads.iter().map(|(name, _)| name.as_str()).collect();
            let place = number(source, "squad", leader, &known)?;
            let offset = |value: &Spanned<file::Point>| source.point(value, "offset");
            return Ok(Task::Follow {
                leader: Leader::Squad(SquadId(self.squads[place as usize].1)),
                distance: metres(table.distance.as_ref(), BEHIND, "distance")?,
                offset: table.offset.as_ref().map_or(Ok(Vec2::ZERO), offset)?,
            });
        }
        let Some(wait) = &table.wait else {
            return Err(ScenarioError::Stop { at: source.at(stop.span()), message: format!("{kind} is missing") });
        };
        let span = wait.span();
        Ok(Task::Wait(match *wait.get_ref() {
            WaitValue::Seconds(time) => {
                Until::Seconds(source.number(Some(&Spanned::new(span, time)), 0.0, "wait", 0.0..=1e6, "s")?)
            }
            WaitValue::Tick(tick) => {
                Until::Tick(source.whole(Some(&Spanned::new(span, tick)), 0, "tick", 0..=1_000_000_000)?)
            }
            WaitValue::Come(count) => {
                Until::Come(source.whole(Some(&Spanned::new(span, count)), 1, "come", 1..=1_000_000)? as u32)
            }
        }))
    }
}

/// A point of the map.
fn point(
    source: &Source,
    lattice: Lattice,
    value: &Spanned<file::Point>,
    key: &'static str,
) -> Result<Vec2, ScenarioError> {
    let file::Point([x, y]) = value.get_ref();
    let size = lattice.size();
    let on_map = |value, most| source.number(Some(value), 0.0, key, 0.0..=most, "m, on the map");
    Ok(Vec2::new(on_map(x, size.x)?, on_map(y, size.y)?))
}

/// An area of the map.
pub(super) fn area(source: &Source, lattice: Lattice, table: &Spanned<file::AreaTable>) -> Result<Area, ScenarioError> {
    let file::AreaTable { from, to, centre, radius, points } = table.get_ref();
    let point = |value, key| point(source, lattice, value, key);
    match (from, to, centre, radius, points) {
        (Some(from), Some(to), None, None, None) => {
            Ok(Area::Rectangle { from: point(from, "from")?, to: point(to, "to")? })
        }
        (None, None, Some(centre), Some(radius), None) => Ok(Area::Disc {
            centre: point(centre, "centre")?,
            radius: source.number(Some(radius), 1.0, "radius", 0.01..=10_000.0, "m")?,
        }),
        (None, None, None, None, Some(points)) => {
            let points = points.iter().map(|value| point(value, "points")).collect::<Result<_, _>>()?;
            Ok(Area::Polygon { points })
        }
        _ => Err(ScenarioError::Stop {
            at: source.at(table.span()),
            message: "an area is { from = [x, y], to = [x, y] }, { centre = [x, y], radius = R } or \
                      { points = [[x, y], ...] }"
                .into(),
        }),
    }
}
