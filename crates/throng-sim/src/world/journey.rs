//! Journeys: stops, the task at each, and the choice of the next.

use super::WorldError;
use crate::battle::Leader;
use serde::{Deserialize, Serialize};
use throng_grid::geom::{Vec2, direction};

/// The most places of an area or a queue.
const MOST_PLACES: usize = 1 << 20;

/// Distance between places in an area and in a queue where nothing else is said (m).
pub const GAP: f32 = 1.0;

/// A list of stops that agents go to, each for itself.
///
/// Squads get it by [`Order::Travel`](crate::battle::Order::Travel), single walkers by
/// [`World::travel`](super::World::travel).
///
/// ```
/// use throng_sim::battle::{Order, Unit};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Journey, SquadSpec, Queue, Settings, Stop, Task, World};
///
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let desk = Queue { head: Vec2::new(30.5, 20.5), seconds: 2.0, ..Queue::default() };
/// let journey = Journey::new([
///     Stop::from(Task::Queue(desk)),
///     Stop::from(Task::Leave { at: Vec2::new(60.5, 20.5), within: 1.0 }),
/// ]);
/// let (red, walker) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let order = Order::Travel(world.add_journey(journey)?);
/// world.spawn_squad(SquadSpec { order, ..SquadSpec::new(red, walker, &[Vec2::new(8.5, 20.5), Vec2::new(8.5, 22.5)]) })?;
/// for _ in 0..1000 {
///     world.tick()?;
/// }
/// assert_eq!((world.agents(), world.armies()[0].left), (0, 2));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journey {
    /// The choice of the first stop.
    pub start: Then,
    /// The stops, at least one.
    pub stops: Vec<Stop>,
}

/// A stop of a [`Journey`].
///
/// See [`Journey`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// The task at it.
    pub task: Task,
    /// The choice of the next stop.
    pub then: Then,
}

impl From<Task> for Stop {
    fn from(task: Task) -> Self {
        Self { task, then: Then::Next }
    }
}

/// The task of an agent at a stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Task {
    /// Come so near to a point.
    WayPoint {
        /// The point (m).
        at: Vec2,
        /// Distance at which one is there (m). A crowd whose last stop it is needs room in it; better give it an area.
        within: f32,
    },
    /// Go to a free place in an area, and stand there. Places are given out spread over the area, at any number. An agent that
    /// finds no free place stays where it is until one is; the first that came is first.
    Area {
        /// The area.
        area: Area,
        /// Distance between the places (m).
        spacing: f32,
    },
    /// Stay. An agent that has a place in an area keeps it.
    Wait(Until),
    /// Stand in a queue and be served.
    Queue(Queue),
    /// Go to a point and leave the world there. That is the end.
    Leave {
        /// The point (m).
        at: Vec2,
        /// Distance at which one is there (m).
        within: f32,
    },
    /// Follow a leader until it is gone.
    ///
    /// Each follower has a distance of its own, the more follow the greater: it walks straight to the leader, or by a route where
    /// it does not see it, stops at its distance, and steps back where the leader comes up to it.
    Follow {
        /// The leader.
        leader: Leader,
        /// Distance of the first follower (m), from centre to centre.
        distance: f32,
        /// Follows not the leader but a point so far ahead of it (x, in m) and to its right (y, in m), where that is
        /// open.
        offset: Vec2,
    },
}

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Until {
    /// So long (s), to the nearest tick, one at least.
    Seconds(f32),
    /// Until so many ticks of the world are done.
    Tick(u64),
    /// Until so many wait here; then all of them go on, and it is counted anew.
    Come(u32),
}

/// A queue: a line of places from its head backwards.
///
/// An agent that comes near the end of the line joins it, and moves up when those ahead of it have gone; none overtakes. An
/// agent that comes when all places are taken is in line all the same, and stands where it is.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_sim::world::Queue;
/// let queue = Queue { head: Vec2::new(9.5, 4.5), facing: 0.0, gap: 1.0, places: 3, ..Queue::default() };
/// assert_eq!(queue.lay(), [Vec2::new(9.5, 4.5), Vec2::new(8.5, 4.5), Vec2::new(7.5, 4.5)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// The first place (m).
    pub head: Vec2,
    /// Direction in which those in it face (degrees from +x towards +y); the others stand behind.
    pub facing: f32,
    /// Distance between places (m).
    pub gap: f32,
    /// How many places there are.
    pub places: u32,
    /// How many at the head are served at a time.
    pub serves: u32,
    /// How long each is served (s), to the nearest tick.
    pub seconds: f32,
}

impl Default for Queue {
    fn default() -> Self {
        Self { head: Vec2::ZERO, facing: 0.0, gap: GAP, places: 20, serves: 1, seconds: 5.0 }
    }
}

