//! The panels of a battle: time at the bottom, figures at the left.

mod agent;
mod armies;
pub(super) mod cards;
mod facts;
mod files;
mod models;
mod squads;
mod stages;
mod tools;
mod transport;

pub(super) use cards::{Cards, Deck};
pub(super) use facts::BattleFacts;

use super::banners::BannerBoard;
use super::groups::ControlGroups;
use super::heat::Heat;
use super::input::BattleAction;
use super::marks::VisibleMarks;
use super::panel_output::PanelOutput;
use super::squad_table::SquadTable;
use super::tools::Tools;
use egui::{Align2, CollapsingHeader, Panel, RichText};

/// Width of the panel at the left (logical pixels).
pub(super) const SIDE_WIDTH_PX: f32 = 264.0;

/// Height of the panel at the bottom (logical pixels).
pub(super) const BAR_HEIGHT_PX: f32 = 34.0;

/// The open panels and the visible marks.
pub(super) struct Panels {
    /// The one at the left.
    pub side: bool,
    pub shown: VisibleMarks,
    pub heat: Heat,
    /// The squad cards.
    pub cards: Cards,
}

impl Default for Panels {
    fn default() -> Self {
        Self { side: true, shown: VisibleMarks::default(), heat: Heat::None, cards: Cards::default() }
    }
}

impl Panels {
    /// Lays the panels out; adds the user's actions to `output`.
    pub fn lay_out(
        &mut self,
        ui: &mut egui::Ui,
        facts: &BattleFacts<'_>,
        tools: &mut Tools,
        (table, board, groups): (&SquadTable, &mut BannerBoard, &ControlGroups),
        output: &mut PanelOutput<BattleAction>,
    ) {
        Panel::bottom("time").exact_size(BAR_HEIGHT_PX).show(ui, |ui| transport::lay_out(ui, facts, output));
        self.cards.lay_out(ui, facts, &mut Deck { table, board, groups, selected: &tools.squads }, output);
        if let Some(trouble) = facts.trouble {
            let window = egui::Window::new("this file cannot be opened").collapsible(false).resizable(false);
            window.anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO).default_width(460.0).show(ui.ctx(), |ui| {
                ui.label(trouble);
                output.action(ui, "dismiss", "keep the current one", BattleAction::Dismiss);
            });
        }
        agent::lay_out(ui, facts, tools);
        if !self.side {
            return;
        }
        Panel::left("figures").exact_size(SIDE_WIDTH_PX).resizable(false).show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.add_space(4.0);
                ui.add(egui::Label::new(RichText::new(facts.title).size(19.0).strong()).truncate());
                armies::lay_out(ui, facts);
                ui.add_space(6.0);
                ui.separator();
                // A recording can be looked at, not changed.
                let live = facts.span.is_none();
                if live {
                    tools::lay_out(ui, facts, tools, output);
                    section(ui, "squads", |ui| squads::lay_out(ui, facts, &tools.squads, output));
                }
                section(ui, "show", |ui| models::overlays(ui, facts, &mut self.shown, &mut self.heat, output));
                if live {
                    section(ui, "models", |ui| models::lay_out(ui, facts, output));
                }
                section(ui, "files", |ui| files::lay_out(ui, facts, output));
                if live {
                    section(ui, "one tick", |ui| stages::lay_out(ui, facts));
                }
            });
        });
    }
}

/// A part that can be folded.
fn section(ui: &mut egui::Ui, title: &str, lay_out: impl FnOnce(&mut egui::Ui)) {
    CollapsingHeader::new(RichText::new(title).strong()).default_open(true).show_unindented(ui, lay_out);
}
