//! Time in a battle: to its ends, anew, its result, a film of all of it.

use super::BattleView;
use crate::battle::action::BattleAction;
use crate::battle::hud;
use crate::battle::simulation::BattleState;
use crate::film::battle_film::BattleFilm;
use crate::shell::Shell;
use crate::shell::event::Event;
use std::sync::mpsc::channel;

impl BattleView {
    /// Performs an action of the user that is about all of the battle.
    pub(super) fn turn_time(&mut self, shell: &mut Shell, action: &BattleAction) {
        let span = self.worker.states.front().span;
        match action {
            BattleAction::Start | BattleAction::Newest => {
                if let Some([first, last]) = span {
                    self.pause();
                    self.worker.go_to(if *action == BattleAction::Start { first } else { last });
                }
            }
            BattleAction::FoldTime => {
                self.panels.time.unfolded = !self.panels.time.unfolded;
                shell.tell(&Event::TimeLine { unfolded: self.panels.time.unfolded });
            }
            BattleAction::Outcome => self.show_outcome(shell, !self.panels.outcome.open),
            BattleAction::Restart => {
                self.show_outcome(shell, false);
                if self.live {
                    // It is fought anew.
                    self.shown_result = None;
                    self.worker.restart();
                } else if let Some([first, _]) = span {
                    self.worker.go_to(first);
                }
                self.play();
                shell.say(&Event::Restarted);
            }
            BattleAction::WatchAgain => {
                self.show_outcome(shell, false);
                if let Some([first, _]) = span {
                    self.worker.go_to(first);
                }
                self.play();
            }
            BattleAction::FilmBattle => self.film_battle(shell),
            BattleAction::CancelFilm => {
                if let Some(film) = &self.battle_film {
                    film.cancel();
                }
            }
            _ => {}
        }
    }

    /// Goes on.
    fn play(&mut self) {
        self.paused = false;
        self.worker.set_paused(false);
    }

    /// Shows the result, or no longer.
    pub(super) fn show_outcome(&mut self, shell: &mut Shell, shown: bool) {
        if self.panels.outcome.open != shown {
            self.panels.outcome.open = shown;
            shell.tell(&Event::Outcome { shown });
        }
    }

    /// Begins a film of the whole battle.
    fn film_battle(&mut self, shell: &mut Shell) {
        let BattleState { frame, span, .. } = self.worker.states.front();
        let (Some(grid), Some(span), None) = (frame.grid.clone(), *span, &self.battle_film) else { return };
        let (sender, course) = channel();
        shell.say(&match BattleFilm::begin(course, (grid, self.theme, span)) {
            Ok((film, path)) => {
                self.worker.send_again(sender);
                self.battle_film = Some(film);
                Event::FilmingBattle { path }
            }
            Err(error) => Event::notice(format!("no film: {error}")),
        });
    }

    /// What has become of the film of the whole battle, once.
    pub(super) fn battle_film_news(&mut self) -> Option<Event> {
        self.battle_film.take_if(|film| film.is_done()).map(BattleFilm::end)
    }

    /// Tells the result each time it has come, and shows it if it came by itself and was not shown before.
    pub(super) fn tell_result(&mut self, shell: &mut Shell) {
        let Some(text) = hud::result(self.newest()) else {
            // Time was turned back.
            if std::mem::take(&mut self.result_told) {
                self.show_outcome(shell, false);
            }
            return;
        };
        if std::mem::replace(&mut self.result_told, true) {
            return;
        }
        shell.tell(&Event::Result { text: text.clone() });
        // Another future may have another end; the same one was seen.
        let end = Some((self.newest().tick, text));
        let is_new = self.shown_result != end;
        self.shown_result = end;
        // Who looks at single moments has seen it.
        if !self.paused && is_new {
            self.show_outcome(shell, true);
        }
    }
}