impl Queue {
    /// The places (m), the head first.
    pub fn lay(&self) -> Vec<Vec2> {
        let back = -direction(self.facing) * self.gap;
        (0..self.places).map(|place| self.head + back * place as f32).collect()
    }
}

/// An area (m).
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_sim::world::Area;
/// let hall = Area::Rectangle { from: Vec2::new(4.0, 4.0), to: Vec2::new(8.0, 6.0) };
/// assert!(hall.contains(Vec2::new(5.0, 5.0)) && !hall.contains(Vec2::new(5.0, 6.5)));
/// let places = hall.lay(1.0);
/// assert_eq!(places.len(), 8);
/// assert!(places[0].distance(places[1]) >= 2.0, "spread out");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Area {
    /// Between two opposite corners.
    Rectangle {
        /// A corner.
        from: Vec2,
        /// The other.
        to: Vec2,
    },
    /// Around a point.
    Disc {
        /// The point.
        centre: Vec2,
        /// Radius.
        radius: f32,
    },
    /// Between straight lines from point to point and back to the first; even-odd where they cross.
    Polygon {
        /// At least three.
        points: Vec<Vec2>,
    },
}

impl Area {
    /// The least corner and the greatest.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        match self {
            Self::Rectangle { from, to } => (from.min(*to), from.max(*to)),
            Self::Disc { centre, radius } => (centre - *radius, centre + *radius),
            Self::Polygon { points } => {
                let around = |(least, most): (Vec2, Vec2), &point: &Vec2| (least.min(point), most.max(point));
                points.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), around)
            }
        }
    }

    /// Checks its numbers.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        match self {
            Self::Rectangle { from, to } => [from, to].into_iter().try_for_each(|&at| point("a corner", at)),
            Self::Disc { centre, radius } => {
                point("the middle of an area", *centre)?;
                metres("the radius of an area", *radius)
            }
            Self::Polygon { points } if points.len() < 3 => {
                Err(setting("the number of points around an area", "at least 3", points.len() as f32))
            }
            Self::Polygon { points } => points.iter().try_for_each(|&at| point("a point of an area", at)),
        }
    }

    /// True for points of the area.
    pub fn contains(&self, point: Vec2) -> bool {
        let (least, most) = self.bounds();
        let inside = point.cmpge(least).all() && point.cmple(most).all();
        match self {
            Self::Rectangle { .. } => inside,
            Self::Disc { centre, radius } => centre.distance_squared(point) <= radius * radius,
            Self::Polygon { points } => {
                let ends = points.iter().zip(points.iter().cycle().skip(1));
                let crossed = ends.filter(|(a, b)| {
                    let (a, b) = (**a, **b);
                    (a.y > point.y) != (b.y > point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
                });
                inside && crossed.count() % 2 == 1
            }
        }
    }

    /// Places in it (m), `spacing` metres apart: each next one far from those before, so that the first few are spread over
    /// all of the area. At least one.
    ///
    /// By the bits of their Morton codes (1966) in reverse order: each quarter of the area has its turn, in each quarter each
    /// of its quarters, and so on.
    pub fn lay(&self, spacing: f32) -> Vec<Vec2> {
        let (least, most) = self.bounds();
        let size = most - least;
        // A hair more: twelve places of 0.1 m are 1.2 m long.
        let count = (size / spacing + 1e-3).floor().max(Vec2::ONE);
        let first = least + 0.5 * (size - (count - 1.0) * spacing);
        let (columns, rows) = (count.x as u32, count.y as u32);
        // The bits of both numbers, those of the nearest neighbours first.
        let turn = |x: u32, y: u32| {
            let reversed = |number: u32| u64::from(number.reverse_bits());
            (0..32).fold(0_u64, |turn, bit| {
                turn | (reversed(x) >> bit & 1) << (2 * bit + 1) | (reversed(y) >> bit & 1) << (2 * bit)
            })
        };
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let mut places: Vec<_> = all
            .map(|(x, y)| (turn(x, y), first + Vec2::new(x as f32, y as f32) * spacing))
            .filter(|&(_, place)| self.contains(place))
            .collect();
        places.sort_unstable_by_key(|&(turn, _)| turn);
        if places.is_empty() {
            places.push((0, 0.5 * (least + most)));
        }
        places.into_iter().map(|(_, place)| place).collect()
    }
}

/// The choice of the next stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Then {
    /// The next in the list; after the last one the journey ends. At the start: the first.
    #[default]
    Next,
    /// None: the agent stays where it is.
    End,
    /// This one, counted from 0; an earlier one for a patrol.
    To(u32),
    /// One after the other of these, each for the next agent that asks.
    RoundRobin(Vec<u32>),
    /// The one of these with the fewest agents bound to it or at it; of equal ones the first.
    LeastTargeted(Vec<u32>),
}

