//! The result of a battle: who has won, how strengths went, the losses by kind, and what to do next.

use super::facts::BattleFacts;
use super::strengths;
use crate::battle::action::BattleAction;
use crate::battle::hud;
use crate::draw::ink::ink;
use crate::draw::pen::grouped;
use crate::shell::panel_output::PanelOutput;
use egui::{Align2, Grid, ProgressBar, Rect, RichText, ScrollArea, Sense, TextStyle, vec2};
use std::time::Duration;
use throng_sim::world::{ArmyCount, Frame, Verdict};

/// Size of the window, where there is room, and height of the graph (points).
const WIDTH_PX: f32 = 560.0;
const GRAPH_PX: f32 = 84.0;
/// How often the progress of a film is shown anew.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Whether the result is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Outcome {
    pub open: bool,
}

/// The losses of a kind of soldiers of an army, or of all of it.
#[derive(Debug, PartialEq)]
struct Row {
    army: usize,
    /// `None` = all kinds.
    unit: Option<usize>,
    /// All, living, routed, left, fallen, kills.
    counts: [u32; 6],
}

impl Outcome {
    /// Lays the window out in the middle of `free`.
    pub fn lay_out(
        &mut self,
        ui: &egui::Ui,
        free: Rect,
        facts: &BattleFacts<'_>,
        output: &mut PanelOutput<BattleAction>,
    ) {
        if !self.open {
            return;
        }
        let size = vec2((free.width() - 40.0).min(WIDTH_PX), free.height() - 70.0);
        let window = egui::Window::new("the result").collapsible(false).resizable(false).title_bar(false);
        let window = window.fixed_pos(free.center()).pivot(Align2::CENTER_CENTER).constrain_to(free);
        window.show(ui.ctx(), |ui| {
            ui.set_width(size.x);
            headline(ui, facts);
            let buttons = 2.0 * (ui.text_style_height(&TextStyle::Button) + 14.0) + 8.0;
            let room = (size.y - ui.min_rect().height() - buttons).max(40.0);
            let area = ScrollArea::vertical().max_height(room).show(ui, |ui| {
                graph(ui, facts);
                table(ui, facts);
            });
            output.place("scroll-outcome", area.inner_rect);
            ui.add_space(4.0);
            buttons_of(ui, facts, output);
        });
    }
}

fn headline(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    let frame = facts.frame;
    let text = hud::result(frame).unwrap_or_else(|| "the battle goes on".to_owned());
    let text = RichText::new(text).heading().strong();
    let text = match frame.verdict {
        Some(Verdict::Winner(army)) => text.color(ink(facts.army(army.0.into()))),
        _ => text,
    };
    ui.vertical_centered(|ui| {
        ui.label(text);
        let sum = |of: fn(&ArmyCount) -> u32| grouped(frame.armies.iter().map(|army| u64::from(of(army))).sum());
        let [alive, routed, dead] = [sum(|army| army.alive), sum(|army| army.routed), sum(|army| army.dead)];
        ui.label(format!("after {:.1} s: {alive} living, {routed} routed, {dead} fallen", frame.time));
    });
    ui.separator();
}

/// Curves of the strengths, with a legend.
fn graph(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    let Some(span) = facts.span else { return };
    let (area, response) = ui.allocate_exact_size(vec2(ui.available_width(), GRAPH_PX), Sense::hover());
    ui.painter().rect_filled(area, 3.0, ui.visuals().extreme_bg_color);
    strengths::draw(&ui.painter_at(area), area.shrink(4.0), facts, span);
    let most = grouped(strengths::most(facts.chronicle).into());
    response.on_hover_text(format!("The living of each army over time; the upper edge is {most}"));
    ui.horizontal_wrapped(|ui| {
        for (index, army) in facts.frame.armies.iter().enumerate() {
            ui.label(RichText::new(format!("— {}", army.name)).color(ink(facts.army(index))));
        }
    });
}

/// The rows of the table: the kinds of each army, where the frame has squads, and each army as a whole.
fn rows(frame: &Frame) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, army) in frame.armies.iter().enumerate().filter(|(_, army)| army.all() > 0) {
        let own = frame.squads.iter().filter(|squad| squad.army.index() == index && squad.tally.spawned > 0);
        let mut kinds: Vec<Row> = Vec::new();
        for squad in own {
            let unit = squad.unit.index();
            let tally = &squad.tally;
            let counts = [tally.spawned, tally.alive(), tally.routed, tally.left, tally.losses, tally.kills];
            match kinds.iter_mut().find(|row| row.unit == Some(unit)) {
                Some(row) => row.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count),
                None => kinds.push(Row { army: index, unit: Some(unit), counts }),
            }
        }
        kinds.sort_by_key(|row| row.unit);
        let all = [army.spawned(), army.alive, army.routed, army.left, army.dead, army.kills];
        // One kind is all of them.
        let is_one = kinds.len() == 1 && kinds[0].counts == all;
        rows.append(&mut kinds);
        if !is_one {
            rows.push(Row { army: index, unit: None, counts: all });
        }
    }
    rows
}

