//! The picture: in each pane the map, what was searched, the route; below it the figures.

use super::layout::{Layout, Pane};
use super::overlay::{self, FAR, FRONT, NEAR, Overlay, Overlays};
use super::pane_result::PaneResult;
use super::trace::Trace;
use super::walker::Walker;
use crate::camera::Camera;
use crate::int_rect::IntRect;
use crate::map_image::MapImage;
use crate::palette::{self, Rgb};
use crate::pen::{BRIGHT, DIM, Pen, Plates, TROUGH, bright, color, short};
use crate::pipeline::field_pass;
use crate::shell::Shell;
use crate::view_buffer::{ViewBuffer, map_pipeline};
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, GraphicsContext};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;
use throng_record::palette as record;

/// Radius of the discs of start and goal (logical pixels).
pub(super) const END_MARK_RADIUS_PX: f32 = 9.0;
/// Lines between clusters that lie closer are not drawn (logical pixels).
const MIN_LINE_SPACING_PX: f32 = 7.0;
/// Radius of the disc of the agent that walks, and the distance between the dots of its route (logical pixels).
const WALKER_RADIUS_PX: f32 = 6.5;
const DOT_SPACING_PX: f32 = 8.0;
/// The ink of warnings.
const WARNING_INK: Rgb = [230, 159, 0];

/// The frame to draw.
pub(super) struct ComparisonFrame<'a> {
    pub layout: &'a Layout,
    pub camera: &'a Camera,
    pub lattice: Lattice,
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
    /// The cells that the brush would paint (m): corner and size.
    pub brush: Option<(Vec2, Vec2)>,
    /// The agent that walks to the goal.
    pub walker: Option<&'a Walker>,
}

/// The resources of the panes on the card.
pub(super) struct Panes {
    view: ViewBuffer,
    map: wgpu::RenderPipeline,
    overlays: Overlays,
    /// By pane.
    shown: Vec<Overlay>,
    cell_size: f32,
    plates: Plates,
}

impl Panes {
    /// Sends the map to the card and makes the pipelines.
    pub fn new(gfx: &GraphicsContext, image: &MapImage, lattice: Lattice, count: usize) -> Self {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let view = ViewBuffer::new(device, queue, Some(image), lattice.size());
        let overlays = Overlays::new(device, &view, format);
        let clear = Trace::clear(lattice);
        let shown = (0..count).map(|_| Overlay::new(device, &overlays, &clear, lattice.cell_size)).collect();
        Self {
            map: map_pipeline(device, &view, format),
            view,
            overlays,
            shown,
            cell_size: lattice.cell_size,
            plates: Plates::default(),
        }
    }

    /// Changes the number of panes at their end.
    pub fn resize(&mut self, gfx: &GraphicsContext, lattice: Lattice, count: usize) {
        let device = &gfx.wgpu().device;
        let clear = Trace::clear(lattice);
        self.shown.resize_with(count, || Overlay::new(device, &self.overlays, &clear, lattice.cell_size));
    }

    /// Sends areas of the map's picture, by level, to the card.
    pub fn repaint(&self, gfx: &GraphicsContext, image: &MapImage, areas: Vec<IntRect>) {
        self.view.repaint(&gfx.wgpu().queue, image, areas);
    }

    /// Sends what a pane has come to to the card.
    pub fn show(&mut self, gfx: &GraphicsContext, pane: usize, result: &PaneResult, clear: &Trace) {
        let (device, queue) = (&gfx.wgpu().device, &gfx.wgpu().queue);
        self.shown[pane].write_trace(queue, result.trace().unwrap_or(clear));
        self.shown[pane].write_route(device, result.route(), result.is_on_the_way());
    }

