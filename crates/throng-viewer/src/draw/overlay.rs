//! Words over the picture of any window: the keys, news, and what has gone wrong.

use super::style::{BRIGHT, DIM, PLATE, WARNING};
use crate::shell::panel_output::PanelOutput;
use egui::{Align2, Color32, FontId, Grid, Id, LayerId, Modal, Order, Painter, Pos2, Rect, RichText, ScrollArea, vec2};

/// The keys of a window, each with its meaning.
pub(crate) type Keys = &'static [(&'static str, &'static str)];

/// What is shown over the picture.
pub(crate) struct Overlay<'a> {
    pub keys: Keys,
    /// The keys are shown, or else the one that shows them.
    pub help: bool,
    /// News, such as where a picture was saved.
    pub notice: Option<&'a str>,
    /// Why a file could not be opened.
    pub trouble: Option<&'a str>,
}

/// What the user has read and closed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dismissed {
    pub keys: bool,
    pub trouble: bool,
}

/// What is left free around words (points).
const PADDING_PX: f32 = 14.0;

/// Lays it out over `free`, the part of the window that the panels leave; what was closed.
pub(crate) fn lay_out<A>(ui: &egui::Ui, free: Rect, overlay: &Overlay<'_>, output: &mut PanelOutput<A>) -> Dismissed {
    let painter = ui.painter_at(free);
    // News lie over all that floats.
    let above = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::new("news"))).with_clip_rect(free);
    if let Some(notice) = overlay.notice {
        plate(&above, notice, free.center_bottom() - vec2(0.0, PADDING_PX), Align2::CENTER_BOTTOM, BRIGHT);
    }
    let trouble = overlay.trouble.is_some_and(|trouble| unopened(ui, trouble, output));
    if overlay.help {
        return Dismissed { keys: keys(ui, free, overlay.keys, output), trouble };
    }
    if overlay.notice.is_none() {
        plate(&painter, "F1  keys", free.left_bottom() + vec2(PADDING_PX, -PADDING_PX), Align2::LEFT_BOTTOM, DIM);
    }
    Dismissed { keys: false, trouble }
}

/// Why a file could not be opened; true once that was read.
fn unopened<A>(ui: &egui::Ui, trouble: &str, output: &mut PanelOutput<A>) -> bool {
    let width = (ui.ctx().content_rect().width() - 60.0).min(520.0);
    let modal = Modal::new(Id::new("trouble")).show(ui.ctx(), |ui| {
        ui.set_max_width(width);
        ui.heading("this file cannot be opened");
        ui.label(trouble);
        ui.add_space(6.0);
        output.button(ui, "dismiss", "keep the current one")
    });
    modal.inner
}

/// A line about trouble at the top of a part of the window.
pub(crate) fn trouble(ui: &egui::Ui, free: Rect, text: &str) {
    plate(&ui.painter_at(free), text, free.center_top() + vec2(0.0, PADDING_PX), Align2::CENTER_TOP, WARNING);
}

/// Words on a dark plate that touches a point, wrapped where there is no room; the plate.
pub(crate) fn plate(painter: &Painter, text: &str, at: Pos2, align: Align2, ink: Color32) -> Rect {
    let room = (painter.clip_rect().width() - 4.0 * PADDING_PX).max(40.0);
    let galley = painter.layout(text.to_owned(), FontId::proportional(15.0), ink, room);
    let place = align.anchor_size(at, galley.size() + vec2(22.0, 10.0));
    painter.rect_filled(place, 6.0, PLATE);
    painter.galley(place.min + vec2(11.0, 5.0), galley, ink);
    place
}

/// The keys in a window of their own, in two columns where there is room; true if it was closed.
fn keys<A>(ui: &egui::Ui, free: Rect, keys: Keys, output: &mut PanelOutput<A>) -> bool {
    let mut open = true;
    let columns = if free.width() > 860.0 && keys.len() > 12 { 2 } else { 1 };
    let window = egui::Window::new("keys and mouse").id("keys".into()).open(&mut open).collapsible(false);
    let window = window.resizable(false).fixed_pos(free.center()).pivot(Align2::CENTER_CENTER).constrain_to(free);
    // Over all other windows, whichever was opened or pressed last.
    let window = window.order(Order::Foreground);
    window.show(ui.ctx(), |ui| {
        let area = ScrollArea::vertical().max_height(free.height() - 80.0).max_width(free.width() - 40.0);
        let area = area.show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (part, keys) in keys.chunks(keys.len().div_ceil(columns)).enumerate() {
                    let width = (free.width() - 70.0) / columns as f32 - 130.0;
                    Grid::new(("keys", part)).num_columns(2).spacing([14.0, 5.0]).show(ui, |ui| {
                        for (key, meaning) in keys {
                            ui.label(RichText::new(*key).strong());
                            ui.scope(|ui| {
                                ui.set_max_width(width.min(360.0));
                                ui.label(*meaning);
                            });
                            ui.end_row();
                        }
                    });
                    ui.add_space(16.0);
                }
            });
        });
        output.place("scroll-keys", area.inner_rect);
    });
    !open
}
