//! Journeys in a scenario: stops by their names, each with the keys of the action there.

use super::ScenarioError;
use super::drawn_areas::drawn;
use super::schema::{AREA, ARMY, JOURNEY, SQUAD, STOP, THEN, WAIT};
use super::section::{Name, Section, distinct};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;
use throng_sim::battle::JourneyId;
use throng_sim::world::{Journey, Leader, Queue, SquadId, Stop, Task, Then, Until};

/// The journeys of a scenario, in their order.
pub(super) fn journeys(file: Section<'_>, lattice: Lattice) -> Result<Vec<Journey>, ScenarioError> {
    distinct(file.source, "journeys", file.tables("journey", &JOURNEY).filter_map(|table| table.name("name")))?;
    let squads = file.tables("army", &ARMY).flat_map(|army| army.tables("squad", &SQUAD));
    let squads: Vec<&str> = squads.map(|squad| squad.text("name").unwrap_or_default()).collect();
    file.tables("journey", &JOURNEY).map(|table| Reader { lattice, table, squads: &squads }.journey()).collect()
}

/// The journey on which a squad is ordered.
pub(super) fn find(file: Section<'_>, name: &Name<'_>) -> Result<JourneyId, ScenarioError> {
    let known: Vec<&str> = file.tables("journey", &JOURNEY).filter_map(|table| table.text("name")).collect();
    name.among(file.source, "journey", &known).map(|journey| JourneyId(journey as u32))
}

struct Reader<'a> {
    lattice: Lattice,
    table: Section<'a>,
    /// Names of the squads of the armies; empty where one has none.
    squads: &'a [&'a str],
}

impl Reader<'_> {
    fn journey(&self) -> Result<Journey, ScenarioError> {
        let Self { table, .. } = self;
        let stops = || table.tables("stop", &STOP);
        distinct(table.source, "stops", stops().filter_map(|stop| stop.name("name")))?;
        let start = self.then(*table, "start")?;
        let stops = stops().map(|stop| Ok(Stop { task: self.task(stop)?, then: self.then(stop, "then")? }));
        let journey = Journey { start, stops: stops.collect::<Result<_, ScenarioError>>()? };
        let name = table.text("name").unwrap_or_default();
        journey.check().or_else(|error| table.wrong("name", format!("journey {name:?}: {error}")))?;
        Ok(journey)
    }

    /// The stop of this name.
    fn stop(&self, name: &Name<'_>) -> Result<u32, ScenarioError> {
        let stops = self.table.tables("stop", &STOP);
        let known: Vec<&str> = stops.map(|stop| stop.text("name").unwrap_or_default()).collect();
        name.among(self.table.source, "stop", &known).map(|stop| stop as u32)
    }

    fn then(&self, table: Section<'_>, key: &str) -> Result<Then, ScenarioError> {
        if let Some(choice) = table.table(key, &THEN) {
            let stops = |key| choice.names(key).map(|name| self.stop(&name)).collect::<Result<_, _>>();
            return if choice.has("round_robin") {
                Ok(Then::RoundRobin(stops("round_robin")?))
            } else {
                Ok(Then::LeastTargeted(stops("least_targeted")?))
            };
        }
        match table.name(key) {
            None => Ok(Then::Next),
            Some(Name { text: "end", .. }) => Ok(Then::End),
            Some(name) => self.stop(&name).map(Then::To),
        }
    }

    fn task(&self, stop: Section<'_>) -> Result<Task, ScenarioError> {
        let point = |key| stop.on_map(key, self.lattice);
        let within = stop.number("within");
        if stop.has("way_point") {
            return Ok(Task::WayPoint { at: point("way_point")?, within });
        }
        if stop.has("leave") {
            return Ok(Task::Leave { at: point("leave")?, within });
        }
        if let Some(area) = stop.table("area", &AREA) {
            return Ok(Task::Area { area: drawn(area, self.lattice)?, spacing: stop.number("spacing") });
        }
        if stop.has("queue") {
            return Ok(Task::Queue(Queue {
                head: point("queue")?,
                facing: stop.number("facing"),
                gap: stop.number("gap"),
                places: stop.whole("places") as u32,
                serves: stop.whole("serves") as u32,
                seconds: stop.number("seconds"),
            }));
        }
        if let Some(leader) = stop.name("follow") {
            let squad = leader.among(stop.source, "squad", self.squads)?;
            return Ok(Task::Follow {
                leader: Leader::Squad(SquadId(squad as u32)),
                distance: stop.number("distance"),
                offset: stop.point("offset").unwrap_or(Vec2::ZERO),
            });
        }
        let wait = stop.table("wait", &WAIT);
        let whole = |key| wait.and_then(|wait| wait.some_whole(key));
        Ok(Task::Wait(match (whole("tick"), whole("come")) {
            (Some(tick), _) => Until::Tick(tick),
            (None, Some(count)) => Until::Come(count as u32),
            (None, None) => Until::Seconds(stop.number("wait")),
        }))
    }
}
