//! Marks over the map: the selection, routes, neighbours, half-planes, the dragged box.

use super::inspect::InspectReply;
use super::measuring;
use super::places;
use super::tools::{BrushShape, ToolContext, ToolDrag, Tools};
use crate::Theme;
use crate::draw::ink::color;
use crate::draw::outlines::MIN_RING_RADIUS_PX;
use crate::draw::overlay;
use crate::draw::palette;
use crate::draw::style::BRIGHT;
use crate::shell::camera::Camera;
use crate::shell::event::Tool;
use egui::epaint::EllipseShape;
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke as Pen, vec2};
use throng_grid::geom::Vec2;
use throng_sim::crowd::HalfPlane;
use throng_sim::world::Insight;

/// The greatest number of rings around selected agents; more would hide them.
const MAX_RINGS: usize = 3000;

/// Half-planes are drawn so large (m for a m/s).
const ARROW_M_PER_M_S: f32 = 1.0;

pub(crate) const SELECTION_INK: Color32 = Color32::from_rgb(240, 228, 66);

/// The colour of links.
const LINK_INK: Color32 = Color32::from_rgb(238, 234, 224);

/// The choice of marks that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // they are independent of one another
pub(crate) struct VisibleMarks {
    pub neighbours: bool,
    pub velocities: bool,
    pub radii: bool,
    pub routes: bool,
    pub field: bool,
    /// The cells of the spatial index.
    pub cells: bool,
    /// The clusters and doors of a planner that has some.
    pub clusters: bool,
    /// The health of the wounded.
    pub bars: bool,
    /// Objectives, areas, way-points, queues and exits.
    pub places: bool,
}

impl Default for VisibleMarks {
    fn default() -> Self {
        Self {
            neighbours: true,
            velocities: true,
            radii: false,
            routes: false,
            field: false,
            cells: false,
            clusters: false,
            bars: true,
            places: true,
        }
    }
}

/// Draws on the map with egui.
pub(crate) struct Marker<'a> {
    pub painter: &'a Painter,
    pub camera: &'a Camera,
    /// Pixels a point.
    pub scale: f32,
}

