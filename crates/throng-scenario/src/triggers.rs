//! Triggers in a scenario: causes and effects by their names.

use super::drawn_areas::{drawn, is_drawn};
use super::schema::{ARMY, ENTERS, LOST, NEAR, REPEAT, SQUAD, TOLD, TRIGGER};
use super::section::{Name, Section, distinct};
use super::squads::{squad_names, squad_tables};
use super::{Scenario, ScenarioError, areas, links};
use throng_sim::battle::Order;
use throng_sim::world::{Area, ArmyId, Cause, Effect, Repeat, SquadId, SquadSpec, Trigger, TriggerId, cycle};

/// The checks that need no map.
pub(super) fn check(file: Section<'_>) -> Result<(), ScenarioError> {
    distinct(file.source, "triggers", file.tables("trigger", &TRIGGER).filter_map(|table| table.name("name")))?;
    let mut of_armies = file.tables("army", &ARMY).flat_map(|army| army.tables("squad", &SQUAD));
    if let Some(squad) = of_armies.find(|squad| squad.has("army")) {
        return squad.wrong("army", "a squad below an army belongs to that army; remove this key");
    }
    let repeated = file.tables("trigger", &TRIGGER).filter(|table| repeat(*table).times > 1);
    if let Some(squad) = repeated.flat_map(|table| table.tables("squad", &SQUAD)).find(|squad| squad.has("then")) {
        let message =
            "a squad that comes more than once has no orders that follow; remove then, or write a trigger for each";
        return squad.wrong("then", message);
    }
    distinct(file.source, "squads", squad_tables(file).filter_map(|squad| squad.name("name")))
}

/// How often a trigger fires.
pub(super) fn repeat(table: Section<'_>) -> Repeat {
    let times = |repeat: Section<'_>| Repeat { every: repeat.number("every"), times: repeat.whole("times") as u32 };
    table.table("repeat", &REPEAT).map_or_else(Repeat::default, times)
}

