//! What the user has done to a simulation, to be taken back and done again.

use super::Simulation;
use crate::deed::{Brought, Deed};
use std::sync::Arc;
use throng_sim::world::SquadId;

/// What the user does next.
pub(super) enum Wanted {
    Deed(Deed),
    /// Takes the last deed back.
    Undo,
    /// Does again what was taken back last.
    Redo,
}

/// What the user has done.
#[derive(Default)]
pub(super) struct Deeds {
    /// The last one last.
    done: Vec<Done>,
    /// What was taken back since something new was done, the last one last.
    undone: Vec<Done>,
    /// The squads that have come by it.
    pub brought: Arc<Vec<Brought>>,
}

/// A deed, and what takes it back.
struct Done {
    deed: Deed,
    back: Deed,
}

impl Deeds {
    /// Does what is wanted; what has become of it, in words.
    pub fn perform(&mut self, simulation: &mut dyn Simulation, wanted: Wanted) -> String {
        let performed = match wanted {
            Wanted::Deed(deed) => {
                let back = self.act(simulation, &deed);
                back.map(|back| {
                    self.undone.clear();
                    let name = deed.name();
                    self.done.extend(back.map(|back| Done { deed, back }));
                    format!("done: {name}")
                })
            }
            Wanted::Undo => {
                let Some(done) = self.done.pop() else { return "nothing to undo".to_owned() };
                match self.act(simulation, &done.back) {
                    Ok(_) => {
                        let name = done.back.name();
                        self.undone.push(done);
                        Ok(format!("undone: {name}"))
                    }
                    // What was done before it is not to be taken back under it.
                    Err(refusal) => {
                        self.done.push(done);
                        Err(refusal)
                    }
                }
            }
            Wanted::Redo => {
                let Some(done) = self.undone.pop() else { return "nothing to do again".to_owned() };
                match self.act(simulation, &done.deed) {
                    Ok(back) => {
                        if let (&Deed::Disband(old), Some(&Deed::Disband(new))) = (&done.back, back.as_ref()) {
                            self.know_as(old, new);
                        }
                        let Done { deed, .. } = done;
                        let name = deed.name();
                        self.done.extend(back.map(|back| Done { deed, back }));
                        Ok(format!("done again: {name}"))
                    }
                    Err(refusal) => {
                        self.undone.push(done);
                        Err(refusal)
                    }
                }
            }
        };
        performed.unwrap_or_else(|refusal| format!("refused: {refusal}"))
    }

    /// Does a deed; what takes it back, where something does, or why it was refused.
    fn act(&mut self, simulation: &mut dyn Simulation, deed: &Deed) -> Result<Option<Deed>, String> {
        let back = simulation.perform(deed).map_err(|error| error.to_string())?;
        if let Deed::Disband(gone) = deed {
            Arc::make_mut(&mut self.brought).retain(|brought| brought.id != *gone);
        } else if let Some(brought) = Brought::by(deed, back.as_ref()) {
            Arc::make_mut(&mut self.brought).push(brought);
        }
        Ok(back)
    }

    /// A squad that has come again has another number now: what was done to it is to be done to that one.
    fn know_as(&mut self, old: SquadId, new: SquadId) {
        for Done { deed, back } in &mut self.undone {
            deed.know_as(old, new);
            back.know_as(old, new);
        }
    }
}
