//! Squads that stand on a line, and orders one after another.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Formation, Front, Order, OrderQueue, RouteState, Shape, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{Resume, Settings, SquadId, SquadSpec, UnitId, World, WorldError};

/// A map of 80 by 80 m with some rectangular walls.
fn map(walls: &[[u32; 4]]) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap());
    for &[left, top, width, height] in walls {
        for (x, y) in (left..left + width).flat_map(|x| (top..top + height).map(move |y| (x, y))) {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    grid
}

/// Red soldiers around a point.
fn world(grid: Grid, at: Vec2, count: usize, formation: Option<Formation>) -> (World, SquadId) {
    let mut world = World::new(grid, Settings { step: 0.1, threads: 1, ..Settings::default() }).unwrap();
    let red = world.add_army("red").unwrap();
    world.add_unit(Unit::default()).unwrap();
    let positions = Block::new(at, count).positions();
    let spec = SquadSpec { formation, ..SquadSpec::new(red, UnitId(0), &positions) };
    let squad = world.spawn_squad(spec).unwrap();
    (world, squad)
}

fn ticks(world: &mut World, count: u64) {
    for _ in 0..count {
        world.tick().unwrap();
    }
}

/// How many members have come to their places.
fn arrived(world: &World) -> usize {
    let walks = matches!(world.squads()[0].route_state, RouteState::Walked { .. });
    let come = |(id, _): &(AgentId, Vec2)| walks && !world.crowd().slots.follower[id.slot as usize].is_sent;
    world.positions().filter(come).count()
}

/// The furthest that a member is outside the block behind a line (m), and the least cosine between where it looks and the facing.
fn astray(world: &World, front: &Front) -> (f32, f32) {
    let ranks = world.squads()[0].ranks.as_deref().unwrap();
    let (ahead, layout) = (front.ahead(), ranks.formation().layout(world.positions().count()));
    let right = Vec2::new(-ahead.y, ahead.x);
    let [half, depth] = [0.5 * layout.width(), layout.depth()];
    let outside = |place: Vec2| {
        let from = place - front.centre;
        let (x, y) = (from.dot(right), -from.dot(ahead));
        (x.abs() - half).max(-y).max(y - depth).max(0.0)
    };
    let off = |(id, place): (AgentId, Vec2)| (outside(place), world.crowd().slots.facing[id.slot as usize].dot(ahead));
    world.positions().map(off).fold((0.0, 1.0), |(far, turned), (a, b)| (f32::max(far, a), f32::min(turned, b)))
}

fn formations() -> impl Strategy<Value = Option<Formation>> {
    prop_oneof![
        Just(None),
        prop::sample::select(Shape::ALL.to_vec()).prop_map(|shape| Some(Formation::new(shape, 1.0)))
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_squad_stands_on_its_line_and_looks_ahead(
        count in 1_usize..70, at in (20.0_f32..60.0, 20.0_f32..60.0), to in (26.0_f32..54.0, 26.0_f32..54.0),
        facing in -180.0_f32..180.0, width in 0.0_f32..24.0, formation in formations(), fights: bool,
    ) {
        // A squad that is deeper than the map would not find room behind its line.
        let width = width.max(count as f32 / 6.0);
        let (mut world, squad) = world(map(&[]), Vec2::from(at), count, formation);
        let front = Front { centre: Vec2::from(to), facing, width, fights };
        world.order(squad, Order::Line(front)).unwrap();
        // Those who stand already are pushed aside by those who come.
        let mut left = 150;
        let is_ring = formation.is_some_and(|formation| formation.shape == Shape::Circle);
        let stands = |world: &World| {
            let (far, turned) = astray(world, &front);
            arrived(world) == count && far < 0.9 && (is_ring || turned > 0.94)
        };
        while left > 0 && !stands(&world) {
            ticks(&mut world, 10);
            left -= 1;
        }
        let (far, turned) = astray(&world, &front);
        prop_assert!(arrived(&world) == count, "{} of {count} have come", arrived(&world));
        prop_assert!(far < 1.0, "a member is {far} m off");
        prop_assert!(is_ring || turned > 0.94, "a member looks {} degrees aside", turned.acos().to_degrees());
    }

    #[test]
    fn a_line_in_walls_takes_the_room_there_is(
        count in 1_usize..50, to in (4.0_f32..76.0, 4.0_f32..76.0), facing in -180.0_f32..180.0, width in 0.0_f32..40.0,
        walls in prop::collection::vec((20_u32..70, 0_u32..70, 1_u32..9, 1_u32..9), 0..12),
    ) {
        let walls: Vec<[u32; 4]> = walls.into_iter().map(|(x, y, w, h)| [x, y, w, h]).collect();
        let (mut world, squad) = world(map(&walls), Vec2::new(10.0, 40.0), count, None);
        world.order(squad, Order::Line(Front { centre: Vec2::from(to), facing, width, fights: true })).unwrap();
        world.queue_order(squad, Order::Attack).unwrap();
        let mut left = 150;
        while left > 0 && !world.squads()[0].queue.is_empty() {
            ticks(&mut world, 10);
            left -= 1;
        }
        prop_assert!(world.squads()[0].queue.is_empty(), "{} of {count} have come", arrived(&world));
    }
}

#[test]
fn orders_are_carried_out_one_after_another() {
    let (mut world, squad) = world(map(&[[40, 0, 2, 60]]), Vec2::new(20.0, 20.0), 12, None);
    let points = [Vec2::new(30.0, 50.0), Vec2::new(60.0, 70.0), Vec2::new(70.0, 20.0)];
    world.order(squad, Order::GoTo(points[0])).unwrap();
    world.queue_order(squad, Order::Move(points[1])).unwrap();
    world.queue_order(squad, Order::GoTo(points[2])).unwrap();
    let mut order = Vec::new();
    for _ in 0..1200 {
        world.tick().unwrap();
        let centre = world.positions().map(|(_, place)| place).sum::<Vec2>() / 12.0;
        let near = points.iter().position(|point| point.distance(centre) < 1.5);
        order.extend(near.filter(|near| order.last() != Some(near)));
    }
    assert_eq!(order, [0, 1, 2]);
    assert!(world.squads()[0].queue.is_empty() && world.squads()[0].order == Order::GoTo(points[2]));
}

#[test]
fn a_new_order_forgets_the_others() {
    let (mut world, squad) = world(map(&[]), Vec2::new(20.0, 20.0), 4, None);
    for _ in 0..OrderQueue::MAX {
        world.queue_order(squad, Order::Attack).unwrap();
    }
    let limit = OrderQueue::MAX;
    assert_eq!(world.queue_order(squad, Order::Attack), Err(WorldError::TooMany { what: "orders of a squad", limit }));
    world.order(squad, Order::Hold).unwrap();
    assert!(world.squads()[0].queue.is_empty());
    assert!(world.queue_order(SquadId(7), Order::Hold).is_err());
    let front = Front { centre: Vec2::NAN, facing: 0.0, width: 1.0, fights: true };
    assert!(world.queue_order(squad, Order::Line(front)).is_err());
}

#[test]
fn an_attack_is_over_when_no_enemy_is_in_sight() {
    let (mut world, squad) = world(map(&[]), Vec2::new(20.0, 20.0), 16, None);
    let blue = world.add_army("blue").unwrap();
    for at in [Vec2::new(28.0, 20.0), Vec2::new(76.0, 76.0)] {
        let weak = Unit { name: format!("weak at {at}"), health: 1.0, damage: 0.0, ..Unit::default() };
        let weak = world.add_unit(weak).unwrap();
        world.spawn_squad(SquadSpec::new(blue, weak, [at])).unwrap();
    }
    let back = Order::Move(Vec2::new(10.0, 20.0));
    world.order(squad, Order::Attack).unwrap();
    world.queue_order(squad, back).unwrap();
    ticks(&mut world, 300);
    assert_eq!((world.armies()[1].alive, world.squads()[0].order), (1, back));
}

#[test]
fn a_snapshot_keeps_the_line_and_the_orders_to_come() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("line.snapshot");
    let (mut world, squad) = world(map(&[[40, 30, 3, 10]]), Vec2::new(20.0, 20.0), 30, None);
    let front = |x: f32, facing| Order::Line(Front { centre: Vec2::new(x, 30.0), facing, width: 12.0, fights: true });
    world.order(squad, front(28.0, 90.0)).unwrap();
    world.queue_order(squad, front(50.0, -30.0)).unwrap();
    for _ in 0..4 {
        ticks(&mut world, 70);
        world.save(&file).unwrap();
        let mut other = World::restore(&file, Resume { threads: 2, ..Resume::default() }).unwrap();
        ticks(&mut world, 70);
        ticks(&mut other, 70);
        assert_eq!(other.position_hash(), world.position_hash());
        assert_eq!(other.squads()[0].queue, world.squads()[0].queue);
    }
}
