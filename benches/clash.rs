//! Cost of a battle of a hundred thousand: `cargo bench --bench clash [-- SCENARIO [TICKS]]`.
//!
//! The scenario, by default `examples/plain.toml`, on two threads for 1,500 ticks: median, 99th percentile and worst tick, the
//! same over the ticks in which most shots are in the air, and the medians of the stages.
#![allow(clippy::unwrap_used, missing_docs)]

use throng::scenario::Scenario;
use throng::world::Stage;

fn quantile(times: &[f32], q: f64) -> f32 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted[((sorted.len() - 1) as f64 * q).round() as usize]
}

fn report(label: &str, ticks: &[(usize, [f32; Stage::COUNT])]) {
    let totals: Vec<f32> = ticks.iter().map(|(_, stages)| stages.iter().sum()).collect();
    let [median, p99, worst] = [0.5, 0.99, 1.0].map(|q| quantile(&totals, q));
    println!("{label}: median {median:.2} ms, p99 {p99:.2} ms, worst {worst:.2} ms");
    for stage in Stage::ALL {
        let times: Vec<f32> = ticks.iter().map(|(_, stages)| stages[stage as usize]).collect();
        println!(
            "    {:<10} median {:.3} ms, worst {:.3} ms",
            stage.name(),
            quantile(&times, 0.5),
            quantile(&times, 1.0)
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let path = arguments.next().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/examples/plain.toml").into());
    let count: usize = arguments.next().map_or(1500, |ticks| ticks.parse().unwrap());
    let (scenario, _) = Scenario::load(&path).unwrap();
    let mut world = scenario.build(2).unwrap();
    let agents = world.agents();
    let mut ticks = Vec::with_capacity(count);
    for _ in 0..count {
        world.tick().unwrap();
        ticks.push((world.shots().len(), world.profile().stage_ms));
    }
    let most = ticks.iter().map(|&(shots, _)| shots).max().unwrap();
    report(&format!("{agents} agents, {} left after {count} ticks, 2 threads", world.agents()), &ticks);
    let busy: Vec<_> = ticks.iter().filter(|&&(shots, _)| 2 * shots >= most).copied().collect();
    report(&format!("the {} ticks with {} to {most} shots in the air", busy.len(), most / 2), &busy);
}
