//! The switches of costs: terrain with its table, links, crowds.

use super::action::CompareAction;
use super::costs::{Costs, MAX_COST, table};
use crate::shell::panel_output::PanelOutput;
use egui::{Checkbox, DragValue};
use throng_grid::{Ground, PLAIN, SWAMP, TerrainCosts, WATER};

/// Names of the costs of the first classes.
const COST_NAMES: [&str; 8] = ["cost-0", "cost-1", "cost-2", "cost-3", "cost-4", "cost-5", "cost-6", "cost-7"];

/// Lays the switches out. `base` is the ground that the window was opened with: it has all that can count.
pub(super) fn lay_out(ui: &mut egui::Ui, costs: &Costs, base: &Ground, output: &mut PanelOutput<CompareAction>) {
    let mobility = base.mobility();
    ui.strong("costs");
    let mut switch =
        |ui: &mut egui::Ui, name, text: &str, hint: &str, (is_on, can): (bool, bool), next: &dyn Fn() -> Costs| {
            let mut on = is_on;
            let switch =
                ui.add_enabled(can, Checkbox::new(&mut on, text)).on_hover_text(hint).on_disabled_hover_text(hint);
            if output.has(name, &switch) {
                output.actions.push(CompareAction::Costs(next()));
            }
        };
    let hint = "classes of ground have costs: those of the units that the window was opened for, or others below";
    switch(ui, "terrain-costs", "terrain costs", hint, (costs.terrain.is_some(), true), &|| {
        let terrain = costs.terrain.is_none().then(|| table(base.grid(), mobility));
        Costs { terrain, ..costs.clone() }
    });
    let links = match mobility.links.len() {
        0 => "links: there are none here".to_owned(),
        count => format!("links: {count} doors, jumps, drops"),
    };
    let hint = "light lines on the maps; a dot is at their end";
    switch(ui, "link-costs", &links, hint, (costs.links, !mobility.links.is_empty()), &|| Costs {
        links: !costs.links,
        ..costs.clone()
    });
    let hint = "a step costs more where it is crowded, as it was when F2 was pressed in the battle";
    let crowds = if base.crowding().is_some() { "crowds" } else { "crowds: there is none here" };
    switch(ui, "crowd-costs", crowds, hint, (costs.crowds, base.crowding().is_some()), &|| Costs {
        crowds: !costs.crowds,
        ..costs.clone()
    });
    let Some(terrain) = &costs.terrain else { return };
    for (class, cost) in terrain.classes() {
        ui.horizontal(|ui| {
            ui.add_space(18.0);
            ui.weak(match class {
                PLAIN => "plain".to_owned(),
                SWAMP => "swamp".to_owned(),
                WATER => "water".to_owned(),
                class => format!("class {class}"),
            });
            // 0 in the box = never entered.
            let mut value = cost.unwrap_or(0);
            let drag = DragValue::new(&mut value).range(0..=MAX_COST).speed(0.1);
            let drag = ui.add(drag).on_hover_text("times its length a step costs here; 0: never entered");
            if let Some(name) = COST_NAMES.get(usize::from(class)) {
                output.place(*name, drag.rect);
            }
            if drag.changed() {
                let others = terrain.classes().filter(|&(other, _)| other != class);
                let terrain = TerrainCosts::new(others.chain([(class, (value > 0).then_some(value))]));
                output.actions.push(CompareAction::Costs(Costs { terrain: Some(terrain), ..costs.clone() }));
            }
        });
    }
}
