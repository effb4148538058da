//! Collision avoidance of throng against that of `dodgy_2d`: same crowd, same neighbours, same run, one thread.
//!
//! ```sh
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin crowds -- [AGENTS]
//! ```
//!
//! Agents of radius 0.5 m cover 30 % of an open plain, each on its way to another's start. In each tick throng finds the
//! ten nearest within 5 m of all; then both solve for the same agents with the same lists, and what throng solved is
//! walked. Measured is the time that the thread is on its processor. `dodgy_2d` solves for one agent a call and gets
//! agents and neighbours in its own form, which is made without the clock; its own simulator, which looks at all pairs,
//! is left out.
//!
//! **Common ground.** Of two agents that are not on course for a collision, the relative velocity lies outside of the
//! velocity obstacle, u away from its border. In van den Berg, Guy, Lin and Manocha (2011), RVO2 and throng either may
//! use up half of u. In `dodgy_2d` 0.5 either may use up all of it, so that both together may go twice as far as there
//! is room. This is why some 42 % of the velocities differ when it is asked as it is. It has no setting for it, but a
//! neighbour whose velocity is moved by u/2 (without the clock) has the half-plane of the paper. Then all velocities
//! are alike but a few in a million, where two almost opposite half-planes cut each other so far away that rounding
//! decides. So both solve the same problem in the row `the same half-planes`.

#[path = "../indices/clock.rs"]
#[expect(dead_code, reason = "one thread is measured here")]
mod clock;
mod peer;
#[path = "../../../../rand30/mod.rs"]
mod rand30;

use clock::now;
use peer::Peer;
use rand30::{Rand30, rand30};
use std::error::Error;
use throng::crowd::orca::orca;
use throng::crowd::order::cell_order;
use throng::crowd::{AgentColumns, AgentView, Orca};
use throng::walk::neighbours::neighbours;
use throng::geom::{Vec2, clamp_length};
use throng::grid::clearance::clearance;
use throng::grid::{Grid, Lattice};
use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};

const STEP: f32 = 0.1;
const TICKS: usize = 40;
const RADIUS: f32 = 0.5;
/// Speed that all would like, and their greatest (m/s).
const SPEEDS: [f32; 2] = [1.5, 2.0];
/// As far ahead as RVO2's own scenes look.
const HORIZON: f32 = 2.0;
/// Velocities that differ by less are the same (m/s).
const ALIKE: f32 = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let agents = match std::env::args().nth(1) {
        Some(number) => number.parse().map_err(|_| format!("found \"{number}\", expected how many agents"))?,
        None => 100_000,
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(one.install(|| run(agents).map_err(|error| error.to_string()))?)
}

fn run(n: usize) -> Result<(), Box<dyn Error>> {
    let params = Orca { k: 10, reach: 5.0, horizon: HORIZON, ..Orca::default() };
    let side = rand30::side(n);
    let Rand30 { start: mut position, mut goal } = rand30(n, side as f32);
    let mut slot: Vec<u32> = (0..n as u32).collect();
    let mut velocity = vec![Vec2::ZERO; n];
    let side = side / 4 + 1;
    let lattice = Lattice::new(side, side, 4.0)?;
    // No walls but the edges of the map.
    let grid = Grid::open_plain(lattice);
    let clearance = clearance(&grid);
    let (radius, top_speed, weight, progress) = (vec![RADIUS; n], vec![SPEEDS[1]; n], vec![1.0; n], vec![1.0; n]);
    let (mut order, mut keys, mut start) = (vec![0; n], vec![[0; 2]; n], Vec::new());
    let (mut index, mut near) = (Index::new(IndexKind::Grid), Near::default());
    let (mut next, mut theirs) = (vec![Vec2::ZERO; n], [const { Vec::new() }; 2]);
    theirs.fill(vec![Vec2::ZERO; n]);
    let mut times = [const { Vec::new() }; 4];
    let (mut unlike, mut solved) = ([0; 2], 0);
    for tick in 0..TICKS {
        if cell_order(lattice, &position, &slot, &mut order, &mut keys, &mut start) {
            let permute = |column: &mut Vec<Vec2>| *column = order.iter().map(|&row| column[row as usize]).collect();
            [&mut position, &mut velocity, &mut goal].into_iter().for_each(permute);
            slot = order.iter().map(|&row| slot[row as usize]).collect();
        }
        let preferred: Vec<Vec2> =
            position.iter().zip(&goal).map(|(&at, &goal)| clamp_length((goal - at) / STEP, SPEEDS[0])).collect();

        let start = now();
        let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
        index.rebuild(bodies)?;
        neighbours(&index, bodies, params.k, params.reach, &mut near);
        let asked = now();
        let columns = AgentColumns {
            position: &position,
            velocity: &velocity,
            preferred_velocity: &preferred,
            radius: &radius,
            top_speed: &top_speed,
            weight: &weight,
            progress: &progress,
            slot: &slot,
        };
        orca(params, &AgentView::new(STEP, &grid, &clearance, columns, &near)?, &mut next);
        let avoided = now();
        let dodgy = Peer::new(&position, &velocity, &preferred);
        let own = dodgy.solve_its_own(&near, &mut theirs[0]);
        let same = dodgy.solve_the_same(&near, &mut theirs[1]);

        for (times, time) in times.iter_mut().zip([asked - start, avoided - asked, own, same]) {
            times.push(time / n as f64);
        }
        // In the first tick no agent moves yet.
        if tick > 0 {
            for (unlike, theirs) in unlike.iter_mut().zip(&theirs) {
                *unlike += next.iter().zip(theirs).filter(|(a, b)| a.distance(**b) >= ALIKE).count();
            }
            solved += n;
        }
        velocity.copy_from_slice(&next);
        for (at, &velocity) in position.iter_mut().zip(&velocity) {
            *at += velocity * STEP;
        }
    }
    let [asking, ours, own, same] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!("{n} agents, {TICKS} ticks, one thread; ns an agent and tick, medians");
    println!("neighbours (index and lists)             {asking:8.1}");
    println!("throng's ORCA                            {ours:8.1}");
    for (what, time, unlike) in [("the same half-planes", same, unlike[1]), ("its own half-planes", own, unlike[0])] {
        println!(
            "dodgy_2d, {what:22}         {time:8.1}: {:.1} times as long, {:.1} times with neighbours; {unlike} of {solved} \
             velocities differ by 1 mm/s or more",
            time / ours,
            (asking + time) / (asking + ours),
        );
    }
    Ok(())
}
