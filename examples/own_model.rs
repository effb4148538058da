//! A model of avoidance of one's own: `cargo run --release --example own_model`.
//!
//! It sees what the models of the library see: places, velocities and neighbours of all agents, and says how each moves next. Two crowds
//! meet in a corridor: by ORCA, by a model that keeps to the right, and by one that looks at nobody.

use throng::battle::Unit;
use throng::crowd::models::CustomModel;
use throng::crowd::{AgentView, Avoidance, AvoidanceSettings};
use throng::geom::{Vec2, clamp_length, unit};
use throng::grid::{Grid, Lattice};
use throng::world::{Settings, World};

/// Agents push each other apart; one that comes towards another steps to the right.
fn keeps_right(view: &AgentView<'_>, row: usize) -> Vec2 {
    let mut velocity = view.preferred_velocity[row];
    for &other in view.near.of(row) {
        let other = other as usize;
        let apart = view.position[row] - view.position[other];
        let gap = apart.length() - view.radius[row] - view.radius[other];
        let closes = (view.velocity[row] - view.velocity[other]).dot(-unit(apart));
        let near = (1.0 - gap / 2.0).clamp(0.0, 1.0);
        // To the right of +x is +y: y grows downwards.
        velocity +=
            unit(apart) * (1.5 * near * near) + view.preferred_velocity[row].perp() * (near * closes.clamp(0.0, 1.0));
    }
    clamp_length(velocity, view.top_speed[row])
}

fn run(name: &str, kind: Avoidance, model: Option<CustomModel>) -> Result<(), Box<dyn std::error::Error>> {
    let mut avoidance = AvoidanceSettings::new(kind);
    avoidance.passes = 0;
    let mut world =
        World::new(Grid::open_plain(Lattice::new(60, 10, 1.0)?), Settings { avoidance, model, ..Settings::default() })?;
    let (all, person) = (world.add_army("all")?, world.add_unit(Unit { headway: 0.0, ..Unit::pedestrian() })?);
    let places: Vec<Vec2> = (0..60)
        .map(|i| Vec2::new(if i % 2 == 0 { 4.0 } else { 50.0 } + (i / 2 % 6) as f32, 2.0 + (i / 12) as f32 * 1.3))
        .collect();
    let goals: Vec<Vec2> = places.iter().map(|at| Vec2::new(60.0 - at.x, at.y)).collect();
    world.spawn_walkers(all, person, &places, &goals)?;
    let (mut deepest, mut pairs) = (0.0_f32, 0);
    for _ in 0..1600 {
        world.tick()?;
        let rows = &world.crowd().rows;
        for a in 0..rows.len() {
            for b in a + 1..rows.len() {
                let overlap = rows.radius[a] + rows.radius[b] - rows.position[a].distance(rows.position[b]);
                deepest = deepest.max(overlap);
                pairs += u32::from(overlap > 0.05);
            }
        }
    }
    let come = world.positions().filter(|(id, at)| at.distance(goals[id.slot as usize]) < 1.0).count();
    println!("{name:12} {come} of 60 have come; overlaps above 5 cm: {pairs} pairs and ticks, {deepest:.2} m at most");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run("orca", Avoidance::Orca, None)?;
    run("keeps right", Avoidance::Custom, Some(CustomModel::new("keeps-right", keeps_right)))?;
    run("none", Avoidance::None, None)
}
