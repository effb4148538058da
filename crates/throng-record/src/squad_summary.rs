//! The figures of the squads of a run.

use serde::Serialize;
use throng_sim::world::World;

/// The figures of one squad.
///
/// ```
/// use throng_record::SquadSummary;
/// # use throng_grid::{Grid, Lattice};
/// # use throng_sim::battle::Unit;
/// # use throng_grid::geom::Vec2;
/// # use throng_sim::world::{SquadSpec, Settings, World};
/// # let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings { threads: 1, ..Settings::default() })?;
/// let (red, pike) = (world.add_army("red")?, world.add_unit(Unit { name: "pike".into(), ..Unit::default() })?);
/// world.spawn_squad(SquadSpec::new(red, pike, &[Vec2::splat(4.5)]))?;
/// let squads = SquadSummary::of(&world);
/// assert_eq!((squads[0].army.as_str(), squads[0].alive, squads[0].distance_m), ("red", 1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SquadSummary {
    /// Its number.
    pub squad: usize,
    /// Name of its army.
    pub army: String,
    /// Name of its kind of soldiers.
    pub unit: String,
    /// Its order.
    pub order: &'static str,
    /// Living members.
    pub alive: u32,
    /// Members that fled over the edge of the map.
    pub routed: u32,
    /// Members that left at the end of their journey.
    pub left: u32,
    /// Members slain.
    pub losses: u32,
    /// Enemies slain.
    pub kills: u32,
    /// Damage dealt (points of health).
    pub dealt: f64,
    /// Damage taken (points of health).
    pub taken: f64,
    /// How far all of them together have walked (m); `None` where that was not
    /// [counted](throng_sim::world::World::count_walks).
    pub distance_m: Option<f64>,
}

impl SquadSummary {
    /// Of each squad that has come.
    pub fn of(world: &World) -> Vec<Self> {
        let squads = world.squads().iter().enumerate().filter(|(_, squad)| squad.tally.spawned > 0);
        squads
            .filter_map(|(number, squad)| {
                let tally = &squad.tally;
                let [dealt, taken] = tally.damage().map(|points| (points * 10.0).round() / 10.0);
                Some(Self {
                    squad: number,
                    army: world.armies().get(squad.army.index())?.name.clone(),
                    unit: world.units().get(squad.unit.index())?.name.clone(),
                    order: squad.order.name(),
                    alive: tally.alive(),
                    routed: tally.routed,
                    left: tally.left,
                    losses: tally.losses,
                    kills: tally.kills,
                    dealt,
                    taken,
                    distance_m: world.counts_walks().then(|| (tally.metres() * 100.0).round() / 100.0),
                })
            })
            .collect()
    }
}
