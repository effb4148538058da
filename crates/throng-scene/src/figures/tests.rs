//! Agents strike, shoot, walk and stand as they should, in any order of the rows.

use super::*;
use proptest::prelude::*;
use throng_grid::geom::direction;
use throng_sim::world::{ArmyId, SquadId, UnitId};

/// The columns of some agents: place (m), army, unit.
struct Columns {
    id: Vec<u32>,
    position: Vec<Vec2>,
    heading: Vec<Vec2>,
    army: Vec<ArmyId>,
    unit: Vec<UnitId>,
    squad: Vec<Option<SquadId>>,
    action: Vec<Action>,
}

const LOOKS: [Look; 8] = Look::ALL;

impl Columns {
    fn new(agents: &[(Vec2, u8, u16)]) -> Self {
        let count = agents.len();
        Self {
            id: (0..count as u32).collect(),
            position: agents.iter().map(|agent| agent.0).collect(),
            heading: vec![Vec2::X; count],
            army: agents.iter().map(|agent| ArmyId(agent.1)).collect(),
            unit: agents.iter().map(|agent| UnitId(agent.2)).collect(),
            squad: agents.iter().map(|agent| Some(SquadId(agent.1.into()))).collect(),
            action: vec![Action::Walk; count],
        }
    }

    fn at(&self, time: f64) -> Agents<'_> {
        Agents {
            time,
            id: &self.id,
            position: &self.position,
            heading: &self.heading,
            army: &self.army,
            unit: &self.unit,
            squad: &self.squad,
            looks: &LOOKS,
            action: &self.action,
        }
    }
}

fn seen(columns: &Columns, time: f64) -> Vec<Figure> {
    let mut out = Vec::new();
    figures(&columns.at(time), &mut Strides::default(), &mut out);
    out
}

fn is_strike(pose: Pose) -> bool {
    (0..Pose::STRIKES).any(|i| Pose::strike(i) == pose)
}

fn is_shot(pose: Pose) -> bool {
    (0..Pose::SHOTS).any(|i| Pose::shoot(i) == pose)
}

proptest! {
    #[test]
    fn the_order_of_rows_does_not_matter(
        agents in prop::collection::vec((0.0_f32..30.0, 0.0_f32..30.0, 0_u8..2, 0_u16..8), 1..40),
    ) {
        let agents: Vec<_> = agents.into_iter().map(|(x, y, army, unit)| (Vec2::new(x, y), army, unit)).collect();
        let columns = Columns::new(&agents);
        let mut turned = Columns::new(&agents.iter().rev().copied().collect::<Vec<_>>());
        turned.id.reverse();
        let mut one = seen(&columns, 2.0);
        one.reverse();
        prop_assert_eq!(one, seen(&turned, 2.0));
    }
}

#[test]
fn agents_do_what_their_actions_say() {
    let mut columns =
        Columns::new(&[(Vec2::ZERO, 0, 0), (Vec2::Y, 0, Look::Archer as u16), (Vec2::X, 1, 0), (Vec2::ONE, 1, 0)]);
    columns.action = vec![Action::Strike, Action::Shoot, Action::Walk];
    for time in [0.0, 0.4, 3.7] {
        let poses: Vec<_> = seen(&columns, time).iter().map(|figure| figure.pose).collect();
        assert!(is_strike(poses[0]) && is_shot(poses[1]), "{poses:?}");
        assert_eq!(poses[2..], [Pose::STAND; 2], "an action that is missing is none");
    }
}

#[test]
fn agents_walk_as_fast_as_they_go_and_stand_in_the_first_picture() {
    let mut columns = Columns::new(&[(Vec2::ZERO, 0, 0), (Vec2::splat(9.0), 0, 0)]);
    columns.heading[0] = direction(90.0);
    let (mut strides, mut out) = (Strides::default(), Vec::new());
    figures(&columns.at(1.0), &mut strides, &mut out);
    assert_eq!(out[0].pose, Pose::STAND);
    columns.position[0] = Vec2::new(0.0, 0.7);
    figures(&columns.at(1.5), &mut strides, &mut out);
    assert!((out[0].speed - 1.4).abs() < 1e-5 && out[1].speed == 0.0);
    assert_eq!((out[0].direction, out[1].pose), (4, Pose::STAND));
    assert_ne!(out[0].pose, Pose::STAND);
    // The same moment once more, and an earlier one: speeds stay.
    for time in [1.5, 0.2] {
        figures(&columns.at(time), &mut strides, &mut out);
        assert!((out[0].speed - 1.4).abs() < 1e-5);
    }
}

#[test]
fn a_squad_on_foot_has_one_leader() {
    let rider = Look::Rider as u16;
    let columns = Columns::new(&[(Vec2::ZERO, 0, 0), (Vec2::X, 0, 0), (Vec2::splat(50.0), 1, rider)]);
    let looks: Vec<_> = seen(&columns, 0.0).iter().map(|figure| figure.look).collect();
    assert_eq!(looks, [Look::Leader, Look::Swordsman, Look::Rider]);
}
