//! The commands that were executed on a simulation, to be undone and redone.

use super::Simulation;
use crate::battle::command::Command;
use crate::shell::event::Event;
use crate::shell::undo_stack::UndoStack;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_sim::crowd::Avoidance;
use throng_sim::world::{SquadId, SquadSpec};
use throng_spatial::IndexChoice;

/// A step of the user through the history.
#[derive(Clone, Debug)]
pub(super) enum HistoryStep {
    Execute(Command),
    Undo,
    Redo,
}

/// A command and its inverse.
#[derive(Clone, Debug)]
struct UndoEntry {
    /// The name of what was done first.
    name: &'static str,
    command: Command,
    inverse: Command,
}

/// The changes of the user to how a battle begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Placed {
    /// The squads that the user has added, deployed, or given orders at the start, as they were then; `None` = removed.
    pub squads: BTreeMap<SquadId, Option<SquadSpec>>,
    /// The ticks after which they were.
    pub ticks: BTreeMap<SquadId, u64>,
    /// The index that was set last.
    pub index: Option<IndexChoice>,
    /// The model of avoidance that was set last.
    pub avoidance: Option<Avoidance>,
    /// Orders, formations or planners were given later, which are no part of how the battle begins.
    pub has_later_orders: bool,
}

impl Placed {
    /// True where a squad begins as it is at a tick: nothing has happened since it was put in place.
    fn begins(&self, squad: SquadId, tick: u64) -> bool {
        tick == 0 || self.ticks.get(&squad) == Some(&tick)
    }
}

/// All commands so far. A copy is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandHistory {
    stack: UndoStack<Arc<UndoEntry>>,
    pub placed: Arc<Placed>,
}

impl CommandHistory {
    /// Takes a step after so many ticks, and returns its outcome.
    pub fn take(&mut self, simulation: &mut dyn Simulation, step: HistoryStep, tick: u64) -> Event {
        self.try_step(simulation, step, tick).unwrap_or_else(|reason| Event::Refused { reason })
    }

    fn try_step(&mut self, simulation: &mut dyn Simulation, step: HistoryStep, tick: u64) -> Result<Event, String> {
        let Self { stack, placed } = self;
        let mut name = "";
        let mut execute = |command: &Command| execute(simulation, command, tick, placed);
        match step {
            HistoryStep::Execute(command) => {
                let inverse = execute(&command)?;
                name = command.name();
                stack.undone.clear();
                let entry = |inverse| Arc::new(UndoEntry { name, command: again(command, &inverse), inverse });
                stack.done.extend(inverse.map(entry));
                Ok(Event::Done { name: name.to_owned() })
            }
            HistoryStep::Undo => {
                let is_undone = stack.undo(|entry| {
                    name = entry.inverse.name();
                    execute(&entry.inverse).map(|_| Some(entry.clone()))
                })?;
                Ok(if is_undone { Event::Undone { name: name.to_owned() } } else { Event::NothingToUndo })
            }
            HistoryStep::Redo => {
                let is_redone = stack.redo(|entry| {
                    name = entry.name;
                    let inverse = execute(&entry.command)?;
                    // What brings a squad back is undone by taking it away again.
                    let inverse = inverse.filter(|_| !matches!(entry.inverse, Command::Disband(_)));
                    let inverse = inverse.unwrap_or_else(|| entry.inverse.clone());
                    Ok::<_, String>(Some(Arc::new(UndoEntry { name, command: entry.command.clone(), inverse })))
                })?;
                Ok(if is_redone { Event::Redone { name: name.to_owned() } } else { Event::NothingToRedo })
            }
        }
    }
}

/// The command that does the same once more: a squad that was added keeps its number.
fn again(command: Command, inverse: &Command) -> Command {
    match (command, inverse) {
        (Command::SpawnSquad(spec), &Command::Disband(squad)) => {
            Command::Deploy(vec![(squad, spec.positions, spec.facing)])
        }
        (command, _) => command,
    }
}

/// Executes a command after so many ticks, and returns its inverse, or the reason for a refusal.
fn execute(
    simulation: &mut dyn Simulation,
    command: &Command,
    tick: u64,
    placed: &mut Arc<Placed>,
) -> Result<Option<Command>, String> {
    let inverse = simulation.perform(command).map_err(|error| error.to_string())?;
    let placed = Arc::make_mut(placed);
    let put: Vec<SquadId> = match (command, &inverse) {
        (Command::SpawnSquad(_), Some(Command::Disband(squad))) | (Command::Disband(squad), _) => vec![*squad],
        (Command::Deploy(squads), _) => squads.iter().map(|&(squad, ..)| squad).collect(),
        _ => Vec::new(),
    };
    placed.ticks.extend(put.iter().map(|&squad| (squad, tick)));
    // Later orders are no part of how a battle begins.
    let (told, later): (Vec<SquadId>, Vec<SquadId>) =
        command.told().into_iter().partition(|&squad| placed.begins(squad, tick));
    placed.has_later_orders |= !later.is_empty();
    match command {
        Command::SetIndex(index) => placed.index = Some(index.clone()),
        Command::SetAvoidance(model) => placed.avoidance = Some(*model),
        _ => {}
    }
    for squad in put.into_iter().chain(told) {
        let spec = simulation.squad_spec(squad).filter(|spec| !spec.positions.is_empty());
        placed.squads.insert(squad, spec);
    }
    Ok(inverse)
}
