//! The spatial index, the model of avoidance, and the marks over the map.

use super::facts::BattleFacts;
use crate::command::Command;
use crate::heat::Heat;
use crate::input::BattleAction;
use crate::marks::VisibleMarks;
use crate::panel_output::PanelOutput;
use egui::ComboBox;
use throng_sim::crowd::Avoidance;
use throng_spatial::IndexKind;

/// The index and the model of avoidance, to be changed while it runs.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    let Some((index, avoidance)) = &facts.reply.models else { return };
    let avoidance = *avoidance;
    ui.horizontal(|ui| {
        ui.weak("index");
        let found = ComboBox::from_id_salt("index").selected_text(index.to_string()).show_ui(ui, |ui| {
            for kind in IndexKind::ALL {
                if output.choice(ui, kind.name(), kind.name(), index.kind() == Some(kind)) {
                    output.actions.push(BattleAction::Execute(Command::SetIndex(kind.into())));
                }
            }
        });
        output.has("index", &found.response);
    });
    ui.horizontal(|ui| {
        ui.weak("avoidance");
        let avoided = ComboBox::from_id_salt("avoidance").selected_text(avoidance.to_string()).show_ui(ui, |ui| {
            for kind in Avoidance::ALL {
                if output.choice(ui, kind.name(), kind.name(), kind == avoidance) {
                    output.actions.push(BattleAction::Execute(Command::SetAvoidance(kind)));
                }
            }
        });
        output.has("avoidance", &avoided.response);
    });
}

/// The marks over the map, with their keys.
pub(super) fn overlays(
    ui: &mut egui::Ui,
    facts: &BattleFacts<'_>,
    shown: &mut VisibleMarks,
    heat: &mut Heat,
    output: &mut PanelOutput<BattleAction>,
) {
    let live = facts.live;
    if live {
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(&mut shown.routes, "R routes");
            ui.checkbox(&mut shown.field, "flow field");
            ui.checkbox(&mut shown.neighbours, "N neighbours");
            ui.checkbox(&mut shown.velocities, "V velocities");
            let cells = ui.checkbox(&mut shown.cells, "G index cells");
            output.has("cells", &cells);
        });
    }
    ui.horizontal_wrapped(|ui| {
        if live {
            let clusters = ui.checkbox(&mut shown.clusters, "C clusters");
            output.has("clusters", &clusters);
        }
        ui.checkbox(&mut shown.radii, "P radii");
        ui.checkbox(&mut shown.bars, "B health");
    });
    ui.horizontal(|ui| {
        for (text, kind) in [("H density", Heat::Density), ("clearance", Heat::Clearance)] {
            if ui.selectable_label(*heat == kind, text).clicked() {
                *heat = if *heat == kind { Heat::None } else { kind };
            }
        }
    });
    let follows = ui.selectable_label(facts.directs, "K follow the fighting");
    output.on_press("direct", &follows, BattleAction::Direct);
    output.action(ui, "planners", "F2 planners side by side", BattleAction::Planners);
}
