//! Two squads meet at a gate, and one wins: `cargo run --release --example skirmish`.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{Settings, SquadSpec, Verdict, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A field of 96 m x 48 m. A wall parts it, with a gate of 12 m in the middle.
    let mut grid = Grid::open_plain(Lattice::new(96, 48, 1.0)?);
    let lattice = grid.lattice();
    for y in (0..48).filter(|y| !(18..30).contains(y)) {
        grid.set_open(lattice.cell(48, y), false);
    }

    let mut world = World::new(grid, Settings::default())?;
    let militia = world.add_unit(Unit { name: "militia".into(), ..Unit::default() })?;
    let guard = world.add_unit(Unit { name: "guard".into(), armour: 4.0, damage: 18.0, ..Unit::default() })?;
    for (name, unit, count, x, facing) in [("red", militia, 60, 16.0, 0.0), ("blue", guard, 40, 80.0, 180.0)] {
        let army = world.add_army(name)?;
        let positions = Block { facing, ..Block::new(Vec2::new(x, 12.0), count) }.positions();
        world.spawn_squad(SquadSpec { facing, order: Order::Attack, ..SquadSpec::new(army, unit, &positions) })?;
        println!("{name}: {count} {}", world.units()[usize::from(unit.0)].name);
    }

    println!("\n{:>6}{:>6}{:>6}", "s", "red", "blue");
    let row = |world: &World| {
        let seconds = world.ticks() as f32 * world.settings().step;
        println!("{seconds:6.1}{:6}{:6}", world.armies()[0].alive, world.armies()[1].alive);
    };
    row(&world);
    while world.verdict().is_none() {
        // 100 ticks of 0.05 s, or fewer where the battle ends before.
        let until = world.ticks() + 100;
        world.tick_until(|world| world.ticks() == until || world.verdict().is_some())?;
        row(&world);
    }
    match world.verdict() {
        Some(Verdict::Winner(army)) => {
            let army = &world.armies()[usize::from(army.0)];
            println!("\n{} wins; {} of {} are alive.", army.name, army.alive, army.spawned);
        }
        _ => println!("\nIt is a draw."),
    }
    Ok(())
}
