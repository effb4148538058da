//! Every structure in every scene, against its own cost in the uniform one.

use crate::contest::{DENSITY, Peer, ours};
use crate::heat::{self, Lane};
use crate::side::Tally;
use std::error::Error;
use std::time::Duration;
use throng::spatial::{IndexKind, Scene, SceneKind};

/// A frame may take so long (ns).
const PATIENCE: f64 = 0.4e9;

/// Scenes that are made to be hard for grids.
const EXTREME: [SceneKind; 2] = [SceneKind::Diagonal, SceneKind::Stadium];

/// The worst ratio of ours over the scenes that one meets, and over all.
pub struct Worst {
    pub ordinary: f64,
    pub any: f64,
}

/// Prints the table. Structures too slow for so many agents run with a tenth of them.
pub fn table(agents: u32, budget: Duration) -> Result<Worst, Box<dyn Error>> {
    print!("  {:<24}", "ns an agent and frame");
    for kind in SceneKind::ALL {
        print!(" {:>10}", kind.name());
    }
    println!(" {:>8}", "worst");
    let mut first: Vec<Option<Tally>> = vec![None; 2 * SceneKind::ALL.len()];
    let mut worst = Worst { ordinary: 0.0, any: 0.0 };
    for kind in IndexKind::ALL {
        let [ordinary, any] = row(kind.name(), &|scene| ours(scene, kind), agents, budget, &mut first)?;
        worst = Worst { ordinary: worst.ordinary.max(ordinary), any: worst.any.max(any) };
    }
    for peer in Peer::ALL {
        let side = |scene: &Scene| Lane::new(peer.name(), scene, peer.sides().remove(0));
        row(peer.name(), &side, agents, budget, &mut first)?;
    }
    Ok(worst)
}

/// One structure: its worst ratio over the ordinary scenes and over all.
fn row(
    name: &str,
    lane: &dyn Fn(&Scene) -> Lane,
    agents: u32,
    budget: Duration,
    first: &mut [Option<Tally>],
) -> Result<[f64; 2], Box<dyn Error>> {
    let few = agents / 10;
    let scene = |kind, agents| Scene::new(kind, agents, DENSITY, 1);
    let trial = lane(&scene(SceneKind::Uniform, few)?).trial()?;
    // As if the cost of each grew with their number.
    let small = name == IndexKind::Brute.name() || (trial * 10.0 * f64::from(agents) > PATIENCE && trial > 1000.0);
    let agents = if small { few } else { agents };
    let mut lanes = Vec::new();
    let mut hopeless = Vec::new();
    for kind in SceneKind::ALL {
        let trial = lane(&scene(kind, few)?).trial()?;
        if !small && trial * 10.0 * f64::from(agents) > 2.0 * PATIENCE && trial > 1000.0 {
            hopeless.push((kind, trial));
        } else {
            lanes.push((kind, lane(&scene(kind, agents)?)));
        }
    }
    let (kinds, mut lanes): (Vec<_>, Vec<_>) = lanes.into_iter().unzip();
    heat::take_turns(&mut lanes, budget)?;
    let costs = SceneKind::ALL.map(|kind| {
        let lane = kinds.iter().position(|&other| other == kind).map(|at| lanes[at].cost().total);
        lane.or_else(|| hopeless.iter().find(|hopeless| hopeless.0 == kind).map(|hopeless| hopeless.1))
            .unwrap_or(f64::NAN)
    });
    for (kind, lane) in kinds.iter().zip(&lanes) {
        let slot = 2 * SceneKind::ALL.iter().position(|other| other == kind).unwrap_or(0) + usize::from(small);
        if *first[slot].get_or_insert(lane.tally(0)) != lane.tally(0) {
            return Err(format!("{name}, {kind}: other pairs than before: {:?}", lane.tally(0)).into());
        }
    }
    print!("  {:<24}", if small { format!("{name} ({agents})") } else { name.to_owned() });
    let mut worst = [0.0_f64; 2];
    for (kind, cost) in SceneKind::ALL.into_iter().zip(costs) {
        let sign = if hopeless.iter().any(|hopeless| hopeless.0 == kind) { ">" } else { "" };
        print!(" {:>10}", format!("{sign}{cost:.1}"));
        let ratio = cost / costs[0];
        worst[1] = worst[1].max(ratio);
        if !EXTREME.contains(&kind) {
            worst[0] = worst[0].max(ratio);
        }
    }
    println!(" {:>8.2}", worst[1]);
    Ok(worst)
}
