//! Emblems: a drawing a kind, which is read at a few pixels.

use throng_sim::battle::Look;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Draws the emblem of a kind around (x, y), of a radius and in lines of a width (pixels), in one colour.
pub fn draw_emblem(sheet: &mut Pixmap, look: Look, [x, y]: [f32; 2], radius: f32, width: f32, colour: [u8; 3]) {
    let mut pen = Pen { sheet, x, y, radius, width, colour };
    match look {
        Look::Swordsman => {
            pen.line(&[[-0.7, 0.8], [0.75, -0.85]], 1.0);
            pen.line(&[[-0.65, 0.05], [0.05, 0.75]], 1.0);
        }
        Look::Leader => {
            pen.fill(&[[-0.9, 0.7], [-0.9, -0.6], [-0.4, 0.0], [0.0, -0.9], [0.4, 0.0], [0.9, -0.6], [0.9, 0.7]]);
        }
        Look::Spearman => {
            pen.line(&[[0.0, 1.0], [0.0, -0.5]], 1.0);
            pen.fill(&[[-0.38, -0.35], [0.0, -1.1], [0.38, -0.35]]);
        }
        Look::Archer => {
            // An arc of 149 degrees.
            const ARC: [[f32; 2]; 9] = [
                [-0.233, -0.964],
                [0.061, -0.828],
                [0.296, -0.605],
                [0.448, -0.319],
                [0.5, 0.0],
                [0.448, 0.319],
                [0.296, 0.605],
                [0.061, 0.828],
                [-0.233, 0.964],
            ];
            pen.line(&ARC, 1.0);
            pen.line(&[[-0.25, -0.95], [-0.25, 0.95]], 0.5);
            pen.line(&[[-0.8, 0.0], [0.9, 0.0]], 1.0);
        }
        Look::Rider => pen.fill(&[
            [-0.75, 1.0],
            [-0.55, -0.1],
            [-0.1, -0.8],
            [0.1, -1.1],
            [0.25, -0.75],
            [0.9, -0.05],
            [0.75, 0.3],
            [0.15, 0.1],
            [0.45, 1.0],
        ]),
        Look::Giant => {
            pen.line(&[[-0.7, 0.9], [0.2, -0.2]], 1.0);
            pen.disc([0.42, -0.52], 0.52);
        }
        Look::Ram => {
            pen.line(&[[-1.0, 0.1], [0.9, 0.1]], 1.8);
            pen.disc([-0.45, 0.6], 0.27);
            pen.disc([0.45, 0.6], 0.27);
        }
        Look::Civilian => {
            pen.disc([0.0, -0.55], 0.42);
            pen.fill(&[[-0.7, 1.0], [-0.45, 0.05], [0.45, 0.05], [0.7, 1.0]]);
        }
    }
}

/// Draws in units of the emblem's radius around its middle.
struct Pen<'a> {
    sheet: &'a mut Pixmap,
    x: f32,
    y: f32,
    radius: f32,
    width: f32,
    colour: [u8; 3],
}

impl Pen<'_> {
    fn at(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [self.x + x * self.radius, self.y + y * self.radius]
    }

    fn line(&mut self, points: &[[f32; 2]], times: f32) {
        let points: Vec<_> = points.iter().map(|&point| self.at(point)).collect();
        draw_line(self.sheet, &points, self.width * times, self.colour, 1.0);
    }

    fn fill(&mut self, points: &[[f32; 2]]) {
        let points: Vec<_> = points.iter().map(|&point| self.at(point)).collect();
        fill_polygon(self.sheet, &points, self.colour, 1.0);
    }

    fn disc(&mut self, middle: [f32; 2], radius: f32) {
        let [x, y] = self.at(middle);
        let Some(path) = PathBuilder::from_circle(x, y, radius * self.radius) else { return };
        self.sheet.fill_path(&path, &paint(self.colour, 1.0), FillRule::Winding, Transform::identity(), None);
    }
}

/// A line through some points (pixels) with round ends.
pub(super) fn draw_line(sheet: &mut Pixmap, points: &[[f32; 2]], width: f32, colour: [u8; 3], opacity: f32) {
    let Some(path) = path(points, false) else { return };
    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    sheet.stroke_path(&path, &paint(colour, opacity), &stroke, Transform::identity(), None);
}

/// The inside of a closed line through some points (pixels).
pub(super) fn fill_polygon(sheet: &mut Pixmap, points: &[[f32; 2]], colour: [u8; 3], opacity: f32) {
    let Some(path) = path(points, true) else { return };
    sheet.fill_path(&path, &paint(colour, opacity), FillRule::Winding, Transform::identity(), None);
}

fn path(points: &[[f32; 2]], is_closed: bool) -> Option<Path> {
    let ([x, y], rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(*x, *y);
    for &[x, y] in rest {
        path.line_to(x, y);
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn paint([r, g, b]: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(r, g, b, (opacity * 255.0) as u8));
    paint
}
