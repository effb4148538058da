//! Deployment: the armies, their worth, new squads, and how large those are that are selected.

use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::command::Command;
use crate::battle::deploying::resized;
use crate::battle::tools::{ToolContext, Tools};
use crate::draw::ink::color;
use crate::draw::pen::grouped;
use crate::shell::panel_output::PanelOutput;
use egui::containers::menu::MenuButton;
use egui::{Button, ComboBox, DragValue, Label, TextEdit, vec2};
use throng_record::army_colours::BATTLE;
use throng_sim::battle::MAX_ARMIES;
use throng_sim::world::{ArmyId, SquadId, UnitId};

/// What is being written.
#[derive(Default)]
pub(crate) struct Deployment {
    /// The name of an army, by its number.
    name: Option<(usize, String)>,
    /// The number of soldiers of the selected squad.
    count: Option<(SquadId, usize)>,
}

impl Deployment {
    pub fn lay_out(
        &mut self,
        ui: &mut egui::Ui,
        facts: &BattleFacts<'_>,
        tools: &mut Tools,
        output: &mut PanelOutput<BattleAction>,
    ) {
        self.armies(ui, facts, output);
        ui.separator();
        new_squad(ui, facts, tools, output);
        self.selected(ui, facts, tools, output);
        ui.weak("Drag over open ground from flank to flank: a new squad, facing left of the line. Drag a soldier: its squad, or all \
                 that are selected, goes along; with alt they turn; right drag: they stand on that line.");
        if facts.paused {
            let begin = ui.button("▶ begin").on_hover_text("time goes on  (space)");
            output.on_press("begin", &begin, BattleAction::Pause);
        }
    }

    fn armies(&mut self, ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
        let reply = facts.reply;
        for (index, (name, own)) in reply.armies.iter().enumerate().take(MAX_ARMIES) {
            let id = ArmyId(index as u8);
            ui.horizontal(|ui| {
                let menu = MenuButton::from_button(Button::new("     ").fill(color(facts.army(index))));
                let (menu, _) = menu.ui(ui, |ui| {
                    ui.horizontal_wrapped(|ui| {
                        ui.set_max_width(150.0);
                        for colour in BATTLE {
                            let swatch = Button::new("").fill(color(colour)).min_size(vec2(26.0, 22.0));
                            if ui.add(swatch).clicked() {
                                let set = Command::SetArmy(id, name.clone(), Some(colour));
                                output.actions.push(BattleAction::Execute(set));
                                ui.close();
                            }
                        }
                    });
                    let usual = ui.button("the usual one").on_hover_text("that of its number");
                    if usual.clicked() {
                        output.actions.push(BattleAction::Execute(Command::SetArmy(id, name.clone(), None)));
                        ui.close();
                    }
                });
                output.has(format!("colour-{index}"), &menu.on_hover_text("its colour"));
                let mut text = match &self.name {
                    Some((army, text)) if *army == index => text.clone(),
                    _ => name.clone(),
                };
                let edit = ui.add(TextEdit::singleline(&mut text).desired_width(82.0).char_limit(24));
                output.has(format!("name-{index}"), &edit);
                let left = edit.lost_focus();
                edit.on_hover_text("its name");
                if left && !text.trim().is_empty() && text != *name {
                    let set = Command::SetArmy(id, text.trim().to_owned(), *own);
                    output.actions.push(BattleAction::Execute(set));
                }
                if left {
                    self.name = None;
                } else if text != *name {
                    self.name = Some((index, text));
                }
                let points = worth(facts, index);
                let words = Label::new(format!("{} points", grouped(points as u64))).truncate();
                ui.add(words).on_hover_text(
                    "What its living soldiers are worth together: armies of as many points are about as strong. A soldier's points are \
                     its cost, where the scenario gives costs, else the root of its health times its damage a second.",
                );
            });
        }
        let room = reply.armies.len() < MAX_ARMIES;
        let more = ui.add_enabled(room, Button::new("one more army")).on_hover_text("an enemy of all others");
        let name = format!("army {}", reply.armies.len() + 1);
        output.on_press("add-army", &more, BattleAction::Execute(Command::AddArmy(name)));
    }

    fn selected(
        &mut self,
        ui: &mut egui::Ui,
        facts: &BattleFacts<'_>,
        tools: &mut Tools,
        output: &mut PanelOutput<BattleAction>,
    ) {
        let Some(&squad) = tools.squads.first() else { return };
        ui.horizontal_wrapped(|ui| {
            if tools.squads.len() == 1 {
                let alive = facts.frame.squads.get(squad.index()).map_or(0, |count| count.tally.alive() as usize);
                let mut count = self.count.filter(|&(of, _)| of == squad).map_or(alive, |(_, count)| count);
                let field = ui.add(DragValue::new(&mut count).range(1..=10_000).suffix(" soldiers"));
                output.has("squad-size", &field);
                let done = (field.lost_focus() || field.drag_stopped()) && count != alive;
                field.on_hover_text("of the selected squad: drag, or click and write");
                self.count = (count != alive && !done).then_some((squad, count));
                if done && let Some(command) = tools.unless_refused(resized(&scene(facts), squad, count)) {
                    output.actions.push(BattleAction::Execute(command));
                }
            }
            let remove = ui.button("remove").on_hover_text("the selected squads leave the field  (Delete)");
            if output.has("remove-squads", &remove) {
                output.actions.push(BattleAction::Remove);
            }
        });
    }
}

/// The battle, without a mouse over it.
fn scene<'a>(facts: &'a BattleFacts<'_>) -> ToolContext<'a> {
    ToolContext {
        frame: facts.frame,
        squad: &facts.frame.squad,
        radii: &facts.reply.radii,
        ramparts: &facts.reply.ramparts,
        reach: 0.0,
        slant: 1.0,
    }
}

/// The points of an army's living soldiers.
fn worth(facts: &BattleFacts<'_>, army: usize) -> f32 {
    let points = |unit: UnitId| facts.reply.points.get(unit.index()).copied().unwrap_or(0.0);
    let squads = facts.frame.squads.iter().filter(|squad| squad.army.index() == army);
    squads.map(|squad| points(squad.unit) * squad.tally.alive() as f32).sum()
}

fn new_squad(ui: &mut egui::Ui, facts: &BattleFacts<'_>, tools: &mut Tools, output: &mut PanelOutput<BattleAction>) {
    let new_squad = &mut tools.new_squad;
    ui.horizontal_wrapped(|ui| {
        let army = facts.frame.armies.get(new_squad.army.index()).map_or("", |army| &army.name);
        let armies = ComboBox::from_id_salt("army").selected_text(army).width(54.0).truncate().show_ui(ui, |ui| {
            for (id, army) in (0..).map(ArmyId).zip(&facts.frame.armies) {
                if output.choice(ui, format!("army-{id}"), &army.name, new_squad.army == id) {
                    new_squad.army = id;
                }
            }
        });
        output.has("army", &armies.response.on_hover_text("the army of the next new squad"));
        let unit = facts.frame.units.get(new_squad.unit.index()).map_or("", String::as_str);
        let units = ComboBox::from_id_salt("unit").selected_text(unit).width(72.0).truncate().show_ui(ui, |ui| {
            for (id, unit) in (0..).map(UnitId).zip(&facts.frame.units) {
                ui.selectable_value(&mut new_squad.unit, id, unit);
            }
        });
        output.has("unit", &units.response.on_hover_text("its kind of soldiers"));
        let count = ui.add(DragValue::new(&mut new_squad.count).range(1..=10_000));
        output.has("new-squad-size", &count.on_hover_text("how many soldiers it has"));
    });
}
