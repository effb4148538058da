//! The crowds that indices are measured on.

use super::Bodies;
use crate::volume::Aabb;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt;
use std::str::FromStr;

/// How the bodies of a [`Scene`] lie.
///
/// ```
/// use throng_spatial::SceneKind;
/// assert_eq!("line".parse::<SceneKind>()?, SceneKind::Line);
/// assert_eq!(SceneKind::default().to_string(), "uniform");
/// # Ok::<(), throng_spatial::SceneError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// `uniform`: anywhere in a square.
    #[default]
    Uniform,
    /// `clustered`: in 64 Gaussian clumps, whose deviation is a sixtieth of the side of the square.
    Clustered,
    /// `line`: one column, as wide as a body. The worst case of a sweep along the wrong axis and of trees that cut the
    /// axes in turn.
    Line,
    /// `mixed`: one body in a hundred is 20 times as wide as the others.
    Mixed,
    /// `diagonal`: a line from corner to corner of a square, which is empty elsewhere. The worst case of a grid over the
    /// box of all bodies.
    Diagonal,
    /// `stadium`: a teapot in a stadium: the uniform square, and four bodies at rest a thousand times as far out.
    Stadium,
}

/// Errors of the parameters of a scene.
///
/// ```
/// use throng_spatial::{Scene, SceneError, SceneKind};
/// let error = Scene::new(SceneKind::Line, 100, 0.0, 1).unwrap_err();
/// assert_eq!(error, SceneError::Density { found: 0.0 });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// No scene has this name.
    Unknown {
        /// The name.
        found: String,
    },
    /// A density that no scene can have.
    Density {
        /// The density.
        found: f32,
    },
}

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { found } => {
                write!(f, "unknown scene {found:?}; known are {}", SceneKind::ALL.map(SceneKind::name).join(", "))
            }
            Self::Density { found } => write!(
                f,
                "a density of {found} cannot be; name the share of the ground that bodies cover, from 0.000001 to 10"
            ),
        }
    }
}

impl std::error::Error for SceneError {}

/// A crowd of discs in motion: each moves 0.1 m a frame in a direction of its own and bounces at the walls. Most have a
/// radius of 1 m. The order of the rows tells nothing about places.
///
/// The same kind, number, density and seed give the same bodies on every machine.
///
/// ```
/// use throng_spatial::{Scene, SceneKind, volume::distance_squared};
/// let mut scene = Scene::new(SceneKind::Uniform, 1000, 0.15, 1)?;
/// // Discs of a radius of 1 m cover 15 % of the ground.
/// let side = scene.walls.high[0] - scene.walls.low[0];
/// assert!((1000.0 * std::f32::consts::PI / (side * side) - 0.15).abs() < 1e-3);
/// let before = scene.position[0];
/// scene.step();
/// assert!((distance_squared(before, scene.position[0]).sqrt() - 0.1).abs() < 1e-4);
/// # Ok::<(), throng_spatial::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Centres (m).
    pub position: Vec<[f32; 2]>,
    /// Radii (m).
    pub radius: Vec<f32>,
    /// Motion in a frame (m).
    pub velocity: Vec<[f32; 2]>,
    /// Identities: the rows at the start.
    pub id: Vec<u32>,
    /// The walls, with the origin in their middle, where `f32` is finest.
    pub walls: Aabb<2>,
    /// A box around all bodies for all time.
    pub bounds: Aabb<2>,
}

/// Motion in a frame (m).
const STEP_M: f32 = 0.1;

/// How far out the bodies of the stadium are, in sides of the square.
const STADIUM_DISTANCE_SIDES: f32 = 1000.0;

impl SceneKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Uniform, Self::Clustered, Self::Line, Self::Mixed, Self::Diagonal, Self::Stadium];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Clustered => "clustered",
            Self::Line => "line",
            Self::Mixed => "mixed",
            Self::Diagonal => "diagonal",
            Self::Stadium => "stadium",
        }
    }
}

impl fmt::Display for SceneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SceneKind {
    type Err = SceneError;

    fn from_str(name: &str) -> Result<Self, SceneError> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| SceneError::Unknown { found: name.into() })
    }
}

