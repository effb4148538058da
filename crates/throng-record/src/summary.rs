//! The figures of a run.

use super::histogram::Histogram;
use super::{RecordError, SquadSummary};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use throng_grid::whole_file::WholeFile;
use throng_sim::battle;
use throng_sim::world::{Army, ArmyId, Mission, Profile, Stage, UnitId, Verdict, World};

/// How long the ticks of a run took, stage by stage. Its size does not grow with the ticks.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_record::Timings;
/// use throng_sim::world::{Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings { threads: 1, ..Settings::default() })?;
/// let mut timings = Timings::default();
/// for _ in 0..10 {
///     world.tick()?;
///     timings.add(world.profile());
/// }
/// println!("the slowest of {} ticks took {} ms", timings.ticks(), timings.tick_ms().worst);
/// assert!(timings.tick_ms().median <= timings.tick_ms().worst);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Timings {
    whole: Histogram,
    stages: [Histogram; Stage::COUNT],
}

impl Timings {
    /// Adds a tick.
    pub fn add(&mut self, profile: &Profile) {
        self.whole.add(profile.stage_ms.iter().sum());
        self.stages.iter_mut().zip(profile.stage_ms).for_each(|(stage, ms)| stage.add(ms));
    }

    /// How many ticks were added.
    pub fn ticks(&self) -> u64 {
        self.whole.len()
    }

    /// Of whole ticks (ms): median and 99 % to 0.4 %.
    pub fn tick_ms(&self) -> Quantiles {
        self.whole.quantiles()
    }

    /// Of one stage (ms): median and 99 % to 0.4 %.
    pub fn stage_ms(&self, stage: Stage) -> Quantiles {
        self.stages[stage as usize].quantiles()
    }
}

/// The middle, the bad and the worst of some times, to a microsecond; 0 where there are none.
///
/// ```
/// use throng_record::Quantiles;
/// let times = Quantiles::of((1..=200).map(|ms| ms as f32).collect());
/// assert_eq!(times, Quantiles { median: 100.0, p99: 198.0, worst: 200.0 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Quantiles {
    /// Half of the times are at most this (ms).
    pub median: f64,
    /// 99 of 100 times are at most this (ms).
    pub p99: f64,
    /// The longest time (ms).
    pub worst: f64,
}

impl Quantiles {
    /// The quantiles of `times` (ms): the smallest time that is at least as long as the share of all.
    pub fn of(mut times: Vec<f32>) -> Self {
        times.sort_unstable_by(f32::total_cmp);
        let at = |percent: usize| {
            let place = (times.len() * percent).div_ceil(100).saturating_sub(1);
            times.get(place).map_or(0.0, |&ms| (f64::from(ms) * 1e3).round() / 1e3)
        };
        Self { median: at(50), p99: at(99), worst: at(100) }
    }
}

/// The figures of one kind of unit of an army.
///
/// ```
/// use throng_record::UnitSummary;
/// let riders = UnitSummary { army: "red".into(), unit: "rider".into(), alive: 12, kills: 30, losses: 8, dealt: 910.5, taken: 640.0 };
/// assert_eq!(serde_json::to_string(&riders)?, r#"{"army":"red","unit":"rider","alive":12,"kills":30,"losses":8,"dealt":910.5,"taken":640.0}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitSummary {
    /// Name of the army.
    pub army: String,
    /// Name of the kind of unit.
    pub unit: String,
    /// Living soldiers.
    pub alive: u64,
    /// Enemies slain.
    pub kills: u64,
    /// Soldiers slain.
    pub losses: u64,
    /// Damage dealt (points of health).
    pub dealt: f64,
    /// Damage taken (points of health).
    pub taken: f64,
}

impl UnitSummary {
    /// Of each kind that an army has a squad or a living soldier of, by army and unit.
    fn of(world: &World) -> Vec<Self> {
        let squads = world.squads().iter().map(|squad| ((squad.army, squad.unit), 0));
        let mut alive: BTreeMap<(ArmyId, UnitId), u64> = squads.collect();
        let crowd = world.crowd();
        for (id, _) in world.positions() {
            if let Some(row) = crowd.row(id) {
                *alive.entry((crowd.rows.army_of(row), UnitId(crowd.slots.unit[id.slot as usize]))).or_default() += 1;
            }
        }
        let (armies, units) = (world.armies(), world.units());
        let summary = |((army, unit), alive): ((ArmyId, UnitId), u64)| {
            let (army, unit) = (armies.get(army.index())?, unit.index());
            let count = |of: &[u32]| of.get(unit).copied().unwrap_or(0).into();
            // To a tenth of a point.
            let points = |of: &[u64]| (battle::points(of.get(unit).copied().unwrap_or(0)) * 10.0).round() / 10.0;
            Some(Self {
                army: army.name.clone(),
                unit: units.get(unit)?.name.clone(),
                alive,
                kills: count(&army.kills),
                losses: count(&army.losses),
                dealt: points(&army.dealt),
                taken: points(&army.taken),
            })
        };
        alive.into_iter().filter_map(summary).collect()
    }
}

