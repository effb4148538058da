//! Performs the user's actions in a battle.

use super::BattleView;
use crate::battle::action::BattleAction;
use crate::battle::command::Command;
use crate::battle::saving;
use crate::battle::simulation::BattleState;
use crate::draw::heat::Heat;
use crate::draw::oblique::Oblique;
use crate::shell::event::{Event, Mark, Page, Tool};
use crate::shell::{Content as _, Shell};
use std::path::{Path, PathBuf};

impl BattleView {
    /// Stays where one goes to.
    pub(super) fn pause(&mut self) {
        if !self.paused {
            self.paused = true;
            self.worker.set_paused(true);
        }
    }

    /// Performs an action of the user.
    pub(super) fn perform(&mut self, shell: &mut Shell, action: BattleAction) {
        match action {
            BattleAction::Pause => {
                self.paused = !self.paused;
                self.worker.set_paused(self.paused);
                shell.tell(&Event::Paused { paused: self.paused });
            }
            BattleAction::Tick => {
                self.pause();
                self.worker.single_step();
                shell.tell(&Event::Step { back: false });
            }
            BattleAction::Back if self.worker.states.front().span.is_some() => {
                self.pause();
                self.worker.go_to(self.newest().tick.saturating_sub(1));
                shell.tell(&Event::Step { back: true });
            }
            BattleAction::Back => {}
            BattleAction::Start
            | BattleAction::Newest
            | BattleAction::FoldTime
            | BattleAction::Outcome
            | BattleAction::Restart
            | BattleAction::WatchAgain
            | BattleAction::FilmBattle
            | BattleAction::CancelFilm => self.turn_time(shell, &action),
            // A knob that is held asks for the same tick again and again.
            BattleAction::GoTo(tick) if self.requested_tick == Some(tick) => return,
            BattleAction::GoTo(tick) => {
                self.worker.go_to(tick);
                self.requested_tick = Some(tick);
                return;
            }
            BattleAction::Faster | BattleAction::Slower => {
                self.speed = if action == BattleAction::Faster { self.speed.faster() } else { self.speed.slower() };
                self.worker.set_interval(self.speed.interval(self.step));
                shell.tell(&Event::Speed { speed: self.speed.to_string() });
            }
            BattleAction::Panel => {
                self.panels.side = !self.panels.side;
                shell.tell(&Event::Panel { shown: self.panels.side });
            }
            BattleAction::Theme if self.newest().grid.as_ref().is_some_and(|grid| !Oblique::fits(grid)) => {
                shell.say(&Event::notice("the map is too large for the look of a battle"));
            }
            BattleAction::Theme if self.unpainted.is_some() => {
                shell.say(&Event::notice("the look of a battle could not be painted"));
            }
            BattleAction::Theme => self.set_theme(shell, self.theme.other(shell.theme())),
            BattleAction::Pan(by) => {
                self.pan(shell, by);
            }
            BattleAction::Zoom(factor) => {
                let [corner, size] = shell.ui.free();
                self.camera.zoom_toward(corner + size * 0.5, factor);
                shell.tell(&Event::Zoom { zoom: self.camera.goal(), under: None });
            }
            BattleAction::Follow => self.turn_following(shell),
            BattleAction::Direct => self.turn_directing(shell),
            BattleAction::Store(number) => self.store_view(shell, number),
            BattleAction::Recall(number) => self.recall_view(shell, number),
            BattleAction::Take(tool) => {
                self.tools.tool = tool;
                shell.tell(&Event::Tool { tool });
                // The page of a tool comes with it, and stays when it is put away.
                match tool {
                    Tool::Select => {}
                    Tool::Measure => self.open_page(shell, Page::Laboratory),
                    _ => self.open_page(shell, Page::Armies),
                }
            }
            BattleAction::Open(_)
            | BattleAction::Laboratory
            | BattleAction::Unmeasure(_)
            | BattleAction::SaveCurves => {
                self.use_laboratory(shell, &action);
            }
            BattleAction::Execute(command) => self.worker.execute(command),
            BattleAction::Undo => self.worker.undo(),
            BattleAction::Redo => self.worker.redo(),
            BattleAction::Save => self.save(shell, None),
            BattleAction::Film => self.film(shell),
            BattleAction::Menu => shell.turn_menu(),
            BattleAction::Remove => {
                for squad in std::mem::take(&mut self.tools.squads) {
                    self.worker.execute(Command::Disband(squad));
                }
            }
            BattleAction::Mark(mark) => self.mark(shell, mark),
            BattleAction::Group(number, does) => self.use_group(shell, number, does),
            BattleAction::SelectArmies => self.select_armies(shell),
            BattleAction::Pick(squad, pick) => self.pick(shell, squad, pick),
            BattleAction::Cards => {
                self.panels.cards.turn();
                let shown = !self.panels.cards.is_open();
                shell.tell(&Event::Cards { shown });
            }
            BattleAction::Planners => self.wants_planners = true,
        }
        self.requested_tick = None;
        shell.touched = true;
    }

    /// The path that the battle is saved under where the user names none.
    pub(super) fn save_path(&self) -> PathBuf {
        saving::path(self.scenario.as_deref(), self.newest().tick, self.tools.format)
    }

    /// Saves the map, and the scenario with it.
    pub(super) fn save(&mut self, shell: &mut Shell, path: Option<&Path>) {
        let BattleState { frame, placed, reply, .. } = self.worker.states.front();
        let path = path.map_or_else(|| self.save_path(), Path::to_path_buf);
        let unsaved = [(!self.groups.is_empty(), "groups of squads"), (!self.tools.areas.is_empty(), "measured areas")];
        let unsaved: Vec<&str> = unsaved.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what).collect();
        let scenario = self.scenario.as_deref();
        let saved = saving::save(scenario, frame, (placed, reply), &unsaved, self.tools.format, &path);
        shell.say(&match saved {
            Ok((files, text)) => Event::Saved { files, text },
            Err(error) => Event::notice(format!("not saved: {error}")),
        });
    }

    /// Begins a film, or ends it.
    fn film(&mut self, shell: &mut Shell) {
        if self.filming.runs() {
            self.filming.end();
            shell.say(&Event::notice("the film is being written"));
        } else if let Some(grid) = self.newest().grid.clone() {
            let path = self.filming.begin(&self.camera, self.theme, &grid, self.newest().tick);
            shell.say(&Event::Filming { path });
        }
    }

    fn mark(&mut self, shell: &mut Shell, mark: Mark) {
        let shown = &mut self.panels.shown;
        let shown = match mark {
            Mark::Neighbours => &mut shown.neighbours,
            Mark::Velocities => &mut shown.velocities,
            Mark::Radii => &mut shown.radii,
            Mark::Routes => &mut shown.routes,
            // A recording has neither index nor planners.
            Mark::Cells | Mark::Clusters if !self.live => return,
            Mark::Cells => &mut shown.cells,
            Mark::Clusters => &mut shown.clusters,
            Mark::Bars => &mut shown.bars,
            Mark::Places => &mut shown.places,
            Mark::Density => {
                let heat = &mut self.panels.heat;
                *heat = if *heat == Heat::Density { Heat::None } else { Heat::Density };
                shell.tell(&Event::Mark { mark, shown: *heat == Heat::Density });
                return;
            }
        };
        *shown = !*shown;
        shell.tell(&Event::Mark { mark, shown: *shown });
    }
}
