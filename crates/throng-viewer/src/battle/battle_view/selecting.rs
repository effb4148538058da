//! The selection by banners, cards, kinds and control groups.

use super::BattleView;
use crate::battle::groups::GroupUse;
use crate::battle::selection::{Pick, kind_of, squads_where};
use crate::shell::Shell;
use crate::shell::event::Event;
use std::collections::BTreeSet;
use std::time::Instant;
use throng_grid::geom::Vec2;
use throng_sim::world::{ArmyId, SquadId};

impl BattleView {
    /// Changes the selection, and tells it.
    fn select(&mut self, shell: &mut Shell, squads: BTreeSet<SquadId>) {
        (self.tools.agent, self.tools.squads) = (None, squads);
        let squads = self.tools.squads.iter().copied().collect();
        shell.tell(&Event::Selected { agent: None, squads });
        shell.touched = true;
    }

    /// Selects a squad that was clicked, or more.
    pub(super) fn pick(&mut self, shell: &mut Shell, squad: SquadId, pick: Pick) {
        let squads = match pick {
            Pick::Only => BTreeSet::from([squad]),
            Pick::Toggle => {
                let mut squads = self.tools.squads.clone();
                if !squads.remove(&squad) {
                    squads.insert(squad);
                }
                squads
            }
            Pick::Kind { adds } => {
                let frame = self.newest();
                let kind = kind_of(frame, squad);
                let alike = |row: usize| {
                    let is_seen = self.camera.sees(frame.position[row]);
                    is_seen && kind == Some((frame.army[row], frame.unit.get(row).copied().unwrap_or_default()))
                };
                let mut squads = squads_where(frame, alike);
                squads.insert(squad);
                if adds {
                    squads.extend(&self.tools.squads);
                }
                squads
            }
        };
        self.select(shell, squads);
    }

    /// Selects all squads of the armies of the selection.
    pub(super) fn select_armies(&mut self, shell: &mut Shell) {
        let frame = self.newest();
        let armies: BTreeSet<ArmyId> =
            self.tools.squads.iter().filter_map(|&squad| kind_of(frame, squad)).map(|(army, _)| army).collect();
        let squads = squads_where(frame, |row| armies.contains(&frame.army[row]));
        if squads.is_empty() {
            shell.say(&Event::notice("select a squad first: ctrl+A selects all of its army"));
        } else {
            self.select(shell, squads);
        }
    }

    /// Uses the control group under a digit.
    pub(super) fn use_group(&mut self, shell: &mut Shell, number: u8, does: GroupUse) {
        if does == GroupUse::Store {
            self.groups.store(number, &self.tools.squads);
            let squads = self.tools.squads.iter().copied().collect();
            shell.say(&Event::Grouped { number, squads });
            return;
        }
        let frame = self.newest();
        let group = self.groups.squads(number);
        let living = squads_where(frame, |row| frame.squad[row].is_some_and(|squad| group.contains(&squad)));
        if living.is_empty() {
            shell.say(&Event::notice(format!("group {number} is empty: ctrl+{number} keeps the selection there")));
            return;
        }
        if does == GroupUse::Add {
            let squads = living.union(&self.tools.squads).copied().collect();
            self.select(shell, squads);
            return;
        }
        let rows =
            || (0..frame.squad.len()).filter(|&row| frame.squad[row].is_some_and(|squad| living.contains(&squad)));
        let middle = rows().map(|row| frame.position[row]).sum::<Vec2>() / rows().count().max(1) as f32;
        if self.groups.is_twice(number, Instant::now()) {
            self.take_camera(shell);
            self.camera.look_at(middle);
            shell.tell(&Event::LooksAt { point: middle.to_array() });
        } else {
            self.select(shell, living);
        }
    }
}