impl Scene {
    /// `count` bodies that cover the share `density` of the ground; along the diagonal there are as many a metre as in
    /// the line.
    ///
    /// # Errors
    /// Where the density is no number from 0.000001 to 10.
    pub fn new(kind: SceneKind, count: u32, density: f32, seed: u64) -> Result<Self, SceneError> {
        if !(1e-6..=10.0).contains(&density) {
            return Err(SceneError::Density { found: density });
        }
        let mut random = Pcg32::seed_from_u64(seed);
        let radius: Vec<f32> =
            (0..count).map(|row| if kind == SceneKind::Mixed && row % 100 == 0 { 20.0 } else { 1.0 }).collect();
        let walls = Aabb::around(half_sides(kind, &radius, density));
        let mut scene = Self {
            position: Vec::with_capacity(radius.len()),
            velocity: Vec::with_capacity(radius.len()),
            id: (0..count).collect(),
            radius,
            walls,
            bounds: walls,
        };
        let clumps: Vec<[f32; 2]> = if kind == SceneKind::Clustered {
            (0..64).map(|_| somewhere(&walls, 0.0, &mut random)).collect()
        } else {
            Vec::new()
        };
        for &radius in &scene.radius {
            let angle = random.random_range(0.0..std::f32::consts::TAU);
            let mut velocity = [STEP_M * libm::cosf(angle), STEP_M * libm::sinf(angle)];
            let mut position = somewhere(&walls, radius, &mut random);
            match kind {
                SceneKind::Clustered => position = in_clump(&clumps, &walls, radius, &mut random),
                SceneKind::Line => velocity[0] = 0.0,
                SceneKind::Diagonal => {
                    position[0] = position[1];
                    velocity[0] = velocity[1];
                }
                _ => {}
            }
            scene.position.push(position);
            scene.velocity.push(velocity);
        }
        if kind == SceneKind::Stadium {
            let far = walls.high.map(|half| half * STADIUM_DISTANCE_SIDES);
            let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
            for ((position, velocity), corner) in scene.position.iter_mut().zip(&mut scene.velocity).zip(corners) {
                *position = [corner[0] * far[0], corner[1] * far[1]];
                *velocity = [0.0, 0.0];
            }
            scene.bounds = Aabb::around(far.map(|half| half + 1.0));
        }
        Ok(scene)
    }

    /// The columns that indices read.
    pub fn bodies(&self) -> Bodies<'_, 2> {
        Bodies::new(&self.position, &self.radius, &self.id)
    }

    /// Moves every body by a frame. A body that would stick out of the walls turns round instead. Bodies pass through each
    /// other.
    pub fn step(&mut self) {
        for ((position, velocity), &radius) in self.position.iter_mut().zip(&mut self.velocity).zip(&self.radius) {
            for axis in 0..2 {
                let next = position[axis] + velocity[axis];
                let low = next < self.walls.low[axis] + radius && velocity[axis] < 0.0;
                let high = next > self.walls.high[axis] - radius && velocity[axis] > 0.0;
                let turns = low || high;
                position[axis] = if turns { position[axis] } else { next };
                velocity[axis] = if turns { -velocity[axis] } else { velocity[axis] };
            }
        }
    }
}

impl Aabb<2> {
    /// The box with the origin in its middle.
    fn around(half: [f32; 2]) -> Self {
        Self { low: half.map(|half| -half), high: half }
    }
}

/// Half the sides of the walls (m) that give bodies the density wanted.
fn half_sides(kind: SceneKind, radius: &[f32], density: f32) -> [f32; 2] {
    let length = radius.len() as f32 / density;
    match kind {
        SceneKind::Line => [1.0, length.max(1.0)],
        SceneKind::Diagonal => [(length * std::f32::consts::FRAC_1_SQRT_2).max(1.0); 2],
        _ => {
            let covered: f64 = radius.iter().map(|&radius| std::f64::consts::PI * f64::from(radius * radius)).sum();
            [((covered / f64::from(density)).sqrt() * 0.5).max(1.0) as f32; 2]
        }
    }
}

/// A place where a body stays inside of the walls; the middle on an axis where it is too wide.
fn somewhere(walls: &Aabb<2>, radius: f32, random: &mut Pcg32) -> [f32; 2] {
    walls.high.map(|half| (half - radius).max(0.0) * random.random_range(-1.0..1.0_f32))
}

