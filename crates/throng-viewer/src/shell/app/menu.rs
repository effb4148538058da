//! The menu of a window: open or not, and what is done of what is chosen there.

use super::Shell;
use crate::shell::dialog::Dialog;
use crate::shell::event::Event;
use crate::shell::menu::MenuAction;
use std::path::Path;

impl Shell {
    /// True while the menu is open.
    pub fn is_in_menu(&self) -> bool {
        self.menu.is_open
    }

    /// Opens the menu, or closes it.
    pub fn turn_menu(&mut self) {
        self.menu.turn(self.kind);
        self.touched = true;
        self.tell(&Event::Menu { open: self.menu.is_open });
    }

    /// Closes the menu.
    pub fn close_menu(&mut self) {
        if self.menu.is_open {
            self.turn_menu();
        }
    }

    /// The path that a battle is saved under, unless the user writes another one.
    pub fn suggest(&mut self, path: &Path) {
        self.menu.suggest(path);
    }

    /// What was chosen in the menu for the content to do.
    pub fn take_chosen(&mut self) -> Vec<MenuAction> {
        std::mem::take(&mut self.chosen)
    }

    /// Does what was chosen in the menu, or leaves it to the content.
    pub(super) fn choose(&mut self, action: MenuAction) {
        self.touched = true;
        match action {
            MenuAction::Resume => self.close_menu(),
            MenuAction::Keys => {
                self.close_menu();
                self.turn_help();
            }
            MenuAction::Quit => self.quits = true,
            MenuAction::Open(path) => self.open(&path),
            MenuAction::New(battle) => {
                let notice = Event::notice(self.opening.make(battle));
                self.say(&notice);
            }
            MenuAction::Browse | MenuAction::BrowseToSave => {
                self.dialog.get_or_insert_with(|| Dialog::open(action == MenuAction::BrowseToSave));
            }
            MenuAction::Apply(settings) => {
                self.settings = settings;
                self.ui.set_text_percent(settings.text_percent);
                if let Err(error) = settings.save() {
                    self.say(&Event::notice(format!("the settings are not kept: {error}")));
                }
            }
            MenuAction::Restart | MenuAction::Save(_) => self.chosen.push(action),
        }
    }

    /// Begins to open another file.
    pub fn open(&mut self, path: &Path) {
        let notice = Event::notice(self.opening.open(path));
        self.say(&notice);
    }

    /// Takes the answer of a dialog, once it is there.
    pub(super) fn follow_dialog(&mut self) {
        let answer = self.dialog.as_ref().and_then(|dialog| Some((dialog.answer().ok()?, dialog.saves)));
        if let Some((path, saves)) = answer {
            self.dialog = None;
            self.touched = true;
            if let Some(path) = path {
                self.menu.found(&path, saves);
            }
        }
    }
}