impl Marker<'_> {
    pub(crate) fn at(&self, point: Vec2) -> Pos2 {
        Pos2::from((self.camera.to_pixel(point) / self.scale).to_array())
    }

    pub(crate) fn length(&self, metres: f32) -> f32 {
        metres * self.camera.zoom / self.scale
    }

    fn line(&self, points: &[Vec2], pen: Pen) {
        self.painter.add(Shape::line(points.iter().map(|&point| self.at(point)).collect(), pen));
    }

    fn arrow(&self, from: Vec2, to: Vec2, pen: Pen) {
        let (from, to) = (self.at(from), self.at(to));
        self.painter.arrow(from, to - from, pen);
    }

    fn ring(&self, at: Vec2, radius: f32, pen: Pen) {
        let radius = self.length(radius).max(3.0);
        let slant = self.camera.slant();
        if slant < 1.0 {
            // It lies on the ground.
            self.painter.add(EllipseShape::stroke(self.at(at), vec2(radius, radius * slant), pen));
        } else {
            self.painter.circle_stroke(self.at(at), radius, pen);
        }
    }

    /// An open link: a line from its start to its end, and a dot at the end.
    fn link(&self, [from, to]: [Vec2; 2]) {
        self.line(&[from, to], Pen::new(3.0, Color32::from_black_alpha(120)));
        self.line(&[from, to], Pen::new(1.5, LINK_INK));
        self.painter.circle(
            self.at(to),
            self.length(0.25).clamp(2.0, 6.0),
            LINK_INK,
            Pen::new(1.0, Color32::from_black_alpha(120)),
        );
    }

    /// A line of words at the top of the map.
    pub fn notice(&self, words: &str) {
        let top = self.painter.clip_rect().center_top() + vec2(0.0, 40.0);
        overlay::plate(self.painter, words, top, Align2::CENTER_TOP, BRIGHT);
    }

    /// All of them. `place` is where the agent in a row is drawn (m).
    pub fn draw(
        &self,
        shown: VisibleMarks,
        tools: &Tools,
        scene: &ToolContext<'_>,
        reply: &InspectReply,
        place: impl Fn(usize) -> Vec2,
    ) {
        let theme = if self.camera.slant() < 1.0 { Theme::Battle } else { Theme::Plan };
        let faint = |rgb| Pen::new(1.5, color(rgb).gamma_multiply(0.7));
        if shown.field {
            for &[from, to] in reply.arrows.iter().filter(|[from, _]| self.camera.sees(*from)) {
                let end = from + (to - from) * 0.8;
                self.arrow(from, end, Pen::new(1.0, Color32::from_rgb(0, 90, 60).gamma_multiply(0.8)));
            }
        }
        if shown.routes {
            for way in &reply.routes {
                self.line(&way.points, faint(palette::army_of(scene.frame, theme, way.army.index())));
            }
        }
        let frame = scene.frame;
        for link in frame.links.iter().filter(|link| link.iter().any(|&end| self.camera.sees(end))) {
            self.link(*link);
        }
        for place in &reply.places {
            let army = |army| color(palette::army_of(frame, theme, army));
            places::draw(self.painter, place, army, (&|point| self.at(point), &|metres| self.length(metres)));
        }
        if shown.radii {
            let rows = (0..frame.id.len()).filter(|&row| self.camera.sees(place(row))).take(MAX_RINGS);
            rows.for_each(|row| self.ring(place(row), frame.radius[row], Pen::new(1.0, Color32::BLACK)));
        }
        let chosen = (0..scene.squad.len())
            .filter(|&row| scene.squad_of(row).is_some_and(|squad| tools.squads.contains(&squad)));
        // At a slant they are painted under the figures.
        let chosen = chosen.filter(|_| self.camera.slant() == 1.0);
        let chosen = chosen.filter(|&row| self.length(frame.radius[row]) >= MIN_RING_RADIUS_PX);
        for row in chosen.filter(|&row| self.camera.sees(place(row))).take(MAX_RINGS) {
            self.ring(place(row), 1.3 * frame.radius[row], Pen::new(1.2, SELECTION_INK));
        }
        measuring::draw(self, &tools.areas);
        self.outlines(frame, &tools.squads, &place);
        if let Some(insight) = &reply.insight {
            let row = frame.id.iter().position(|&id| id == insight.id.slot);
            let ink = color(palette::army_of(frame, theme, insight.army.index()));
            self.insight(shown, (insight, ink), row.map_or(insight.position, place));
        }
        self.held(tools, scene);
    }

    fn insight(&self, shown: VisibleMarks, (insight, ink): (&Insight, Color32), at: Vec2) {
        let white = Pen::new(2.0, Color32::WHITE);
        let mut way = insight.route.clone();
        if let Some(first) = way.first_mut() {
            *first = at;
        }
        self.line(&way, Pen::new(2.5, ink));
        if let Some(&goal) = way.last() {
            self.ring(goal, 0.4, white);
        }
        if shown.neighbours {
            let pen = Pen::new(1.0, Color32::from_rgb(0, 60, 120));
            insight.neighbours.iter().for_each(|&other| self.line(&[at, other], pen));
            let side = 2.0 * insight.top_speed;
            insight.planes.iter().for_each(|plane| self.half_plane(plane, at, side));
        }
        if let Some((_, enemy)) = insight.target {
            self.line(&[at, enemy], Pen::new(1.5, Color32::RED));
        }
        if shown.velocities {
            self.arrow(
                at,
                at + insight.preferred_velocity * ARROW_M_PER_M_S,
                Pen::new(1.5, Color32::from_rgb(0, 158, 115)),
            );
            self.arrow(at, at + insight.velocity * ARROW_M_PER_M_S, white);
        }
        self.ring(at, 1.6 * insight.radius, white);
    }

    /// The border of a half-plane of velocities around an agent, shaded where it forbids.
    fn half_plane(&self, plane: &HalfPlane, at: Vec2, side: f32) {
        let along = Vec2::new(plane.normal.y, -plane.normal.x);
        // From the foot of the agent's own velocity, so that it is in sight.
        let foot = plane.point - along * along.dot(plane.point);
        if foot.length() > side {
            return;
        }
        let end = along * (side * side - foot.length_squared()).max(0.0).sqrt();
        let [from, to] = [at + (foot - end) * ARROW_M_PER_M_S, at + (foot + end) * ARROW_M_PER_M_S];
        let back = -plane.normal * (0.15 * side);
        let shade = Color32::from_rgb(204, 121, 167).gamma_multiply(0.25);
        let corners = [from, to, to + back, from + back].map(|corner| self.at(corner)).to_vec();
        self.painter.add(Shape::convex_polygon(corners, shade, Pen::NONE));
        self.line(&[from, to], Pen::new(1.2, Color32::from_rgb(204, 121, 167)));
    }

    fn held(&self, tools: &Tools, scene: &ToolContext<'_>) {
        let Some(pointer) = self.painter.ctx().pointer_latest_pos() else { return };
        let point = self.camera.to_world(Vec2::new(pointer.x, pointer.y) * self.scale);
        let pen = Pen::new(1.5, SELECTION_INK);
        match tools.held {
            Some(ToolDrag::Box { from, .. }) => {
                let area = Rect::from_two_pos(self.at(from), pointer);
                self.painter.rect(area, 0.0, SELECTION_INK.gamma_multiply(0.12), pen, egui::StrokeKind::Middle);
            }
            Some(ToolDrag::Area { from }) => {
                let area = Rect::from_two_pos(self.at(from), pointer);
                self.painter.rect_stroke(area, 0.0, pen, egui::StrokeKind::Middle);
            }
            Some(ToolDrag::Shape { from }) if tools.stroke == BrushShape::Rectangle => {
                let area = Rect::from_two_pos(self.at(from), pointer);
                self.painter.rect_stroke(area, 0.0, pen, egui::StrokeKind::Middle);
            }
            Some(ToolDrag::Shape { from }) => self.line(&[from, point], pen),
            Some(ToolDrag::Squad { from }) => {
                let (places, front) = tools.ranks(scene, from, point);
                let radius = scene.radii.get(tools.new_squad.unit.index()).copied().unwrap_or(0.3);
                places.iter().take(MAX_RINGS).for_each(|&at| self.ring(at, radius, pen));
                let middle = from.midpoint(point);
                self.arrow(middle, middle + front * 4.0, pen);
            }
            Some(drag @ ToolDrag::Deploy { .. }) => {
                let places = tools.deployment(scene, drag, point).into_iter().flat_map(|(_, places, _)| places);
                places.take(MAX_RINGS).for_each(|at| self.ring(at, 0.4, pen));
            }
            Some(ToolDrag::Brush { .. }) | None if tools.tool == Tool::Paint && tools.stroke == BrushShape::Brush => {
                let Some(lattice) = scene.frame.grid.as_ref().map(|grid| grid.lattice()) else { return };
                if lattice.covers(point) {
                    let (column, row) = lattice.column_row(lattice.at(point));
                    let before = ((tools.width.max(1) - 1) / 2) as f32;
                    let low = Vec2::new(column as f32 - before, row as f32 - before) * lattice.cell_size;
                    let high = low + Vec2::splat(tools.width as f32 * lattice.cell_size);
                    let area = Rect::from_two_pos(self.at(low), self.at(high));
                    self.painter.rect_stroke(area, 0.0, pen, egui::StrokeKind::Middle);
                }
            }
            Some(ToolDrag::Brush { .. }) | None => {}
        }
    }
}