    /// Draws a frame and shows it.
    pub fn draw(&mut self, shell: &mut Shell, scene: &ComparisonFrame) -> GameResult {
        let (scale, size) = (shell.scale(), shell.size());
        let graphics = &mut shell.graphics;
        graphics.begin_frame()?;
        let queue = graphics.gfx.wgpu().queue.clone();
        self.view.write(&queue, scene.camera);
        for overlay in &self.shown {
            overlay.write_view(&queue, scene.camera.zoom, scale, self.cell_size);
        }
        let target = graphics.gfx.frame().wgpu().clone();
        let whole = IntRect::whole(graphics.gfx.frame().width(), graphics.gfx.frame().height());
        if let Some(encoder) = graphics.gfx.commands() {
            let mut pass = field_pass(encoder, &target, palette::DESK);
            self.view.bind(&mut pass);
            for (pane, overlay) in scene.layout.panes.iter().zip(&self.shown) {
                // All panes share one view: what differs is where it is put. A window may shrink faster than its frame.
                let map = pane.map;
                if map.within(whole) != map {
                    continue;
                }
                let [x, y, width, height] = [map.left, map.top, map.width(), map.height()];
                pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
                pass.set_scissor_rect(x, y, width, height);
                pass.set_pipeline(&self.map);
                pass.draw(0..4, 0..1);
                overlay.draw(&self.overlays, &mut pass);
            }
        }
        let gfx = &graphics.gfx;
        let mut canvas = Canvas::from_frame(gfx, None::<Color>);
        let mut pen = Pen { gfx, canvas: &mut canvas, plates: &mut self.plates, scale };
        for (index, pane) in scene.layout.panes.iter().enumerate() {
            frame(&mut pen, pane);
            words(&mut pen, scene, index, pane)?;
            marks(&mut pen, scene, index, pane)?;
            caption(&mut pen, scene, index, pane);
        }
        let window = (size / scale).to_array();
        footer(&mut pen, scene, window[0]);
        canvas.finish(&mut graphics.gfx)?;
        shell.ui.paint(graphics);
        graphics.end_frame()
    }
}

/// A line around a pane.
fn frame(pen: &mut Pen, Pane { map, caption }: &Pane) {
    let [left, top, right, bottom] = [map.left, map.top, map.right, caption.bottom].map(|edge| edge as f32 / pen.scale);
    let (width, height) = (right - left, bottom - top);
    for [x, y, w, h] in [
        [left - 1.0, top - 1.0, width + 2.0, 1.0],
        [left - 1.0, bottom, width + 2.0, 1.0],
        [left - 1.0, top, 1.0, height],
        [right, top, 1.0, height],
    ] {
        pen.bar(x, y, w, h, TROUGH);
    }
}

/// Lines between clusters, start, goal, doors on the way ahead, and what the brush would paint, where the pane shows them.
fn marks(pen: &mut Pen, scene: &ComparisonFrame, index: usize, pane: &Pane) -> GameResult {
    let scale = pen.scale;
    let place = |point: Vec2| (scene.camera.to_pixel(point) + pane.map.corner()) / scale;
    if let Some(found) = scene.results.get(index).and_then(PaneResult::found) {
        clusters(pen, scene, &found.clusters, pane);
    }
    if let Some((corner, size)) = scene.brush {
        let (low, high) = (place(corner), place(corner + size));
        // Cut off at the pane's edge.
        let edges = [pane.map.corner(), Vec2::new(pane.map.right as f32, pane.map.bottom as f32)].map(|e| e / scale);
        let (low, high) = (low.max(edges[0]).min(edges[1]), high.max(edges[0]).min(edges[1]));
        let [w, h] = (high - low).to_array();
        let line = 1.0;
        for (x, y, w, h) in [
            (low.x, low.y, w, line),
            (low.x, high.y - line, w, line),
            (low.x, low.y, line, h),
            (high.x - line, low.y, line, h),
        ] {
            pen.bar(x, y, w, h, Color::new(0.0, 0.0, 0.0, 0.75));
        }
    }
    let ahead = scene.results.get(index).and_then(PaneResult::improvement).map_or(&[][..], |better| &better.ahead);
    for &door in ahead {
        let at = place(door);
        if pane.map.covers(at * scale) {
            pen.disc(at.x, at.y, 4.0, Color::WHITE)?;
            pen.disc(at.x, at.y, 3.0, color(overlay::route()))?;
        }
    }
    if let Some((from, to)) = scene.trip {
        for (point, colour, letter) in [(from, record::START, "S"), (to, record::GOAL, "G")] {
            let at = place(point);
            if !pane.map.covers(at * scale) {
                continue;
            }
            pen.disc(at.x, at.y, END_MARK_RADIUS_PX + 1.5, Color::WHITE)?;
            pen.disc(at.x, at.y, END_MARK_RADIUS_PX, color(record::rgb(colour)))?;
            pen.text_centred(letter, at.x, at.y - 7.0, 14.0, Color::WHITE);
        }
    }
    if let Some(walker) = scene.walker {
        let (here, ahead) = walker.ahead(scene.lattice);
        let mut last = place(here);
        for dot in ahead.map(place) {
            if dot.distance(last) >= DOT_SPACING_PX && pane.map.covers(dot * scale) {
                pen.disc(dot.x, dot.y, 3.4, Color::WHITE)?;
                pen.disc(dot.x, dot.y, 2.4, color(WARNING_INK))?;
                last = dot;
            }
        }
        let at = place(here);
        if pane.map.covers(at * scale) {
            pen.disc(at.x, at.y, WALKER_RADIUS_PX + 1.5, Color::WHITE)?;
            pen.disc(at.x, at.y, WALKER_RADIUS_PX, color(WARNING_INK))?;
        }
    }
    Ok(())
}

