//! The page of a new battle: its ground, its armies, their numbers.

use super::MenuAction;
use crate::draw::pen::grouped;
use crate::shell::panel_output::PanelOutput;
use egui::{Button, ComboBox, DragValue, Grid, RichText, ScrollArea, TextEdit, vec2};
use throng_grid::generate::Kind;
use throng_record::army_colours::BATTLE;
use throng_scenario::{NEW_UNITS, NewArmy, NewBattle, NewMap};

/// The most armies of a new battle.
const MAX_ARMIES: usize = 8;
/// Most soldiers of a kind in an army.
const MAX_SOLDIERS: u32 = 20_000;
/// The sides of a map that can be chosen (cells).
const SIDE_RANGE_CELLS: std::ops::RangeInclusive<u32> = 64..=2048;

/// The names of new armies.
const ARMIES: [&str; MAX_ARMIES] = ["red", "blue", "brown", "sand", "violet", "pink", "green", "purple"];
pub(super) struct NewBattleForm {
    kind: Option<Kind>,
    size: [u32; 2],
    seed: u64,
    armies: Vec<NewArmy>,
}

fn new_army(index: usize) -> NewArmy {
    NewArmy { name: ARMIES[index % MAX_ARMIES].into(), colour: None, soldiers: [200, 150, 100, 40, 0] }
}

impl Default for NewBattleForm {
    fn default() -> Self {
        Self { kind: Some(Kind::Field), size: [256, 256], seed: 1, armies: (0..2).map(new_army).collect() }
    }
}

impl NewBattleForm {
    pub fn lay_out(&mut self, ui: &mut egui::Ui, output: &mut PanelOutput<MenuAction>) {
        ui.heading("New battle");
        ui.label("It opens at its first moment: deploy the squads as you like, then begin.");
        ui.add_space(6.0);
        self.ground(ui, output);
        ui.add_space(6.0);
        let area = ScrollArea::horizontal().id_salt("armies").show(ui, |ui| self.armies(ui, output));
        output.place("scroll-armies", area.inner_rect);
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| {
            let room = self.armies.len() < MAX_ARMIES;
            let more = ui.add_enabled(room, Button::new("one more army")).on_hover_text("eight at most");
            if output.has("new-army", &more) {
                self.armies.push(new_army(self.armies.len()));
            }
            let fewer = ui.add_enabled(self.armies.len() > 2, Button::new("one less"));
            if output.has("less-armies", &fewer.on_hover_text("the last one goes")) {
                self.armies.pop();
            }
            let total: u32 = self.armies.iter().flat_map(|army| army.soldiers).sum();
            ui.weak(format!("{} soldiers in all", grouped(total.into())));
        });
        ui.add_space(8.0);
        let begin = Button::new(RichText::new("Deploy").strong()).min_size(vec2(120.0, 32.0));
        let begin = ui.add(begin).on_hover_text("make the map and the armies");
        let map = self.kind.map_or(NewMap::Plain, NewMap::Generated);
        let battle = NewBattle { map, size: self.size, seed: self.seed, armies: self.armies.clone() };
        output.on_press("deploy-new", &begin, MenuAction::New(battle));
    }

    fn ground(&mut self, ui: &mut egui::Ui, output: &mut PanelOutput<MenuAction>) {
        ui.horizontal_wrapped(|ui| {
            ui.label("ground");
            let kinds = std::iter::once(None).chain(Kind::ALL.map(Some));
            let text = |kind: Option<Kind>| kind.map_or("plain", Kind::name);
            let combo = ComboBox::from_id_salt("ground").selected_text(text(self.kind)).show_ui(ui, |ui| {
                for kind in kinds {
                    if output.choice(ui, format!("ground-{}", text(kind)), text(kind), self.kind == kind) {
                        self.kind = kind;
                    }
                }
            });
            output.has("ground", &combo.response.on_hover_text("the kind of map that is made"));
            // A map has to hold what its kind puts on it.
            let least = self.kind.map_or(*SIDE_RANGE_CELLS.start(), Kind::least_side).max(*SIDE_RANGE_CELLS.start());
            for (side, text, hint) in self
                .size
                .iter_mut()
                .zip([("wide", "columns of a metre"), ("high", "rows of a metre")])
                .map(|(s, (t, h))| (s, t, h))
            {
                *side = (*side).max(least);
                ui.add(DragValue::new(side).range(least..=*SIDE_RANGE_CELLS.end()).suffix(" m")).on_hover_text(hint);
                ui.label(text);
            }
            ui.label("seed");
            let seed = ui.add(DragValue::new(&mut self.seed).range(0..=u32::MAX));
            output.has("seed", &seed.on_hover_text("another number is another map"));
        });
    }

    fn armies(&mut self, ui: &mut egui::Ui, output: &mut PanelOutput<MenuAction>) {
        Grid::new("armies").spacing([10.0, 6.0]).striped(false).show(ui, |ui| {
            ui.label("army");
            ui.label("");
            for unit in NEW_UNITS {
                ui.label(plural(unit));
            }
            ui.end_row();
            for (index, army) in self.armies.iter_mut().enumerate() {
                let name = ui.add(TextEdit::singleline(&mut army.name).desired_width(96.0).char_limit(24));
                output.has(format!("army-name-{index}"), &name.on_hover_text("its name"));
                let mut colour = army.colour.unwrap_or(BATTLE[index % BATTLE.len()]);
                if ui.color_edit_button_srgb(&mut colour).on_hover_text("its colour").changed() {
                    army.colour = Some(colour);
                }
                for (soldiers, unit) in army.soldiers.iter_mut().zip(NEW_UNITS) {
                    let number = ui.add(DragValue::new(soldiers).range(0..=MAX_SOLDIERS).speed(2.0));
                    number.on_hover_text(format!("{} of {}: drag, or click and write", plural(unit), army.name));
                }
                ui.end_row();
            }
        });
    }
}

fn plural(unit: &str) -> String {
    match unit.strip_suffix("man") {
        Some(stem) => format!("{stem}men"),
        None => format!("{unit}s"),
    }
}
