//! The words of the panes: name and figures below each, notes over its map, start and goal, and the legend below all.

use super::layout::{Layout, Pane};
use super::overlay::{self, FAR_INK, NEAR_INK, OPEN_INK};
use super::pane_result::{PaneFigure, PaneResult};
use super::walk_panes::WalkPane;
use crate::draw::ink::color;
use crate::draw::int_rect::IntRect;
use crate::draw::palette::Rgb;
use crate::draw::style::{BRIGHT, DIM, PANEL, PLATE, WARNING};
use crate::shell::camera::Camera;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Area, Color32, FontId, Frame, Galley, Id, Order, Painter, Pos2, Rect, Stroke, pos2, vec2};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_record::palette as record;

/// Radius of the discs of start and goal (points).
pub(super) const END_MARK_RADIUS_PX: f32 = 9.0;
/// Sizes of words (points).
const WORDS_PX: f32 = 14.0;
const NAME_PX: f32 = 15.0;
/// What is left free around words (points).
const PADDING_PX: f32 = 6.0;
/// The room at the left of the footer for the key of the help (points).
const HELP_KEY_PX: f32 = 104.0;
/// The ink of links.
const LINK_INK: Color32 = Color32::from_rgb(204, 160, 240);
/// From the pointer to a tooltip (points).
pub(super) const TIP_OFFSET: egui::Vec2 = vec2(18.0, 18.0);

/// What the words are about.
pub(super) struct Captions<'a> {
    pub layout: &'a Layout,
    pub camera: &'a Camera,
    /// Pixels of a logical one.
    pub scale: f32,
    pub title: &'a str,
    /// Name of the planner of each pane.
    pub names: &'a [String],
    pub results: &'a [PaneResult],
    /// The newest task.
    pub task: u64,
    /// Length of the shortest route (cells), where it is known.
    pub optimum: Option<f64>,
    /// Start and goal (m).
    pub trip: Option<(Vec2, Vec2)>,
    /// Start and end of each link that can be used (m).
    pub links: &'a [[Vec2; 2]],
    /// What the first panes show in place of their searches.
    pub walk: &'a [WalkPane],
    /// The pane whose caption is under the pointer, and the pointer (pixels).
    pub pointed: Option<(usize, Vec2)>,
}

/// Lays all words out.
pub(super) fn lay_out(ui: &egui::Ui, captions: &Captions<'_>) {
    let painter = ui.ctx().layer_painter(egui::LayerId::background());
    for (index, pane) in captions.layout.panes.iter().enumerate() {
        links(&painter, captions, pane);
        ends(&painter, captions, pane);
        caption(&painter, captions, index, pane);
        over_the_map(&painter, captions, index, pane);
    }
    footer(&painter, captions);
    if let Some((index, pointer)) = captions.pointed {
        tip(ui, captions, index, pointer);
    }
}

impl Captions<'_> {
    /// A part of the window in points.
    fn area(&self, part: IntRect) -> Rect {
        let point = |x: u32, y: u32| pos2(x as f32 / self.scale, y as f32 / self.scale);
        Rect::from_min_max(point(part.left, part.top), point(part.right, part.bottom))
    }

    /// The notes about the search of a pane.
    fn notes(&self, index: usize) -> Vec<String> {
        if let Some(walk) = self.walk.get(index) {
            return vec![walk.note.to_owned()];
        }
        match self.results.get(index) {
            None => Vec::new(),
            Some(result) if result.task < self.task && result.result.is_none() => vec!["searching…".to_owned()],
            Some(result) => result.notes(),
        }
    }

    fn name(&self, index: usize) -> &str {
        match self.walk.get(index) {
            Some(walk) => walk.name,
            None => self.names.get(index).map_or("", String::as_str),
        }
    }

    fn figures(&self, index: usize) -> Option<Vec<PaneFigure>> {
        match self.walk.get(index) {
            Some(walk) => Some(walk.figures(self.walk)),
            None => self.results.get(index)?.figures(self.results, self.optimum).map(Vec::from),
        }
    }

    /// Why a pane has no route.
    fn words(&self, index: usize) -> Option<String> {
        self.results.get(index).filter(|_| index >= self.walk.len())?.words()
    }
}

/// Words on one line, cut to a width with an ellipsis.
fn line(painter: &Painter, text: &str, size: f32, ink: Color32, width: f32) -> Arc<Galley> {
    let format = TextFormat::simple(FontId::proportional(size), ink);
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap = TextWrapping::truncate_at_width(width.max(1.0));
    painter.layout_job(job)
}