/// The lines between the clusters of each level, those of higher levels stronger; none where they would lie too close.
fn clusters(pen: &mut Pen, scene: &ComparisonFrame, sides: &[u32], pane: &Pane) {
    let scale = pen.scale;
    let place = |point: Vec2| (scene.camera.to_pixel(point) + pane.map.corner()) / scale;
    let (low, high) = (pane.map.corner() / scale, Vec2::new(pane.map.right as f32, pane.map.bottom as f32) / scale);
    let (first, last) = (place(Vec2::ZERO).max(low), place(scene.lattice.size()).min(high));
    for (level, &side) in sides.iter().enumerate() {
        let step = side as f32 * scene.lattice.cell_size;
        if step * scene.camera.zoom < MIN_LINE_SPACING_PX * scale {
            continue;
        }
        let ink = Color::new(0.16, 0.1, 0.02, 0.28 + 0.3 * level as f32 / sides.len() as f32);
        let wide = 1.0 + 0.5 * level as f32;
        // Lines lie on the cells that neighbours share.
        let half = Vec2::splat(0.5 * scene.lattice.cell_size);
        for number in 1..scene.lattice.width.max(scene.lattice.height).div_ceil(side) {
            let at = place(Vec2::splat(number as f32 * step) + half);
            if at.x > first.x && at.x < last.x {
                pen.bar(at.x - 0.5 * wide, first.y, wide, last.y - first.y, ink);
            }
            if at.y > first.y && at.y < last.y {
                pen.bar(first.x, at.y - 0.5 * wide, last.x - first.x, wide, ink);
            }
        }
    }
}

/// The notes about the search of a pane, beside its figures.
fn notes(scene: &ComparisonFrame, index: usize) -> Vec<String> {
    match scene.results.get(index) {
        None => Vec::new(),
        Some(result) if result.task < scene.task && result.result.is_none() => vec!["searching…".to_owned()],
        Some(result) => result.notes(),
    }
}

/// The texts over the map of a pane.
fn words(pen: &mut Pen, scene: &ComparisonFrame, index: usize, pane: &Pane) -> GameResult {
    let Some(result) = scene.results.get(index) else { return Ok(()) };
    let [left, top] = (pane.map.corner() / pen.scale).to_array();
    let width = pane.map.width() as f32 / pen.scale;
    if scene.layout.wide {
        let mut y = top + 6.0;
        // In the corner, where they hide little of the map.
        let room = ((width - 40.0) / pen.width("m", 13.0)).clamp(8.0, 28.0) as usize;
        for line in joined(&notes(scene, index), "   ", room) {
            let wide = pen.width(&line, 13.0) + 18.0;
            pen.plate(left + 6.0, y, [wide, 23.0])?;
            pen.text(&line, left + 15.0, y + 5.0, 13.0, BRIGHT);
            y += 25.0;
        }
    }
    if let Some(words) = result.words() {
        // At the top, so that it does not hide what could be done about it.
        let lines = wrapped(&words, ((width - 44.0) / pen.width("m", 14.0)).max(8.0) as usize);
        let wide = lines.iter().map(|line| pen.width(line, 14.0)).fold(0.0, f32::max) + 28.0;
        let x = left + (width - wide) / 2.0;
        pen.plate(x, top + 6.0, [wide, 19.0 * lines.len() as f32 + 14.0])?;
        for (row, line) in lines.iter().enumerate() {
            pen.text_centred(line, left + width / 2.0, top + 14.0 + 19.0 * row as f32, 14.0, bright(WARNING_INK));
        }
    }
    Ok(())
}

