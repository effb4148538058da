//! An index and a model of avoidance from outside, as a user of the library writes them.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::determinism::{battle, hash, settings};
use std::ops::ControlFlow;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::AgentView;
use throng_sim::crowd::models::CustomModel;
use throng_sim::crowd::{Avoidance, AvoidanceSettings};
use throng_sim::world::{Resume, Settings, SnapshotError, Subdomains, World, WorldError};
use throng_spatial::volume::Aabb;
use throng_spatial::{Bodies, CustomIndex, IndexChoice, IndexKind, SpatialError, SpatialIndex};

/// Every row for every question, the last one first.
#[derive(Clone, Debug, Default)]
struct Everybody {
    rows: u32,
}

impl SpatialIndex<2> for Everybody {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.rows = 0;
        bodies.check()?;
        self.rows = bodies.len() as u32;
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        for j in 0..self.rows {
            for i in 0..j {
                let [a, b] = [i, j].map(|row| bodies.position[row as usize]);
                let reach = bodies.radius[i as usize] + bodies.radius[j as usize];
                let squared = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
                if squared < reach * reach && visit(i, j).is_break() {
                    return 0;
                }
            }
        }
        0
    }

    fn touching(&self, _: Bodies<2>, _: &Aabb<2>, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..self.rows).rev().try_for_each(&mut visit)
    }

    fn cells(&self, _: &Aabb<2>, _: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        1.0
    }

    fn bytes(&self) -> usize {
        0
    }
}

fn everybody() -> CustomIndex {
    CustomIndex::new("everybody", Everybody::default())
}

#[test]
fn an_index_from_outside_gives_the_same_bytes() {
    let built_in = settings(2, IndexKind::Grid.into(), Avoidance::Orca);
    let custom = settings(2, everybody().into(), Avoidance::Orca);
    assert_eq!(hash(custom, 200), hash(built_in, 200));
}

/// Refuses bodies that are not all of one number, which a window of a cut world does not have.
#[derive(Clone, Debug)]
struct Whole {
    index: Everybody,
    bodies: usize,
    panics: bool,
}

impl SpatialIndex<2> for Whole {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        if bodies.len() != self.bodies && bodies.id.contains(&0) {
            assert!(!self.panics, "an index that panics");
            return Err(SpatialError::Columns { column: "radius", found: bodies.len(), expected: self.bodies });
        }
        self.index.rebuild(bodies)
    }

    fn pairs(&self, bodies: Bodies<2>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.index.pairs(bodies, visit)
    }

    fn touching(
        &self,
        bodies: Bodies<2>,
        area: &Aabb<2>,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.index.touching(bodies, area, visit)
    }

    fn cells(&self, _: &Aabb<2>, _: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        1.0
    }

    fn bytes(&self) -> usize {
        0
    }
}

#[test]
fn a_window_that_an_index_refuses_ends_all_parts_with_that_error_and_none_hangs() {
    let spread: Vec<Vec2> = (0..40).map(|i| Vec2::new(2.5 + 3.0 * i as f32, 8.5)).collect();
    for panics in [false, true] {
        for count in 1..=4 {
            let index = CustomIndex::new("whole", Whole { index: Everybody::default(), bodies: spread.len(), panics });
            let settings = Settings { index: index.into(), threads: 1, ..Settings::default() };
            let mut world = World::new(Grid::open_plain(Lattice::new(128, 16, 1.0).unwrap()), settings).unwrap();
            let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
            world
                .spawn_walkers(all, walker, &spread, &spread.iter().map(|&at| at + Vec2::Y * 4.0).collect::<Vec<_>>())
                .unwrap();
            world.tick().unwrap();
            let mut cut = Subdomains::cut(&world, count).unwrap();
            let results = [cut.tick(), cut.tick()].map(|result| result.map_err(|error| error.to_string()));
            let gone = "subdomain 0 has ended, and the others cannot go on without it: start anew from a snapshot";
            let cause = if panics { "it panicked: an index that panics" } else { "the column \"radius\" has" };
            if count == 1 {
                assert_eq!(results, [Ok(()), Ok(())]);
            } else {
                assert!(results[0].as_ref().unwrap_err().contains(cause), "{count}: {results:?}");
                assert_eq!(results[1], Err(gone.into()), "{count}");
            }
            // After an error the world is whole: all agents are there, each in its row.
            assert_eq!(cut.world().positions().count(), 40, "{count}");
        }
    }
}