fn table(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    let frame = facts.frame;
    let rows = rows(frame);
    let has_left = rows.iter().any(|row| row.counts[3] > 0);
    let shown = |column: usize| column != 3 || has_left;
    ScrollArea::horizontal().show(ui, |ui| {
        Grid::new("losses").num_columns(8).striped(true).spacing([12.0, 3.0]).show(ui, |ui| {
            for (column, name) in
                ["army", "kind", "all", "living", "routed", "left", "fallen", "kills"].iter().enumerate()
            {
                if column < 2 || shown(column - 2) {
                    ui.strong(*name);
                }
            }
            ui.end_row();
            for Row { army, unit, counts } in &rows {
                let name = frame.armies.get(*army).map_or("", |army| &army.name);
                ui.label(RichText::new(name).color(ink(facts.army(*army))));
                match unit {
                    Some(unit) => ui.label(frame.units.get(*unit).map_or("", String::as_str)),
                    None => ui.strong("all kinds"),
                };
                for (_, count) in counts.iter().enumerate().filter(|(column, _)| shown(*column)) {
                    ui.label(grouped((*count).into()));
                }
                ui.end_row();
            }
        });
    });
}

fn buttons_of(ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    ui.horizontal_wrapped(|ui| {
        let mut button = |ui: &mut egui::Ui, name, text: &str, hint: &str, action| {
            let button = ui.button(text).on_hover_text(hint);
            output.on_press(name, &button, action);
        };
        if facts.live {
            let hint = "Fight it anew from tick 0, with the same seed; what was commanded after tick 0 is forgotten";
            button(ui, "restart", "restart", hint, BattleAction::Restart);
        }
        button(ui, "watch-again", "watch it again", "Go to the start and play", BattleAction::WatchAgain);
        if facts.film.is_none() {
            let hint = "Make a film (GIF) of the whole battle, beside the window";
            button(ui, "film-battle", "save a film", hint, BattleAction::FilmBattle);
        } else {
            button(
                ui,
                "cancel-film",
                "cancel the film",
                "Stop making the film; nothing is written",
                BattleAction::CancelFilm,
            );
        }
        button(ui, "close-outcome", "close", "The button ⚑ or the key O shows it again", BattleAction::Outcome);
    });
    if let Some(share) = facts.film {
        ui.ctx().request_repaint_after(PROGRESS_INTERVAL);
        let text = if share < 1.0 { format!("film: {:.0} %", share * 100.0) } else { "film: writing".to_owned() };
        ui.add(ProgressBar::new(share).desired_height(18.0).text(text)).on_hover_text("The film of the whole battle");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::battle::SquadStats;
    use throng_sim::world::{ArmyId, SquadCount, UnitId};

    #[test]
    fn kinds_add_up_to_their_army() {
        let squad = |army, unit, spawned, losses, routed| {
            let tally = SquadStats { spawned, losses, routed, kills: losses + 1, ..SquadStats::default() };
            SquadCount { army: ArmyId(army), unit: UnitId(unit), tally, ..SquadCount::default() }
        };
        let squads = vec![squad(0, 1, 10, 4, 1), squad(1, 0, 5, 5, 0), squad(0, 0, 7, 0, 0), squad(0, 1, 3, 1, 0)];
        let red = ArmyCount { alive: 14, routed: 1, dead: 5, kills: 8, ..ArmyCount::default() };
        let blue = ArmyCount { dead: 5, kills: 6, ..ArmyCount::default() };
        let rows = rows(&Frame { squads, armies: vec![red, blue], ..Frame::default() });
        let found: Vec<_> = rows.iter().map(|row| (row.army, row.unit, row.counts)).collect();
        let expected = [
            (0, Some(0), [7, 7, 0, 0, 0, 1]),
            (0, Some(1), [13, 7, 1, 0, 5, 7]),
            (0, None, [20, 14, 1, 0, 5, 8]),
            (1, Some(0), [5, 0, 0, 0, 5, 6]),
        ];
        assert_eq!(found, expected);
        // Each row adds up.
        assert!(rows.iter().all(|row| row.counts[0] == row.counts[1..5].iter().sum::<u32>()));
    }
}
