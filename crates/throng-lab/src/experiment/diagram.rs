//! Speed against density: the fundamental diagram.

use super::{ExperimentError, Finish, Meter};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::{Vec2, cross, unit as unit_vector};
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::Avoidance;
use throng_sim::world::{Settings, World};

/// Side of a cell (m).
const CELL: f32 = 0.25;

/// How far ahead on its circle an agent looks (m).
const AHEAD_M: f32 = 1.5;

/// Length of a tick (s).
const STEP: f32 = 0.1;

/// The speed (m/s) at which people walk on the level in a crowd of `density` (1/m²): U. Weidmann, "Transporttechnik der
/// Fussgänger" (1993).
///
/// ```
/// let speeds = [1.0, 2.0, 3.0].map(|density| (throng_lab::experiment::weidmann(density) * 100.0).round());
/// assert_eq!(speeds, [106.0, 61.0, 33.0]);
/// ```
pub fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))
}

/// A crowd of pedestrians that goes round a corridor.
///
/// ```
/// let settings = throng_lab::experiment::DiagramSettings { density: 0.5, ..Default::default() };
/// assert_eq!(settings.agents(), 79);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiagramSettings {
    /// Agents per square metre, up to 5.
    pub density: f32,
    /// Radius of the middle of the corridor (m).
    pub ring: f32,
    /// Width of the corridor (m).
    pub width: f32,
    /// For how long they walk before they are watched (s).
    pub before: f32,
    /// For how long they are watched (s).
    pub watched: f32,
    /// Seed of the places where they start.
    pub seed: u64,
    /// The model by which they move, where it is not that of pedestrians.
    pub avoidance: Option<Avoidance>,
}

impl Default for DiagramSettings {
    fn default() -> Self {
        Self { density: 1.0, ring: 10.0, width: 2.5, before: 20.0, watched: 30.0, seed: 1, avoidance: None }
    }
}

impl DiagramSettings {
    /// The area of the corridor (m²).
    fn area(&self) -> f32 {
        std::f32::consts::TAU * self.ring * self.width
    }

    /// How many agents there are.
    pub fn agents(&self) -> usize {
        (self.density * self.area()).round() as usize
    }
}

/// A point of the fundamental diagram.
///
/// See [`ring_speed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct DiagramFigures {
    /// How many agents.
    pub agents: usize,
    /// Agents per square metre.
    pub density: f64,
    /// Mean speed along the corridor (m/s).
    pub speed: f64,
    /// Overlapping pairs per 1000 agents and frame.
    pub pairs: f64,
}

/// Lets pedestrians go round a ring-shaped corridor, the nearest to one without ends, and takes their mean speed along
/// it.
///
/// # Errors
/// Where the world refuses the settings.
///
/// ```
/// use throng_lab::experiment::{DiagramSettings, ring_speed};
/// let alone = DiagramSettings { density: 0.05, before: 3.0, watched: 5.0, ..Default::default() };
/// assert!((ring_speed(&alone)?.speed - 1.34).abs() < 0.2);
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
pub fn ring_speed(settings: &DiagramSettings) -> Result<DiagramFigures, ExperimentError> {
    let DiagramSettings { ring, width, .. } = *settings;
    let half = (ring + width / 2.0 + 1.0).ceil();
    let middle = Vec2::splat(half);
    let lattice = Lattice::new((2.0 * half / CELL) as u32, (2.0 * half / CELL) as u32, CELL)?;
    let mut grid = Grid::closed(lattice);
    for cell in lattice.cells() {
        let aside = lattice.centre(cell).distance(middle) - ring;
        grid.set_open(cell, aside.abs() < width / 2.0);
    }
    let mut unit = Unit::pedestrian();
    unit.avoidance = settings.avoidance.or(unit.avoidance);
    // The greatest distance of a circle from the middle of the corridor: steps of the walls are half a diagonal deep.
    let room = width / 2.0 - unit.radius - CELL;
    let starts = places(settings, room, middle);
    let mut world = World::new(grid, Settings { step: STEP, threads: 1, seed: settings.seed, ..Settings::default() })?;
    let army = world.add_army("crowd")?;
    let kind = world.add_unit(unit.clone())?;
    world.spawn_walkers(army, kind, &starts, &starts)?;

    let finish = vec![Finish::Near { goal: middle, within: 0.0 }; starts.len()];
    let mut meter = Meter::new(&starts, &finish, unit.radius, unit.speed);
    let (warm, ticks) = ((settings.before / STEP) as u64, ((settings.before + settings.watched) / STEP) as u64);
    let (mut place, mut speed, mut count) = (starts, 0.0, 0_u64);
    for tick in 0..ticks {
        let walkers: Vec<_> = world.positions().collect();
        for (id, at) in walkers {
            // Each goes on round the circle on which it is.
            let radius = at.distance(middle).clamp(ring - room, ring + room);
            let angle = AHEAD_M / radius;
            let ahead = Vec2::new(libm::cosf(angle), libm::sinf(angle)).rotate(unit_vector(at - middle));
            world.walk_straight_to(id, middle + ahead * radius)?;
        }
        world.tick()?;
        for (id, at) in world.positions() {
            let before = std::mem::replace(&mut place[id.slot as usize], at);
            if tick >= warm {
                let (from, to) = (before - middle, at - middle);
                let angle = libm::atan2f(cross(from, to), from.dot(to));
                speed += f64::from(angle * (from.length() + to.length()) / 2.0);
                count += 1;
            }
        }
        if tick >= warm {
            meter.frame((tick - warm) as f64 * f64::from(STEP), &place)?;
        }
    }
    let agents = place.len();
    Ok(DiagramFigures {
        agents,
        density: agents as f64 / f64::from(settings.area()),
        speed: speed / count.max(1) as f64 / f64::from(STEP),
        pairs: meter.quality().pairs,
    })
}

/// Places at random in the corridor, each as far from the others as there is room for.
fn places(settings: &DiagramSettings, room: f32, middle: Vec2) -> Vec<Vec2> {
    let mut random = Pcg32::seed_from_u64(settings.seed);
    let mut places: Vec<Vec2> = Vec::with_capacity(settings.agents());
    while places.len() < settings.agents() {
        // The best of some candidates (D. Mitchell, 1991).
        let candidates = (0..20).map(|_| {
            let angle = random.random_range(0.0..std::f32::consts::TAU);
            let radius = settings.ring + random.random_range(-room..=room);
            middle + Vec2::new(libm::cosf(angle), libm::sinf(angle)) * radius
        });
        let free = |at: &Vec2| places.iter().map(|other| other.distance_squared(*at)).fold(f32::MAX, f32::min);
        let best = candidates.map(|at| (free(&at), at)).max_by(|a, b| a.0.total_cmp(&b.0));
        places.extend(best.map(|(_, at)| at));
    }
    places
}
