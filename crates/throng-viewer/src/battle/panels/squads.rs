//! Orders for the squads that are selected.

use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::command::Command;
use crate::draw::ink::ink;
use crate::draw::order_sign::of_button;
use crate::shell::panel_output::PanelOutput;
use egui::RichText;
use std::collections::BTreeSet;
use throng_plan::PlannerChoice;
use throng_sim::battle::{Formation, Order, OrderKind, Shape};
use throng_sim::world::SquadId;

/// Formations, with the names of their buttons.
const FORMATIONS: [(&str, Shape); 6] = [
    ("form-line", Shape::Line),
    ("form-column", Shape::Column),
    ("form-square", Shape::Square),
    ("form-wedge", Shape::Wedge),
    ("form-circle", Shape::Circle),
    ("form-loose", Shape::Loose),
];

/// The selected squads, and buttons for their orders, formations and planners.
pub(super) fn lay_out(
    ui: &mut egui::Ui,
    facts: &BattleFacts<'_>,
    squads: &BTreeSet<SquadId>,
    output: &mut PanelOutput<BattleAction>,
) {
    if squads.is_empty() {
        ui.weak("Click a squad, its banner or its card, or drag a box. Right click: go there or attack; right drag: a line.");
        return;
    }
    for &squad in squads.iter().take(6) {
        let Some(count) = facts.frame.squads.get(squad.index()) else { continue };
        let unit = facts.frame.units.get(count.unit.index()).map_or("", String::as_str);
        let text = format!("{squad}: {} {unit}, {}", count.tally.alive(), count.order.name().replace('_', " "));
        ui.label(RichText::new(text).color(ink(facts.army(count.army.index()))));
    }
    if squads.len() > 6 {
        ui.weak(format!("and {} more", squads.len() - 6));
    }
    let each = |order: Order| Command::Order(squads.iter().map(|&squad| (squad, order)).collect());
    ui.horizontal_wrapped(|ui| {
        for order in OrderKind::ALL.into_iter().filter_map(of_button) {
            if output.button(ui, format!("order-{}", order.name()), order.name()) {
                output.actions.push(BattleAction::Execute(each(order)));
            }
        }
    });
    let spacing = |squad: SquadId| {
        let unit = facts.frame.squads.get(squad.index()).map_or(0, |count| count.unit.index());
        3.0 * facts.reply.radii.get(unit).copied().unwrap_or(0.4)
    };
    let form = |shape: Option<Shape>| {
        let formation = |squad: SquadId| shape.map(|shape| Formation::new(shape, spacing(squad)));
        Command::SetFormation(squads.iter().map(|&squad| (squad, formation(squad))).collect())
    };
    ui.horizontal_wrapped(|ui| {
        ui.weak("form");
        if output.button(ui, "form-none", "none") {
            output.actions.push(BattleAction::Execute(form(None)));
        }
        for (name, shape) in FORMATIONS {
            if output.button(ui, name, shape.name()) {
                output.actions.push(BattleAction::Execute(form(Some(shape))));
            }
        }
    });
    let first = squads.first().and_then(|&squad| facts.reply.planners.get(squad.index()));
    ui.horizontal(|ui| {
        ui.weak("plans by");
        let shown = first.map_or_else(String::new, ToString::to_string);
        let combo = egui::ComboBox::from_id_salt("planner").selected_text(shown).show_ui(ui, |ui| {
            for planner in PlannerChoice::NAMES.iter().filter_map(|name| name.parse::<PlannerChoice>().ok()) {
                if ui.selectable_label(first == Some(&planner), planner.to_string()).clicked() {
                    let planners = squads.iter().map(|&squad| (squad, planner.clone())).collect();
                    output.actions.push(BattleAction::Execute(Command::SetPlanner(planners)));
                }
            }
        });
        output.has("planner-of-squads", &combo.response);
    });
}
