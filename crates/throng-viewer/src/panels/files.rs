//! Recently opened files.

use super::facts::BattleFacts;
use crate::input::BattleAction;
use crate::panel_output::PanelOutput;

/// A button a file; the first is the one that is shown.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    ui.weak("Drop a scenario, a recording or a map on the window.");
    for (path, name) in
        facts.recent.iter().zip(["recent-1", "recent-2", "recent-3", "recent-4", "recent-5", "recent-6"])
    {
        let text = path.file_name().unwrap_or_default().to_string_lossy();
        let button = ui.add(egui::Button::new(&*text).small().truncate()).on_hover_text(path.display().to_string());
        if output.has(name, &button) {
            output.actions.push(BattleAction::Open(path.clone()));
        }
    }
}
