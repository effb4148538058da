//! What a scenario has on the map: objectives with their progress, areas, way-points, queues, desks, exits.

use crate::draw::overlay;
use crate::draw::style::BRIGHT;
use egui::{Align2, Color32, Painter, Pos2, Shape, Stroke};
use throng_grid::geom::Vec2;
use throng_sim::world::{Area, Mission, Objective, Task, World};

/// The form of a [`Place`] on the map (m).
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceForm {
    /// An area: its corners, in order.
    Polygon(Vec<Vec2>),
    /// A point, and how near one has to come.
    Point(Vec2, f32),
    /// The places of a queue, its head first.
    Queue(Vec<Vec2>),
}

/// What a [`Place`] is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// To be held by an army, an index into the armies.
    Objective(u8),
    /// An area or a point of a journey.
    Stop,
    /// A queue: served at its head.
    Queue,
    /// Agents leave there.
    Exit,
}

/// A place that a scenario has on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its form.
    pub form: PlaceForm,
    /// Its purpose.
    pub kind: PlaceKind,
    /// What it says in words.
    pub text: String,
    /// How far an objective has come, 0 to 1.
    pub progress: Option<f32>,
}

/// Corners of a disc.
const DISC_CORNERS: usize = 32;

fn form(area: &Area) -> PlaceForm {
    PlaceForm::Polygon(match area {
        Area::Rectangle { from, to } => vec![*from, Vec2::new(to.x, from.y), *to, Vec2::new(from.x, to.y)],
        Area::Disc { centre, radius } => (0..DISC_CORNERS)
            .map(|corner| {
                let angle = std::f32::consts::TAU * corner as f32 / DISC_CORNERS as f32;
                *centre + *radius * Vec2::new(libm::cosf(angle), libm::sinf(angle))
            })
            .collect(),
        Area::Polygon { points } => points.clone(),
    })
}

/// The army of a mission, what is left of it in words, and how far it has come (0 to 1), where that is known.
pub(super) fn objective(world: &World, mission: &Mission) -> (u8, String, Option<f32>) {
    let left = mission.left(world.settings().step);
    let name = world.armies().get(usize::from(mission.army.0)).map_or("", |army| army.name.as_str());
    let whole = match mission.objective {
        Objective::Hold { seconds, .. } | Objective::Survive { seconds } => Some(f64::from(seconds)),
        _ => None,
    };
    let progress = if mission.is_done { Some(1.0) } else { whole.map(|whole| (1.0 - left / whole.max(1e-6)) as f32) };
    let rest = match mission.objective {
        _ if mission.is_done => "done".to_owned(),
        Objective::Hold { .. } if mission.is_held => format!("hold it {left:.0} s more"),
        Objective::Hold { .. } => format!("take it and hold it {left:.0} s"),
        Objective::Survive { .. } => format!("survive {left:.0} s more"),
        Objective::Kill { squad } => format!("kill squad {}: {left:.0} left", squad.0),
        Objective::Rout => format!("put all enemies to rout: {left:.0} stand"),
        _ => mission.objective.name().to_owned(),
    };
    (mission.army.0, format!("{name}: {rest}"), progress)
}

/// The most places that are shown: more would hide the map.
const MAX_PLACES: usize = 200;

/// The first places of a world, of which the objectives are told in words by `objectives`, in the order of its missions.
pub(super) fn collect(world: &World, objectives: &[(u8, String, Option<f32>)], out: &mut Vec<Place>) {
    out.clear();
    for (mission, (army, text, progress)) in world.missions().iter().zip(objectives) {
        if let Objective::Hold { area, .. } = &mission.objective {
            let (text, progress) = (text.clone(), *progress);
            out.push(Place { form: form(area), kind: PlaceKind::Objective(*army), text, progress });
        }
    }
    for (_, journey) in world.journeys() {
        for stop in &journey.stops {
            let (form, kind, text) = match &stop.task {
                Task::WayPoint { at, within } => (PlaceForm::Point(*at, *within), PlaceKind::Stop, "way-point"),
                Task::Area { area, .. } => (form(area), PlaceKind::Stop, "area"),
                Task::Queue(queue) => (PlaceForm::Queue(queue.lay()), PlaceKind::Queue, "desk"),
                Task::Leave { at, within } => (PlaceForm::Point(*at, *within), PlaceKind::Exit, "exit"),
                _ => continue,
            };
            let place = Place { form, kind, text: text.to_owned(), progress: None };
            if out.len() == MAX_PLACES {
                return;
            }
            // Journeys share their stops.
            if !out.contains(&place) {
                out.push(place);
            }
        }
    }
}