/// How far an army has come with something that it is to do.
///
/// ```
/// use throng_record::MissionSummary;
/// let bridge = MissionSummary { army: "red".into(), objective: "hold".into(), done: false, left: 12.5 };
/// assert_eq!(serde_json::to_string(&bridge)?, r#"{"army":"red","objective":"hold","done":false,"left":12.5}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MissionSummary {
    /// Name of the army.
    pub army: String,
    /// "hold", "kill" or "survive".
    pub objective: String,
    /// Whether it is done.
    pub done: bool,
    /// The rest of it: a time (s), or soldiers to be killed.
    pub left: f64,
}

impl MissionSummary {
    fn of(world: &World) -> Vec<Self> {
        let step = world.settings().step;
        let summary = |mission: &Mission| {
            let army = world.armies().get(usize::from(mission.army.0))?.name.clone();
            let left = (mission.left(step) * 1e3).round() / 1e3;
            Some(Self { army, objective: mission.objective.name().into(), done: mission.is_done, left })
        };
        world.missions().iter().filter_map(summary).collect()
    }
}

/// The figures of a run, which become a JSON file.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_grid::geom::Vec2;
/// use throng_record::{Summary, Timings};
/// use throng_sim::battle::Unit;
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let settings = Settings { threads: 1, ..Settings::default() };
/// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), settings)?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]))?;
/// world.tick()?;
/// let summary = Summary::new("duel", 1, 1, &world, &Timings::default());
/// assert_eq!((summary.ticks, summary.agents, summary.alive), (1, 1, vec![("red".into(), 1)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads of the tick.
    pub threads: usize,
    /// Agents at the start.
    pub agents: u64,
    /// Ticks done.
    pub ticks: u64,
    /// Name of the army that has won, "draw", or nothing while it is undecided.
    pub winner: Option<String>,
    /// Living soldiers by army.
    #[serde(serialize_with = "as_map")]
    pub alive: Vec<(String, u64)>,
    /// Soldiers that fled over the edge of the map, by army.
    #[serde(serialize_with = "as_map")]
    pub routed: Vec<(String, u64)>,
    /// Agents that left the world at the end of their journey, by army.
    #[serde(serialize_with = "as_map")]
    pub left: Vec<(String, u64)>,
    /// Dead soldiers by army.
    #[serde(serialize_with = "as_map")]
    pub dead: Vec<(String, u64)>,
    /// The reasons of the agents that stand at the end, by [`IdleReason::name`](throng_sim::world::IdleReason::name), the most frequent reason
    /// first.
    #[serde(serialize_with = "as_map")]
    pub standing: Vec<(String, u64)>,
    /// Enemies slain by each kind of unit, all armies together.
    #[serde(serialize_with = "as_map")]
    pub kills: Vec<(String, u64)>,
    /// Each kind of unit of each army.
    pub units: Vec<UnitSummary>,
    /// Each squad.
    pub squads: Vec<SquadSummary>,
    /// The objective of each army.
    pub missions: Vec<MissionSummary>,
    /// Whole ticks (ms).
    pub tick_ms: Quantiles,
    /// Median of each stage (ms).
    #[serde(serialize_with = "as_map")]
    pub stage_ms: Vec<(String, f64)>,
    /// A hash of all positions, in 16 hexadecimal digits: equal runs have equal ones.
    pub position_hash: String,
}

impl Summary {
    /// The figures of the run that has led to this world.
    pub fn new(scenario: &str, seed: u64, threads: usize, world: &World, timings: &Timings) -> Self {
        let armies = world.armies();
        let of =
            |count: fn(&Army) -> u32| armies.iter().map(|army| (army.name.clone(), u64::from(count(army)))).collect();
        let name = |army: usize| armies.get(army).map(|tally| tally.name.clone());
        let kills =
            |unit: usize| armies.iter().map(|tally| u64::from(tally.kills.get(unit).copied().unwrap_or(0))).sum();
        Self {
            scenario: scenario.to_owned(),
            seed,
            threads,
            agents: armies.iter().map(|tally| u64::from(tally.spawned)).sum(),
            ticks: world.ticks(),
            winner: match world.verdict() {
                Some(Verdict::Winner(army)) => name(usize::from(army.0)),
                Some(Verdict::Draw) => Some("draw".into()),
                None => None,
            },
            alive: of(|army| army.alive),
            routed: of(|army| army.routed),
            left: of(|army| army.left),
            dead: of(Army::dead),
            standing: world.standing().into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            kills: (0..).zip(world.units()).map(|(unit, kind)| (kind.name.clone(), kills(unit))).collect(),
            units: UnitSummary::of(world),
            squads: SquadSummary::of(world),
            missions: MissionSummary::of(world),
            tick_ms: timings.tick_ms(),
            stage_ms: Stage::ALL
                .iter()
                .map(|&stage| (stage.name().to_owned(), timings.stage_ms(stage).median))
                .collect(),
            position_hash: format!("{:016x}", world.position_hash()),
        }
    }

    /// Writes the figures as JSON, whole or not at all.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        self.write_at(path.as_ref())
    }

    fn write_at(&self, path: &Path) -> Result<(), RecordError> {
        let attempt = || -> io::Result<()> {
            let mut out = WholeFile::create(path)?;
            serde_json::to_writer_pretty(&mut out, self)?;
            out.write_all(b"\n")?;
            out.finish()
        };
        attempt().map_err(RecordError::write(path))
    }
}

/// Pairs as an object, in their order.
fn as_map<T: Serialize, S: Serializer>(pairs: &[(String, T)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}
