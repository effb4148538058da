//! The balance of the armies: who lives, who has routed, who has fallen.

use super::facts::BattleFacts;
use super::time_line::words;
use crate::battle::action::BattleAction;
use crate::draw::ink::color;
use crate::draw::pen::grouped;
use crate::draw::style::{BRIGHT, PLATE, contrast};
use crate::shell::panel_output::PanelOutput;
use egui::{Align2, Color32, FontId, Painter, Rect, Sense, Stroke, TextStyle, pos2, vec2};
use throng_sim::world::ArmyCount;

/// Height of the bar, and what is free around it (points).
const HEIGHT_PX: f32 = 22.0;
const MARGIN_PX: f32 = 8.0;
/// A part of the map that is lower or narrower has no bar (points).
const MIN_FREE_PX: [f32; 2] = [160.0, 120.0];

/// A bar over the upper edge of `free`: for each army, as wide as its share of all soldiers, the living, the routed and the
/// fallen, which are all of it. Nothing where there are no two armies.
pub(super) fn lay_out(ui: &egui::Ui, free: Rect, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    let armies = &facts.frame.armies;
    let all: u64 = armies.iter().map(|army| u64::from(army.all())).sum();
    let manned = armies.iter().filter(|army| army.all() > 0).count();
    if manned < 2 || free.width() < MIN_FREE_PX[0] || free.height() < MIN_FREE_PX[1] {
        return;
    }
    let bar =
        Rect::from_min_size(free.min + vec2(MARGIN_PX, MARGIN_PX), vec2(free.width() - 2.0 * MARGIN_PX, HEIGHT_PX));
    let painter = ui.painter_at(free);
    painter.rect_filled(bar.expand(2.0), 4.0, PLATE);
    output.place("balance", bar);
    let mut left = bar.left();
    for (index, army) in armies.iter().enumerate().filter(|(_, army)| army.all() > 0) {
        let width = bar.width() * (f64::from(army.all()) / all as f64) as f32;
        let part = Rect::from_min_size(pos2(left, bar.top()), vec2(width, bar.height()));
        left += width;
        draw(&painter, part, army, color(facts.army(index)));
        let response = ui.interact(part, egui::Id::new(("balance", index)), Sense::hover());
        response.on_hover_text(told(army));
    }
}

/// The parts of an army: its colour in full for the living, paler and striped for the routed, those that left and those yet to
/// come, dark for the fallen.
fn draw(painter: &Painter, part: Rect, army: &ArmyCount, colour: Color32) {
    let all = f64::from(army.all().max(1));
    let mut left = part.left();
    let away = army.routed.saturating_add(army.left).saturating_add(army.coming);
    let shares = [(army.alive, 1.0), (away, 0.45), (army.dead, 0.2)];
    let pieces = shares.map(|(count, strength)| {
        let width = part.width() * (f64::from(count) / all) as f32;
        let piece = Rect::from_min_size(pos2(left, part.top()), vec2(width, part.height()));
        left += width;
        painter.rect_filled(piece, 0.0, colour.gamma_multiply(strength));
        piece
    });
    stripes(painter, pieces[1], colour);
    painter.vline(part.right(), part.y_range(), Stroke::new(1.0, Color32::BLACK));
    // On the living, or else on the fallen.
    let dark = if contrast(Color32::BLACK, colour) > contrast(BRIGHT, colour) { Color32::BLACK } else { BRIGHT };
    if !name(painter, pieces[0], army, dark) {
        name(painter, pieces[2], army, BRIGHT);
    }
}

fn stripes(painter: &Painter, piece: Rect, colour: Color32) {
    const APART_PX: f32 = 6.0;
    let painter = painter.with_clip_rect(piece.intersect(painter.clip_rect()));
    let mut x = piece.left() - piece.height();
    while x < piece.right() {
        let ends = [pos2(x, piece.bottom()), pos2(x + piece.height(), piece.top())];
        painter.line_segment(ends, Stroke::new(1.5, colour));
        x += APART_PX;
    }
}

/// The name and the living, as much of it as has room on a piece; false where nothing has.
fn name(painter: &Painter, piece: Rect, army: &ArmyCount, ink: Color32) -> bool {
    let living = grouped(army.alive.into());
    let texts = [
        format!("{} {living} of {}", army.name, grouped(army.all().into())),
        format!("{} {living}", army.name),
        living,
    ];
    let font = TextStyle::Body.resolve(&painter.ctx().global_style());
    let Some(text) = texts.into_iter().find(|text| fits(painter, text, &font, piece.width())) else { return false };
    painter.text(piece.left_center() + vec2(5.0, 0.0), Align2::LEFT_CENTER, text, font, ink);
    true
}

fn fits(painter: &Painter, text: &str, font: &FontId, width: f32) -> bool {
    painter.layout_no_wrap(text.to_owned(), font.clone(), BRIGHT).size().x + 10.0 <= width
}

fn told(army: &ArmyCount) -> String {
    let counts = words([army.alive, army.routed, army.left, army.dead, army.coming]);
    format!("{}: {} in all\n{counts}", army.name, grouped(army.all().into()))
}
