//! Asks a layout of panels whether a person can read all its words: none is cut off, lies over another, or is too small or too pale.

use super::panel_output::PanelOutput;
use crate::draw::style::{self, MIN_TEXT_PX, contrast};
use egui::epaint::ClippedShape;
use egui::{Color32, Context, RawInput, Rect, Shape, pos2, vec2};

/// The sizes of windows (points): 800 x 600, 1280 x 720 at scale 1 and 2, 1920 x 1080.
pub(crate) const SIZES: [[f32; 2]; 4] = [[800.0, 600.0], [1280.0, 720.0], [640.0, 360.0], [1920.0, 1080.0]];
/// The least contrast of words (Web Content Accessibility Guidelines 2.2, level AA).
const MIN_CONTRAST: f32 = 4.5;
/// How far words may stick out of their place, and into others' (points): less is not seen.
const SLACK_PX: f32 = 1.5;
/// Fills that are less opaque than this (of 255) do not count as a ground for words.
const MIN_GROUND_OPACITY: u8 = 225;

/// Some words on the screen.
#[derive(Clone, Debug)]
struct Words {
    text: String,
    place: Rect,
    clip: Rect,
    size: f32,
    ink: Color32,
    /// What is below: its place and its colour.
    ground: Option<(Rect, Color32)>,
}

/// Lays out `lay` in a window of a size (points) until it has settled; all that is wrong with its words.
pub(crate) fn troubles<A>(size: [f32; 2], mut lay: impl FnMut(&mut egui::Ui, &mut PanelOutput<A>)) -> Vec<String> {
    let context = Context::default();
    style::apply(&context);
    let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(size[0], size[1]));
    let (mut shapes, mut scrolls) = (Vec::new(), Vec::new());
    for turn in 0..4 {
        let input = RawInput { screen_rect: Some(screen), time: Some(f64::from(turn)), ..RawInput::default() };
        let out = context.run_ui(input, |ui| {
            let mut output = PanelOutput::default();
            lay(ui, &mut output);
            scrolls = output.places.iter().filter(|(name, _)| name.starts_with("scroll")).map(|(_, at)| *at).collect();
        });
        shapes = out.shapes;
    }
    let words = visible(&shapes);
    let mut troubles: Vec<String> = words
        .iter()
        .flat_map(|words| words.troubles(screen, &scrolls))
        .map(|what| format!("{size:?}: {what}"))
        .collect();
    // Where no font has a sign, the picture is that of a sign that none has.
    let picture = |sign: char| {
        let font = egui::FontId::proportional(MIN_TEXT_PX);
        let galley = context.fonts_mut(|fonts| fonts.layout_no_wrap(sign.to_string(), font, Color32::WHITE));
        galley.rows.iter().flat_map(|row| row.glyphs.clone()).next().map(|glyph| glyph.uv_rect)
    };
    let none = picture('\u{10FFFE}');
    let has_signs = |text: &str| text.chars().all(|sign| sign.is_whitespace() || picture(sign) != none);
    let boxes = words.iter().filter(|words| !has_signs(&words.text));
    troubles.extend(boxes.map(|words| format!("{size:?}: the font lacks a sign of {:?}", words.text)));
    for (index, one) in words.iter().enumerate() {
        let over = |other: &&Words| {
            let both = one.seen().intersect(other.seen());
            both.width() > SLACK_PX && both.height() > 2.0 * SLACK_PX
        };
        let others = words[..index].iter().filter(over);
        troubles.extend(others.map(|other| format!("{size:?}: {:?} lies over {:?}", one.text, other.text)));
    }
    troubles
}

/// Asserts that all words of a layout can be read at all sizes, and that all its controls have a hint.
pub(crate) fn assert_readable<A>(lay: impl Fn(&mut egui::Ui, &mut PanelOutput<A>)) {
    for size in SIZES {
        let troubles = troubles(size, &lay);
        assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    }
    assert_eq!(without_hint([1920.0, 1080.0], &lay), [""; 0]);
}

/// The names of the controls that show no hint while the pointer rests on them, in a window of a size (points).
pub(crate) fn without_hint<A>(size: [f32; 2], mut lay: impl FnMut(&mut egui::Ui, &mut PanelOutput<A>)) -> Vec<String> {
    let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(size[0], size[1]));
    let context = Context::default();
    style::apply(&context);
    let mut now = 0.0;
    // The words that are there while the pointer rests somewhere, and the controls.
    let mut rest_at = |at: egui::Pos2| {
        let (mut count, mut places) = (0, Vec::new());
        for turn in 0..4 {
            let events = if turn == 0 { vec![egui::Event::PointerMoved(at)] } else { Vec::new() };
            now += 1.0;
            let input = RawInput { screen_rect: Some(screen), time: Some(now), events, ..RawInput::default() };
            let out = context.run_ui(input, |ui| {
                let mut output = PanelOutput::default();
                lay(ui, &mut output);
                places = output.places;
            });
            let mut flat = Vec::new();
            out.shapes.iter().for_each(|shape| flatten(shape.clip_rect, &shape.shape, &mut flat));
            count = flat.iter().filter(|(_, shape)| matches!(shape, Shape::Text(_))).count();
        }
        (count, places)
    };
    let (count, places) = rest_at(pos2(-1.0, -1.0));
    let controls = places.into_iter().filter(|(name, at)| !name.starts_with("scroll") && screen.contains_rect(*at));
    controls.filter(|(_, at)| rest_at(at.center()).0 <= count).map(|(name, _)| name.into_owned()).collect()
}