/// A normal deviate in two dimensions (Box and Muller 1958) around one of the clumps, inside of the walls.
fn in_clump(clumps: &[[f32; 2]], walls: &Aabb<2>, radius: f32, random: &mut Pcg32) -> [f32; 2] {
    let clump = clumps[random.random_range(0..clumps.len())];
    let deviation = (walls.high[0] - walls.low[0]) / 60.0;
    let length = deviation * (-2.0 * libm::logf(1.0 - random.random_range(0.0..1.0_f32))).sqrt();
    let angle = random.random_range(0.0..std::f32::consts::TAU);
    let away = [length * libm::cosf(angle), length * libm::sinf(angle)];
    std::array::from_fn(|axis| {
        let room = (walls.high[axis] - radius).max(0.0);
        (clump[axis] + away[axis]).clamp(-room, room)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes(count: u32) -> impl Iterator<Item = (SceneKind, Scene)> {
        SceneKind::ALL.into_iter().map(move |kind| (kind, Scene::new(kind, count, 0.15, 7).unwrap()))
    }

    #[test]
    fn names_are_read_and_written() {
        for kind in SceneKind::ALL {
            assert_eq!(kind.to_string().parse::<SceneKind>(), Ok(kind));
        }
        let error = "circle".parse::<SceneKind>().unwrap_err().to_string();
        assert_eq!(error, "unknown scene \"circle\"; known are uniform, clustered, line, mixed, diagonal, stadium");
    }

    #[test]
    fn a_density_must_be_one() {
        for density in [0.0, -0.5, 11.0, f32::NAN, f32::INFINITY] {
            let error = Scene::new(SceneKind::Line, 5, density, 1).unwrap_err();
            assert!(matches!(error, SceneError::Density { .. }), "{density}");
        }
        assert_eq!(
            Scene::new(SceneKind::Line, 5, 11.0, 1).unwrap_err().to_string(),
            "a density of 11 cannot be; name the share of the ground that bodies cover, from 0.000001 to 10"
        );
    }

    #[test]
    fn bodies_stay_inside_and_keep_their_speed() {
        for count in [0, 1, 3, 500] {
            for (kind, mut scene) in scenes(count) {
                let start = scene.clone();
                for _ in 0..400 {
                    scene.step();
                }
                for ((position, velocity), radius) in scene.position.iter().zip(&scene.velocity).zip(&scene.radius) {
                    for axis in 0..2 {
                        let room = (scene.bounds.high[axis] - radius).max(0.0) + 0.01;
                        assert!(position[axis].abs() <= room, "{kind} {position:?}");
                    }
                    let speed = velocity[0].hypot(velocity[1]);
                    assert!(speed < 0.1415, "{kind} {velocity:?}");
                }
                assert_eq!(scene.position.len(), count as usize);
                assert!(count < 5 || scene.position != start.position, "{kind}");
            }
        }
    }

    #[test]
    fn scenes_look_like_their_names() {
        let covered = |scene: &Scene| {
            let area: f32 = scene.radius.iter().map(|radius| radius * radius * std::f32::consts::PI).sum();
            area / (4.0 * scene.walls.high[0] * scene.walls.high[1])
        };
        for (kind, scene) in scenes(6400) {
            match kind {
                SceneKind::Line => assert!(scene.position.iter().all(|position| position[0] == 0.0)),
                SceneKind::Diagonal => assert!(scene.position.iter().all(|position| position[0] == position[1])),
                _ => assert!((covered(&scene) - 0.15).abs() < 0.001, "{kind}: {}", covered(&scene)),
            }
            let wide = scene.radius.iter().filter(|&&radius| radius == 20.0).count();
            assert_eq!(wide, if kind == SceneKind::Mixed { 64 } else { 0 });
            let outside = scene.position.iter().filter(|position| position[0].abs() > scene.walls.high[0]).count();
            assert_eq!(outside, if kind == SceneKind::Stadium { 4 } else { 0 });
        }
        // Clumps leave most of the square empty.
        for (kind, least, most) in [(SceneKind::Uniform, 1020, 1024), (SceneKind::Clustered, 100, 700)] {
            let scene = Scene::new(kind, 6400, 0.15, 7).unwrap();
            let mut squares: Vec<[i32; 2]> = scene
                .position
                .iter()
                .map(|position| position.map(|x| ((x / scene.walls.high[0] + 1.0) * 16.0) as i32))
                .collect();
            squares.sort_unstable();
            squares.dedup();
            assert!((least..=most).contains(&squares.len()), "{kind}: {}", squares.len());
        }
    }

    #[test]
    fn scenes_depend_on_their_seed_alone() {
        let scene = |seed| Scene::new(SceneKind::Clustered, 3, 0.15, seed).unwrap();
        assert_eq!(scene(1), scene(1));
        assert_ne!(scene(1), scene(2));
        let bits: Vec<[u32; 2]> = scene(1).position.iter().map(|position| position.map(f32::to_bits)).collect();
        assert_eq!(bits, [[0xC03D_A727, 0x403D_A727], [0x4013_21A3, 0x400D_E208], [0xBF12_0D8F, 0xC03D_A727]]);
    }
}
