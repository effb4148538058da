//! The sizes and the colours of all words and panels: one font family, 14 points at least, a contrast of 4.5 to 1 at least.

use egui::{Color32, Context, FontId, Stroke, TextStyle, Visuals, vec2};

/// The colour of panels.
pub(crate) const PANEL: [u8; 3] = [24, 27, 33];
/// The same behind words over the picture: it hides nearly all that is below.
pub(crate) const PLATE: Color32 = Color32::from_rgba_premultiplied(18, 20, 24, 240);
/// Words of most importance, the others, and less important ones.
pub(crate) const BRIGHT: Color32 = Color32::from_rgb(247, 244, 236);
pub(crate) const TEXT: Color32 = Color32::from_rgb(226, 226, 222);
pub(crate) const DIM: Color32 = Color32::from_rgb(172, 178, 188);
/// Words about trouble.
pub(crate) const WARNING: Color32 = Color32::from_rgb(255, 160, 96);
/// What is chosen or pressed.
const ACCENT: Color32 = Color32::from_rgb(28, 88, 134);

/// The least size of words (points).
pub(crate) const MIN_TEXT_PX: f32 = 14.0;
const BODY_PX: f32 = 14.5;
const HEADING_PX: f32 = 20.0;

/// Gives a context these sizes and colours.
pub(crate) fn apply(context: &Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        let font = |size| FontId::proportional(size);
        style.text_styles = [
            (TextStyle::Small, font(MIN_TEXT_PX)),
            (TextStyle::Body, font(BODY_PX)),
            (TextStyle::Button, font(BODY_PX)),
            (TextStyle::Heading, font(HEADING_PX)),
            (TextStyle::Monospace, font(BODY_PX)),
        ]
        .into();
        style.spacing.item_spacing = vec2(6.0, 4.0);
        style.spacing.tooltip_width = 320.0;
        colour(&mut style.visuals);
    });
}

fn colour(visuals: &mut Visuals) {
    let [r, g, b] = PANEL;
    let panel = Color32::from_rgb(r, g, b);
    (visuals.panel_fill, visuals.window_fill) = (panel, panel);
    visuals.weak_text_color = Some(DIM);
    visuals.disabled_alpha = 0.8;
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = WARNING;
    visuals.hyperlink_color = Color32::from_rgb(140, 196, 255);
    visuals.selection.bg_fill = ACCENT;
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    let widgets = &mut visuals.widgets;
    for (widget, fill, ink) in [
        (&mut widgets.noninteractive, panel, TEXT),
        (&mut widgets.inactive, Color32::from_rgb(50, 55, 65), TEXT),
        (&mut widgets.hovered, Color32::from_rgb(66, 73, 86), BRIGHT),
        (&mut widgets.active, ACCENT, Color32::WHITE),
        (&mut widgets.open, Color32::from_rgb(42, 47, 56), BRIGHT),
    ] {
        (widget.weak_bg_fill, widget.bg_fill, widget.fg_stroke.color) = (fill, fill, ink);
    }
}

/// A colour, made lighter until words of it are readable on panels.
pub(crate) fn readable(colour: Color32) -> Color32 {
    let [r, g, b] = PANEL;
    let panel = Color32::from_rgb(r, g, b);
    let lifted = (0..=16).map(|step| colour.lerp_to_gamma(Color32::WHITE, step as f32 / 16.0));
    lifted.into_iter().find(|&ink| contrast(ink, panel) >= 5.0).unwrap_or(Color32::WHITE)
}

/// The contrast of two opaque colours: 1 to 21 (Web Content Accessibility Guidelines 2.2).
pub(crate) fn contrast(one: Color32, other: Color32) -> f32 {
    let [light, dark] = [luminance(one), luminance(other)];
    (light.max(dark) + 0.05) / (light.min(dark) + 0.05)
}

fn luminance(colour: Color32) -> f32 {
    let [r, g, b] = [colour.r(), colour.g(), colour.b()].map(super::palette::light);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_has_the_greatest_contrast() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        assert!((contrast(Color32::WHITE, Color32::WHITE) - 1.0).abs() < 0.01);
    }

    #[test]
    fn all_words_are_readable_on_panels() {
        let [r, g, b] = PANEL;
        let panel = Color32::from_rgb(r, g, b);
        for ink in [BRIGHT, TEXT, DIM, WARNING] {
            assert!(contrast(ink, panel) >= 4.5 && contrast(ink, PLATE.to_opaque()) >= 4.5, "{ink:?}");
        }
        assert!(contrast(Color32::WHITE, ACCENT) >= 4.5);
        for army in 0..16 {
            let ink = readable(crate::draw::ink::color(crate::draw::palette::army(army)));
            assert!(contrast(ink, panel) >= 4.5, "{army}");
        }
    }
}
