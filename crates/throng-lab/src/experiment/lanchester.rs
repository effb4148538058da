//! Battles of equals in unequal numbers: Lanchester's laws.

use super::ExperimentError;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Order, Ranged, Unit};
use throng_sim::world::{Settings, SquadSpec, Verdict, World};

/// How they fight (F. W. Lanchester, *Aircraft in Warfare*, 1916).
///
/// ```
/// use throng_lab::experiment::Law;
/// assert_eq!((Law::Square.survivors(50.0, 40.0), Law::Linear.survivors(50.0, 40.0)), (30.0, 10.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// All can shoot at all: losses are proportional to the number that shoot, and A² − B² stays what it is.
    Square,
    /// Hand to hand at a front of one width: as many fall on either side, and A − B stays what it is.
    Linear,
}

impl Law {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Square, Self::Linear];

    /// How many of the larger side the law leaves when the other is gone.
    pub fn survivors(self, more: f64, fewer: f64) -> f64 {
        match self {
            Self::Square => (more * more - fewer * fewer).max(0.0).sqrt(),
            Self::Linear => more - fewer,
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Square => "square",
            Self::Linear => "linear",
        })
    }
}

/// A battle of one kind.
///
/// See [`lanchester`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanchesterBattle {
    /// How they fight.
    pub law: Law,
    /// Soldiers of the larger side.
    pub more: usize,
    /// Soldiers of the smaller side.
    pub fewer: usize,
    /// Seed of the battle, and of all places.
    pub seed: u64,
}

/// The result of the battle.
///
/// See [`lanchester`].
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct LanchesterFigures {
    /// The law; `None` before anything has been fought.
    pub law: Option<Law>,
    /// Soldiers of the larger side.
    pub more: usize,
    /// Soldiers of the smaller side.
    pub fewer: usize,
    /// Seed.
    pub seed: u64,
    /// How many of the larger side were left; 0 where it lost.
    pub survivors: u32,
    /// How many the law leaves.
    pub expected: f64,
    /// How long it took (s).
    pub seconds: f64,
}

/// Length of a tick (s).
const STEP: f32 = 0.1;

/// The longest battle (ticks).
const MAX_TICKS: u64 = 40_000;

/// How far the two sides stand from each other when they shoot (m).
const FRONTS_APART_M: f32 = 60.0;

/// The larger side stands so wide for each of its men that shots which miss one seldom strike the next (m).
const SPACE: f32 = 6.0;

/// Width of the corridor in which they meet hand to hand (m).
const FRONT: u32 = 16;

/// Fights a battle to its end.
///
/// *Square*: two lines stand 60 m from each other, all in sight of all, and each soldier shoots at the nearest. One shot in
/// some fifty hits, and hits kill, so that hardly any shot is at a soldier that is dead already, as the law supposes. *Linear*:
/// two columns meet in a corridor 16 m wide, and man fights man.
///
/// # Errors
/// Where the world refuses the battle.
///
/// ```
/// use throng_lab::experiment::{Law, LanchesterBattle, lanchester};
/// let figures = lanchester(&LanchesterBattle { law: Law::Square, more: 40, fewer: 10, seed: 1 })?;
/// assert!(figures.survivors > 30);
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
pub fn lanchester(battle: &LanchesterBattle) -> Result<LanchesterFigures, ExperimentError> {
    let LanchesterBattle { law, more, fewer, seed } = *battle;
    let mut world = match law {
        Law::Square => shooting(battle)?,
        Law::Linear => fencing(battle)?,
    };
    world.tick_until(|world| world.verdict().is_some())?;
    let won = world.verdict() == Some(Verdict::Winner(throng_sim::world::ArmyId(0)));
    Ok(LanchesterFigures {
        law: Some(law),
        more,
        fewer,
        seed,
        survivors: if won { world.armies()[0].alive } else { 0 },
        expected: law.survivors(more as f64, fewer as f64),
        seconds: world.seconds(),
    })
}

fn settings(seed: u64) -> Settings {
    Settings { seed, step: STEP, threads: 1, max_ticks: MAX_TICKS, ..Settings::default() }
}

/// Two lines of one width, whose men stand at random, no nearer than they must.
fn shooting(battle: &LanchesterBattle) -> Result<World, ExperimentError> {
    let width = SPACE * battle.more as f32;
    let lattice = Lattice::new(FRONTS_APART_M as u32 + 20, width.ceil() as u32 + 4, 1.0)?;
    let mut world = World::new(Grid::open_plain(lattice), settings(battle.seed))?;
    let ranged = Ranged {
        range: 1000.0,
        speed: 70.0,
        spread: 2.2,
        ammunition: u16::MAX,
        damage: Unit::default().health,
        cooldown: 3.0,
        ..Ranged::default()
    };
    let shooter =
        world.add_unit(Unit { name: "shooter".into(), sight: 1000.0, ranged: Some(ranged), ..Unit::default() })?;
    let mut random = Pcg32::seed_from_u64(battle.seed);
    for (name, x, count) in [("more", 10.0, battle.more), ("fewer", 10.0 + FRONTS_APART_M, battle.fewer)] {
        let army = world.add_army(name)?;
        let space = width / count as f32;
        let place = |i: usize| Vec2::new(x, 2.0 + space * (i as f32 + random.random_range(0.2..0.8)));
        let positions: Vec<Vec2> = (0..count).map(place).collect();
        world.spawn_squad(SquadSpec::new(army, shooter, &positions))?;
    }
    Ok(world)
}

/// Two columns as wide as the corridor.
fn fencing(battle: &LanchesterBattle) -> Result<World, ExperimentError> {
    let files = FRONT as usize - 2;
    let depth = |count: usize| count.div_ceil(files) as f32;
    let length = depth(battle.more) + depth(battle.fewer) + 40.0;
    let lattice = Lattice::new(length.ceil() as u32, FRONT, 1.0)?;
    let mut world = World::new(Grid::open_plain(lattice), settings(battle.seed))?;
    // As in Lanchester's law one fights one: none strikes past the one in front of it, and no two fight one.
    let soldier = world.add_unit(Unit { reach: 0.3, attackers: 1, ..Unit::default() })?;
    let middle = depth(battle.more) + 20.0;
    for (name, side, count) in [("more", -1.0, battle.more), ("fewer", 1.0, battle.fewer)] {
        let army = world.add_army(name)?;
        let place = |i: usize| {
            let (file, rank) = ((i % files) as f32, (i / files) as f32);
            Vec2::new(middle + side * (8.0 + rank), 1.5 + file)
        };
        let positions: Vec<Vec2> = (0..count).map(place).collect();
        let facing = if side < 0.0 { 0.0 } else { 180.0 };
        world.spawn_squad(SquadSpec { order: Order::Attack, facing, ..SquadSpec::new(army, soldier, &positions) })?;
    }
    Ok(world)
}
