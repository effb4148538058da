//! The commands that were executed on a simulation, to be undone and redone.

use super::Simulation;
use crate::command::Command;
use crate::event::Event;
use crate::undo_stack::UndoStack;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_sim::world::{SquadId, SquadSpec};

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

/// The squads that the user has added or deployed, as they were then; `None` = removed.
pub(crate) type Placed = BTreeMap<u32, Option<SquadSpec>>;

/// All commands so far. A copy is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandHistory {
    stack: UndoStack<Arc<UndoEntry>>,
    pub placed: Arc<Placed>,
}

impl CommandHistory {
    /// Takes a step and returns its outcome. `is_start` says that no tick was done yet.
    pub fn take(&mut self, simulation: &mut dyn Simulation, step: HistoryStep, is_start: bool) -> Event {
        self.try_step(simulation, step, is_start).unwrap_or_else(|reason| Event::Refused { reason })
    }

    fn try_step(
        &mut self,
        simulation: &mut dyn Simulation,
        step: HistoryStep,
        is_start: bool,
    ) -> Result<Event, String> {
        let Self { stack, placed } = self;
        let mut name = "";
        let mut execute = |command: &Command| execute(simulation, command, is_start, placed);
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

/// Executes a command and returns its inverse, or the reason for a refusal.
fn execute(
    simulation: &mut dyn Simulation,
    command: &Command,
    is_start: bool,
    placed: &mut Arc<Placed>,
) -> Result<Option<Command>, String> {
    let inverse = simulation.perform(command).map_err(|error| error.to_string())?;
    let squads: Vec<SquadId> = match (command, &inverse) {
        (Command::SpawnSquad(_), Some(Command::Disband(squad))) | (Command::Disband(squad), _) => vec![*squad],
        (Command::Deploy(squads), _) => squads.iter().map(|&(squad, ..)| squad).collect(),
        // Later orders are no part of how a battle begins.
        (Command::Order(orders), _) if is_start => orders.iter().map(|&(squad, _)| squad).collect(),
        (Command::SetFormation(formations), _) if is_start => formations.iter().map(|&(squad, _)| squad).collect(),
        (Command::SetPlanner(planners), _) if is_start => planners.iter().map(|&(squad, _)| squad).collect(),
        _ => Vec::new(),
    };
    for squad in squads {
        let spec = simulation.squad_spec(squad).filter(|spec| !spec.positions.is_empty());
        Arc::make_mut(placed).insert(squad.0, spec);
    }
    Ok(inverse)
}
