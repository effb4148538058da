//! The agent that is looked at.

use super::facts::BattleFacts;
use crate::battle::tools::Tools;
use crate::draw::ink::ink;
use egui::{Align2, Grid, RichText};
use throng_sim::world::Insight;

/// Shows the agent, its action and the reason in a window of its own; closing that clears the selection.
pub(super) fn lay_out(ui: &egui::Ui, facts: &BattleFacts<'_>, tools: &mut Tools) {
    let Some(insight) = facts.reply.insight.as_ref().filter(|insight| Some(insight.person) == tools.agent) else {
        return;
    };
    let mut open = true;
    let window = egui::Window::new("agent").id("agent".into()).open(&mut open).collapsible(true).resizable(false);
    let window = window.anchor(Align2::RIGHT_TOP, egui::vec2(-12.0, 12.0)).default_width(236.0);
    window.show(ui.ctx(), |ui| tell(ui, facts, insight));
    if !open {
        tools.agent = None;
    }
}

fn tell(ui: &mut egui::Ui, facts: &BattleFacts<'_>, insight: &Insight) {
    let army = facts.frame.armies.get(insight.army.index()).map_or("", |army| &army.name);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&insight.unit).strong());
        ui.label(RichText::new(army).color(ink(facts.army(insight.army.index()))));
        ui.weak(format!("agent {}", insight.person));
    });
    ui.label(insight.standing.to_string());
    Grid::new("agent").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.weak(name);
            ui.label(value);
            ui.end_row();
        };
        let [health, full] = insight.health;
        row("health", format!("{health:.0} of {full:.0}"));
        row("place", format!("{:.1}, {:.1} m", insight.position.x, insight.position.y));
        row("speed", format!("{:.2} of {:.1} m/s", insight.velocity.length(), insight.top_speed));
        row("walks to", format!("{:.1}, {:.1} m", insight.aim.x, insight.aim.y));
        if let Some(goal) = insight.route.last() {
            row("goal", format!("{:.1}, {:.1} m, {} turns", goal.x, goal.y, insight.route.len().saturating_sub(2)));
        }
        if let Some((squad, order)) = insight.squad {
            row("squad", format!("{squad}: {}", order.name().replace('_', " ")));
        }
        if let Some(enemy) = insight.enemy {
            row("enemy", format!("agent {enemy}"));
        }
        if insight.ammunition > 0 {
            row("shots left", insight.ammunition.to_string());
        }
        let looks = format!("{} others, {} half-planes", insight.neighbours.len(), insight.planes.len());
        row("avoids", looks);
        let mood = match (insight.flees, insight.sleeps) {
            (true, _) => "flees",
            (_, true) => "asleep",
            _ => "steady",
        };
        row("mood", mood.to_owned());
    });
}
