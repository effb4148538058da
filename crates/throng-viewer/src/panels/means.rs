//! How neighbours are found and avoided, and what is drawn over the map.

use super::asked::Asked;
use super::facts::Facts;
use crate::deed::Deed;
use crate::heat::Heat;
use crate::input::Command;
use crate::marks::Shown;
use egui::ComboBox;
use throng_sim::crowd::Avoidance;
use throng_spatial::IndexKind;

/// The index and the model of avoidance, to be changed while it runs.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &Facts<'_>, asked: &mut Asked) {
    let Some((index, avoidance)) = facts.sight.means else { return };
    ui.horizontal(|ui| {
        ui.weak("index");
        let found = ComboBox::from_id_salt("index").selected_text(index.to_string()).show_ui(ui, |ui| {
            for kind in IndexKind::ALL {
                if asked.choice(ui, kind.name(), kind.name(), kind == index) {
                    asked.commands.push(Command::Perform(Deed::FindBy(kind)));
                }
            }
        });
        asked.has("index", &found.response);
    });
    ui.horizontal(|ui| {
        ui.weak("avoidance");
        let avoided = ComboBox::from_id_salt("avoidance").selected_text(avoidance.to_string()).show_ui(ui, |ui| {
            for kind in Avoidance::ALL {
                if asked.choice(ui, kind.name(), kind.name(), kind == avoidance) {
                    asked.commands.push(Command::Perform(Deed::AvoidBy(kind)));
                }
            }
        });
        asked.has("avoidance", &avoided.response);
    });
}

/// What is drawn over the map, with the keys.
pub(super) fn overlays(ui: &mut egui::Ui, facts: &Facts<'_>, shown: &mut Shown, heat: &mut Heat, asked: &mut Asked) {
    let live = facts.span.is_none();
    if live {
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(&mut shown.ways, "R routes");
            ui.checkbox(&mut shown.field, "flow field");
            ui.checkbox(&mut shown.neighbours, "N neighbours");
            ui.checkbox(&mut shown.velocities, "V velocities");
            let cells = ui.checkbox(&mut shown.cells, "G index cells");
            asked.has("cells", &cells);
        });
    }
    ui.horizontal_wrapped(|ui| {
        if live {
            let clusters = ui.checkbox(&mut shown.clusters, "C clusters");
            asked.has("clusters", &clusters);
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
    if asked.button(ui, "planners", "F2 planners side by side") {
        asked.commands.push(Command::Planners);
    }
}
