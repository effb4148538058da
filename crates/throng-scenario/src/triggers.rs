//! Triggers in a scenario: causes and effects by their names.

use super::file::{AreaTable, ScenarioFile};
use super::journeys::{area, number};
use super::source::Source;
use super::squad_table::SquadTable;
use super::trigger_tables::{BreachedValue, EntersTable, OrderTable, TriggerTable};
use super::{Scenario, ScenarioError, areas};
use std::ops::{Range, RangeInclusive};
use throng_sim::battle::Order;
use throng_sim::world::{Area, ArmyId, Cause, Effect, Repeat, SquadId, SquadSpec, Trigger, TriggerId, cycle};
use toml::Spanned;

/// What a cause may be; one of these keys says which.
const KEYS: [&str; 7] = ["at", "after", "lost", "enters", "sees", "near", "breached"];

/// Times (s).
const SECONDS: RangeInclusive<f32> = 0.0..=1e6;

/// Checks what can be checked before the map is read.
pub(super) fn check(source: &Source, parsed: &ScenarioFile) -> Result<(), ScenarioError> {
    source.distinct("triggers", parsed.trigger.iter().map(|table| &table.get_ref().name))?;
    let of_armies = parsed.army.iter().flat_map(|army| &army.squad).map(Spanned::get_ref);
    if let Some(army) = of_armies.clone().find_map(|squad| squad.army.as_ref()) {
        let message = "a squad below an army belongs to that; remove this key".to_owned();
        return Err(ScenarioError::Squad { at: source.at(army.span()), message });
    }
    let waves = parsed.trigger.iter().flat_map(|trigger| &trigger.get_ref().squad).map(Spanned::get_ref);
    source.distinct("squads", of_armies.chain(waves).filter_map(|squad| squad.name.as_ref()))
}

/// How often a trigger fires.
pub(super) fn repeat(source: &Source, table: &TriggerTable) -> Result<Repeat, ScenarioError> {
    let Some(repeat) = &table.repeat else { return Ok(Repeat::default()) };
    Ok(Repeat {
        every: source.number(Some(&repeat.every), 1.0, "every", 0.1..=1e6, "s")?,
        times: source.whole(Some(&repeat.times), 1, "times", 1..=10_000)? as u32,
    })
}

