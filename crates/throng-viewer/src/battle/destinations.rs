//! Where the selected squads go: lines over their way-points, flags, the fronts on which they will stand.

use super::inspect::InspectReply;
use super::marks::Marker;
use crate::draw::banners::BannerBoard;
use crate::draw::order_sign;
use egui::{Color32, Shape, Stroke};
use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_sim::battle::{Front, Order};
use throng_sim::world::{Frame, SquadId};

/// More squads would hide the map.
const MAX_SQUADS: usize = 300;
const INK: Color32 = Color32::from_rgb(255, 246, 190);
const SHADE: Color32 = Color32::from_black_alpha(150);
/// The radius of the sign at the end of a way (points).
const SIGN_PX: f32 = 9.0;
/// How long an arrow of facing is (m), and the least (points).
const ARROW_M: f32 = 4.0;
const ARROW_PX: f32 = 22.0;

/// The lines of soldiers that would stand where the pointer drags.
#[derive(Debug, Default)]
pub(crate) struct Ghost {
    /// The place of each soldier (m).
    pub places: Vec<Vec2>,
    pub fronts: Vec<Front>,
    /// The radius of a soldier (m).
    pub radius: f32,
}

impl Marker<'_> {
    /// The ways of the selected squads over their way-points.
    pub fn destinations(&self, frame: &Frame, selected: &BTreeSet<SquadId>, board: &BannerBoard, reply: &InspectReply) {
        for &squad in selected.iter().take(MAX_SQUADS) {
            let (Some(mut at), Some(count)) = (board.place_of(squad), frame.squads.get(squad.index())) else {
                continue;
            };
            let queue = reply.queues.get(&squad).map_or(&[][..], Vec::as_slice);
            for (number, &order) in [count.order].iter().chain(queue).enumerate() {
                let attacked = reply.attacked.get(&squad).copied().filter(|_| number == 0);
                match order.destination().or(attacked) {
                    _ if order.stays() && number == 0 => {}
                    Some(to) => {
                        self.way([at, to], order);
                        if let Some(front) = order.front() {
                            self.front(&front);
                        }
                        order_sign::draw(self.painter, self.at(to), SIGN_PX, order);
                        at = to;
                    }
                    // What has no place comes where the way has led so far.
                    None if number > 0 => {
                        let aside = egui::vec2(2.2 * SIGN_PX * number as f32, 0.0);
                        order_sign::draw(self.painter, self.at(at) + aside, SIGN_PX, order);
                    }
                    None => {}
                }
            }
        }
    }

    /// A way: dashed where the squad does not fight, double where it attacks.
    fn way(&self, ends: [Vec2; 2], order: Order) {
        let [from, to] = ends.map(|end| self.at(end));
        let pen = Stroke::new(2.0, INK);
        if order.attacks() {
            let aside = (to - from).normalized().rot90() * 2.5;
            for side in [aside, -aside] {
                self.painter.line_segment([from + side, to + side], Stroke::new(3.5, SHADE));
                self.painter.line_segment([from + side, to + side], Stroke::new(1.5, INK));
            }
        } else if !order.passes_enemies() {
            self.painter.line_segment([from, to], Stroke::new(4.0, SHADE));
            self.painter.line_segment([from, to], pen);
        } else {
            self.painter.line_segment([from, to], Stroke::new(3.0, SHADE));
            self.painter.extend(Shape::dashed_line(&[from, to], pen, 8.0, 6.0));
        }
    }

    /// A front: its line, and an arrow to where it looks.
    fn front(&self, front: &Front) {
        let ahead = front.ahead();
        let half = Vec2::new(-ahead.y, ahead.x) * (0.5 * front.width);
        let ends = [front.centre - half, front.centre + half].map(|end| self.at(end));
        self.painter.line_segment(ends, Stroke::new(5.0, SHADE));
        self.painter.line_segment(ends, Stroke::new(2.5, INK));
        let length = ARROW_M.max(ARROW_PX / self.length(1.0).max(1e-3));
        let (from, to) = (self.at(front.centre), self.at(front.centre + ahead * length));
        self.painter.arrow(from, to - from, Stroke::new(4.0, SHADE));
        self.painter.arrow(from, to - from, Stroke::new(2.0, INK));
    }

    /// The soldiers where they would stand.
    pub fn ghost(&self, ghost: &Ghost) {
        let radius = self.length(ghost.radius).max(1.8);
        for &place in ghost.places.iter().filter(|&&place| self.camera.sees(place)) {
            self.painter.circle(self.at(place), radius, INK.gamma_multiply(0.75), Stroke::new(1.0, SHADE));
        }
        ghost.fronts.iter().for_each(|front| self.front(front));
    }
}
