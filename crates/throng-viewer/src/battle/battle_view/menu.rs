//! What a battle does of what is chosen in the menu: another file, a name to save under, once more from the start.

use super::BattleView;
use crate::battle::action::BattleAction;
use crate::shell::Shell;
use crate::shell::event::Event;
use crate::shell::menu::MenuAction;

impl BattleView {
    /// Shows an opened file, or the error.
    pub(super) fn change_scene(&mut self, shell: &mut Shell) {
        let Some(opened) = shell.opening.take() else { return };
        let changed = opened.map_err(|error| error.to_string());
        let changed = changed.and_then(|scene| Self::new(shell, scene).map_err(|error| error.to_string()));
        match changed {
            Ok(battle) => {
                *self = battle;
                shell.close_menu();
                shell.say(&Event::Opened { title: self.title.clone() });
            }
            Err(error) => {
                shell.tell(&Event::NotOpened { reason: error.clone() });
                shell.trouble = Some(error);
            }
        }
        shell.touched = true;
    }

    /// Follows the menu: time stands still while it is open; does what was chosen there.
    pub(super) fn follow_menu(&mut self, shell: &mut Shell) {
        if self.in_menu != shell.is_in_menu() {
            self.in_menu = shell.is_in_menu();
            self.worker.set_paused(self.paused || self.in_menu);
            if self.in_menu {
                shell.suggest(&self.save_path());
            }
        }
        for action in shell.take_chosen() {
            match action {
                MenuAction::Save(path) => self.save(shell, Some(&path)),
                MenuAction::Restart => self.perform(shell, BattleAction::Restart),
                _ => continue,
            }
            shell.close_menu();
        }
    }
}
