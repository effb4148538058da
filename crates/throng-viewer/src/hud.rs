//! How a battle ended, over the picture.

use super::overlay;
use super::palette;
use super::pen::grouped;
use super::style::{BRIGHT, PLATE, readable};
use super::{Theme, ink};
use egui::{Align2, Color32, FontId, Rect, vec2};
use throng_sim::world::{ArmyCount, Frame, Verdict};

/// How the battle ended, in words: "red wins", "draw".
pub(super) fn result(frame: &Frame) -> Option<String> {
    Some(match frame.verdict? {
        Verdict::Winner(army) => {
            let name = frame.armies.get(usize::from(army.0)).map_or("an unknown army", |army| army.name.as_str());
            format!("{name} wins")
        }
        Verdict::Draw => "draw".to_owned(),
    })
}

/// Draws the result, or why the simulation has stopped, at the top of `free`.
pub(super) fn lay_out(ui: &egui::Ui, free: Rect, (frame, theme): (&Frame, Theme), failure: Option<&str>) {
    if let Some(failure) = failure {
        overlay::trouble(ui, free, &format!("the simulation has stopped: {failure}"));
        return;
    }
    let Some(headline) = result(frame) else { return };
    let colour = match frame.verdict {
        Some(Verdict::Winner(army)) => ink::color(palette::army_of(frame, theme, army.0.into())),
        _ => Color32::from_rgb(214, 204, 180),
    };
    let sum = |of: fn(&ArmyCount) -> u32| grouped(frame.armies.iter().map(|army| u64::from(of(army))).sum());
    let line = format!("after {:.0} s: {} alive, {} dead", frame.time, sum(|army| army.alive), sum(|army| army.dead));
    let painter = ui.painter_at(free);
    let room = free.width() - 88.0;
    let [headline, line] = [(headline, 34.0, readable(colour)), (line, 16.0, BRIGHT)]
        .map(|(text, size, ink)| painter.layout(text, FontId::proportional(size), ink, room));
    let size = vec2(headline.size().x.max(line.size().x) + 60.0, headline.size().y + line.size().y + 40.0);
    let plate = Align2::CENTER_TOP.anchor_size(free.center_top() + vec2(0.0, 28.0), size);
    painter.rect_filled(plate, 8.0, PLATE);
    let middle = plate.center().x;
    let under = plate.top() + 12.0 + headline.size().y;
    painter.rect_filled(Rect::from_x_y_ranges(plate.x_range().shrink(30.0), under + 4.0..=under + 7.0), 0.0, colour);
    painter.galley(egui::pos2(middle - headline.size().x / 2.0, plate.top() + 12.0), headline, BRIGHT);
    painter.galley(egui::pos2(middle - line.size().x / 2.0, under + 15.0), line, BRIGHT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyId;

    #[test]
    fn results_are_named() {
        let armies =
            ["red", "blue"].map(|name| ArmyCount { name: name.into(), alive: 1, ..ArmyCount::default() }).to_vec();
        let mut frame = Frame { armies, ..Frame::default() };
        assert_eq!(result(&frame), None);
        frame.verdict = Some(Verdict::Winner(ArmyId(1)));
        assert_eq!(result(&frame).as_deref(), Some("blue wins"));
        frame.verdict = Some(Verdict::Draw);
        assert_eq!(result(&frame).as_deref(), Some("draw"));
    }
}
