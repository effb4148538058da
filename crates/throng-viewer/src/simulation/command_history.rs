//! The commands that were executed on a simulation, to be undone and redone.

use super::Simulation;
use crate::command::{Command, SpawnedSquad};
use crate::event::Event;
use crate::undo_stack::UndoStack;
use std::sync::Arc;

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
    command: Command,
    inverse: Command,
}

/// All commands so far. A copy is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandHistory {
    stack: UndoStack<Arc<UndoEntry>>,
    /// The squads that were added and not removed again.
    pub spawned: Arc<Vec<SpawnedSquad>>,
}

impl CommandHistory {
    /// Takes a step and returns its outcome.
    pub fn take(&mut self, simulation: &mut dyn Simulation, step: HistoryStep) -> Event {
        self.try_step(simulation, step).unwrap_or_else(|reason| Event::Refused { reason })
    }

    fn try_step(&mut self, simulation: &mut dyn Simulation, step: HistoryStep) -> Result<Event, String> {
        let Self { stack, spawned } = self;
        let mut name = String::new();
        match step {
            HistoryStep::Execute(command) => {
                let inverse = execute(simulation, &command, spawned)?;
                name.push_str(command.name());
                stack.undone.clear();
                stack.done.extend(inverse.map(|inverse| Arc::new(UndoEntry { command, inverse })));
                Ok(Event::Done { name })
            }
            HistoryStep::Undo => {
                let is_undone = stack.undo(|entry| {
                    execute(simulation, &entry.inverse, spawned)?;
                    name.push_str(entry.inverse.name());
                    Ok::<_, String>(Some(entry.clone()))
                })?;
                Ok(if is_undone { Event::Undone { name } } else { Event::NothingToUndo })
            }
            HistoryStep::Redo => {
                let mut renumbered = None;
                let is_redone = stack.redo(|entry| {
                    let inverse = execute(simulation, &entry.command, spawned)?.unwrap_or(entry.inverse.clone());
                    if let (&Command::Disband(old), &Command::Disband(new)) = (&entry.inverse, &inverse) {
                        renumbered = Some((old, new));
                    }
                    name.push_str(entry.command.name());
                    Ok::<_, String>(Some(Arc::new(UndoEntry { command: entry.command.clone(), inverse })))
                })?;
                // A squad that was added again has another number: later commands were for that squad.
                if let Some((old, new)) = renumbered {
                    for entry in &mut stack.undone {
                        let UndoEntry { command, inverse } = Arc::make_mut(entry);
                        command.renumber(old, new);
                        inverse.renumber(old, new);
                    }
                }
                Ok(if is_redone { Event::Redone { name } } else { Event::NothingToRedo })
            }
        }
    }
}

/// Executes a command and returns its inverse, or the reason for a refusal.
fn execute(
    simulation: &mut dyn Simulation,
    command: &Command,
    spawned: &mut Arc<Vec<SpawnedSquad>>,
) -> Result<Option<Command>, String> {
    let inverse = simulation.perform(command).map_err(|error| error.to_string())?;
    if let Command::Disband(removed) = command {
        Arc::make_mut(spawned).retain(|squad| squad.id != *removed);
    } else if let Some(squad) = SpawnedSquad::by(command, inverse.as_ref()) {
        Arc::make_mut(spawned).push(squad);
    }
    Ok(inverse)
}