#[test]
fn a_snapshot_knows_an_index_from_outside_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let mut world = battle(settings(1, IndexKind::Grid.into(), Avoidance::Orca));
    world.set_index(everybody()).unwrap();
    assert_eq!((world.index().name(), world.index().kind()), ("everybody", None));
    world.tick().unwrap();
    world.save(&path).unwrap();
    match World::restore(&path, Resume::default()) {
        Err(SnapshotError::Index { name, .. }) => assert_eq!(name, "everybody"),
        other => panic!("{:?}", other.err()),
    }
    world.tick().unwrap();
    for index in [IndexChoice::from(everybody()), IndexKind::KdTree.into()] {
        let mut again = World::restore(&path, Resume { threads: 1, index: Some(index), ..Resume::default() }).unwrap();
        again.tick().unwrap();
        assert_eq!(again.position_hash(), world.position_hash());
    }
    assert!(world.set_index(IndexChoice::Missing("lost".into())).is_err());
    assert_eq!(world.index().name(), "everybody", "the old one stays");
}

/// As `Avoidance::None`.
fn straight() -> CustomModel {
    CustomModel::new("straight", |view: &AgentView<'_>, row: usize| view.preferred_velocity[row])
}

#[test]
fn a_model_from_outside_gives_the_same_bytes() {
    let with = |kind, threads| {
        let avoidance = AvoidanceSettings { kind, ..AvoidanceSettings::new(Avoidance::None) };
        Settings { avoidance, model: Some(straight()), ..settings(threads, IndexKind::Grid.into(), kind) }
    };
    let expected = hash(with(Avoidance::None, 1), 200);
    for threads in [1, 3] {
        assert_eq!(hash(with(Avoidance::Custom, threads), 200), expected, "{threads} threads");
    }
}

#[test]
fn a_mixed_crowd_moves_by_both() {
    let plain = Grid::open_plain(Lattice::new(40, 40, 1.0).unwrap());
    let model = CustomModel::new("still", |_: &AgentView<'_>, _: usize| Vec2::ZERO);
    let mut world = World::new(plain, Settings { model: Some(model), ..Settings::default() }).unwrap();
    let army = world.add_army("all").unwrap();
    let walker = world.add_unit(Unit::default()).unwrap();
    let still = world.add_unit(Unit { avoidance: Some(Avoidance::Custom), ..Unit::default() }).unwrap();
    world.spawn_walkers(army, walker, &[Vec2::new(4.5, 8.5)], &[Vec2::new(30.5, 8.5)]).unwrap();
    world.spawn_walkers(army, still, &[Vec2::new(4.5, 28.5)], &[Vec2::new(30.5, 28.5)]).unwrap();
    world.tick_until(|world| world.ticks() == 60).unwrap();
    let x: Vec<f32> = world.positions().map(|(_, place)| place.x).collect();
    assert!(x[0] > 6.0 && x[1] == 4.5, "{x:?}");
}

#[test]
fn a_model_from_outside_must_be_given() {
    let plain = || Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
    let custom = Settings { avoidance: AvoidanceSettings::new(Avoidance::Custom), ..Settings::default() };
    assert!(matches!(World::new(plain(), custom.clone()), Err(WorldError::MissingModel { name: None })));
    let mut world = World::new(plain(), Settings::default()).unwrap();
    assert!(world.set_avoidance(Avoidance::Custom).is_err());
    assert!(world.add_unit(Unit { avoidance: Some(Avoidance::Custom), ..Unit::default() }).is_err());

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let world = World::new(plain(), Settings { model: Some(straight()), ..custom }).unwrap();
    world.save(&path).unwrap();
    let other = CustomModel::new("other", |_: &AgentView<'_>, _: usize| Vec2::ZERO);
    for model in [None, Some(other)] {
        match World::restore(&path, Resume { model, ..Resume::default() }) {
            Err(SnapshotError::Model { name, .. }) => assert_eq!(name, "straight"),
            other => panic!("{:?}", other.err()),
        }
    }
    World::restore(&path, Resume { model: Some(straight()), ..Resume::default() }).unwrap();
}
