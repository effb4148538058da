//! The tool of the left button, and the terrain or the squad for it.

use super::deploy::Deployment;
use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::tools::{BrushShape, Paint, Tools};
use crate::draw::ink::color;
use crate::draw::palette;
use crate::shell::event::Tool;
use crate::shell::panel_output::PanelOutput;
use egui::{DragValue, Slider};
use throng_grid::{MapFormat, SWAMP};

/// The tools, with their keys.
const TOOLS: [(&str, &str, Tool); 3] = [
    ("tool-select", "Q select", Tool::Select),
    ("tool-paint", "E edit map", Tool::Paint),
    ("tool-spawn-squad", "U deploy", Tool::SpawnSquad),
];

/// The kinds of file that a map is saved as.
const FORMATS: [(&str, &str, MapFormat); 4] = [
    ("save-txt", ".txt", MapFormat::Ascii),
    ("save-map", ".map", MapFormat::MovingAi),
    ("save-png", ".png", MapFormat::Png),
    ("save-tmx", ".tmx", MapFormat::Tiled),
];

const STROKES: [(&str, &str, BrushShape); 4] = [
    ("stroke-brush", "brush", BrushShape::Brush),
    ("stroke-line", "line", BrushShape::Line),
    ("stroke-rectangle", "rectangle", BrushShape::Rectangle),
    ("stroke-fill", "fill", BrushShape::Fill),
];

/// Health of a gate, unless said otherwise (points).
const DEFAULT_GATE_HEALTH: u32 = 300;

/// The names of the first classes of terrain.
const TERRAIN_NAMES: [&str; 5] = ["plain", "swamp", "shallow water", "sand", "clay"];

/// A row of tools, and what belongs to the one in hand.
pub(super) fn lay_out(
    ui: &mut egui::Ui,
    facts: &BattleFacts<'_>,
    (tools, deployment): (&mut Tools, &mut Deployment),
    output: &mut PanelOutput<BattleAction>,
) {
    ui.horizontal_wrapped(|ui| {
        for (name, text, tool) in TOOLS {
            if output.choice(ui, name, text, tools.tool == tool) {
                output.actions.push(BattleAction::Take(tool));
            }
        }
    });
    match tools.tool {
        Tool::Select | Tool::Measure => {}
        Tool::Paint => paint(ui, tools, output),
        Tool::SpawnSquad => deployment.lay_out(ui, facts, tools, output),
    }
    ui.horizontal(|ui| {
        output.action(ui, "undo", "undo", BattleAction::Undo);
        output.action(ui, "redo", "redo", BattleAction::Redo);
        output.action(ui, "save", "save map and scenario", BattleAction::Save);
    });
    ui.horizontal(|ui| {
        ui.weak("map format");
        for (name, text, format) in FORMATS {
            if output.choice(ui, name, text, tools.format == format) {
                tools.format = format;
            }
        }
    });
}

fn paint(ui: &mut egui::Ui, tools: &mut Tools, output: &mut PanelOutput<BattleAction>) {
    ui.horizontal_wrapped(|ui| {
        for (name, text, stroke) in STROKES {
            if output.choice(ui, name, text, tools.stroke == stroke) {
                tools.stroke = stroke;
            }
        }
    });
    let (mut class, mut height, mut health) = match tools.paint {
        Paint::Terrain(class) => (class, 0, DEFAULT_GATE_HEALTH),
        Paint::Height(height) => (SWAMP, height, DEFAULT_GATE_HEALTH),
        Paint::Gate(health) => (SWAMP, 0, health),
        Paint::Wall | Paint::Water | Paint::Open => (SWAMP, 0, DEFAULT_GATE_HEALTH),
    };
    let kinds = [
        ("paint-wall", "wall", Paint::Wall),
        ("paint-gate", "gate", Paint::Gate(health)),
        ("paint-water", "water", Paint::Water),
        ("paint-open", "open", Paint::Open),
        ("paint-terrain", "terrain", Paint::Terrain(class)),
        ("paint-height", "height", Paint::Height(height)),
    ];
    ui.horizontal_wrapped(|ui| {
        for (name, text, paint) in kinds {
            if output.choice(ui, name, text, tools.paint == paint) {
                tools.paint = paint;
            }
        }
    });
    ui.horizontal(|ui| match tools.paint {
        Paint::Terrain(_) => {
            let (ground, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::hover());
            ui.painter().rect_filled(ground, 3.0, color(palette::ground(class)));
            output.has("paint-value", &ui.add(DragValue::new(&mut class).prefix("class ")));
            ui.weak(TERRAIN_NAMES.get(usize::from(class)).copied().unwrap_or("see the units' terrain"));
            tools.paint = Paint::Terrain(class);
        }
        Paint::Height(_) => {
            output.has("paint-value", &ui.add(DragValue::new(&mut height).suffix(" cm")));
            tools.paint = Paint::Height(height);
        }
        Paint::Gate(_) => {
            let field = ui.add(DragValue::new(&mut health).range(1..=1_000_000).suffix(" health"));
            output.has("paint-value", &field);
            ui.weak("a breakable wall");
            tools.paint = Paint::Gate(health);
        }
        Paint::Wall | Paint::Water | Paint::Open => {}
    });
    output.has("brush-width", &ui.add(Slider::new(&mut tools.width, 1..=32).text("cells wide")));
}