/// The triggers of a file whose squads, those of triggers too, stand in place; `order` reads the order of a squad of a unit.
pub(super) fn triggers(
    file: Section<'_>,
    scenario: &Scenario,
    places: &[throng_grid::Area],
    waves: Vec<Vec<SquadSpec>>,
    mut order: impl FnMut(usize, Section<'_>) -> Result<Order, ScenarioError>,
) -> Result<Vec<Trigger>, ScenarioError> {
    let reader = Reader::new(file, scenario, places);
    // The unit of each squad.
    let armies = scenario.armies.iter().flat_map(|army| &army.squads);
    let units: Vec<usize> = armies.chain(waves.iter().flatten()).map(|squad| squad.unit.0.into()).collect();
    let mut triggers = Vec::with_capacity(reader.tables.len());
    for (&table, waves) in reader.tables.iter().zip(waves) {
        let mut then = Vec::new();
        for told in table.tables("order", &TOLD) {
            let squad = reader.squad(told, "squad")?;
            then.push(Effect::Order { squad, order: order(units[squad.0 as usize], told)? });
        }
        for (squad, wave) in table.tables("squad", &SQUAD).zip(waves) {
            let army = squad.name("army").ok_or_else(|| squad.missing("army"))?;
            then.push(Effect::SpawnSquad(SquadSpec { army: reader.army(&army)?, ..wave }));
        }
        for (key, is_open) in [("opens", true), ("shuts", false)] {
            for name in table.names(key) {
                then.extend(links::named(scenario, &name, file)?.map(|link| Effect::SetLink { link, is_open }));
            }
        }
        if then.is_empty() {
            let message = "this trigger does nothing; add order = { squad = \"NAME\", order = \"attack\" }, opens = [\"LINK\"] or \
                           [[trigger.squad]]";
            return Err(ScenarioError::Rule { at: table.at(), message: message.into() });
        }
        let name = table.text("name").unwrap_or_default().into();
        triggers.push(Trigger { name, when: reader.cause(table)?, then, repeat: repeat(table) });
    }
    reader.cycles(&triggers)?;
    Ok(triggers)
}

struct Reader<'a> {
    file: Section<'a>,
    scenario: &'a Scenario,
    places: &'a [throng_grid::Area],
    tables: Vec<Section<'a>>,
    /// The names of all squads, those of triggers last; empty where there is none.
    squads: Vec<&'a str>,
    /// The trigger that brings each of the last of them.
    waves: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(file: Section<'a>, scenario: &'a Scenario, places: &'a [throng_grid::Area]) -> Self {
        let tables: Vec<Section<'a>> = file.tables("trigger", &TRIGGER).collect();
        let squads = squad_names(file).collect();
        let waves = tables.iter().enumerate().flat_map(|(t, table)| table.tables("squad", &SQUAD).map(move |_| t));
        Self { waves: waves.collect(), file, scenario, places, tables, squads }
    }

    fn squad(&self, table: Section<'_>, key: &str) -> Result<SquadId, ScenarioError> {
        let name = table.name(key).ok_or_else(|| table.missing(key))?;
        let squad = SquadId(name.among(self.file.source, "squad", &self.squads)? as u32);
        let wave = self.wave(squad).map(|t| self.tables[t]).filter(|&wave| repeat(wave).times > 1);
        if let Some(wave) = wave {
            let (own, trigger) = (name.text, wave.text("name").unwrap_or_default());
            let comes = format!("{own:?} comes more than once, by the trigger {trigger:?}");
            return table.wrong(key, format!("{comes}; name a squad that comes once"));
        }
        Ok(squad)
    }

    fn army(&self, name: &Name<'_>) -> Result<ArmyId, ScenarioError> {
        let known: Vec<&str> = self.scenario.armies.iter().map(|army| army.name.as_str()).collect();
        name.among(self.file.source, "army", &known).map(|army| ArmyId(army as u8))
    }

    /// The trigger that brings a squad.
    fn wave(&self, squad: SquadId) -> Option<usize> {
        let first = self.squads.len() - self.waves.len();
        self.waves.get((squad.0 as usize).checked_sub(first)?).copied()
    }

    /// The cause of a trigger.
    fn cause(&self, table: Section<'_>) -> Result<Cause, ScenarioError> {
        if table.has("at") {
            return Ok(Cause::At { seconds: table.number("at") });
        }
        if let Some(other) = table.name("after") {
            let known: Vec<&str> = self.tables.iter().map(|table| table.text("name").unwrap_or_default()).collect();
            let trigger = TriggerId(other.among(self.file.source, "trigger", &known)? as u32);
            return Ok(Cause::After { trigger, delay: table.number("delay") });
        }
        if let Some(lost) = table.table("lost", &LOST) {
            return Ok(Cause::Lost { squad: self.squad(lost, "squad")?, share: lost.number("share") });
        }
        if let Some(enters) = table.table("enters", &ENTERS) {
            let army = enters.name("army").ok_or_else(|| enters.missing("army"))?;
            return Ok(Cause::Enters { army: self.army(&army)?, area: self.entered(enters)? });
        }
        if table.has("sees") {
            return Ok(Cause::Sees { squad: self.squad(table, "sees")? });
        }
        if let Some(near) = table.table("near", &NEAR) {
            return Ok(Cause::Near { squad: self.squad(near, "squad")?, metres: near.number("within") });
        }
        Ok(Cause::Breached { area: self.breached(table)? })
    }

    /// The area that is entered.
    fn entered(&self, table: Section<'_>) -> Result<Area, ScenarioError> {
        match areas::find(table, self.places)? {
            Some(_) if is_drawn(table) => {
                let message = "an area is named or drawn, found both; remove one".into();
                Err(ScenarioError::Rule { at: table.at(), message })
            }
            Some(place) => Ok(Area::Polygon { points: place.corners.clone() }),
            None => drawn(table, self.scenario.grid.lattice()),
        }
    }

    /// The area in which something is broken; `None` = anywhere.
    fn breached(&self, table: Section<'_>) -> Result<Option<Area>, ScenarioError> {
        if table.flag("breached") == Some(false) {
            return table.wrong("breached", "breached must be true or the name of an area, found false");
        }
        let lattice = self.scenario.grid.lattice();
        let mut cells = self.scenario.breakables.iter().flat_map(|breakable| &breakable.cells);
        let place = areas::find_at(table, "breached", self.places)?;
        if !cells.any(|&cell| place.is_none_or(|place| place.contains(lattice.centre(cell)))) {
            return table.wrong("breached", "there is nothing that can be broken; add [[breakable]]");
        }
        Ok(place.map(|place| Area::Polygon { points: place.corners.clone() }))
    }

    /// No trigger waits for itself, not even by a detour.
    fn cycles(&self, triggers: &[Trigger]) -> Result<(), ScenarioError> {
        let waits = |trigger: &Trigger| match trigger.when {
            Cause::After { trigger, .. } => Some(trigger.0 as usize),
            Cause::Lost { squad, .. } | Cause::Sees { squad } | Cause::Near { squad, .. } => self.wave(squad),
            _ => None,
        };
        let waits: Vec<Option<usize>> = triggers.iter().map(waits).collect();
        let Some(ring) = cycle(&waits) else { return Ok(()) };
        let names: Vec<&str> = ring.iter().map(|&t| triggers[t].name.as_str()).collect();
        let message = format!("the triggers {} wait for each other; give one of them another cause", names.join(" → "));
        let table = self.tables[ring[0]];
        let cause = TRIGGER.one_of.iter().find(|cause| table.has(cause));
        table.wrong(cause.copied().unwrap_or("name"), message)
    }
}