/// Name and figures below a pane.
fn caption(pen: &mut Pen, scene: &ComparisonFrame, index: usize, pane: &Pane) {
    let [left, top] = (pane.caption.corner() / pen.scale).to_array();
    let width = pane.caption.width() as f32 / pen.scale;
    let number = (index + 1).to_string();
    pen.bar(left + 6.0, top + 8.0, 18.0, 18.0, TROUGH);
    pen.text_centred(&number, left + 15.0, top + 10.0, 14.0, BRIGHT);
    let room = if scene.layout.wide { 170.0 } else { width - 28.0 };
    let name = short(scene.names.get(index).map_or("", String::as_str), (room / pen.width("m", 15.0)) as usize);
    pen.text(&name, left + 31.0, top + 9.0, 15.0, BRIGHT);
    if !scene.layout.wide {
        let note = notes(scene, index).join("   ");
        let room = width - 31.0 - pen.width(&name, 15.0) - 24.0;
        let note = short(&note, (room / pen.width("m", 12.0)) as usize);
        pen.text_right(&note, left + width - 6.0, top + 11.0, 12.0, DIM);
    }
    let Some(figures) = scene.results.get(index).and_then(|result| result.figures(scene.results, scene.optimum)) else {
        return;
    };
    let (mut x, y) = if scene.layout.wide { (left + 205.0, top + 8.0) } else { (left + 6.0, top + 31.0) };
    // Shares of the room that is left: the last has most to say.
    let gap = 14.0;
    let room = left + width - 6.0 - x - 2.0 * gap;
    for (figure, part) in figures.iter().zip([0.27, 0.34, 0.39]) {
        let wide = room * part;
        pen.text(figure.label, x, y + 2.0, 12.0, DIM);
        if pen.width(figure.label, 12.0) + pen.width(&figure.value, 13.0) + 6.0 < wide {
            pen.text_right(&figure.value, x + wide, y + 1.0, 13.0, BRIGHT);
        } else {
            // Too narrow for both: the figure stands over its label.
            pen.bar(x, y, wide, 15.0, color(palette::DESK));
            pen.text_right(&figure.value, x + wide, y + 1.0, 13.0, BRIGHT);
        }
        pen.bar(x, y + 18.0, wide, 4.0, TROUGH);
        pen.bar(x, y + 18.0, wide * figure.share.clamp(0.0, 1.0), 4.0, color(FAR));
        x += wide + gap;
    }
}

/// The legend of the colours, and the key for help.
fn footer(pen: &mut Pen, scene: &ComparisonFrame, width: f32) {
    let y = scene.layout.footer.bottom as f32 / pen.scale - 22.0;
    let mut x = scene.layout.footer.left as f32 / pen.scale + 10.0;
    pen.text(&short(scene.title, 28), x, y, 14.0, BRIGHT);
    x += pen.width(&short(scene.title, 28), 14.0) + 22.0;
    for (label, colours) in
        [("expanded, near to far", &[NEAR, FAR][..]), ("open", &[FRONT][..]), ("route", &[overlay::route()][..])]
    {
        for colour in colours {
            pen.bar(x, y + 2.0, 11.0, 11.0, color(*colour));
            x += 11.0;
        }
        pen.text(label, x + 6.0, y, 13.0, DIM);
        x += pen.width(label, 13.0) + 22.0;
    }
    for text in
        ["drag S, G, walls   space  play   R  random trip   F1  help", "drag S, G, walls   F1  help", "F1  help"]
    {
        if x + pen.width(text, 13.0) + 10.0 < width {
            pen.text_right(text, width - 10.0, y, 13.0, DIM);
            break;
        }
    }
}

/// The parts in lines of at most `most` characters, but for longer parts.
fn joined(parts: &[String], between: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + between.len() + part.chars().count() <= most => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    lines
}

/// `text` in lines of at most `most` characters, but for longer words.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    joined(&words, " ", most)
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_words_are_wrapped() {
        assert_eq!(wrapped("no route: the goal is elsewhere", 12), ["no route:", "the goal is", "elsewhere"]);
        assert!(wrapped("", 5).is_empty());
    }
}