/// The triggers of a file whose squads, those of the waves too, stand in place; `order` says what a squad of a unit is told.
pub(super) fn triggers(
    source: &Source,
    parsed: &ScenarioFile,
    scenario: &Scenario,
    places: &[throng_grid::Area],
    waves: Vec<Vec<SquadSpec>>,
    mut order: impl FnMut(usize, &Spanned<OrderTable>) -> Result<Order, ScenarioError>,
) -> Result<Vec<Trigger>, ScenarioError> {
    let reader = Reader::new(source, parsed, scenario, places);
    // The unit of each squad.
    let armies = scenario.armies.iter().flat_map(|army| &army.squads);
    let units: Vec<usize> = armies.chain(waves.iter().flatten()).map(|squad| usize::from(squad.unit.0)).collect();
    let mut triggers = Vec::with_capacity(parsed.trigger.len());
    for (table, waves) in parsed.trigger.iter().zip(waves) {
        let (span, table) = (table.span(), table.get_ref());
        let mut then = Vec::new();
        for told in table.order.iter().flat_map(|orders| &orders.0) {
            let squad = reader.squad(&told.get_ref().squad)?;
            then.push(Effect::Order { squad, order: order(units[squad.0 as usize], told)? });
        }
        for (squad, wave) in table.squad.iter().zip(waves) {
            let (span, squad) = (squad.span(), squad.get_ref());
            let Some(army) = &squad.army else {
                return Err(ScenarioError::MissingKey { at: source.at(span), key: "army".into() });
            };
            then.push(Effect::SpawnSquad(SquadSpec { army: reader.army(army)?, ..wave }));
        }
        if then.is_empty() {
            let message =
                "this trigger does nothing; add order = { squad = \"NAME\", order = \"attack\" } or [[trigger.squad]]";
            return Err(ScenarioError::Trigger { at: source.at(span), message: message.into() });
        }
        let (when, _) = reader.cause(span, table)?;
        triggers.push(Trigger { name: table.name.get_ref().clone(), when, then, repeat: repeat(source, table)? });
    }
    reader.cycles(&triggers)?;
    Ok(triggers)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    parsed: &'a ScenarioFile,
    scenario: &'a Scenario,
    places: &'a [throng_grid::Area],
    /// The names of all squads, those of the waves last; empty where there is none.
    squads: Vec<&'a str>,
    /// The trigger whose wave each of the last of them is.
    waves: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(
        source: &'a Source<'a>,
        parsed: &'a ScenarioFile,
        scenario: &'a Scenario,
        places: &'a [throng_grid::Area],
    ) -> Self {
        let armies = parsed.army.iter().flat_map(|army| &army.squad);
        let waves = parsed.trigger.iter().flat_map(|trigger| &trigger.get_ref().squad);
        let name =
            |squad: &'a Spanned<SquadTable>| squad.get_ref().name.as_ref().map_or("", |name| name.get_ref().as_str());
        let squads = armies.chain(waves).map(name).collect();
        let of = |(t, trigger): (usize, &Spanned<TriggerTable>)| std::iter::repeat_n(t, trigger.get_ref().squad.len());
        let waves = parsed.trigger.iter().enumerate().flat_map(of).collect();
        Self { source, parsed, scenario, places, squads, waves }
    }

    fn squad(&self, name: &Spanned<String>) -> Result<SquadId, ScenarioError> {
        let place = self.squads.iter().position(|known| known == name.get_ref());
        let named: Vec<&str> = self.squads.iter().copied().filter(|known| !known.is_empty()).collect();
        let place = place.map_or_else(|| number(self.source, "squad", name, &named), |place| Ok(place as u32))?;
        let wave = self.wave(SquadId(place)).map(|t| self.parsed.trigger[t].get_ref());
        if let Some(wave) = wave.filter(|wave| wave.repeat.as_ref().is_some_and(|repeat| repeat.times.get_ref().0 > 1))
        {
            let (own, trigger) = (name.get_ref(), wave.name.get_ref());
            let message =
                format!("{own:?} comes more than once, by the trigger {trigger:?}: nobody knows which is meant");
            return Err(self.wrong(name.span(), message));
        }
        Ok(SquadId(place))
    }

    fn army(&self, name: &Spanned<String>) -> Result<ArmyId, ScenarioError> {
        let known: Vec<&str> = self.parsed.army.iter().map(|army| army.name.get_ref().as_str()).collect();
        number(self.source, "army", name, &known).map(|army| ArmyId(army as u8))
    }

    /// The trigger whose wave a squad is.
    fn wave(&self, squad: SquadId) -> Option<usize> {
        let first = self.squads.len() - self.waves.len();
        self.waves.get((squad.0 as usize).checked_sub(first)?).copied()
    }

    fn wrong(&self, span: Range<usize>, message: String) -> ScenarioError {
        ScenarioError::Trigger { at: self.source.at(span), message }
    }

    /// The cause of a trigger, and where it is written.
    fn cause(&self, span: Range<usize>, table: &TriggerTable) -> Result<(Cause, Range<usize>), ScenarioError> {
        let source = self.source;
        let TriggerTable { at, after, lost, enters, sees, near, breached, .. } = table;
        let spans = [
            at.as_ref().map(Spanned::span),
            after.as_ref().map(Spanned::span),
            lost.as_ref().map(Spanned::span),
            enters.as_ref().map(Spanned::span),
            sees.as_ref().map(Spanned::span),
            near.as_ref().map(Spanned::span),
            breached.as_ref().map(Spanned::span),
        ];
        let found: Vec<&str> =
            KEYS.into_iter().zip(&spans).filter(|(_, span)| span.is_some()).map(|(key, _)| key).collect();
        let [_] = found[..] else {
            let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
            return Err(self.wrong(span, format!("a trigger has one of the keys {}, found {found}", KEYS.join(", "))));
        };
        if let (Some(delay), None) = (&table.delay, after) {
            return Err(self.wrong(delay.span(), "delay belongs to after".into()));
        }
        let place = spans.into_iter().flatten().next().unwrap_or(span);
        let squad = |name| self.squad(name);
        let cause = if let Some(at) = at {
            Cause::At { seconds: source.number(Some(at), 0.0, "at", SECONDS, "s")? }
        } else if let Some(other) = after {
            let known: Vec<&str> =
                self.parsed.trigger.iter().map(|table| table.get_ref().name.get_ref().as_str()).collect();
            Cause::After {
                trigger: TriggerId(number(source, "trigger", other, &known)?),
                delay: source.number(table.delay.as_ref(), 0.0, "delay", SECONDS, "s")?,
            }
        } else if let Some(lost) = lost {
            let lost = lost.get_ref();
            let share = source.number(lost.share.as_ref(), 1.0, "share", 0.001..=1.0, "1 = all of them")?;
            Cause::Lost { squad: squad(&lost.squad)?, share }
        } else if let Some(enters) = enters {
            Cause::Enters { army: self.army(&enters.get_ref().army)?, area: self.entered(enters)? }
        } else if let Some(sees) = sees {
            Cause::Sees { squad: squad(sees)? }
        } else if let Some(near) = near {
            let near = near.get_ref();
            let metres = source.number(Some(&near.within), 0.0, "within", 0.0..=10_000.0, "m")?;
            Cause::Near { squad: squad(&near.squad)?, metres }
        } else {
            Cause::Breached { area: breached.as_ref().map_or(Ok(None), |breached| self.breached(breached))? }
        };
        Ok((cause, place))
    }

    /// The area that is entered.
    fn entered(&self, table: &Spanned<EntersTable>) -> Result<Area, ScenarioError> {
        let EntersTable { army: _, area: name, from, to, centre, radius, points } = table.get_ref();
        let drawn = from.is_some() || to.is_some() || centre.is_some() || radius.is_some() || points.is_some();
        match areas::find(self.source, name.as_ref(), self.places)? {
            Some(_) if drawn => {
                let message = "an area is named or drawn, found both; remove one".to_owned();
                Err(self.wrong(table.span(), message))
            }
            Some(place) => Ok(Area::Polygon { points: place.corners.clone() }),
            None => {
                let (from, to, centre) = (from.clone(), to.clone(), centre.clone());
                let drawn = AreaTable { from, to, centre, radius: radius.clone(), points: points.clone() };
                area(self.source, self.scenario.grid.lattice(), &Spanned::new(table.span(), drawn))
            }
        }
    }

    /// The area in which something is broken; `None` = anywhere.
    fn breached(&self, value: &Spanned<BreachedValue>) -> Result<Option<Area>, ScenarioError> {
        let lattice = self.scenario.grid.lattice();
        let mut cells = self.scenario.breakables.iter().flat_map(|breakable| &breakable.cells);
        let place = match value.get_ref() {
            BreachedValue::Anywhere(true) => None,
            BreachedValue::Anywhere(false) => {
                return Err(self.wrong(value.span(), "breached is true or the name of an area, found false".into()));
            }
            BreachedValue::Area(name) => {
                areas::find(self.source, Some(&Spanned::new(value.span(), name.clone())), self.places)?
            }
        };
        if !cells.any(|&cell| place.is_none_or(|place| place.contains(lattice.centre(cell)))) {
            return Err(self.wrong(value.span(), "there is nothing that can be broken; add [[breakable]]".into()));
        }
        Ok(place.map(|place| Area::Polygon { points: place.corners.clone() }))
    }

    /// No trigger waits for itself, be it by a detour.
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
        let table = &self.parsed.trigger[ring[0]];
        let (_, span) = self.cause(table.span(), table.get_ref())?;
        Err(self.wrong(span, message))
    }
}