impl Words {
    /// The part that is seen.
    fn seen(&self) -> Rect {
        self.place.intersect(self.clip)
    }

    fn troubles(&self, screen: Rect, scrolls: &[Rect]) -> Vec<String> {
        let Self { text, place, clip, size, ink, ground } = self;
        let mut found = Vec::new();
        let whole = clip.intersect(screen).expand(SLACK_PX);
        if place.left() < whole.left() || place.right() > whole.right() {
            found.push(format!("{text:?} at {place} is cut off at its side by {clip}"));
        }
        let is_in = |scroll: &Rect| {
            let scroll = scroll.expand(SLACK_PX);
            scroll.top() <= clip.top() && clip.bottom() <= scroll.bottom()
        };
        let scrolled = scrolls.iter().any(is_in);
        if !scrolled && (place.top() < whole.top() || place.bottom() > whole.bottom()) {
            found.push(format!("{text:?} at {place} is cut off by {clip}"));
        }
        if *size < MIN_TEXT_PX {
            found.push(format!("{text:?} has {size} points"));
        }
        match ground {
            None => found.push(format!("{text:?} at {place} has no ground of its own")),
            Some((area, _)) if place.left() + SLACK_PX < area.left() || place.right() > area.right() + SLACK_PX => {
                found.push(format!("{text:?} at {place} sticks out of {area}"));
            }
            Some((_, ground)) => {
                let contrast = contrast(*ink, *ground);
                if contrast < MIN_CONTRAST {
                    found.push(format!("{text:?} has a contrast of {contrast:.1}: {ink:?} on {ground:?}"));
                }
            }
        }
        found
    }
}

/// All words that are seen, and not under something that was painted later.
fn visible(shapes: &[ClippedShape]) -> Vec<Words> {
    let mut flat = Vec::new();
    for ClippedShape { clip_rect, shape } in shapes {
        flatten(*clip_rect, shape, &mut flat);
    }
    let fills: Vec<Option<(Rect, Color32)>> = flat.iter().map(|(clip, shape)| fill(*clip, shape)).collect();
    let words = flat.iter().enumerate().filter_map(|(order, (clip, shape))| {
        let Shape::Text(text) = shape else { return None };
        let place = text.visual_bounding_rect();
        if text.angle != 0.0 || text.galley.text().trim().is_empty() || !place.intersects(*clip) {
            return None;
        }
        let middle = place.intersect(*clip).center();
        // What floats may hide it, wholly or in part: then it is not to be read now.
        let hidden = fills[order..].iter().flatten().any(|(area, _)| area.intersects(place.shrink(SLACK_PX)));
        let ground = fills[..order].iter().flatten().rev().find(|(area, _)| area.contains(middle));
        let format = &text.galley.job.sections.first()?.format;
        let ink = match text.override_text_color {
            Some(ink) => ink,
            None if format.color == Color32::PLACEHOLDER => text.fallback_color,
            None => format.color,
        };
        let words = Words {
            text: text.galley.text().chars().take(40).collect(),
            place,
            clip: *clip,
            size: format.font_id.size,
            ink,
            ground: ground.copied(),
        };
        (!hidden).then_some(words)
    });
    words.collect()
}

fn flatten<'a>(clip: Rect, shape: &'a Shape, out: &mut Vec<(Rect, &'a Shape)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| flatten(clip, shape, out)),
        shape => out.push((clip, shape)),
    }
}

/// The part that a shape covers, and its colour.
fn fill(clip: Rect, shape: &Shape) -> Option<(Rect, Color32)> {
    match shape {
        Shape::Rect(rect) if rect.fill.a() >= MIN_GROUND_OPACITY => {
            Some((rect.rect.intersect(clip), rect.fill.to_opaque()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{CentralPanel, Label, RichText, ScrollArea};

    fn found(lay: impl Fn(&mut egui::Ui)) -> String {
        troubles::<()>([200.0, 100.0], |ui, output| {
            CentralPanel::default().show(ui, |ui| lay(ui));
            output.place("scroll", Rect::from_min_size(pos2(0.0, 60.0), vec2(200.0, 40.0)));
        })
        .join("\n")
    }

    #[test]
    fn it_finds_what_cannot_be_read() {
        assert_eq!(found(|ui| drop(ui.label("well"))), "");
        assert!(found(|ui| drop(ui.label(RichText::new("tiny").size(9.0)))).contains("has 9 points"));
        let pale = Color32::from_gray(90);
        assert!(found(|ui| drop(ui.label(RichText::new("pale").color(pale)))).contains("has a contrast of 2."));
        let long = "too long for its line, which is not wrapped";
        assert!(found(|ui| drop(ui.add(Label::new(long).extend()))).contains("cut off at its side"));
        let twice = found(|ui| {
            for text in ["one", "two"] {
                ui.place(Rect::from_min_size(pos2(20.0, 20.0), vec2(60.0, 20.0)), Label::new(text));
            }
        });
        assert!(twice.contains("\"two\" lies over \"one\""), "{twice}");
        let low = found(|ui| {
            ui.add_space(78.0);
            ui.label("low");
        });
        assert_eq!(low, "", "the lower part scrolls");
        let lines = found(|ui| {
            ScrollArea::vertical().max_height(78.0).show(ui, |ui| (0..9).for_each(|_| drop(ui.label("many"))));
        });
        assert!(lines.contains("is cut off by"), "this part is not said to scroll: {lines}");
    }
}
