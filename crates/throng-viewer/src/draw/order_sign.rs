//! Small signs of orders: told apart by their form, whatever their colour.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};
use throng_sim::battle::{Front, Leader, Order, OrderKind, Pursuit};

const INK: Color32 = Color32::from_rgb(252, 250, 242);
const PLATE: Color32 = Color32::from_rgb(20, 22, 27);

/// The lines of a sign, in shares of its radius.
fn strokes(order: Order) -> &'static [&'static [[f32; 2]]] {
    match order {
        // A block that stays.
        Order::Hold => &[&[[-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [-0.45, 0.45], [-0.45, -0.45]]],
        // Crossed blades.
        Order::Attack => &[&[[-0.55, -0.55], [0.55, 0.55]], &[[0.55, -0.55], [-0.55, 0.55]]],
        // The same at speed.
        Order::Charge => &[&[[-0.6, -0.5], [-0.05, 0.0], [-0.6, 0.5]], &[[0.0, -0.5], [0.55, 0.0], [0.0, 0.5]]],
        // A shield.
        Order::Guard { .. } => &[&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.1], [0.0, 0.6], [-0.5, 0.1], [-0.5, -0.5]]],
        // A flag.
        Order::GoTo(_) => &[&[[-0.35, 0.65], [-0.35, -0.6], [0.5, -0.25], [-0.35, 0.1]]],
        // An arrow.
        Order::Move(_) => &[&[[-0.6, 0.0], [0.6, 0.0]], &[[0.15, -0.4], [0.6, 0.0], [0.15, 0.4]]],
        // An arrow back.
        Order::Flee => &[&[[0.6, 0.0], [-0.6, 0.0]], &[[-0.15, -0.4], [-0.6, 0.0], [-0.15, 0.4]]],
        // Stops on a way.
        Order::Travel(_) => &[&[[-0.6, 0.45], [-0.2, -0.35], [0.2, 0.35], [0.6, -0.45]]],
        // A front.
        Order::Line(Front { .. }) => &[&[[-0.65, 0.25], [0.65, 0.25]], &[[-0.3, -0.15], [0.0, -0.55], [0.3, -0.15]]],
        // One behind another.
        Order::Follow(_) => {
            &[&[[-0.65, 0.0], [0.0, 0.0]], &[[0.1, -0.3], [0.65, -0.3], [0.65, 0.3], [0.1, 0.3], [0.1, -0.3]]]
        }
    }
}

/// Draws the sign of an order around a point, on a dark square of half a side (points).
pub(crate) fn draw(painter: &Painter, at: Pos2, radius: f32, order: Order) {
    // A disc would have ten times as many triangles.
    painter.rect_filled(Rect::from_center_size(at, vec2(2.0, 2.0) * radius), 0.0, PLATE);
    lines(painter, at, radius, order, INK);
}

/// Draws its lines alone.
pub(super) fn lines(painter: &Painter, at: Pos2, radius: f32, order: Order, ink: Color32) {
    for line in strokes(order) {
        let points: Vec<Pos2> = line.iter().map(|&[x, y]| at + vec2(x, y) * radius).collect();
        painter.add(Shape::line(points, Stroke::new((radius * 0.2).clamp(1.2, 2.5), ink)));
    }
}

/// The order of a button: of kinds that need no place.
pub(crate) fn of_button(kind: OrderKind) -> Option<Order> {
    match kind {
        OrderKind::Hold => Some(Order::Hold),
        OrderKind::Attack => Some(Order::Attack),
        OrderKind::Charge => Some(Order::Charge),
        OrderKind::Guard => Some(Order::Guard { within: 12.0 }),
        OrderKind::Flee => Some(Order::Flee),
        OrderKind::GoTo | OrderKind::Move | OrderKind::Line | OrderKind::Travel | OrderKind::Follow => None,
    }
}

/// The order in words.
pub(crate) fn words(order: Order) -> String {
    match order {
        Order::Hold => "stands".to_owned(),
        Order::Attack => "attacks".to_owned(),
        Order::Charge => "charges".to_owned(),
        Order::Guard { within } => format!("guards {within:.0} m around"),
        Order::GoTo(at) => format!("goes to {:.0}, {:.0} and fights", at.x, at.y),
        Order::Move(at) => format!("moves to {:.0}, {:.0} without a fight", at.x, at.y),
        Order::Flee => "flees".to_owned(),
        Order::Travel(_) => "travels".to_owned(),
        Order::Line(front) => {
            format!("to a line of {:.0} m at {:.0}, {:.0}", front.width, front.centre.x, front.centre.y)
        }
        Order::Follow(Pursuit { leader: Leader::Squad(squad), .. }) => format!("follows squad {}", squad.0),
        Order::Follow(Pursuit { leader: Leader::Agent(agent), .. }) => format!("follows agent {}", agent.slot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom;
    use throng_sim::battle::JourneyId;
    use throng_sim::world::SquadId;

    #[test]
    fn each_order_has_a_form_of_its_own() {
        let (at, within) = (geom::Vec2::ONE, 9.0);
        let front = Front { centre: at, facing: 0.0, width: 9.0, fights: true };
        let orders = [
            Order::Hold,
            Order::Attack,
            Order::Charge,
            Order::Guard { within },
            Order::GoTo(at),
            Order::Move(at),
            Order::Flee,
            Order::Travel(JourneyId(0)),
            Order::Line(front),
            Order::Follow(Pursuit::new(SquadId(0), within)),
        ];
        for (i, &one) in orders.iter().enumerate() {
            assert!(orders[..i].iter().all(|&other| strokes(one) != strokes(other) && words(one) != words(other)));
        }
    }
}
