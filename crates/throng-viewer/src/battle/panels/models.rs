//! The spatial index, the model of avoidance, and the marks over the map.

use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::command::Command;
use crate::battle::marks::VisibleMarks;
use crate::draw::heat::Heat;
use crate::shell::panel_output::PanelOutput;
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
            for (name, text, shown) in [
                ("places", "I places", &mut shown.places),
                ("routes", "R routes", &mut shown.routes),
                ("field", "flow field", &mut shown.field),
                ("neighbours", "N neighbours", &mut shown.neighbours),
                ("velocities", "V velocities", &mut shown.velocities),
                ("cells", "G index cells", &mut shown.cells),
            ] {
                output.has(name, &ui.checkbox(shown, text));
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        if live {
            output.has("clusters", &ui.checkbox(&mut shown.clusters, "C clusters"));
        }
        output.has("radii", &ui.checkbox(&mut shown.radii, "P radii"));
        output.has("bars", &ui.checkbox(&mut shown.bars, "B health"));
    });
    ui.horizontal(|ui| {
        for (name, text, kind) in
            [("heat-density", "H density", Heat::Density), ("heat-clearance", "clearance", Heat::Clearance)]
        {
            if output.choice(ui, name, text, *heat == kind) {
                *heat = if *heat == kind { Heat::None } else { kind };
            }
        }
    });
    let follows = ui.selectable_label(facts.directs, "K follow the fighting");
    output.on_press("direct", &follows, BattleAction::Direct);
    output.action(ui, "planners", "F2 planners side by side", BattleAction::Planners);
}
