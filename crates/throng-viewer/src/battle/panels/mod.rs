//! The panels of a battle: time at the bottom, figures at the left.

mod agent;
mod armies;
mod balance;
pub(super) mod cards;
mod deploy;
mod facts;
#[cfg(test)]
mod layout_tests;
mod measuring;
mod models;
mod outcome;
mod squads;
mod stages;
mod strengths;
mod time_line;
mod tools;
mod transport;

pub(super) use cards::{Cards, Deck};
pub(super) use facts::BattleFacts;
use outcome::Outcome;
use time_line::TimeLine;

use super::groups::ControlGroups;
use super::marks::VisibleMarks;
use super::squad_table::SquadTable;
use super::tools::Tools;
use crate::battle::action::BattleAction;
use crate::draw::banners::BannerBoard;
use crate::draw::heat::Heat;
use crate::shell::event::Page;
use crate::shell::panel_output::PanelOutput;
use deploy::Deployment;
use egui::{CollapsingHeader, Panel, RichText};

/// Width of the panel at the left (logical pixels).
pub(super) const SIDE_WIDTH_PX: f32 = 264.0;

/// The open panels and the visible marks.
pub(super) struct Panels {
    /// The one at the left.
    pub side: bool,
    /// Its page.
    pub page: Page,
    pub shown: VisibleMarks,
    pub heat: Heat,
    pub time: TimeLine,
    pub outcome: Outcome,
    /// The squad cards.
    pub cards: Cards,
    deployment: Deployment,
}

impl Default for Panels {
    fn default() -> Self {
        Self {
            side: true,
            page: Page::default(),
            shown: VisibleMarks::default(),
            heat: Heat::None,
            time: TimeLine::default(),
            outcome: Outcome::default(),
            cards: Cards::default(),
            deployment: Deployment::default(),
        }
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
        let height = self.time.panel_height(ui.available_width());
        Panel::bottom("time").exact_size(height).show(ui, |ui| transport::lay_out(ui, facts, self.time, output));
        self.cards.lay_out(ui, facts, &mut Deck { table, board, groups, selected: &tools.squads }, output);
        agent::lay_out(ui, facts, tools);
        if self.side {
            self.figures(ui, facts, tools, output);
        }
        let free = ui.available_rect_before_wrap();
        balance::lay_out(ui, free, facts, output);
        self.outcome.lay_out(ui, free, facts, output);
    }

    /// The panel at the left.
    fn figures(
        &mut self,
        ui: &mut egui::Ui,
        facts: &BattleFacts<'_>,
        tools: &mut Tools,
        output: &mut PanelOutput<BattleAction>,
    ) {
        Panel::left("figures").exact_size(SIDE_WIDTH_PX).resizable(false).show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                output.sign(ui, "menu", "☰", "the menu  (Esc)", BattleAction::Menu);
                ui.add(egui::Label::new(RichText::new(facts.title).heading().strong()).truncate());
            });
            ui.horizontal(|ui| {
                for (name, text, page) in PAGES {
                    if output.choice(ui, name, text, self.page == page) {
                        output.actions.push(BattleAction::Open(page));
                    }
                }
            });
            ui.separator();
            let area =
                egui::ScrollArea::vertical().id_salt(self.page).auto_shrink(false).show(ui, |ui| match self.page {
                    Page::Armies => {
                        armies::lay_out(ui, facts);
                        // A recording can be looked at, not changed.
                        if facts.live {
                            ui.add_space(6.0);
                            ui.separator();
                            tools::lay_out(ui, facts, (tools, &mut self.deployment), output);
                            section(ui, "squads", |ui| squads::lay_out(ui, facts, &tools.squads, output));
                        }
                    }
                    Page::Show => models::overlays(ui, facts, &mut self.shown, &mut self.heat, output),
                    Page::Laboratory => {
                        section(ui, "measured areas", |ui| measuring::lay_out(ui, facts, tools.tool, output));
                        if facts.live {
                            section(ui, "models", |ui| models::lay_out(ui, facts, output));
                            section(ui, "one tick", |ui| stages::lay_out(ui, facts));
                        }
                    }
                });
            output.place("scroll-figures", area.inner_rect);
        });
    }
}

/// The pages of the panel at the left.
const PAGES: [(&str, &str, Page); 3] = [
    ("page-armies", "armies", Page::Armies),
    ("page-show", "show", Page::Show),
    ("page-laboratory", "laboratory", Page::Laboratory),
];

/// A part that can be folded.
fn section(ui: &mut egui::Ui, title: &str, lay_out: impl FnOnce(&mut egui::Ui)) {
    CollapsingHeader::new(RichText::new(title).strong()).default_open(true).show_unindented(ui, lay_out);
}
