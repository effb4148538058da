//! The examples, each with a picture and a line of words.

use super::MenuAction;
use crate::draw::ink::upload;
use crate::shell::example::Example;
use crate::shell::panel_output::PanelOutput;
use egui::{Color32, Image, Label, RichText, Sense, Stroke, StrokeKind, TextureHandle, UiBuilder, vec2};

/// The least width of a picture (points), and its width over its height.
const MIN_PICTURE_WIDTH_PX: f32 = 176.0;
const ASPECT: f32 = 1.7;
/// Room between two pictures.
const GAP_PX: f32 = 12.0;
/// Room for the words below one.
const WORDS_PX: f32 = 82.0;

pub(super) struct Gallery {
    examples: Vec<Example>,
    pictures: Vec<Option<TextureHandle>>,
}

impl Gallery {
    pub fn new(examples: Vec<Example>) -> Self {
        let pictures = examples.iter().map(|_| None).collect();
        Self { examples, pictures }
    }

    /// Rows of pictures, as many in one as there is room for.
    pub fn lay_out(&mut self, ui: &mut egui::Ui, output: &mut PanelOutput<MenuAction>) {
        let room = ui.available_width() - 6.0;
        let columns = (((room + GAP_PX) / (MIN_PICTURE_WIDTH_PX + GAP_PX)) as usize).max(1);
        let width = (room + GAP_PX) / columns as f32 - GAP_PX;
        let size = vec2(width, width / ASPECT);
        let mut left = (0..).zip(&self.examples).zip(&mut self.pictures).peekable();
        while left.peek().is_some() {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = GAP_PX;
                for ((number, example), picture) in left.by_ref().take(columns) {
                    card(ui, (number, example), (picture, size), output);
                }
            });
        }
    }
}

/// A picture that is pressed to open its example.
fn card(
    ui: &mut egui::Ui,
    (number, example): (usize, &Example),
    (picture, size): (&mut Option<TextureHandle>, egui::Vec2),
    output: &mut PanelOutput<MenuAction>,
) {
    let name = format!("example-{number}");
    if picture.is_none()
        && let Some(image) = example.picture()
    {
        upload(picture, ui.ctx(), &name, image);
    }
    let builder = UiBuilder::new().sense(Sense::click());
    let response = ui.scope_builder(builder, |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.set_width(size.x);
        ui.vertical(|ui| {
            ui.set_min_height(size.y + WORDS_PX);
            match picture {
                Some(picture) => drop(ui.add(Image::new((picture.id(), size)).corner_radius(4.0))),
                None => drop(ui.allocate_exact_size(size, Sense::hover())),
            }
            ui.add(Label::new(RichText::new(&example.name).strong()).truncate());
            ui.add(Label::new(RichText::new(&example.line).weak()).wrap());
        });
    });
    let response = response.response.on_hover_cursor(egui::CursorIcon::PointingHand);
    if response.hovered() {
        let stroke = Stroke::new(2.0, Color32::from_rgb(240, 228, 66));
        ui.painter().rect_stroke(response.rect.expand(3.0), 5.0, stroke, StrokeKind::Outside);
    }
    output.on_press(name, &response, MenuAction::Open(example.file.clone()));
}
