//! Areas in which the crowd is measured.

use super::BattleView;
use crate::battle::action::BattleAction;
use crate::battle::measuring;
use crate::battle::simulation::BattleState;
use crate::film::screenshot::free_name;
use crate::shell::Shell;
use crate::shell::event::{Event, Page};
use std::io::Write as _;
use std::path::Path;
use throng_grid::whole_file::WholeFile;

impl BattleView {
    /// Performs an action of the user that is about the pages of the panel or the laboratory.
    pub(super) fn use_laboratory(&mut self, shell: &mut Shell, action: &BattleAction) {
        match *action {
            BattleAction::Open(page) => self.open_page(shell, page),
            BattleAction::Laboratory if self.panels.side && self.panels.page == Page::Laboratory => {
                self.open_page(shell, Page::Armies);
            }
            BattleAction::Laboratory => {
                self.panels.side = true;
                self.open_page(shell, Page::Laboratory);
            }
            BattleAction::Unmeasure(number) => {
                self.tools.areas.retain(|area| area.number != number);
                self.measure_areas(shell);
            }
            _ => self.save_curves(shell),
        }
    }

    /// Shows a page of the panel at the left.
    pub(super) fn open_page(&mut self, shell: &mut Shell, page: Page) {
        if self.panels.page != page {
            self.panels.page = page;
            shell.tell(&Event::Page { page });
        }
    }

    /// Lets the simulation measure the areas that are drawn now.
    pub(super) fn measure_areas(&mut self, shell: &mut Shell) {
        if self.areas == self.tools.areas {
            return;
        }
        let (old, new) = (&self.areas, &self.tools.areas);
        for area in old.iter().filter(|area| !new.contains(area)) {
            shell.tell(&Event::Unmeasured { number: area.number });
        }
        for of in new.iter().filter(|area| !old.contains(area)) {
            let size = [of.area.width, of.area.height];
            shell.tell(&Event::Measures { number: of.number, centre: of.area.centre.to_array(), size });
        }
        self.areas.clone_from(&self.tools.areas);
        self.worker.measure(&self.areas);
    }

    /// Writes what was measured as a table.
    fn save_curves(&self, shell: &mut Shell) {
        let BattleState { frame, measured, .. } = self.worker.states.front();
        let path = free_name(Path::new("throng-measured"), frame.tick, &[".csv"]);
        let written = WholeFile::create(&path).and_then(|mut file| {
            file.write_all(measuring::csv(measured).as_bytes())?;
            file.finish()
        });
        shell.say(&match written {
            Ok(()) => {
                let text = format!("saved {}", path.display());
                Event::Saved { files: vec![path], text }
            }
            Err(error) => Event::notice(format!("not saved: {}: {error}", path.display())),
        });
    }
}