/// Words at a point by their left or right edge, in the middle of a line; their width.
fn put(painter: &Painter, galley: Arc<Galley>, at: Pos2, align: Align2) -> f32 {
    let place = align.anchor_size(at, galley.size());
    let width = galley.size().x;
    painter.galley(place.min, galley, BRIGHT);
    width
}

/// Name and figures below a pane.
fn caption(painter: &Painter, captions: &Captions<'_>, index: usize, pane: &Pane) {
    let area = captions.area(pane.caption);
    let [r, g, b] = PANEL;
    painter.rect_filled(area, 0.0, Color32::from_rgb(r, g, b));
    let inner = area.shrink2(vec2(PADDING_PX, 0.0));
    let is_wide = captions.layout.wide;
    let middle = if is_wide { area.center().y } else { area.top() + 15.0 };
    let number = line(painter, &(index + 1).to_string(), WORDS_PX, DIM, 20.0);
    let x = inner.left() + put(painter, number, pos2(inner.left(), middle), Align2::LEFT_CENTER) + PADDING_PX;
    let room = if is_wide { 170.0 } else { inner.right() - x };
    let name = line(painter, captions.name(index), NAME_PX, BRIGHT, room);
    let x = x + put(painter, name, pos2(x, middle), Align2::LEFT_CENTER) + 14.0;
    if !is_wide {
        let note = captions.notes(index).join(", ");
        if inner.right() - x > 48.0 && !note.is_empty() {
            let note = line(painter, &note, WORDS_PX, DIM, inner.right() - x);
            put(painter, note, pos2(inner.right(), middle), Align2::RIGHT_CENTER);
        }
    }
    let Some(figures) = captions.figures(index) else { return };
    let (mut x, middle) =
        if is_wide { (inner.left() + 205.0, area.center().y - 3.0) } else { (inner.left(), area.bottom() - 17.0) };
    let gap = 14.0;
    // Of many and narrow panes the first figures are shown; all are in the tooltip and in the table.
    let least = |value: &str| line(painter, value, WORDS_PX, BRIGHT, f32::INFINITY).size().x;
    let mut count = figures.len();
    let fits = |count: usize| {
        let widest = figures[..count].iter().map(|figure| least(&figure.value)).fold(0.0, f32::max);
        (widest + gap) * count as f32 <= inner.right() - x + gap
    };
    while count > 1 && !fits(count) {
        count -= 1;
    }
    // Where there is room for all labels, each figure has its share of it; else all are as wide.
    let room = inner.right() - x - gap * (count - 1) as f32;
    let whole = |figure: &PaneFigure| least(figure.label) + least(&figure.value) + 2.0 * PADDING_PX;
    let sum: f32 = figures[..count].iter().map(whole).sum();
    for figure in &figures[..count] {
        let share = if sum <= room { whole(figure) / sum } else { 1.0 / count as f32 };
        let wide = (room * share).max(1.0);
        let value = line(painter, &figure.value, WORDS_PX, BRIGHT, wide);
        let label = line(painter, figure.label, WORDS_PX, DIM, f32::INFINITY);
        if label.size().x + value.size().x + PADDING_PX < wide {
            put(painter, label, pos2(x, middle), Align2::LEFT_CENTER);
        }
        put(painter, value, pos2(x + wide, middle), Align2::RIGHT_CENTER);
        let bar = Rect::from_min_size(pos2(x, middle + 10.0), vec2(wide, 4.0));
        painter.rect_filled(bar, 0.0, Color32::from_white_alpha(33));
        let share = vec2(wide * figure.share.clamp(0.0, 1.0), 4.0);
        painter.rect_filled(Rect::from_min_size(bar.min, share), 0.0, color(FAR_INK));
        x += wide + gap;
    }
}

/// Notes in the corner of a map, where they hide little of it, and why there is no route.
fn over_the_map(painter: &Painter, captions: &Captions<'_>, index: usize, pane: &Pane) {
    let area = captions.area(pane.map);
    let room = area.width() - 4.0 * PADDING_PX;
    let mut y = area.top() + PADDING_PX;
    let mut plate = |text: String, ink: Color32, is_centred: bool| {
        let galley = painter.layout(text, FontId::proportional(WORDS_PX), ink, room.max(40.0));
        let size = galley.size() + vec2(2.0 * PADDING_PX, 6.0);
        if y + size.y > area.bottom() || size.x > area.width() {
            return;
        }
        let x = if is_centred { area.center().x - size.x / 2.0 } else { area.left() + PADDING_PX };
        let place = Rect::from_min_size(pos2(x, y), size);
        painter.rect_filled(place, 6.0, PLATE);
        painter.galley(place.min + vec2(PADDING_PX, 3.0), galley, ink);
        y = place.bottom() + 3.0;
    };
    // At the top, so that it does not hide what could be done about it.
    if let Some(words) = captions.words(index) {
        plate(words, WARNING, true);
    }
    if captions.layout.wide {
        captions.notes(index).into_iter().for_each(|note| plate(note, BRIGHT, false));
    }
}