impl PlaceKind {
    fn ink(self, army: impl Fn(usize) -> Color32) -> Color32 {
        match self {
            Self::Objective(of) => army(of.into()),
            Self::Stop => Color32::from_rgb(86, 180, 233),
            Self::Queue => Color32::from_rgb(240, 228, 66),
            Self::Exit => Color32::from_rgb(0, 200, 140),
        }
    }
}

/// Draws a place: `at` is the point (points) where one of the map (m) is seen, `length` a length of the map.
pub(super) fn draw(
    painter: &Painter,
    place: &Place,
    army: impl Fn(usize) -> Color32,
    (at, length): (&dyn Fn(Vec2) -> Pos2, &dyn Fn(f32) -> f32),
) {
    let ink = place.kind.ink(army);
    let stroke = Stroke::new(2.0, ink);
    let middle = match &place.form {
        PlaceForm::Polygon(corners) => {
            let points: Vec<Pos2> = corners.iter().map(|&corner| at(corner)).collect();
            let closed = points.iter().chain(points.first()).copied().collect::<Vec<_>>();
            painter.add(Shape::dashed_line(&closed, stroke, 8.0, 5.0));
            at(corners.iter().sum::<Vec2>() / corners.len().max(1) as f32)
        }
        PlaceForm::Point(point, within) => {
            painter.circle(at(*point), length(*within).max(5.0), ink.gamma_multiply(0.15), stroke);
            at(*point)
        }
        PlaceForm::Queue(places) => {
            for (number, &place) in places.iter().enumerate() {
                let radius = if number == 0 { 5.0 } else { 2.0 };
                painter.circle_filled(at(place), radius, ink);
            }
            at(places.first().copied().unwrap_or_default())
        }
    };
    let plate = overlay::plate(painter, &place.text, middle - egui::vec2(0.0, 8.0), Align2::CENTER_BOTTOM, BRIGHT);
    if let Some(progress) = place.progress {
        let bar =
            egui::Rect::from_min_size(plate.left_bottom(), egui::vec2(plate.width() * progress.clamp(0.0, 1.0), 4.0));
        painter.rect_filled(bar, 0.0, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use throng_scenario::Scenario;

    fn of(example: &str) -> (World, Vec<Place>) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{example}.toml"));
        let (scenario, _) = Scenario::load(file).unwrap();
        let mut world = scenario.build(1).unwrap();
        world.tick().unwrap();
        let mut places = Vec::new();
        let objectives: Vec<_> = world.missions().iter().map(|mission| objective(&world, mission)).collect();
        collect(&world, &objectives, &mut places);
        (world, places)
    }

    #[test]
    fn the_bridge_is_an_objective_of_both_armies() {
        let (_, places) = of("bridge");
        let held: Vec<_> = places.iter().filter(|place| matches!(place.kind, PlaceKind::Objective(_))).collect();
        assert_eq!(held.len(), 2, "{places:?}");
        assert!(
            held.iter().all(|place| place.progress == Some(0.0) && place.text.contains("take it and hold it 20 s"))
        );
    }

    #[test]
    fn the_station_has_desks_a_hall_and_exits() {
        let (_, places) = of("station");
        for kind in [PlaceKind::Queue, PlaceKind::Stop, PlaceKind::Exit] {
            assert!(places.iter().any(|place| place.kind == kind), "no {kind:?} among {places:?}");
        }
        let desks = places.iter().filter(|place| place.kind == PlaceKind::Queue).count();
        assert_eq!(desks, 2, "each once");
    }
}