impl Journey {
    /// Stops one after the other, from the first.
    pub fn new(stops: impl IntoIterator<Item = Stop>) -> Self {
        Self { start: Then::Next, stops: stops.into_iter().collect() }
    }

    /// From point to point (m) within so many metres of each, and again from the first.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_sim::world::{Journey, Then};
    /// let patrol = Journey::patrol(&[Vec2::splat(4.5), Vec2::splat(20.5)], 1.0);
    /// assert_eq!((patrol.stops.len(), &patrol.stops[1].then), (2, &Then::To(0)));
    /// ```
    pub fn patrol(points: &[Vec2], within: f32) -> Self {
        let mut journey = Self::new(points.iter().map(|&at| Task::WayPoint { at, within }.into()));
        if let Some(last) = journey.stops.last_mut() {
            last.then = Then::To(0);
        }
        journey
    }

    /// Checks that every number is in its range.
    ///
    /// # Errors
    /// The first that is not, and stops that are named and not there.
    pub fn check(&self) -> Result<(), WorldError> {
        let count = self.stops.len();
        if count == 0 {
            return Err(setting("the number of stops of a journey", "at least 1", 0.0));
        }
        for then in self.stops.iter().map(|stop| &stop.then).chain([&self.start]) {
            let stops = match then {
                Then::Next | Then::End => &[][..],
                Then::To(stop) => std::slice::from_ref(stop),
                Then::RoundRobin(stops) | Then::LeastTargeted(stops) if stops.is_empty() => {
                    return Err(setting("the number of stops to choose from", "at least 1", 0.0));
                }
                Then::RoundRobin(stops) | Then::LeastTargeted(stops) => stops,
            };
            if let Some(&stop) = stops.iter().find(|&&stop| stop as usize >= count) {
                return Err(WorldError::NoSuch { what: "stop", id: stop as usize });
            }
        }
        self.stops.iter().try_for_each(|stop| check_task(&stop.task))
    }
}

const METRES: &str = "between 0.01 and 10000 (m)";
const SECONDS: &str = "between 0 and 1000000 (s)";

fn setting(field: &'static str, expected: &'static str, found: f32) -> WorldError {
    WorldError::Setting { field, expected, found: found.into() }
}

fn metres(field: &'static str, found: f32) -> Result<(), WorldError> {
    if (0.01..=1e4).contains(&found) { Ok(()) } else { Err(setting(field, METRES, found)) }
}

fn seconds(field: &'static str, found: f32) -> Result<(), WorldError> {
    if (0.0..=1e6).contains(&found) { Ok(()) } else { Err(setting(field, SECONDS, found)) }
}

fn point(field: &'static str, found: Vec2) -> Result<(), WorldError> {
    let wrong = found.to_array().into_iter().find(|number| !number.is_finite());
    wrong.map_or(Ok(()), |number| Err(setting(field, "finite", number)))
}

fn check_task(task: &Task) -> Result<(), WorldError> {
    match task {
        Task::WayPoint { at, within } | Task::Leave { at, within } => {
            point("the point of a stop", *at)?;
            metres("the distance at which one is at a stop", *within)
        }
        Task::Area { area, spacing } => {
            metres("the distance between places", *spacing)?;
            area.check()?;
            let (least, most) = area.bounds();
            let places = ((most - least) / *spacing).max(Vec2::ONE).element_product();
            if places <= MOST_PLACES as f32 {
                return Ok(());
            }
            Err(setting("the number of places in an area", "at most 1048576; put them further apart", places))
        }
        Task::Wait(Until::Seconds(time)) => seconds("the time of a wait", *time),
        Task::Wait(Until::Come(0)) => Err(setting("the number that must come", "at least 1", 0.0)),
        Task::Wait(Until::Tick(_) | Until::Come(_)) => Ok(()),
        Task::Queue(Queue { head, facing, gap, places, serves, seconds: time }) => {
            point("the head of a queue", *head)?;
            point("the facing of a queue", Vec2::splat(*facing))?;
            metres("the distance between places", *gap)?;
            if !(1..=MOST_PLACES).contains(&(*places as usize)) {
                return Err(setting("the number of places in a queue", "between 1 and 1048576", *places as f32));
            }
            if *serves == 0 {
                return Err(setting("the number that a queue serves at a time", "at least 1", 0.0));
            }
            seconds("the time in which a queue serves", *time)
        }
        Task::Follow { leader: _, distance, offset } => {
            point("the offset from a leader", *offset)?;
            metres("the distance from a leader", *distance)
        }
    }
}