/// Links as light lines with a dark edge, with a dot at their end.
fn links(painter: &Painter, captions: &Captions<'_>, pane: &Pane) {
    let painter = painter.with_clip_rect(captions.area(pane.map));
    let point = |at: Vec2| {
        let pixel = captions.camera.to_pixel(at) + pane.map.corner();
        pos2(pixel.x / captions.scale, pixel.y / captions.scale)
    };
    for &[from, to] in captions.links {
        let ends = [point(from), point(to)];
        for (width, radius, ink) in [(3.4, 4.0, Color32::BLACK), (1.8, 3.0, LINK_INK)] {
            painter.line_segment(ends, Stroke::new(width, ink));
            painter.circle_filled(ends[1], radius, ink);
        }
    }
}

/// The discs of start and goal, where a pane shows them.
fn ends(painter: &Painter, captions: &Captions<'_>, pane: &Pane) {
    let Some((from, to)) = captions.trip else { return };
    let area = captions.area(pane.map);
    let painter = painter.with_clip_rect(area);
    for (point, colour, letter) in [(from, record::START, "S"), (to, record::GOAL, "G")] {
        let pixel = captions.camera.to_pixel(point) + pane.map.corner();
        if !pane.map.covers(pixel) {
            continue;
        }
        let at = pos2(pixel.x / captions.scale, pixel.y / captions.scale);
        let disc = |radius: f32, ink| {
            painter.rect_filled(Rect::from_center_size(at, egui::Vec2::splat(2.0 * radius)), radius, ink);
        };
        disc(END_MARK_RADIUS_PX + 1.5, Color32::WHITE);
        disc(END_MARK_RADIUS_PX, color(record::rgb(colour)));
        if area.shrink(END_MARK_RADIUS_PX).contains(at) {
            let letter = line(&painter, letter, WORDS_PX, Color32::WHITE, 40.0);
            put(&painter, letter, at, Align2::CENTER_CENTER);
        }
    }
}

/// The legend of the colours, beside the key of the help.
fn footer(painter: &Painter, captions: &Captions<'_>) {
    let area = captions.area(captions.layout.footer);
    let [r, g, b] = PANEL;
    painter.rect_filled(area, 0.0, Color32::from_rgb(r, g, b));
    let (mut x, y, end) = (area.left() + HELP_KEY_PX, area.center().y, area.right() - PADDING_PX);
    let legend: [(&str, &[Rgb]); 4] = [
        ("expanded, near to far", &[NEAR_INK, FAR_INK]),
        ("open", &[OPEN_INK]),
        ("route", &[overlay::route()]),
        ("", &[]),
    ];
    for (label, colours) in legend {
        let label = if label.is_empty() { captions.title } else { label };
        let words = line(painter, label, WORDS_PX, DIM, f32::INFINITY);
        let squares = 11.0 * colours.len() as f32;
        if x + squares + PADDING_PX + words.size().x > end {
            break;
        }
        for &colour in colours {
            painter.rect_filled(Rect::from_min_size(pos2(x, y - 5.5), vec2(11.0, 11.0)), 0.0, color(colour));
            x += 11.0;
        }
        x += PADDING_PX;
        x += put(painter, words, pos2(x, y), Align2::LEFT_CENTER) + 16.0;
    }
}

/// All of a caption, whatever room it has.
fn tip(ui: &egui::Ui, captions: &Captions<'_>, index: usize, pointer: Vec2) {
    let at = pos2(pointer.x / captions.scale, pointer.y / captions.scale);
    let area = Area::new(Id::new("caption-tip")).order(Order::Tooltip).fixed_pos(at + TIP_OFFSET);
    area.interactable(false).constrain(true).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(280.0);
            ui.strong(format!("{}  {}", index + 1, captions.name(index)));
            for figure in captions.figures(index).into_iter().flatten() {
                ui.label(format!("{}: {}", figure.label, figure.value));
            }
            captions.notes(index).into_iter().for_each(|note| drop(ui.label(note)));
            ui.weak("click: the next planner; right click: the one before");
        });
    });
}
