//! Crowds on an open plain: each agent walks straight to its own goal.

use super::scene::Group;
use super::{CrowdKind, CrowdScene, ExperimentError, Finish};
use rand::RngExt;
use rand_pcg::Pcg32;
use std::f64::consts::{PI, TAU};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;

/// Free ground around all starts and goals (m).
const MARGIN: f64 = 20.0;

/// Distance from the goal at which an agent has arrived (m).
const ARRIVED: f32 = 1.0;

/// For how long these scenes are watched (s).
const SECONDS: f32 = 150.0;

/// Radius (m) for which these scenes are laid out.
const RADIUS: f64 = 0.5;

/// Points with the origin in the middle of the scene (m).
type Points = Vec<[f64; 2]>;

/// The positions, each moved aside a little, at most `slack` metres along each axis.
fn jitter(points: &mut Points, slack: f64, random: &mut Pcg32) {
    for x in points.iter_mut().flatten() {
        *x += random.random_range(-slack..=slack);
    }
}

/// Rings 2 m apart, agents 2 m apart on each, turned at random.
pub(super) fn circle(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let mut starts = Points::new();
    let mut radius = 0.8 * (agents as f64).sqrt() + 5.0;
    while starts.len() < agents {
        let on_ring = (TAU * radius / 2.0) as usize;
        let phase = random.random_range(0.0..TAU);
        let angles = (0..on_ring).map(|i| phase + i as f64 * TAU / on_ring as f64);
        starts.extend(angles.map(|angle| [radius * libm::cos(angle), radius * libm::sin(angle)]));
        radius += 2.0;
    }
    starts.truncate(agents);
    jitter(&mut starts, 0.05, random);
    let goals = starts.iter().map(|start| start.map(|x| -x)).collect();
    plain(CrowdKind::Circle, &starts, &goals)
}

/// Two blocks that change sides.
pub(super) fn armies(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let (spacing, gap) = (1.5, 10.0);
    let left = agents / 2;
    let ranks = ((left as f64 / 4.0).sqrt().round() as usize).max(1);
    let block = |count: usize, side: f64, shift: f64| -> Points {
        let rows = (0..count).map(|i| (i / ranks) as f64 * spacing);
        let middle = rows.clone().sum::<f64>() / count as f64;
        let place = |(i, row): (usize, f64)| [side * (gap / 2.0 + (i % ranks) as f64 * spacing), row - middle + shift];
        rows.enumerate().map(place).collect()
    };
    let mut starts = block(left, -1.0, 0.0);
    starts.extend(block(agents - left, 1.0, 0.3));
    jitter(&mut starts, 0.05, random);
    let across = gap + ranks as f64 * spacing;
    let goal = |(i, start): (usize, &[f64; 2])| [start[0] + if i < left { across } else { -across }, start[1]];
    let goals = starts.iter().enumerate().map(goal).collect();
    plain(CrowdKind::Armies, &starts, &goals)
}

/// Agents that cover a share of a square, in random order; the goals are the starts, shuffled.
pub(super) fn rand(
    kind: CrowdKind,
    agents: usize,
    share: f64,
    random: &mut Pcg32,
) -> Result<CrowdScene, ExperimentError> {
    let cell = (PI * RADIUS * RADIUS / share).sqrt();
    let side = (agents as f64).sqrt().ceil() as usize;
    let mut places: Vec<usize> = (0..side * side).collect();
    shuffle(&mut places, random);
    let middle = (side as f64 - 1.0) / 2.0;
    let place = |&i: &usize| [i % side, i / side].map(|x| (x as f64 - middle) * cell);
    let mut starts: Points = places.iter().take(agents).map(place).collect();
    jitter(&mut starts, 0.475 * (cell - 2.0 * RADIUS), random);
    let mut order: Vec<usize> = (0..agents).collect();
    shuffle(&mut order, random);
    let goals = order.iter().map(|&i| starts[i]).collect();
    plain(kind, &starts, &goals)
}

/// R. Fisher, F. Yates (1938), from the end (R. Durstenfeld, 1964).
fn shuffle(values: &mut [usize], random: &mut Pcg32) {
    for last in (1..values.len()).rev() {
        values.swap(last, random.random_range(0..=last as u32) as usize);
    }
}

fn plain(kind: CrowdKind, starts: &Points, goals: &Points) -> Result<CrowdScene, ExperimentError> {
    let furthest = starts.iter().chain(goals).flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    // A whole number of metres, so that nothing is lost on the way there and back.
    let half = (furthest + MARGIN).ceil();
    let grid = Grid::open_plain(Lattice::new((2.0 * half) as u32, (2.0 * half) as u32, 1.0)?);
    let local = |points: &Points| -> Vec<Vec2> {
        points.iter().map(|[x, y]| Vec2::new((x + half) as f32, (y + half) as f32)).collect()
    };
    let (starts, goals) = (local(starts), local(goals));
    Ok(CrowdScene {
        kind,
        grid,
        unit: Unit { name: "walker".into(), radius: 0.5, speed: 1.5, top_speed: 2.0, damage: 0.0, ..Unit::default() },
        finish: goals.iter().map(|&goal| Finish::Near { goal, within: ARRIVED }).collect(),
        starts: starts.clone(),
        door: None,
        lanes: None,
        seconds: SECONDS,
        groups: vec![Group::Walkers { starts, goals }],
    })
}
